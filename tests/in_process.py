"""The local SageMaker as a boto3-like client in the same process: for fast tests of what calls it.

The same operations, validation, quota and faults as over HTTP; no IAM.
"""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError, ParamValidationError, ReadTimeoutError
from botocore.validate import ParamValidator

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import faults, ministack_names, sagemaker, store
from agent_rft_local.job_run import Run
from agent_rft_local.local_aws import ACCOUNT, REGION
from agent_rft_local.validation import ServiceError


class SageMaker:
    """A client whose methods are the operations, as in ``client.describe_job(JobName=...)``."""

    def __getattr__(self, method: str) -> Callable[..., Any]:
        operation = "".join(part.capitalize() for part in method.split("_"))
        if operation not in sagemaker.OPERATIONS:
            raise AttributeError(method)

        def call(**request: Any) -> Any:
            with ministack_names.request_scope(ACCOUNT, REGION):
                return _call(operation, request)

        return call

    def reset(self) -> None:
        """Forgets every job, app, group, tag and fault."""
        store.reset()

    def run(self, name: str, category: str = AGENT_RFT.name) -> Run:
        """The job as it is now: with the log lines and metrics that no operation of SageMaker gives."""
        with ministack_names.request_scope(ACCOUNT, REGION):
            return Run(store.jobs[(category, name)], store.now())

    def add_role(self, name: str, principal: str) -> str:
        """Makes a role that the principal may assume; its ARN."""
        actions = ["sts:AssumeRole", "sts:TagSession"]
        statement = {"Effect": "Allow", "Principal": {"Service": principal}, "Action": actions}
        with ministack_names.request_scope(ACCOUNT, REGION):
            ministack_names.add_role(name, {"Version": "2012-10-17", "Statement": [statement]})
        return f"arn:aws:iam::{ACCOUNT}:role/{name}"


def _call(operation: str, request: dict[str, Any]) -> Any:
    _check(operation, request)
    try:
        kind = faults.before(operation, request)
        answer = sagemaker.call(operation, request, "arn:aws:sts::000000000000:assumed-role/in-process")
        if kind in faults.LOST:
            raise ReadTimeoutError(endpoint_url="in process")
        faults.after(kind)
    except ServiceError as error:
        details = {"Error": {"Code": error.code, "Message": error.message}}
        raise ClientError({**details, "ResponseMetadata": {"HTTPStatusCode": error.status}}, operation) from None  # type: ignore[typeddict-item]
    return answer


def _check(operation: str, request: dict[str, Any]) -> None:
    """What a boto3 client refuses before it sends anything, such as an unknown member, which the service ignores."""
    found = ParamValidator().validate(request, sagemaker.model().operation_model(operation).input_shape)
    if found.has_errors():
        raise ParamValidationError(report=found.generate_report())
