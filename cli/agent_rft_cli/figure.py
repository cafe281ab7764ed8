"""A curve as a PNG file, by matplotlib."""

from collections.abc import Sequence

from agent_rft_cli.failures import Failure
from agent_rft_handler.mlflow import Point


def write(path: str, title: str, metric: str, points: Sequence[Point]) -> None:
    """Writes the file.

    Raises:
        Failure: where matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise Failure(
            f"--png needs {error.name}, which is not installed. Run: pip install 'cdk-agent-rft[plot]'"
        ) from error
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.plot([point.step for point in points], [point.value for point in points], marker=".")
    axes.set(title=title, xlabel="step", ylabel=metric)
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(path, format="png", dpi=150)
