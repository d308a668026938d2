// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/original_array.h"

#include <cpl_minixml.h>

#include <string>

#include "driver/dataset/pam_files.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/copying/hidden_parts.h"

namespace gdal_zarr {
namespace {

bool IsElement(const CPLXMLNode& node, const char* name) {
  return node.eType == CXT_Element && EQUAL(node.pszValue, name);
}

/// Finds the description of an array by its full name, below a group whose full name is `parent`, "" for the root.
const CPLXMLNode* FindArrayNode(const CPLXMLNode& group, const std::string& parent, const std::string& wanted) {
  for (const CPLXMLNode* node = group.psChild; node; node = node->psNext) {
    const std::string path = parent + "/" + CPLGetXMLValue(node, "name", "");
    if (IsElement(*node, "Array") && path == wanted) return node;
    const CPLXMLNode* const found = IsElement(*node, "Group") ? FindArrayNode(*node, path, wanted) : nullptr;
    if (found) return found;
  }
  return nullptr;
}

/// Returns the only source of an array; null if there are several.
const CPLXMLNode* FindOnlySource(const CPLXMLNode& array) {
  const CPLXMLNode* found = nullptr;
  for (const CPLXMLNode* node = array.psChild; node; node = node->psNext) {
    if (!IsElement(*node, "Source")) continue;
    if (found) return nullptr;
    found = node;
  }
  return found;
}

void OpenOriginal(const CPLXMLNode& source, const std::string& folder, OriginalArray* original) {
  constexpr const char* kDrivers[] = {"netCDF", "HDF5", "HDF4", nullptr};
  const char* const name = CPLGetXMLValue(&source, "SourceFilename", "");
  const bool is_relative = CPLTestBool(CPLGetXMLValue(&source, "SourceFilename.relativeToVRT", "0"));
  const std::string full = is_relative ? CPLProjectRelativeFilename(folder.c_str(), name) : name;
  if (full.empty() || !MayHaveSideFiles(full)) return;  // opening it may cost requests
  original->opened.reset(GDALDataset::Open(full.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY, kDrivers));
  const auto root = original->opened ? original->opened->GetRootGroup() : nullptr;
  if (root) original->opened_array = root->OpenMDArrayFromFullname(CPLGetXMLValue(&source, "SourceArray", ""));
  if (!original->opened_array) return;
  original->dataset = original->opened.get();
  original->array = original->opened_array.get();
}

}  // namespace

OriginalArray FindOriginal(GDALDataset* dataset, const GDALMDArray& source) {
  OriginalArray original{dataset, &source, nullptr, nullptr};
  if (!IsOfDriver(dataset, "VRT")) return original;
  const ErrorCollector hidden_errors;  // the copy meets the same errors
  const char* const* const description = dataset->GetMetadata("xml:VRT");
  if (!description || !description[0]) return original;
  const CPLXMLTreeCloser tree(CPLParseXMLString(description[0]));
  const CPLXMLNode* const root = CPLGetXMLNode(tree.get(), "=VRTDataset.Group");
  const CPLXMLNode* const array = root ? FindArrayNode(*root, "", source.GetFullName()) : nullptr;
  const CPLXMLNode* const only = array ? FindOnlySource(*array) : nullptr;
  if (only) OpenOriginal(*only, CPLGetPath(dataset->GetDescription()), &original);
  return original;
}

}  // namespace gdal_zarr
