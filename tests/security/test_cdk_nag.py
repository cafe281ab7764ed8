"""cdk-nag's packs of rules find nothing that is not acknowledged with a reason, in stacks of every feature."""

import re
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, CrossStackReferences, ReferenceStrength, Stack, Validations
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from cdk_nag import AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R5Checks
from security.judged import STACKS, imported_vpc, synthesized
from synth.app import function_in, stack_of, trainer
from synth.test_job_task import evaluator

from agent_rft import Dataset, JobDashboard, JobProvider, MlflowApp, ModelPackageGroup, grant_job_runtime

pytestmark = pytest.mark.slow

PACKS: tuple[Any, ...] = (AwsSolutionsChecks, NIST80053R5Checks, HIPAASecurityChecks)


@pytest.mark.parametrize("name", STACKS)
def test_cdk_nag_finds_nothing_that_is_not_acknowledged_with_a_reason(name: str, tmp_path: Path) -> None:
    synthesized(name, tmp_path, *PACKS)


@pytest.mark.parametrize("rule", ["AwsSolutions-S10", "NIST.800.53.R5-S3BucketVersioningEnabled", "HIPAA.Security-S3"])
def test_each_pack_of_rules_is_awake_beside_the_others(rule: str, tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    s3.Bucket(stack_of(app), "Unexplained")
    Validations.of(app).add_plugins(*(pack(app) for pack in PACKS))
    with pytest.raises(RuntimeError, match=rule):
        app.synth()


def test_cdk_nag_finds_nothing_in_the_apps_own_grants_and_in_a_handler_in_a_vpc(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    stack = stack_of(app)
    JobProvider(stack, vpc=imported_vpc(stack))
    role = iam.Role(stack, "Agent", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
    grant_job_runtime(stack, role)
    told = trainer(stack)
    told.on_failed("Told")
    told.evaluate_on_completion(evaluator(stack))
    JobDashboard(stack, "Dashboard", job=told)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    app.synth()


STRENGTHS = {
    "strong": ReferenceStrength.STRONG,
    "weak": ReferenceStrength.WEAK,
    "both": ReferenceStrength.BOTH,
}


@pytest.mark.parametrize("name", STRENGTHS)
def test_cdk_nag_finds_nothing_in_references_across_stacks(name: str, tmp_path: Path) -> None:
    """Whatever a trainer can be given, from another stack, by exports, by outputs and by both."""
    app = App(outdir=str(tmp_path))
    theirs, ours = stack_of(app, "Theirs"), stack_of(app)
    CrossStackReferences.of(ours).consume(STRENGTHS[name])
    job = trainer(ours, **given_by(theirs), output_prefix="runs*")
    job.grant_stop(iam.Role(theirs, "Stops", assumed_by=iam.AccountRootPrincipal()))
    assert found_in(ours, app) == []
    written = (tmp_path / "S.template.json").read_text()
    assert ("Fn::GetStackOutput" in written, "Fn::ImportValue" in written) == (name != "strong", name == "strong")


def given_by(stack: Stack) -> dict[str, Any]:
    """Everything that may come from another stack."""
    key = kms.Key(stack, "Key", enable_key_rotation=True)
    data = s3.Bucket(stack, "Data", encryption_key=key)
    return {
        "agent_env": function_in(stack).current_version,
        "training_dataset": Dataset.from_bucket(data, "train/"),
        "validation_dataset": f"s3://{data.bucket_name}/validation.jsonl",
        "output_bucket": s3.Bucket(stack, "Out", encryption_key=key),
        "kms_key": key,
        "output_model_package_group": ModelPackageGroup(stack, "Tuned"),
        "intermediate_checkpoint_model_package_group": ModelPackageGroup(stack, "Checkpoints"),
        "mlflow_app": MlflowApp(stack, "Mlflow"),
        "role": iam.Role(stack, "Role", assumed_by=iam.ServicePrincipal("job.sagemaker.amazonaws.com")),
    }


def found_in(stack: Stack, app: App) -> list[str]:
    """What cdk-nag finds in the stack; the app's other stacks are their owners'."""
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    try:
        app.synth()
    except RuntimeError as error:
        found = re.findall(r"^ +(\S+) .*\n +Acknowledge with '(.*)'$", str(error), re.MULTILINE)
        assert found
        return [rule for path, rule in found if path.startswith(f"{stack.node.path}/")]
    return []


def test_cdk_nag_finds_a_wildcard_that_the_user_adds(tmp_path: Path) -> None:
    """What ``add_to_role_policy`` is given is the user's to acknowledge."""
    app = App(outdir=str(tmp_path))
    stack = stack_of(app)
    rewards = "arn:aws:s3:::rewards/*"
    trainer(stack).add_to_role_policy(iam.PolicyStatement(actions=["s3:GetObject"], resources=[rewards]))
    assert found_in(stack, app) == [f"AwsSolutions::AwsSolutions-IAM5[Resource::{rewards}]"]
