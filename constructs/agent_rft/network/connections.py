"""What a job's security groups let in and out: its ``connections``, by which it is an ``ec2.IConnectable``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jsii
from constructs import Construct

if TYPE_CHECKING:
    from aws_cdk import aws_ec2 as ec2
    from aws_cdk.aws_ec2 import IConnectable
else:

    class IConnectable:
        """``ec2.IConnectable`` as jsii knows it, without its module: a third of the import's time."""

        __jsii_type__ = "aws-cdk-lib.aws_ec2.IConnectable"

        @property
        @jsii.member(jsii_name="connections")
        def connections(self) -> Any: ...


__all__ = ["IConnectable", "connections_of"]


def connections_of(scope: Construct, security_groups: "Sequence[ec2.ISecurityGroup | str]") -> "ec2.Connections":
    """The connections of these security groups; those given by their ids are imported below ``scope``.

    Raises:
        ValueError: when there is none.
    """
    from aws_cdk import aws_ec2 as ec2

    if not security_groups:
        raise ValueError(
            f"[{scope.node.path}] connections need security groups, but the job has none. Give the job a vpc, or its "
            "security_groups to from_job_attributes."
        )
    groups = [
        ec2.SecurityGroup.from_security_group_id(scope, f"SecurityGroup{number}", each)
        if isinstance(each, str)
        else each
        for number, each in enumerate(security_groups, 1)
    ]
    return ec2.Connections(security_groups=groups)
