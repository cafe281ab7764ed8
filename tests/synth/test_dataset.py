"""Datasets in every form: where they lie, and what the role may read."""

from pathlib import Path

import pytest
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from synth.app import (
    ACCOUNT,
    REGION,
    Synthesized,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import (
    Dataset,
)


def test_data_is_read_below_its_prefix_only() -> None:
    made = synth()
    assert made.allowed("s3:GetObject")[0] == "arn:${AWS::Partition}:s3:::data-bkt/prompts/train.parquet*"
    (listing,) = [s for s in made.statements() if s["Action"] == "s3:ListBucket"]
    assert listing["Condition"] == {"StringLike": {"s3:prefix": "prompts/train.parquet*"}}


def test_datasets_by_bucket_asset_and_arn(tmp_path: Path) -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    data = s3.Bucket(stack, "Data", encryption_key=key)
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text('{"prompt": "hello"}\n')
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:hub-content/Hub/DataSet/prompts/1.0.0"
    trainer(stack, "A", training_dataset=Dataset.from_bucket(data, "train/"))
    trainer(stack, "B", training_dataset=Dataset.from_asset(prompts))
    trainer(stack, "C", training_dataset=arn, validation_dataset=Dataset.from_bucket(data))
    made = Synthesized(stack)
    jobs = {name[:1]: job["Properties"] for name, job in made.resources("Custom::AgentRFTJob").items()}
    assert readable(jobs["A"]["TrainingDataset"]) == f"s3://${{{next(iter(made.resources('AWS::S3::Bucket')))}}}/train/"
    assert "cdk-hnb659fds-assets" in str(jobs["B"]["TrainingDataset"])
    assert jobs["C"]["TrainingDataset"] == arn
    assert arn in made.allowed("sagemaker:DescribeHubContent", "CExecutionRole")
    assert made.allowed("kms:Decrypt", "AExecutionRole")
    assert made.allowed("s3:GetObject", "BExecutionRole")[0].endswith(".jsonl*")


@pytest.mark.parametrize(
    ("uri", "warned"),
    [("s3://d-b/train.txt", True), ("s3://d-b/train.JSONL", False), ("s3://d-b/prompts/", False), ("s3://d-b", False)],
)
def test_a_format_that_no_job_reads_is_warned_of(uri: str, warned: bool) -> None:
    assert (
        any("none of the formats that a job reads" in text for text in synth(training_dataset=uri).warnings()) == warned
    )
