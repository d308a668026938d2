// SPDX-License-Identifier: MIT
#include "driver/create/whole_store.h"

#include <filesystem>
#include <system_error>

#include "driver/create/removal.h"
#include "driver/create/virtual_sources.h"
#include "driver/dataset/open_stores.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/gdal_side_file.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/kerchunk/parquet_folder.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/kerchunk/reference_store.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/store_root.h"
#include "driver/stores/vsi/look_at.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/removable.h"
#include "zarrlib/store/files/filesystem_tree.h"
#include "zarrlib/store/files/path_text.h"

namespace gdal_zarr {
namespace {

using Kind = WholeStore::Kind;

const char* GetParticiple(WholeStoreUse use) {
  switch (use) {
    case WholeStoreUse::kRemove:
      return "removed";
    case WholeStoreUse::kRename:
      return "renamed";
    case WholeStoreUse::kCopy:
      return "copied";
    case WholeStoreUse::kReplace:
      break;
  }
  return "replaced";
}

/// Returns true if a folder or file is moved or copied unchanged, with its whole content.
bool IsWholeFolder(WholeStoreUse use) {
  return use == WholeStoreUse::kRename || use == WholeStoreUse::kCopy;
}

/// Returns the content of a store whose own documents can be read. Unless the store stays together, the documents of
/// all its nodes must be readable as well.
zarr::NodeTree ReadTree(const zarr::Store& store, WholeStoreUse use) {
  if (IsWholeFolder(use)) {
    zarr::NodeTree tree = zarr::NodeTree::Read(store, "");
    if (!tree.empty()) return tree;
  }
  return zarr::ReadRemovable(store, "", GetParticiple(use));
}

[[noreturn]] void Refuse(zarr::ErrorKind kind, const std::string& path, const std::string& what, WholeStoreUse use) {
  throw zarr::Error(kind, path, "", "", what + "; nothing is " + GetParticiple(use));
}

[[noreturn]] void RefuseRepository(const std::string& path, WholeStoreUse use) {
  Refuse(zarr::ErrorKind::kUnsupported, path,
         "Icechunk repositories cannot be removed, renamed, copied or replaced as a whole", use);
}

/// Returns a path without "." and "/" at its end, which would lead through a link.
std::string WithoutDots(std::string path) {
  while (path.ends_with("/.") || (path.ends_with('/') && path.size() > 1)) path.resize(path.rfind('/'));
  return path;
}

/// Returns the link that a path names, or, if it ends with "..", the first one on its way; "" if there is none.
std::string FindLink(const std::string& path) {
  const std::string whole = WithoutDots(path);
  std::size_t end = whole.ends_with("/..") ? whole.find('/', 1) : whole.size();
  for (;; end = whole.find('/', end + 1)) {
    std::string part = whole.substr(0, end);
    if (zarr::LookAt(part) == zarr::EntryKind::kLink) return part;
    if (end >= whole.size()) return "";
  }
}

/// A link at the end of a name would have to be removed. Its target must be named explicitly.
void CheckNoLink(const std::string& path, WholeStoreUse use) {
  if (use == WholeStoreUse::kCopy || path.starts_with("/vsi")) return;
  const std::string link = FindLink(path);
  if (link.empty()) return;
  std::error_code error;
  const auto target = std::filesystem::read_symlink(zarr::ToPath(link), error);
  Refuse(zarr::ErrorKind::kUnsupported, path,
         "this is a symbolic link to " + zarr::ToText(target) + ": name the store itself, or remove the link as a file",
         use);
}

void CheckNotOpen(const std::string& path, WholeStoreUse use) {
  if (use == WholeStoreUse::kCopy) return;
  auto open = FindOpenStoreAround(path);
  if (!open) open = FindOpenVirtualDataset(GetPlace(path));
  if (!open) return;
  Refuse(zarr::ErrorKind::kInvalidArgument, path,
         "this process has " + *open + " open, and would read fill values from then on: close it first", use);
}

/// Refuses to replace anything beyond the store itself: the new store would not be created next to it.
void CheckReplaceable(const WholeStore& whole, WholeStoreUse use) {
  if (use != WholeStoreUse::kReplace) return;
  if (whole.kind == Kind::kNode) {
    Refuse(zarr::ErrorKind::kUnsupported, whole.above,
           "\"" + whole.node + "\" is a node of this store: remove it first, or add an array to the store " +
               "(APPEND_SUBDATASET=YES, ARRAY_NAME)",
           use);
  }
  if (whole.kind != Kind::kFolder) return;
  if (const auto foreign = zarr::FindForeign(*whole.store, *whole.tree, IsGdalSideFile)) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, whole.path, *foreign, "",
                      "no Zarr metadata name this file; the store is not replaced");
  }
}

void FindLargerStore(WholeStore* whole) {
  zarr::HierarchyOptions options;
  options.use_consolidated = false;
  const auto hierarchy = zarr::Hierarchy::Open(whole->store, options);
  auto place = FindStoreRoot(whole->path, *hierarchy);
  if (!place) return;
  whole->kind = Kind::kNode;
  whole->above = std::move(place->store);
  whole->node = std::move(place->node);
}

/// A new store can be created in an empty folder. Not checked on virtual file systems, where a listing may cost a
/// request.
bool IsEmptyFolder(const std::string& folder) {
  if (folder.starts_with("/vsi")) return false;
  const auto names = zarr::ListNames(folder, 0);
  return names && names->empty();
}

WholeStore FindFolder(const std::string& folder, WholeStoreUse use) {
  WholeStore whole{Kind::kFolder, folder};
  whole.store = MakeStore(folder);
  if (use != WholeStoreUse::kCopy) {
    CheckTakesWrites(*whole.store);
    if (HoldsUnmadeStore(folder, *whole.store)) {
      whole.kind = Kind::kUnmade;
      return whole;
    }
    zarr::FinishRemovals(*whole.store);
  }
  try {
    whole.tree = ReadTree(*whole.store, use);
  } catch (const zarr::Error& error) {
    const bool may_be_rest = use == WholeStoreUse::kRemove && error.kind() == zarr::ErrorKind::kNotFound;
    if (!may_be_rest || !zarr::FinishRemovalOf(*MakeStoreToChange(whole.store), "", IsGdalSideFile)) throw;
    whole.kind = Kind::kUnmade;
    return whole;
  }
  FindLargerStore(&whole);
  if (whole.kind == Kind::kNode && IsWholeFolder(use)) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, whole.above, whole.node, "",
                      "this is a node of a larger store: rename or copy it by the multidimensional API");
  }
  CheckNotOpen(folder, use);
  CheckReplaceable(whole, use);
  return whole;
}

WholeStore FindArchive(const ZipPath& zip, WholeStoreUse use) {
  WholeStore whole{Kind::kArchive, FindArchiveOfStore(zip), zip.folder};
  const auto store = MakeStore("/vsizip/{" + whole.path + "}" + (zip.folder.empty() ? "" : "/" + zip.folder));
  const zarr::NodeTree tree = ReadTree(*store, use);
  if (!IsWholeFolder(use)) {
    if (const auto foreign = zarr::FindForeign(*store, tree, IsGdalSideFile)) {
      throw zarr::Error(zarr::ErrorKind::kUnsupported, whole.path, *foreign, "",
                        "no Zarr metadata name this file; the archive is not " + std::string(GetParticiple(use)));
    }
  }
  CheckNotOpen(whole.path, use);
  return whole;
}

WholeStore FindParquet(const std::string& folder, WholeStoreUse use) {
  WholeStore whole{Kind::kParquet, folder};
  whole.store = MakeStore(folder);
  if (use != WholeStoreUse::kCopy) CheckTakesWrites(*whole.store);
  CheckNotOpen(folder, use);
  const zarr::Chooser choose = MakeParquetChooser(*whole.store);
  if (use != WholeStoreUse::kReplace) return whole;
  if (const auto foreign = FindForeign(*whole.store, choose)) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, folder, *foreign, "",
                      "this file does not belong to the references; they are not replaced");
  }
  return whole;
}

/// Returns the store or the references in a folder. A repository is not one; the error says so.
WholeStore FindFolderOrRefuse(const std::string& folder, WholeStoreUse use) {
  try {
    return FindFolder(folder, use);
  } catch (const zarr::Error&) {
    if (HoldsRepository(folder)) RefuseRepository(folder, use);
    if (ReadParquetDocument(*MakeStore(folder))) return FindParquet(folder, use);
    throw;
  }
}

}  // namespace

WholeStore FindWholeStore(const std::string& name, WholeStoreUse use) {
  const DatasetName parsed = ParseDatasetName(name);
  if (parsed.array) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("the name of a store", name + ", which names an array in a store") +
                          "; an array alone is removed by GDALGroup::DeleteMDArray (GDAL 3.8 and later)");
  }
  if (NamesRepository(parsed.store)) RefuseRepository(std::string(GetRepositoryPath(parsed.store)), use);
  const auto zip = SplitZipPath(parsed.store);
  const std::string& path = zip ? zip->archive : parsed.store;
  CheckNoLink(path, use);
  const Presence presence = LookAt(path);
  if (presence == Presence::kAbsent) return {Kind::kAbsent, path};
  if (presence == Presence::kFolder) {
    const bool is_free = use == WholeStoreUse::kReplace && IsEmptyFolder(path);
    return is_free ? WholeStore{Kind::kAbsent, path} : FindFolderOrRefuse(path, use);
  }
  if (zip) return FindArchive(*zip, use);
  zarr::ReadRemovable(ReferenceStore(path), "", GetParticiple(use));
  CheckNotOpen(path, use);
  return {Kind::kReferences, path};
}

}  // namespace gdal_zarr
