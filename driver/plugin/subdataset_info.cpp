// SPDX-License-Identifier: MIT
#include "driver/plugin/subdataset_info.h"

#ifdef ZARR_HAS_SUBDATASET_INFO

#include <memory>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

class SubdatasetInfo final : public GDALSubdatasetInfo {
 public:
  explicit SubdatasetInfo(const std::string& name) : GDALSubdatasetInfo(name) {}

 private:
  void parseFileName() override {
    TryChange([&] {
      const auto parts = SplitDatasetName(m_fileName);
      if (!parts) return;
      m_driverPrefixComponent = parts->prefix;
      m_pathComponent = parts->store;
      m_subdatasetComponent = parts->array;
    });
  }
};

GDALSubdatasetInfo* MakeSubdatasetInfo(const char* name) {
  return Guard<GDALSubdatasetInfo*>(nullptr, [&] {
    const auto parts = SplitDatasetName(name);
    return parts && !parts->array.empty() ? new SubdatasetInfo(name) : nullptr;
  });
}

}  // namespace

void SetSubdatasetInfo(GDALDriver* driver) {
  driver->pfnGetSubdatasetInfoFunc = MakeSubdatasetInfo;
}

}  // namespace gdal_zarr

#else

namespace gdal_zarr {

void SetSubdatasetInfo(GDALDriver*) {}

}  // namespace gdal_zarr

#endif
