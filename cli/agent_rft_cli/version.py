"""The version that is installed."""

import importlib.metadata


def version() -> str:
    """Of the whole project, which has one wheel."""
    try:
        return importlib.metadata.version("cdk-agent-rft")
    except importlib.metadata.PackageNotFoundError:  # run from files that were never installed
        return "of unknown version"
