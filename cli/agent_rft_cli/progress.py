"""How far a training has come, by ServiceOutput's ProgressInfo."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """The step that the job is at, counted over all epochs.

    Args:
        step: The step that is being made, from 1; 0 before the first.
        steps: How many there will be.
        epoch: The epoch that it is in, from 1; None where the service counts steps alone.
        epochs: How many there will be.
        steps_per_epoch: How many steps one has.
    """

    step: int
    steps: int
    epoch: int | None = None
    epochs: int | None = None
    steps_per_epoch: int | None = None

    @classmethod
    def of(cls, info: Mapping[str, Any]) -> "Progress | None":
        """Of either form that ProgressInfo has [sagemaker-train 1.27.0: job_wait]; None of any other.

        In the form with epochs CurrentStep is a step of the epoch, by the SDK's own sum.
        """
        step = int(info.get("CurrentStep") or 0)
        if info.get("MaxEpoch") and info.get("StepsPerEpoch"):
            epochs, of_epoch = int(info["MaxEpoch"]), int(info["StepsPerEpoch"])
            epoch = int(info.get("CurrentEpoch") or 0)
            return cls(max(0, epoch - 1) * of_epoch + step, epochs * of_epoch, epoch, epochs, of_epoch)
        return cls(step, int(info["MaxSteps"])) if info.get("MaxSteps") else None

    def fraction(self, *, is_complete: bool) -> float:
        """The share of the steps that are done: the current one is not, until the job is Completed."""
        return min(1.0, max(0, self.step - (not is_complete)) / self.steps)

    def words(self) -> str:
        """``epoch 2 of 4, step 3 of 10``."""
        if self.epoch is None or self.steps_per_epoch is None:
            return f"step {self.step} of {self.steps}"
        within = self.step - max(0, self.epoch - 1) * self.steps_per_epoch
        return f"epoch {self.epoch} of {self.epochs}, step {within} of {self.steps_per_epoch}"
