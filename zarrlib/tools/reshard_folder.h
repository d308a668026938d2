#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/array/array.h"
#include "zarrlib/store/posix_file.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// What the name starts with of a folder in which `reshard` works; the array's name follows. It is beside the array,
/// and no reader of this library sees it.
inline constexpr std::string_view kReshardPrefix = ".zarr-tmp-reshard-";

/// The folder in which one array is made anew, until it takes the array's place in one step:
///
///     <folder>/reshard.json   what zarrkit does there
///     <folder>/lock           held for as long as a process is at work
///     <folder>/array          the new array; once it has taken its place, the old one
///     <folder>/old            the old array, in file systems that do not exchange folders in one step
///
/// At each instant the array under its name is the old or the new one, both whole, but between two renames in those
/// file systems; then `Clear` completes it. The stored consolidated metadata are taken away before the step, so that
/// they never describe the other array, and written anew behind it.
class ReshardFolder {
 public:
  /// Makes the folder, or takes over what was left. Throws Error: io if another process works there, invalid_argument
  /// for a folder that zarrkit has not made.
  ReshardFolder(std::shared_ptr<Store> store, std::string_view path);
  /// Leaves the folder as it is.
  ~ReshardFolder() = default;

  /// Whether there is one for that array.
  static bool Exists(const Store& store, std::string_view path);
  static std::string KeyOf(std::string_view path);

  /// Where the new array is made.
  std::string array_path() const { return JoinKey(folder_, "array"); }
  /// Puts the new array, with its documents, in the place of the old one. What stands in the array's folder that is
  /// not the array's moves along.
  void Swap(const Array& old_array, const std::vector<MetadataDocument>& documents);
  /// Completes or takes back what is there, as far as it got, and removes the folder. Returns whether the array that is
  /// under its name now is another one than when this began.
  bool Clear();

 private:
  struct State {
    bool swapping = false;
    bool consolidated = false;
    bool v3 = false;
  };
  std::string PathOf(std::string_view key) const;
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
  File lock_{-1};
};

}  // namespace zarr::tools
