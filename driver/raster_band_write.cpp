#include <utility>

#include "driver/gdal_error.h"
#include "driver/json_edit.h"
#include "driver/md_array.h"
#include "driver/raster_band.h"
#include "driver/raster_dataset.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

[[noreturn]] void Refuse(const char* what) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, std::string(what) + " cannot be stored");
}

}  // namespace

CPLErr RasterBand::IWriteBlock(int block_x, int block_y, void* data) {
  const GSpacing item = GDALGetDataTypeSizeBytes(eDataType);
  const int band = nBand - 1;
  return dataset_.WriteBlockWindow(BlockWindow(block_x, block_y), band, {data, eDataType, item, item * nBlockXSize, 0});
}

// --- nodata -----------------------------------------------------------------------------------------------------

CPLErr RasterBand::StoreNodata(const void* value, GDALDataType type) {
  return dataset_.Change([&](MDArray& array) {
    GdalElement element(array.GetDataType());
    GDALCopyWords64(value, type, 0, element.data(), eDataType, 0, 1);
    // What the type cannot hold would come back as another value.
    double wanted = 0;
    double stored = 0;
    GDALCopyWords64(value, type, 0, &wanted, GDT_Float64, 0, 1);
    GDALCopyWords64(element.data(), eDataType, 0, &stored, GDT_Float64, 0, 1);
    const bool rounded = eDataType == GDT_Float32 && static_cast<float>(wanted) == static_cast<float>(stored);
    if (wanted != stored && !rounded && (wanted == wanted || stored == stored)) {
      throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                        "nodata: " + zarr::ExpectedGot(std::string("a value of type ") + GDALGetDataTypeName(eDataType),
                                                       std::to_string(wanted)));
    }
    if (!array.SetRawNoDataValue(element.data())) Refuse("the nodata value");
  });
}

CPLErr RasterBand::SetNoDataValue(double value) {
  return StoreNodata(&value, GDT_Float64);
}

CPLErr RasterBand::SetNoDataValueAsInt64(int64_t value) {
  return StoreNodata(&value, GDT_Int64);
}

CPLErr RasterBand::SetNoDataValueAsUInt64(uint64_t value) {
  return StoreNodata(&value, GDT_UInt64);
}

CPLErr RasterBand::DeleteNoDataValue() {
  return dataset_.Change([](MDArray& array) {
    if (!array.SetRawNoDataValue(nullptr)) Refuse("the lack of a nodata value");
  });
}

// --- attributes -------------------------------------------------------------------------------------------------

CPLErr RasterBand::SetOffset(double offset) {
  return dataset_.ChangeBandAttribute(nBand, "add_offset", JsonNode::MakeFloat(offset));
}

CPLErr RasterBand::SetScale(double scale) {
  return dataset_.ChangeBandAttribute(nBand, "scale_factor", JsonNode::MakeFloat(scale));
}

CPLErr RasterBand::SetUnitType(const char* unit) {
  const std::string text = unit ? unit : "";
  const CPLErr result = dataset_.ChangeBandAttribute(
      nBand, "units", text.empty() ? std::nullopt : std::optional(JsonNode::MakeString(text)));
  if (result == CE_None) unit_ = text;
  return result;
}

CPLErr RasterBand::SetColorInterpretation(GDALColorInterp interpretation) {
  return dataset_.Change([&](MDArray& array) {
    const int count = dataset_.GetRasterCount();
    std::vector<JsonNode> names;
    bool any = false;
    for (int band = 1; band <= count; ++band) {
      const GDALColorInterp of_band =
          band == nBand ? interpretation : dataset_.GetRasterBand(band)->GetColorInterpretation();
      any = any || of_band != GCI_Undefined;
      names.push_back(JsonNode::MakeString(GDALGetColorInterpretationName(of_band)));
    }
    const JsonNode value = count == 1 ? names[0] : JsonNode::MakeArray(names);
    array.StoreAttribute("COLOR_INTERPRETATION", any ? std::optional(value) : std::nullopt);
  });
}

}  // namespace gdal_zarr
