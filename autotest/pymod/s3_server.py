# SPDX-License-Identifier: MIT
"""Runs s3rver, an object store that speaks S3, on the loopback.

    with S3Server(folder).serve() as s3:             # folder: where s3rver keeps its objects
        with s3.configure():                         # sets GDAL's options; s3.root is "/vsis3/bucket"
            s3.upload("a.zarr", "some/folder/a.zarr")
            with s3.record() as requests:
                ...
            requests                                 # [("GET", "a.zarr/zarr.json"), ("LIST", "a.zarr/"), ...]

`Missing` is raised where s3rver is not installed."""

import collections
import contextlib
import email.utils
import http.client
import http.server
import os
import re
import shutil
import threading
import urllib.parse

import aws_signatures
from new_ports import serve_in_thread
from s3_access import S3Access
from web_processes import Request, find_package, run_on_free_port, start_process


def count_methods(requests):
    """Counts the requests of `record` by their methods."""
    return collections.Counter(method for method, _ in requests)


def cut_range(span, headers, body):
    """Cuts the answer with a whole value to a range, as S3 does. s3rver takes "bytes=-100" for the first 100 bytes, and
    "bytes=0-0" for all, so that it is not asked for ranges."""
    first, last = re.fullmatch(r"bytes=(\d*)-(\d*)", span).groups()
    size = len(body)
    begin = int(first) if first else max(0, size - int(last))
    end = min(int(last) + 1, size) if first and last else size
    headers = {name: value for name, value in headers.items() if name.lower() != "content-length"}
    if begin >= end:
        return 416, {**headers, "Content-Range": f"bytes */{size}"}, b"<Error><Code>InvalidRange</Code></Error>"
    return 206, {**headers, "Content-Range": f"bytes {begin}-{end - 1}/{size}"}, body[begin:end]


class _Recorder(http.server.BaseHTTPRequestHandler):
    """Passes requests on with the header Host, which is part of the signature, and writes them down."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = dict(self.headers.items())
        span = headers.pop("Range", None)
        entry = self.server.owner.note(self.command, self.path, span)
        refusal = self.server.owner.refuse(self.command, self.path, self.headers)
        status, headers, answer = refusal or self.pass_on_if(headers, body)
        if self.server.owner.storage_class:
            answer = answer.replace(
                b"<StorageClass>STANDARD<", f"<StorageClass>{self.server.owner.storage_class}<".encode()
            )
        if status == 200 and span and self.command == "GET":
            status, headers, answer = cut_range(span, headers, answer)
        entry["status"] = status
        self.send_answer(status, headers, answer)

    do_HEAD = do_PUT = do_POST = do_DELETE = do_GET

    def pass_on_if(self, headers, body):
        """Honours If-Match and If-None-Match of objects that are put, which s3rver does not. It also shows objects that
        are only written in part; those that were put on a condition are therefore sent from memory."""
        owner = self.server.owner
        key = self.path.partition("?")[0]  # some clients add the name of the operation
        match, none = self.headers.get("If-Match"), self.headers.get("If-None-Match")
        with owner.conditions:
            present = owner.objects.get(key)
            if self.command in ("GET", "HEAD") and present:
                return (304, present[0], b"") if none and none.strip('"') in present[0]["ETag"] else (200, *present)
            if self.command != "PUT" or not (match or none):
                removed = re.findall(rb"<Key>([^<]*)</Key>", body) if self.command == "POST" else []
                for name in [key, *(f"/{owner.bucket}/{name.decode()}" for name in removed)]:
                    if self.command != "GET" and self.command != "HEAD":
                        owner.objects.pop(name, None)
                return self.pass_on(headers, body)
            tag = present[0]["ETag"] if present else self.find_tag()
            # S3 takes tags without quotes, too.
            if (match and match.strip('"') != (tag or "").strip('"')) or (none and tag):
                return 412, {}, b"<Error><Code>PreconditionFailed</Code></Error>"
            status, answered, answer = self.pass_on(headers, body)
            tags = [value for name, value in answered.items() if name.lower() == "etag"]
            modified = email.utils.formatdate(usegmt=True)
            head = {"ETag": tags[0], "Last-Modified": modified, "Content-Type": "application/octet-stream"}
            owner.objects[key] = head, body
            return status, answered, answer

    def find_tag(self):
        """Asks s3rver for the tag of an object that was put without a condition."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.owner.backend_port, timeout=30)
        with contextlib.closing(connection):
            connection.request("HEAD", self.path.partition("?")[0])
            answer = connection.getresponse()
            return answer.getheader("ETag") if answer.status == 200 else None

    def pass_on(self, headers, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.owner.backend_port, timeout=30)
        with contextlib.closing(connection):
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                if name.lower() not in ("connection", "expect"):
                    connection.putheader(name, value)
            connection.endheaders(body or None)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def send_answer(self, status, headers, body):
        self.send_response_only(status)
        length = str(len(body))
        for name, value in headers.items():
            if name.lower() == "content-length" and self.command == "HEAD":
                length = value
            elif name.lower() not in ("connection", "keep-alive", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", length)
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    def log_message(self, *_):
        pass


class _RecorderServer(http.server.ThreadingHTTPServer):
    request_queue_size = 256  # many connections are opened at once
    daemon_threads = True


class S3Server(S3Access):
    """An object store with one bucket, which is empty at first. Each request needs a right signature."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.lock = threading.Lock()
        self.entries = []
        self.faults = []
        self.objects = {}  # that were put on conditions: their headers and bodies
        self.conditions = threading.Lock()
        self.storage_class = ""  # of all objects in listings, instead of STANDARD

    @contextlib.contextmanager
    def serve(self):
        program = find_package("s3rver", "s3rver")
        objects, log_file = os.path.join(self.folder, "objects"), os.path.join(self.folder, "s3rver.log")
        os.makedirs(objects, exist_ok=True)

        def start(port):
            command = [program, "-d", objects, "-a", "127.0.0.1", "-p", str(port), "--configure-bucket", self.bucket]
            with open(log_file, "wb") as log:
                return start_process(command, stdout=log, stderr=log)

        with run_on_free_port(start, log_file) as port:
            self.backend_port = port
            with self.run_recorder():
                yield self

    @contextlib.contextmanager
    def run_recorder(self):
        with serve_in_thread(lambda address: _RecorderServer(address, _Recorder), self) as server:
            self.endpoint = f"127.0.0.1:{server.server_port}"
            yield

    def upload(self, name, folder):
        """Puts all files of a folder into the bucket, under a prefix. Needs GDAL's options. The requests for that are
        forgotten."""
        from osgeo import gdal

        for where, _, files in os.walk(folder):
            for file in files:
                path = os.path.join(where, file)
                key = "/".join([self.root, name, *os.path.relpath(path, folder).split(os.sep)])
                with open(path, "rb") as f:
                    data = f.read()
                out = gdal.VSIFOpenL(key, "wb")
                assert out, key
                gdal.VSIFWriteL(data, 1, len(data), out)
                assert gdal.VSIFCloseL(out) == 0, key
        gdal.VSICurlClearCache()
        self.clear()

    def empty(self):
        """Removes all objects, and forgets all requests."""
        self.faults = []
        self.objects = {}
        self.storage_class = ""
        bucket = os.path.join(self.folder, "objects", self.bucket)
        for name in os.listdir(bucket):
            path = os.path.join(bucket, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        self.clear()

    def keys(self):
        """The keys of all objects."""
        bucket, ending = os.path.join(self.folder, "objects", self.bucket), "._S3rver_object"
        paths = [os.path.relpath(os.path.join(w, f), bucket) for w, _, files in os.walk(bucket) for f in files]
        return sorted(path.removesuffix(ending) for path in paths if path.endswith(ending))

    def fail(self, method, part="", status=500, skip=0):
        """Fails the requests of a method, by the names of `record`, whose keys hold a text; but not the first `skip`.
        `empty` ends that."""
        self.faults.append({"method": method, "part": part, "status": status, "skip": skip})

    def find_fault(self, method, target):
        path, _, query = target.partition("?")
        name, key = self.name_request(Request(method, path, None, 0, query=query))
        for fault in self.faults:
            if fault["method"] == name and fault["part"] in key:
                with self.lock:
                    fault["skip"] -= 1
                    if fault["skip"] < 0:
                        return fault["status"]
        return None

    def refuse(self, method, target, headers):
        """Checks the signature of a request, which s3rver does not do for version 4, and whether the request is to fail.
        Returns an answer, or None."""
        status = self.find_fault(method, target)
        if status:
            return status, {"Content-Type": "application/xml"}, b"<Error><Code>Failure</Code></Error>"
        code = aws_signatures.find_fault(method, target, headers, {self.key_id: self.secret})
        return code and (403, {"Content-Type": "application/xml"}, f"<Error><Code>{code}</Code></Error>".encode())

    # --- the log ---

    def note(self, method, target, span):
        path, _, query = target.partition("?")
        entry = {"method": method, "path": path, "span": span, "status": 0, "query": query}
        with self.lock:
            self.entries.append(entry)
        return entry

    @property
    def log(self):
        with self.lock:
            return [Request(**entry) for entry in self.entries]

    def clear(self):
        with self.lock:
            self.entries.clear()

    def count(self):
        return len(self.log)

    @contextlib.contextmanager
    def record(self):
        """Yields a list that has the (method, key) of all requests of the block, in the order in which they came, when
        the block ends. A listing has the method "LIST" and the prefix; a removal of many objects "DELETE MANY"."""
        begin = self.count()
        requests = []
        try:
            yield requests
        finally:
            requests += [self.name_request(request) for request in self.log[begin:]]

    def name_request(self, request):
        key = urllib.parse.unquote(request.path).removeprefix(f"/{self.bucket}").removeprefix("/")
        query = urllib.parse.parse_qs(request.query, keep_blank_values=True)
        if not key and request.method == "GET":
            return "LIST", query.get("prefix", [""])[0]
        if not key and request.method == "POST" and "delete" in query:
            return "DELETE MANY", ""
        return request.method, key
