"""Model package groups: where a job registers the tuned model and its checkpoints."""

from aws_cdk import Fn, RemovalPolicy, Resource, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from agent_rft import permissions
from agent_rft.arguments.arn import splittable
from agent_rft.arguments.checked import checked
from agent_rft.arguments.context_lookups import is_looked_up_later
from agent_rft.arguments.validation import refuse, text_problem, unresolved
from agent_rft.iam.grants import granted
from agent_rft.interfaces import IModelPackageGroup
from agent_rft.model_package_group.restricted_group import RestrictedGroup
from agent_rft.naming import generated_name
from agent_rft_handler import facts
from agent_rft_handler.facts import Fact, ManagedStorageType


class _Group(Resource):
    """What groups made here and elsewhere have in common."""

    model_package_group_name: str
    """Its name."""

    model_package_group_arn: str
    """Its ARN."""

    @checked
    def grant_read(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone list and read its packages, and read the group itself.

        Args:
            grantee: A role, a function, or whatever else has one.
        """
        read = granted(self, grantee, permissions.READ_GROUP, self.model_package_group_arn)
        return read.combine(granted(self, grantee, permissions.READ_PACKAGES, self._packages))

    @checked
    def grant_register(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone register packages in it.

        Args:
            grantee: A role, a function, or whatever else has one.
        """
        return granted(self, grantee, permissions.REGISTER_PACKAGES, self.model_package_group_arn, self._packages)

    @property
    def _packages(self) -> str:
        return Stack.of(self).format_arn(
            service="sagemaker",
            region=self.env.region,
            account=self.env.account,
            resource="model-package",
            resource_name=f"{self.model_package_group_name}/*",
        )


class ModelPackageGroup(_Group):
    """A model package group that outlives its stack.

    Example::

        ModelPackageGroup(self, "Tuned", model_package_group_name="wordle-agents")
        ModelPackageGroup(self, "NovaTuned", managed_storage_type=ManagedStorageType.RESTRICTED)
    """

    managed_storage_type: str
    """``Restricted`` for the groups of a Nova job; empty for a plain group."""

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        model_package_group_name: str | None = None,
        model_package_group_description: str | None = None,
        managed_storage_type: ManagedStorageType | str | None = None,
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
            managed_storage_type: ``ManagedStorageType.RESTRICTED`` for the groups of a Nova job, which a custom
                resource makes, as CloudFormation cannot; without it, a plain group.
            removal_policy: RETAIN without it. A group that holds packages cannot be deleted.

        Raises:
            ValueError: for a name or a storage type that SageMaker would refuse.
        """
        super().__init__(scope, id)
        name = model_package_group_name
        if name is not None:
            refuse(self, [text_problem("model_package_group_name", name, (facts.MODEL_PACKAGE_GROUP_NAME,))])
        self.managed_storage_type = managed_storage_type or ""
        description = model_package_group_description or None
        if managed_storage_type:
            refuse(self, [_storage_problem(managed_storage_type)])
            storage = ManagedStorageType.RESTRICTED  # the only one, also where it is still to be looked up
            restricted = RestrictedGroup(self, storage, name, description or "", removal_policy)
            self.node.default_child = restricted.resource
            self.model_package_group_arn = restricted.model_package_group_arn
            self.model_package_group_name = restricted.model_package_group_name
            return
        group = sagemaker.CfnModelPackageGroup(
            self,
            "Resource",
            model_package_group_name=name or generated_name(self, facts.MODEL_PACKAGE_GROUP_NAME.max_length),
            model_package_group_description=description,
        )
        group.apply_removal_policy(removal_policy)
        self.model_package_group_arn = group.ref
        self.model_package_group_name = group.model_package_group_name

    @staticmethod
    @checked
    def from_model_package_group_name(scope: Construct, id: str, name: str) -> IModelPackageGroup:
        """A group of the stack's own account and region, made elsewhere.

        Args:
            scope: Where it is named.
            id: Its id there.
            name: Its name.

        Raises:
            ValueError: for a name that no group has.
        """
        _refuse_form(scope, id, "name", name, facts.MODEL_PACKAGE_GROUP_NAME)
        return ImportedGroup(scope, id, name, _group_arn(scope, name))

    @staticmethod
    @checked
    def from_model_package_group_arn(scope: Construct, id: str, arn: str) -> IModelPackageGroup:
        """A group made elsewhere; its ``env`` is the ARN's account and region.

        Args:
            scope: Where it is named.
            id: Its id there.
            arn: Its ARN.

        Raises:
            ValueError: for an ARN that no group has.
        """
        _refuse_form(scope, id, "arn", arn, facts.MODEL_PACKAGE_GROUP_ARN)
        name = Fn.select(1, Fn.split("/", arn)) if unresolved(arn) else arn.rpartition("/")[2]
        return ImportedGroup(scope, id, name, arn)


class ImportedGroup(_Group):
    """A group made elsewhere."""

    def __init__(self, scope: Construct, id: str, name: str, arn: str, *, is_plain: bool = False) -> None:
        """Use ``ModelPackageGroup.from_*`` instead."""
        super().__init__(scope, id, environment_from_arn=splittable(arn))
        self.model_package_group_name = name
        self.model_package_group_arn = arn
        self.is_plain = is_plain


def _refuse_form(scope: Construct, id: str, argument: str, value: str, form: Fact) -> None:
    refuse(scope, [text_problem(argument, value, (form,))], id)


def _storage_problem(given: str) -> str:
    if is_looked_up_later(given) or given in list(ManagedStorageType):
        return ""
    choices = ", ".join(ManagedStorageType)
    return f"managed_storage_type is {given!r}, but must be one of {choices}. Choose one, or leave it out."


def _group_arn(scope: Construct, name: str) -> str:
    return Stack.of(scope).format_arn(service="sagemaker", resource="model-package-group", resource_name=name)
