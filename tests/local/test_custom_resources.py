"""Custom resources are refused where CloudFormation refuses them, and undone as it undoes them."""

import pytest
from local.stacks import create, custom_resource, reasons

from agent_rft_local import LocalAws


def kinds(aws: LocalAws) -> list[str]:
    return [event["RequestType"] for event in aws.deliveries()]


def test_a_good_answer_gives_id_and_attributes(local_aws: LocalAws) -> None:
    outputs = {"Id": {"Ref": "Thing"}, "A": {"Fn::GetAtt": ["Thing", "A"]}}
    assert create(local_aws, "fine", custom_resource(Number=1, Yes=True, List=[0.5]), outputs) == "CREATE_COMPLETE"
    assert local_aws.outputs("fine") == {"Id": "thing-1", "A": "b"}
    properties = local_aws.deliveries()[0]["ResourceProperties"]
    assert (properties["Number"], properties["Yes"], properties["List"]) == ("1", "true", ["0.5"])


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("failed", "as asked"),
        ("long", "Response object is too long"),
        ("stranger", "Invalid RequestId"),
        ("status", "Invalid Status"),
        ("nameless", "Invalid PhysicalResourceId"),
    ],
)
def test_a_bad_answer_fails_the_create_which_is_then_undone(local_aws: LocalAws, how: str, said: str) -> None:
    assert create(local_aws, how, custom_resource(How=how)) == "ROLLBACK_COMPLETE"
    assert said in reasons(local_aws, how)
    assert kinds(local_aws) == ["Create", "Delete"]
    invented = local_aws.deliveries()[1]["PhysicalResourceId"]
    assert invented.startswith(f"{how}-Thing-") == (how == "nameless")


def test_without_rollback_a_failed_create_is_not_undone(local_aws: LocalAws) -> None:
    assert create(local_aws, "kept", custom_resource(How="failed"), DisableRollback=True) == "CREATE_FAILED"
    assert kinds(local_aws) == ["Create"]


@pytest.mark.parametrize("timeout", [0, 3601, "soon"])
def test_a_timeout_that_cloudformation_does_not_take_fails(local_aws: LocalAws, timeout: object) -> None:
    name = f"timeout-{timeout}"
    assert create(local_aws, name, custom_resource(ServiceTimeout=timeout)) == "ROLLBACK_COMPLETE"
    assert "between 1 and 3600" in reasons(local_aws, name)
