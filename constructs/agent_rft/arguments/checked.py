"""The door of every public class and function: each argument is of its declared type, or one error says what is."""

import difflib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from types import SimpleNamespace
from typing import Any, TypeVar, get_type_hints

from aws_cdk import Stack
from constructs import Construct

from agent_rft.arguments.advice import advice, described
from agent_rft.arguments.tokens import with_tokens
from agent_rft.arguments.types import misfits, words
from agent_rft.arguments.validation import unresolved

LATER = r"\b([a-z0-9]+)_?\."
"""A module of CDK's in an annotation in quotes, which is imported when the function that takes it is called."""

F = TypeVar("F", bound=Callable[..., Any])


def checked(function: F) -> F:
    """The function, or a dataclass, which is only called with arguments of the types that its annotations declare.

    Raises:
        TypeError: for another argument, a name that it does not take, and one that is missing: the construct's path,
            the argument, what was given and what to write.
    """
    if isinstance(function, type):
        function.__init__ = checked(function.__init__)  # type: ignore[misc]
        return function

    @wraps(function)
    def door(*args: Any, **kwargs: Any) -> Any:
        parameters = _parameters(function)
        positional = [name for name, each in parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
        variadic = [name for name, each in parameters.items() if each.kind is each.VAR_POSITIONAL]
        further = args[len(positional) :]
        named = {**dict(zip(positional, args, strict=False)), **dict.fromkeys(variadic, further), **kwargs}
        given = {name: value if name == "id" else with_tokens(value) for name, value in named.items()}
        problems = [*_names(parameters, given), *_place_problems(given), *_types(function, given)]
        if problems and (variadic or not further):
            path = _path(function, given)
            raise TypeError("\n".join(f"[{path}] {problem}" for problem in problems))
        by_place = [*(given[name] for name in positional[: len(args)]), *further]
        try:
            return function(*by_place, **{name: given[name] for name in kwargs})
        except RuntimeError as error:  # jsii's word for CDK's own error
            raise ValueError(f"[{_path(function, given)}] CDK refuses it: {error}") from error

    return door  # type: ignore[return-value]


@cache  # read when it is first called: to read all at import takes a thirtieth of the import's time
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


def _names(parameters: Mapping[str, inspect.Parameter], given: Mapping[str, object]) -> Iterator[str]:
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    for name in () if takes_any else (each for each in given if each not in parameters):
        close = next(iter(difflib.get_close_matches(name, parameters, n=1)), "")
        yield f"{name} is not an argument.{f' Did you mean {close}?' if close else ''}"
    for name, parameter in parameters.items():
        is_optional = parameter.default is not parameter.empty or parameter.kind is parameter.VAR_KEYWORD
        if not is_optional and name not in given:
            yield f"{name} is missing. Give it."


def _types(function: Callable[..., Any], given: Mapping[str, object]) -> Iterator[str]:
    hints = _hints(function)
    for name in (each for each in given if each in hints):
        for place, value, hint in misfits(name, given[name], hints[name]):
            yield f"{place} is {described(value)}, but must be {words(hint)}.{advice(value, hint)}"


def _place_problems(given: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with scope and id, before CDK says so without the construct's path."""
    scope, id = given.get("scope"), given.get("id", "any")
    if isinstance(scope, Construct) and not _is_in_stack(scope):
        yield f"scope is {described(scope)} outside every stack, but must be in one. Give a Stack."
    if isinstance(id, str) and (not id or unresolved(id)):
        yield f"id is {described(id)}, but must be text that is known at synth, and not empty."


def _is_in_stack(scope: Construct) -> bool:
    try:
        return isinstance(scope, Stack) or bool(Stack.of(scope))
    except RuntimeError:  # jsii's word for CDK's own error
        return False


def _path(function: Callable[..., Any], given: Mapping[str, object]) -> str:
    """The construct's path; where there is no construct, the name of what was called."""
    place = next((given[name] for name in ("scope", "stack", "self") if name in given), None)
    name = function.__qualname__.removesuffix(".__init__")
    if not isinstance(place, Construct) or (place is given.get("self") and function.__name__ == "__init__"):
        return name
    id = given.get("id")
    known = id if isinstance(id, str) and not unresolved(id) else ""
    return "/".join(part for part in (place.node.path, known) if part) or name


@cache
def _hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    taken = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
    quoted = " ".join(hint for hint in taken.values() if isinstance(hint, str))
    later = {match[0][:-1]: import_module(f"aws_cdk.aws_{match[1]}") for match in re.finditer(LATER, quoted)}
    hints = get_type_hints(SimpleNamespace(__annotations__=taken), function.__globals__, later)
    variadic = [name for name, each in _parameters(function).items() if each.kind is each.VAR_POSITIONAL]
    return {**hints, **{name: Sequence[hints[name]] for name in variadic}}  # type: ignore[valid-type]
