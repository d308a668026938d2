// SPDX-License-Identifier: MIT
#include <utility>

#include "driver/dataset/pam_files.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

CPLErr RasterDataset::SaveSideFile() {
  const bool dirty = (nPamFlags & GPF_DIRTY) != 0 && (nPamFlags & (GPF_NOSAVE | GPF_DISABLED)) == 0;
  const char* place = dirty ? BuildPamFilename() : nullptr;
  if (!place) return CE_None;
  if (IsForeignSideFile(place)) return LeaveForeignSideFile(place);
  const NewSideFile fresh(place);
  char* old_name = std::exchange(psPam->pszPamFilename, CPLStrdup(fresh.path().c_str()));
  const CPLErr result = [this] {
    const ErrorCollector hidden_errors;  // they name the temporary file
    return TrySaveXML();
  }();
  // GDAL may have chosen another file for side files, if it could not write to the first one.
  if (fresh.path() == psPam->pszPamFilename) std::swap(psPam->pszPamFilename, old_name);
  CPLFree(old_name);
  if (result == CE_None && fresh.PutInPlace()) return CE_None;
  const CPLErr severity = eAccess == GA_Update ? CE_Failure : CE_Warning;
  CPLError(severity, CPLE_FileIO, "%s: the side file %s cannot be written", GetDescription(), fresh.target().c_str());
  return severity == CE_Failure ? CE_Failure : CE_None;
}

CPLErr RasterDataset::LeaveForeignSideFile(const std::string& file) {
  nPamFlags &= ~GPF_DIRTY;
  const CPLErr result = eAccess == GA_Update ? CE_Failure : CE_Warning;
  CPLError(result, CPLE_FileIO, "%s: the side file %s was not written by GDAL and stays as it is: %s", GetDescription(),
           file.c_str(), "statistics and metadata that only a side file can hold are not kept");
  return result == CE_Failure ? CE_Failure : CE_None;
}

}  // namespace gdal_zarr
