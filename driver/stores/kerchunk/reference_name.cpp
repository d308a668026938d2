// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_name.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <array>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/option_values.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"
#include "zarrlib/json/json_cursor.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kAnyPrefix = "/vsikerchunk_";
constexpr std::string_view kJsonPrefix = "/vsikerchunk_json_ref/";
constexpr std::string_view kCachedPrefix = "/vsikerchunk_json_ref_cached/";
constexpr std::string_view kParquetPrefix = "/vsikerchunk_parquet_ref/";

bool EndsIgnoringCase(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && IsEqualIgnoringCase(text.substr(text.size() - end.size()), end);
}

/// The span of the file's name at the front of `rest` (in braces, or up to ".json"), and the end including a closing
/// brace.
struct FileSpan {
  std::size_t begin;
  std::size_t end;
  std::size_t behind;
};

std::optional<FileSpan> FindFile(std::string_view rest) {
  if (!rest.starts_with('{')) {
    for (std::size_t at = rest.find(".json"); at != std::string_view::npos; at = rest.find(".json", at + 1)) {
      const std::size_t end = at + 5;
      if (end == rest.size() || rest[end] == '/') return FileSpan{0, end, end};
    }
    return FileSpan{0, rest.size(), rest.size()};
  }
  int open = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    open += rest[i] == '{' ? 1 : rest[i] == '}' ? -1 : 0;
    if (open == 0) return FileSpan{1, i, i + 1};
  }
  return std::nullopt;
}

bool IsMetadataKey(std::string_view key) {
  return !FindMetadataDocument(key).empty();
}

/// Returns true for keys such as "a/0.1", "0.1", "a/c/0/1".
bool IsChunkKey(std::string_view key) {
  if (key.find_first_of("/.") == std::string_view::npos) return false;
  key.remove_prefix(key.rfind('/') + 1);  // npos + 1 is 0
  return !key.empty() && key.front() != '.' && key.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// Returns true if a value is [url, offset, length].
bool IsPlace(std::string_view value) {
  const std::size_t first = value.find_first_not_of(" \t\r\n", 1);
  const std::size_t quote = value.rfind('"');
  if (value.empty() || value.front() != '[' || first == std::string_view::npos || value[first] != '"') return false;
  std::string_view rest = value.substr(quote + 1);
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) return false;
  const auto integers = zarr::ParsePlainIntegers("[" + std::string(rest.substr(comma + 1)));
  return integers && integers->size() == 2;
}

/// Scans an object of references, which may be truncated.
bool HoldsKeys(zarr::JsonCursor* cursor) {
  std::string_view key;
  cursor->EnterObject();
  while (cursor->ReadNextMember(&key)) {
    if (IsMetadataKey(key) || (IsChunkKey(key) && IsPlace(cursor->TakeValue()))) return true;
    if (!IsChunkKey(key)) cursor->TakeValue();
  }
  return false;
}

}  // namespace

bool HasReferencePrefix(std::string_view path) {
  return path.starts_with(kAnyPrefix);
}

std::optional<ReferenceName> ParseReferenceName(std::string_view path) {
  const bool is_parquet = path.starts_with(kParquetPrefix);
  std::string_view rest = path;
  for (const std::string_view prefix : {kJsonPrefix, kCachedPrefix, kParquetPrefix}) {
    if (path.starts_with(prefix)) rest.remove_prefix(prefix.size());
  }
  if (rest.size() == path.size()) return std::nullopt;
  const auto span = is_parquet && !rest.starts_with('{') ? std::nullopt : FindFile(rest);
  if (!span || span->begin == span->end || (span->behind < rest.size() && rest[span->behind] != '/')) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot(is_parquet ? "/vsikerchunk_parquet_ref/{<folder>}[/<path>]"
                                                         : "/vsikerchunk_json_ref/{<file>}[/<path>]",
                                              path));
  }
  ReferenceName name{std::string(rest.substr(span->begin, span->end - span->begin)), "", is_parquet};
  while (is_parquet && name.file.size() > 1 && name.file.ends_with('/')) name.file.pop_back();
  rest.remove_prefix(span->behind);
  rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (!rest.empty()) name.prefix = std::string(rest) + "/";
  return name;
}

std::string MakeReferenceName(std::string_view file) {
  return std::string(kJsonPrefix) + "{" + std::string(file) + "}";
}

std::string MakeParquetReferenceName(std::string_view folder) {
  return std::string(kParquetPrefix) + "{" + std::string(folder) + "}";
}

std::optional<std::string> ReadParquetDocument(const zarr::Store& folder) {
  auto text = folder.GetText(zarr::kV2Consolidated, zarr::GetLimit(zarr::Limit::kText));
  return text && zarr::IsOfParquetReferences(*text) ? std::move(text) : std::nullopt;
}

bool ShowsParquetReferences(const zarr::Error& error) {
  return error.kind() == zarr::ErrorKind::kUnsupported && error.key() == zarr::kV2Consolidated &&
         error.pointer() == "/record_size";
}

bool NamesReferences(const std::string& path) {
  if (HasReferencePrefix(path)) return true;
  if (path.starts_with("/vsi") && !VSIIsLocal(path.c_str())) {
    return EndsIgnoringCase(std::string_view(path).substr(0, path.find('?')), ".json");
  }
  const ErrorCollector quiet;
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         VSI_ISREG(status.st_mode);
}

ReferenceHeader LookAtHeader(std::string_view header) {
  zarr::JsonCursor cursor(header);
  std::string_view name;
  bool starts_well = false;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    if (IsMetadataKey(name)) return ReferenceHeader::kYes;
    if (name == "refs" && cursor.IsNextObject()) {
      starts_well = true;
      if (HoldsKeys(&cursor)) return ReferenceHeader::kYes;
      continue;
    }
    const std::string_view value = cursor.TakeValue();
    if (name == "version" && cursor.ok() && value != "1") return ReferenceHeader::kNo;
    if (IsChunkKey(name) && IsPlace(value)) return ReferenceHeader::kYes;
    starts_well = starts_well || name == "version" || name == "templates" || name == "gen";
  }
  return starts_well && !cursor.ok() ? ReferenceHeader::kNeedsMore : ReferenceHeader::kNo;
}

}  // namespace gdal_zarr
