"""A job with ``apply_removal_policy(RETAIN)`` on a real deployment: it outlives its replacement and its stack."""

from deployment import Deployment


def test_a_retained_job_outlives_its_replacement_and_its_stack(changing: Deployment) -> None:
    changing.aws.set(running_jobs=2)
    changing.deploy(retain="1")
    first = changing.outputs()["JobName"]
    assert changing.deploy(retain="1", epochs="2", replacement="submit_first") == "UPDATE_COMPLETE"
    second = changing.outputs()["JobName"]
    assert changing.jobs() == {first: "InProgress", second: "InProgress"}
    assert changing.deploy(retain="1", epochs="2", replacement="submit_first", owner="you") == "UPDATE_COMPLETE"
    assert changing.jobs() == {first: "InProgress", second: "InProgress"}
    changing.delete()
    assert changing.jobs() == {first: "InProgress", second: "InProgress"}


def test_a_job_that_is_no_longer_retained_ends_with_its_stack(changing: Deployment) -> None:
    changing.deploy(retain="1")
    first = changing.outputs()["JobName"]
    assert changing.deploy() == "UPDATE_COMPLETE"
    assert changing.jobs() == {first: "InProgress"}
    changing.delete()
    assert changing.jobs()[first] in ("Stopping", "Stopped")
