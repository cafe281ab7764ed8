"""What is wrong with a declaration, in words: at synth for what is known there, at deploy for the rest.

Standard library only, as the constructs call it too. A value that is ``unresolved`` passes every check.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from agent_rft_handler import facts
from agent_rft_handler.declaration import ARGUMENTS, Declaration
from agent_rft_handler.facts import Fact

Unresolved = Callable[[object], bool]
Accepts = Callable[[Fact, str], bool]

AGENT, QUALIFIER = (
    next(each for each in ARGUMENTS if each.field_name == name) for name in ("agent_env", "bedrock_agentcore_qualifier")
)

RESERVED_KEYS = ("aws:", facts.OWN_TAG_PREFIX)
"""How no tag of the user's may start: AWS's own, and those that say whose job it is."""


def never(_value: object) -> bool:
    """Nothing is unresolved: the checks at deploy."""
    return False


def problems(
    declaration: Declaration,
    *,
    unresolved: Unresolved = never,
    accepts: Accepts = Fact.accepts,
    region: str = "",
    account: str = "",
) -> list[str]:
    """Every problem, one sentence each, with the value, what is allowed and what to change."""
    found = [
        *_forms(declaration, unresolved, accepts),
        *_flags(declaration, unresolved),
        *_buckets(declaration, unresolved),
        *_places(declaration, unresolved, region, account),
        *_pairs(declaration, unresolved),
        *_lists(declaration, unresolved),
        *_hyperparameters(declaration, accepts),
        *tag_problems(declaration.tags, unresolved),
        *_size(declaration, unresolved),
    ]
    return [each for each in found if each]


def given_problems(given: Mapping[str, object], accepts: Accepts = Fact.accepts) -> Iterator[str]:
    """What is wrong with the texts among a user's arguments, by the arguments' names."""
    for argument in ARGUMENTS:
        value = given.get(argument.name)
        if isinstance(value, str) and argument.forms:
            problem = form_problem(argument.name, value, argument.forms + argument.given_forms, accepts)
            yield from [problem] if problem else []


def form_problem(argument: str, value: str, forms: tuple[Fact, ...], accepts: Accepts = Fact.accepts) -> str:
    """The sentence for a value that has none of the forms; empty when it has one."""
    if any(accepts(fact, value) for fact in forms):
        return ""
    return f"{argument} is {shown(value)}, but must be {_allowed(forms)}."


def bucket_problem(argument: str, value: str, bucket: str) -> str:
    """The sentence for a name in a bucket's place that is not a general purpose bucket's; empty for one that is."""
    if not (kind := facts.kind_of_bucket(bucket)):
        return ""
    return (
        f"{argument} is {shown(value)}, but {shown(bucket)} is {kind}, on which the role's rights on a bucket do not "
        "count. Give the general purpose bucket itself, or copy the objects to one."
    )


def same_group_problem(group: str) -> str:
    """The sentence for one group in two places."""
    return (
        f"output_model_package_group and intermediate_checkpoint_model_package_group are both {shown(group)}, but "
        "must differ. Give another group for one of them, or leave one out to have it made."
    )


def length_problem(what: str, characters: int) -> str:
    """The sentence for what no document has room for; empty for what one may have."""
    if characters <= facts.DOCUMENT_MAX_LENGTH:
        return ""
    return (
        f"{what} has {characters} characters, but a JobConfigDocument takes {facts.DOCUMENT_MAX_LENGTH}. Shorten the "
        "hyperparameters, or put what is long into the dataset."
    )


def tag_problems(tags: Mapping[str, str], unresolved: Unresolved = never) -> Iterator[str]:
    """What is wrong with the job's tags."""
    room = facts.TAGS_MAX - len(facts.OWN_TAGS)
    if len(tags) > room:
        yield (
            f"tags has {len(tags)} tags, but a job takes {facts.TAGS_MAX} and {len(facts.OWN_TAGS)} of them say "
            f"whose job it is. Keep at most {room}, those of Tags.of() included."
        )
    for key, value in tags.items():
        if unresolved(key):
            continue
        if not 1 <= len(key) <= facts.TAG_KEY_MAX_LENGTH or key.lower().startswith(RESERVED_KEYS):
            yield (
                f"tags has the key {shown(key)}, but a key has 1 to {facts.TAG_KEY_MAX_LENGTH} characters and does "
                f"not start with {' or '.join(RESERVED_KEYS)}. Rename it."
            )
        if unresolved(value):
            continue
        if len(value) > facts.TAG_VALUE_MAX_LENGTH or not re.fullmatch(facts.TAG_TEXT, key + value):
            yield (
                f"tags[{shown(key)}] is {shown(value)}, but a value has at most {facts.TAG_VALUE_MAX_LENGTH} "
                "characters, and key and value hold only letters, digits, spaces and _ . : / = + - @. Change it."
            )


def shown(value: object) -> str:
    """The value as a message quotes it: in full when short, else its two ends."""
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:80]}...{text[-30:]} ({len(text) - 2} characters)"


def _forms(declaration: Declaration, unresolved: Unresolved, accepts: Accepts) -> Iterator[str]:
    category = declaration.job_category
    for argument in ARGUMENTS:
        value, name = argument.value_in(declaration), argument.named(category)
        if argument.is_missing_in(declaration):
            yield f"{name} is missing, but must be {_allowed(argument.forms, argument.choices)}."
        elif value and argument.choices and not unresolved(value) and value not in argument.choices:
            yield f"{name} is {shown(value)}, but must be {_allowed((), argument.choices)}."
        elif value and argument.forms and (argument.kind is str or not unresolved(value)):
            for text in [value] if argument.kind is str else value:
                yield form_problem(name, argument.aliases.get(text, text), argument.forms, accepts)


def _flags(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    """Text that is neither true nor false: taken for false, it would submit a job that was to be a dry run."""
    for argument in ARGUMENTS:
        value = argument.value_in(declaration)
        if argument.kind is bool and not isinstance(value, bool) and not unresolved(value):
            yield f"{argument.name} is {shown(value)}, but must be true or false. Write one of them."


def _allowed(forms: tuple[Fact, ...], choices: tuple[str, ...] = ()) -> str:
    if choices:
        return f"one of {', '.join(choices)}"
    return f"{', or '.join(fact.sentence for fact in forms)}. Write it like {forms[0].example!r}"


def _buckets(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    for argument in ARGUMENTS:
        value = argument.value_in(declaration)
        if facts.S3_URI not in argument.forms or not value.startswith("s3://"):
            continue
        bucket = value.removeprefix("s3://").partition("/")[0]
        is_refused_already = not unresolved(value) and not facts.S3_URI.accepts(value)
        if not unresolved(bucket) and not is_refused_already:
            yield bucket_problem(argument.named(declaration.job_category), value, bucket)


def _places(declaration: Declaration, unresolved: Unresolved, region: str, account: str) -> Iterator[str]:
    for argument in ARGUMENTS:
        value = argument.value_in(declaration)
        if not argument.forms or argument.kind is not str or unresolved(value) or not value.startswith("arn:"):
            continue
        there = facts.region_of(value)
        if region and there and not unresolved(region) and there != region:
            yield (
                f"{argument.named(declaration.job_category)} is {shown(value)} in {there}, but the job runs in "
                f"{region}, and takes only what is in its own region. Use one there, or deploy the stack to that "
                "region."
            )
    role = declaration.role_arn
    if account and not unresolved(account) and not unresolved(role) and role.startswith("arn:"):
        owner = facts.account_of(role)
        if owner != account:
            yield (
                f"role is {shown(role)} of account {owner}, but the job runs in {account}, and SageMaker refuses a "
                "role of another account. Use a role of that account."
            )


def _pairs(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    output, checkpoint = declaration.output_model_package_group, declaration.intermediate_checkpoint_model_package_group
    if output and output == checkpoint:
        yield same_group_problem(output)
    if bool(declaration.security_group_ids) != bool(declaration.subnets):
        names = ("vpc_subnets", "security_groups")
        given, absent = names if declaration.subnets else reversed(names)
        yield f"{given} is given without {absent}, but a job in a VPC needs both. Give vpc, or both lists of ids."
    qualifier, endpoint = declaration.bedrock_agentcore_qualifier, facts.endpoint_of(declaration.agent_env)
    if unresolved(qualifier) or unresolved(declaration.agent_env):
        return
    if endpoint and qualifier not in ("", facts.DEFAULT_QUALIFIER, endpoint):
        agent, chosen = (argument.named(declaration.job_category) for argument in (AGENT, QUALIFIER))
        yield (
            f"{chosen} is {shown(qualifier)}, but {agent} names the endpoint {shown(endpoint)}. Leave one of them out."
        )


def _lists(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    for argument in ARGUMENTS:
        name, ids, most = argument.name, argument.value_in(declaration), argument.most
        if not most or unresolved(ids):
            continue
        if len(ids) > most:
            yield f"{name} has {len(ids)} entries, but a job takes {most}. Leave out {len(ids) - most}."
        if twice := ", ".join(sorted({each for each in ids if ids.count(each) > 1 and not unresolved(each)})):
            yield f"{name} has {twice} more than once. Write each once."


def _hyperparameters(declaration: Declaration, accepts: Accepts) -> Iterator[str]:
    given = declaration.hyperparameters
    if len(given) > facts.HYPERPARAMETERS_MAX:
        yield (
            f"hyperparameters has {len(given)} entries, but a job takes {facts.HYPERPARAMETERS_MAX}. Leave out those "
            "that have the model's default."
        )
    for name, value in given.items():
        yield form_problem(f"hyperparameters[{shown(name)}]", value, (facts.HYPERPARAMETER_VALUE,), accepts)


def _size(declaration: Declaration, unresolved: Unresolved) -> Iterator[str]:
    known = [value for value in declaration.hyperparameters.values() if not unresolved(value)]
    yield length_problem("hyperparameters", sum(map(len, known)))
