"""Each wrong literal: one error at synth with path, value, what is allowed and what to do; as a token it passes."""

from typing import Any

import pytest
from aws_cdk import App, CfnParameter, Fn, Stack, Tags
from aws_cdk import aws_s3 as s3
from synth.app import ACCOUNT, REGION, Synthesized, agnostic_stack, stack_of, trainer

from agent_rft import Dataset, MlflowApp, ModelPackageGroup

SGS, SUBNETS = ["sg-0123456789abcdef0"], ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]

WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    # name: arguments, what the message quotes, what it allows or advises
    "agent": ({"agent_env": "arn:aws:ec2:x"}, "'arn:aws:ec2:x'", "the ARN of a Lambda function"),
    "agent id": ({"agent_env": "my agent"}, "'my agent'", "the id of an AgentCore runtime"),
    "qualifier": ({"bedrock_agentcore_qualifier": "a b"}, "'a b'", "the name of a runtime endpoint"),
    "two qualifiers": (
        {
            "agent_env": f"arn:aws:bedrock-agentcore:{REGION}:{ACCOUNT}:runtime/my-AbCdEfGhIj/runtime-endpoint/PROD",
            "bedrock_agentcore_qualifier": "TEST",
        },
        "'TEST'",
        "Leave one of them out",
    ),
    "dataset": ({"training_dataset": "s3:/data"}, "'s3:/data'", "an S3 URI: s3://BUCKET/PREFIX"),
    "dataset path": ({"training_dataset": "./train.jsonl"}, "'./train.jsonl'", "the ARN of a DataSet"),
    "dataset twice": ({"training_dataset": "s3://s3://data"}, "'s3://s3://data'", "an S3 URI"),
    "validation": ({"validation_dataset": "nope"}, "'nope'", "an S3 URI"),
    "asset folder": ({"training_dataset": Dataset.from_asset("tests")}, "'tests'", "Give one file"),
    "model": ({"model": "no model!"}, "'no model!'", "the name of a model in the hub"),
    "model too long": ({"model": "m" * 64}, "m" * 64, "at most 63"),
    "output": ({"s3_output_path": "my-bucket"}, "'my-bucket'", "an S3 URI"),
    "prefix is a uri": ({"output_prefix": "s3://b/x"}, "b/x", "s3_output_path"),
    "prefix starts with a slash": ({"output_prefix": "/runs"}, "'/runs'", "Write 'runs'"),
    "output twice": ({"s3_output_path": "s3://out-bkt/x", "output_prefix": "y"}, "s3_output_path", "Leave one out"),
    "group name": ({"output_model_package_group": "my_group"}, "'my_group'", "letters, digits and inner hyphens"),
    "group too long": ({"output_model_package_group": "g" * 64}, "g" * 64, "at most 63"),
    "group twice": (
        {"output_model_package_group": "same", "intermediate_checkpoint_model_package_group": "same"},
        "'same'",
        "must differ",
    ),
    "mlflow server": (
        {"mlflow_app": f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:mlflow-tracking-server/old"},
        "mlflow-tracking-server/old",
        "the ARN of an MLflow app, not of a tracking server",
    ),
    "key": ({"kms_key": "alias/my-key"}, "'alias/my-key'", "the ARN of a KMS key"),
    "half a vpc": ({"security_groups": SGS}, "security_groups", "needs both"),
    "other half": ({"vpc_subnets": SUBNETS}, "vpc_subnets", "needs both"),
    "subnet": ({"vpc_subnets": ["net-1"], "security_groups": SGS}, "'net-1'", "the id of a subnet"),
    "group id": ({"vpc_subnets": SUBNETS, "security_groups": ["1"]}, "'1'", "the id of a security group"),
    "role": ({"role": "arn:aws:iam::1:user/me"}, "'arn:aws:iam::1:user/me'", "the ARN of an IAM role"),
    "foreign role": (
        {"role": "arn:aws:iam::222233334444:role/rft"},
        "222233334444",
        "SageMaker refuses a role of another account",
    ),
    "base name": ({"base_job_name": "my job"}, "'my job'", "the start of a job name"),
    "base name too long": ({"base_job_name": "b" * 64}, "b" * 64, "at most 63"),
    "replacement": ({"replacement": "always"}, "'always'", "refuse, stop_first, submit_first"),
    "hyperparameters": ({"hyperparameters": {f"n{i}": 1 for i in range(51)}}, "51 entries", "50"),
    "hyperparameter": ({"hyperparameters": {"loss_fn": "p=o"}}, "'p=o'", "text of letters, digits"),
    "document": ({"hyperparameters": {"a": "x" * 262_145}}, "262145 characters", "262144"),
    "17 subnets": (
        {"vpc_subnets": [f"subnet-{number:017}" for number in range(17)], "security_groups": SGS},
        "vpc_subnets has 17 entries",
        "a job takes 16",
    ),
    "6 groups": (
        {"vpc_subnets": SUBNETS, "security_groups": [f"sg-{number:017}" for number in range(6)]},
        "security_groups has 6 entries",
        "a job takes 5",
    ),
    "a subnet twice": ({"vpc_subnets": SUBNETS[:1] * 2, "security_groups": SGS}, SUBNETS[0], "Write each once"),
    "role name": ({"role": "my role!"}, "'my role!'", "the name of an IAM role"),
    "role with a path": (
        {"role": "AmazonSageMaker-ExecutionRole-20240101T000000"},
        "'AmazonSageMaker-ExecutionRole-20240101T000000'",
        "Give its ARN",
    ),
    "Bedrock's id": ({"model": "openai.gpt-oss-20b-1:0"}, "1:0'", "Write 'openai-reasoning-gpt-oss-20b'"),
    "Bedrock's ARN": (
        {"model": "arn:aws:bedrock:us-west-2::foundation-model/openai.gpt-oss-20b-1:0"},
        "1:0'",
        "Write 'openai-reasoning-gpt-oss-20b'",
    ),
    "Nova's id": ({"model": "amazon.nova-2-lite-v1:0"}, "v1:0'", "Write 'nova-textgeneration-lite-v2'"),
    "a profile's id": ({"model": "us.amazon.nova-2-lite-v1:0"}, "'us.", "Write 'nova-textgeneration-lite-v2'"),
    "Hugging Face's id": ({"model": "Qwen/Qwen3-32B"}, "'Qwen/", "Write 'huggingface-reasoning-qwen3-32b'"),
    "another's id": ({"model": "meta.llama3-8b-v1:0"}, "'meta.", "`agent-rft models` lists"),
    "other region": (
        {"agent_env": f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:agent"},
        "in us-east-1",
        f"the job runs in {REGION}",
    ),
    "key elsewhere": ({"kms_key": f"arn:aws:kms:us-east-1:{ACCOUNT}:key/1234abcd"}, "in us-east-1", REGION),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_literal_is_refused_with_path_value_and_what_to_do(case: str) -> None:
    arguments, quoted, advice = WRONG[case]
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is looked at
        trainer(stack_of(), **arguments)
    message = str(refused.value)
    assert message.startswith("[S/Trainer")
    assert quoted[:80] in message
    assert advice in message
    assert message.count("\n") <= 1


TOKENS = (
    "agent_env", "training_dataset", "validation_dataset", "model", "output_model_package_group", "mlflow_app",
    "kms_key", "role", "base_job_name", "bedrock_agentcore_qualifier", "run_id", "mlflow_run_name",
)  # fmt: skip


@pytest.mark.parametrize("argument", TOKENS)
@pytest.mark.parametrize("env", ["known", "agnostic"])
def test_the_same_as_a_token_passes_and_arrives_resolved(argument: str, env: str) -> None:
    stack = stack_of() if env == "known" else agnostic_stack()
    value = CfnParameter(stack, "Given").value_as_string if argument != "role" else Fn.import_value("role")
    trainer(stack, **{argument: value})
    text = Synthesized(stack).text
    assert "Token[" not in text
    assert '{"Ref": "Given"}' in text or '"Fn::ImportValue": "role"' in text


def test_a_name_with_a_token_in_it_is_not_measured() -> None:
    stack = stack_of()
    parameter = CfnParameter(stack, "Given").value_as_string
    trainer(stack, output_model_package_group="g" * 50 + parameter, base_job_name="b" * 60 + parameter)
    assert "Token[" not in Synthesized(stack).text


def test_list_tokens_arrive_as_lists() -> None:
    stack = stack_of()
    subnets = Fn.split(",", Fn.import_value("subs"))
    trainer(stack, vpc_subnets=subnets, security_groups=SGS)
    made = Synthesized(stack)
    assert made.job()["Subnets"] == {"Fn::Split": [",", {"Fn::ImportValue": "subs"}]}
    assert "Custom::AWSCDKCfnJson" not in made.text


def test_number_tokens_become_text_tokens() -> None:
    stack = stack_of()
    steps = CfnParameter(stack, "Steps", type="Number").value_as_number
    trainer(stack, hyperparameters={"max_steps": steps, "max_epochs": 1})
    assert Synthesized(stack).job()["Hyperparameters"]["max_steps"] == {"Ref": "Steps"}


def test_an_s3_uri_with_a_token_bucket_is_granted_and_passes() -> None:
    stack = stack_of()
    data = s3.Bucket(stack, "Data")
    trainer(stack, training_dataset=data.s3_url_for_object("train/x.jsonl"))
    made = Synthesized(stack)
    assert made.allowed("s3:GetObject")[0].endswith("/train/x.jsonl*")
    assert "Token[" not in made.text


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ({f"key{i}": "v" for i in range(47)}, "tags has 47 tags"),
        ({"aws:me": "v"}, "'aws:me'"),
        ({"k" * 129: "v"}, "1 to 128 characters"),
        ({"key": "v" * 257}, "at most 256 characters"),
        ({"key": "a!"}, "'a!'"),
    ],
)
def test_wrong_tags_are_refused_when_the_app_is_synthesized(tags: dict[str, str], said: str) -> None:
    app = App()
    trainer(stack_of(app), tags=tags)
    with pytest.raises(RuntimeError, match=r"\[S/Trainer\]") as refused:
        app.synth()
    assert said in str(refused.value)


def test_tags_of_the_app_count_too() -> None:
    app = App()
    trainer(stack_of(app), tags={f"key{i}": "v" for i in range(30)})
    for index in range(21):
        Tags.of(app).add(f"app{index}", "v")
    with pytest.raises(RuntimeError, match="tags has 51 tags"):
        app.synth()


def test_several_problems_come_together() -> None:
    with pytest.raises(ValueError, match=r"(?s)agent_env is .*\n.*training_dataset is"):
        trainer(stack_of(), agent_env="a b", training_dataset="x")


def test_an_agent_of_another_type_names_its_type() -> None:
    with pytest.raises(TypeError, match=r"^\[S/Trainer\] agent_env is a dict, but must be an AgentEnvironment, "):
        trainer(stack_of(), agent_env={})


@pytest.mark.parametrize("name", ["my_group", "g" * 64])
def test_a_group_or_an_app_with_a_wrong_name_is_refused(name: str) -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=r"\[S/G\] model_package_group_name is"):
        ModelPackageGroup(stack, "G", model_package_group_name=name)
    with pytest.raises(ValueError, match=r"\[S/M\] mlflow_app_name is"):
        MlflowApp(stack, "M", mlflow_app_name=f"_{name}")


def test_env_agnostic_stacks_take_any_region_and_account() -> None:
    stack = Stack(App(), "S")
    trainer(
        stack, role="arn:aws:iam::222233334444:role/rft", agent_env=f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:a"
    )
    assert Synthesized(stack).job()["RoleArn"] == "arn:aws:iam::222233334444:role/rft"
