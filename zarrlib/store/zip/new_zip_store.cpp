// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/new_zip_store.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "zarrlib/base/crc32.h"
#include "zarrlib/store/sorted_listing.h"
#include "zarrlib/store/wanted_ranges.h"
#include "zarrlib/store/zip/zip_records.h"

namespace zarr {
namespace {

/// Runs `work`. Adds the store and the key to its errors.
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
    : Store(std::move(name)),
      prefix_(folder.empty() ? "" : folder + "/"),
      is_held_(std::move(is_held)),
      pending_limit_(pending_limit),
      time_(std::make_unique<const ZipTime>(ToZipTime(std::time(nullptr)))),
      file_(std::move(file)) {}

NewZipStore::~NewZipStore() = default;

// --- reading ----------------------------------------------------------------------------------------------------

ZipEntry NewZipStore::MakeZipEntry(std::string_view key, const Entry& entry) const {
  return {prefix_ + std::string(key), entry.size, entry.offset, entry.crc};
}

void NewZipStore::ReadAt(std::string_view key, const Entry& entry, std::uint64_t offset, MutableByteSpan buffer) const {
  if (buffer.empty()) return;
  if (entry.held) {
    std::memcpy(buffer.data(), entry.held->data() + offset, buffer.size());
    return;
  }
  CheckSound();
  file_->ReadAt(entry.offset + GetZipLocalHeaderSize(MakeZipEntry(key, entry)) + offset, buffer);
}

bool NewZipStore::Read(const ReadRequest& request) const {
  CheckKey(request.key);
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(request.key);
  if (found == entries_.end()) return false;
  const Entry& entry = found->second;
  At(name(), request.key, [&] {
    const WantedRanges wanted(request, entry.size);
    for (std::size_t i = 0; i < wanted.ranges().size(); ++i) {
      ReadAt(request.key, entry, wanted.ranges()[i].offset, wanted.buffers()[i]);
    }
  });
  if (request.stamp) *request.stamp = {entry.size, entry.number, ""};
  return true;
}

std::optional<Listing> NewZipStore::List(std::string_view prefix, const ListOptions& options) const {
  CheckPrefix(prefix);
  if (!options.is_plain()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return ListSorted(entries_, prefix);
}

// --- writing ----------------------------------------------------------------------------------------------------

void NewZipStore::CheckSound() const {
  if (failure_) throw *failure_;
  if (!file_) throw Error(ErrorKind::kIo, name(), "", "", "the archive could not be written");
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
    if (!failure_) failure_ = error.At(name(), key);
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

bool NewZipStore::Write(std::string_view key, ByteSpan value, WriteIf condition) {
  CheckKey(key);
  constexpr std::size_t kLongestName = 65535;
  if (prefix_.size() + key.size() > kLongestName) {
    throw Error(ErrorKind::kInvalidArgument, name(), std::string(key.substr(0, 100)) + "...", "",
                "names in a ZIP archive have at most 65535 bytes");
  }
  if (key.find('\\') != key.npos) {  // many readers, such as this project's, take it for a slash
    throw Error(ErrorKind::kInvalidArgument, name(), std::string(key), "",
                "a name in a ZIP archive cannot have \"\\\"");
  }
  Entry entry;
  entry.size = value.size();
  entry.crc = ComputeCrc32(value);
  entry.held = std::make_unique<Bytes>(value.begin(), value.end());
  const std::lock_guard lock(mutex_);
  if (condition == WriteIf::kAbsent && entries_.contains(key)) return false;
  At(name(), key, [&] { CheckUsable(); });
  Put(key, std::move(entry));
  AppendPending(pending_limit_);
  return true;
}

void NewZipStore::Put(std::string_view key, Entry entry) {
  entry.number = ++clock_;
  const std::uint64_t size = entry.size;
  // The old value stays until all memory is allocated.
  Entries made;
  made.emplace(key, std::move(entry));
  if (!is_held_(key)) {
    pending_.push_back({std::string(key), clock_, size});
    pending_bytes_ += size;
  }
  Forget(entries_.find(key));
  entries_.merge(made);
}

void NewZipStore::EraseAll(std::span<const std::string> keys) {
  const std::lock_guard lock(mutex_);
  for (const std::string& key : keys) {
    if (IsFolderKey(key)) continue;
    const auto entry = entries_.find(key);
    if (entry == entries_.end()) continue;
    At(name(), key, [&] { CheckUsable(); });
    Forget(entry);
  }
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
