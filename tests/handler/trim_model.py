"""Makes the handler's fallback models: of the installed botocore's, just the operations that the handler calls.

Run ``make golden`` when ``clients.OPERATIONS`` changes; a test compares the files with this.
"""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore

from agent_rft_handler.clients import MODELS, OPERATIONS

ROOT = Path(__file__).parents[2]

WORDS = {
    word
    for package in ("lambda", "cli")
    for file in (ROOT / package).rglob("*.py")
    for word in re.findall(r"\w+", file.read_text())
}
"""What the handler and the command line name: members of other names, neither sends or reads."""

UNREAD = {"documentation", "documentationUrl", "pattern", "max", "enum", "box", "sensitive", "readonly", "errors"}
"""What botocore does not look at when it checks, sends and reads, nor what anyone catches by its class."""


def trimmed(service: str) -> tuple[Path, dict[str, Any]]:
    """The path below ``models/`` and the model."""
    source = max((Path(botocore.__file__).parent / "data" / service).glob("*/service-2.json.gz"))
    model = json.loads(gzip.decompress(source.read_bytes()))
    operations = {name: _read(model["operations"][name]) for name in OPERATIONS[service]}
    for shape in model["shapes"].values():
        if shape["type"] == "structure":
            shape["members"] = {name: each for name, each in shape["members"].items() if name in WORDS}
            shape["required"] = [name for name in shape.get("required", ()) if name in WORDS]
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
