// SPDX-License-Identifier: MIT
#include "driver/create/references/source_arrays.h"

#include <optional>

#include "driver/create/references/block_check.h"
#include "driver/create/references/raw_blocks.h"
#include "driver/new_array/array_metadata_builder.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

/// Returns true if blocks can be decoded to the values that GDAL reads.
bool IsDescribed(const GDALMDArray& array, const SourceBlocks& blocks) {
  try {
    const zarr::ZarrFormat format = blocks.coding().needs_v3 ? zarr::ZarrFormat::kV3 : zarr::ZarrFormat::kV2;
    ChooseCodecs(MakePlainMetadata(array, format), blocks, SurveyBlocks(blocks));
    return true;
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) throw;
    return false;
  }
}

}  // namespace

zarr::ArrayMetadata MakePlainMetadata(const GDALMDArray& array, zarr::ZarrFormat format) {
  std::vector<NewDimension> dimensions;
  for (const auto& dimension : array.GetDimensions()) {
    dimensions.push_back({dimension->GetName(), dimension->GetSize()});
  }
  return MakeArrayMetadata(format, dimensions, array.GetDataType(), CreationOptions(), ChooseDefaultChunk(dimensions));
}

SourceArrays::SourceArrays(GDALDataset& source, std::function<bool(const std::string& name)> may_lack)
    : may_lack_(std::move(may_lack)) {
  const auto root = source.GetRootGroup();
  if (root) {
    AddGroup(*root);
    return;
  }
  image_ = TiffImage::Open(source);
  if (!image_) {
    throw zarr::Error(
        zarr::ErrorKind::kUnsupported, source.GetDescription(), "", "",
        "references: " + zarr::FormatExpectedGot("an unchanged raster in a TIFF file, or a multidimensional dataset "
                                                 "(gdalmdimtranslate)",
                                                 "another raster"));
  }
  needs_v3_ = image_->has_short_strip();
}

void SourceArrays::AddGroup(const GDALGroup& group) {
  for (const std::string& name : group.GetMDArrayNames()) {
    if (const auto array = group.OpenMDArray(name)) AddArray(array);
  }
  for (const std::string& name : group.GetGroupNames()) {
    if (const auto child = group.OpenGroup(name)) AddGroup(*child);
  }
}

void SourceArrays::AddArray(const std::shared_ptr<GDALMDArray>& array) {
  std::string why = "GDAL does not tell where its values are stored";
  std::shared_ptr<const SourceBlocks> blocks;
  try {
    // Of several files, others may be so large that only blocks can be stacked.
    blocks = FindRawBlocks(array, may_lack_ ? TinyRecords::kFind : TinyRecords::kPassOver);
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kUnsupported) throw;
    why = error.message();
  }
  // The others fail later, with an error that names the block.
  if (blocks && IsSmallArray(*array) && !IsDescribed(*array, *blocks)) blocks = nullptr;
  if (blocks) {
    needs_v3_ = needs_v3_ || blocks->coding().needs_v3;
    blocks_.emplace(array->GetFullName(), std::move(blocks));
  } else if (!IsSmallArray(*array) && !(may_lack_ && may_lack_(array->GetFullName()))) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, array->GetFilename(), array->GetFullName().substr(1), "",
                      "this array cannot be described by references, and is larger than "
                      "64 KiB: " +
                          why);
  }
}

std::shared_ptr<const SourceBlocks> SourceArrays::MakeBlocks(const std::string& name, const zarr::Shape& shape) const {
  return name.empty() ? TiffImage::MakeBlocks(image_, shape) : blocks_.at(name);
}

}  // namespace gdal_zarr
