// SPDX-License-Identifier: MIT
#include "driver/plugin/commands.h"

#ifdef ZARR_HAS_DRIVER_COMMANDS

#include <gdalalgorithm.h>

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/multidim_dataset.h"
#include "driver/plugin/repository_commands.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {
namespace {

constexpr const char* kAddConvention = "add-georeferencing-convention";

/// Adds the convention to an array that has a CRS. Returns true on success; errors are reported to GDAL, or thrown.
bool AddToArray(const std::shared_ptr<SharedResource>& resource, const std::shared_ptr<MDArray>& array,
                const WriteConventions& added) {
  const std::size_t rank = array->GetDimensionCount();
  if (rank < 2 || !CallThrough([&] { return array->GetSpatialRef(); })) return true;
  // All slices have the same georeferencing, so the first one is used.
  SliceRequest first;
  first.indices.assign(rank - 2, 0);
  return Guard(false, [&] {
    RasterDataset raster(resource, array, array->shared_array(), OpenOptions(), first);
    raster.EnableUpdate();
    return raster.georeferencing().AddConventions(added) == CE_None;
  });
}

bool AddToGroup(const std::shared_ptr<SharedResource>& resource, GDALGroup& group, const WriteConventions& added) {
  for (const std::string& name : CallThrough([&] { return group.GetMDArrayNames(); })) {
    const auto opened = CallThrough([&] { return group.OpenMDArray(name); });
    const std::shared_ptr<MDArray> array(opened, AsOwnMDArray(opened.get()));
    if (!array || !AddToArray(resource, array, added)) return false;
  }
  for (const std::string& name : CallThrough([&] { return group.GetGroupNames(); })) {
    const auto child = CallThrough([&] { return group.OpenGroup(name); });
    if (!child || !AddToGroup(resource, *child, added)) return false;
  }
  return true;
}

/// Implements `gdal driver zarr add-georeferencing-convention INPUT CONVENTION`.
class AddConventionCommand final : public GDALAlgorithm {
 public:
  AddConventionCommand()
      : GDALAlgorithm(kAddConvention, "Add a georeferencing convention to the arrays of a Zarr store that have a CRS",
                      "/programs/gdal_driver_zarr_add_georeferencing_convention.html") {
    AddInputDatasetArg(&dataset_, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_UPDATE);
    AddArg("convention", 0, "Georeferencing convention", &convention_)
        .SetRequired()
        .SetPositional()
        .SetChoices("GDAL", "spatial_proj");
  }

 private:
  bool RunImpl(GDALProgressFunc, void*) override {
    auto* dataset = dynamic_cast<MultidimDataset*>(dataset_.GetDatasetRef());
    if (!dataset) {
      ReportError(CE_Failure, CPLE_AppDefined, "%s is not a ZARR dataset", dataset_.GetName().c_str());
      return false;
    }
    return Guard(false, [&] {
      const WriteConventions added = ParseConventions(convention_);
      return AddToGroup(dataset->resource(), *dataset->GetRootGroup(), added);
    });
  }

  GDALArgDatasetValue dataset_;
  std::string convention_;
};

GDALAlgorithm* MakeCommand(const std::vector<std::string>& path) {
  if (path.size() != 1) return nullptr;
  return Guard<GDALAlgorithm*>(nullptr, [&]() -> GDALAlgorithm* {
    if (path[0] == kAddConvention) return std::make_unique<AddConventionCommand>().release();
    return MakeRepositoryCommand(path[0]);
  });
}

}  // namespace

void DeclareCommands(GDALDriver* driver) {
  driver->DeclareAlgorithm({kAddConvention});
  for (const char* const command : kRepositoryCommands) driver->DeclareAlgorithm({command});
  driver->pfnInstantiateAlgorithm = &MakeCommand;
}

}  // namespace gdal_zarr

#else

namespace gdal_zarr {

void DeclareCommands(GDALDriver*) {}

}  // namespace gdal_zarr

#endif
