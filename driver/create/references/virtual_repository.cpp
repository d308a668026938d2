// SPDX-License-Identifier: MIT
#include "driver/create/references/virtual_repository.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "driver/stores/icechunk/container_settings.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/kerchunk/reference_target.h"
#include "driver/stores/request_log.h"
#include "driver/stores/store_factory.h"
#include "zarrlib/base/error.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kRootFolder = "file:///";

/// Returns a path without "..", of which the URLs of containers must not have any.
std::string FollowPath(const std::string& path) {
  if (path.find("..") == path.npos) return path;
  std::error_code ignored;
  const std::filesystem::path followed = std::filesystem::weakly_canonical(zarr::ToPath(path), ignored);
  return followed.empty() ? path : zarr::ToText(followed);
}

bool IsPlain(char character) {
  constexpr std::string_view kMarks = "-._~/!$&'()*+,;=:@";
  const bool is_letter = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
  return is_letter || (character >= '0' && character <= '9') || kMarks.find(character) != kMarks.npos;
}

/// Percent-encodes what a path of a URL cannot have.
std::string EncodePath(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char character : path) {
    if (IsPlain(character)) {
      encoded += character;
      continue;
    }
    const auto byte = static_cast<unsigned char>(character);
    encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return encoded;
}

/// Returns what the URLs of two folders have in common, up to a slash.
std::string GetCommonFolder(const std::string& a, const std::string& b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  const std::string common(a.begin(), end);
  return common.substr(0, common.rfind('/') + 1);  // npos + 1 is 0
}

/// Returns the URL of a file, given by its path for GDAL.
std::string MakeUrl(const std::string& path) {
  std::string url = MakeReferenceUrl(path);
  if (url.starts_with("/vsi")) return url;
  if (url.starts_with('/')) return "file://" + EncodePath(FollowPath(url));
  if (url.starts_with("http")) return url;
  const std::size_t begin = url.find("://") + 3;
  return url.substr(0, begin) + EncodePath(std::string_view(url).substr(begin));
}

}  // namespace

VirtualRepository::VirtualRepository(const std::string& path, const CommitNote& commit)
    : output_(path, std::string(zarr::kIcechunkRepoInfo)),
      repository_(MakeStore(output_.path()), {"main", std::nullopt, 2, commit.message, commit.author}),
      files_(path, std::make_shared<RequestLog>(path)) {
  MakeRepositoryFolder(path, false);  // checks that there can be one
}

void VirtualRepository::PutDocument(const std::string& key, std::string_view json) {
  const std::size_t size = key.size() - std::min(key.size(), zarr::kV3Document.size());
  repository_.AddNode(key.substr(0, size - (size == 0 ? 0 : 1)), json);
}

void VirtualRepository::BeginArray(const std::string& path, const zarr::ArrayMetadata& /*metadata*/) {
  repository_.BeginArray(path);
}

/// Returns a reference to a file, without a range.
const zarr::ChunkRef& VirtualRepository::FindFile(const std::string& path) {
  const auto [entry, is_new] = refs_.try_emplace(path);
  zarr::ChunkRef& ref = entry->second;
  if (!is_new) return ref;
  ref.kind = zarr::ChunkRef::Kind::kVirtual;
  ref.location = MakeUrl(path);
  AddContainer(MakeContainer(path, ref.location));
  const zarr::VirtualFiles::File file = files_.Find(ref.location);
  zarr::VersionStamp stamp;
  if (!file.store->GetStamp(file.key, &stamp)) {
    throw zarr::Error(zarr::ErrorKind::kIo, path, "", "", "there is no such file");
  }
  if (file.has_etags) ref.etag = stamp.tag;
  const std::int64_t ticks = file.ticks_per_second;
  // Readers compare with the whole time of modification, so that parts of seconds must be rounded up.
  if (ref.etag.empty() && ticks > 0 && stamp.time > 0)
    ref.last_modified = static_cast<std::uint32_t>((stamp.time + ticks - 1) / ticks);
  return ref;
}

/// Adds a container. Folders on a disk become the one around all of them, because readers must be allowed each; only
/// the root folder would allow too much.
void VirtualRepository::AddContainer(zarr::Container container) {
  for (zarr::Container& other : containers_) {
    const std::string common = GetCommonFolder(other.url, container.url);
    const bool is_local = container.kind == "local_file_system" && other.kind == container.kind;
    if (common != container.url && !(is_local && common.size() > kRootFolder.size())) continue;
    other.url = common;
    return;
  }
  containers_.push_back(std::move(container));
}

void VirtualRepository::PutChunk(const zarr::Shape& index, const SourceBlock& block) {
  std::vector<std::uint32_t> coordinates;
  for (const std::uint64_t coordinate : index) coordinates.push_back(static_cast<std::uint32_t>(coordinate));
  if (block.bytes) return repository_.AddChunk(coordinates, zarr::AsBytes(*block.bytes));
  zarr::ChunkRef ref = FindFile(block.path);
  ref.offset = block.offset;
  ref.length = block.length;
  repository_.AddChunk(coordinates, ref);
}

void VirtualRepository::Finish() {
  repository_.Commit(containers_);
  output_.PutInPlace();
}

}  // namespace gdal_zarr
