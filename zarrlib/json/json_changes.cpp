// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_changes.h"

#include <algorithm>

#include "zarrlib/json/json_edit.h"

namespace zarr {
namespace {

/// Returns the items of a list of that form. Absent, a single item or a list may be stored.
std::vector<JsonNode> MakeItems(const std::optional<JsonNode>& stored, const JsonListForm& form) {
  std::vector<JsonNode> items;
  if (stored && stored->IsArray()) {
    items = stored->GetItems();
  } else if (stored && form.size == 1) {
    items = {*stored};
  }
  items.resize(std::min(items.size(), form.size), form.blank);
  for (JsonNode& item : items) {
    if (item.IsNull()) item = form.blank;
  }
  while (items.size() < form.size) items.push_back(form.fill.empty() ? form.blank : form.fill.at(items.size()));
  return items;
}

}  // namespace

JsonChanges::Change& JsonChanges::Members::At(std::string_view name) {
  const auto [place, is_new] = places_.try_emplace(std::string(name), in_order_.size());
  if (is_new) in_order_.emplace_back(place->first, std::make_unique<Change>());
  return *in_order_[place->second].second;
}

const JsonChanges::Change* JsonChanges::Members::Find(std::string_view name) const {
  const auto place = places_.find(std::string(name));
  return place == places_.end() ? nullptr : in_order_[place->second].second.get();
}

JsonNode JsonChanges::Members::ApplyTo(const std::optional<JsonNode>& object) const {
  const bool is_object = object && object->IsObject();
  std::vector<std::pair<std::string, std::optional<JsonNode>>> members;
  std::unordered_map<std::string, std::size_t> places;
  for (auto& [name, value] : is_object ? object->GetMembers() : JsonMembers()) {
    places.emplace(name, members.size());
    members.emplace_back(name, value);
  }
  for (const auto& [name, change] : in_order_) {
    const auto place = places.find(name);
    if (place == places.end()) {
      members.emplace_back(name, change->ApplyTo(std::nullopt));
    } else {
      members[place->second].second = change->ApplyTo(members[place->second].second);
    }
  }
  JsonMembers present;
  for (auto& [name, value] : members) {
    if (value) present.emplace_back(name, *value);
  }
  return JsonNode::MakeObject(present, object.value_or(JsonNode()));
}

void JsonChanges::Change::Set(const std::optional<JsonNode>& new_value) {
  *this = Change();
  replaces = true;
  value = new_value;
}

std::optional<JsonNode> JsonChanges::Change::ApplyTo(const std::optional<JsonNode>& stored) const {
  const std::optional<JsonNode>& before = replaces ? value : stored;
  if (!items.empty()) return ApplyToItems(before);
  if (members.empty()) return before;
  JsonNode object = members.ApplyTo(before);
  if (before && AreWrittenAlike(object, *before)) return before;
  return object.size() > 0 ? std::optional(std::move(object)) : std::nullopt;
}

std::optional<JsonNode> JsonChanges::Change::ApplyToItems(const std::optional<JsonNode>& stored) const {
  std::vector<JsonNode> list = MakeItems(stored, form);
  bool is_changed = form.is_read_whole && stored && stored->IsArray() && stored->size() != form.size;
  for (const auto& [index, change] : items) {
    if (index >= list.size()) continue;
    JsonNode item = change.ApplyTo(list[index]).value_or(form.blank);
    if (AreWrittenAlike(item, list[index])) continue;
    list[index] = std::move(item);
    is_changed = true;
  }
  if (!is_changed) return stored;
  if (std::ranges::all_of(list, [this](const JsonNode& item) { return item == form.blank; })) return std::nullopt;
  return form.single_is_bare && list.size() == 1 ? list[0] : JsonNode::MakeArray(list);
}

void JsonChanges::SetMember(std::string_view name, const std::optional<JsonNode>& value) {
  members_.At(name).Set(value);
}

void JsonChanges::ChangeMember(std::string_view name, const std::optional<JsonNode>& before, const JsonNode& after) {
  const auto change_within = [](Change* change, const JsonNode& old_object, const JsonNode& new_object,
                                const auto& self) -> void {
    for (const auto& [member, value] : new_object.GetMembers()) {
      const auto old_value = old_object.Find(member);
      if (old_value == value) continue;
      Change& inner = change->members.At(member);
      const bool are_objects = old_value && old_value->IsObject() && value.IsObject() && value.size() > 0;
      are_objects ? self(&inner, *old_value, value, self) : inner.Set(value);
    }
    for (const auto& [member, value] : old_object.GetMembers()) {
      if (!new_object.Has(member)) change->members.At(member).Set(std::nullopt);
    }
  };
  const bool are_objects = before && before->IsObject() && after.IsObject() && after.size() > 0;
  if (!are_objects) return SetMember(name, after);
  change_within(&members_.At(name), *before, after, change_within);
}

void JsonChanges::SetItem(std::string_view list, const JsonListForm& form, std::size_t index,
                          std::span<const std::string> steps, const std::optional<JsonNode>& value) {
  Change& of_list = members_.At(list);
  if (of_list.items.empty()) of_list.form = form;
  Change* change = &of_list.items[index];
  for (const std::string& step : steps) change = &change->members.At(step);
  change->Set(value);
}

std::optional<JsonNode> JsonChanges::ApplyToMember(std::string_view name, const std::optional<JsonNode>& value) const {
  const Change* change = members_.Find(name);
  return change ? change->ApplyTo(value) : value;
}

std::optional<JsonNode> JsonChanges::ApplyToItem(std::string_view list, std::size_t index,
                                                 const std::optional<JsonNode>& value) const {
  const Change* of_list = members_.Find(list);
  if (!of_list) return value;
  const std::optional<JsonNode> before = of_list->replaces ? FindItem(of_list->value, index) : value;
  const auto change = of_list->items.find(index);
  return change == of_list->items.end() ? before : change->second.ApplyTo(before);
}

JsonNode JsonChanges::ApplyTo(const JsonNode& object) const {
  return members_.ApplyTo(object);
}

}  // namespace zarr
