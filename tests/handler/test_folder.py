"""What lies in a queue's folder: read as it is, written only where nobody else wrote."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.fakes import Clock, FakeS3
from handler.world import STACK_ID, World

from agent_rft_handler.errors import Refused
from agent_rft_handler.job_queue.folder import Changed, Folder
from agent_rft_handler.job_queue.queue import Queue
from agent_rft_handler.job_queue.record import Record
from agent_rft_handler.owner import Owner

BUCKET, PATH = "results", "queues/a"
QUEUE = Queue(Owner(STACK_ID, "Queue"), {"Bucket": BUCKET}, "g1", ("g0",))


@pytest.fixture
def s3() -> FakeS3:
    return FakeS3()


@pytest.fixture
def folder(s3: FakeS3) -> Folder:
    return Folder(BUCKET, PATH, s3)


def test_what_is_wanted_is_read_as_it_was_written(folder: Folder, s3: FakeS3) -> None:
    assert folder.queue() is None
    with pytest.raises(Refused, match=rf"s3://results/{PATH}/queue\.json is gone.*Deploy the queue with a change"):
        folder.required()
    folder.want(QUEUE)
    assert folder.queue() == folder.required() == QUEUE
    assert list(s3.objects) == [(BUCKET, f"{PATH}/queue.json")]


def test_records_are_read_as_they_were_written_and_what_a_later_release_wrote_is_passed_over(
    folder: Folder, s3: FakeS3
) -> None:
    assert folder.records() == {}
    folder.keep({"a-1": Record("a", "Failed", reason="no")})
    assert folder.records() == {"a-1": Record("a", "Failed", reason="no")}
    s3.objects[BUCKET, f"{PATH}/jobs.json"] = b'{"a-1": {"name": "a", "later": 1, "tries": 2}}'
    assert folder.records() == {"a-1": Record("a", tries="2")}


@pytest.mark.parametrize("text", [b"", b"[]", b"3", b"{}"])
def test_an_object_that_holds_nothing_of_the_kind_is_nothing(folder: Folder, s3: FakeS3, text: bytes) -> None:
    s3.objects[BUCKET, f"{PATH}/queue.json"] = s3.objects[BUCKET, f"{PATH}/jobs.json"] = text
    assert (folder.queue(), folder.records()) == (None, {})


def test_what_someone_else_wrote_meanwhile_is_not_written_over(folder: Folder, s3: FakeS3) -> None:
    other = Folder(BUCKET, PATH, s3)
    assert (folder.queue(), other.queue()) == (None, None)
    other.want(QUEUE)
    with pytest.raises(Changed, match=rf"s3://results/{PATH}/queue\.json was changed meanwhile\. Deploy again\."):
        folder.want(QUEUE)
    assert (folder.queue(), other.queue()) == (QUEUE, QUEUE)
    folder.want(QUEUE.without_rows)
    with pytest.raises(Changed):
        other.want(QUEUE)
    assert folder.queue() == QUEUE.without_rows


def test_the_table_is_written_where_it_changed(folder: Folder, s3: FakeS3) -> None:
    kinds: list[str] = []
    put = s3.put_object

    def noted(**request: str) -> Any:
        kinds.append(request["ContentType"])
        return put(**request)  # type: ignore[arg-type]

    s3.put_object = noted  # type: ignore[assignment, method-assign]
    for table in ("name\na\n", "name\na\n", "name\nb\n"):
        folder.publish(table)
    assert kinds == ["text/csv; charset=utf-8"] * 2
    assert s3.objects[BUCKET, f"{PATH}/results.csv"] == b"name\nb\n"
    folder.want(QUEUE)
    folder.keep({})
    assert kinds[2:] == ["application/json"] * 2


def test_a_key_that_only_begins_so_is_another_object(folder: Folder, s3: FakeS3) -> None:
    s3.objects[BUCKET, f"{PATH}/queue.json.bak"] = b'{"Generation": "old"}'
    assert folder.queue() is None


@dataclass
class Denying:
    """An S3 whose calls fail with this code."""

    code: str
    listed: dict[str, Any] = field(default_factory=dict)

    def _denied(self, **request: Any) -> Any:
        raise ClientError({"Error": {"Code": self.code, "Message": "no"}}, str(len(request)))

    put_object = get_object = list_objects_v2 = _denied


def test_a_denied_call_says_what_was_being_done() -> None:
    denied = Folder(BUCKET, PATH, Denying("AccessDenied"))
    with pytest.raises(Refused, match=rf"Writing s3://results/{PATH}/queue\.json failed: AccessDenied") as refused:
        denied.want(QUEUE)
    assert not isinstance(refused.value, Changed)
    with pytest.raises(Refused, match=rf"Reading s3://results/{PATH}/jobs\.json failed: AccessDenied"):
        denied.records()
    with pytest.raises(Refused, match=rf"Listing s3://results/{PATH}/queue\.json failed: AccessDenied"):
        denied.exists()


@pytest.mark.parametrize("code", ["PreconditionFailed", "ConditionalRequestConflict"])
def test_both_of_s3s_codes_say_that_someone_else_wrote(code: str) -> None:
    with pytest.raises(Changed):
        Folder(BUCKET, PATH, Denying(code)).want(QUEUE)


def test_who_wrote_last_may_write_again(folder: Folder) -> None:
    for queue in (QUEUE, QUEUE.without_rows, QUEUE):
        folder.want(queue)
    assert folder.queue() == QUEUE


def test_two_folders_are_one_place_by_bucket_and_path(folder: Folder, s3: FakeS3) -> None:
    assert folder.is_at(Folder(BUCKET, PATH, FakeS3()))
    assert not folder.is_at(Folder("other", PATH, s3))
    assert not folder.is_at(Folder(BUCKET, "queues/b", s3))


def test_a_bucket_is_there_or_gone(folder: Folder) -> None:
    assert folder.exists()
    assert not Folder(BUCKET, PATH, Denying("NoSuchBucket")).exists()


def test_a_physical_id_names_a_folder_and_another_id_none(folder: Folder) -> None:
    elsewhere = folder.at("s3://other/queues/b/#0123abcd")
    assert (elsewhere.bucket, elsewhere.path, elsewhere.s3) == ("other", "queues/b", folder.s3)
    for odd in ("", "2026/12/01/[$LATEST]0123abcd", "s3://other/#0123", "xs3://other/b/#1", "s3://other/b/#1/"):
        assert folder.at(odd) is folder


def test_it_is_read_patiently(world: World) -> None:
    clock = Clock()
    world.s3.fails = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "ListObjectsV2")
    with pytest.raises(Refused, match="slow down"):
        Folder.of(BUCKET, PATH, world.clients, clock.time()).queue()
    assert clock.now > Clock().now
