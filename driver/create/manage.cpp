// SPDX-License-Identifier: MIT
#include <cpl_vsi.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "driver/create/copy_in_progress.h"
#include "driver/create/creation.h"
#include "driver/create/let_go.h"
#include "driver/create/removal.h"
#include "driver/create/whole_store.h"
#include "driver/dataset/open_stores.h"
#include "driver/dataset/pam_files.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/missing_folder.h"
#include "driver/stores/network_listing.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi/look_at.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

void CheckIsThere(const WholeStore& whole) {
  if (whole.kind != WholeStore::Kind::kAbsent) return;
  CheckExists(whole.path);
  throw zarr::Error(zarr::ErrorKind::kNotFound, whole.path, "", "", "there is no such file or folder");
}

/// Throws zarr::Error unless a store of that name exists and allows that use.
WholeStore GetWholeStore(const char* name, WholeStoreUse use) {
  WholeStore whole = FindWholeStore(name, use);
  CheckIsThere(whole);
  return whole;
}

/// Returns the target path for moving or copying a store. A store in an archive must stay in one, and at the same
/// location there.
std::string GetTarget(const WholeStore& from, const char* name) {
  const DatasetName parsed = ParseDatasetName(name);
  if (parsed.array) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("the name of a store", std::string(name) + ", which names an array"));
  }
  if (NamesRepository(parsed.store)) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      std::string(name) + ": this names an Icechunk repository, which cannot be replaced as a whole");
  }
  const auto zip = SplitZipPath(parsed.store);
  if (zip.has_value() != from.folder_in_archive.has_value() || (zip && zip->folder != *from.folder_in_archive)) {
    throw zarr::Error(
        zarr::ErrorKind::kUnsupported,
        std::string(name) + ": moving and copying neither pack or unpack an archive, nor change names in it");
  }
  return zip ? zip->archive : parsed.store;
}

/// Returns true if a name refers to an array or group that does not exist.
bool NamesNothing(const DatasetName& name) {
  if (!name.array) return false;
  if (LookAt(name.store) == Presence::kAbsent) return true;
  return !zarr::Hierarchy::Open(OpenStore(name.store))->Probe(*name.array);
}

/// Moving and copying only replace an empty folder.
void CheckNothingIn(const std::string& target) {
  const Presence presence = LookAt(target);
  if (presence == Presence::kAbsent) return;
  if (presence == Presence::kFolder) return zarr::CheckNothingAt(*MakeStore(target), "");
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, target, "", "", "there is a file already");
}

/// `run` returns 0, or sets errno if it is known.
template <typename Function>
CPLErr GetResult(const char* what, const std::string& folder, const Function& run) {
  errno = 0;
  if (run() == 0) return CE_None;
  const std::string why = errno == 0       ? std::string()
                          : errno == EXDEV ? ": the new place is on another file system: copy, then delete"
                                           : ": " + std::generic_category().message(errno);
  CPLError(CE_Failure, CPLE_FileIO, "Zarr: cannot %s %s%s", what, folder.c_str(), why.c_str());
  return CE_Failure;
}

/// Copying a folder into itself would copy the copy, and so on.
void CheckApart(const std::string& from, const std::string& to) {
  if (!IsInPlace(GetPlace(to), GetPlace(from))) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, to, "", "", "the new place lies in the old one, " + from);
}

/// Removes what a failed copy has left: files that the source has too, and folders that are then empty.
void RemovePart(const std::string& source, const std::string& target, bool was_there) {
  const CPLStringList entries(VSIReadDirRecursive(target.c_str()));
  for (int i = entries.size() - 1; i >= 0; --i) {  // what a folder contains comes after it
    const std::string path = zarr::JoinKey(target, entries[i]);
    VSIStatBufL state;
    if (VSIStatL(zarr::JoinKey(source, entries[i]).c_str(), &state) != 0 || VSIStatL(path.c_str(), &state) != 0)
      continue;
    VSI_ISDIR(state.st_mode) ? VSIRmdir(path.c_str()) : VSIUnlink(path.c_str());
  }
  if (was_there) return;
  VSIStatBufL state;
  if (VSIStatL(target.c_str(), &state) != 0) return;
  VSI_ISDIR(state.st_mode) ? VSIRmdir(target.c_str()) : VSIUnlink(target.c_str());
}

/// Returns the names of the objects below a folder of an object store. Throws zarr::Error if they cannot be listed.
std::vector<std::string> ListObjects(const std::string& folder) {
  const auto entries = ListOnNetwork(folder, true);
  if (!entries) throw zarr::Error(zarr::ErrorKind::kIo, folder, "", "", "the objects cannot be listed");
  std::vector<std::string> names;
  for (const ListedEntry& entry : *entries) {
    if (!entry.is_folder) names.push_back(entry.name);
  }
  std::ranges::sort(names);
  return names;
}

/// GDAL's copying makes an empty object for each folder in S3, which no folder needs, and which would stay when the
/// store is deleted.
void RemoveMarkers(const std::string& target) {
  if (!target.starts_with("/vsis3/")) return;
  const ErrorCollector quiet;
  TryChange([&] {
    std::set<std::string> markers = {target + "/"};
    for (const std::string& name : ListObjects(target)) {
      for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
        markers.insert(target + "/" + name.substr(0, end + 1));
    }
    UnlinkObjects({markers.begin(), markers.end()});
  });
}

/// Copies a file, or what is in a folder if `source` ends with "/". `path` is the source's path without that.
CPLErr CopyAll(const std::string& path, const std::string& source, const std::string& target) {
  const bool was_there = LookAt(target) != Presence::kAbsent;
  return GetResult("copy", path, [&] {
    const bool copied = VSISync(source.c_str(), target.c_str(), nullptr, nullptr, nullptr, nullptr);
    if (!copied) RemovePart(path, target, was_there);
    if (copied && path != source) RemoveMarkers(target);
    errno = 0;  // GDAL has reported the error
    return copied ? 0 : 1;
  });
}

/// Removes objects of a store that has been copied, the documents after the chunks and those of its root at the end: if
/// this fails, the rest is still a store, which can be deleted by its name.
void RemoveObjects(const std::string& folder, std::vector<std::string> names) {
  const auto rank = [](const std::string& name) {
    return !zarr::IsDocumentKey(name) ? 0 : name.find('/') != std::string::npos ? 1 : 2;
  };
  std::ranges::stable_sort(names, {}, rank);
  const std::shared_ptr<zarr::Store> store = MakeStoreToChange(MakeStore(folder));
  try {
    for (auto first = names.begin(); first != names.end();) {
      const auto is_later = [&](const std::string& name) { return rank(name) > rank(*first); };
      const auto last = std::find_if(first, names.end(), is_later);
      store->EraseAll({first, last});
      first = last;
    }
  } catch (const zarr::Error& error) {
    throw error.With("the store is complete under its new name: delete what is left of the old one");
  }
}

/// Returns true for an object store whose folders are only parts of keys.
bool IsFlat(const std::string& path) {
  return IsInObjectStore(path) && !path.starts_with("/vsiadls/");
}

/// Object stores move nothing in one step, and GDAL's function for it takes a listing that fails for an empty folder.
/// Removes only what has been copied.
CPLErr MoveObjects(const std::string& from, const std::string& to) {
  const std::vector<std::string> names = ListObjects(from);
  const CPLErr copied = CopyAll(from, from + "/", to);
  if (copied != CE_None) return copied;
  const std::vector<std::string> copies = ListObjects(to);
  for (const std::string& name : names) {
    if (std::ranges::binary_search(copies, name)) continue;
    RemovePart(from, to, false);
    throw zarr::Error(zarr::ErrorKind::kIo, from, name, "", "this object was not copied; nothing is renamed");
  }
  RemoveObjects(from, names);
  NoteChangeOnNetwork();
  return CE_None;
}

/// The overviews of an array that is a store are named after the store. Those of older programs are found only by this
/// name.
void RenameOverviewsOfRoot(const WholeStore& from, const std::string& target) {
  if (from.kind != WholeStore::Kind::kFolder) return;
  for (const std::string_view name : zarr::kRootDocuments) {
    const std::string document = target + "/" + std::string(name);
    if (LookAt(document) != Presence::kFile || NotesNameOfOverviews(document)) continue;
    RenameOverviewFiles(document, GetBaseName(from.path), GetBaseName(target));
  }
}

/// Tells the larger store, in which the new place of a store may lie, and the names of overviews.
CPLErr TellOfNewPlace(const WholeStore& from, const std::string& target) {
  const auto above = from.kind == WholeStore::Kind::kFolder ? FindPlaceAbove(target) : std::nullopt;
  if (above) TellStoreAbove(*above);
  RenameOverviewsOfRoot(from, target);
  return CE_None;
}

void DeleteOrThrow(const char* name) {
  const bool in_passing = IsRemovedInPassing(name);
  const DatasetName parsed = ParseDatasetName(name);
  // GDAL deletes the target of a creation if a driver recognizes its name. It may not exist.
  if (NamesNothing(parsed) || (in_passing && IsLetGoInPlace(parsed.store))) return;
  const WholeStore whole = FindWholeStore(name, in_passing ? WholeStoreUse::kReplace : WholeStoreUse::kRemove);
  // A copy that failed may have left nothing: an archive appears only when it is complete.
  if (whole.kind == WholeStore::Kind::kAbsent && CopyInProgress::IsRunning()) return;
  if (!HasZarrPrefix(name)) CheckIsThere(whole);
  if (!in_passing || !LetGo(name, whole)) RemoveWholeStore(whole);
}

}  // namespace

CPLErr Delete(const char* name) {
  return GuardChange([&] {
    // GDAL removes what a failed copy has left. If that fails too, the user still has to know why the copy failed.
    const bool follows_failure = CopyInProgress::IsRunning() && CPLGetLastErrorType() == CE_Failure;
    if (!follows_failure || IsRemovedInPassing(name)) return DeleteOrThrow(name), CE_None;
    const ErrorCollector quiet;
    return TryChange([&] { DeleteOrThrow(name); }) ? CE_None : CE_Failure;
  });
}

CPLErr Rename(const char* to, const char* from) {
  return GuardChange([&] {
    ForgetIdentified();
    const WholeStore whole = GetWholeStore(from, WholeStoreUse::kRename);
    const std::string target = GetTarget(whole, to);
    CheckApart(whole.path, target);
    CheckNothingIn(target);
    const bool are_objects = whole.is_folder() && IsFlat(whole.path) && IsFlat(target);
    const CPLErr result =
        are_objects ? MoveObjects(whole.path, target)
                    : GetResult("rename", whole.path, [&] { return VSIRename(whole.path.c_str(), target.c_str()); });
    return result == CE_None ? TellOfNewPlace(whole, target) : result;
  });
}

CPLErr CopyFiles(const char* to, const char* from) {
  return GuardChange([&] {
    ForgetIdentified();
    const WholeStore whole = GetWholeStore(from, WholeStoreUse::kCopy);
    const std::string source = whole.path + (whole.is_folder() ? "/" : "");
    // Some versions of GDAL cannot create a folder whose name does not contain a parent folder.
    const std::string given = GetTarget(whole, to);
    const std::string target = given.find('/') == std::string::npos ? "./" + given : given;
    CheckApart(whole.path, target);
    CheckNothingIn(target);
    const CPLErr result = CopyAll(whole.path, source, target);
    return result == CE_None ? TellOfNewPlace(whole, target) : result;
  });
}

}  // namespace gdal_zarr
