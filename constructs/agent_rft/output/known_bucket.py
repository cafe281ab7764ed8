"""What does not change of a bucket, asked once: each question to the CDK is a round trip to its process."""

from functools import cached_property

from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import IConstruct, IDependable

EMPTIED = "AutoDeleteObjectsCustomResource"
"""The part of a bucket that empties it before it is deleted [aws-cdk-lib: bucket.ts]."""

_KEPT = "_agent_rft_known"


class KnownBucket:
    """A bucket to which many jobs write; its policy alone is asked for anew until it has one."""

    def __init__(self, bucket: s3.IBucket) -> None:
        """Use ``of`` instead."""
        self._bucket = bucket

    @classmethod
    def of(cls, bucket: s3.IBucket) -> "KnownBucket":
        """What is known of the bucket, kept with it."""
        kept: KnownBucket = vars(bucket).setdefault(_KEPT, cls(bucket))
        return kept

    @cached_property
    def name(self) -> str:
        """Its name."""
        return self._bucket.bucket_name

    @cached_property
    def arn(self) -> str:
        """Its ARN."""
        return self._bucket.bucket_arn

    @cached_property
    def region(self) -> str:
        """Where it is; a token where only the deploy knows it."""
        return self._bucket.env.region

    @cached_property
    def encryption_key(self) -> kms.IKey | None:
        """The customer key of what lies there."""
        return self._bucket.encryption_key

    @property
    def needs(self) -> list[IDependable]:
        """Its policy, and what empties it: but not whom it notifies, who may know the job. Its name is of itself."""
        self._policy = self._policy or self._bucket.policy
        return [each for each in (self._policy, self._emptied) if each is not None]

    _policy: s3.BucketPolicy | None = None

    @cached_property
    def _emptied(self) -> IConstruct | None:
        return self._bucket.node.try_find_child(EMPTIED)
