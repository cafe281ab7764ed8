"""Runs a command in a network namespace whose only way out is a device that writes down what is sent into it.

    unshare --net --map-root-user python leaks.py REPORT COMMAND...

Everything that is not for the loopback interface goes there, name look-ups included, and gets no answer. REPORT is
then a JSON list of destinations. Linux only.
"""

import contextlib
import fcntl
import ipaddress
import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

TUNSETIFF = 0x400454CA
TUN_WITHOUT_HEADER = 0x1001

ROUTES = (
    "link set lo up",
    "addr add 198.18.0.1/24 dev out",  # a block for such trials [RFC 2544]
    "-6 addr add fd00::1/64 dev out nodad",
    "link set out up",
    "route add default dev out",
    "-6 route add default dev out",
)


def main(report: Path, *command: str) -> int:
    """Runs the command; its exit code."""
    left: list[str] = []
    with _the_way_out(left):
        code = subprocess.run(command, check=False).returncode
    report.write_text(json.dumps(left))
    return code


@contextlib.contextmanager
def _the_way_out(left: list[str]) -> Iterator[None]:
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", b"out", TUN_WITHOUT_HEADER))
    for each in ROUTES:
        subprocess.run(["ip", *each.split()], check=True)

    def record() -> None:
        while packet := os.read(device, 65536):
            destination = _destination(packet)
            if not destination.is_multicast:  # the kernel's own, to find IPv6 neighbours
                left.append(str(destination))

    threading.Thread(target=record, daemon=True).start()
    yield


def _destination(packet: bytes) -> "ipaddress.IPv4Address | ipaddress.IPv6Address":
    is_ipv4 = packet[0] >> 4 == 4
    return ipaddress.ip_address(packet[16:20]) if is_ipv4 else ipaddress.ip_address(packet[24:40])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
