"""The size of what CloudFormation's function is."""

import io
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from aws_cdk import App, Stack

from agent_rft import JobProvider
from benchmarks.side_by_side import Row


def rows() -> Iterator[Row]:
    """One row: the asset, zipped as the CDK publishes it."""
    with tempfile.TemporaryDirectory() as directory:
        app = App(outdir=directory)
        JobProvider(Stack(app, "S"))
        app.synth()
        (asset,) = (each for each in Path(directory).glob("asset.*") if (each / "agent_rft_handler").is_dir())
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(asset.rglob("*.*")):
                archive.write(file, file.relative_to(asset))
    size = len(buffer.getvalue()) / 1024
    yield Row("the function's code, zipped", "", f"{size:.1f} KiB", "", size, 64, "KiB")
