"""A customer key: who uses it, and which can be one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from synth.app import KEY_ARN, RUNTIME_ARN, Synthesized, function_in, stack_of, synth, trainer

from agent_rft import Dataset, MultiTurnRLEvaluator, MultiTurnRLTrainer, grant_job_runtime

PROMPTS = Path(__file__).parent / "parquet" / "big.parquet"
EVALUATED: dict[str, Any] = {
    "model": "openai-reasoning-gpt-oss-20b",
    "agent_config": RUNTIME_ARN,
    "dataset": "s3://data-bkt/x.jsonl",
}


def test_a_key_reaches_bucket_document_role_and_handler() -> None:
    made = synth(kms_key=KEY_ARN)
    assert made.job()["KmsKeyArn"] == KEY_ARN
    (bucket,) = made.resources("AWS::S3::Bucket").values()
    assert KEY_ARN in str(bucket["Properties"]["BucketEncryption"])
    assert set(made.allowed("kms:GenerateDataKey")) == {KEY_ARN}
    assert made.allowed("kms:CreateGrant", "Handler") == [KEY_ARN]


def test_an_imported_key_is_warned_of_and_an_own_one_is_not() -> None:
    stack = stack_of()
    assert any("The key's own policy" in text for text in synth(kms_key=KEY_ARN).warnings())
    trainer(stack, kms_key=kms.Key(stack, "Key"))
    assert Synthesized(stack).warnings() == []


def test_the_key_of_the_output_bucket_is_written_under_and_only_kms_key_is_looked_at() -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    trainer(stack, output_bucket=s3.Bucket(stack, "Output", encryption_key=key))
    made = Synthesized(stack)
    assert len(made.allowed("kms:GenerateDataKey")) == len(made.allowed("kms:Decrypt")) == 1
    assert made.allowed("kms:DescribeKey") == []


def test_an_alias_of_the_app_stands_for_its_key() -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    trainer(stack, kms_key=kms.Alias(stack, "Alias", alias_name="alias/a", target_key=key))
    made = Synthesized(stack)
    assert made.job()["KmsKeyArn"] == stack.resolve(key.key_arn)
    assert made.warnings() == []


def test_an_alias_whose_key_is_not_known_is_refused() -> None:
    stack = stack_of()
    alias = kms.Alias.from_alias_name(stack, "Alias", "alias/a")
    with pytest.raises(ValueError, match=r"^\[S/Trainer\] kms_key is the alias 'alias/a', .*from_key_arn"):
        trainer(stack, kms_key=alias)


KINDS: dict[str, dict[str, Any]] = {
    "RSA_2048": {"key_spec": kms.KeySpec.RSA_2048},
    "ECC_NIST_P256": {"key_spec": kms.KeySpec.ECC_NIST_P256, "key_usage": kms.KeyUsage.SIGN_VERIFY},
    "HMAC_256": {"key_spec": kms.KeySpec.HMAC_256, "key_usage": kms.KeyUsage.GENERATE_VERIFY_MAC},
}


TAKES_A_KEY: dict[str, Callable[[Stack, Any], object]] = {
    "trainer": lambda stack, key: trainer(stack, kms_key=key),
    "evaluator": lambda stack, key: MultiTurnRLEvaluator(stack, "E", **EVALUATED, kms_key=key),
    "attributes": lambda stack, key: MultiTurnRLTrainer.from_job_attributes(stack, "Job", job_name="a", kms_key=key),
    "runtime": lambda stack, key: grant_job_runtime(stack, function_in(stack), kms_key=key),
    "URI": lambda stack, key: trainer(
        stack, training_dataset=Dataset.from_s3_uri("s3://data-bkt/x.jsonl", encryption_key=key)
    ),
    "asset": lambda stack, key: trainer(stack, training_dataset=Dataset.from_asset(PROMPTS, encryption_key=key)),
}


@pytest.mark.parametrize("take", TAKES_A_KEY)
def test_wherever_a_key_is_taken_an_alias_stands_for_its_key_and_others_are_refused(take: str) -> None:
    made = stack_of()
    key = kms.Key(made, "Key")
    TAKES_A_KEY[take](made, kms.Alias(made, "Alias", alias_name="alias/a", target_key=key))
    named = [each["Type"] for each in Synthesized(made).json["Resources"].values() if "alias/a" in json.dumps(each)]
    assert named == ["AWS::KMS::Alias"]
    said = r"^\[S[^\]]*\] (kms|encryption)_key is (a key of RSA_2048|the alias 'alias/b')"
    for refused in (kms.Alias.from_alias_name(made, "Other", "alias/b"), kms.Key(made, "RSA", **KINDS["RSA_2048"])):
        with pytest.raises(ValueError, match=said):
            TAKES_A_KEY[take](stack_of(), refused)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("as_alias", [False, True])
def test_a_key_with_which_s3_cannot_encrypt_is_refused(kind: str, as_alias: bool) -> None:
    stack = stack_of()
    given: kms.IKey = kms.Key(stack, "Key", **KINDS[kind])
    if as_alias:
        given = kms.Alias(stack, "Alias", alias_name="alias/a", target_key=given)
    with pytest.raises(ValueError, match=rf"kms_key is a key of {kind}, but S3 encrypts with symmetric keys only"):
        trainer(stack, kms_key=given)


@pytest.mark.parametrize("is_made", [True, False])
def test_an_aliass_arn_is_refused(is_made: bool) -> None:
    stack = stack_of()
    made = kms.Alias(stack, "Alias", alias_name="alias/a", target_key=kms.Key(stack, "Key"))
    arn = made.alias_arn if is_made else made.alias_arn.replace(made.alias_name, "alias/b")
    with pytest.raises(ValueError, match=r"\[S/Trainer\] kms_key is (the ARN of an alias|'arn:.*b'), but must be"):
        trainer(stack, kms_key=arn)


def test_a_symmetric_key_said_in_words_passes() -> None:
    stack: Stack = stack_of()
    trainer(stack, kms_key=kms.Key(stack, "Key", key_spec=kms.KeySpec.SYMMETRIC_DEFAULT))
