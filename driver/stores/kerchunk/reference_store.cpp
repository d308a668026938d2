// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_store.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/network_settings.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kHeaderSize = 256;
/// A longer value gets memory only after its file has shown to be that long.
constexpr std::uint64_t kTrustedLength = 16 << 20;

/// The files of references that some store uses now.
class FilesInUse {
 public:
  static FilesInUse& GetShared() {
    static auto* const files = new FilesInUse;
    return *files;
  }

  /// Whether it is worth asking for the stamp of a file.
  bool Has(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    return found != files_.end() && found->second.stamp.settled && !found->second.file.expired();
  }

  std::shared_ptr<const ReferenceFile> Find(const std::string& path, const zarr::VersionStamp& stamp) {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    const bool same = found != files_.end() && found->second.stamp.settled && found->second.stamp == stamp;
    return same ? found->second.file.lock() : nullptr;
  }

  void Add(const std::string& path, const zarr::VersionStamp& stamp, const std::shared_ptr<const ReferenceFile>& file) {
    const std::lock_guard lock(mutex_);
    std::erase_if(files_, [](const auto& item) { return item.second.file.expired(); });
    files_.insert_or_assign(path, Item{stamp, file});
  }

 private:
  struct Item {
    zarr::VersionStamp stamp;
    std::weak_ptr<const ReferenceFile> file;
  };
  FilesInUse() { zarr::HoldWhileForking(&mutex_); }

  std::mutex mutex_;
  std::map<std::string, Item> files_;
};

/// Checks that the file holds references, before it is read as a whole: the user may name any large file.
void CheckHeader(const VsiStore& store, const FolderAndName& place, const std::string& path, std::uint64_t size) {
  zarr::Bytes header(std::min(size, kHeaderSize));
  const zarr::ByteRange range{0, header.size()};
  const zarr::MutableByteSpan buffer(header);
  store.GetRanges(place.name, {&range, 1}, {&buffer, 1}, nullptr);
  const std::string_view text = zarr::AsText(header);
  const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return;
  throw zarr::Error(zarr::ErrorKind::kCorrupt, path, "", "",
                    "expected the folder of a Zarr store or a JSON file of kerchunk references, got another file");
}

std::shared_ptr<const ReferenceFile> OpenFile(const std::string& path, const std::shared_ptr<RequestLog>& log) {
  const FolderAndName place = SplitPath(path);
  const VsiStore store(place.folder, log);
  const std::string identity = store.identity() + "/" + place.name;
  zarr::Bytes text;
  zarr::VersionStamp stamp;
  const auto check = [&](bool found) {
    if (!found) throw zarr::Error(zarr::ErrorKind::kNotFound, path, "", "", "there is no such file");
  };
  check(!place.name.empty());
  // Files in memory have times in whole seconds, too coarse to see each change.
  const bool may_share = !path.starts_with("/vsimem/");
  const bool is_remote = LeadsToNetwork(path);
  if (!is_remote || (may_share && FilesInUse::GetShared().Has(identity))) {  // a look costs a request on a network
    check(store.GetSuffix(place.name, 0, &text, &stamp));
    if (auto file = may_share ? FilesInUse::GetShared().Find(identity, stamp) : nullptr) return file;
    if (!is_remote) CheckHeader(store, place, path, stamp.size);
  }
  check(store.Get(place.name, &text, &stamp, zarr::GetLimit(zarr::Limit::kReferenceFile)));
  auto file = std::make_shared<const ReferenceFile>(std::move(text), path);
  if (may_share) FilesInUse::GetShared().Add(identity, stamp, file);
  return file;
}

std::string GetFile(const std::string& path) {
  const auto name = ParseReferenceName(path);
  return name ? name->file : path;
}

std::string FindPrefix(const std::string& path) {
  const auto name = ParseReferenceName(path);
  return name ? name->prefix : "";
}

void StampLocation(const ReferenceStore::Location& location, std::uint64_t size, zarr::VersionStamp* stamp) {
  if (!stamp) return;
  stamp->size = size;
  stamp->tag += "@" + std::to_string(location.offset) + " of " + location.path;
}

}  // namespace

ReferenceStore::ReferenceStore(const std::string& path)
    : name_(path),
      log_(std::make_shared<RequestLog>(path)),
      prefix_(FindPrefix(path)),
      file_(OpenFile(GetFile(path), log_)),
      targets_(GetFile(path)),
      settings_(GetCurrentSettings()) {
  const FolderAndName place = SplitPath(GetFile(path));
  identity_ = VsiStore(place.folder, log_).identity() + "/" + place.name + "#" + std::to_string(file_->digest()) +
              settings_ + "/" + prefix_;
  while (identity_.ends_with('/')) identity_.pop_back();
}

/// The settings for one of the other hosts stand for all.
std::string ReferenceStore::GetCurrentSettings() const {
  std::string settings = targets_.remote() ? MakeDigestOfSettings(FindNetworkPart(GetFile(name_))) : "";
  if (!file_->names_hosts()) return settings;
  std::string host = file_->host_url();
  try {
    host = targets_.GetPath(host);
  } catch (const zarr::Error&) {
    // A bad reference is reported when it is read.
  }
  return settings + "," + MakeDigestOfSettings(host);
}

zarr::StoreCapabilities ReferenceStore::capabilities() const {
  zarr::StoreCapabilities result;
  result.list = true;
  result.ranges = true;
  result.concurrency = targets_.remote() || file_->names_hosts() ? kNetworkConcurrency : 0;
  return result;
}

std::optional<ReferenceStore::Location> ReferenceStore::FindLocation(std::string_view key) const {
  zarr::CheckKey(key);
  std::optional<Reference> reference = file_->Find(prefix_ + std::string(key));
  if (!reference) return std::nullopt;
  Location location;
  if (reference->inline_value) {
    location.bytes = std::move(reference->inline_value);
    return location;
  }
  try {
    location.path = targets_.GetPath(reference->url);
  } catch (const zarr::Error& error) {
    throw error.At(name_, key);
  }
  location.offset = reference->offset;
  location.length = reference->length;
  if (location.length && location.offset > UINT64_MAX - *location.length) {
    throw zarr::Error(zarr::ErrorKind::kCorrupt, name_, std::string(key), "",
                      "refers to bytes " + std::to_string(location.offset) + " + " + std::to_string(*location.length));
  }
  return location;
}

/// Calls read(store, name) with a store for the location's folder, and the file's name in it.
template <typename Function>
void ReferenceStore::Follow(std::string_view key, const Location& location, const Function& read) const {
  const auto fail = [&](zarr::ErrorKind kind, const std::string& message) {
    throw zarr::Error(kind, name_, std::string(key), "", "refers to " + location.path + ": " + message);
  };
  const FolderAndName place = SplitPath(location.path);
  bool found = false;
  try {
    found = read(VsiStore(place.folder, log_), place.name);
  } catch (const zarr::Error& error) {
    fail(error.kind(), error.message());
  }
  if (!found) fail(zarr::ErrorKind::kIo, "there is no such file");
}

/// `part` lies within the location, whose length must be known.
void ReferenceStore::ReadPart(std::string_view key, const Location& location, zarr::ByteRange part, zarr::Bytes* value,
                              zarr::VersionStamp* stamp) const {
  const zarr::ByteRange range{location.offset + part.offset, part.length};
  Follow(key, location, [&](const VsiStore& store, const std::string& name) {
    if (part.length > kTrustedLength) {
      zarr::VersionStamp whole;
      zarr::Bytes nothing;
      if (!store.GetSuffix(name, 0, &nothing, &whole)) return false;
      if (whole.size < range.offset + range.length) {
        throw zarr::Error(zarr::ErrorKind::kCorrupt, "bytes " + std::to_string(range.offset) + " + " +
                                                         std::to_string(range.length) + " of a file of " +
                                                         std::to_string(whole.size) + " bytes");
      }
    }
    value->resize(part.length);
    const zarr::MutableByteSpan buffer(*value);
    return store.GetRanges(name, {&range, 1}, {&buffer, 1}, stamp);
  });
  StampLocation(location, *location.length, stamp);
}

bool ReferenceStore::Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp,
                         std::uint64_t max_size) const {
  const auto location = FindLocation(key);
  if (!location) return false;
  try {
    if (location->bytes) zarr::CheckValueSize(location->bytes->size(), max_size);
    if (location->length) zarr::CheckValueSize(*location->length, max_size);
  } catch (const zarr::Error& error) {
    throw error.At(name_, key);
  }
  if (location->bytes) {
    *value = zarr::ToBytes(*location->bytes);
    if (stamp) *stamp = {value->size(), 0, std::to_string(file_->digest())};
  } else if (location->length) {
    ReadPart(key, *location, {0, *location->length}, value, stamp);
  } else {
    Follow(key, *location,
           [&](const VsiStore& store, const std::string& name) { return store.Get(name, value, stamp, max_size); });
    StampLocation(*location, value->size(), stamp);
  }
  return true;
}

bool ReferenceStore::GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                               std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const {
  const auto location = FindLocation(key);
  if (!location) return false;
  std::vector<zarr::ByteRange> shifted(ranges.begin(), ranges.end());
  for (zarr::ByteRange& range : shifted) range.offset += location->offset;
  const auto known_size = location->bytes ? std::optional<std::uint64_t>(location->bytes->size()) : location->length;
  try {
    if (known_size) zarr::CheckRanges(ranges, buffers, *known_size);
  } catch (const zarr::Error& error) {
    throw error.At(name_, key);
  }
  if (location->bytes) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      std::copy_n(zarr::AsBytes(*location->bytes).data() + ranges[i].offset, ranges[i].length, buffers[i].data());
    }
    if (stamp) *stamp = {*known_size, 0, std::to_string(file_->digest())};
    return true;
  }
  Follow(key, *location, [&](const VsiStore& store, const std::string& name) {
    return store.GetRanges(name, shifted, buffers, stamp);
  });
  if (stamp) StampLocation(*location, known_size.value_or(stamp->size), stamp);
  return true;
}

bool ReferenceStore::GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                               zarr::VersionStamp* stamp) const {
  const auto location = FindLocation(key);
  if (!location) return false;
  if (location->bytes) {
    const zarr::ByteSpan bytes = zarr::AsBytes(*location->bytes);
    const zarr::ByteSpan suffix = bytes.last(std::min<std::uint64_t>(length, bytes.size()));
    value->assign(suffix.begin(), suffix.end());
    if (stamp) *stamp = {bytes.size(), 0, std::to_string(file_->digest())};
  } else if (location->length) {
    const std::uint64_t taken = std::min(length, *location->length);
    ReadPart(key, *location, {*location->length - taken, taken}, value, stamp);
  } else {
    Follow(key, *location,
           [&](const VsiStore& store, const std::string& name) { return store.GetSuffix(name, length, value, stamp); });
    if (stamp) StampLocation(*location, stamp->size, stamp);
  }
  return true;
}

bool ReferenceStore::GetStamp(std::string_view key, zarr::VersionStamp* stamp) const {
  const auto location = FindLocation(key);
  if (!location) return false;
  if (location->bytes) {
    *stamp = {location->bytes->size(), 0, std::to_string(file_->digest())};
    return true;
  }
  Follow(key, *location, [&](const VsiStore& store, const std::string& name) { return store.GetStamp(name, stamp); });
  StampLocation(*location, location->length.value_or(stamp->size), stamp);
  return true;
}

bool ReferenceStore::Exists(std::string_view key) const {
  zarr::CheckKey(key);
  return file_->Has(prefix_ + std::string(key));
}

bool ReferenceStore::NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const {
  const auto location = FindLocation(key);
  if (!location || location->bytes) return false;
  const FolderAndName place = SplitPath(location->path);
  return VsiStore(place.folder, log_).NoteBroken(place.name, status, times, error);
}

std::optional<zarr::Store::Listing> ReferenceStore::List(std::string_view prefix) const {
  zarr::CheckPrefix(prefix);
  return file_->List(prefix_ + std::string(prefix));
}

void ReferenceStore::FailReadOnly(std::string_view key) const {
  throw zarr::Error(zarr::ErrorKind::kReadOnly, name_, std::string(key), "", "kerchunk references cannot be written");
}

void ReferenceStore::Set(std::string_view key, zarr::ByteSpan) {
  FailReadOnly(key);
}

void ReferenceStore::Erase(std::string_view key) {
  FailReadOnly(key);
}

}  // namespace gdal_zarr
