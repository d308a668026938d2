// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include <cpl_conv.h>

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/chunk_place.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/structural_info.h"

#ifdef ZARR_HAS_RAW_BLOCK_INFO

namespace gdal_zarr {
namespace {

void SetPlace(const ChunkPlace& place, GDALMDArrayRawBlockInfo* info) {
  info->nOffset = place.offset;
  info->nSize = place.length;
  if (!place.bytes) {
    info->pszFilename = CPLStrdup(place.path.c_str());
    return;
  }
  info->pabyInlineData = static_cast<GByte*>(CPLMalloc(place.bytes->size() + 1));
  std::copy(place.bytes->begin(), place.bytes->end(), info->pabyInlineData);
}

}  // namespace

bool MDArray::GetRawBlockInfo(const uint64_t* inner_index, GDALMDArrayRawBlockInfo& info) const {
  info.clear();
  return Guard(false, [&] {
    if (resource_->writable()) resource_->edits().writers.Flush(array_->path());
    const auto place = FindChunkPlace(*array_, zarr::Shape(std::span(inner_index, array_->rank())));
    if (!place) return true;
    SetPlace(*place, &info);
    info.papszInfo = DescribeRawBlockCoding(*array_).StealList();
    return true;
  });
}

}  // namespace gdal_zarr

#endif
