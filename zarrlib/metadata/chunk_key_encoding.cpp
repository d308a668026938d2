// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/chunk_key_encoding.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "zarrlib/json/json_edit.h"

namespace zarr {
namespace {

constexpr std::string_view kV0Prefix = "__zdata__/";
constexpr std::string_view kV0Suffix = ".blosc";

void AppendNumber(std::uint64_t number, std::string* key) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  key->append(digits, end);
}

void AppendIndices(const Shape& grid_index, char separator, std::string* key) {
  for (std::size_t i = 0; i < grid_index.size(); ++i) {
    if (i > 0) *key += separator;
    AppendNumber(grid_index[i], key);
  }
}

/// Parses "1.2" to [1, 2]: decimal digits without leading zeros.
std::optional<Shape> ParseIndices(std::string_view text, char separator, std::size_t rank) {
  Shape index(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), index[i]);
    if (parsed.ec != std::errc() || (text[0] == '0' && parsed.ptr != text.data() + 1)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (i + 1 < rank) {
      if (!text.starts_with(separator)) return std::nullopt;
      text.remove_prefix(1);
    }
  }
  if (!text.empty()) return std::nullopt;
  return index;
}

/// A suffix is a part of a name: chunks stay in the folders of `default`.
std::string ReadSuffix(const JsonNode& node) {
  const std::string& suffix = node.AsString();
  if (suffix.find_first_of(std::string_view("/\0", 2)) != suffix.npos) node.FailExpected("a text without \"/\"");
  return suffix;
}

}  // namespace

ChunkKeyEncoding ChunkKeyEncoding::FromV3(const JsonNode& node) {
  const JsonNode name = node.IsString() ? node : node.At("name");
  ChunkKeyEncoding encoding;
  if (name.AsString() == "default") {
    encoding = {Kind::kDefault, '/'};
  } else if (name.AsString() == "v2") {
    encoding = {Kind::kV2, '.'};
  } else if (name.AsString() == kSuffixName || name.AsString() == "default_suffix") {
    encoding = {Kind::kDefault, '/', 'c', ReadSuffix(node.At("configuration").At("suffix"))};
  } else {
    name.Fail(ErrorKind::kUnsupported,
              FormatExpectedGot("\"default\", \"v2\" or \"zarrs.default_suffix\"", name.GetExcerpt()));
  }
  const auto configuration = FindMember(node, "configuration");
  if (const auto separator = configuration ? configuration->Find("separator") : std::nullopt) {
    const std::string& text = separator->AsString();
    if (text != "/" && text != ".") separator->FailExpected("\"/\" or \".\"");
    encoding.separator = text[0];
  }
  return encoding;
}

std::string ChunkKeyEncoding::Format(const Shape& grid_index) const {
  std::string key;
  AppendTo(grid_index, &key);
  return key;
}

void ChunkKeyEncoding::AppendTo(const Shape& grid_index, std::string* key) const {
  switch (kind) {
    case Kind::kDefault:
      *key += letter;
      if (!grid_index.empty()) *key += separator;
      AppendIndices(grid_index, separator, key);
      key->append(suffix);
      return;
    case Kind::kV3Draft:
    case Kind::kV1:
    case Kind::kV2:
      if (kind == Kind::kV3Draft) *key += 'c';
      if (grid_index.empty()) *key += '0';
      return AppendIndices(grid_index, separator, key);
    case Kind::kV0:
      key->append(kV0Prefix);
      AppendIndices(grid_index, separator, key);
      key->append(kV0Suffix);
  }
}

std::string ChunkKeyEncoding::GetTopFolder() const {
  if (kind == Kind::kV0) return std::string(kV0Prefix.substr(0, kV0Prefix.size() - 1));
  return kind == Kind::kDefault && separator == '/' ? std::string(1, letter) : std::string();
}

std::optional<Shape> ChunkKeyEncoding::Parse(std::string_view key, std::size_t rank) const {
  switch (kind) {
    case Kind::kDefault:
      if (!key.starts_with(letter) || !key.substr(1).ends_with(suffix)) return std::nullopt;
      key = key.substr(1, key.size() - 1 - suffix.size());
      if (rank == 0) return key.empty() ? std::optional<Shape>(Shape()) : std::nullopt;
      if (!key.starts_with(separator)) return std::nullopt;
      return ParseIndices(key.substr(1), separator, rank);
    case Kind::kV3Draft:
      if (!key.starts_with('c')) return std::nullopt;
      key.remove_prefix(1);
      [[fallthrough]];
    case Kind::kV1:
    case Kind::kV2:
      if (rank == 0) return key == "0" ? std::optional<Shape>(Shape()) : std::nullopt;
      return ParseIndices(key, separator, rank);
    case Kind::kV0:
      if (!key.starts_with(kV0Prefix) || !key.ends_with(kV0Suffix)) return std::nullopt;
      key.remove_prefix(kV0Prefix.size());
      if (key.size() < kV0Suffix.size()) return std::nullopt;
      key.remove_suffix(kV0Suffix.size());
      return ParseIndices(key, separator, rank);
  }
  return std::nullopt;
}

std::optional<ChunkKeyEncoding> ChunkKeyEncoding::WithForm(std::string_view form) const {
  const bool is_known =
      std::find(std::begin(kChunkKeyForms), std::end(kChunkKeyForms), form) != std::end(kChunkKeyForms);
  if (!is_known || (kind != Kind::kDefault && kind != Kind::kV2)) return std::nullopt;
  if (form.size() == 1) return ChunkKeyEncoding{kind, form[0], letter, suffix};
  if (form[0] == '0') return ChunkKeyEncoding{Kind::kV2, form[1]};
  return ChunkKeyEncoding{Kind::kDefault, form[1], form[0], suffix};
}

std::string_view ChunkKeyEncoding::FindForm(const ChunkKeyEncoding& other) const {
  const auto* const form = std::find_if(std::begin(kChunkKeyForms), std::end(kChunkKeyForms),
                                        [&](std::string_view candidate) { return WithForm(candidate) == other; });
  return form == std::end(kChunkKeyForms) ? std::string_view() : *form;
}

}  // namespace zarr
