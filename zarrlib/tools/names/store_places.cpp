// SPDX-License-Identifier: MIT
#include "zarrlib/tools/names/store_places.h"

#include <filesystem>
#include <system_error>

#include "zarrlib/base/error.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

void CheckApart(const std::string& old_store, const std::string& new_store) {
  namespace fs = std::filesystem;
  const auto is_in = [](const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
  };
  const fs::path from = fs::weakly_canonical(ToPath(old_store));
  const fs::path to = fs::weakly_canonical(ToPath(new_store));
  if (!is_in(from, to) && !is_in(to, from)) return;
  throw Error(ErrorKind::kInvalidArgument, new_store, "", "",
              "the new store must have a folder apart from the old one");
}

std::optional<StoreAbove> FindLocalStoreAbove(const std::string& store) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::canonical(ToPath(store), error);
  if (error || !fs::is_directory(folder, error)) return std::nullopt;
  return FindStoreAbove(ToText(folder),
                        [](const std::string& above) { return std::make_shared<FilesystemStore>(above); });
}

bool IsNewArchive(const Store& store) {
  return store.info().needs_finish;
}

}  // namespace zarr::tools
