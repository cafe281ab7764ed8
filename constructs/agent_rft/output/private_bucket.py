"""A bucket for what a job writes or an MLflow app keeps."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft import warnings
from agent_rft.iam.nag_suppressions import BUCKET, acknowledge


def private_bucket(scope: Construct, id: str, kms_key: kms.IKey | None, removal_policy: RemovalPolicy) -> s3.Bucket:
    """A private, encrypted bucket that takes only TLS."""
    if removal_policy == RemovalPolicy.DESTROY:
        warnings.DESTROY_BUCKET.add_to(scope, id=id)
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
