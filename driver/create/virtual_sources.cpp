// SPDX-License-Identifier: MIT
#include "driver/create/virtual_sources.h"

#include <cpl_minixml.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <regex>
#include <string_view>
#include <vector>

#include "driver/dataset/open_stores.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

constexpr int kMostLevels = 8;            // nesting of virtual datasets
constexpr GIntBig kMostBytes = 64 << 20;  // of a description
constexpr const char* kSourceElements[] = {"SourceFilename", "SourceDataset", "SourceVRTFilename"};

/// `name` is relative to a folder (empty or ending in "/"); in "ZARR:...", the path of the store is relative.
bool Touches(const std::string& name, const std::string& folder, const std::string& place) {
  try {
    const std::string source =
        GetPlace(HasZarrPrefix(name) ? folder + ParseDatasetName(name).store : ParseDatasetName(folder + name).store);
    return IsInPlace(source, place) || IsInPlace(place, source);
  } catch (const zarr::Error&) {
    return false;  // not the name of a store
  }
}

std::string ReadFile(const std::string& path) {
  GByte* bytes = nullptr;
  vsi_l_offset size = 0;
  const ErrorCollector quiet;
  if (!VSIIngestFile(nullptr, path.c_str(), &bytes, &size, kMostBytes)) return "";
  std::string text(reinterpret_cast<const char*>(bytes), size);
  VSIFree(bytes);
  return text;
}

/// Returns "a/" for "a/b.vrt", "" for "b.vrt".
std::string GetFolder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash + 1);
}

/// The description of a virtual dataset, which lists its sources. FindDescription reads it from `name`: XML text or the
/// path of a file.
struct Description {
  std::string xml;
  std::string folder;  // base of relative source names; empty or ending in "/"
};

std::optional<Description> FindDescription(const std::string& name) {
  if (name.starts_with("<VRTDataset")) return Description{name, ""};
  if (!EndsWithIgnoringCase(name, ".vrt")) return std::nullopt;
  return Description{ReadFile(name), GetFolder(name)};
}

/// Is called with the name of a source and the folder that it is relative to (empty or ending in "/"), until it returns
/// true.
using SourceTest = std::function<bool(const std::string& name, const std::string& folder)>;

bool AnySource(const Description& description, const SourceTest& test, int level);

bool IsSource(const CPLXMLNode& node) {
  for (const char* element : kSourceElements) {
    if (node.eType == CXT_Element && EQUAL(node.pszValue, element)) return true;
  }
  return false;
}

bool AnySourceOf(const CPLXMLNode* node, const std::string& folder, const SourceTest& test, int level) {
  for (; node; node = node->psNext) {
    if (IsSource(*node)) {
      const std::string name = CPLGetXMLValue(node, "", "");
      const std::string start = CPLTestBool(CPLGetXMLValue(node, "relativeToVRT", "0")) ? folder : "";
      if (test(name, start)) return true;
      const auto inner = level < kMostLevels ? FindDescription(start + name) : std::nullopt;
      if (inner && AnySource(*inner, test, level + 1)) return true;
    } else if (AnySourceOf(node->psChild, folder, test, level)) {
      return true;
    }
  }
  return false;
}

bool AnySource(const Description& description, const SourceTest& test, int level) {
  const ErrorCollector quiet;
  const std::unique_ptr<CPLXMLNode, decltype(&CPLDestroyXMLNode)> xml(CPLParseXMLString(description.xml.c_str()),
                                                                      CPLDestroyXMLNode);
  return AnySourceOf(xml.get(), description.folder, test, level);
}

bool AnySourceTouches(const Description& description, const std::string& place) {
  const auto touches = [&](const std::string& name, const std::string& folder) { return Touches(name, folder, place); };
  return AnySource(description, touches, 0);
}

std::optional<Description> DescribeDataset(GDALDataset& dataset) {
  const char* const* xml = dataset.GetMetadata("xml:VRT");
  if (!xml || !xml[0]) return std::nullopt;
  return Description{xml[0], GetFolder(dataset.GetDescription())};
}

/// Returns a name that opens a source from the working directory.
std::string ResolveName(const std::string& name, const std::string& folder) {
  const auto parts = folder.empty() ? std::nullopt : SplitDatasetName(name);
  if (!parts) return folder + name;
  const std::string array = parts->array.empty() ? "" : ":" + parts->array;
  return parts->prefix + ":\"" + folder + ParseDatasetName(name).store + '"' + array;
}

/// Returns GDAL's list of the open datasets as text. GDAL creates it while it prevents datasets from being closed; no
/// other function does so.
std::string DumpOpenDatasets() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::tmpfile(), std::fclose);
  if (!file) return "";
  GDALDumpOpenDatasets(file.get());
  std::rewind(file.get());
  std::string text;
  char buffer[1 << 12];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0;) text.append(buffer, n);
  return text;
}

/// Returns the descriptions of the virtual datasets in such a list. An XML description spans several lines.
std::vector<std::string> FindVirtualDatasets(const std::string& list) {
  static const std::regex entry(R"(^ +\d+ [SN] (\S+) +-?\d+ \d+x\d+x\d+ (.*)$)");
  std::vector<std::string> found;
  bool is_virtual = false;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find('\n', begin), list.size());
    const std::string line = list.substr(begin, end - begin);
    begin = end + 1;
    std::smatch match;
    if (line.size() < 4096 && std::regex_match(line, match, entry)) {
      is_virtual = match[1] == "VRT";
      if (is_virtual) found.push_back(match[2]);
    } else if (is_virtual) {
      found.back() += "\n" + line;
    }
  }
  return found;
}

}  // namespace

bool ReadsFrom(GDALDataset& dataset, const std::string& place) {
  const auto description = DescribeDataset(dataset);
  return description && AnySourceTouches(*description, place);
}

std::optional<std::string> FindOnlySource(GDALDataset& dataset) {
  const auto description = DescribeDataset(dataset);
  if (!description) return std::nullopt;
  std::optional<std::string> only;
  const bool are_several = AnySource(
      *description,
      [&](const std::string& name, const std::string& folder) {
        if (EndsWithIgnoringCase(name, ".vrt") || name.starts_with("<VRTDataset")) return false;
        const std::string resolved = ResolveName(name, folder);
        if (!only) only = resolved;
        return *only != resolved;
      },
      0);
  return are_several ? std::nullopt : only;
}

std::optional<std::string> FindOpenVirtualDataset(const std::string& place) {
  for (std::string& name : FindVirtualDatasets(DumpOpenDatasets())) {
    const auto description = FindDescription(name);
    if (description && AnySourceTouches(*description, place)) return std::move(name);
  }
  return std::nullopt;
}

}  // namespace gdal_zarr
