"""Sentences that fit."""

from hypothesis import given
from hypothesis import strategies as st

from agent_rft_handler.errors import MESSAGE_MAX_BYTES, JobRefused, shorten


@given(st.text(max_size=6000), st.integers(20, 2000))
def test_a_sentence_is_one_line_and_fits_in_bytes(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short.encode()) <= limit
    assert len(short.splitlines()) <= 1


def test_a_long_one_keeps_both_ends() -> None:
    sentence = str(JobRefused("start " + "é" * 4000 + " end"))
    assert sentence.startswith("start ")
    assert sentence.endswith(" end")
    assert len(sentence.encode()) <= MESSAGE_MAX_BYTES
