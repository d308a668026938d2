// SPDX-License-Identifier: MIT
#include "zarrlib/tools/names/local_names.h"

#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/icechunk/repository.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;

/// Returns true if a file is a JSON object, or the repo info file of a repository.
bool IsFileForGdal(const fs::path& path) {
  std::string begin(kIcechunkMagic.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  const std::size_t first = begin.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return begin == kIcechunkMagic || (first != std::string::npos && begin[first] == '{');
}

bool IsFolderForGdal(const std::string& path) {
  const FilesystemStore store(path);
  if (Repository::IsIn(store)) return true;
  if (store.Exists(kV2Group) || store.Exists(kV3Document)) return false;
  const auto consolidated = store.GetText(kV2Consolidated);
  return consolidated && IsOfParquetReferences(*consolidated);
}

bool MayBeForGdal(const std::string& name) {
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  if (fs::is_regular_file(status)) return IsFileForGdal(name);
  if (fs::is_directory(status)) return IsFolderForGdal(name);
  const std::size_t query = name.rfind('?');
  return query != std::string::npos && query > 0 && name.find('=', query) != std::string::npos &&
         fs::exists(name.substr(0, query), error);
}

}  // namespace

bool IsLocalNameForGdal(const char* argument) noexcept {
  try {
    return argument[0] != '\0' && argument[0] != '-' && MayBeForGdal(argument);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace zarr::tools
