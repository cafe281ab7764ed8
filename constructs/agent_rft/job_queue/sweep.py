"""One training with many sets of hyperparameters, as one queue."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from constructs import Construct

from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import may_be, refuse, unknown, unresolved
from agent_rft.hyperparameters.hyperparameter_sources import SentHyperparameters
from agent_rft.hyperparameters.hyperparameters import EvaluationHyperParameters, HyperParameters
from agent_rft.job.job_resource import DeclaredJob, declared_dry
from agent_rft.job.submitted_job import SubmittedJob
from agent_rft.job_queue.queued_jobs import QueuedJobs
from agent_rft_handler.validation import problems, shown

NAME_MAX_LENGTH = 64


class Sweep(QueuedJobs):
    """Runs a trainer, or an evaluator, once for each variant of its hyperparameters; each variant is a row of a list.

    However many variants there are, they are one resource. A job is called like its variant, and so is its MLflow run.

    Example::

        base = MultiTurnRLTrainer(self, "Base", ..., hyperparameters={"max_epochs": 2}, dry_run=True)
        Sweep(self, "Sweep", base=base, variants={"slow": {"learning_rate": 1e-5}, "fast": {"learning_rate": 1e-4}})
    """

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        base: SubmittedJob,
        variants: Mapping[str, HyperParameters | EvaluationHyperParameters | Mapping[str, object]],
        concurrency: int = 1,
        stop_on_failure: bool = False,
    ) -> None:
        """Declares the sweep.

        Args:
            scope: Where it is declared.
            id: Its id there.
            base: A trainer or an evaluator, declared with ``dry_run=True``: what all variants have in common, the
                bucket of the results included. It is not a variant itself.
            variants: Hyperparameters by the variant's name, in the order in which they run: each in place of the
                base's value of that name, the others as the base has them.
            concurrency: How many of them run at a time; one without it, the quota of an account and region.
            stop_on_failure: Set True to submit nothing any more once a job has failed. Without it, the others run.

        Raises:
            ValueError: for a base without ``dry_run=True``, no variants, a name that no variant can have, and for
                hyperparameters that the base's own would be refused for.
        """
        refuse(scope, _name_problems(variants), id)
        super().__init__(
            scope, id, output_bucket=base.output_bucket, concurrency=concurrency, stop_on_failure=stop_on_failure
        )
        declared = declared_dry(self, base)[0]
        for name, hyperparameters in variants.items():
            scope = Construct(self, name)
            given = base._sent(scope, hyperparameters, declared.declaration.model)
            self._enqueue(name, declared, _in_place(scope, declared, given))


def _in_place(scope: Construct, declared: DeclaredJob, given: SentHyperparameters) -> dict[str, object]:
    """What the variant says in place of the base; checked as the base's own is, with the variant's name in messages."""
    base, name = declared.declaration, scope.node.id
    whole = {**base.hyperparameters, **given.texts}
    refuse(scope, problems(replace(base, hyperparameters=whole), unresolved=unknown, accepts=may_be))
    unchecked = sorted({*base.unchecked_hyperparameters, *given.unchecked} - _judged(given))
    said: dict[str, object] = {"Hyperparameters": given.texts, "BaseJobName": _job_name(base.base_job_name, name)}
    if unchecked:
        said["UncheckedHyperparameters"] = unchecked
    return {**said, "MlflowRunName": name}


def _judged(given: SentHyperparameters) -> set[str]:
    """What the variant has checked although the base had not."""
    return set(given.texts) - set(given.unchecked)


def _job_name(base: str, variant: str) -> str:
    return f"{base}-{variant}" if base else variant


def _name_problems(variants: Mapping[str, object]) -> Iterator[str]:
    if not variants:
        yield "variants is empty. Give one or more."
    for name in variants:
        if not isinstance(name, str) or unresolved(name) or not 1 <= len(name) <= NAME_MAX_LENGTH or "/" in name:
            yield (
                f"variants has the name {shown(name)}, but a name has 1 to {NAME_MAX_LENGTH} characters, known at "
                "synth, without a slash. Rename it."
            )
