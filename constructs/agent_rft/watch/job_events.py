"""Notifications of a job's changes, as CDK's ``on_*`` methods make them, and the metrics of its ends."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aws_cdk import CfnResource, Names, Resource, Stack, Token
from constructs import Construct

from agent_rft.arguments.checked import checked
from agent_rft_handler.facts import TERMINAL_STATUSES, Category
from agent_rft_handler.job_event import DETAIL_TYPE, LOGICAL_ID, SOURCE, STACK_ID

if TYPE_CHECKING:  # most trainers notify nobody, and these modules take long to import
    from aws_cdk import aws_cloudwatch as cloudwatch
    from aws_cdk import aws_events as events
    from aws_cdk import aws_sns as sns

    from agent_rft.job.job_resource import DeclaredJob
    from agent_rft.watch.job_watch import JobWatch

MESSAGE = "The job {JobName} is {JobStatus}. {FailureReason}"
"""What ``notify`` sends; braces name members of the event's detail."""


class WatchedJob(Resource):
    """A job whose changes can be told; the first notification that is asked for makes what watches it."""

    _category: Category
    """The JobCategory, and what differs between categories."""

    _resource: "DeclaredJob"
    """What submits it; unset where it is only attached."""

    _known_name = _known_arn = ""
    """Of a job that is only attached."""

    @property
    def job_name(self) -> str:
        """The job's name."""
        return self._known_name or self._resource.attribute("JobName")

    @property
    def job_arn(self) -> str:
        """The job's ARN."""
        return self._known_arn or self._resource.attribute("JobArn")

    @checked
    def on_state_change(
        self,
        id: str,
        *,
        target: "events.IRuleTarget | None" = None,
        event_pattern: "events.EventPattern | Mapping[str, Any] | None" = None,
        rule_name: str | None = None,
        description: str | None = None,
        cross_stack_scope: Construct | None = None,
    ) -> "events.Rule":
        """A rule for every change of the job's status.

        Example::

            trainer.on_state_change("Told", target=targets.LambdaFunction(function))

        Args:
            id: The rule's id below the job.
            target: Who is told; none without it, ``add_target`` adds one.
            event_pattern: What else the event must be, beside this job's; nothing without it.
            rule_name: The rule's name; CloudFormation makes one without it.
            description: What the rule is for; empty without it.
            cross_stack_scope: Where the rule is made, when its target is in another stack; the job without it.
        """
        return self._rule(
            id,
            (),
            target=target,
            event_pattern=event_pattern,
            rule_name=rule_name,
            description=description,
            cross_stack_scope=cross_stack_scope,
        )

    @checked
    def on_completed(self, id: str, *, target: "events.IRuleTarget | None" = None, **options: Any) -> "events.Rule":
        """A rule for the job's success; the options are those of ``on_state_change``."""
        return self._rule(id, ("Completed",), target=target, **options)

    @checked
    def on_failed(self, id: str, *, target: "events.IRuleTarget | None" = None, **options: Any) -> "events.Rule":
        """A rule for the job's failure; the options are those of ``on_state_change``."""
        return self._rule(id, ("Failed",), target=target, **options)

    @checked
    def on_stopped(self, id: str, *, target: "events.IRuleTarget | None" = None, **options: Any) -> "events.Rule":
        """A rule for a job that was stopped; the options are those of ``on_state_change``."""
        return self._rule(id, ("Stopped",), target=target, **options)

    @checked
    def notify(self, topic: "sns.ITopic", *, statuses: Sequence[str] = TERMINAL_STATUSES) -> "events.Rule":
        """Sends a readable message to the topic, when the job has ended or whenever it is in one of ``statuses``.

        Example::

            topic = sns.Topic(self, "Topic")
            topic.add_subscription(subscriptions.EmailSubscription("me@example.com"))
            trainer.notify(topic)

        Args:
            topic: Who subscribes to it is told.
            statuses: JobStatus values of the API; Completed, Failed and Stopped without it.
        """
        from aws_cdk import aws_events as events
        from aws_cdk import aws_events_targets as targets

        names = ("JobName", "JobStatus", "FailureReason")
        text = MESSAGE.format(**{name: events.EventField.from_path(f"$.detail.{name}") for name in names})
        target = targets.SnsTopic(topic, message=events.RuleTargetInput.from_text(text))
        rule = self._rule(f"Notify{Names.unique_resource_name(topic, max_length=100)}", tuple(statuses), target=target)
        self._watch().starts_after(topic)
        return rule

    @checked
    def metric(self, metric_name: str, **options: Any) -> "cloudwatch.Metric":
        """A metric of the watchers of this job, such as ``ExecutionTime``: a watcher runs as long as its job.

        Args:
            metric_name: A metric of the namespace AWS/States.
            options: What ``cloudwatch.Metric`` takes, such as ``period``.
        """
        return self._watch().state_machine.metric(metric_name, **options)

    @checked
    def metric_failed(self, **options: Any) -> "cloudwatch.Metric":
        """How many jobs failed, or could not be watched any more (the sum, of five minutes without ``period``).

        Example::

            trainer.metric_failed().create_alarm(self, "Alarm", threshold=1, evaluation_periods=1)
        """
        return self._watch().state_machine.metric_failed(**options)

    @checked
    def metric_duration(self, **options: Any) -> "cloudwatch.Metric":
        """How long jobs took, in milliseconds (the average, of five minutes without ``period``)."""
        return self._watch().state_machine.metric_time(**options)

    def _event_owner(self) -> dict[str, str]:
        """What the events of this job, and of those that replace it, say of whose they are; of one not ours nothing."""
        resource, stack = self.node.try_find_child("Job"), Stack.of(self)
        if not isinstance(resource, CfnResource):
            return {}
        return {STACK_ID: stack.stack_id, LOGICAL_ID: stack.get_logical_id(resource)}

    def _rule(self, id: str, statuses: Sequence[str], **options: Any) -> "events.Rule":
        from aws_cdk import aws_events as events

        scope = options.pop("cross_stack_scope", None) or self
        target = options.pop("target", None)
        given = {name: value for name, value in options.items() if value is not None}
        rule = events.Rule(scope, id, **given)
        rule.add_event_pattern(source=[SOURCE], detail_type=[DETAIL_TYPE], detail=self._detail(statuses))
        if target is not None:
            rule.add_target(target)
        if scope is self:
            self._watch().starts_after(rule)
        else:
            self._watch()
        return rule

    def _detail(self, statuses: Sequence[str]) -> dict[str, Any]:
        owner = self._event_owner() or {"JobName": self.job_name}
        whose = {name: [value] for name, value in owner.items()}
        return {**whose, **({"JobStatus": list(statuses)} if statuses else {})}

    def _watch(self) -> "JobWatch":
        from agent_rft.watch.job_watch import JobWatch

        found = self.node.try_find_child("Watch")
        if isinstance(found, JobWatch):
            return found
        if self._is_elsewhere():
            raise ValueError(
                f"[{self.node.path}] job_arn is {self.job_arn!r}, but a watcher sees jobs of its own account and "
                "region only. Ask for the notification in a stack of that account and region."
            )
        return JobWatch(self, job_name=self.job_name, job_category=self._category.name, owner=self._event_owner())

    def _is_elsewhere(self) -> bool:
        """Whether the job is known to be of another account or region than the stack."""
        own = Stack.of(self)
        pairs = ((self.env.account, own.account), (self.env.region, own.region))
        return any(there != here and not Token.is_unresolved(there + here) for there, here in pairs)
