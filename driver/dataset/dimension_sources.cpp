// SPDX-License-Identifier: MIT
#include "driver/dataset/dimension_sources.h"

#include <optional>
#include <utility>

#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

/// Like EditableHierarchy::CreatedSince. A read-only dataset has not created any nodes.
std::optional<std::vector<std::string>> FindCreated(const zarr::Hierarchy& hierarchy, std::size_t count) {
  const zarr::EditableHierarchy* const editable = hierarchy.editable();
  return editable ? editable->CreatedSince(count) : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> DimensionSources::Find(const zarr::Hierarchy& hierarchy, const std::string& group,
                                                const List& list, const GetNames& get_names) {
  std::optional<Known> known;
  std::size_t forgotten = 0;
  {
    const std::lock_guard lock(mutex_);
    forgotten = forgotten_;
    const auto found = groups_.find(group);
    if (found != groups_.end()) {
      known = std::move(found->second);
      groups_.erase(found);  // until it is complete again
    }
  }
  const auto created = FindCreated(hierarchy, known ? known->created : 0);
  std::vector<std::string> paths;
  if (known && created) {
    paths = ChooseToInspect(*created, group);
  } else {
    known = Known();
    paths = list();
  }
  known->created += created ? created->size() : FindCreated(hierarchy, 0)->size();
  for (const std::string& path : paths) {
    bool has_new = false;
    for (const std::string& name : get_names(path)) has_new = known->names.insert(name).second || has_new;
    if (has_new) known->arrays.push_back(path);
  }
  std::vector<std::string> arrays = known->arrays;
  const std::lock_guard lock(mutex_);
  if (forgotten == forgotten_) groups_.insert_or_assign(group, *std::move(known));
  return arrays;
}

std::vector<std::string> DimensionSources::ChooseToInspect(const std::vector<std::string>& created,
                                                           const std::string& group) {
  std::vector<std::string> paths;
  const std::lock_guard lock(mutex_);
  for (const std::string& path : created) {
    if (!path.empty() && zarr::ParentPath(path) == group && !without_new_.contains(path)) paths.push_back(path);
  }
  return paths;
}

void DimensionSources::NoteWithoutNew(const std::string& path) {
  const std::lock_guard lock(mutex_);
  without_new_.insert(path);
}

void DimensionSources::Forget() {
  const std::lock_guard lock(mutex_);
  groups_.clear();
  without_new_.clear();
  ++forgotten_;
}

}  // namespace gdal_zarr
