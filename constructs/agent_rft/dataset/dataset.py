"""The prompts that a job trains on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.arguments.attribute import owner_of
from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import unresolved
from agent_rft.dataset.dataset_file import EXTENSIONS, is_format, look_into
from agent_rft.dataset.dataset_rows import Rows
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.output.encryption_key import symmetric_key, through_s3
from agent_rft.permissions import literal, statement
from agent_rft.place import Place


@dataclass(frozen=True)
class DataSource:
    """Where a dataset lies: an object or a prefix of a bucket, or a DataSet of a hub."""

    uri: str
    bucket_arn: str = ""
    key: str = ""
    encryption_key: kms.IKey | None = None
    is_key_known: bool = True
    data_set_arn: str = ""
    argument: str = "training_dataset"
    rows: Rows | None = None

    @property
    def declared(self) -> Mapping[str, object]:
        """Its URI or ARN."""
        return {self.argument: self.uri}

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to read exactly it."""
        if self.bucket_arn:
            self._allow_objects(scope, role)
        elif self.data_set_arn:
            role.allow(statement(permissions.READ_HUB, self.data_set_arn))
        elif unresolved(self.uri):
            warnings.UNKNOWN_DATASET.add_to(scope, argument=self.argument)

    def warn_of_batch(self, scope: Construct, batch_size: str) -> None:
        """Warns of fewer rows than a step takes, where both are known."""
        number = self.rows.number if self.rows else None
        if number is not None and batch_size.isdecimal() and number < int(batch_size):
            warnings.DATASET_ROWS.add_to(scope, rows=number, batch=batch_size)

    def _allow_objects(self, scope: Construct, role: ExecutionRole) -> None:
        key = literal(self.key)
        under = {"StringLike": {"s3:prefix": f"{key}*"}}
        role.allow(
            statement(permissions.READ_DATA, f"{self.bucket_arn}/{key}*"),
            statement(permissions.LIST_DATA, self.bucket_arn, conditions=under),
        )
        if self.encryption_key:
            role.allow(through_s3(permissions.READ_DATA_KEY, self.encryption_key))
        if not self.is_key_known:
            instead = "Dataset.from_bucket, or encryption_key of Dataset.from_s3_uri"
            warnings.UNKNOWN_BUCKET.add_to(scope, argument=self.argument, instead=instead)
        if not self.rows:  # a file that was looked into has had its name judged, before it became a digest
            _look_at_extension(scope, self.key)


Locate = Callable[[Construct, str], DataSource]


class Dataset:
    """A dataset, and the right of the execution role to read exactly it.

    A string means what it means to the SDK: an S3 URI or a DataSet ARN. The column ``prompt`` is used, or the first
    one; each value reaches the agent as it is.
    """

    def __init__(self, locate: Locate) -> None:
        """Use a ``from_*`` method instead."""
        self._locate = locate

    @classmethod
    @checked
    def from_s3_uri(cls, uri: str, *, encryption_key: kms.IKey | None = None) -> "Dataset":
        """An object or a prefix by its URI.

        Args:
            uri: Such as ``s3://my-data/prompts/train.parquet``; may hold tokens.
            encryption_key: The customer key of what lies there, which a URI does not say, and which is then granted;
                without it, that of the bucket if it is one of the app, else none.
        """

        def locate(scope: Construct, _id: str) -> DataSource:
            given = symmetric_key(scope, "encryption_key", encryption_key)
            name, _, key = uri.removeprefix("s3://").partition("/")
            if not uri.startswith("s3://"):
                return DataSource(uri)
            if own := owner_of(name, s3.Bucket):
                return DataSource(uri, own.bucket_arn, key, given or own.encryption_key)
            bucket_arn = Place.of(scope).arn("s3", name, region="", account="")
            is_known = given is not None or not unresolved(name)
            return DataSource(uri, bucket_arn, key, given, is_known)

        return cls(locate)

    @classmethod
    @checked
    def from_bucket(cls, bucket: s3.IBucket, key: str = "") -> "Dataset":
        """An object or a prefix of a bucket of the app.

        Args:
            bucket: The bucket; its key, if it has one, is granted too.
            key: The object's key or a prefix; without it, the whole bucket.
        """
        source = DataSource(f"s3://{bucket.bucket_name}/{key}", bucket.bucket_arn, key, bucket.encryption_key)
        return cls(lambda _scope, _id: source)

    @classmethod
    @checked
    def from_asset(cls, path: str | Path, *, encryption_key: kms.IKey | None = None) -> "Dataset":
        """A file beside the app, uploaded when the stack deploys; another content is another job.

        Args:
            path: A .parquet, .jsonl, .json or .csv file. It is looked into at synth: of a large one, the first
                megabytes and the end.
            encryption_key: The customer key of the bootstrap's bucket, where it was given one by its id
                (``cdk bootstrap --bootstrap-kms-key-id``); without it, none is granted: S3's own needs no right, and
                that of ``--bootstrap-customer-key`` lets in whoever may read the bucket.
        """

        def locate(scope: Construct, id: str) -> DataSource:
            from aws_cdk.aws_s3_assets import Asset

            given, rows = symmetric_key(scope, "encryption_key", encryption_key), look_into(scope, Path(path))
            asset = Asset(scope, id, path=str(path))
            bucket, key = asset.bucket, given or asset.bucket.encryption_key
            return DataSource(asset.s3_object_url, bucket.bucket_arn, asset.s3_object_key, key, rows=rows)

        return cls(locate)

    @classmethod
    @checked
    def from_data_set_arn(cls, arn: str) -> "Dataset":
        """A DataSet registered in a SageMaker hub.

        Args:
            arn: Such as ``arn:...:hub-content/HUB/DataSet/NAME/1.0.0``. The role may describe it; reading the bucket
                behind it must be granted by you, as only the hub knows it.
        """
        return cls(lambda _scope, _id: DataSource(arn, data_set_arn=arn))

    @classmethod
    def of(cls, dataset: "Dataset | str") -> "Dataset":
        """The dataset itself, or the one that a string names."""
        if isinstance(dataset, Dataset):
            return dataset
        is_arn = dataset.startswith("arn:") and ":hub-content/" in dataset
        return cls.from_data_set_arn(dataset) if is_arn else cls.from_s3_uri(dataset)


def data_sources(scope: Construct, **datasets: Dataset | str | None) -> list[DataSource]:
    """Where each dataset lies, by its argument; a file of the app is uploaded, None is no dataset."""
    return [
        replace(Dataset.of(dataset)._locate(scope, argument.title().replace("_", "")), argument=argument)
        for argument, dataset in datasets.items()
        if dataset is not None
    ]


def _look_at_extension(scope: Construct, key: str) -> None:
    last = key.rsplit("/", 1)[-1]
    if not unresolved(last) and not is_format(last, is_file=False):
        warnings.DATASET_FORMAT.add_to(scope, key=key, formats=", ".join(EXTENSIONS))
