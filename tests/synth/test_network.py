"""The job's network from a VPC or from ids."""

import pytest
from aws_cdk import aws_ec2 as ec2
from synth.app import (
    ACCOUNT,
    LAMBDA_ARN,
    REGION,
    RUNTIME_ARN,
    Synthesized,
    stack_of,
    synth,
    trainer,
)


def test_a_vpc_gives_private_subnets_a_security_group_and_interface_rights() -> None:
    stack = stack_of()
    trainer(stack, vpc=ec2.Vpc(stack, "Vpc", max_azs=2))
    made = Synthesized(stack)
    job = made.job()
    assert [each["Ref"].startswith("VpcPrivateSubnet") for each in job["Subnets"]] == [True, True]
    assert len(job["SecurityGroupIds"]) == 1
    places = [each.partition(f"{REGION}:{ACCOUNT}:")[2] for each in made.allowed("ec2:CreateNetworkInterface")]
    assert places[0] == "network-interface/*"
    assert [place.split("/")[0] for place in places[1:]] == ["subnet", "subnet", "security-group"]
    assert "*" not in "".join(places[1:])
    (group,) = made.resources("AWS::EC2::SecurityGroup").values()
    egress = {(rule["IpProtocol"], rule["FromPort"]) for rule in group["Properties"]["SecurityGroupEgress"]}
    assert egress == {("tcp", 443), ("udp", 53)}
    assert made.warnings() == []


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        (ec2.SubnetSelection(subnet_type=ec2.SubnetType.PUBLIC), "are public"),
        (ec2.SubnetSelection(availability_zones=["us-west-2a"]), "has one subnet"),
    ],
)
def test_public_or_single_subnets_are_warned_of(selection: ec2.SubnetSelection, said: str) -> None:
    stack = stack_of()
    zones = ["us-west-2a", "us-west-2b"]
    trainer(stack, vpc=ec2.Vpc(stack, "Vpc", availability_zones=zones), vpc_subnets=selection)
    assert any(said in text for text in Synthesized(stack).warnings())


def test_ids_alone_make_a_network() -> None:
    groups, subnets = ["sg-0123456789abcdef0"], ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
    job = synth(security_groups=groups, vpc_subnets=subnets).job()
    assert (job["SecurityGroupIds"], job["Subnets"]) == (groups, subnets)


def test_a_vpc_gives_a_security_group_to_subnets_by_their_ids() -> None:
    stack, subnets = stack_of(), ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
    vpc = ec2.Vpc.from_vpc_attributes(stack, "Vpc", vpc_id="vpc-0123456789abcdef0", availability_zones=["us-west-2a"])
    job = trainer(stack, vpc=vpc, vpc_subnets=subnets)
    made = Synthesized(stack)
    assert made.job()["Subnets"] == subnets
    assert made.job()["SecurityGroupIds"] == [
        stack.resolve(each.security_group_id) for each in job.connections.security_groups
    ]


@pytest.mark.parametrize(("agent_env", "service"), [(LAMBDA_ARN, "lambda"), (RUNTIME_ARN, "bedrock-agentcore")])
def test_the_endpoints_that_a_closed_vpc_needs_are_listed(agent_env: str, service: str) -> None:
    made = trainer(stack_of(), agent_env=agent_env)
    assert made.required_vpc_endpoints == [
        f"com.amazonaws.{REGION}.s3",
        f"com.amazonaws.{REGION}.logs",
        f"com.amazonaws.{REGION}.{service}",
        f"aws.sagemaker.{REGION}.mlflow",
    ]


def test_a_vpc_without_private_subnets_says_vpc_subnets() -> None:
    stack = stack_of()
    isolated = ec2.SubnetConfiguration(name="Isolated", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
    vpc = ec2.Vpc(stack, "Vpc", max_azs=2, nat_gateways=0, subnet_configuration=[isolated])
    with pytest.raises(ValueError, match=r"^\[S/Trainer\] vpc has no private .* vpc_subnets=ec2\.SubnetSelection"):
        trainer(stack, vpc=vpc)
    trainer(stack, "Isolated", vpc=vpc, vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED))
    with pytest.raises(ValueError, match=r"^\[S/Public\] vpc_subnets selects no subnets"):
        trainer(stack, "Public", vpc=vpc, vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PUBLIC))
