"""CloudFormation's SageMaker types, made from the registry's own schemas, which cfn-lint ships.

Ref, Fn::GetAtt, what replaces, which keys are refused and where tags go all follow from the schema.
"""

import datetime
import json
from dataclasses import dataclass
from typing import Any

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from agent_rft_local import ministack_names, sagemaker
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

SCHEMA_REGION = "us-east-1"


@dataclass(frozen=True)
class Type:
    """One type: which operations stand behind it, and the request member that names a resource."""

    name: str
    noun: str
    identifier: str
    policy: str = ""

    @property
    def schema(self) -> Row:
        return dict(PROVIDER_SCHEMA_MANAGER.get_resource_schema(SCHEMA_REGION, self.name).schema)

    def names(self, keyword: str) -> tuple[str, ...]:
        """The property names under a keyword such as ``createOnlyProperties``."""
        return tuple(pointer.rsplit("/", 1)[-1] for pointer in self.schema.get(keyword, []))

    def create(self, _logical_id: str, properties: Row, _stack_name: str) -> tuple[str, Row]:
        self._refuse_unknown(properties)
        members = sagemaker.model().operation_model(f"Create{self.noun}").input_shape.members
        request = {name: value for name, value in properties.items() if name in members}
        answer = self._call(f"Create{self.noun}", request)
        arn = str(answer[self.names("primaryIdentifier")[0]])
        self._set_policy(arn, properties)
        return arn, self.attributes(arn)

    def update(self, arn: str, old: Row, new: Row, _stack_name: str) -> tuple[str, Row]:
        self._refuse_unknown(new)
        changed = {name: value for name, value in new.items() if value != old.get(name)}
        self._retag(arn, old, new)
        self._set_policy(arn, new)
        rest = {name: value for name, value in changed.items() if name not in ("Tags", self.policy)}
        if rest:
            self._call(f"Update{self.noun}", {self.identifier: arn, **rest})
        return arn, self.attributes(arn)

    def delete(self, arn: str, _properties: Row) -> None:
        if self.problem(arn) is None:
            self._call(f"Delete{self.noun}", {self.identifier: self._key(arn)})

    def adopt(self, identifier: Row) -> tuple[str, Row]:
        """For `cdk import`."""
        arn = str(next(iter(identifier.values())))
        return arn, self.attributes(arn)

    def problem(self, arn: str) -> str | None:
        """Why there is no such resource; None when there is."""
        try:
            self.attributes(arn)
        except ValueError as error:
            return f"Resource of type '{self.name}' with identifier '{arn}' was not found. ({error})"
        return None

    def attributes(self, arn: str) -> Row:
        """What Fn::GetAtt can read."""
        row = self._call(f"Describe{self.noun}", {self.identifier: arn})
        # an attribute that the schema has and the operation does not is the last part of the ARN
        values = {name: row.get(name, arn.rsplit("/", 1)[-1]) for name in self.names("readOnlyProperties")}
        return {name: _text(value) for name, value in values.items()}

    def _retag(self, arn: str, old: Row, new: Row) -> None:
        gone = {tag["Key"] for tag in old.get("Tags") or []} - {tag["Key"] for tag in new.get("Tags") or []}
        if gone:
            self._call("DeleteTags", {"ResourceArn": arn, "TagKeys": sorted(gone)})
        if new.get("Tags"):
            self._call("AddTags", {"ResourceArn": arn, "Tags": new["Tags"]})

    def _set_policy(self, arn: str, properties: Row) -> None:
        if self.policy and (policy := properties.get(self.policy)):
            text = policy if isinstance(policy, str) else json.dumps(policy)
            self._call(f"Put{self.policy}", {self.identifier: self._key(arn), "ResourcePolicy": text})

    def _key(self, arn: str) -> str:
        return arn if self.identifier.endswith("Arn") else arn.rsplit("/", 1)[-1]

    def _refuse_unknown(self, properties: Row) -> None:
        allowed = set(self.schema["properties"]) - set(self.names("readOnlyProperties"))
        for name in properties:
            if name not in allowed:
                raise ValueError(
                    f"Properties validation failed for resource of type {self.name} with message:\n"
                    f"#: extraneous key [{name}] is not permitted"
                )

    def _call(self, operation: str, request: Row) -> Row:
        try:
            return sagemaker.call(operation, request)
        except ServiceError as error:
            raise ValueError(
                f"{error.message} (Service: SageMaker, Status Code: {error.status}, Code: {error.code})"
            ) from error


TYPES = (
    Type("AWS::SageMaker::ModelPackageGroup", "ModelPackageGroup", "ModelPackageGroupName", "ModelPackageGroupPolicy"),
    Type("AWS::SageMaker::MlflowApp", "MlflowApp", "Arn"),
)


def install() -> None:
    """Makes ministack's CloudFormation know the types."""
    for each in TYPES:
        handlers = {"create": each.create, "update": each.update, "delete": each.delete, "import": each.adopt}
        tagging = each.schema.get("tagging", {})
        tag_property = tagging["tagProperty"].rsplit("/", 1)[-1] if tagging.get("cloudFormationSystemTags") else ""
        ministack_names.add_type(each.name, handlers, each.names("createOnlyProperties"), tag_property)
        ministack_names.add_import(each.name, each.names("primaryIdentifier")[0], each.problem)


def _text(value: Any) -> Any:
    if isinstance(value, float):
        return datetime.datetime.fromtimestamp(value, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value
