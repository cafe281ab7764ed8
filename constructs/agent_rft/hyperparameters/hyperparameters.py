"""The hyperparameters of a job, by the names of the recipe's table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from typing import Literal, Self

from agent_rft.arguments.checked import checked
from agent_rft.hyperparameters.setting import Setting, name_problems

AdvantageMethod = Literal[
    "monte_carlo",
    "group_based",
    "group_based_per_turn",
    "rloo",
    "reinforce_pp",
    "reinforce_pp_baseline",
    "opo",
    "grpo_passk",
    "gpg",
]
LossFunction = Literal["importance_sampling", "ppo", "cispo"]


@dataclass(frozen=True)
class Values:
    """Values by name, and values that are sent whatever the recipe's table says of them."""

    values: Mapping[str, object] = field(default_factory=dict)
    """By name, for names that have no argument here."""
    unchecked: Mapping[str, object] = field(default_factory=dict)
    """By name; not checked by the recipe's table."""

    @classmethod
    def of(cls, given: "Self | Mapping[str, object] | None") -> Self:
        """The hyperparameters themselves, or those of a mapping."""
        return cls(given or {}) if given is None or isinstance(given, Mapping) else given


@checked
@dataclass(frozen=True)
class HyperParameters(Values):
    """Values by the recipe's names, and values that are sent whatever the recipe's table says of them.

    The ranges are those of AWS's recipes [github aws/sagemaker-hyperpod-recipes, launcher/recipe_templatization]; at
    synth they warn, and the table of the model's own recipe decides at deploy. What is absent, or None, has the default
    of that recipe. AWS's own pages contradict each other on some names and ranges; a name in ``unchecked`` is left to
    the service.

    Example::

        hyperparameters=HyperParameters(max_epochs=2, learning_rate=1e-5, unchecked={"global_batch_size": 10})

    Args:
        values: By name, for names that have no argument here, and for values that are only known at deploy.
        unchecked: By name; not checked by the table. None and "" count as absent here too.
    """

    _: KW_ONLY
    max_epochs: int | None = None
    """Passes through the training dataset: from 1 to 30."""
    max_steps: int | None = None
    """Steps after which training ends, if the epochs have not ended it: from 1 to 1000."""
    learning_rate: float | None = None
    """The optimizer's step size: from 0 to 0.01."""
    global_batch_size: int | None = None
    """Prompts in one training step: 32, 64, 128; Nova: 8, 16, 32, 64."""
    group_size: int | None = None
    """Rollouts of one prompt, whose rewards are compared: from 2 to 32."""
    lora_rank: int | None = None
    """Dimensions of the LoRA adapter: from 16 to 64; Nova: from 16 to 32."""
    lora_alpha: int | None = None
    """Scale of the LoRA adapter, whose effect is alpha over rank: from 16 to 128."""
    lora_plus_lr_ratio: float | None = None
    """How much faster one of the adapter's two matrices learns (LoRA+): only Nova: from 1 to 100."""
    advantage_method: AdvantageMethod | None = None
    """How a rollout's advantage follows from the rewards."""
    loss_fn: LossFunction | None = None
    """The policy's loss."""
    clip_low_threshold: float | None = None
    """Below this ratio of new to old probability, the loss is clipped: from 0 to 1."""
    clip_high_threshold: float | None = None
    """Above this ratio of new to old probability, the loss is clipped: from 1 to 10."""
    temperature: float | None = None
    """Sampling temperature of the rollouts: from 0 to 2."""
    sampling_top_p: float | None = None
    """Share of the probability from which tokens are sampled: from 0 to 1."""
    sampling_max_tokens: int | None = None
    """Tokens that the model may write in one turn: from 512 to 8192."""
    rollout_timeout: float | None = None
    """Seconds after which a rollout has failed: from 300 to 86400."""
    rollout_max_concurrency: int | None = None
    """Rollouts that run at the same time: from 32 to 96."""
    rollout_max_retries: int | None = None
    """Attempts at a rollout that failed: from 1 to 10."""
    max_steps_off_policy: int | None = None
    """Steps that a rollout's policy may be older than the trained one, 0 for none: from 0 to 10."""
    val_every: int | None = None
    """Steps between two validations: from 0 to 100."""
    save_every: int | None = None
    """Steps between two checkpoints: only Nova: from 0 to 100."""
    pass_k_values: Sequence[int] | None = None
    """The k for which validation reports pass@k, such as [1, 4]."""
    success_threshold: float | None = None
    """The reward from which validation counts a rollout as a success."""
    adam_beta1: float | None = None
    """Decay of the optimizer's first moment: from 0 to 0.999999."""
    adam_beta2: float | None = None
    """Decay of the optimizer's second moment: from 0 to 0.999999."""
    adam_eps: float | None = None
    """What keeps the optimizer from dividing by zero: from 1e-16 to 0.01."""
    adam_weight_decay: float | None = None
    """Decoupled weight decay: from 0 to 1."""
    adam_grad_clip_norm: float | None = None
    """The norm to which gradients are clipped: from 0 to 100."""


@checked
@dataclass(frozen=True)
class EvaluationHyperParameters(Values):
    """What an evaluation takes, by the names that the service takes.

    The SDK's evaluator sends ``sampling_temperature``, ``top_p`` and ``max_tokens``, which the service was seen to
    refuse. What is absent, or None, has the default of AWS's recipe for evaluations.

    Example::

        hyperparameters=EvaluationHyperParameters(eval_group_size=8, pass_k_values=[1, 4, 8])

    Args:
        values: By name, for names that have no argument here, and for values that are only known at deploy.
        unchecked: By name; not checked by the table. None and "" count as absent here too.
    """

    _: KW_ONLY
    eval_group_size: int | None = None
    """Rollouts of one prompt, at least the largest k of pass@k: from 1 to 128; 1 without it."""
    pass_k_values: Sequence[int] | None = None
    """The k for which pass@k is reported: [1, 2, 4, 8, 16, 32] without it."""
    success_threshold: float | None = None
    """The reward from which a rollout counts as a success: 1 without it."""
    temperature: float | None = None
    """Sampling temperature of the rollouts: from 0 to 2; 0 without it."""
    sampling_top_p: float | None = None
    """Share of the probability from which tokens are sampled: from 0 to 1; 1 without it."""
    sampling_max_tokens: int | None = None
    """Tokens that the model may write in one turn: from 512 to 8192; 4096 without it."""
    rollout_timeout: float | None = None
    """Seconds after which a rollout has failed: from 300 to 86400; 600 without it."""
    rollout_max_concurrency: int | None = None
    """Rollouts that run at the same time: from 32 to 96; 96 without it."""
    rollout_max_retries: int | None = None
    """Attempts at a rollout that failed: from 1 to 10; 3 without it."""


def settings_of(given: Values) -> Iterator[Setting]:
    """Every value with its place; what is absent too."""
    for name, value in {**given.values, **_named(given), **given.unchecked}.items():
        yield Setting(name, value, f"hyperparameters[{name!r}]")


def problems_of(given: Values) -> Iterator[str]:
    """What is wrong with the names: one that stands twice, or is no text."""
    places = {"values": given.values, "the arguments": _named(given), "unchecked": given.unchecked}
    yield from name_problems("hyperparameters", {**given.values, **given.unchecked})
    for name in sorted({str(name) for names in places.values() for name in names}):
        where = [place for place, names in places.items() if name in names]
        if len(where) > 1:
            yield f"hyperparameters has {name} both in {' and in '.join(where)}. Keep it in one of them."


def _named(given: Values) -> Mapping[str, object]:
    """What was given by argument."""
    names = [each.name for each in fields(given) if each.name not in ("values", "unchecked")]
    return {name: getattr(given, name) for name in names if getattr(given, name) is not None}
