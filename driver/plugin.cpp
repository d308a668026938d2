#include "driver/plugin.h"

#include <memory>

#include "driver/driver_core.h"
#include "driver/gdal_compat.h"
#include "driver/open.h"
#include "driver/subdataset_info.h"
#include "zarrlib/array/leaf_cache.h"

namespace gdal_zarr {
namespace {

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
  driver->SetMetadataItem(GDAL_DMD_OPENOPTIONLIST, OpenOptionListXml().c_str());
  // Tells this driver from the one that GDAL has built in.
  driver->SetMetadataItem("ZARRLIB_VERSION", "zarrlib " ZARRLIB_VERSION);
}

/// Drivers of GDAL 3.13 and later are asked to forget what they remember.
template <typename Driver>
void SetClearCaches(Driver* driver) {
  if constexpr (requires { driver->pfnClearCaches; }) {
    driver->pfnClearCaches = [](GDALDriver*) { zarr::LeafCache::Shared().Clear(); };
  }
}

}  // namespace
}  // namespace gdal_zarr

void GDALRegister_Zarr() {
  if (!GDAL_CHECK_VERSION("Zarr driver")) return;
  if (GDALGetDriverByName("Zarr") != nullptr) return;
  auto driver = std::make_unique<GDALDriver>();
  gdal_zarr::SetMetadata(driver.get());
  gdal_zarr::SetClearCaches(driver.get());
  driver->pfnIdentify = gdal_zarr::Identify;
  driver->pfnOpen = gdal_zarr::Open;
  gdal_zarr::SetSubdatasetInfo(driver.get());
  GetGDALDriverManager()->RegisterDriver(driver.release());
}
