// SPDX-License-Identifier: MIT
#include "driver/stores/index_page.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "driver/stores/http/object_url.h"

namespace gdal_zarr {
namespace {

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// Decodes the entities that servers use in links.
std::string DecodeEntities(std::string text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#34;", '"'}, {"&#39;", '\''}, {"&#x27;", '\''}, {"&amp;", '&'}};
  for (const auto& [entity, character] : kEntities) {
    for (std::size_t at = text.find(entity); at != text.npos; at = text.find(entity, at + 1)) {
      text.replace(at, entity.size(), 1, character);
    }
  }
  return text;
}

bool IsTitleOfList(std::string_view lower_page) {
  constexpr std::string_view kBegin = "<title>";
  const std::size_t begin = lower_page.find(kBegin);
  const std::size_t end = begin == lower_page.npos ? begin : lower_page.find("</title>", begin);
  if (end == lower_page.npos) return false;
  std::string_view title = lower_page.substr(begin + kBegin.size(), end - begin - kBegin.size());
  while (!title.empty() && std::isspace(static_cast<unsigned char>(title.front())) != 0) title.remove_prefix(1);
  while (!title.empty() && std::isspace(static_cast<unsigned char>(title.back())) != 0) title.remove_suffix(1);
  const bool is_of_iis = title.find(" - /") != title.npos && title.ends_with('/');
  return title.starts_with("index of ") || title.find("directory listing") != title.npos ||
         title.starts_with("directory:") || is_of_iis;
}

/// Returns the targets of a page's links.
std::vector<std::string> FindLinks(std::string_view page, std::string_view lower_page) {
  constexpr std::string_view kAttribute = "href=";
  std::vector<std::string> links;
  for (std::size_t at = lower_page.find(kAttribute); at != page.npos; at = lower_page.find(kAttribute, at)) {
    at += kAttribute.size();
    if (at >= page.size() || (page[at] != '"' && page[at] != '\'')) continue;
    const std::size_t end = page.find(page[at], at + 1);
    if (end == page.npos) break;
    links.push_back(DecodeEntities(std::string(page.substr(at + 1, end - at - 1))));
    at = end;
  }
  return links;
}

/// Returns the path in a URL that ends in "/".
std::string GetPath(std::string_view url) {
  url = url.substr(0, url.find('?'));
  const std::size_t host = url.find("://");
  const std::size_t path = host == url.npos ? 0 : url.find('/', host + 3);
  return path == url.npos ? "/" : std::string(url.substr(path));
}

/// Returns true if a link begins with a protocol, such as "mailto:".
bool HasProtocol(std::string_view link) {
  const std::size_t colon = link.find(':');
  return colon != link.npos && colon < link.find('/');
}

/// Returns a link's target as a path relative to the folder, or "" if it is outside the folder.
std::string FindPathInFolder(std::string link, std::string_view url) {
  // Links with a query sort the page differently.
  if (link.find('?') != link.npos || link.find('#') != link.npos) return "";
  const std::string_view server = url.substr(0, url.size() - std::min(url.size(), GetPath(url).size()));
  if (!server.empty() && link.starts_with(server)) link.erase(0, server.size());
  if (HasProtocol(link) || link.starts_with("//")) return "";
  link = DecodeUrl(link);
  if (link.starts_with("./")) return link.substr(2);
  if (!link.starts_with('/')) return link;
  const std::string folder = DecodeUrl(GetPath(url));
  return link.starts_with(folder) ? link.substr(folder.size()) : "";
}

}  // namespace

std::optional<std::vector<ListedEntry>> ParseIndexPage(std::string_view page, std::string_view url) {
  url = url.substr(0, url.find('?'));
  const std::string lower_page = ToLower(page);
  if (!IsTitleOfList(lower_page)) return std::nullopt;
  std::set<std::pair<std::string, bool>> found;
  for (const std::string& link : FindLinks(page, lower_page)) {
    std::string name = FindPathInFolder(link, url);
    const bool is_folder = name.ends_with('/');
    if (is_folder) name.pop_back();
    if (name.empty() || name == "." || name == ".." || name.find('/') != name.npos) continue;
    found.emplace(std::move(name), is_folder);
  }
  std::vector<ListedEntry> entries;
  for (const auto& [name, is_folder] : found) entries.push_back({name, is_folder});
  return entries.empty() ? std::nullopt : std::optional(std::move(entries));
}

}  // namespace gdal_zarr
