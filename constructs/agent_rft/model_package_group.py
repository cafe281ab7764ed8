"""Model package groups: where a job registers the tuned model and its checkpoints."""

from typing import Protocol

from aws_cdk import Fn, RemovalPolicy, Resource, Stack
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from agent_rft.naming import generated_name
from agent_rft.restricted_group import RestrictedGroup
from agent_rft.validation import refuse, unresolved
from agent_rft_handler import facts
from agent_rft_handler.validation import form_problem


class IModelPackageGroup(Protocol):
    """A model package group, made here or elsewhere."""

    @property
    def model_package_group_name(self) -> str:
        """Its name."""
        ...

    @property
    def model_package_group_arn(self) -> str:
        """Its ARN."""
        ...


class ModelPackageGroup(Resource):
    """A model package group that outlives its stack.

    Example::

        ModelPackageGroup(self, "Tuned", model_package_group_name="wordle-agents")
        ModelPackageGroup(self, "NovaTuned", managed_storage_type="Restricted")
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        model_package_group_name: str | None = None,
        model_package_group_description: str | None = None,
        managed_storage_type: str | None = None,
        removal_policy: RemovalPolicy = RemovalPolicy.RETAIN,
    ) -> None:
        """Declares the group.

        Args:
            scope: Where it is declared.
            id: Its id there.
            model_package_group_name: At most 63 letters, digits and inner hyphens; without it, a name is generated
                that a later deployment of the stack does not meet again.
            model_package_group_description: At most 1024 characters; none without it. A Restricted group keeps the
                one that it was made with.
            managed_storage_type: ``Restricted`` for the groups of a Nova job, which a custom resource makes, as
                CloudFormation cannot; without it, a plain group.
            removal_policy: RETAIN without it. A group that holds packages cannot be deleted.

        Raises:
            ValueError: for a name or a storage type that SageMaker would refuse.
        """
        super().__init__(scope, id)
        name = model_package_group_name
        if name is not None and not unresolved(name):
            refuse(self, [form_problem("model_package_group_name", name, (facts.MODEL_PACKAGE_GROUP_NAME,))])
        self.managed_storage_type = managed_storage_type or ""
        if managed_storage_type:
            refuse(self, [_storage_problem(managed_storage_type)])
            made = RestrictedGroup(
                self, managed_storage_type, name, model_package_group_description or "", removal_policy
            )
            self.model_package_group_arn = made.model_package_group_arn
            self.model_package_group_name = made.model_package_group_name
            return
        group = sagemaker.CfnModelPackageGroup(
            self,
            "Resource",
            model_package_group_name=name or generated_name(self, facts.MODEL_PACKAGE_GROUP_NAME.max_length),
            model_package_group_description=model_package_group_description or None,
        )
        group.apply_removal_policy(removal_policy)
        self.model_package_group_arn = group.ref
        self.model_package_group_name = group.model_package_group_name

    @staticmethod
    def from_model_package_group_name(scope: Construct, id: str, name: str) -> IModelPackageGroup:
        """A group of the stack's own account and region, made elsewhere.

        Args:
            scope: Where it is named.
            id: Its id there.
            name: Its name.
        """
        return _Imported(name, _group_arn(scope, name))

    @staticmethod
    def from_model_package_group_arn(scope: Construct, id: str, arn: str) -> IModelPackageGroup:
        """A group made elsewhere.

        Args:
            scope: Where it is named.
            id: Its id there.
            arn: Its ARN.
        """
        return _Imported(Fn.select(1, Fn.split("/", arn)) if unresolved(arn) else arn.rpartition("/")[2], arn)


Group = IModelPackageGroup | sagemaker.CfnModelPackageGroup | str
"""What a group may be given as: the construct, the L1, its name or its ARN."""


def group_of(
    scope: Construct, id: str, given: Group | None, removal_policy: RemovalPolicy, managed_storage_type: str | None
) -> IModelPackageGroup:
    """The group given, or one made under ``id``; a string that is only known at deploy is taken for a name."""
    if given is None:
        return ModelPackageGroup(scope, id, managed_storage_type=managed_storage_type, removal_policy=removal_policy)
    if isinstance(given, sagemaker.CfnModelPackageGroup):
        return _Imported(given.model_package_group_name, given.ref, is_plain=True)
    if not isinstance(given, str):
        return given
    if given.startswith("arn:"):
        return ModelPackageGroup.from_model_package_group_arn(scope, id, given)
    return ModelPackageGroup.from_model_package_group_name(scope, id, given)


def is_plain(group: IModelPackageGroup) -> bool:
    """Whether the group is known to have no managed storage; of one made elsewhere, nothing is known."""
    if isinstance(group, ModelPackageGroup):
        return not group.managed_storage_type
    return isinstance(group, _Imported) and group.is_plain


class _Imported:
    def __init__(self, name: str, arn: str, *, is_plain: bool = False) -> None:
        self.is_plain = is_plain
        self.model_package_group_name = name
        self.model_package_group_arn = arn


def _storage_problem(given: str) -> str:
    if given in facts.MANAGED_STORAGE_TYPES:
        return ""
    choices = ", ".join(facts.MANAGED_STORAGE_TYPES)
    return f"managed_storage_type is {given!r}, but must be one of {choices}. Choose one, or leave it out."


def _group_arn(scope: Construct, name: str) -> str:
    return Stack.of(scope).format_arn(service="sagemaker", resource="model-package-group", resource_name=name)
