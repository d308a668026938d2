// SPDX-License-Identifier: MIT
#include "driver/gdal/dataset_name.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/gdal/selection.h"
#include "driver/gdal/text.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kPrefix = "ZARR:";
/// True on Windows, where local paths may begin with a drive, such as C:, and have "\" between folders.
constexpr bool kHasDrives = std::filesystem::path::preferred_separator == '\\';

[[noreturn]] void FailInDatasetName(std::string_view name, std::string message) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, std::string(name) + ": " + std::move(message));
}

struct Scheme {
  std::string_view prefix;
  std::string_view gdal;  ///< The prefix of such names in GDAL, which replaces the scheme.
};

constexpr Scheme kSchemes[] = {{"s3://", "/vsis3/"},      {"gs://", "/vsigs/"},     {"gcs://", "/vsigs/"},
                               {"az://", "/vsiaz/"},      {"abfs://", "/vsiadls/"}, {"oss://", "/vsioss/"},
                               {"swift://", "/vsiswift/"}};

/// Consumes a quoted string at the front of `rest`.
std::string TakeQuotedPath(std::string_view name, std::string_view* rest) {
  auto text = TakeQuoted(rest);
  if (!text) FailInDatasetName(name, "a quote is not closed");
  return std::move(*text);
}

/// Returns the quoted form of `text`, which TakeQuoted turns back into `text`.
std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '"';
    const bool looks_escaped = text[i] == '\\' && (next == '"' || next == '\\');
    if (text[i] == '"' || looks_escaped) quoted += '\\';
    quoted += text[i];
  }
  return quoted + '"';
}

bool BeginsWithDrive(std::string_view path) {
  return path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 && path[1] == ':' &&
         (path[2] == '/' || path[2] == '\\');
}

/// Consumes an unquoted path. It ends at a colon followed by a single slash, so not within "http://host:80/a.zarr", and
/// not after a drive.
std::string TakeUnquoted(std::string_view* rest) {
  std::size_t end = kHasDrives && BeginsWithDrive(*rest) ? 2 : 0;
  for (; end < rest->size(); ++end) {
    if ((*rest)[end] == ':' && end + 1 < rest->size() && (*rest)[end + 1] == '/' &&
        (end + 2 == rest->size() || (*rest)[end + 2] != '/')) {
      break;
    }
  }
  std::string text(rest->substr(0, end));
  rest->remove_prefix(end);
  return text;
}

/// Removes each ":<index>" from the end of `rest`.
std::vector<std::uint64_t> TakeIndices(std::string_view* rest) {
  std::vector<std::uint64_t> indices;
  for (;;) {
    const std::size_t colon = rest->rfind(':');
    if (colon == std::string_view::npos || colon == 0) break;
    const auto index = zarr::ParseNumber<std::uint64_t>(rest->substr(colon + 1));
    if (!index) break;
    indices.push_back(*index);
    *rest = rest->substr(0, colon);
  }
  std::reverse(indices.begin(), indices.end());
  return indices;
}

std::string_view TrimSlashes(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

/// Removes the selection from the end of `rest`, with the colon before it. An array in quotes may have any name.
std::string TakeSelection(std::string_view name, std::string_view* rest) {
  std::string_view behind = rest->substr(1);
  if (behind.starts_with('"')) TakeQuotedPath(name, &behind);
  const std::size_t colon = FindSelection(behind);
  if (colon == std::string_view::npos) return "";
  std::string selection(behind.substr(colon + 1));
  rest->remove_suffix(selection.size() + 1);
  return selection;
}

/// Rejects text that looks like an index or a selection but is not one. An array with such a name must be quoted.
void CheckEnd(std::string_view name, std::string_view array) {
  const std::size_t colon = array.rfind(':');
  if (colon == std::string_view::npos) return;
  const std::string_view end = array.substr(colon + 1);
  const bool is_number = !end.empty() && end.find_first_not_of("+-.0123456789") == std::string_view::npos;
  if (!is_number && !end.starts_with('=')) return;
  FailInDatasetName(name, zarr::FormatExpectedGot("an index that counts from 0, or <dimension>=<value>",
                                                  "\"" + std::string(end) + "\"") +
                              "; the name of an array that ends so stands in quotes");
}

/// Parses the text after the store's path: ":<array>[:<index>...][:<selection>]".
void ParseArray(std::string_view name, std::string_view rest, DatasetName* result) {
  if (rest.empty()) return;
  if (rest.front() != ':') FailInDatasetName(name, "expected ':' and an array behind the store's path");
  const bool is_quoted = rest.substr(1).starts_with('"');
  const std::string_view with_selection = rest.substr(1);
  result->selection = TakeSelection(name, &rest);
  if (!result->selection.empty() && !is_quoted) result->array_with_selection = TrimSlashes(with_selection);
  const std::string_view with_indices = rest.substr(1);
  result->indices = TakeIndices(&rest);
  if (!result->indices.empty() && !is_quoted) result->array_with_indices = TrimSlashes(with_indices);
  rest.remove_prefix(1);
  if (!is_quoted) CheckEnd(name, rest);
  std::string array = is_quoted ? TakeQuotedPath(name, &rest) : std::string(std::exchange(rest, {}));
  if (!rest.empty()) FailInDatasetName(name, "unexpected '" + std::string(rest) + "' behind the array's path");
  result->array = std::string(TrimSlashes(array));
  if (!result->array->empty() && !zarr::IsKey(*result->array)) {
    FailInDatasetName(
        name, zarr::FormatExpectedGot("names with \"/\" between them after the store's path", "\"" + array + "\""));
  }
}

void RemoveTrailingSlashes(std::string* path) {
  while (path->size() > 1 && path->back() == '/') path->pop_back();
}

/// What is at a path. Remote paths are not checked: their names decide.
enum class AtPath { kFolder, kZipArchive, kRepoInfo, kOtherFile, kUnknown };

AtPath LookAt(const std::string& path) {
  const bool is_wrapped = path.starts_with("/vsi") && path.find("/vsi", 1) != path.npos;
  if (is_wrapped || (path.starts_with("/vsi") && !VSIIsLocal(path.c_str()))) return AtPath::kUnknown;
  const ErrorCollector quiet;
  VSIStatBufL status;
  if (VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) != 0) return AtPath::kUnknown;
  if (VSI_ISDIR(status.st_mode)) return AtPath::kFolder;
  if (!VSI_ISREG(status.st_mode)) return AtPath::kUnknown;
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(path.c_str(), "rb"), VSIFCloseL);
  std::string start(zarr::kIcechunkMagic.size(), 0);
  start.resize(file ? VSIFReadL(start.data(), 1, start.size(), file.get()) : 0);
  if (start.starts_with("PK")) return AtPath::kZipArchive;
  if (start == zarr::kIcechunkMagic) return AtPath::kRepoInfo;
  return start.size() > 1 && start[0] == '{' ? AtPath::kOtherFile : AtPath::kUnknown;
}

/// Returns the folder of a document that a path ends in.
std::string GetFolderOf(std::string path, std::string_view document) {
  path.resize(path.size() - document.size());
  RemoveTrailingSlashes(&path);
  return path.empty() ? "." : path;
}

}  // namespace

/// For a metadata document, this is its folder, for a ZIP file the store inside it. The file type decides, or the name
/// if the type is not known.
std::string GetStoreName(std::string path) {
  if (NamesRepository(path)) return path;
  RemoveTrailingSlashes(&path);
  const AtPath at_path = path.starts_with("/vsizip/") ? AtPath::kUnknown : LookAt(path);
  if (at_path == AtPath::kFolder) return path;
  if (const auto parts = SplitSelectors(path)) {
    return AddSelectors(GetStoreName(parts->path), parts->selectors);
  }
  if (at_path == AtPath::kRepoInfo && EndsWithDocument("/" + path, zarr::kIcechunkRepoInfo)) {
    return MakeRepositoryName(GetFolderOf(path, zarr::kIcechunkRepoInfo), "");
  }
  if (at_path == AtPath::kZipArchive) {
    return "/vsizip/" + (EndsWithIgnoringCase(path, ".zip") ? path : "{" + path + "}");
  }
  std::string_view document = FindMetadataDocument(path);
  if (document.empty() && EndsWithDocument(path, zarr::kV1Array)) document = zarr::kV1Array;
  if (!document.empty()) path = GetFolderOf(path, document);
  if (!EndsWithIgnoringCase(path, ".zip") || path.starts_with("/vsizip/")) return path;
  const AtPath at_store = document.empty() ? at_path : LookAt(path);
  if (at_store != AtPath::kFolder && at_store != AtPath::kOtherFile) path.insert(0, "/vsizip/");
  return path;
}

std::string WithSlashes(std::string path) {
  const auto is_local = [&] { return !path.starts_with("/vsi") || VSIIsLocal(path.c_str()); };
  if (kHasDrives && is_local()) std::ranges::replace(path, '\\', '/');
  return path;
}

std::string FindNameOfUrl(const std::string& text) {
  if (text.starts_with("http://") || text.starts_with("https://")) return "/vsicurl/" + text;
  for (const Scheme& scheme : kSchemes) {
    if (text.starts_with(scheme.prefix)) return std::string(scheme.gdal) + text.substr(scheme.prefix.size());
  }
  return "";
}

bool HasZarrPrefix(std::string_view name) {
  return StartsWithIgnoringCase(name, kPrefix);
}

DatasetName ParseDatasetName(std::string_view name) {
  DatasetName result;
  std::string path;
  std::string_view rest;
  const bool is_repository = HasIcechunkPrefix(name);
  if (HasZarrPrefix(name) || is_repository) {
    rest = name.substr(name.find(':') + 1);
    path = rest.starts_with('"') ? TakeQuotedPath(name, &rest) : TakeUnquoted(&rest);
    ParseArray(name, rest, &result);
  } else {
    path = name;
  }
  if (path.empty()) FailInDatasetName(name, "expected the path of a Zarr store, as in ZARR:\"/folder/name.zarr\"");
  path = WithSlashes(std::move(path));
  const std::string of_url = FindNameOfUrl(path);
  if (!of_url.empty())
    FailInDatasetName(name, "GDAL reads a URL under a name of its own: ZARR:\"" + of_url + "\"" + std::string(rest));
  result.store = GetStoreName(std::move(path));
  if (is_repository && !NamesRepository(result.store)) result.store = MakeRepositoryName(result.store, "");
  return result;
}

std::optional<NameParts> SplitDatasetName(std::string_view name) {
  if (!HasZarrPrefix(name)) return std::nullopt;
  try {
    ParseDatasetName(name);
    std::string_view rest = name.substr(kPrefix.size());
    const std::string_view whole = rest;
    rest.starts_with('"') ? TakeQuotedPath(name, &rest) : TakeUnquoted(&rest);
    NameParts parts;
    parts.prefix = kPrefix.substr(0, kPrefix.size() - 1);
    parts.store = whole.substr(0, whole.size() - rest.size());
    if (!rest.empty()) parts.array = rest.substr(1);
    return parts;
  } catch (const zarr::Error&) {
    return std::nullopt;
  }
}

std::string MakeArrayDatasetName(std::string_view store, std::string_view array) {
  std::string path = (array.starts_with('/') ? "" : "/") + std::string(array);
  // The part after a colon in an unquoted path could be parsed as an index or a selection.
  if (path.find(':') != std::string::npos) path = Quote(path);
  return "ZARR:" + Quote(store) + ":" + path;
}

bool EndsWithDocument(std::string_view path, std::string_view document) {
  return path.ends_with(document) && path.substr(0, path.size() - document.size()).ends_with('/');
}

std::string_view FindMetadataDocument(std::string_view path) {
  for (const std::string_view document : zarr::kOwnRootDocuments) {
    if (path == document || EndsWithDocument(path, document)) return document;
  }
  return {};
}

std::string GetBaseName(std::string_view path) {
  path = GetRepositoryPath(path);
  if (const std::size_t query = path.find('?'); query != std::string_view::npos && path.find("://") < query) {
    path = path.substr(0, query);
  }
  while (path.ends_with('/')) path.remove_suffix(1);
  path.remove_prefix(std::min(path.rfind('/') + 1, path.size()));  // npos + 1 is 0
  if (EndsWithIgnoringCase(path, ".zarr.zip")) path.remove_suffix(std::string_view(".zip").size());
  const std::size_t dot = path.rfind('.');
  if (dot != std::string_view::npos && dot > 0) path = path.substr(0, dot);
  return path.empty() || path == "." ? "array" : std::string(path);
}

}  // namespace gdal_zarr
