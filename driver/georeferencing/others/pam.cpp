// SPDX-License-Identifier: MIT
#include <cpl_minixml.h>

#include <memory>
#include <string_view>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/conventions.h"

namespace gdal_zarr {
namespace {

constexpr const char* kFile = "pam.aux.xml";

struct XmlDeleter {
  void operator()(CPLXMLNode* tree) const { CPLDestroyXMLNode(tree); }
};
using XmlTree = std::unique_ptr<CPLXMLNode, XmlDeleter>;

/// The file hardly ever exists, so it is only looked up if that does not cost a request.
bool IsAtHand(const zarr::Store& store) {
  const zarr::StoreInfo info = store.info();
  return info.lists_cheaply();
}

XmlTree Parse(const std::string& text) {
  const ErrorCollector hidden_errors;
  return XmlTree(CPLParseXMLString(text.c_str()));
}

/// Returns true if an entry is for an array: "/a", "Sliced view of /a ([0,::,::])", "AsClassicDataset(2,1) view of /a".
bool IsOf(std::string_view entry, std::string_view array) {
  constexpr std::string_view kView = " view of ";
  if (const std::size_t view = entry.find(kView); view != std::string_view::npos) {
    entry.remove_prefix(view + kView.size());
  }
  return entry.starts_with(array) && (entry.size() == array.size() || entry[array.size()] == ' ');
}

/// Returns GDAL's name of the array; an array at the store's root is named after its folder.
std::string GetFullName(const zarr::Array& array) {
  if (!array.path().empty()) return "/" + array.path();
  return "/" + GetBaseName(array.store().name());
}

}  // namespace

SpatialRef ReadPamSpatialRef(const GeoContext& context) {
  const zarr::Store& store = context.array.store();
  if (!IsAtHand(store) || !CPLTestBool(CPLGetConfigOption("GDAL_PAM_ENABLED", "YES"))) return nullptr;
  const auto text = store.GetText(kFile);
  const XmlTree tree = text ? Parse(*text) : nullptr;
  const CPLXMLNode* root = tree ? CPLGetXMLNode(tree.get(), "=PAMDataset") : nullptr;
  const std::string name = GetFullName(context.array);
  for (const CPLXMLNode* node = root ? root->psChild : nullptr; node; node = node->psNext) {
    if (node->eType != CXT_Element || !EQUAL(node->pszValue, "Array")) continue;
    const char* wkt = CPLGetXMLValue(node, "SRS", nullptr);
    if (!wkt || !IsOf(CPLGetXMLValue(node, "name", ""), name)) continue;
    SpatialRef srs = ParseSpatialRef(wkt);
    const double epoch = CPLAtof(CPLGetXMLValue(node, "SRS.coordinateEpoch", "0"));
    if (srs && epoch > 0) srs->SetCoordinateEpoch(epoch);
    return srs;
  }
  return nullptr;
}

}  // namespace gdal_zarr
