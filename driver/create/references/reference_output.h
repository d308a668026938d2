// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/create/references/source_blocks.h"

namespace gdal_zarr {

/// The file or folder of new references. It has a temporary name in the same folder until it is complete; in a
/// remote store, where a file appears when it is complete, it has its own name from the start. The destructor removes
/// what is not complete.
class ReferenceOutput {
 public:
  explicit ReferenceOutput(std::string path);
  ~ReferenceOutput();
  ReferenceOutput(const ReferenceOutput&) = delete;
  ReferenceOutput& operator=(const ReferenceOutput&) = delete;

  /// The path to write to.
  const std::string& path() const { return written_; }
  /// Replaces what has the final name. Throws like FindWholeStore, and zarr::Error(io).
  void PutInPlace();

 private:
  std::string final_;
  std::string written_;
  bool is_done_ = false;
};

/// How references name the files of blocks.
class ReferenceUrls {
 public:
  /// If `references` is not "", it is the file of the references, and URLs are relative to its folder.
  explicit ReferenceUrls(const std::string& references);

  /// Throws zarr::Error(invalid_argument) for a file that cannot be named relative to the folder.
  const std::string& Get(const std::string& path);

 private:
  std::string folder_;  // of relative URLs: "" or ends in "/"
  std::string path_;    // of the last call
  std::string url_;
};

}  // namespace gdal_zarr
