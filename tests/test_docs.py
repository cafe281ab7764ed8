"""The documents' examples run, their links lead somewhere, and what is generated is up to date."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from aws_cdk import App

from agent_rft.workflow import EVERY_SECONDS
from agent_rft_cli import init
from agent_rft_cli.__main__ import COMMANDS, parse
from agent_rft_handler import facts, job_event
from agent_rft_handler.declaration import Replacement
from agent_rft_local import faults
from docs import arguments, dependencies, generate

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "AGENTS.md", *(ROOT / "docs").rglob("*.md")])
SHOWN = [
    (page.name, code) for page in PAGES for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
]
SNIPPET = re.compile(r'--8<-- "(.+)"\n')
"""A file that the site shows [pymdown-extensions: snippets]."""

EXAMPLES = [(page, code) for page, code in SHOWN if not SNIPPET.fullmatch(code)]


@pytest.mark.parametrize(("page", "code"), EXAMPLES, ids=[f"{page}-{i}" for i, (page, _) in enumerate(EXAMPLES)])
def test_an_example_synthesizes_as_it_stands(page: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names = {"__name__": "__main__"}
    exec(compile(code, page, "exec"), names)  # noqa: S102 - our own pages
    (app,) = (each for each in names.values() if isinstance(each, App))
    assert app.synth().stacks, page


def test_a_file_that_a_page_shows_is_there() -> None:
    shown = [found[1] for _, code in SHOWN if (found := SNIPPET.fullmatch(code))]
    assert len(shown) > 4
    assert all((ROOT / path).exists() for path in shown)


@pytest.mark.parametrize("picture", sorted((ROOT / "docs" / "pictures").glob("*.mmd")), ids=lambda path: path.stem)
def test_a_picture_says_what_its_source_says_and_has_a_background_of_its_own(picture: Path) -> None:
    drawn = picture.with_suffix(".svg").read_text()
    said = re.findall(r'"(.+?)"|: (.+)', picture.read_text())
    words = {word for label in said for word in re.split(r"<br/>|\W", "".join(label)) if word}
    assert len(words) > 20
    assert words - set(re.split(r"\W", re.sub(r"<[^>]+>", " ", drawn))) == set(), "run make pictures"
    assert "background-color: white" in drawn  # else its dark text stands on a dark page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize(("path", "text"), list(generate.generated()), ids=lambda value: getattr(value, "name", ""))
def test_what_is_generated_is_what_the_code_says(path: Path, text: str) -> None:
    assert path.read_text() == text, "run make golden"


def test_every_dependency_is_explained() -> None:
    declared = dependencies.declared()
    assert {name for names in declared.values() for name in names} == set(dependencies.WHY)


def test_what_pip_compiles_takes_nearly_as_much_again() -> None:
    if part := dependencies.compiled():  # 0 where the environment was made by a tool that compiles nothing
        assert 0.6 < part < 1


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md"])
def test_a_first_page_says_all_that_init_says_in_the_same_order(page: str) -> None:
    said = re.findall(r"^  (.+?)(?:  +#.*)?$", init.NEXT, re.MULTILINE)
    shown = re.findall(r"^    (.+?)(?:  +#.*)?$", (ROOT / page).read_text(), re.MULTILINE)
    assert len(said) > 5
    assert [each for each in shown if each in said] == said


def test_the_docstring_says_how_many_tags_and_hyperparameters_a_job_takes() -> None:
    described = arguments.described()
    assert f"at most {facts.TAGS_MAX - len(facts.OWN_TAGS)} together" in described["tags"]
    assert f"At most {facts.HYPERPARAMETERS_MAX} values" in described["hyperparameters"]


@pytest.mark.parametrize("constructor", [arguments.TRAINER, arguments.EVALUATOR])
def test_the_docstring_describes_every_argument_in_the_signatures_order(constructor: Callable[..., None]) -> None:
    names = [name for name in inspect.signature(constructor).parameters if name not in ("self", "scope", "id")]
    assert list(arguments.described(constructor)) == names
    for name, sentence in arguments.described(constructor).items():
        assert sentence.endswith("."), name


def test_the_lifecycle_page_names_every_own_tag_and_every_choice() -> None:
    text = (ROOT / "docs" / "lifecycle.md").read_text()
    assert all(tag in text for tag in facts.OWN_TAGS.values())
    assert all(f"`{choice}`" in text for choice in Replacement)
    assert str(facts.TAGS_MAX - len(facts.OWN_TAGS)) in text


def test_the_cli_page_shows_commands_that_there_are() -> None:
    shown = re.findall(r"^\$ agent-rft (.*)$", (ROOT / "docs" / "cli.md").read_text(), re.MULTILINE)
    assert {parse(line.split()).command for line in shown} == set(COMMANDS)


def test_the_local_aws_page_names_every_kind_of_fault() -> None:
    text = (ROOT / "docs" / "local-aws.md").read_text()
    assert all(f"`{kind}`" in text for kind in faults.KINDS)


@pytest.mark.parametrize(("page", "hours"), [("costs", (1, 6, 24, 720)), ("orchestration", (720,))])
def test_a_page_says_how_often_a_job_is_looked_at(page: str, hours: tuple[int, ...]) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text()
    assert [each for each in hours if not re.search(rf"\b{looks_at_a_job_of(each * 3600)}\b", text)] == []


def looks_at_a_job_of(seconds: int) -> int:
    """How many times a job is looked at that takes so long, at the pace of watchers and queues."""
    looks, age = 0, 0
    while age < seconds:
        age += job_event.wait(0, EVERY_SECONDS, age)
        looks += 1
    return looks


def test_every_test_that_the_sdk_table_names_is_there() -> None:
    text = (ROOT / "docs" / "sdk-parameters.md").read_text()
    named = re.findall(r"(tests/[\w/]+\.py)(?:::(\w+))?", text)
    assert len(named) > 5
    for path, test in named:
        assert (ROOT / path).exists(), path
        assert not test or f"def {test}(" in (ROOT / path).read_text(), f"{path}::{test}"
