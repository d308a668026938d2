// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/original_array.h"

#include <cpl_minixml.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

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

bool IsThere(const std::string& file) {
  VSIStatBufL status;
  return VSIStatExL(file.c_str(), &status, VSI_STAT_EXISTS_FLAG) == 0;
}

/// Returns the name of the file that GDAL reads for a source, or "" if that is unclear: some versions of GDAL take a
/// name that is relative to the virtual dataset for one in the current folder.
std::string GetFile(const CPLXMLNode& source, const std::string& folder) {
  std::string name = CPLGetXMLValue(&source, "SourceFilename", "");
  if (!CPLTestBool(CPLGetXMLValue(&source, "SourceFilename.relativeToVRT", "0"))) return name;
  std::string projected = CPLProjectRelativeFilename(folder.c_str(), name.c_str());
  if (projected == name || !IsThere(name)) return projected;
  return IsThere(projected) ? std::string() : name;
}

/// Lists the arrays below a group that have one source. `parent` is the full name of the group, "" for the root.
void AddArrays(const CPLXMLNode& group, const std::string& parent, const std::string& folder,
               GroupCopy::VirtualArrays* arrays) {
  for (const CPLXMLNode* node = group.psChild; node; node = node->psNext) {
    const std::string path = parent + "/" + CPLGetXMLValue(node, "name", "");
    if (IsElement(*node, "Group")) AddArrays(*node, path, folder, arrays);
    const CPLXMLNode* const source = IsElement(*node, "Array") ? FindOnlySource(*node) : nullptr;
    if (!source) continue;
    arrays->insert_or_assign(path, std::pair(GetFile(*source, folder), CPLGetXMLValue(source, "SourceArray", "")));
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

std::shared_ptr<GDALDataset> OpenFile(GroupCopy& copy, const std::string& file) {
  constexpr const char* kDrivers[] = {"netCDF", "HDF5", "HDF4", nullptr};
  if (file.empty() || !MayHaveSideFiles(file)) return nullptr;  // opening it may cost requests
  return copy.OpenSource(file, kDrivers);
}

/// Returns the file and the full name of the group whose arrays are shown below a virtual group. Returns nullopt unless
/// all of them are of one file, and have the same names below that group.
std::optional<std::pair<std::string, std::string>> FindGroup(const GroupCopy::VirtualArrays& arrays,
                                                             const std::string& name) {
  const std::string prefix = name == "/" ? name : name + "/";
  std::optional<std::pair<std::string, std::string>> found;
  for (const auto& [path, original] : arrays) {
    if (!path.starts_with(prefix)) continue;
    const std::string below = path.substr(prefix.size() - 1);
    const auto& [file, array] = original;
    if (!array.ends_with(below)) return std::nullopt;
    const std::pair<std::string, std::string> group(file, array.substr(0, array.size() - below.size()));
    if (found && found != group) return std::nullopt;
    found = group;
  }
  return found;
}

}  // namespace

OriginalArray FindOriginal(GroupCopy& copy, GDALDataset* dataset, const GDALMDArray& source) {
  OriginalArray original{dataset, &source, nullptr, nullptr};
  if (!IsOfDriver(dataset, "VRT")) return original;
  const ErrorCollector hidden_errors;  // the copy meets the same errors
  const auto arrays = copy.GetVirtualArrays(*dataset, [&] { return ListArrays(*dataset); });
  const auto found = arrays->find(source.GetFullName());
  if (found == arrays->end()) return original;
  const auto& [file, array] = found->second;
  original.opened = OpenFile(copy, file);
  const auto root = original.opened ? original.opened->GetRootGroup() : nullptr;
  if (root) original.opened_array = root->OpenMDArrayFromFullname(array);
  if (!original.opened_array) return original;
  original.dataset = original.opened.get();
  original.array = original.opened_array.get();
  return original;
}

OriginalGroup FindOriginal(GroupCopy& copy, GDALDataset* dataset, const GDALGroup& source) {
  OriginalGroup original{dataset, &source, nullptr, nullptr};
  if (!IsOfDriver(dataset, "VRT")) return original;
  const ErrorCollector hidden_errors;  // the copy meets the same errors
  const auto arrays = copy.GetVirtualArrays(*dataset, [&] { return ListArrays(*dataset); });
  const auto found = FindGroup(*arrays, source.GetFullName());
  if (!found) return original;
  original.opened = OpenFile(copy, found->first);
  const auto root = original.opened ? original.opened->GetRootGroup() : nullptr;
  if (root) original.opened_group = found->second.empty() ? root : root->OpenGroupFromFullname(found->second);
  if (!original.opened_group) return original;
  original.dataset = original.opened.get();
  original.group = original.opened_group.get();
  return original;
}

void KeepShown(const GDALIHasAttribute& source, std::vector<std::shared_ptr<GDALAttribute>>* attributes) {
  std::erase_if(*attributes, [&](const auto& original) {
    const auto shown = source.GetAttribute(original->GetName());
    return shown && (shown->GetDataType() != original->GetDataType() ||
                     shown->GetDimensionsSize() != original->GetDimensionsSize());
  });
}

}  // namespace gdal_zarr
