// SPDX-License-Identifier: MIT
#include "zarrlib/tools/chunk/chunk_place.h"

#include <algorithm>

#include "zarrlib/array/read/inner_chunk_location.h"
#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/documents.h"

namespace zarr::tools {
namespace {

[[noreturn]] void Fail(const Array& array, const std::string& message) {
  throw UsageError{Error(ErrorKind::kInvalidArgument, array.store().name(), array.path(), "", message).what()};
}

void CheckIndex(const Array& array, const Shape& index, const Shape& grid, const std::string& option) {
  const std::string count = std::to_string(grid.size()) + (grid.size() == 1 ? " index" : " indices");
  if (index.empty() && !grid.empty()) Fail(array, "--chunk or --shard is needed, with " + count);
  if (index.size() != grid.size()) {
    Fail(array, option + ": " + FormatExpectedGot(count, ToString(index)));
  }
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] >= grid[i]) {
      Fail(array, option + ": " + FormatExpectedGot("indices below " + ToString(grid), ToString(index)));
    }
  }
}

/// Finds a chunk or shard that is a whole value.
ChunkPlace FindWhole(const Array& array, const Shape& index, const std::string& option) {
  CheckIndex(array, index, array.metadata().chunk_grid.grid_shape(), option);
  ChunkPlace place{index, array.MakeChunkKey(index), std::nullopt, {index, index}, index, std::nullopt};
  for (std::size_t i = 0; i < index.size(); ++i) {
    const ChunkSpan span = array.metadata().chunk_grid.axis(i).At(index[i]);
    place.box.origin[i] = span.start;
    place.box.shape[i] = span.live;
    place.encoded_shape[i] = span.encoded;
  }
  VersionStamp stamp;
  if (array.store().GetStamp(place.key, &stamp)) place.range = ByteRange{0, stamp.size};
  return place;
}

ChunkPlace FindInner(const Array& array, const Shape& inner, const Shape& index) {
  CheckIndex(array, index, GetInnerChunkGridShape(array), "--chunk");
  ChunkPlace place{index, "", index, {index, index}, inner, std::nullopt};
  for (std::size_t i = 0; i < index.size(); ++i) {
    place.box.origin[i] = index[i] * inner[i];
    place.box.shape[i] = std::min(inner[i], array.shape()[i] - place.box.origin[i]);
    (*place.shard_index)[i] = array.metadata().chunk_grid.axis(i).Locate(place.box.origin[i]).index;
  }
  place.key = array.MakeChunkKey(*place.shard_index);
  if (const auto location = LocateInnerChunk(array, index)) place.range = location->range;
  return place;
}

}  // namespace

std::shared_ptr<const Array> OpenChosenArray(const std::shared_ptr<Store>& store, const ChunkChoice& choice) {
  auto array = OpenNamedArray(*OpenDocumentsFirst(store), choice.path);
  if (array->unsupported()) throw *array->unsupported();
  return array;
}

ChunkPlace FindChunk(const Array& array, const ChunkChoice& choice) {
  const auto inner = array.inner_chunk_shape();
  if (choice.is_shard && !inner) Fail(array, "--shard: the array has no shards; --chunk chooses a chunk");
  ChunkPlace place = inner && !choice.is_shard
                         ? FindInner(array, *inner, choice.index)
                         : FindWhole(array, choice.index, choice.is_shard ? "--shard" : "--chunk");
  const StoreRequests* const requests = array.store().requests();
  if (place.range && requests) place.location = requests->Locate(place.key);
  return place;
}

}  // namespace zarr::tools
