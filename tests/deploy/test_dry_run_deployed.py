"""dry_run by real deployments: checked, not submitted; then submitted; then refused while the job runs."""

from deploy.conftest import Deployed


def test_a_dry_run_submits_nothing_and_turned_off_submits_the_job_that_it_named(deployed: Deployed) -> None:
    deployed.deploy(dry_run="1")
    named = deployed.aws.outputs(deployed.stack)
    assert named["BaseModelArn"].endswith("/Model/openai-reasoning-gpt-oss-20b/1.0.0")
    assert deployed.aws.calls("CreateJob") == []

    deployed.deploy()
    assert deployed.aws.outputs(deployed.stack) == named
    assert deployed.jobs() == {named["JobName"]: "InProgress"}

    said = deployed.refused(dry_run="1")
    assert f"the job {named['JobName']} is InProgress and would be stopped" in said
    assert deployed.status() == "UPDATE_ROLLBACK_COMPLETE"
    assert deployed.jobs() == {named["JobName"]: "InProgress"}


def test_a_dry_run_of_a_wrong_declaration_fails_the_deployment(deployed: Deployed) -> None:
    assert "has no recipe for multi-turn RL" in deployed.refused(dry_run="1", model="huggingface-llm-falcon-7b-bf16")
    assert deployed.aws.calls("CreateJob") == []


def test_a_stack_whose_job_was_a_dry_run_is_destroyed(deployed: Deployed) -> None:
    deployed.deploy(dry_run="1")
    deployed.destroy()
    assert deployed.aws.calls("CreateJob", "StopJob") == []
