// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/side_files.h"

#include <cpl_minixml.h>

#include <memory>
#include <set>
#include <string>

#include "driver/cf/value_attributes.h"
#include "driver/dataset/pam_files.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

/// Adds the files of the arrays in a group and below.
void AddFiles(const GDALGroup& group, std::set<std::string>* files) {
  for (const std::string& name : group.GetMDArrayNames()) {
    if (const auto array = group.OpenMDArray(name)) files->insert(array->GetFilename());
  }
  for (const std::string& name : group.GetGroupNames()) {
    if (const auto child = group.OpenGroup(name)) AddFiles(*child, files);
  }
}

/// Adds the files of the arrays that a description of a virtual dataset names. Relative names begin in a folder.
void AddFilesOfSources(const CPLXMLNode* node, const std::string& folder, std::set<std::string>* files) {
  for (; node; node = node->psNext) {
    const char* name = CPLGetXMLValue(node, "SourceFilename", nullptr);
    const char* path = CPLGetXMLValue(node, "SourceArray", nullptr);
    if (name && path) {
      const bool is_relative = CPLTestBool(CPLGetXMLValue(node, "SourceFilename.relativeToVRT", "0"));
      const std::string full = is_relative ? CPLProjectRelativeFilename(folder.c_str(), name) : name;
      if (!MayHaveSideFiles(full)) continue;  // opening it may cost requests
      const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open(full.c_str(), GDAL_OF_MULTIDIM_RASTER));
      const auto root = dataset ? dataset->GetRootGroup() : nullptr;
      const auto array = root ? root->OpenMDArrayFromFullname(path) : nullptr;
      if (array) files->insert(array->GetFilename());
    } else {
      AddFilesOfSources(node->psChild, folder, files);
    }
  }
}

std::set<std::string> ListFiles(GDALDataset& source) {
  const ErrorCollector quiet;  // the copy has met the same errors
  std::set<std::string> files;
  if (const auto root = source.GetRootGroup()) AddFiles(*root, &files);
  const char* const* description = source.GetMetadata("xml:VRT");
  if (description && description[0]) {
    const CPLXMLTreeCloser tree(CPLParseXMLString(description[0]));
    AddFilesOfSources(tree.get(), CPLGetPath(source.GetDescription()), &files);
  }
  return files;
}

/// Returns the name of a file's PAM file; "" if there is none.
std::string FindSideFile(const std::string& file) {
  if (file.empty() || !MayHaveSideFiles(file)) return "";
  const char* proxy = PamGetProxy(file.c_str());
  const std::string name = proxy ? proxy : file + ".aux.xml";
  VSIStatBufL status;
  return VSIStatExL(name.c_str(), &status, VSI_STAT_EXISTS_FLAG) == 0 && !IsForeignSideFile(name) ? name : "";
}

/// Returns the name of a metadata domain in a PAM file; "" if it only has what GDAL can compute again.
std::string DescribeDomain(const CPLXMLNode& metadata) {
  const std::string domain = CPLGetXMLValue(&metadata, "domain", "");
  if (IsOneOfIgnoringCase(domain, {"OVERVIEWS", "IMAGE_STRUCTURE"})) return "";
  if (!domain.empty()) return "metadata domain " + domain;
  for (const CPLXMLNode* item = metadata.psChild; item; item = item->psNext) {
    if (!IsStatistic(CPLGetXMLValue(item, "key", "STATISTICS_"))) return "metadata items";
  }
  return "";
}

/// Adds what a part of a PAM file holds, in the words of its elements.
void AddContent(const CPLXMLNode& part, std::set<std::string>* content) {
  for (const CPLXMLNode* node = part.psChild; node; node = node->psNext) {
    if (node->eType != CXT_Element) continue;
    const std::string name = node->pszValue;
    if (IsOneOfIgnoringCase(name, {"Subdataset", "DerivedDataset", "PAMDataset", "PAMRasterBand"})) {
      AddContent(*node, content);
    } else if (name == "Metadata") {
      content->insert(DescribeDomain(*node));
    } else if (!IsOneOfIgnoringCase(name, {"Array", "Histograms"})) {  // arrays have theirs in this API
      content->insert(name == "GCPList" ? "ground control points" : name);
    }
  }
  content->erase("");
}

/// Lists the content of a PAM file; "" if there is none that counts.
std::string ListContent(const std::string& file) {
  const ErrorCollector quiet;
  const CPLXMLTreeCloser tree(CPLParseXMLFile(file.c_str()));
  const CPLXMLNode* root = tree.get() ? CPLGetXMLNode(tree.get(), "=PAMDataset") : nullptr;
  std::set<std::string> content;
  if (root) AddContent(*root, &content);
  std::string list;
  for (const std::string& item : content) list += (list.empty() ? "" : ", ") + item;
  return list;
}

}  // namespace

void WarnOfSideFiles(GDALDataset& source) {
  if (!CPLTestBool(CPLGetConfigOption("GDAL_PAM_ENABLED", "YES"))) return;
  for (const std::string& file : ListFiles(source)) {
    const std::string name = FindSideFile(file);
    const std::string content = name.empty() ? "" : ListContent(name);
    if (content.empty()) continue;
    CPLError(CE_Warning, CPLE_NotSupported,
             "Zarr: the side file %s has what a copy by the multidimensional API leaves out: %s; a copy of the raster "
             "(gdal_translate) keeps it",
             name.c_str(), content.c_str());
  }
}

}  // namespace gdal_zarr
