#pragma once

#include <map>
#include <set>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The metadata that a store tells of a dataset or a band, apart from what a user or a side file (PAM) sets: that goes
/// before it, and it alone is written to side files.
class NativeMetadata {
 public:
  /// No value takes the item out.
  void Set(const char* name, const char* value, const char* domain = "");
  void SetAll(const CPLStringList& items, const char* domain);

  const char* Item(const char* name, const char* domain) const;
  /// The items of a domain, with those of `other` before them. Valid until one of them changes.
  MetadataList Merge(MetadataList other, const char* domain);
  /// Adds the names of its domains to a list, which is the caller's and may be null.
  char** AddDomains(char** list) const;

 private:
  struct BeforeInAnyCase {
    bool operator()(const std::string& a, const std::string& b) const { return STRCASECMP(a.c_str(), b.c_str()) < 0; }
  };
  /// Items in their order. The names tell which ones are new: a search through a long list for each takes long.
  struct Items {
    CPLStringList list;
    std::set<std::string, BeforeInAnyCase> names;
  };

  std::map<std::string, Items> items_;           // by domain
  std::map<std::string, CPLStringList> merged_;  // what Merge gave
};

}  // namespace gdal_zarr
