// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/create/references/source_blocks.h"

namespace gdal_zarr {

/// The file or folder of new references. It has a temporary name in the same folder until it is complete. What goes to
/// a remote store, where nothing is renamed, is in the folder for temporary files until then, and is sent at the end.
/// The destructor removes what is not complete.
class ReferenceOutput {
 public:
  /// `last` is the file in a folder without which readers see no references; "" if the output is a file. Throws
  /// zarr::Error(read_only) for a remote store that takes no writes.
  explicit ReferenceOutput(std::string path, std::string last = "");
  ~ReferenceOutput();
  ReferenceOutput(const ReferenceOutput&) = delete;
  ReferenceOutput& operator=(const ReferenceOutput&) = delete;

  /// The path to write to.
  const std::string& path() const { return written_; }
  /// The name that users know.
  const std::string& final_path() const { return final_; }
  /// Replaces what has the final name: a file in one step. Throws like FindWholeStore, and zarr::Error(io).
  void PutInPlace();

 private:
  std::string final_;
  std::string last_;
  std::string written_;
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
