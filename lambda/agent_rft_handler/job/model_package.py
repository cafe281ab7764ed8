"""Model packages: the newest of a group, and the base model of one."""

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.errors import AWS_ERRORS, Refused, explained


def newest(model: str, only_approved: bool, clients: Clients) -> str:
    """The newest package of a group that the declaration names as its model; any other model as it is.

    Asked once for each job, when it is submitted: an event that leads to a job that is there asks for nothing.
    """
    if not facts.MODEL_PACKAGE_GROUP_ARN.accepts(model):
        return model
    ordered = {"SortBy": "CreationTime", "SortOrder": "Descending"}
    seen = 0
    try:
        for row in listed(
            clients.sagemaker.list_model_packages, "ModelPackageSummaryList", ModelPackageGroupName=model, **ordered
        ):
            seen += 1
            approval = row.get("ModelApprovalStatus")
            wanted = approval == "Approved" if only_approved else approval != "Rejected"
            if wanted and row.get("ModelPackageStatus") == "Completed":
                return str(row["ModelPackageArn"])
    except AWS_ERRORS as error:
        raise explained(error, f"Listing the packages of {model}") from error
    kind = "approved" if only_approved else "completed"
    raise Refused(
        f"The model package group {model} has {seen or 'no'} packages{f', but no {kind} one' * bool(seen)}. A job "
        "registers its model there when it ends: deploy this again afterwards, or give another model."
    )


def base_model_of(arn: str, clients: Clients) -> str:
    """The hub's name of the model from which a package was made."""
    try:
        package = clients.sagemaker.describe_model_package(ModelPackageName=arn)
    except AWS_ERRORS as error:
        raise explained(error, f"Reading the model package {arn}") from error
    containers = package.get("InferenceSpecification", {}).get("Containers", [{}])
    name = containers[0].get("BaseModel", {}).get("HubContentName", "")
    if not name:
        raise Refused(
            f"The model package {arn} names no base model of the hub, so no job can start from it. "
            "Give a package that a SageMaker customization job made."
        )
    return str(name)
