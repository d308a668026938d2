// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_node.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "zarrlib/json/json_parse.h"
#include "zarrlib/json/json_scan.h"

namespace zarr {

using nlohmann::ordered_json;

namespace {

/// Removes all members and items, from the inside to the outside. The destructor of a value that holds others takes
/// memory, and must not fail; that of an empty one takes none. Texts of documents are not nested deeply.
void Empty(ordered_json* value) {
  if (value->is_object()) {
    for (auto& [name, member] : value->get_ref<ordered_json::object_t&>()) Empty(&member);
    value->get_ref<ordered_json::object_t&>().clear();
  } else if (value->is_array()) {
    for (ordered_json& item : value->get_ref<ordered_json::array_t&>()) Empty(&item);
    value->get_ref<ordered_json::array_t&>().clear();
  }
}

}  // namespace

struct JsonNode::Document {
  Document() = default;
  Document(ordered_json value, std::string store_name, std::string document_key)
      : root(std::move(value)), store(std::move(store_name)), key(std::move(document_key)) {}
  ~Document() { Empty(&root); }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  ordered_json root;
  std::string store;
  std::string key;
};

namespace {

const std::string* FindMarkedToken(const ordered_json& value) {
  if (!value.is_string()) return nullptr;
  const auto& text = value.get_ref<const std::string&>();
  return text.starts_with(kNonFiniteMark) ? &text : nullptr;
}

double ParseMarkedToken(const std::string& text) {
  const std::string_view token = std::string_view(text).substr(kNonFiniteMark.size());
  if (token == "Infinity") return std::numeric_limits<double>::infinity();
  if (token == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

ordered_json MakeFloatValue(double value) {
  if (std::isfinite(value)) return value;
  const char* token = std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  return std::string(kNonFiniteMark) + token;
}

std::string DumpValue(const ordered_json& value, JsonNode::Style style) {
  constexpr auto kReplace = ordered_json::error_handler_t::replace;
  switch (style) {
    case JsonNode::Style::kV2:
      return RestoreNonFinite(nlohmann::json(value).dump(4, ' ', true, nlohmann::json::error_handler_t::replace));
    case JsonNode::Style::kV3:
      return RestoreNonFinite(value.dump(2, ' ', true, kReplace));
    case JsonNode::Style::kCompact:
      break;
  }
  return RestoreNonFinite(value.dump(-1, ' ', true, kReplace));
}

}  // namespace

JsonNode::JsonNode() : JsonNode(Make(nullptr, {std::make_shared<Document>(), nullptr, ""})) {}

JsonNode::JsonNode(std::shared_ptr<const Document> document, const ordered_json* value, std::string pointer)
    : document_(std::move(document)), value_(value), pointer_(std::move(pointer)) {}

JsonNode JsonNode::Make(ordered_json value, const JsonNode& place) {
  auto document = std::make_shared<Document>(std::move(value), place.store(), place.key());
  const ordered_json* root = &document->root;
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
  const ordered_json* root = &document->root;
  return {std::move(document), root, std::string(pointer)};
}

JsonNode JsonNode::MakeString(std::string_view value, const JsonNode& place) {
  return Make(std::string(value), place);
}
JsonNode JsonNode::MakeInteger(std::int64_t value, const JsonNode& place) {
  return Make(value, place);
}
JsonNode JsonNode::MakeUnsigned(std::uint64_t value, const JsonNode& place) {
  return Make(value, place);
}
JsonNode JsonNode::MakeFloat(double value, const JsonNode& place) {
  return Make(MakeFloatValue(value), place);
}
JsonNode JsonNode::MakeBoolean(bool value, const JsonNode& place) {
  return Make(value, place);
}

JsonNode JsonNode::MakeArray(const std::vector<JsonNode>& items, const JsonNode& place) {
  ordered_json array = ordered_json::array();
  for (const JsonNode& item : items) array.push_back(*item.value_);
  return Make(std::move(array), place);
}

JsonNode JsonNode::MakeObject(const std::vector<std::pair<std::string, JsonNode>>& members, const JsonNode& place) {
  ordered_json::object_t object;
  for (const auto& [name, value] : members) {
    static_cast<ordered_json::object_t::Container&>(object).emplace_back(name, *value.value_);
  }
  DropDuplicates(&object);
  return Make(std::move(object), place);
}

JsonNode::Type JsonNode::type() const {
  switch (value_->type()) {
    case ordered_json::value_t::boolean:
      return Type::kBoolean;
    case ordered_json::value_t::number_integer:
      return Type::kInteger;
    case ordered_json::value_t::number_unsigned:
      return Type::kUnsigned;
    case ordered_json::value_t::number_float:
      return Type::kFloat;
    case ordered_json::value_t::string:
      return FindMarkedToken(*value_) ? Type::kFloat : Type::kString;
    case ordered_json::value_t::array:
      return Type::kArray;
    case ordered_json::value_t::object:
      return Type::kObject;
    default:
      return Type::kNull;
  }
}

bool JsonNode::AsBoolean() const {
  if (!IsBoolean()) FailExpected("true or false");
  return value_->get<bool>();
}

std::int64_t JsonNode::AsInt64() const {
  if (type() == Type::kUnsigned && value_->get<std::uint64_t>() > std::uint64_t{INT64_MAX}) {
    FailExpected("an integer of 64 bits");
  }
  if (!IsInteger()) FailExpected("an integer");
  return value_->get<std::int64_t>();
}

std::uint64_t JsonNode::AsUint64() const {
  if (type() == Type::kInteger && value_->get<std::int64_t>() < 0) FailExpected("a non-negative integer");
  if (!IsInteger()) FailExpected("a non-negative integer");
  return value_->get<std::uint64_t>();
}

double JsonNode::AsDouble() const {
  if (const std::string* token = FindMarkedToken(*value_)) return ParseMarkedToken(*token);
  if (!IsNumber()) FailExpected("a number");
  return value_->get<double>();
}

const std::string& JsonNode::AsString() const {
  if (!IsString()) FailExpected("a string");
  return value_->get_ref<const std::string&>();
}

std::int64_t JsonNode::AsIntegerIn(std::int64_t low, std::int64_t high) const {
  const bool fits = type() == Type::kInteger ||
                    (type() == Type::kUnsigned && value_->get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  if (fits) {
    const auto value = value_->get<std::int64_t>();
    if (value >= low && value <= high) return value;
  }
  FailExpected("an integer " + std::to_string(low) + ".." + std::to_string(high));
}

std::size_t JsonNode::size() const {
  if (!IsArray() && !IsObject()) FailExpected("an array or an object");
  return value_->size();
}

JsonNode JsonNode::operator[](std::size_t index) const {
  if (!IsArray()) FailExpected("an array");
  if (index >= value_->size()) FailExpected("at least " + std::to_string(index + 1) + " items");
  return {document_, &(*value_)[index], pointer_ + "/" + std::to_string(index)};
}

std::vector<JsonNode> JsonNode::GetItems() const {
  if (!IsArray()) FailExpected("an array");
  std::vector<JsonNode> items;
  items.reserve(value_->size());
  for (std::size_t index = 0; index < value_->size(); ++index) items.push_back((*this)[index]);
  return items;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::GetMembers() const {
  if (!IsObject()) FailExpected("an object");
  std::vector<std::pair<std::string, JsonNode>> members;
  members.reserve(value_->size());
  for (const auto& [name, value] : value_->items()) {
    members.emplace_back(name, JsonNode(document_, &value, pointer_ + "/" + EscapePointerStep(name)));
  }
  return members;
}

bool JsonNode::Has(std::string_view name) const {
  return Find(name).has_value();
}

std::optional<JsonNode> JsonNode::Find(std::string_view name) const {
  if (!IsObject()) FailExpected("an object");
  for (const auto& [member, value] : value_->get_ref<const ordered_json::object_t&>()) {
    if (member == name) return JsonNode(document_, &value, pointer_ + "/" + EscapePointerStep(name));
  }
  return std::nullopt;
}

JsonNode JsonNode::At(std::string_view name) const {
  if (auto member = Find(name)) return *std::move(member);
  Fail(ErrorKind::kCorrupt, "expected a member \"" + std::string(name) + "\", got none");
}

std::string JsonNode::Dump(Style style) const {
  return DumpValue(*value_, style);
}

std::string JsonNode::GetExcerpt() const {
  constexpr std::size_t kLongest = 60;
  if ((IsArray() || IsObject()) && value_->size() > kLongest) {
    return (IsArray() ? "an array of " : "an object of ") + std::to_string(value_->size());
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
