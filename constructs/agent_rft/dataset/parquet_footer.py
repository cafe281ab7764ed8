"""The columns and the number of rows of a Parquet file, from its footer; no other byte is read.

The footer is a ``FileMetaData`` in Thrift's compact protocol, of which this reads what it needs and skips the rest
[github apache/parquet-format, parquet.thrift; github apache/thrift, doc/specs/thrift-compact-protocol.md].
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"PAR1"
TAIL = 8
"""Bytes at the end: the footer's length, then the magic."""

LONGEST = 16 * 1024 * 1024
"""Bytes of a footer that is still read: it grows with columns and row groups, not with rows."""

TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12


@dataclass(frozen=True)
class Footer:
    """What the footer says; the columns are the outermost ones."""

    columns: tuple[str, ...]
    rows: int


def is_complete(path: Path) -> bool:
    """Whether the file begins and ends as a Parquet file does."""
    size = path.stat().st_size
    with path.open("rb") as file:
        begins = file.read(len(MAGIC)) == MAGIC
        length, ends = _tail(file.read, file.seek, size)
    return begins and ends and length + TAIL + len(MAGIC) <= size


def read(path: Path) -> Footer | None:
    """The footer; None where it is too long, or not as it should be."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length, _ = _tail(file.read, file.seek, size)
        if length > LONGEST:
            return None
        file.seek(size - TAIL - length)
        data = file.read(length)
    try:
        return _Reader(data).footer()
    except (IndexError, UnicodeDecodeError, RecursionError):
        return None


def _tail(read: Callable[[int], bytes], seek: Callable[[int], int], size: int) -> tuple[int, bool]:
    """The footer's length, and whether the magic ends the file."""
    if size < TAIL + len(MAGIC):
        return 0, False
    seek(size - TAIL)
    tail = read(TAIL)
    return int.from_bytes(tail[:4], "little"), tail[4:] == MAGIC


class _Reader:
    """Thrift's compact protocol from its first byte."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def footer(self) -> Footer:
        """FileMetaData: field 2 is the schema, field 3 the number of rows."""
        elements: list[tuple[str, int]] = []
        rows = 0
        for field, kind in self._fields():
            if field == 2:
                elements = [self._schema_element() for _ in range(self._list()[0])]
            elif field == 3:
                rows = self._integer()
            else:
                self._skip(kind)
        return Footer(tuple(_outermost(elements)), rows)

    def _schema_element(self) -> tuple[str, int]:
        """SchemaElement: field 4 is its name, field 5 the number of elements right below it."""
        name, children = "", 0
        for field, kind in self._fields():
            if field == 4:
                name = self._binary().decode()
            elif field == 5:
                children = self._integer()
            else:
                self._skip(kind)
        return name, children

    def _fields(self) -> Iterator[tuple[int, int]]:
        """Number and type of each field of a struct; its value is read, or skipped, before the next."""
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else self._integer()
            yield number, header & 15

    def _skip(self, kind: int) -> None:
        if kind in (DOUBLE, BYTE):
            self._take(8 if kind == DOUBLE else 1)
        elif kind == BINARY:
            self._binary()
        elif kind in (LIST, SET):
            size, of = self._list()
            self._skip_all([of], size)
        elif kind == MAP:
            size = self._varint()
            kinds = self._byte() if size else 0
            self._skip_all([kinds >> 4, kinds & 15], size)
        elif kind == STRUCT:
            for _, inner in self._fields():
                self._skip(inner)
        elif kind not in (TRUE, FALSE):
            self._varint()

    def _skip_all(self, kinds: list[int], times: int) -> None:
        """Skips elements of a collection, in which a boolean has a byte of its own."""
        for _ in range(times):
            for kind in kinds:
                self._skip(BYTE if kind in (TRUE, FALSE) else kind)

    def _list(self) -> tuple[int, int]:
        header = self._byte()
        size = header >> 4
        return (self._varint() if size == 15 else size), header & 15

    def _binary(self) -> bytes:
        return self._take(self._varint())

    def _take(self, length: int) -> bytes:
        if length > len(self._data) - self._at:
            raise IndexError
        self._at += length
        return self._data[self._at - length : self._at]

    def _integer(self) -> int:
        zigzag = self._varint()
        return (zigzag >> 1) ^ -(zigzag & 1)

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise IndexError
        return value | byte << shift

    def _byte(self) -> int:
        return self._take(1)[0]


def _outermost(elements: list[tuple[str, int]]) -> Iterator[str]:
    """The names right below the root, from the schema's depth-first order."""
    below = 0
    for name, children in elements[1:]:
        if not below:
            yield name
        below = (below - 1 if below else 0) + children
