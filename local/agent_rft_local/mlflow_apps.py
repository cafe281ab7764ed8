"""MLflow apps."""

import secrets

from agent_rft_local import store
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

VERSION = "3.10.0"


def create_mlflow_app(request: Row, _caller: str) -> Row:
    if any(app["Name"] == request["Name"] for app in store.apps.values()):
        raise ServiceError("ConflictException", f"MlflowApp {request['Name']} already exists.")
    app_id = f"app-{store.next_id()}"
    arn = store.arn(f"mlflow-app/{app_id}")
    store.apps[arn] = {
        "Arn": arn,
        "MlflowAppId": app_id,
        "Status": "Created",
        "MlflowVersion": VERSION,
        "CreationTime": store.now(),
        "LastModifiedTime": store.now(),
        "AccountDefaultStatus": "DISABLED",
        **{name: value for name, value in request.items() if name != "Tags"},
    }
    store.set_tags(arn, request.get("Tags"))
    return {"Arn": arn}


def describe_mlflow_app(request: Row, _caller: str) -> Row:
    app = store.apps.get(request["Arn"])
    if app is None:
        raise ServiceError("ResourceNotFound", f"MlflowApp {request['Arn']} does not exist.")
    return app


def update_mlflow_app(request: Row, caller: str) -> Row:
    app = describe_mlflow_app(request, caller)
    app.update(request, LastModifiedTime=store.now(), Status="Updated")
    return {"Arn": app["Arn"]}


def delete_mlflow_app(request: Row, caller: str) -> Row:
    arn = describe_mlflow_app(request, caller)["Arn"]
    store.apps.pop(arn)
    store.forget_tags(arn)
    return {"Arn": arn}


def list_mlflow_apps(request: Row, _caller: str) -> Row:
    filters = {name: request[name] for name in ("Status", "MlflowVersion", "AccountDefaultStatus") if name in request}
    rows = [app for app in store.apps.values() if all(app.get(name) == value for name, value in filters.items())]
    rows.sort(key=lambda app: app["CreationTime"], reverse=True)
    return store.page(request, rows, "Summaries")


def create_presigned_mlflow_app_url(request: Row, caller: str) -> Row:
    """A URL in the form of AWS's; its host is one that there never is, for the local AWS shows no pages."""
    app_id = describe_mlflow_app({"Arn": request["Arn"]}, caller)["MlflowAppId"]
    return {"AuthorizedUrl": f"https://{app_id}.mlflow.invalid/auth?authToken={secrets.token_hex(8)}"}
