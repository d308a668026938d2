// SPDX-License-Identifier: MIT
#include "driver/plugin/array_catalog.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "driver/dataset/unlisted_nodes.h"
#include "driver/dataset/visit_upwards.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/overviews/find_overviews.h"
#include "driver/types/type_map.h"
#include "zarrlib/base/limits.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kMostWarnings = 10;

std::string GetTypeName(const ElementClass& type) {
  if (type.type_class == GEDTC_NUMERIC) return GDALGetDataTypeName(type.number);
  return type.type_class == GEDTC_STRING ? "String" : "Compound";
}

/// Returns the names in a CF attribute that refers to arrays: its words, without the colon in the long form of
/// `grid_mapping`, where the word before the colon is a name as well.
std::vector<std::string> GetNames(const std::string& reference) {
  std::vector<std::string> names;
  const CPLStringList words(CSLTokenizeString2(reference.c_str(), " ", 0));
  for (int i = 0; i < words.size(); ++i) {
    std::string name = words[i];
    if (name.ends_with(':')) name.pop_back();
    name.erase(0, name.find_first_not_of('/'));
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

/// If arrays refer only to each other, the rasters among them do not count as auxiliary.
void KeepSome(std::vector<FoundArray>* arrays) {
  const auto is_raster = [](const FoundArray& array) { return array.numeric && array.summary.shape.size() >= 2; };
  for (const FoundArray& array : *arrays) {
    if (is_raster(array) && !array.auxiliary) return;
  }
  for (FoundArray& array : *arrays) {
    if (is_raster(array)) array.auxiliary = false;
  }
}

/// Marks arrays that belong to other arrays.
void MarkAuxiliary(std::vector<FoundArray>* arrays) {
  std::unordered_map<std::string, FoundArray*> by_path;
  for (FoundArray& array : *arrays) by_path.emplace(array.path, &array);
  const auto mark = [&](const FoundArray& from, const std::string& name, bool only_lines) {
    VisitUpwards(GetParentPath(from.path), name, [&](const std::string& path) {
      const auto found = by_path.find(path);
      if (found == by_path.end()) return false;
      if (only_lines && !found->second->failure && found->second->summary.shape.size() != 1) return false;
      if (found->second != &from || only_lines) found->second->auxiliary = true;
      return true;
    });
  };
  for (const FoundArray& array : *arrays) {
    for (const auto& name : array.summary.dimension_names) {
      if (name && !name->empty()) mark(array, *name, true);
    }
    for (const std::string& reference : array.summary.references) {
      for (const std::string& name : GetNames(reference)) mark(array, name, false);
    }
  }
}

class Finder {
 public:
  explicit Finder(SharedResource& resource) : resource_(resource) {}

  std::vector<FoundArray> Run(const std::string& group) {
    if (!resource_.root_array_name().empty()) {
      Add("");
    } else {
      Visit(group);
      if (found_.empty()) WarnIfUnlisted(resource_);
    }
    if (failures_ > 0 && failures_ == found_.size()) throw *found_[0].failure;
    Warn();
    MarkAuxiliary(&found_);
    KeepSome(&found_);
    if (full_) {
      const std::string most = std::to_string(most_);
      CPLError(CE_Warning, CPLE_AppDefined,
               "%s: only the first %s arrays in the first %s groups are listed (ZARR_MAX_LISTED_NODES)",
               resource_.hierarchy().store()->name().c_str(), most.c_str(), most.c_str());
    }
    return std::move(found_);
  }

 private:
  void Visit(const std::string& group) {
    if (++groups_ > most_) full_ = true;
    if (full_) return;
    for (const zarr::Hierarchy::Child& child : resource_.hierarchy().List(group)) {
      full_ = full_ || found_.size() >= most_;
      if (full_) return;
      const std::string path = zarr::JoinKey(group, child.name);
      if (child.kind == zarr::NodeKind::kArray) {
        Add(path);
      } else {
        Visit(path);
      }
    }
  }

  void Add(const std::string& path) {
    try {
      zarr::ArraySummary summary = resource_.hierarchy().Summarize(path);
      const ElementClass type = FindElementClass(summary.data_type);
      found_.push_back({path, std::move(summary), type.type_class == GEDTC_NUMERIC, false, GetTypeName(type)});
    } catch (const zarr::Error& error) {
      ++failures_;
      found_.push_back({.path = path, .summary = {}, .type_name = "", .failure = error});
    }
  }

  void Warn() {
    std::size_t count = 0;
    for (const FoundArray& array : found_) {
      if (array.failure && ++count <= kMostWarnings) resource_.WarnOnce(array.failure->what());
    }
    if (count <= kMostWarnings) return;
    resource_.WarnOnce(resource_.hierarchy().store()->name() + ": " + std::to_string(count - kMostWarnings) +
                       " more arrays cannot be opened");
  }

  SharedResource& resource_;
  std::vector<FoundArray> found_;
  std::size_t failures_ = 0;
  /// Limit for arrays, and for groups, since symbolic links can give one group any number of paths.
  std::uint64_t most_ = zarr::GetLimit(zarr::Limit::kListedNodes);
  std::uint64_t groups_ = 0;
  bool full_ = false;
};

/// Pyramids have few levels, so a larger number of arrays cannot be one.
constexpr std::size_t kMostLevels = 32;

/// Returns the array of which all others are overviews, or null.
const FoundArray* FindPyramidBase(SharedResource& resource, const std::vector<const FoundArray*>& arrays) {
  if (arrays.empty() || arrays.size() > kMostLevels) return nullptr;
  const auto smaller = [](const FoundArray* a, const FoundArray* b) {
    return std::lexicographical_compare(a->summary.shape.begin(), a->summary.shape.end(), b->summary.shape.begin(),
                                        b->summary.shape.end());
  };
  const FoundArray* largest = *std::max_element(arrays.begin(), arrays.end(), smaller);
  const auto overviews = FindOverviews(resource, *resource.hierarchy().OpenArray(largest->path));
  for (const FoundArray* array : arrays) {
    const auto is_it = [&](const auto& overview) { return overview.array->path() == array->path; };
    if (array != largest && std::none_of(overviews.begin(), overviews.end(), is_it)) return nullptr;
  }
  return largest;
}

/// Returns the only numeric array that is not auxiliary, or null. It has fewer than two dimensions.
const FoundArray* FindOnlyLine(const std::vector<FoundArray>& arrays) {
  const FoundArray* only = nullptr;
  for (const FoundArray& array : arrays) {
    if (array.auxiliary || !array.numeric) continue;
    if (only || array.summary.shape.size() >= 2) return nullptr;
    only = &array;
  }
  return only;
}

}  // namespace

std::vector<FoundArray> FindArrays(SharedResource& resource, const std::string& group) {
  return Finder(resource).Run(group);
}

bool CanBeMain(const FoundArray& array) {
  return array.numeric && !array.auxiliary && array.summary.shape.size() >= 2 &&
         ("/" + array.path).find("/ovr_") == std::string::npos;
}

bool MayBeMain(const FoundArray& array) {
  const bool failed = array.failure && !array.auxiliary && ("/" + array.path).find("/ovr_") == std::string::npos;
  return failed || CanBeMain(array);
}

bool IsNeeded(const SharedResource& resource, const FoundArray& array) {
  if (!array.failure || !MayBeMain(array)) return false;
  return resource.writable() || array.failure->kind() == zarr::ErrorKind::kIo;
}

const FoundArray* FindMainArray(SharedResource& resource, const std::vector<FoundArray>& arrays) {
  if (arrays.size() == 1) return &arrays[0];
  std::vector<const FoundArray*> candidates;
  for (const FoundArray& array : arrays) {
    if (MayBeMain(array)) candidates.push_back(&array);
  }
  if (candidates.size() == 1) return candidates[0];
  if (candidates.empty()) return FindOnlyLine(arrays);
  for (const FoundArray* array : candidates) {
    if (IsNeeded(resource, *array)) return nullptr;
  }
  std::erase_if(candidates, [](const FoundArray* array) { return array->failure.has_value(); });
  return candidates.size() == 1 ? candidates[0] : FindPyramidBase(resource, candidates);
}

}  // namespace gdal_zarr
