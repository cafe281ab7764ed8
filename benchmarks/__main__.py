"""``make bench``: every figure, and docs/performance.md written with them. ``--only submissions`` runs a part."""

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from agent_rft_local.local_aws import node
from benchmarks import asset, deployments, imports, page, programs, submissions, synths
from benchmarks.side_by_side import Row

PAGE = programs.ROOT / "docs" / "performance.md"


def main() -> None:
    """Prints each row as it comes; writes the page when none was left out."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--sdk-python", type=Path, required=True, help="the Python that has sagemaker-train")
    parser.add_argument("--only", help="the part to run; the page is left as it is")
    given = parser.parse_args()
    os.environ["JSII_NODE"] = node()
    calls: dict[str, list[str]] = {}
    parts: Mapping[str, Callable[[], Iterator[Row]]] = {
        "imports": imports.rows,
        "synths": synths.rows,
        "asset": asset.rows,
        "submissions": lambda: submissions.rows(given.sdk_python, calls),
        "deployments": deployments.rows,
    }
    rows: list[Row] = []
    for name, part in parts.items():
        if given.only in (None, name):
            rows += page.shown(part())
    if given.only is None:
        PAGE.write_text(page.text(rows, calls))


if __name__ == "__main__":
    main()
