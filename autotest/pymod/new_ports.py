# SPDX-License-Identifier: MIT
"""Ports that no server of this process has had before: GDAL and the driver remember answers by URL."""

import socket

_used = set()


def find_new_port():
    """Returns a port that is free now."""
    refused = []  # kept open meanwhile, so that the system chooses another port
    try:
        while True:
            probe = socket.socket()
            refused.append(probe)
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
            if port not in _used:
                _used.add(port)
                return port
    finally:
        for probe in refused:
            probe.close()


def serve_on_new_port(make_server):
    """Returns the server that `make_server(address)` makes. Another program may have taken the port meanwhile, hence
    several attempts."""
    for attempt in range(20):
        try:
            return make_server(("127.0.0.1", find_new_port()))
        except OSError:
            if attempt == 19:
                raise
    return None
