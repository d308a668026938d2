// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zarrlib/tools/check/conventions/conventions.h"

namespace zarr::tools {
namespace {

/// Returns the axes of an array with the two names; nullopt if one is missing.
std::optional<std::pair<std::size_t, std::size_t>> FindAxes(const Array& array, const std::vector<std::string>& names) {
  const auto& all = array.metadata().dimension_names;
  const auto find = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(all, std::optional(name)) - all.begin());
  };
  const std::size_t rows = find(names[0]);
  const std::size_t columns = find(names[1]);
  if (rows >= all.size() || columns >= all.size()) return std::nullopt;
  return std::pair(rows, columns);
}

/// Returns true if an array directly in the group has both dimensions.
bool HasArrayWith(const ConventionNode& node, const std::vector<std::string>& names) {
  const auto children = node.hierarchy.List(node.path);
  return std::ranges::any_of(children, [&](const Hierarchy::Child& child) {
    if (child.kind != NodeKind::kArray) return false;
    const auto array = node.FindVariable("/" + JoinKey(node.path, child.name));
    return array && FindAxes(*array, names);
  });
}

/// Returns the names of the dimensions, or adds a finding.
std::vector<std::string> CheckDimensions(const ConventionNode& node) {
  const Rule& rule = ConventionRule("spatial-dimensions");
  const auto list = node.Find("spatial:dimensions");
  if (!list) return {};
  std::vector<std::string> names;
  for (const JsonNode& item : list->IsArray() ? list->GetItems() : std::vector<JsonNode>()) {
    if (item.IsString()) names.push_back(item.AsString());
  }
  if (names.size() != 2 || list->size() != 2) {
    node.Report(rule, *list, FormatExpectedGot("the names of rows and columns, in this order", list->GetExcerpt()));
    return {};
  }
  if (node.array != nullptr && !FindAxes(*node.array, names)) {
    node.Report(rule, *list, "the array does not have both dimensions");
    return {};
  }
  // The arrays of a group of levels are in its subgroups.
  if (node.array == nullptr && !node.Find("multiscales") && !HasArrayWith(node, names)) {
    node.Report(rule, *list, "no array in the group has both dimensions");
  }
  return names;
}

void CheckShape(const ConventionNode& node, const std::vector<std::string>& dimensions) {
  const auto shape = node.Find("spatial:shape");
  if (!shape) return;
  const Rule& rule = ConventionRule("spatial-shape");
  const auto is_length = [](const JsonNode& item) { return item.IsInteger() && item.AsDouble() >= 0; };
  const auto items = shape->IsArray() ? shape->GetItems() : std::vector<JsonNode>();
  if (items.size() != 2 || !std::ranges::all_of(items, is_length)) {
    return node.Report(rule, *shape, FormatExpectedGot("a height and a width", shape->GetExcerpt()));
  }
  const auto axes = node.array != nullptr && !dimensions.empty() ? FindAxes(*node.array, dimensions) : std::nullopt;
  if (!axes) return;
  const Shape lengths = {node.array->shape()[axes->first], node.array->shape()[axes->second]};
  if (items[0].AsUint64() != lengths[0] || items[1].AsUint64() != lengths[1]) {
    node.Report(rule, *shape, FormatExpectedGot("the array's " + ToString(lengths), shape->GetExcerpt()));
  }
}

void CheckTransform(const ConventionNode& node, const JsonNode& transform) {
  const Rule& rule = ConventionRule("spatial-transform");
  if (!IsNumberList(transform, 6)) {
    return node.Report(rule, transform, FormatExpectedGot("6 numbers", transform.GetExcerpt()));
  }
  const auto at = [&](std::size_t i) { return transform[i].AsDouble(); };
  if (at(0) * at(4) == at(1) * at(3)) {
    node.Report(rule, transform,
                "expected a, b, c, d, e, f with a*e different from b*d, got " + transform.GetExcerpt());
  }
}

void CheckBox(const ConventionNode& node) {
  const auto box = node.Find("spatial:bbox");
  if (!box) return;
  const bool is_box = IsNumberList(*box, 4) && (*box)[0].AsDouble() <= (*box)[2].AsDouble() &&
                      (*box)[1].AsDouble() <= (*box)[3].AsDouble();
  if (!is_box) {
    node.Report(ConventionRule("spatial-bbox"), *box,
                FormatExpectedGot("the least x and y, and the greatest", box->GetExcerpt()));
  }
}

}  // namespace

void CheckSpatial(const ConventionNode& node) {
  const std::vector<std::string> dimensions = CheckDimensions(node);
  CheckShape(node, dimensions);
  const auto type = node.Find("spatial:transform_type");
  const bool is_affine = !type || (type->IsString() && type->AsString() == "affine");
  if (!is_affine) {
    node.Report(ConventionRule("spatial-transform-type"), *type, FormatExpectedGot("affine", type->GetExcerpt()));
  }
  if (const auto transform = node.Find("spatial:transform"); transform && is_affine) CheckTransform(node, *transform);
  CheckBox(node);
  const auto registration = node.Find("spatial:registration");
  if (!registration) return;
  const std::string text = registration->IsString() ? registration->AsString() : "";
  if (text != "pixel" && text != "node") {
    node.Report(ConventionRule("spatial-registration"), *registration,
                FormatExpectedGot("pixel or node", registration->GetExcerpt()));
  }
}

}  // namespace zarr::tools
