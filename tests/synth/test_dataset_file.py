"""A dataset file beside the app: what no job could read is refused at synth, what is doubtful warns."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synth.app import Synthesized, stack_of

from agent_rft.dataset.dataset_file import HEAD, TAIL, Inspection, inspect, look_into
from agent_rft.dataset.dataset_rows import Rows

PARQUET = Path(__file__).parent / "parquet"
ROW = b'{"prompt": "a"}\n'


def file(directory: Path, name: str, data: bytes) -> Path:
    path = directory / name
    path.write_bytes(data)
    return path


def problem(directory: Path, name: str, data: bytes) -> str:
    """What is said after the file's name; nothing is doubtful about a file that is refused."""
    path = file(directory, name, data)
    found = inspect(path)
    assert not found.problem or found == Inspection(found.problem)
    return found.problem.removeprefix(f"Dataset.from_asset is given {str(path)!r}, ")


def doubts(path: Path) -> dict[str, str]:
    """The warnings about a file, by their ids."""
    stack = stack_of()
    look_into(stack, path)
    found = [text.rpartition(" [ack: cdk-agent-rft:") for text in Synthesized(stack).warnings()]
    return {id.rstrip("]"): sentence for sentence, _, id in found}


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.jsonl", b"", "which is empty."),
        ("a.parquet", b"", "which is empty."),
        ("a.jsonl", b" \n\n", "which has no rows."),
        ("a.json", b"[]", "which has no rows."),
        ("a.csv", b"prompt,answer\n", "which has no rows."),
        ("a.jsonl", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "a Git LFS pointer"),
        (
            "a.parquet",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
            "a Git LFS pointer",
        ),
        (
            "a.csv",
            b"/annex/objects/SHA256E-s31390--f50d7ac4c6b9031379986bc362fcefb65f1e52621ce1708d.csv",
            "a git-annex pointer",
        ),
        ("a.json", b"\n <!DOCTYPE html><html>", "a page of HTML or XML"),
        ("a.csv", b"<HTML><body>Sign in", "a page of HTML or XML"),
        ("a.jsonl", b"\xef\xbb\xbf<?xml version='1.0'?><Error><Code>AccessDenied</Code>", "a page of HTML or XML"),
        ("a.jsonl", '{"prompt": "a"}\n'.encode("utf-16"), "which is UTF-16 or UTF-32 text. Save it as UTF-8."),
        ("a.csv", "prompt\na\n".encode("utf-16-le"), "which is not UTF-8 text: it has NUL bytes."),
        ("a.csv", b"\xfe\xff\0p\0r", "which is UTF-16 text."),
        ("a.jsonl", gzip.compress(ROW, mtime=0), "which is compressed by gzip."),
        ("a.jsonl", b"PK\x03\x04....", "which is a zip archive."),
        ("a.jsonl", b"BZh91AY", "which is compressed by bzip2."),
        ("a.csv", b"\xfd7zXZ\0", "which is compressed by xz."),
        ("a.csv", b"\x28\xb5\x2f\xfd", "which is compressed by zstd."),
        ("a.jsonl", b"PAR1...", "which is a Parquet file by its first bytes. Name it .parquet."),
        ("a.txt", gzip.compress(ROW, mtime=0), "which is compressed by gzip."),
        ("a.jsonl", ROW + b'{"prompt": "b",}\n', "whose line 2 is not JSON: "),
        ("a.jsonl", ROW + b"\n" + b"prompt\n", "whose line 3 is not JSON: Expecting value at column 1: 'prompt'."),
        ("a.jsonl", ROW + b'{"prompt": "b', "whose line 2 is not JSON: Unterminated string"),
        ("a.jsonl", ROW + b'"b"\n', "whose line 2 is not a JSON object, but '\"b\"'."),
        ("a.jsonl", b'[{"prompt": "a"}]', "whose line 1 is not a JSON object"),
        ("a.jsonl", ROW + b'{"prompt": "\xe9"}', "whose line 2 is not UTF-8."),
        ("a.jsonl", b'{"prompt": ' + b"9" * 5000 + b"}", "which no JSON reader takes: "),
        ("a.jsonl", b"[" * 100_000, "which no JSON reader takes: "),
        ("a.json", b'[\n{"prompt": "a"},\n{"prompt": }]', "whose line 3 is not JSON: Expecting value at column 12."),
        ("a.json", b'{"prompt": ["a"]}', "which is not a JSON array of rows."),
        ("a.json", ROW + ROW, "which is not a JSON array: another value begins in line 2. Name it .jsonl"),
        ("a.json", b'[{"prompt": "a"}, 5]', "whose row 2 is not a JSON object, but '5'."),
        ("a.json", b"prompt\xff", "whose line 1 is not UTF-8."),
        ("a.csv", b"prompt\na\nb, c\n", "whose line 3 has 2 fields, but the header has 1."),
        ("a.csv", b'prompt\n"a\n', "whose line 2 is not CSV: unexpected end of data."),
        ("a.csv", b'prompt\n"a"b\n', "whose line 2 is not CSV: "),
        ("a.csv", b"prompt\ncaf\xe9\n", "whose line 2 is not UTF-8."),
        ("a.parquet", ROW, "which is not a complete Parquet file"),
        ("a.parquet", b"PAR1", "which is not a complete Parquet file"),
        ("a.parquet", b"PAR1" + b"\xff\xff\xff\x7fPAR1", "which is not a complete Parquet file"),
        ("a.parquet", (PARQUET / "prompt.parquet").read_bytes()[:-10], "which is not a complete Parquet file"),
        ("a.parquet", gzip.compress(ROW, mtime=0), "which is not a complete Parquet file"),
        ("a.parquet", (PARQUET / "empty.parquet").read_bytes(), "which has no rows."),
    ],
)
def test_a_file_that_no_job_could_read_is_refused(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    assert said in problem(tmp_path, name, data)


@pytest.mark.parametrize(
    ("name", "data", "rows"),
    [
        ("a.jsonl", ROW * 3, 3),
        ("a.JSONL", ROW * 3, 3),
        ("a.jsonl", b'{"prompt": "a", "x": 1}\r\n\r\n{"prompt": "b"}', 2),
        ("a.jsonl", '{"prompt": "a\u2028b\x85"}\n'.encode(), 1),
        ("a.json", b'[{"prompt": "a"},\n {"prompt": "b"}]\n', 2),
        ("a.csv", b'id,prompt\n1,"a, b"\n2,"c\nd"\n\n', 2),
        ("a.csv", b"prompt\r\na\r\nb\r\n", 2),
        ("a.csv", f"prompt\na\u2028b\n{'c' * 200_000}\n".encode(), None),
        ("prompt.parquet", (PARQUET / "prompt.parquet").read_bytes(), 3),
        ("nested.parquet", (PARQUET / "nested.parquet").read_bytes(), 2),
        ("big.parquet", (PARQUET / "big.parquet").read_bytes(), 1000),
        ("a.parquet", b"PAR1" + b"\xff" * 20 + (20).to_bytes(4, "little") + b"PAR1", None),
    ],
)
def test_a_file_that_a_job_reads_passes_without_a_word(
    tmp_path: Path, name: str, data: bytes, rows: int | None
) -> None:
    found = inspect(file(tmp_path, name, data))
    assert (found.problem, found.rows.number) == ("", rows)
    assert doubts(tmp_path / name) == {}


@pytest.mark.parametrize(
    ("name", "data", "warnings"),
    [
        (
            "a.jsonl",
            b'{"question": "a"}',
            {"dataset-column": "no column prompt, so the job takes the first one, question"},
        ),
        ("a.json", b'[{"question": "a"}]', {"dataset-column": "the first one, question"}),
        ("a.csv", b"prompt;answer\na;b\n", {"dataset-column": "the first one, prompt;answer"}),
        ("a.csv", b"Prompt\na\n", {"dataset-column": "the first one, Prompt"}),
        ("a.parquet", (PARQUET / "inner.parquet").read_bytes(), {"dataset-column": "the first one, question"}),
        ("a.jsonl", ROW + b'\n{"question": "a"}', {"dataset-prompt": "no prompt in line 3"}),
        ("a.jsonl", ROW + b'{"prompt": null}', {"dataset-prompt": "no prompt in line 2"}),
        ("a.json", b'[{"prompt": "a"}, {"prompt": ""}]', {"dataset-prompt": "no prompt in row 2"}),
        ("a.jsonl", b"\xef\xbb\xbf" + ROW, {"dataset-byte-order-mark": "begins with a byte order mark"}),
        ("a.csv", b"\xef\xbb\xbfprompt\na\n", {"dataset-byte-order-mark": "begins with a byte order mark"}),
        ("a.json", b"\xef\xbb\xbf[" + ROW + b"]", {"dataset-byte-order-mark": "begins with a byte order mark"}),
        (
            "a.txt",
            b"anything",
            {"dataset-format": "reads: .parquet, .jsonl, .json, .csv"},
        ),
        ("a", ROW, {"dataset-format": "has none of"}),
    ],
)
def test_a_doubtful_file_warns(tmp_path: Path, name: str, data: bytes, warnings: dict[str, str]) -> None:
    found = doubts(file(tmp_path, name, data))
    assert found.keys() == warnings.keys()
    assert all(said in found[id] for id, said in warnings.items())


def test_a_folder_an_absent_and_an_unreadable_file_are_refused(tmp_path: Path) -> None:
    assert "which is a folder, which CDK would zip. Give one file" in inspect(tmp_path).problem
    assert "which is not there. Give one file" in inspect(tmp_path / "a.jsonl").problem


class Fails(type(Path())):  # type: ignore[misc]
    """A file that the system does not let us read (root reads every one)."""

    def open(self, *args: Any, **more: Any) -> Any:
        raise PermissionError(13, "Permission denied")


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = Fails(file(tmp_path, "a.jsonl", ROW))
    assert inspect(path).problem.endswith("which cannot be read: Permission denied.")


LINE = b'{"prompt": "%s"}\n' % (b"x" * 1000)
LARGE = LINE * (HEAD // len(LINE) + 200)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.jsonl", LARGE, ""),
        ("a.jsonl", LARGE[: HEAD + 10], "whose last line is not JSON"),
        ("a.json", b"[" + LARGE.replace(b"\n", b", ")[:-2] + b"]", ""),
        ("a.jsonl", LINE + b'{"prompt": "' + b"x" * (HEAD + TAIL) + b'"}', ""),
        ("a.jsonl", LINE + b"banana\n" + LARGE, "whose line 2 is not JSON"),
        ("a.jsonl", LARGE + b'{"prompt": "cut o', "whose last line is not JSON: Unterminated string"),
        ("a.jsonl", b"x" + "é".encode() * HEAD, ""),
        ("a.json", b"[" + LARGE.replace(b"\n", b",\n")[:-2] + b"]\n", ""),
        ("a.json", b"[" + LARGE.replace(b"\n", b",\n"), "which is an incomplete JSON array of rows"),
        ("a.json", LARGE, "which is an incomplete JSON array of rows"),
        ("a.json", b'[{"prompt": "' + b"x" * (HEAD + TAIL) + b'"}]', ""),
        ("a.csv", b"prompt\n" + (b"a" * 1000 + b"\n") * 6000, ""),
        ("a.csv", b'prompt\n"' + (b"a" * 100 + b"\n") * 60000 + b'"\n', ""),
        ("a.csv", b"prompt\n" + (b'"' + b"a\n" * 500 + b'"\n') * 6000, ""),
        ("a.csv", b"prompt\na,b\n" + (b"a" * 1000 + b"\n") * 6000, "whose line 2 has 2 fields"),
    ],
)
def test_of_a_large_file_the_start_and_the_end_are_read(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    assert len(data) > HEAD
    found = problem(tmp_path, name, data)
    assert found.startswith(said) if said else not found


def test_of_a_large_file_columns_are_known_and_rows_are_not(tmp_path: Path) -> None:
    question = LARGE.replace(b"prompt", b"question")
    array = b"[" + question.replace(b"\n", b",\n")[:-2] + b"]"
    csv = b"question\n" + (b"a" * 1000 + b"\n") * 6000
    for name, data in {"a.jsonl": question, "a.json": array, "a.csv": csv}.items():
        found = inspect(file(tmp_path, name, data))
        assert found.rows == Rows(columns=("question",))


def test_a_file_of_gigabytes_is_not_read_whole(tmp_path: Path) -> None:
    """No time is asserted: the sparse file is larger than what memory would hold."""
    path = file(tmp_path, "a.jsonl", LARGE)
    with path.open("r+b") as opened:
        opened.seek(64 * 1024**3)
        opened.write(b"\n" + LINE)
    assert inspect(path) == Inspection(rows=Rows(columns=("prompt",)))


@given(st.binary(max_size=60), st.sampled_from([".jsonl", ".json", ".csv", ".parquet", ".txt"]))
@settings(max_examples=500)
def test_no_content_breaks_the_inspection(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, extension: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{extension}"
    path.write_bytes(data)
    found = inspect(path)
    assert bool(found.problem) or found.rows.number != 0
