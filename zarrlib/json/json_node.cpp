// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_node.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/json/json_dump.h"
#include "zarrlib/json/json_parse.h"
#include "zarrlib/json/json_scan.h"
#include "zarrlib/json/json_value.h"

namespace zarr {
namespace {

using Index = std::unordered_map<std::string_view, const JsonValue*>;

/// Index of the members of large objects by name. Without it, looking up every member would take quadratic time.
class Indexes {
 public:
  const JsonValue* Find(const JsonValue::Object& object, std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto [index, is_new] = indexes_.try_emplace(&object);
    if (is_new) {
      index->second.reserve(object.size());
      for (const auto& [member, value] : object) index->second.emplace(member, &value);
    }
    const auto found = index->second.find(name);
    return found == index->second.end() ? nullptr : found->second;
  }

 private:
  ForkSafeMutex mutex_;
  std::unordered_map<const JsonValue::Object*, Index> indexes_;
};

/// The number of members from which an object is large.
constexpr std::size_t kLargeObject = 64;

}  // namespace

struct JsonNode::Document {
  Document() = default;
  Document(JsonValue value, std::string store_name, std::string document_key)
      : root(std::move(value)), store(std::move(store_name)), key(std::move(document_key)) {}
  ~Document() { delete indexes.load(); }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Created on first use: most documents do not have large objects.
  Indexes& GetIndexes() const {
    Indexes* known = indexes.load();
    if (known) return *known;
    auto made = std::make_unique<Indexes>();
    return indexes.compare_exchange_strong(known, made.get()) ? *made.release() : *known;
  }

  JsonValue root;
  std::string store;
  std::string key;
  mutable std::atomic<Indexes*> indexes = nullptr;
};

JsonNode::JsonNode() : value_(nullptr) {
  // All share one document: nulls are made often, as places of new values. It is never freed, so that nodes may outlive
  // other static objects.
  static const auto& null = *new std::shared_ptr<const Document>(std::make_shared<Document>());
  document_ = null;
  value_ = &null->root;
}

JsonNode::JsonNode(std::shared_ptr<const Document> document, const JsonValue* value, std::string pointer)
    : document_(std::move(document)), value_(value), pointer_(std::move(pointer)) {}

JsonNode JsonNode::Make(JsonValue value, const JsonNode& place) {
  auto document = std::make_shared<Document>(std::move(value), place.store(), place.key());
  const JsonValue* root = &document->root;
  return {std::move(document), root, place.pointer_};
}

JsonNode JsonNode::Parse(std::string_view text, std::string_view store, std::string_view key,
                         std::string_view pointer) {
  auto document = std::make_shared<Document>();
  document->store = store;
  document->key = key;
  try {
    document->root = ParseJson(NormalizeJson(text));
  } catch (const Error& error) {
    throw Error(error.kind(), std::string(store), std::string(key), std::string(pointer), error.message());
  }
  const JsonValue* root = &document->root;
  return {std::move(document), root, std::string(pointer)};
}

JsonNode JsonNode::MakeString(std::string_view value, const JsonNode& place) {
  return Make(JsonValue(std::string(value)), place);
}
JsonNode JsonNode::MakeInteger(std::int64_t value, const JsonNode& place) {
  return Make(JsonValue(value), place);
}
JsonNode JsonNode::MakeUnsigned(std::uint64_t value, const JsonNode& place) {
  return Make(JsonValue(value), place);
}
JsonNode JsonNode::MakeFloat(double value, const JsonNode& place) {
  return Make(JsonValue(value), place);
}
JsonNode JsonNode::MakeBoolean(bool value, const JsonNode& place) {
  return Make(JsonValue(value), place);
}

JsonNode JsonNode::MakeArray(const std::vector<JsonNode>& items, const JsonNode& place) {
  JsonValue::Array array;
  array.reserve(items.size());
  for (const JsonNode& item : items) array.push_back(item.value_->Copy());
  return Make(JsonValue(std::move(array)), place);
}

JsonNode JsonNode::MakeObject(const std::vector<std::pair<std::string, JsonNode>>& members, const JsonNode& place) {
  JsonValue::Object object;
  object.reserve(members.size());
  for (const auto& [name, value] : members) object.emplace_back(name, value.value_->Copy());
  DropDuplicates(&object);
  return Make(JsonValue(std::move(object)), place);
}

JsonNode::Type JsonNode::type() const {
  constexpr std::array kTypes = {Type::kNull,  Type::kBoolean, Type::kInteger, Type::kUnsigned,
                                 Type::kFloat, Type::kString,  Type::kArray,   Type::kObject};
  return kTypes.at(value_->type_index());
}

bool JsonNode::AsBoolean() const {
  if (const bool* value = value_->GetIf<bool>()) return *value;
  FailExpected("true or false");
}

std::int64_t JsonNode::AsInt64() const {
  if (const auto* value = value_->GetIf<std::int64_t>()) return *value;
  const auto* value = value_->GetIf<std::uint64_t>();
  if (!value) FailExpected("an integer");
  if (!std::in_range<std::int64_t>(*value)) FailExpected("an integer of 64 bits");
  return static_cast<std::int64_t>(*value);
}

std::uint64_t JsonNode::AsUint64() const {
  if (const auto* value = value_->GetIf<std::uint64_t>()) return *value;
  const auto* value = value_->GetIf<std::int64_t>();
  if (!value || *value < 0) FailExpected("a non-negative integer");
  return static_cast<std::uint64_t>(*value);
}

double JsonNode::AsDouble() const {
  if (const auto* value = value_->GetIf<double>()) return *value;
  if (const auto* value = value_->GetIf<std::int64_t>()) return static_cast<double>(*value);
  if (const auto* value = value_->GetIf<std::uint64_t>()) return static_cast<double>(*value);
  FailExpected("a number");
}

const std::string& JsonNode::AsString() const {
  if (const auto* value = value_->GetIf<std::string>()) return *value;
  FailExpected("a string");
}

std::int64_t JsonNode::AsIntegerIn(std::int64_t low, std::int64_t high) const {
  const auto* natural = value_->GetIf<std::uint64_t>();
  if (IsInteger() && !(natural && !std::in_range<std::int64_t>(*natural))) {
    const std::int64_t value = AsInt64();
    if (value >= low && value <= high) return value;
  }
  FailExpected("an integer " + std::to_string(low) + ".." + std::to_string(high));
}

std::size_t JsonNode::size() const {
  if (const auto* items = value_->GetIf<JsonValue::Array>()) return items->size();
  if (const auto* members = value_->GetIf<JsonValue::Object>()) return members->size();
  FailExpected("an array or an object");
}

JsonNode JsonNode::operator[](std::size_t index) const {
  const auto* items = value_->GetIf<JsonValue::Array>();
  if (!items) FailExpected("an array");
  if (index >= items->size()) FailExpected("at least " + std::to_string(index + 1) + " items");
  return {document_, &(*items)[index], pointer_ + "/" + std::to_string(index)};
}

std::vector<JsonNode> JsonNode::GetItems() const {
  if (!IsArray()) FailExpected("an array");
  std::vector<JsonNode> items;
  items.reserve(size());
  for (std::size_t index = 0; index < size(); ++index) items.push_back((*this)[index]);
  return items;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::GetMembers() const {
  const auto* object = value_->GetIf<JsonValue::Object>();
  if (!object) FailExpected("an object");
  std::vector<std::pair<std::string, JsonNode>> members;
  members.reserve(object->size());
  for (const auto& [name, value] : *object) {
    members.emplace_back(name, JsonNode(document_, &value, pointer_ + "/" + EscapePointerStep(name)));
  }
  return members;
}

bool JsonNode::Has(std::string_view name) const {
  return Find(name).has_value();
}

std::optional<JsonNode> JsonNode::Find(std::string_view name) const {
  const auto* object = value_->GetIf<JsonValue::Object>();
  if (!object) FailExpected("an object");
  const JsonValue* found = nullptr;
  if (object->size() >= kLargeObject) {
    found = document_->GetIndexes().Find(*object, name);
  } else {
    const auto member = std::ranges::find(*object, name, &JsonValue::Member::first);
    if (member != object->end()) found = &member->second;
  }
  if (!found) return std::nullopt;
  return JsonNode(document_, found, pointer_ + "/" + EscapePointerStep(name));
}

JsonNode JsonNode::At(std::string_view name) const {
  if (auto member = Find(name)) return *std::move(member);
  Fail(ErrorKind::kCorrupt, "expected a member \"" + std::string(name) + "\", got none");
}

std::string JsonNode::Dump(Style style) const {
  return DumpJson(*value_, style);
}

std::string JsonNode::GetExcerpt() const {
  constexpr std::size_t kLongest = 60;
  if ((IsArray() || IsObject()) && size() > kLongest) {
    return (IsArray() ? "an array of " : "an object of ") + std::to_string(size());
  }
  std::string text = Dump();
  if (text.size() > kLongest) text = text.substr(0, kLongest - 3) + "...";
  return text;
}

const std::string& JsonNode::store() const {
  return document_->store;
}
const std::string& JsonNode::key() const {
  return document_->key;
}

void JsonNode::Fail(ErrorKind kind, std::string message) const {
  throw Error(kind, store(), key(), pointer_, std::move(message));
}

void JsonNode::FailExpected(std::string_view expected) const {
  Fail(ErrorKind::kCorrupt, FormatExpectedGot(expected, GetExcerpt()));
}

bool operator==(const JsonNode& a, const JsonNode& b) {
  return *a.value_ == *b.value_;
}

std::string EscapePointerStep(std::string_view name) {
  std::string step;
  for (const char c : name) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

}  // namespace zarr
