// SPDX-License-Identifier: MIT
#include "driver/stores/gdal_side_file.h"

#include <algorithm>
#include <array>

#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

/// Returns true if a value begins with `text`.
bool StartsWith(const zarr::Store& store, std::string_view key, std::string_view text) {
  zarr::Bytes start(text.size());
  const zarr::ByteRange range{0, text.size()};
  const zarr::MutableByteSpan buffer(start);
  try {
    return store.GetRanges(key, {&range, 1}, {&buffer, 1}) && zarr::AsText(start) == text;
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) throw;
    return false;  // the value is shorter
  }
}

/// Returns true if a name consists of a metadata document's name and an extension.
bool IsBesideDocument(std::string_view name) {
  for (const std::string_view document : zarr::kRootDocuments) {
    if (name.size() > document.size() && name.starts_with(document) && name[document.size()] == '.') return true;
  }
  return false;
}

}  // namespace

std::span<const std::string_view> GetSideFileStarts(std::string_view name) {
  using namespace std::string_view_literals;
  static constexpr std::array kPam = {"<PAMDataset"sv};
  static constexpr std::array kNetcdf = {"CDF\1"sv, "CDF\2"sv, "CDF\5"sv, "\x89HDF\r\n\x1a\n"sv};
  static constexpr std::array kTiff = {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
  if (name.ends_with(".aux.xml")) return kPam;
  if (name.ends_with(".ovr")) return kTiff;
  if (name.ends_with(".gmac")) return kNetcdf;  // of GDALMDArray::Cache
  return {};
}

bool IsGdalSideFile(const zarr::Store& store, std::string_view key) {
  const std::string_view name = key.substr(key.rfind('/') + 1);
  if (name != "pam.aux.xml" && !IsBesideDocument(name)) return false;
  const auto starts = GetSideFileStarts(name);
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view text) { return StartsWith(store, key, text); });
}

}  // namespace gdal_zarr
