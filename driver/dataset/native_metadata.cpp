// SPDX-License-Identifier: MIT
#include "driver/dataset/native_metadata.h"

#include <algorithm>
#include <utility>

#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

std::string GetDomainName(const char* domain) {
  return domain ? domain : "";
}

}  // namespace

bool AreEqual(const CPLStringList& a, const CPLStringList& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i) {
    if (std::string_view(a[i]) != b[i]) return false;
  }
  return true;
}

void NativeMetadata::Set(const char* name, const char* value, const char* domain) {
  GetItems& items = items_[GetDomainName(domain)];
  const bool is_new = value ? items.names.insert(name).second : items.names.erase(name) == 0;
  if (!is_new) {
    items.list.SetNameValue(name, value);
  } else if (value) {
    items.list.AddNameValue(name, value);
  }
}

void NativeMetadata::SetAll(const CPLStringList& items, const char* domain) {
  GetItems all{items, {}};
  for (int i = 0; i < items.size(); ++i) {
    if (const auto item = ParseNameValue(items[i])) all.names.insert(item->first);
  }
  items_[GetDomainName(domain)] = std::move(all);
}

const char* NativeMetadata::FindItem(const char* name, const char* domain) const {
  const auto found = items_.find(GetDomainName(domain));
  return found == items_.end() ? nullptr : found->second.list.FetchNameValue(name);
}

MetadataList NativeMetadata::Merge(MetadataList other, const char* domain) {
  const auto own = items_.find(GetDomainName(domain));
  if (own == items_.end()) return other;
  if (!other || !*other) return own->second.list.List();
  CPLStringList all = own->second.list;
  for (CSLConstList item = other; *item; ++item) {
    const auto parsed = ParseNameValue(*item);
    if (parsed) all.SetNameValue(parsed->first.c_str(), parsed->second.c_str());
  }
  CPLStringList& kept = merged_[own->first];
  if (!AreEqual(kept, all)) kept = all;  // an unchanged list stays valid for earlier callers
  return kept.List();
}

char** NativeMetadata::AddDomains(char** list) const {
  for (const auto& [domain, items] : items_) {
    if (CSLFindString(list, domain.c_str()) < 0) list = CSLAddString(list, domain.c_str());
  }
  return list;
}

}  // namespace gdal_zarr
