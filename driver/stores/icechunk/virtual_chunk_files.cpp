// SPDX-License-Identifier: MIT
#include "driver/stores/icechunk/virtual_chunk_files.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "driver/stores/http/object_url.h"
#include "driver/stores/icechunk/container_settings.h"
#include "driver/stores/network_settings.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

/// Returns the path of an object in a folder, whose query, if it is a URL, remains at the end.
std::string MakeObjectPath(const std::string& folder, std::string_view key) {
  const std::size_t end = folder.starts_with("/vsicurl/http") ? folder.find('?') : folder.npos;
  const std::string query = end == folder.npos ? "" : folder.substr(end);
  return folder.substr(0, end) + "/" + std::string(key) + query;
}

/// Returns the URL of an object with its key as it is. In the URLs of references, characters such as "?" are encoded;
/// GDAL's paths of object stores and files have none that are.
std::string DecodeKey(std::string_view url) {
  return DecodeUrl(url.substr(0, url.find_first_of("?#")));
}

bool IsUrlOfServer(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://") || url.starts_with("ftp://");
}

}  // namespace

VirtualChunkFiles::VirtualChunkFiles(std::string folder, std::shared_ptr<RequestLog> log,
                                     std::function<std::vector<zarr::Container>()> read_containers)
    : folder_(std::move(folder)),
      targets_(MakeObjectPath(folder_, "repo")),
      log_(std::move(log)),
      read_containers_(std::move(read_containers)) {}

/// Returns the container with the longest URL that the given one begins with, or null.
const zarr::Container* VirtualChunkFiles::FindContainer(const std::string& url) const {
  if (IsUrlOfServer(url) || url.starts_with("file://")) return nullptr;  // no setting is used for them
  read_.Run([this] { containers_ = read_containers_(); });
  const zarr::Container* found = nullptr;
  for (const zarr::Container& container : containers_) {
    if (url.starts_with(container.url) && (!found || container.url.size() > found->url.size())) found = &container;
  }
  return found;
}

zarr::VirtualFiles::File VirtualChunkFiles::Find(const std::string& url) const {
  if (url.find("://") == std::string::npos) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      zarr::FormatExpectedGot("the URL of a file with virtual chunks", zarr::QuoteKey(url)));
  }
  File file;
  file.path = targets_.GetPath(IsUrlOfServer(url) ? url : DecodeKey(url));
  if (const zarr::Container* const container = FindContainer(url)) {
    file.path = MakeContainedPath(*container, file.path, url);
  }
  const FolderAndName place = SplitPath(file.path);
  file.store = std::make_shared<VsiStore>(place.folder, log_, KeyForm::kOfUrl);
  file.key = place.name;
  file.has_etags = IsWebPath(file.path);
  file.ticks_per_second = kNanoseconds;
  return file;
}

std::string VirtualChunkFiles::GetPath(const std::string& key) const {
  return MakeObjectPath(folder_, key);
}

std::string VirtualChunkFiles::GetSettings(const std::string& url) const {
  try {
    const std::string path = targets_.GetPath(url);
    return LeadsToNetwork(path) ? MakeDigestOfSettings(FindNetworkPart(path)) : "";
  } catch (const zarr::Error&) {
    return "";  // reported when a chunk is read
  }
}

std::size_t VirtualChunkFiles::concurrency() const {
  return kNetworkConcurrency;
}

}  // namespace gdal_zarr
