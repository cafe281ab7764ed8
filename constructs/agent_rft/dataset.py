"""The prompts that a job trains on."""

from collections.abc import Callable
from pathlib import Path

from aws_cdk import Annotations, Stack
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft import permissions
from agent_rft.execution_role import ExecutionRole
from agent_rft.permissions import statement
from agent_rft.refusal import refuse, unresolved

EXTENSIONS = (".parquet", ".jsonl", ".json", ".csv")
"""[AWS docs: model-customize-mtrl-assets]"""

Binding = Callable[[Construct, str, ExecutionRole], str]


class Dataset:
    """A dataset, and the right of the execution role to read exactly it.

    Where a string is given in its stead, the SDK's meaning holds: an S3 URI or a DataSet ARN. The column ``prompt``
    is used, or the first one; each value reaches the agent as it is.
    """

    def __init__(self, binding: Binding) -> None:
        """Use a ``from_*`` method instead."""
        self._binding = binding

    @classmethod
    def from_s3_uri(cls, uri: str) -> "Dataset":
        """An object or a prefix by its URI.

        Args:
            uri: Such as ``s3://my-data/prompts/train.parquet``; may hold tokens.
        """

        def bind(scope: Construct, _id: str, role: ExecutionRole) -> str:
            bucket, _, key = uri.removeprefix("s3://").partition("/")
            if uri.startswith("s3://"):
                stack = Stack.of(scope)
                role.allow_data(stack.format_arn(service="s3", region="", account="", resource=bucket), key)
                _look_at_extension(scope, key)
            elif unresolved(uri):
                _warn_of_token(scope, _id)
            return uri

        return cls(bind)

    @classmethod
    def from_bucket(cls, bucket: s3.IBucket, key: str = "") -> "Dataset":
        """An object or a prefix of a bucket of the app.

        Args:
            bucket: The bucket; its key, if it has one, is granted too.
            key: The object's key or a prefix; without it, the whole bucket.
        """

        def bind(scope: Construct, _id: str, role: ExecutionRole) -> str:
            role.allow_data(bucket.bucket_arn, key.lstrip("/"))
            if bucket.encryption_key:
                role.allow_key(bucket.encryption_key.key_arn)
            _look_at_extension(scope, key)
            return f"s3://{bucket.bucket_name}/{key.lstrip('/')}"

        return cls(bind)

    @classmethod
    def from_asset(cls, path: str | Path) -> "Dataset":
        """A file beside the app, uploaded when the stack deploys; another content is another job.

        Args:
            path: A .parquet, .jsonl, .json or .csv file.
        """

        def bind(scope: Construct, _id: str, role: ExecutionRole) -> str:
            from aws_cdk.aws_s3_assets import Asset

            refuse(scope, [_asset_problem(Path(path))])
            asset = Asset(scope, _id, path=str(path))
            role.allow_data(asset.bucket.bucket_arn, asset.s3_object_key)
            return asset.s3_object_url

        return cls(bind)

    @classmethod
    def from_data_set_arn(cls, arn: str) -> "Dataset":
        """A DataSet registered in a SageMaker hub.

        Args:
            arn: Such as ``arn:...:hub-content/HUB/DataSet/NAME/1.0.0``. The role may describe it; reading the bucket
                behind it must be granted by you, as only the hub knows it.
        """

        def bind(_scope: Construct, _id: str, role: ExecutionRole) -> str:
            role.allow(statement(permissions.READ_HUB, arn))
            return arn

        return cls(bind)

    @classmethod
    def of(cls, dataset: "Dataset | str") -> "Dataset":
        """The dataset itself, or the one that a string names."""
        if isinstance(dataset, Dataset):
            return dataset
        is_arn = dataset.startswith("arn:") and ":hub-content/" in dataset
        return cls.from_data_set_arn(dataset) if is_arn else cls.from_s3_uri(dataset)

    def bind(self, scope: Construct, id: str, role: ExecutionRole) -> str:
        """Grants the role to read it; its URI or ARN."""
        return self._binding(scope, id, role)


def _asset_problem(path: Path) -> str:
    if path.is_file():
        return ""
    what = "a folder, which CDK would zip" if path.is_dir() else "not there"
    return f"Dataset.from_asset is given {str(path)!r}, which is {what}. Give one file: {', '.join(EXTENSIONS)}."


def _look_at_extension(scope: Construct, key: str) -> None:
    last = key.rsplit("/", 1)[-1]
    if "." in last and not unresolved(last) and not last.lower().endswith(EXTENSIONS):
        Annotations.of(scope).add_warning_v2(
            "cdk-agent-rft:dataset-format",
            f"The dataset {key} is none of {', '.join(EXTENSIONS)}, the formats that a job reads.",
        )


def _warn_of_token(scope: Construct, id: str) -> None:
    Annotations.of(scope).add_warning_v2(
        f"cdk-agent-rft:unknown-{id}",
        "The dataset is only known at deploy, so the execution role was not granted to read it. Use "
        "Dataset.from_bucket or Dataset.from_data_set_arn, or grant it yourself.",
    )
