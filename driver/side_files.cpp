#include "driver/side_files.h"

#include <algorithm>
#include <cctype>

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

std::string OverviewFileStem(const std::string& document, const std::string& array_name) {
  std::string name = array_name;
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !is_plain(c); }, '_');
  return document + "." + name;
}

}  // namespace gdal_zarr
