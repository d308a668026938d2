# SPDX-License-Identifier: MIT
"""Stores without consolidated metadata, whose nodes only a listing tells: a listing that fails is an error, and never
an empty store; and stores by their bare names."""

import os
import urllib.parse

import fault_server
import numpy as np
import pytest
from config_options import set_config_option
from fault_server import FaultServer
from http_server import list_links
from osgeo import gdal
from stores import consolidate_v2, consolidate_v3, write_v2, write_v2_group, write_v3, write_v3_group
from web_layouts import LAYOUTS

DATA = np.arange(64, dtype="<i4").reshape(8, 8)


@pytest.fixture(params=[2, 3])
def version(request):
    return request.param


def write(path, version, consolidated=False, arrays=("a", "b")):
    """Writes a group that has arrays, and an array in a group."""
    write_group, write_array = (write_v3_group, write_v3) if version == 3 else (write_v2_group, write_v2)
    write_group(path)
    write_group(f"{path}/g")
    for name in (*arrays, "g/c"):
        write_array(f"{path}/{name}", DATA)
    if consolidated:
        (consolidate_v3 if version == 3 else consolidate_v2)(path)


class ListingServer(FaultServer):
    """Makes pages of folders."""

    def find_file(self, path):
        folder = os.path.join(self.folder, urllib.parse.unquote(path).strip("/"))
        if not path.endswith("/") or not os.path.isdir(folder):
            return super().find_file(path)
        names = [entry.name + "/" * entry.is_dir() for entry in os.scandir(folder)]
        page = os.path.join(self.folder, "page.html")
        with open(page, "w") as file:
            file.write(list_links(path, names))
        return page


@pytest.fixture
def web(tmp_path):
    with ListingServer(tmp_path).serve() as running:
        yield running


@pytest.fixture
def slow_web(tmp_path):
    """So slow that requests that wait for each other can be told."""
    with ListingServer(tmp_path, latency=0.2, gathers=True).serve() as running:
        yield running


class Place:
    """A store without consolidated metadata, and how its listings fail."""

    def __init__(self, server, path, fail, heal):
        self.server, self.path, self.fail, self.heal = server, path, fail, heal

    @property
    def name(self):
        return f'ZARR:"{self.path}"'


@pytest.fixture(params=["web", "s3"])
def place(request, tmp_path, version):
    write(str(tmp_path / "a.zarr"), version)
    if request.param == "web":
        server = request.getfixturevalue("web")
        path = f"/vsicurl/{server.url}/a.zarr"
        return Place(server, path, lambda status: server.fail(str(status), "/a.zarr/"), server.heal)
    server = request.getfixturevalue("s3_bucket")
    server.upload("a.zarr", str(tmp_path / "a.zarr"))
    path = f"{server.root}/a.zarr"
    return Place(server, path, lambda status: server.fail("LIST", "a.zarr", status=status), server.faults.clear)


def get_arrays(name):
    dataset = gdal.Open(name)
    return [value.split("/")[-1] for key, value in dataset.GetMetadata("SUBDATASETS").items() if key.endswith("NAME")]


def get_names(name):
    group = gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    return group.GetMDArrayNames(), group.GetGroupNames()


def test_a_listing_tells_the_nodes(place):
    assert get_arrays(place.name) == ["a", "b", "c"]
    assert get_names(place.name) == (["a", "b"], ["g"])


@pytest.mark.parametrize("status", [500, 503])
@pytest.mark.parametrize("look", [get_arrays, get_names])
def test_a_listing_that_fails_is_an_error(place, status, look):
    place.fail(status)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=f"/a.zarr: cannot be listed: HTTP response code: {status}.* for http://.*/a.zarr/"):
            look(place.name)
    place.heal()
    assert look(place.name) == look(place.name)
    assert get_arrays(place.name) == ["a", "b", "c"]


def test_a_listing_that_fails_is_tried_again(place):
    gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", "1")
    gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", "0.01")
    try:
        if hasattr(place.server, "storage_class"):
            place.server.faults.append({"method": "LIST", "part": "a.zarr", "status": 503, "skip": 0})
            take = place.server.find_fault
            place.server.find_fault = lambda *request: (take(*request), request[0] == "GET" and place.heal())[0]
        else:
            place.server.fail("503", "/a.zarr/", times=1)
        assert get_arrays(place.name) == ["a", "b", "c"]
    finally:
        gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", None)
        gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", None)


@pytest.mark.parametrize("fault", ["truncated", "reset", "broken pieces"])
def test_a_page_that_breaks_off_is_an_error(tmp_path, web, version, fault):
    write(str(tmp_path / "a.zarr"), version)
    name = f'ZARR:"/vsicurl/{web.url}/a.zarr"'
    web.fail(fault, "/a.zarr/")
    with pytest.raises(RuntimeError, match="/a.zarr: cannot be listed: .* for http://.*/a.zarr/"):
        get_arrays(name)
    web.heal()
    assert get_arrays(name) == ["a", "b", "c"]


@pytest.mark.parametrize("client", ["OWN", "GDAL"])
def test_a_failure_that_gdal_keeps_is_asked_for_again(tmp_path, web, client):
    """GDAL may have listed the folder itself."""
    write(str(tmp_path / "a.zarr"), 3)
    path = f"/vsicurl/{web.url}/a.zarr"
    gdal.SetConfigOption("ZARR_HTTP_CLIENT", client)
    try:
        web.fail("500", "/a.zarr/")
        gdal.ReadDir(path)
        with pytest.raises(RuntimeError, match="/a.zarr: .*HTTP response code: 500"):
            get_arrays(f'ZARR:"{path}"')
        web.heal()
        assert get_arrays(f'ZARR:"{path}"') == ["a", "b", "c"]
    finally:
        gdal.SetConfigOption("ZARR_HTTP_CLIENT", None)


@pytest.mark.parametrize("protocol", ["HTTP/1.0", "HTTP/1.1"])
def test_a_server_may_close_connections(tmp_path, server, monkeypatch, protocol):
    """GDAL looks at the folder after it has got no list of it."""
    write(str(tmp_path / "a.zarr"), 3)
    monkeypatch.setattr(fault_server._Handler, "protocol_version", protocol)
    monkeypatch.setattr(server, "find_file", lambda path: FaultServer.find_file(server, path) or FaultServer.find_file(server, f"{path}/zarr.json"))
    with set_config_option("ZARR_HTTP_CLIENT", "GDAL"):
        names, warnings = collect_warnings(lambda: get_names(f'ZARR:"/vsicurl/{server.url}/a.zarr"'))
    assert not any(names)  # GDAL 3.13 has [] where it had None
    assert len(warnings) == 1 and "does not list" in warnings[0]


@pytest.mark.parametrize(
    ("prefix", "listing", "settings"),
    [
        ("/vsigs/", "/b/", {"GS_NO_SIGN_REQUEST": "YES", "CPL_GS_ENDPOINT": "{url}/"}),
        (
            "/vsiaz/",
            "/b",
            {
                "AZURE_STORAGE_CONNECTION_STRING": "DefaultEndpointsProtocol=http;AccountName=account;"
                "AccountKey=YWJj;BlobEndpoint={url}"
            },
        ),
    ],
)
def test_other_object_stores(tmp_path, server, prefix, listing, settings):
    """They fail by the same rules. This server lists nothing."""
    write(str(tmp_path / "b" / "a.zarr"), 3)
    name = f'ZARR:"{prefix}b/a.zarr"'
    for option, value in settings.items():
        gdal.SetConfigOption(option, value.format(url=server.url))
    try:
        for fault in ("500", "503"):
            server.fail(fault, listing)
            with pytest.raises(RuntimeError, match=f"/b/a.zarr: cannot be listed: .* {fault} .* for http://"):
                get_arrays(name)
            server.heal()
        assert get_arrays(name) == []
        np.testing.assert_array_equal(gdal.Open(f"{name}:/a").ReadAsArray(), DATA)
    finally:
        for option in settings:
            gdal.SetConfigOption(option, None)


def collect_warnings(call):
    warnings = []
    gdal.PushErrorHandler(lambda level, _, text: level == gdal.CE_Warning and warnings.append(text))
    try:
        return call(), warnings
    finally:
        gdal.PopErrorHandler()


@pytest.mark.parametrize("look", [get_arrays, get_names])
def test_a_server_that_lists_nothing_is_told_of(place, look):
    place.fail(403)
    found, warnings = collect_warnings(lambda: look(place.name))
    assert not any(found)
    assert len(warnings) == 1 and "does not list" in warnings[0] and f"{place.name}:/" in warnings[0]
    array = gdal.Open(f"{place.name}:/a")
    np.testing.assert_array_equal(array.ReadAsArray(), DATA)


def test_an_empty_store_is_no_reason_to_warn(tmp_path, s3_bucket):
    write_v3_group(str(tmp_path / "a.zarr"))
    s3_bucket.upload("a.zarr", str(tmp_path / "a.zarr"))
    assert collect_warnings(lambda: get_arrays(f'ZARR:"{s3_bucket.root}/a.zarr"')) == ([], [])


def test_a_node_that_cannot_be_looked_at_is_an_error(place, version):
    """It may be a group, whose arrays would be missing."""
    document = "g/zarr.json" if version == 3 else "g/.zgroup"
    if hasattr(place.server, "storage_class"):
        place.server.fail("GET", f"a.zarr/{document}")
    else:
        place.server.fail("500", f"/a.zarr/{document}")
    for look in (get_arrays, get_names):
        with pytest.raises(RuntimeError, match=f"{document}.* 500"):
            look(place.name)
    place.heal()
    assert get_arrays(place.name) == ["a", "b", "c"]


def test_one_listing_tells_arrays_and_groups(place):
    group = gdal.OpenEx(place.name, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert (group.GetMDArrayNames(), group.GetGroupNames()) == (["a", "b"], ["g"])
    before = place.server.count()
    assert (group.GetMDArrayNames(), group.GetGroupNames()) == (["a", "b"], ["g"])
    asked = place.server.log[before:]
    assert not [request for request in asked if request[0] != "GET" or request[1] in ("/a.zarr/", "/bucket/")]


# --- removing and moving ---


def test_nothing_is_taken_for_absent_where_a_listing_fails(tmp_path, s3_bucket):
    write(str(tmp_path / "a.zarr"), 3)
    s3_bucket.upload("a.zarr", str(tmp_path / "a.zarr"))
    keys = s3_bucket.keys()
    driver = gdal.GetDriverByName("Zarr")
    path = f"{s3_bucket.root}/a.zarr"
    s3_bucket.fail("LIST")
    for name in (path, f'ZARR:"{path}"'):
        gdal.VSICurlClearCache()
        with pytest.raises(RuntimeError, match="500|cannot be listed"):
            driver.Delete(name)
    assert s3_bucket.keys() == keys
    s3_bucket.faults.clear()
    assert driver.Delete(f'ZARR:"{path}"') == gdal.CE_None
    assert s3_bucket.keys() == []


def test_nothing_is_moved_to_where_a_listing_fails(tmp_path, s3_bucket):
    write(str(tmp_path / "a.zarr"), 3)
    for name in ("a.zarr", "b.zarr"):
        s3_bucket.upload(name, str(tmp_path / "a.zarr"))
    keys = s3_bucket.keys()
    s3_bucket.fail("LIST", "b.zarr")
    s3_bucket.fail("GET", "b.zarr")
    with pytest.raises(RuntimeError, match="b.zarr"):
        gdal.GetDriverByName("Zarr").Rename(f"{s3_bucket.root}/b.zarr", f"{s3_bucket.root}/a.zarr")
    assert s3_bucket.keys() == keys


# --- bare names ---


@pytest.fixture(params=[name for name in LAYOUTS if name != "v2"])
def layout(request):
    return LAYOUTS[request.param]


def test_costs_of_a_bare_name_in_an_object_store(tmp_path, s3_bucket, layout, request):
    """GDAL asks for one list; the rest is what the name with ZARR: takes."""
    name = f"bare_{request.node.callspec.id.replace(' ', '_')}.zarr"  # that was not opened before
    layout.write(str(tmp_path / "a.zarr"), ())
    s3_bucket.upload(name, str(tmp_path / "a.zarr"))
    with s3_bucket.record() as requests:
        assert gdal.Open(f"{s3_bucket.root}/{name}").RasterXSize == 64
    print(requests)
    assert [method for method, _ in requests] == ["LIST"] + ["GET"] * layout.opening


@pytest.mark.parametrize("slash", ["", "/"])
def test_costs_of_a_bare_url(tmp_path, nginx, layout, slash):
    """GDAL asks for the folder, and follows one redirection."""
    layout.write(str(tmp_path / "www" / "a.zarr"), ())
    assert gdal.Open(f"/vsicurl/{nginx.url}/a.zarr{slash}").RasterXSize == 64
    of_gdal = [request for request in nginx.log if request.path.rstrip("/") == "/a.zarr"]
    assert len(of_gdal) <= 2 and nginx.count() == len(of_gdal) + layout.opening


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("listing", [False, True])
def test_a_url_may_end_with_a_slash(tmp_path, server, web, version, slash, listing):
    write(str(tmp_path / "a.zarr"), version, True, arrays=())
    url = web.url if listing else server.url
    dataset = gdal.Open(f"/vsicurl/{url}/a.zarr{slash}")
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)


@pytest.mark.parametrize("document", ["zarr.json", ".zmetadata"])
@pytest.mark.parametrize("name", ["a.zarr", "data"])
def test_a_failure_of_a_bare_name_is_an_error(tmp_path, s3_bucket, name, document):
    write(str(tmp_path / "a.zarr"), 3 if document == "zarr.json" else 2, True, arrays=())
    s3_bucket.upload(name, str(tmp_path / "a.zarr"))
    s3_bucket.fail("GET", f"{name}/{document}")
    path = f"{s3_bucket.root}/{name}"
    for _ in range(2):
        with pytest.raises(RuntimeError, match=f"{name}/{document}.*HTTP response code: 500.* for http://"):
            gdal.Open(path)
    s3_bucket.faults.clear()
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), DATA)


def test_folders_that_are_no_stores_are_left_to_other_drivers(tmp_path, s3_bucket):
    """Also one that holds stores."""
    write(str(tmp_path / "a.zarr"), 3)
    s3_bucket.upload("folder/a.zarr", str(tmp_path / "a.zarr"))
    with pytest.raises(RuntimeError, match="not recognized"):
        gdal.Open(f"{s3_bucket.root}/folder")
    assert gdal.IdentifyDriver(f"{s3_bucket.root}/folder") is None
    assert gdal.IdentifyDriver(f"{s3_bucket.root}/folder/a.zarr").ShortName == "Zarr"


# --- copies -------------------------------------------------------------------------------------------------------


def describe_group(group):
    arrays = [(name, group.OpenMDArray(name).ReadAsArray().tolist()) for name in sorted(group.GetMDArrayNames() or [])]
    groups = [(name, describe_group(group.OpenGroup(name))) for name in sorted(group.GetGroupNames() or [])]
    return arrays, groups


@pytest.mark.parametrize("times", [1, 2, None])
def test_a_copy_has_all_groups_and_arrays_or_fails(tmp_path, web, version, times):
    write(str(tmp_path / "a.zarr"), version)
    documents = [".zarray", ".zgroup"] if version == 2 else ["zarr.json"] * 2
    keys = [f"a/{documents[0]}", f"g/{documents[1]}", f"g/c/{documents[0]}", "", "g/"]

    def copy(target):
        gdal.VSICurlClearCache()
        source = gdal.OpenEx(f'ZARR:"/vsicurl/{web.url}/a.zarr"', gdal.OF_MULTIDIM_RASTER)
        copied = source and gdal.MultiDimTranslate(str(tmp_path / target), source, format="Zarr")
        return copied and describe_group(copied.GetRootGroup())

    gdal.DontUseExceptions()  # which are raised for a copy that is made with an error, too
    try:
        expected = copy("whole.zarr")
        made = {}
        for number, key in enumerate(keys):
            web.fail("500", f"/a.zarr/{key}", times=times)
            made[key] = copy(f"copy{number}.zarr")
            web.heal()
    finally:
        gdal.UseExceptions()
    assert [name for name, _ in expected[0]] == ["a", "b"] and [name for name, _ in expected[1]] == ["g"]
    assert {key: found for key, found in made.items() if found not in (None, expected)} == {}


@pytest.mark.parametrize("flags", [gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER])
def test_all_documents_of_a_listed_group_are_requested_together(tmp_path, slow_web, version, flags):
    """However many nodes a group has, they take one round trip, and in v2 another one for those that are no arrays."""
    trips = []
    for count in (1, 6):
        store = tmp_path / f"{count}.zarr"
        write(str(store), version, arrays=[f"a{i}" for i in range(count)])
        (store / "no-node").mkdir()
        slow_web.clear()
        dataset = gdal.OpenEx(f'ZARR:"/vsicurl/{slow_web.url}/{store.name}"', flags)
        if flags == gdal.OF_MULTIDIM_RASTER:
            group = dataset.GetRootGroup()
            assert group.GetMDArrayNames() == [f"a{i}" for i in range(count)]
            assert group.GetGroupNames() == ["g"]
        else:
            assert len(dataset.GetSubDatasets()) == count + 1
        asked = [(path, span) for _, path, span, _ in slow_web.log if not path.endswith("/")]
        assert len(asked) == len(set(asked))
        trips.append(slow_web.round_trips())
    print(trips)
    assert trips[0] == trips[1]


def test_a_node_that_cannot_be_looked_at_is_an_error(tmp_path, web, version):
    """Also where it is requested with all others."""
    write(str(tmp_path / "a.zarr"), version)
    for fault in ("500", "403", "truncated", "reset"):
        web.fail(fault, "/a.zarr/b/zarr.json" if version == 3 else "/a.zarr/b/.zarray")
        with pytest.raises(RuntimeError, match="a.zarr/b/"):
            gdal.Open(f'ZARR:"/vsicurl/{web.url}/a.zarr"')
        web.heal()
        assert len(gdal.Open(f'ZARR:"/vsicurl/{web.url}/a.zarr"').GetSubDatasets()) == 3
