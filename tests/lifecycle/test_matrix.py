"""Runs the fault matrix and holds docs/fault-matrix.md to it."""

import functools

import pytest
from lifecycle import matrix
from lifecycle.matrix import CELLS, TARGET, page

cell = functools.cache(matrix.cell)
"""Each cell is run once, whichever test asks first."""


@pytest.mark.parametrize(("fault", "heading"), CELLS)
def test_after_the_fault_every_declared_job_exists_once_and_is_known(fault: str, heading: str) -> None:
    cell(fault, heading)


def test_the_page_shows_what_the_run_gave() -> None:
    cells = {(fault, heading): cell(fault, heading) for fault, heading in CELLS}
    assert TARGET.read_text() == page(cells), "run make golden"
