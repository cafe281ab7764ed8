"""A CloudWatch dashboard of a job: what CloudWatch has of it, and no more.

SageMaker's own figures of these jobs (reward, tokens, progress) are in MLflow and in DescribeJob, and no metric of
CloudWatch's is documented for them [AWS docs: monitoring-cloudwatch]; so the dashboard says where they are.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aws_cdk import Duration, Stack
from constructs import Construct

from agent_rft.arguments.checked import checked
from agent_rft.interfaces import IAgentRFTJob
from agent_rft.provider.job_provider import JobProvider
from agent_rft.synthesis import when_declared
from agent_rft.watch.job_watch import JobWatch

if TYPE_CHECKING:  # few stacks have one, and the module takes long to import
    from aws_cdk import aws_cloudwatch as cloudwatch

WIDTH, LINES, DAYS = 24, 100, 14
"""The whole width of a dashboard, how many lines of the log it shows, and over how many days."""


class JobDashboard(Construct):
    """A dashboard of a job: its log, its watcher's metrics where it is watched, and the handler that submits it.

    Example::

        JobDashboard(self, "Dashboard", job=trainer)
    """

    dashboard: "cloudwatch.Dashboard"
    """The dashboard itself; ``dashboard.add_widgets(...)`` adds yours."""

    @checked
    def __init__(
        self, scope: Construct, id: str, *, job: IAgentRFTJob, dashboard: "cloudwatch.Dashboard | None" = None
    ) -> None:
        """Makes the dashboard, or adds the job to one.

        Args:
            scope: Where it is made.
            id: Its id there.
            job: A trainer, an evaluator, or a job that was submitted elsewhere.
            dashboard: Where the job is shown, below what is there; on a dashboard of its own without it.
        """
        from aws_cdk import aws_cloudwatch as cloudwatch

        super().__init__(scope, id)
        self.dashboard = dashboard or cloudwatch.Dashboard(self, "Dashboard", default_interval=Duration.days(DAYS))
        self.dashboard.add_widgets(_text(job))
        self.dashboard.add_widgets(_log(job, Stack.of(self)))
        # notifications may be asked for after the dashboard
        when_declared(self, lambda: self.dashboard.add_widgets(*_watcher(job), *_handler(job)))


def _text(job: IAgentRFTJob) -> "cloudwatch.IWidget":
    from aws_cdk import aws_cloudwatch as cloudwatch

    markdown = (
        f"Job `{job.job_name}`\n\n"
        f"Status, progress and reward: `agent-rft watch {job.job_arn}`. "
        "Figures by step, and the link to its MLflow run: `agent-rft metrics`, `agent-rft open`."
    )
    return cloudwatch.TextWidget(markdown=markdown, width=WIDTH, height=3)


def _log(job: IAgentRFTJob, stack: Stack) -> "cloudwatch.IWidget":
    """What the job writes; CloudWatch finds nothing before the first job has made the log group."""
    from aws_cdk import aws_cloudwatch as cloudwatch

    return cloudwatch.LogQueryWidget(
        title="The job's log",
        log_group_names=[job.log_group_name],
        query_lines=[
            "fields @timestamp, @message",
            rf"filter @logStream like /^{job.job_name}\//",
            "sort @timestamp desc",
            f"limit {LINES}",
        ],
        region=job.env.region,
        account_id=None if job.env.account == stack.account else job.env.account,
        width=WIDTH,
        height=9,
    )


def _watcher(job: IAgentRFTJob) -> "Iterator[cloudwatch.IWidget]":
    """Of the state machine that looks at the job; nothing where nobody is told of it."""
    watch = job.node.try_find_child("Watch")
    if isinstance(watch, JobWatch):
        yield _graph("Failed, or not watched any more", watch.state_machine.metric_failed())
        yield _graph("How long jobs took", watch.state_machine.metric_time())


def _handler(job: IAgentRFTJob) -> "Iterator[cloudwatch.IWidget]":
    """Of the function that submits it; nothing for a job that was submitted elsewhere."""
    if job.node.try_find_child("Job"):
        function = JobProvider.of(Stack.of(job)).function
        yield _graph("The handler's errors", function.metric_errors(), function.metric_throttles())
        yield _graph("How long the handler took", function.metric_duration())


def _graph(title: str, *metrics: "cloudwatch.IMetric") -> "cloudwatch.IWidget":
    from aws_cdk import aws_cloudwatch as cloudwatch

    return cloudwatch.GraphWidget(title=title, left=list(metrics), width=WIDTH // 4, height=6)
