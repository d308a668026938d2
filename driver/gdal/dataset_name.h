// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdal_zarr {

/// The parts of a dataset's name, which has one of these forms:
///
///     ZARR:"<store>"[:<array>[:<index>...][:<selection>]]     the quotes are optional
///     <store>
///     <store>/zarr.json, <store>/.zarray, ...   a metadata document stands for its folder
///     <store>.zarr.zip                          read through /vsizip/
///     <repository>?branch=<name>                and the other names of repository_name.h
///     <repository>/repo                         a local repo info file of Icechunk stands for its folder
///
/// On a local disk, the file type decides: a folder is a store, whatever its extension, and a ZIP file is an archive.
struct DatasetName {
  std::string store;                   ///< The path for GDAL's file functions, without a trailing "/".
  std::optional<std::string> array;    ///< The array's path in the store, "" for the store's root.
  std::vector<std::uint64_t> indices;  ///< The indices along the dimensions other than X and Y.
  /// The text of the selectors, such as "time=2024-07-01T12:00,level=850", which ParseSelection parses; "" if there are
  /// none.
  std::string selection;
  /// The array's path if all indices were part of its name; "" if there are none, or if quotes mark where the name
  /// ends.
  std::string array_with_indices;
  /// The array's path if the indices and the selection were part of its name; "" as above.
  std::string array_with_selection;
};

/// Returns GDAL's name for a URL, such as /vsis3/bucket/a.zarr for s3://bucket/a.zarr; "" if `text` is not a URL.
std::string FindNameOfUrl(const std::string& text);

/// Returns a path with "/" between its folders: on Windows, a local one may have "\" there.
std::string WithSlashes(std::string path);

/// Returns the store that a path leads to, as described above.
std::string GetStoreName(std::string path);

/// Returns true if a name starts with "ZARR:".
bool HasZarrPrefix(std::string_view name);

/// Throws zarr::Error(invalid_argument) if the name has none of the forms above, or is a URL without /vsicurl/.
DatasetName ParseDatasetName(std::string_view name);

/// The parts of a name that begins with "ZARR:", spelled as in the name.
struct NameParts {
  std::string prefix;
  std::string store;  ///< Includes its quotes, if any.
  std::string array;  ///< Includes its indices and selection, but not the colon before it; "" if there is none.
};

/// Splits a name. Returns nullopt if it does not begin with "ZARR:", or if ParseDatasetName rejects it.
std::optional<NameParts> SplitDatasetName(std::string_view name);

/// Makes the name of the dataset for one array. `array` is its path, with or without a leading "/".
std::string MakeArrayDatasetName(std::string_view store, std::string_view array);

/// Returns true if a path leads to a document of that name in a folder.
bool EndsWithDocument(std::string_view path, std::string_view document);

/// Returns the metadata document that the path ends in, if its name is specific to Zarr (so not `meta`); otherwise "".
std::string_view FindMetadataDocument(std::string_view path);

/// Returns the path's last component without its extension (or without .zarr.zip). This is the name of an array at a
/// store's root.
std::string GetBaseName(std::string_view path);

}  // namespace gdal_zarr
