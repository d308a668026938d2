// SPDX-License-Identifier: MIT
#include "driver/dataset/pam_files.h"

#include <cpl_minixml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/stores/gdal_side_file.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {
namespace {

bool IsArchive(const std::string& file) {
  return file.starts_with("/vsizip/") || file.starts_with("/vsitar/") || file.starts_with("/vsi7z/") ||
         file.starts_with("/vsirar/");
}

bool IsLocal(const std::string& file) {
  return !file.starts_with("/vsi") || VSIIsLocal(file.c_str());
}

}  // namespace

bool MayHaveSideFiles(const std::string& file) {
  return IsLocal(file) || IsArchive(file) || PamGetProxy(file.c_str()) != nullptr;
}

bool CanSaveSideFiles(const std::string& file) {
  return (IsLocal(file) && !IsArchive(file)) || CPLGetConfigOption("GDAL_PAM_PROXY_DIR", nullptr) != nullptr;
}

namespace {

bool StartsAsSideFile(const std::string& file) {
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> handle(VSIFOpenL(file.c_str(), "rb"), VSIFCloseL);
  if (!handle) return false;
  std::array<char, 16> bytes{};
  const std::string_view start(bytes.data(), VSIFReadL(bytes.data(), 1, bytes.size(), handle.get()));
  const auto starts = GetSideFileStarts(file);
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view text) { return start.starts_with(text); });
}

/// Returns nullopt if there is no such file.
std::optional<std::uint64_t> GetSize(const std::string& file) {
  VSIStatBufL status;
  if (VSIStatL(file.c_str(), &status) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

std::string GetFolder(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

}  // namespace

NewSideFile::NewSideFile(std::string target)
    : target_(std::move(target)), path_(GetFolder(target_) + zarr::MakeTemporaryName()) {
  const ErrorCollector hidden_errors;
  const auto size = GetSize(target_);
  copied_ = !size || (CPLCopyFile(path_.c_str(), target_.c_str()) == 0 && GetSize(path_) == size);
}

NewSideFile::~NewSideFile() {
  const ErrorCollector hidden_errors;
  if (GetSize(path_)) VSIUnlink(path_.c_str());
}

bool NewSideFile::PutInPlace() const {
  const ErrorCollector hidden_errors;
  if (!copied_) return false;
  if (!GetSize(path_)) return !GetSize(target_) || VSIUnlink(target_.c_str()) == 0;
  const CPLXMLTreeCloser whole(CPLParseXMLFile(path_.c_str()));
  return whole.get() != nullptr && VSIRename(path_.c_str(), target_.c_str()) == 0;
}

bool IsForeignSideFile(const std::string& file) {
  const ErrorCollector hidden_errors;
  if (!GetSize(file)) return false;
  return !StartsAsSideFile(file);
}

std::string MakeOverviewFileStem(const std::string& document, const std::string& array_name) {
  std::string name = array_name;
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !is_plain(c); }, '_');
  return document + "." + name;
}

bool NotesNameOfOverviews(const std::string& document) {
  constexpr GIntBig kMostBytes = 64 << 20;
  const ErrorCollector hidden_errors;
  GByte* bytes = nullptr;
  const std::string file = document + ".aux.xml";
  if (!VSIIngestFile(nullptr, file.c_str(), &bytes, nullptr, kMostBytes)) return false;
  const std::unique_ptr<GByte, decltype(&VSIFree)> text(bytes, VSIFree);
  return std::strstr(reinterpret_cast<const char*>(bytes), kOverviewsNamedAfter) != nullptr;
}

void RenameOverviewFiles(const std::string& document, const std::string& from, const std::string& to) {
  if (!MayHaveSideFiles(document)) return;
  const std::string folder = GetFolder(document);
  const std::string before = MakeOverviewFileStem(document, from);
  const std::string after = MakeOverviewFileStem(document, to);
  if (before == after) return;
  const CPLStringList names(VSIReadDir(folder.c_str()));
  for (int i = 0; i < names.size(); ++i) {
    const std::string file = folder + names[i];
    if (!file.starts_with(before + ".") || !file.ends_with(".ovr") || IsForeignSideFile(file)) continue;
    const std::string renamed = after + file.substr(before.size());
    if (!GetSize(renamed) && VSIRename(file.c_str(), renamed.c_str()) == 0) continue;
    CPLError(CE_Warning, CPLE_FileIO, "%s keeps its name: its overviews are no longer those of the array",
             file.c_str());
  }
}

}  // namespace gdal_zarr
