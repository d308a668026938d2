// SPDX-License-Identifier: MIT
#include "zarrlib/store/forwarding_store.h"

namespace zarr {

bool ForwardingStore::Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const {
  return inner_->Get(key, value, stamp, max_size);
}

bool ForwardingStore::GetRanges(std::string_view key, std::span<const ByteRange> ranges,
                                std::span<const MutableByteSpan> buffers, VersionStamp* stamp) const {
  return inner_->GetRanges(key, ranges, buffers, stamp);
}

bool ForwardingStore::GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const {
  return inner_->GetSuffix(key, length, value, stamp);
}

bool ForwardingStore::Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const {
  return inner_->Prefetch(documents, values);
}

bool ForwardingStore::NoteBroken(std::string_view key, int status, int times, Error* error) const {
  return inner_->NoteBroken(key, status, times, error);
}

std::optional<std::uint64_t> ForwardingStore::GetUnpackedSize(std::string_view key) const {
  return inner_->GetUnpackedSize(key);
}

std::optional<std::vector<Store::Entry>> ForwardingStore::ListEntries(std::string_view prefix) const {
  return inner_->ListEntries(prefix);
}

std::optional<std::vector<std::string>> ForwardingStore::ListNames(std::string_view prefix, std::size_t most) const {
  return inner_->ListNames(prefix, most);
}

std::optional<std::vector<std::string>> ForwardingStore::ListKeysBelow(std::string_view prefix,
                                                                       std::size_t most) const {
  return inner_->ListKeysBelow(prefix, most);
}

Store::Leftovers ForwardingStore::EraseChosen(std::string_view prefix, const Chooser& choose) {
  return inner_->EraseChosen(prefix, choose);
}

LockResult ForwardingStore::Lock(std::string_view document, std::string_view value, bool waits) const {
  return inner_->Lock(document, value, waits);
}

bool ForwardingStore::ExchangePrefixes(std::string_view first, std::string_view second) {
  return inner_->ExchangePrefixes(first, second);
}

std::optional<Store::LinkedFolder> ForwardingStore::FindLinkedFolder(std::string_view path) const {
  return inner_->FindLinkedFolder(path);
}

}  // namespace zarr
