// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_string.h"

#include <charconv>
#include <cstdint>

#include "zarrlib/base/text.h"

namespace zarr {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

/// Consumes XXXX of \uXXXX.
std::optional<std::uint32_t> TakeUnit(std::string_view* rest) {
  if (rest->size() < 4) return std::nullopt;
  std::uint32_t unit = 0;
  const auto [end, status] = std::from_chars(rest->data(), rest->data() + 4, unit, 16);
  if (status != std::errc() || end != rest->data() + 4) return std::nullopt;
  rest->remove_prefix(4);
  return unit;
}

/// Consumes the text after \u, including both halves of a surrogate pair. Returns false if it is not an escape.
bool TakeUnicode(std::string_view* rest, std::string* text) {
  const auto unit = TakeUnit(rest);
  if (!unit) return false;
  std::uint32_t code = *unit;
  if (code >= 0xD800 && code < 0xE000) {
    std::string_view behind = *rest;
    std::optional<std::uint32_t> low;
    if (code < 0xDC00 && behind.starts_with("\\u")) {
      behind.remove_prefix(2);
      low = TakeUnit(&behind);
    }
    const bool is_pair = low && *low >= 0xDC00 && *low < 0xE000;
    if (is_pair) *rest = behind;
    code = is_pair ? 0x10000 + ((code - 0xD800) << 10) + (*low - 0xDC00) : kReplacement;
  }
  AppendUtf8(code, text);
  return true;
}

/// Consumes the text after a backslash.
bool TakeEscape(std::string_view* rest, std::string* text) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kCharacters = "\"\\/\b\f\n\r\t";
  if (rest->empty()) return false;
  const char c = rest->front();
  rest->remove_prefix(1);
  if (c == 'u') return TakeUnicode(rest, text);
  const std::size_t index = kNames.find(c);
  if (index == std::string_view::npos) return false;
  *text += kCharacters[index];
  return true;
}

}  // namespace

std::optional<std::string> DecodeJsonString(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  std::string_view rest = text.substr(1, text.size() - 2);
  std::string decoded;
  decoded.reserve(rest.size());
  while (!rest.empty()) {
    const std::size_t plain = rest.find_first_of("\"\\");
    decoded += rest.substr(0, plain);
    if (plain == std::string_view::npos) break;
    if (rest[plain] == '"') return std::nullopt;
    rest.remove_prefix(plain + 1);
    if (!TakeEscape(&rest, &decoded)) return std::nullopt;
  }
  return decoded;
}

}  // namespace zarr
