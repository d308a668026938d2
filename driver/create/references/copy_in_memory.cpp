// SPDX-License-Identifier: MIT
#include "driver/create/references/copy_in_memory.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <utility>

#include "driver/create/creation.h"
#include "driver/create/references/values_hidden.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

CopyInMemory::CopyInMemory(GDALDataset& source, const std::string& target, CSLConstList options,
                           std::function<bool(const std::string& source)> is_left_out, bool is_strict)
    : folder_("/vsimem/" + zarr::MakeTemporaryName()),
      path_(folder_ + "/" + GetBaseName(target) + ".zarr"),
      left_out_(std::move(is_left_out)) {
  CPLStringList all(CSLDuplicate(const_cast<char**>(options)));
  const bool is_raster = source.GetRootGroup() == nullptr;
  all.SetNameValue("CREATE_CONSOLIDATED_METADATA", "NO");
  all.SetNameValue(is_raster ? "COMPRESS" : "ARRAY:COMPRESS", "NONE");
  const ValuesHidden hidden(source);
  // References have no PAM file, so that what only this can have is reported as lost.
  const CPLConfigOptionSetter no_pam_file("GDAL_PAM_ENABLED", "NO", false);
  const FailureWatch failures;
  const std::unique_ptr<GDALDataset> copy(
      CreateCopy(path_.c_str(), &hidden.dataset(), is_strict, all.List(), GDALDummyProgress, nullptr));
  if (copy) return;
  VSIRmdirRecursive(folder_.c_str());
  throw zarr::Error(zarr::ErrorKind::kIo, target, "", "", "no references are made: " + failures.message());
}

CopyInMemory::~CopyInMemory() {
  VSIRmdirRecursive(folder_.c_str());
}

const std::string* CopyInMemory::FindSource(const std::string& copied_path) const {
  const auto source = left_out_.copies().find(copied_path);
  return source == left_out_.copies().end() ? nullptr : &source->second;
}

}  // namespace gdal_zarr
