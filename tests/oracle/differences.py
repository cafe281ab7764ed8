"""Every deliberate difference between what the SDK submits and what we submit; one that is not here fails a test."""

from collections.abc import Iterator
from dataclasses import dataclass

from handler.world import ACCOUNT, REGION, STACK_ID
from oracle import account
from oracle.comparison import ABSENT, TAIL

from agent_rft_handler import facts

EVERY = ("*",)
DOCUMENT = "JobConfigDocument"
OUTPUT_GROUP = f"{DOCUMENT}.ModelPackageConfig.OutputModelPackageGroupArn"
CHECKPOINT_GROUP = f"{DOCUMENT}.ModelPackageConfig.IntermediateCheckpointModelPackageGroupArn"


@dataclass(frozen=True)
class Difference:
    """At ``path`` the SDK sends ``theirs`` and we send ``ours``, for this reason."""

    inputs: tuple[str, ...]
    path: str
    theirs: object
    ours: object
    reason: str

    def is_of(self, name: str) -> bool:
        """Whether the row is about the input."""
        return self.inputs == EVERY or name in self.inputs


def _tags() -> Iterator[Difference]:
    own = "A job says whose it is, so that a retry finds it and a delete stops no other's."
    yield Difference(EVERY, f"Tags.{facts.OWN_TAGS['stack']}", ABSENT, STACK_ID, own)
    yield Difference(EVERY, f"Tags.{facts.OWN_TAGS['resource']}", ABSENT, "Job", own)
    yield Difference(EVERY, f"Tags.{facts.OWN_TAGS['request']}", ABSENT, "request-1", own)
    room = "Where a job's 50 tags do not suffice, the user's and ours come before the SDK's two."
    yield Difference(("tags-45",), f"Tags.{facts.MODEL_TAG}", account.MODEL, ABSENT, room)
    yield Difference(("tags-45",), f"Tags.{facts.HUB_TAG}", facts.PUBLIC_HUB, ABSENT, room)


def _names() -> Iterator[Difference]:
    cut = "A long name is cut before the digest that tells declarations apart; the SDK cuts its time."
    yield Difference(("job-name-long",), "JobName", f"{'w' * 60}-{TAIL}", f"{'w' * 36}-{TAIL}", cut)
    gated = account.GATED_MODEL
    yield Difference(("model-gated-eula-accepted",), "JobName", f"{gated}-mtrl-{TAIL}", f"{gated[:36]}-{TAIL}", cut)
    single = "Hyphens that follow one another become one."
    yield Difference(("job-name-double-underscore",), "JobName", f"my--job-{TAIL}", f"my-job-{TAIL}", single)
    offline = "A name follows from the declaration alone: a package's base model would have to be looked up first."
    packages = tuple(f"model-package-{each}" for each in ("arn", "arn-eula-accepted", "object"))
    packages += ("model-package-object-no-groups", "model-package-arn-no-groups")
    yield Difference(packages, "JobName", f"{account.MODEL}-mtrl-{TAIL}", f"tuned-mtrl-{TAIL}", offline)


def _made() -> Iterator[Difference]:
    own = "A stack makes groups of its own; the SDK's are shared by all jobs of the account on that model."
    for names, model in (
        (("model-package-arn-no-groups", "groups-absent"), account.MODEL),
        (("groups-absent-nova",), account.NOVA_MODEL),
    ):
        yield Difference(names, OUTPUT_GROUP, _group(f"{model}-mtrl-mpg"), account.TUNED_ARN, own)
    for inputs, model in (
        (
            ("model-package-object-no-groups", "model-package-arn-no-groups", "groups-absent", "groups-output-only"),
            account.MODEL,
        ),
        (("groups-absent-nova",), account.NOVA_MODEL),
    ):
        yield Difference(inputs, CHECKPOINT_GROUP, _group(f"{model}-mtrl-checkpoint-mpg"), account.CHECKPOINTS_ARN, own)


def _chosen() -> Iterator[Difference]:
    yield Difference(
        ("output-absent",),
        f"{DOCUMENT}.OutputDataConfig.S3OutputPath",
        f"s3://sagemaker-{REGION}-{ACCOUNT}/output",
        "s3://out-bucket/output",
        "A stack makes a bucket of its own; the SDK's has a guessable name and is shared.",
    )
    yield Difference(
        ("mlflow-absent-default-app",),
        f"{DOCUMENT}.TrainingConfig.MlflowConfig.MlflowResourceArn",
        account.OTHER_APP_ARN,
        account.APP_ARN,
        "The account's default app is asked for by the API's filter; the SDK looks for it where the list lacks it.",
    )


def _hyperparameters() -> Iterator[Difference]:
    pinned = "What the user wrote is sent, also where it is today's default, so that a new default changes no job."
    for names, name, value in (
        (("hp-integer-at-default", "hp-all-at-default", "recipe-at-default"), "max_steps", "50"),
        (("hp-float-at-default", "hp-all-at-default"), "learning_rate", "4e-05"),
        (("hp-all-at-default", "hp-some-at-default"), "max_epochs", "1"),
        (("hp-text-at-default",), "loss_fn", "ppo"),
    ):
        yield Difference(names, f"{DOCUMENT}.TrainingConfig.HyperParameters.{name}", ABSENT, value, pinned)
    by_name = "A leaf is found by its own name in a recipe as in overrides; the SDK drops it where it is nested."
    yield Difference(("recipe-nested",), f"{DOCUMENT}.TrainingConfig.HyperParameters.max_steps", ABSENT, "60", by_name)


def _eula() -> Iterator[Difference]:
    yield Difference(
        ("model-package-arn", "model-package-object"),
        f"{DOCUMENT}.TrainingConfig.AcceptEula",
        True,
        False,
        "A licence is accepted by the user alone; the SDK takes any ARN for a yes.",
    )
    yield Difference(
        ("model-package-gated",),
        "refused",
        False,
        True,
        "The package's base model is gated.",
    )


def _refused_here_only() -> Iterator[Difference]:
    for name, reason in {
        "hp-float-as-bool": "True is no number, though Python takes it for one.",
        "hp-float-not-a-number": "nan lies in no range.",
        "hp-array-with-none": "No pass@k has a k of None; the SDK looks into no list.",
        "hp-array-as-other-text": "The recipe's table says that it is a list; the SDK looks into none.",
        "hp-sequence-too-long": "Too long for the recipe, unless it is `unchecked`; the SDK never runs its check.",
        "recipe-unknown-key": "A misspelt name is refused; in a recipe the SDK drops it with a warning.",
        "recipe-interpolation": "Values are written out; ${...} has signs that no hyperparameter has.",
        "job-name-ends-in-hyphen": "A base name is a legal job name itself.",
        "kms-key-empty": "What should be a key and is empty would quietly encrypt with none of the user's.",
        "tags-47": "Four of a job's 50 tags say whose it is.",
    }.items():
        yield Difference((name,), "refused", False, True, reason)


def _refused_there_only() -> Iterator[Difference]:
    for name, reason in {
        "model-hub-content-arn": "The SDK's words promise the form, its code looks the ARN up as a name.",
        "runtime-endpoint-arn": "CDK's RuntimeEndpoint has this ARN; its endpoint becomes the qualifier.",
        "mlflow-empty": "An empty value is an absent one, so the account's app is taken.",
        "hp-integer-as-text": "Every value is text on the wire from the constructs.",
        "hp-float-as-text": "Every value is text on the wire from the constructs.",
        "hp-boolean-as-text": "Every value is text on the wire from the constructs.",
        "hp-null": "None among hyperparameters says nothing.",
        "hp-text-empty": "An empty value is an absent one; the SDK sends it, and the service takes none.",
        "role-absent": "A stack makes a role of its own.",
        "hp-list": "A list is written as its text, which is what the service takes.",
        "recipe-list": "A list is written as its text, which is what the service takes.",
        "recipe-text-float": "YAML takes 2e-5 for text; every value is text on the wire from the constructs.",
        "vpc-nothing": "Empty lists are absent ones; the constructs refuse a VPC without subnets themselves.",
        "tags-empty-value": "The API takes an empty value; the SDK drops it and botocore misses it.",
        "tags-over-the-sdks": "The SDK sends the key twice, which the service refuses; here the user's value wins.",
        "tags-as-aws-writes-them": "Tags are a map here, so that the spelling of Key does not matter.",
    }.items():
        yield Difference((name,), "refused", True, False, reason)


def _group(name: str) -> str:
    return account.TUNED_ARN.replace(f"/{account.TUNED}", f"/{name}")


DIFFERENCES: tuple[Difference, ...] = (
    *_tags(),
    *_names(),
    *_made(),
    *_chosen(),
    *_hyperparameters(),
    *_eula(),
    *_refused_here_only(),
    *_refused_there_only(),
)
