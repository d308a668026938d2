// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_dump.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace zarr {
namespace {

using nlohmann::ordered_json;

/// Formats a scalar. Bytes that are not UTF-8 are replaced.
std::string DumpScalar(const ordered_json& scalar) {
  return scalar.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

bool NeedsEscape(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code >= 0x7F || c == '"' || c == '\\';
}

std::string DumpNumber(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return DumpScalar(value);
}

/// Writes the layouts of Python's json module, which other Zarr writers use.
class Writer {
 public:
  Writer(std::size_t indent, bool is_sorted) : indent_(indent), is_sorted_(is_sorted) {}

  void Write(const JsonValue& value) {
    if (const auto* boolean = value.GetIf<bool>()) {
      text_ += *boolean ? "true" : "false";
    } else if (const auto* integer = value.GetIf<std::int64_t>()) {
      text_ += std::to_string(*integer);
    } else if (const auto* natural = value.GetIf<std::uint64_t>()) {
      text_ += std::to_string(*natural);
    } else if (const auto* long_number = value.GetIf<JsonValue::LongNumber>()) {
      text_ += long_number->text;
    } else if (const auto* number = value.GetIf<double>()) {
      text_ += DumpNumber(*number);
    } else if (const auto* string = value.GetIf<std::string>()) {
      WriteString(*string);
    } else if (const auto* items = value.GetIf<JsonValue::Array>()) {
      WriteArray(*items);
    } else if (const auto* members = value.GetIf<JsonValue::Object>()) {
      is_sorted_ ? WriteSorted(*members) : WriteInOrder(*members);
    } else {
      text_ += "null";
    }
  }

  std::string TakeText() { return std::move(text_); }

 private:
  void WriteString(const std::string& string) {
    if (std::ranges::any_of(string, NeedsEscape)) {
      text_ += DumpScalar(string);
    } else {
      text_ += '"';
      text_ += string;
      text_ += '"';
    }
  }

  void WriteArray(const JsonValue::Array& items) {
    Open('[');
    for (const JsonValue& item : items) {
      StartNext(&item == items.data());
      Write(item);
    }
    Close(']', items.empty());
  }

  void WriteInOrder(const JsonValue::Object& members) {
    Open('{');
    for (const JsonValue::Member& member : members) WriteMember(member, &member == members.data());
    Close('}', members.empty());
  }

  void WriteSorted(const JsonValue::Object& members) {
    std::vector<const JsonValue::Member*> sorted;
    sorted.reserve(members.size());
    for (const JsonValue::Member& member : members) sorted.push_back(&member);
    std::ranges::sort(sorted, {}, [](const JsonValue::Member* member) -> const std::string& { return member->first; });
    Open('{');
    for (const JsonValue::Member* member : sorted) WriteMember(*member, member == sorted.front());
    Close('}', members.empty());
  }

  void WriteMember(const JsonValue::Member& member, bool is_first) {
    StartNext(is_first);
    WriteString(member.first);
    text_ += indent_ > 0 ? ": " : ":";
    Write(member.second);
  }

  void Open(char bracket) {
    text_ += bracket;
    ++depth_;
  }

  void StartNext(bool is_first) {
    if (!is_first) text_ += ',';
    StartLine();
  }

  void Close(char bracket, bool is_empty) {
    --depth_;
    if (!is_empty) StartLine();
    text_ += bracket;
  }

  void StartLine() {
    if (indent_ == 0) return;
    text_ += '\n';
    text_.append(depth_ * indent_, ' ');
  }

  const std::size_t indent_;
  const bool is_sorted_;
  std::size_t depth_ = 0;
  std::string text_;
};

}  // namespace

std::string DumpJson(const JsonValue& value, JsonNode::Style style) {
  constexpr std::size_t kV2Indent = 4, kV3Indent = 2;
  const bool is_v2 = style == JsonNode::Style::kV2;
  Writer writer(is_v2 ? kV2Indent : style == JsonNode::Style::kV3 ? kV3Indent : 0, is_v2);
  writer.Write(value);
  return writer.TakeText();
}

}  // namespace zarr
