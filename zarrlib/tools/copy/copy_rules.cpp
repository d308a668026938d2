// SPDX-License-Identifier: MIT
#include "zarrlib/tools/copy/copy_rules.h"

#include <charconv>

#include "zarrlib/tools/copy/recompress.h"
#include "zarrlib/tools/help/help.h"

namespace zarr::tools {
namespace {

constexpr std::string_view kForm =
    "expected \"PATTERN [chunks=N,N,...] [shards=N,N,...] [compress=NAME[:LEVEL]]\", such as \"a/* chunks=90,90\"";

[[noreturn]] void Fail(const std::string& rule, const std::string& message) {
  throw Error(ErrorKind::kInvalidArgument, "--array \"" + rule + "\": " + message);
}

Shape ParseEdges(const std::string& rule, std::string_view text) {
  Shape edges;
  const char* p = text.data();
  const char* const end = p + text.size();
  for (;;) {
    std::uint64_t edge = 0;
    const auto parsed = std::from_chars(p, end, edge);
    if (parsed.ec != std::errc() || edge == 0 || edges.size() == kMaxRank) break;
    edges.push_back(edge);
    if (parsed.ptr == end) return edges;
    if (*parsed.ptr != ',') break;
    p = parsed.ptr + 1;
  }
  Fail(rule, FormatExpectedGot("edges such as 256,256", text));
}

/// Checks that the last word before the known settings belongs to the pattern, and is not a setting with a wrong name.
void CheckIsPattern(const std::string& rule, std::string_view rest, std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || word.size() == rest.size()) return;
  const std::string name(word.substr(0, equals));
  Fail(rule, std::string(kForm) + ", got the setting " + name + SuggestName({"chunks", "shards", "compress"}, name));
}

}  // namespace

CopyRule ParseCopyRule(const std::string& text) {
  CopyRule rule;
  std::string_view rest = text;
  const auto find_last_word = [&] { return rest.substr(rest.find_last_of(' ') + 1); };
  for (std::string_view word = find_last_word(); !word.empty(); word = find_last_word()) {
    const std::string_view value = word.substr(std::min(word.size(), word.find('=') + 1));
    if (word.starts_with("chunks=")) {
      rule.change.chunks = ParseEdges(text, value);
    } else if (word.starts_with("shards=")) {
      rule.change.shards = ParseEdges(text, value);
    } else if (word.starts_with("compress=")) {
      rule.change.compress = value;
      CheckCompressor(rule.change.compress);
    } else {
      CheckIsPattern(text, rest, word);
      break;
    }
    rest.remove_suffix(word.size());
    rest = rest.substr(0, rest.find_last_not_of(' ') + 1);
  }
  rule.pattern = rest;
  if (rule.pattern.empty()) Fail(text, "expected the paths of arrays, such as \"a/*\", before what they get");
  if (rest.size() == text.size()) {
    Fail(text, std::string(kForm) + ", got no setting; all arrays are copied, and rules say what some of them get");
  }
  return rule;
}

bool MatchesPattern(std::string_view path, std::string_view pattern) {
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  // The position to continue from when the text after a star does not match: the star then takes one more character.
  std::size_t star = std::string_view::npos;
  std::size_t from = 0;
  std::size_t p = 0;
  std::size_t i = 0;
  while (i < path.size()) {
    const bool is_star = p < pattern.size() && pattern[p] == '*';
    if (is_star) {
      star = p;
      from = i;
      p += pattern.substr(p).starts_with("**") ? 2 : 1;
    } else if (p < pattern.size() && (pattern[p] == path[i] || (pattern[p] == '?' && path[i] != '/'))) {
      ++p;
      ++i;
    } else if (star != std::string_view::npos && (path[from] != '/' || pattern.substr(star).starts_with("**"))) {
      p = star + (pattern.substr(star).starts_with("**") ? 2 : 1);
      i = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

CopyChange FindChange(const CopyOptions& options, std::string_view path, std::size_t rank) {
  for (const CopyRule& rule : options.rules) {
    if (MatchesPattern(path, rule.pattern)) return rule.change;
  }
  CopyChange change = options.all;
  if (change.chunks && change.chunks->size() != rank) change.chunks.reset();
  if (change.shards && change.shards->size() != rank) change.shards.reset();
  return change;
}

}  // namespace zarr::tools
