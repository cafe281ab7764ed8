"""Datasets in every form: where they lie, and what the role may read."""

from pathlib import Path

import pytest
from aws_cdk import CfnParameter
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

from agent_rft import Dataset
from agent_rft.dataset_file import extension_of, is_format


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


@pytest.mark.parametrize(
    ("name", "extension"),
    [
        ("a.jsonl", ".jsonl"),
        ("a.JSONL", ".jsonl"),
        ("a.jsonl.gz", ".gz"),
        ("a.7z", ".7z"),
        ("v1.2", ""),
        ("prompts-2026.06.23", ""),
        ("a", ""),
        ("a.", ""),
        (".hidden", ""),
        ("a.b c", ""),
    ],
)
def test_an_extension_has_letters(name: str, extension: str) -> None:
    assert extension_of(name) == extension


@pytest.mark.parametrize(
    ("key", "warned"),
    [
        ("prompts/v1.2", False),
        ("prompts/v1.2/", False),
        ("prompts.v2.d/", False),
        ("prompts", False),
        ("", False),
        ("a.parquet", False),
        ("a.txt", True),
        ("a.jsonl.gz", True),
    ],
)
def test_a_key_warns_by_its_extension(key: str, warned: bool) -> None:
    assert is_format(key.rpartition("/")[2], is_file=False) is not warned


def file(directory: Path, name: str, data: bytes) -> Path:
    path = directory / name
    path.write_bytes(data)
    return path


def test_an_asset_is_refused_with_the_constructs_path_and_warns_at_the_construct(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^\[S/Trainer\] Dataset.from_asset is given .*, which is empty\."):
        trainer(stack_of(), training_dataset=Dataset.from_asset(file(tmp_path, "a.jsonl", b"")))
    stack = stack_of()
    doubtful = Dataset.from_asset(file(tmp_path, "b.jsonl", b'{"question": "a"}'))
    trainer(stack, training_dataset=doubtful, validation_dataset=Dataset.from_asset(file(tmp_path, "c.txt", b"a")))
    ids = [text.rpartition("[ack: ")[2].rstrip("]") for text in Synthesized(stack).warnings()]
    assert ids == ["cdk-agent-rft:dataset-column", "cdk-agent-rft:dataset-format"]


@pytest.mark.parametrize(
    ("batch", "warned"), [(64, True), (3, False), (None, False), ("token", False), ("many", False)]
)
def test_fewer_rows_than_one_step_takes_warn(tmp_path: Path, batch: object, warned: bool) -> None:
    stack = stack_of()
    size = CfnParameter(stack, "Batch", type="Number").value_as_number if batch == "token" else batch
    data = Dataset.from_asset(file(tmp_path, "a.jsonl", b'{"prompt": "a"}\n' * 3))
    trainer(
        stack,
        model="huggingface-reasoning-qwen3-32b",
        training_dataset=data,
        validation_dataset=Dataset.from_asset(file(tmp_path, "b.jsonl", b'{"prompt": "a"}\n')),
        hyperparameters={"max_epochs": 1, "max_steps": 1, "global_batch_size": size},
    )
    said = "The dataset has 3 rows, but one step takes 64, the global_batch_size."
    assert [text.startswith(said) for text in Synthesized(stack).warnings()] == ([True] if warned else [])
