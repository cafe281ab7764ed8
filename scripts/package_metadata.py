"""Hatch's metadata hook: the README as the package index shows it, and the project's URLs.

The repository's address is nowhere in the repository: the release says it in ``PROJECT_URL``
(.github/workflows/release.yml). Without it the links stay relative, and there are no URLs.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s]+)\)")


class PackageMetadata(MetadataHookInterface):
    """The fields that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds them."""
        home = os.environ.get("PROJECT_URL", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, home, metadata["version"])}
        metadata["urls"] = urls(home) if home else {}


def absolute(text: str, home: str, version: str) -> str:
    """The text with its links leading to the files of this version."""
    return RELATIVE_LINK.sub(rf"]({home}/blob/v{version}/\1)", text) if home else text


def urls(home: str) -> dict[str, str]:
    """Where the project is."""
    return {
        "Source": home,
        "Documentation": f"{home}/tree/main/docs",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }
