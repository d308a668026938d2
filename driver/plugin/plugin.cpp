// SPDX-License-Identifier: MIT
#include "driver/plugin/plugin.h"

#include <memory>
#include <string>
#include <vector>

#include "driver/create/creation.h"
#include "driver/create/let_go.h"
#include "driver/dataset/open_options.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/stale_overviews.h"
#include "driver/new_array/creation_options.h"
#include "driver/new_array/program_compressors.h"
#include "driver/plugin/commands.h"
#include "driver/plugin/identify.h"
#include "driver/plugin/open.h"
#include "driver/plugin/subdataset_info.h"
#include "driver/raster/array_overviews.h"
#include "driver/stores/kerchunk/grib_codec.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/metadata/codec_names.h"

namespace gdal_zarr {
namespace {

void SetCreationMetadata(GDALDriver* driver) {
  for (const char* capability : {GDAL_DCAP_CREATE, GDAL_DCAP_CREATECOPY, GDAL_DCAP_CREATE_MULTIDIMENSIONAL,
                                 "DCAP_CREATE_SUBDATASETS", "DCAP_UPDATE"}) {
    driver->SetMetadataItem(capability, "YES");
  }
  driver->SetMetadataItem("DMD_UPDATE_ITEMS", "GeoTransform SRS NoData RasterValues DatasetMetadata BandMetadata");
  std::string types = "Byte Int16 UInt16 Int32 UInt32 Int64 UInt64 Float32 Float64 CFloat32 CFloat64";
  if (kHasInt8) types = "Int8 " + types;
  if (kHasFloat16) types += " Float16 CFloat16";
  driver->SetMetadataItem(GDAL_DMD_CREATIONDATATYPES, types.c_str());
  driver->SetMetadataItem(GDAL_DMD_CREATIONOPTIONLIST, MakeCreationOptionListXml(CreationScope::kClassic).c_str());
  driver->SetMetadataItem(GDAL_DMD_MULTIDIM_DATASET_CREATIONOPTIONLIST,
                          MakeCreationOptionListXml(CreationScope::kStore).c_str());
  driver->SetMetadataItem(GDAL_DMD_MULTIDIM_ARRAY_CREATIONOPTIONLIST,
                          MakeCreationOptionListXml(CreationScope::kArray).c_str());
}

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

/// Sets the v2 ids of codecs that are compressors or filters, under the names that GDAL's built-in driver uses.
void SetCodecMetadata(GDALDriver* driver) {
  std::vector<std::string> compressors;
  std::vector<std::string> filters;
  for (const std::string& name : zarr::ListCodecNames()) {
    const zarr::CodecName* codec = zarr::FindCodecName(name);
    if (!codec || codec->id.empty()) continue;
    (codec->is_compressor ? compressors : filters).emplace_back(codec->id);
  }
  driver->SetMetadataItem("COMPRESSORS", Join(compressors).c_str());
  driver->SetMetadataItem("BLOSC_COMPRESSORS", Join(zarr::ListBloscCompressors()).c_str());
  driver->SetMetadataItem("FILTERS", Join(filters).c_str());
}

void SetMetadata(GDALDriver* driver) {
  driver->SetDescription("Zarr");
  driver->SetMetadataItem(GDAL_DCAP_RASTER, "YES");
  driver->SetMetadataItem(GDAL_DCAP_MULTIDIM_RASTER, "YES");
  driver->SetMetadataItem(GDAL_DCAP_OPEN, "YES");
  driver->SetMetadataItem(GDAL_DCAP_VIRTUALIO, "YES");
  driver->SetMetadataItem(GDAL_DMD_SUBDATASETS, "YES");
  driver->SetMetadataItem(GDAL_DMD_LONGNAME, "Zarr");
  driver->SetMetadataItem(GDAL_DMD_HELPTOPIC, "drivers/raster/zarr.html");
  driver->SetMetadataItem(GDAL_DMD_EXTENSION, "zarr");
  driver->SetMetadataItem(GDAL_DMD_EXTENSIONS, "zarr");
  driver->SetMetadataItem(GDAL_DMD_CONNECTION_PREFIX, "ZARR:");
  driver->SetMetadataItem(GDAL_DMD_OPENOPTIONLIST, MakeOpenOptionListXml().c_str());
  SetCreationMetadata(driver);
  SetCodecMetadata(driver);
  // Distinguishes this driver from GDAL's built-in one.
  driver->SetMetadataItem("ZARRLIB_VERSION", "zarrlib " ZARRLIB_VERSION);
}

/// GDAL has had this callback since 3.13.
template <typename Driver>
void SetClearCaches(Driver* driver) {
  if constexpr (requires { driver->pfnClearCaches; }) {
    driver->pfnClearCaches = [](GDALDriver*) { zarr::ChunkCache::GetShared().Clear(); };
  }
}

int IdentifyForGdal(GDALOpenInfo* info) {
  return Guard(FALSE, [&] {
    NoteIdentified(*info);
    return Identify(info);
  });
}

void RegisterDriver() {
  MDArray::SetOverviewBuilder(&BuildArrayOverviews, &MoveArrayLevels);
  SetOverviewRefresher(&RefreshArrayOverviews);
  RegisterGribCodec();
  UseCompressorsOfPrograms();
  auto driver = std::make_unique<GDALDriver>();
  SetMetadata(driver.get());
  SetClearCaches(driver.get());
  driver->pfnIdentify = IdentifyForGdal;
  driver->pfnOpen = Open;
  driver->pfnCreate = Create;
  driver->pfnCreateCopy = CreateCopy;
  driver->pfnCreateMultiDimensional = CreateMultiDimensional;
  driver->pfnDelete = Delete;
  driver->pfnRename = Rename;
  driver->pfnCopyFiles = CopyFiles;
  SetSubdatasetInfo(driver.get());
  DeclareCommands(driver.get());
  GetGDALDriverManager()->RegisterDriver(driver.release());
}

}  // namespace
}  // namespace gdal_zarr

void GDALRegister_Zarr() {
  if (!GDAL_CHECK_VERSION("Zarr driver")) return;
  if (GDALGetDriverByName("Zarr") != nullptr) return;
  gdal_zarr::TryChange(gdal_zarr::RegisterDriver);
}
