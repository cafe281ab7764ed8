"""``agent-rft sweep``: the table of a queue's results, with each job's reward."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from cli.account import Account
from cli.conftest import Run, Stubs
from cli.test_which_job import stack_with
from handler.queued import BUCKET, FOLDER, THREE, Machine, QueueWorld, begun, queue_world

from agent_rft_handler.contract import QUEUE_RESOURCE_TYPE
from agent_rft_handler.mlflow import Unreadable
from agent_rft_local import store

SWEEP = ("sweep", "--stack", "S")
RESULTS = (BUCKET, f"{FOLDER}/results.csv")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> QueueWorld:
    """An account with queues."""
    return queue_world(monkeypatch)


@pytest.fixture
def machine(world: QueueWorld, account: Account, stubs: Stubs) -> Machine:
    """The queue of the stack S, which has been created."""
    physical_id, machine = begun(world, {name: {**given, "max_steps": "10"} for name, given in THREE.items()})
    stack_with(stubs, QUEUE_RESOURCE_TYPE, Sweep=physical_id)
    account.other_clients = {"cloudformation": stubs.client("cloudformation"), "s3": ReadOnly(world)}
    return machine


class ReadOnly:
    """The world's S3, in which a key that is not there is missing."""

    def __init__(self, world: QueueWorld) -> None:
        self._s3 = world.s3

    def get_object(self, Bucket: str, Key: str) -> dict[str, Any]:
        if (Bucket, Key) not in self._s3.objects and not self._s3.fails:
            raise refused("NoSuchKey", "The specified key does not exist.")
        return self._s3.get_object(Bucket, Key)


def refused(code: str, message: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, "GetObject")


def test_a_row_for_each_job_with_what_varies_and_its_reward_so_far(
    world: QueueWorld, machine: Machine, run: Run
) -> None:
    machine.run(until=lambda: len(world.made()) == 2)
    world.clock.sleep(400)
    ended = run(*SWEEP)
    assert (ended.code, ended.err) == (0, "")
    lines = [line.split() for line in ended.out.splitlines()]
    a, b = world.effects()
    assert lines[0] == ["NAME", "STATUS", "REWARD", "MAX", "EPOCHS", "MODEL", "PACKAGE", "JOB", "NAME"]
    assert lines[1] == ["a", "Completed", "0.9552", "1", "tuned/1", a]
    assert lines[2][:2] == ["b", "InProgress"]
    assert 0 < float(lines[2][2]) < 0.9552
    assert lines[2][3:] == ["2", "-", b]
    assert lines[3] == ["c", "-", "-", "3", "-", "-"]


def test_json_has_the_tables_columns_and_the_hyperparameters_apart(
    world: QueueWorld, machine: Machine, run: Run
) -> None:
    machine.run(until=lambda: len(world.made()) == 2)
    rows = json.loads(run(*SWEEP, "--json").out)
    assert [row["name"] for row in rows] == ["a", "b", "c"]
    assert rows[0]["hyperparameters"] == {"max_epochs": "1", "max_steps": "10"}
    assert rows[0]["reward"] == pytest.approx(0.9552, abs=1e-4)
    assert rows[0]["output_model_package_arn"].startswith("arn:aws:sagemaker:")
    assert (rows[2]["status"], rows[2]["reward"], rows[2]["job_name"]) == (None, None, None)


def test_rewards_that_cannot_be_read_are_left_out_and_it_is_said_once(
    world: QueueWorld, account: Account, machine: Machine, run: Run
) -> None:
    """Those of the jobs that run: what has ended has its reward in the table."""
    machine.run(until=lambda: len(world.made()) == 2)
    world.clock.sleep(400)
    account.mlflow_fails = Unreadable("MLflow answers 403: You may not.")
    ended = run(*SWEEP)
    assert ended.code == 0
    assert ended.err == "agent-rft: The reward cannot be read. MLflow answers 403: You may not\n"
    assert [line.split()[:3] for line in ended.out.splitlines()[1:]] == [
        ["a", "Completed", "0.9552"],
        ["b", "InProgress", "-"],
        ["c", "-", "-"],
    ]


def test_a_job_that_was_deleted_keeps_its_row(world: QueueWorld, machine: Machine, run: Run) -> None:
    machine.run()
    world.sagemaker.delete_job(JobName=world.effects()[0], JobCategory=world.category.name)
    world.clock.sleep(600)
    ended = run(*SWEEP)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[1].split()[:2] == ["a", "Completed"]


def test_why_jobs_failed_is_the_last_column_where_any_has(world: QueueWorld, machine: Machine, run: Run) -> None:
    store.behaviour.outcome = "Failed"
    machine.run(until=lambda: len(world.made()) == 2)
    heading, first, *_ = run(*SWEEP).out.splitlines()
    assert heading.endswith("FAILURE REASON")
    assert first[heading.index("FAILURE REASON") :] == world.table()["a"]["failure_reason"]


@pytest.mark.usefixtures("machine")
def test_a_queue_that_has_had_no_turn_yet(run: Run) -> None:
    ended = run(*SWEEP)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "agent-rft: Sweep (S/Sweep/Job) has no results yet: its first turn writes them\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [("AccessDenied", "Ask whoever manages your permissions"), ("NoSuchBucket", "when calling the GetObject")],
)
def test_results_that_cannot_be_read_are_a_failure(
    world: QueueWorld, machine: Machine, run: Run, code: str, said: str
) -> None:
    machine.run()
    world.s3.fails = refused(code, "It is not to be had.")
    ended = run(*SWEEP)
    assert (ended.code, ended.out) == (1, "")
    assert said in ended.err


def test_the_table_of_another_release_lacks_columns_or_has_more(world: QueueWorld, machine: Machine, run: Run) -> None:
    machine.run(until=lambda: len(world.made()) == 1)
    world.s3.objects[RESULTS] = b"name,status,tokens,max_epochs\na,Completed,12,1\n"
    (row,) = json.loads(run(*SWEEP, "--json").out)
    assert (row["name"], row["status"], row["job_name"]) == ("a", "Completed", None)
    assert row["hyperparameters"]["max_epochs"] == "1"


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({}, "The stack S has no resource that runs jobs one after another."),
        ({"Sweep": "2026/12/01/[$LATEST]01"}, "Sweep (S/Sweep/Job) of the stack S has not started."),
        (
            {"First": "s3://b/f/#1", "Second": "s3://b/g/#1"},
            "The stack S has several queues. Give --resource one of: First (S/First/Job), Second (S/Second/Job)",
        ),
    ],
)
def test_a_stack_without_just_one_queue_that_has_started(
    account: Account, stubs: Stubs, run: Run, known: dict[str, str], said: str
) -> None:
    stack_with(stubs, QUEUE_RESOURCE_TYPE, **known)
    account.other_clients = {"cloudformation": stubs.client("cloudformation"), "s3": stubs.client("s3")}
    ended = run(*SWEEP)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.rstrip("\n.") == f"agent-rft: {said}".rstrip(".")


def test_no_such_stack(account: Account, stubs: Stubs, run: Run) -> None:
    stubs.refuse("cloudformation", "list_stack_resources", "ValidationError", "Stack with id S does not exist")
    account.other_clients = {"cloudformation": stubs.client("cloudformation")}
    assert run(*SWEEP).err == "agent-rft: There is no stack S in us-east-1 of this account\n"
