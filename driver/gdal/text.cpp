// SPDX-License-Identifier: MIT
#include "driver/gdal/text.h"

#include <algorithm>
#include <memory>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool IsUtf8(std::string_view text) {
  return CPLIsUTF8(text.data(), static_cast<int>(text.size()));
}

/// Returns true for UTF-8 whose last letter lacks bytes, as in text of a fixed length.
bool IsCutUtf8(std::string_view text) {
  for (std::size_t left = 0; left < 3 && text.size() > 1; ++left) {
    const bool starts_letter = (static_cast<unsigned char>(text.back()) & 0xc0) == 0xc0;
    text.remove_suffix(1);
    const auto has_letter = [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; };
    if (starts_letter) return IsUtf8(text) && std::ranges::any_of(text, has_letter);
  }
  return false;
}

}  // namespace

bool IsEqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return ToLower(x) == ToLower(y); });
}

bool StartsWithIgnoringCase(std::string_view text, std::string_view start) {
  return IsEqualIgnoringCase(text.substr(0, start.size()), start);
}

bool EndsWithIgnoringCase(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && IsEqualIgnoringCase(text.substr(text.size() - end.size()), end);
}

bool IsOneOfIgnoringCase(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return IsEqualIgnoringCase(text, word); });
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToLower(c);
  return lower;
}

std::optional<std::string> TakeQuoted(std::string_view* rest) {
  std::string text;
  for (std::size_t i = 1; i < rest->size(); ++i) {
    const char c = (*rest)[i];
    if (c == '"') {
      rest->remove_prefix(i + 1);
      return text;
    }
    const bool escape = c == '\\' && i + 1 < rest->size() && ((*rest)[i + 1] == '"' || (*rest)[i + 1] == '\\');
    text += escape ? (*rest)[++i] : c;
  }
  return std::nullopt;
}

std::optional<std::pair<std::string, std::string>> ParseNameValue(const char* item) {
  const std::string_view text = item;
  // A colon separates only where there is no "=": it is a part of names such as "eo:cloud_cover".
  const std::size_t sign = text.find('=');
  const std::size_t end = sign != std::string_view::npos ? sign : text.find(':');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view name = text.substr(0, end);
  const std::size_t last = name.find_last_not_of(" \t");
  // GDAL's own function also removes the spaces before the value.
  return std::pair(std::string(name.substr(0, last == std::string_view::npos ? 0 : last + 1)),
                   std::string(text.substr(end + 1)));
}

std::string FormatNumber(double number) {
  return CPLSPrintf("%.17g", number);
}

bool IsPrintedNumber(const std::string& text) {
  constexpr int kMostDigits = 18;
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const bool is_integer = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  if (is_integer) return digits == "0" || !digits.starts_with('0');
  const auto number = zarr::ParseNumber<double>(text);
  for (int precision = 1; number && precision <= kMostDigits; ++precision) {
    if (CPLSPrintf("%.*g", precision, *number) == text) return true;
  }
  return false;
}

std::optional<std::string> RecodeLatin1(const std::string& text) {
  if (IsUtf8(text) || IsCutUtf8(text)) return std::nullopt;
  const std::unique_ptr<char, void (*)(void*)> recoded(CPLRecode(text.c_str(), CPL_ENC_ISO8859_1, CPL_ENC_UTF8),
                                                       VSIFree);
  return recoded ? std::optional(std::string(recoded.get())) : std::nullopt;
}

std::string ToUtf8(const std::string& text, const std::string& what) {
  const auto recoded = RecodeLatin1(text);
  if (!recoded) return text;
  CPLError(CE_Warning, CPLE_AppDefined, "%s: this text is not UTF-8 and is taken for Latin-1: %s", what.c_str(),
           recoded->c_str());
  return *recoded;
}

std::string EscapeXml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '\'')
      result += "&apos;";
    else
      result += c;
  }
  return result;
}

}  // namespace gdal_zarr
