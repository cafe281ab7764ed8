"""Writes docs/fault-matrix.md from a run."""

import logging

import pytest
from lifecycle.matrix import FAULTS, TARGET, cell, page
from lifecycle.scenarios import SCENARIOS

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    with pytest.MonkeyPatch.context() as patch:
        cells = {(fault, name): cell(fault, each, patch) for fault in FAULTS for name, each in SCENARIOS.items()}
    TARGET.write_text(page(cells))
