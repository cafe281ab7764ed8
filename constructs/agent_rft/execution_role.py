"""The role that the job assumes: made, or given; and what is granted to it."""

from aws_cdk import Annotations, ArnFormat, Aws, Fn, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft import permissions
from agent_rft.acknowledgements import POLICIES, acknowledge, acknowledge_wildcards
from agent_rft.hub_access import hub_access
from agent_rft.model import Model
from agent_rft.network import Network
from agent_rft.permissions import statement
from agent_rft.refusal import refuse, unresolved
from agent_rft_handler.facts import JOB_PRINCIPAL, ROLE_ARN
from agent_rft_handler.validation import form_problem


class ExecutionRole:
    """A role and the statements that a job needs of it; an immutable role gets a warning in their stead."""

    def __init__(self, scope: Construct, role: iam.IRole) -> None:
        self.role = role
        self._scope = scope
        self._stack = Stack.of(scope)

    @classmethod
    def of(cls, scope: Construct, role: iam.IRole | str | None) -> "ExecutionRole":
        """The role made, given, or imported by its ARN or name."""
        if role is None:
            return cls(scope, _made(scope))
        if not isinstance(role, str):
            return cls(scope, role)
        if role.startswith("arn:") or unresolved(role):
            refuse(scope, [] if unresolved(role) else [form_problem("role", role, (ROLE_ARN,))])
            return cls(scope, iam.Role.from_role_arn(scope, "ExecutionRole", role))
        return cls(scope, iam.Role.from_role_name(scope, "ExecutionRole", role))

    def allow(self, *needed: iam.PolicyStatement) -> None:
        """Adds statements to the role's policy."""
        added = [self.role.add_to_principal_policy(each).statement_added for each in needed]
        acknowledge_wildcards(self.role, (resource for each in needed for resource in each.resources))
        if not all(added) or not self._has_policy():
            Annotations.of(self._scope).add_warning_v2(
                "cdk-agent-rft:immutable-role",
                f"The role {self.role.role_name} cannot be changed from here, so the job's permissions were not added "
                "to it. Add those of docs/iam.md to it yourself, or pass a role that this app owns.",
            )

    def allow_data(self, bucket_arn: str, prefix: str) -> None:
        """Reading what lies under one prefix of a bucket."""
        under = {"StringLike": {"s3:prefix": f"{prefix}*"}}
        self.allow(
            statement(permissions.READ_DATA, f"{bucket_arn}/{prefix}*"),
            statement(permissions.LIST_DATA, bucket_arn, conditions=under),
        )

    def allow_output(self, bucket_arn: str, prefix: str) -> None:
        """Writing below one prefix of a bucket."""
        below = f"{prefix}/*" if prefix else "*"
        self.allow(statement(permissions.WRITE_OUTPUT, f"{bucket_arn}/{below}"))

    def allow_key(self, key_arn: str) -> None:
        """Using a customer key through S3."""
        via_s3 = {"StringLike": {"kms:ViaService": "s3.*.amazonaws.com"}}
        self.allow(
            statement(permissions.USE_KEY, key_arn, conditions=via_s3),
            statement(permissions.DESCRIBE_KEY, key_arn),
        )

    def allow_model(self, model: Model, *, in_output_group: bool) -> None:
        """Reading the base model, and the package that training continues from unless the output group holds it."""
        access = hub_access(self._stack, model)
        self.allow(statement(permissions.READ_HUB, *access.hubs, *access.contents))
        if model.model_package_arn and not in_output_group:
            self.allow(statement(permissions.USE_INPUT_PACKAGE, model.model_package_arn))

    def allow_training(self, group_arns: list[str], mlflow_app_arn: str) -> None:
        """What every job needs: model packages, MLflow, logs."""
        app = mlflow_app_arn or self._arn("mlflow-app", "*")
        logs = self._stack.format_arn(
            service="logs",
            resource="log-group",
            resource_name="/aws/sagemaker/Job/*",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        self.allow(
            statement(permissions.USE_GROUPS, *group_arns),
            statement(permissions.USE_PACKAGES, *map(self._packages_of, group_arns)),
            statement(permissions.TRACK, app),
            statement(permissions.LOG, logs),
        )

    def allow_network(self, network: Network) -> None:
        """Attaching the job to exactly these subnets and security groups."""
        interfaces = self._ec2_arn("network-interface", "*")
        places = [self._ec2_arn("subnet", "*" if _is_list_token(each) else each) for each in network.subnets]
        places += [self._ec2_arn("security-group", each) for each in network.security_group_ids]
        created = {"StringEquals": {"ec2:CreateAction": "CreateNetworkInterface"}}
        self.allow(
            statement(permissions.CREATE_INTERFACE, interfaces, *places),
            statement(permissions.USE_INTERFACE, interfaces),
            statement(permissions.DESCRIBE_NETWORK, "*"),
            statement(permissions.TAG_INTERFACE, interfaces, conditions=created),
        )

    def _has_policy(self) -> bool:
        """An immutable role says that it added a statement, too; only, no policy of its own holds it.

        https://github.com/aws/aws-cdk/blob/main/packages/aws-cdk-lib/aws-iam/lib/private/immutable-role.ts
        """
        return any(isinstance(child, iam.Policy) for child in self.role.node.children)

    def _packages_of(self, group_arn: str) -> str:
        return self._arn("model-package", f"{Fn.select(1, Fn.split('/', group_arn))}/*")

    def _ec2_arn(self, resource: str, name: str) -> str:
        return self._stack.format_arn(service="ec2", resource=resource, resource_name=name)

    def _arn(self, resource: str, name: str) -> str:
        return self._stack.format_arn(service="sagemaker", resource=resource, resource_name=name)


def _is_list_token(text: str) -> bool:
    """Whether one string stands for a whole list that is only known at deploy, as jsii hands it over."""
    return text.startswith("#{Token[")


def _made(scope: Construct) -> iam.Role:
    own_account = {"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
    principal = iam.ServicePrincipal(JOB_PRINCIPAL, conditions=own_account)
    role = iam.Role(
        scope,
        "ExecutionRole",
        assumed_by=principal.with_session_tags(),
        description="Assumed by SageMaker AgentRFT jobs",
    )
    acknowledge(role, POLICIES)
    return role
