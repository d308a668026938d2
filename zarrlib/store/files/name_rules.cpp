// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/name_rules.h"

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "zarrlib/base/error.h"
#include "zarrlib/base/system/file_names.h"
#include "zarrlib/base/system/folder.h"

namespace zarr {
namespace {

bool IsLetter(char character) {
  return std::isalpha(static_cast<unsigned char>(character)) != 0;
}

std::string SwapCase(std::string text) {
  for (char& character : text) {
    const auto byte = static_cast<unsigned char>(character);
    character = static_cast<char>(std::isupper(byte) ? std::tolower(byte) : std::toupper(byte));
  }
  return text;
}

std::string ToLower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
  return text;
}

/// Returns true if a folder has an entry of that very name, or cannot be listed.
bool HasEntry(const std::string& path, std::string_view name) {
  Folder folder = Folder::Open(path);
  Folder::Entry entry;
  while (folder.is_open() && folder.Next(&entry)) {
    if (entry.name == name) return true;
  }
  return !folder.is_open() || errno != 0;  // unknown, which does not mean that there is none
}

/// Looks for each name with letters in its folder.
bool HasEntries(const std::string& root, std::string_view key) {
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    const std::string_view name = key.substr(begin, end - begin);
    const std::string folder = root + "/" + std::string(key.substr(0, begin));
    if (std::ranges::any_of(name, IsLetter) && !HasEntry(folder, name)) return false;
    begin = end + 1;
  }
  return true;
}

/// Checks the longest part of a key that exists.
void CheckHasOneSpelling(const std::string& root, std::string key) {
  const std::string folder = root + "/";
  while (!key.empty() && !GetStatus(folder + key, Links::kKeep)) {
    key.resize(key.find('/') == key.npos ? 0 : key.rfind('/'));
  }
  if (key.empty() || IsSpelledSo(root, key)) return;
  throw Error(ErrorKind::kInvalidArgument,
              FormatExpectedGot("a name that differs from those that exist in more than upper and lower case, which "
                                "this file system does not tell apart",
                                "\"" + key + "\""));
}

}  // namespace

bool FoldsCase(const std::string& folder) {
  const std::size_t name = folder.rfind('/') + 1;
  const std::string other = SwapCase(folder.substr(name));
  if (folder.ends_with(other) || !GetStatus(folder, Links::kKeep)) return kUsuallyFoldsCase;
  if (!GetStatus(folder.substr(0, name) + other, Links::kKeep)) return false;
  return !HasEntry(folder.substr(0, name), other);  // some systems give each name an identity of its own
}

bool IsSpelledSo(const std::string& root, std::string_view key) {
  if (std::ranges::none_of(key.substr(key.rfind('/') + 1), IsLetter)) return true;  // a chunk, for instance
  const std::string path = root + "/" + std::string(key);
  if (!kRealPathsHaveStoredCase) return !GetStatus(path, Links::kKeep) || HasEntries(root, key);
  const auto real = GetRealPath(path);
  if (!real || real->size() < key.size()) return true;
  const std::string end = real->substr(real->size() - key.size());
  return end == key || ToLower(end) != ToLower(std::string(key));  // a link may lead to any name
}

void CheckCanBeNamed(const std::string& root, std::string_view key, bool folds_case) {
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    const std::string name(key.substr(begin, end - begin));
    const std::string fault = FindNameFault(name);
    if (!fault.empty()) throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot(fault, "\"" + name + "\""));
    begin = end + 1;
  }
  if (folds_case) CheckHasOneSpelling(root, std::string(key));
}

}  // namespace zarr
