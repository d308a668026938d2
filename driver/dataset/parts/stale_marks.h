// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/grid/box_cover.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace gdal_zarr {

/// Notes, in the attributes of arrays with overviews, which regions the overviews lack. Thread-safe.
///
/// A note is stored before the elements are written: a process that is stopped in between leaves overviews that are
/// known to be stale. So that not every write stores a note, each further one covers about twice as much as the one
/// before; when the elements have been saved, it is replaced by a new one of what was really written.
class StaleMarks {
 public:
  /// Returns whether an array has overviews; nullopt if that is not known.
  std::optional<bool> HasOverviews(const std::string& path) const;
  void SetHasOverviews(const std::string& path, bool has);
  /// Call this when overviews were created or removed.
  void ForgetOverviews(const std::string& path);

  /// Returns those of several arrays that have overviews now, which another process may have made.
  using Finder = std::function<std::set<std::string>(const std::vector<std::string>& paths)>;
  /// Remembers that elements of an array that had no overviews are going to change. Settle asks `find` whether it has
  /// got some since. Does nothing if SetHasOverviews was called for the array.
  void NoteWithout(const std::string& path, const zarr::Box& box, const Finder& find);
  /// Stores that elements of an array with overviews are going to change. Throws zarr::Error.
  void Note(zarr::EditableHierarchy& hierarchy, const std::string& path, const zarr::Shape& shape,
            const zarr::Box& box);
  /// Replaces the notes by what was written, and stores those of arrays that have got overviews. Call this after all of
  /// it has been saved. Throws zarr::Error.
  void Settle(zarr::EditableHierarchy& hierarchy);
  /// Returns the arrays for which Note was called since the last call of this function.
  std::vector<std::string> TakeChanged();

  /// Sets whether the stale regions are computed again when the dataset is closed.
  void SetRefresh(bool refresh) { refresh_ = refresh; }
  bool refresh() const { return refresh_; }

  void Drop(std::string_view path);
  void Move(std::string_view from, std::string_view to);

 private:
  struct State {
    std::optional<bool> has_overviews;
    zarr::BoxCover written;          // since the last call of Settle
    std::optional<zarr::Box> noted;  // what the note in the store covers
    std::string id;                  // of the note
    bool is_own = true;              // the note is not a part of another writer's
    bool is_changed = false;
    std::uint64_t unnoted_writes = 0;
  };
  void FindNewOverviews();
  static void TakeFound(bool has_overviews, State* state);
  static void Store(zarr::EditableHierarchy& hierarchy, const std::string& path, const zarr::Box& box, State* state);
  static void SettleOne(zarr::EditableHierarchy& hierarchy, const std::string& path, State* state);

  mutable std::mutex mutex_;
  Finder find_;                                       // of NoteWithout
  std::map<std::string, State, std::less<>> states_;  // by path
  bool refresh_ = false;
};

}  // namespace gdal_zarr
