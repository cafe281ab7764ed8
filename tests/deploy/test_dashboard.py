"""A dashboard as it is deployed."""

import json

from aws_cdk import App
from deploy import apps
from deployment import Deployment

from agent_rft import JobDashboard
from agent_rft_local import LocalAws


def shown(app: App) -> None:
    """A trainer and its dashboard."""
    apps.changing(app)
    (stack,) = app.node.children
    JobDashboard(stack, "Dashboard", job=stack.node.find_child("Trainer"))  # type: ignore[arg-type]


def test_the_dashboard_names_the_submitted_job(local_aws: LocalAws) -> None:
    deployment = Deployment(local_aws, "DashboardStack", shown)
    assert deployment.deploy() == "CREATE_COMPLETE", deployment.reasons()
    (call,) = local_aws.calls("CreateJob")
    cloudwatch = local_aws.client("cloudwatch")
    name = deployment.physical_id("AWS::CloudWatch::Dashboard")
    text, log, *_ = json.loads(cloudwatch.get_dashboard(DashboardName=name)["DashboardBody"])["widgets"]
    assert f"`{call['request']['JobName']}`" in text["properties"]["markdown"]
    assert f"/^{call['request']['JobName']}" in log["properties"]["query"]
    deployment.delete()
    assert cloudwatch.list_dashboards()["DashboardEntries"] == []
