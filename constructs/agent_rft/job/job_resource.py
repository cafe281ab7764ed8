"""The custom resource that submits a job, whatever its category, and is all that CloudFormation sees of it."""

import itertools
from collections.abc import Mapping

from aws_cdk import CfnResource, ICfnResourceOptions, RemovalPolicy
from constructs import Construct, IDependable

from agent_rft.job.job_quota import warn_of_quota
from agent_rft.job.job_tags import JobTags
from agent_rft.model.model import Model
from agent_rft.place import Place
from agent_rft.provider.job_provider import SERVICE_TIMEOUT_MINUTES, JobProvider
from agent_rft.synthesis import said_later
from agent_rft_handler import contract
from agent_rft_handler.declaration import Declaration


class DeclaredJob(CfnResource):
    """The custom resource, with what it declares: a state machine's task submits the same."""

    declaration: Declaration
    tags: JobTags

    def attribute(self, name: str) -> str:
        """What only the deploy knows of it."""
        return self.get_att(name).to_string()


def job_resource(
    scope: Construct, declaration: Declaration, model: Model, tags: JobTags, *needs: IDependable
) -> DeclaredJob:
    """The job as declared, submitted by the stack's handler; it waits for what it needs.

    CDK's ``CustomResource`` would be a second construct for the same resource, with a timeout and policies to ask for.
    """
    warn_of_quota(scope, declaration)
    provider = JobProvider.of(scope)
    allowed = provider._allow_job(scope, declaration, model)
    properties = {
        "ServiceToken": provider.service_token,
        "ServiceTimeout": str(SERVICE_TIMEOUT_MINUTES * 60),
        **declared_properties(declaration, tags),
    }
    options = Place.of(provider).kept(job_resource, dict[DeclaredJob, ICfnResourceOptions])
    if not options:
        properties["UpdateReplacePolicy"] = said_later(lambda: _tell_when_retained(options))
    resource = DeclaredJob(scope, "Job", type=contract.JOB_RESOURCE_TYPE, properties=properties)
    options[resource] = resource.cfn_options
    resource.declaration, resource.tags = declaration, tags
    # said, so that MissingRemovalPolicies.of(...) keeps no job; the other policy follows from it
    resource.apply_removal_policy(RemovalPolicy.DESTROY, apply_to_update_replace_policy=False)
    scope.node.default_child = resource
    resource.node.add_dependency(allowed, *needs)
    return resource


def declared_properties(declaration: Declaration, tags: JobTags) -> dict[str, object]:
    """What a job declares, as whoever submits it gets it."""
    return {**contract.to_properties(declaration), "Tags": tags.rendered}


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
        f"[{scope.node.path}] The job {job.node.path} must be declared with dry_run=True: a deployment then checks it, "
        "and a state machine submits it. Without it, the deployment itself would submit a job, too."
    )


def _tell_when_retained(options: Mapping[DeclaredJob, ICfnResourceOptions]) -> str | None:
    """Tells the handler of each job that outlives its replacement, which a later event would take for a stray.

    When the template is made, as a removal policy may also come from ``RemovalPolicies.of(...)``; and for all jobs of a
    stack when the first is asked, as to ask each took a third of a trainer's synth. CDK asks before it writes any.
    """
    first, *others = options
    said = Place.of(first).stack.resolve([*options.values()])
    first_stays, *others_stay = (each.get("updateReplacePolicy") == "Retain" for each in said)
    for job in itertools.compress(others, others_stay):
        job.add_property_override("UpdateReplacePolicy", "Retain")
    return "Retain" if first_stays else None
