// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/absent_chunks.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace zarr {
namespace {

/// A read of fewer chunks takes no time that could be saved.
constexpr std::uint64_t kFewChunks = 32;
/// Absent values of a folder after which its names are asked for. The first one tells whether there is a folder at all.
constexpr std::uint64_t kFirst = 1;
constexpr std::uint64_t kSeveral = 8;
/// Reading a name of a folder takes less than a tenth of the time that a look for a value takes.
constexpr std::uint64_t kNamesForOne = 10;
constexpr std::size_t kMostNames = 1 << 20;
/// On a network, a read of fewer chunks sends all requests at about the same time.
constexpr std::uint64_t kFewOnNetwork = 128;
/// A list tells a thousand keys by one request, but its requests wait for each other.
constexpr std::uint64_t kKeysForOne = 4;

std::string GetFolder(std::string_view key) {
  return std::string(key.substr(0, key.rfind('/') + 1));
}

std::string GetName(std::string_view key) {
  return std::string(key.substr(key.rfind('/') + 1));
}

}  // namespace

AbsentChunks::AbsentChunks(const Store& store, std::string prefix, std::uint64_t chunks)
    : store_(store),
      prefix_(std::move(prefix)),
      chunks_(chunks),
      on_network_(store.capabilities().concurrency > 0),
      is_used_(chunks >= (on_network_ ? kFewOnNetwork : kFewChunks)) {}

bool AbsentChunks::Contains(std::string_view key) const {
  if (!is_used_) return false;
  const std::shared_lock lock(mutex_);
  if (keys_) return key.starts_with(prefix_) && !keys_->contains(std::string(key.substr(prefix_.size())));
  if (folders_.empty()) return false;
  const auto folder = folders_.find(GetFolder(key));
  return folder != folders_.end() && folder->second.names && !folder->second.names->contains(GetName(key));
}

void AbsentChunks::Note(std::string_view key) {
  if (!is_used_) return;
  if (on_network_) return NoteOnNetwork();
  const std::string path = GetFolder(key);
  std::uint64_t absent = 0;
  {
    const std::lock_guard lock(mutex_);
    Folder& folder = folders_[path];
    if (folder.names) return;
    absent = ++folder.absent;
  }
  // The more values are absent, the longer a list is worth reading.
  const bool is_power_of_two = (absent & (absent - 1)) == 0;
  if (absent != kFirst && (absent < kSeveral || !is_power_of_two)) return;
  const std::size_t most = absent == kFirst ? 0 : std::min<std::size_t>(absent * kNamesForOne, kMostNames);
  auto names = store_.ListNames(path, most);
  if (!names) return;
  const std::lock_guard lock(mutex_);
  folders_[path].names.emplace(std::make_move_iterator(names->begin()), std::make_move_iterator(names->end()));
}

void AbsentChunks::NoteOnNetwork() {
  if (++absent_ != kSeveral) return;
  const auto keys = store_.ListKeysBelow(prefix_, std::min<std::size_t>(chunks_ * kKeysForOne, kMostNames));
  if (!keys) return;
  const std::lock_guard lock(mutex_);
  keys_.emplace(keys->begin(), keys->end());
}

}  // namespace zarr
