// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// The name of a store in kerchunk references, or of a part of it.
struct ReferenceName {
  std::string file;    ///< The JSON file, or the folder of references in Parquet.
  std::string prefix;  ///< The store's keys have this prefix in the file: empty or ending in "/".
  bool is_parquet = false;
};

/// Parses names in the form that GDAL's built-in driver introduced (this driver does not register such a file system):
///
///     /vsikerchunk_json_ref/{<file>}[/<prefix>]          also /vsikerchunk_json_ref_cached/
///     /vsikerchunk_json_ref/<name>.json[/<prefix>]
///     /vsikerchunk_parquet_ref/{<folder>}[/<prefix>]
///
/// Returns nullopt for other names. Throws Error(invalid_argument) if a brace is not closed.
std::optional<ReferenceName> ParseReferenceName(std::string_view path);
/// Returns a name of the first form, without a prefix.
std::string MakeReferenceName(std::string_view file);
/// Returns a name of the last form, without a prefix.
std::string MakeParquetReferenceName(std::string_view folder);
/// Returns the document of a folder with references in Parquet, or nullopt for another folder. Throws Error(io).
std::optional<std::string> ReadParquetDocument(const zarr::Store& folder);
/// Returns true if opening a store as a folder failed because it has references in Parquet.
bool ShowsParquetReferences(const zarr::Error& error);
/// Returns true if a path begins with the prefix of the built-in driver's file systems for kerchunk references.
bool HasReferencePrefix(std::string_view path);

/// Returns true if a path refers to references: by its name, or because it is a file of references. The file is only
/// read if it is local.
bool NamesReferences(const std::string& path);

/// Whether the first bytes of a file are kerchunk references.
enum class ReferenceHeader {
  kNo,
  kYes,
  kNeedsMore,  ///< They may be references, but more bytes are needed.
};

/// Recognizes references by a key that is the name of a metadata document, or by a chunk key whose value is a URL with
/// two integers.
ReferenceHeader LookAtHeader(std::string_view header);

}  // namespace gdal_zarr
