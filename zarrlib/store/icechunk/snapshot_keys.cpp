// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/snapshot_keys.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"
#include "zarrlib/json/json_node.h"

namespace zarr {
namespace {

constexpr std::string_view kDocument = "zarr.json";

std::string_view WithoutSlash(std::string_view path) {
  return path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
}

/// The array that a path is in, its own path, and what follows it.
struct ArrayAround {
  const SnapshotNode* array = nullptr;
  std::string_view path;
  std::string_view rest;
};

ArrayAround FindArrayAround(const SnapshotNodes& nodes, std::string_view path) {
  for (std::size_t end = path.rfind('/');; end = path.rfind('/', end - 1)) {
    const std::string_view above = end == std::string_view::npos ? std::string_view() : path.substr(0, end);
    const auto found = nodes.find(above);
    if (found != nodes.end() && found->second.is_array) {
      return {&found->second, above, path.substr(above.empty() ? 0 : end + 1)};
    }
    if (above.empty()) return {};
  }
}

/// Parses numbers with a separator between them. Returns nullopt for other text.
std::optional<std::vector<std::uint32_t>> ParseCoordinates(std::string_view text, char separator) {
  std::vector<std::uint32_t> coordinates;
  for (;;) {
    const std::size_t end = text.find(separator);
    const auto coordinate = ParseNumber<std::uint32_t>(text.substr(0, end));
    if (!coordinate) return std::nullopt;
    coordinates.push_back(*coordinate);
    if (end == std::string_view::npos) return coordinates;
    text.remove_prefix(end + 1);
  }
}

/// Parses "c/0/1" and the keys of other encodings: "c.0.1", "0.1", "0/1", and without dimensions "c" or "0".
std::optional<std::vector<std::uint32_t>> ParseChunkKey(std::string_view key, std::size_t rank) {
  if (rank == 0) return key == "c" || key == "0" ? std::optional(std::vector<std::uint32_t>()) : std::nullopt;
  if (key.starts_with("c/") || key.starts_with("c.")) key.remove_prefix(2);
  return ParseCoordinates(key, key.find('.') == std::string_view::npos ? '/' : '.');
}

}  // namespace

std::optional<SnapshotKey> FindKey(const SnapshotNodes& nodes, std::string_view key) {
  if (key == kDocument || (key.ends_with(kDocument) && key.substr(0, key.size() - kDocument.size()).ends_with('/'))) {
    const std::string_view path = WithoutSlash(key.substr(0, key.size() - kDocument.size()));
    const auto found = nodes.find(path);
    if (found == nodes.end()) return std::nullopt;
    return SnapshotKey{path, &found->second, true, {}};
  }
  const auto [array, path, rest] = FindArrayAround(nodes, key);
  if (!array) return std::nullopt;
  auto coordinates = ParseChunkKey(rest, array->rank);
  if (!coordinates) return std::nullopt;
  if (coordinates->size() == array->rank) return SnapshotKey{path, array, false, *std::move(coordinates)};
  if (!rest.starts_with("c/")) return std::nullopt;
  throw Error(ErrorKind::kCorrupt, FormatExpectedGot("a chunk of an array of " + std::to_string(array->rank) +
                                                         " dimensions, as the snapshot says",
                                                     std::to_string(coordinates->size()) + " coordinates"));
}

std::optional<ChunkPrefix> FindChunkPrefix(const SnapshotNodes& nodes, std::string_view prefix) {
  const auto [array, path, rest] = FindArrayAround(nodes, WithoutSlash(prefix));
  if (!array || (rest != "c" && !rest.starts_with("c/"))) return std::nullopt;
  ChunkPrefix result{path, array, {}};
  if (rest != "c") {
    auto coordinates = ParseCoordinates(rest.substr(2), '/');
    if (!coordinates) return std::nullopt;
    result.coordinates = *std::move(coordinates);
  }
  return result.coordinates.size() < array->rank ? std::optional(std::move(result)) : std::nullopt;
}

Listing MakeChunkListing(const ChunkPrefix& prefix, const std::set<std::uint32_t>& coordinates) {
  std::vector<std::string> names;
  for (const std::uint32_t coordinate : coordinates) names.push_back(std::to_string(coordinate));
  std::ranges::sort(names);
  const bool is_last = prefix.coordinates.size() + 1 == prefix.node->rank;
  return is_last ? Listing{std::move(names), {}} : Listing{{}, std::move(names)};
}

Listing ListNodes(const SnapshotNodes& nodes, std::string_view prefix) {
  Listing listing;
  auto node = nodes.lower_bound(prefix);
  if (node != nodes.end() && node->first.empty()) ++node;  // the root
  while (node != nodes.end() && node->first.starts_with(prefix)) {
    const std::string_view rest = node->first.substr(prefix.size());
    const std::string name(rest.begin(), std::ranges::find(rest, '/'));
    listing.prefixes.push_back(name);
    // A node may be followed by one such as "a-b" before those below it.
    node = name.size() == rest.size() ? std::next(node) : nodes.lower_bound(std::string(prefix) + name + '0');
  }
  std::ranges::sort(listing.prefixes);
  listing.prefixes.erase(std::unique(listing.prefixes.begin(), listing.prefixes.end()), listing.prefixes.end());
  return listing;
}

bool HasDefaultKeys(const SnapshotNode& array) {
  const JsonNode document = JsonNode::Parse(AsText(array.metadata), "", "");
  const std::optional<JsonNode> encoding = document.Find("chunk_key_encoding");
  if (!encoding || !encoding->IsObject()) return true;
  const std::optional<JsonNode> name = encoding->Find("name");
  const std::optional<JsonNode> configuration = encoding->Find("configuration");
  const auto separator = configuration && configuration->IsObject() ? configuration->Find("separator") : std::nullopt;
  return name && name->IsString() && name->AsString() == "default" &&
         (!separator || array.rank == 0 || (separator->IsString() && separator->AsString() == "/"));
}

}  // namespace zarr
