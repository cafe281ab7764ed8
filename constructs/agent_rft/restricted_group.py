"""A model package group with managed storage: CloudFormation's own type has no property for it."""

import jsii
from aws_cdk import CustomResource, Duration, ITaggableV2, RemovalPolicy, Stack, TagManager, TagType
from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft import permissions
from agent_rft.job_provider import SERVICE_TIMEOUT_MINUTES, JobProvider
from agent_rft.nag_suppressions import POLICIES, acknowledge, acknowledge_wildcards
from agent_rft.naming import generated_name
from agent_rft.permissions import statement
from agent_rft_handler.contract import GROUP_RESOURCE_TYPE
from agent_rft_handler.facts import MODEL_PACKAGE_GROUP_NAME, OWN_TAGS


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
        resource = CustomResource(
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
        policy = self._policy(provider.role, group_name, removal_policy)
        resource.node.add_dependency(provider, policy)
        self.model_package_group_arn = resource.get_att_string("ModelPackageGroupArn")
        self.model_package_group_name = resource.get_att_string("ModelPackageGroupName")

    @property
    def cdk_tag_manager(self) -> TagManager:
        """The group's tags; ``Tags.of()`` finds them here (a property, as jsii sees no attribute)."""
        return self._tags

    def _policy(self, role: iam.Role, group_name: str, removal_policy: RemovalPolicy) -> iam.Policy:
        """A policy of its own: when the group leaves the stack, CloudFormation takes the policy away after it."""
        statements = self._statements(group_name, removal_policy)
        policy = iam.Policy(self, "Access", statements=statements, roles=[role])
        acknowledge(policy, POLICIES)
        acknowledge_wildcards(policy, [resource for each in statements for resource in each.resources])
        return policy

    def _statements(self, group_name: str, removal_policy: RemovalPolicy) -> list[iam.PolicyStatement]:
        """Reading and deleting by any name: a renamed group's earlier one must still be found and deleted."""
        stack = Stack.of(self)
        own = {"StringEquals": {f"aws:ResourceTag/{OWN_TAGS['stack']}": stack.stack_id}}
        needed = [
            statement(permissions.MAKE_GROUP, _arn(stack, group_name)),
            statement(permissions.READ_GROUPS, _arn(stack, "*")),
        ]
        if removal_policy != RemovalPolicy.RETAIN:
            needed.append(statement(permissions.DELETE_GROUPS, _arn(stack, "*"), conditions=own))
        return needed


def _arn(stack: Stack, name: str) -> str:
    return stack.format_arn(service="sagemaker", resource="model-package-group", resource_name=name)
