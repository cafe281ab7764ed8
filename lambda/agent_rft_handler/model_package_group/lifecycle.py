"""Model package groups with managed storage, which CloudFormation's own type cannot make: what each event does."""

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import Refused
from agent_rft_handler.event import Event
from agent_rft_handler.model_package_group import groups
from agent_rft_handler.model_package_group.request import Request, name_in
from agent_rft_handler.response import Response
from agent_rft_handler.validation import form_problem


def create(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Makes the group, or finds the one that an earlier delivery of the event made; then waits until it is there."""
    return _made(Request.of(event), clients, deadline)


def update(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """The same group with its tags brought up to date, or another one when the name changed."""
    request = Request.of(event)
    if request.known_name != request.name or not request.name:
        return _made(request, clients, deadline)
    group = groups.describe(request.name, clients)
    if group:
        groups.retag(group, request.wanted_tags, request.former_tags, clients)
    return _answer(request.physical_id)


def delete(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Deletes the group if it is this resource's and empty; one that is gone or foreign is success already."""
    request = Request.of(event)
    name = request.known_name or request.name  # an id that CloudFormation made up: a cancelled create
    group = groups.describe(name, clients) if facts.MODEL_PACKAGE_GROUP_NAME.accepts(name) else None
    if group and request.owner.owns(group.tags):
        groups.delete(group, clients)
    return Response(request.physical_id)


def failed_id(event: Event, *, in_the_middle: bool) -> str:
    """The physical id of a resource whose event failed: for a create, that of the group that may be there."""
    request = Request.of(event)
    if event.kind != "Create" or not facts.MODEL_PACKAGE_GROUP_NAME.accepts(request.name):
        return event.physical_id
    return request.owner.arn(f"model-package-group/{request.name}")


def _made(request: Request, clients: Clients, deadline: Deadline) -> Response:
    if problem := form_problem("model_package_group_name", request.name, (facts.MODEL_PACKAGE_GROUP_NAME,)):
        raise Refused(problem)
    groups.make(request, clients, deadline)
    return _answer(groups.wait_until_made(request.name, clients, deadline))


def _answer(arn: str) -> Response:
    return Response(arn, data={"ModelPackageGroupArn": arn, "ModelPackageGroupName": name_in(arn)})
