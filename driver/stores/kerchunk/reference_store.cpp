// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_store.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "driver/stores/kerchunk/parquet_references.h"
#include "driver/stores/kerchunk/reference_file.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/network_settings.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/fork_safety.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/wanted_ranges.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kHeaderSize = 256;
/// Memory for a longer value is allocated only after its file has been found to be that long.
constexpr std::uint64_t kTrustedLength = 16 << 20;

/// The files of references that are in use by a store.
class FilesInUse {
 public:
  static FilesInUse& GetShared() {
    static auto* const files = new FilesInUse;
    return *files;
  }

  /// Returns true if it is worth reading the stamp of a file.
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

/// Checks that the file contains references, before it is read as a whole: the user may name any large file.
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
  const VsiStore store(place.folder, log, KeyForm::kOfUrl);
  const std::string identity = store.identity() + "/" + place.name;
  zarr::Bytes text;
  zarr::VersionStamp stamp;
  const auto check = [&](bool found) {
    if (!found) throw zarr::Error(zarr::ErrorKind::kNotFound, path, "", "", "there is no such file");
  };
  check(!place.name.empty());
  // Files in memory have times in whole seconds, too coarse to detect each change.
  const bool may_share = !path.starts_with("/vsimem/");
  const bool is_remote = LeadsToNetwork(path);
  if (!is_remote || (may_share && FilesInUse::GetShared().Has(identity))) {  // a stamp of a remote file costs a request
    check(store.GetSuffix(place.name, 0, &text, &stamp));
    if (auto file = may_share ? FilesInUse::GetShared().Find(identity, stamp) : nullptr) return file;
    if (!is_remote) CheckHeader(store, place, path, stamp.size);
  }
  check(store.Get(place.name, &text, &stamp, zarr::GetLimit(zarr::Limit::kReferenceFile)));
  auto file = std::make_shared<const ReferenceFile>(std::move(text), path);
  if (may_share) FilesInUse::GetShared().Add(identity, stamp, file);
  return file;
}

/// Returns the document that is read when the references of a name are opened.
std::string GetFile(const std::string& path) {
  const auto name = ParseReferenceName(path);
  if (!name) return path;
  if (!name->is_parquet) return name->file;
  const std::size_t end =
      name->file.starts_with("/vsicurl/http") ? std::min(name->file.find('?'), name->file.size()) : name->file.size();
  return name->file.substr(0, end) + "/" + std::string(zarr::kV2Consolidated) + name->file.substr(end);
}

std::shared_ptr<const References> OpenParquet(const std::string& path, const std::shared_ptr<RequestLog>& log,
                                              const std::optional<std::string>& document) {
  auto folder = std::make_shared<const VsiStore>(SplitPath(GetFile(path)).folder, log);
  zarr::Bytes text;
  const std::string key(zarr::kV2Consolidated);
  if (document) {
    const zarr::ByteSpan bytes = zarr::AsBytes(*document);
    text.assign(bytes.begin(), bytes.end());
  } else if (!folder->Get(key, &text, nullptr, zarr::GetLimit(zarr::Limit::kText))) {
    throw zarr::Error(zarr::ErrorKind::kNotFound, folder->name(), key, "", "there is no such file");
  }
  return std::make_shared<const ParquetReferences>(std::move(folder), std::move(text));
}

std::shared_ptr<const References> OpenReferences(const std::string& path, const std::shared_ptr<RequestLog>& log,
                                                 const std::optional<std::string>& parquet_document) {
  const auto name = ParseReferenceName(path);
  if (name && name->is_parquet) return OpenParquet(path, log, parquet_document);
  return OpenFile(GetFile(path), log);
}

std::string FindPrefix(const std::string& path) {
  const auto name = ParseReferenceName(path);
  return name ? name->prefix : "";
}

void StampLocation(const zarr::ValueLocation& location, std::uint64_t size, zarr::VersionStamp* stamp) {
  if (!stamp) return;
  stamp->size = size;
  stamp->tag += "@" + std::to_string(location.offset) + " of " + location.path;
}

}  // namespace

ReferenceStore::ReferenceStore(const std::string& path, const std::optional<std::string>& parquet_document)
    : Store(path),
      log_(std::make_shared<RequestLog>(path)),
      prefix_(FindPrefix(path)),
      references_(OpenReferences(path, log_, parquet_document)),
      targets_(GetFile(path)),
      settings_(GetCurrentSettings()) {
  const FolderAndName place = SplitPath(GetFile(path));
  identity_ = VsiStore(place.folder, log_).identity() + "/" + place.name + "#" + std::to_string(references_->digest()) +
              settings_ + "/" + prefix_;
  while (identity_.ends_with('/')) identity_.pop_back();
}

/// The settings for one of the other hosts represent all.
std::string ReferenceStore::GetCurrentSettings() const {
  std::string settings = targets_.remote() ? MakeDigestOfSettings(FindNetworkPart(GetFile(name()))) : "";
  if (!references_->names_hosts()) return settings;
  std::string host = references_->host_url();
  try {
    host = targets_.GetPath(host);
  } catch (const zarr::Error&) {
    // An invalid reference is reported when it is read.
  }
  return settings + "," + MakeDigestOfSettings(host);
}

zarr::StoreInfo ReferenceStore::info() const {
  const bool is_remote = targets_.remote() || references_->names_hosts();
  return {.lists = true, .concurrency = is_remote ? kNetworkConcurrency : 0};
}

std::optional<zarr::RequestCounts> ReferenceStore::counts() const {
  return info().is_on_network() ? std::optional(log_->counts()) : std::nullopt;
}

std::optional<zarr::ValueLocation> ReferenceStore::Locate(std::string_view key) const {
  zarr::CheckKey(key);
  std::optional<Reference> reference = references_->Find(prefix_ + std::string(key));
  if (!reference) return std::nullopt;
  Location location;
  if (reference->inline_value) {
    location.bytes = std::move(reference->inline_value);
    return location;
  }
  try {
    location.path = targets_.GetPath(reference->url, reference->folder);
  } catch (const zarr::Error& error) {
    throw error.At(name(), key);
  }
  location.offset = reference->offset;
  location.length = reference->length;
  if (location.length && location.offset > UINT64_MAX - *location.length) {
    throw zarr::Error(zarr::ErrorKind::kCorrupt, name(), std::string(key), "",
                      "refers to bytes " + std::to_string(location.offset) + " + " + std::to_string(*location.length));
  }
  return location;
}

/// Calls read(store, name) with a store for the location's folder, and the file's name in it.
template <typename Function>
void ReferenceStore::Follow(std::string_view key, const Location& location, const Function& read) const {
  const auto fail = [&](zarr::ErrorKind kind, const std::string& message) {
    throw zarr::Error(kind, name(), std::string(key), "", "refers to " + location.path + ": " + message);
  };
  const FolderAndName place = SplitPath(location.path);
  bool found = false;
  try {
    found = read(VsiStore(place.folder, log_, KeyForm::kOfUrl), place.name);
  } catch (const zarr::Error& error) {
    fail(error.kind(), error.message());
  }
  if (!found) fail(zarr::ErrorKind::kIo, "there is no such file");
}

bool ReferenceStore::Read(const zarr::ReadRequest& request) const {
  using Part = zarr::ReadRequest::Part;
  if (request.part == Part::kPresence) {
    zarr::CheckKey(request.key);
    return references_->Has(prefix_ + std::string(request.key));
  }
  const auto location = Locate(request.key);
  if (!location) return false;
  if (location->bytes) return ReadInline(request, *location->bytes);
  if (request.part == Part::kRanges || (location->length && request.part != Part::kStamp)) {
    return ReadRanges(request, *location);
  }
  return ReadFile(request, *location);
}

bool ReferenceStore::ReadInline(const zarr::ReadRequest& request, const std::string& bytes) const {
  try {
    const zarr::WantedRanges wanted(request, bytes.size());
    for (std::size_t i = 0; i < wanted.ranges().size(); ++i) {
      const auto [offset, length] = wanted.ranges()[i];
      std::copy_n(zarr::AsBytes(bytes).data() + offset, length, wanted.buffers()[i].data());
    }
  } catch (const zarr::Error& error) {
    throw error.At(name(), request.key);
  }
  if (request.stamp)
    *request.stamp = {
        bytes.size(), 0,
        std::to_string(references_->digest()) + "@" + std::to_string(std::hash<std::string_view>()(bytes))};
  return true;
}

/// Reads ranges of the file. The references may specify the length of the value.
bool ReferenceStore::ReadRanges(const zarr::ReadRequest& request, const Location& location) const {
  using Part = zarr::ReadRequest::Part;
  if (request.part != Part::kRanges) CheckReachesTo(request, location);
  std::optional<zarr::WantedRanges> known;
  try {
    if (location.length) known.emplace(request, *location.length);
  } catch (const zarr::Error& error) {
    throw error.At(name(), request.key);
  }
  const auto ranges = known ? known->ranges() : request.ranges;
  std::vector<zarr::ByteRange> shifted(ranges.begin(), ranges.end());
  for (zarr::ByteRange& range : shifted) range.offset += location.offset;
  Follow(request.key, location, [&](const VsiStore& store, const std::string& file) {
    return store.GetRanges(file, shifted, known ? known->buffers() : request.buffers, request.stamp);
  });
  if (request.stamp) StampLocation(location, location.length.value_or(request.stamp->size), request.stamp);
  return true;
}

/// Memory for a value is allocated only after its file has been found to be that long.
void ReferenceStore::CheckReachesTo(const zarr::ReadRequest& request, const Location& location) const {
  const bool is_whole = request.part == zarr::ReadRequest::Part::kWhole && !zarr::IsForPrefix(request);
  const std::uint64_t length = is_whole ? *location.length : std::min(request.length, *location.length);
  if (length <= kTrustedLength || *location.length > request.max_size) return;
  Follow(request.key, location, [&](const VsiStore& store, const std::string& file) {
    zarr::VersionStamp whole;
    if (!store.GetStamp(file, &whole)) return false;
    if (whole.size >= location.offset + *location.length) return true;
    throw zarr::Error(zarr::ErrorKind::kCorrupt, "bytes " + std::to_string(location.offset) + " + " +
                                                     std::to_string(*location.length) + " of a file of " +
                                                     std::to_string(whole.size) + " bytes");
  });
}

/// Applies a request for the value to the file.
bool ReferenceStore::ReadFile(const zarr::ReadRequest& request, const Location& location) const {
  zarr::ReadRequest of_file = request;
  Follow(request.key, location, [&](const VsiStore& store, const std::string& file) {
    of_file.key = file;
    return store.Read(of_file);
  });
  if (request.stamp) StampLocation(location, location.length.value_or(request.stamp->size), request.stamp);
  return true;
}

bool ReferenceStore::ReadTogether(std::span<const zarr::ReadRequest> requests) const {
  std::vector<Location> locations;
  std::vector<zarr::ByteRange> ranges;
  std::vector<zarr::MutableByteSpan> buffers;
  zarr::VersionStamp stamp;
  try {
    for (const zarr::ReadRequest& request : requests) {
      auto location = Locate(request.key);
      if (!location || location->bytes || location->length.value_or(UINT64_MAX) > request.max_size) return false;
      if (!locations.empty() && location->path != locations[0].path) return false;
      request.value->resize(static_cast<std::size_t>(*location->length));
      ranges.push_back({location->offset, *location->length});
      buffers.emplace_back(*request.value);
      locations.push_back(*std::move(location));
    }
    if (requests.empty()) return true;
    Follow(requests[0].key, locations[0], [&](const VsiStore& store, const std::string& file) {
      return store.GetRanges(file, ranges, buffers, &stamp);
    });
  } catch (const zarr::Error&) {
    return false;
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!requests[i].stamp) continue;
    *requests[i].stamp = stamp;
    StampLocation(locations[i], *locations[i].length, requests[i].stamp);
  }
  return true;
}

bool ReferenceStore::NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const {
  const auto location = Locate(key);
  if (!location || location->bytes) return false;
  const FolderAndName place = SplitPath(location->path);
  const VsiStore folder(place.folder, log_, KeyForm::kOfUrl);
  return folder.requests()->NoteBroken(place.name, status, times, error);
}

std::optional<zarr::Listing> ReferenceStore::List(std::string_view prefix, const zarr::ListOptions& options) const {
  zarr::CheckPrefix(prefix);
  if (!options.is_plain()) return std::nullopt;
  return references_->List(prefix_ + std::string(prefix));
}

void ReferenceStore::FailReadOnly(std::string_view key) const {
  throw zarr::Error(zarr::ErrorKind::kReadOnly, name(), std::string(key), "", "kerchunk references cannot be written");
}

bool ReferenceStore::Write(std::string_view key, zarr::ByteSpan, zarr::WriteIf) {
  FailReadOnly(key);
}

void ReferenceStore::EraseAll(std::span<const std::string> keys) {
  for (const std::string& key : keys) FailReadOnly(key);
}

}  // namespace gdal_zarr
