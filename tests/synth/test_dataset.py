"""Datasets in every form: where they lie, and what the role may read."""

from pathlib import Path
from typing import Any, cast

import jsii
import pytest
from aws_cdk import (
    App,
    CfnParameter,
    Environment,
    FileAssetLocation,
    IReusableStackSynthesizer,
    IStackSynthesizer,
    LegacyStackSynthesizer,
    Stack,
)
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from synth.app import (
    ACCOUNT,
    KEY_ARN,
    REGION,
    Synthesized,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import Dataset
from agent_rft.dataset.dataset_file import extension_of, is_format


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


UNKNOWN = "The bucket in training_dataset is only known at deploy"


@pytest.mark.parametrize("way", ["bucket", "uri", "uri of another stack"])
def test_the_key_of_the_apps_own_bucket_is_granted_by_whatever_way_it_is_named(way: str) -> None:
    app = App()
    ours = stack_of(app)
    theirs = stack_of(app, "Data") if "another" in way else ours
    key = kms.Key(theirs, "Key")
    bucket = s3.Bucket(theirs, "Data", encryption_key=key)
    by_uri = f"s3://{bucket.bucket_name}/train/"
    trainer(ours, training_dataset=Dataset.from_bucket(bucket, "train/") if way == "bucket" else by_uri)
    made = Synthesized(ours)
    assert len(made.allowed("kms:Decrypt")) == 1
    assert made.allowed("kms:GenerateDataKey") == made.allowed("kms:DescribeKey") == []
    assert len(made.allowed("s3:GetObject")) == 2
    assert not any(UNKNOWN in text for text in made.warnings())


@pytest.mark.parametrize("kind", ["named", "token"])
def test_a_key_that_is_said_is_granted_and_not_warned_of(kind: str, tmp_path: Path) -> None:
    stack = stack_of()
    key = kms.Key.from_key_arn(stack, "Key", KEY_ARN)
    name = "data-bkt" if kind == "named" else CfnParameter(stack, "Bucket").value_as_string
    trainer(stack, training_dataset=Dataset.from_s3_uri(f"s3://{name}/a.jsonl", encryption_key=key))
    asset = Dataset.from_asset(file(tmp_path, "a.jsonl", b'{"prompt": "a"}\n'), encryption_key=key)
    trainer(stack, "Asset", training_dataset=asset, dry_run=True)
    made = Synthesized(stack)
    assert made.allowed("kms:Decrypt", "TrainerExecutionRole") == [KEY_ARN]
    assert made.allowed("kms:Decrypt", "AssetExecutionRole") == [KEY_ARN]
    assert not any(UNKNOWN in text for text in made.warnings())


def test_a_bucket_that_only_the_deploy_knows_has_perhaps_a_key_and_is_warned_of() -> None:
    stack = stack_of()
    name = CfnParameter(stack, "Bucket").value_as_string
    trainer(stack, training_dataset=f"s3://{name}/a.jsonl")
    (text,) = Synthesized(stack).warnings()
    assert text.startswith(UNKNOWN)
    assert "Dataset.from_bucket" in text


def test_the_key_that_a_synthesizer_says_of_its_bucket_is_granted(tmp_path: Path) -> None:
    stack = Stack(
        App(), "S", synthesizer=cast("IStackSynthesizer", Keyed()), env=Environment(account=ACCOUNT, region=REGION)
    )
    trainer(stack, training_dataset=Dataset.from_asset(file(tmp_path, "a.jsonl", b'{"prompt": "a"}\n')))
    assert Synthesized(stack).allowed("kms:Decrypt") == [KEY_ARN]


@jsii.implements(IReusableStackSynthesizer)
class Keyed(LegacyStackSynthesizer):
    """A synthesizer that knows the key of the bucket of assets."""

    def add_file_asset(self, _asset: object) -> FileAssetLocation:  # type: ignore[override]  # jsii hands over one object
        where = {"bucket_name": "assets", "object_key": "a.jsonl", "kms_key_arn": KEY_ARN}
        return FileAssetLocation(http_url="https://x", s3_object_url="s3://assets/a.jsonl", **where)


@pytest.mark.parametrize(
    ("bucket", "kind"),
    [
        ("prompts-abcdefgh1234-s3alias", "the alias of an access point"),
        ("prompts--ol-s3", "the alias of an S3 Object Lambda access point"),
        ("mfzwi23gnjvgw.mrap", "the alias of a multi-region access point"),
        ("prompts--usw2-az1--x-s3", "a directory bucket"),
        ("prompts--table-s3", "a table bucket"),
    ],
)
def test_what_is_no_general_purpose_bucket_is_refused_in_words(bucket: str, kind: str) -> None:
    stack = stack_of()
    key = CfnParameter(stack, "Key").value_as_string
    imported = s3.Bucket.from_bucket_name(stack, "Imported", bucket)
    ways: list[dict[str, Any]] = [
        {"training_dataset": f"s3://{bucket}/a.jsonl"},
        {"training_dataset": f"s3://{bucket}/{key}"},
        {"training_dataset": Dataset.from_bucket(imported, "a.jsonl")},
        {"s3_output_path": f"s3://{bucket}"},
        {"output_bucket": imported},
    ]
    for number, changed in enumerate(ways):
        with pytest.raises(ValueError, match=rf"but '{bucket}' is {kind}, .* Give the general purpose bucket"):
            trainer(stack, f"T{number}", **changed)


@pytest.mark.parametrize("rest", ["", "/{Token}"])
def test_an_access_points_arn_is_refused(rest: str) -> None:
    stack = stack_of()
    text = CfnParameter(stack, "Key").value_as_string if rest else ""
    uri = f"s3://arn:aws:s3:{REGION}:{ACCOUNT}:accesspoint/data/a.jsonl{text}"
    with pytest.raises(ValueError, match=r"training_dataset is '?\"?s3://arn"):
        trainer(stack, training_dataset=uri)
