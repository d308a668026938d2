// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// A store in memory, for tests and as an example of a simple store.
class MemoryStore final : public Store {
 public:
  explicit MemoryStore(std::string name = "memory");
  ~MemoryStore() override;

  StoreInfo info() const override { return {.lists = true, .writes = true}; }
  bool Read(const ReadRequest& request) const override;
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  StoreFolders* folders() const override;

 private:
  class Folders;
  struct Entry {
    Bytes bytes;
    VersionStamp stamp;
  };

  mutable std::shared_mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::int64_t clock_ = 0;
  const std::unique_ptr<Folders> folders_;
};

}  // namespace zarr
