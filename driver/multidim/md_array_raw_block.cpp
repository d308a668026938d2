// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string_view>

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/structural_info.h"
#include "zarrlib/array/read/inner_chunk_location.h"
#include "zarrlib/store/store_requests.h"

#ifdef ZARR_HAS_RAW_BLOCK_INFO

namespace gdal_zarr {
namespace {

void SetFile(const std::string& path, const zarr::ByteRange& range, GDALMDArrayRawBlockInfo* info) {
  info->pszFilename = CPLStrdup(path.c_str());
  info->nOffset = range.offset;
  info->nSize = range.length;
}

void SetInline(std::string_view bytes, GDALMDArrayRawBlockInfo* info) {
  info->nSize = bytes.size();
  info->pabyInlineData = static_cast<GByte*>(CPLMalloc(bytes.size() + 1));
  std::copy(bytes.begin(), bytes.end(), info->pabyInlineData);
}

void SetPlace(const zarr::Store& store, const zarr::InnerChunkLocation& place, GDALMDArrayRawBlockInfo* info) {
  const zarr::StoreRequests* const requests = store.requests();
  const auto location = requests ? requests->Locate(place.key) : std::nullopt;
  if (!location) return SetFile(store.name() + "/" + place.key, place.range, info);
  if (location->bytes) {
    return SetInline(std::string_view(*location->bytes).substr(place.range.offset, place.range.length), info);
  }
  SetFile(location->path, {location->offset + place.range.offset, place.range.length}, info);
}

}  // namespace

bool MDArray::GetRawBlockInfo(const uint64_t* inner_index, GDALMDArrayRawBlockInfo& info) const {
  info.clear();
  return Guard(false, [&] {
    if (resource_->writable()) resource_->edits().writers.Flush(array_->path());
    const auto place = zarr::LocateInnerChunk(*array_, zarr::Shape(std::span(inner_index, array_->rank())));
    if (!place) return true;
    SetPlace(array_->store(), *place, &info);
    info.papszInfo = DescribeRawBlockCoding(*array_).StealList();
    return true;
  });
}

}  // namespace gdal_zarr

#endif
