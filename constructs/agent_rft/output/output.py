"""Where a job writes: a bucket made, or one given, and the S3 URI in it, exactly as it was written."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct, IDependable

from agent_rft import permissions, warnings
from agent_rft.arguments.attribute import owner_of
from agent_rft.arguments.context_lookups import is_looked_up_later
from agent_rft.arguments.validation import known_region, refuse, unresolved
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.output.encryption_key import through_s3
from agent_rft.output.known_bucket import KnownBucket
from agent_rft.output.private_bucket import private_bucket
from agent_rft.output.s3_prefix import objects_below, prefix_problem
from agent_rft.permissions import statement

DEFAULT_PREFIX = "output"
"""[sagemaker-train 1.27.0: _resolve_s3_output_path]"""


@dataclass(frozen=True)
class Output:
    """A bucket, and what follows its name in the URI."""

    bucket: s3.IBucket
    path: str

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
            bucket_name, slash, prefix = s3_output_path.removeprefix("s3://").partition("/")
            return cls(_named(scope, bucket_name, kms_key), slash + prefix)
        prefix = DEFAULT_PREFIX if output_prefix is None else output_prefix
        refuse(scope, [prefix_problem("output_prefix", prefix, "Give the URI as s3_output_path instead.")])
        bucket = output_bucket or private_bucket(scope, "OutputBucket", kms_key, removal_policy)
        return cls(bucket, f"/{prefix}" if prefix else "")

    @property
    def s3_output_path(self) -> str:
        """The URI as it is sent: as it was written, as the SDK sends it."""
        return f"s3://{self._known.name}{self.path}"

    @property
    def declared(self) -> Mapping[str, object]:
        """The URI."""
        return {"s3_output_path": self.s3_output_path}

    @property
    def needs(self) -> list[IDependable]:
        """What the bucket has beside itself, of which the URI already speaks."""
        return self._known.needs

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to write there."""
        role.allow(statement(permissions.WRITE_OUTPUT, f"{self._known.arn}/{self._objects}"))
        if key := self._known.encryption_key:
            role.allow(through_s3(permissions.USE_KEY, key))
        there, here = self._known.region, known_region(scope)
        if here and not unresolved(there) and there != here:
            warnings.BUCKET_REGION.add_to(scope, bucket_region=there, job_region=here)

    def grant_read(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read what lies there."""
        return self.bucket.grant_read(grantee, self._objects)

    @property
    def _known(self) -> KnownBucket:
        return KnownBucket.of(self.bucket)

    @property
    def _objects(self) -> str:
        return objects_below(self.path.removeprefix("/"))


_TWICE = "s3_output_path and output_bucket or output_prefix are given, but say the same thing. Leave one out."


def _named(scope: Construct, name: str, kms_key: kms.IKey | None) -> s3.IBucket:
    """The app's own bucket by its name, with the key that it has; else any, of whose key nothing is known."""
    if own := owner_of(name, s3.Bucket):
        return own
    if unresolved(name) and kms_key is None:
        warnings.UNKNOWN_BUCKET.add_to(scope, argument="s3_output_path", instead="output_bucket or kms_key")
    return s3.Bucket.from_bucket_name(scope, "OutputBucket", name)


def _uri_problem(uri: str) -> str:
    """What is wrong with a URI that holds tokens; after ``s3://`` they are fine."""
    if not unresolved(uri) or uri.startswith("s3://") or is_looked_up_later(uri):
        return ""
    return (
        "s3_output_path is only known at deploy, but its bucket is needed for the role's policy. Write it as "
        "f's3://{bucket}/{prefix}', or give output_bucket."
    )
