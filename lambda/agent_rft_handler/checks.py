"""What is wrong with a declaration, in words: at synth for what is known there, at deploy for the rest.

Standard library only, as the constructs call it too. A value that is ``unresolved`` passes every check.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from agent_rft_handler import facts
from agent_rft_handler.contract import Declaration
from agent_rft_handler.facts import Fact

Unresolved = Callable[[object], bool]

FORMS: Mapping[str, tuple[Fact, ...]] = {
    "role_arn": (facts.ROLE_ARN,),
    "model": (facts.HUB_CONTENT_NAME, facts.HUB_CONTENT_ARN, facts.MODEL_PACKAGE_ARN),
    "agent_env": (facts.AGENT_RUNTIME_ARN, facts.AGENT_RUNTIME_ID, facts.LAMBDA_ARN),
    "bedrock_agentcore_qualifier": (facts.QUALIFIER,),
    "training_dataset": (facts.S3_URI, facts.DATA_SET_ARN),
    "validation_dataset": (facts.S3_URI, facts.DATA_SET_ARN),
    "s3_output_path": (facts.S3_URI,),
    "output_model_package_group": (facts.MODEL_PACKAGE_GROUP_NAME, facts.MODEL_PACKAGE_GROUP_ARN),
    "intermediate_checkpoint_model_package_group": (facts.MODEL_PACKAGE_GROUP_NAME, facts.MODEL_PACKAGE_GROUP_ARN),
    "kms_key_arn": (facts.KMS_KEY_ARN,),
    "mlflow_app": (facts.MLFLOW_APP_ARN,),
    "base_job_name": (facts.BASE_JOB_NAME,),
}
"""The forms each argument may have; any one will do."""

REQUIRED = ("model", "agent_env", "training_dataset", "s3_output_path", "role_arn")


def never(_value: object) -> bool:
    """Nothing is unresolved: the checks at deploy."""
    return False


def problems(
    declaration: Declaration, *, unresolved: Unresolved = never, region: str = "", account: str = ""
) -> list[str]:
    """Every problem, one sentence each, with the value, what is allowed and what to change."""
    return [
        *_forms(declaration, unresolved),
        *_places(declaration, unresolved, region, account),
        *_pairs(declaration, unresolved),
        *_hyperparameters(declaration, unresolved),
        *tag_problems(declaration.tags, unresolved),
        *_size(declaration, unresolved),
    ]


def form_problem(argument: str, value: str, forms: tuple[Fact, ...]) -> str:
    """The sentence for a value that has none of the forms; empty when it has one."""
    if any(fact.accepts(value) for fact in forms):
        return ""
    allowed = ", or ".join(fact.sentence for fact in forms)
    return f"{argument} is {shown(value)}, but must be {allowed}. Write it like {forms[0].example!r}."


def tag_problems(tags: Mapping[str, str], unresolved: Unresolved = never) -> Iterator[str]:
    """What is wrong with the job's tags."""
    room = facts.TAGS_MAX - len(facts.OWN_TAGS)
    if len(tags) > room:
        yield (
            f"tags has {len(tags)} tags, but a job takes {facts.TAGS_MAX} and {len(facts.OWN_TAGS)} of them say "
            f"whose job it is. Leave {room} or fewer, those of Tags.of() included."
        )
    for key, value in tags.items():
        if unresolved(key) or unresolved(value):
            continue
        if not 1 <= len(key) <= facts.TAG_KEY_MAX_LENGTH or key.lower().startswith("aws:"):
            yield (
                f"tags has the key {shown(key)}, but a key has 1 to {facts.TAG_KEY_MAX_LENGTH} characters and does "
                "not start with aws:. Rename it."
            )
        if len(value) > facts.TAG_VALUE_MAX_LENGTH or not re.fullmatch(facts.TAG_TEXT, key + value):
            yield (
                f"tags[{shown(key)}] is {shown(value)}, but a value has at most {facts.TAG_VALUE_MAX_LENGTH} "
                "characters, and key and value hold only letters, digits, spaces and _ . : / = + - @. Change it."
            )


def shown(value: object) -> str:
    """The value as a message quotes it: in full when short, else its two ends."""
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:80]}...{text[-30:]} ({len(text) - 2} characters)"


def _forms(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    for argument, forms in FORMS.items():
        value = getattr(declaration, argument)
        if not value:
            if argument in REQUIRED:
                yield f"{argument} is missing, but must be {forms[0].sentence}. Write it like {forms[0].example!r}."
        elif not unresolved(value):
            value = facts.MODEL_ALIASES.get(value, value) if argument == "model" else value
            if sentence := form_problem(argument, value, forms):
                yield sentence
    for argument, fact in (("security_group_ids", facts.SECURITY_GROUP_ID), ("subnets", facts.SUBNET_ID)):
        values = getattr(declaration, argument)
        for value in () if unresolved(values) else values:
            if not unresolved(value) and (sentence := form_problem(argument, value, (fact,))):
                yield sentence
    if declaration.replacement not in facts.REPLACEMENTS:
        yield (
            f"replacement is {shown(declaration.replacement)}, but must be one of "
            f"{', '.join(facts.REPLACEMENTS)}. Choose one."
        )


def _places(declaration: Declaration, unresolved: Unresolved, region: str, account: str) -> Iterator[str]:
    for argument in FORMS:
        value = getattr(declaration, argument)
        if unresolved(value) or not value.startswith("arn:"):
            continue
        there = facts.region_of(value)
        if region and there and not unresolved(region) and there != region:
            yield (
                f"{argument} is {shown(value)} in {there}, but the job runs in {region}, and takes only what is in "
                "its own region. Use one there, or deploy the stack to that region."
            )
    role = declaration.role_arn
    if account and not unresolved(account) and not unresolved(role) and role.startswith("arn:"):
        owner = role.split(":")[4]
        if owner != account:
            yield (
                f"role is {shown(role)} of account {owner}, but the job runs in {account}, and SageMaker refuses a "
                "role of another account. Use a role of that account."
            )


def _pairs(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    output, checkpoint = declaration.output_model_package_group, declaration.intermediate_checkpoint_model_package_group
    if output and checkpoint and output == checkpoint:
        yield (
            f"output_model_package_group and intermediate_checkpoint_model_package_group are both {shown(output)}, but "
            "must differ. Give another group for one of them, or leave one out to have it made."
        )
    if bool(declaration.security_group_ids) != bool(declaration.subnets):
        given, absent = ("security_groups", "vpc or vpc_subnets")
        if declaration.subnets:
            given, absent = "subnets", "security_groups"
        yield f"{given} without {absent}: a job in a VPC needs both. Give {absent} too, or neither."
    qualifier, endpoint = declaration.bedrock_agentcore_qualifier, facts.endpoint_of(declaration.agent_env)
    if unresolved(qualifier) or unresolved(declaration.agent_env):
        return
    if endpoint and qualifier not in ("", facts.DEFAULT_QUALIFIER, endpoint):
        yield (
            f"bedrock_agentcore_qualifier is {shown(qualifier)}, but agent_env names the endpoint {shown(endpoint)}. "
            "Leave one of them out."
        )


def _hyperparameters(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    given = declaration.hyperparameters
    if len(given) > facts.HYPERPARAMETERS_MAX:
        yield (
            f"hyperparameters has {len(given)} entries, but a job takes {facts.HYPERPARAMETERS_MAX}. Leave out those "
            "that have the model's default."
        )
    for name, value in given.items():
        if not unresolved(value) and not facts.HYPERPARAMETER_VALUE.accepts(value):
            yield (
                f"hyperparameters[{shown(name)}] is {shown(value)}, but must be {facts.HYPERPARAMETER_VALUE.sentence}. "
                f"Write it like {facts.HYPERPARAMETER_VALUE.example!r}."
            )


def _size(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    known = [value for value in declaration.hyperparameters.values() if not unresolved(value)]
    characters = sum(map(len, known))
    if characters > facts.DOCUMENT_MAX_LENGTH:
        yield (
            f"hyperparameters hold {characters} characters, but the whole JobConfigDocument takes "
            f"{facts.DOCUMENT_MAX_LENGTH}. Shorten them, or put what is long into the dataset."
        )
