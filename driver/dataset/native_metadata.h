// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true if lists have the same strings in the same order.
bool AreEqual(const CPLStringList& a, const CPLStringList& b);

/// Returns true if a domain is the default domain.
inline bool IsDefaultDomain(const char* domain) {
  return !domain || *domain == '\0';
}

/// The metadata of a dataset or a band that comes from the store. Metadata that was set by the user or read from a PAM
/// file takes precedence, and only that metadata is written to PAM files.
class NativeMetadata {
 public:
  /// Sets an item, or removes it if `value` is null.
  void Set(const char* name, const char* value, const char* domain = "");
  void SetAll(const CPLStringList& items, const char* domain);

  const char* FindItem(const char* name, const char* domain) const;
  /// Returns the items of a domain and those of `other`, which take precedence. The result is valid until one of them
  /// changes.
  MetadataList Merge(MetadataList other, const char* domain);
  /// Adds the names of the domains to a list, which the caller owns and which may be null.
  char** AddDomains(char** list) const;

 private:
  struct BeforeInAnyCase {
    bool operator()(const std::string& a, const std::string& b) const { return STRCASECMP(a.c_str(), b.c_str()) < 0; }
  };
  /// The items of a domain in order. Searching a list for each name, as CPLStringList does, would take quadratic time.
  struct Items {
    void Add(const std::string& name, const std::string& text);
    CPLStringList& GetList();

    std::vector<std::unique_ptr<std::string>> texts;  // name=value, to which callers have pointers; null if removed
    std::map<std::string, std::size_t, BeforeInAnyCase> places;
    CPLStringList list;
    bool is_listed = false;
  };

  std::map<std::string, Items> items_;           // by domain
  std::map<std::string, CPLStringList> merged_;  // the results of Merge
};

}  // namespace gdal_zarr
