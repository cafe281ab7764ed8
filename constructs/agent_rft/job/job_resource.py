"""The custom resource that submits a job, whatever its category, and is all that CloudFormation sees of it."""

from functools import cache

from aws_cdk import CfnDeletionPolicy, CfnResource, CustomResource, Duration, TagManager
from constructs import Construct, IConstruct, IDependable

from agent_rft.job.job_quota import warn_of_quota
from agent_rft.model.model import Model
from agent_rft.provider.job_provider import SERVICE_TIMEOUT_MINUTES, JobProvider
from agent_rft.synthesis import said_later
from agent_rft_handler import contract
from agent_rft_handler.declaration import Declaration


class DeclaredJob(CustomResource):
    """The custom resource, with what it declares: a state machine's task submits the same."""

    declaration: Declaration
    tags: TagManager


def job_resource(
    scope: Construct, declaration: Declaration, model: Model, tags: TagManager, *needs: IDependable
) -> DeclaredJob:
    """The job as declared, submitted by the stack's handler; it waits for what it needs."""
    warn_of_quota(scope, declaration)
    provider = JobProvider.of(scope)
    allowed = provider._allow_job(scope, declaration, model)
    resource = DeclaredJob(
        scope,
        "Job",
        service_token=provider.service_token,
        resource_type=contract.JOB_RESOURCE_TYPE,
        properties={
            **declared_properties(declaration, tags),
            "UpdateReplacePolicy": said_later(lambda: _when_replaced(l1)),
        },
        service_timeout=_service_timeout(),
    )
    resource.declaration, resource.tags = declaration, tags
    node = resource.node
    l1 = scope.node.default_child = node.default_child
    node.add_dependency(allowed, *needs)
    return resource


def declared_properties(declaration: Declaration, tags: TagManager) -> dict[str, object]:
    """What a job declares, as whoever submits it gets it."""
    return {**contract.to_properties(declaration), "Tags": tags.rendered_tags}


def declared_dry(scope: Construct, job: Construct) -> list[DeclaredJob]:
    """What a trainer or an evaluator declares for someone else to submit; two jobs where it compares with the base.

    Raises:
        ValueError: for one that the deployment itself submits.
    """
    places = [job.node, *(each.node for each in [job.node.try_find_child("BaseModel")] if each)]
    found = [each.try_find_child("Job") for each in places]
    declared = [each for each in found if isinstance(each, DeclaredJob)]
    if declared and all(each.declaration.dry_run for each in declared):
        return declared
    raise ValueError(
        f"[{scope.node.path}] The job must be declared with dry_run=True: a deployment then checks it, and "
        "a state machine submits it. Without it, the deployment itself would submit a job, too."
    )


@cache
def _service_timeout() -> Duration:
    return Duration.minutes(SERVICE_TIMEOUT_MINUTES)


def _when_replaced(resource: IConstruct | None) -> str | list[str]:
    """Tells the handler of a job that outlives its replacement, which a later event would take for a stray.

    Read when the template is made, as a removal policy may also come from ``RemovalPolicies.of(...)``.
    """
    options = resource.cfn_options if isinstance(resource, CfnResource) else None
    return "Retain" if options and options.update_replace_policy == CfnDeletionPolicy.RETAIN else []
