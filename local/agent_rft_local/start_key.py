"""The key of one local AWS: made when it starts, root's there, and worth nothing anywhere else."""

import secrets
from dataclasses import dataclass, field

from botocore.credentials import Credentials


@dataclass(frozen=True)
class StartKey:
    """Root's access key, which no policy binds; every request is signed with it or with a key it led to.

    Args:
        access_key_id: Names the key; no secret.
        secret_access_key: Signs requests; whoever has it can do anything in this local AWS.
    """

    access_key_id: str
    secret_access_key: str = field(repr=False)

    @classmethod
    def make(cls) -> "StartKey":
        """A new one, which nobody can guess."""
        return cls(f"LOCALAWS{secrets.token_hex(6).upper()}", secrets.token_hex(20))

    @property
    def environment(self) -> dict[str, str]:
        """The variables in which AWS clients look for it."""
        return {"AWS_ACCESS_KEY_ID": self.access_key_id, "AWS_SECRET_ACCESS_KEY": self.secret_access_key}

    @property
    def credentials(self) -> Credentials:
        """The same for botocore's signers."""
        return Credentials(self.access_key_id, self.secret_access_key)
