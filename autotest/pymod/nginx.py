# SPDX-License-Identifier: MIT
"""Runs nginx on the loopback, for HTTP/1.1, and for HTTP/2 with TLS.

    with Nginx(folder, work).serve() as server:      # tls=True: HTTP/2
        server.url
        server.log                                   # [Request], in the order in which they ended
        server.clear()

`Missing` is raised where nginx is not installed."""

import contextlib
import http.client
import os
import re
import ssl
import subprocess
import time

from web_processes import Request, find_program, run_on_free_port, start_process

# A field in which anything may stand comes last or in quotes.
_NGINX_LOG = '$request_method $status $server_protocol $connection "$http_range" $request_uri'
_NGINX_LINE = re.compile(r'(\S+) (\d+) (\S+) (\d+) "([^"]*)" (.*)')
_NGINX_SETTINGS = """
daemon off;
master_process off;
pid "{work}/nginx.pid";
error_log "{work}/error.log";
events {{ worker_connections 512; }}
http {{
  log_format requests '{log_format}';
  access_log "{work}/access.log" requests;
  client_body_temp_path "{work}/body";
  proxy_temp_path "{work}/proxy";
  fastcgi_temp_path "{work}/fastcgi";
  uwsgi_temp_path "{work}/uwsgi";
  scgi_temp_path "{work}/scgi";
  default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{port}{tls};
    root "{folder}";
    location /forbidden/ {{ return 403; }}
  }}
}}
"""
_MARK = "/the-log-is-complete-up-to-here-"


def make_certificate(folder):
    """Makes a certificate that nobody has signed. Returns the files of the certificate and of the key."""
    certificate, key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
    command = [find_program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


class Nginx:
    """Serves a folder by HTTP/1.1, or by HTTP/2 with TLS and a certificate that nobody has signed. Answers 403 below
    "/forbidden/". `work` is a folder for the server's own files."""

    def __init__(self, folder, work, tls=False):
        self.folder, self.work, self.tls = str(folder), str(work), tls
        self.begin = 0  # the lines of the log before this one are forgotten
        self.marks = 0

    @contextlib.contextmanager
    def serve(self):
        self.program = find_program("nginx")
        os.makedirs(self.work, exist_ok=True)
        with run_on_free_port(self.start, os.path.join(self.work, "error.log")) as port:
            self.port = port
            self.url = f"{'https' if self.tls else 'http'}://127.0.0.1:{port}"
            yield self

    def start(self, port):
        tls = ""
        if self.tls:
            certificate, key = make_certificate(self.work)
            tls = f" ssl http2; ssl_certificate \"{certificate}\"; ssl_certificate_key \"{key}\""
        settings = os.path.join(self.work, "nginx.conf")
        with open(settings, "w", encoding="utf-8") as f:
            f.write(_NGINX_SETTINGS.format(work=self.work, folder=self.folder, port=port, tls=tls, log_format=_NGINX_LOG))
        errors = os.path.join(self.work, "error.log")
        command = [self.program, "-p", self.work, "-e", errors, "-c", settings]
        return start_process(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def log(self):
        self.complete_log()
        return [request for request in self.read_log()[self.begin :] if not request.path.startswith(_MARK)]

    def clear(self):
        self.complete_log()
        self.begin = len(self.read_log())

    def count(self):
        return len(self.log)

    def read_log(self):
        with open(os.path.join(self.work, "access.log"), encoding="utf-8") as f:
            return [self.parse(line) for line in f.read().splitlines()]

    @staticmethod
    def parse(line):
        method, status, protocol, connection, span, uri = _NGINX_LINE.fullmatch(line).groups()
        path, _, query = uri.partition("?")
        return Request(method, path, None if span == "-" else span, int(status), protocol, int(connection), query)

    def complete_log(self):
        """Nginx writes a line after the client has its answer. It is one thread that works in order, so that a request
        of our own comes last."""
        self.marks += 1
        mark = f"{_MARK}{self.marks}"
        context = ssl._create_unverified_context() if self.tls else None
        connection = (
            http.client.HTTPSConnection("127.0.0.1", self.port, timeout=10, context=context)
            if self.tls
            else http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        )
        with contextlib.closing(connection):
            connection.request("GET", mark)
            connection.getresponse().read()
        end = time.monotonic() + 10
        while mark not in {request.path for request in self.read_log()}:
            assert time.monotonic() < end, "nginx does not write its log"
            time.sleep(0.01)
