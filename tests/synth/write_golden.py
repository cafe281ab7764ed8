"""Writes the golden template anew; say in CHANGELOG.md what the change replaces in a user's stack."""

import json

from synth.app import synth
from synth.test_template import GOLDEN, masked

if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(masked(synth().json), indent=1) + "\n")
