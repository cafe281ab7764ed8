"""The customer key of what a job writes, and the right to use a key through S3."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import aws_kms as kms
from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.attribute import owner_of
from agent_rft.execution_role import ExecutionRole
from agent_rft.permissions import Permission, Statement, statement


@dataclass(frozen=True)
class EncryptionKey:
    """A customer key, or none: then S3 encrypts with its own."""

    key: kms.IKey | None

    @classmethod
    def of(cls, scope: Construct, kms_key: kms.IKey | str | None) -> "EncryptionKey":
        """The key given, or the one that an ARN names; one of the app's own by its id, too."""
        if not isinstance(kms_key, str):
            return cls(kms_key)
        return cls(owner_of(kms_key, kms.Key) or kms.Key.from_key_arn(scope, "Key", kms_key))

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


def through_s3(permission: Permission, key: kms.IKey) -> Statement:
    """The permission on the key, where S3 asks for it."""
    return statement(permission, key.key_arn, conditions=permissions.via("s3"))
