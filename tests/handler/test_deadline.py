"""The function's time, and the pauses that it leaves room for."""

from itertools import islice

from handler.fakes import Clock

from agent_rft_handler.deadline import ANSWER, Deadline


def test_pauses_grow_up_to_the_longest_and_each_is_slept_through() -> None:
    clock = Clock()
    begun = clock.now
    pauses = list(islice(clock.time().pauses(longest=10), 6))
    assert pauses == [2, 6, 14, 24, 34, 44]
    assert clock.now - begun == pauses[-1]


def test_no_pause_takes_what_is_reserved() -> None:
    for reserve in (ANSWER, 60.0):
        clock = Clock()
        clock.deadline = clock.now + reserve + 2
        assert list(clock.time().pauses(longest=32, reserve=reserve)) == [2]
        assert clock.deadline - clock.now == reserve


def test_the_answers_time_is_reserved_where_nothing_else_is_said() -> None:
    clock = Clock()
    clock.deadline = clock.now + ANSWER + 1.5
    assert list(clock.time().pauses(longest=32)) == []


def test_lambdas_milliseconds_are_seconds_here() -> None:
    class Context:
        def get_remaining_time_in_millis(self) -> int:
            return 90_000

    deadline = Deadline.of(Context())
    assert deadline.remaining() == 90
    assert deadline.allows(90)
    assert not deadline.allows(90.5)
