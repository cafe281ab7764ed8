"""A model by a name of Bedrock's or Hugging Face's, where a job takes the hub's."""

import re

from agent_rft.arguments.validation import unknown
from agent_rft.hyperparameters.recipe_tables import known_models
from agent_rft_handler.facts import HUB_CONTENT_NAME, MODEL_ALIASES
from agent_rft_handler.validation import shown

PROFILE = r"^(us|us-gov|eu|apac|jp|au|ca|sa|global)\."
"""How the id of a Bedrock inference profile begins [AWS docs: inference-profiles-support]."""

VERSION = r":[0-9]+(:[0-9a-z]+)?$"
"""How a Bedrock id ends [AWS docs: bedrock, models-supported]."""


def other_name_problem(model: str) -> str:
    """The sentence for such a name, with the hub's for that model; empty for any other text, and for an alias."""
    if (
        unknown(model)
        or model in MODEL_ALIASES
        or not re.fullmatch(r"arn:[^:]*:bedrock:.*/[^/]+|[\w-]+[./][\w./:-]+", model)
    ):
        return ""
    if hub_name := _hub_name(model):
        return f"model is {shown(model)}, but the hub calls it {hub_name}. Write {hub_name!r}."
    return (
        f"model is {shown(model)}, but must be what the SageMaker hub calls it, such as {HUB_CONTENT_NAME.example!r}. "
        "`agent-rft models` lists the names."
    )


def _hub_name(model: str) -> str:
    name = re.sub(VERSION, "", re.sub(PROFILE, "", model.rpartition("foundation-model/")[2]))
    if name in MODEL_ALIASES:
        return MODEL_ALIASES[name]
    own = re.sub("[._]", "-", re.split("[./]", name, maxsplit=1)[-1].lower())  # without its maker
    ends = {f"-{own}", "-" + re.sub(r"-v?[0-9]+$", "", own)}
    return next((each for each in known_models() if each.endswith(tuple(ends))), "")
