// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "zarrlib/store/store.h"

namespace zarr {

/// A store that hands all calls on to another one: the base of stores that do a few things otherwise, and forget none
/// of the others. Whoever keeps what it knows of keys overrides all functions that change them.
class ForwardingStore : public Store {
 public:
  explicit ForwardingStore(std::shared_ptr<Store> inner) : inner_(std::move(inner)) {}

  /// The other store.
  const Store& inner() const { return *inner_; }
  Store& inner() { return *inner_; }

  std::string name() const override { return inner_->name(); }
  std::string identity() const override { return inner_->identity(); }
  bool KeepsIdentity() const override { return inner_->KeepsIdentity(); }
  StoreCapabilities capabilities() const override { return inner_->capabilities(); }
  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp) const override;
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const override;
  std::unique_ptr<OpenedValue> OpenValue(std::string_view key) const override { return inner_->OpenValue(key); }
  bool Exists(std::string_view key) const override { return inner_->Exists(key); }
  bool Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const override;
  bool GetStamp(std::string_view key, VersionStamp* stamp) const override { return inner_->GetStamp(key, stamp); }
  const Store& current() const override { return inner_->current(); }
  bool NoteBroken(std::string_view key, int status, int times, Error* error) const override;
  std::optional<std::uint64_t> GetUnpackedSize(std::string_view key) const override;
  std::optional<Listing> List(std::string_view prefix) const override { return inner_->List(prefix); }
  std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const override;
  std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const override;
  std::optional<std::vector<std::string>> ListKeysBelow(std::string_view prefix, std::size_t most) const override;
  std::optional<EntryKind> GetEntryKind(std::string_view path) const override { return inner_->GetEntryKind(path); }
  void Set(std::string_view key, ByteSpan value) override { inner_->Set(key, value); }
  bool SetIfAbsent(std::string_view key, ByteSpan value) override { return inner_->SetIfAbsent(key, value); }
  void Erase(std::string_view key) override { inner_->Erase(key); }
  void EraseAll(std::span<const std::string> keys) override { inner_->EraseAll(keys); }
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override;
  void RenamePrefix(std::string_view from, std::string_view to) override { inner_->RenamePrefix(from, to); }
  std::shared_ptr<void> TryHold(std::string_view key) const override { return inner_->TryHold(key); }
  LockResult Lock(std::string_view document, std::string_view value, bool waits) const override;
  std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const override { return inner_->LockFolder(prefix); }
  std::string lock_fault() const override { return inner_->lock_fault(); }
  void EraseAbandoned() override { inner_->EraseAbandoned(); }
  bool ExchangePrefixes(std::string_view first, std::string_view second) override;
  bool LeadsOut(std::string_view prefix) const override { return inner_->LeadsOut(prefix); }
  std::optional<LinkedFolder> FindLinkedFolder(std::string_view path) const override;
  void Finish() override { inner_->Finish(); }

 private:
  const std::shared_ptr<Store> inner_;
};

/// The store of a class that a store is, or that it hands calls on to; null if there is none.
template <typename Class>
const Class* FindWrapped(const Store& store) {
  if (const auto* found = dynamic_cast<const Class*>(&store)) return found;
  const auto* forwarding = dynamic_cast<const ForwardingStore*>(&store);
  return forwarding ? FindWrapped<Class>(forwarding->inner()) : nullptr;
}
template <typename Class>
Class* FindWrapped(Store& store) {
  return const_cast<Class*>(FindWrapped<Class>(static_cast<const Store&>(store)));
}

}  // namespace zarr
