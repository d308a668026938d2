// SPDX-License-Identifier: MIT
#include "driver/stores/store_factory.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/document_store.h"
#include "driver/stores/fresh_store.h"
#include "driver/stores/gdal_side_file.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/kerchunk/reference_store.h"
#include "driver/stores/network_listing.h"
#include "driver/stores/vsi/vsi_conditions.h"
#include "driver/stores/vsi/vsi_store.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/conditional_store.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/store_requests.h"
#include "zarrlib/store/zip/zip_store.h"

namespace gdal_zarr {
namespace {

/// Splits an archive's path into its folder, including the query of a URL, and its name.
std::pair<std::string, std::string> SplitArchive(const std::string& archive) {
  const bool is_url = archive.starts_with("/vsicurl/http");
  const std::string path = archive.substr(0, is_url ? archive.find('?') : archive.npos);
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return {".", path};
  const std::string folder = slash == 0 ? "/" : path.substr(0, slash);
  return {folder + archive.substr(path.size()), path.substr(slash + 1)};
}

/// Returns true if GDAL finds a file at the path. Returns true without a request for remote paths.
bool MayBeFile(const std::string& path) {
  if (LeadsToNetwork(path)) return true;
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         VSI_ISREG(status.st_mode);
}

/// Returns null if only GDAL can determine which part of the path is the archive.
std::shared_ptr<zarr::Store> OpenZip(const std::string& path) {
  const auto zip = FindZipPath(path);
  if (!zip || !MayBeFile(zip->archive) || (!zip->folder.empty() && !zarr::IsKey(zip->folder))) return nullptr;
  auto [folder, name] = SplitArchive(zip->archive);
  if (!zarr::IsKey(name)) return nullptr;
  const bool is_url = folder.starts_with("/vsicurl");
  auto store = is_url ? std::make_shared<VsiStore>(folder, nullptr, KeyForm::kOfUrl) : MakeStore(folder);
  return std::make_shared<zarr::ZipStore>(path, std::move(store), std::move(name), zip->folder);
}

/// Returns null unless the path is a whole archive that contains one store. GDAL treats an archive with a single file
/// as that file.
std::shared_ptr<zarr::Store> OpenZippedStore(const std::string& path) {
  const auto zip = FindZipPath(path);
  const auto store = zip && zip->folder.empty() ? OpenZip(path) : nullptr;
  if (!store) return nullptr;
  const std::vector<std::string> keys = store->List("")->keys;
  const bool is_store = std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
    return key == zarr::kV1Array || !FindMetadataDocument(key).empty();
  });
  return is_store ? store : nullptr;
}

}  // namespace

std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync) {
  if (auto zip = OpenZip(path)) return zip;
  if (path.starts_with("/vsi")) return std::make_shared<VsiStore>(path);
  return std::make_shared<zarr::FilesystemStore>(path, zarr::FilesystemOptions{sync});
}

std::shared_ptr<zarr::Store> MakeNewStore(const std::string& path, bool sync) {
  return SplitZipPath(path) ? MakeZipStore(path) : MakeStoreToChange(MakeStore(path, sync));
}

std::shared_ptr<zarr::Store> MakeStoreToChange(std::shared_ptr<zarr::Store> store) {
  if (!store->info().writes || !IsInObjectStore(store->name())) return store;
  const auto fresh = std::make_shared<FreshStore>(store);
  if (!TakesConditions(store->name())) return fresh;
  return std::make_shared<zarr::ConditionalStore>(fresh);
}

void CheckTakesWrites(const zarr::Store& store) {
  if (store.info().writes) return;
  const bool in_zip = store.name().starts_with("/vsizip/");
  const char* const reason =
      in_zip
          ? "a ZIP archive is written once, as a whole, and cannot be changed: unpack it to a folder, or make another "
            "archive"
      : NamesRepository(store.name()) ? "this is a snapshot of an Icechunk repository"
                                      : "this kind of store takes no writes";
  throw zarr::Error(zarr::ErrorKind::kReadOnly, store.name(), "", "", reason);
}

std::shared_ptr<zarr::Store> OpenStore(const std::string& path) {
  if (NamesRepository(path)) return OpenRepository(path);
  if (auto store = OpenZippedStore(path)) return store;
  if (NamesReferences(path)) return std::make_shared<ReferenceStore>(path);
  return MakeStore(path);
}

std::shared_ptr<zarr::Store> OpenStoreForUpdate(const std::string& path, const CommitNote& note, bool sync) {
  if (NamesRepository(path)) return OpenRepositoryForUpdate(path, note);
  return MakeStoreToChange(sync ? MakeStore(path, true) : OpenStore(path));
}

std::shared_ptr<zarr::Store> OpenStoreForReading(const std::string& path, const Opening& opening) {
  auto store = OpenStore(path);
  const zarr::StoreRequests* const requests = store->requests();
  if (!requests || !requests->reads_early()) return store;
  return std::make_shared<DocumentStore>(store, opening);
}

zarr::ArrayWarner MakeWarner(std::shared_ptr<WarnedTexts> warned) {
  return [warned = std::move(warned)](const zarr::ArrayWarning& warning) {
    std::string text = warning.text;
    using Kind = zarr::ArrayWarning::Kind;
    if (warning.kind == Kind::kStaleConsolidated) {
      text += " (the open option USE_CONSOLIDATED_METADATA=YES takes the consolidated metadata as they are)";
    }
    if (warning.kind == Kind::kOtherChunkKeys) {
      text += " (the open option DIM_SEPARATOR=" + warning.form + " reads them)";
    }
    warned->Warn(text);
  };
}

zarr::HierarchyOptions MakeOptionsForChange(zarr::HierarchyOptions options) {
  if (!options.warn) options.warn = MakeWarner();
  options.is_side_file = IsGdalSideFile;
  options.may_wait = true;
  return options;
}

std::shared_ptr<zarr::EditableHierarchy> OpenForChange(std::shared_ptr<zarr::Store> store,
                                                       zarr::HierarchyOptions options) {
  CheckTakesWrites(*store);
  zarr::FinishRemovals(*store);
  options = MakeOptionsForChange(std::move(options));
  const zarr::StoreInfo info = store->info();
  if (info.lists_cheaply()) options.use_consolidated = false;
  auto hierarchy = zarr::EditableHierarchy::Open(std::move(store), options);
  hierarchy->CheckWritable();
  if (info.is_on_network()) hierarchy->waiting().Defer();
  return hierarchy;
}

}  // namespace gdal_zarr
