// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "driver/overviews/overview_base.h"
#include "driver/overviews/pyramid_editor.h"
#include "zarrlib/grid/box_cover.h"
#include "zarrlib/hierarchy/stale_regions.h"

namespace gdal_zarr {

/// A level that is computed again in part.
struct LevelRefresh {
  PyramidEditor::Level level;         ///< As it is stored.
  zarr::Shape shape;                  ///< The shape that it must have, as the base may have been resized.
  std::string source_asset;           ///< The asset in the layout that it is derived from.
  std::optional<std::size_t> source;  ///< The place in the plan of the level to compute it from; nullopt for the base.
  std::string method;                 ///< The resampling method in the layout.
  zarr::BoxCover boxes;               ///< What is computed again, in elements of the new level.
  bool is_resized() const { return !(level.shape == shape); }
};

/// Returns the regions that an array's levels lack, as they are stored now.
zarr::StaleRegions ReadStaleRegions(const OverviewBase& base);

/// Returns all levels, the largest first, with the parts to compute again. A level of another shape than that of a
/// stored level, outside all stale regions, was not noted, so all of it is computed again. Throws
/// zarr::Error(unsupported) if a level with such parts does not say how it was made.
std::vector<LevelRefresh> PlanRefresh(const OverviewBase& base, const std::vector<PyramidEditor::Level>& levels,
                                      const zarr::StaleRegions& stale);

/// Returns the plan with only one unit, such as "ovr_2x/a 0:256,0:256", which is an overview and a range of elements
/// along each axis. Throws zarr::Error for another text, and for a unit that is not inside an overview of the present
/// shape.
std::vector<LevelRefresh> PlanUnit(const OverviewBase& base, const std::vector<PyramidEditor::Level>& levels,
                                   const std::string& unit);

/// Notes that all levels lack everything. Throws zarr::Error.
void NoteAllStale(const OverviewBase& base);
/// Removes the notes that certain levels lack these regions. `levels` are all levels. Throws zarr::Error.
void NoteRefreshed(const OverviewBase& base, const zarr::StaleRegions& regions, const std::vector<std::string>& assets,
                   const std::vector<PyramidEditor::Level>& levels);

/// The making of levels, of which others know in a remote store, where they are not locked out: a note says that the
/// levels lack everything. Who refreshes what it has written, without knowing the levels, removes the note; so it is
/// known at the end that they may lack something. The other functions throw zarr::Error.
class LevelsInWork {
 public:
  /// Stores the note if the store is remote. Call this before elements are read.
  LevelsInWork(const OverviewBase& base, std::vector<std::string> assets);

  /// Call this when the layout names the levels. Like NoteRefreshed, or, if the note is gone, stores that the levels
  /// lack everything.
  void Finish(const zarr::StaleRegions& regions, const std::vector<PyramidEditor::Level>& levels);
  /// Call this instead if the levels could not be made. Does not throw.
  void GiveUp();

 private:
  const OverviewBase& base_;
  const std::vector<std::string> assets_;
  std::string id_;  // empty in a local store
};

}  // namespace gdal_zarr
