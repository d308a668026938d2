// SPDX-License-Identifier: MIT
#include "driver/gdal/repository_name.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "driver/gdal/option_values.h"
#include "driver/gdal/text.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"
#include "zarrlib/store/icechunk/iso_time.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kIcechunkPrefix = "ICECHUNK:";
constexpr std::string_view kStorePrefix = "/vsiicechunk/{";
constexpr std::string_view kAnyStorePrefix = "/vsiicechunk/";
constexpr std::string_view kNames[] = {"branch", "tag", "snapshot", "as-of", "ignore-timestamp-etag"};

[[noreturn]] void FailInRepositoryName(std::string_view name, const std::string& message) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, std::string(name) + ": " + message);
}

std::vector<std::string_view> SplitItems(std::string_view query) {
  std::vector<std::string_view> items;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    if (end > 0) items.push_back(query.substr(0, end));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return items;
}

bool IsSelector(std::string_view item) {
  const std::size_t equal = item.find('=');
  return equal != item.npos && std::ranges::find(kNames, item.substr(0, equal)) != std::end(kNames);
}

std::string Decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    const bool is_code = text[i] == '%' && digits.size() == 2 && end == digits.data() + 2 && status == std::errc();
    decoded += is_code ? static_cast<char>(code) : text[i];
    if (is_code) i += 2;
  }
  return decoded;
}

void Apply(std::string_view store, std::string_view item, RepositoryName* name) {
  const std::size_t equal = item.find('=');
  const std::string_view key = item.substr(0, equal);
  const std::string value = Decode(item.substr(equal + 1));
  const auto set = [&](std::string* text) {
    if (value.empty()) FailInRepositoryName(store, "expected a value of \"" + std::string(key) + "\", got \"\"");
    if (!text->empty()) FailInRepositoryName(store, "\"" + std::string(key) + "\" is given twice");
    *text = value;
  };
  zarr::RepositoryVersion& version = name->version;
  if (key == "branch") set(&version.branch);
  if (key == "tag") set(&version.tag);
  if (key == "snapshot") set(&version.snapshot);
  if (key == "as-of") {
    if (version.as_of) FailInRepositoryName(store, "\"as-of\" is given twice");
    version.as_of = zarr::ParseIsoTime(value);
    if (!version.as_of)
      FailInRepositoryName(store, zarr::FormatExpectedGot("a time such as 2026-05-01T12:00:00Z", value));
  }
  if (key == "ignore-timestamp-etag") {
    const std::optional<bool> ignore = ParseBoolean(value);
    if (!ignore) FailInRepositoryName(store, "ignore-timestamp-etag: " + zarr::FormatExpectedGot("yes or no", value));
    name->ignore_timestamp_etag = *ignore;
  }
}

void CheckSelectors(std::string_view store, const zarr::RepositoryVersion& version) {
  const int count =
      (version.branch.empty() ? 0 : 1) + (version.tag.empty() ? 0 : 1) + (version.snapshot.empty() ? 0 : 1);
  if (count > 1) FailInRepositoryName(store, "a branch, a tag or a snapshot can be selected, but only one of them");
  if (version.as_of && (!version.tag.empty() || !version.snapshot.empty())) {
    FailInRepositoryName(store, "as-of selects a snapshot of a branch, and not of a tag or a snapshot");
  }
}

/// Returns what is between the braces.
std::string_view GetContent(std::string_view store) {
  if (store.starts_with(kStorePrefix) && store.ends_with('}') && store.size() > kStorePrefix.size() + 1) {
    return store.substr(kStorePrefix.size(), store.size() - kStorePrefix.size() - 1);
  }
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    zarr::FormatExpectedGot("/vsiicechunk/{<path>[?branch=<name>]}", store));
}

}  // namespace

bool HasIcechunkPrefix(std::string_view name) {
  return StartsWithIgnoringCase(name, kIcechunkPrefix);
}

bool NamesRepository(std::string_view store) {
  return store.starts_with(kAnyStorePrefix);
}

std::optional<PathAndSelectors> SplitSelectors(std::string_view path) {
  const std::size_t query = path.rfind('?');
  if (query == path.npos || query == 0) return std::nullopt;
  const bool is_url = path.find("://") < query;
  PathAndSelectors result{std::string(path.substr(0, query)), ""};
  std::string rest;
  for (const std::string_view item : SplitItems(path.substr(query + 1))) {
    std::string* const items = IsSelector(item) ? &result.selectors : &rest;
    *items += (items->empty() ? "" : "&") + std::string(item);
  }
  if (result.selectors.empty() || (!rest.empty() && !is_url)) return std::nullopt;
  if (!rest.empty()) result.path += "?" + rest;
  return result;
}

std::string MakeRepositoryName(std::string_view path, std::string_view selectors) {
  const char* const separator = selectors.empty() ? "" : path.find('?') == path.npos ? "?" : "&";
  return std::string(kStorePrefix) + std::string(path) + separator + std::string(selectors) + "}";
}

std::string AddSelectors(std::string_view store, std::string_view selectors) {
  return MakeRepositoryName(NamesRepository(store) ? GetContent(store) : store, selectors);
}

std::string MakeSelector(std::string_view name, std::string_view value) {
  std::string text = std::string(name) + "=";
  for (const char c : value) {
    const bool is_special = std::string_view("%&?{}\"").find(c) != std::string_view::npos;
    std::array<char, 4> code{};
    if (is_special) std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned char>(c));
    text += is_special ? code.data() : std::string(1, c);
  }
  return text;
}

RepositoryName ParseRepositoryName(std::string_view store) {
  const std::string_view content = GetContent(store);
  RepositoryName name;
  name.path = content;
  const std::optional<PathAndSelectors> parts = SplitSelectors(content);
  if (!parts) return name;
  name.path = parts->path;
  for (const std::string_view item : SplitItems(parts->selectors)) Apply(store, item, &name);
  CheckSelectors(store, name.version);
  return name;
}

std::string_view GetRepositoryPath(std::string_view store) {
  if (!store.starts_with(kStorePrefix) || !store.ends_with('}')) return store;
  const std::string_view content = GetContent(store);
  return SplitSelectors(content) ? content.substr(0, content.rfind('?')) : content;
}

}  // namespace gdal_zarr
