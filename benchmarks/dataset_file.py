"""What looking into a dataset of a gigabyte costs over the digest that CDK makes of it; prints the ratio."""

import hashlib
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agent_rft.dataset.dataset_file import inspect

ROUNDS, SIZE = 3, 1024**3
LINE = b'{"prompt": "%s"}\n' % (b"x" * 1000)


def seconds(work: Callable[[Path], object], path: Path) -> float:
    """The time that the work takes."""
    begun = time.perf_counter()
    work(path)
    return time.perf_counter() - begun


def digest(path: Path) -> str:
    """What CDK does with an asset in any case: every byte is read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    """Measures in turn, so that both meet the same machine."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "prompts.jsonl"
        path.write_bytes(LINE * (SIZE // len(LINE)))
        ratios = [seconds(inspect, path) / seconds(digest, path) for _ in range(ROUNDS)]
    low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
    print(f"inspect / sha256 of 1 GiB: median {middle:.3f} (from {low:.3f} to {high:.3f}, {ROUNDS} rounds)")


if __name__ == "__main__":
    main()
