// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <exception>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/dataset/pam_files.h"
#include "driver/overviews/compute_overviews.h"
#include "driver/overviews/find_overviews.h"
#include "driver/overviews/layout_editor.h"
#include "driver/overviews/level_arrays.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/level_metadata.h"
#include "driver/raster/raster_dataset.h"
#include "driver/stores/store_factory.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using zarr::Shape;

[[noreturn]] void Refuse(const OverviewBase& base, const std::string& message) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, base.array.array().store().name(), base.array.array().path(), "",
                    message);
}

/// The existing levels of an array's pyramid, and those being created.
class Pyramid {
 public:
  struct Level {
    std::string asset;  ///< The path of its array, relative to the base's group.
    Shape shape;
    JsonNode entry;  ///< Its entry in the layout.
  };

  /// Lock the base's pyramid before, so that it does not change while it is read.
  explicit Pyramid(const OverviewBase& base) : base_(base), layout_(base.resource(), base.group()) {
    if (layout_.IsLevelOfAnother(base.name())) {
      Refuse(base, "the array is a level of another one's pyramid: overviews are made of that one");
    }
    for (const PyramidLevel& level : layout_.FindLevelsBelow(base.name())) {
      const auto array = base.resource().finder().FindArray(GetPath(level.asset));
      if (array) {
        levels_.push_back({level.asset, array->shape(), level.entry});
      } else {
        lost_.insert(level.asset);
      }
    }
  }

  std::string GetPath(const std::string& asset) const { return zarr::JoinKey(base_.group(), asset); }
  const std::vector<Level>& levels() const { return levels_; }

  /// Returns the level for a factor: the existing one, or one to create.
  Level FindLevel(int factor) const {
    const Shape shape = ComputeLevelShape(base_, factor);
    const std::string usual = "ovr_" + std::to_string(factor) + "x/" + base_.name();
    for (const bool by_name : {true, false}) {
      for (const Level& level : levels_) {
        if (level.shape == shape && (!by_name || level.asset == usual)) return level;
      }
    }
    return {usual, shape, {}};
  }

  bool Has(const Level& wanted) const {
    return std::any_of(levels_.begin(), levels_.end(), [&](const Level& level) { return level.asset == wanted.asset; });
  }

  /// Prepares the layout for levels that are being created.
  void Prepare() {
    ChangeLevels(base_, [this] { layout_.NameArrays(base_.name()); });
  }

  /// Creates the array of a level. An interrupted process may have started to create it.
  std::shared_ptr<EditableArray> Make(const Level& level) {
    if (!Has(level)) {
      ChangeLevels(base_, [&] {
        RemoveUnfinished(base_, GetPath(GetParentPath(level.asset)));
        if (lost_.contains(level.asset)) EraseOrphans(base_, GetPath(level.asset));
      });
    }
    auto array = MakeLevelArray(base_, GetPath(level.asset), level.shape, Has(level));
    made_.insert(level.asset);
    return array;
  }

  /// Removes the arrays of new levels that are not in the layout yet. Arrays that were created are marked as unfinished
  /// again, because Set may have marked them as finished before it failed; so the next call finds those that this call
  /// cannot remove. A level that cannot be removed does not prevent the removal of the rest; the first error is thrown
  /// at the end.
  void Drop(const std::vector<Level>& levels) {
    ChangeLevels(base_, [&] { DropLocked(levels); });
  }

  /// Sets the levels, from the largest, each of which was computed from the preceding one. Then saves the layout.
  void Set(const std::vector<Level>& made, const std::string& resampling) {
    ChangeLevels(base_, [&] { SetLocked(made, resampling); });
  }

  /// Removes the levels from the layout first, so that no reader looks up a removed level. Before that, marks them as
  /// unfinished, so that the next removal finds those that this call leaves after an error.
  void Clear() {
    ChangeLevels(base_, [this] { ClearLocked(); });
  }

 private:
  void DropLocked(const std::vector<Level>& levels) {
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
      if (made_.contains(level.asset)) attempt([&] { NoteUnfinished(base_, path); });
      attempt([&] { RemoveUnfinished(base_, GetParentPath(path)); });
    }
    if (first) std::rethrow_exception(first);
  }

  void SetLocked(const std::vector<Level>& made, const std::string& resampling) {
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
    // The layout is written before the groups, and once, with consolidated metadata that contains both.
    const auto finish = [&](bool waiting) {
      for (const Level& level : made) {
        const std::string path = GetPath(level.asset);
        if (IsGroupWaiting(base_, path) == waiting) NoteFinished(base_, path);
      }
    };
    finish(true);
    may_name_levels_ = true;
    Save(levels);
    may_name_levels_ = false;
    levels_ = std::move(levels);
    finish(false);
  }

  void ClearLocked() {
    for (const Level& level : levels_) {
      if (IsGroupForLevels(GetParentPath(level.asset))) NoteUnfinished(base_, GetPath(level.asset));
    }
    Save({});
    const std::vector<Level> old = std::exchange(levels_, {});
    for (const Level& level : old) RemoveLevelArray(base_, GetPath(level.asset));
    for (const std::string& asset : lost_) RemoveLevelArray(base_, GetPath(asset));
    for (const auto& child : base_.resource().hierarchy().List(base_.group())) {
      if (IsGroupForLevels(child.name)) RemoveUnfinished(base_, GetPath(child.name));
    }
    layout_.Save(base_);  // Groups may now contain only levels of another array.
  }

  void Save(const std::vector<Level>& levels) {
    std::vector<JsonNode> entries;
    for (const Level& level : levels) entries.push_back(level.entry);
    layout_.Replace(base_.name(), MakeBaseEntry(base_), entries);
    layout_.Save(base_);
  }

  const OverviewBase& base_;
  LayoutEditor layout_;
  std::vector<Level> levels_;     // the levels in the layout
  std::set<std::string> lost_;    // the assets in the layout whose arrays are gone, though chunks may remain
  std::set<std::string> made_;    // the assets whose arrays this object has created
  bool may_name_levels_ = false;  // the stored layout may contain levels that could not be set
};

void CheckBase(const OverviewBase& base, const RasterView& view) {
  const zarr::Array& array = base.array.array();
  base.resource().CheckWritable();
  if (array.path().empty()) {
    Refuse(base,
           "overviews stand in groups beside the array, and an array that is a store has nothing beside it; in a "
           "dataset that is open for reading only, they are made in a file");
  }
  if (base.axes.y >= array.rank()) Refuse(base, "an array of one dimension has no overviews");
  if (view.band_dimensions().size() + 2 < array.rank()) {
    Refuse(base, "overviews are made of all slices of an array: open it without indices");
  }
}

/// Returns how many bands share chunks, and so are computed together most efficiently.
int CountBandsPerChunk(const OverviewBase& base, const RasterView& view) {
  constexpr std::uint64_t kMost = 64;
  std::uint64_t count = 1;
  const Shape edges = base.array.array().metadata().chunk_grid.max_chunk_shape();
  for (const std::size_t dimension : view.band_dimensions()) {
    count = std::min(kMost, count * std::min(kMost, edges[dimension]));
  }
  return static_cast<int>(count);
}

/// If only some bands are computed, the levels must exist and contain the other bands already.
void CheckBands(const OverviewBase& base, const RasterView& view, const OverviewRequest& request, bool all_there) {
  std::vector<int> bands = request.bands;
  std::sort(bands.begin(), bands.end());
  bands.erase(std::unique(bands.begin(), bands.end()), bands.end());
  if (all_there || static_cast<int>(bands.size()) == view.band_count()) return;
  Refuse(base, "new levels are those of all bands of the array, and some of the bands were left out");
}

}  // namespace

CPLErr RasterDataset::IBuildOverviews(const char* resampling, int factor_count, const int* factors, int band_count,
                                      const int* bands, GDALProgressFunc progress, void* progress_data,
                                      CSLConstList options) {
  // v1 has no groups. A store that is open for reading only, as by gdaladdo -ro, must not be changed.
  const bool in_file = view_.array().metadata().zarr_format <= zarr::ZarrFormat::kV1;
  if (in_file || eAccess != GA_Update) {
    const auto check = [&] {
      if (in_file) UseOverviewFile();
      return CheckOverviewFile();
    };
    if (Guard(CE_Failure, check) != CE_None) return CE_Failure;
    return GDALPamDataset::IBuildOverviews(resampling, factor_count, factors, band_count, bands, progress,
                                           progress_data, options);
  }
  return Guard(
      CE_Failure,
      [&] {
        const OverviewRequest request =
            MakeOverviewRequest(resampling, factor_count, factors, band_count, bands, progress, progress_data, options);
        resource_->CheckWritable();
        CheckBase(MakeBase(array_object()), view_);
        // Flushes now, so that no blocks of removed levels are written later.
        if (SaveAll(false) != CE_None) return CE_Failure;
        // Waits for other threads or processes that create levels of this array. Their computation calls the user's
        // function, which must not build overviews of the array itself.
        const auto locked = LockPyramid(MakeBase(array_object()));
        if (TakeStoredPlace() != CE_None) return CE_Failure;
        const OverviewBase base = MakeBase(array_object());
        if (locked) ChangeLevels(base, [] {});  // loads the levels that the other one created
        return request.factors.empty() ? RemoveOverviews(base) : MakeOverviews(base, request);
      },
      Activity::kWriting);
}

CPLErr RasterDataset::CheckOverviewFile() {
  const std::string& document = md_array_->GetFilename();
  if (document.empty() || !CanSaveSideFiles(document)) {
    if (!TryChange([this] { CheckTakesWrites(*OpenStore(view_.array().store().name())); })) return CE_Failure;
    CPLError(CE_Failure, CPLE_NotSupported,
             "%s: overviews of a dataset that is open for reading would go to a file beside the array's metadata, and "
             "none can be written there: open it for update (gdaladdo without -ro), so that they go into the store",
             GetDescription());
    return CE_Failure;
  }
  for (const std::string& stem : {GetOverviewFileStem(), GetPlainOverviewFileStem()}) {
    const std::string file = stem + ".ovr";
    if (!IsForeignSideFile(file)) continue;
    CPLError(CE_Failure, CPLE_FileIO, "%s: overviews would go to %s, which is no TIFF file: it stays as it is",
             GetDescription(), file.c_str());
    return CE_Failure;
  }
  return CE_None;
}

std::string RasterDataset::GetPlainOverviewFileStem() const {
  return md_array_->GetFilename() + "." + md_array_->GetName() + view_.MakeFileSuffix();
}

void RasterDataset::UseOverviewFile() {
  if (oOvManager.IsInitialized()) return;
  oOvManager.Initialize(this, GetPlainOverviewFileStem().c_str());
}

CPLErr RasterDataset::RemoveOverviews(const OverviewBase& base) {
  Pyramid pyramid(base);
  pyramid.Clear();
  if (oOvManager.IsInitialized() && oOvManager.GetOverviewCount(1) > 0) oOvManager.CleanOverviews();
  ReloadLevels();
  resource_->Flush();
  if (!levels_->empty()) {
    Refuse(base, "the overviews that are left are arrays of another group, whose layout names them");
  }
  return CE_None;
}

CPLErr RasterDataset::MakeOverviews(const OverviewBase& base, const OverviewRequest& request) {
  Pyramid pyramid(base);
  std::vector<Pyramid::Level> wanted;
  for (const int factor : request.factors) {
    Pyramid::Level level = pyramid.FindLevel(factor);
    if (!(level.shape == view_.array().shape())) wanted.push_back(std::move(level));
  }
  const auto is_there = [&](const Pyramid::Level& level) {
    return pyramid.Has(level) && HasLevelArray(base, pyramid.GetPath(level.asset), level.shape);
  };
  const bool all_there = std::all_of(wanted.begin(), wanted.end(), is_there);
  CheckBands(base, view_, request, all_there);
  OverviewRequest settings = request;
  settings.bands_at_once = CountBandsPerChunk(base, view_);
  if (!all_there) settings.options = nullptr;  // with a region only, the rest of new levels would stay empty

  CPLErr result = CE_Failure;
  try {
    resource_->edits().writers.FlushAll();  // the levels' coordinates are computed from the stored ones
    pyramid.Prepare();
    std::vector<GDALDataset*> datasets;
    for (const Pyramid::Level& level : wanted) datasets.push_back(OpenLevel(pyramid.Make(level)->shared_array()));
    result = ComputeLevels(*this, datasets, settings);
    for (const auto& level : level_datasets_) {
      if (level->pixels_.FlushAllBlocks() != CE_None) result = CE_Failure;
    }
    resource_->edits().writers.FlushAll();
    if (result == CE_None) pyramid.Set(wanted, request.resampling);
  } catch (...) {
    pyramid.Drop(wanted);
    throw;
  }
  if (result != CE_None) pyramid.Drop(wanted);
  ReloadLevels();
  resource_->Flush();
  return result;
}

RasterDataset* RasterDataset::OpenLevel(const std::shared_ptr<const zarr::Array>& array) {
  const auto known = std::find_if(level_datasets_.begin(), level_datasets_.end(), [&](const auto& dataset) {
    const zarr::Array& open = dataset->view_.array();
    return open.path() == array->path() && open.shape() == array->shape();
  });
  if (known != level_datasets_.end()) {
    (*known)->md_array_ = MDArray::Make(resource_, array->path());
    (*known)->view_.Replace(array);
    return known->get();
  }
  std::unique_ptr<RasterDataset> level(new RasterDataset(*this, array));
  level_datasets_.push_back(std::move(level));
  if (resource_->writable()) level_datasets_.back()->EnableUpdate();
  return level_datasets_.back().get();
}

void RasterDataset::ReloadLevels() {
  levels_.reset();
  FindLevels();
  array_object().ForgetOverviews();
}

}  // namespace gdal_zarr
