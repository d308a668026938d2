// SPDX-License-Identifier: MIT
#include "driver/gdal/text.h"

#include <algorithm>
#include <memory>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {
namespace {

char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
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
  const std::size_t end = text.find_first_of("=:");
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

std::string ToUtf8(const std::string& text, const std::string& what) {
  if (CPLIsUTF8(text.data(), static_cast<int>(text.size()))) return text;
  const std::unique_ptr<char, void (*)(void*)> recoded(CPLRecode(text.c_str(), CPL_ENC_ISO8859_1, CPL_ENC_UTF8),
                                                       VSIFree);
  if (!recoded) return text;
  CPLError(CE_Warning, CPLE_AppDefined, "%s: this text is not UTF-8 and is taken for Latin-1: %s", what.c_str(),
           recoded.get());
  return recoded.get();
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
