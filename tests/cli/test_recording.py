"""The page of the command line shows what the commands do."""

import re

import pytest
from cli.recording import PAGE, recorded

from agent_rft_cli import which_job
from agent_rft_cli.__main__ import COMMANDS, INTERRUPTED, main
from agent_rft_cli.commands.watch import EXIT_CODES
from agent_rft_cli.failures import Failure


@pytest.mark.deploy
@pytest.mark.slow
def test_what_the_page_shows_is_what_a_run_prints() -> None:
    page = PAGE.read_text()
    assert recorded(page) == page, "run make recording"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_names_every_option(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    options = set(re.findall(r"^ +(?:-h, )?(--[a-z-]+)", capsys.readouterr().out, re.MULTILINE)) - {"--help"}
    assert {"--region", "--json"} <= options
    named = set(re.findall(r"(?<![\w-])--[a-z-]+", PAGE.read_text()))
    assert options - named == set()


def test_the_page_names_every_exit_code() -> None:
    section = PAGE.read_text().partition("## Exit codes\n")[2].partition("\n## ")[0]
    said = {int(code) for code in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)}
    wrong_usage = 2  # argparse's
    ours = {*EXIT_CODES.values(), which_job.Deleted.exit_code, Failure.exit_code, INTERRUPTED}
    assert said == ours | {wrong_usage}
