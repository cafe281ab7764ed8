"""What cdk-nag and checkov find in what the constructs make, each with its reason."""

from agent_rft.iam.nag_suppressions import AGENT, BUCKET, FUNCTIONS, PACKS, POLICIES, WILDCARD, WORKFLOWS
from docs.table import table

CHECKOV = {
    "CKV_AWS_18": BUCKET["S3BucketLoggingEnabled"],
    "CKV_AWS_21": BUCKET["S3BucketVersioningEnabled"],
    "CKV_AWS_115": FUNCTIONS["LambdaConcurrency"],
    "CKV_AWS_116": FUNCTIONS["LambdaDLQ"],
    "CKV_AWS_117": FUNCTIONS["LambdaInsideVPC"],
    "CKV_AWS_158": FUNCTIONS["CloudWatchLogGroupEncrypted"],
    "CKV_AWS_173": "the handler's one variable is its stack's id",
}
"""Checkov's findings by its ids; templates carry nothing of it."""


def of_nag() -> str:
    """What the constructs acknowledge of cdk-nag, by what it is found in."""
    found = {
        "a role's policy": {**POLICIES, "AwsSolutions-IAM5": WILDCARD},
        "a function": FUNCTIONS,
        "a state machine": WORKFLOWS,
        "a bucket made here": BUCKET,
        "`CustomAgentLambda`": AGENT,
    }
    rows = ((f"`{_short(rule)}`", where, reason) for where, rules in found.items() for rule, reason in rules.items())
    head = f"A rule without a pack is that of {', '.join(PACKS)}.\n\n"
    return head + table(("Rule", "In", "Why it is meant so"), rows)


def of_checkov() -> str:
    """What checkov finds."""
    return table(("Check", "Why it is meant so"), ((f"`{id}`", reason) for id, reason in CHECKOV.items()))


def _short(rule: str) -> str:
    """Without the pack that its name repeats, and what it was found on."""
    return rule.partition("[")[0].rpartition("::")[2]
