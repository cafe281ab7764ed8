"""Runs inputs through the real SDK. Belongs to the oracle's own Python, which has sagemaker-train and not this project.

One JSON line in, ``{"arguments": ..., "train": ..., "environment": ...}``, or ``"evaluate"`` in place of ``"train"``;
one out: ``{}``, the jobs of the evaluator's pipeline, or the exception.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, TextIO

from sagemaker.ai_registry.dataset import DataSet
from sagemaker.core.resources import MlflowApp, ModelPackage, ModelPackageGroup
from sagemaker.core.shapes import Tag, VpcConfig
from sagemaker.train.custom_agent_lambda import CustomAgentLambda
from sagemaker.train.evaluate import MultiTurnRLEvaluator
from sagemaker.train.multi_turn_rl_trainer import MultiTurnRLTrainer


def _file(text: str) -> str:
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
        file.write(text)
    return file.name


OBJECTS: dict[str, Callable[[Any], object]] = {
    "$ModelPackage": lambda arn: ModelPackage.get(model_package_name=arn),
    "$ModelPackageGroup": lambda name: ModelPackageGroup.get(model_package_group_name=name),
    "$MlflowApp": lambda arn: MlflowApp.get(arn=arn),
    "$DataSet": lambda arn: DataSet(name="prompts", arn=arn, version="1.0.0", status="Available"),
    "$CustomAgentLambda": lambda arn: CustomAgentLambda(lambda_arn=arn),
    "$VpcConfig": lambda members: VpcConfig(**members),
    "$Tag": lambda members: Tag(**members),
    "$File": _file,
}
"""What stands in the table as ``{"$Name": value}``: an object of the SDK, or a file with that text."""


def made(value: Any) -> Any:
    """The argument with its objects made."""
    if isinstance(value, list):
        return [made(item) for item in value]
    if isinstance(value, dict):
        name = next(iter(value), "")
        return OBJECTS[name](value[name]) if name in OBJECTS else {key: made(item) for key, item in value.items()}
    return value


def run(given: dict[str, Any]) -> dict[str, Any]:
    """Trains as the input says; what the SDK or the service refused comes back as its type and first line."""
    os.environ.update(given["environment"])
    try:
        if "evaluate" in given:
            return {"jobs": evaluated(made(given["arguments"]), made(given["evaluate"]))}
        MultiTurnRLTrainer(**made(given["arguments"])).train(wait=False, **made(given["train"]))
    except Exception as error:  # noqa: BLE001 - a refusal of any kind is a result
        return {"type": type(error).__name__, "message": str(error).partition("\n")[0]}
    return {}


def evaluated(arguments: dict[str, Any], hyperparameters: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments of each job in the pipeline that the evaluator would start.

    The local AWS runs no pipelines and keeps no lineage, and neither has a part in what a job is given.
    """
    os.chdir(tempfile.mkdtemp())  # it writes its pipeline into the working directory
    MultiTurnRLEvaluator._get_or_create_artifact_arn = lambda _self, source_uri, region: source_uri
    MultiTurnRLEvaluator._start_mtrl_execution = lambda _self, pipeline_definition, **_: pipeline_definition
    evaluator = MultiTurnRLEvaluator(**arguments)
    for name, value in hyperparameters.items():
        setattr(evaluator.hyperparameters, name, value)
    pipeline: Any = evaluator.evaluate()
    return [step["Arguments"] for step in json.loads(pipeline)["Steps"] if step["Type"] == "Job"]


def answer(line: str, out: TextIO) -> None:
    """One input in a process of its own, so that nothing the SDK remembers reaches the next."""
    child = os.fork()
    if not child:
        out.write(json.dumps(run(json.loads(line))) + "\n")
        out.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise SystemExit("the SDK's process ended without an answer")


def main() -> None:
    """Answers line by line; the SDK's own prints go to standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    out.write(json.dumps({"sagemaker-train": version("sagemaker-train")}) + "\n")
    out.flush()
    for line in sys.stdin:
        answer(line, out)


if __name__ == "__main__":
    main()
