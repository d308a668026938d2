// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/stored_chunks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/text.h"

namespace zarr {
namespace {

/// Looking up this many chunks, one by one, is as fast as listing the store.
constexpr std::uint64_t kFewToAskFor = 1024;

std::uint64_t CountChunks(const Box& chunks) {
  return ComputeCheckedProduct(chunks.shape).value_or(UINT64_MAX);
}

bool Holds(const Box& chunks, const Shape& index) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] < chunks.origin[i] || index[i] >= chunks.end(i)) return false;
  }
  return true;
}

/// Walks through the folders of an array's keys.
class StoredChunks {
 public:
  StoredChunks(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use)
      : array_(array), chunks_(chunks), use_(use) {}

  /// Visits a folder, "" or a name that ends in "/", whose keys contain the indices of `axis` and the axes after it.
  /// Returns false if the store does not list the folder.
  bool Visit(const std::string& folder, std::size_t axis) const {
    const auto listing = array_.store().List(array_.chunk_prefix() + folder, {.freshness = Freshness::kNow});
    if (!listing) return false;
    for (const std::string& name : listing->keys) {
      const auto index = array_.metadata().chunk_key_encoding.Parse(folder + name, array_.rank());
      if (index && Holds(chunks_, *index)) use_(*index);
    }
    const ChunkKeyEncoding& encoding = array_.metadata().chunk_key_encoding;
    const std::string top = folder.empty() ? encoding.GetTopFolder() : "";
    for (const std::string& name : listing->prefixes) {
      if (!top.empty()) {
        if (name == top) Visit(name + "/", 0);
        continue;
      }
      // The draft of v3 does not have a "/" between the letter and the first index.
      const bool has_letter = folder.empty() && encoding.kind == ChunkKeyEncoding::Kind::kV3Draft;
      if (has_letter && !name.starts_with('c')) continue;
      if (MayHold(std::string_view(name).substr(has_letter ? 1 : 0), axis)) Visit(folder + name + "/", axis + 1);
    }
    return true;
  }

 private:
  bool MayHold(std::string_view name, std::size_t axis) const {
    const auto index = ParseNumber<std::uint64_t>(name);
    return axis < array_.rank() && index && *index >= chunks_.origin[axis] && *index < chunks_.end(axis);
  }

  const Array& array_;
  const Box& chunks_;
  const std::function<void(const Shape&)>& use_;
};

void CheckLooks(const Array& array, const Box& chunks) {
  if (chunks.empty() || CountChunks(chunks) <= GetLimit(Limit::kLooks)) return;
  throw Error(ErrorKind::kLimitExceeded, array.store().name(), array.path(), "",
              FormatExpectedGot(FormatAtMost(Limit::kLooks, "chunks to look for in a store that cannot list"),
                                "a grid of " + ToString(chunks.shape)));
}

/// Finds the chunks of a large box by listing the store. Returns false, before the first call of `use`, for a small
/// box, which is looked through one by one, and for an array that the store does not list: a repository of Icechunk
/// lists nodes, but no chunks whose keys are not the default ones.
bool VisitByLists(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use) {
  const bool is_large = !chunks.empty() && CountChunks(chunks) > kFewToAskFor;
  if (is_large && array.store().info().lists && StoredChunks(array, chunks, use).Visit("", 0)) return true;
  CheckLooks(array, chunks);
  return false;
}

void ForEachChunk(const Box& chunks, const std::function<void(const Shape&)>& use) {
  if (chunks.empty()) return;
  Shape offset(chunks.rank(), 0);
  do {
    Shape index = chunks.origin;
    for (std::size_t i = 0; i < index.size(); ++i) index[i] += offset[i];
    use(index);
  } while (AdvanceIndex(chunks.shape, &offset));
}

/// In a remote store, finds the chunks with one list of the array's keys. Returns false, before the first call of
/// `use`, if the store cannot return them with few requests.
bool VisitByOneList(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use) {
  constexpr std::uint64_t kFewOnNetwork = 8;
  constexpr std::uint64_t kKeysOfRequest = 1000;
  constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 20;
  const std::uint64_t count = chunks.empty() ? 0 : CountChunks(chunks);
  if (count <= kFewOnNetwork || !array.store().info().is_on_network()) return false;
  const auto most = std::clamp(std::min(count, kMostKeys) * 4, kKeysOfRequest, kMostKeys);
  const auto listing = array.store().List(
      array.chunk_prefix(), {.below = true, .most = static_cast<std::size_t>(most), .freshness = Freshness::kNow});
  if (!listing) return false;
  for (const std::string& name : listing->keys) {
    const auto index = array.metadata().chunk_key_encoding.Parse(name, array.rank());
    if (index && Holds(chunks, *index)) use(*index);
  }
  return true;
}

}  // namespace

void CheckChunksCanBeFound(const Array& array, const Box& chunks) {
  if (!array.store().info().lists) CheckLooks(array, chunks);
}

void ForEachStoredChunk(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use) {
  if (!VisitByLists(array, chunks, use)) ForEachChunk(chunks, use);
}

void ForEachExistingChunk(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use) {
  if (VisitByOneList(array, chunks, use) || VisitByLists(array, chunks, use)) return;
  ForEachChunk(chunks, [&](const Shape& index) {
    if (array.store().Exists(array.MakeChunkKey(index))) use(index);
  });
}

}  // namespace zarr
