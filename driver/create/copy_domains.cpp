// SPDX-License-Identifier: MIT
#include "driver/create/copy_domains.h"

#include <algorithm>
#include <string>
#include <vector>

#include "driver/dataset/native_metadata.h"
#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

/// Returns true if GDAL creates a domain, or if GDAL's copying or the store keeps its content in another form.
bool IsSaidOtherwise(const std::string& domain, bool has_geolocation) {
  if (IsDefaultDomain(domain.c_str()) || StartsWithIgnoringCase(domain, "xml:VRT")) return true;
  if (EQUAL(domain.c_str(), "GEOLOCATION")) return has_geolocation;
  return IsOneOfIgnoringCase(
      domain, {"IMAGE_STRUCTURE", "SUBDATASETS", "DERIVED_SUBDATASETS", "RPC", "TIFF", "OVERVIEWS", "ZARR_REQUESTS",
               "LocationInfo", "vrt_sources", "new_vrt_sources", "__DEBUG__"});
}

std::vector<std::string> ListDomains(GDALMajorObject& object, bool has_geolocation) {
  const CPLStringList all(object.GetMetadataDomainList());
  std::vector<std::string> domains;
  for (int i = 0; i < all.size(); ++i) {
    const char* const* items = object.GetMetadata(all[i]);
    if (items && *items && !IsSaidOtherwise(all[i], has_geolocation)) domains.emplace_back(all[i]);
  }
  return domains;
}

/// If PAM files cannot be written, adds the names of domains that are lost to `lost`.
bool CopyDomainsOf(GDALMajorObject& source, GDALMajorObject& copy, bool has_side_files, bool has_geolocation,
                   std::string* lost) {
  bool copied = true;
  for (const std::string& domain : ListDomains(source, has_geolocation)) {
    if (!has_side_files) {
      if (lost->find(domain) == std::string::npos) *lost += (lost->empty() ? "" : ", ") + domain;
      continue;
    }
    CPLStringList items(CSLDuplicate(const_cast<char**>(source.GetMetadata(domain.c_str()))));
    copied = copy.SetMetadata(items.List(), domain.c_str()) == CE_None && copied;
  }
  return copied;
}

}  // namespace

bool CopyDomains(GDALDataset& source, GDALDataset& copy, bool has_side_files, bool has_geolocation) {
  std::string lost;
  bool copied = CopyDomainsOf(source, copy, has_side_files, has_geolocation, &lost);
  for (int band = 1; band <= std::min(source.GetRasterCount(), copy.GetRasterCount()); ++band) {
    copied =
        CopyDomainsOf(*source.GetRasterBand(band), *copy.GetRasterBand(band), has_side_files, false, &lost) && copied;
  }
  if (!lost.empty()) {
    CPLError(CE_Warning, CPLE_NotSupported, "Zarr: these metadata domains are not copied, as they need a side file: %s",
             lost.c_str());
  }
  return copied;
}

}  // namespace gdal_zarr
