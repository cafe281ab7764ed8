"""Every warning at synth, once: what is allowed, but has caught people out. docs/warnings.md is made from this file.

An id is public: ``Annotations.of(scope).acknowledge_warning("cdk-agent-rft:ID", "why")`` silences its warning.
"""

from dataclasses import dataclass

from aws_cdk import Annotations
from constructs import IConstruct

MTRL = "AWS docs: model-customize-mtrl"
FINETUNE = "sagemaker-train 1.27.0: finetune_utils"
RECIPE_RESOLVER = "sagemaker-train 1.27.0: recipe_resolver"
RECIPES = "github aws/sagemaker-hyperpod-recipes"

FEWER_POLICIES = (
    "give some of its jobs another role, or let them share output_bucket, output_prefix and the model package groups: "
    "what is the same for all is granted once."
)


@dataclass(frozen=True)
class SynthWarning:
    """A warning that a user may acknowledge by its id.

    Args:
        id: Its id, after ``cdk-agent-rft:``.
        sentence: What it says, with ``{names}`` for what each case fills in.
        source: Who says so.
    """

    id: str
    sentence: str
    source: str

    def add_to(self, scope: IConstruct, **filled_in: object) -> None:
        """Warns of it on the construct."""
        text = f"{self.sentence.format(**filled_in)} [{self.source}]"
        Annotations.of(scope).add_warning_v2(f"cdk-agent-rft:{self.id}", text)


AGENT_TIMEOUT = SynthWarning(
    "agent-timeout",
    "The agent's function ends after {seconds} seconds, but a rollout has {needed} by default. "
    "Set timeout=Duration.seconds({needed}) or more.",
    f"{MTRL}-agent",
)
BUCKET_REGION = SynthWarning(
    "bucket-region",
    "The output bucket is in {bucket_region}, but the job runs in {job_region}. Give a bucket of the job's region.",
    "AWS documents no job that writes to another region",
)
DATASET_BYTE_ORDER_MARK = SynthWarning(
    "dataset-byte-order-mark",
    "The dataset {path} begins with a byte order mark, which many readers take for a part of the data. Save it as "
    "UTF-8 without one.",
    "github pydantic/pydantic-ai #8316",
)
DATASET_COLUMN = SynthWarning(
    "dataset-column",
    "The dataset {path} has no column {column}, so the job takes the first one, {first}. Rename the one that holds the "
    "prompts.",
    f"{MTRL}-assets",
)
DATASET_FORMAT = SynthWarning(
    "dataset-format", "The dataset {key} has none of the formats that a job reads: {formats}.", f"{MTRL}-assets"
)
DATASET_PROMPT = SynthWarning(
    "dataset-prompt",
    "The dataset {path} has no {column} in {place}, and a rollout without one may fail the job.",
    f"{MTRL}-assets",
)
DATASET_ROWS = SynthWarning(
    "dataset-rows",
    "The dataset has {rows} rows, but one step takes {batch}, the global_batch_size. Give ten times as many, or lower "
    "it.",
    f"{MTRL}-assets",
)
DESTROY_BUCKET = SynthWarning(
    "destroy-bucket",
    "With removal_policy=DESTROY the bucket {id} is deleted with the stack only while it is empty. To have it "
    "emptied too, pass a bucket of your own with auto_delete_objects=True.",
    "CloudFormation: AWS::S3::Bucket",
)
EXPORTED_JOB = SynthWarning(
    "exported-job",
    "{attribute} is exported for other stacks, and CloudFormation changes no export while one uses it: the deployment "
    "that submits the next job would fail. Give the others job_name_parameter in its place.",
    "AWS docs: using-cfn-stack-exports",
)
FOREIGN_AGENT = SynthWarning(
    "foreign-agent",
    "The agent {agent} belongs to the account {account}: its own resource policy must let the execution role in, too.",
    "AWS docs: reference_policies_evaluation-logic-cross-account",
)
HYPERPARAMETER_OF_ARGUMENT = SynthWarning(
    "hyperparameter-of-argument",
    "{place}: the service sets it from {argument}. Leave it out.",
    RECIPES,
)
IMMUTABLE_ROLE = SynthWarning(
    "immutable-role",
    "The role {role} cannot be changed from here, so the permissions that it needs were not added to it. Add those of "
    "docs/iam.md to it yourself, or pass a role that this app owns.",
    f"{MTRL}-prereqs",
)
IMPORTED_KEY = SynthWarning(
    "imported-key",
    "The key's own policy cannot be seen or changed from here: it must let the execution role, the agent's role and "
    "the handler use the key.",
    f"{MTRL}-encryption-at-rest",
)
JOB_QUOTA = SynthWarning(
    "job-quota",
    "One deployment submits this job and that of {first}, but the default quota of an account and region is one "
    "{category} job at a time, and a deployment waits for no job's end. Declare them with dry_run=True and let a "
    "JobQueue run them in order, declare this one once the other has ended, or have the quota raised.",
    "AWS docs: quotas of SageMaker",
)
MANAGED_POLICIES = SynthWarning(
    "managed-policies",
    "The role {role} needs {number} managed policies beside its inline ones, but the default quota of a role is 10. "
    f"Have it raised, {FEWER_POLICIES}",
    "AWS docs: IAM, reference_iam-quotas",
)
ONE_LIMIT = SynthWarning(
    "one-limit",
    "Only one of max_steps and max_epochs is set: training ends at whichever comes first, and the other has the "
    "recipe's default. Set both.",
    "seen in public runs of such jobs",
)
ONE_SUBNET = SynthWarning(
    "one-subnet",
    "The job has one subnet. Give two private ones in different availability zones.",
    f"{MTRL}-vpc",
)
PROTECTED_NAMES = SynthWarning(
    "protected-names",
    "The {source} cannot set {names}: what model and the datasets say stands. It is passed over.",
    RECIPE_RESOLVER,
)
PUBLIC_SUBNET = SynthWarning(
    "public-subnet",
    "The job's subnets are public, but a job's network interfaces get no public address. Give private ones.",
    f"{MTRL}-vpc",
)
QUEUE_CONCURRENCY = SynthWarning(
    "queue-concurrency",
    "concurrency is {concurrency}, but the default quota of an account and region is one: the others wait for it. Have "
    "it raised, or leave concurrency out.",
    "AWS docs: quotas of SageMaker",
)
RECIPE_MODEL = SynthWarning(
    "recipe-model",
    "{recipe}: run.name is {name}, the recipe of {meant}, but model is {model}. Give the recipe of the model.",
    RECIPES,
)
RECIPE_PLACES = SynthWarning(
    "recipe-places",
    "{recipe}: no hyperparameter of the job says {places}. It is passed over.",
    RECIPES,
)
RECIPE_SECTIONS = SynthWarning(
    "recipe-sections",
    "The recipe's {others} is passed over: a job takes its {section} only.",
    RECIPE_RESOLVER,
)
RECIPE_TABLE = SynthWarning(
    "recipe-table",
    "{problem} So says AWS's table of {date}; the hub's decides at deploy.",
    RECIPES,
)
REGION = SynthWarning(
    "region",
    "The stack is in {region}, but the SDK lets such jobs run in {regions} only. If the service does not know them "
    "there, the deployment says so.",
    FINETUNE,
)
RESTRICTED_GROUPS = SynthWarning(
    "restricted-groups",
    "A Nova model needs two model package groups with Restricted storage, and a group here has none. Leave the groups "
    "out, or give ModelPackageGroup(..., managed_storage_type='Restricted').",
    f"{MTRL}-job",
)
ROLE_TRUST = SynthWarning(
    "role-trust",
    "The trust policy of the role {role} does not let {principal} assume it, so no job runs with it. Make it with "
    "assumed_by=iam.ServicePrincipal('{principal}').with_session_tags().",
    f"{MTRL}-prereqs",
)
UNKNOWN_BUCKET = SynthWarning(
    "unknown-bucket",
    "The bucket in {argument} is only known at deploy, so no right on its key was granted, should it have a customer "
    "key. Give {instead}.",
    "AWS docs: model-customize-mtrl-encryption-at-rest",
)
UNKNOWN_DATASET = SynthWarning(
    "unknown-dataset",
    "{argument} is only known at deploy, so the execution role was not granted to read it. Use Dataset.from_bucket or "
    "Dataset.from_data_set_arn, or grant it yourself.",
    f"{MTRL}-prereqs",
)
UNKNOWN_KIND = SynthWarning(
    "unknown-kind",
    "{what} is only known at deploy, so it is taken for {taken}. Say what it is: {instead}.",
    "AWS docs: cdk guide, tokens",
)

ALL = tuple(each for each in list(globals().values()) if isinstance(each, SynthWarning))
