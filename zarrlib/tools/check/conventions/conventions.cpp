// SPDX-License-Identifier: MIT
#include "zarrlib/tools/check/conventions/conventions.h"

#include <algorithm>
#include <cmath>

#include "zarrlib/metadata/node_path.h"

namespace zarr::tools {
namespace {

/// A convention of GeoZarr, with its identifiers in the list `zarr_conventions`.
struct Convention {
  std::string_view name;
  std::string_view uuid;
  std::string_view url_part;  ///< A part of the URLs of its schema and its text.
};

constexpr Convention kProj = {"proj", "f17cb550-5864-4468-aeb7-f3180cfb622f", "zarr-conventions/proj/"};
constexpr Convention kSpatial = {"spatial", "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "zarr-conventions/spatial/"};
constexpr Convention kMultiscales = {"multiscales", "d35379db-88df-4056-af3a-620245f8e347",
                                     "zarr-conventions/multiscales/"};
constexpr std::string_view kOldProjUrlPart = "geo-proj/";  // the former name of its repository

bool Names(const JsonNode& entry, const Convention& convention) {
  if (!entry.IsObject()) return false;
  if (const auto uuid = entry.Find("uuid")) return uuid->IsString() && uuid->AsString() == convention.uuid;
  for (const char* member : {"schema_url", "spec_url"}) {
    const auto url = entry.Find(member);
    if (!url || !url->IsString()) continue;
    const auto has = [&](std::string_view part) { return url->AsString().find(part) != std::string::npos; };
    return has(convention.url_part) || (convention.name == kProj.name && has(kOldProjUrlPart));
  }
  return false;
}

bool Declares(const JsonNode& attributes, const Convention& convention) {
  const auto list = attributes.IsObject() ? attributes.Find("zarr_conventions") : std::nullopt;
  if (!list || !list->IsArray()) return false;
  const auto items = list->GetItems();
  return std::any_of(items.begin(), items.end(), [&](const JsonNode& entry) { return Names(entry, convention); });
}

/// Checks the list of conventions: each entry must have an identifier, and no unknown members.
void CheckList(const ConventionNode& node) {
  const auto list = node.Find("zarr_conventions");
  if (!list) return;
  const Rule& rule = ConventionRule("zarr-conventions");
  if (!list->IsArray()) return node.Report(rule, *list, FormatExpectedGot("a list", list->GetExcerpt()));
  for (const JsonNode& entry : list->GetItems()) {
    if (!entry.IsObject()) {
      node.Report(rule, entry, FormatExpectedGot("an object", entry.GetExcerpt()));
      continue;
    }
    bool is_identified = false;
    for (const auto& [name, value] : entry.GetMembers()) {
      const bool identifies = name == "uuid" || name == "schema_url" || name == "spec_url";
      is_identified = is_identified || identifies;
      if (!identifies && name != "name" && name != "description") {
        node.Report(rule, value, "a convention has no member of this name");
      } else if (!value.IsString()) {
        node.Report(rule, value, FormatExpectedGot("a text", value.GetExcerpt()));
      }
    }
    if (!is_identified) node.Report(rule, entry, "expected uuid, schema_url or spec_url, got none of them");
  }
}

/// Reports that a convention is used but not declared: readers may then ignore its attributes.
void CheckDeclared(const ConventionNode& node, const Convention& convention, const JsonNode& used) {
  node.Report(ConventionRule("convention-undeclared"), used,
              "zarr_conventions does not name the convention \"" + std::string(convention.name) +
                  "\", so that readers may ignore this");
}

/// Returns the attributes of a node's parent group.
JsonNode FindParentAttributes(const ConventionNode& node) {
  if (node.path.empty()) return {};
  try {
    return node.hierarchy.OpenGroup(ParentPath(node.path)).attributes;
  } catch (const Error&) {
    return {};  // the group has a separate finding
  }
}

std::optional<JsonNode> FindFirst(const JsonNode& attributes, std::string_view prefix) {
  if (!attributes.IsObject()) return std::nullopt;
  for (const auto& [name, value] : attributes.GetMembers()) {
    if (name.starts_with(prefix)) return value;
  }
  return std::nullopt;
}

void CheckGeoZarr(const ConventionNode& node) {
  CheckList(node);
  const JsonNode parent = FindParentAttributes(node);
  const auto is_declared = [&](const Convention& convention) {
    return Declares(node.attributes, convention) || Declares(parent, convention);
  };
  const auto check_declared = [&](const Convention& convention, const std::optional<JsonNode>& used) {
    if (used && !is_declared(convention)) CheckDeclared(node, convention, *used);
  };
  for (const char* name : {"proj:code", "proj:wkt2", "proj:projjson"}) {
    const auto used = node.Find(name);
    check_declared(kProj, used);
    if (used) break;
  }
  check_declared(kSpatial, FindFirst(node.attributes, "spatial:"));
  const auto multiscales = node.Find("multiscales");
  const bool is_geozarr = multiscales && (!multiscales->IsArray() || Declares(node.attributes, kMultiscales));
  if (is_geozarr) check_declared(kMultiscales, multiscales);
  CheckProj(node, Declares(node.attributes, kProj));
  CheckSpatial(node);
  if (is_geozarr) CheckMultiscales(node);  // a list belongs to OME
}

}  // namespace

std::optional<JsonNode> ConventionNode::Find(std::string_view name) const {
  return attributes.IsObject() ? attributes.Find(name) : std::nullopt;
}

void ConventionNode::Report(const Rule& rule, const JsonNode& place, const std::string& message) const {
  findings.Add(rule, place.key(), message, place.pointer());
}

std::shared_ptr<const Array> ConventionNode::FindVariable(std::string_view name) const {
  const auto find = [&](std::string_view key) -> std::shared_ptr<const Array> {
    if (!IsKey(key)) return nullptr;
    try {
      return hierarchy.FindArray(key);
    } catch (const Error&) {
      return nullptr;
    }
  };
  if (name.starts_with('/')) return find(name.substr(1));
  for (std::string_view group = ParentPath(path);; group = ParentPath(group)) {
    if (auto variable = find(JoinKey(group, name))) return variable;
    if (group.empty() || name.find('/') != std::string_view::npos) return nullptr;
  }
}

void CheckConventions(const ConventionNode& node) {
  if (node.array != nullptr) {
    CheckDimensionNames(node);
    CheckCfValues(node);
    CheckCfVariables(node);
  }
  CheckGeoZarr(node);
}

bool IsNumberList(const JsonNode& value, std::size_t length) {
  if (!value.IsArray() || value.size() != length) return false;
  const auto items = value.GetItems();
  return std::all_of(items.begin(), items.end(),
                     [](const JsonNode& item) { return item.IsNumber() && std::isfinite(item.AsDouble()); });
}

}  // namespace zarr::tools
