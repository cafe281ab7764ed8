"""What waits for what in synthesized templates, as CloudFormation reads them; it refuses a circle."""

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from aws_cdk import App
from aws_cdk.cx_api import CloudAssembly

Resource = tuple[str, str]
"""A stack, and a logical id in it."""


def circle_in(app: App) -> list[Resource]:
    """The first circle of the app's resources, over all of its stacks; empty where CloudFormation finds none."""
    templates = {stack.stack_name: stack.template for stack in _stacks(app.synth())}
    exports = dict(_exports(templates))
    graph = {
        (stack, name): set(_needs(stack, resource, exports))
        for stack, template in templates.items()
        for name, resource in template["Resources"].items()
    }
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return list(error.args[1])
    return []


def waits_for(template: Mapping[str, Any], name: str) -> set[str]:
    """Every resource of the template that is there before this one."""
    found: set[str] = set()
    left = [name]
    while left:
        needed = {each for _, each in _needs("", template["Resources"].get(left.pop(), {}), {})} - found
        found |= needed
        left += needed
    return found


def _stacks(assembly: CloudAssembly) -> Iterator[Any]:
    yield from assembly.stacks
    for nested in assembly.nested_assemblies:
        yield from _stacks(nested.nested_assembly)


def _exports(templates: Mapping[str, Any]) -> Iterator[tuple[str, set[Resource]]]:
    for stack, template in templates.items():
        for output in template.get("Outputs", {}).values():
            if name := output.get("Export", {}).get("Name"):
                yield str(name), set(_needs(stack, output["Value"], {}))


def _needs(stack: str, value: Any, exports: Mapping[str, set[Resource]]) -> Iterator[Resource]:
    if isinstance(value, list):
        for each in value:
            yield from _needs(stack, each, exports)
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        if key == "Fn::ImportValue":
            yield from exports.get(str(inner), ())
        elif key == "Fn::Sub":
            text = inner if isinstance(inner, str) else inner[0]
            yield from ((stack, name) for name in re.findall(r"\$\{(\w+)[.}]", text))
        elif key in ("Ref", "Fn::GetAtt", "DependsOn"):
            yield from ((stack, name) for name in _named(key, inner))
        else:
            yield from _needs(stack, inner, exports)


def _named(key: str, inner: Any) -> list[str]:
    if key == "DependsOn":
        return inner if isinstance(inner, list) else [inner]
    return [str(inner if isinstance(inner, str) else inner[0]).partition(".")[0]]
