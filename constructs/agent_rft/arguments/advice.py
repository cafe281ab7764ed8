"""What a message says of a value of a wrong type: what it is, and what to write in its place."""

import math
import re
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, get_args, get_origin

from aws_cdk import CfnOutput, CfnParameter, IResolvable
from constructs import Construct

from agent_rft.arguments.types import fits, implements, kinds_of, name_of, options, with_article
from agent_rft.arguments.validation import unresolved
from agent_rft_handler.validation import shown

FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)


def described(value: object) -> str:
    """The value where it is short and plain, else what it is; never an address in memory."""
    if isinstance(value, type):
        return f"the class {name_of(value)}"
    if isinstance(value, FUNCTIONS):
        return "a function"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, str | float) and _is_token(value):
        return f"{'text' if isinstance(value, str) else 'a number'} that is only known at deploy"
    if value is None or isinstance(value, str | bytes | int | float):
        return shown(value)
    return with_article(name_of(kinds_of(value)[-1]))


def advice(value: object, hint: Any) -> str:
    """What to write, with a space before it; nothing where nothing is known that would help."""
    found = next((text for rule in RULES for part in options(hint) if (text := rule(value, part))), "")
    return f" {found}" if found else ""


def _of_kind(value: object, hint: Any) -> str:
    if isinstance(value, type) and hint is not None:
        return "Give one of it, not the class."
    return "Give what it returns." if isinstance(value, FUNCTIONS) else ""


def _of_parameter(value: object, hint: Any) -> str:
    """A construct in the place of its value."""
    wanted = {str: "value_as_string", bool: "value_as_string", int: "value_as_number", float: "value_as_number"}
    if isinstance(value, CfnParameter):
        name = wanted.get(hint) or ("value_as_list" if get_origin(hint) not in (None, dict) else "")
        return f"Write .{name} behind it." if name else ""
    return "Write .value behind it." if isinstance(value, CfnOutput) and hint is str else ""


def _of_token(value: object, hint: Any) -> str:
    if hint is str and (_is_token(value) or implements(value, IResolvable)):
        return "Write Token.as_string(...) around it."
    return "Write Token.as_number(...) around it." if hint in (int, float) and _is_token(value) else ""


def _of_bucket(value: object, hint: Any) -> str:
    if getattr(hint, "__name__", "") == "Dataset" and _has(value, "bucket_arn"):
        return "Write Dataset.from_bucket(...) around it."
    return ""


def _of_enum(value: object, hint: Any) -> str:
    if not isinstance(hint, type) or not issubclass(hint, Enum) or not isinstance(value, str):
        return ""
    members = [f"{hint.__name__}.{each.name}" for each in hint]
    return f"Write {', '.join([each for each in members if each.endswith(f'.{value.upper()}')] or members)}."


def _of_boolean(value: object, hint: Any) -> str:
    if hint is bool and isinstance(value, int):
        return f"Write {bool(value)}."
    if hint is bool and isinstance(value, str):
        return "Write it without quotes; of a text, such as one from CDK's context, write text == 'true'."
    return ""


def _of_text(value: object, hint: Any) -> str:
    if hint is not str:
        return ""
    if isinstance(value, Path):
        return "Write str(...) around it."
    if isinstance(value, bytes):
        return "Write .decode() behind it."
    if isinstance(value, Enum):
        return "Write .value behind it."
    return f"Write it in quotes: {str(value)!r}." if isinstance(value, int | float) else ""


def _of_number(value: object, hint: Any) -> str:
    if hint not in (int, float) or isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return "Write it without quotes." if value.strip() else ""
    return f"Write {hint.__name__}(...) around it." if hasattr(type(value), f"__{hint.__name__}__") else ""


def _of_container(value: object, hint: Any) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if not isinstance(origin, type) or not parts:
        return ""
    if not issubclass(origin, Mapping):
        return "Put it into a list: [...]." if value is not None and fits(value, parts[0]) else ""
    rows = value if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value) else []
    if rows and all({"Key", "Value"} <= row.keys() for row in rows):
        return f"Write {shown({str(row['Key']): row['Value'] for row in rows})}."
    return ""


def _of_struct(value: object, hint: Any) -> str:
    is_struct = isinstance(hint, type) and hasattr(hint, "__jsii_type__") and isinstance(value, Mapping)
    return f"Write {name_of(hint)}(...)." if is_struct else ""


def _of_attribute(value: object, hint: Any) -> str:
    """A resource where its name or ARN is asked for."""
    if hint is not str or not isinstance(value, Construct):
        return ""
    kind = type(value)
    names = [name for name in dir(kind) if re.fullmatch("[a-z]+_(arn|name)", name)]
    own = [name for name in names if isinstance(getattr(kind, name), property)]
    return f"Write {' or '.join(f'.{name}' for name in own[:3])} behind it." if own else ""


def _of_import(value: object, hint: Any) -> str:
    """A name, an ARN or an L1 where a construct is asked for that CDK makes of one."""
    if not hasattr(hint, "__jsii_type__") or not getattr(hint, "_is_protocol", False):
        return ""
    made = getattr(sys.modules[hint.__module__], hint.__name__[1:], None)
    text = value if isinstance(value, str) else ""
    ways = [name for name in dir(made) if re.fullmatch("from_[a-z_]+_(arn|name|id)", name)]
    way = next((each for each in ways if each.endswith("_arn") == text.startswith("arn:")), "")
    return f"Write {name_of(made)}.{way}(...)." if way and made and (text or isinstance(value, Construct)) else ""


RULES: tuple[Callable[[object, Any], str], ...] = (
    _of_kind,
    _of_parameter,
    _of_token,
    _of_bucket,
    _of_enum,
    _of_boolean,
    _of_text,
    _of_number,
    _of_container,
    _of_struct,
    _of_attribute,
    _of_import,
)
"""The first that knows what to write, for any of the argument's types, says it."""


def _is_token(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value) and unresolved(value)
    return isinstance(value, str) and unresolved(value)


def _has(value: object, name: str) -> bool:
    return any(hasattr(kind, name) for kind in kinds_of(value))
