"""Runs the fault matrix and holds docs/fault-matrix.md to it."""

import pytest
from lifecycle.matrix import FAULTS, TARGET, cell, page
from lifecycle.scenarios import SCENARIOS


@pytest.mark.parametrize("heading", SCENARIOS)
@pytest.mark.parametrize("fault", FAULTS)
def test_after_the_fault_every_declared_job_exists_once_and_is_known(
    fault: str, heading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell(fault, SCENARIOS[heading], monkeypatch)


def test_the_page_shows_what_the_run_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = {(fault, name): cell(fault, each, monkeypatch) for fault in FAULTS for name, each in SCENARIOS.items()}
    assert TARGET.read_text() == page(cells), "run make golden"
