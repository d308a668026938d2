// SPDX-License-Identifier: MIT
#include "driver/gdal/selection.h"

#include <utility>

#include "driver/gdal/text.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

struct Word {
  std::string text;
  bool quoted = false;
};

[[noreturn]] void FailInSelection(std::string_view selection, std::string_view expected, std::string_view got) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    "selection \"" + std::string(selection) + "\": " + zarr::FormatExpectedGot(expected, got));
}

std::string_view TrimSpaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

void SkipSpaces(std::string_view* rest) {
  while (rest->starts_with(' ')) rest->remove_prefix(1);
}

/// Consumes a quoted string, or the text up to one of the characters `ends`.
Word TakeWord(std::string_view selection, std::string_view* rest, std::string_view ends) {
  SkipSpaces(rest);
  if (rest->starts_with('"')) {
    auto text = TakeQuoted(rest);
    if (!text) FailInSelection(selection, "a quote that is closed", "none");
    SkipSpaces(rest);
    return {std::move(*text), true};
  }
  const std::string_view text = rest->substr(0, rest->find_first_of(ends));
  rest->remove_prefix(text.size());
  return {std::string(TrimSpaces(text)), false};
}

/// Sets the value. Text that starts with "#" is an index, unless it is in quotes or after "==".
void SetValue(std::string_view selection, Word value, Selector* selector) {
  if (!value.quoted && value.text.empty()) {
    FailInSelection(selection, "a value for dimension \"" + selector->dimension + "\"", "none");
  }
  selector->value = std::move(value.text);
  if (value.quoted || selector->kind == Selector::Kind::kExact || !selector->value.starts_with('#')) return;
  const auto index = zarr::ParseNumber<std::uint64_t>(std::string_view(selector->value).substr(1));
  if (!index) {
    FailInSelection(selection, "an index from 0 on for dimension \"" + selector->dimension + "\", such as #5",
                    "\"" + selector->value + "\"");
  }
  selector->kind = Selector::Kind::kIndex;
  selector->index = *index;
}

Selector TakeSelector(std::string_view selection, std::string_view* rest) {
  const std::string start(TrimSpaces(rest->substr(0, rest->find(','))));
  Word dimension = TakeWord(selection, rest, "=,");
  if (dimension.text.empty() || !rest->starts_with('=')) {
    FailInSelection(selection, "<dimension>=<value>", "\"" + start + "\"");
  }
  rest->remove_prefix(1);
  Selector selector{std::move(dimension.text), Selector::Kind::kNearest, "", 0};
  if (rest->starts_with('=')) {
    rest->remove_prefix(1);
    selector.kind = Selector::Kind::kExact;
  }
  SetValue(selection, TakeWord(selection, rest, ","), &selector);
  return selector;
}

/// Returns true if a text begins with the name of a dimension and "=".
bool StartsWithDimension(std::string_view text) {
  if (text.starts_with('"')) {
    const auto name = TakeQuoted(&text);
    SkipSpaces(&text);
    return name && text.starts_with('=');
  }
  const std::size_t end = text.find_first_of("=:,/\"");
  return end != std::string_view::npos && text[end] == '=' && !TrimSpaces(text.substr(0, end)).empty();
}

}  // namespace

std::vector<Selector> ParseSelection(std::string_view text) {
  std::vector<Selector> selectors;
  std::string_view rest = text;
  for (;;) {
    selectors.push_back(TakeSelector(text, &rest));
    if (rest.empty()) return selectors;
    if (!rest.starts_with(',')) FailInSelection(text, "a comma between selectors", "\"" + std::string(rest) + "\"");
    rest.remove_prefix(1);
  }
}

std::size_t FindSelection(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    if (StartsWithDimension(text.substr(colon + 1))) return colon;
  }
  return std::string_view::npos;
}

std::string FormatSelector(const Selector& selector) {
  return selector.dimension + (selector.kind == Selector::Kind::kExact ? "==" : "=") + selector.value;
}

}  // namespace gdal_zarr
