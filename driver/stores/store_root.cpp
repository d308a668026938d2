// SPDX-License-Identifier: MIT
#include "driver/stores/store_root.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "driver/gdal/option_values.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi_store.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 32;

/// A folder, and the name of the folder in it from which the search came.
struct Step {
  std::string folder;
  std::string name;
};

bool IsNamedAsStore(std::string_view folder) {
  constexpr std::string_view kEnding = ".zarr";
  if (folder.starts_with("/vsicurl/http")) folder = folder.substr(0, folder.find('?'));
  return folder.size() >= kEnding.size() && IsEqualIgnoringCase(folder.substr(folder.size() - kEnding.size()), kEnding);
}

bool IsRootOfArchive(const std::string& path) {
  try {
    const auto zip = SplitZipPath(path);
    return zip && zip->folder.empty();
  } catch (const zarr::Error&) {
    return true;
  }
}

/// Returns nothing above a server, a bucket, an archive, or a top folder in memory.
std::optional<Step> StepUpVirtual(const std::string& path) {
  const std::size_t query = path.starts_with("/vsicurl/http") ? path.find('?') : std::string::npos;
  const std::string_view plain = std::string_view(path).substr(0, query);
  const std::size_t slash = plain.rfind('/');
  const bool has_folder = slash > 0 && plain[slash - 1] != '/' && plain.substr(0, slash).find('/', 1) != plain.npos;
  if (!has_folder || plain.find('?') != plain.npos || IsRootOfArchive(path)) return std::nullopt;
  const std::string behind = query == std::string::npos ? "" : path.substr(query);
  return Step{std::string(plain.substr(0, slash)) + behind, std::string(plain.substr(slash + 1))};
}

/// Goes by names where the path has them, so that symbolic links do not matter.
std::optional<Step> StepUpLocal(const std::string& path) {
  fs::path whole(path);
  const bool untold = whole.parent_path().empty() || whole.filename() == "." || whole.filename() == "..";
  if (untold) {
    std::error_code error;
    whole = fs::absolute(whole, error).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    if (error || !fs::equivalent(whole, path, error)) return std::nullopt;
  }
  if (whole.filename().empty() || whole == whole.root_path()) return std::nullopt;
  return Step{whole.parent_path().string(), whole.filename().string()};
}

std::optional<Step> StepUp(const std::string& path) {
  return path.starts_with("/vsi") ? StepUpVirtual(path) : StepUpLocal(path);
}

/// Whether a server denies access to a file. Many servers do so above the stores that they offer.
bool IsForbidden(const zarr::Error& error) {
  for (const char* reason : {"HTTP response code: 401", "HTTP response code: 403", "AccessDenied", "Access Denied"}) {
    if (error.message().find(reason) != std::string::npos) return true;
  }
  return false;
}

bool HasDocument(const std::string& folder, std::string_view name) {
  try {
    return MakeStore(folder)->Exists(name);
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo && !(LeadsToNetwork(folder) && IsForbidden(error))) throw;
    return false;
  }
}

bool IsStore(const std::string& folder, const zarr::Hierarchy& node) {
  if (!LeadsToNetwork(folder)) return IsNamedAsStore(folder) && node.Probe("") == zarr::NodeKind::kGroup;
  return IsNamedAsStore(folder) || node.consolidated();
}

}  // namespace

std::optional<PlaceInStore> FindStoreRoot(const std::string& folder, const zarr::Hierarchy& node) {
  if (node.format() != zarr::ZarrFormat::kV2 && node.format() != zarr::ZarrFormat::kV3) return std::nullopt;
  if (IsStore(folder, node)) return std::nullopt;
  const std::string_view document = node.format() == zarr::ZarrFormat::kV3 ? zarr::kV3Document : zarr::kV2Group;
  PlaceInStore place{folder, ""};
  for (int level = 0; level < kMostLevels; ++level) {
    const std::optional<Step> step = StepUp(place.store);
    if (!step || !HasDocument(step->folder, document)) break;
    place = {step->folder, place.node.empty() ? step->name : step->name + "/" + place.node};
    if (IsNamedAsStore(place.store)) break;
  }
  return place.node.empty() ? std::nullopt : std::optional(std::move(place));
}

}  // namespace gdal_zarr
