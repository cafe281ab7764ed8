"""The table's hyperparameters: each type, falsy values, values equal to the default, and recipes."""

from typing import Any

from oracle import account
from oracle.case import Input


def given(**hyperparameters: Any) -> Input:
    """The plain input with these hyperparameters."""
    return Input({"hyperparameters": hyperparameters})


def private(**hyperparameters: Any) -> Input:
    """These hyperparameters for the private hub's model, whose table has more types."""
    return Input(
        {"model": account.PRIVATE_MODEL, "hyperparameters": hyperparameters},
        environment={"SAGEMAKER_HUB_NAME": account.PRIVATE_HUB},
        ours={"model": account.PRIVATE_CONTENT},
    )


def recipe(text: str) -> Input:
    """The plain input with a recipe file."""
    return Input({"recipe": {"$File": text}})


HYPERPARAMETERS = {
    "hp-none": given(),
    "hp-integer": given(max_steps=100),
    "hp-integer-zero": given(val_every=0),
    "hp-integer-at-default": given(max_steps=50),
    "hp-integer-as-text": given(max_steps="100"),
    "hp-integer-as-float": given(max_steps=7.0),
    "hp-integer-as-bool": given(max_epochs=True),
    "hp-integer-at-minimum": given(group_size=2),
    "hp-integer-at-maximum": given(group_size=32),
    "hp-integer-too-small": given(group_size=1),
    "hp-integer-too-large": given(max_epochs=31),
    "hp-integer-in-enum": given(global_batch_size=32),
    "hp-integer-not-in-enum": given(global_batch_size=100),
    "hp-float": given(learning_rate=2e-5),
    "hp-float-tiny": given(learning_rate=1e-10),
    "hp-float-plain": given(temperature=0.7),
    "hp-float-zero": given(temperature=0.0),
    "hp-float-integer-zero": given(temperature=0),
    "hp-float-at-default": given(learning_rate=4e-05),
    "hp-float-integer-at-default": given(temperature=1),
    "hp-float-default-is-integer": given(sampling_top_p=1.0),
    "hp-float-as-text": given(learning_rate="2e-5"),
    "hp-float-as-bool": given(temperature=True),
    "hp-float-too-large": given(temperature=2.5),
    "hp-float-infinite": given(temperature=float("inf")),
    "hp-float-not-a-number": given(temperature=float("nan")),
    "hp-text-in-enum": given(loss_fn="importance_sampling"),
    "hp-text-at-default": given(loss_fn="ppo"),
    "hp-text-not-in-enum": given(loss_fn="grpo"),
    "hp-text-list": given(pass_k_values="[1, 4]"),
    "hp-text-list-without-spaces": given(pass_k_values="[1,2,4,8]"),
    "hp-text-empty": given(pass_k_values=""),
    "hp-text-forbidden-sign": given(pass_k_values="{1}"),
    "hp-list": given(pass_k_values=[1, 4]),
    "hp-null": given(max_steps=None),
    "hp-unknown": given(max_epoch=2),
    "hp-all-at-default": given(max_steps=50, max_epochs=1, learning_rate=4e-05),
    "hp-some-at-default": given(max_steps=100, max_epochs=1, val_every=0),
    "hp-many": given(max_steps=100, max_epochs=6, learning_rate=1e-5, lora_rank=16, loss_fn="cispo", temperature=0.5),
    "hp-float-enum": private(factor=1.0),
    "hp-float-enum-as-integer": private(factor=1),
    "hp-float-not-in-enum": private(factor=1.5),
    "hp-boolean": private(flag=True),
    "hp-boolean-as-text": private(flag="true"),
    "hp-boolean-as-other-text": private(flag="banana"),
    "hp-array": private(values=[1, 4]),
    "hp-array-with-none": private(values=[1, None]),
    "hp-array-as-text": private(values="[1,4]"),
    "hp-array-as-other-text": private(values="banana"),
    "hp-sequence-as-long": private(max_prompt_length=30000, max_response_length=2768),
    "hp-sequence-too-long": private(max_prompt_length=30000, max_response_length=2769),
    "hp-nova": Input({"model": account.NOVA_MODEL, "hyperparameters": {"max_steps": 10, "learning_rate": 2e-5}}),
    "recipe": recipe("training_config:\n  max_steps: 60\n"),
    "recipe-float": recipe("training_config:\n  learning_rate: 0.00002\n"),
    "recipe-at-default": recipe("training_config:\n  max_steps: 50\n"),
    "recipe-too-large": recipe("training_config:\n  max_epochs: 31\n"),
    "recipe-unknown-key": recipe("training_config:\n  max_epoch: 2\n"),
    "recipe-nested": recipe("training_config:\n  trainer:\n    max_steps: 60\n"),
    "recipe-list": recipe("training_config:\n  pass_k_values: [1, 4]\n"),
    "recipe-null": recipe("training_config:\n  max_steps:\n  lora_rank: 16\n"),
    "recipe-text-float": recipe("training_config:\n  learning_rate: 2e-5\n"),
    "recipe-protected": recipe("training_config:\n  model_type: x\n  max_steps: 60\n"),
    "recipe-other-section": recipe("run:\n  name: x\ntraining_config:\n  max_steps: 60\n"),
    "recipe-interpolation": recipe(
        "training_config:\n  max_epochs: 2\n  lora_rank: 16\n  max_steps: ${training_config.lora_rank}\n",
    ),
    "overrides-flat": Input({"overrides": {"max_steps": 70}}),
    "overrides-null-over-recipe": Input(
        {"recipe": {"$File": "training_config:\n  max_steps: 60\n"}, "overrides": {"max_steps": None}}
    ),
    "overrides-protected": Input({"overrides": {"model_name_or_path": "x", "max_steps": 70}}),
    "recipe-overrides": Input(
        {"recipe": {"$File": "training_config:\n  max_steps: 60\n"}, "overrides": {"max_steps": 70}}
    ),
    "recipe-overrides-hyperparameters": Input(
        {
            "recipe": {"$File": "training_config:\n  max_steps: 60\n  lora_rank: 16\n"},
            "overrides": {"max_steps": 70, "max_epochs": 3},
            "hyperparameters": {"max_steps": 100},
        }
    ),
    "recipe-overrides-nested": Input({"overrides": {"training_config": {"max_steps": 70}}}),
    "recipe-under-hyperparameters": Input(
        {"recipe": {"$File": "training_config:\n  max_steps: 60\n"}, "hyperparameters": {"max_steps": 100}}
    ),
}
