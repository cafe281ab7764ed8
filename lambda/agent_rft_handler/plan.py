"""What would be submitted, as frozen data: checked, looked up and built before anything is touched."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent_rft_handler import agents, document, facts, hub, hyperparameters, mlflow, validation
from agent_rft_handler.clients import Clients
from agent_rft_handler.contract import Declaration, digest
from agent_rft_handler.errors import JobRefused
from agent_rft_handler.owner import Owner


@dataclass(frozen=True)
class Plan:
    """Everything of a CreateJob request but the name."""

    job_category: str
    role_arn: str
    document: str
    tags: Mapping[str, str]
    base_model_arn: str

    def request(self, job_name: str) -> dict[str, object]:
        """The CreateJob request."""
        return {
            "JobName": job_name,
            "RoleArn": self.role_arn,
            "JobCategory": self.job_category,
            "JobConfigSchemaVersion": facts.SCHEMA_VERSION,
            "JobConfigDocument": self.document,
            "Tags": [{"Key": key, "Value": value} for key, value in self.tags.items()],
        }


def make(declaration: Declaration, owner: Owner, clients: Clients) -> Plan:
    """The plan for a declaration; only reads, and refuses what is wrong with every problem in one message."""
    declared = _with_group_arns(declaration, owner)
    _refuse(validation.problems(declared, region=owner.region, account=owner.account))
    base = hub.resolve(declared.model, clients)
    hub.require_eula(base, declared.accept_eula)
    spec, unchecked = hub.read_spec(base, owner.account, clients), declared.unchecked_hyperparameters
    _refuse(hyperparameters.problems(declared.hyperparameters, spec, base.sequence_length, unchecked))
    agent_arn, qualifier = agents.resolve(declared.agent_env, declared.bedrock_agentcore_qualifier, clients)
    resolved = document.Resolved(
        base_model_arn=base.arn,
        agent_arn=agent_arn,
        qualifier=qualifier,
        mlflow_app_arn=mlflow.resolve(declared.mlflow_app, clients),
        output_model_package_group_arn=declared.output_model_package_group,
        checkpoint_model_package_group_arn=declared.intermediate_checkpoint_model_package_group,
        input_model_package_arn=base.input_model_package_arn,
    )
    return Plan(
        job_category=declared.job_category,
        role_arn=declared.role_arn,
        document=document.text(document.build(declared, resolved)),
        tags=_tags(declaration, base, owner),
        base_model_arn=base.arn,
    )


def _with_group_arns(declaration: Declaration, owner: Owner) -> Declaration:
    def arn(group: str) -> str:
        return owner.arn(f"model-package-group/{group}") if facts.MODEL_PACKAGE_GROUP_NAME.accepts(group) else group

    return replace(
        declaration,
        output_model_package_group=arn(declaration.output_model_package_group),
        intermediate_checkpoint_model_package_group=arn(declaration.intermediate_checkpoint_model_package_group),
    )


def _tags(declaration: Declaration, base: hub.BaseModel, owner: Owner) -> dict[str, str]:
    own = owner.tags(digest(declaration, owner.stack_id, owner.logical_id))
    room = facts.TAGS_MAX - len(facts.OWN_TAGS) - len(declaration.tags)
    model = {facts.MODEL_TAG: base.name, facts.HUB_TAG: base.hub} if room >= 2 else {}
    return {**model, **declaration.tags, **own}


def _refuse(problems: list[str]) -> None:
    if problems:
        raise JobRefused(" ".join(problems))
