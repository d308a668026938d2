#include <span>

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include "driver/gdal_error.h"
#include "driver/md_array.h"
#include "driver/structural_info.h"
#include "zarrlib/array/leaf_place.h"

#ifdef ZARR_HAS_RAW_BLOCK_INFO

namespace gdal_zarr {

bool MDArray::GetRawBlockInfo(const uint64_t* leaf_index, GDALMDArrayRawBlockInfo& info) const {
  info.clear();
  return Guard(false, [&] {
    if (context_->writable()) context_->writers().Flush(array_->path());
    const auto place = zarr::FindLeaf(*array_, zarr::Shape(std::span(leaf_index, array_->rank())));
    if (!place) return true;
    info.pszFilename = CPLStrdup((array_->store().name() + "/" + place->key).c_str());
    info.nOffset = place->range.offset;
    info.nSize = place->range.length;
    info.papszInfo = RawBlockCoding(*array_).StealList();
    return true;
  });
}

}  // namespace gdal_zarr

#endif
