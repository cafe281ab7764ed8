"""Writes docs/fault-matrix.md from a run."""

import logging

from lifecycle.matrix import CELLS, TARGET, cell, page

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    TARGET.write_text(page({(fault, heading): cell(fault, heading) for fault, heading in CELLS}))
