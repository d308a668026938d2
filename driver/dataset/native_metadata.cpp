// SPDX-License-Identifier: MIT
#include "driver/dataset/native_metadata.h"

#include <algorithm>
#include <cstring>
#include <memory>
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

void NativeMetadata::Items::Add(const std::string& name, const std::string& text) {
  places.emplace(name, texts.size());
  texts.push_back(std::make_unique<std::string>(text));
}

CPLStringList& NativeMetadata::Items::GetList() {
  if (is_listed) return list;
  list.Clear();
  for (const auto& text : texts) {
    if (text) list.AddString(text->c_str());
  }
  is_listed = true;
  return list;
}

void NativeMetadata::Set(const char* name, const char* value, const char* domain) {
  Items& items = items_[GetDomainName(domain)];
  items.is_listed = false;
  const auto place = items.places.find(name);
  if (!value) {
    if (place == items.places.end()) return;
    items.texts[place->second].reset();
    items.places.erase(place);
    return;
  }
  const std::string text = std::string(name) + "=" + value;
  if (place == items.places.end()) return items.Add(name, text);
  *items.texts[place->second] = text;
}

void NativeMetadata::SetAll(const CPLStringList& items, const char* domain) {
  Items all;
  for (int i = 0; i < items.size(); ++i) {
    const auto item = ParseNameValue(items[i]);
    all.Add(item ? item->first : items[i], items[i]);
  }
  items_[GetDomainName(domain)] = std::move(all);
}

const char* NativeMetadata::FindItem(const char* name, const char* domain) const {
  const auto found = items_.find(GetDomainName(domain));
  if (found == items_.end()) return nullptr;
  const auto place = found->second.places.find(name);
  if (place == found->second.places.end()) return nullptr;
  const std::string& text = *found->second.texts[place->second];
  const std::size_t begin = std::strlen(name) + 1;
  return begin <= text.size() ? text.c_str() + begin : nullptr;  // text without "=" has no value
}

MetadataList NativeMetadata::Merge(MetadataList other, const char* domain) {
  const auto own = items_.find(GetDomainName(domain));
  if (own == items_.end()) return other;
  if (!other || !*other) return own->second.GetList().List();
  CPLStringList all = own->second.GetList();
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
