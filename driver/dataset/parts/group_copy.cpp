// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/group_copy.h"

#include <algorithm>
#include <utility>

#include "driver/dataset/node_paths.h"
#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {

bool GroupCopy::HasHelper(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  return helpers_.contains(path);
}

void GroupCopy::AddHelper(const std::string& path) {
  const std::lock_guard lock(mutex_);
  helpers_.insert(path);
}

bool GroupCopy::TakeHelper(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return helpers_.erase(path) > 0;
}

bool GroupCopy::Run(const std::function<bool()>& copy) {
  ++copied_groups_;
  const bool copied = copy();
  if (--copied_groups_ > 0) return copied;
  CloseSources();
  const FailureWatch failures;
  is_ending_ = true;
  for (const auto& change : std::exchange(after_, {})) {
    Guard(
        false, [&] { return change(), true; }, Activity::kWriting);
  }
  is_ending_ = false;
  return copied && !failures.failed();
}

bool GroupCopy::DoAfter(std::function<void()> change) {
  if (copied_groups_ == 0) return false;
  after_.push_back(std::move(change));
  return true;
}

std::shared_ptr<GDALDataset> GroupCopy::OpenSource(const std::string& name, const char* const* drivers) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(sources_, name, [](const auto& source) { return source.first; });
  if (known != sources_.end()) return known->second;
  std::shared_ptr<GDALDataset> opened(
      GDALDataset::Open(name.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY, drivers));
  if (copied_groups_ == 0) return opened;
  constexpr std::size_t kMostOpen = 4;
  if (sources_.size() == kMostOpen) sources_.pop_front();
  sources_.emplace_back(name, opened);
  return opened;
}

std::shared_ptr<const GroupCopy::VirtualArrays> GroupCopy::GetVirtualArrays(
    const GDALDataset& dataset, const std::function<VirtualArrays()>& list) {
  const std::lock_guard lock(mutex_);
  if (const auto known = virtual_arrays_.find(&dataset); known != virtual_arrays_.end()) return known->second;
  auto arrays = std::make_shared<const VirtualArrays>(list());
  if (copied_groups_ > 0) virtual_arrays_.emplace(&dataset, arrays);
  return arrays;
}

void GroupCopy::CloseSources() {
  const std::lock_guard lock(mutex_);
  sources_.clear();
  virtual_arrays_.clear();
}

bool GroupCopy::HidesHelper(const std::string& path) const {
  return copied_groups_ > 0 && HasHelper(path);
}

void GroupCopy::Drop(std::string_view path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(helpers_, [path](const std::string& helper) { return IsAtOrBelow(helper, path); });
}

void GroupCopy::Move(std::string_view from, std::string_view to) {
  const std::lock_guard lock(mutex_);
  std::unordered_set<std::string> moved;
  for (const std::string& helper : helpers_) moved.insert(GetMovedPath(helper, from, to).value_or(helper));
  helpers_ = std::move(moved);
}

}  // namespace gdal_zarr
