"""A Parquet file's columns and rows, from its footer.

The files in tests/synth/parquet were written by pyarrow 26.0.1, whose reading of them ours is compared with.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_rft.dataset import parquet_footer
from agent_rft.dataset.parquet_footer import Footer

PARQUET = Path(__file__).parent / "parquet"


@pytest.mark.parametrize(
    ("name", "footer"),
    [
        ("prompt", Footer(("prompt",), 3)),
        ("nested", Footer(("question", "answer", "prompt"), 2)),
        ("inner", Footer(("question", "extra"), 2)),
        ("empty", Footer(("prompt",), 0)),
        ("big", Footer(("id", "prompt", "m"), 1000)),
    ],
)
def test_the_footer_says_what_pyarrow_reads(name: str, footer: Footer) -> None:
    assert parquet_footer.read(PARQUET / f"{name}.parquet") == footer


def test_a_footer_that_claims_to_be_too_long_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_bytes(b"PAR1" + (parquet_footer.LONGEST + 1).to_bytes(4, "little") + b"PAR1")
    assert parquet_footer.read(file) is None


@given(st.binary(max_size=200))
@settings(max_examples=500)
def test_no_footer_breaks_or_holds_up_the_reading(data: bytes) -> None:
    reader = parquet_footer._Reader(data)
    with_footer: Footer | None = None
    try:
        with_footer = reader.footer()
    except (IndexError, UnicodeDecodeError, RecursionError):
        return
    assert isinstance(with_footer, Footer)
