// SPDX-License-Identifier: MIT
#include <ostream>
#include <string>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/region.h"
#include "zarrlib/tools/units/missing_units.h"
#include "zarrlib/tools/units/unit_printer.h"
#include "zarrlib/tools/v1_arrays.h"

namespace zarr::tools {
namespace {

/// Writes the consolidated metadata of the store again. Returns true if they describe all nodes; v1 has none.
bool Consolidate(const std::shared_ptr<Store>& store) {
  if (!store->List("")) {
    throw Error(
        ErrorKind::kUnsupported, store->name(), "", "",
        "the store cannot be listed, so that its nodes are not known; with --no-consolidate, only missing units "
        "are looked for");
  }
  const auto hierarchy = OpenDocuments(store);
  if (!hierarchy) return true;  // the nodes are described only by them
  CheckConsolidatedHaveDocuments(*store, hierarchy->format() == ZarrFormat::kV3);
  hierarchy->SetConsolidate(true);
  hierarchy->WriteConsolidated();
  return Hierarchy::Open(store)->consolidated();
}

/// Prints the missing units of arrays.
class MissingPrinter {
 public:
  MissingPrinter(const Hierarchy& hierarchy, bool json, std::ostream& out)
      : hierarchy_(hierarchy), json_(json), printer_(out) {}

  void PrintHead(bool consolidated) {
    if (json_) printer_.Print(std::string("{\"consolidated\":") + (consolidated ? "true" : "false") + ",\"arrays\":[");
    if (!json_ && consolidated) printer_.Print("the metadata are consolidated\n");
  }

  /// Prints all arrays at and below a path. Arrays without dimensions are omitted: they have at most one value, and
  /// variables that describe a CRS do not have any.
  void PrintBelow(const std::string& path, NodeKind kind) {
    if (kind == NodeKind::kArray) {
      const auto array = hierarchy_.OpenArray(path);
      if (array->rank() > 0) PrintArray(*array, ParseRegion(std::nullopt, *array));
      return;
    }
    for (const Hierarchy::Child& child : hierarchy_.List(path)) PrintBelow(JoinKey(path, child.name), child.kind);
  }

  void PrintArray(const Array& array, const Box& region) {
    json_ ? PrintAsJson(array, region) : PrintAsText(array, region);
  }

  /// Lists the arrays that are not in the hierarchy.
  void PrintLeftOut() {
    left_out_ = FindV1ArraysBelow(hierarchy_);
    if (json_) return;
    const Store& store = *hierarchy_.store();
    for (const std::string& path : left_out_) {
      printer_.Print("left out: " + path + ", " + DescribeV1Array(store, path) + "\n");
    }
  }

  int Finish() {
    if (json_) printer_.Print("]" + MakeLeftOutMember() + "}\n");
    printer_.Flush();
    return missing_ ? kMissing : kSuccess;
  }

 private:
  std::string MakeLeftOutMember() const {
    std::string list;
    for (const std::string& path : left_out_) list += (list.empty() ? "" : ",") + JsonNode::MakeString(path).Dump();
    return list.empty() ? "" : ",\"left_out\":[" + list + "]";
  }

  void PrintAsJson(const Array& array, const Box& region) {
    printer_.Print(first_array_ ? "\n{" : ",\n{");
    first_array_ = false;
    printer_.PrintArrayMembers(array, region);
    printer_.Print(",\"missing\":[");
    bool first = true;
    ForEachMissingUnit(array, region, [&](const WriteUnits& unit) {
      printer_.PrintItem(unit, first);
      first = false;
    });
    printer_.Print("]}");
    missing_ = missing_ || !first;
  }

  void PrintAsText(const Array& array, const Box& region) {
    const std::string name = "/" + array.path();
    const UnitCounts counts = ForEachMissingUnit(array, region, [&](const WriteUnits& unit) {
      printer_.Print(name);
      printer_.Print(" ");
      printer_.PrintLine(unit);
    });
    printer_.Print(name + ": " + std::to_string(counts.missing) + " of " + std::to_string(counts.all) + " " +
                   std::string(GetUnitWord(array)) + "s missing\n");
    missing_ = missing_ || counts.missing > 0;
  }

  const Hierarchy& hierarchy_;
  bool json_;
  UnitPrinter printer_;
  std::vector<std::string> left_out_;
  bool first_array_ = true;
  bool missing_ = false;
};

}  // namespace

int FinishStore(const std::shared_ptr<Store>& store, const FinishOptions& options, std::ostream& out) {
  std::shared_ptr<const Array> array;
  Box region;
  if (options.path) {  // errors in the arguments are reported before anything is written
    array = OpenNamedArray(*OpenDocumentsFirst(store), *options.path);
    region = ParseRegion(options.region, *array);
  }
  if (options.overviews) ForgetStale(store, *options.path);
  const bool consolidated = options.consolidate && Consolidate(store);
  const auto hierarchy = OpenDocumentsFirst(store);
  MissingPrinter printer(*hierarchy, options.json, out);
  printer.PrintHead(consolidated);
  if (array) {
    printer.PrintArray(*array, region);
  } else {
    CheckNodesAreKnown(*store, *hierarchy);
    printer.PrintBelow("", hierarchy->Probe("").value_or(NodeKind::kGroup));
    printer.PrintLeftOut();
  }
  return printer.Finish();
}

}  // namespace zarr::tools
