// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ostream>
#include <set>
#include <vector>

#include "zarrlib/base/compiler/list_order.h"
#include "zarrlib/base/text.h"
#include "zarrlib/grid/write_units.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/stale_regions.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/units/unit_printer.h"

namespace zarr::tools {
namespace {

// The widest kernel looks 3 pixels beyond a cell, and each level looks at the preceding one.
constexpr std::uint64_t kMargin = 8;

struct Level {
  std::string asset;  ///< The path of its array, relative to the group of the base.
  std::shared_ptr<const Array> array;
};

std::string GetText(const JsonNode& entry, std::string_view name) {
  const auto text = FindMember(entry, name);
  return text && text->IsString() && IsKey(text->AsString()) ? text->AsString() : "";
}

/// Returns the overviews of an array that its group declares, each after the one that it is made from.
std::vector<Level> FindLevels(const Hierarchy& hierarchy, const Array& base) {
  const std::string group(ParentPath(base.path()));
  const std::string name(NodeName(base.path()));
  const auto multiscales = FindMember(hierarchy.OpenGroup(group).attributes, "multiscales");
  const auto layout = multiscales ? FindMember(*multiscales, "layout") : std::nullopt;
  std::vector<Level> levels;
  std::set<std::string> known = {name};  // the base and its levels, as the layout names them
  for (const JsonNode& entry : layout && layout->IsArray() ? layout->GetItems() : std::vector<JsonNode>()) {
    const std::string asset = GetText(entry, "asset");
    if (asset.empty() || !known.contains(GetText(entry, "derived_from"))) continue;
    known.insert(asset);
    // A level is an array, or a group that contains an array of the base's name.
    for (const std::string& path : {asset, JoinKey(asset, name)}) {
      if (hierarchy.Probe(JoinKey(group, path)) != NodeKind::kArray) continue;
      levels.push_back({path, hierarchy.OpenArray(JoinKey(group, path))});
    }
  }
  return levels;
}

/// Returns the elements of a level that a box of the base may have a part in.
Box MapBox(const Box& box, const Shape& base, const Shape& level) {
  Box mapped = box;
  for (std::size_t axis = 0; axis < box.rank(); ++axis) {
    if (base[axis] == level[axis]) continue;
    const double share = static_cast<double>(level[axis]) / static_cast<double>(base[axis]);
    const auto first = static_cast<std::uint64_t>(static_cast<double>(box.origin[axis]) * share);
    const auto end = static_cast<std::uint64_t>(static_cast<double>(box.end(axis)) * share) + 1 + kMargin;
    mapped.origin[axis] = first - std::min(first, kMargin);
    mapped.shape[axis] = std::min(end, level[axis]) - mapped.origin[axis];
  }
  return mapped;
}

/// Throws unless the level has a shape that the present shape of its base can lead to.
void CheckShape(const Array& base, const Level& level) {
  const Shape& shape = level.array->shape();
  bool fits = shape.size() == base.rank() && ComputeProduct(shape) > 0;
  const std::string group = level.asset.substr(0, level.asset.find('/'));
  const auto factor = group.starts_with("ovr_") && group.ends_with("x")
                          ? ParseNumber<std::uint64_t>(std::string_view(group).substr(4, group.size() - 5)).value_or(0)
                          : 0;
  for (std::size_t axis = 0; fits && axis < shape.size(); ++axis) {
    const std::uint64_t length = base.shape()[axis];
    fits = factor > 0 ? shape[axis] == length || shape[axis] == (length + factor - 1) / factor : shape[axis] <= length;
  }
  if (fits) return;
  throw Error(ErrorKind::kInvalidArgument, base.store().name(), level.array->path(), "",
              "this overview has the shape " + ToString(shape) + ", which is not that of one of " + base.path() + ", " +
                  ToString(base.shape()) + "; one process that refreshes the overviews gives it another");
}

/// Calls a function with the chunks (or shards) of a level that lack regions of the base.
template <typename Function>
void ForEachUnit(const Array& base, const Level& level, const StaleRegions& stale, const Function& use) {
  std::set<std::vector<std::uint64_t>, ListOrder> used;  // the regions may overlap
  const ChunkGrid& grid = level.array->metadata().chunk_grid;
  for (const StaleRegion& region : stale.list()) {
    const bool lacks = region.levels.empty() || std::ranges::find(region.levels, level.asset) != region.levels.end();
    if (!lacks) continue;
    const Box chunks = WriteUnits::FindChunks(grid, MapBox(region.box, base.shape(), level.array->shape()));
    WriteUnits units(grid, {Shape(base.rank()), level.array->shape()}, chunks);
    while (units.Next()) {
      const Shape& origin = units.box().origin;
      if (used.emplace(origin.begin(), origin.end()).second) use(units);
    }
  }
}

void PrintAsJson(const Array& base, const std::vector<Level>& levels, const StaleRegions& stale, UnitPrinter* printer) {
  printer->Print("{\"array\":" + JsonNode::MakeString("/" + base.path()).Dump() + ",\"levels\":[");
  for (const Level& level : levels) {
    printer->Print(&level == &levels.front() ? "\n{" : ",\n{");
    printer->Print("\"overview\":" + JsonNode::MakeString(level.asset).Dump() + ",");
    printer->PrintArrayMembers(*level.array, {Shape(base.rank()), level.array->shape()});
    printer->Print(",\"units\":[");
    bool first = true;
    ForEachUnit(base, level, stale, [&](const WriteUnits& unit) {
      printer->PrintItem(unit, first);
      first = false;
    });
    printer->Print("]}");
  }
  printer->Print("]}\n");
}

}  // namespace

int PrintOverviewPlan(const std::shared_ptr<Store>& store, const PlanOptions& options, std::ostream& out) {
  const auto hierarchy = OpenDocumentsFirst(store);
  const auto base = OpenNamedArray(*hierarchy, options.path);
  const std::vector<Level> levels = base->path().empty() ? std::vector<Level>() : FindLevels(*hierarchy, *base);
  for (const Level& level : levels) CheckShape(*base, level);
  const StaleRegions stale = StaleRegions(base->metadata().attributes, base->rank()).ClipTo(base->shape());
  UnitPrinter printer(out);
  if (options.json) PrintAsJson(*base, levels, stale, &printer);
  for (const Level& level : options.json ? std::vector<Level>() : levels) {
    ForEachUnit(*base, level, stale, [&](const WriteUnits& unit) {
      printer.Print(level.asset + " ");
      printer.PrintLine(unit);
    });
  }
  printer.Flush();
  return kSuccess;
}

void ForgetStale(const std::shared_ptr<Store>& store, const std::string& path) {
  const auto hierarchy = OpenDocuments(store);
  if (!hierarchy) return;
  OpenNamedArray(*hierarchy, path);
  hierarchy->EditAttributes(path, [](const JsonNode& stored) { return StaleRegions().ApplyTo(stored); });
}

}  // namespace zarr::tools
