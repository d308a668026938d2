// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "driver/dataset/open_options.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/warned_texts.h"
#include "zarrlib/store/icechunk/repository.h"

namespace gdal_zarr {

/// The object to open, and how to open it.
struct OpenRequest {
  DatasetName name;
  OpenOptions options;
  /// The group to open if the name does not specify an array; empty for the store's root.
  std::string group;
  /// Warnings about the store's metadata that the user has seen.
  std::shared_ptr<WarnedTexts> warned = std::make_shared<WarnedTexts>();
  /// A repository that was recognized by requests, which need not be repeated; otherwise null.
  std::shared_ptr<const zarr::Repository> repository = nullptr;
  /// The document of a folder of references in Parquet that was recognized by it, so that it is not requested again.
  std::optional<std::string> parquet_document = {};
  /// True to open a repository whose snapshot has no nodes, as the first one of each, as an empty group.
  bool may_be_empty = false;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

}  // namespace gdal_zarr
