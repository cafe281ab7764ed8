"""Which tests should see a wrong in a module: its own, then those of its folder, then some that see everything."""

from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOTS = {"agent_rft": "constructs", "agent_rft_handler": "lambda", "agent_rft_local": "local", "agent_rft_cli": "cli"}
FOLDERS = {"agent_rft": "synth", "agent_rft_handler": "handler", "agent_rft_local": "local", "agent_rft_cli": "cli"}


def _tests(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tests/{folder}/test_{name}.py" for name in names)


EVENTS = _tests("handler", "lifecycle", "lifecycle_delete", "events")
"""What sees most wrongs in what an event does."""

TEMPLATES = _tests("synth", "template", "multi_turn_rl_trainer", "multi_turn_rl_evaluator", "job")
"""What sees most wrongs in what comes of a trainer."""

ALONE = {*_tests("synth", "attribute", "checked", "context_lookups", "literal_parts")}
"""Up to half a minute each: they judge the module that they mirror, and no other."""

BESIDE: dict[str, tuple[tuple[str, ...], ...]] = {
    "agent_rft": (TEMPLATES,),
    "agent_rft.arguments": (_tests("synth", "bad_input", "output", "network", "model"),),
    "agent_rft.hyperparameters": (_tests("synth", "hyperparameters"),),
    "agent_rft.iam": (TEMPLATES, ("tests/in_your_app/test_roles.py",)),
    "agent_rft.job_queue": (_tests("synth", "job_quota"),),
    "agent_rft.network": (_tests("synth", "role_policies", "job_provider"),),
    "agent_rft.permissions": (TEMPLATES, _tests("synth", "grants", "job_task", "network"), ("tests/test_docs.py",)),
    "agent_rft.task": (_tests("synth", "grants"),),
    "agent_rft.watch": (_tests("synth", "job_events"),),
    "agent_rft_handler": (EVENTS,),
    "agent_rft_handler.job": (
        EVENTS,
        (
            *_tests("handler", "resolution", "replacement", "dry_run", "document", "model_package", "tags", "names"),
            *_tests("lifecycle", "matrix", "cancellation", "lags"),
        ),
    ),
    "agent_rft_handler.job_queue": (_tests("handler", "job_queue", "queue_events", "queue_rewards", "queue_stops"),),
    "agent_rft_handler.model_package_group": (_tests("handler", "model_package_groups"),),
    "agent_rft_handler.task": (_tests("handler", "task"),),
    "agent_rft_handler.watch": (_tests("handler", "watcher"),),
    "agent_rft_local": (("tests/local",),),
    "agent_rft_cli": (("tests/cli",),),
}
"""The tests of a folder, beside those that mirror its modules, slower ones last.

What is not here, and has no tests of its own, is judged by those of its package.
"""


def path_of(module: str) -> Path:
    """``agent_rft_handler.job.names`` -> ``lambda/agent_rft_handler/job/names.py``."""
    return ROOT / ROOTS[module.partition(".")[0]] / f"{module.replace('.', '/')}.py"


def stages_of(module: str) -> list[list[str]]:
    """First those in which most mutants die, then all that matter."""
    package, (room, _, _) = module.partition(".")[0], module.rpartition(".")
    own = _mirrors(package, [path_of(module)])
    is_in_room = package == "agent_rft" != room
    beside = [each for each in _mirrors(package, sorted(path_of(module).parent.glob("*.py"))) if each not in ALONE]
    stages, seen = [own, beside if is_in_room else [], *BESIDE.get(room, () if own else BESIDE[package])], set[str]()
    found = []
    for stage in stages:
        found.append([each for each in stage if each not in seen])
        seen.update(stage)
    return [stage for stage in found if stage]


def _mirrors(package: str, modules: Iterable[Path]) -> list[str]:
    """Tests mirror modules; of ``lifecycle`` each folder has one."""
    names = (f"tests/{FOLDERS[package]}/test_{each.stem}.py" for each in modules if each.stem != "lifecycle")
    return [name for name in names if (ROOT / name).exists()]
