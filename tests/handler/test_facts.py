"""Each fact against botocore's own model."""

from typing import Any

import botocore.session
import pytest
import regex

from agent_rft_handler import facts
from agent_rft_handler.facts import Fact

session = botocore.session.get_session()
shaped = [fact for fact in facts.ALL if fact.shape]


@pytest.mark.parametrize("fact", facts.ALL, ids=lambda fact: fact.id)
def test_the_example_has_the_form_and_a_sentence_says_it(fact: Fact) -> None:
    assert fact.accepts(fact.example)
    assert fact.sentence
    assert fact.source


@pytest.mark.parametrize("fact", facts.ALL, ids=lambda fact: fact.id)
@pytest.mark.parametrize("value", ["", " ", "x y", "arn:", "s3:/x", "a" * 3000, "é!"])
def test_what_is_nothing_of_the_kind_is_refused(fact: Fact, value: str) -> None:
    if fact is not facts.HYPERPARAMETER_VALUE or value in ("", "é!"):
        assert not fact.accepts(value)


@pytest.mark.parametrize("fact", shaped, ids=lambda fact: fact.id)
def test_the_model_accepts_the_example_and_has_the_same_maximum(fact: Fact) -> None:
    service, name = fact.shape.split(".")
    shape = session.get_service_model(service).shape_for(name)
    pattern = shape.metadata.get("pattern")
    if pattern:
        assert regex.fullmatch(pattern, fact.example)
    if "max" in shape.metadata and fact.max_length:
        assert shape.metadata["max"] == fact.max_length


def test_limits_and_names_are_the_models() -> None:
    model: Any = session.get_service_model("sagemaker")
    assert model.shape_for("JobConfigDocument").metadata["max"] == facts.DOCUMENT_MAX_LENGTH
    assert model.operation_model("CreateJob").input_shape.members["Tags"].metadata["max"] == facts.TAGS_MAX
    assert model.shape_for("TagKey").metadata["max"] == facts.TAG_KEY_MAX_LENGTH
    assert model.shape_for("TagValue").metadata["max"] == facts.TAG_VALUE_MAX_LENGTH
    limits = [model.shape_for(name).metadata["max"] for name in ("Subnets", "VpcSecurityGroupIds")]
    assert limits == [facts.SUBNETS_MAX, facts.SECURITY_GROUPS_MAX]
    assert set(facts.JOB_CATEGORIES) == set(model.shape_for("JobCategory").enum)
    assert set(facts.JOB_STATUSES) == set(model.shape_for("JobStatus").enum)
    assert set(facts.TERMINAL_STATUSES) <= set(facts.JOB_STATUSES)
    version = model.operation_model("CreateJob").input_shape.members["JobConfigSchemaVersion"]
    assert regex.fullmatch(version.metadata["pattern"], facts.SCHEMA_VERSION)


@pytest.mark.parametrize("key", facts.OWN_TAGS.values())
def test_own_tag_keys_are_legal(key: str) -> None:
    pattern = session.get_service_model("sagemaker").shape_for("TagKey").metadata["pattern"]
    assert regex.fullmatch(pattern, key)


def test_closed_choices_are_the_models() -> None:
    model: Any = session.get_service_model("sagemaker")
    assert list(facts.ManagedStorageType) == model.shape_for("ManagedStorageType").enum


@pytest.mark.parametrize(
    "uri", ["s3://Old_Bucket/x", "s3://b.c-d/x//y", "s3://bkt//x", f"s3://{'b' * 255}", "s3://bkt_/x"]
)
def test_a_bucket_of_the_old_rules_and_any_key_is_an_s3_uri(uri: str) -> None:
    assert facts.S3_URI.accepts(uri)
