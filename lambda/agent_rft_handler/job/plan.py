"""What would be submitted, as frozen data: checked, looked up and built before anything is touched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from agent_rft_handler import facts, tags, validation
from agent_rft_handler.clients import Clients
from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job import base_model, document, model_package, recipe_table, resolution
from agent_rft_handler.job.base_model import BaseModel
from agent_rft_handler.job.request import Request


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
            "Tags": tags.to_rows(self.tags),
        }


def make(request: Request, clients: Clients) -> Plan:
    """The plan for what is declared; only reads, and refuses what is wrong with every problem in one message."""
    owner = request.owner
    declared = resolution.with_group_arns(request.declaration, owner)
    refuse(validation.problems(declared, region=owner.region, account=owner.account))
    model = model_package.newest(declared.model, declared.only_approved, clients)
    base = base_model.resolve(model, facts.category_of(declared.job_category), clients)
    base_model.require_eula(base, accepted=declared.accept_eula is True)
    spec, unchecked = base_model.read_spec(base, owner.account, clients), declared.unchecked_hyperparameters
    refuse(recipe_table.problems(declared.hyperparameters, spec, base.sequence_length, unchecked))
    declared = replace(declared, hyperparameters=recipe_table.as_sent(declared.hyperparameters, spec, unchecked))
    return Plan(
        job_category=declared.job_category,
        role_arn=declared.role_arn,
        document=document.text(document.build(resolution.resolved(declared, clients), base)),
        tags=_tags(request, base),
        base_model_arn=base.arn,
    )


def has_room(declared: Mapping[str, str]) -> bool:
    """Whether the SDK's two tags fit beside the declared ones and our own."""
    return len(declared) + len(OWN_TAGS) + 2 <= facts.TAGS_MAX


def _tags(request: Request, base: BaseModel) -> dict[str, str]:
    declared = request.declaration.tags
    model = {facts.MODEL_TAG: base.name, facts.HUB_TAG: base.hub} if has_room(declared) else {}
    own = {**request.owner.identity, OWN_TAGS["request"]: request.request_id}
    if request.known_name:
        own[OWN_TAGS["predecessor"]] = request.known_name
    return {**model, **declared, **own}


def refuse(problems: Iterable[str]) -> None:
    """Raises every problem in one message.

    Raises:
        Refused: when there is one.
    """
    if found := " ".join(problems):
        raise Refused(found)
