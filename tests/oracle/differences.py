"""Every deliberate difference between what the SDK submits and what we submit; one that is not here fails a test."""

from dataclasses import dataclass

EVERY = ("*",)


@dataclass(frozen=True)
class Difference:
    """At ``path`` the SDK sends ``theirs`` and we send ``ours``, for this reason."""

    inputs: tuple[str, ...]
    path: str
    theirs: object
    ours: object
    reason: str

    def is_of(self, name: str) -> bool:
        """Whether the row is about the input."""
        return self.inputs == EVERY or name in self.inputs

DIFFERENCES = ()
