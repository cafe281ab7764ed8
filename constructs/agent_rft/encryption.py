"""The customer key of what a job writes."""

from aws_cdk import aws_kms as kms
from constructs import Construct

from agent_rft.refusal import refuse, unresolved
from agent_rft_handler.checks import form_problem
from agent_rft_handler.facts import KMS_KEY_ARN


def key_of(scope: Construct, kms_key: kms.IKey | str | None) -> kms.IKey | None:
    """The key given, or the one that an ARN names.

    Raises:
        ValueError: for a string that is no key's ARN.
    """
    if not isinstance(kms_key, str):
        return kms_key
    if not unresolved(kms_key):
        refuse(scope, [form_problem("kms_key", kms_key, (KMS_KEY_ARN,))])
    return kms.Key.from_key_arn(scope, "Key", kms_key)
