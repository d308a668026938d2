// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/create/references/reference_sink.h"
#include "driver/stores/commit_note.h"

namespace gdal_zarr {

/// Where references are written, and how.
struct ReferencePlace {
  std::string path;
  bool is_relative = false;               ///< As for JsonReferences.
  std::optional<CommitNote> commit = {};  ///< Of a repository of Icechunk.
};

/// Makes the sink for references: a repository, or Parquet if the name ends in .parq or .parquet, otherwise JSON.
/// Throws zarr::Error: invalid_argument for relative references in another format than JSON, and for a repository in
/// place of another one; io.
std::unique_ptr<ReferenceSink> MakeReferenceSink(const ReferencePlace& place);

}  // namespace gdal_zarr
