// SPDX-License-Identifier: MIT
#include "zarrlib/base/text.h"

#include <utility>

namespace zarr {

void AppendUtf8(std::uint32_t code, std::string* text) {
  const auto put = [text](std::uint32_t byte) { *text += static_cast<char>(byte); };
  const auto put_rest = [&](int shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put_rest(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put_rest(6);
    put_rest(0);
  } else {
    put(0xF0 | code >> 18);
    put_rest(12);
    put_rest(6);
    put_rest(0);
  }
}

std::optional<std::uint64_t> ParseSize(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc()) return std::nullopt;
  std::string unit;
  for (const char* c = end; c != text.data() + text.size(); ++c) {
    if (*c != ' ' || !unit.empty()) unit += *c >= 'a' && *c <= 'z' ? static_cast<char>(*c - 'a' + 'A') : *c;
  }
  for (const auto& [name, bits] : {std::pair("", 0), std::pair("KB", 10), std::pair("MB", 20), std::pair("GB", 30)}) {
    if (unit == name) return value > (UINT64_MAX >> bits) ? std::nullopt : std::optional(value << bits);
  }
  return std::nullopt;
}

std::string FormatDigits(std::int64_t value, std::size_t width) {
  const std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

std::string FormatYear(std::int64_t year) {
  if (year < 0) return "-" + FormatDigits(-year, 4);
  return (year > 9999 ? "+" : "") + FormatDigits(year, 4);
}

}  // namespace zarr
