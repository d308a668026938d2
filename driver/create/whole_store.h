// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/store/store.h"

/// Specifies what may be removed, moved, copied as a store, or replaced: a store that gdalinfo recognizes by its plain
/// name, and whose own documents at the root can be read. `FindWholeStore` decides for all calls:
///
///     the path is                        Delete          Rename      CopyFiles   Create, CreateCopy over it [1]
///     missing                            error [2]       error       error       a new store
///     an empty folder                    error           error       error       a new store in it
///     foreign files                      error           error       error       error
///     a store                            removed [3]     moved       copied      replaced; error with foreign files
///     ... with a damaged node            error           moved       copied      error
///     ... that is open in this process   error           error       copied      error
///     ... whose own document is damaged  error           error       error       error
///     a folder that contains stores      error           error       error       error
///     an implied group                   error           error       error       error
///     a node of a larger store           removed from it error       error       error
///     a link to any of them              error           error       like it     error
///     an archive of one store            removed         moved       copied      replaced
///     an archive of other content        error           error       error       error
///     a file of references               removed         moved       copied      replaced
///     ... in Parquet                     removed [3]     moved       copied      replaced; error with foreign files
///     an Icechunk repository             error           error       error       error
///     a remote store                     removed [3]     moved [4]   copied      replaced [5]
///
/// [1] GDAL removes the target before it creates it again (see LetGo). Some versions do not remove a folder that is
/// given by its plain name; this is an error then. If the call fails, the old store is kept. With APPEND_SUBDATASET
/// nothing is replaced.
/// [2] Not an error for a name that begins with "ZARR:", because GDAL deletes it before it creates a store.
/// [3] Everything that metadata does not name is kept, with a warning: other files, implied groups.
/// [4] In an object store, copied whole before the old objects are removed; elsewhere, if GDAL can rename there.
/// [5] Removed when the request for the new store has been checked, or when new references are complete; not restored
/// on failure. A file of references is replaced in one step.
///
/// GDALGroup::DeleteGroup and DeleteMDArray follow the same rule for nodes (zarr::ReadRemovable). `gdal mdim convert
/// --overwrite` removes its target itself, whatever it is, without calling a driver.
namespace gdal_zarr {

/// The use of a whole store.
enum class WholeStoreUse { kRemove, kRename, kCopy, kReplace };

/// A dataset's name as a whole store.
struct WholeStore {
  enum class Kind {
    kAbsent,
    kUnmade,      ///< What stopped processes leave: a folder that contains only temporary files, or nothing any more.
    kFolder,      ///< A store's folder.
    kNode,        ///< The folder of a node of a larger store.
    kArchive,     ///< An archive that contains only a store.
    kReferences,  ///< A file of references.
    kParquet,     ///< A folder of references in Parquet.
  };
  Kind kind = Kind::kAbsent;
  std::string path;                                   ///< Path of the folder, the archive, or the file.
  std::optional<std::string> folder_in_archive = {};  ///< kArchive: the store's folder in it.
  std::shared_ptr<zarr::Store> store = {};            ///< All but archives and files: the folder's store.
  std::optional<zarr::NodeTree> tree = std::nullopt;  ///< kFolder and kNode: the nodes of the store.
  std::string above = {};                             ///< kNode: the larger store.
  std::string node = {};                              ///< kNode: the path there.

  bool is_folder() const { return tree.has_value() || kind == Kind::kUnmade || kind == Kind::kParquet; }
};

/// Finds the whole store of that name for a use. Throws zarr::Error, with a description of what exists there, unless
/// the table above allows the use. Only changes the remains of stopped processes.
WholeStore FindWholeStore(const std::string& name, WholeStoreUse use);

}  // namespace gdal_zarr
