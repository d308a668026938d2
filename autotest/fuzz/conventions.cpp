// SPDX-License-Identifier: MIT
// A store through GDAL: opened as a raster with its subdatasets, and as a multidimensional dataset, with all that the
// conventions tell, and small reads. The input is a byte archive.
#include <cpl_vsi.h>
#include <gdal_priv.h>

#include <memory>
#include <string>

#include "autotest/fuzz/support/byte_archive.h"
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/gdal_setup.h"
#include "autotest/fuzz/support/multidim_walk.h"
#include "autotest/fuzz/support/raster_walk.h"

namespace zarr::fuzz {
namespace {

constexpr int kMaxSubdatasets = 4;

std::unique_ptr<GDALDataset> Open(const std::string& name, unsigned flags) {
  const char* const drivers[] = {"Zarr", nullptr};
  return std::unique_ptr<GDALDataset>(GDALDataset::Open(name.c_str(), flags, drivers));
}

void OpenSubdatasets(GDALDataset& dataset) {
  for (int i = 1; i <= kMaxSubdatasets; ++i) {
    const std::string item = "SUBDATASET_" + std::to_string(i) + "_NAME";
    const char* const name = dataset.GetMetadataItem(item.c_str(), "SUBDATASETS");
    if (name == nullptr) return;
    if (const auto subdataset = Open(name, GDAL_OF_RASTER)) WalkRaster(*subdataset);
  }
}

void Run(std::string_view input) {
  // Names are not used again: GDAL and the driver keep what they know of a path.
  static std::uint64_t number = 0;
  const std::string folder = "/vsimem/fuzz-" + std::to_string(number++);
  for (const ArchiveEntry& entry : ParseArchive(input)) {
    if (IsKey(entry.key)) WriteMemoryFile(folder + "/" + entry.key, entry.value);
  }
  if (const auto raster = Open(folder, GDAL_OF_RASTER)) {
    WalkRaster(*raster);
    OpenSubdatasets(*raster);
  }
  if (const auto dataset = Open(folder, GDAL_OF_MULTIDIM_RASTER)) WalkGroups(dataset->GetRootGroup());
  VSIRmdirRecursive(folder.c_str());
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::fuzz::SetUpGdal();
  zarr::fuzz::Run(zarr::fuzz::AsInput(data, size));
  return 0;
}
