// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "zarrlib/store/store.h"

namespace zarr {

/// Lists a prefix, for stores that know all their keys. `entries` is a sorted map from keys, whose comparison accepts
/// string views.
template <typename Map>
Listing ListSorted(const Map& entries, std::string_view prefix) {
  Listing listing;
  auto entry = entries.lower_bound(prefix);
  while (entry != entries.end() && entry->first.starts_with(prefix)) {
    const std::string name = entry->first.substr(prefix.size(), entry->first.find('/', prefix.size()) - prefix.size());
    if (entry->first.size() == prefix.size() + name.size()) {
      listing.keys.push_back(name);
      ++entry;
    } else {
      listing.prefixes.push_back(name);
      // Skips the remaining keys under this prefix: '0' is the character after '/'.
      entry = entries.lower_bound(std::string(prefix) + name + '0');
    }
  }
  // Until here the prefixes were in the order of their names with a trailing '/', such as "a-b/" before "a/".
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

}  // namespace zarr
