// SPDX-License-Identifier: MIT
#include "driver/dataset/open_stores.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>

#include "driver/gdal/repository_name.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/files/path_text.h"

namespace gdal_zarr {
namespace {

struct OpenStores {
  std::mutex mutex;
  std::multimap<std::string, const zarr::Hierarchy*, std::less<>> places;
};

/// Never destroyed, because datasets may be closed while the process exits.
OpenStores& GetOpenStores() {
  static auto* const stores = new OpenStores;
  return *stores;
}

/// Returns the file or folder that contains the store of a path: an archive, a file of references, a repository, or the
/// path itself.
std::string FindContainer(const std::string& path) {
  try {
    if (NamesRepository(path)) return std::string(GetRepositoryPath(path));
    if (const auto zip = FindZipPath(path)) return zip->archive;
    if (const auto references = ParseReferenceName(path)) return references->file;
  } catch (const zarr::Error&) {
    // Not the name of a store.
  }
  return path;
}

std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

/// The mutex must be held.
std::optional<std::string> FindIn(const OpenStores& stores, const std::string& place) {
  if (stores.places.contains(place)) return place;
  const auto below = stores.places.lower_bound(place + "/");
  if (below == stores.places.end() || !IsInPlace(below->first, place)) return std::nullopt;
  return below->first;
}

}  // namespace

std::string GetPlace(const std::string& path) {
  std::string container = WithoutSlashes(FindContainer(path));
  const bool may_be_inside = container.starts_with("/vsi") || NamesRepository(path);
  if (container != path && may_be_inside) return GetPlace(container);
  if (container.starts_with("/vsi")) return container;
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(zarr::ToPath(container)), error);
  return error ? container : WithoutSlashes(zarr::ToText(place));
}

bool IsInPlace(std::string_view place, std::string_view folder) {
  if (!place.starts_with(folder)) return false;
  return place.size() == folder.size() || place[folder.size()] == '/' || folder.ends_with('/');
}

OpenStoreNote::OpenStoreNote(const zarr::Hierarchy& hierarchy)
    : place_(GetPlace(hierarchy.store()->name())), hierarchy_(&hierarchy) {
  OpenStores& stores = GetOpenStores();
  const std::lock_guard lock(stores.mutex);
  stores.places.emplace(place_, hierarchy_);
}

OpenStoreNote::~OpenStoreNote() {
  OpenStores& stores = GetOpenStores();
  const std::lock_guard lock(stores.mutex);
  auto [note, end] = stores.places.equal_range(place_);
  while (note != end && note->second != hierarchy_) ++note;
  if (note != end) stores.places.erase(note);
}

std::optional<std::string> FindOpenStoreIn(const std::string& path) {
  const std::string place = GetPlace(path);
  OpenStores& stores = GetOpenStores();
  const std::lock_guard lock(stores.mutex);
  return FindIn(stores, place);
}

std::optional<std::string> FindOpenStoreAround(const std::string& path) {
  const std::string place = GetPlace(path);
  OpenStores& stores = GetOpenStores();
  const std::lock_guard lock(stores.mutex);
  if (auto found = FindIn(stores, place)) return found;
  for (std::size_t slash = place.rfind('/'); slash != place.npos && slash > 0; slash = place.rfind('/', slash - 1)) {
    const std::string_view above = std::string_view(place).substr(0, slash);
    if (stores.places.contains(above)) return std::string(above);
  }
  return std::nullopt;
}

std::optional<std::string> FindOtherUser(const zarr::Hierarchy& hierarchy, const std::string& node) {
  const std::string place = GetPlace(hierarchy.store()->name());
  OpenStores& stores = GetOpenStores();
  const std::lock_guard lock(stores.mutex);
  const auto [begin, end] = stores.places.equal_range(place);
  const bool is_used = std::any_of(
      begin, end, [&](const auto& note) { return note.second != &hierarchy && note.second->HasOpenedIn(node); });
  return is_used ? std::optional(place) : FindIn(stores, place + "/" + node);
}

}  // namespace gdal_zarr
