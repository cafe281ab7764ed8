"""What `make deploy-local` runs: a deployment for a person to read, and the job watched to its end."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "agent_rft_local", "deploy", "--watch", "4"]


@pytest.mark.deploy
@pytest.mark.slow
def test_it_ends_with_the_job_watched_to_its_end() -> None:
    done = subprocess.run(COMMAND, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown, _, watched = done.stdout.partition("\n$ agent-rft watch ")
    assert "Stack WordleTraining: CREATE_COMPLETE" in shown
    name = watched.split()[0]
    assert f"\n  JobName          {name}\n" in shown
    assert " UTC  Completed, step 20 of 20, 100%, " in watched
    assert f"\n{name} (AgentRFT)\nStatus    Completed\n" in watched
    assert "\nReward    0." in watched
