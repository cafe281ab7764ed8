"""Every name of ministack that we use is there, in the version we pin."""

from importlib.metadata import requires, version

import pytest

from agent_rft_local import ministack_names


def test_the_pinned_version_is_installed() -> None:
    (pin,) = [each for each in requires("cdk-agent-rft") or [] if each.startswith("ministack")]
    assert pin.startswith(f"ministack=={version('ministack')}")


PRIVATE = (
    (ministack_names.provisioners, "_RESOURCE_HANDLERS"),
    (ministack_names.provisioners, "_REPLACING_PROPERTIES"),
    (ministack_names.provisioners, "_STACK_TAG_PROPERTY"),
    (ministack_names.changesets, "_IMPORT_LOOKUPS"),
    (ministack_names.custom_resource, "invoke_custom_resource"),
    (ministack_names.custom_resource, "deliver_response"),
    (ministack_names.custom_resource, "_pending"),
    (ministack_names.custom_resource, "_lock"),
    (ministack_names.custom_resource, "_response_url"),
    (ministack_names.custom_resource, "_normalise_resource_properties"),
    (ministack_names.iam_evaluator, "_resolve_condition_key"),
    (ministack_names.iam_evaluator, "enforce"),
    (ministack_names.iam_evaluator, "SignedRequest"),
    (ministack_names.iam_evaluator, "_sigv2_check"),
    (ministack_names.iam_evaluator, "resolve_credential"),
    (ministack_names.iam_actions, "access_denied_response"),
    (ministack_names.sigv4, "header_signature_failure"),
    (ministack_names.sigv4, "parse_header_signature"),
    (ministack_names.sigv4, "parse_query_signature"),
    (ministack_names.sigv4, "presigned_request_is_expired"),
    (ministack_names.sigv4, "request_time_failure"),
    (ministack_names.lambda_runtime, "execution_credentials"),
    (ministack_names.lambda_svc, "execution_credentials"),
    (ministack_names.wait_conditions, "handle_url"),
    (ministack_names.s3, "_bucket_owner_account"),
    (ministack_names.s3, "_bucket_encryption"),
    (ministack_names.s3, "_put_bucket_encryption"),
    (ministack_names.s3, "_delete_bucket_encryption"),
    (ministack_names.provisioners, "_S3_BUCKET_CONFIGURATIONS"),
    (ministack_names.cloudformation_handlers, "_ACTION_HANDLERS"),
    (ministack_names.cloudformation_handlers, "_resolve_stack"),
    (ministack_names.cloudformation_handlers, "_imported_export_names"),
    (ministack_names.cloudformation_handlers, "validate_template_support"),
    (ministack_names.changesets, "validate_template_support"),
    (ministack_names.iam, "_IAM_HANDLERS"),
    (ministack_names.iam, "_policies"),
    (ministack_names.iam_evaluator, "_action_matches"),
    (ministack_names.iam_evaluator, "_conditions_met"),
    (ministack_names.iam_evaluator, "EvalContext"),
    (ministack_names.lambda_svc, "_create_function"),
    (ministack_names.provisioners, "_nested_stack_lookup_name"),
    (ministack_names.provisioners, "_update_resource"),
    (ministack_names.stacks, "_extract_deps"),
    (ministack_names.stacks, "_topological_sort"),
    (ministack_names.lambda_svc, "_get_func_record_for_ref"),
    (ministack_names.lambda_svc, "_execution_record_for_config"),
    (ministack_names.lambda_svc, "_LAMBDA_ASYNC_RETRY_BASE_SECONDS"),
    (ministack_names.stacks, "_update_resource"),
    (ministack_names.stacks, "_delete_resource"),
    (ministack_names.stacks, "_resolve_stack_outputs"),
    (ministack_names.stacks, "_revert_update"),
    (ministack_names.stacks, "_roll_back_operation"),
    (ministack_names.stacks, "_continue_update_rollback_async"),
    (ministack_names.stacks, "_deploy_stack_async"),
    (ministack_names.stacks, "_delete_stack_async"),
    (ministack_names.stepfunctions, "_executions"),
    (ministack_names.stepfunctions, "_state_machines"),
    (ministack_names.stepfunctions, "_run_execution"),
    (ministack_names.stepfunctions, "_invoke_resource"),
    (ministack_names.stepfunctions, "_scaled_sleep"),
    (ministack_names.stepfunctions, "_ExecutionError"),
    (ministack_names.sts, "register_session"),
    (ministack_names.iam, "_roles"),
    (ministack_names.app, "SERVICE_HANDLERS"),
    (ministack_names.app, "SERVICE_REGISTRY"),
    (ministack_names.app, "AUTH"),
    (ministack_names.app, "_request_account_scope"),
    (ministack_names.router, "SERVICE_PATTERNS"),
)


@pytest.mark.parametrize(("owner", "name"), PRIVATE, ids=lambda each: getattr(each, "__name__", each))
def test_a_private_name_is_there(owner: object, name: str) -> None:
    assert hasattr(owner, name)
