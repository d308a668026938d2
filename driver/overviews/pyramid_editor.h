// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/overviews/layout_editor.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/overview_base.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Creates, replaces and removes the levels of an array's pyramid. Functions throw zarr::Error. Used by one thread.
class PyramidEditor {
 public:
  struct Level {
    std::string asset;  ///< The path of its array, relative to the base's group.
    zarr::Shape shape;
    zarr::JsonNode entry;  ///< Its entry in the layout.
  };

  /// Reads the existing levels. Lock the base's pyramid before, so that it does not change while it is read. `base`
  /// must outlive this object.
  explicit PyramidEditor(const OverviewBase& base);

  std::string GetPath(const std::string& asset) const { return zarr::JoinKey(base_.group(), asset); }
  const std::vector<Level>& levels() const { return levels_; }
  /// Returns the levels in the layout whose arrays are gone, without a shape.
  const std::vector<Level>& lost() const { return lost_; }

  /// Throws zarr::Error if overviews of this array cannot be made or removed in the store (LayoutEditor::CheckIsFree).
  void CheckCanChange() const { layout_.CheckIsFree(); }
  /// Returns the level for a factor: the existing one, or one to create.
  Level FindLevel(int factor) const;
  /// Returns true if the level exists.
  bool Has(const Level& wanted) const;
  /// Prepares the layout for levels that are being created.
  void Prepare();
  /// Creates the array of a level. An interrupted process may have started to create it.
  std::shared_ptr<EditableArray> Make(const Level& level);
  /// Removes the arrays of new levels that are not in the layout yet. Arrays that were created are marked as unfinished
  /// again, because Set may have marked them as finished before it failed; so the next call finds those that this call
  /// cannot remove. A level that cannot be removed does not prevent the removal of the rest; the first error is thrown
  /// at the end.
  void Drop(const std::vector<Level>& levels);
  /// Sets the levels, from the largest, each of which was computed from the preceding one. Then saves the layout.
  void Set(const std::vector<Level>& made, const std::string& resampling);
  /// Replaces all levels, which have been computed again, by these, with their entries. Then saves the layout.
  void Update(const std::vector<Level>& levels);
  /// Removes the levels from the layout first, so that no reader looks up a removed level. Before that, marks them as
  /// unfinished, so that the next removal finds those that this call leaves after an error.
  void Clear();

 private:
  void DropLocked(const std::vector<Level>& levels);
  void SetLocked(const std::vector<Level>& made, const std::string& resampling);
  void FinishLocked(const std::vector<Level>& made, std::vector<Level> levels);
  void ClearLocked();
  void Save(const std::vector<Level>& levels);

  const OverviewBase& base_;
  const LevelOwner owner_;
  LayoutEditor layout_;
  std::vector<Level> levels_;     // the levels in the layout
  std::vector<Level> lost_;       // those whose arrays are gone, though chunks may remain
  std::set<std::string> made_;    // the assets whose arrays this object has created
  bool may_name_levels_ = false;  // the stored layout may contain levels that could not be set
};

/// Throws Error(unsupported): overviews of this array are not possible.
[[noreturn]] void RefuseOverviews(const OverviewBase& base, const std::string& message);

}  // namespace gdal_zarr
