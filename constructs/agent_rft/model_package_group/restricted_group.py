"""A model package group with managed storage: CloudFormation's own type has no property for it."""

import jsii
from aws_cdk import CustomResource, Duration, ITaggableV2, RemovalPolicy, Stack, TagManager, TagType
from constructs import Construct, IConstruct, IDependable

from agent_rft import permissions
from agent_rft.iam.role_policies import RolePolicies
from agent_rft.naming import generated_name
from agent_rft.permissions import statement
from agent_rft.provider.job_provider import SERVICE_TIMEOUT_MINUTES, JobProvider
from agent_rft_handler.contract import GROUP_RESOURCE_TYPE
from agent_rft_handler.facts import MODEL_PACKAGE_GROUP_NAME, OWN_TAGS

ROOM = 2_100
"""Characters of inline policies for the groups, beside what the jobs take of the handler's role."""


@jsii.implements(ITaggableV2)
class RestrictedGroup(Construct):
    """The custom resource, and the policy with which the handler makes and deletes the group."""

    def __init__(
        self,
        scope: Construct,
        managed_storage_type: str,
        name: str | None,
        description: str,
        removal_policy: RemovalPolicy,
    ) -> None:
        """Use ``ModelPackageGroup`` instead.

        Its id, the storage type, is part of a generated name: a plain group that becomes a Restricted one is
        another resource, and the plain one still has its name.
        """
        super().__init__(scope, managed_storage_type)
        self._tags = TagManager(TagType.MAP, GROUP_RESOURCE_TYPE)
        group_name = name or generated_name(self, MODEL_PACKAGE_GROUP_NAME.max_length)
        provider = JobProvider.of(self)
        self._made = CustomResource(
            self,
            "Resource",
            service_token=provider.service_token,
            resource_type=GROUP_RESOURCE_TYPE,
            properties={
                "ModelPackageGroupName": group_name,
                **({"ModelPackageGroupDescription": description} if description else {}),
                "ManagedStorageType": managed_storage_type,
                "Tags": self._tags.rendered_tags,
            },
            removal_policy=removal_policy,
            service_timeout=Duration.minutes(SERVICE_TIMEOUT_MINUTES),
        )
        self._made.node.add_dependency(provider, self._allow(group_name))
        self.model_package_group_arn = self._made.get_att_string("ModelPackageGroupArn")
        self.model_package_group_name = self._made.get_att_string("ModelPackageGroupName")

    @property
    def cdk_tag_manager(self) -> TagManager:
        """The group's tags; ``Tags.of()`` finds them here (a property, as jsii sees no attribute)."""
        return self._tags

    @property
    def resource(self) -> IConstruct | None:
        """What CloudFormation sees of it."""
        return self._made.node.default_child

    def _allow(self, group_name: str) -> IDependable:
        """Apart from what jobs need: a policy that holds more would be changed before a group that leaves the stack.

        To delete: the stack's own groups, by any name, as a renamed group's earlier one is deleted, too. A retained
        group has this right as well, since its policy may be changed from anywhere until the template is made.
        """
        own = {"StringEquals": {f"aws:ResourceTag/{OWN_TAGS['stack']}": Stack.of(self).stack_id}}
        return RolePolicies.of(self, JobProvider.of(self).role, "Groups", ROOM).allow(
            self,
            statement(permissions.MAKE_GROUP, _arn(self, group_name)),
            statement(permissions.READ_GROUPS, _arn(self, "*")),
            statement(permissions.DELETE_GROUPS, _arn(self, "*"), conditions=own),
        )


def _arn(scope: Construct, name: str) -> str:
    return Stack.of(scope).format_arn(service="sagemaker", resource="model-package-group", resource_name=name)
