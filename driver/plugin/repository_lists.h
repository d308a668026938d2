// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace gdal_zarr {

/// The following functions make what the commands `gdal driver zarr list-branches` and so on print, in JSON. Branches
/// and tags are listed as GDAL 3.14's `gdal driver icechunk` lists them:
///
///     [{"name": "main", "commit_message": "...", "timestamp": "2026-05-01T12:00:00.123Z"}]
///
/// `name` is that of a dataset in a repository (DatasetName); it may select a snapshot. They throw
/// zarr::Error(not_found) if there is no repository, and the errors of ParseDatasetName and zarr::Repository.

/// A branch whose snapshot cannot be read is listed without the commit, with a warning. So is a tag.
std::string ListBranchesAsJson(const std::string& name);
std::string ListTagsAsJson(const std::string& name);

/// Which snapshots are listed: that of a branch or a tag, by default the one that the name of the repository selects,
/// and those before it.
struct SnapshotRange {
  std::string branch;
  std::string tag;
  std::size_t most;
};

/// Lists snapshots, the last one first, with "id" and "author" (if it is known) in place of "name".
std::string ListSnapshotsAsJson(const std::string& name, const SnapshotRange& range);

}  // namespace gdal_zarr
