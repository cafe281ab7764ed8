"""The customer key of what a job writes, and the right to use a key through S3."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from aws_cdk import Stack
from aws_cdk import aws_kms as kms
from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.arguments.arn import splittable
from agent_rft.arguments.attribute import owner_of
from agent_rft.arguments.types import implements
from agent_rft.arguments.validation import refuse, unresolved
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.permissions import Permission, Statement, statement


@dataclass(frozen=True)
class EncryptionKey:
    """A customer key, or none: then S3 encrypts with its own."""

    key: kms.IKey | None

    @classmethod
    def of(cls, scope: Construct, kms_key: kms.IKey | str | None) -> "EncryptionKey":
        """The key given, the one that an alias of the app is for, or the one that an ARN names; one of the app's own by
        its id, too.

        Raises:
            ValueError: for an alias whose key is not known, and a key with which S3 cannot encrypt.
        """
        own = owner_of(kms_key, kms.Key) if isinstance(kms_key, str) else kms_key
        if isinstance(kms_key, str) and own is None:
            refuse(scope, [_alias_problem(scope, kms_key)])
            return cls(kms.Key.from_key_arn(scope, "Key", splittable(kms_key)))
        return cls(symmetric_key(scope, "kms_key", own))

    @property
    def declared(self) -> Mapping[str, object]:
        """Its ARN."""
        return {"kms_key_arn": self.key.key_arn} if self.key else {}

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to use it."""
        if not self.key:
            return
        role.allow(through_s3(permissions.USE_KEY, self.key), statement(permissions.DESCRIBE_KEY, self.key.key_arn))
        if not isinstance(self.key, kms.Key):
            warnings.IMPORTED_KEY.add_to(scope)


OF_A_KEY = "Give the key itself, such as kms.Key.from_key_arn(...)."

SYMMETRIC = ("SYMMETRIC_DEFAULT", "ENCRYPT_DECRYPT")
"""The only key spec and usage with which S3 encrypts [AWS docs: UsingKMSEncryption]."""


def _alias_problem(scope: Construct, text: str) -> str:
    """An alias's ARN in which the CDK leaves the name for later, though it is known when the stack is resolved."""
    resolved = json.dumps(Stack.of(scope).resolve(text)) if unresolved(text) else ""
    return f"kms_key is the ARN of an alias, but must be that of a key. {OF_A_KEY}" if ":alias/" in resolved else ""


def symmetric_key(scope: Construct, argument: str, key: kms.IKey | None, id: str = "") -> kms.IKey | None:
    """The key, or the one that an alias of the app is for.

    Raises:
        ValueError: for an alias whose key is not known, and a key with which S3 cannot encrypt.
    """
    if key is None:
        return None
    if implements(key, kms.IAlias):
        key = _target(scope, argument, key, id)
    refuse(scope, [_kind_problem(argument, key)], id)
    return key


def _target(scope: Construct, argument: str, alias: Any, id: str) -> kms.IKey:
    """The alias's key: the documents of the service know no alias [AWS docs: model-customize-mtrl-encryption]."""
    try:
        return cast("kms.IKey", alias.alias_target_key)
    except RuntimeError as error:  # CDK's own, for an alias that it knows by its name only
        name = alias.alias_name
        sentence = f"{argument} is the alias {name!r}, whose key is not known at synth, but must be a key or its ARN."
        refuse(scope, [f"{sentence} {OF_A_KEY}"], id)
        raise AssertionError from error


def _kind_problem(argument: str, key: kms.IKey) -> str:
    resource = key.node.default_child
    said = (resource.key_spec, resource.key_usage) if isinstance(resource, kms.CfnKey) else ()
    kind = next((each for each in said if each and not unresolved(each) and each not in SYMMETRIC), "")
    if not kind:
        return ""
    return f"{argument} is a key of {kind}, but S3 encrypts with symmetric keys only. Leave out key_spec and key_usage."


def through_s3(permission: Permission, key: kms.IKey) -> Statement:
    """The permission on the key, where S3 asks for it."""
    return statement(permission, key.key_arn, conditions=permissions.via("s3"))
