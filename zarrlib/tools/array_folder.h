// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// The content of an array's folder in a local store: documents and chunks, which belong to the array, and unrelated
/// files.
class ArrayFolder {
 public:
  ArrayFolder(const Store& store, const ArrayMetadata& metadata);

  /// Returns true if a name, relative to the array's folder, is the name of a document or of a chunk, inside or outside
  /// the grid.
  bool IsOwn(std::string_view name) const;
  /// Throws Error(unsupported) if the folder at `path` cannot be replaced by another one because it contains other
  /// nodes, or links to folders, whose chunks would be left behind.
  void CheckReplaceable(const std::string& path) const;
  /// Copies the entries of the folder `from` that do not belong to the array to the folder `to`, except files whose
  /// names exist there. If the file system has hard links, links files instead.
  void CopyOthers(const std::string& from, const std::string& to) const;

 private:
  std::vector<std::string> FindOthers(const std::string& path) const;

  std::string root_;
  ChunkKeyEncoding encoding_;
  std::size_t rank_;
  std::vector<std::string> documents_;
};

}  // namespace zarr::tools
