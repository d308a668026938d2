# SPDX-License-Identifier: MIT
"""A web server that fails on request. It serves a folder, keeps a log of every request, and can be slow.

    with FaultServer(folder, latency=0.05).serve() as server:
        server.fail("500", "/c/0/0")          # all requests whose path ends so, until heal()
        server.fail("reset", "/c/0/0", times=1)
        server.heal()
        server.log                             # [(command, path, range or None, status)]
        server.round_trips()                   # how many of them followed one another
"""

import contextlib
import email.utils
import hashlib
import http.server
import os
import socket
import struct
import threading
import time
import urllib.parse

from new_ports import serve_in_thread

FAULTS = (
    "500",
    "503",
    "403",
    "truncated",  # the connection ends before the body does
    "short",  # half of the body, and a Content-Length that says so
    "reset",
    "stalled",  # half of the body, and then nothing
    "wrong range",
    "broken pieces",  # of unknown length, sent in pieces, without the last one
    "whole",  # the whole value instead of a range
    "pieces",  # the whole value, of unknown length
    "more",  # a range that holds the one that was asked for
    "misread suffix",  # the first bytes in place of the last ones
    "416",
    "204",
    "302",  # without a place
    "empty",
    "page",  # of a proxy that wants a password, with status 200
    "part as whole",  # a part, with status 200
    "unplaced part",  # without a Content-Range
    "cut range",  # half of a part, as if the value ended there
)
RIGHT = {"whole", "pieces", "more", "misread suffix"}  # answers that hold what was asked for
OF_PARTS = {"part as whole", "unplaced part", "cut range"}  # answers to requests for whole values are right


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def do_PUT(self):
        server = self.server.owner
        path = self.path.partition("?")[0]
        with server.lock:
            server.entries.append(["PUT", path, None, 200, time.monotonic(), ""])
        body = self.rfile.read(int(self.headers["Content-Length"]))
        file = os.path.join(server.folder, path.lstrip("/"))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as f:
            f.write(body)
        self.entry = [0] * 4
        self.send(200, b"", False)

    def answer(self, with_body):
        server = self.server.owner
        path, _, query = self.path.partition("?")
        span = self.headers.get("Range")
        entry = [self.command, path, span, 0, time.monotonic(), query]
        with server.lock:
            server.entries.append(entry)
            fault = server.take_fault(path)
        server.wait(entry)
        self.entry = entry
        file = server.find_file(path)
        refusal = server.refuse(query, self.headers) if server.refuse else None
        if refusal:
            return self.send(refusal[0], f"<Error><Code>{refusal[1]}</Code></Error>".encode(), with_body)
        if fault in ("500", "503", "403"):
            return self.send(int(fault), b"<Error><Code>Failure</Code></Error>", with_body)
        if fault in ("204", "302"):
            return self.send(int(fault), b"", with_body)
        if not file:
            code = "NoSuchKey" if server.has_bucket(path) else "NoSuchBucket"
            return self.send(server.absent, f"<Error><Code>{code}</Code></Error>".encode(), with_body)
        with open(file, "rb") as f:
            data = f.read()
        status = os.stat(file)
        headers = {"Last-Modified": email.utils.formatdate(status.st_mtime, usegmt=True)}
        if server.tags:
            headers["ETag"] = '"' + hashlib.md5(data).hexdigest() + '"'
            if fault is None and self.headers.get("If-None-Match") == headers["ETag"]:
                return self.send(304, b"", False, headers)
        if server.edit_body:
            data = server.edit_body(data)
        if fault == "416":
            return self.send(416, b"", with_body, {"Content-Range": f"bytes */{len(data)}"})
        if fault in ("empty", "page"):
            return self.send(200, b"" if fault == "empty" else b"<html>{log in}</html>", with_body)
        status, body = 200, data
        if span and fault not in ("whole", "pieces", "broken pieces"):
            first, last = self.parse(span, len(data))
            if first >= len(data):
                return self.send(416, b"", with_body, {"Content-Range": f"bytes */{len(data)}"})
            if fault == "wrong range":
                first, last = (first - 7, last - 7) if first >= 7 else (first + 7, last + 7)
                last = min(last, len(data) - 1)
                first = min(first, last)
            if fault == "more":
                first, last = max(0, first - 3), min(last + 5, len(data) - 1)
            if fault == "misread suffix" and span.startswith("bytes=-"):
                first, last = 0, min(int(span.removeprefix("bytes=-")), len(data) - 1)
            status, body = 206, data[first : last + 1]
            headers["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
            if fault == "part as whole":
                status = 200
                del headers["Content-Range"]
            if fault == "unplaced part":
                del headers["Content-Range"]
            if fault == "cut range":
                last = first + max(1, len(body) // 2) - 1
                body = body[: last + 1 - first]
                headers["Content-Range"] = f"bytes {first}-{last}/{last + 1}"
            if server.edit_range:
                headers["Content-Range"] = server.edit_range(headers["Content-Range"])
        elif fault == "wrong range":
            # Only a part is sent, though the whole was asked for.
            status, body = 206, data[: max(1, len(data) // 2)]
            headers["Content-Range"] = f"bytes 0-{len(body) - 1}/{len(data)}"
        self.send(status, body, with_body, headers, fault)

    @staticmethod
    def parse(span, size):
        first, last = span.removeprefix("bytes=").split("-")
        if not first:
            return max(0, size - int(last)), size - 1
        return int(first), min(int(last or size - 1), size - 1)

    def send(self, status, body, with_body, headers=None, fault=None):
        self.entry[3] = status
        if fault == "reset":
            return self.hang_up()
        self.send_response(status)
        if fault in ("pieces", "broken pieces"):
            return self.send_in_pieces(body, headers, fault == "pieces")
        length = len(body)
        if fault == "short":
            body = body[: length // 2]
            length = len(body)
        self.send_header("Content-Length", str(length))
        self.send_header("Accept-Ranges", "bytes")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if not with_body:
            return
        self.server.owner.occupy_line(length)
        if fault in ("truncated", "stalled"):
            self.wfile.write(body[: length // 2])
            self.wfile.flush()
            if fault == "stalled":
                self.server.owner.healed.wait(20)
            return self.hang_up(abort=fault == "stalled")
        self.wfile.write(body)

    def send_in_pieces(self, body, headers, complete):
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        end = len(body) if complete else len(body) // 2
        for begin in range(0, end, 1000):
            piece = body[begin : min(begin + 1000, end)]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.flush()
        if complete:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.hang_up(abort=False)

    def hang_up(self, abort=True):
        self.close_connection = True
        if abort:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_):
        pass


class _HttpServer(http.server.ThreadingHTTPServer):
    request_queue_size = 256  # many connections are opened at once


class Wave:
    """Requests that wait together for their answers."""

    def __init__(self):
        self.begin = self.last = time.monotonic()
        self.ends = False


class FaultServer:
    def __init__(self, folder, latency=0.0, tags=True, bandwidth=None, gathers=False):
        self.folder = str(folder)
        self.latency = latency
        # Whether the latency begins with the last of the requests that came together: however slow the machine is that
        # sends them, none is answered before all have come.
        self.gathers = gathers
        self.wave = None
        self.bandwidth = bandwidth  # bytes per second, of all answers together
        self.line = threading.Lock()
        self.tags = tags  # whether answers have an ETag
        self.absent = 404  # the status for what is not there; a bucket that may not be listed says 403
        self.edit_body = None  # a function that changes a body, of which the ETag stays
        self.edit_range = None  # a function that changes the text of Content-Range
        self.refuse = None  # a function of query and headers that returns (status, code) of a refusal, or None
        self.lock = threading.Lock()
        self.healed = threading.Event()
        self.healed.set()
        self.entries = []
        self.faults = []

    @contextlib.contextmanager
    def serve(self):
        with serve_in_thread(lambda address: _HttpServer(address, _Handler), self) as server:
            self.url = f"http://127.0.0.1:{server.server_port}"
            try:
                yield self
            finally:
                self.heal()

    def wait(self, entry):
        """Waits until a request is answered, and notes in its entry when its round trip began."""
        if not self.gathers:
            time.sleep(self.latency)
            return
        with self.lock:
            if self.wave is None or self.wave.ends:
                self.wave = Wave()
            wave = self.wave
            wave.last = time.monotonic()
            entry[4] = wave.begin
        while not wave.ends:
            time.sleep(max(0.0, wave.last + self.latency - time.monotonic()))
            with self.lock:
                wave.ends = wave.ends or time.monotonic() >= wave.last + self.latency

    def occupy_line(self, size):
        """Waits while so many bytes pass, after those of other answers."""
        if self.bandwidth:
            with self.line:
                time.sleep(size / self.bandwidth)

    def has_bucket(self, path):
        """The first folder of a path is the bucket, for those that ask as an object store's clients do."""
        return os.path.isdir(os.path.join(self.folder, path.split("/")[1]))

    @property
    def queries(self):
        with self.lock:
            return [entry[5] for entry in self.entries]

    def find_file(self, path):
        file = os.path.join(self.folder, urllib.parse.unquote(path).lstrip("/"))
        return file if os.path.isfile(file) else None

    # --- faults ---

    def fail(self, fault, ending="", times=None):
        """Lets requests fail whose path ends so: the next `times`, or all."""
        assert fault in FAULTS
        with self.lock:
            self.faults.append([fault, ending, times])
        self.healed.clear()

    def heal(self):
        with self.lock:
            self.faults.clear()
        self.healed.set()

    def take_fault(self, path):
        for entry in self.faults:
            fault, ending, times = entry
            if not path.endswith(ending) or times == 0:
                continue
            if times is not None:
                entry[2] -= 1
            return fault
        return None

    # --- the log ---

    @property
    def log(self):
        with self.lock:
            return [tuple(entry[:4]) for entry in self.entries]

    def clear(self):
        with self.lock:
            self.entries.clear()

    def count(self):
        return len(self.log)

    def round_trips(self):
        """The number of groups of requests that came together: each waited for an answer to the one before. Needs a
        latency that is long against the work between requests."""
        with self.lock:
            times = sorted(entry[4] for entry in self.entries)
        trips, begin = 0, None
        for at in times:
            if begin is None or at - begin > 0.8 * self.latency:
                trips, begin = trips + 1, at
        return trips
