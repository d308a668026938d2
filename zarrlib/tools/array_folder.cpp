// SPDX-License-Identifier: MIT
#include "zarrlib/tools/array_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/files/folder_names.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/temporary_names.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;

/// Calls `visit` with each entry below a folder that is not a folder itself, and with its relative name. Does not
/// follow links.
template <typename Visit>
void Walk(const fs::path& folder, const std::string& prefix, const Visit& visit) {
  std::error_code error;
  const std::vector<std::string> names = ListNames(ToText(folder / ToPath(prefix)), &error);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw Error(ErrorKind::kIo, ToText(folder), prefix, "", "cannot list: " + error.message());
  }
  for (const std::string& last : names) {
    const std::string name = prefix + last;
    const fs::directory_entry entry(folder / ToPath(name), error);
    if (fs::is_directory(entry.symlink_status())) {
      Walk(folder, name + "/", visit);
    } else {
      visit(name, entry);
    }
  }
}

void Place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error))) return;
  fs::create_directories(to.parent_path());
  if (fs::is_symlink(fs::symlink_status(from))) return fs::copy_symlink(from, to);
  fs::create_hard_link(from, to, error);
  if (error) fs::copy(from, to);
}

}  // namespace

ArrayFolder::ArrayFolder(const Store& store, const ArrayMetadata& metadata)
    : root_(store.name()), encoding_(metadata.chunk_key_encoding), rank_(metadata.shape.size()) {
  if (metadata.zarr_format == ZarrFormat::kV3) {
    documents_ = {std::string(kV3Document)};
  } else {
    documents_ = {std::string(kV2Array), std::string(kV2Attributes)};
  }
}

bool ArrayFolder::IsOwn(std::string_view name) const {
  if (std::find(documents_.begin(), documents_.end(), name) != documents_.end()) return true;
  return encoding_.Parse(name, rank_).has_value();
}

void ArrayFolder::CheckReplaceable(const std::string& path) const {
  const auto fail = [&](const std::string& name, std::string message) {
    throw Error(ErrorKind::kUnsupported, root_, JoinKey(path, name), "", std::move(message));
  };
  Walk(ToPath(root_) / ToPath(path), "", [&](const std::string& name, const fs::directory_entry& entry) {
    if (entry.is_symlink() && entry.is_directory()) {
      fail(name, "this is a link to a folder; an array with chunks in another folder is not rewritten");
    }
    const std::string_view last = std::string_view(name).substr(name.rfind('/') + 1);
    const bool document =
        std::find(std::begin(kNodeDocuments), std::end(kNodeDocuments), last) != std::end(kNodeDocuments);
    if (document && last != name) fail(name, "this is another node in the folder of the array; move it away first");
  });
}

std::vector<std::string> ArrayFolder::FindOthers(const std::string& path) const {
  std::vector<std::string> others;
  Walk(ToPath(root_) / ToPath(path), "", [&](const std::string& name, const fs::directory_entry& entry) {
    const bool temporary = IsOwnTemporaryName(ToText(entry.path().filename()));
    if (!temporary && !IsOwn(name)) others.push_back(name);
  });
  return others;
}

void ArrayFolder::CopyOthers(const std::string& from, const std::string& to) const {
  const fs::path root = ToPath(root_);
  const auto find = [&](const std::string& folder, const std::string& name) {
    return root / ToPath(folder) / ToPath(name);
  };
  try {
    for (const std::string& name : FindOthers(from)) Place(find(from, name), find(to, name));
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorKind::kIo, root_, to, "", error.what());
  }
}

}  // namespace zarr::tools
