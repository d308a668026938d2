// SPDX-License-Identifier: MIT
#include "driver/dataset/writer_pool.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/node_paths.h"
#include "driver/io/io_options.h"
#include "zarrlib/array/write/pending_bytes.h"

namespace gdal_zarr {
namespace {

zarr::WriteOptions MakeWriteOptions(const ConfigurationHook& hook, const std::function<bool(double)>& progress = {},
                                    bool defer = false) {
  const zarr::ReadOptions settings = MakeReadOptions(hook);
  return {settings.threads, settings.hook, progress, defer};
}

/// Returns the limit on pending bytes of all arrays in the process together.
std::size_t GetPendingLimit() {
  constexpr GIntBig kSmallest = GIntBig{16} << 20;
  constexpr GIntBig kLargest = GIntBig{256} << 20;
  return static_cast<std::size_t>(std::clamp(GDALGetCacheMax64(), kSmallest, kLargest));
}

}  // namespace

std::shared_ptr<zarr::ArrayWriter> WriterPool::Find(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(std::string(path));
  return entry == entries_.end() ? nullptr : entry->second.writer;
}

std::shared_ptr<zarr::ArrayWriter> WriterPool::FindOrMake(const std::shared_ptr<const zarr::Array>& array) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[array->path()];
  if (!entry.writer) {
    zarr::WriterOptions options;
    const Policy& policy = entry.policy ? *entry.policy : policy_;
    options.store_empty_chunks = policy.store_empty_chunks;
    options.refuse_partial = policy.refuse_partial;
    options.buffer_limit = GetPendingLimit();
    entry.writer = zarr::ArrayWriter::Make(array, options);
  }
  entry.last_write = ++writes_;
  return entry.writer;
}

bool WriterPool::Write(const std::shared_ptr<const zarr::Array>& array, const zarr::Selection& selection,
                       const zarr::ElementSource& source, const std::function<bool(double)>& progress, bool defer) {
  const ConfigurationHook hook;
  const std::shared_ptr<zarr::ArrayWriter> writer = FindOrMake(array);
  const bool done = writer->Write(selection, source, MakeWriteOptions(hook, progress, defer));
  if (zarr::PendingBytes::GetProcessTotal() > GetPendingLimit()) SaveExcess(*writer, MakeWriteOptions(hook));
  return done;
}

void WriterPool::SaveExcess(const zarr::ArrayWriter& written, const zarr::WriteOptions& call) {
  const std::size_t limit = GetPendingLimit();
  std::vector<std::pair<std::uint64_t, std::shared_ptr<zarr::ArrayWriter>>> writers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [path, entry] : entries_) {
      if (entry.writer && entry.writer->pending_bytes() > 0) writers.emplace_back(entry.last_write, entry.writer);
    }
  }
  std::sort(writers.begin(), writers.end());
  for (const auto& [number, writer] : writers) {
    if (zarr::PendingBytes::GetProcessTotal() <= limit / 4 * 3) return;
    // If other datasets have most of the pending bytes, this one may keep a part of the limit.
    if (writer.get() == &written && writer->pending_bytes() <= limit / 4) continue;
    try {
      writer->Flush(call);
    } catch (const zarr::Error&) {
      NoteUntold(*writer);  // the writer throws this error again in each later call
    }
  }
}

void WriterPool::NoteUntold(const zarr::ArrayWriter& failed) {
  const std::lock_guard lock(mutex_);
  for (auto& [path, entry] : entries_) entry.is_untold = entry.is_untold || entry.writer.get() == &failed;
}

bool WriterPool::TakeUntold(std::string_view path) {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(std::string(path));
  return entry != entries_.end() && std::exchange(entry->second.is_untold, false);
}

void WriterPool::Flush(std::string_view path) {
  const std::shared_ptr<zarr::ArrayWriter> writer = Find(path);
  if (writer && (TakeUntold(path) || writer->dirty())) Finish(path);
}

bool WriterPool::Read(const zarr::Array& array, const zarr::Selection& selection, const zarr::Destination& destination,
                      const zarr::ReadOptions& options) {
  const std::shared_ptr<zarr::ArrayWriter> writer = Find(array.path());
  if (writer && TakeUntold(array.path())) Finish(array.path());
  return writer && writer->dirty() ? writer->Read(selection, destination, options)
                                   : array.Read(selection, destination, options);
}

void WriterPool::Finish(std::string_view path) {
  const std::shared_ptr<zarr::ArrayWriter> writer = Find(path);
  if (!writer) return;
  const ConfigurationHook hook;
  writer->Flush(MakeWriteOptions(hook));
}

void WriterPool::FlushAll() {
  std::vector<std::shared_ptr<zarr::ArrayWriter>> writers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [path, entry] : entries_) {
      if (entry.writer) writers.push_back(entry.writer);
    }
  }
  // An array that cannot be saved does not prevent saving the others.
  std::optional<zarr::Error> first;
  const ConfigurationHook hook;
  for (const auto& writer : writers) {
    try {
      writer->Flush(MakeWriteOptions(hook));
    } catch (const zarr::Error& error) {
      if (!first) first = error;
    }
  }
  if (first) throw *first;
}

void WriterPool::Replace(const std::shared_ptr<const zarr::Array>& array) {
  if (const auto writer = Find(array->path())) writer->Replace(array);
}

void WriterPool::Drop(std::string_view path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [path](const auto& entry) { return IsAtOrBelow(entry.first, path); });
}

void WriterPool::Move(std::string_view from, std::string_view to) {
  const std::lock_guard lock(mutex_);
  std::unordered_map<std::string, Entry> entries;
  for (const auto& [path, entry] : entries_) {
    // A writer is bound to the old path; the next write creates a new one.
    if (const auto moved = GetMovedPath(path, from, to)) {
      entries[*moved].policy = entry.policy;
    } else {
      entries.emplace(path, entry);
    }
  }
  entries_ = std::move(entries);
}

void WriterPool::SetPolicy(const Policy& policy) {
  const std::lock_guard lock(mutex_);
  policy_ = policy;
}

void WriterPool::SetPolicy(std::string_view path, const Policy& policy) {
  const std::lock_guard lock(mutex_);
  entries_[std::string(path)].policy = policy;
}

}  // namespace gdal_zarr
