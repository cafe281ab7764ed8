"""A stack on the local AWS: deployed as the CDK command line does it, or, in a tenth of the time, through boto3.

Both ways deploy the same synthesized template and files. The command line adds its own part, which is shown once for
each of its verbs: publishing, change sets, `cdk diff`, and what a failed deployment prints.
"""

import contextlib
import hashlib
import io
import itertools
import json
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App
from botocore.exceptions import ClientError

from agent_rft_handler.facts import CATEGORIES, TERMINAL_STATUSES
from agent_rft_local import LocalAws
from agent_rft_local.local_aws import ACCOUNT, REGION, CdkFailed

JOB = "Custom::AgentRFTJob"

GATE = {
    "Gate": {"Type": "AWS::CloudFormation::WaitConditionHandle"},
    "GateOpened": {
        "Type": "AWS::CloudFormation::WaitCondition",
        "Properties": {"Handle": {"Ref": "Gate"}, "Timeout": "900"},
    },
}
"""Resources that keep their stack's update going until someone opens the gate."""


@dataclass(frozen=True)
class Deployment:
    """One stack that ``declare`` puts into an app; the context says what is in it."""

    aws: LocalAws
    stack: str
    declare: Callable[[App], object]

    def declared_by(self, declare: Callable[[App], object]) -> "Deployment":
        """The same stack, declared by another function."""
        return replace(self, declare=declare)

    def deploy(self, **context: str) -> str:
        """Creates or updates the stack through boto3; its final status."""
        self.begin(**context)
        return self.settle()

    def begin(self, **context: str) -> None:
        """Starts to create or update the stack through boto3, and waits for nothing."""
        request = {
            "StackName": self.stack,
            "TemplateBody": self.publish(**context),
            "Capabilities": ["CAPABILITY_NAMED_IAM"],
        }
        try:
            self._cloudformation.update_stack(**request)
        except ClientError as error:
            if "does not exist" not in str(error):
                raise
            self._cloudformation.create_stack(**request)

    def publish(self, **context: str) -> str:
        """Synthesizes the stack and uploads its files; the template."""
        return _published(self.aws, self._synthesized(**context), self.stack)

    def delete(self) -> None:
        """Deletes the stack through boto3."""
        identity = self._described()["StackId"]  # a stack that is gone has no name
        self._cloudformation.delete_stack(StackName=self.stack)
        status = self.settle(identity)
        assert status == "DELETE_COMPLETE", f"{status}: {self.reasons()}"

    def cdk_deploy(self, *arguments: str, **context: str) -> str:
        """`cdk deploy`; what it printed."""
        return self._cdk("deploy", "--require-approval", "never", *arguments, **context)

    def cdk_refused(self, *arguments: str, **context: str) -> str:
        """A `cdk deploy` that must fail; what it printed, on one line."""
        with pytest.raises(CdkFailed) as failed:
            self.cdk_deploy(*arguments, **context)
        return " ".join(str(failed.value).split())

    def cdk_diff(self, **context: str) -> str:
        """`cdk diff`; what it printed."""
        return self._cdk("diff", **context)

    @contextlib.contextmanager
    def while_updating(self) -> Iterator[None]:
        """The stack is UPDATE_IN_PROGRESS in the block, and nothing of it changes."""
        template = self._template()
        template["Resources"] |= GATE
        self._cloudformation.update_stack(
            StackName=self.stack, TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_NAMED_IAM"]
        )
        try:
            yield
        finally:
            self._open_gate()
            status = self.settle()
        assert status == "UPDATE_COMPLETE", f"{status}: {self.reasons()}"

    def status(self) -> str:
        """The stack's status."""
        return str(self._described()["StackStatus"])

    def outputs(self) -> dict[str, str]:
        """The stack's outputs."""
        return self.aws.outputs(self.stack)

    def reasons(self, of_type: str = "") -> list[str]:
        """The reasons in the stack's events, newest first; only those of a resource type when it is given."""
        rows: list[Any] = self._cloudformation.describe_stack_events(StackName=self.stack)["StackEvents"]
        reasons = [(row["ResourceType"], row.get("ResourceStatusReason")) for row in rows]
        return [reason for kind, reason in reasons if reason and of_type in ("", kind)]

    def physical_id(self, of_type: str, named: str = "") -> str:
        """The physical id of the first resource of a type whose logical id holds ``named``."""
        rows: list[Any] = self._cloudformation.describe_stack_resources(StackName=self.stack)["StackResources"]
        found = [row for row in rows if row["ResourceType"] == of_type and named in row["LogicalResourceId"]]
        return str(found[0]["PhysicalResourceId"])

    def jobs(self) -> dict[str, str]:
        """The status of each job that was submitted since the test began, oldest first."""
        names = [call["request"]["JobName"] for call in self.aws.calls("CreateJob")]
        client = self.aws.client("sagemaker")
        return {
            name: client.describe_job(JobName=name, JobCategory="AgentRFT")["JobStatus"]
            for name in dict.fromkeys(names)
        }

    @property
    def _cloudformation(self) -> Any:
        return self.aws.client("cloudformation")

    def _synthesized(self, **context: str) -> Path:
        """The folder with the stack's template and files."""
        given = {"stack": self.stack, **context}
        declared = self.declare.__module__, self.declare.__name__, sorted(given.items())
        name = hashlib.sha256(repr(declared).encode()).hexdigest()[:12]
        directory = self.aws.directory / "synthesized" / name
        if not directory.exists():
            app = App(outdir=str(directory), context=given)
            self.declare(app)
            app.synth()
        return directory

    def _cdk(self, *arguments: str, **context: str) -> str:
        return self.aws.cdk(*arguments, app=str(self._synthesized(**context)), cwd=self.aws.directory)

    def _open_gate(self) -> None:
        signal = json.dumps({"Status": "SUCCESS", "UniqueId": "1", "Data": "", "Reason": "opened"}).encode()
        while not (gate := self._known_gate()):
            time.sleep(0.05)
        request = urllib.request.Request(gate, signal, {"Content-Type": ""}, method="PUT")  # noqa: S310 - our own server
        urllib.request.urlopen(request, timeout=10).close()  # noqa: S310

    def _known_gate(self) -> str:
        try:
            return self.physical_id("AWS::CloudFormation::WaitConditionHandle")
        except IndexError:
            return ""

    def _template(self) -> dict[str, Any]:
        body = self._cloudformation.get_template(StackName=self.stack)["TemplateBody"]
        return dict(json.loads(body) if isinstance(body, str) else body)

    def _described(self, stack: str = "") -> dict[str, Any]:
        return dict(self._cloudformation.describe_stacks(StackName=stack or self.stack)["Stacks"][0])

    def settle(self, stack: str = "") -> str:
        """Waits until nothing of the stack goes on; its status."""
        while (status := str(self._described(stack)["StackStatus"])).endswith("_IN_PROGRESS"):
            time.sleep(0.05)
        return status


def in_progress(aws: LocalAws) -> list[str]:
    """The names of the jobs that take a quota."""
    client = aws.client("sagemaker")
    pages = (client.get_paginator("list_jobs").paginate(JobCategory=category) for category in CATEGORIES)
    jobs = [job for page in itertools.chain(*pages) for job in page["JobSummaries"]]
    return [job["JobName"] for job in jobs if job["JobStatus"] not in TERMINAL_STATUSES]


def _published(aws: LocalAws, directory: Path, stack: str) -> str:
    """Uploads the stack's files to the bootstrap bucket; the template, without the blanks that count in its length."""
    s3 = aws.client("s3")
    for file in json.loads((directory / f"{stack}.assets.json").read_text())["files"].values():
        (destination,) = file["destinations"].values()
        path = directory / file["source"]["path"]
        body = _zipped(path) if file["source"]["packaging"] == "zip" else path.read_bytes()
        bucket = destination["bucketName"].replace("${AWS::AccountId}", ACCOUNT).replace("${AWS::Region}", REGION)
        s3.put_object(Bucket=bucket, Key=destination["objectKey"], Body=body)
    template = json.loads((directory / f"{stack}.template.json").read_text())
    return json.dumps(template, separators=(",", ":"))


def _zipped(directory: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(directory.rglob("*")):
            archive.write(path, path.relative_to(directory))
    return buffer.getvalue()
