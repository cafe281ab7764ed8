"""A job's name as a stack's export, which the next job would change: said at synth, with the way out."""

import jsii
from aws_cdk import CfnOutput, Stack
from constructs import IValidation

from agent_rft import warnings
from agent_rft.attribute import attribute_at_start
from agent_rft_handler.contract import JOB_RESOURCE_TYPE


@jsii.implements(IValidation)
class ExportedJobs:
    """Looks at a stack's exports when the app is synthesized: then those are there that CDK makes for other stacks."""

    def __init__(self, stack: Stack) -> None:
        """Use it with ``node.add_validation``."""
        self._stack = stack

    def validate(self) -> list[str]:
        """Finds nothing wrong: what is exported deploys, once."""
        outputs = [each for each in self._stack.node.find_all() if isinstance(each, CfnOutput)]
        exported = [attribute_at_start(str(each.value)) for each in outputs if each.export_name]
        for attribute in filter(None, exported):
            if attribute.kind == JOB_RESOURCE_TYPE:
                warnings.EXPORTED_JOB.add_to(attribute.resource, attribute=attribute.name)
        return []
