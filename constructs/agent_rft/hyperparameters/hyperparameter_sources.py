"""Every source of hyperparameters as one: the recipe file, overrides and hyperparameters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from constructs import Construct

from agent_rft import warnings
from agent_rft.arguments.validation import refuse
from agent_rft.hyperparameters import recipe_tables
from agent_rft.hyperparameters.hyperparameters import (
    EvaluationHyperParameters,
    HyperParameters,
    problems_of,
    settings_of,
)
from agent_rft.hyperparameters.recipe import override_settings, recipe_settings
from agent_rft.hyperparameters.recipe_tables import SET_BY_ARGUMENT, SET_BY_EVALUATION
from agent_rft.hyperparameters.setting import Setting
from agent_rft.iam.execution_role import ExecutionRole


@dataclass(frozen=True)
class SentHyperparameters:
    """What is sent, as text, and which of it the recipe's table does not judge, and does."""

    texts: Mapping[str, str]
    unchecked: tuple[str, ...] = ()
    judged: tuple[Setting, ...] = ()

    @classmethod
    def of(
        cls,
        scope: Construct,
        hyperparameters: HyperParameters | Mapping[str, object] | None,
        overrides: Mapping[str, object] | None,
        recipe: str | Path | None,
        model: str,
    ) -> "SentHyperparameters":
        """Every source merged; of recipe file, overrides and hyperparameters, a later one wins [the SDK's precedence].

        Raises:
            ValueError: for a recipe that cannot be read, a name that stands twice, and a value that cannot be sent.
        """
        given = HyperParameters.of(hyperparameters)
        refuse(scope, problems_of(given))
        # None in overrides takes a recipe's value away, but among hyperparameters it says nothing [as with the SDK]
        lower = {**recipe_settings(scope, recipe, model), **override_settings(scope, overrides)}
        upper = {setting.name: setting for setting in settings_of(given) if not setting.is_absent}
        sent = cls._of_settings(scope, {**lower, **upper}, given.unchecked)
        _warn_of(scope, sent.judged, SET_BY_ARGUMENT, recipe_tables.technique_of(model), recipe_tables.name_of(model))
        return sent

    @classmethod
    def of_evaluation(
        cls, scope: Construct, hyperparameters: EvaluationHyperParameters | Mapping[str, object] | None
    ) -> "SentHyperparameters":
        """What an evaluation is given.

        Raises:
            ValueError: for a name that stands twice, and a value that cannot be sent.
        """
        given = EvaluationHyperParameters.of(hyperparameters)
        refuse(scope, problems_of(given))
        sent = cls._of_settings(scope, {each.name: each for each in settings_of(given)}, given.unchecked)
        _warn_of(scope, sent.judged, SET_BY_EVALUATION, recipe_tables.EVALUATION, "an evaluation")
        return sent

    @classmethod
    def _of_settings(
        cls, scope: Construct, settings: Mapping[str, Setting], unchecked: Mapping[str, object]
    ) -> "SentHyperparameters":
        present = {name: setting for name, setting in settings.items() if not setting.is_absent}
        refuse(scope, (setting.problem() for setting in present.values()))
        return cls(
            {name: setting.text() for name, setting in present.items()},
            tuple(sorted(present.keys() & unchecked.keys())),
            tuple(setting for name, setting in present.items() if name not in unchecked),
        )

    @property
    def declared(self) -> Mapping[str, object]:
        """The texts, and the names that go unchecked."""
        return {"hyperparameters": self.texts, "unchecked_hyperparameters": self.unchecked}

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants nothing; warns where only one of the two limits of a training is set."""
        if ("max_steps" in self.texts) != ("max_epochs" in self.texts):
            warnings.ONE_LIMIT.add_to(scope)


def execution_values(scope: Construct, given: Mapping[str, object] | None, id: str) -> dict[str, object]:
    """What an execution takes in place of a job's own values: texts, and tokens as they are, for its input's sake.

    Raises:
        ValueError: for a name that is none, and a value that cannot be sent.
    """
    values = HyperParameters.of(given)
    refuse(scope, problems_of(values), id)
    settings = [setting for setting in settings_of(values) if not setting.is_absent]
    refuse(scope, (setting.problem() for setting in settings), id)
    return {each.name: each.text() if each.is_literal else each.value for each in settings}


def _warn_of(
    scope: Construct, judged: Iterable[Setting], set_by: Mapping[str, str], technique: str, whose: str
) -> None:
    """Warns of what the job's arguments say, and of what AWS's published table does not take, where there is one."""
    for each in judged:
        if argument := set_by.get(each.name):
            warnings.HYPERPARAMETER_OF_ARGUMENT.add_to(scope, place=each.place, argument=argument)
    for problem in recipe_tables.table(technique).problems(judged, whose) if technique else ():
        warnings.RECIPE_TABLE.add_to(scope, problem=problem, date=recipe_tables.date())
