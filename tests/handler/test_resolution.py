"""What is looked up at deploy: the model and its recipe, the agent, the MLflow app; and how it fails."""

import json

import pytest
from botocore.exceptions import ClientError
from handler.world import World

from agent_rft_handler.errors import MESSAGE_MAX_BYTES, Refused
from agent_rft_handler.job import base_model
from agent_rft_local import store

ACCESS_POINT = "arn:aws:s3:us-east-1:000000000000:accesspoint/recipes"


def refusal(world: World, **changed: object) -> str:
    """The sentence with which the declaration is refused; nothing is submitted."""
    with pytest.raises(Refused) as refused:
        world.deliver("Create", world.declaration(**changed))
    assert world.jobs() == {}
    sentence = str(refused.value)
    assert len(sentence.encode()) <= MESSAGE_MAX_BYTES
    assert "\n" not in sentence
    return sentence


def test_an_unknown_model_is_refused_with_close_names_and_how_to_list_them(world: World) -> None:
    sentence = refusal(world, model="huggingface-reasoning-qwen3-33b")
    assert "Close to it: huggingface-reasoning-qwen3-32b" in sentence
    assert "list-hub-contents" in sentence


def test_a_model_without_the_recipe_is_refused_with_those_that_have_one(world: World) -> None:
    sentence = refusal(world, model="huggingface-llm-falcon-7b-bf16")
    assert "no recipe for multi-turn RL" in sentence
    assert "openai-reasoning-gpt-oss-20b" in sentence


def test_a_gated_model_is_refused_until_its_licence_is_accepted(world: World) -> None:
    assert "accept_eula=True" in refusal(world, model="meta-textgeneration-llama-3-3-70b-instruct")


def test_accept_eula_is_never_inferred(world: World) -> None:
    world.deliver("Create", world.declaration())
    assert world.document()["TrainingConfig"]["AcceptEula"] is False


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"max_epoch": "2"}, "max_epoch, which the recipe does not take. It takes"),
        ({"max_epochs": "31"}, "'max_epochs'] is 31, but must be from 1 to 30"),
        ({"max_epochs": "1.5"}, "but must be an integer"),
        ({"max_steps": "1_000"}, "but must be an integer"),
        ({"learning_rate": "fast"}, "but must be a number"),
        ({"learning_rate": "nan"}, "but must be a number"),
        ({"learning_rate": "-1e-5"}, "'learning_rate'] is -1e-5, but must be from 0 to"),
        ({"global_batch_size": "100"}, "but must be one of 32, 64, 128"),
    ],
)
def test_a_hyperparameter_is_checked_by_the_recipes_table(world: World, given: dict[str, str], said: str) -> None:
    assert said in refusal(world, hyperparameters=given)


def test_an_unchecked_hyperparameter_is_sent_whatever_the_recipes_table_says(world: World) -> None:
    given = {"max_epochs": "1", "global_batch_size": "10", "max_epoch": "2"}
    world.deliver(
        "Create",
        world.declaration(hyperparameters=given, unchecked_hyperparameters=["global_batch_size", "max_epoch"]),
    )
    assert world.document()["TrainingConfig"]["HyperParameters"] == given


def test_the_names_beside_an_unchecked_one_are_checked_all_the_same(world: World) -> None:
    given = {"max_epochs": "31", "max_epoch": "2"}
    sentence = refusal(world, hyperparameters=given, unchecked_hyperparameters=["max_epoch"])
    assert "'max_epochs'] is 31" in sentence
    assert "max_epoch," not in sentence


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"max_prompt_length": "30000", "max_response_length": "2769"}, True),
        ({"max_prompt_length": "30000", "max_response_length": "2768"}, False),
        ({"max_prompt_length": "32000"}, True),
        ({}, False),
    ],
)
def test_a_sequence_longer_than_the_recipes_is_refused(world: World, given: dict[str, str], refused: bool) -> None:
    world.s3.spec = {
        name: {"type": "integer", "default": 1024} for name in ("max_prompt_length", "max_response_length")
    }
    if refused:
        assert "the recipe takes sequences of 32768 tokens" in refusal(world, hyperparameters=given)
    else:
        world.deliver("Create", world.declaration(hyperparameters=given))


def test_an_unreadable_table_leaves_hyperparameters_to_the_service(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.s3.fails = ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "GetObject")
    world.deliver("Create", world.declaration(hyperparameters={"anything": "1"}))
    assert "left to the service" in caplog.text


def test_a_pinned_private_model_passes_untouched(world: World) -> None:
    from handler.world import ACCOUNT, REGION

    from agent_rft_local import model_hub
    from agent_rft_local.ministack_names import request_scope

    with request_scope(ACCOUNT, REGION):
        model_hub.seed("MyHub", "mine", model_hub.document_of("mine", REGION, recipes=True))
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:hub-content/MyHub/Model/mine/1.0.0"
    world.deliver("Create", world.declaration(model=arn))
    assert world.document()["TrainingConfig"]["BaseModelArn"] == arn


def test_a_package_without_a_base_model_is_refused(world: World) -> None:
    from handler.world import ACCOUNT, REGION

    from agent_rft_local.ministack_names import request_scope

    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package/other/1"
    with request_scope(ACCOUNT, REGION):
        store.packages[arn] = {"ModelPackageArn": arn}
    assert "names no base model" in refusal(world, model=arn)


def test_without_an_app_the_accounts_default_is_taken_then_the_first_ready_one(world: World) -> None:
    other = world.sagemaker.create_mlflow_app(Name="b", ArtifactStoreUri="s3://a/b", RoleArn=world.role_arn)["Arn"]
    default = world.sagemaker.create_mlflow_app(
        Name="d", ArtifactStoreUri="s3://a/b", RoleArn=world.role_arn, AccountDefaultStatus="ENABLED"
    )["Arn"]
    world.deliver("Create", world.declaration())
    assert world.document()["TrainingConfig"]["MlflowConfig"] == {"MlflowResourceArn": default}
    world.finish_jobs()
    world.sagemaker.delete_mlflow_app(Arn=default)
    world.deliver("Create", world.declaration(run_id="2"))
    assert world.document()["TrainingConfig"]["MlflowConfig"]["MlflowResourceArn"] in (other, world.app)


def test_an_app_that_is_old_or_failed_is_passed_over_and_none_is_an_error_that_says_how_to_declare_one(
    world: World,
) -> None:
    for app in list(store.apps.values()) or []:
        app["MlflowVersion"] = "3.4.0"
    from handler.world import ACCOUNT, REGION

    from agent_rft_local.ministack_names import request_scope

    with request_scope(ACCOUNT, REGION):
        for app in store.apps.values():
            app["MlflowVersion"] = "3.4.0"
    sentence = refusal(world)
    assert "mlflow_app=MlflowApp(self, 'Mlflow')" in sentence
    assert "3.4.0" in sentence


def test_two_groups_that_turn_out_to_be_one_are_refused(world: World) -> None:
    assert "must differ" in refusal(world, intermediate_checkpoint_model_package_group="tuned")


def test_several_problems_come_in_one_sentence_each(world: World) -> None:
    sentence = refusal(world, agent_env="x y", training_dataset="s3:/x", role_arn="me")
    assert all(name in sentence for name in ("agent_env is 'x y'", "training_dataset is 's3:/x'", "role is 'me'"))


@pytest.mark.parametrize("operation", ["DescribeHubContent", "ListMlflowApps", "ListJobs", "CreateJob"])
def test_a_denied_call_says_which_and_what_to_do(world: World, operation: str) -> None:
    world.fail(operation, "denied", times=9)
    sentence = refusal_without_listing(world)
    assert "AccessDeniedException" in sentence
    assert "allow-listed" in sentence


def refusal_without_listing(world: World) -> str:
    with pytest.raises(Refused) as refused:
        world.deliver("Create", world.declaration())
    assert world.submitted() == [] or store.calls[-1]["operation"] != "CreateJob"
    return str(refused.value)


def test_the_answer_stays_small_however_large_the_job_is(world: World) -> None:
    many = {f"name_{index}": "x" * 4000 for index in range(50)}
    world.s3.spec = {name: {"type": "string"} for name in many}
    answer = world.deliver("Create", world.declaration(hyperparameters=many), request_id="one")
    again = world.deliver("Create", world.declaration(hyperparameters=many), request_id="one")
    assert answer == again
    assert len(json.dumps(again).encode()) < 1024


def of_hub(owner: str, uri: str = "s3://any-bucket/any.json") -> base_model.BaseModel:
    """A model of a hub of that account, whose recipe's table is there."""
    arn = f"arn:aws:sagemaker:us-east-1:{owner}:hub-content/Hub/Model/m/1.0.0"
    return base_model.BaseModel(arn=arn, name="m", hub="Hub", gated=False, override_params_uri=uri)


@pytest.mark.parametrize(("owner", "is_read"), [("aws", True), ("000000000000", True), ("111122223333", False)])
def test_the_recipes_table_is_followed_from_awss_hub_and_our_own_only(world: World, owner: str, is_read: bool) -> None:
    assert (base_model.read_spec(of_hub(owner), "000000000000", world) is not None) == is_read


@pytest.mark.parametrize(
    ("uri", "place"),
    [
        ("s3://bkt-{customer_id}/a/b.json", ("bkt-000000000000", "a/b.json")),
        (f"s3://{ACCESS_POINT}/a/b.json", (ACCESS_POINT, "a/b.json")),
    ],
)
def test_the_recipes_table_may_lie_in_a_bucket_or_behind_an_access_point(
    world: World, uri: str, place: tuple[str, str]
) -> None:
    world.s3.objects[place] = b'{"max_epochs": {"type": "integer", "default": 3}}'
    assert list(base_model.read_spec(of_hub("aws", uri), "000000000000", world) or ()) == ["max_epochs"]


def test_a_recipe_without_a_table_leaves_hyperparameters_to_the_service(world: World) -> None:
    assert base_model.read_spec(of_hub("aws", ""), "000000000000", world) is None


def test_a_hub_whose_models_cannot_be_listed_has_none_that_is_close(world: World) -> None:
    world.fail("ListHubContents", "denied")
    assert "Close to it: none." in refusal(world, model="huggingface-reasoning-qwen3-33b")
