"""The customer key of what a job writes."""

from aws_cdk import Annotations
from aws_cdk import aws_kms as kms
from constructs import Construct

from agent_rft.refusal import refuse, unresolved
from agent_rft_handler.facts import KMS_KEY_ARN
from agent_rft_handler.validation import form_problem


def key_of(scope: Construct, kms_key: kms.IKey | str | None) -> kms.IKey | None:
    """The key given, or the one that an ARN names.

    Raises:
        ValueError: for a string that is no key's ARN.
    """
    if kms_key is not None and not isinstance(kms_key, kms.Key):
        _warn_of_policy(scope)
    if not isinstance(kms_key, str):
        return kms_key
    if not unresolved(kms_key):
        refuse(scope, [form_problem("kms_key", kms_key, (KMS_KEY_ARN,))])
    return kms.Key.from_key_arn(scope, "Key", kms_key)


def _warn_of_policy(scope: Construct) -> None:
    Annotations.of(scope).add_warning_v2(
        "cdk-agent-rft:imported-key",
        "The key's own policy cannot be seen or changed from here: it must let the execution role, the agent's role "
        "and the handler use the key, as AWS's page model-customize-mtrl-encryption-at-rest says.",
    )
