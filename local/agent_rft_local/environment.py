"""What the processes of a local AWS see of the user's settings: nothing that leads elsewhere.

The server gets only what is listed here. Clients, the CDK and its app among them, get what the user has without what
points to another AWS, a profile or a proxy.
"""

import os
import site
import sys
from collections.abc import Iterable
from pathlib import Path

from agent_rft_local.cdk import node
from agent_rft_local.start_key import StartKey

ACCOUNT, REGION = "000000000000", "us-east-1"

SERVER_KEEPS = (
    "DYLD_LIBRARY_PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "PYTHONHOME",
    "TZ",
    "VIRTUAL_ENV",
)
"""ministack reads a hundred variables, and hands all it has to the functions."""

ISOLATED = {
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "NO_PROXY": "*",  # on macOS it also keeps Python from the system's proxy
    "no_proxy": "*",
}
"""No profile, no credentials of the machine, no proxy."""

CDK_ISOLATED = {
    "CDK_DISABLE_CLI_TELEMETRY": "true",
    "CDK_DISABLE_VERSION_CHECK": "true",
    "CDK_NOTICES": "false",
    "CDK_PROFILE": "",  # these three stand above what cdk.json and ~/.cdk.json say
    "CDK_PROXY": "",
    "CDK_CA_BUNDLE_PATH": "",
}
"""The CDK command line reads each of its options from a variable, too [CDK docs: ref-cli-cmd, "CLI options"]."""


def for_server(directory: Path) -> dict[str, str]:
    """The server's: a home, temporary files and data in the folder given."""
    kept = {name: os.environ[name] for name in SERVER_KEEPS if name in os.environ}
    modules = [str(Path(each).absolute()) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
    return {
        **kept,
        **ISOLATED,
        **_own_folders(directory),
        **({"PYTHONPATH": os.pathsep.join(modules)} if modules else {}),
        "PATH": _path(),
        "PYTHONUNBUFFERED": "1",
        "PYTHONUSERBASE": site.getuserbase(),
        "S3_DATA_DIR": str(directory / "s3"),
        "DOCKER_HOST": f"unix://{directory}/no-docker",  # ministack would pull images with it
    }


def for_clients(directory: Path, endpoint: str, key: StartKey) -> dict[str, str]:
    """A client's: the user's without what leads elsewhere, and the way to this local AWS."""
    away = leading_elsewhere(os.environ)
    return {
        **{name: value for name, value in os.environ.items() if name not in away},
        **shell_settings(endpoint, key),
        **_own_folders(directory),
        "CDK_HOME": str(directory / "cdk"),  # the CLI asks the password database for ~/.cdk, not HOME
        "JSII_NODE": node(),
        "JSII_RUNTIME_PACKAGE_CACHE_ROOT": _jsii_cache(),
        "PATH": _path(),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUSERBASE": site.getuserbase(),
    }


def shell_settings(endpoint: str, key: StartKey) -> dict[str, str]:
    """What a shell sets, after it has unset what leads elsewhere, to talk to this local AWS."""
    return {
        **key.environment,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        **ISOLATED,
        "CDK_DEFAULT_ACCOUNT": ACCOUNT,
        "CDK_DEFAULT_REGION": REGION,
        **CDK_ISOLATED,
    }


def leading_elsewhere(names: Iterable[str]) -> list[str]:
    """Those of the variables that name an AWS, a profile, CDK's options or a proxy."""
    return sorted(
        name for name in names if name.startswith(("AWS_", "AMAZON_", "CDK")) or name.lower().endswith("_proxy")
    )


def _own_folders(directory: Path) -> dict[str, str]:
    return {"HOME": str(directory / "home"), "TMPDIR": str(directory / "tmp")}


def _path() -> str:
    """The user's PATH behind this Python's programs and Node.js."""
    first = [str(Path(node()).parent), str(Path(sys.executable).parent)]
    return os.pathsep.join(dict.fromkeys([*first, *os.environ.get("PATH", os.defpath).split(os.pathsep)]))


def _jsii_cache() -> str:
    """Where jsii keeps what it unpacked, for the user's every app: unpacking aws-cdk-lib anew takes half a minute."""
    caches = Path("Library/Caches/com.amazonaws.jsii") if sys.platform == "darwin" else Path(".cache/aws/jsii")
    return os.environ.get("JSII_RUNTIME_PACKAGE_CACHE_ROOT") or str(Path.home() / caches / "package-cache")
