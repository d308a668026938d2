// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "zarrlib/base/system/file.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// The folder in a store that is the target of an unfinished copy. It is hidden from readers that use this library.
inline constexpr std::string_view kCopyFolder = ".zarr-tmp-copy";

/// Returns the location of a store, for records on disk: without the query of a URL, which may contain a secret
/// signature, and differs when the copy is continued.
std::string DescribePlace(const Store& store);

/// The mark of an unfinished copy in its target, with its progress:
///
///     .zarr-tmp-copy/copy.json   the source, the changes, and the complete arrays
///     .zarr-tmp-copy/lock        locked while a process is working
///
/// A target without this mark is not changed unless it is empty.
class CopyMarker {
 public:
  /// Marks an empty target, or takes over an unfinished copy. `source` and `job` identify what is copied, and how.
  /// Throws Error: invalid_argument for a target with other content, or with a copy of another source or job; io if
  /// another process is working there.
  CopyMarker(std::shared_ptr<Store> target, const std::string& source, const std::string& job);

  /// Returns true if there is such a mark in a store.
  static bool Exists(const Store& store);
  /// Returns true if an earlier run has begun.
  bool resumed() const { return resumed_; }
  bool IsComplete(const std::string& array) const { return complete_.contains(array); }
  /// Returns the number of complete pieces of an incomplete array.
  std::uint64_t CountPieces(const std::string& array) const { return array == array_ ? pieces_ : 0; }
  void SetPieces(const std::string& array, std::uint64_t pieces);
  void SetComplete(const std::string& array);
  /// Removes the mark: the copy is complete.
  void Remove();

 private:
  void CheckFree();
  void Load(const std::string& text);
  void Save();

  std::shared_ptr<Store> store_;
  std::string source_;
  std::string job_;
  std::optional<File> lock_;
  std::set<std::string> complete_;
  std::string array_;  // the array of which `pieces_` pieces are complete
  std::uint64_t pieces_ = 0;
  bool resumed_ = false;
};

}  // namespace zarr::tools
