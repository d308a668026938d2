# SPDX-License-Identifier: MIT
"""Serves moto on a port of the loopback. Usage: moto_process.py <port>, with a Python that has moto.

Moto compares and replaces in two steps, during which its threads may change. Therefore requests take turns."""

import sys
import threading

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

_moto = DomainDispatcherApplication(create_backend_app)
_turn = threading.Lock()


def answer(environ, start_response):
    with _turn:
        return list(_moto(environ, start_response))


run_simple("127.0.0.1", int(sys.argv[1]), answer, threaded=True)
