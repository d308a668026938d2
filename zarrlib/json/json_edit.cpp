// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_edit.h"

#include <utility>
#include <vector>

namespace zarr {
namespace {

using GetMembers = std::vector<std::pair<std::string, JsonNode>>;

GetMembers CopyMembers(const JsonNode& object) {
  return object.IsObject() ? object.GetMembers() : GetMembers();
}

}  // namespace

JsonNode CopyWithMember(const JsonNode& object, std::string_view name, const JsonNode& value) {
  GetMembers members = CopyMembers(object);
  for (auto& [key, old] : members) {
    if (key != name) continue;
    old = value;
    return JsonNode::MakeObject(members, object);
  }
  members.emplace_back(name, value);
  return JsonNode::MakeObject(members, object);
}

JsonNode CopyWithoutMember(const JsonNode& object, std::string_view name) {
  GetMembers members = CopyMembers(object);
  std::erase_if(members, [name](const auto& member) { return member.first == name; });
  return JsonNode::MakeObject(members, object);
}

JsonNode ApplyDifference(const JsonNode& stored, const JsonNode& before, const JsonNode& after) {
  if (!stored.IsObject() || !before.IsObject() || !after.IsObject()) return before == after ? stored : after;
  JsonNode result = stored;
  for (const auto& [name, value] : before.GetMembers()) {
    if (!after.Has(name)) result = CopyWithoutMember(result, name);
  }
  for (const auto& [name, value] : after.GetMembers()) {
    const auto old = before.Find(name);
    if (old && *old == value) continue;
    const auto present = result.Find(name);
    result = CopyWithMember(result, name, old && present ? ApplyDifference(*present, *old, value) : value);
  }
  return result;
}

}  // namespace zarr
