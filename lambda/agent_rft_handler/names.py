"""A job's name: derived from its declaration, so that the same declaration is the same name."""

import re

from agent_rft_handler import facts
from agent_rft_handler.contract import Declaration, digest

ATTEMPTS_MAX = 99
"""How often one stack may come back to the same declaration after letting its job go."""

DRY_RUN = "dry-run:"
"""How a dry run's physical id starts: no job's name holds a colon, so none is ever taken for a job."""

_TAIL = len("-0123456789abcdef-99")


def job_name(declaration: Declaration, stack_id: str, logical_id: str, attempt: int = 1) -> str:
    """``qwen3-32b-mtrl-1a2b3c4d5e6f7a8b``, and ``-2`` for the second attempt; at most 63 characters."""
    suffix = facts.CATEGORIES.get(declaration.job_category, facts.AGENT_RFT).job_name_suffix
    base = clean(declaration.base_job_name or f"{model_name(declaration.model)}-{suffix}")
    base = base[: facts.JOB_NAME.max_length - _TAIL].rstrip("-") or suffix
    tail = digest(declaration, stack_id, logical_id)
    return f"{base}-{tail}" if attempt == 1 else f"{base}-{tail}-{attempt}"


def is_attempt_of(name: str, first: str) -> bool:
    """Whether ``name`` is the first attempt's name or one of its numbered successors."""
    return bool(re.fullmatch(rf"{re.escape(first)}(-[0-9]+)?", name))


def dry_run_id(first: str) -> str:
    """The physical id of a dry run: it follows from the declaration, so that a rollback leads back to it."""
    return f"{DRY_RUN}{first}"


def is_dry_run_id(physical_id: str) -> bool:
    """Whether the id is a dry run's, which submitted nothing."""
    return physical_id.startswith(DRY_RUN)


def model_name(model: str) -> str:
    """The short name in a hub name, a hub-content ARN or a model package ARN (its group)."""
    model = facts.MODEL_ALIASES.get(model, model)
    if ":hub-content/" in model:
        return model.split("/")[3] if model.count("/") >= 3 else "model"
    if ":model-package/" in model:
        return model.split("/")[1]
    return model


def clean(text: str) -> str:
    """``text`` with what a job name may not hold turned into hyphens [the SDK does so for ``_``]."""
    return re.sub(r"-+", "-", re.sub(r"[^a-zA-Z0-9]", "-", text)).strip("-")
