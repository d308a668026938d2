// SPDX-License-Identifier: MIT
#include "driver/cf/array_references.h"

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/dataset/parts/change_all.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// The attributes of CF 1.12, appendix A, that name variables.
constexpr std::array<const char*, 17> kNamingAttributes = {
    "ancillary_variables", kBoundsAttribute, "bounds_tie_points",
    "cell_measures",       "climatology",    "coordinate_interpolation",
    kCoordinatesAttribute, "formula_terms",  "geometry",
    kGridMappingAttribute, "interior_ring",  "interpolation_parameters",
    "node_coordinates",    "node_count",     "nodes",
    "part_node_count",     "quantization"};
/// Those in which words before a colon are also names of variables, as in "utm: x y".
constexpr std::array<std::string_view, 2> kNamingKeys = {"coordinate_interpolation", kGridMappingAttribute};
/// Those of groups: xarray lists coordinates there that belong to no array.
constexpr std::array<const char*, 2> kNamingAttributesOfGroups = {kCoordinatesAttribute, kGridMappingAttribute};

constexpr const char* kBetweenWords = " \t\r\n";

/// Words, and those that replace them.
using Words = std::map<std::string, std::string, std::less<>>;
using ReplaceWord = std::function<std::string(const std::string& word)>;

/// Replaces the names in an attribute; everything between them stays as it is.
std::string ReplaceWordsIn(const std::string& text, bool keys_are_names, const ReplaceWord& replace) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t start = std::min(text.find_first_not_of(kBetweenWords, begin), text.size());
    const std::size_t end = std::min(text.find_first_of(kBetweenWords, start), text.size());
    const bool is_key = keys_are_names && end > start && text[end - 1] == ':';
    const std::string word = text.substr(start, end - start - (is_key ? 1 : 0));
    result.append(text, begin, start - begin).append(word.empty() ? word : replace(word)).append(is_key ? ":" : "");
    begin = end;
  }
  return result;
}

JsonNode ReplaceNames(JsonNode attributes, zarr::NodeKind kind, const ReplaceWord& replace) {
  const auto replace_in = [&](const char* name) {
    const auto value = FindMember(attributes, name);
    if (!value || !value->IsString()) return;
    const bool keys_are_names = std::ranges::find(kNamingKeys, name) != kNamingKeys.end();
    std::string text = ReplaceWordsIn(value->AsString(), keys_are_names, replace);
    if (text != value->AsString()) attributes = CopyWithMember(attributes, name, JsonNode::MakeString(std::move(text)));
  };
  if (kind == zarr::NodeKind::kGroup) {
    std::ranges::for_each(kNamingAttributesOfGroups, replace_in);
  } else {
    std::ranges::for_each(kNamingAttributes, replace_in);
  }
  return attributes;
}

JsonNode ReplaceNames(const JsonNode& attributes, zarr::NodeKind kind, const Words& words) {
  return ReplaceNames(attributes, kind, [&words](const std::string& word) {
    const auto found = words.find(word);
    return found == words.end() ? word : found->second;
  });
}

/// The names by which the nodes of a store name one that is to be renamed.
class References {
 public:
  /// Throws zarr::Error(io).
  References(SharedResource& resource, std::string from, const std::string& to);
  std::vector<Step> MakeSteps() const;
  void WarnOfKept() const;

 private:
  struct Referrer {
    std::string path;
    zarr::NodeKind kind;
    Words words;
  };
  void AddAll(const std::string& group);
  /// Adds a node if it names the renamed one. Words without a path are searched from `group` upwards.
  void Add(const std::string& path, zarr::NodeKind kind, const std::string& group, const JsonNode& attributes);
  /// Returns true if a word names the renamed array without a path.
  bool IsItsName(const std::string& group, const std::string& word) const;
  /// Returns the path with the new name; nullopt if it does not lead to the renamed node or through it.
  std::optional<std::string> RenameInPath(const std::string& group, const std::string& word) const;
  /// Returns true if the new name would not lead to the renamed array.
  bool WouldBeLost(const std::string& group, const std::string& word) const;
  void Change(const Referrer& referrer, const std::function<JsonNode(const JsonNode& stored)>& change) const;

  SharedResource& resource_;
  const std::string from_;
  const std::string home_;  // the group of the node
  const std::string name_;  // the new one
  std::vector<Referrer> referrers_;
  std::set<std::string> kept_;  // nodes with a name that cannot follow
};

References::References(SharedResource& resource, std::string from, const std::string& to)
    : resource_(resource), from_(std::move(from)), home_(GetParentPath(from_)), name_(GetNodeName(to)) {
  const bool takes_requests = resource.is_on_network() && !resource.hierarchy().consolidated();
  AddAll(takes_requests ? home_ : "");
}

void References::AddAll(const std::string& group) {
  Add(group, zarr::NodeKind::kGroup, group, resource_.finder().FindGroupAttributes(group));
  const auto children = resource_.hierarchy().List(group);
  zarr::ExpectedNodes expected;
  for (const auto& child : children) {
    if (child.kind == zarr::NodeKind::kArray) expected.arrays.push_back(zarr::JoinKey(group, child.name));
  }
  resource_.hierarchy().Prefetch(expected);
  for (const auto& child : children) {
    const std::string path = zarr::JoinKey(group, child.name);
    if (child.kind == zarr::NodeKind::kGroup) {
      AddAll(path);
    } else if (const auto array = resource_.finder().FindArray(path)) {
      Add(path, child.kind, group, array->metadata().attributes);
    }
  }
}

void References::Add(const std::string& path, zarr::NodeKind kind, const std::string& group,
                     const JsonNode& attributes) {
  Words words;
  ReplaceNames(attributes, kind, [&](const std::string& word) {
    const auto renamed = IsItsName(group, word) ? name_ : RenameInPath(group, word);
    if (renamed && WouldBeLost(group, word)) {
      kept_.insert(path);
    } else if (renamed) {
      words.emplace(word, *renamed);
    }
    return word;
  });
  if (!words.empty()) referrers_.push_back({path, kind, std::move(words)});
}

bool References::IsItsName(const std::string& group, const std::string& word) const {
  if (zarr::JoinKey(home_, word) != from_ || !IsAtOrBelow(group, home_)) return false;
  return resource_.finder().FindUpwards(group, word) == from_;
}

std::optional<std::string> References::RenameInPath(const std::string& group, const std::string& word) const {
  if (word.find('/') == word.npos) return std::nullopt;
  for (std::size_t begin = 0; begin < word.size();) {
    const std::size_t end = std::min(word.find('/', begin), word.size());
    const bool is_name = IsNodeName(std::string_view(word).substr(begin, end - begin));
    if (is_name && ResolveNodePath(group, std::string_view(word).substr(0, end)) == from_) {
      return word.substr(0, begin) + name_ + word.substr(end);
    }
    begin = end + 1;
  }
  return std::nullopt;
}

bool References::WouldBeLost(const std::string& group, const std::string& word) const {
  if (name_.find_first_of(kBetweenWords) != name_.npos || name_.ends_with(':')) return true;
  if (word.find('/') != word.npos) return false;
  const auto hiding = resource_.finder().FindUpwards(group, name_);
  return hiding && IsAtOrBelow(*hiding, home_);
}

void References::Change(const Referrer& referrer, const std::function<JsonNode(const JsonNode& stored)>& change) const {
  resource_.edits().writers.Flush(referrer.path);
  resource_.Change().EditAttributes(referrer.path, change);
  const auto object = resource_.edits().objects.Find(referrer.path);
  if (object) object->Replace(resource_.hierarchy().OpenArray(referrer.path));
}

std::vector<Step> References::MakeSteps() const {
  std::vector<Step> steps;
  for (const Referrer& referrer : referrers_) {
    const auto before = std::make_shared<std::optional<JsonNode>>();
    steps.emplace_back([this, &referrer, before](bool back) {
      if (back && !*before) return;
      Change(referrer, [&](const JsonNode& stored) {
        if (back) return ApplyDifference(stored, ReplaceNames(**before, referrer.kind, referrer.words), **before);
        *before = stored;
        return ReplaceNames(stored, referrer.kind, referrer.words);
      });
    });
  }
  return steps;
}

void References::WarnOfKept() const {
  for (const std::string& kept : kept_) {
    const std::string path = GetMovedPath(kept, from_, zarr::JoinKey(home_, name_)).value_or(kept);
    resource_.WarnOnce(MakeGdalFullName(path) + " still names \"" + GetNodeName(from_) + "\", which is \"" + name_ +
                       "\" now: CF cannot express that name there");
  }
}

/// Returns true if a rename that has failed has moved the node, as far as that can be found out.
bool HasMoved(const SharedResource& resource, const std::string& from, const std::string& to) {
  try {
    return !resource.hierarchy().Probe(from) && resource.hierarchy().Probe(to);
  } catch (const zarr::Error&) {
    return false;
  }
}

}  // namespace

void RenameWithReferences(SharedResource& resource, const std::string& from, const std::string& to) {
  resource.CheckWritable();
  resource.Flush();                                                          // so that all attributes are stored
  if (resource.hierarchy().Probe(to)) return resource.RenameNode(from, to);  // which fails
  const References references(resource, from, to);
  std::vector<Step> steps = references.MakeSteps();
  std::exception_ptr late;
  steps.emplace_back([&](bool back) {
    if (back) return;
    try {
      resource.RenameNode(from, to);
    } catch (const zarr::Error&) {
      if (!HasMoved(resource, from, to)) throw;
      late = std::current_exception();
    }
  });
  ChangeAll(steps);
  if (late) std::rethrow_exception(late);  // the node has its new name, and so have the attributes
  references.WarnOfKept();
}

}  // namespace gdal_zarr
