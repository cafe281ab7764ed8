"""A customer key: who uses it."""

from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from synth.app import (
    KEY_ARN,
    Synthesized,
    stack_of,
    synth,
    trainer,
)


def test_a_key_reaches_bucket_document_role_and_handler() -> None:
    made = synth(kms_key=KEY_ARN)
    assert made.job()["KmsKeyArn"] == KEY_ARN
    (bucket,) = made.resources("AWS::S3::Bucket").values()
    assert KEY_ARN in str(bucket["Properties"]["BucketEncryption"])
    assert set(made.allowed("kms:GenerateDataKey")) == {KEY_ARN}
    assert made.allowed("kms:CreateGrant", "Handler") == [KEY_ARN]


def test_an_imported_key_is_warned_of_and_an_own_one_is_not() -> None:
    stack = stack_of()
    assert any("The key's own policy" in text for text in synth(kms_key=KEY_ARN).warnings())
    trainer(stack, kms_key=kms.Key(stack, "Key"))
    assert Synthesized(stack).warnings() == []


def test_the_key_of_the_output_bucket_is_written_under_and_only_kms_key_is_looked_at() -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    trainer(stack, output_bucket=s3.Bucket(stack, "Output", encryption_key=key))
    made = Synthesized(stack)
    assert len(made.allowed("kms:GenerateDataKey")) == len(made.allowed("kms:Decrypt")) == 1
    assert made.allowed("kms:DescribeKey") == []
