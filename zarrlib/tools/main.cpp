// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "zarrlib/base/system/run_instead.h"
#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/names/local_names.h"
#include "zarrlib/tools/program.h"

namespace {

using zarr::tools::IsNameForGdal;

/// The program with GDAL is a separate one, since loading GDAL takes longer than most commands.
std::shared_ptr<zarr::Store> OpenWithoutGdal(const std::string& name) {
  if (!IsNameForGdal(name)) return zarr::tools::OpenStore(name);
  throw zarr::Error(zarr::ErrorKind::kUnsupported, name, "", "",
                    "stores that are no local folders need zarrkit-gdal, which comes with the GDAL plugin, and is not "
                    "beside zarrkit or in ../libexec");
}

/// Returns only if the program with GDAL does not exist.
void RunWithGdal(char** argv) {
  const std::filesystem::path folder = zarr::FindProgramFolder();
  if (folder.empty()) return;
  zarr::RunInstead(folder / "zarrkit-gdal", argv);
  zarr::RunInstead(folder.parent_path() / "libexec" / "zarrkit-gdal", argv);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_stack = argc > 1 && std::string_view(argv[1]) == "stack";
  const auto needs_gdal = [](const char* argument) {
    return IsNameForGdal(argument) || zarr::tools::IsLocalNameForGdal(argument);
  };
  if (is_stack || std::any_of(argv + 1, argv + argc, needs_gdal)) RunWithGdal(argv);
  return zarr::tools::RunProgram(argc, argv, {OpenWithoutGdal, nullptr});
}
