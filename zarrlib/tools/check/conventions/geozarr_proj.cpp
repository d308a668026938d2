// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zarrlib/tools/check/conventions/conventions.h"

namespace zarr::tools {
namespace {

/// Returns true if a string consists of an authority and a code, neither of them empty.
bool IsCode(const std::string& text) {
  const std::size_t colon = text.find(':');
  return colon != std::string::npos && colon > 0 && colon + 1 < text.size() &&
         text.find(':', colon + 1) == std::string::npos;
}

/// Returns true if brackets are paired, and the first one is closed at the end. Quoted text is ignored.
bool AreBracketsPaired(std::string_view text) {
  std::string open;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '[' || c == '(') open += c == '[' ? ']' : ')';
    if (c != ']' && c != ')') continue;
    if (open.empty() || open.back() != c) return false;
    open.pop_back();
    if (open.empty()) return text.find_first_not_of(" \t\r\n", i + 1) == std::string_view::npos;
  }
  return false;
}

}  // namespace

bool IsWkt2(std::string_view text) {
  constexpr std::string_view kKeywords[] = {"GEODCRS",     "GEODETICCRS",    "GEOGCRS",        "GEOGRAPHICCRS",
                                            "PROJCRS",     "PROJECTEDCRS",   "VERTCRS",        "VERTICALCRS",
                                            "ENGCRS",      "ENGINEERINGCRS", "PARAMETRICCRS",  "TIMECRS",
                                            "COMPOUNDCRS", "BOUNDCRS",       "DERIVEDPROJCRS", "COORDINATEMETADATA"};
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  const std::size_t bracket = text.find_first_of("[(");
  if (bracket == std::string_view::npos) return false;
  std::string_view keyword = text.substr(0, bracket);
  keyword = keyword.substr(0, keyword.find_last_not_of(" \t\r\n") + 1);
  return std::ranges::find(kKeywords, keyword) != std::end(kKeywords) && AreBracketsPaired(text);
}

void CheckProj(const ConventionNode& node, bool is_declared) {
  const auto code = node.Find("proj:code");
  const auto wkt = node.Find("proj:wkt2");
  const auto projjson = node.Find("proj:projjson");
  const auto is_there = [](const std::optional<JsonNode>& value) { return value && !value->IsNull(); };
  if (is_there(code) && !(code->IsString() && IsCode(code->AsString()))) {
    node.Report(ConventionRule("proj-code"), *code, FormatExpectedGot("a code such as EPSG:4326", code->GetExcerpt()));
  }
  if (is_there(wkt) && !(wkt->IsString() && IsWkt2(wkt->AsString()))) {
    node.Report(ConventionRule("proj-wkt2"), *wkt, FormatExpectedGot("a CRS in WKT2", wkt->GetExcerpt()));
  }
  if (is_there(projjson)) {
    const auto type = projjson->IsObject() ? projjson->Find("type") : std::nullopt;
    if (!type || !type->IsString() || !type->AsString().ends_with("CRS")) {
      node.Report(ConventionRule("proj-projjson"), *projjson,
                  FormatExpectedGot("an object with the type of a CRS", projjson->GetExcerpt()));
    }
  }
  if (is_declared && !is_there(code) && !is_there(wkt) && !is_there(projjson)) {
    node.Report(ConventionRule("proj-missing"), node.attributes,
                "expected proj:code, proj:wkt2 or proj:projjson, got none of them");
  }
}

}  // namespace zarr::tools
