#include "driver/vsi_store.h"

#include <cpl_vsi_error.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "driver/vsi_store_call.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kNetworkConcurrency = 32;
constexpr std::size_t kRangesPerRequest = 4096;
/// What seeking to the end of a folder gives.
constexpr std::uint64_t kNoFileSize = std::uint64_t{1} << 62;

bool IsNetwork(const std::string& path) {
  return path.starts_with("/vsi") && !VSIIsLocal(path.c_str());
}

/// Whether a path, or one that an archive's path has in it, is behind a network.
bool LeadsToNetwork(const std::string& path) {
  for (std::size_t at = path.find("/vsi"); at != std::string::npos; at = path.find("/vsi", at + 1)) {
    if (IsNetwork(path.substr(at))) return true;
  }
  return false;
}

/// GDAL tells the nature of a symbolic link itself, not that of what it leads to.
bool IsFolder(const VSIDIREntry& entry, const std::string& parent, const std::string& name) {
  if (VSI_ISDIR(entry.nMode)) return true;
  if (VSI_ISREG(entry.nMode)) return false;
  VSIStatBufL status;
  return VSIStatExL((parent + "/" + name).c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         VSI_ISDIR(status.st_mode);
}

}  // namespace

VsiStore::VsiStore(std::string root) : root_(std::move(root)) {
  kind_ = IsNetwork(root_) ? Kind::kNetwork : root_.starts_with("/vsi") ? Kind::kVirtual : Kind::kLocal;
  remote_ = kind_ == Kind::kNetwork || (kind_ == Kind::kVirtual && LeadsToNetwork(root_));
  can_list_ = kind_ != Kind::kNetwork;
  const std::size_t query = root_.find('?');
  if (root_.starts_with("/vsicurl/http") && query != std::string::npos) {
    query_ = root_.substr(query);
    root_.resize(query);
  }
}

zarr::StoreCapabilities VsiStore::capabilities() const {
  zarr::StoreCapabilities result;
  result.list = can_list_;
  result.ranges = true;
  result.write = takes_writes();
  result.can_rewrite = result.write;
  result.replace_atomic = result.write;
  result.concurrency = remote_ ? kNetworkConcurrency : 0;
  return result;
}

std::string VsiStore::PathOf(std::string_view key) const {
  std::string path = root_;
  if (!key.empty()) {
    if (!path.ends_with('/')) path += '/';
    path += key;
  }
  return path + query_;
}

/// Releases of GDAL up to 3.6 at least remember that a file could not be opened, but not why; they are asked anew.
VSILFILE* VsiStore::OpenRemote(const Call& call) const {
  VSILFILE* file = VSIFOpenExL(call.path(), "rb", TRUE);
  if (file || VSIGetLastErrorNo() != VSIE_None) return file;
  VSICurlPartialClearCache(call.path());
  VSIErrorReset();
  return VSIFOpenExL(call.path(), "rb", TRUE);
}

bool VsiStore::IsAbsent(const Call& call, int error_number) const {
  switch (kind_) {
    case Kind::kLocal:
      return error_number == ENOENT || error_number == ENOTDIR;
    case Kind::kVirtual: {
      // An entry that is listed, but cannot be opened, is not absent.
      VSIStatBufL status;
      return !call.errors().failed() &&
             (VSIStatExL(call.path(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) != 0 ||
              VSI_ISDIR(status.st_mode));
    }
    case Kind::kNetwork:
      return VSIGetLastErrorNo() == VSIE_AWSObjectNotFound ||
             (VSIGetLastErrorNo() == VSIE_HttpError &&
              std::string_view(VSIGetLastErrorMsg()).starts_with("HTTP response code: 404"));
  }
  return false;
}

/// Null if the file is absent.
VsiStore::File VsiStore::Open(const Call& call) const {
  errno = 0;
  File file(kind_ == Kind::kNetwork ? OpenRemote(call) : VSIFOpenExL(call.path(), "rb", TRUE));
  const int error_number = errno;
  if (file || IsAbsent(call, error_number)) return file;
  if (call.errors().Text().empty()) call.FailIo("cannot be opened, and GDAL gives no reason");
  // The next attempt shall ask the server again, and not be told what went wrong with this one.
  if (kind_ == Kind::kNetwork) VSICurlPartialClearCache(call.path());
  call.FailIo("cannot be opened");
}

std::uint64_t VsiStore::SizeOf(const Call& call, VSILFILE* file, std::uint64_t max_size) const {
  if (VSIFSeekL(file, 0, SEEK_END) != 0) call.FailIo("its size cannot be found out");
  const std::uint64_t size = VSIFTellL(file);
  if (size >= kNoFileSize) call.FailIo("is no file");
  if (size > max_size) {
    call.Fail(zarr::ErrorKind::kLimitExceeded,
              zarr::ExpectedGot("at most " + std::to_string(max_size) + " bytes", std::to_string(size)));
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

void VsiStore::Stamp(const Call& call, std::uint64_t size, zarr::VersionStamp* stamp) const {
  if (!stamp) return;
  *stamp = {};
  stamp->size = size;
  VSIStatBufL status;
  if (VSIStatExL(call.path(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG | VSI_STAT_SIZE_FLAG) != 0) return;
  stamp->time = std::int64_t{status.st_mtime};
  if (kind_ == Kind::kLocal) {
    stamp->time = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  }
}

bool VsiStore::Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const {
  zarr::CheckKey(key);
  const Call call(*this, key);
  const File file = Open(call);
  if (!file) return false;
  value->resize(SizeOf(call, file.get(), max_size));
  ReadAt(call, file.get(), 0, {value->data(), value->size()});
  Stamp(call, value->size(), stamp);
  return true;
}

bool VsiStore::GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                         std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const {
  zarr::CheckKey(key);
  const Call call(*this, key);
  const File file = Open(call);
  if (!file) return false;
  const std::uint64_t size = SizeOf(call, file.get(), UINT64_MAX);
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
  Stamp(call, size, stamp);
  return true;
}

bool VsiStore::GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                         zarr::VersionStamp* stamp) const {
  zarr::CheckKey(key);
  const Call call(*this, key);
  const File file = Open(call);
  if (!file) return false;
  const std::uint64_t size = SizeOf(call, file.get(), UINT64_MAX);
  value->resize(std::min(size, length));
  ReadAt(call, file.get(), size - value->size(), {value->data(), value->size()});
  Stamp(call, size, stamp);
  return true;
}

bool VsiStore::Exists(std::string_view key) const {
  zarr::CheckKey(key);
  const Call call(*this, key);
  if (kind_ == Kind::kNetwork) return Open(call) != nullptr;
  VSIStatBufL status;
  errno = 0;
  if (VSIStatExL(call.path(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0) {
    return !VSI_ISDIR(status.st_mode);
  }
  const int error_number = errno;
  if (kind_ == Kind::kLocal && error_number != ENOENT && error_number != ENOTDIR) {
    call.FailIo(std::string("cannot be looked at: ") + VSIStrerror(error_number));
  }
  return false;
}

std::optional<zarr::Store::Listing> VsiStore::List(std::string_view prefix) const {
  const std::string_view folder = prefix.ends_with('/') ? prefix.substr(0, prefix.size() - 1) : prefix;
  if (!folder.empty()) zarr::CheckKey(folder);
  const Call call(*this, folder);
  static const char* const kOptions[] = {"NAME_AND_TYPE_ONLY=YES", nullptr};
  errno = 0;
  const std::unique_ptr<VSIDIR, decltype(&VSICloseDir)> dir(VSIOpenDir(call.path(), 0, kOptions), VSICloseDir);
  const int error_number = errno;
  if (!dir) {
    if (kind_ == Kind::kNetwork) return std::nullopt;
    if (kind_ == Kind::kLocal && error_number != ENOENT && error_number != ENOTDIR) call.FailIo("cannot be listed");
    return Listing{};
  }
  Listing listing;
  while (const VSIDIREntry* entry = VSIGetNextDirEntry(dir.get())) {
    std::string name = entry->pszName;
    while (name.ends_with('/')) name.pop_back();
    if (name.empty() || name == "." || name == ".." || name.starts_with(".zarr-tmp-")) continue;
    (IsFolder(*entry, call.path(), name) ? listing.prefixes : listing.keys).push_back(std::move(name));
  }
  if (kind_ == Kind::kNetwork && call.errors().failed()) return std::nullopt;
  can_list_ = true;
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

}  // namespace gdal_zarr
