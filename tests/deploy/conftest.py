import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent_rft_local import LocalAws
from agent_rft_local.local_aws import CdkFailed

APP = Path(__file__).with_name("app.py")


@dataclass
class Deployed:
    """One stack of ``app.py`` on the local AWS."""

    aws: LocalAws
    stack: str
    app: Path = APP

    def deploy(self, **context: str) -> str:
        """`cdk deploy`; what it printed."""
        return self._cdk("deploy", "--require-approval", "never", **context)

    def refused(self, **context: str) -> str:
        """A `cdk deploy` that must fail; what it printed, on one line."""
        with pytest.raises(CdkFailed) as failed:
            self.deploy(**context)
        return " ".join(str(failed.value).split())

    def diff(self, **context: str) -> str:
        return self._cdk("diff", **context)

    def destroy(self, **context: str) -> str:
        return self._cdk("destroy", "--force", **context)

    def job_name(self) -> str:
        return self.aws.outputs(self.stack)["JobName"]

    def jobs(self) -> dict[str, str]:
        """The status of each job that this stack submitted, oldest first."""
        names = [call["request"]["JobName"] for call in self.aws.calls("CreateJob")]
        client = self.aws.client("sagemaker")
        return {
            name: client.describe_job(JobName=name, JobCategory="AgentRFT")["JobStatus"]
            for name in dict.fromkeys(names)
        }

    def status(self) -> str:
        stacks = self.aws.client("cloudformation").describe_stacks(StackName=self.stack)["Stacks"]
        return str(stacks[0]["StackStatus"])

    def reasons(self) -> list[str]:
        """The reasons in the events of the custom resource."""
        rows: list[Any] = self.aws.client("cloudformation").describe_stack_events(StackName=self.stack)["StackEvents"]
        of_job = [row for row in rows if row["ResourceType"] == "Custom::AgentRFTJob"]
        return [row["ResourceStatusReason"] for row in of_job if row.get("ResourceStatusReason")]

    def _cdk(self, *arguments: str, **context: str) -> str:
        app, given = f"{sys.executable} {self.app}", {"stack": self.stack, **context}
        return self.aws.cdk(*arguments, app=app, cwd=self.aws.directory, context=given)


@pytest.fixture
def deployed(local_aws: LocalAws, request: pytest.FixtureRequest) -> Iterator[Deployed]:
    """A stack of its own for each test; what runs afterwards is stopped, so that the quota is free."""
    name = "".join(part.capitalize() for part in request.node.name.partition("[")[0].split("_")[1:])[:60]
    yield Deployed(local_aws, name)
    client = local_aws.client("sagemaker")
    for job in client.list_jobs(JobCategory="AgentRFT", StatusEquals="InProgress")["JobSummaries"]:
        client.stop_job(JobName=job["JobName"], JobCategory="AgentRFT")
