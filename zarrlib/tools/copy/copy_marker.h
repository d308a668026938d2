// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "zarrlib/store/os/posix_file.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// The folder in a store that is being copied to. No reader of this library sees it.
inline constexpr std::string_view kCopyFolder = ".zarr-tmp-copy";

/// The place of a store, for notes on the disk: without the query of a URL, which may hold a signature, which is
/// secret, and is another one when the copy goes on.
std::string DescribePlace(const Store& store);

/// The mark of an unfinished copy in its target, and how far it has got:
///
///     .zarr-tmp-copy/copy.json   the source, what is made of it, and which arrays are complete
///     .zarr-tmp-copy/lock        held for as long as a process is at work
///
/// A target without it is not touched unless it is empty.
class CopyMarker {
 public:
  /// Marks an empty target, or takes over an unfinished copy. `source` and `job` tell what is copied, and how. Throws
  /// Error: invalid_argument for a target with something else in it, or with a copy of another source or job; io if
  /// another process works there.
  CopyMarker(std::shared_ptr<Store> target, const std::string& source, const std::string& job);

  /// Whether there is such a mark in a store.
  static bool Exists(const Store& store);
  /// Whether an earlier run has begun.
  bool resumed() const { return resumed_; }
  bool IsComplete(const std::string& array) const { return complete_.contains(array); }
  /// How many pieces of an array that is not complete are.
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
  std::string array_;  // of which `pieces_` pieces are complete
  std::uint64_t pieces_ = 0;
  bool resumed_ = false;
};

}  // namespace zarr::tools
