"""dry_run by real deployments: checked, not submitted; then submitted; then refused while the job runs."""

from deployment import JOB, Deployment


def test_a_dry_run_submits_nothing_and_turned_off_submits_the_job_that_it_named(changing: Deployment) -> None:
    assert changing.deploy(dry_run="1") == "CREATE_COMPLETE"
    named = changing.outputs()
    assert named["BaseModelArn"].endswith("/Model/openai-reasoning-gpt-oss-20b/1.0.0")
    assert changing.aws.calls("CreateJob") == []

    assert changing.deploy() == "UPDATE_COMPLETE"
    assert changing.outputs() == named
    assert changing.jobs() == {named["JobName"]: "InProgress"}

    assert changing.deploy(dry_run="1") == "UPDATE_ROLLBACK_COMPLETE"
    assert f"the job {named['JobName']} is InProgress and would be stopped" in " ".join(changing.reasons(JOB))
    assert changing.jobs() == {named["JobName"]: "InProgress"}


def test_a_dry_run_of_a_wrong_declaration_fails_the_deployment(changing: Deployment) -> None:
    assert changing.deploy(dry_run="1", model="huggingface-llm-falcon-7b-bf16") == "ROLLBACK_COMPLETE"
    assert "has no recipe for multi-turn RL" in " ".join(changing.reasons(JOB))
    assert changing.aws.calls("CreateJob") == []


def test_a_stack_whose_job_was_a_dry_run_is_destroyed(changing: Deployment) -> None:
    changing.deploy(dry_run="1")
    changing.delete()
    assert changing.aws.calls("CreateJob", "StopJob") == []
