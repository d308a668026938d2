// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/system/file.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// The prefix of the folders in which `reshard` works; it is followed by the name of the array. They are next to the
/// array, and hidden from readers that use this library.
inline constexpr std::string_view kReshardPrefix = ".zarr-tmp-reshard-";

/// The folder in which a new array is written, until it replaces the old one atomically:
///
///     <folder>/reshard.json   the state of the work
///     <folder>/lock           locked while a process is working
///     <folder>/array          the new array; after the replacement, the old one
///     <folder>/old            the old array, in file systems that cannot exchange folders atomically
///
/// The array's path always contains the complete old or new array, except between two renames in file systems that
/// cannot exchange folders: `Clear` then completes the work. The stored consolidated metadata are removed before the
/// replacement and written again after it, so that they never describe the other array.
class ReshardFolder {
 public:
  /// Creates the folder, or takes over the folder of an interrupted run. Throws Error: io if another process is working
  /// there, invalid_argument for a folder that was not created by zarrkit.
  ReshardFolder(std::shared_ptr<Store> store, std::string_view path);
  /// Does not change the folder.
  ~ReshardFolder() = default;

  /// Returns true if there is such a folder for an array.
  static bool Exists(const Store& store, std::string_view path);
  static std::string GetKey(std::string_view path);

  /// Returns the path of the new array.
  std::string array_path() const { return JoinKey(folder_, "array"); }
  /// Throws Error(io) if the consolidated metadata of a group above the array, which has that format, cannot be
  /// replaced. Call this before the work.
  void CheckTakesChanges(ZarrFormat format);
  /// Replaces the old array with the new one and its documents, and moves unrelated files from the old array's folder
  /// to the new one. The caller must exclude writers of the old array.
  void Swap(const Array& old_array, const std::vector<MetadataDocument>& documents);
  /// Completes or undoes the work, depending on how far it got, and removes the folder. Returns true if the array has
  /// been replaced. Throws Interrupted if InterruptWatch records a signal while files are removed, which may be many:
  /// the array is then intact, and the next call removes the rest.
  bool Clear();

 private:
  struct State {
    bool swapping = false;
    std::vector<std::string> consolidated;  // the groups that had consolidated metadata
    bool v3 = false;
  };
  std::string GetPath(std::string_view key) const;
  void Lock();
  void CheckOwn();
  /// Takes the store and the path under which the work began, which may be those of a larger store, or of a group's
  /// folder. Throws Error(corrupt) if the state is that of another array.
  void TakePlaceOf(const JsonNode& state);
  void Save();
  std::vector<std::string> FindConsolidated() const;
  void DropConsolidated();
  void RestoreConsolidated();
  bool HasArray(std::string_view path) const;

  std::shared_ptr<Store> store_;
  std::string path_;
  std::string folder_;
  State state_;
  std::optional<File> lock_;
};

}  // namespace zarr::tools
