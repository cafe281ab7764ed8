"""Buckets: whose they are, and under which key their objects lie."""

import re
from typing import Any
from xml.etree import ElementTree

from agent_rft_local.ministack_names import get_region, iam_evaluator, provisioners, s3

SSE = "x-amz-server-side-encryption"
SSE_KEY = f"{SSE}-aws-kms-key-id"


def install() -> None:
    """Stands in CloudFormation's type, and in IAM's conditions."""
    _encrypt_by_default()
    _have_a_key_of_its_own()
    _know_owners()


def bucket_key(object_arn: str) -> str:
    """The customer key that an object's bucket encrypts with by default; empty where it has none."""
    bucket = object_arn.split(":::")[-1].split("/")[0]
    owner = s3._bucket_owner_account(bucket)
    text = s3._bucket_encryption.get_scoped(owner, None, bucket) if owner else None
    found = re.search(r"<KMSMasterKeyID>([^<]+)</KMSMasterKeyID>", text or "")
    key = found.group(1) if found else ""
    return key if key.startswith("arn:") or not key else f"arn:aws:kms:{get_region()}:{owner}:key/{key}"


def _encrypt_by_default() -> None:
    """Has CloudFormation set a bucket's default encryption; ministack passes BucketEncryption over."""
    row = ("BucketEncryption", _encryption_xml, s3._put_bucket_encryption, s3._delete_bucket_encryption)
    provisioners._S3_BUCKET_CONFIGURATIONS += (row,)


def _encryption_xml(encryption: dict[str, Any]) -> bytes:
    """The property as PutBucketEncryption takes it."""
    root = ElementTree.Element("ServerSideEncryptionConfiguration")
    for given in encryption["ServerSideEncryptionConfiguration"]:
        rule = ElementTree.SubElement(root, "Rule")
        by_default = ElementTree.SubElement(rule, "ApplyServerSideEncryptionByDefault")
        for name, value in given.get("ServerSideEncryptionByDefault", {}).items():
            ElementTree.SubElement(by_default, name).text = str(value)
    return ElementTree.tostring(root)


def _have_a_key_of_its_own() -> None:
    """Has S3 take the account's key aws/s3 where aws:kms names none, as CDK does for its bootstrapped bucket.

    Ministack refuses that [AWS docs: S3 user guide, UsingKMSEncryption].
    """
    inner = s3._resolve_sse_write_headers

    def resolve(headers: dict[str, str], bucket: str) -> Any:
        is_unnamed = headers.get(SSE) == "aws:kms" and not headers.get(SSE_KEY)
        return inner({**headers, SSE_KEY: "alias/aws/s3"} if is_unnamed else headers, bucket)

    s3._resolve_sse_write_headers = resolve


def _know_owners() -> None:
    """Makes s3:ResourceAccount the bucket's owner; ministack takes the caller's account for it."""
    inner = iam_evaluator._resolve_condition_key

    def resolve(key: str, context: Any) -> Any:
        if key.lower() == "s3:resourceaccount" and ":s3:::" in context.resource_arn:
            owner = s3._bucket_owner_account(context.resource_arn.split(":::")[1].split("/")[0])
            return owner or context.principal_account
        return inner(key, context)

    iam_evaluator._resolve_condition_key = resolve
