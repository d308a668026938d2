// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_edit.h"

namespace zarr {
namespace {

JsonMembers CopyMembers(const JsonNode& object) {
  return object.IsObject() ? object.GetMembers() : JsonMembers();
}

}  // namespace

std::optional<JsonNode> FindMember(const JsonNode& node, std::string_view name) {
  return node.IsObject() ? node.Find(name) : std::nullopt;
}

JsonNode MakeNumberList(const std::vector<double>& numbers) {
  std::vector<JsonNode> items;
  for (const double number : numbers) items.push_back(JsonNode::MakeFloat(number));
  return JsonNode::MakeArray(items);
}

JsonNode CopyWithMember(const JsonNode& object, std::string_view name, const JsonNode& value) {
  JsonMembers members = CopyMembers(object);
  for (auto& [key, old] : members) {
    if (key != name) continue;
    old = value;
    return JsonNode::MakeObject(members, object);
  }
  members.emplace_back(name, value);
  return JsonNode::MakeObject(members, object);
}

JsonNode CopyWithoutMember(const JsonNode& object, std::string_view name) {
  JsonMembers members = CopyMembers(object);
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
