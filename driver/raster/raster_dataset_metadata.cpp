// SPDX-License-Identifier: MIT
#include <set>
#include <string>
#include <vector>

#include "driver/cf/value_attributes.h"
#include "driver/dataset/request_items.h"
#include "driver/gdal/text.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Parses a metadata item to an attribute that is formatted as the same text again. GDAL formats lists of numbers as
/// {1,2}.
JsonNode ParseItem(const std::string& name, const std::string& value) {
  const std::string text = ToUtf8(value, name);
  JsonNode string = JsonNode::MakeString(text);
  if (!text.starts_with('{') || !text.ends_with('}')) return string;
  const CPLStringList items(CSLTokenizeString2(text.substr(1, text.size() - 2).c_str(), ",", CSLT_ALLOWEMPTYTOKENS));
  std::vector<JsonNode> numbers;
  for (int i = 0; i < items.size(); ++i) {
    const CPLValueType type = CPLGetValueType(items[i]);
    if (type == CPL_VALUE_STRING) return string;
    numbers.push_back(type == CPL_VALUE_INTEGER ? JsonNode::MakeInteger(CPLAtoGIntBig(items[i]))
                                                : JsonNode::MakeFloat(CPLAtof(items[i])));
  }
  if (numbers.empty()) return string;
  const JsonNode list = JsonNode::MakeArray(numbers);
  const auto attribute = MakeAttribute("", "list", list);
  return GetAttributeText(*attribute) == text ? list : string;
}

std::string GetItemName(const std::string& item) {
  return item.substr(0, item.find('='));
}

}  // namespace

CPLErr RasterDataset::SetMetadata(MetadataList metadata, const char* domain) {
  return GuardChange([&] {
    if (IsRequestsDomain(domain)) return CE_None;
    if (eAccess != GA_Update) return GDALPamDataset::SetMetadata(metadata, domain);
    if (!IsDefaultDomain(domain)) {
      return CheckSideFile(domain) == CE_None ? GDALPamDataset::SetMetadata(metadata, domain) : CE_Failure;
    }
    const CPLStringList items(WithoutReserved(metadata));
    CPLStringList shown;
    const CPLErr result = ChangeArray(parts_, [&](MDArray& array) { shown = SaveItems(array, items); });
    if (result != CE_None) return result;
    const char* const registration = items.FetchNameValue(GDALMD_AREA_OR_POINT);
    const bool is_point = registration && EQUAL(registration, GDALMD_AOP_POINT);
    if (registration && is_point != georeferencing_.is_point() &&
        georeferencing_.SetRegistration(is_point) != CE_None) {
      return CE_Failure;
    }
    native_metadata_.SetAll(shown, "");
    band_values_.ReadFlagsAgain();
    // An old value in a PAM file would take precedence.
    return GDALPamDataset::GetMetadata("") ? GDALPamDataset::SetMetadata(nullptr, "") : CE_None;
  });
}

CPLStringList RasterDataset::SaveItems(MDArray& array, const CPLStringList& items) {
  const CPLStringList before(CSLDuplicate(const_cast<char**>(RasterDataset::GetMetadata(""))));
  CPLStringList shown(items);
  std::set<std::string> kept;
  for (int i = 0; i < before.size(); ++i) {
    const std::string name = GetItemName(before[i]);
    if (!band_values_.IsOfFlags(name) || items.FetchNameValue(name.c_str())) continue;
    kept.insert(name);
    shown.AddString(before[i]);
  }
  // Written even if nothing differs: an earlier attempt may have failed after it wrote the document.
  array.ChangeAttributesLater([](zarr::JsonChanges&) {});
  for (int i = 0; i < items.size(); ++i) {
    const auto item = ParseNameValue(items[i]);
    if (!item || IsReservedAttribute(item->first)) continue;
    const auto& [name, value] = *item;
    kept.insert(name);
    // An attribute that is not a string keeps its type if its text is unchanged. The text may be in a PAM file.
    const char* known = native_metadata_.FindItem(name.c_str(), "");
    if (known && value == known && array.FindAttribute(name)) continue;
    const JsonNode attribute = ParseItem(name, value);
    if (array.FindAttribute(name) != attribute) array.SaveAttribute(name, attribute);
  }
  for (int i = 0; i < before.size(); ++i) {
    const std::string name = GetItemName(before[i]);
    const bool is_removed = !kept.contains(name) && !IsReservedAttribute(name);
    if (is_removed && array.FindAttribute(name)) array.SaveAttribute(name, std::nullopt);
  }
  return shown;
}

CPLStringList RasterDataset::WithoutReserved(CSLConstList metadata) {
  CPLStringList items;
  std::string left_out;
  for (; metadata && *metadata; ++metadata) {
    const std::string item = *metadata;
    const auto [name, value] = ParseNameValue(*metadata).value_or(std::pair(item, std::string()));
    const char* known = IsReservedAttribute(name) ? RasterDataset::GetMetadataItem(name.c_str(), "") : nullptr;
    if (!IsReservedAttribute(name) || (known && value == known)) {
      items.AddString(item.c_str());
    } else {
      left_out += (left_out.empty() ? "" : ", ") + name;
    }
  }
  if (!left_out.empty()) {
    CPLError(CE_Warning, CPLE_NotSupported,
             "%s: these are no metadata items, and are left out: %s; GDAL has functions for what they say",
             GetDescription(), left_out.c_str());
  }
  return items;
}

CPLErr RasterDataset::SetMetadataItem(const char* name, const char* value, const char* domain) {
  return GuardChange([&] {
    if (IsRequestsDomain(domain)) return CE_None;
    if (eAccess != GA_Update) return GDALPamDataset::SetMetadataItem(name, value, domain);
    if (!IsDefaultDomain(domain)) {
      return CheckSideFile(domain) == CE_None ? GDALPamDataset::SetMetadataItem(name, value, domain) : CE_Failure;
    }
    const char* known = value && EQUAL(name, GDALMD_AREA_OR_POINT) ? RasterDataset::GetMetadataItem(name, "") : nullptr;
    if (known && EQUAL(known, value)) return CE_None;
    const CPLErr result = ChangeArray(parts_, [&](MDArray& array) {
      if (IsReservedAttribute(name)) {
        throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                          std::string(name) + " is no metadata item: GDAL has a function for what it says");
      }
      const auto before = array.FindAttribute(name);
      const auto attribute = value ? MakeAttribute("", name, before) : nullptr;
      // An attribute keeps its type if its text is unchanged.
      const bool is_same = attribute && GetAttributeText(*attribute) == value;
      array.SaveAttribute(name, is_same ? before : value ? std::optional(ParseItem(name, value)) : std::nullopt);
    });
    if (result != CE_None) return result;
    if (EQUAL(name, GDALMD_AREA_OR_POINT)) {
      const bool is_point = value && EQUAL(value, GDALMD_AOP_POINT);
      if (georeferencing_.SetRegistration(is_point) != CE_None) return CE_Failure;
    }
    native_metadata_.Set(name, value);
    band_values_.ReadFlagsAgain();
    return GDALPamDataset::GetMetadataItem(name, "") ? GDALPamDataset::SetMetadataItem(name, nullptr, "") : CE_None;
  });
}

void RasterDataset::ShowFlags() {
  band_values_.ReadFlagsAgain();
  for (const char* name : kFlagAttributes) {
    const auto attribute = FindAttribute(*md_array_, name);
    native_metadata_.Set(name, attribute ? GetAttributeText(*attribute).c_str() : nullptr);
  }
}

CPLErr RasterDataset::CreateMaskBand(int) {
  CPLError(CE_Failure, CPLE_NotSupported,
           "%s: CreateMaskBand() is not supported: a mask cannot be stored; a nodata value or an alpha band can",
           GetDescription());
  return CE_Failure;
}

}  // namespace gdal_zarr
