// SPDX-License-Identifier: MIT
#include "driver/new_array/creation_options.h"

#include <algorithm>
#include <span>

#include "driver/dataset/open_options.h"
#include "driver/gdal/option_values.h"
#include "driver/new_array/program_compressors.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

constexpr unsigned kArray = static_cast<unsigned>(CreationScope::kArray);
constexpr unsigned kStore = static_cast<unsigned>(CreationScope::kStore);
constexpr unsigned kClassic = static_cast<unsigned>(CreationScope::kClassic);

struct Row {
  unsigned scope;
  const char* name;
  const char* alias;
  const char* type;  // as in GDAL's option lists
  const char* default_value;
  std::vector<const char*> values;  // for the type string-select
  const char* description;
  std::int64_t low = INT64_MIN;  // for the type int
  std::int64_t high = INT64_MAX;
};

std::vector<Row> MakeStoreRows() {
  return {
      {kStore,
       "FORMAT",
       "",
       "string-select",
       nullptr,
       {"ZARR_V2", "ZARR_V3", "ZARR_V1", kKerchunkFormat, kIcechunkFormat},
       "Version of the format. By default the configuration option ZARR_DEFAULT_FORMAT, or ZARR_V2 (since GDAL 3.14, "
       "ZARR_V3). KERCHUNK: a copy consists of references to the blocks of its source. ICECHUNK: a repository of "
       "Icechunk, with Zarr v3"},
      {kStore, "COMMIT_MESSAGE", "", "string", "Written by GDAL", {}, "Icechunk: the message of the commit"},
      {kStore, "COMMIT_AUTHOR", "", "string", nullptr, {}, "Icechunk: the name of the author of the commit"},
      {kStore,
       "RELATIVE",
       "",
       "boolean",
       "NO",
       {},
       "FORMAT=KERCHUNK: whether files are named relative to the folder of the references"},
      {kStore,
       "VIRTUAL",
       "",
       "boolean",
       "NO",
       {},
       "FORMAT=ICECHUNK: whether a copy consists of references to the blocks of its source"},
      {kStore,
       "CREATE_CONSOLIDATED_METADATA",
       "CREATE_ZMETADATA",
       "boolean",
       "YES",
       {},
       "Whether to write consolidated metadata"},
      {kStore,
       "SYNC",
       "",
       "boolean",
       "NO",
       {},
       "Whether each value is flushed to the disk before it replaces the old one (local folders)"},
      {kStore,
       "REFRESH_OVERVIEWS",
       "",
       "boolean",
       nullptr,
       {},
       "Whether stale parts of overviews are computed again at the close. By default the configuration option "
       "ZARR_REFRESH_OVERVIEWS, or NO"},
      {kClassic, "ARRAY_NAME", "", "string", nullptr, {}, "Name of the array, by default that of the store; not in v1"},
      {kClassic, "APPEND_SUBDATASET", "", "boolean", "NO", {}, "Whether to add the array to an existing store"},
      {kClassic,
       "SINGLE_ARRAY",
       "",
       "boolean",
       "YES",
       {},
       "Whether bands make one array of three dimensions, or one array each"},
      {kClassic,
       "INTERLEAVE",
       "",
       "string-select",
       "BAND",
       {"BAND", "PIXEL"},
       "Order of dimensions of a single array: Band, Y, X or Y, X, Band"},
      {kClassic,
       "CONVERT_TO_KERCHUNK_PARQUET_REFERENCE",
       "",
       "boolean",
       "NO",
       {},
       "Not supported; declared so that it is refused with a reason"},
  };
}

std::vector<Row> MakeFilterRows() {
  return {
      {kArray,
       "COMPRESS",
       "",
       "string-select",
       nullptr,
       {"NONE", "BLOSC", "ZLIB", "GZIP", "LZMA", "ZSTD", "LZ4", "BZ2", "ZFP"},
       "Compression. By default BLOSC with zstd and shuffled bits; for integers of ZARR_V2 with PREDICTOR=2"},
      {kArray,
       "PREDICTOR",
       "",
       "string-select",
       "1",
       {"1", "2", "3"},
       "Filter before the compression. 2: differences of neighbours (integers), 3: for floating-point numbers"},
      {kArray,
       "FILTER",
       "",
       "string-select",
       "NONE",
       {"NONE", "DELTA", "SHUFFLE", "BITROUND"},
       "Filter before the compression"},
      {kArray, "DELTA_DTYPE", "", "string", nullptr, {}, "FILTER=DELTA: type of the differences, such as <i4"},
      {kArray, "BITROUND_KEEPBITS", "", "int", "10", {}, "FILTER=BITROUND: bits of the mantissa to keep", 0, 52},
      {kArray,
       "CODECS",
       "",
       "string",
       nullptr,
       {},
       "All codecs as a JSON list, in place of the options above: of v3 {\"name\": ..., \"configuration\": {...}}, or "
       "of v2 {\"id\": ...}"},
  };
}

std::vector<Row> MakeGridRows() {
  return {
      {kArray,
       "BLOCKSIZE",
       "",
       "string",
       nullptr,
       {},
       "Lengths of a chunk (of a shard, with SHARD_CHUNK_SHAPE; of an inner chunk, with SHARD_SHAPE) along each "
       "dimension. By default 512 along the last two, 1 along others"},
      {kArray,
       "SHARD_CHUNK_SHAPE",
       "",
       "string",
       nullptr,
       {},
       "Lengths of an inner chunk: chunks of BLOCKSIZE are then shards (ZARR_V3)"},
      {kArray,
       "SHARD_SHAPE",
       "",
       "string",
       nullptr,
       {},
       "Lengths of a shard: chunks of BLOCKSIZE are then inner chunks (ZARR_V3)"},
      {kArray,
       "CHUNK_EDGES",
       "",
       "string",
       nullptr,
       {},
       "Rectilinear grid (ZARR_V3): edges of chunks along named dimensions, such as time:31,28,31;Y:[[512,7],300] or "
       "time:MONTHS, the calendar months of its coordinates. SOURCE: the chunks of the source of a copy (uneven ones "
       "in ZARR_V3), or its blocks"},
      {kArray, "CHUNK_MEMORY_LAYOUT", "", "string-select", "C", {"C", "F"}, "Order of elements within chunks"},
      {kArray,
       "STRING_FORMAT",
       "",
       "string-select",
       "STRING",
       {"STRING", "ASCII", "UNICODE", "BYTES"},
       "Strings of a maximum length: bytes (STRING or ASCII) or UTF-32 (ZARR_V2). BYTES: bytes of any length, where "
       "0xFF00 stands for bytes that are not text"},
      {kArray,
       "DIM_SEPARATOR",
       "",
       "string",
       nullptr,
       {},
       "Separator of chunk keys: . or /. By default . in ZARR_V2 and / in ZARR_V3"},
  };
}

std::vector<Row> MakeCompressorRows() {
  return {
      {kArray,
       "BLOSC_CNAME",
       "",
       "string-select",
       nullptr,
       {"blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"},
       "COMPRESS=BLOSC: its compressor, lz4 by default; zstd if COMPRESS was not given either"},
      {kArray, "BLOSC_CLEVEL", "", "int", "5", {}, "COMPRESS=BLOSC: level", 0, 9},
      {kArray,
       "BLOSC_SHUFFLE",
       "",
       "string-select",
       "BYTE",
       {"NONE", "BYTE", "BIT"},
       "COMPRESS=BLOSC: shuffling; 0, 1 and 2 are other names"},
      {kArray, "BLOSC_BLOCKSIZE", "", "int", "0", {}, "COMPRESS=BLOSC: size of a block, 0 for automatic", 0, 1 << 30},
      {kArray,
       "BLOSC_NUM_THREADS",
       "",
       "string",
       "1",
       {},
       "Accepted for compatibility: chunks are compressed in parallel anyway"},
      {kArray, "ZLIB_LEVEL", "", "int", "6", {}, "COMPRESS=ZLIB: level", 1, 9},
      {kArray, "GZIP_LEVEL", "", "int", "6", {}, "COMPRESS=GZIP: level", 1, 9},
      {kArray, "BZ2_LEVEL", "", "int", "9", {}, "COMPRESS=BZ2: level", 1, 9},
      {kArray, "LZMA_PRESET", "", "int", "6", {}, "COMPRESS=LZMA: level", 0, 9},
      {kArray, "LZMA_DELTA", "", "int", "1", {}, "COMPRESS=LZMA: distance in bytes of the delta filter", 1, 256},
      {kArray, "ZSTD_LEVEL", "", "int", "10", {}, "COMPRESS=ZSTD: level; 0 stands for 3", 0, 22},
      {kArray, "ZSTD_CHECKSUM", "", "boolean", "NO", {}, "COMPRESS=ZSTD: whether to add a checksum"},
      {kArray,
       "LZ4_ACCELERATION",
       "",
       "int",
       "1",
       {},
       "COMPRESS=LZ4: higher values are faster and compress less",
       1,
       65537},
      {kArray, "ZFP_TOLERANCE", "", "string", nullptr, {}, "COMPRESS=ZFP: greatest error allowed; lossless without it"},
  };
}

std::vector<Row> MakeOtherArrayRows() {
  return {
      {kArray,
       "GEOREFERENCING_CONVENTION",
       "",
       "string",
       "GDAL,CF",
       {},
       "Conventions for the CRS and the geotransform: a comma-separated list of GDAL, CF and SPATIAL_PROJ"},
      {kArray,
       "STORE_EMPTY_CHUNKS",
       "",
       "boolean",
       "NO",
       {},
       "Whether to write chunks that hold nothing but the fill value"},
      {kArray,
       "PARTIAL_WRITES",
       "",
       "string-select",
       "MERGE",
       {"MERGE", "ERROR"},
       "Whether a chunk or shard that is written in part is merged with the stored one, or is an error"},
  };
}

std::span<const Row> GetRows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all = MakeStoreRows();
    for (const auto make : {&MakeFilterRows, &MakeGridRows, &MakeCompressorRows, &MakeOtherArrayRows}) {
      for (Row& row : make()) all.push_back(std::move(row));
    }
    return all;
  }();
  return rows;
}

const Row* FindRow(std::string_view name) {
  return FindOptionRow(GetRows(), name);
}

const Row& FindKnownRow(std::string_view name) {
  return *FindRow(name);
}

/// Returns the value in its normal form. Throws if the option does not allow it.
std::string GetCheckedValue(const Row& row, std::string_view value) {
  const std::string_view type(row.type);
  if (type == "boolean") {
    const std::optional<bool> parsed = ParseBoolean(value);
    if (!parsed) FailOption(row.name, "YES or NO", value);
    return *parsed ? "YES" : "NO";
  }
  if (type == "int") {
    const std::optional<std::int64_t> parsed = zarr::ParseNumber<std::int64_t>(value);
    if (!parsed || *parsed < row.low || *parsed > row.high) {
      FailOption(row.name, "an integer " + std::to_string(row.low) + " to " + std::to_string(row.high), value);
    }
    return std::string(value);
  }
  if (row.values.empty()) return std::string(value);
  for (const char* choice : row.values) {
    if (IsEqualIgnoringCase(value, choice)) return choice;
  }
  // As the built-in driver's aliases.
  if (row.name == std::string_view("BLOSC_SHUFFLE") && value.size() == 1 && value[0] >= '0' && value[0] <= '2')
    return row.values[static_cast<std::size_t>(value[0] - '0')];
  if (row.name == std::string_view("COMPRESS") && IsCompressorOfProgram(value)) return std::string(value);
  FailOption(row.name, "one of " + JoinValues(row, ", "), value);
}

std::string MakeLimits(const Row& row) {
  std::string limits;
  if (row.low != INT64_MIN) limits += " min='" + std::to_string(row.low) + "'";
  if (row.high != INT64_MAX) limits += " max='" + std::to_string(row.high) + "'";
  return limits;
}

}  // namespace

void FailOption(std::string_view name, std::string_view expected, std::string_view got) {
  throw zarr::Error(
      zarr::ErrorKind::kInvalidArgument,
      "creation option " + std::string(name) + ": " + zarr::FormatExpectedGot(std::string(expected), std::string(got)));
}

std::string MakeCreationOptionListXml(CreationScope scope) {
  const char* element = scope == CreationScope::kArray   ? "MultiDimArrayCreationOptionList"
                        : scope == CreationScope::kStore ? "MultiDimDatasetCreationOptionList"
                                                         : "CreationOptionList";
  const bool all = scope == CreationScope::kClassic;
  std::string xml = "<" + std::string(element) + ">";
  for (const Row& row : GetRows()) {
    if (all || row.scope == static_cast<unsigned>(scope)) xml += MakeOptionXml(row, MakeLimits(row));
  }
  return xml + "</" + element + ">";
}

CreationOptions::CreationOptions(CSLConstList options) {
  for (CSLConstList item = options; item && *item; ++item) {
    const std::string_view text(*item);
    const std::size_t equal = text.find('=');
    if (equal == std::string_view::npos) continue;
    const Row* row = FindRow(text.substr(0, equal));
    if (row) values_.SetNameValue(row->name, GetCheckedValue(*row, text.substr(equal + 1)).c_str());
  }
}

bool CreationOptions::Has(std::string_view name) const {
  return values_.FetchNameValue(std::string(name).c_str()) != nullptr;
}

std::string CreationOptions::GetText(std::string_view name) const {
  const Row& row = FindKnownRow(name);
  if (const char* value = values_.FetchNameValue(row.name)) return value;
  return row.default_value ? row.default_value : "";
}

bool CreationOptions::GetBoolean(std::string_view name) const {
  return ParseBoolean(GetText(name)).value_or(false);
}

std::int64_t CreationOptions::GetInteger(std::string_view name) const {
  return zarr::ParseNumber<std::int64_t>(GetText(name)).value_or(0);
}

std::optional<std::vector<std::uint64_t>> CreationOptions::GetSizes(std::string_view name) const {
  if (!Has(name)) return std::nullopt;
  const std::string text = GetText(name);
  const CPLStringList items(CSLTokenizeString2(text.c_str(), ",", CSLT_ALLOWEMPTYTOKENS | CSLT_STRIPLEADSPACES));
  std::vector<std::uint64_t> sizes;
  for (int i = 0; i < items.size(); ++i) {
    const auto size = zarr::ParseNumber<std::int64_t>(items[i]);
    if (!size || *size < 1) FailOption(name, "a comma-separated list of positive integers", text);
    sizes.push_back(static_cast<std::uint64_t>(*size));
  }
  return sizes;
}

zarr::ZarrFormat CreationOptions::format() const {
  const std::string name = GetFormat();
  if (name == kKerchunkFormat) FailOption("FORMAT", "ZARR_V2, ZARR_V3 or ZARR_V1 of a store that is not a copy", name);
  if (GetBoolean("VIRTUAL")) FailOption("VIRTUAL", "NO, except for a copy with FORMAT=ICECHUNK", "YES");
  if (name == "ZARR_V1") return zarr::ZarrFormat::kV1;
  return name == "ZARR_V2" ? zarr::ZarrFormat::kV2 : zarr::ZarrFormat::kV3;
}

std::string CreationOptions::GetFormat() const {
  std::string name = GetText("FORMAT");
  if (!name.empty()) return name;
  return GetCheckedValue(FindKnownRow("FORMAT"), CPLGetConfigOption("ZARR_DEFAULT_FORMAT", GetDefaultFormat()));
}

bool CreationOptions::is_icechunk() const {
  return GetFormat() == kIcechunkFormat;
}

bool CreationOptions::refreshes_overviews() const {
  if (Has("REFRESH_OVERVIEWS")) return GetBoolean("REFRESH_OVERVIEWS");
  const char* setting = CPLGetConfigOption(kRefreshOverviews, "NO");
  return ParseBoolean(GetCheckedValue(FindKnownRow("REFRESH_OVERVIEWS"), setting)).value_or(false);
}

CommitNote CreationOptions::commit() const {
  return {GetText("COMMIT_MESSAGE"), GetText("COMMIT_AUTHOR")};
}

WriterPool::Policy GetWritePolicy(const CreationOptions& options) {
  return {options.GetBoolean("STORE_EMPTY_CHUNKS"), IsEqualIgnoringCase(options.GetText("PARTIAL_WRITES"), "ERROR")};
}

}  // namespace gdal_zarr
