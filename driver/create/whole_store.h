// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/store/store.h"

/// What may be removed, moved, copied as a store, or replaced: a store that gdalinfo recognises by its plain name, and
/// whose own documents at the root can be read. `FindWholeStore` decides for all calls:
///
///     what is there                      Delete          Rename      CopyFiles   Create, CreateCopy over it [1]
///     nothing                            error [2]       error       error       a new store
///     an empty folder                    error           error       error       a new store in it
///     foreign files                      error           error       error       error
///     a store                            goes [3]        moves       is copied   is replaced; error with foreign files
///     ... a node of which is damaged     error           moves       is copied   error
///     ... that is open in this process   error           error       is copied   error
///     ... whose own document is damaged  error           error       error       error
///     a folder that holds stores         error           error       error       error
///     an implied group                   error           error       error       error
///     a node of a larger store           goes from it    error       error       error
///     a link to any of them              error           error       as it       error
///     an archive of one store            goes            moves       is copied   is replaced
///     an archive of other things         error           error       error       error
///     a file of references               goes            moves       is copied   is replaced
///     a store on a network               goes [3]        moves [4]   is copied   is replaced [5]
///
/// [1] GDAL removes what it is about to make anew (see LetGo), but in some versions no folder that is given by its
/// plain
///     name, which then is an error. What was there stays if the call fails. With APPEND_SUBDATASET nothing is
///     replaced.
/// [2] No error for a name that begins with "ZARR:": GDAL deletes it before it makes a store.
/// [3] What no metadata name stays, and a warning names it: other files, implied groups.
/// [4] If GDAL can rename there.
/// [5] It is removed when the request for the new one has been checked, and does not come back.
///
/// GDALGroup::DeleteGroup and DeleteMDArray follow the same rule for nodes (zarr::ReadRemovable). `gdal mdim convert
/// --overwrite` removes its target itself, whatever it is, and asks no driver.
namespace gdal_zarr {

/// What is done to a whole store.
enum class WholeStoreUse { kRemove, kRename, kCopy, kReplace };

/// What a dataset's name means as a whole store.
struct WholeStore {
  enum class Kind {
    kAbsent,
    kUnmade,      ///< A folder that holds nothing but temporary files of a process that was stopped.
    kFolder,      ///< A store's folder.
    kNode,        ///< The folder of a node of a larger store.
    kArchive,     ///< An archive that holds nothing but a store.
    kReferences,  ///< A file of references.
  };
  Kind kind = Kind::kAbsent;
  std::string path;                                   ///< Of the folder, the archive, or the file.
  std::optional<std::string> folder_in_archive = {};  ///< Of kArchive: where the store is in it.
  std::shared_ptr<zarr::Store> store = {};            ///< Of kUnmade, kFolder and kNode.
  std::optional<zarr::NodeTree> tree = std::nullopt;  ///< Of kFolder and kNode: what belongs to it.
  std::string above = {};                             ///< Of kNode: the larger store,
  std::string node = {};                              ///< and the path there.

  bool is_folder() const { return tree.has_value() || kind == Kind::kUnmade; }
};

/// Finds the whole store of that name for a use. Throws zarr::Error, which says what is there, unless it may be used so
/// by the table above. Changes nothing but what stopped processes have left.
WholeStore FindWholeStore(const std::string& name, WholeStoreUse use);

}  // namespace gdal_zarr
