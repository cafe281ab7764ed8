"""Arguments of trainer and evaluator as tables: from signature, docstring, the table in declaration.py, the oracle."""

import inspect
import re
from collections.abc import Callable, Iterator

from oracle.differences import DIFFERENCES, EVERY
from oracle.inputs import INPUTS

from agent_rft import MultiTurnRLEvaluator, MultiTurnRLTrainer
from agent_rft_handler.declaration import ARGUMENTS
from docs.table import code, table

TRAINER, EVALUATOR = MultiTurnRLTrainer.__init__, MultiTurnRLEvaluator.__init__


def described(constructor: Callable[..., None] = TRAINER) -> dict[str, str]:
    """What the docstring says of each argument, on one line and in Markdown."""
    section = (inspect.getdoc(constructor) or "").partition("Args:\n")[2].partition("\n\n")[0]
    entries = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()).replace("``", "`") for name, text in entries if name not in ("scope", "id")}


def of_construct(constructor: Callable[..., None]) -> str:
    """Every argument of a constructor."""
    parameters = inspect.signature(constructor).parameters
    required = {name for name, parameter in parameters.items() if parameter.default is inspect.Parameter.empty}
    rows = [
        (f"`{name}`{' (required)' if name in required else ''}", text) for name, text in described(constructor).items()
    ]
    return table(("Argument", "What it takes, and what happens without it"), rows)


def of_trainer() -> str:
    """The README's table."""
    return of_construct(TRAINER)


def of_evaluator() -> str:
    """The table of docs/evaluator.md."""
    return of_construct(EVALUATOR)


def of_sdk() -> str:
    """Each argument of the SDK's that ours has, and what the two do differently with it."""
    ours: dict[str, list[str]] = {}
    for argument in ARGUMENTS:
        if argument.sdk_name:
            ours.setdefault(argument.sdk_name, []).append(argument.name)
    names = {argument.name for argument in ARGUMENTS}
    ours |= {name: [name] for name in described() if name not in names and recorded(name)}
    rows = [(code([sdk]), code(here), str(len(recorded(sdk))), "<br>".join(reasons(sdk))) for sdk, here in ours.items()]
    head = ("SDK", "Here", "Inputs that vary it", "Deliberate differences")
    return f"The oracle has {len(INPUTS)} inputs.\n\n{table(head, rows)}"


def of_ours_alone() -> str:
    """The arguments that the SDK lacks."""
    theirs = {argument.name for argument in ARGUMENTS if argument.sdk_name}
    rows = [(code([name]), text) for name, text in described().items() if name not in theirs and not recorded(name)]
    return table(("Only here", "What it takes, and what happens without it"), rows)


def recorded(sdk_name: str) -> list[str]:
    """The oracle's inputs that have the argument, beside those that every input has."""
    return [name for name, given in INPUTS.items() if sdk_name in {**given.arguments, **given.train}]


def reasons(sdk_name: str) -> Iterator[str]:
    """Why an input of this argument alone is answered differently."""
    alone = {name for name in recorded(sdk_name) if len({**INPUTS[name].arguments, **INPUTS[name].train}) == 1}
    rows = [row.reason for row in DIFFERENCES if row.inputs != EVERY and alone & set(row.inputs)]
    return iter(dict.fromkeys(rows))
