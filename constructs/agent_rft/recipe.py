"""A recipe file and overrides as flat hyperparameters, with the SDK's section and protected keys."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from constructs import Construct

from agent_rft import warnings
from agent_rft.validation import refuse, unresolved

SECTION = "training_config"
PROTECTED = ("model_type", "model_name_or_path", "dataset_catalog")
"""What the model and the datasets already say [sagemaker-train 1.27.0: recipe_resolver]."""


def recipe_values(scope: Construct, recipe: str | Path | None) -> dict[str, object]:
    """The leaves of the file's section.

    Raises:
        ValueError: for what is no readable YAML file with that section.
    """
    if recipe is None:
        return {}
    refuse(scope, [_place_problem(str(recipe))])
    content = _parsed(scope, Path(recipe))
    section = content.get(SECTION) if isinstance(content, Mapping) else None
    if not isinstance(section, Mapping):
        refuse(scope, [f"recipe is {str(recipe)!r}, but must be a YAML file with a mapping {SECTION}. Add it."])
        return {}
    if others := ", ".join(str(name) for name in content if name != SECTION):
        warnings.RECIPE_SECTIONS.add_to(scope, others=others, section=SECTION)
    return _flat(scope, "recipe", {SECTION: section})


def override_values(scope: Construct, overrides: Mapping[str, object] | None) -> dict[str, object]:
    """The leaves of the overrides, whether they are flat or nested.

    Raises:
        ValueError: for a name that stands twice.
    """
    return _flat(scope, "overrides", overrides or {})


def _place_problem(recipe: str) -> str:
    """What is wrong with the place: synth reads files beside the app, and no network."""
    if unresolved(recipe):
        return "recipe is only known at deploy, but the file is read at synth. Give a path, or use overrides."
    if recipe.startswith(("s3://", "http://", "https://")):
        return f"recipe is {recipe!r}, but synth reads no network. Download the file and give its local path."
    if not Path(recipe).is_file():
        return f"recipe is {recipe!r}, but there is no such file. Give the path of a YAML file."
    return ""


def _parsed(scope: Construct, path: Path) -> Any:
    """The file's content; a key that stands twice in one mapping is refused, as YAML's parser keeps the last."""
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        twice = ", ".join(_repeated(yaml.compose(text, Loader=yaml.SafeLoader)))
        content = yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise ValueError(f"[{scope.node.path}] recipe is {str(path)!r}, which is not readable YAML: {said}.") from error
    refuse(scope, [f"recipe is {str(path)!r}, which has {twice} twice in one mapping. Keep one." if twice else ""])
    return content


def _repeated(node: Any) -> Iterator[str]:
    """Scalar keys that stand twice in one mapping of the parsed YAML."""
    pairs = node.value if node is not None and node.id == "mapping" else []
    keys = [str(key.value) for key, _ in pairs if key.value != "<<"]
    yield from sorted({key for key in keys if keys.count(key) > 1})
    for _, value in pairs:
        yield from _repeated(value)


def _flat(scope: Construct, source: str, values: Mapping[str, object]) -> dict[str, object]:
    """The leaves by their own names, the protected ones left out with a warning."""
    places: dict[str, list[str]] = {}
    flat: dict[str, object] = {}
    for place, name, value in _leaves(values):
        places.setdefault(name, []).append(place)
        flat[name] = value
    refuse(
        scope,
        [
            f"{source} has {name} twice: {', '.join(where)}. A job takes one value by a name; keep one."
            for name, where in places.items()
            if len(where) > 1
        ],
    )
    if protected := ", ".join(name for name in flat if name in PROTECTED):
        warnings.PROTECTED_NAMES.add_to(scope, source=source, names=protected)
    return {name: value for name, value in flat.items() if name not in PROTECTED}


def _leaves(values: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str, object]]:
    """Place, name and value of each leaf; a list is a leaf, and so is whatever is protected."""
    for name, value in values.items():
        place = f"{above}{name}"
        if isinstance(value, Mapping) and name not in PROTECTED:
            yield from _leaves(value, f"{place}.")
        else:
            yield place, str(name), value
