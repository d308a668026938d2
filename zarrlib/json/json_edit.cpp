#include "zarrlib/json/json_edit.h"

#include <utility>
#include <vector>

namespace zarr {
namespace {

using Members = std::vector<std::pair<std::string, JsonNode>>;

Members MembersOf(const JsonNode& object) {
  return object.IsObject() ? object.Members() : Members();
}

}  // namespace

JsonNode WithMember(const JsonNode& object, std::string_view name, const JsonNode& value) {
  Members members = MembersOf(object);
  for (auto& [key, old] : members) {
    if (key != name) continue;
    old = value;
    return JsonNode::MakeObject(members, object);
  }
  members.emplace_back(name, value);
  return JsonNode::MakeObject(members, object);
}

JsonNode WithoutMember(const JsonNode& object, std::string_view name) {
  Members members = MembersOf(object);
  std::erase_if(members, [name](const auto& member) { return member.first == name; });
  return JsonNode::MakeObject(members, object);
}

}  // namespace zarr
