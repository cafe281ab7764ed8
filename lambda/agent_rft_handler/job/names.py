"""A job's name: derived from who declares it and from what is declared, so that both can be read from it."""

import re

from agent_rft_handler import contract, facts, owner
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.owner import Owner

ATTEMPTS_MAX = 99
"""How often one resource may come back to the same declaration."""

DRY_RUN, NOT_SUBMITTED, UNCONFIRMED = "dry-run:", "not-submitted:", "unconfirmed:"
"""How the physical id starts where no job is known: no job's name holds a colon, so none is taken for one."""

_TAIL = 1 + owner.DIGEST_LENGTH + 1 + contract.DIGEST_LENGTH + len(f"-{ATTEMPTS_MAX}")


def job_name(declaration: Declaration, whose: Owner) -> str:
    """``qwen3-32b-mtrl-OWNER-DECLARATION``, the name of the first attempt; at most 63 characters with a number."""
    suffix = facts.category_of(declaration.job_category).job_name_suffix
    base = clean(declaration.base_job_name or f"{model_name(declaration.model)}-{suffix}")
    base = base[: facts.JOB_NAME.max_length - _TAIL].rstrip("-") or suffix
    return f"{base}-{whose.digest}-{contract.digest(declaration)}"


def attempt(first: str, number: int) -> str:
    """``first`` itself, ``first-2``, ``first-3`` and so on."""
    return first if number == 1 else f"{first}-{number}"


def attempt_in(name: str, first: str) -> int:
    """Which attempt of ``first`` the name is; 0 when it is none."""
    found = re.fullmatch(rf"{re.escape(first)}(?:-([1-9][0-9]?))?", name)
    return int(found[1] or 1) if found else 0


def is_name_of(name: str, whose: Owner) -> bool:
    """Whether a job of this resource can have this name, whatever was declared."""
    tail = rf"-{whose.digest}-[0-9a-f]{{{contract.DIGEST_LENGTH}}}(-[1-9][0-9]?)?"
    return facts.JOB_NAME.accepts(name) and bool(re.search(rf"{tail}\Z", name))


def name_in(physical_id: str) -> str:
    """The name of a job in a physical id, be it known or not; empty in an id that CloudFormation made up."""
    name = re.sub(rf"^({DRY_RUN}|{NOT_SUBMITTED}|{UNCONFIRMED})", "", physical_id)
    return name if facts.JOB_NAME.accepts(name) else ""


def model_name(model: str) -> str:
    """The short name in a hub name, a hub-content ARN or a model package's or its group's ARN (the group)."""
    model = facts.MODEL_ALIASES.get(model, model)
    if ":hub-content/" in model:
        return model.split("/")[3] if model.count("/") >= 3 else "model"
    if ":model-package/" in model or ":model-package-group/" in model:
        return model.split("/")[1]
    return model


def clean(text: str) -> str:
    """``text`` with what a job name may not hold turned into hyphens [the SDK does so for ``_``]."""
    return re.sub(r"-+", "-", re.sub(r"[^a-zA-Z0-9]", "-", text)).strip("-")
