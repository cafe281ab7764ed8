"""Everything that stands between ministack and its users: what it lacks, and where AWS is stricter."""

from agent_rft_local import (
    agentcore_iam,
    buckets,
    cloudformation_types,
    custom_resources,
    iam_limits,
    iam_log,
    job_logs,
    lambda_errors,
    lambda_roles,
    ministack_names,
    nested_stacks,
    sagemaker,
    stack_lifecycle,
    stack_rules,
    state_machines,
)


def install() -> None:
    """Puts all of it in place, once in a process."""
    ministack_names.add_service("sagemaker", "SageMaker", sagemaker.handle, sagemaker)
    for each in (
        buckets,
        cloudformation_types,
        custom_resources,
        nested_stacks,
        stack_lifecycle,
        stack_rules,
        iam_limits,
        lambda_roles,
        lambda_errors,
        iam_log,
        agentcore_iam,
        job_logs,
        state_machines,
    ):
        each.install()
