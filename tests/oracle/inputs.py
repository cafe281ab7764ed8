"""The table of inputs: every argument in every accepted form, refusals, and combinations that interact."""

from collections.abc import Mapping
from typing import Any

from oracle import account
from oracle.case import ABSENT, Input
from oracle.hyperparameter_inputs import HYPERPARAMETERS

LAMBDA = "arn:aws:lambda:us-east-1:000000000000:function:agent"
KEY = "arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab"
DATA_SET = "arn:aws:sagemaker:us-east-1:000000000000:hub-content/MyHub/DataSet/prompts/1.0.0"
HUB_CONTENT = f"arn:aws:sagemaker:us-east-1:aws:hub-content/SageMakerPublicHub/Model/{account.MODEL}/1.0.0"
TRACKING_SERVER = "arn:aws:sagemaker:us-east-1:000000000000:mlflow-tracking-server/old"
GROUP, SUBNETS = "sg-0123456789abcdef0", ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
NO_GROUPS = {"output_model_package_group": ABSENT, "intermediate_checkpoint_model_package_group": ABSENT}
GROUP_NAMES = {
    "output_model_package_group": account.TUNED,
    "intermediate_checkpoint_model_package_group": account.CHECKPOINTS,
}


def one(name: str, value: Any, **more: Any) -> Input:
    """The plain input with one argument changed."""
    return Input({name: value}, **more)


MODELS = {
    "plain": Input(),
    "model-gpt-oss": one("model", "openai-reasoning-gpt-oss-20b"),
    "model-nova": one("model", account.NOVA_MODEL),
    "model-alias": one("model", "amazon.nova-2-lite-v1"),
    "model-alias-upper-case": one("model", "Amazon.Nova-2-Lite-v1"),
    "model-alias-not-in-hub": one("model", "amazon.nova-micro-v1"),
    "model-unknown": one("model", "huggingface-reasoning-qwen3-33b"),
    "model-without-recipe": one("model", "huggingface-llm-falcon-7b-bf16"),
    "model-hub-content-arn": one("model", HUB_CONTENT),
    "model-private-hub": one(
        "model",
        account.PRIVATE_MODEL,
        environment={"SAGEMAKER_HUB_NAME": account.PRIVATE_HUB},
        ours={"model": account.PRIVATE_CONTENT},
    ),
    "model-gated": one("model", account.GATED_MODEL),
    "model-gated-eula-accepted": Input({"model": account.GATED_MODEL, "accept_eula": True}),
    "model-open-eula-accepted": one("accept_eula", True),
    "model-package-arn": one("model", account.PACKAGE),
    "model-package-arn-eula-accepted": Input({"model": account.PACKAGE, "accept_eula": True}),
    "model-package-object": one("model", {"$ModelPackage": account.PACKAGE}),
    "model-package-object-no-groups": Input(
        {"model": {"$ModelPackage": account.PACKAGE}, "accept_eula": True, **NO_GROUPS}
    ),
    "model-package-arn-no-groups": Input({"model": account.PACKAGE, "accept_eula": True, **NO_GROUPS}),
    "model-package-gated": one("model", account.GATED_PACKAGE),
    "model-package-without-base": one("model", account.FOREIGN_PACKAGE),
    "model-package-missing": one("model", account.PACKAGE.replace("/1", "/9")),
}

AGENTS = {
    "runtime-id": one("agent_env", account.RUNTIME_ID),
    "runtime-id-unknown": one("agent_env", "nobody-AbCdEfGhIj"),
    "runtime-id-qualifier": Input({"agent_env": account.RUNTIME_ID, "bedrock_agentcore_qualifier": "PROD"}),
    "runtime-qualifier": one("bedrock_agentcore_qualifier", "PROD"),
    "runtime-qualifier-default": one("bedrock_agentcore_qualifier", "DEFAULT"),
    "runtime-qualifier-empty": one("bedrock_agentcore_qualifier", ""),
    "runtime-endpoint-arn": one("agent_env", f"{account.RUNTIME_ARN}/runtime-endpoint/PROD"),
    "runtime-other-region": one("agent_env", account.RUNTIME_ARN.replace("us-east-1", "us-west-2")),
    "lambda": one("agent_env", LAMBDA),
    "lambda-version": one("agent_env", f"{LAMBDA}:7"),
    "lambda-alias": one("agent_env", f"{LAMBDA}:live_1"),
    "lambda-latest": one("agent_env", f"{LAMBDA}:$LATEST"),
    "lambda-object": one("agent_env", {"$CustomAgentLambda": f"{LAMBDA}:live"}),
    "lambda-qualifier-ignored": Input({"agent_env": LAMBDA, "bedrock_agentcore_qualifier": "PROD"}),
    "lambda-name": one("agent_env", "agent"),
    "agent-empty": one("agent_env", ""),
}

DATASETS = {
    "dataset-bucket": one("training_dataset", "s3://data-bucket"),
    "dataset-bucket-slash": one("training_dataset", "s3://data-bucket/"),
    "dataset-prefix": one("training_dataset", "s3://data-bucket/prompts/"),
    "dataset-key-with-space": one("training_dataset", "s3://data-bucket/my prompts/train.jsonl"),
    "dataset-key-with-signs": one("training_dataset", "s3://data-bucket/a=b/c+d&e(1)!'é.jsonl"),
    "dataset-arn": one("training_dataset", DATA_SET),
    "dataset-object": one("training_dataset", {"$DataSet": DATA_SET}),
    "dataset-given-to-train": Input({"training_dataset": ABSENT}, train={"training_dataset": DATA_SET}),
    "dataset-given-twice": Input(train={"training_dataset": "s3://data-bucket/other/"}),
    "dataset-missing": one("training_dataset", ABSENT),
    "dataset-typo": one("training_dataset", "s3:/data-bucket/train"),
    "dataset-local-path": one("training_dataset", "./train.jsonl"),
    "validation-s3": one("validation_dataset", "s3://data-bucket/validation/"),
    "validation-arn": one("validation_dataset", DATA_SET),
    "validation-object-training-arn": Input(
        {"training_dataset": DATA_SET, "validation_dataset": {"$DataSet": DATA_SET.replace("prompts", "held-out")}}
    ),
}

OUTPUTS = {
    "output-absent": one("s3_output_path", ABSENT),
    "output-bucket": one("s3_output_path", "s3://out-bucket"),
    "output-trailing-slash": one("s3_output_path", "s3://out-bucket/output/"),
    "output-double-slash": one("s3_output_path", "s3://out-bucket/a//b"),
    "output-bucket-of-nobody": one("s3_output_path", "https://out-bucket/output"),
    "kms-key": one("kms_key_arn", KEY),
    "kms-key-empty": one("kms_key_arn", ""),
    "kms-key-id": one("kms_key_arn", KEY.rpartition("/")[2]),
    "kms-alias": one("kms_key_arn", "arn:aws:kms:us-east-1:000000000000:alias/mine"),
    "groups-by-name": Input(GROUP_NAMES),
    "groups-as-objects": Input({name: {"$ModelPackageGroup": group} for name, group in GROUP_NAMES.items()}),
    "groups-absent": Input(NO_GROUPS),
    "groups-output-only": one(
        "intermediate_checkpoint_model_package_group",
        ABSENT,
    ),
    "groups-absent-nova": Input({"model": account.NOVA_MODEL, **NO_GROUPS}),
    "groups-the-same": one("intermediate_checkpoint_model_package_group", account.TUNED),
    "group-unknown": one("output_model_package_group", "nobodys"),
}

MLFLOW = {
    "mlflow-object": one("mlflow_app_arn", {"$MlflowApp": account.APP_ARN}),
    "mlflow-experiment": one("mlflow_experiment_name", "wordle"),
    "mlflow-experiment-and-run": Input({"mlflow_experiment_name": "wordle", "mlflow_run_name": "first run"}),
    "mlflow-run": one("mlflow_run_name", "first"),
    "mlflow-names-empty": Input({"mlflow_experiment_name": "", "mlflow_run_name": ""}),
    "mlflow-absent-one-app": one("mlflow_app_arn", ABSENT),
    "mlflow-absent-default-app": one(
        "mlflow_app_arn", ABSENT, apps={account.APP_ID: "ENABLED", account.OTHER_APP_ID: "DISABLED"}
    ),
    "mlflow-absent-no-app": one("mlflow_app_arn", ABSENT, apps={}),
    "mlflow-absent-named-run": Input({"mlflow_app_arn": ABSENT, "mlflow_run_name": "first"}),
    "mlflow-empty": one("mlflow_app_arn", ""),
    "mlflow-tracking-server": one("mlflow_app_arn", TRACKING_SERVER),
}

REST = {
    "vpc": one("networking", {"$VpcConfig": {"security_group_ids": [GROUP], "subnets": SUBNETS[:1]}}),
    "vpc-two-subnets": one(
        "networking", {"$VpcConfig": {"security_group_ids": [GROUP, GROUP + "1"], "subnets": SUBNETS}}
    ),
    "vpc-no-subnets": one("networking", {"$VpcConfig": {"security_group_ids": [GROUP], "subnets": []}}),
    "vpc-nothing": one("networking", {"$VpcConfig": {"security_group_ids": [], "subnets": []}}),
    "job-name": one("base_job_name", "wordle"),
    "job-name-underscores": one("base_job_name", "my_wordle_job"),
    "job-name-long": one("base_job_name", "w" * 60),
    "job-name-dot": one("base_job_name", "my.wordle"),
    "job-name-empty": one("base_job_name", ""),
    "job-name-double-underscore": one("base_job_name", "my__job"),
    "job-name-ends-in-hyphen": one("base_job_name", "wordle-"),
    "tags": one("tags", [{"key": "Owner", "value": "me"}, {"key": "cost-center", "value": "42"}]),
    "tags-objects": one("tags", [{"$Tag": {"key": "Owner", "value": "me"}}]),
    "tags-empty-value": one("tags", [{"key": "Owner", "value": ""}]),
    "tags-empty": one("tags", []),
    "tags-as-aws-writes-them": one("tags", [{"Key": "Owner", "Value": "me"}], ours={"tags": {"Owner": "me"}}),
    "tags-over-the-sdks": one("tags", [{"key": "sagemaker-sdk:jumpstart-model-id", "value": "mine"}]),
    "tags-45": one("tags", [{"key": f"key-{number}", "value": "x"} for number in range(45)]),
    "tags-47": one("tags", [{"key": f"key-{number}", "value": "x"} for number in range(47)]),
    "role-name": one("role", account.ROLE_NAME),
    "role-absent": one("role", ABSENT),
    "notifications": one("notifications", {"sns_topic_arn": account.TOPIC_ARN, "events": ["Failed"]}),
    "arguments-without-effect": Input(
        {
            "environment": {"A": "1"},
            "training_image": "image",
            "base_model_name": "other",
            "disable_output_compression": True,
        }
    ),
}

EVERYTHING: Mapping[str, Any] = {
    "kms_key_arn": KEY,
    "validation_dataset": "s3://data-bucket/validation/",
    "mlflow_experiment_name": "wordle",
    "mlflow_run_name": "first",
    "networking": {"$VpcConfig": {"security_group_ids": [GROUP], "subnets": SUBNETS}},
    "accept_eula": True,
    "hyperparameters": {"max_epochs": 2, "learning_rate": 5e-05, "loss_fn": "cispo", "val_every": 0},
    "base_job_name": "every_thing",
    "tags": [{"key": "Owner", "value": "me"}],
}

AS_WRITTEN = {
    "written-output": one("s3_output_path", "s3://out-bucket/Runs//a b/+=&é//"),
    "written-datasets": Input(
        {"training_dataset": "s3://data-bucket/a//b/ x .jsonl", "validation_dataset": "s3://data-bucket/A/*/$%20//"}
    ),
    "written-mlflow-names": Input(
        {"mlflow_experiment_name": " Wordle  agents ", "mlflow_run_name": "é ${x}/{{y}}\ttrue"}
    ),
    "written-tags": one("tags", [{"key": " Owner ", "value": " me  true "}, {"key": "größe:1/=+-@", "value": "01.50"}]),
    "written-texts-of-other-types": Input(
        {"mlflow_experiment_name": "true", "mlflow_run_name": "1.0", "tags": [{"key": "1", "value": "False"}]}
    ),
}
"""Odd but legal texts, which nobody may tidy up."""

COMBINED = {
    "everything": Input(EVERYTHING),
    "everything-gated-lambda": Input({**EVERYTHING, "model": account.GATED_MODEL, "agent_env": f"{LAMBDA}:live"}),
    "everything-nova-runtime-id": Input(
        {**EVERYTHING, "model": "amazon.nova-2-lite-v1", "agent_env": account.RUNTIME_ID, "training_dataset": DATA_SET}
    ),
    "everything-package": Input({**EVERYTHING, **GROUP_NAMES, "model": account.PACKAGE, "mlflow_app_arn": ABSENT}),
}

INPUTS: dict[str, Input] = {
    **MODELS,
    **AGENTS,
    **DATASETS,
    **OUTPUTS,
    **MLFLOW,
    **HYPERPARAMETERS,
    **REST,
    **AS_WRITTEN,
    **COMBINED,
}
