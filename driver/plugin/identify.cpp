// SPDX-License-Identifier: MIT
#include "driver/plugin/identify.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/gdal/text.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/missing_folder.h"
#include "driver/stores/network_listing.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/refusals.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kMaxMetaSize = 1 << 20;  // v1 does not have long documents, and `meta` is a common name

bool IsFile(const std::string& path) {
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         !VSI_ISDIR(status.st_mode);
}

/// Throws the store's errors.
bool HasV1Document(const zarr::Store& store) {
  const std::string meta(zarr::kV1Array);
  zarr::Bytes bytes;
  try {
    if (!store.Get(meta, &bytes, nullptr, kMaxMetaSize)) return false;
    return zarr::LooksLikeV1(zarr::JsonNode::Parse(zarr::AsText(bytes), store.name(), meta));
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) throw;
    return false;
  }
}

bool IsV1Folder(const std::string& folder) {
  if (!IsFile(folder + "/" + std::string(zarr::kV1Array))) return false;
  return Guard(false, [&] {
    try {
      return HasV1Document(VsiStore(folder));
    } catch (const zarr::Error&) {
      return false;
    }
  });
}

/// Returns true if a folder has a store's name and access to it is denied. Opening it reports the error.
bool IsClosedStoreFolder(const std::string& folder) {
  VSIStatBufL status;
  errno = 0;
  return EndsWithIgnoringCase(folder, ".zarr") &&
         VSIStatExL((folder + "/" + std::string(zarr::kOwnRootDocuments[0])).c_str(), &status, VSI_STAT_EXISTS_FLAG) !=
             0 &&
         errno == EACCES;
}

bool IsStoreFolder(std::string folder) {
  const ErrorCollector quiet;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  for (const std::string_view document : zarr::kOwnRootDocuments) {
    if (IsFile(folder + "/" + std::string(document))) return true;
  }
  return IsV1Folder(folder) || IsClosedStoreFolder(folder);
}

std::string_view GetHeader(const GDALOpenInfo& info) {
  return {reinterpret_cast<const char*>(info.pabyHeader), static_cast<std::size_t>(std::max(info.nHeaderBytes, 0))};
}

/// Returns true if the first bytes of a file called `meta` look like the metadata of a v1 array.
bool LooksLikeV1Header(const GDALOpenInfo& info) {
  const std::string_view header = GetHeader(info);
  const std::size_t first = header.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && header[first] == '{' &&
         header.find("\"chunks\"") != std::string_view::npos && header.find("\"shape\"") != std::string_view::npos;
}

bool IsZipFile(const GDALOpenInfo& info) {
  return info.nHeaderBytes >= 2 && info.pabyHeader[0] == 'P' && info.pabyHeader[1] == 'K';
}

bool IsRemote(std::string_view path) {
  return path.starts_with("/vsi") && !VSIIsLocal(std::string(path).c_str());
}

/// Only checks the name, because a remote folder often cannot be opened.
bool IsRemoteStoreName(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return EndsWithIgnoringCase(path, ".zarr") && IsRemote(path);
}

/// Returns true if the name of a remote folder has an ending.
bool IsRemoteNamed(std::string_view path, std::string_view ending) {
  path = path.substr(0, path.find('?'));
  while (path.ends_with('/')) path.remove_suffix(1);
  return EndsWithIgnoringCase(path, ending) && IsRemote(path);
}

/// Returns true for the usual name of a remote folder of kerchunk references in Parquet.
bool IsRemoteReferencesName(std::string_view path) {
  return IsRemoteNamed(path, ".parq");
}

/// Returns true if a name is the URL of a store. Opening it reports GDAL's name for it; otherwise GDAL would download
/// one document.
bool IsUrlOfStore(std::string_view path) {
  path = path.substr(0, path.find('?'));
  while (path.ends_with('/')) path.remove_suffix(1);
  return EndsWithIgnoringCase(path, ".zarr") && !FindNameOfUrl(std::string(path)).empty();
}

/// Returns true if a path is that of a file with content. Returns false for a folder that a web server answers with a
/// page, or with a failure that GDAL treats as an empty file.
bool IsRemoteFile(const GDALOpenInfo& info) {
  const std::string_view header = GetHeader(info);
  return info.bStatOK && !header.empty() && !header.starts_with('<') &&
         !std::string_view(info.pszFilename).ends_with('/');
}

/// Returns true if the caller only allows this driver, as with `gdalinfo -if Zarr`.
bool IsOnlyAllowedDriver(const GDALOpenInfo& info) {
  const auto* const names = info.papszAllowedDrivers;
  return names && names[0] && !names[1] && EQUAL(names[0], "Zarr");
}

/// Returns true if an object store reports that there are no objects below a path. Usually it knows existing folders,
/// so this check is only needed when a store is about to be created, or if listing is forbidden.
bool IsEmptyPlace(const std::string& path) {
  if (!IsInObjectStore(path)) return false;
  const ErrorCollector quiet;
  try {
    const auto entries = ListNewPlace(path);
    return entries && entries->empty();
  } catch (const zarr::Error&) {
    return false;  // opening it reports the error
  }
}

/// Returns true if a file may contain references, judged by its first bytes, and by more of them if needed.
bool IsReferenceFile(GDALOpenInfo* info) {
  constexpr int kMoreBytes = 1 << 16;
  if (info->nHeaderBytes == 0) return false;
  const std::string_view path(info->pszFilename);
  if (!EndsWithIgnoringCase(path.substr(0, path.find('?')), ".json") && !EndsWithIgnoringCase(path, ".zarr")) {
    return false;
  }
  if (LookAtHeader(GetHeader(*info)) == ReferenceHeader::kNeedsMore) info->TryToIngest(kMoreBytes);
  return IdentifyReferences(*info);
}

/// Returns true if a name selects a snapshot of an Icechunk repository. Other files may have names and URLs that look
/// the same.
bool SelectsSnapshot(const GDALOpenInfo& info) {
  if (HasIcechunkPrefix(info.pszFilename) || NamesRepository(info.pszFilename)) return true;
  if (!SplitSelectors(info.pszFilename)) return false;
  return IsRemote(info.pszFilename) ? !IsRemoteFile(info) : !info.bStatOK;
}

int IdentifyOrThrow(GDALOpenInfo* info) {
  const std::string path = WithSlashes(info->pszFilename);
  if (HasZarrPrefix(path) || HasReferencePrefix(path) || IsUrlOfStore(path)) return TRUE;
  if (SelectsSnapshot(*info) || IdentifyRepoInfo(*info)) return TRUE;
  // Opening decides, by requests that it sends anyway. GDAL's own requests would be repeated, and a failure cached.
  if (info->bIsDirectory && IsRemote(path)) return GDAL_IDENTIFY_UNKNOWN;
  if (info->bIsDirectory) return IsStoreFolder(info->pszFilename) || IsRepositoryFolder(info->pszFilename);
  if (!FindMetadataDocument(path).empty()) return TRUE;
  if (EndsWithDocument(path, zarr::kV1Array)) return LooksLikeV1Header(*info);
  const bool is_named = EndsWithIgnoringCase(path, ".zarr.zip") || EndsWithIgnoringCase(path, ".zarr");
  if (IsZipFile(*info) && (is_named || IsOnlyAllowedDriver(*info))) return TRUE;
  if (EndsWithIgnoringCase(path, ".zarr.zip")) return FALSE;
  if (IsReferenceFile(info)) return TRUE;
  if (IsOnlyAllowedDriver(*info) && IsRemote(path)) return GDAL_IDENTIFY_UNKNOWN;
  const bool is_named_remote = IsRemoteStoreName(path) || IsRemoteReferencesName(path) || IsRemoteRepositoryName(path);
  if (!is_named_remote || IsRemoteFile(*info)) return FALSE;
  return IsEmptyPlace(info->pszFilename) ? FALSE : GDAL_IDENTIFY_UNKNOWN;
}

}  // namespace

int Identify(GDALOpenInfo* info) {
  return Guard(FALSE, [&]() -> int {
    const int identified = IdentifyOrThrow(info);
    return identified == FALSE && MayNameMissingNode(*info) ? GDAL_IDENTIFY_UNKNOWN : identified;
  });
}

bool MayNameMissingNode(const GDALOpenInfo& info) {
  const bool is_opening = (info.nOpenFlags & GDAL_OF_VERBOSE_ERROR) != 0;
  return is_opening && !info.bStatOK && info.pszFilename[0] != '<' && IsMissing(info.pszFilename);
}

bool NeedsRootDocument(const GDALOpenInfo& info) {
  const std::string_view path(info.pszFilename);
  return info.bIsDirectory && IsRemote(path) && !IsRemoteStoreName(path) && !IsOnlyAllowedDriver(info) &&
         !HasZarrPrefix(path) && !HasReferencePrefix(path);
}

bool HasRootDocument(const zarr::Store& store) {
  zarr::Refusals refusals;
  const auto is_there = [&](std::string_view document) { return refusals.Try([&] { return store.Exists(document); }); };
  if (std::ranges::any_of(zarr::kOwnRootDocuments, is_there)) return true;
  refusals.Rethrow();
  return HasV1Document(store);
}

bool IsRemoteRepositoryName(std::string_view path) {
  return IsRemoteNamed(path, ".icechunk");
}

bool IsRepositoryFolder(const std::string& folder) {
  return HoldsRepository(folder) && !IsStoreFolder(folder);
}

bool IdentifyRepoInfo(const GDALOpenInfo& info) {
  return GetHeader(info).starts_with(zarr::kIcechunkMagic) &&
         EndsWithDocument(WithSlashes(info.pszFilename), zarr::kIcechunkRepoInfo);
}

bool IdentifyReferences(const GDALOpenInfo& info) {
  return LookAtHeader(GetHeader(info)) == ReferenceHeader::kYes;
}

}  // namespace gdal_zarr
