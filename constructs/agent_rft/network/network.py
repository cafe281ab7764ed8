"""The job's network: subnets and security groups, from a VPC construct or by their ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from constructs import Construct, IDependable

from agent_rft import permissions, warnings
from agent_rft.arguments.validation import refuse, unresolved
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.permissions import statement
from agent_rft.place import Place

if TYPE_CHECKING:
    from aws_cdk import aws_ec2 as ec2


@dataclass(frozen=True)
class Network:
    """What VpcConfig holds; empty for a job outside a VPC."""

    security_groups: "Sequence[ec2.ISecurityGroup | str]" = ()
    subnets: Sequence[str] = ()
    needs: tuple[IDependable, ...] = ()

    @classmethod
    def of(
        cls,
        scope: Construct,
        vpc: "ec2.IVpc | None",
        vpc_subnets: "ec2.SubnetSelection | Sequence[str] | None",
        security_groups: "Sequence[ec2.ISecurityGroup | str] | None",
    ) -> "Network":
        """The network given, with a security group made where a VPC comes without one.

        Raises:
            ValueError: when subnets are selected from no VPC.
        """
        if vpc is None:
            refuse(scope, [_NO_VPC if vpc_subnets and not isinstance(vpc_subnets, Sequence) else ""])
            return cls(security_groups or (), _subnet_ids(vpc_subnets))
        groups = security_groups if security_groups is not None else [_security_group(scope, vpc)]
        if isinstance(vpc_subnets, Sequence):
            return cls(groups, _subnet_ids(vpc_subnets), (vpc,))
        selected = _selected(scope, vpc, vpc_subnets)
        return cls(groups, selected.subnet_ids, (vpc, selected.internet_connectivity_established))

    @property
    def declared(self) -> Mapping[str, object]:
        """Security groups and subnets."""
        return {"security_group_ids": self.security_group_ids, "subnets": self.subnets}

    @property
    def security_group_ids(self) -> Sequence[str]:
        """The ids of its security groups."""
        return [each if isinstance(each, str) else each.security_group_id for each in self.security_groups]

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to attach the job to exactly these subnets and security groups."""
        if not self.subnets:
            return

        def arn(resource: str, name: str) -> str:
            return Place.of(scope).arn("ec2", resource, name)

        interfaces = arn("network-interface", "*")
        places = [arn("subnet", "*" if unresolved([each]) else each) for each in self.subnets]
        places += [arn("security-group", each) for each in self.security_group_ids]
        created = {"StringEquals": {"ec2:CreateAction": "CreateNetworkInterface"}}
        role.allow(
            statement(permissions.CREATE_INTERFACE, interfaces, *places),
            statement(permissions.USE_INTERFACE, interfaces),
            statement(permissions.DESCRIBE_NETWORK, "*"),
            statement(permissions.TAG_INTERFACE, interfaces, conditions=created),
        )


def required_vpc_endpoints(region: str, *, agent_is_function: bool) -> list[str]:
    """The endpoint services that a job without a way to the internet needs [AWS docs: model-customize-mtrl-vpc].

    ``s3`` is a gateway endpoint, the others are interfaces with private DNS, whose security group lets 443 in.
    """
    agent = "lambda" if agent_is_function else "bedrock-agentcore"
    return [
        f"com.amazonaws.{region}.s3",
        f"com.amazonaws.{region}.logs",
        f"com.amazonaws.{region}.{agent}",
        f"aws.sagemaker.{region}.mlflow",
    ]


_NO_VPC = "vpc_subnets selects subnets of vpc, but vpc is not given. Give vpc, or a list of subnet ids."


_NO_PRIVATE = (
    "vpc has no private subnets with a way out, which are taken without vpc_subnets. Choose others, such as "
    "vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED), with the endpoints of "
    "required_vpc_endpoints."
)
_NOTHING_SELECTED = "vpc_subnets selects no subnets that vpc has. Select others."


def _subnet_ids(subnets: "ec2.SubnetSelection | Sequence[str] | None") -> Sequence[str]:
    return list(subnets) if isinstance(subnets, Sequence) else ()


def _security_group(scope: Construct, vpc: "ec2.IVpc") -> "ec2.SecurityGroup":
    """Nothing in; HTTPS and DNS out [AWS docs: model-customize-mtrl-vpc]."""
    from aws_cdk import aws_ec2 as ec2

    group = ec2.SecurityGroup(
        scope,
        "SecurityGroup",
        vpc=vpc,
        allow_all_outbound=False,
        description="Egress of an AgentRFT job",
    )
    group.add_egress_rule(ec2.Peer.any_ipv4(), ec2.Port.tcp(443), "HTTPS")
    group.add_egress_rule(ec2.Peer.any_ipv4(), ec2.Port.udp(53), "DNS")
    return group


def _selected(scope: Construct, vpc: "ec2.IVpc", chosen: "ec2.SubnetSelection | None") -> "ec2.SelectedSubnets":
    from aws_cdk import aws_ec2 as ec2

    selection = chosen or ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_WITH_EGRESS)
    try:
        selected = vpc.select_subnets(
            subnet_type=selection.subnet_type,
            subnets=selection.subnets,
            subnet_filters=selection.subnet_filters,
            subnet_group_name=selection.subnet_group_name,
            availability_zones=selection.availability_zones,
            one_per_az=selection.one_per_az,
        )
    except RuntimeError as error:  # jsii's word for CDK's own error
        sentence = _NO_PRIVATE if chosen is None else _NOTHING_SELECTED
        raise ValueError(f"[{scope.node.path}] {sentence} CDK says: {error}") from error
    if selected.has_public:
        warnings.PUBLIC_SUBNET.add_to(scope)
    if len(selected.subnet_ids) < 2 and not unresolved(selected.subnet_ids):
        warnings.ONE_SUBNET.add_to(scope)
    return selected
