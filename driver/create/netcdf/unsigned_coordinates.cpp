// SPDX-License-Identifier: MIT
#include "driver/create/netcdf/unsigned_coordinates.h"

#include <cmath>
#include <functional>
#include <string>

#include "driver/cf/unsigned_attribute.h"
#include "driver/create/netcdf/netcdf_text.h"
#include "driver/dataset/attribute_names.h"

namespace gdal_zarr {
namespace {

/// Returns the number of bytes of a signed integer type of the C library, given its number; 0 for other types.
int GetBytesOfSigned(const std::string& type) {
  return type == "1" ? 1 : type == "3" ? 2 : type == "4" ? 4 : 0;
}

/// Returns the number of bytes of signed coordinates that are meant to be unsigned; otherwise 0.
int GetBytesOfUnsigned(const CPLStringList& items, const std::string& name) {
  const std::string attribute = GetAttributeItem(items, name, kUnsignedAttribute);
  if (!FindUnsigned(zarr::JsonNode::MakeString(attribute)).value_or(false)) return 0;
  const auto definition = SplitList(items.FetchNameValueDef((kNetcdfPrefix + name + "_DEF").c_str(), ""));
  return definition.size() > 1 ? GetBytesOfSigned(definition[1]) : 0;
}

void ChangeItem(const std::string& name, const std::function<double(double)>& change, CPLStringList* items) {
  const char* text = items->FetchNameValue(name.c_str());
  if (text && HasNegativeNumber(text)) items->SetNameValue(name.c_str(), ChangeNumbers(text, change).c_str());
}

}  // namespace

void ShowUnsignedCoordinates(CPLStringList* items, std::vector<CPLStringList>* band_items) {
  for (const std::string& name : SplitList(items->FetchNameValueDef(kExtraDimensions, ""))) {
    const int bytes = GetBytesOfUnsigned(*items, name);
    if (bytes == 0) continue;
    const double count = std::ldexp(1.0, 8 * bytes);
    const auto change = [&](double number) { return number < 0 ? number + count : number; };
    const CPLStringList given(*items);
    for (int i = 0; i < given.size(); ++i) {
      const std::string item(SplitItem(given[i]).first);
      if (GetVariable(item) != name) continue;
      const std::string attribute = item.substr(name.size() + 1);
      if (HoldsValues(attribute) || attribute == kFillValueAttribute) ChangeItem(item, change, items);
    }
    items->SetNameValue((name + "#" + kUnsignedAttribute).c_str(), nullptr);
    ChangeItem(kNetcdfPrefix + name + "_VALUES", change, items);
    for (CPLStringList& band : *band_items) ChangeItem(kNetcdfPrefix + name, change, &band);
  }
}

}  // namespace gdal_zarr
