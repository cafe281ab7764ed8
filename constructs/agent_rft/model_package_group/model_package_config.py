"""The two groups in which a job registers what it makes: the ModelPackageConfig of its document."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import RemovalPolicy
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.arguments.arn import is_arn
from agent_rft.arguments.attribute import attribute_at_start
from agent_rft.arguments.validation import is_text_token, refuse, unresolved
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.interfaces import Group, IModelPackageGroup
from agent_rft.model.model import GROUP_REFS, Model
from agent_rft.model_package_group.model_package_group import ImportedGroup, ModelPackageGroup
from agent_rft.permissions import statement
from agent_rft.place import Place, name_in
from agent_rft_handler.contract import GROUP_RESOURCE_TYPE
from agent_rft_handler.facts import ManagedStorageType, is_nova
from agent_rft_handler.validation import same_group_problem

RESTRICTED_GROUP_ARN = f"{GROUP_RESOURCE_TYPE}.ModelPackageGroupArn"

ARGUMENTS = {
    "OutputGroup": "output_model_package_group",
    "CheckpointGroup": "intermediate_checkpoint_model_package_group",
}
CHOICES = "ModelPackageGroup.from_model_package_group_arn or from_model_package_group_name"


@dataclass(frozen=True)
class ModelPackageConfig:
    """The group of the tuned model, that of the checkpoints, and the model whose packages they take."""

    output: IModelPackageGroup
    checkpoint: IModelPackageGroup
    model: Model
    continues_elsewhere: bool

    @classmethod
    def of(
        cls,
        scope: Construct,
        model: Model,
        output: Group | None,
        checkpoint: Group | None,
        removal_policy: RemovalPolicy,
    ) -> "ModelPackageConfig":
        """The groups given, the group of the model package that training continues from, or groups made.

        Raises:
            ValueError: when both are the same one.
        """
        tuned = output or _own_group(scope, model)
        storage = ManagedStorageType.RESTRICTED if model.is_nova else None
        config = cls(
            _group_of(scope, "OutputGroup", tuned, removal_policy, storage),
            _group_of(scope, "CheckpointGroup", checkpoint, removal_policy, storage),
            model,
            continues_elsewhere=bool(model.model_package_arn) and output is not None,
        )
        refuse(scope, [config._same_group_problem()])
        return config

    @property
    def declared(self) -> Mapping[str, object]:
        """The groups' ARNs."""
        output, checkpoint = self._arns
        return {"output_model_package_group": output, "intermediate_checkpoint_model_package_group": checkpoint}

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to register packages in the groups, and to read the one that training continues from."""
        place = Place.of(scope)
        packages = [place.arn("sagemaker", "model-package", f"{name_in(arn)}/*") for arn in self._arns]
        if self.continues_elsewhere:
            role.allow(statement(permissions.USE_INPUT_PACKAGE, self.model.model_package_arn))
        role.allow(
            statement(permissions.USE_GROUPS, *self._arns),
            statement(permissions.USE_PACKAGES, *packages),
        )
        perhaps_nova = self.model.is_nova or is_nova(self.model.model_package_arn)
        if perhaps_nova and (_is_plain(self.output) or _is_plain(self.checkpoint)):
            warnings.RESTRICTED_GROUPS.add_to(scope)

    @property
    def _arns(self) -> tuple[str, str]:
        return self.output.model_package_group_arn, self.checkpoint.model_package_group_arn

    def _same_group_problem(self) -> str:
        """By name where the ARNs cannot be compared, as one of them is only known at deploy."""
        first, second = self._arns
        name = self.output.model_package_group_name
        comparable = not unresolved(first) and not unresolved(second)
        same_name = not comparable and not unresolved(name) and name == self.checkpoint.model_package_group_name
        return same_group_problem(name) if first == second or same_name else ""


def _group_of(
    scope: Construct, id: str, given: Group | None, removal_policy: RemovalPolicy, storage: ManagedStorageType | None
) -> IModelPackageGroup:
    """The group given, or one made under ``id``."""
    if given is None:
        return ModelPackageGroup(scope, id, managed_storage_type=storage, removal_policy=removal_policy)
    if isinstance(given, sagemaker.CfnModelPackageGroup):
        return ImportedGroup(scope, id, given.model_package_group_name, given.ref, is_plain=True)
    if not isinstance(given, str):
        return given
    if _is_arn(scope, id, given):
        return ModelPackageGroup.from_model_package_group_arn(scope, id, given)
    return ModelPackageGroup.from_model_package_group_name(scope, id, given)


def _own_group(scope: Construct, model: Model) -> Group | None:
    """The group that training continues from, or that of the package: a token is an ARN there, and a name here."""
    group, name = model.model_package_group, model.model_package_group_name
    if isinstance(group, str):
        return ModelPackageGroup.from_model_package_group_arn(scope, "OutputGroup", group)
    if group is not None:
        return group
    return ModelPackageGroup.from_model_package_group_name(scope, "OutputGroup", name) if name else None


def _is_arn(scope: Construct, id: str, given: str) -> bool:
    """By how it begins; a token of the app's own by what it is an attribute of; any other is taken for a name."""
    attribute = attribute_at_start(given) if is_text_token(given) else None
    if attribute and attribute.of in (*GROUP_REFS, RESTRICTED_GROUP_ARN):
        return True
    is_own_name = attribute is not None and attribute.name == "ModelPackageGroupName"
    if is_text_token(given) and not is_own_name:
        warnings.UNKNOWN_KIND.add_to(scope, what=ARGUMENTS[id], taken="a name", instead=CHOICES)
    return is_arn(given)


def _is_plain(group: IModelPackageGroup) -> bool:
    """Whether the group is known to have no managed storage; of one made elsewhere, nothing is known."""
    if isinstance(group, ModelPackageGroup):
        return not group.managed_storage_type
    return isinstance(group, ImportedGroup) and group.is_plain
