# SPDX-License-Identifier: MIT
"""Writing to an object store: how many requests it takes, and failures in it."""

import collections

import numpy as np
import pytest
from osgeo import gdal, osr
from s3_server import count_methods

SIZE, BLOCK = 64, 16
DATA = np.arange(SIZE * SIZE, dtype="uint16").reshape(SIZE, SIZE) + 1
PLACE = (500000, 10, 0, 5200000, 0, -10)
# GDAL looks three times whether there is a file before it lets a driver make one.
OF_GDAL = 3


def make_srs():
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32632)
    return srs


def create(path, version, *options):
    options = [f"FORMAT={version}", f"BLOCKSIZE={BLOCK},{BLOCK}", *options]
    dataset = gdal.GetDriverByName("Zarr").Create(path, SIZE, SIZE, 1, gdal.GDT_UInt16, options)
    dataset.SetGeoTransform(PLACE)
    dataset.SetSpatialRef(make_srs())
    dataset.WriteArray(DATA)
    return dataset


def make_raster():
    raster = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, gdal.GDT_UInt16)
    raster.SetGeoTransform(PLACE)
    raster.SetSpatialRef(make_srs())
    raster.WriteArray(DATA)
    return raster


def append(path, version, name):
    options = [f"FORMAT={version}", f"BLOCKSIZE={BLOCK},{BLOCK}", "APPEND_SUBDATASET=YES", f"ARRAY_NAME={name}"]
    gdal.GetDriverByName("Zarr").CreateCopy(path, make_raster(), options=options)


def check(name):
    gdal.VSICurlClearCache()
    dataset = gdal.Open(name)
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert dataset.GetGeoTransform() == PLACE
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32632"
    return dataset


def test_a_store_may_be_the_whole_bucket(s3_bucket, version):
    create(s3_bucket.root, version, "ARRAY_NAME=a").FlushCache()
    check(f'ZARR:"{s3_bucket.root}":/a')


def is_chunk_of(key, array):
    return f"/{array}/" in f"/{key}" and key.split("/")[-1].replace(".", "").isdigit()


# --- requests ---


def test_making_a_store(s3_bucket, path, version):
    with s3_bucket.record() as requests:
        create(path, version)
    print(version, count_methods(requests))
    check(path)
    puts = [key for method, key in requests if method == "PUT"]
    # Each document and each chunk is put once, also the root of v3 with the consolidated metadata.
    assert sorted(puts) == s3_bucket.keys()
    # One list tells that nothing is there.
    assert len(requests) - len(puts) == OF_GDAL + 1
    # The metadata are there before the first chunk, for whoever has to clean up after a crash.
    documents = [i for i, key in enumerate(puts) if not key.split("/")[-1].replace(".", "").isdigit()]
    first_chunk = min(i for i, key in enumerate(puts) if key.split("/")[-1].replace(".", "").isdigit())
    assert max(documents[:-1]) < first_chunk


@pytest.mark.parametrize("shards", [[], ["SHARD_SHAPE=32,32"]])
def test_new_chunks_that_the_array_cuts_off_are_not_read(s3_bucket, path, shards):
    options = ["FORMAT=ZARR_V3", f"BLOCKSIZE={BLOCK},{BLOCK}", *shards]
    with s3_bucket.record() as requests:
        dataset = gdal.GetDriverByName("Zarr").Create(path, 40, 40, 1, gdal.GDT_UInt16, options)
        dataset.WriteArray(DATA[:40, :40])
        dataset = None
    chunks = [(method, key) for method, key in requests if "/c/" in key]
    assert collections.Counter(method for method, _ in chunks) == {"PUT": 4 if shards else 9}
    gdal.VSICurlClearCache()
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), DATA[:40, :40])


@pytest.mark.parametrize("options", [[], ["CACHE_TILE_PRESENCE=YES"]])
def test_documents_of_a_new_array_go_before_its_chunks(s3_bucket, path, version, options):
    create(path, version)
    gdal.VSICurlClearCache()
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE, open_options=options)
    root = dataset.GetRootGroup()
    with s3_bucket.record() as requests:
        array = root.CreateMDArray("new", [root.CreateDimension("n", None, None, 4)], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        array.SetUnit("K")
        array.Write(np.arange(1, 5, dtype="u1"))
        del array, root, dataset
    puts = [key.removeprefix("a.zarr/new/") for method, key in requests if method == "PUT" and key.startswith("a.zarr/new/")]
    assert puts == ([".zarray", ".zattrs", "0"] if version == "ZARR_V2" else ["zarr.json", "c/0"])


def test_a_shard_is_put_once(s3_bucket, path):
    with s3_bucket.record() as requests:
        create(path, "ZARR_V3", "SHARD_CHUNK_SHAPE=8,8", "BLOCKSIZE=32,32")
    shards = [(method, key) for method, key in requests if is_chunk_of(key, "a") and "/c/" in key]
    assert len([key for _, key in shards if key.startswith("a.zarr/a/")]) == 4
    assert {method for method, _ in shards} == {"PUT"}
    check(path)


@pytest.mark.parametrize("window", [(16, 16, 16, 16), (3, 5, 4, 4)])
def test_a_part_of_a_shard_takes_one_read(s3_bucket, path, window):
    """A whole inner chunk, and a part of one."""
    create(path, "ZARR_V3", "SHARD_SHAPE=64,64")
    gdal.Open(path, gdal.GA_Update).WriteArray(DATA[:1, :1], 0, 0)  # the bucket's conditions are tried once
    gdal.VSICurlClearCache()
    dataset = gdal.Open(path, gdal.GA_Update)
    x, y, width, height = window
    expected = DATA.copy()
    expected[y : y + height, x : x + width] += 7
    with s3_bucket.record() as requests:
        dataset.WriteArray(expected[y : y + height, x : x + width], x, y)
        dataset.FlushCache()
    assert requests == [("GET", "a.zarr/a/c/0/0"), ("PUT", "a.zarr/a/c/0/0")]
    gdal.VSICurlClearCache()
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), expected)


def test_writing_a_chunk(s3_bucket, path, version):
    create(path, version)
    gdal.VSICurlClearCache()
    dataset = gdal.Open(path, gdal.GA_Update)
    with s3_bucket.record() as requests:
        dataset.WriteArray(DATA[:BLOCK, :BLOCK], 0, 0)
        dataset.FlushCache()
    assert len(requests) == 1
    assert requests[0][0] == "PUT"


def test_part_of_a_chunk_is_merged_with_what_others_wrote(s3_bucket, path, version):
    dataset = create(path, version)
    dataset.FlushCache()
    other = gdal.Open(path, gdal.GA_Update)
    other.WriteArray(np.full((1, BLOCK), 7, "uint16"), 0, 0)
    other = None
    dataset.WriteArray(np.full((1, BLOCK), 9, "uint16"), 0, 1)
    dataset = None
    gdal.VSICurlClearCache()
    values = gdal.Open(path).ReadAsArray()
    assert (values[0, :BLOCK] == 7).all()
    assert (values[1, :BLOCK] == 9).all()


def test_overviews_read_each_chunk_once(s3_bucket, path, version):
    create(path, version)
    gdal.VSICurlClearCache()
    dataset = gdal.Open(path, gdal.GA_Update)
    with s3_bucket.record() as requests:
        dataset.BuildOverviews("NEAREST", [2, 4])
        dataset = None
    print(version, count_methods(requests))
    chunks = [request for request in requests if is_chunk_of(request[1], "a") and "/X/" not in request[1]]
    assert max(collections.Counter(chunks).values()) == 1
    read = [key for method, key in chunks if method == "GET" and "ovr_" not in key]
    assert len(read) == 16
    # A group's document says first that its level is unfinished, and the array's that the levels lack everything; then the
    # root's has no consolidated metadata, until all is done.
    put = collections.Counter(key for method, key in requests if method == "PUT")
    twice = {key for key, times in put.items() if times > 1}
    document = "zarr.json" if version == "ZARR_V3" else ".zattrs"
    assert twice <= {f"a.zarr/{node}{document}" for node in ("ovr_2x/", "ovr_4x/", "a/", "")}
    assert max(put.values()) == 2
    dataset = check(path)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 2
    np.testing.assert_array_equal(dataset.GetRasterBand(1).GetOverview(0).ReadAsArray(), DATA[::2, ::2])


def test_overviews_are_removed(s3_bucket, path, version):
    create(path, version)
    before = s3_bucket.keys()
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None
    gdal.VSICurlClearCache()
    dataset = gdal.Open(path, gdal.GA_Update)
    with s3_bucket.record() as requests:
        dataset.BuildOverviews("NONE", [])
        dataset = None
    print(version, count_methods(requests))
    assert check(path).GetRasterBand(1).GetOverviewCount() == 0
    assert set(s3_bucket.keys()) - set(before) <= {"a.zarr/.zattrs"}


def test_overviews_can_be_made_when_their_layout_could_not_be_put(s3_bucket, path, version):
    create(path, version)
    gdal.VSICurlClearCache()
    s3_bucket.fail("PUT", "a.zarr/zarr.json" if version == "ZARR_V3" else "a.zarr/.zattrs")
    gdal.DontUseExceptions()  # which closing would raise where nobody can catch them
    try:
        dataset = gdal.Open(path, gdal.GA_Update)
        assert dataset.BuildOverviews("NEAREST", [2, 4]) != gdal.CE_None
        dataset = None
    finally:
        gdal.UseExceptions()
    s3_bucket.faults.clear()
    gdal.VSICurlClearCache()
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None
    assert check(path).GetRasterBand(1).GetOverviewCount() == 2


def test_removing_takes_few_requests(s3_bucket, path, version):
    """Listings tell which documents there are, and, where s3rver fails to remove many objects, which are left."""
    create(path, version)
    documents = [key for key in s3_bucket.keys() if key.split("/")[-1].startswith((".z", "zarr.json"))]
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None
    gdal.VSICurlClearCache()
    with s3_bucket.record() as of_overviews:
        dataset = gdal.Open(path, gdal.GA_Update)
        dataset.BuildOverviews("NONE", [])
        dataset = None
    gdal.VSICurlClearCache()
    with s3_bucket.record() as of_all:
        gdal.GetDriverByName("Zarr").Delete(path)
    print(version, count_methods(of_overviews), count_methods(of_all))
    # The coordinates tell an opened dataset its place, and are read again when its levels may have got another one.
    chunks = [key for _, key in of_overviews if key.split("/")[-1].replace(".", "").isdigit()]
    assert len(chunks) == 4 and all(is_chunk_of(key, "X") or is_chunk_of(key, "Y") for key in chunks)
    assert not [key for _, key in of_all if key.split("/")[-1].replace(".", "").isdigit()]
    assert not [key for _, key in of_overviews + of_all if ".nczarr" in key]
    # GDAL and the opening ask for some, too.
    assert count_methods(of_all)["GET"] <= len(documents) + 8
    assert count_methods(of_all)["LIST"] <= 7
    assert s3_bucket.keys() == []


def test_another_array_on_the_same_grid(s3_bucket, path, version):
    create(path, version)
    gdal.VSICurlClearCache()
    with s3_bucket.record() as requests:
        append(path, version, "second")
    print(version, count_methods(requests))
    assert not [key for method, key in requests if method != "PUT" and is_chunk_of(key, "second")]
    coordinates = [method for method, key in requests if is_chunk_of(key, "X") or is_chunk_of(key, "Y")]
    assert coordinates == ["GET", "GET"]
    # Equal attributes are not put again.
    assert not [key for method, key in requests if method == "PUT" and "spatial_ref" in key]
    assert count_methods(requests)["GET"] <= 13
    check(f'ZARR:"{path}":/a')
    check(f'ZARR:"{path}":/second')


def test_deletion_leaves_what_it_did_not_write(s3_bucket, path, version):
    create(path, version)
    file = gdal.VSIFOpenL(f"{path}/notes.txt", "wb")
    gdal.VSIFWriteL(b"mine", 1, 4, file)
    gdal.VSIFCloseL(file)
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    gdal.GetDriverByName("Zarr").Delete(path)
    gdal.PopErrorHandler()
    assert s3_bucket.keys() == ["a.zarr/notes.txt"]


def test_deletion_right_after_making(s3_bucket, path, version):
    """GDAL remembers that there was nothing before."""
    create(path, version)
    gdal.GetDriverByName("Zarr").Delete(path)
    assert s3_bucket.keys() == []


def test_a_store_is_not_replaced(s3_bucket, path, version):
    create(path, version)
    gdal.VSICurlClearCache()
    with pytest.raises(RuntimeError, match="there is a Zarr store already"):
        create(path, version)
    check(path)


def test_nothing_is_made_where_something_is(s3_bucket, path, version):
    file = gdal.VSIFOpenL(f"{path}/notes.txt", "wb")
    gdal.VSIFWriteL(b"mine", 1, 4, file)
    gdal.VSIFCloseL(file)
    gdal.VSICurlClearCache()
    with pytest.raises(RuntimeError, match="notes.txt"):
        create(path, version)
    assert s3_bucket.keys() == ["a.zarr/notes.txt"]


def test_archived_objects_are_something(s3_bucket, path, version):
    """GDAL leaves objects of an archive out of its listings."""
    file = gdal.VSIFOpenL(f"{path}/notes.txt", "wb")
    gdal.VSIFWriteL(b"mine", 1, 4, file)
    gdal.VSIFCloseL(file)
    gdal.VSICurlClearCache()
    s3_bucket.storage_class = "GLACIER"
    with pytest.raises(RuntimeError, match="notes.txt"):
        create(path, version)
    assert s3_bucket.keys() == ["a.zarr/notes.txt"]


# --- failures ---


def test_nothing_is_written_without_its_place(s3_bucket, path, version):
    driver = gdal.GetDriverByName("Zarr")
    dataset = driver.Create(path, SIZE, SIZE, 1, gdal.GDT_UInt16, [f"FORMAT={version}"])
    dataset.SetGeoTransform(PLACE)
    s3_bucket.fail("PUT", "a.zarr/X/")
    for change in (lambda: dataset.WriteArray(DATA), lambda: dataset.WriteArray(DATA), dataset.FlushCache):
        gdal.ErrorReset()
        with pytest.raises(RuntimeError, match=r"a.zarr/X/.*cannot be written: .* failed: HTTP response code: 500 \(Internal Server Error\), Failure"):
            change()
    assert not [key for key in s3_bucket.keys() if is_chunk_of(key, "a.zarr/a")]


def test_after_a_crash_the_store_can_be_removed_and_made_again(s3_bucket, path, version):
    """Only the root is there, as if the process had ended after its first request."""
    s3_bucket.fail("PUT", "a.zarr/a/")
    s3_bucket.fail("PUT", "a.zarr/X/")
    s3_bucket.fail("PUT", "a.zarr/Y/")
    s3_bucket.fail("PUT", "a.zarr/spatial_ref/")
    with pytest.raises(RuntimeError):
        create(path, version)
    s3_bucket.faults.clear()
    gdal.VSICurlClearCache()
    assert s3_bucket.keys()
    with pytest.raises(RuntimeError, match="there is a Zarr store already"):
        create(path, version)
    gdal.GetDriverByName("Zarr").Delete(path)
    assert s3_bucket.keys() == []
    create(path, version)
    check(path)


def test_a_chunk_that_cannot_be_put_is_an_error(s3_bucket, path, version):
    create(path, version)
    dataset = gdal.Open(path, gdal.GA_Update)
    s3_bucket.fail("PUT", "a.zarr/a/")
    with pytest.raises(RuntimeError, match="cannot be written: .*HTTP response code: 500"):
        dataset.WriteArray(DATA + 1)
        dataset.FlushCache()
    s3_bucket.faults.clear()
    dataset = None
    check(path)


def test_a_removal_that_fails_tells_the_status(s3_bucket, path, version):
    create(path, version)
    s3_bucket.fail("DELETE MANY", status=503)
    with pytest.raises(RuntimeError, match=r"cannot be removed: .*HTTP response code: 503 \(.*\), Failure"):
        gdal.GetDriverByName("Zarr").Delete(path)


def test_debug_messages_are_those_of_the_user(s3_bucket, path, version):
    create(path, version)
    messages = []
    gdal.PushErrorHandler(lambda level, number, text: messages.append((level, text)))
    try:
        dataset = gdal.Open(path, gdal.GA_Update)
        s3_bucket.fail("PUT", "a.zarr/a/")
        with pytest.raises(RuntimeError):
            dataset.WriteArray(DATA + 1)
            dataset.FlushCache()
        s3_bucket.faults.clear()
        dataset = None
    finally:
        gdal.PopErrorHandler()
    assert not [text for level, text in messages if level == gdal.CE_Debug and "CURL" in text]


def test_a_document_that_cannot_be_put_is_an_error(s3_bucket, path, version):
    options = [f"FORMAT={version}"]
    dataset = gdal.GetDriverByName("Zarr").Create(path, SIZE, SIZE, 1, gdal.GDT_UInt16, options)
    s3_bucket.fail("PUT", ".zarray" if version == "ZARR_V2" else "a/zarr.json")
    with pytest.raises(RuntimeError, match="cannot be written: .*HTTP response code: 500"):
        dataset.WriteArray(DATA)
        dataset.FlushCache()


@pytest.mark.parametrize("skip", [0, 1, 2])
def test_a_listing_that_fails_is_no_absence(s3_bucket, path, version, skip):
    create(path, version)
    gdal.VSICurlClearCache()
    before = s3_bucket.keys()
    s3_bucket.fail("LIST", "a.zarr", skip=skip)
    try:
        gdal.GetDriverByName("Zarr").Delete(path)
        assert s3_bucket.keys() == []
    except RuntimeError:
        assert s3_bucket.keys() in ([], before) or not [
            key for key in s3_bucket.keys() if key.endswith(("zarr.json", ".zarray", ".zgroup"))
        ]


def test_no_permission_to_list(s3_bucket, path, version):
    """A store can be made and read, and asks for each name."""
    s3_bucket.fail("LIST", "", status=403)
    create(path, version)
    check(path)


# --- large values ---

LARGE = np.random.default_rng(0).integers(0, 60000, (2048, 3072), "uint16")


@pytest.fixture
def small_parts():
    """Uploads in parts of 8 MB, the least that GDAL takes."""
    gdal.SetConfigOption("VSIS3_CHUNK_SIZE", "8")
    yield
    gdal.SetConfigOption("VSIS3_CHUNK_SIZE", None)


def create_large(path):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=2048,3072", "SHARD_CHUNK_SHAPE=256,256", "COMPRESS=NONE"]
    dataset = gdal.GetDriverByName("Zarr").Create(path, 3072, 2048, 1, gdal.GDT_UInt16, options)
    dataset.WriteArray(LARGE)
    dataset.FlushCache()


def test_a_large_shard_is_uploaded_in_parts(s3_bucket, path, small_parts):
    create_large(path)
    parts = [request for request in s3_bucket.log if "partNumber=" in request.query]
    assert len(parts) == 2
    gdal.VSICurlClearCache()
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), LARGE)
