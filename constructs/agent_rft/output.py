"""Where a job writes: a bucket made, or one given, and one canonical S3 URI below it."""

from dataclasses import dataclass

from aws_cdk import Annotations, RemovalPolicy
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft.acknowledgements import BUCKET, acknowledge
from agent_rft.execution_role import ExecutionRole
from agent_rft.refusal import known_region, refuse, unresolved
from agent_rft_handler.facts import S3_URI
from agent_rft_handler.validation import form_problem

DEFAULT_PREFIX = "output"
"""[sagemaker-train 1.27.0: _resolve_s3_output_path]"""


@dataclass(frozen=True)
class Output:
    """A bucket and the prefix below which a job writes."""

    bucket: s3.IBucket
    prefix: str

    @property
    def s3_output_path(self) -> str:
        """The URI, without a slash at its end."""
        return f"s3://{self.bucket.bucket_name}/{self.prefix}".rstrip("/")

    def bind(self, role: ExecutionRole) -> None:
        """Grants the role to write there."""
        role.allow_output(self.bucket.bucket_arn, self.prefix)
        if self.bucket.encryption_key:
            role.allow_key(self.bucket.encryption_key.key_arn)


def output_of(
    scope: Construct,
    *,
    output_bucket: s3.IBucket | None,
    output_prefix: str | None,
    s3_output_path: str | None,
    kms_key: kms.IKey | None,
    removal_policy: RemovalPolicy,
) -> Output:
    """The output given by bucket and prefix or by URI, or a bucket made.

    Raises:
        ValueError: when both ways are given, or the URI is none.
    """
    if s3_output_path is not None:
        both = "s3_output_path and output_bucket or output_prefix are given, but say the same thing. Leave one out."
        given_twice = output_bucket is not None or output_prefix is not None
        refuse(scope, [both if given_twice else "", _uri_problem(s3_output_path)])
        bucket_name, _, prefix = s3_output_path.removeprefix("s3://").partition("/")
        return Output(s3.Bucket.from_bucket_name(scope, "OutputBucket", bucket_name), canonical(prefix))
    prefix = canonical(DEFAULT_PREFIX if output_prefix is None else output_prefix)
    refuse(scope, [_prefix_problem(prefix)])
    _look_at_region(scope, output_bucket)
    return Output(output_bucket or private_bucket(scope, "OutputBucket", kms_key, removal_policy), prefix)


def private_bucket(scope: Construct, id: str, kms_key: kms.IKey | None, removal_policy: RemovalPolicy) -> s3.Bucket:
    """A private, encrypted bucket that takes only TLS."""
    if removal_policy == RemovalPolicy.DESTROY:
        Annotations.of(scope).add_warning_v2(
            "cdk-agent-rft:destroy-bucket",
            f"With removal_policy=DESTROY the bucket {id} is deleted with the stack only while it is empty. To have it "
            "emptied too, pass a bucket of your own with auto_delete_objects=True.",
        )
    bucket = s3.Bucket(
        scope,
        id,
        encryption=s3.BucketEncryption.KMS if kms_key else s3.BucketEncryption.S3_MANAGED,
        encryption_key=kms_key,
        bucket_key_enabled=True if kms_key else None,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
        enforce_ssl=True,
        removal_policy=removal_policy,
    )
    acknowledge(bucket, BUCKET)
    return bucket


def canonical(prefix: str) -> str:
    """The prefix without slashes at its ends and without empty parts."""
    return "/".join(part for part in prefix.split("/") if part)


def _uri_problem(uri: str) -> str:
    """What is wrong with the URI; tokens after ``s3://`` are fine."""
    if unresolved(uri):
        return (
            ""
            if uri.startswith("s3://")
            else (
                "s3_output_path is only known at deploy, but its bucket is needed for the role's policy. Write it as "
                "f's3://{bucket}/{prefix}', or give output_bucket."
            )
        )
    return form_problem("s3_output_path", uri, (S3_URI,))


def _prefix_problem(prefix: str) -> str:
    if not prefix.startswith("s3:"):
        return ""
    return f"output_prefix is {prefix!r}, but must be a prefix in the bucket. Give the URI as s3_output_path instead."


def _look_at_region(scope: Construct, bucket: s3.IBucket | None) -> None:
    if bucket is None:
        return
    there, here = bucket.env.region, known_region(scope)
    if here and not unresolved(there) and there != here:
        Annotations.of(scope).add_warning_v2(
            "cdk-agent-rft:bucket-region", f"The output bucket is in {there}, but the job runs in {here}."
        )
