"""One declared job, and the table of its arguments: what wire, checks, messages and docs know of each.

Standard library only, as the constructs read it too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from agent_rft_handler import facts
from agent_rft_handler.facts import AGENT_RFT, AGENT_RFT_EVALUATION, Category, Fact

Flag = bool | str
"""A truth, or the text in the place of one: only known at deploy, or none that can be read, which is refused."""


class Replacement(StrEnum):
    """What a deployment that needs a new job does while the earlier one runs; one job runs at a time.

    Source: AWS docs, quotas of SageMaker.
    """

    REFUSE = "refuse"
    """Ends with an error that names the running job and the ways out; nothing is changed."""

    STOP_FIRST = "stop_first"
    """Stops the running job, waits until it has stopped, then submits the new one."""

    SUBMIT_FIRST = "submit_first"
    """Submits the new job first; then the earlier one is stopped. For accounts whose quota allows two jobs."""


@dataclass(frozen=True)
class Argument:
    """What wire and checks know of one field of a Declaration.

    Args:
        name: What the user of a trainer calls it; like the field without it.
        names: What the user calls it of whose category it has another name, by the category's name.
        sdk_name: What the SDK's trainer calls it, empty where it has none; like ``name`` without it.
        forms: The forms that its text, or each text of its list, may have: any one will do.
        given_forms: Forms that a user may write beside those, which the constructs turn into one of them.
        aliases: Other names of a value, and the value.
        choices: The only values that it may have.
        most: How many texts its list may have; any number without it.
        defining: Whether another value is another job.
        written_when_false: Whether the wire has it when it is false; a property that vanishes is a change.
        field_name: Its field.
        kind: The type of its value: str, bool, Sequence or Mapping.
        required: Whether a declaration without it is refused.
        categories: The categories whose jobs have it; every one without it.
    """

    name: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    sdk_name: str | None = None
    forms: tuple[Fact, ...] = ()
    given_forms: tuple[Fact, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    most: int = 0
    defining: bool = True
    written_when_false: bool = False
    field_name: str = ""
    kind: type = str
    required: bool = False
    categories: tuple[Category, ...] = tuple(facts.CATEGORIES.values())

    def named(self, category: str) -> str:
        """What the user calls it who declared a job of that category."""
        return self.names.get(category, self.name)

    def is_missing_in(self, declaration: "Declaration") -> bool:
        """Whether the declaration must have it and does not."""
        concerned = facts.category_of(declaration.job_category) in self.categories
        return self.required and concerned and not self.value_in(declaration)

    @cached_property
    def wire_name(self) -> str:
        """``s3_output_path`` -> ``S3OutputPath``."""
        return "".join(part[:1].upper() + part[1:] for part in self.field_name.split("_"))

    def value_in(self, declaration: "Declaration") -> Any:
        """What the declaration says of it."""
        return getattr(declaration, self.field_name)


_GROUP = (facts.MODEL_PACKAGE_GROUP_NAME, facts.MODEL_PACKAGE_GROUP_ARN)
_DATASET = (facts.S3_URI, facts.DATA_SET_ARN)
_MODEL = (facts.HUB_CONTENT_NAME, facts.HUB_CONTENT_ARN, facts.MODEL_PACKAGE_ARN, facts.MODEL_PACKAGE_GROUP_ARN)
_AGENT = (facts.AGENT_RUNTIME_ARN, facts.AGENT_RUNTIME_ID, facts.LAMBDA_ARN)
_TRAINING, _EVALUATION = (AGENT_RFT,), (AGENT_RFT_EVALUATION,)
_EVALUATOR = AGENT_RFT_EVALUATION.name


@dataclass(frozen=True)
class Declaration:
    """One declared job, and the table of its arguments; an empty value is an absent one."""

    job_category: Annotated[str, Argument(sdk_name="", choices=tuple(facts.CATEGORIES), required=True)]
    role_arn: Annotated[str, Argument("role", forms=(facts.ROLE_ARN,), given_forms=(facts.ROLE_NAME,), required=True)]
    model: Annotated[str, Argument(forms=_MODEL, aliases=facts.MODEL_ALIASES, required=True)]
    agent_env: Annotated[str, Argument(names={_EVALUATOR: "agent_config"}, forms=_AGENT, required=True)]
    training_dataset: Annotated[str, Argument(forms=_DATASET, required=True, categories=_TRAINING)] = ""
    s3_output_path: Annotated[str, Argument(forms=(facts.S3_URI,), required=True)] = ""
    output_model_package_group: Annotated[str, Argument(forms=_GROUP, required=True, categories=_TRAINING)] = ""
    intermediate_checkpoint_model_package_group: Annotated[
        str, Argument(forms=_GROUP, required=True, categories=_TRAINING)
    ] = ""
    accept_eula: Annotated[Flag, Argument(written_when_false=True)] = False
    bedrock_agentcore_qualifier: Annotated[
        str, Argument(names={_EVALUATOR: "agent_qualifier"}, forms=(facts.QUALIFIER,))
    ] = ""
    validation_dataset: Annotated[str, Argument(forms=_DATASET, categories=_TRAINING)] = ""
    kms_key_arn: Annotated[str, Argument("kms_key", sdk_name="kms_key_arn", forms=(facts.KMS_KEY_ARN,))] = ""
    mlflow_app: Annotated[str, Argument(sdk_name="mlflow_app_arn", forms=(facts.MLFLOW_APP_ARN,))] = ""
    mlflow_experiment_name: Annotated[str, Argument()] = ""
    mlflow_run_name: Annotated[str, Argument()] = ""
    hyperparameters: Annotated[Mapping[str, str], Argument()] = field(default_factory=dict)
    security_group_ids: Annotated[
        Sequence[str],
        Argument(
            "security_groups",
            sdk_name="networking",
            forms=(facts.SECURITY_GROUP_ID,),
            most=facts.SECURITY_GROUPS_MAX,
            categories=_TRAINING,
        ),
    ] = ()
    subnets: Annotated[
        Sequence[str],
        Argument(
            "vpc_subnets",
            sdk_name="networking",
            forms=(facts.SUBNET_ID,),
            most=facts.SUBNETS_MAX,
            categories=_TRAINING,
        ),
    ] = ()
    base_job_name: Annotated[str, Argument(names={_EVALUATOR: "base_eval_name"}, forms=(facts.BASE_JOB_NAME,))] = ""
    run_id: Annotated[str, Argument(sdk_name="")] = ""
    tags: Annotated[Mapping[str, str], Argument(defining=False)] = field(default_factory=dict)
    replacement: Annotated[str, Argument(sdk_name="", choices=tuple(Replacement), defining=False)] = Replacement.REFUSE
    dry_run: Annotated[Flag, Argument(defining=False)] = False
    only_approved: Annotated[bool, Argument("model", sdk_name="")] = False
    unchecked_hyperparameters: Annotated[Sequence[str], Argument("hyperparameters", sdk_name="", defining=False)] = ()
    dataset: Annotated[str, Argument(sdk_name="", forms=_DATASET, required=True, categories=_EVALUATION)] = ""
    evaluate_base_model: Annotated[bool, Argument(sdk_name="", categories=_EVALUATION)] = False
    stopping_condition: Annotated[
        str, Argument(sdk_name="", forms=(facts.STOPPING_CONDITION,), categories=_EVALUATION)
    ] = ""


def _argument(each: Field[Any], hint: Any) -> Argument:
    kind, known = get_args(hint)
    row: Argument = replace(
        known,
        name=known.name or each.name,
        sdk_name=(known.name or each.name) if known.sdk_name is None else known.sdk_name,
        field_name=each.name,
        kind=bool if kind == Flag else get_origin(kind) or kind,
    )
    return row


_HINTS = get_type_hints(Declaration, include_extras=True)

ARGUMENTS: tuple[Argument, ...] = tuple(_argument(each, _HINTS[each.name]) for each in fields(Declaration))
"""The table's rows, in the order of the fields."""
