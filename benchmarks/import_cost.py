"""What `import agent_rft` costs over `import aws_cdk`, measured in turn in fresh interpreters; prints the ratio."""

import statistics
import subprocess
import sys
import time

ROUNDS = 7


def seconds(statement: str) -> float:
    """The time of an interpreter that runs the statement."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    """Measures in turn, so that both meet the same machine."""
    pairs = [(seconds("import aws_cdk"), seconds("import agent_rft")) for _ in range(ROUNDS)]
    ratios = [ours / theirs for theirs, ours in pairs]
    low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
    print(f"import agent_rft / import aws_cdk: median {middle:.2f} (from {low:.2f} to {high:.2f}, {ROUNDS} rounds)")


if __name__ == "__main__":
    main()
