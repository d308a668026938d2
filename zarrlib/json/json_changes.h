// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace zarr {

/// The form of a list that has an item for each of a number of things.
struct JsonListForm {
  std::size_t size = 0;
  JsonNode blank = {};              ///< The item of which nothing is known. A list of nothing else is removed.
  bool single_is_bare = false;      ///< A single item stands without a list.
  std::vector<JsonNode> fill = {};  ///< The items that are added to a shorter list; blank ones if this is empty.
};

/// Changes of a JSON object that are collected, and made in one pass. To collect one takes about the same time however
/// many there are, and however large the object is. Values that are no objects count as objects without members; of an
/// object that loses its last member by a change in it, nothing is left. Not thread-safe.
class JsonChanges {
 public:
  /// Sets a member of the object, or, without a value, removes it.
  void SetMember(std::string_view name, const std::optional<JsonNode>& value);
  /// Makes the change that leads from `before` to `after` in a member, as ApplyDifference does.
  void ChangeMember(std::string_view name, const std::optional<JsonNode>& before, const JsonNode& after);
  /// Sets, or removes, what `steps`, names of members, lead to in an item of a list, which is a member of the object.
  /// Without steps this is the item itself. The form is that of the list's first change. A list whose items all stay as
  /// they are keeps its form.
  void SetItem(std::string_view list, const JsonListForm& form, std::size_t index, std::span<const std::string> steps,
               const std::optional<JsonNode>& value);

  /// Whether a member is set, removed or changed.
  bool Changes(std::string_view name) const { return members_.Find(name) != nullptr; }
  /// Returns what a member becomes that is now `value`.
  std::optional<JsonNode> ApplyToMember(std::string_view name, const std::optional<JsonNode>& value) const;
  /// Returns what an item of a list becomes that is now `value`.
  std::optional<JsonNode> ApplyToItem(std::string_view list, std::size_t index,
                                      const std::optional<JsonNode>& value) const;
  JsonNode ApplyTo(const JsonNode& object) const;

 private:
  struct Change;
  /// Changes of members, in the order in which they were begun.
  class Members {
   public:
    Change& At(std::string_view name);
    const Change* Find(std::string_view name) const;
    bool empty() const { return in_order_.empty(); }
    JsonNode ApplyTo(const std::optional<JsonNode>& object) const;

   private:
    std::vector<std::pair<std::string, std::unique_ptr<Change>>> in_order_;
    std::unordered_map<std::string, std::size_t> places_;
  };
  struct Change {
    void Set(const std::optional<JsonNode>& new_value);
    std::optional<JsonNode> ApplyTo(const std::optional<JsonNode>& stored) const;
    std::optional<JsonNode> ApplyToItems(const std::optional<JsonNode>& stored) const;

    bool replaces = false;          ///< Whether `value` takes the place of what is stored, before the others are made.
    std::optional<JsonNode> value;  ///< Nothing removes.
    Members members;
    std::map<std::size_t, Change> items;
    JsonListForm form;  ///< Of the items.
  };

  Members members_;
};

}  // namespace zarr
