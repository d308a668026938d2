// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/absent_chunks.h"
#include "zarrlib/store/store_folders.h"

#include <algorithm>
#include <mutex>

namespace zarr {
namespace {

/// A read of fewer chunks is too fast for a list to save time.
constexpr std::uint64_t kFewChunks = 32;
/// The number of absent values in a folder after which its names are listed. The first one is used to check whether the
/// folder exists.
constexpr std::uint64_t kFirst = 1;
constexpr std::uint64_t kSeveral = 8;
/// Listing one directory entry costs less than a tenth of a lookup of a value.
constexpr std::uint64_t kNamesForOne = 10;
constexpr std::size_t kMostNames = 1 << 20;

std::string GetFolder(std::string_view key) {
  return std::string(key.substr(0, key.rfind('/') + 1));
}

std::string GetName(std::string_view key) {
  return std::string(key.substr(key.rfind('/') + 1));
}

}  // namespace

AbsentChunks::AbsentChunks(const Array& array, std::uint64_t chunks)
    : store_(array.store()), is_used_(chunks >= kFewChunks) {
  if (store_.info().is_on_network()) listed_.emplace(array, chunks);
}

bool AbsentChunks::Contains(std::string_view key) {
  if (listed_) return listed_->IsAbsent(key);
  if (!is_used_) return false;
  const std::shared_lock lock(mutex_);
  if (folders_.empty()) return false;
  const auto folder = folders_.find(GetFolder(key));
  return folder != folders_.end() && folder->second.names && !folder->second.names->contains(GetName(key));
}

void AbsentChunks::Note(std::string_view key) {
  if (listed_) return listed_->NoteAbsent(key);
  if (!is_used_) return;
  const std::string path = GetFolder(key);
  std::uint64_t absent = 0;
  {
    const std::lock_guard lock(mutex_);
    Folder& folder = folders_[path];
    if (folder.names) return;
    absent = ++folder.absent;
  }
  // The more values are absent, the longer a list is worthwhile.
  const bool is_power_of_two = (absent & (absent - 1)) == 0;
  if (absent != kFirst && (absent < kSeveral || !is_power_of_two)) return;
  const std::size_t most = absent == kFirst ? 0 : std::min<std::size_t>(absent * kNamesForOne, kMostNames);
  const StoreFolders* const tree = store_.folders();
  auto names = tree ? tree->ListNames(path, most) : std::nullopt;
  if (!names) return;
  const std::lock_guard lock(mutex_);
  folders_[path].names.emplace(std::make_move_iterator(names->begin()), std::make_move_iterator(names->end()));
}

}  // namespace zarr
