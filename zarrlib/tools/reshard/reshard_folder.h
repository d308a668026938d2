// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/array/array.h"
#include "zarrlib/store/os/posix_file.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// The names of the folders in which `reshard` works begin with this, followed by the name of the array. They are
/// beside the array, and no reader of this library sees them.
inline constexpr std::string_view kReshardPrefix = ".zarr-tmp-reshard-";

/// The folder in which an array is made anew, until it takes the array's place in one step:
///
///     <folder>/reshard.json   what zarrkit does there
///     <folder>/lock           held for as long as a process is at work
///     <folder>/array          the new array; once it has taken its place, the old one
///     <folder>/old            the old array, in file systems that do not exchange folders in one step
///
/// At each instant, the array under its name is the old or the new one, and complete; except between two renames, in
/// file systems that cannot exchange folders: then `Clear` completes the work. The stored consolidated metadata are
/// removed before the step and written anew after it, so that they never describe the other array.
class ReshardFolder {
 public:
  /// Makes the folder, or takes over the one that an interrupted run left. Throws Error: io if another process works
  /// there, invalid_argument for a folder that zarrkit has not made.
  ReshardFolder(std::shared_ptr<Store> store, std::string_view path);
  /// The folder stays as it is.
  ~ReshardFolder() = default;

  /// Whether there is such a folder for an array.
  static bool Exists(const Store& store, std::string_view path);
  static std::string GetKey(std::string_view path);

  /// The path of the new array.
  std::string array_path() const { return JoinKey(folder_, "array"); }
  /// Puts the new array with its documents in the place of the old one, and moves the files of other people from the
  /// old array's folder to the new one's. The caller keeps writers out of the old array.
  void Swap(const Array& old_array, const std::vector<MetadataDocument>& documents);
  /// Completes or undoes the work that is found, depending on how far it got, and removes the folder. Returns whether
  /// the array has been replaced. Throws Interrupted if InterruptWatch notes a signal while files are removed, which
  /// may be many: then the array is whole, and the next call removes the rest.
  bool Clear();

 private:
  struct State {
    bool swapping = false;
    bool consolidated = false;
    bool v3 = false;
  };
  std::string GetPath(std::string_view key) const;
  void Lock();
  void CheckOwn();
  void Save();
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
