"""What each kind of role gets that is given to a trainer, by the page's table."""

from collections.abc import Callable

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_iam as iam
from in_your_app.made import made, titles
from synth.app import ACCOUNT, JOB, readable, stack_of, trainer

JOBS_ROLE = iam.ServicePrincipal("job.sagemaker.amazonaws.com")
ARN = f"arn:aws:iam::{ACCOUNT}:role/rft"


def own(stack: Stack, path: str | None = None) -> iam.Role:
    return iam.Role(stack, "Role", assumed_by=JOBS_ROLE, path=path)


def of_another_stack(stack: Stack) -> iam.Role:
    app = stack.node.root
    assert isinstance(app, App)
    return own(stack_of(app, "Iam"))


def made_beforehand(stack: Stack) -> iam.Role:
    names = {"S/Role": "rft", "S/AgentRFTJobProvider/HandlerRole": "handler"}
    iam.Role.customize_roles(stack, prevent_synthesis=True, use_precreated_roles=names)
    return own(stack)


def frozen(stack: Stack) -> iam.IRole:
    return own(stack).without_policy_updates()


OWN = "Role1ABCC5F0"
"""Its logical id, which stands in a reference from another stack, too."""

ROLES: dict[str, tuple[Callable[[Stack], iam.IRole | str], str]] = {
    "an `iam.Role` of the stack": (own, OWN),
    "an `iam.Role` of another stack": (of_another_stack, OWN),
    "an `iam.Role` with a `path`": (lambda stack: own(stack, path="/team/jobs/"), OWN),
    "a name": (lambda _stack: "rft", "rft"),
    "an ARN": (lambda _stack: ARN, "rft"),
    "an ARN with a path": (lambda _stack: ARN.replace("rft", "team/jobs/rft"), "rft"),
    "`from_role_name`": (lambda stack: iam.Role.from_role_name(stack, "Role", "rft"), "rft"),
    "`from_role_arn`": (lambda stack: iam.Role.from_role_arn(stack, "Role", ARN), "rft"),
    "`mutable=False`": (lambda stack: iam.Role.from_role_arn(stack, "Role", ARN, mutable=False), ""),
    "`without_policy_updates()`": (frozen, ""),
    "`iam.Role.customize_roles`": (made_beforehand, ""),
}
"""By its title the role, and what its policy is attached to; nothing where there is no policy."""


@pytest.mark.parametrize("title", ROLES)
def test_a_given_role_gets_what_the_job_needs_or_there_is_a_warning(title: str) -> None:
    give, attached = ROLES[title]
    app = App()
    stack = stack_of(app)
    trainer(stack, role=give(stack))
    found = made(app)
    warned = any("cannot be changed from here" in each for each in found.warnings)
    if attached:
        assert "sagemaker:CreateModelPackage" in found.allowed(attached)
    assert warned == (not attached)
    assert ("sagemaker:CreateModelPackage" in str(found.templates)) == (not warned)


def test_the_page_has_every_role() -> None:
    assert titles("Roles") == list(ROLES)


def test_a_roles_path_stays_in_its_arn() -> None:
    app = App()
    stack = stack_of(app)
    arn = ARN.replace("rft", "team/jobs/rft")
    trainer(stack, role=arn)
    found = made(app)
    assert [each["RoleArn"] for each in found.resources(JOB)] == [arn]
    assert found.allowed("HandlerRole")["iam:PassRole"] == [arn]


def test_a_permissions_boundary_is_that_of_every_role() -> None:
    app = App()
    stack = stack_of(app)
    job = trainer(stack)
    job.on_completed("Done")
    iam.PermissionsBoundary.of(app).apply(iam.ManagedPolicy.from_managed_policy_name(stack, "Bound", "limits"))
    boundaries = [readable(each["PermissionsBoundary"]) for each in made(app).resources("AWS::IAM::Role")]
    assert len(boundaries) == 4
    assert all(each.endswith("policy/limits") for each in boundaries)
