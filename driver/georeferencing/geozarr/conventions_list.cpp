// SPDX-License-Identifier: MIT
#include "driver/georeferencing/geozarr/conventions_list.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Returns true if a URL has the form ".../zarr-conventions/<repository>/...". Also accepts the former name of the
/// organisation.
bool IsInRepository(std::string_view url, std::string_view repository) {
  if (repository.empty()) return false;
  for (const char* organisation : {"/zarr-conventions/", "/zarr-experimental/"}) {
    const std::string step = organisation + std::string(repository);
    const std::size_t position = url.find(step);
    if (position == std::string_view::npos) continue;
    const std::size_t end = position + step.size();
    if (end == url.size() || url[end] == '/') return true;
  }
  return false;
}

std::string Text(const zarr::JsonNode& object, std::string_view name) {
  const auto member = object.Find(name);
  return member && member->IsString() ? member->AsString() : "";
}

bool IsThat(const JsonNode& declared, const ZarrConvention& convention) {
  if (!declared.IsObject()) return false;
  if (const std::string uuid = Text(declared, "uuid"); !uuid.empty())
    return EQUAL(uuid.c_str(), convention.uuid.data());
  for (const char* member : {"schema_url", "spec_url"}) {
    const std::string url = Text(declared, member);
    if (url.empty()) continue;
    return IsInRepository(url, convention.repository) || IsInRepository(url, convention.former_repository);
  }
  return false;
}

JsonNode MakeDeclaration(const ZarrConvention& convention, const char* name, const char* description) {
  const std::string repository(convention.repository);
  const std::string schema =
      "https://raw.githubusercontent.com/zarr-conventions/" + repository + "/refs/tags/v0.1/schema.json";
  const std::string text = "https://github.com/zarr-conventions/" + repository + "/blob/v0.1/README.md";
  return JsonNode::MakeObject({{"uuid", JsonNode::MakeString(convention.uuid)},
                               {"schema_url", JsonNode::MakeString(schema)},
                               {"spec_url", JsonNode::MakeString(text)},
                               {"name", JsonNode::MakeString(name)},
                               {"description", JsonNode::MakeString(description)}});
}

/// Converts a draft's declaration to the current form.
JsonNode MakeListItem(const std::string& uuid, const JsonNode& draft) {
  zarr::JsonMembers members = {{"uuid", JsonNode::MakeString(uuid, draft)}};
  for (const auto& [before, now] : {std::pair("schema", "schema_url"), std::pair("spec", "spec_url"),
                                    std::pair("name", "name"), std::pair("description", "description")}) {
    const std::string text = draft.IsObject() ? Text(draft, before) : "";
    if (!text.empty()) members.emplace_back(now, JsonNode::MakeString(text, draft));
  }
  return JsonNode::MakeObject(members, draft);
}

/// Returns the declarations of a node. In drafts, they are the members of an object, named by the conventions' UUIDs.
std::vector<JsonNode> MakeDeclarations(const JsonNode& attributes) {
  const auto list = FindMember(attributes, kConventionsAttribute);
  if (!list) return {};
  if (list->IsArray()) return list->GetItems();
  std::vector<JsonNode> items;
  if (!list->IsObject()) return items;
  for (const auto& [uuid, item] : list->GetMembers()) items.push_back(MakeListItem(uuid, item));
  return items;
}

JsonNode Declare(const JsonNode& attributes, const ZarrConvention& convention,
                 const std::optional<JsonNode>& declaration) {
  std::vector<JsonNode> items = MakeDeclarations(attributes);
  std::erase_if(items, [&](const JsonNode& item) { return IsThat(item, convention); });
  if (declaration) items.push_back(*declaration);
  if (items.empty()) return CopyWithoutMember(attributes, kConventionsAttribute);
  return CopyWithMember(attributes, kConventionsAttribute, JsonNode::MakeArray(items));
}

}  // namespace

bool Declares(const zarr::JsonNode& attributes, const ZarrConvention& convention) {
  const std::vector<JsonNode> items = MakeDeclarations(attributes);
  return std::any_of(items.begin(), items.end(), [&](const JsonNode& item) { return IsThat(item, convention); });
}

JsonNode WithConvention(const JsonNode& attributes, const ZarrConvention& convention, const char* name,
                        const char* description) {
  return Declare(attributes, convention, MakeDeclaration(convention, name, description));
}

JsonNode WithoutConvention(const JsonNode& attributes, const ZarrConvention& convention) {
  return Declare(attributes, convention, std::nullopt);
}

}  // namespace gdal_zarr
