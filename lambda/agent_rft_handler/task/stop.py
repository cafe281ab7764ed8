"""The function that stops what an execution left running: called when the execution has ended, in whatever way."""

import os
from collections.abc import Mapping
from typing import Any

from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.contract import STACK_ID_VARIABLE
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.job import history, jobs
from agent_rft_handler.patience import PatientClients
from agent_rft_handler.task.request import owner_of

CLIENTS = AwsClients()


def handler(event: Mapping[str, Any], context: Any) -> list[str]:
    """Lambda's entry point, for EventBridge's ``Step Functions Execution Status Change``."""
    deadline = Deadline.of(context)
    execution_arn = str(event["detail"]["executionArn"])
    return stopped(os.environ[STACK_ID_VARIABLE], execution_arn, CLIENTS, deadline)


def stopped(stack_id: str, execution_arn: str, clients: Clients, deadline: Deadline) -> list[str]:
    """Stops the execution's jobs that run; their names."""
    patient, owner = PatientClients(clients, deadline), owner_of(stack_id, execution_arn)
    names = []
    for job in history.running_of(owner, patient, deadline):
        jobs.stop(job, patient)
        names.append(job.name)
    return names
