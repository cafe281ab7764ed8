"""Where a job writes: a bucket made, or one given, and one canonical S3 URI below it."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.encryption_key import allow_key
from agent_rft.execution_role import ExecutionRole
from agent_rft.permissions import literal, statement
from agent_rft.private_bucket import private_bucket
from agent_rft.validation import known_region, refuse, unresolved

DEFAULT_PREFIX = "output"
"""[sagemaker-train 1.27.0: _resolve_s3_output_path]"""


@dataclass(frozen=True)
class Output:
    """A bucket and the prefix below which a job writes."""

    bucket: s3.IBucket
    prefix: str

    @classmethod
    def of(
        cls,
        scope: Construct,
        output_bucket: s3.IBucket | None,
        output_prefix: str | None,
        s3_output_path: str | None,
        kms_key: kms.IKey | None,
        removal_policy: RemovalPolicy,
    ) -> "Output":
        """The output given by bucket and prefix or by URI, or a bucket made.

        Raises:
            ValueError: when both ways are given, or the URI's bucket is not known.
        """
        if s3_output_path is not None:
            given_twice = output_bucket is not None or output_prefix is not None
            refuse(scope, [_TWICE if given_twice else "", _uri_problem(s3_output_path)])
            bucket_name, _, prefix = s3_output_path.removeprefix("s3://").partition("/")
            return cls(s3.Bucket.from_bucket_name(scope, "OutputBucket", bucket_name), canonical(prefix))
        prefix = canonical(DEFAULT_PREFIX if output_prefix is None else output_prefix)
        refuse(scope, [_prefix_problem(prefix)])
        return cls(output_bucket or private_bucket(scope, "OutputBucket", kms_key, removal_policy), prefix)

    @property
    def s3_output_path(self) -> str:
        """The URI, without a slash at its end."""
        return f"s3://{self.bucket.bucket_name}/{self.prefix}".rstrip("/")

    @property
    def declared(self) -> Mapping[str, object]:
        """The URI."""
        return {"s3_output_path": self.s3_output_path}

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to write there."""
        below = f"{literal(self.prefix)}/*" if self.prefix else "*"
        role.allow(statement(permissions.WRITE_OUTPUT, f"{self.bucket.bucket_arn}/{below}"))
        allow_key(role, self.bucket.encryption_key)
        there, here = self.bucket.env.region, known_region(scope)
        if here and not unresolved(there) and there != here:
            warnings.BUCKET_REGION.add_to(scope, bucket_region=there, job_region=here)

    def grant_read(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read what lies there."""
        return self.bucket.grant_read(grantee, f"{literal(self.prefix)}/*" if self.prefix else "*")


def canonical(prefix: str) -> str:
    """The prefix without slashes at its ends and without empty parts."""
    return "/".join(part for part in prefix.split("/") if part)


_TWICE = "s3_output_path and output_bucket or output_prefix are given, but say the same thing. Leave one out."


def _uri_problem(uri: str) -> str:
    """What is wrong with a URI that holds tokens; after ``s3://`` they are fine."""
    if not unresolved(uri) or uri.startswith("s3://"):
        return ""
    return (
        "s3_output_path is only known at deploy, but its bucket is needed for the role's policy. Write it as "
        "f's3://{bucket}/{prefix}', or give output_bucket."
    )


def _prefix_problem(prefix: str) -> str:
    if not prefix.startswith("s3:"):
        return ""
    return f"output_prefix is {prefix!r}, but must be a prefix in the bucket. Give the URI as s3_output_path instead."
