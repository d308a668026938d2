// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/new_zip_store.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "zarrlib/base/crc32.h"
#include "zarrlib/store/sorted_listing.h"
#include "zarrlib/store/zip/zip_records.h"

namespace zarr {
namespace {

/// Runs `work`. Its errors get the store and the key.
template <typename Function>
void At(const std::string& store, std::string_view key, const Function& work) {
  try {
    work();
  } catch (const Error& error) {
    throw error.At(store, key);
  }
}

}  // namespace

NewZipStore::NewZipStore(std::string name, const std::string& folder, std::unique_ptr<ArchiveFile> file, IsHeld is_held,
                         std::uint64_t pending_limit)
    : name_(std::move(name)),
      prefix_(folder.empty() ? "" : folder + "/"),
      is_held_(std::move(is_held)),
      pending_limit_(pending_limit),
      time_(std::make_unique<const ZipTime>(ToZipTime(std::time(nullptr)))),
      file_(std::move(file)) {}

NewZipStore::~NewZipStore() = default;

StoreCapabilities NewZipStore::capabilities() const {
  StoreCapabilities capabilities;
  capabilities.list = true;
  capabilities.ranges = true;
  capabilities.suffix_range = true;
  capabilities.write = true;
  capabilities.replace_atomic = true;
  return capabilities;
}

// --- reading ----------------------------------------------------------------------------------------------------

const NewZipStore::Entry* NewZipStore::FindEntry(std::string_view key, VersionStamp* stamp) const {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  if (stamp != nullptr) *stamp = {found->second.size, found->second.number, ""};
  return &found->second;
}

ZipEntry NewZipStore::MakeZipEntry(std::string_view key, const Entry& entry) const {
  return {prefix_ + std::string(key), entry.size, entry.offset, entry.crc};
}

void NewZipStore::Read(std::string_view key, const Entry& entry, std::uint64_t offset, MutableByteSpan buffer) const {
  if (buffer.empty()) return;
  if (entry.held) {
    std::memcpy(buffer.data(), entry.held->data() + offset, buffer.size());
    return;
  }
  CheckSound();
  file_->ReadAt(entry.offset + GetZipLocalHeaderSize(MakeZipEntry(key, entry)) + offset, buffer);
}

bool NewZipStore::Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const {
  CheckKey(key);
  const std::lock_guard lock(mutex_);
  const Entry* entry = FindEntry(key, stamp);
  if (entry == nullptr) return false;
  At(name_, key, [&] {
    CheckValueSize(entry->size, max_size);
    value->resize(entry->size);
    Read(key, *entry, 0, {value->data(), value->size()});
  });
  return true;
}

bool NewZipStore::GetRanges(std::string_view key, std::span<const ByteRange> ranges,
                            std::span<const MutableByteSpan> buffers, VersionStamp* stamp) const {
  CheckKey(key);
  const std::lock_guard lock(mutex_);
  const Entry* entry = FindEntry(key, stamp);
  if (entry == nullptr) return false;
  At(name_, key, [&] {
    CheckRanges(ranges, buffers, entry->size);
    for (std::size_t i = 0; i < ranges.size(); ++i) Read(key, *entry, ranges[i].offset, buffers[i]);
  });
  return true;
}

bool NewZipStore::GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const {
  CheckKey(key);
  const std::lock_guard lock(mutex_);
  const Entry* entry = FindEntry(key, stamp);
  if (entry == nullptr) return false;
  At(name_, key, [&] {
    value->resize(std::min(entry->size, length));
    Read(key, *entry, entry->size - value->size(), {value->data(), value->size()});
  });
  return true;
}

bool NewZipStore::Exists(std::string_view key) const {
  CheckKey(key);
  const std::lock_guard lock(mutex_);
  return FindEntry(key, nullptr) != nullptr;
}

std::optional<Store::Listing> NewZipStore::List(std::string_view prefix) const {
  CheckPrefix(prefix);
  const std::lock_guard lock(mutex_);
  return ListSorted(entries_, prefix);
}

// --- writing ----------------------------------------------------------------------------------------------------

void NewZipStore::CheckSound() const {
  if (failure_) throw *failure_;
  if (!file_) throw Error(ErrorKind::kIo, name_, "", "", "the archive could not be written");
}

void NewZipStore::CheckUsable() const {
  CheckSound();
  if (finished_) throw Error(ErrorKind::kReadOnly, "the archive is complete, and cannot be changed");
}

template <typename Function>
void NewZipStore::UseFile(std::string_view key, const Function& work) {
  try {
    work();
  } catch (const Error& error) {
    file_.reset();
    if (!failure_) failure_ = error.At(name_, key);
    throw *failure_;
  } catch (...) {
    file_.reset();
    throw;
  }
}

void NewZipStore::Append(std::string_view key, ByteSpan value, Entry* entry) {
  entry->offset = size_;
  UseFile(key, [&] {
    const Bytes header = MakeZipLocalHeader(MakeZipEntry(key, *entry), *time_);
    file_->Append(header);
    file_->Append(value);
    size_ += header.size() + value.size();
  });
}

void NewZipStore::Forget(Entries::iterator entry) {
  if (entry == entries_.end()) return;
  if (!entry->second.held) {
    unused_ += GetZipLocalHeaderSize(MakeZipEntry(entry->first, entry->second)) + entry->second.size;
  }
  entries_.erase(entry);
}

void NewZipStore::AppendPending(std::uint64_t limit) {
  while (pending_bytes_ > limit || (limit == 0 && !pending_.empty())) {
    const Pending first = std::move(pending_.front());
    pending_.pop_front();
    pending_bytes_ -= first.size;
    const auto entry = entries_.find(first.key);
    if (entry == entries_.end() || entry->second.number != first.number) continue;
    Append(first.key, *entry->second.held, &entry->second);
    entry->second.held.reset();
  }
}

void NewZipStore::Set(std::string_view key, ByteSpan value) {
  CheckKey(key);
  constexpr std::size_t kLongestName = 65535;
  if (prefix_.size() + key.size() > kLongestName) {
    throw Error(ErrorKind::kInvalidArgument, name_, std::string(key.substr(0, 100)) + "...", "",
                "names in a ZIP archive have at most 65535 bytes");
  }
  Entry entry;
  entry.size = value.size();
  entry.crc = ComputeCrc32(value);
  entry.held = std::make_unique<Bytes>(value.begin(), value.end());
  const std::lock_guard lock(mutex_);
  At(name_, key, [&] { CheckUsable(); });
  entry.number = ++clock_;
  const std::uint64_t size = entry.size;
  // Until all memory is there, the value before stays.
  Entries made;
  made.emplace(key, std::move(entry));
  if (!is_held_(key)) {
    pending_.push_back({std::string(key), clock_, size});
    pending_bytes_ += size;
  }
  Forget(entries_.find(key));
  entries_.merge(made);
  AppendPending(pending_limit_);
}

void NewZipStore::Erase(std::string_view key) {
  CheckKey(key);
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) return;
  At(name_, key, [&] { CheckUsable(); });
  Forget(entry);
}

// --- completing the archive -------------------------------------------------------------------------------------

void NewZipStore::MoveToAnother() {
  std::vector<Entries::iterator> stored;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->second.held) stored.push_back(entry);
  }
  std::sort(stored.begin(), stored.end(),
            [](const auto& a, const auto& b) { return a->second.offset < b->second.offset; });
  const std::unique_ptr<ArchiveFile> old = std::exchange(file_, file_->MakeAnother());
  size_ = 0;
  unused_ = 0;
  Bytes value;
  for (const auto at : stored) {
    auto& [key, entry] = *at;
    value.resize(entry.size);
    old->ReadAt(entry.offset + GetZipLocalHeaderSize(MakeZipEntry(key, entry)), {value.data(), value.size()});
    Append(key, value, &entry);
  }
}

void NewZipStore::WriteEnd() {
  AppendPending(0);
  for (auto& [key, entry] : entries_) {
    if (entry.held) Append(key, *entry.held, &entry);
  }
  ZipDirectory directory(*time_);
  for (const auto& [key, entry] : entries_) directory.Add(MakeZipEntry(key, entry));
  file_->Append(directory.Finish(size_));
}

void NewZipStore::Finish() {
  const std::lock_guard lock(mutex_);
  CheckSound();
  if (finished_) return;
  UseFile("", [&] {
    if (unused_ > 0 || !file_->CanBePutInPlace()) MoveToAnother();
    WriteEnd();
    file_->PutInPlace();
    finished_ = true;
  });
}

}  // namespace zarr
