// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "driver/dataset/pam_files.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {
namespace {

/// Makes GDAL save the PAM file under another name, unless GDAL chooses a name itself in the meantime.
class OtherName {
 public:
  OtherName(char** name, const std::string& other)
      : name_(name), other_(other), kept_(std::exchange(*name, CPLStrdup(other.c_str()))) {}
  OtherName(const OtherName&) = delete;
  OtherName& operator=(const OtherName&) = delete;
  ~OtherName() {
    if (other_ == *name_) std::swap(*name_, kept_);
    CPLFree(kept_);
  }

 private:
  char** name_;
  const std::string& other_;
  char* kept_;
};

}  // namespace

CPLErr RasterDataset::SaveSideFile() {
  const bool dirty = (nPamFlags & GPF_DIRTY) != 0 && (nPamFlags & (GPF_NOSAVE | GPF_DISABLED)) == 0;
  const char* place = dirty ? BuildPamFilename() : nullptr;
  if (!place) return CE_None;
  if (IsForeignSideFile(place)) return LeaveForeignSideFile(place);
  const NewSideFile fresh(place);
  const CPLErr result = [&] {
    const OtherName name(&psPam->pszPamFilename, fresh.path());
    const ErrorCollector hidden_errors;  // they refer to the temporary file
    return TrySaveXML();                 // in another folder if this one is not writable
  }();
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
