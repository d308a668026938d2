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

/// Describes a list that has one item for each of `size` things.
struct JsonListForm {
  std::size_t size = 0;
  JsonNode blank = {};              ///< The item that carries no information. A list of only such items is removed.
  bool single_is_bare = false;      ///< True if a single item is stored without a list.
  bool is_read_whole = false;       ///< True if a list of another size is not read: then it gets its size also if an
                                    ///< item is set as it is.
  std::vector<JsonNode> fill = {};  ///< The items that are appended to a list that is too short; blank ones if this is
                                    ///< empty.
};

/// Collects changes of a JSON object and applies them in one pass. Adding a change takes about the same time regardless
/// of the number of changes and of the size of the object. Values that are not objects count as objects without
/// members. An object that loses its last member through a change inside it is removed. Not thread-safe.
class JsonChanges {
 public:
  /// Sets a member of the object, or removes it if there is no value.
  void SetMember(std::string_view name, const std::optional<JsonNode>& value);
  /// Applies the change from `before` to `after` to a member, like ApplyDifference.
  void ChangeMember(std::string_view name, const std::optional<JsonNode>& before, const JsonNode& after);
  /// Sets or removes a value inside an item of a list, which is a member of the object. `steps` are the names of the
  /// members that lead to the value; without steps it is the item itself. The form is that of the list's first change.
  /// A list whose items all stay the same keeps its form.
  void SetItem(std::string_view list, const JsonListForm& form, std::size_t index, std::span<const std::string> steps,
               const std::optional<JsonNode>& value);

  /// Returns true if a member is set, removed or changed.
  bool Changes(std::string_view name) const { return members_.Find(name) != nullptr; }
  /// Returns the new value of a member whose current value is `value`.
  std::optional<JsonNode> ApplyToMember(std::string_view name, const std::optional<JsonNode>& value) const;
  /// Returns the new value of a list item whose current value is `value`.
  std::optional<JsonNode> ApplyToItem(std::string_view list, std::size_t index,
                                      const std::optional<JsonNode>& value) const;
  JsonNode ApplyTo(const JsonNode& object) const;

 private:
  struct Change;
  /// Changes of members, in the order in which they were started.
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

    bool replaces = false;          ///< True if `value` replaces the stored value before the other changes are made.
    std::optional<JsonNode> value;  ///< Without a value, the stored value is removed.
    Members members;
    std::map<std::size_t, Change> items;
    JsonListForm form;  ///< The form of `items`.
  };

  Members members_;
};

}  // namespace zarr
