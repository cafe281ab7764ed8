"""Makes the handler's fallback models: of the installed botocore's, just the operations that the handler calls.

Run ``make golden`` when ``clients.OPERATIONS`` changes; a test compares the files with this.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore

from agent_rft_handler.clients import MODELS, OPERATIONS

READ = {
    "DescribeModelPackageOutput": {"InferenceSpecification"},
    "InferenceSpecification": {"Containers"},
    "ModelPackageContainerDefinition": {"BaseModel"},
    "GetAgentRuntimeResponse": {"agentRuntimeArn"},
}
"""Large shapes of which the handler reads these members only."""

UNREAD = {"documentation", "documentationUrl", "pattern", "max", "enum", "box", "sensitive"}
"""What botocore does not look at when it checks, sends and reads: a quarter of a model."""


def trimmed(service: str) -> tuple[Path, dict[str, Any]]:
    """The path below ``models/`` and the model."""
    source = max((Path(botocore.__file__).parent / "data" / service).glob("*/service-2.json.gz"))
    model = json.loads(gzip.decompress(source.read_bytes()))
    operations = {name: _read(model["operations"][name]) for name in OPERATIONS[service]}
    for name, members in READ.items():
        if name in model["shapes"]:
            kept = model["shapes"][name]
            kept["members"] = {key: value for key, value in kept["members"].items() if key in members}
            kept["required"] = []
    shapes = dict(sorted(_needed(list(_references(operations)), model["shapes"])))
    path = Path(service) / source.parent.name / "service-2.json"
    return path, {"version": "2.0", "metadata": model["metadata"], "operations": operations, "shapes": shapes}


def text(model: dict[str, Any]) -> str:
    """The model as its file holds it."""
    return json.dumps(model, separators=(",", ":")) + "\n"


def _needed(names: list[str], shapes: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    while names:
        name = names.pop()
        if name not in seen:
            seen.add(name)
            shape = _read(shapes[name])
            names += _references(shape)
            yield name, shape


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("shape"), str):
            yield part["shape"]
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)


def _read(part: Any, named: bool = False) -> Any:
    """The part without what is not read; the keys below ``members`` and the like are names, whatever they are."""
    if isinstance(part, dict):
        return {key: _read(value, key == "members") for key, value in part.items() if named or key not in UNREAD}
    return [_read(value) for value in part] if isinstance(part, list) else part


if __name__ == "__main__":
    for each in OPERATIONS:
        path, model = trimmed(each)
        target = MODELS / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text(model))
        print(target, target.stat().st_size)
