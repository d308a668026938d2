// SPDX-License-Identifier: MIT
#include "driver/overviews/pyramid_editor.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "driver/overviews/find_overviews.h"
#include "driver/overviews/level_arrays.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/level_metadata.h"

namespace gdal_zarr {

using zarr::JsonNode;
using zarr::Shape;

void RefuseOverviews(const OverviewBase& base, const std::string& message) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, base.array.array().store().name(), base.array.array().path(), "",
                    message);
}

PyramidEditor::PyramidEditor(const OverviewBase& base)
    : base_(base), owner_(MakeLevelOwner(base)), layout_(base.resource(), base.group()) {
  if (layout_.IsLevelOfAnother(base.name())) {
    RefuseOverviews(base, "the array is a level of another one's pyramid: overviews are made of that one");
  }
  for (const PyramidLevel& level : layout_.FindLevelsBelow(base.name())) {
    const auto array = base.resource().finder().FindArray(GetPath(level.asset));
    if (array) {
      levels_.push_back({level.asset, array->shape(), level.entry});
    } else {
      lost_.push_back({level.asset, {}, level.entry});
    }
  }
}

PyramidEditor::Level PyramidEditor::FindLevel(int factor) const {
  const Shape shape = ComputeLevelShape(base_, factor);
  const std::string usual = "ovr_" + std::to_string(factor) + "x/" + base_.name();
  for (const bool by_name : {true, false}) {
    for (const Level& level : levels_) {
      if (level.shape == shape && (!by_name || level.asset == usual)) return level;
    }
  }
  return {usual, shape, {}};
}

bool PyramidEditor::Has(const Level& wanted) const {
  return std::any_of(levels_.begin(), levels_.end(), [&](const Level& level) { return level.asset == wanted.asset; });
}

void PyramidEditor::Prepare() {
  ChangeLevels(base_, [this] { layout_.NameArrays(base_.name()); });
}

std::shared_ptr<EditableArray> PyramidEditor::Make(const Level& level) {
  if (!Has(level)) {
    ChangeLevels(base_, [&] {
      RemoveUnfinished(owner_, GetPath(GetParentPath(level.asset)));
      if (std::ranges::find(lost_, level.asset, &Level::asset) != lost_.end())
        EraseOrphans(owner_, GetPath(level.asset));
    });
  }
  auto array = MakeLevelArray(base_, GetPath(level.asset), level.shape, Has(level));
  made_.insert(level.asset);
  return array;
}

void PyramidEditor::Drop(const std::vector<Level>& levels) {
  ChangeLevels(base_, [&] { DropLocked(levels); });
}

void PyramidEditor::Set(const std::vector<Level>& made, const std::string& resampling) {
  ChangeLevels(base_, [&] { SetLocked(made, resampling); });
}

void PyramidEditor::Update(const std::vector<Level>& levels) {
  ChangeLevels(base_, [&] { FinishLocked(levels, levels); });
}

void PyramidEditor::Clear() {
  ChangeLevels(base_, [this] { ClearLocked(); });
}

void PyramidEditor::DropLocked(const std::vector<Level>& levels) {
  std::exception_ptr first;
  const auto attempt = [&first](const auto& change) {
    try {
      change();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  };
  if (may_name_levels_) attempt([&] { Save(levels_); });
  for (const Level& level : levels) {
    if (Has(level)) continue;
    const std::string path = GetPath(level.asset);
    if (made_.contains(level.asset)) attempt([&] { NoteUnfinished(owner_.resource, path); });
    attempt([&] { RemoveUnfinished(owner_, GetParentPath(path)); });
  }
  if (first) std::rethrow_exception(first);
}

void PyramidEditor::SetLocked(const std::vector<Level>& made, const std::string& resampling) {
  std::string from = base_.name();
  Shape from_shape = base_.array.array().shape();
  std::vector<Level> levels = levels_;
  for (Level level : made) {
    level.entry = MakeLevelEntry(base_, level.asset, level.shape, from, from_shape, resampling);
    from = level.asset;
    from_shape = level.shape;
    std::erase_if(levels, [&](const Level& old) { return old.asset == level.asset; });
    levels.push_back(std::move(level));
  }
  std::stable_sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) {
    return zarr::ComputeProduct(a.shape) > zarr::ComputeProduct(b.shape);
  });
  FinishLocked(made, std::move(levels));
  // What a stopped process left would stay for good. In a remote store, another process may be working on it.
  if (!owner_.resource.is_on_network()) RemoveUnfinished(owner_);
}

void PyramidEditor::FinishLocked(const std::vector<Level>& made, std::vector<Level> levels) {
  // The layout is written before the groups, and once, with consolidated metadata that contains both.
  const auto finish = [&](bool waiting) {
    for (const Level& level : made) {
      const std::string path = GetPath(level.asset);
      if (IsGroupWaiting(owner_.resource, path) == waiting) NoteFinished(owner_.resource, path);
    }
  };
  finish(true);
  may_name_levels_ = true;
  Save(levels);
  may_name_levels_ = false;
  levels_ = std::move(levels);
  finish(false);
}

void PyramidEditor::ClearLocked() {
  for (const Level& level : levels_) {
    if (IsGroupForLevels(GetParentPath(level.asset))) NoteUnfinished(owner_.resource, GetPath(level.asset));
  }
  Save({});
  const std::vector<Level> old = std::exchange(levels_, {});
  for (const Level& level : old) RemoveLevelArray(owner_, GetPath(level.asset));
  for (const Level& level : lost_) RemoveLevelArray(owner_, GetPath(level.asset));
  RemoveUnfinished(owner_);
  layout_.Save(base_);  // Groups may now contain only levels of another array.
}

void PyramidEditor::Save(const std::vector<Level>& levels) {
  std::vector<JsonNode> entries;
  for (const Level& level : levels) entries.push_back(level.entry);
  layout_.Replace(base_.name(), MakeBaseEntry(base_), entries);
  layout_.Save(base_);
}

}  // namespace gdal_zarr
