// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/snapshot_chunks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/wanted_ranges.h"

namespace zarr {
namespace {

/// Memory for a longer value is allocated only after its file has been found to be that long.
constexpr std::uint64_t kTrustedLength = 16 << 20;
constexpr std::string_view kContainerScheme = "vcc://";

bool Contains(const ManifestRef& manifest, ChunkCoordinates coordinates) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto [from, to] = manifest.extents[i];
    if (coordinates[i] < from || coordinates[i] >= to) return false;
  }
  return true;
}

/// Returns the part of an entity tag that is compared: writers store it with or without quotes.
std::string_view GetOpaqueTag(std::string_view tag) {
  tag = tag.substr(0, tag.find(' '));
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  if (tag.starts_with('"')) tag.remove_prefix(1);
  if (tag.ends_with('"')) tag.remove_suffix(1);
  return tag;
}

/// Throws Error(io) if a file was changed after a reference to it was made.
void CheckUnchanged(const ChunkRef& ref, const VirtualFiles::File& file, const VersionStamp& stamp) {
  const auto fail = [](const std::string& expected, const std::string& got) {
    throw Error(ErrorKind::kIo,
                FormatExpectedGot(expected, got) + "; the file was changed after the reference to it was made");
  };
  const bool has_tag = file.has_etags && !stamp.tag.empty() && !ref.etag.empty();
  if (has_tag && GetOpaqueTag(stamp.tag) != GetOpaqueTag(ref.etag)) fail("the ETag " + ref.etag, stamp.tag);
  if (ref.last_modified == 0 || file.ticks_per_second == 0 || stamp.time == 0) return;
  const std::int64_t seconds = stamp.time / file.ticks_per_second;
  if (seconds <= std::int64_t{ref.last_modified}) return;
  fail("a modification not after second " + std::to_string(ref.last_modified), "second " + std::to_string(seconds));
}

/// Returns the stamp of a chunk in a file that has the given stamp.
VersionStamp MakeStamp(const ChunkRef& ref, const VirtualFiles::File& file, VersionStamp stamp) {
  stamp.size = ref.length;
  stamp.tag += "@" + std::to_string(ref.offset) + " of " + file.path;
  return stamp;
}

/// Reads the bytes of a request, of which the value has `length` from `offset` in a file. Returns false if there is no
/// such file. If `stamp` is given, it is that of the file.
bool ReadFromFile(const ReadRequest& request, const ChunkRef& ref, const Store& store, const std::string& key,
                  VersionStamp* stamp) {
  using Part = ReadRequest::Part;
  if (request.part == Part::kStamp) return store.GetStamp(key, stamp);
  const bool is_trusted = ref.length <= kTrustedLength || store.info().is_on_network() || request.part == Part::kRanges;
  if (VersionStamp whole; !is_trusted && ref.length <= request.max_size) {
    if (!store.GetStamp(key, &whole)) return false;
    if (whole.size < ref.offset + ref.length) {
      throw Error(ErrorKind::kCorrupt, "bytes " + std::to_string(ref.offset) + " + " + std::to_string(ref.length) +
                                           " of a file of " + std::to_string(whole.size) + " bytes");
    }
  }
  const WantedRanges wanted(request, ref.length);
  std::vector<ByteRange> shifted(wanted.ranges().begin(), wanted.ranges().end());
  for (ByteRange& range : shifted) range.offset += ref.offset;
  return store.GetRanges(key, shifted, wanted.buffers(), stamp);
}

}  // namespace

std::string MakeChunkFileKey(const ObjectId& file) {
  return "chunks/" + FormatObjectId(file);
}

void ReadFromMemory(const ReadRequest& request, ByteSpan value, std::string tag) {
  const WantedRanges wanted(request, value.size());
  for (std::size_t i = 0; i < wanted.ranges().size(); ++i) {
    const auto [offset, length] = wanted.ranges()[i];
    std::copy_n(value.data() + offset, length, wanted.buffers()[i].data());
  }
  if (request.stamp) *request.stamp = {value.size(), 0, std::move(tag)};
}

SnapshotChunks::SnapshotChunks(std::string name, std::shared_ptr<const Repository> repository, ChunkOptions options)
    : name_(std::move(name)),
      repository_(std::move(repository)),
      options_(std::move(options)),
      manifests_({repository_, &repository_->folder()}) {}

std::string SnapshotChunks::GetSettings() const {
  std::string settings = options_.check_files ? "" : "unchecked";
  if (!options_.files || !repository_->info()) return settings;
  for (const auto& container : repository_->info()->containers) {
    settings += "," + options_.files->GetSettings(container.url);
  }
  return settings;
}

std::size_t SnapshotChunks::concurrency() const {
  const std::size_t concurrency = repository_->folder().info().concurrency;
  const auto is_remote = [](const Container& container) { return !container.url.starts_with("file:"); };
  const bool has_remote = repository_->info() && std::ranges::any_of(repository_->info()->containers, is_remote);
  return has_remote && options_.files ? std::max(concurrency, options_.files->concurrency()) : concurrency;
}

std::optional<SnapshotChunks::Found> SnapshotChunks::Find(const SnapshotNode& array,
                                                          ChunkCoordinates coordinates) const {
  for (const ManifestRef& part : *array.manifests) {
    if (!Contains(part, coordinates)) continue;
    std::shared_ptr<const Manifest> manifest = manifests_.Get(part.id);
    const ChunkTable* const table = manifest->Find(array.id);
    if (!table || table->size() == 0) continue;
    if (table->rank() != array.rank) {
      throw Error(ErrorKind::kCorrupt, repository_->folder().name(), "manifests/" + FormatObjectId(part.id), "",
                  FormatExpectedGot("chunks of " + std::to_string(array.rank) + " dimensions, as in the snapshot",
                                    std::to_string(table->rank())));
    }
    if (auto ref = table->Find(coordinates)) return Found{std::move(manifest), *std::move(ref)};
  }
  return std::nullopt;
}

std::string SnapshotChunks::ExpandLocation(const std::string& location) const {
  if (!location.starts_with(kContainerScheme)) return location;
  const std::string rest = location.substr(kContainerScheme.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string name = rest.substr(0, slash);
  const RepoInfo* const info = repository_->info();
  if (info) {
    const auto is_it = [&](const Container& container) { return container.name == name; };
    const auto found = std::ranges::find_if(info->containers, is_it);
    if (found != info->containers.end() && slash < rest.size()) {
      return found->url + (found->url.ends_with('/') ? "" : "/") + rest.substr(slash + 1);
    }
  }
  throw Error(info ? ErrorKind::kCorrupt : ErrorKind::kUnsupported,
              "refers to " + location + ": the repository" + (info ? "" : ", of format 1,") +
                  " has no container of virtual chunks called " + QuoteKey(name));
}

VirtualFiles::File SnapshotChunks::FindFile(const ChunkRef& ref) const {
  const std::string url = ExpandLocation(ref.location);
  if (options_.files) return options_.files->Find(url);
  throw Error(ErrorKind::kUnsupported, "refers to " + url + ", and virtual chunks are not read here");
}

std::optional<ValueLocation> SnapshotChunks::Locate(const ChunkRef& ref) const {
  ValueLocation location;
  if (ref.kind == ChunkRef::Kind::kInline) {
    location.bytes = AsText(ref.bytes);
    return location;
  }
  const bool is_native = ref.kind == ChunkRef::Kind::kNative;
  if (is_native && !options_.files) return std::nullopt;
  location.path = is_native ? options_.files->GetPath(MakeChunkFileKey(ref.file)) : FindFile(ref).path;
  location.offset = ref.offset;
  location.length = ref.length;
  return location;
}

bool SnapshotChunks::NoteBroken(const ChunkRef& ref, int status, int times, Error* error) const {
  if (ref.kind == ChunkRef::Kind::kInline) return false;
  const bool is_native = ref.kind == ChunkRef::Kind::kNative;
  VirtualFiles::File file;
  if (!is_native) file = FindFile(ref);
  const StoreRequests* const requests = is_native ? repository_->folder().requests() : file.store->requests();
  return requests && requests->NoteBroken(is_native ? MakeChunkFileKey(ref.file) : file.key, status, times, error);
}

void SnapshotChunks::Read(const ReadRequest& request, const ChunkRef& ref) const {
  if (request.part == ReadRequest::Part::kPresence) return;
  if (ref.kind == ChunkRef::Kind::kInline) return ReadFromMemory(request, ref.bytes, "");
  ref.kind == ChunkRef::Kind::kNative ? ReadNative(request, ref) : ReadVirtual(request, ref);
}

/// The file of a chunk never changes, so that its stamp needs no request.
void SnapshotChunks::ReadNative(const ReadRequest& request, const ChunkRef& ref) const {
  const Store& folder = repository_->folder();
  const std::string key = MakeChunkFileKey(ref.file);
  VersionStamp of_file;
  const bool is_stamp = request.part == ReadRequest::Part::kStamp;
  try {
    if (!is_stamp && !ReadFromFile(request, ref, folder, key, &of_file)) FailMissingObject(folder, key);
  } catch (const Error& error) {
    throw error.At(folder.name(), key);
  }
  if (!request.stamp) return;
  *request.stamp = {ref.length, 0, FormatObjectId(ref.file) + "@" + std::to_string(ref.offset)};
  request.stamp->status = of_file.status;
}

void SnapshotChunks::ReadVirtual(const ReadRequest& request, const ChunkRef& ref) const {
  const VirtualFiles::File file = FindFile(ref);
  VersionStamp stamp;
  const bool is_checked = IsChecked(ref);
  const bool needs_stamp = is_checked || request.stamp;
  const auto fail = [&](ErrorKind kind, const std::string& message) {
    throw Error(kind, name_, std::string(request.key), "", "refers to " + file.path + ": " + message);
  };
  try {
    if (!ReadFromFile(request, ref, *file.store, file.key, needs_stamp ? &stamp : nullptr)) {
      fail(ErrorKind::kIo, "there is no such file");
    }
    if (is_checked) CheckUnchanged(ref, file, stamp);
  } catch (const Error& error) {
    if (error.store() == name_) throw;
    fail(error.kind(), error.message());
  }
  if (request.stamp) *request.stamp = MakeStamp(ref, file, std::move(stamp));
}

bool SnapshotChunks::IsChecked(const ChunkRef& ref) const {
  return options_.check_files && (!ref.etag.empty() || ref.last_modified > 0);
}

bool SnapshotChunks::ReadTogether(std::span<const ReadRequest> requests, std::span<const Found> found) const {
  std::vector<ByteRange> ranges;
  std::vector<MutableByteSpan> buffers;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const ChunkRef& ref = found[i].ref;
    if (ref.kind != ChunkRef::Kind::kVirtual || ref.location != found[0].ref.location) return false;
    if (ref.length > requests[i].max_size) return false;
    requests[i].value->resize(static_cast<std::size_t>(ref.length));
    ranges.push_back({ref.offset, ref.length});
    buffers.emplace_back(*requests[i].value);
  }
  if (requests.empty()) return true;
  const VirtualFiles::File file = FindFile(found[0].ref);
  VersionStamp stamp;
  if (!file.store->GetRanges(file.key, ranges, buffers, &stamp)) return false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (IsChecked(found[i].ref)) CheckUnchanged(found[i].ref, file, stamp);
    if (requests[i].stamp) *requests[i].stamp = MakeStamp(found[i].ref, file, stamp);
  }
  return true;
}

std::set<std::uint32_t> SnapshotChunks::ListCoordinates(const ChunkPrefix& prefix) const {
  std::set<std::uint32_t> found;
  const std::size_t dimension = prefix.coordinates.size();
  for (const ManifestRef& part : *prefix.node->manifests) {
    const bool overlaps = std::ranges::all_of(prefix.coordinates, [&, i = std::size_t{0}](std::uint32_t at) mutable {
      const auto [from, to] = part.extents[i++];
      return at >= from && at < to;
    });
    if (!overlaps) continue;
    const std::shared_ptr<const Manifest> manifest = manifests_.Get(part.id);
    const ChunkTable* const table = manifest->Find(prefix.node->id);
    if (!table || table->rank() != prefix.node->rank) continue;
    std::vector<std::uint32_t> at = prefix.coordinates;
    at.resize(prefix.node->rank);
    while (const auto next = table->FindNext(at)) {
      if (!std::equal(prefix.coordinates.begin(), prefix.coordinates.end(), next->begin())) break;
      found.insert((*next)[dimension]);
      if ((*next)[dimension] == UINT32_MAX) break;
      at[dimension] = (*next)[dimension] + 1;
    }
  }
  return found;
}

}  // namespace zarr
