// SPDX-License-Identifier: MIT
#include "driver/raster/overview_file.h"

#include <system_error>
#include <utility>

#include "driver/dataset/pam_files.h"
#include "driver/gdal/gdal_error.h"
#include "driver/stores/store_factory.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {
namespace {

constexpr const char* kDomain = "OVERVIEWS";

bool IsThere(const std::string& stem) {
  VSIStatBufL status;
  return VSIStatExL((stem + ".ovr").c_str(), &status, VSI_STAT_EXISTS_FLAG) == 0;
}

}  // namespace

void OverviewFile::Find() {
  std::string stem = GetStem();
  const char* const noted = raster_.dataset.GetMetadataItem(kOverviewsNamedAfter, kDomain);
  if (noted && !IsThere(stem) && IsThere(GetStem(noted))) stem = GetStem(noted);
  manager_.Initialize(&raster_.dataset, stem.c_str());
}

void OverviewFile::NoteBuilt(bool has_any) {
  is_behind_ = false;
  const std::string name = raster_.array->GetName();
  // A file of another name, which was found by the note, keeps it.
  if (has_any && IsThere(GetStem())) raster_.dataset.SetMetadataItem(kOverviewsNamedAfter, name.c_str(), kDomain);
  if (!has_any && raster_.dataset.GetMetadataItem(kOverviewsNamedAfter, kDomain)) {
    raster_.dataset.SetMetadataItem(kOverviewsNamedAfter, nullptr, kDomain);
  }
}

void OverviewFile::NoteWrite() {
  if (std::exchange(is_behind_, true)) return;
  before_ = FindState();
}

void OverviewFile::NoteFlush() {
  if (before_ && before_ != FindState()) is_behind_ = false;
}

std::optional<OverviewFile::FileState> OverviewFile::FindState() const {
  GDALRasterBand* const band =
      manager_.IsInitialized() && manager_.GetOverviewCount(1) > 0 ? manager_.GetOverview(1, 0) : nullptr;
  GDALDataset* const file = band ? band->GetDataset() : nullptr;
  if (!file) return std::nullopt;
  static_cast<void>(file->FlushCache(false));
  const std::filesystem::path path = zarr::ToPath(file->GetDescription());
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  const auto size = error ? 0 : std::filesystem::file_size(path, error);
  return error ? std::nullopt : std::optional(FileState(time, size));
}

bool OverviewFile::TakeBehind() {
  if (!std::exchange(is_behind_, false) || !manager_.IsInitialized() || manager_.GetOverviewCount(1) == 0) return false;
  return !before_ || before_ == FindState();
}

void OverviewFile::WarnOfBehind() const {
  CPLError(CE_Warning, CPLE_AppDefined,
           "%s: the overviews in a file beside the array's metadata do not show what has been written since they were "
           "made, and REFRESH_OVERVIEWS does not compute them: build them again",
           raster_.dataset.GetDescription());
}

void OverviewFile::Use() {
  if (!manager_.IsInitialized()) manager_.Initialize(&raster_.dataset, GetPlainStem().c_str());
}

CPLErr OverviewFile::Check() const {
  const std::string& document = raster_.array->GetFilename();
  const char* const name = raster_.dataset.GetDescription();
  if (document.empty() || !CanSaveSideFiles(document)) {
    if (!TryChange([this] { CheckTakesWrites(*OpenStore(raster_.view.array().store().name())); })) return CE_Failure;
    CPLError(CE_Failure, CPLE_NotSupported,
             "%s: overviews of a dataset that is open for reading would go to a file beside the array's metadata, and "
             "none can be written there: open it for update (gdaladdo without -ro), so that they go into the store",
             name);
    return CE_Failure;
  }
  for (const std::string& stem : {GetStem(), GetPlainStem()}) {
    const std::string file = stem + ".ovr";
    if (!IsForeignSideFile(file)) continue;
    CPLError(CE_Failure, CPLE_FileIO, "%s: overviews would go to %s, which is no TIFF file: it stays as it is", name,
             file.c_str());
    return CE_Failure;
  }
  return CE_None;
}

void OverviewFile::Clean() {
  if (manager_.IsInitialized() && manager_.GetOverviewCount(1) > 0) manager_.CleanOverviews();
}

void OverviewFile::IgnoreMaskFile() {
  // GDAL searches for a mask only once. This makes the search fail.
  manager_.HaveMaskFile(nullptr, "none.msk");
}

std::string OverviewFile::GetStem(const std::string& array_name) const {
  return MakeOverviewFileStem(raster_.array->GetFilename(), array_name) + raster_.view.MakeFileSuffix();
}

std::string OverviewFile::GetPlainStem() const {
  return raster_.array->GetFilename() + "." + raster_.array->GetName() + raster_.view.MakeFileSuffix();
}

}  // namespace gdal_zarr
