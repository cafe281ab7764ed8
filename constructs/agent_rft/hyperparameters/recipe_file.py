"""A recipe file beside the app, read at synth: one YAML mapping, as it is written."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from constructs import Construct

from agent_rft.arguments.validation import refuse, unresolved
from agent_rft.hyperparameters.setting import name_problems

TIMESTAMP = "tag:yaml.org,2002:timestamp"


def read(scope: Construct, recipe: str | Path) -> Mapping[str, object]:
    """The file's mapping; a date stays the text that it is in the file.

    Raises:
        ValueError: for what is no readable YAML file with a mapping, and for a key that stands twice in one.
    """
    refuse(scope, [_place_problem(str(recipe))])
    content = _parsed(scope, Path(recipe))
    kind = "empty" if content is None else f"of type {type(content).__name__}"
    sentence = f"recipe is {str(recipe)!r}, which is {kind}, but must be a YAML file with a mapping."
    refuse(scope, ["" if isinstance(content, Mapping) else sentence])
    refuse(scope, name_problems(str(recipe), content))
    return dict(content)


def leaves(
    values: Mapping[str, object], whole: frozenset[str] = frozenset(), above: str = ""
) -> Iterator[tuple[str, str, object]]:
    """Place, name and value of each leaf; a list is a leaf, and so is what is named in ``whole``."""
    for name, value in values.items():
        place = f"{above}{name}"
        if isinstance(value, Mapping) and name not in whole:
            yield from leaves(value, whole, f"{place}.")
        else:
            yield place, str(name), value


def _place_problem(recipe: str) -> str:
    """What is wrong with the place: synth reads files beside the app, and no network."""
    if unresolved(recipe):
        return "recipe is only known at deploy, but the file is read at synth. Give a path, or use overrides."
    if recipe.startswith(("s3://", "http://", "https://")):
        return f"recipe is {recipe!r}, but synth downloads nothing. Download the file and give its local path."
    if not Path(recipe).is_file():
        return f"recipe is {recipe!r}, but there is no such file. Give the path of a YAML file."
    return ""


def _parsed(scope: Construct, path: Path) -> Any:
    """The file's content; a key that stands twice in one mapping is refused, as YAML's parser keeps the last."""
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        loader = _loader(yaml)
        twice = ", ".join(_repeated(yaml.compose(text, Loader=loader)))
        content = yaml.load(text, Loader=loader)  # noqa: S506 - a SafeLoader
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise ValueError(f"[{scope.node.path}] recipe is {str(path)!r}, which is not readable YAML: {said}.") from error
    refuse(scope, [f"recipe is {str(path)!r}, which has {twice} twice in one mapping. Keep one." if twice else ""])
    return content


def _loader(yaml: Any) -> Any:
    """YAML's safe loader, which leaves a date the text that it is."""
    resolvers = {
        first: [(tag, form) for tag, form in forms if tag != TIMESTAMP]
        for first, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return type("Loader", (yaml.SafeLoader,), {"yaml_implicit_resolvers": resolvers})


def _repeated(node: Any) -> Iterator[str]:
    """Scalar keys that stand twice in one mapping of the parsed YAML."""
    pairs = node.value if node is not None and node.id == "mapping" else []
    keys = [str(key.value) for key, _ in pairs if key.value != "<<"]
    yield from sorted({key for key in keys if keys.count(key) > 1})
    for _, value in pairs:
        yield from _repeated(value)
