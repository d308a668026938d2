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
#include "driver/stores/vsi/vsi_conditions.h"
#include "driver/stores/vsi/vsi_store_call.h"
#include "zarrlib/base/system/file_names.h"
#include "zarrlib/store/files/file_stamp.h"
#include "zarrlib/store/files/paths.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kRangesPerRequest = 4096;
/// Seeking to the end of a folder returns at least this position.
constexpr std::uint64_t kNoFileSize = std::uint64_t{1} << 62;
constexpr std::string_view kMemoryPrefix = "/vsimem/";
constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
/// Seconds after which another change of a file is sure to change its time. A server's times come from another
/// machine's clock, hence the longer time there.
constexpr std::int64_t kSettledInMemory = 2;
constexpr std::int64_t kSettledOnNetwork = 60;

/// Normalizes a path in memory like GDAL.
std::string NormalizeMemoryPath(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  const auto repeats_slash = [](char a, char b) { return a == '/' && b == '/'; };
  path.erase(std::unique(path.begin(), path.end(), repeats_slash), path.end());
  if (path.ends_with('/')) path.pop_back();
  return path;
}

/// Returns the part of a path before the query of a URL.
std::string WithoutQuery(const std::string& root) {
  return root.starts_with("/vsicurl/http") ? root.substr(0, root.find('?')) : root;
}

}  // namespace

bool LeadsToNetwork(const std::string& path) {
  return !FindNetworkPart(path).empty();
}

VsiStore::VsiStore(const std::string& root, std::shared_ptr<RequestLog> log, KeyForm form)
    : Store(WithoutQuery(root)),
      root_(name()),
      log_(log ? std::move(log) : std::make_shared<RequestLog>(root)),
      query_(root.substr(root_.size())),
      form_(form) {
  const bool is_virtual = root_.starts_with("/vsi");
  kind_ = !is_virtual ? Kind::kLocal : VSIIsLocal(root_.c_str()) ? Kind::kVirtual : Kind::kNetwork;
  remote_ = kind_ == Kind::kNetwork || (kind_ == Kind::kVirtual && LeadsToNetwork(root_));
  on_web_ = kind_ == Kind::kNetwork && IsWebPath(root_) && CurlLibrary::Get() && UsesOwnRequests();
  can_list_ = kind_ != Kind::kNetwork;
  has_two_slashes_ = root_.starts_with(kMemoryPrefix);
  writing_ = FindWriting(root_);
}

const VsiStore::Identity& VsiStore::GetIdentity() const {
  identity_once_.Run([this] {
    Identity identity;
    if (kind_ == Kind::kLocal) {
      identity.name = zarr::GetCanonicalPath(root_);
    } else if (root_.starts_with(kMemoryPrefix)) {
      identity.name = NormalizeMemoryPath(root_);
    } else {
      // The key of /vsicrypt/ affects the content, too.
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

zarr::StoreInfo VsiStore::info() const {
  return {.lists = can_list_,
          .writes = writing_ != Writing::kNone,
          .concurrency = !remote_  ? 0
                         : on_web_ ? GetMostRequests(root_)
                                   : kNetworkConcurrency};
}

std::optional<zarr::RequestCounts> VsiStore::counts() const {
  return remote_ ? std::optional(log_->counts()) : std::nullopt;
}

VsiStore::Writing VsiStore::FindWriting(const std::string& root) {
  const std::string file = root + "/x";
  if (root.starts_with("/vsizip/")) return Writing::kNone;
  if (!root.starts_with("/vsi") || VSISupportsRandomWrite(file.c_str(), FALSE)) return Writing::kRename;
  return VSISupportsSequentialWrite(file.c_str(), FALSE) ? Writing::kInPlace : Writing::kNone;
}

std::string VsiStore::MakePath(std::string_view key) const {
  return (key.empty() ? root_ : MakeValuePath(root_, key, form_)) + query_;
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
  // Makes the next attempt send a request again: GDAL has cached the failure.
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
    const auto file = zarr::GetStatus(call.path(), zarr::Links::kFollow);
    if (!file) return false;
    *stamp = zarr::MakeFileStamp(*file);
  } else {
    const std::int64_t time{status.st_mtime};
    const std::int64_t age = std::time(nullptr) - time;
    stamp->size = status.st_size;
    stamp->time = time * kNanosecondsPerSecond;
    // Archives contain the times of their members, and a new archive may have the same times.
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
  // In a remote store, opening sends a request, and the stamp is then free. Therefore the file is opened first there.
  if (stamp && kind_ != Kind::kNetwork) ReadStamp(call, stamp);
  File file = Open(call);
  if (stamp && file && kind_ == Kind::kNetwork) ReadStamp(call, stamp);
  return file;
}

std::optional<HttpAddress> VsiStore::MakeAddress(std::string_view key) const {
  if (!on_web_) return std::nullopt;
  auto url = MakeValueUrl(root_, key, query_, form_);
  if (!url) {
    on_web_ = false;
    return std::nullopt;
  }
  const std::string path = MakePath(key);
  return HttpAddress{root_, std::string(key), path, std::move(*url), ReadHttpSettings(path), log_.get()};
}

std::optional<bool> VsiStore::ReadFromWeb(const zarr::ReadRequest& request) const {
  if (!on_web_) return std::nullopt;
  const std::uint64_t version = GetVersion(MakePath(request.key));
  const ErrorCollector quiet;
  auto address = MakeAddress(request.key);
  if (!address) return std::nullopt;
  try {
    const bool found = HttpValue(*CurlLibrary::Get(), std::move(*address)).Read(request);
    if (found && request.stamp && version > 0) request.stamp->tag += " " + std::to_string(version);
    return found;
  } catch (const NeedsGdal&) {
    on_web_ = false;
    return std::nullopt;
  }
}

std::uint64_t VsiStore::CountWrites(std::string_view key) const {
  return GetVersion(MakePath(key));
}

std::optional<std::vector<zarr::EarlyAnswer>> VsiStore::ReadEarly(std::span<const zarr::EarlyRequest> requests) const {
  if (!on_web_) return std::nullopt;
  const ErrorCollector quiet;
  std::vector<EarlyValue> wanted;
  std::vector<std::uint64_t> writes;
  for (const zarr::EarlyRequest& request : requests) {
    writes.push_back(CountWrites(request.key));
    auto address = MakeAddress(request.key);
    if (!address) return std::nullopt;
    wanted.push_back({std::move(*address), request.max_size, request.known_tag});
  }
  std::vector<zarr::EarlyAnswer> answers = FetchTogether(*CurlLibrary::Get(), wanted);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].writes = writes[i];
    if (writes[i] > 0) answers[i].stamp.tag += " " + std::to_string(writes[i]);
  }
  return answers;
}

bool VsiStore::Read(const zarr::ReadRequest& request) const {
  zarr::CheckKey(request.key);
  if (IsImpossible(request.key)) return false;
  if (const auto found = ReadFromWeb(request)) return *found;
  const Call call(*this, request.key);
  const bool may_be_replaced = request.stamp && request.freshness == zarr::Freshness::kNow;
  return may_be_replaced && TakesConditions(root_) ? ReadForCondition(call, request) : ReadByGdal(call, request);
}

bool VsiStore::ReadByGdal(const Call& call, const zarr::ReadRequest& request) const {
  using Part = zarr::ReadRequest::Part;
  if (request.part == Part::kPresence) return LookForValue(call);
  zarr::VersionStamp unused;
  return request.part == Part::kStamp ? ReadStampOf(call, request.stamp ? request.stamp : &unused)
                                      : ReadFile(call, request);
}

bool VsiStore::ReadFile(const Call& call, const zarr::ReadRequest& request) const {
  const File file = Open(call, request.stamp);
  if (!file) return false;
  const bool is_whole = request.part == zarr::ReadRequest::Part::kWhole && !zarr::IsForPrefix(request);
  const std::uint64_t size = GetSize(call, file.get(), is_whole ? request.max_size : UINT64_MAX);
  if (request.stamp) request.stamp->size = size;
  for (const auto& [offset, length] : request.ranges) {
    if (offset <= size && length <= size - offset) continue;
    call.Fail(zarr::ErrorKind::kCorrupt, "bytes " + std::to_string(offset) + " + " + std::to_string(length) +
                                             " of a value of " + std::to_string(size) + " bytes");
  }
  ReadRanges(call, file.get(), zarr::WantedRanges(request, size));
  return true;
}

void VsiStore::ReadRanges(const Call& call, VSILFILE* file, const zarr::WantedRanges& wanted) const {
  std::vector<void*> data;
  std::vector<vsi_l_offset> offsets;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < wanted.ranges().size(); ++i) {
    if (wanted.buffers()[i].empty()) continue;
    data.push_back(wanted.buffers()[i].data());
    offsets.push_back(wanted.ranges()[i].offset);
    sizes.push_back(wanted.buffers()[i].size());
  }
  if (data.size() == 1) ReadAt(call, file, offsets[0], {static_cast<std::byte*>(data[0]), sizes[0]});
  for (std::size_t first = 0; data.size() > 1 && first < data.size(); first += kRangesPerRequest) {
    const int count = static_cast<int>(std::min(kRangesPerRequest, data.size() - first));
    if (VSIFReadMultiRangeL(count, &data[first], &offsets[first], &sizes[first], file) != 0) {
      call.FailIo(std::to_string(count) + " byte ranges could not be read");
    }
  }
  log_->CountValue(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
}

bool VsiStore::ReadStampOf(const Call& call, zarr::VersionStamp* stamp) const {
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

bool VsiStore::LookForValue(const Call& call) const {
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
