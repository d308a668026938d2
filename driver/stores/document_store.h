// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/stores/vsi_store.h"
#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {

/// Wraps a store on the web for a dataset that only reads it. Metadata documents that are likely to be needed together
/// are asked for at once: the attributes of a v2 node with its other document, the documents of a v2 root with each
/// other, and those that `Prefetch` is told. A document that came early is kept until it is read, and that one is
/// absent is remembered for as long as the dataset lives; so none is asked for twice. Thread-safe.
class DocumentStore final : public zarr::Store {
 public:
  /// The store and the path of an array that is going to be opened, or nothing. A v2 store is not asked for the array
  /// after its root, but together with it.
  DocumentStore(std::shared_ptr<VsiStore> store, const std::optional<std::string>& array);

  std::string name() const override { return store_->name(); }
  std::string identity() const override { return store_->identity(); }
  bool KeepsIdentity() const override { return store_->KeepsIdentity(); }
  zarr::StoreCapabilities capabilities() const override { return store_->capabilities(); }
  bool Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                 std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const override {
    return store_->GetRanges(key, ranges, buffers, stamp);
  }
  bool GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                 zarr::VersionStamp* stamp) const override {
    return store_->GetSuffix(key, length, value, stamp);
  }
  bool Exists(std::string_view key) const override;
  void Prefetch(std::span<const std::string> keys) const override;
  bool GetStamp(std::string_view key, zarr::VersionStamp* stamp) const override { return store_->GetStamp(key, stamp); }
  const zarr::Store& current() const override { return *store_; }
  std::optional<Listing> List(std::string_view prefix) const override { return store_->List(prefix); }
  std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const override {
    return store_->ListEntries(prefix);
  }
  std::optional<zarr::EntryKind> GetEntryKind(std::string_view path) const override {
    return store_->GetEntryKind(path);
  }
  void Set(std::string_view key, zarr::ByteSpan value) override;
  void Erase(std::string_view key) override;

 private:
  /// A document, or that there is none.
  using Answer = std::optional<zarr::Bytes>;

  /// Returns the answer for a document, or nullptr if it is not known.
  std::shared_ptr<const Answer> Find(std::string_view key) const;
  /// As Find, after asking for the document and those that are needed with it.
  std::shared_ptr<const Answer> Fetch(std::string_view key) const;
  void Keep(const std::string& key, Answer answer) const;
  void Forget(std::string_view key) const;

  const std::shared_ptr<VsiStore> store_;
  std::vector<std::string> with_root_;  // keys that are asked for with the documents of a v2 root
  mutable zarr::ForkSafeMutex mutex_;
  mutable std::unordered_map<std::string, std::shared_ptr<const Answer>> answers_;
  mutable std::size_t kept_bytes_ = 0;
};

}  // namespace gdal_zarr
