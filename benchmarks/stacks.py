"""The same stack twice: with trainers, and by hand with plain aws-cdk-lib. ``python -m benchmarks.stacks WHICH COUNT``.

Further trainers share bucket, role and groups, as the points of a sweep do. Prints what came of it as JSON.
"""

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from aws_cdk import App, Environment, Stack

from agent_rft import MultiTurnRLTrainer
from benchmarks import by_hand

MODEL = "openai-reasoning-gpt-oss-20b"
RUNTIME = "arn:aws:bedrock-agentcore:us-west-2:111122223333:runtime/my-AbCdEfGhIj"
DATASET = "s3://data-bkt/prompts/train.parquet"
HERE = Environment(account="111122223333", region="us-west-2")


def with_trainers(stack: Stack, count: int) -> None:
    """Each trainer one line, as a reader of the documents writes it."""
    first = _trainer(stack, 0)
    for number in range(1, count):
        _trainer(
            stack,
            number,
            output_bucket=first.output_bucket,
            role=first.role,
            output_model_package_group=first.output_model_package_group,
            intermediate_checkpoint_model_package_group=first.checkpoint_model_package_group,
        )


def _trainer(stack: Stack, number: int, **shared: object) -> MultiTurnRLTrainer:
    return MultiTurnRLTrainer(
        stack,
        f"Trainer{number}",
        model=MODEL,
        agent_env=RUNTIME,
        training_dataset=DATASET,
        hyperparameters={"max_epochs": 1, "max_steps": 10 + number},
        **shared,  # type: ignore[arg-type] # what a trainer's own attributes hold
    )


def without(stack: Stack, count: int) -> None:
    """The same by hand."""
    by_hand.declare(stack, count, model=MODEL, runtime=RUNTIME, dataset=DATASET)


DECLARED: Mapping[str, Callable[[Stack, int], None]] = {"trainers": with_trainers, "by-hand": without}


def measured(declare: Callable[[Stack, int], None], count: int) -> dict[str, object]:
    """Seconds from the app to its files, the template's bytes, and its resources."""
    with tempfile.TemporaryDirectory() as directory:
        begun = time.perf_counter()
        app = App(outdir=directory)
        declare(Stack(app, "S", env=HERE), count)
        app.synth()
        seconds = time.perf_counter() - begun
        text = (Path(directory) / "S.template.json").read_text()
    resources = Counter(each["Type"] for each in json.loads(text)["Resources"].values())
    compact = json.dumps(json.loads(text), separators=(",", ":"))
    return {"seconds": seconds, "bytes": len(compact), "resources": dict(sorted(resources.items()))}


if __name__ == "__main__":
    print(json.dumps(measured(DECLARED[sys.argv[1]], int(sys.argv[2]))))
