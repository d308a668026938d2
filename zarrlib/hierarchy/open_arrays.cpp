// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/open_arrays.h"

#include <algorithm>

#include "zarrlib/array/array.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

/// The maximum number of cached arrays. In larger stores, arrays are parsed again when they are opened again.
constexpr std::size_t kMaxKeptArrays = 1024;

/// The maximum total size in bytes of the fill values of cached arrays: one element may have many megabytes.
constexpr std::size_t kMaxKeptFillBytes = std::size_t{16} << 20;

bool IsIn(const std::string& path, std::string_view group) {
  return path.starts_with(group) && (path.size() == group.size() || path[group.size()] == '/');
}

}  // namespace

std::shared_ptr<const Array> OpenArrays::Find(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  const auto known = arrays_.find(std::string(path));
  return known == arrays_.end() ? nullptr : known->second.lock();
}

bool OpenArrays::Has(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  const auto known = arrays_.find(std::string(path));
  return known != arrays_.end() && !known->second.expired();
}

bool OpenArrays::HasIn(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(arrays_,
                             [&](const auto& known) { return IsIn(known.first, path) && !known.second.expired(); });
}

std::uint64_t OpenArrays::drops() const {
  const std::lock_guard lock(mutex_);
  return drops_;
}

std::shared_ptr<const Array> OpenArrays::Add(std::string_view path, const std::shared_ptr<const Array>& array,
                                             std::uint64_t drops) {
  const std::lock_guard lock(mutex_);
  if (drops != drops_) return nullptr;
  std::weak_ptr<const Array>& known = arrays_[std::string(path)];
  if (auto other = known.lock()) return other;
  known = array;
  const std::size_t fill_bytes = array->metadata().fill_value.bytes.size();
  if (keeps_ && kept_.size() < kMaxKeptArrays && kept_fill_bytes_ + fill_bytes <= kMaxKeptFillBytes) {
    kept_.push_back(array);
    kept_fill_bytes_ += fill_bytes;
  }
  return array;
}

void OpenArrays::Drop(const std::string& path) {
  const std::lock_guard lock(mutex_);
  ++drops_;
  arrays_.erase(path);
}

void OpenArrays::DropIn(std::string_view path) {
  const std::lock_guard lock(mutex_);
  ++drops_;
  std::erase_if(arrays_, [&](const auto& entry) { return IsIn(entry.first, path); });
  kept_.clear();
}

void OpenArrays::DropChildren(std::string_view group) {
  const std::lock_guard lock(mutex_);
  ++drops_;
  std::erase_if(arrays_, [&](const auto& entry) { return !entry.first.empty() && ParentPath(entry.first) == group; });
}

}  // namespace zarr
