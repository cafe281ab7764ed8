"""A job's name as a stack's export, which the next job would change: said at synth, with the way out."""

from aws_cdk import CfnOutput, Stack

from agent_rft import warnings
from agent_rft.arguments.attribute import attribute_at_start
from agent_rft_handler.contract import JOB_RESOURCE_TYPE


def warn_of_exported_jobs(stack: Stack) -> None:
    """Warns of each, when those are there that CDK makes for other stacks: what is exported deploys, once."""
    outputs = [each for each in stack.node.find_all() if isinstance(each, CfnOutput)]
    exported = [attribute_at_start(str(each.value)) for each in outputs if each.export_name]
    for attribute in filter(None, exported):
        if attribute.kind == JOB_RESOURCE_TYPE:
            warnings.EXPORTED_JOB.add_to(attribute.resource, attribute=attribute.name)
