# SPDX-License-Identifier: MIT
"""Ports that no server of this process has had before: GDAL and the driver remember answers by URL."""

import contextlib
import socket
import threading

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


@contextlib.contextmanager
def serve_in_thread(make_server, owner):
    """Runs the server that `make_server(address)` makes, for requests to which `owner` answers."""
    server = serve_on_new_port(make_server)
    server.owner = owner
    server.handle_error = lambda *_: None
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
