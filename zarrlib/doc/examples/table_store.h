// SPDX-License-Identifier: MIT
// A custom store, for custom_store.cpp: each key is a row of a table. A std::map takes the role of a database.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "zarrlib/store/store.h"
#include "zarrlib/store/wanted_ranges.h"

class TableStore final : public zarr::Store {
 public:
  /// The name appears in messages. It must be unique in the process, because decoded chunks are cached under it.
  explicit TableStore(const std::string& name) : Store(name) {}
  zarr::StoreInfo info() const override { return {.lists = true, .writes = true}; }

  bool Read(const zarr::ReadRequest& request) const override {
    const std::lock_guard lock(mutex_);  // a store must be thread-safe
    const auto row = rows_.find(request.key);
    if (row == rows_.end()) return false;  // absent; all other failures are exceptions
    const auto& [value, stamp] = row->second;
    const zarr::WantedRanges wanted(request, value.size());  // resizes the buffer, and checks the requested ranges
    for (std::size_t i = 0; i < wanted.ranges().size(); ++i) {
      std::copy_n(value.data() + wanted.ranges()[i].offset, wanted.ranges()[i].length, wanted.buffers()[i].data());
    }
    if (request.stamp) *request.stamp = stamp;
    return true;
  }
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options) const override {
    if (!options.is_plain()) return std::nullopt;  // only some stores support other ways to list
    const std::lock_guard lock(mutex_);
    zarr::Listing listing;
    for (auto row = rows_.lower_bound(prefix); row != rows_.end() && row->first.starts_with(prefix); ++row) {
      const std::size_t slash = row->first.find('/', prefix.size());
      const std::string name = row->first.substr(prefix.size(), slash - prefix.size());
      auto& names = slash == std::string::npos ? listing.keys : listing.prefixes;
      if (names.empty() || names.back() != name) names.push_back(name);
    }
    std::ranges::sort(listing.prefixes);  // the keys are in order, but "a-b/" is before "a/"
    return listing;
  }
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override {
    const std::lock_guard lock(mutex_);
    if (condition == zarr::WriteIf::kAbsent && rows_.contains(key)) return false;
    rows_[std::string(key)] = {{value.begin(), value.end()}, {.size = value.size(), .time = ++version_, .tag = ""}};
    return true;
  }
  void EraseAll(std::span<const std::string> keys) override {
    const std::lock_guard lock(mutex_);
    for (const std::string& key : keys) rows_.erase(key);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::pair<zarr::Bytes, zarr::VersionStamp>, std::less<>> rows_;
  std::int64_t version_ = 0;
};
