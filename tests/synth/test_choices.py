"""Each form of model, agent, dataset, group, key, network, role and output: what is declared and what is granted."""

from pathlib import Path
from typing import Any

import pytest
from aws_cdk import CfnParameter, Duration, Fn
from aws_cdk import aws_bedrockagentcore as agentcore
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker
from synth.app import (
    ACCOUNT,
    LAMBDA_ARN,
    REGION,
    RUNTIME_ARN,
    Synthesized,
    agnostic_stack,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import (
    AgentEnvironment,
    Dataset,
    JobProvider,
    MlflowApp,
    Model,
    ModelPackageGroup,
    grant_job_runtime,
)

PACKAGE_ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package/tuned/3"
KEY_ARN = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab"


@pytest.mark.parametrize(
    ("agent_env", "qualifier", "expected"),
    [
        (RUNTIME_ARN, None, (RUNTIME_ARN, "DEFAULT")),
        (RUNTIME_ARN, "PROD", (RUNTIME_ARN, "PROD")),
        (RUNTIME_ARN, "", (RUNTIME_ARN, None)),
        (f"{RUNTIME_ARN}/runtime-endpoint/PROD", None, (f"{RUNTIME_ARN}/runtime-endpoint/PROD", "PROD")),
        ("my-AbCdEfGhIj", None, ("my-AbCdEfGhIj", "DEFAULT")),
        (LAMBDA_ARN, None, (LAMBDA_ARN, None)),
        (f"{LAMBDA_ARN}:prod", None, (f"{LAMBDA_ARN}:prod", None)),
        ("arn:aws-us-gov:lambda:us-gov-west-1:111122223333:function:a", None, None),
    ],
)
def test_agents_given_as_text(agent_env: str, qualifier: str | None, expected: Any) -> None:
    stack = agnostic_stack()
    trainer(stack, agent_env=agent_env, bedrock_agentcore_qualifier=qualifier)
    job = Synthesized(stack).job()
    found = (job["AgentEnv"], job.get("BedrockAgentcoreQualifier"))
    assert found == (expected or (agent_env, None))


def test_a_runtime_is_invoked_by_its_arn_and_what_is_below_and_nothing_wider() -> None:
    allowed = synth().allowed("bedrock-agentcore:InvokeAgentRuntime")
    assert allowed == [RUNTIME_ARN, f"{RUNTIME_ARN}/*"]


def test_a_bare_id_is_granted_in_the_stacks_own_account_and_region() -> None:
    allowed = synth(agent_env="my-AbCdEfGhIj").allowed("bedrock-agentcore:InvokeAgentRuntime")
    arn = f"arn:${{AWS::Partition}}:bedrock-agentcore:{REGION}:{ACCOUNT}:runtime/my-AbCdEfGhIj"
    assert allowed == [arn, f"{arn}/*"]


def test_runtime_and_endpoint_constructs() -> None:
    stack = stack_of()
    runtime = agentcore.CfnRuntime(
        stack,
        "Runtime",
        agent_runtime_name="agent",
        role_arn=f"arn:aws:iam::{ACCOUNT}:role/agent",
        network_configuration=agentcore.CfnRuntime.NetworkConfigurationProperty(network_mode="PUBLIC"),
        agent_runtime_artifact=agentcore.CfnRuntime.AgentRuntimeArtifactProperty(
            container_configuration=agentcore.CfnRuntime.ContainerConfigurationProperty(container_uri="uri")
        ),
    )
    imported = agentcore.Runtime.from_agent_runtime_attributes(
        stack,
        "Imported",
        agent_runtime_arn=RUNTIME_ARN,
        agent_runtime_id="my-AbCdEfGhIj",
        agent_runtime_name="my",
        agent_runtime_version="1",
        role_arn=f"arn:aws:iam::{ACCOUNT}:role/agent",
    )
    endpoint = agentcore.RuntimeEndpoint(
        stack, "Endpoint", agent_runtime_id=runtime.attr_agent_runtime_id, endpoint_name="PROD"
    )
    trainer(stack, "A", agent_env=imported)
    trainer(stack, "B", agent_env=endpoint)
    trainer(stack, "C", agent_env=AgentEnvironment.from_agent_runtime_arn(runtime.attr_agent_runtime_arn, "PROD"))
    jobs = {name[:1]: job["Properties"] for name, job in Synthesized(stack).resources("Custom::AgentRFTJob").items()}
    assert (jobs["A"]["AgentEnv"], jobs["A"]["BedrockAgentcoreQualifier"]) == (RUNTIME_ARN, "DEFAULT")
    assert jobs["B"]["BedrockAgentcoreQualifier"] == "PROD"
    assert jobs["C"]["AgentEnv"] == {"Fn::GetAtt": ["Runtime", "AgentRuntimeArn"]}


def function_in(stack: Any) -> lambda_.Function:
    return lambda_.Function(
        stack,
        "Agent",
        runtime=lambda_.Runtime.PYTHON_3_13,
        handler="index.handler",
        code=lambda_.Code.from_inline("def handler(event, context): return {}"),
        timeout=Duration.minutes(10),
    )


def test_function_alias_and_version_keep_their_qualifier_and_are_granted() -> None:
    stack = stack_of()
    function = function_in(stack)
    alias = lambda_.Alias(stack, "Live", alias_name="live", version=function.current_version)
    trainer(stack, "A", agent_env=function)
    trainer(stack, "B", agent_env=alias)
    trainer(stack, "C", agent_env=function.current_version)
    made = Synthesized(stack)
    jobs = {name[:1]: job["Properties"] for name, job in made.resources("Custom::AgentRFTJob").items()}
    assert jobs["A"]["AgentEnv"] == stack.resolve(function.function_arn)
    assert jobs["B"]["AgentEnv"] == {"Ref": next(iter(made.resources("AWS::Lambda::Alias")))}
    assert jobs["C"]["AgentEnv"] == {"Ref": next(iter(made.resources("AWS::Lambda::Version")))}
    granted = made.allowed("lambda:InvokeFunction", "BExecutionRole")
    assert granted[0] == readable(jobs["B"]["AgentEnv"])


def test_a_qualified_arn_is_granted_as_it_is() -> None:
    assert synth(agent_env=f"{LAMBDA_ARN}:prod").allowed("lambda:InvokeFunction") == [f"{LAMBDA_ARN}:prod"]


def test_an_imported_function_of_another_account_is_granted_and_warned_of() -> None:
    arn = f"arn:aws:lambda:{REGION}:222233334444:function:agent"
    stack = stack_of()
    trainer(stack, agent_env=lambda_.Function.from_function_arn(stack, "Theirs", arn))
    made = Synthesized(stack)
    assert made.allowed("lambda:InvokeFunction") == [arn, f"{arn}:*"]
    assert any("its own resource policy" in text for text in made.warnings())


def test_an_imported_function_in_an_env_agnostic_stack_synthesizes() -> None:
    stack = agnostic_stack()
    trainer(stack, agent_env=lambda_.Function.from_function_arn(stack, "Theirs", LAMBDA_ARN))
    assert Synthesized(stack).allowed("lambda:InvokeFunction") == [LAMBDA_ARN, f"{LAMBDA_ARN}:*"]


def test_data_is_read_below_its_prefix_only() -> None:
    made = synth()
    assert made.allowed("s3:GetObject")[0] == "arn:${AWS::Partition}:s3:::data-bkt/prompts/train.parquet*"
    (listing,) = [s for s in made.statements() if s["Action"] == "s3:ListBucket"]
    assert listing["Condition"] == {"StringLike": {"s3:prefix": "prompts/train.parquet*"}}


def test_datasets_by_bucket_asset_and_arn(tmp_path: Path) -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    data = s3.Bucket(stack, "Data", encryption_key=key)
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text('{"prompt": "hello"}\n')
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:hub-content/Hub/DataSet/prompts/1.0.0"
    trainer(stack, "A", training_dataset=Dataset.from_bucket(data, "train/"))
    trainer(stack, "B", training_dataset=Dataset.from_asset(prompts))
    trainer(stack, "C", training_dataset=arn, validation_dataset=Dataset.from_bucket(data))
    made = Synthesized(stack)
    jobs = {name[:1]: job["Properties"] for name, job in made.resources("Custom::AgentRFTJob").items()}
    assert readable(jobs["A"]["TrainingDataset"]) == f"s3://${{{next(iter(made.resources('AWS::S3::Bucket')))}}}/train/"
    assert "cdk-hnb659fds-assets" in str(jobs["B"]["TrainingDataset"])
    assert jobs["C"]["TrainingDataset"] == arn
    assert arn in made.allowed("sagemaker:DescribeHubContent", "CExecutionRole")
    assert made.allowed("kms:Decrypt", "AExecutionRole")
    assert made.allowed("s3:GetObject", "BExecutionRole")[0].endswith(".jsonl*")


@pytest.mark.parametrize(
    ("uri", "warned"),
    [("s3://d-b/train.txt", True), ("s3://d-b/train.JSONL", False), ("s3://d-b/prompts/", False), ("s3://d-b", False)],
)
def test_a_format_that_no_job_reads_is_warned_of(uri: str, warned: bool) -> None:
    assert any("the formats that a job reads" in text for text in synth(training_dataset=uri).warnings()) == warned


@pytest.mark.parametrize(
    ("prefix", "path", "below"),
    [
        (None, "output", "output/*"),
        ("", "", "*"),
        ("runs", "runs", "runs/*"),
        ("runs/", "runs", "runs/*"),
        ("/runs", "runs", "runs/*"),
        ("runs//x", "runs/x", "runs/x/*"),
    ],
)
def test_output_paths_are_canonical_and_granted_as_written(prefix: str | None, path: str, below: str) -> None:
    stack = stack_of()
    out = s3.Bucket.from_bucket_name(stack, "Out", "acme-rl-out")
    trainer(stack, output_bucket=out, output_prefix=prefix)
    made = Synthesized(stack)
    assert made.job()["S3OutputPath"] == f"s3://acme-rl-out/{path}".rstrip("/")
    assert made.allowed("s3:PutObject") == [f"arn:${{AWS::Partition}}:s3:::acme-rl-out/{below}"]


def test_an_output_uri_is_taken_and_no_bucket_made() -> None:
    made = synth(s3_output_path="s3://acme-rl-out/runs//1/")
    assert made.job()["S3OutputPath"] == "s3://acme-rl-out/runs/1"
    assert made.resources("AWS::S3::Bucket") == {}


def test_a_bucket_of_another_region_is_warned_of() -> None:
    stack = stack_of()
    out = s3.Bucket.from_bucket_attributes(stack, "Out", bucket_name="out-b", region="us-east-1")
    trainer(stack, output_bucket=out)
    assert any("The output bucket is in us-east-1" in text for text in Synthesized(stack).warnings())


@pytest.mark.parametrize("form", ["name", "arn", "l1", "l2", "imported"])
def test_groups_in_every_form(form: str) -> None:
    stack = stack_of()
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package-group/tuned"
    l1 = sagemaker.CfnModelPackageGroup(stack, "L1", model_package_group_name="tuned")
    given = {
        "name": "tuned",
        "arn": arn,
        "l1": l1,
        "l2": ModelPackageGroup(stack, "L2", model_package_group_name="tuned"),
        "imported": ModelPackageGroup.from_model_package_group_name(stack, "Named", "tuned"),
    }
    made_by = trainer(stack, output_model_package_group=given[form])
    job = Synthesized(stack).job()
    assert readable(job["OutputModelPackageGroup"]).startswith(("arn:", "${L"))
    assert made_by.output_model_package_group.model_package_group_name


def test_the_same_construct_twice_is_refused() -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Group")
    with pytest.raises(ValueError, match="must differ"):
        trainer(stack, output_model_package_group=group, intermediate_checkpoint_model_package_group=group)


@pytest.mark.parametrize("given", [PACKAGE_ARN, Model.from_model_package(PACKAGE_ARN)])
def test_a_package_continues_into_its_own_group(given: str | Model) -> None:
    made = synth(model=given)
    assert made.job()["Model"] == PACKAGE_ARN
    assert readable(made.job()["OutputModelPackageGroup"]).endswith(":model-package-group/tuned")
    assert len(made.resources("AWS::SageMaker::ModelPackageGroup")) == 1


def test_a_package_that_is_a_token_continues_into_its_own_group() -> None:
    stack = stack_of()
    trainer(stack, model=Model.from_model_package(CfnParameter(stack, "Package").value_as_string))
    assert "Fn::Select" in str(Synthesized(stack).job()["OutputModelPackageGroup"])


@pytest.mark.parametrize("given", ["name", "arn", "mutable", "immutable", "frozen"])
def test_a_given_role_gets_the_statements_and_an_immutable_one_a_warning(given: str) -> None:
    stack = stack_of()
    arn = f"arn:aws:iam::{ACCOUNT}:role/rft"
    roles: dict[str, Any] = {
        "name": "rft",
        "arn": arn,
        "mutable": iam.Role(stack, "Own", assumed_by=iam.ServicePrincipal("job.sagemaker.amazonaws.com")),
        "immutable": iam.Role.from_role_arn(stack, "Theirs", arn, mutable=False),
    }
    roles["frozen"] = roles["mutable"].without_policy_updates()
    trainer(stack, role=roles[given])
    made = Synthesized(stack)
    granted = [name for name in made.resources("AWS::IAM::Policy") if "AgentRFTJobProvider" not in name]
    warned = any("cannot be changed from here" in text for text in made.warnings())
    assert (len(granted), warned) == ((0, True) if given in ("immutable", "frozen") else (1, False))


def test_a_key_reaches_bucket_document_role_and_handler() -> None:
    made = synth(kms_key=KEY_ARN)
    assert made.job()["KmsKeyArn"] == KEY_ARN
    (bucket,) = made.resources("AWS::S3::Bucket").values()
    assert KEY_ARN in str(bucket["Properties"]["BucketEncryption"])
    assert set(made.allowed("kms:GenerateDataKey")) == {KEY_ARN}
    assert made.allowed("kms:CreateGrant", "Handler") == [KEY_ARN]


def test_a_vpc_gives_private_subnets_a_security_group_and_interface_rights() -> None:
    stack = stack_of()
    trainer(stack, vpc=ec2.Vpc(stack, "Vpc", max_azs=2))
    made = Synthesized(stack)
    job = made.job()
    assert [each["Ref"].startswith("VpcPrivateSubnet") for each in job["Subnets"]] == [True, True]
    assert len(job["SecurityGroupIds"]) == 1
    places = [each.partition(f"{REGION}:{ACCOUNT}:")[2] for each in made.allowed("ec2:CreateNetworkInterface")]
    assert places[0] == "network-interface/*"
    assert [place.split("/")[0] for place in places[1:]] == ["subnet", "subnet", "security-group"]
    assert "*" not in "".join(places[1:])
    (group,) = made.resources("AWS::EC2::SecurityGroup").values()
    egress = {(rule["IpProtocol"], rule["FromPort"]) for rule in group["Properties"]["SecurityGroupEgress"]}
    assert egress == {("tcp", 443), ("udp", 53)}
    assert made.warnings() == []


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        (ec2.SubnetSelection(subnet_type=ec2.SubnetType.PUBLIC), "are public"),
        (ec2.SubnetSelection(availability_zones=["us-west-2a"]), "has one subnet"),
    ],
)
def test_public_or_single_subnets_are_warned_of(selection: ec2.SubnetSelection, said: str) -> None:
    stack = stack_of()
    zones = ["us-west-2a", "us-west-2b"]
    trainer(stack, vpc=ec2.Vpc(stack, "Vpc", availability_zones=zones), vpc_subnets=selection)
    assert any(said in text for text in Synthesized(stack).warnings())


def test_ids_alone_make_a_network() -> None:
    groups, subnets = ["sg-0123456789abcdef0"], ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
    job = synth(security_groups=groups, vpc_subnets=subnets).job()
    assert (job["SecurityGroupIds"], job["Subnets"]) == (groups, subnets)


def test_mlflow_apps_in_every_form() -> None:
    stack = stack_of()
    app = MlflowApp(stack, "Mlflow")
    l1 = sagemaker.CfnMlflowApp(
        stack, "L1", name="l1", artifact_store_uri="s3://a/b", role_arn=f"arn:aws:iam::{ACCOUNT}:role/mlflow"
    )
    gov = "arn:aws-us-gov:sagemaker:us-gov-west-1:111122223333:mlflow-app/app-1"
    trainer(stack, "A", mlflow_app=app)
    trainer(stack, "B", mlflow_app=l1)
    agnostic = agnostic_stack()
    trainer(agnostic, mlflow_app=gov)
    made = Synthesized(stack)
    jobs = {name[:1]: job["Properties"] for name, job in made.resources("Custom::AgentRFTJob").items()}
    assert jobs["A"]["MlflowApp"] == stack.resolve(app.mlflow_app_arn)
    assert jobs["B"]["MlflowApp"] == {"Fn::GetAtt": ["L1", "Arn"]}
    assert Synthesized(agnostic).job()["MlflowApp"] == gov
    assert made.allowed("sagemaker:CallMlflowAppApi", "AExecutionRole") == [readable(jobs["A"]["MlflowApp"])]


def test_the_handler_can_be_put_into_a_vpc_before_the_first_trainer() -> None:
    stack = stack_of()
    JobProvider(stack, vpc=ec2.Vpc(stack, "Vpc", availability_zones=["us-west-2a", "us-west-2b"]))
    trainer(stack)
    functions = Synthesized(stack).resources("AWS::Lambda::Function")
    ours = [each["Properties"] for name, each in functions.items() if name.startswith("AgentRFTJobProvider")]
    assert len(ours) == 2
    assert all(len(each["VpcConfig"]["SubnetIds"]) == 2 for each in ours)


def test_an_agent_is_let_to_the_job_runtime_of_its_own_accounts_jobs() -> None:
    stack = stack_of()
    function, key = function_in(stack), kms.Key(stack, "Key")
    grant_job_runtime(stack, function, kms_key=key)
    made = Synthesized(stack)
    jobs = [f"arn:${{AWS::Partition}}:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT/*"]
    for action in ("Sample", "SampleWithResponseStream", "CompleteRollout", "UpdateReward"):
        assert made.allowed(f"sagemaker:{action}", "AgentServiceRole") == jobs
    assert made.allowed("sagemaker:CallWithBearerToken", "AgentServiceRole") == ["*"]
    assert made.allowed("kms:Decrypt", "AgentServiceRole")


def test_an_immutable_agent_role_synthesizes_without_a_policy() -> None:
    stack = stack_of()
    role = iam.Role.from_role_arn(stack, "Theirs", f"arn:aws:iam::{ACCOUNT}:role/agent", mutable=False)
    grant_job_runtime(stack, role)
    assert Synthesized(stack).resources("AWS::IAM::Policy") == {}


@pytest.mark.parametrize(("agent_env", "service"), [(LAMBDA_ARN, "lambda"), (RUNTIME_ARN, "bedrock-agentcore")])
def test_the_endpoints_that_a_closed_vpc_needs_are_listed(agent_env: str, service: str) -> None:
    made = trainer(stack_of(), agent_env=agent_env)
    assert made.required_vpc_endpoints == [
        f"com.amazonaws.{REGION}.s3",
        f"com.amazonaws.{REGION}.logs",
        f"com.amazonaws.{REGION}.{service}",
        f"aws.sagemaker.{REGION}.mlflow",
    ]


def test_an_imported_key_is_warned_of_and_an_own_one_is_not() -> None:
    stack = stack_of()
    assert any("The key's own policy" in text for text in synth(kms_key=KEY_ARN).warnings())
    trainer(stack, kms_key=kms.Key(stack, "Key"))
    assert Synthesized(stack).warnings() == []


def test_absent_and_empty_values_are_left_out() -> None:
    job = synth(
        hyperparameters={"max_steps": None, "max_epochs": "", "val_every": 0, "temperature": 1.0},
        mlflow_experiment_name="",
        bedrock_agentcore_qualifier="",
    ).job()
    assert job["Hyperparameters"] == {"val_every": "0", "temperature": "1.0"}
    assert not {"MlflowExperimentName", "BedrockAgentcoreQualifier", "Tags", "ValidationDataset"} & set(job)


def test_only_one_of_the_two_limits_is_warned_of() -> None:
    assert any("max_steps and max_epochs" in text for text in synth(hyperparameters={"max_steps": 5}).warnings())


def test_a_role_arn_from_another_stack_arrives_resolved() -> None:
    stack = stack_of()
    trainer(stack, role=iam.Role.from_role_arn(stack, "Role", Fn.import_value("role-arn")))
    assert Synthesized(stack).job()["RoleArn"] == {"Fn::ImportValue": "role-arn"}


@pytest.mark.parametrize(
    ("region", "model", "warned"),
    [
        ("eu-west-1", "openai-reasoning-gpt-oss-20b", False),
        ("eu-west-1", "amazon.nova-2-lite-v1", True),
        ("us-west-2", "amazon.nova-2-lite-v1", False),
        ("eu-central-1", "openai-reasoning-gpt-oss-20b", True),
        ("", "amazon.nova-2-lite-v1", False),
    ],
)
def test_a_region_where_the_sdk_runs_no_such_job_is_warned_of(region: str, model: str, warned: bool) -> None:
    stack = stack_of(account=ACCOUNT, region=region) if region else agnostic_stack()
    trainer(stack, model=model, agent_env="my-AbCdEfGhIj")
    assert any("the SDK lets such jobs run" in text for text in Synthesized(stack).warnings()) == warned
