"""The README and URLs that the package index shows."""

import importlib.util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HOME = "https://forge.example/owner/repository"


def hook() -> Any:
    """Hatch loads it from its path, too."""
    path = ROOT / "scripts" / "package_metadata.py"
    spec = importlib.util.spec_from_file_location("package_metadata", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def metadata(home: str | None, monkeypatch: Any) -> dict[str, Any]:
    if home is None:
        monkeypatch.delenv("PROJECT_URL", raising=False)
    else:
        monkeypatch.setenv("PROJECT_URL", home)
    found: dict[str, Any] = {"version": "1.2.3"}
    hook().PackageMetadata(str(ROOT), {}).update(found)
    return found


def test_on_the_package_index_every_link_leads_to_this_versions_files(monkeypatch: Any) -> None:
    found = metadata(f"{HOME}/", monkeypatch)
    text = found["readme"]["text"]
    assert f"]({HOME}/blob/v1.2.3/docs/lifecycle.md)" in text
    assert not hook().RELATIVE_LINK.search(text)
    assert all(url.startswith(HOME) for url in found["urls"].values())


def test_links_to_elsewhere_and_within_the_page_stay() -> None:
    text = "[a](https://a.example/b) [c](#c) [d](docs/faq.md#e)"
    assert hook().absolute(text, HOME, "1") == f"[a](https://a.example/b) [c](#c) [d]({HOME}/blob/v1/docs/faq.md#e)"


def test_without_an_address_nothing_is_made_up(monkeypatch: Any) -> None:
    found = metadata(None, monkeypatch)
    assert found["readme"]["text"] == (ROOT / "README.md").read_text()
    assert found["urls"] == {}
