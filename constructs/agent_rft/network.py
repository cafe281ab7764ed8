"""The job's network: subnets and security groups, from a VPC construct or by their ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import Annotations
from constructs import Construct, IDependable

from agent_rft.refusal import refuse, unresolved

if TYPE_CHECKING:
    from aws_cdk import aws_ec2 as ec2


@dataclass(frozen=True)
class Network:
    """What VpcConfig holds; empty for a job outside a VPC."""

    security_group_ids: Sequence[str] = ()
    subnets: Sequence[str] = ()
    needs: tuple[IDependable, ...] = ()


def network_of(
    scope: Construct,
    vpc: "ec2.IVpc | None",
    vpc_subnets: "ec2.SubnetSelection | Sequence[str] | None",
    security_groups: "Sequence[ec2.ISecurityGroup | str] | None",
) -> Network:
    """The network given, with a security group made where a VPC comes without one.

    Raises:
        ValueError: when half of it is given.
    """
    if vpc is None:
        refuse(scope, [_half_given(vpc_subnets, security_groups)])
        return Network(_ids(security_groups), _subnet_ids(vpc_subnets))
    groups = security_groups if security_groups is not None else [_security_group(scope, vpc)]
    if isinstance(vpc_subnets, Sequence):
        return Network(_ids(groups), _subnet_ids(vpc_subnets), (vpc,))
    selected = _selected(scope, vpc, vpc_subnets)
    return Network(_ids(groups), selected.subnet_ids, (vpc, selected.internet_connectivity_established))


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


def _half_given(vpc_subnets: object, security_groups: object) -> str:
    if bool(vpc_subnets) == bool(security_groups) and (not vpc_subnets or isinstance(vpc_subnets, Sequence)):
        return ""
    given, absent = ("vpc_subnets", "security_groups") if vpc_subnets else ("security_groups", "vpc_subnets")
    if vpc_subnets and security_groups:
        absent = "vpc, from which vpc_subnets selects"
    return f"{given} is given without {absent}: a job in a VPC needs both. Give vpc, or both lists of ids, or neither."


def _ids(security_groups: "Sequence[ec2.ISecurityGroup | str] | None") -> Sequence[str]:
    return [each if isinstance(each, str) else each.security_group_id for each in security_groups or ()]


def _subnet_ids(subnets: "ec2.SubnetSelection | Sequence[str] | None") -> Sequence[str]:
    return list(subnets) if isinstance(subnets, Sequence) else ()


def _security_group(scope: Construct, vpc: "ec2.IVpc") -> "ec2.SecurityGroup":
    """Nothing in; HTTPS and DNS out [AWS docs: model-customize-mtrl-vpc]."""
    from aws_cdk import aws_ec2 as ec2

    group = ec2.SecurityGroup(
        scope, "SecurityGroup", vpc=vpc, allow_all_outbound=False, description="Of an AgentRFT job"
    )
    group.add_egress_rule(ec2.Peer.any_ipv4(), ec2.Port.tcp(443), "HTTPS")
    group.add_egress_rule(ec2.Peer.any_ipv4(), ec2.Port.udp(53), "DNS")
    return group


def _selected(scope: Construct, vpc: "ec2.IVpc", chosen: "ec2.SubnetSelection | None") -> "ec2.SelectedSubnets":
    from aws_cdk import aws_ec2 as ec2

    selection = chosen or ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_WITH_EGRESS)
    selected = vpc.select_subnets(
        subnet_type=selection.subnet_type,
        subnets=selection.subnets,
        subnet_filters=selection.subnet_filters,
        subnet_group_name=selection.subnet_group_name,
        availability_zones=selection.availability_zones,
        one_per_az=selection.one_per_az,
    )
    if selected.has_public:
        _warn(scope, "public-subnet", "The job's subnets are public; a job's network interfaces get no public address.")
    if len(selected.subnet_ids) < 2 and not unresolved(selected.subnet_ids):
        _warn(scope, "one-subnet", "The job has one subnet; give two private ones in different availability zones.")
    return selected


def _warn(scope: Construct, id: str, text: str) -> None:
    Annotations.of(scope).add_warning_v2(f"cdk-agent-rft:{id}", f"{text} [AWS docs: model-customize-mtrl-vpc]")
