// SPDX-License-Identifier: MIT
#include <ostream>

#include "zarrlib/grid/write_units.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/region.h"
#include "zarrlib/tools/units/unit_printer.h"

namespace zarr::tools {

int PrintPlan(const std::shared_ptr<Store>& store, const PlanOptions& options, std::ostream& out) {
  const auto array = OpenNamedArray(*OpenDocumentsFirst(store), options.path);
  const Box region = ParseRegion(options.region, *array);
  WriteUnits units(array->metadata().chunk_grid, region);
  UnitPrinter printer(out);
  if (!options.json) {
    while (units.Next()) printer.PrintLine(units);
    printer.Flush();
    return kSuccess;
  }
  printer.Print("{");
  printer.PrintArrayMembers(*array, region);
  printer.Print(",\"units\":[");
  for (bool first = true; units.Next(); first = false) printer.PrintItem(units, first);
  printer.Print("]}\n");
  printer.Flush();
  return kSuccess;
}

}  // namespace zarr::tools
