"""Nothing of the user's settings leads the local AWS, its clients or the CDK out of the loopback interface.

Each setting is tried in a network namespace that writes down what leaves it: once with plain clients, which must be
seen to leave, and once with the local AWS.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent

OUTSIDE = "http://203.0.113.1"
"""An address that nobody has [RFC 5737]."""

IN_FILE = f"""
[default]
ignore_configured_endpoint_urls = true
region = eu-west-1
endpoint_url = {OUTSIDE}
ca_bundle = /nowhere
s3 =
  addressing_style = virtual
  use_accelerate_endpoint = true
[profile far]
endpoint_url = {OUTSIDE}
aws_access_key_id = far
aws_secret_access_key = far
region = eu-west-1
"""


@dataclass(frozen=True)
class Setting:
    """What a user's machine is set to."""

    variables: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


KEYS = {"AWS_ACCESS_KEY_ID": "theirs", "AWS_SECRET_ACCESS_KEY": "theirs", "AWS_DEFAULT_REGION": "us-east-1"}
LOCAL = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9", **KEYS}
"""A local endpoint that each of the settings below gets round."""

SETTINGS = {
    "credentials": Setting(KEYS),
    "profile": Setting(KEYS | {"AWS_PROFILE": "far"}, {".aws/config": IN_FILE}),
    "endpoint": Setting(KEYS | {"AWS_ENDPOINT_URL": OUTSIDE}),
    "endpoints": Setting(LOCAL | {f"AWS_ENDPOINT_URL_{each}": OUTSIDE for each in ("S3", "STS", "IAM")}),
    "config file": Setting(LOCAL, {".aws/config": IN_FILE}),
    "another config file": Setting(LOCAL | {"AWS_CONFIG_FILE": "elsewhere"}, {"elsewhere": IN_FILE}),
    "ignored": Setting(LOCAL | {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"}),
    "proxy": Setting(LOCAL | {f"{each}_PROXY": f"{OUTSIDE}:3128" for each in ("HTTP", "HTTPS", "ALL")}),
    "small proxy": Setting(LOCAL | {f"{each}_proxy": f"{OUTSIDE}:3128" for each in ("http", "https", "all")}),
}
"""Each leads plain clients out."""

QUIRKS = {
    "AWS_CA_BUNDLE": "/nowhere",
    "AWS_DEFAULTS_MODE": "unheard-of",
    "AWS_MAX_ATTEMPTS": "none",
    "AWS_USE_DUALSTACK_ENDPOINT": "true",
    "AWS_USE_FIPS_ENDPOINT": "true",
    "CDK_DISABLE_CLI_TELEMETRY": "false",
    "CDK_NOTICES": "true",
    "CDK_PROFILE": "far",
    "REQUESTS_CA_BUNDLE": "/nowhere",
    "USE_SSL": "1",
}
"""Each breaks a client, has the CDK look out, or changes ministack."""

BRIEFLY = {"RES_OPTIONS": "timeout:1 attempts:1"}
"""Nobody answers a name look-up there, and glibc would ask for ten seconds [man page resolv.conf(5)]."""

CDK_JSON = json.dumps({"profile": "far", "proxy": f"{OUTSIDE}:3128", "caBundlePath": "/nowhere", "notices": True})

PLAIN = """
import boto3
from botocore.config import Config
try:
    boto3.client("sts", config=Config(connect_timeout=0.5, retries={"total_max_attempts": 1})).get_caller_identity()
except Exception as error:
    print(error)
"""

CLIENTS = """
import subprocess, sys
from agent_rft_local import LocalAws
with LocalAws.start() as aws:
    aws.client("s3").create_bucket(Bucket="inside")
    aws.client("sts").get_caller_identity()
    aws.client("sagemaker").list_jobs(JobCategory="AgentRFT")
    aws.reset()
    program = "import boto3; boto3.client('s3').list_buckets(); print(boto3.client('sts').get_caller_identity()['Arn'])"
    print(subprocess.run([sys.executable, "-c", program], env=aws.environment, check=True))
"""

namespaces = pytest.mark.skipif(
    not (os.access("/dev/net/tun", os.W_OK) and shutil.which("unshare") and shutil.which("ip")),
    reason="needs Linux's network namespaces and /dev/net/tun",
)
pytestmark = [pytest.mark.slow, namespaces]


def left(setting: Setting, home: Path, *command: str, cwd: Path | None = None) -> list[str]:
    """Where the command sent something outside the machine; it must end well."""
    for name, text in setting.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    kept = {name: os.environ[name] for name in ("PATH", "JSII_NODE") if name in os.environ}
    cache = os.environ.get("JSII_RUNTIME_PACKAGE_CACHE_ROOT", str(Path.home() / ".cache/aws/jsii/package-cache"))
    environment = {**kept, **BRIEFLY, "JSII_RUNTIME_PACKAGE_CACHE_ROOT": cache, "HOME": str(home), **setting.variables}
    report = home / "report.json"
    done = subprocess.run(
        ["unshare", "--net", "--map-root-user", sys.executable, TESTS / "local" / "leaks.py", report, *command],
        cwd=cwd or home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return list(dict.fromkeys(json.loads(report.read_text())))


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_leads_plain_clients_out_and_the_local_aws_not(name: str, tmp_path: Path) -> None:
    assert left(SETTINGS[name], tmp_path, sys.executable, "-c", PLAIN) != []
    assert left(SETTINGS[name], tmp_path, sys.executable, "-c", CLIENTS) == []


def test_all_together_with_what_breaks_clients(tmp_path: Path) -> None:
    assert left(everything(), tmp_path, sys.executable, "-c", CLIENTS) == []


def test_a_whole_cdk_deploy_leaves_the_machine_alone(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "cdk.json").write_text(CDK_JSON)
    (project / "node_modules").symlink_to(ROOT / "node_modules")
    app = f"cd {ROOT} && {sys.executable} cli/agent_rft_cli/project/app.py"
    command = [sys.executable, "-m", "agent_rft_local", "deploy", "--app", app]
    before = sorted(project.iterdir())
    assert left(everything(), tmp_path, *command, cwd=project) == []
    assert sorted(project.iterdir()) == before
    assert not (tmp_path / ".cdk").exists()


def everything() -> Setting:
    """All at once; the last ones win where two say the same."""
    variables: dict[str, str] = {}
    for setting in SETTINGS.values():
        variables |= setting.variables
    files = {".aws/config": IN_FILE, "elsewhere": IN_FILE, ".cdk.json": CDK_JSON}
    return Setting(variables | QUIRKS | {"AWS_PROFILE": "far"}, files)
