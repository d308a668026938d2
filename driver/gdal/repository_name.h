// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/store/icechunk/repository.h"

namespace gdal_zarr {

/// A repository of Icechunk, and which of its snapshots a name selects.
struct RepositoryName {
  std::string path;  ///< Its folder.
  zarr::RepositoryVersion version;
  /// Whether files of virtual chunks may have changed since the references to them were made.
  bool ignore_timestamp_etag = false;
};

/// Names of repositories have one of these forms, of which the last one is that of stores:
///
///     <path>?<selectors>
///     ICECHUNK:<path>[?<selectors>]
///     /vsiicechunk/{<path>[?<selectors>]}
///
/// Selectors, with "&" between them, are branch=<name>, tag=<name>, snapshot=<ID>, as-of=<ISO 8601 time> and
/// ignore-timestamp-etag=yes. In names, "%26" stands for "&", and so on. The query of a URL may have other items, which
/// are part of the path.
///
/// Returns true if a name begins with "ICECHUNK:".
bool HasIcechunkPrefix(std::string_view name);
/// Returns true if a name begins with "/vsiicechunk/".
bool NamesRepository(std::string_view store);

/// A path, and the selectors after it.
struct PathAndSelectors {
  std::string path;
  std::string selectors;
};
/// Returns nullopt if a path does not end in selectors.
std::optional<PathAndSelectors> SplitSelectors(std::string_view path);

/// Makes a name of the last form.
std::string MakeRepositoryName(std::string_view path, std::string_view selectors);
/// Adds selectors to a name of the last form, or makes one of a path.
std::string AddSelectors(std::string_view store, std::string_view selectors);
/// Makes a selector; `name` is one of those above.
std::string MakeSelector(std::string_view name, std::string_view value);

/// Parses a name of the last form. Throws zarr::Error(invalid_argument), also if it has several selectors where only
/// one is possible.
RepositoryName ParseRepositoryName(std::string_view store);
/// Returns the path of the repository in a name of the last form, and other names unchanged.
std::string_view GetRepositoryPath(std::string_view store);

}  // namespace gdal_zarr
