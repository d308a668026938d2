// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/known_files.h"

namespace zarr {
namespace {

/// Few enough that they take little memory if each has only one reference.
constexpr std::size_t kMostFiles = 16384;

}  // namespace

std::optional<std::uint32_t> KnownFiles::Find(std::string_view location, std::string_view etag,
                                              std::uint32_t last_modified, std::uint64_t max_memory) {
  key_.assign(location).append(1, '\0').append(etag).append(1, '\0').append(std::to_string(last_modified));
  const auto found = numbers_.find(key_);
  if (found != numbers_.end()) return found->second;
  const std::uint64_t needed = sizeof(File) + location.size() + etag.size();
  if (files_.size() == kMostFiles || memory_ + needed > max_memory) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(files_.size());
  files_.push_back({std::string(location), std::string(etag), last_modified});
  numbers_.emplace(key_, number);
  memory_ += needed;
  return number;
}

void KnownFiles::Finish() {
  numbers_ = {};
  key_ = {};
}

}  // namespace zarr
