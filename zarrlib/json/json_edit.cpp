// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_edit.h"

#include <string_view>
#include <unordered_map>

namespace zarr {
namespace {

JsonMembers CopyMembers(const JsonNode& object) {
  return object.IsObject() ? object.GetMembers() : JsonMembers();
}

using Positions = std::unordered_map<std::string_view, std::size_t>;

Positions IndexMembers(const JsonMembers& members) {
  Positions positions;
  for (std::size_t i = 0; i < members.size(); ++i) positions.emplace(members[i].first, i);
  return positions;
}

}  // namespace

std::optional<JsonNode> FindMember(const JsonNode& node, std::string_view name) {
  return node.IsObject() ? node.Find(name) : std::nullopt;
}

std::optional<JsonNode> FindItem(const std::optional<JsonNode>& list, std::size_t index) {
  if (!list) return std::nullopt;
  if (!list->IsArray()) return index == 0 ? list : std::nullopt;
  return index < list->size() ? std::optional((*list)[index]) : std::nullopt;
}

bool AreWrittenAlike(const JsonNode& a, const JsonNode& b) {
  return a.Dump(JsonNode::Style::kV2) == b.Dump(JsonNode::Style::kV2);
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
  if (object.IsObject() && !object.Has(name)) return object;
  JsonMembers members = CopyMembers(object);
  std::erase_if(members, [name](const auto& member) { return member.first == name; });
  return JsonNode::MakeObject(members, object);
}

JsonNode ApplyDifference(const JsonNode& stored, const JsonNode& before, const JsonNode& after) {
  if (!stored.IsObject() || !before.IsObject() || !after.IsObject()) return before == after ? stored : after;
  const JsonMembers old_members = before.GetMembers();
  const JsonMembers new_members = after.GetMembers();
  const Positions old = IndexMembers(old_members);
  const Positions present = IndexMembers(new_members);
  JsonMembers result = stored.GetMembers();
  std::erase_if(result,
                [&](const auto& member) { return old.contains(member.first) && !present.contains(member.first); });
  result.reserve(result.size() + new_members.size());  // the index has views of the names
  const Positions places = IndexMembers(result);
  for (const auto& [name, value] : new_members) {
    const auto known = old.find(name);
    const JsonNode* const old_value = known == old.end() ? nullptr : &old_members[known->second].second;
    if (old_value && *old_value == value) continue;
    const auto place = places.find(name);
    if (place == places.end()) {
      result.emplace_back(name, value);
    } else {
      JsonNode& stored_value = result[place->second].second;
      stored_value = old_value ? ApplyDifference(stored_value, *old_value, value) : value;
    }
  }
  return JsonNode::MakeObject(result, stored);
}

}  // namespace zarr
