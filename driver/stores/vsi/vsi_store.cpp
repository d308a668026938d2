// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_store.h"

#include <cpl_vsi_error.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "driver/stores/http/http_value.h"
#include "driver/stores/http/object_url.h"
#include "driver/stores/network_settings.h"
#include "driver/stores/vsi/vsi_absence.h"
#include "driver/stores/vsi/vsi_store_call.h"
#include "zarrlib/store/file_stamp.h"
#include "zarrlib/store/posix_file.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kRangesPerRequest = 4096;
/// Seeking to the end of a folder gives a position of at least this.
constexpr std::uint64_t kNoFileSize = std::uint64_t{1} << 62;
constexpr std::string_view kMemoryPrefix = "/vsimem/";
/// Seconds after which another change of a file is sure to change its time. A server's times come from a clock other
/// than this machine's, hence the longer time there.
constexpr std::int64_t kSettledInMemory = 2;
constexpr std::int64_t kSettledOnNetwork = 60;

/// Spells a path in memory as GDAL does.
std::string NormalizeMemoryPath(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  const auto repeats_slash = [](char a, char b) { return a == '/' && b == '/'; };
  path.erase(std::unique(path.begin(), path.end(), repeats_slash), path.end());
  if (path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

bool LeadsToNetwork(const std::string& path) {
  return !FindNetworkPart(path).empty();
}

VsiStore::VsiStore(std::string root, std::shared_ptr<RequestLog> log)
    : root_(std::move(root)), log_(log ? std::move(log) : std::make_shared<RequestLog>(root_)) {
  const bool is_virtual = root_.starts_with("/vsi");
  kind_ = !is_virtual ? Kind::kLocal : VSIIsLocal(root_.c_str()) ? Kind::kVirtual : Kind::kNetwork;
  remote_ = kind_ == Kind::kNetwork || (kind_ == Kind::kVirtual && LeadsToNetwork(root_));
  on_web_ = kind_ == Kind::kNetwork && IsWebPath(root_) && CurlLibrary::Get() && UsesOwnRequests();
  can_list_ = kind_ != Kind::kNetwork;
  writing_ = FindWriting(root_);
  const std::size_t query = root_.find('?');
  if (root_.starts_with("/vsicurl/http") && query != std::string::npos) {
    query_ = root_.substr(query);
    root_.resize(query);
  }
}

const VsiStore::Identity& VsiStore::GetIdentity() const {
  identity_once_.Run([this] {
    Identity identity;
    if (kind_ == Kind::kLocal) {
      identity.name = zarr::GetCanonicalPath(root_);
    } else if (root_.starts_with(kMemoryPrefix)) {
      identity.name = NormalizeMemoryPath(root_);
    } else {
      // The key of /vsicrypt/ decides what is read, too.
      if (remote_ || root_.find("/vsicrypt/") != root_.npos) identity.settings = GetCurrentSettings();
      identity.name = "(" + identity.settings + query_ + ")" + root_;
    }
    while (identity.name.ends_with('/')) identity.name.pop_back();
    identity_ = std::move(identity);
  });
  return identity_;
}

std::string VsiStore::GetCurrentSettings() const {
  const std::string on_network = FindNetworkPart(root_);
  return MakeDigestOfSettings(on_network.empty() ? root_ : on_network);
}

std::string VsiStore::identity() const {
  return GetIdentity().name;
}

bool VsiStore::KeepsIdentity() const {
  const Identity& identity = GetIdentity();
  return identity.settings.empty() || identity.settings == GetCurrentSettings();
}

zarr::StoreCapabilities VsiStore::capabilities() const {
  zarr::StoreCapabilities result;
  result.list = can_list_;
  result.ranges = true;
  result.suffix_range = on_web_ && HasSuffixRanges(root_);
  result.write = writing_ != Writing::kNone;
  result.replace_atomic = result.write;
  result.concurrency = !remote_ ? 0 : on_web_ ? GetMostRequests(root_) : kNetworkConcurrency;
  return result;
}

VsiStore::Writing VsiStore::FindWriting(const std::string& root) {
  const std::string file = root + "/x";
  if (root.starts_with("/vsizip/")) return Writing::kNone;
  if (!root.starts_with("/vsi") || VSISupportsRandomWrite(file.c_str(), FALSE)) return Writing::kRename;
  return VSISupportsSequentialWrite(file.c_str(), FALSE) ? Writing::kInPlace : Writing::kNone;
}

std::string VsiStore::MakePath(std::string_view key) const {
  std::string path = root_;
  if (!key.empty()) {
    if (!path.ends_with('/')) path += '/';
    path += key;
  }
  return path + query_;
}

bool VsiStore::IsAbsent(const Call& call, int error_number) const {
  switch (kind_) {
    case Kind::kLocal:
      return zarr::MeansAbsent(error_number);
    case Kind::kVirtual: {
      if (call.errors().failed()) return false;
      const Presence presence = LookAgain(call.path());
      return presence == Presence::kAbsent || presence == Presence::kFolder;
    }
    case Kind::kNetwork:
      return IsNotFound();
  }
  return false;
}

VsiStore::File VsiStore::Open(const Call& call) const {
  errno = 0;
  File file(kind_ == Kind::kNetwork ? OpenOnNetwork(call.path()) : VSIFOpenExL(call.path(), "rb", TRUE));
  const int error_number = errno;
  if (file || IsAbsent(call, error_number)) return file;
  if (call.errors().GetText().empty()) call.FailIo("cannot be opened; GDAL gives no reason");
  // Lets the next attempt ask the server again: GDAL has cached the failure.
  if (remote_) VSICurlPartialClearCache(FindNetworkPart(call.path()).c_str());
  call.FailIo("cannot be opened");
}

std::uint64_t VsiStore::GetSize(const Call& call, VSILFILE* file, std::uint64_t max_size) const {
  if (VSIFSeekL(file, 0, SEEK_END) != 0) call.FailIo("cannot be measured");
  const std::uint64_t size = VSIFTellL(file);
  if (size >= kNoFileSize) call.FailIo("is not a file");
  if (size > max_size) {
    call.Fail(zarr::ErrorKind::kLimitExceeded,
              zarr::FormatExpectedGot("at most " + std::to_string(max_size) + " bytes", std::to_string(size)));
  }
  return size;
}

void VsiStore::ReadAt(const Call& call, VSILFILE* file, std::uint64_t offset, zarr::MutableByteSpan buffer) const {
  if (buffer.empty()) return;
  if (VSIFSeekL(file, offset, SEEK_SET) != 0) call.FailIo("cannot be read from byte " + std::to_string(offset));
  const std::size_t got = VSIFReadL(buffer.data(), 1, buffer.size(), file);
  if (got != buffer.size()) {
    call.FailIo("only " + std::to_string(got) + " of " + std::to_string(buffer.size()) + " bytes could be read");
  }
}

bool VsiStore::ReadStamp(const Call& call, zarr::VersionStamp* stamp) const {
  VSIStatBufL status;
  *stamp = {};
  stamp->settled = false;
  if (VSIStatExL(call.path(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG | VSI_STAT_SIZE_FLAG) != 0 ||
      VSI_ISDIR(status.st_mode)) {
    return false;
  }
  if (kind_ == Kind::kLocal) {
    *stamp = zarr::MakeFileStamp(status);
  } else {
    const std::int64_t time{status.st_mtime};
    const std::int64_t age = std::time(nullptr) - time;
    stamp->size = status.st_size;
    stamp->time = time;
    // Archives give times of their members, and a new archive may have the same times.
    stamp->settled = kind_ == Kind::kNetwork ? time != 0 && age > kSettledOnNetwork
                                             : root_.starts_with(kMemoryPrefix) && age > kSettledInMemory;
  }
  if (call.version() > 0) stamp->tag += " " + std::to_string(call.version());
  return true;
}

void VsiStore::CheckOpens(const Call& call) const {
  if (!remote_ && IsSpecialFile(call.path())) {
    call.Fail(zarr::ErrorKind::kIo, zarr::FormatExpectedGot("a file", "something else"));
  }
}

VsiStore::File VsiStore::Open(const Call& call, zarr::VersionStamp* stamp) const {
  CheckOpens(call);
  // On a network, opening asks the server, and the stamp then costs no request. So opening comes first there.
  if (stamp && kind_ != Kind::kNetwork) ReadStamp(call, stamp);
  File file = Open(call);
  if (stamp && file && kind_ == Kind::kNetwork) ReadStamp(call, stamp);
  return file;
}

std::optional<HttpAddress> VsiStore::MakeAddress(std::string_view key) const {
  if (!on_web_) return std::nullopt;
  auto url = MakeValueUrl(root_, key, query_);
  if (!url) {
    on_web_ = false;
    return std::nullopt;
  }
  const std::string path = MakePath(key);
  return HttpAddress{root_, std::string(key), path, std::move(*url), ReadHttpSettings(path), log_.get()};
}

template <typename Use>
std::optional<bool> VsiStore::ReadFromWeb(std::string_view key, zarr::VersionStamp* stamp, const Use& use) const {
  if (!on_web_) return std::nullopt;
  const std::uint64_t version = GetVersion(MakePath(key));
  const ErrorCollector quiet;
  auto address = MakeAddress(key);
  if (!address) return std::nullopt;
  try {
    const bool found = use(HttpValue(*CurlLibrary::Get(), std::move(*address)));
    if (found && stamp && version > 0) stamp->tag += " " + std::to_string(version);
    return found;
  } catch (const NeedsGdal&) {
    on_web_ = false;
    return std::nullopt;
  }
}

std::uint64_t VsiStore::CountWrites(std::string_view key) const {
  return GetVersion(MakePath(key));
}

std::vector<FetchedValue> VsiStore::FetchTogether(std::span<const WantedKey> keys) const {
  const ErrorCollector quiet;
  std::vector<EarlyValue> wanted;
  std::vector<std::uint64_t> writes;
  for (const WantedKey& key : keys) {
    writes.push_back(CountWrites(key.key));
    auto address = MakeAddress(key.key);
    if (!address) return std::vector<FetchedValue>(keys.size());
    wanted.push_back({std::move(*address), key.max_size, key.known_tag});
  }
  std::vector<FetchedValue> values = gdal_zarr::FetchTogether(*CurlLibrary::Get(), wanted);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i].writes = writes[i];
    if (writes[i] > 0) values[i].stamp.tag += " " + std::to_string(writes[i]);
  }
  return values;
}

bool VsiStore::Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const {
  zarr::CheckKey(key);
  const auto use = [&](const HttpValue& on_web) { return on_web.Get(value, stamp, max_size); };
  if (const auto found = ReadFromWeb(key, stamp, use)) return *found;
  const Call call(*this, key);
  const File file = Open(call, stamp);
  if (!file) return false;
  value->resize(GetSize(call, file.get(), max_size));
  if (stamp) stamp->size = value->size();
  ReadAt(call, file.get(), 0, {value->data(), value->size()});
  log_->CountValue(value->size());
  return true;
}

bool VsiStore::GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                         std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const {
  zarr::CheckKey(key);
  const auto use = [&](const HttpValue& on_web) { return on_web.GetRanges(ranges, buffers, stamp); };
  if (const auto found = ReadFromWeb(key, stamp, use)) return *found;
  const Call call(*this, key);
  const File file = Open(call, stamp);
  if (!file) return false;
  const std::uint64_t size = GetSize(call, file.get(), UINT64_MAX);
  if (stamp) stamp->size = size;
  std::vector<void*> data;
  std::vector<vsi_l_offset> offsets;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].offset > size || buffers[i].size() > size - ranges[i].offset) {
      call.Fail(zarr::ErrorKind::kCorrupt, "bytes " + std::to_string(ranges[i].offset) + " + " +
                                               std::to_string(buffers[i].size()) + " of a value of " +
                                               std::to_string(size) + " bytes");
    }
    if (buffers[i].empty()) continue;
    data.push_back(buffers[i].data());
    offsets.push_back(ranges[i].offset);
    sizes.push_back(buffers[i].size());
  }
  for (std::size_t first = 0; first < data.size(); first += kRangesPerRequest) {
    const int count = static_cast<int>(std::min(kRangesPerRequest, data.size() - first));
    if (VSIFReadMultiRangeL(count, &data[first], &offsets[first], &sizes[first], file.get()) != 0) {
      call.FailIo(std::to_string(count) + " byte ranges could not be read");
    }
  }
  log_->CountValue(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  return true;
}

bool VsiStore::GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                         zarr::VersionStamp* stamp) const {
  zarr::CheckKey(key);
  const auto use = [&](const HttpValue& on_web) { return on_web.GetSuffix(length, value, stamp); };
  if (const auto found = ReadFromWeb(key, stamp, use)) return *found;
  const Call call(*this, key);
  const File file = Open(call, stamp);
  if (!file) return false;
  const std::uint64_t size = GetSize(call, file.get(), UINT64_MAX);
  if (stamp) stamp->size = size;
  value->resize(std::min(size, length));
  ReadAt(call, file.get(), size - value->size(), {value->data(), value->size()});
  log_->CountValue(value->size());
  return true;
}

bool VsiStore::GetStamp(std::string_view key, zarr::VersionStamp* stamp) const {
  zarr::CheckKey(key);
  const auto use = [&](const HttpValue& on_web) { return on_web.GetStamp(stamp); };
  if (const auto found = ReadFromWeb(key, stamp, use)) return *found;
  const Call call(*this, key);
  CheckOpens(call);
  if (kind_ != Kind::kNetwork && ReadStamp(call, stamp)) return true;
  const File file = Open(call, stamp);
  if (!file) return false;
  stamp->size = GetSize(call, file.get(), UINT64_MAX);
  return true;
}

bool VsiStore::NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const {
  if (!remote_) return false;
  const ErrorCollector quiet;
  const std::string path = FindNetworkPart(MakePath(key));
  const auto address = MakeAddress(key);
  if (!address) VSICurlPartialClearCache(path.c_str());
  if (WaitForRetry(ReadHttpSettings(path).retry, times)) {
    log_->CountRetries(1);
    return true;
  }
  const std::string origin = address ? FormatOrigin(*address, status) : "for " + path;
  const std::string url = origin.substr(origin.find("for "));
  if (error->message().find(url) == std::string::npos) *error = error->With(origin);
  return false;
}

bool VsiStore::Exists(std::string_view key) const {
  zarr::CheckKey(key);
  zarr::VersionStamp unused;
  const auto use = [&](const HttpValue& on_web) { return on_web.GetStamp(&unused); };
  if (const auto found = ReadFromWeb(key, nullptr, use)) return *found;
  const Call call(*this, key);
  if (kind_ == Kind::kNetwork) return Open(call) != nullptr;
  CheckOpens(call);
  VSIStatBufL status;
  errno = 0;
  if (VSIStatExL(call.path(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0) {
    return !VSI_ISDIR(status.st_mode);
  }
  const int error_number = errno;
  if (IsAbsent(call, error_number)) return false;
  call.FailIo(kind_ == Kind::kLocal ? std::string("cannot be looked at: ") + VSIStrerror(error_number)
                                    : "cannot be looked at");
}

}  // namespace gdal_zarr
