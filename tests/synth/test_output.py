"""The output given or made: one canonical URI, and what the role may write."""

import json

import pytest
from aws_cdk import CfnParameter, RemovalPolicy
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from synth.app import (
    JOB,
    Synthesized,
    stack_of,
    synth,
    trainer,
)


@pytest.mark.parametrize(
    ("prefix", "path", "below"),
    [
        (None, "/output", "output/*"),
        ("", "", "*"),
        ("runs", "/runs", "runs/*"),
        ("runs/", "/runs/", "runs/*"),
        ("runs//x", "/runs//x", "runs//x/*"),
        ("runs*//", "/runs*//", "runs${*}/*"),
        (" my runs ", "/ my runs ", " my runs /*"),
    ],
)
def test_an_output_is_sent_as_written_and_granted_with_what_lies_below(
    prefix: str | None, path: str, below: str
) -> None:
    stack = stack_of()
    out = s3.Bucket.from_bucket_name(stack, "Out", "acme-rl-out")
    made_of_prefix = trainer(stack, output_bucket=out, output_prefix=prefix)
    trainer(stack, "Other", s3_output_path=f"s3://acme-rl-out{path}", run_id="2")
    made = Synthesized(stack)
    for job in made.resources(JOB).values():
        assert job["Properties"]["S3OutputPath"] == f"s3://acme-rl-out{path}"
    assert made_of_prefix.s3_output_path == f"s3://acme-rl-out{path}"
    assert made.allowed("s3:PutObject") == [f"arn:${{AWS::Partition}}:s3:::acme-rl-out/{below}"] * 2


def test_a_prefix_that_ends_in_a_token_is_granted_whether_it_ends_in_a_slash_or_not() -> None:
    stack = stack_of()
    prefix = CfnParameter(stack, "Prefix").value_as_string
    trainer(stack, s3_output_path=f"s3://acme-rl-out/runs/{prefix}")
    (granted,) = Synthesized(stack).allowed("s3:PutObject")
    assert granted.endswith(":s3:::acme-rl-out/runs/${Prefix}*")


def test_an_output_uri_is_taken_and_no_bucket_made() -> None:
    assert synth(s3_output_path="s3://acme-rl-out/runs//1/").resources("AWS::S3::Bucket") == {}


def test_a_bucket_of_another_region_is_warned_of() -> None:
    stack = stack_of()
    out = s3.Bucket.from_bucket_attributes(stack, "Out", bucket_name="out-b", region="us-east-1")
    trainer(stack, output_bucket=out)
    assert any("The output bucket is in us-east-1" in text for text in Synthesized(stack).warnings())


def test_bucket_is_private_encrypted_tls_only_and_retained() -> None:
    made = synth()
    (bucket,) = made.resources("AWS::S3::Bucket").values()
    assert (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]) == ("Retain", "Retain")
    properties = bucket["Properties"]
    assert all(properties["PublicAccessBlockConfiguration"].values())
    assert properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert "aws:SecureTransport" in json.dumps(list(made.resources("AWS::S3::BucketPolicy").values()))


def test_destroy_warns_that_a_bucket_with_objects_stays() -> None:
    made = synth(removal_policy=RemovalPolicy.DESTROY)
    assert any("only while it is empty" in text for text in made.warnings())
    (bucket,) = made.resources("AWS::S3::Bucket").values()
    assert bucket["DeletionPolicy"] == "Delete"
    assert made.resources("Custom::S3AutoDeleteObjects") == {}


def test_the_apps_own_bucket_is_known_by_its_name_in_the_uri() -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    bucket = s3.Bucket(stack, "Out", encryption_key=key)
    made = trainer(stack, s3_output_path=f"s3://{bucket.bucket_name}/runs")
    synthesized = Synthesized(stack)
    assert made.output_bucket is bucket
    assert len(synthesized.allowed("kms:GenerateDataKey")) == 1
    assert synthesized.warnings() == []


@pytest.mark.parametrize(("keyed", "warned"), [(False, True), (True, False)])
def test_a_bucket_that_only_the_deploy_knows_is_warned_of_unless_its_key_is_said(keyed: bool, warned: bool) -> None:
    stack = stack_of()
    uri = f"s3://{CfnParameter(stack, 'Out').value_as_string}/runs"
    trainer(stack, s3_output_path=uri, kms_key=kms.Key(stack, "Key") if keyed else None)
    found = [text for text in Synthesized(stack).warnings() if "The bucket in s3_output_path is only known" in text]
    assert len(found) == warned
