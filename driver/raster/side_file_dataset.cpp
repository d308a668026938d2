// SPDX-License-Identifier: MIT
#include "driver/raster/side_file_dataset.h"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "driver/dataset/pam_files.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

/// Makes GDAL save the PAM file under another name, unless GDAL chooses a name itself in the meantime.
class OtherName {
 public:
  OtherName(char** name, const std::string& other)
      : name_(name), other_(other), kept_(std::exchange(*name, CPLStrdup(other.c_str()))) {}
  OtherName(const OtherName&) = delete;
  OtherName& operator=(const OtherName&) = delete;
  ~OtherName() {
    if (other_ == *name_) std::swap(*name_, kept_);
    CPLFree(kept_);
  }

 private:
  char** name_;
  const std::string& other_;
  char* kept_;
};

/// Returns the indices in the name of a sliced view, such as " ([0])"; "" for a view of a whole array.
std::string_view GetSlice(std::string_view view) {
  const bool is_sliced = view.substr(0, view.find('/')).ends_with("Sliced view of ");
  return is_sliced && view.rfind(" ([") != std::string_view::npos ? view.substr(view.rfind(" ([")) : "";
}

/// Returns true if two names are those of the same view, of arrays whose names may differ.
bool NamesSameView(std::string_view a, std::string_view b) {
  return a.substr(0, a.find('/')) == b.substr(0, b.find('/')) && GetSlice(a) == GetSlice(b);
}

/// Returns the names of the views in a PAM file. Each version of GDAL uses one of two elements for them.
std::set<std::string> ListViews(const char* file) {
  std::set<std::string> names;
  if (!file || IsForeignSideFile(file)) return names;
  const ErrorCollector hidden_errors;
  const CPLXMLTreeCloser tree(CPLParseXMLFile(file));
  const CPLXMLNode* root = tree.get() ? CPLGetXMLNode(tree.get(), "=PAMDataset") : nullptr;
  for (const CPLXMLNode* node = root ? root->psChild : nullptr; node; node = node->psNext) {
    const bool is_view =
        node->eType == CXT_Element && (EQUAL(node->pszValue, "DerivedDataset") || EQUAL(node->pszValue, "Subdataset"));
    if (is_view) names.insert(CPLGetXMLValue(node, "name", ""));
  }
  return names;
}

}  // namespace

bool SideFileDataset::LoadSideFile(const std::string& document, const std::string& view) {
  if (document.empty() || !CanSaveSideFiles(document)) SetPamFlags(GetPamFlags() | GPF_NOSAVE);
  if (document.empty()) return false;
  SetPhysicalFilename(document.c_str());
  const bool may_have_one = MayHaveSideFiles(document);
  const std::string saved = may_have_one ? FindSavedName(view) : view;
  ZARR_SET_PAM_VIEW_NAME(saved.c_str());
  if (!may_have_one) return false;
  TryLoadXML();
  if (!kPamHasViews) LoadPamOfView(saved);
  return true;
}

std::string SideFileDataset::FindSavedName(const std::string& view) {
  std::set<std::string> names = ListViews(BuildPamFilename());
  if (names.contains(view)) return view;
  std::erase_if(names, [&](const std::string& name) { return !NamesSameView(name, view); });
  return names.size() == 1 ? *names.begin() : view;
}

void SideFileDataset::LoadPamOfView(const std::string& view) {
  if (!psPam || !psPam->pszPamFilename || IsForeignSideFile(psPam->pszPamFilename)) return;
  const ErrorCollector hidden_errors;
  const CPLXMLTreeCloser tree(CPLParseXMLFile(psPam->pszPamFilename));
  CPLXMLNode* root = tree.get() ? CPLGetXMLNode(tree.get(), "=PAMDataset") : nullptr;
  for (CPLXMLNode* node = root ? root->psChild : nullptr; node; node = node->psNext) {
    if (node->eType != CXT_Element || !EQUAL(node->pszValue, "DerivedDataset")) continue;
    if (view != CPLGetXMLValue(node, "name", "")) continue;
    if (CPLXMLNode* saved = CPLGetXMLNode(node, "PAMDataset")) XMLInit(saved, "");
    nPamFlags &= ~GPF_DIRTY;
    return;
  }
}

CPLErr SideFileDataset::SaveSideFile() {
  const bool dirty = (nPamFlags & GPF_DIRTY) != 0 && (nPamFlags & (GPF_NOSAVE | GPF_DISABLED)) == 0;
  const char* place = dirty ? BuildPamFilename() : nullptr;
  if (!place) return CE_None;
  if (IsForeignSideFile(place)) return LeaveForeignSideFile(place);
  const NewSideFile fresh(place);
  const CPLErr result = [&] {
    const OtherName name(&psPam->pszPamFilename, fresh.path());
    const ErrorCollector hidden_errors;  // they refer to the temporary file
    return TrySaveXML();                 // in another folder if this one is not writable
  }();
  if (result == CE_None && fresh.PutInPlace()) return CE_None;
  const CPLErr severity = eAccess == GA_Update ? CE_Failure : CE_Warning;
  CPLError(severity, CPLE_FileIO, "%s: the side file %s cannot be written", GetDescription(), fresh.target().c_str());
  return severity == CE_Failure ? CE_Failure : CE_None;
}

CPLErr SideFileDataset::LeaveForeignSideFile(const std::string& file) {
  nPamFlags &= ~GPF_DIRTY;
  const CPLErr result = eAccess == GA_Update ? CE_Failure : CE_Warning;
  CPLError(result, CPLE_FileIO, "%s: the side file %s was not written by GDAL and stays as it is: %s", GetDescription(),
           file.c_str(), "statistics and metadata that only a side file can hold are not kept");
  return result == CE_Failure ? CE_Failure : CE_None;
}

CPLErr SideFileDataset::CheckSideFile(const char* domain) {
  // GDAL creates these domains itself; they are not saved.
  for (const char* own : {"IMAGE_STRUCTURE", "SUBDATASETS", "DERIVED_SUBDATASETS", "OVERVIEWS"}) {
    if (EQUAL(domain, own)) return CE_None;
  }
  if ((GetPamFlags() & (GPF_DISABLED | GPF_NOSAVE)) == 0) return CE_None;
  CPLError(CE_Failure, CPLE_NotSupported, "%s: metadata of domain %s need side files, which cannot be written here",
           GetDescription(), domain);
  return CE_Failure;
}

CPLXMLNode* SideFileDataset::SerializeToXML(const char* path) {
  CPLXMLNode* const document = GDALPamDataset::SerializeToXML(path);
  Guard(false, [&] {
    const std::span points(GDALPamDataset::GetGCPs(), static_cast<std::size_t>(GDALPamDataset::GetGCPCount()));
    const CPLXMLNode* const list = document ? CPLGetXMLNode(document, "GCPList") : nullptr;
    CPLXMLNode* node = list ? list->psChild : nullptr;
    for (const GDAL_GCP& point : points) {
      while (node && !EQUAL(node->pszValue, "GCP")) node = node->psNext;
      if (!node) break;
      for (const auto& [name, number] : {std::pair("Pixel", point.dfGCPPixel),
                                         {"Line", point.dfGCPLine},
                                         {"X", point.dfGCPX},
                                         {"Y", point.dfGCPY},
                                         {"Z", point.dfGCPZ}}) {
        if (CPLGetXMLNode(node, name)) CPLSetXMLValue(node, CPLSPrintf("#%s", name), FormatNumber(number).c_str());
      }
      node = node->psNext;
    }
    return true;
  });
  return document;
}

std::optional<StatedTransform> SideFileDataset::FindSideTransform() {
  GeoTransformNumbers numbers;
  if (GDALPamDataset::GetGeoTransform(numbers) != CE_None) return std::nullopt;
  StatedTransform found{psPam && psPam->pszPamFilename ? psPam->pszPamFilename : "the side file", {}};
  for (std::size_t i = 0; i < found.transform.size(); ++i) found.transform[i] = numbers[i];
  return found;
}

void SideFileDataset::RemoveSideTransform() {
  if (!psPam || !psPam->bHaveGeoTransform) return;
  psPam->bHaveGeoTransform = false;
  MarkPamDirty();
}

void SideFileDataset::RemoveSideSpatialRef() {
  if (GDALPamDataset::GetSpatialRef()) GDALPamDataset::SetSpatialRef(nullptr);
}

}  // namespace gdal_zarr
