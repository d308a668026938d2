// SPDX-License-Identifier: MIT
#include "driver/zarrkit/stack_files.h"

#include <ostream>
#include <string>

#include "driver/create/references/stack/stack_references.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/plugin/plugin.h"

namespace gdal_zarr {
namespace {

/// Registers the driver of this program before GDAL can load the plugin.
void RegisterDrivers() {
  GDALRegister_Zarr();
  GDALAllRegister();
}

/// Returns GDAL's name for a URL, and other names unchanged.
std::string GetGdalName(const std::string& name) {
  const std::string of_url = FindNameOfUrl(name);
  return of_url.empty() ? name : of_url;
}

}  // namespace

int StackFiles(const zarr::tools::StackOptions& options, std::ostream& err, zarr::tools::Progress* progress) {
  RegisterDrivers();
  StackRequest request{options.along, {}, GetGdalName(options.output), {}, {}};
  for (const std::string& file : options.files) request.files.push_back(GetGdalName(file));
  progress->Begin("stack", 1);
  request.progress = [progress](double share) {
    progress->MoveTo(share);
    return true;
  };
  request.warn = [&err, progress](const std::string& text) {
    progress->Clear();
    err << "zarrkit: warning: " << text << "\n";
  };
  StackReferences(request);
  progress->Clear();
  return zarr::tools::kSuccess;
}

}  // namespace gdal_zarr
