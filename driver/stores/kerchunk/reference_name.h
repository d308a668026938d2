#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// What names a store of kerchunk references, and which part of it.
struct ReferenceName {
  std::string file;    ///< Of JSON.
  std::string prefix;  ///< Of the keys that make up the store: "" or ending in "/".
};

/// Of names as GDAL's built-in driver has them, though there is no such file system here:
///
///     /vsikerchunk_json_ref/{<file>}[/<prefix>]          also /vsikerchunk_json_ref_cached/
///     /vsikerchunk_json_ref/<name>.json[/<prefix>]
///
/// Nothing for other names. Throws Error(unsupported) for references in Parquet, Error(invalid_argument) for a brace
/// that is not closed.
std::optional<ReferenceName> ParseReferenceName(std::string_view path);
/// The name of the first form, without a prefix.
std::string MakeReferenceName(std::string_view file);
/// Whether a name begins as that of one of the built-in driver's kerchunk file systems.
bool HasReferencePrefix(std::string_view path);

/// Whether a path is to be read as references: by its name, or because it is a file, which is only looked at where that
/// takes no request.
bool NamesReferences(const std::string& path);

/// What the first bytes of a file tell.
enum class ReferenceHeader {
  kNo,
  kYes,
  kNeedsMore,  ///< It starts as references do, but what was seen ends before there is proof.
};

/// References have metadata documents of Zarr among their keys, or keys of chunks that stand for a URL and two
/// integers.
ReferenceHeader LookAtHeader(std::string_view header);

}  // namespace gdal_zarr
