"""What the last release promised is kept, or CHANGELOG.md says what is not."""

import pytest
from public_api import RECORDED, ROOT, breakages, stub, unannounced

RELEASED = """class Trainer:
    def __init__(self, scope, id, *, model, role=None): ...
    @classmethod
    def from_name(cls, scope, name): ...
    job_name: object
"""


def test_nothing_that_was_released_breaks_without_a_word_in_the_changelog() -> None:
    found = unannounced(RECORDED.read_text(), stub(), (ROOT / "CHANGELOG.md").read_text())
    assert not found, "name each in backticks below '### Breaking' of CHANGELOG.md's newest version"


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        (", role=None", "", "Trainer(role)"),
        ("model, ", "model, kind, ", "Trainer(kind)"),
        ("role=None", "role", "Trainer(role)"),
        ("scope, name", "name, scope", "Trainer.from_name(scope)"),
        ("    job_name: object\n", "", "Trainer.job_name"),
        ("from_name(", "of_name(", "Trainer.from_name"),
        ("class Trainer", "class Training", "Trainer"),
    ],
)
def test_a_break_is_seen_until_the_changelog_names_it(before: str, after: str, name: str) -> None:
    now = RELEASED.replace(before, after)
    assert any(each.startswith(f"{name}: ") for each in breakages(RELEASED, now)), breakages(RELEASED, now)
    said = "".join(f"- `{each.partition(':')[0]}`: gone\n" for each in breakages(RELEASED, now))
    assert unannounced(RELEASED, now, "# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0\n\n### Breaking\n" + said)
    assert not unannounced(RELEASED, now, "# Changelog\n\n## 0.2.0\n\n### Breaking\n\n" + said + "\n## 0.1.0\n")


def test_what_is_new_breaks_nothing() -> None:
    more = RELEASED.replace("role=None", "role=None, tags=None") + "    job_arn: object\nclass Evaluator: ...\n"
    assert not breakages(RELEASED, more)


def test_a_parameter_that_leaves_the_trainer_is_seen() -> None:
    now = stub()
    assert ", dry_run=False" in now
    gone = now.replace(", dry_run=False", "")
    assert "MultiTurnRLTrainer(dry_run): Parameter was removed" in breakages(now, gone)
