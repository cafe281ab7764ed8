"""dry_run in the template."""

import pytest
from synth.app import synth


def test_only_a_dry_run_says_so_in_the_properties() -> None:
    assert "DryRun" not in synth(dry_run=False).job()
    dry = synth(dry_run=True).job()
    assert dry.pop("DryRun") == "true"
    assert dry == synth().job()


def test_a_dry_run_is_checked_at_synth() -> None:
    with pytest.raises(ValueError, match="replacement is"):
        synth(dry_run=True, replacement="perhaps")
