"""Everything that stands between ministack and its users: what it lacks, and where AWS is stricter."""

from agent_rft_local import (
    cloudformation_types,
    custom_resources,
    iam_limits,
    iam_log,
    job_logs,
    lambda_roles,
    ministack_names,
    sagemaker,
    stack_lifecycle,
    stack_rules,
)


def install() -> None:
    """Puts all of it in place, once in a process."""
    ministack_names.add_service("sagemaker", "SageMaker", sagemaker.handle, sagemaker)
    ministack_names.know_bucket_owners()
    for each in (
        cloudformation_types,
        custom_resources,
        stack_lifecycle,
        stack_rules,
        iam_limits,
        lambda_roles,
        iam_log,
        job_logs,
    ):
        each.install()
