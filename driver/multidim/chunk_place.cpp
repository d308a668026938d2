// SPDX-License-Identifier: MIT
#include "driver/multidim/chunk_place.h"

#include "driver/stores/http/object_url.h"
#include "zarrlib/array/read/inner_chunk_location.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {

std::optional<ChunkPlace> FindChunkPlace(const zarr::Array& array, const zarr::Shape& inner_index) {
  const auto place = zarr::LocateInnerChunk(array, inner_index);
  if (!place) return std::nullopt;
  const zarr::ByteRange& range = place->range;
  const zarr::StoreRequests* const requests = array.store().requests();
  const auto location = requests ? requests->Locate(place->key) : std::nullopt;
  if (!location) return ChunkPlace{MakeValuePath(array.store().name(), place->key), range.offset, range.length};
  if (location->bytes) return ChunkPlace{"", 0, range.length, location->bytes->substr(range.offset, range.length)};
  return ChunkPlace{location->path, location->offset + range.offset, range.length};
}

}  // namespace gdal_zarr
