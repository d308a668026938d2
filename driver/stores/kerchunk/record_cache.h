// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "driver/stores/kerchunk/reference_records.h"
#include "zarrlib/base/once.h"

namespace gdal_zarr {

/// The Parquet files of references that were read last, for the whole process. Bounded by the memory that they take,
/// but always has the last one. Thread-safe.
class RecordCache {
 public:
  using Records = std::shared_ptr<const ReferenceRecords>;
  /// A file of the references with this number (MakeOwner).
  using Key = std::pair<std::uint64_t, std::string>;

  static RecordCache& GetShared();
  static std::uint64_t MakeOwner();

  /// Returns the records of a file. Calls `read` if they are not known: once, even if several threads ask. `read`
  /// returns null for a file that does not exist, which is known then, too.
  Records Get(const Key& key, const std::function<Records()>& read);
  void EraseOwner(std::uint64_t owner);

 private:
  struct Entry {
    zarr::Once once;
    Records records;
    std::size_t size = 0;  // as counted; 0 before it is read
    std::list<Key>::iterator position;
  };
  RecordCache();
  std::shared_ptr<Entry> Use(const Key& key);
  void Count(const Key& key, Entry* entry);

  std::mutex mutex_;
  std::list<Key> keys_;  // the most recently used one first
  std::map<Key, std::shared_ptr<Entry>> entries_;
  std::size_t size_ = 0;
};

}  // namespace gdal_zarr
