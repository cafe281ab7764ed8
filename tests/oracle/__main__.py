"""Records what the real SDK submits for every input: ``python -m oracle --sdk-python PATH [--check] [NAME ...]``."""

import argparse
import difflib
import sys
import tempfile
from pathlib import Path

from oracle.evaluations import EVALUATIONS
from oracle.inputs import INPUTS
from oracle.recording import Sdk, evaluated, recorded, text

from agent_rft_local import LocalAws

GOLDEN = Path(__file__).parents[1] / "golden" / "oracle"


def main() -> int:
    """Writes the recordings, or with ``--check`` says which would change; the exit status."""
    given = _arguments()
    new = _record(given.names or [*INPUTS, *EVALUATIONS], given.sdk_python)
    old = {path.name: path.read_text() for path in GOLDEN.glob("*.json")}
    gone = set() if given.names else {*old} - {*new}
    changed = [name for name in new if old.get(name) != new[name]]
    print(f"{len(new)} inputs, {len(changed)} recordings changed, {len(gone)} without an input")
    if given.check:
        for name in changed:
            sys.stdout.writelines(difflib.unified_diff(old.get(name, "").splitlines(True), new[name].splitlines(True)))
        return bool(changed or gone)
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in changed:
        (GOLDEN / name).write_text(new[name])
    for name in gone:
        (GOLDEN / name).unlink()
    return 0


def _record(names: list[str], sdk_python: Path) -> dict[str, str]:
    """The recordings' texts by file name."""
    with (
        tempfile.TemporaryDirectory() as directory,
        LocalAws.start() as aws,
        Sdk.start(sdk_python, aws, Path(directory)) as sdk,
    ):
        trained = {name: recorded(INPUTS[name], sdk, aws) for name in names if name in INPUTS}
        others = {name: evaluated(EVALUATIONS[name], sdk, aws) for name in names if name in EVALUATIONS}
    return {f"{name}.json": text(recording) for name, recording in {**trained, **others}.items()}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="oracle", description=__doc__)
    parser.add_argument("--sdk-python", type=Path, required=True, help="the Python that has sagemaker-train")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a recording would change")
    parser.add_argument("names", nargs="*", metavar="NAME", help="inputs; without any, all")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
