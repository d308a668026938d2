// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_parse.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/json/json_scan.h"

namespace zarr {
namespace {

using nlohmann::ordered_json;
using Array = JsonValue::Array;
using Object = JsonValue::Object;

JsonValue ParseMarkedToken(std::string_view text) {
  const std::string_view token = text.substr(kNonFiniteMark.size());
  if (token == "NaN") return JsonValue(std::numeric_limits<double>::quiet_NaN());
  const double value = std::numeric_limits<double>::infinity() * (token.starts_with('-') ? -1 : 1);
  if (token.ends_with("Infinity")) return JsonValue(value);
  return JsonValue(JsonValue::LongNumber{std::string(token), value});
}

/// Compares hashes in one block of memory: a table of names takes an allocation for each, and many times as long.
bool MayHaveDuplicates(const Object& members) {
  if (members.size() < 2) return false;
  std::vector<std::size_t> hashes;
  hashes.reserve(members.size());
  for (const auto& [name, value] : members) hashes.push_back(std::hash<std::string_view>()(name));
  std::sort(hashes.begin(), hashes.end());
  return std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end();
}

/// Builds a document from the parser's events.
class Builder final : public nlohmann::json_sax<ordered_json> {
 public:
  JsonValue& root() { return root_; }
  const std::string& message() const { return message_; }
  bool is_full() const { return count_ > limit_; }

  bool null() override { return Add(JsonValue()); }
  bool boolean(bool value) override { return Add(JsonValue(value)); }
  bool number_integer(number_integer_t value) override { return Add(JsonValue(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Add(JsonValue(value)); }
  bool number_float(number_float_t value, const string_t& text) override {
    const bool is_integer = text.find_first_of(".eE") == text.npos;
    return Add(is_integer ? JsonValue(JsonValue::LongNumber{text, value}) : JsonValue(value));
  }
  bool string(string_t& value) override {
    if (value.starts_with(kNonFiniteMark)) return Add(ParseMarkedToken(value));
    return Add(JsonValue(std::move(value)));
  }
  bool binary(binary_t&) override { return false; }  // not in JSON

  bool start_object(std::size_t) override { return Open(JsonValue(Object())); }
  bool key(string_t& name) override {
    if (name.starts_with(kNonFiniteMark)) {
      message_ = "a member's name must be a string";
      return false;
    }
    open_.back()->GetIf<Object>()->emplace_back(std::move(name), JsonValue());
    return true;
  }
  bool end_object() override {
    DropDuplicates(open_.back()->GetIf<Object>());
    return Close();
  }
  bool start_array(std::size_t) override { return Open(JsonValue(Array())); }
  bool end_array() override { return Close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    message_ = error.what();
    return false;
  }

 private:
  /// Adds a value at the current position and returns it. The reference is valid until its container is closed.
  JsonValue& Place(JsonValue value) {
    if (open_.empty()) return root_ = std::move(value);
    if (auto* members = open_.back()->GetIf<Object>()) return members->back().second = std::move(value);
    return open_.back()->GetIf<Array>()->emplace_back(std::move(value));
  }
  bool Add(JsonValue value) {
    Place(std::move(value));
    return ++count_ <= limit_;
  }
  bool Open(JsonValue container) {
    open_.push_back(&Place(std::move(container)));
    return ++count_ <= limit_;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  JsonValue root_;
  std::vector<JsonValue*> open_;  // objects and arrays that are not yet closed, the innermost last
  std::size_t count_ = 0;         // number of values
  const std::uint64_t limit_ = GetLimit(Limit::kJsonValues);
  std::string message_;
};

/// Makes nlohmann's message about a syntax error readable: removes its prefix, and the text that it quotes, which may
/// be anything and of any length.
std::string MakeLegible(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kLongest = 300;
  const std::size_t prefix = text.find("] ");
  std::string legible;
  for (const char c : std::string_view(text).substr(prefix == std::string::npos ? 0 : prefix + 2)) {
    if (legible.size() > kLongest) return legible + "...";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code < 0x7F) {
      legible += c;
    } else {
      legible += {'\\', 'x', kDigits[code / 16], kDigits[code % 16]};
    }
  }
  return legible;
}

}  // namespace

JsonValue ParseJson(std::string_view text) {
  Builder builder;
  if (!ordered_json::sax_parse(text, &builder)) {
    if (builder.is_full()) FailJsonValues();
    throw Error(ErrorKind::kCorrupt, "invalid JSON: " + MakeLegible(builder.message()));
  }
  return std::move(builder.root());
}

void DropDuplicates(Object* members) {
  if (!MayHaveDuplicates(*members)) return;
  std::unordered_map<std::string_view, JsonValue*> last;
  for (auto& [name, value] : *members) last.insert_or_assign(name, &value);
  if (last.size() == members->size()) return;
  Object kept;
  for (const auto& [name, value] : *members) {
    const auto found = last.find(name);
    if (found == last.end()) continue;  // a later member of that name has been kept
    kept.emplace_back(name, std::move(*found->second));
    last.erase(found);
  }
  *members = std::move(kept);
}

}  // namespace zarr
