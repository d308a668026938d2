// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "zarrlib/tools/check/conventions/conventions.h"

namespace zarr::tools {
namespace {

/// Returns the path of a level, relative to its group: "a/b" for "./a/b/"; "" if it leads out of the group.
std::string ParseAsset(std::string_view text) {
  while (text.starts_with("./")) text.remove_prefix(2);
  while (text.ends_with('/')) text.remove_suffix(1);
  return IsKey(text) ? std::string(text) : "";
}

/// The number of elements of each array of a level with at least two dimensions, by name. A level that is itself an
/// array has the name "".
using Sizes = std::map<std::string, double>;

double CountElements(const Array& array) {
  double count = 1;
  for (const std::uint64_t length : array.shape()) count *= static_cast<double>(length);
  return count;
}

Sizes FindSizes(const ConventionNode& node, const std::string& path) {
  Sizes sizes;
  const auto add = [&](const std::string& name, const std::string& array_path) {
    const auto array = node.FindVariable("/" + array_path);
    if (array && array->rank() >= 2) sizes[name] = CountElements(*array);
  };
  if (node.hierarchy.Probe(path) == NodeKind::kArray) {
    add("", path);
    return sizes;
  }
  for (const Hierarchy::Child& child : node.hierarchy.List(path)) {
    if (child.kind == NodeKind::kArray) add(child.name, JoinKey(path, child.name));
  }
  return sizes;
}

/// Returns true if no array is larger than the array of the same name in the source level, and at least one is smaller.
bool AreSmaller(const Sizes& level, const Sizes& source) {
  bool has_common = false;
  bool is_any_smaller = false;
  for (const auto& [name, size] : level) {
    const auto larger = source.find(name);
    if (larger == source.end()) continue;
    has_common = true;
    if (size > larger->second) return false;
    is_any_smaller = is_any_smaller || size < larger->second;
  }
  return is_any_smaller || !has_common;
}

class LayoutCheck {
 public:
  explicit LayoutCheck(const ConventionNode& node) : node_(node) {}

  void Run(const JsonNode& layout) {
    for (const JsonNode& entry : layout.GetItems()) {
      const auto asset = entry.IsObject() ? entry.Find("asset") : std::nullopt;
      if (asset && asset->IsString()) assets_.push_back(ParseAsset(asset->AsString()));
    }
    for (const JsonNode& entry : layout.GetItems()) CheckEntry(entry);
  }

 private:
  void CheckEntry(const JsonNode& entry) {
    const auto asset = entry.IsObject() ? entry.Find("asset") : std::nullopt;
    if (!asset || !asset->IsString()) {
      return node_.Report(ConventionRule("multiscales-layout"), entry,
                          FormatExpectedGot("an object with the text \"asset\"", entry.GetExcerpt()));
    }
    CheckTransform(entry);
    const std::string name = ParseAsset(asset->AsString());
    const std::string path = JoinKey(node_.path, name);
    if (name.empty() || !node_.hierarchy.Probe(path)) {
      return node_.Report(ConventionRule("multiscales-asset"), *asset, "there is no node " + asset->AsString());
    }
    const Sizes sizes = FindSizes(node_, path);
    CheckSource(entry, *asset, sizes);
    levels_[name] = sizes;
  }

  void CheckSource(const JsonNode& entry, const JsonNode& asset, const Sizes& sizes) {
    const auto derived_from = entry.Find("derived_from");
    if (!derived_from) return;
    const std::string name = derived_from->IsString() ? ParseAsset(derived_from->AsString()) : "";
    const auto source = levels_.find(name);
    if (source == levels_.end()) return ReportSource(*derived_from, name);
    if (AreSmaller(sizes, source->second)) return;
    node_.Report(ConventionRule("multiscales-size"), asset, "this level is not smaller than " + source->first);
  }

  void ReportSource(const JsonNode& derived_from, const std::string& name) {
    const bool is_entry = std::ranges::find(assets_, name) != assets_.end();
    if (!name.empty() && !is_entry && node_.hierarchy.Probe(JoinKey(node_.path, name))) {
      return node_.Report(ConventionRule("multiscales-source"), derived_from, "no entry of the layout describes it");
    }
    node_.Report(ConventionRule("multiscales-derived-from"), derived_from,
                 FormatExpectedGot("an asset that stands before it", derived_from.GetExcerpt()));
  }

  void CheckTransform(const JsonNode& entry) {
    const auto transform = entry.Find("transform");
    if (!transform) return;
    const auto fail = [&](const JsonNode& place, const std::string& expected) {
      node_.Report(ConventionRule("multiscales-transform"), place, FormatExpectedGot(expected, place.GetExcerpt()));
    };
    if (!transform->IsObject()) return fail(*transform, "an object");
    std::optional<std::size_t> length;
    for (const char* name : {"scale", "translation"}) {
      const auto list = transform->Find(name);
      if (!list) continue;
      if (!list->IsArray() || !IsNumberList(*list, list->size())) return fail(*list, "a list of numbers");
      if (length && *length != list->size()) return fail(*list, "as many numbers as in scale");
      length = list->size();
    }
  }

  const ConventionNode& node_;
  std::vector<std::string> assets_;      // of all levels
  std::map<std::string, Sizes> levels_;  // the levels before the present one, by their paths
};

}  // namespace

void CheckMultiscales(const ConventionNode& node) {
  const auto multiscales = node.Find("multiscales");
  if (!multiscales) return;
  const auto layout = multiscales->IsObject() ? multiscales->Find("layout") : std::nullopt;
  if (!layout || !layout->IsArray()) {
    return node.Report(ConventionRule("multiscales-layout"), *multiscales,
                       FormatExpectedGot("an object with the list \"layout\"", multiscales->GetExcerpt()));
  }
  LayoutCheck(node).Run(*layout);
}

}  // namespace zarr::tools
