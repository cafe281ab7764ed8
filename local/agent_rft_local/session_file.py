"""How another process of the same user finds a local AWS that is up, and the key for it.

The file lies in the local AWS's own folder, which only the user can read and which goes with it. Standard library
only: the command line looks here without the extra ``local``.
"""

import json
import os
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

FOLDER_PREFIX = "agent-rft-local-"
NAME = "session.json"


@dataclass(frozen=True)
class SessionFile:
    """What a client needs.

    Args:
        endpoint: The address.
        region: The region that the CDK deploys to.
        access_key_id: The key's name.
        secret_access_key: Signs.
    """

    endpoint: str
    region: str
    access_key_id: str
    secret_access_key: str = field(repr=False)

    def write(self, directory: Path) -> None:
        """Into the local AWS's folder."""
        descriptor = os.open(directory / NAME, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(self), file)


def found() -> list[SessionFile]:
    """Those of this user's local AWS that are up; what another user has put there is passed over."""
    paths = Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*/{NAME}")
    return [SessionFile(**json.loads(path.read_text())) for path in sorted(paths) if path.stat().st_uid == os.getuid()]
