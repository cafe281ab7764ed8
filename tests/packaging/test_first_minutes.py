"""What the README tells a stranger, done in an environment that has the wheel, no npm, and an empty home."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


class Stranger:
    """A person with the wheel in a fresh environment, and nothing else."""

    def __init__(self, home: Path, wheel: Path, node: Path) -> None:
        self.home = home
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "venv"], check=True)
        self.bin = home / "venv" / "bin"
        install = ["pip", "--python", str(self.bin / "python"), "install", "-q", "--no-deps", "--no-index", str(wheel)]
        subprocess.run([sys.executable, "-m", *install], check=True, capture_output=True)
        # the dependencies' folder by its path: a .pth in it, like our own editable install, is not followed
        site = next((home / "venv" / "lib").glob("python*")) / "site-packages"
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        (self.bin / "node").symlink_to(node)

    def does(self, *command: str, folder: str = ".", **more: str) -> str:
        """Runs a program of the environment; what it printed."""
        environment = {"HOME": str(self.home), "PATH": str(self.bin), "PYTHONDONTWRITEBYTECODE": "1", **more}
        environment |= {"CDK_VALIDATION": os.environ["CDK_VALIDATION"]}  # tests/security judges the templates
        caches = os.environ.get("JSII_RUNTIME_PACKAGE_CACHE_ROOT")  # else half a minute goes into unpacking aws-cdk-lib
        environment |= {"JSII_RUNTIME_PACKAGE_CACHE_ROOT": caches or str(Path.home() / ".cache/aws/jsii/package-cache")}
        done = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.home / folder,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    from agent_rft_local.local_aws import node

    home = tmp_path_factory.mktemp("stranger")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(home), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = home.glob("*.whl")
    return Stranger(home, wheel, Path(node()))


def test_init_writes_an_app_whose_snapshot_test_passes_twice_and_that_synthesizes(stranger: Stranger) -> None:
    assert "pytest" in stranger.does("agent-rft", "init", "wordle")
    folder = stranger.home / "wordle"
    assert (folder / ".gitignore").exists()
    test = ("python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    stranger.does(*test, folder="wordle")
    recorded = json.loads((folder / "template.json").read_text())
    stranger.does(*test, folder="wordle")
    settings = json.loads((folder / "cdk.json").read_text())
    as_cdk = {"CDK_OUTDIR": "cdk.out", "CDK_CONTEXT_JSON": json.dumps(settings["context"])}
    stranger.does("python", *settings["app"].split()[1:], folder="wordle", **as_cdk)
    made = json.loads((folder / "cdk.out" / "WordleTraining.template.json").read_text())
    assert set(made["Resources"]) == set(recorded["Resources"])


def test_the_readmes_first_example_needs_nothing_that_is_not_in_it(stranger: Stranger) -> None:
    (stranger.home / "empty").mkdir()
    example = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    (stranger.home / "empty" / "app.py").write_text(example)
    stranger.does("python", "app.py", folder="empty", CDK_OUTDIR="cdk.out")
    assert (stranger.home / "empty" / "cdk.out" / "WordleTraining.template.json").exists()


def test_init_overwrites_nothing(stranger: Stranger) -> None:
    (stranger.home / "mine").mkdir()
    (stranger.home / "mine" / "app.py").write_text("mine")
    with pytest.raises(AssertionError, match="is there already"):
        stranger.does("agent-rft", "init", "mine")
    assert [path.name for path in (stranger.home / "mine").iterdir()] == ["app.py"]
