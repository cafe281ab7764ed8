"""The wire between constructs and handler: a Declaration and the custom resource's properties, both ways.

CloudFormation hands every scalar over as a string, so only strings, lists and maps of strings cross.
Unknown keys are passed over and no key is ever renamed: a rollback or a delete may bring the properties
of an older release. Standard library only.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

GROUP_RESOURCE_TYPE = "Custom::AgentRFTModelPackageGroup"
"""The custom resource of a model package group with managed storage."""

JOB_RESOURCE_TYPE = "Custom::AgentRFTJob"
"""The custom resource of a job."""

STACK_ID_VARIABLE = "AGENT_RFT_STACK_ID"
"""The environment variable with the id of the one stack that the handler function serves."""

DIGEST_LENGTH = 12

NOT_DEFINING = frozenset({"tags", "replacement", "dry_run", "unchecked_hyperparameters"})
"""Fields that may change without a new job."""

WRITTEN_WHEN_FALSE = frozenset({"accept_eula"})
"""The first release wrote it so, and a property that vanishes is a change; later flags are absent when false."""


@dataclass(frozen=True)
class Declaration:
    """One declared job, in the SDK's words; an empty value is an absent one."""

    job_category: str
    role_arn: str
    model: str
    agent_env: str
    training_dataset: str
    s3_output_path: str
    output_model_package_group: str
    intermediate_checkpoint_model_package_group: str
    accept_eula: bool = False
    bedrock_agentcore_qualifier: str = ""
    validation_dataset: str = ""
    kms_key_arn: str = ""
    mlflow_app: str = ""
    mlflow_experiment_name: str = ""
    mlflow_run_name: str = ""
    hyperparameters: Mapping[str, str] = field(default_factory=dict)
    security_group_ids: Sequence[str] = ()
    subnets: Sequence[str] = ()
    base_job_name: str = ""
    run_id: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    replacement: str = "refuse"
    dry_run: bool = False
    unchecked_hyperparameters: Sequence[str] = ()


def property_name(field_name: str) -> str:
    """``s3_output_path`` -> ``S3OutputPath``."""
    return "".join(part[:1].upper() + part[1:] for part in field_name.split("_"))


def to_properties(declaration: Declaration) -> dict[str, object]:
    """The custom resource's properties; absent values are left out."""
    properties: dict[str, object] = {}
    for each in fields(Declaration):
        value = getattr(declaration, each.name)
        if isinstance(value, bool):
            if value or each.name in WRITTEN_WHEN_FALSE:
                properties[property_name(each.name)] = "true" if value else "false"
        elif value:
            properties[property_name(each.name)] = _plain(value)
    return properties


def from_properties(properties: Mapping[str, object]) -> Declaration:
    """The declaration in an event's ResourceProperties (or OldResourceProperties)."""
    values: dict[str, object] = {}
    for each in fields(Declaration):
        value = properties.get(property_name(each.name))
        if value is None or value == "":
            continue
        values[each.name] = value == "true" if each.type is bool else _plain(value)
    required = [f.name for f in fields(Declaration) if f.name not in values and f.name in _REQUIRED]
    return Declaration(**{**dict.fromkeys(required, ""), **values})  # type: ignore[arg-type]


def digest(declaration: Declaration) -> str:
    """Twelve hex digits that name what a declaration defines; equal declarations have equal digests.

    Absent values are left out, so a release that adds a field changes no digest.
    """
    defining = {
        property_name(each.name): _plain(getattr(declaration, each.name))
        for each in fields(Declaration)
        if each.name not in NOT_DEFINING and getattr(declaration, each.name)
    }
    text = json.dumps(defining, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def hyperparameter_text(value: object) -> str:
    """The text that the SDK sends for a value: Python's ``str`` (1e-05, True, [1, 4])."""
    return value if isinstance(value, str) else str(value)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): str(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(item) for item in value]
    return value if isinstance(value, bool) else str(value)


_REQUIRED = frozenset(
    {
        "job_category",
        "role_arn",
        "model",
        "agent_env",
        "training_dataset",
        "s3_output_path",
        "output_model_package_group",
        "intermediate_checkpoint_model_package_group",
    }
)
