// SPDX-License-Identifier: MIT
#include "driver/georeferencing/geozarr/geozarr_level.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Reads the numbers for columns and rows from a list for all dimensions of the array, or for Y and X only.
std::pair<double, double> GetNumbersOfAxes(const JsonNode& list, std::size_t rank, const RasterAxes& axes) {
  const bool of_all = list.IsArray() && list.size() == rank;
  if (!list.IsArray() || (!of_all && list.size() != 2)) list.FailExpected("a number for each dimension");
  const JsonNode column = list[of_all ? axes.x : 1];
  const JsonNode row = list[of_all ? axes.y : 0];
  if (!std::isfinite(column.AsDouble())) column.FailExpected("a finite number");
  if (!std::isfinite(row.AsDouble())) row.FailExpected("a finite number");
  return {column.AsDouble(), row.AsDouble()};
}

AxisStep CombineSteps(const AxisStep& first, const AxisStep& second) {
  return {first.scale * second.scale, first.offset * second.scale + second.offset};
}

/// Returns true if `count` pixels cover those of the source, the last one perhaps only partly.
bool Covers(double scale, std::uint64_t count, std::uint64_t source) {
  return std::abs(scale * static_cast<double>(count) - static_cast<double>(source)) < std::max(scale, 1.0);
}

bool SaysNothing(const JsonNode& entry, const char* name) {
  const auto transform = FindMember(entry, "transform");
  return !transform || !transform->IsObject() || !transform->Has(name);
}

}  // namespace

LevelPlace::LevelPlace(const GeoContext& context, const RasterAxes& axes, const GeoZarrLevel& level, bool centres)
    : context_(context), axes_(axes), level_(level), centres_(centres) {}

GeoTransform LevelPlace::ShiftToCorners(const GeoTransform& transform) const {
  return centres_ ? ToCorners(transform) : transform;
}

GeoTransform LevelPlace::Apply(const GeoTransform& corners, const Step& step) const {
  return ShiftToCorners(ComputeLevelTransform(centres_ ? ToCentres(corners) : corners, step.column, step.row));
}

std::optional<GeoTransform> LevelPlace::ReadEntryTransform() const {
  const auto transform = level_.entry.ReadTransform();
  return transform ? std::optional(ShiftToCorners(*transform)) : std::nullopt;
}

std::optional<GeoTransform> LevelPlace::Find() const {
  if (const auto said = ReadEntryTransform()) return said;
  if (const auto found = FindFromSources(true)) return found;
  const zarr::Shape& shape = context_.array.shape();
  for (const GeoZarrNode* node : {&level_.entry, &level_.of_group}) {
    if (const auto box = node->ReadBoxTransform(shape[axes_.x], shape[axes_.y], centres_)) return ShiftToCorners(*box);
  }
  return std::nullopt;
}

std::optional<GeoTransform> LevelPlace::FindInLayout() const {
  const auto said = ReadEntryTransform();
  return said ? said : FindFromSources(false);
}

std::optional<GeoTransform> LevelPlace::FindFromSources(bool ask_arrays) const {
  const PyramidLevel* level = &level_.levels[level_.index];
  Step steps;
  for (std::size_t i = 0; i <= level_.levels.size(); ++i) {
    const auto said = i > 0 ? FindTransformOfLevel(*level, ask_arrays) : std::nullopt;
    if (said) return Apply(*said, steps);
    const PyramidLevel* source = FindSource(*level);
    const auto step = source ? StepTo(*level, source) : ReadStep(*level).value_or(Step());
    if (!step) return std::nullopt;
    steps = {CombineSteps(steps.column, step->column), CombineSteps(steps.row, step->row)};
    if (!source) {
      const auto of_group = level_.of_group.ReadTransform();
      return of_group ? std::optional(Apply(ShiftToCorners(*of_group), steps)) : std::nullopt;
    }
    level = source;
  }
  return std::nullopt;  // the levels are derived from each other
}

std::optional<GeoTransform> LevelPlace::FindTransformOfLevel(const PyramidLevel& level, bool ask_arrays) const {
  const auto by_array = ask_arrays ? FindTransformOfArray(level) : std::nullopt;
  if (by_array) return by_array;
  const auto transform = GeoZarrNode(level.entry, level_.of_group).ReadTransform();
  return transform ? std::optional(ShiftToCorners(*transform)) : std::nullopt;
}

std::optional<GeoTransform> LevelPlace::FindTransformOfArray(const PyramidLevel& level) const {
  const ArrayPtr array = FindArrayOfLevel(level);
  if (!HasRank(array)) return std::nullopt;
  return GeoZarrProperties({context_.nodes, *array}).FindOwnTransform(array->shape(), axes_);
}

const PyramidLevel& LevelPlace::GetBase() const {
  const PyramidLevel* base = nullptr;
  double most = -1;
  for (const PyramidLevel& level : level_.levels) {
    if (!level.derived_from.empty()) continue;
    if (!base) {
      base = &level;
      continue;
    }
    // If several levels do not have a source, the largest is the base.
    const auto count = [](const ArrayPtr& array) {
      return array ? static_cast<double>(zarr::ComputeProduct(array->shape())) : 0.0;
    };
    if (most < 0) most = count(FindArrayOfLevel(*base));
    const double other = count(FindArrayOfLevel(level));
    if (other <= most) continue;
    base = &level;
    most = other;
  }
  return base ? *base : level_.levels.front();
}

const PyramidLevel* LevelPlace::FindSource(const PyramidLevel& level) const {
  const auto is_source = [&](const PyramidLevel& other) { return other.asset == level.derived_from; };
  const auto source = std::find_if(level_.levels.begin(), level_.levels.end(), is_source);
  if (source != level_.levels.end()) return &*source;
  const PyramidLevel& base = GetBase();
  return &base == &level ? nullptr : &base;
}

LevelPlace::ArrayPtr LevelPlace::FindArrayOfLevel(const PyramidLevel& level) const {
  const std::string asset = zarr::JoinKey(level_.group, level.asset);
  for (const std::string& path : {asset, zarr::JoinKey(asset, GetNodeName(context_.array.path()))}) {
    const FoundNode found = context_.nodes.finder().LookFor(path);
    if (found.array || found.broken) return found.array;
  }
  return nullptr;
}

bool LevelPlace::HasRank(const ArrayPtr& array) const {
  return array && array->rank() == context_.array.rank();
}

std::optional<LevelPlace::Step> LevelPlace::ReadStep(const PyramidLevel& level) const {
  Step step;
  const bool no_scale = SaysNothing(level.entry, "scale");
  const bool no_translation = SaysNothing(level.entry, "translation");
  if (no_scale && no_translation) return std::nullopt;
  const JsonNode transform = level.entry.At("transform");
  const std::size_t rank = context_.array.rank();
  if (!no_scale) {
    const JsonNode scale = transform.At("scale");
    std::tie(step.column.scale, step.row.scale) = GetNumbersOfAxes(scale, rank, axes_);
    if (step.column.scale <= 0 || step.row.scale <= 0) scale.FailExpected("numbers above 0");
  }
  if (!no_translation) {
    std::tie(step.column.offset, step.row.offset) = GetNumbersOfAxes(transform.At("translation"), rank, axes_);
  }
  return step;
}

std::optional<LevelPlace::Step> LevelPlace::ComputeStepOfShapes(const PyramidLevel& level,
                                                                const PyramidLevel& source) const {
  const ArrayPtr array = FindArrayOfLevel(level);
  const ArrayPtr other = FindArrayOfLevel(source);
  if (!HasRank(array) || !HasRank(other) || zarr::ComputeProduct(array->shape()) == 0) return std::nullopt;
  const auto ratio = [&](std::size_t axis) {
    const double scale = static_cast<double>(other->shape()[axis]) / static_cast<double>(array->shape()[axis]);
    // The distance between the first and the last centre is one pixel less than the extent.
    return AxisStep{scale, centres_ ? (scale - 1) / 2 : 0};
  };
  return Step{ratio(axes_.x), ratio(axes_.y)};
}

bool LevelPlace::IsFitting(const Step& step, const PyramidLevel& level, const PyramidLevel& source) const {
  const ArrayPtr array = FindArrayOfLevel(level);
  const ArrayPtr other = FindArrayOfLevel(source);
  if (!HasRank(array) || !HasRank(other)) return true;
  return Covers(step.column.scale, array->shape()[axes_.x], other->shape()[axes_.x]) &&
         Covers(step.row.scale, array->shape()[axes_.y], other->shape()[axes_.y]);
}

std::optional<LevelPlace::Step> LevelPlace::StepTo(const PyramidLevel& level, const PyramidLevel*& source) const {
  const auto step = ReadStep(level);
  if (!step) return ComputeStepOfShapes(level, *source);
  // In examples of the drafts, the scale of each level is relative to the base.
  const PyramidLevel& base = GetBase();
  if (&base != source && &base != &level && !IsFitting(*step, level, *source) && IsFitting(*step, level, base))
    source = &base;
  return step;
}

bool LiesElsewhere(const GeoContext& array, const GeoContext& overview, const RasterAxes& axes) {
  const auto& level = ReadGeoZarr(array).level();
  const auto& overview_level = level ? ReadGeoZarr(overview).level() : level;
  const bool has_rank = axes.y < array.array.rank() && overview.array.rank() == array.array.rank();
  if (!overview_level || !has_rank) return false;
  const bool centres = ReadGeoZarr(array).RefersToCentres();
  const auto a = LevelPlace(array, axes, *level, centres).FindInLayout();
  const auto b = LevelPlace(overview, axes, *overview_level, centres).FindInLayout();
  if (!a || !b) return false;
  const auto corner = [&](const GeoTransform& t, const zarr::Shape& shape, std::size_t i, double part) {
    const auto columns = part * static_cast<double>(shape[axes.x]);
    const auto rows = part * static_cast<double>(shape[axes.y]);
    return t[i] + columns * t[i + 1] + rows * t[i + 2];
  };
  for (const std::size_t i : {0u, 3u}) {
    const double pixel = std::abs((*b)[i + 1]) + std::abs((*b)[i + 2]);
    for (const double part : {0.0, 1.0}) {
      const double apart = corner(*a, array.array.shape(), i, part) - corner(*b, overview.array.shape(), i, part);
      if (std::abs(apart) > pixel * 1.001) return true;
    }
  }
  return false;
}

}  // namespace gdal_zarr
