// SPDX-License-Identifier: MIT
#include "driver/plugin/container_dataset.h"

#include <utility>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/stores/store_factory.h"

namespace gdal_zarr {
namespace {

constexpr int kMostNames = 5;

}  // namespace

ContainerDataset::ContainerDataset(std::shared_ptr<SharedResource> resource) : resource_(std::move(resource)) {
  nRasterXSize = 0;
  nRasterYSize = 0;
}

ContainerDataset::~ContainerDataset() {
  if (eAccess == GA_Update && !has_refused_)
    GuardChange([this] { return Tell(CE_Warning, "bands, so nothing was changed"); });
}

std::string ContainerDataset::MakeAdvice() {
  const auto find_name = [this](int number) {
    return GetMetadataItem(("SUBDATASET_" + std::to_string(number) + "_NAME").c_str(), "SUBDATASETS");
  };
  std::string list;
  for (int number = 1; const char* name = find_name(number); ++number) {
    if (number > kMostNames) return list + ", ...";
    const auto parts = SplitDatasetName(name);
    list += number == 1 ? "; name an array, such as " + std::string(name) + "; arrays that are there: " : ", ";
    list += parts ? parts->array : name;
  }
  return list;
}

CPLErr ContainerDataset::Refuse(CPLErr severity, const char* what) {
  has_refused_ = true;
  return GuardChange([&] {
    CheckTakesWrites(*OpenStore(resource_->hierarchy().store()->name()));
    return Tell(severity, what);
  });
}

CPLErr ContainerDataset::Tell(CPLErr severity, const char* what) {
  CPLError(severity, CPLE_NotSupported, "%s: a group has no %s%s", GetDescription(), what, MakeAdvice().c_str());
  return severity;
}

CPLErr ContainerDataset::SetGeoTransform(GeoTransformIn) {
  return Refuse(CE_Failure, "geotransform");
}

CPLErr ContainerDataset::SetSpatialRef(const OGRSpatialReference*) {
  return Refuse(CE_Failure, "CRS");
}

CPLErr ContainerDataset::SetGCPs(int, const GDAL_GCP*, const OGRSpatialReference*) {
  return Refuse(CE_Failure, "ground control points");
}

// In a read-only dataset, programs may set metadata for their own use.
CPLErr ContainerDataset::SetMetadata(MetadataList metadata, const char* domain) {
  if (eAccess == GA_Update) return Refuse(CE_Failure, "metadata that can be set here");
  return GDALDataset::SetMetadata(metadata, domain);
}

CPLErr ContainerDataset::SetMetadataItem(const char* name, const char* value, const char* domain) {
  if (eAccess == GA_Update) return Refuse(CE_Failure, "metadata that can be set here");
  return GDALDataset::SetMetadataItem(name, value, domain);
}

CPLErr ContainerDataset::IBuildOverviews(const char*, int, const int*, int, const int*, GDALProgressFunc, void*,
                                         CSLConstList) {
  return Refuse(CE_Failure, "overviews");
}

}  // namespace gdal_zarr
