"""The jobs of a deployed stack."""

from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.stack_resources import StackResource, only
from agent_rft_handler.contract import JOB_RESOURCE_TYPE
from agent_rft_handler.job import names


class StackJob(StackResource):
    """A resource that submits a job; its physical id is the job's name, or why there is no job."""

    resource_type = JOB_RESOURCE_TYPE
    kind = "job"
    does = "submits a job"

    @property
    def job_name(self) -> str:
        """The job's name.

        Raises:
            Failure: where the resource has submitted none.
        """
        if self.physical_id.startswith(names.DRY_RUN):
            raise Failure(f"{self.called} is a dry run: it has submitted no job.")
        name = "" if self.physical_id.startswith(names.NOT_SUBMITTED) else names.name_in(self.physical_id)
        if not name:
            raise Failure(f"{self.called} of the stack {self.stack} has submitted no job.")
        return name


def job_of(stack: str, resource: str | None, clients: Clients) -> StackJob:
    """The one resource of the stack that submits a job.

    Raises:
        Failure: where there is none, or not just one; it lists those there are.
    """
    return only(StackJob, stack, resource, clients)
