"""Custom resources are sent, answered and undone as CloudFormation and Lambda do it."""

import time
from typing import Any

import pytest
from botocore.exceptions import ClientError
from local.roles import allow, limited
from local.stacks import (
    create,
    custom_resource,
    delete,
    failing,
    reasons,
    settled,
    start,
    start_update,
    status,
    until,
    update,
)

from agent_rft_local import LocalAws


def sent(aws: LocalAws) -> list[tuple[str, str]]:
    """The events so far, each with the id that it names."""
    return [(event["RequestType"], event.get("PhysicalResourceId", "")) for event in aws.deliveries()]


def kinds(aws: LocalAws) -> list[str]:
    return [kind for kind, _ in sent(aws)]


def thing(aws: LocalAws, stack: str) -> dict[str, Any]:
    """The custom resource, as DescribeStackResource shows it."""
    found = aws.client("cloudformation").describe_stack_resource(StackName=stack, LogicalResourceId="Thing")
    return dict(found["StackResourceDetail"])


def test_a_good_answer_gives_id_and_attributes(bare_aws: LocalAws) -> None:
    outputs = {"Id": {"Ref": "Thing"}, "A": {"Fn::GetAtt": ["Thing", "A"]}}
    assert create(bare_aws, "fine", custom_resource(Number=1, Yes=True, List=[0.5]), outputs) == "CREATE_COMPLETE"
    assert bare_aws.outputs("fine") == {"Id": "thing-1", "A": "b"}
    properties = bare_aws.deliveries()[0]["ResourceProperties"]
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
def test_a_bad_answer_fails_the_create_which_is_then_undone(bare_aws: LocalAws, how: str, said: str) -> None:
    assert create(bare_aws, how, custom_resource(Create=how)) == "ROLLBACK_COMPLETE"
    assert said in reasons(bare_aws, how)
    assert kinds(bare_aws) == ["Create", "Delete"]
    invented = bare_aws.deliveries()[1]["PhysicalResourceId"]
    assert invented.startswith(f"{how}-Thing-") == (how == "nameless")


def test_the_undoing_delete_comes_while_the_stack_rolls_back(bare_aws: LocalAws) -> None:
    start(bare_aws, "undone", custom_resource(Create="failed", Delete="sleeps 1"))
    until(lambda: kinds(bare_aws) == ["Create", "Delete"])
    assert status(bare_aws, "undone") == "ROLLBACK_IN_PROGRESS"
    assert thing(bare_aws, "undone")["ResourceStatus"] == "DELETE_IN_PROGRESS"
    assert settled(bare_aws, "undone") == "ROLLBACK_COMPLETE"


def test_without_rollback_a_failed_create_is_undone_only_by_the_stacks_end(bare_aws: LocalAws) -> None:
    assert create(bare_aws, "kept", custom_resource(Create="failed"), DisableRollback=True) == "CREATE_FAILED"
    assert kinds(bare_aws) == ["Create"]
    assert thing(bare_aws, "kept")["PhysicalResourceId"] == "thing-1"
    assert delete(bare_aws, "kept") == "DELETE_COMPLETE"
    assert sent(bare_aws) == [("Create", ""), ("Delete", "thing-1")]


def test_without_rollback_the_next_update_replaces_what_could_not_be_made(bare_aws: LocalAws) -> None:
    plain = custom_resource()
    without = {name: plain[name] for name in ("Role", "Function")}
    create(bare_aws, "replaced", without)
    assert update(bare_aws, "replaced", custom_resource(Create="failed"), DisableRollback=True) == "UPDATE_FAILED"
    assert update(bare_aws, "replaced", custom_resource(Id="thing-2")) == "UPDATE_COMPLETE"
    assert sent(bare_aws) == [("Create", ""), ("Create", ""), ("Delete", "thing-1")]


@pytest.mark.parametrize("timeout", [0, 3601, "soon"])
def test_a_timeout_that_cloudformation_does_not_take_fails(bare_aws: LocalAws, timeout: object) -> None:
    assert create(bare_aws, "timeout", custom_resource(ServiceTimeout=timeout)) == "ROLLBACK_COMPLETE"
    assert "between 1 and 3600" in reasons(bare_aws, "timeout")


@pytest.mark.parametrize("how", ["raises", "sleeps 3"])
def test_lambda_runs_a_function_that_fails_or_times_out_twice_again(bare_aws: LocalAws, how: str) -> None:
    bare_aws.set(lambda_retry_seconds=0.1)
    resources = custom_resource(timeout=1, Create=how, ServiceTimeout=12)
    start(bare_aws, "retried", resources)
    name = until(lambda: [each["FunctionName"] for each in bare_aws.client("lambda").list_functions()["Functions"]])[0]
    logs = bare_aws.client("logs")

    def runs() -> list[str]:
        try:
            rows = logs.filter_log_events(logGroupName=f"/aws/lambda/{name}")["events"]
        except logs.exceptions.ResourceNotFoundException:
            return []
        return [row["message"] for row in rows if row["message"].startswith("START")]

    until(runs, lambda found: len(found) == 3)
    assert kinds(bare_aws) == ["Create"]
    bare_aws.client("cloudformation").delete_stack(StackName="retried")


def test_the_first_answer_wins(bare_aws: LocalAws) -> None:
    outputs = {"Id": {"Ref": "Thing"}}
    assert create(bare_aws, "twice", custom_resource(Create="again crashes"), outputs) == "CREATE_COMPLETE"
    assert bare_aws.outputs("twice") == {"Id": "thing-1"}


def test_an_answer_after_the_service_timeout_is_ignored(bare_aws: LocalAws) -> None:
    assert create(bare_aws, "late", custom_resource(Create="sleeps 7", ServiceTimeout=5)) == "ROLLBACK_COMPLETE"
    assert "did not receive a response" in reasons(bare_aws, "late")
    (_, _), (_, made_up) = sent(bare_aws)
    assert made_up.startswith("late-Thing-")


def test_an_outstanding_create_is_shown_without_an_id(bare_aws: LocalAws) -> None:
    start(bare_aws, "shown", custom_resource(Create="sleeps 1"))
    until(lambda: kinds(bare_aws))
    shown = thing(bare_aws, "shown")
    assert (shown["ResourceStatus"], shown.get("PhysicalResourceId") or "") == ("CREATE_IN_PROGRESS", "")
    assert status(bare_aws, "shown") == "CREATE_IN_PROGRESS"
    assert settled(bare_aws, "shown") == "CREATE_COMPLETE"
    assert thing(bare_aws, "shown")["PhysicalResourceId"] == "thing-1"


def test_an_id_that_changed_is_deleted_in_the_clean_up(bare_aws: LocalAws) -> None:
    create(bare_aws, "moved", custom_resource(Delete="sleeps 1"))
    start_update(bare_aws, "moved", custom_resource(Id="thing-2", Update="sleeps 1"))
    until(lambda: "Update" in kinds(bare_aws))
    assert thing(bare_aws, "moved")["ResourceStatus"] == "UPDATE_IN_PROGRESS"
    assert thing(bare_aws, "moved")["PhysicalResourceId"] == "thing-1"
    until(lambda: sent(bare_aws)[2:] == [("Delete", "thing-1")])
    assert status(bare_aws, "moved") == "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"
    assert thing(bare_aws, "moved")["PhysicalResourceId"] == "thing-2"
    assert settled(bare_aws, "moved") == "UPDATE_COMPLETE"


def test_a_clean_up_is_tried_three_times_and_fails_no_stack(bare_aws: LocalAws) -> None:
    create(bare_aws, "tried", custom_resource(Delete="failed"))
    assert update(bare_aws, "tried", custom_resource(Id="thing-2")) == "UPDATE_COMPLETE"
    assert sent(bare_aws)[2:] == [("Delete", "thing-1")] * 3
    assert len({event["RequestId"] for event in bare_aws.deliveries()}) == 5


def test_a_replaced_resource_that_is_retained_is_not_deleted(bare_aws: LocalAws) -> None:
    create(bare_aws, "retained", custom_resource())
    changed = custom_resource(Id="thing-2")
    changed["Thing"]["UpdateReplacePolicy"] = "Retain"
    changed["Thing"]["DeletionPolicy"] = "Retain"
    assert update(bare_aws, "retained", changed) == "UPDATE_COMPLETE"
    assert delete(bare_aws, "retained") == "DELETE_COMPLETE"
    assert kinds(bare_aws) == ["Create", "Update"]


def test_a_failed_update_is_sent_back(bare_aws: LocalAws) -> None:
    create(bare_aws, "back", custom_resource(Number=1, Update="sleeps 1"))
    start_update(bare_aws, "back", custom_resource(Number=2, Update="failed"))
    until(lambda: len(kinds(bare_aws)) == 3)
    assert status(bare_aws, "back") == "UPDATE_ROLLBACK_IN_PROGRESS"
    assert settled(bare_aws, "back") == "UPDATE_ROLLBACK_COMPLETE"
    _, forth, back = bare_aws.deliveries()
    assert back["ResourceProperties"] == forth["OldResourceProperties"]
    assert back["OldResourceProperties"] == forth["ResourceProperties"]


def test_a_rollback_is_told_to_what_replaced_the_resource_and_deletes_it_in_the_clean_up(bare_aws: LocalAws) -> None:
    create(bare_aws, "both", custom_resource())
    start_update(bare_aws, "both", failing(custom_resource(Id="thing-2", Delete="sleeps 1")))
    until(lambda: len(kinds(bare_aws)) == 4)
    assert sent(bare_aws)[1:] == [("Update", "thing-1"), ("Update", "thing-2"), ("Delete", "thing-2")]
    assert status(bare_aws, "both") == "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"
    assert settled(bare_aws, "both") == "UPDATE_ROLLBACK_COMPLETE"
    assert thing(bare_aws, "both")["PhysicalResourceId"] == "thing-1"


def test_a_failed_rollback_goes_on_by_sending_again_or_skips_the_resource(bare_aws: LocalAws) -> None:
    cloudformation = bare_aws.client("cloudformation")
    create(bare_aws, "stuck", custom_resource(Update="failed"))
    forth = failing(custom_resource(Id="thing-2"))
    assert update(bare_aws, "stuck", forth) == "UPDATE_ROLLBACK_FAILED"
    cloudformation.continue_update_rollback(StackName="stuck")
    until(lambda: len(kinds(bare_aws)) == 4)
    assert settled(bare_aws, "stuck") == "UPDATE_ROLLBACK_FAILED"
    cloudformation.continue_update_rollback(StackName="stuck", ResourcesToSkip=["Thing"])
    assert settled(bare_aws, "stuck") == "UPDATE_ROLLBACK_COMPLETE"
    assert sent(bare_aws)[1:] == [("Update", "thing-1"), ("Update", "thing-2"), ("Update", "thing-2")]
    assert thing(bare_aws, "stuck")["PhysicalResourceId"] == "thing-2"


def test_a_cancelled_update_goes_back_while_the_function_is_still_at_work(bare_aws: LocalAws) -> None:
    create(bare_aws, "cancelled", custom_resource())
    start_update(bare_aws, "cancelled", custom_resource(Id="thing-2", Update="sleeps 3"))
    until(lambda: "Update" in kinds(bare_aws))
    begun = time.monotonic()
    bare_aws.client("cloudformation").cancel_update_stack(StackName="cancelled")
    assert settled(bare_aws, "cancelled") == "UPDATE_ROLLBACK_COMPLETE"
    assert time.monotonic() - begun < 3
    assert "update cancelled" in reasons(bare_aws, "cancelled")
    assert sent(bare_aws)[1:] == [("Update", "thing-1"), ("Update", "thing-1")]


def test_a_stack_is_deleted_while_a_create_is_still_at_work(bare_aws: LocalAws) -> None:
    start(bare_aws, "unwanted", custom_resource(Create="sleeps 3"))
    until(lambda: kinds(bare_aws))
    begun = time.monotonic()
    assert delete(bare_aws, "unwanted") == "DELETE_COMPLETE"
    assert time.monotonic() - begun < 3
    (_, none), (kind, made_up) = sent(bare_aws)
    assert (none, kind) == ("", "Delete")
    assert made_up.startswith("unwanted-Thing-")


def test_a_stack_is_not_deleted_in_the_middle_of_an_update(bare_aws: LocalAws) -> None:
    create(bare_aws, "busy", custom_resource())
    start_update(bare_aws, "busy", custom_resource(Update="sleeps 1"))
    with pytest.raises(ClientError, match="cannot be deleted while in status UPDATE_IN_PROGRESS"):
        bare_aws.client("cloudformation").delete_stack(StackName="busy")
    assert settled(bare_aws, "busy") == "UPDATE_COMPLETE"


def test_a_role_sees_only_the_stack_that_its_policy_names(bare_aws: LocalAws) -> None:
    for name in ("own", "other"):
        create(bare_aws, name, custom_resource())
    own = bare_aws.client("cloudformation").describe_stacks(StackName="own")["Stacks"][0]["StackId"]
    other = bare_aws.client("cloudformation").describe_stacks(StackName="other")["Stacks"][0]["StackId"]
    looks = ["cloudformation:DescribeStacks", "cloudformation:DescribeStackResource"]
    client = limited(bare_aws, "onlooker", allow(looks, own), service="cloudformation")
    client.describe_stacks(StackName=own)
    client.describe_stack_resource(StackName=own, LogicalResourceId="Thing")
    with pytest.raises(ClientError, match="AccessDenied"):
        client.describe_stacks(StackName=other)
    with pytest.raises(ClientError, match="AccessDenied"):
        client.describe_stack_resource(StackName=other, LogicalResourceId="Thing")
