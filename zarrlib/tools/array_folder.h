#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// What stands in the folder of an array of a local store: documents and chunks, which are the array's, and other
/// people's files.
class ArrayFolder {
 public:
  ArrayFolder(const Store& store, const ArrayMetadata& metadata);

  /// Whether a name, counted from the array's folder, is that of a document or a chunk, within the grid or not.
  bool IsOwn(std::string_view name) const;
  /// Throws Error(unsupported) if the folder at `path` cannot be replaced by another one: it holds other nodes, or
  /// links to folders, whose chunks would stay where they are.
  void CheckReplaceable(const std::string& path) const;
  /// Gives the folder `to` what is in the folder `from` and not the array's, unless it has a file of that name. Files
  /// are not copied where the file system can give them a second name.
  void CopyOthers(const std::string& from, const std::string& to) const;

 private:
  std::vector<std::string> FindOthers(const std::string& path) const;

  std::string root_;
  ChunkKeyEncoding encoding_;
  std::size_t rank_;
  std::vector<std::string> documents_;
};

}  // namespace zarr::tools
