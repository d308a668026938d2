# SPDX-License-Identifier: MIT
"""Checks the signatures of requests to S3, version 4, in the header Authorization and in the query."""

import datetime
import hashlib
import hmac
import re
import urllib.parse

_ALGORITHM = "AWS4-HMAC-SHA256"
_AUTHORIZATION = re.compile(_ALGORITHM + r" Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)")
_TIME = "%Y%m%dT%H%M%SZ"


def find_fault(method, target, headers, secrets):
    """Returns S3's code for the fault of a request, or None. `target` is the path with the query, and `secrets` maps
    the names of accounts to their keys."""
    path, _, query = target.partition("?")
    pairs = [tuple(map(urllib.parse.unquote, pair.partition("=")[::2])) for pair in query.split("&") if pair]
    found = _find_in_query(dict(pairs)) or _find_in_headers(headers)
    if not found:
        return "AccessDenied"
    credential, names, signature, time, payload, until = found
    account, *scope = credential.split("/")
    if account not in secrets:
        return "InvalidAccessKeyId"
    if datetime.datetime.now(datetime.timezone.utc) > until:
        return "AccessDenied"
    signed = [pair for pair in pairs if pair[0] != "X-Amz-Signature"]
    request = _make_canonical_request(method, path, signed, names.split(";"), headers, payload)
    text = "\n".join([_ALGORITHM, time, "/".join(scope), hashlib.sha256(request.encode()).hexdigest()])
    expected = _compute(secrets[account], scope, text)
    return None if hmac.compare_digest(expected, signature) else "SignatureDoesNotMatch"


def _parse_time(text):
    return datetime.datetime.strptime(text, _TIME).replace(tzinfo=datetime.timezone.utc)


def _find_in_query(query):
    if "X-Amz-Signature" not in query:
        return None
    get = lambda name: query.get(f"X-Amz-{name}", "")  # noqa: E731
    until = _parse_time(get("Date")) + datetime.timedelta(seconds=int(get("Expires")))
    return get("Credential"), get("SignedHeaders"), get("Signature"), get("Date"), "UNSIGNED-PAYLOAD", until


def _find_in_headers(headers):
    found = _AUTHORIZATION.fullmatch(headers.get("Authorization") or "")
    if not found:
        return None
    time = headers.get("x-amz-date")
    until = _parse_time(time) + datetime.timedelta(minutes=15)
    return *found.groups(), time, headers.get("x-amz-content-sha256"), until


def _make_canonical_request(method, path, pairs, names, headers, payload):
    quote = lambda text: urllib.parse.quote(text, safe="-_.~")  # noqa: E731
    uri = urllib.parse.quote(urllib.parse.unquote(path), safe="-_.~/")
    query = "&".join(sorted(f"{quote(name)}={quote(value)}" for name, value in pairs))
    lines = [f"{name}:{' '.join((headers.get(name) or '').split())}" for name in names]
    return "\n".join([method, uri, query, *lines, "", ";".join(names), payload])


def _compute(secret, scope, text):
    key = ("AWS4" + secret).encode()
    for part in [*scope, text]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key.hex()
