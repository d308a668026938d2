# SPDX-License-Identifier: MIT
"""A web server on the loopback interface. It serves a folder, keeps a log, and fails on request."""

import contextlib
import http.server
import os
import socket
import urllib.parse

from new_ports import serve_in_thread


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def answer(self, with_body):
        server = self.server.owner
        path, _, query = self.path.partition("?")
        server.log.append((self.command, path))
        if server.required_query is not None and query != server.required_query:
            return self.send(403, b"forbidden", with_body)
        if server.required_header and not self.headers.get(server.required_header):
            return self.send(403, b"forbidden", with_body)
        for ending, status in server.failures.items():
            if path.endswith(ending):
                return self.cut_off(path, with_body) if status == "cut" else self.send(status, b"oops", with_body)
        folder = os.path.join(server.folder, server.tenant_of(path, query, self.headers)) if server.tenant_of else server.folder
        file = os.path.join(folder, path.lstrip("/"))
        if os.path.isdir(file) and server.index_page:
            entries = [entry for entry in os.scandir(file) if not entry.name.startswith(".")]
            names = [entry.name + "/" * entry.is_dir() for entry in entries]
            return self.send(200, server.index_page(path, names).encode(), with_body)
        if not os.path.isfile(file):
            return self.send(404, b"not found", with_body)
        with open(file, "rb") as f:
            data = f.read()
        span = self.headers.get("Range")
        if not span:
            return self.send(200, data, with_body)
        first, last = span.removeprefix("bytes=").split("-")
        if not first:
            first, last = max(0, len(data) - int(last)), ""
        part = data[int(first) : int(last or len(data)) + 1]
        if not part:
            return self.send(416, b"", with_body, f"bytes */{len(data)}")
        self.send(206, part, with_body, f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")

    def send(self, status, body, with_body, content_range=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Accept-Ranges", "bytes")
        if content_range:
            self.send_header("Content-Range", content_range)
        self.end_headers()
        if with_body:
            self.server.owner.sent += len(body)
            self.wfile.write(body)

    def cut_off(self, path, with_body):
        """Promises the whole file, and hangs up after half of it."""
        size = os.path.getsize(os.path.join(self.server.owner.folder, path.lstrip("/")))
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        if with_body:
            self.wfile.write(bytes(size // 2))
            self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_):
        pass


class _HttpServer(http.server.ThreadingHTTPServer):
    request_queue_size = 256  # clients open many connections at once


def list_links(path, names):
    """Makes a page that lists files as Apache does."""
    lines = "".join(f'<li><a href="{urllib.parse.quote(name)}">{name}</a></li>\n' for name in names)
    return f"<html><head><title>Index of {path}</title></head><body>\n<ul>\n{lines}</ul></body></html>\n"


class Server:
    """`failures` maps endings of paths to statuses, or to "cut"."""

    def __init__(self, folder):
        self.folder = folder
        self.log = []
        self.sent = 0  # bytes of files
        self.failures = {}
        self.required_header = None
        self.required_query = None
        self.tenant_of = None  # a function of path, query and headers that returns a folder in the folder
        self.index_page = None  # a function of a folder's path and the names in it, of folders with a "/", that returns HTML

    def find_requests(self, ending):
        return [command for command, path in self.log if path.endswith(ending)]

    @contextlib.contextmanager
    def serve(self):
        with serve_in_thread(lambda address: _HttpServer(address, _Handler), self) as server:
            self.url = f"http://127.0.0.1:{server.server_port}"
            yield self


class Tenants(Server):
    """Serves each request from the folder that a function chooses by path, query and headers."""

    def __init__(self, folder, tenant_of):
        super().__init__(folder)
        self.tenant_of = tenant_of
