// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/original_array.h"

#include <cpl_minixml.h>

#include <string>
#include <utility>

#include "driver/dataset/pam_files.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/copying/hidden_parts.h"

namespace gdal_zarr {
namespace {

bool IsElement(const CPLXMLNode& node, const char* name) {
  return node.eType == CXT_Element && EQUAL(node.pszValue, name);
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

/// Lists the arrays below a group that have one source. `parent` is the full name of the group, "" for the root.
void AddArrays(const CPLXMLNode& group, const std::string& parent, const std::string& folder,
               GroupCopy::VirtualArrays* arrays) {
  for (const CPLXMLNode* node = group.psChild; node; node = node->psNext) {
    const std::string path = parent + "/" + CPLGetXMLValue(node, "name", "");
    if (IsElement(*node, "Group")) AddArrays(*node, path, folder, arrays);
    const CPLXMLNode* const source = IsElement(*node, "Array") ? FindOnlySource(*node) : nullptr;
    if (!source) continue;
    const char* const name = CPLGetXMLValue(source, "SourceFilename", "");
    const bool is_relative = CPLTestBool(CPLGetXMLValue(source, "SourceFilename.relativeToVRT", "0"));
    const std::string full = is_relative ? CPLProjectRelativeFilename(folder.c_str(), name) : name;
    arrays->insert_or_assign(path, std::pair(full, CPLGetXMLValue(source, "SourceArray", "")));
  }
}

GroupCopy::VirtualArrays ListArrays(GDALDataset& dataset) {
  GroupCopy::VirtualArrays arrays;
  const char* const* const description = dataset.GetMetadata("xml:VRT");
  if (!description || !description[0]) return arrays;
  const CPLXMLTreeCloser tree(CPLParseXMLString(description[0]));
  const CPLXMLNode* const root = tree.get() ? CPLGetXMLNode(tree.get(), "=VRTDataset.Group") : nullptr;
  if (root) AddArrays(*root, "", CPLGetPath(dataset.GetDescription()), &arrays);
  return arrays;
}

}  // namespace

OriginalArray FindOriginal(GroupCopy& copy, GDALDataset* dataset, const GDALMDArray& source) {
  constexpr const char* kDrivers[] = {"netCDF", "HDF5", "HDF4", nullptr};
  OriginalArray original{dataset, &source, nullptr, nullptr};
  if (!IsOfDriver(dataset, "VRT")) return original;
  const ErrorCollector hidden_errors;  // the copy meets the same errors
  const auto arrays = copy.GetVirtualArrays(*dataset, [&] { return ListArrays(*dataset); });
  const auto found = arrays->find(source.GetFullName());
  if (found == arrays->end()) return original;
  const auto& [file, array] = found->second;
  if (file.empty() || !MayHaveSideFiles(file)) return original;  // opening it may cost requests
  original.opened = copy.OpenSource(file, kDrivers);
  const auto root = original.opened ? original.opened->GetRootGroup() : nullptr;
  if (root) original.opened_array = root->OpenMDArrayFromFullname(array);
  if (!original.opened_array) return original;
  original.dataset = original.opened.get();
  original.array = original.opened_array.get();
  return original;
}

}  // namespace gdal_zarr
