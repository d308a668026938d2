// SPDX-License-Identifier: MIT
#include "zarrlib/tools/arguments.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "zarrlib/hierarchy/store_above.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/icechunk/icechunk_store.h"
#include "zarrlib/store/icechunk/repository.h"
#include "zarrlib/store/zip/local_archive_file.h"
#include "zarrlib/store/zip/new_zip_store.h"
#include "zarrlib/store/zip/zip_store.h"
#include "zarrlib/tools/help/help.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;

/// Parses the path of a node, "a/b" or "/a/b".
std::string ParsePath(const std::string& option, const std::string& text) {
  const std::size_t first = text.find_first_not_of('/');
  if (first == std::string::npos) return "";
  std::string path = text.substr(first, text.find_last_not_of('/') + 1 - first);
  if (!IsKey(path)) throw UsageError{option + ": expected the path of an array in the store, got " + text};
  return path;
}

/// Returns true if a file starts like a ZIP archive.
bool IsZipFile(const fs::path& path) {
  char start[2] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof(start));
  return start[0] == 'P' && start[1] == 'K';
}

std::shared_ptr<Store> OpenNewArchive(const std::string& path) {
  const auto fail = [&](const char* message) { throw Error(ErrorKind::kInvalidArgument, path, "", "", message); };
  std::error_code error;
  const fs::path file = ToPath(path);
  if (fs::exists(fs::symlink_status(file, error))) {
    fail("here is something already: a new archive needs a name that is free");
  }
  if (!fs::is_directory(GetFolder(file), error)) fail("there is no such folder to write an archive to");
  // Metadata change until the end, and are written to the archive once.
  const auto is_document = [](std::string_view key) { return IsMetadataName(key.substr(key.rfind('/') + 1)); };
  try {
    return std::make_shared<NewZipStore>(path, "", std::make_unique<LocalArchiveFile>(path), is_document);
  } catch (const Error& unnamed) {
    throw unnamed.At(path, "");
  }
}

/// Throws Error(not_found). Inside a store, suggests similar nodes.
[[noreturn]] void FailMissing(const std::string& path) {
  const std::string generic = ToText(ToPath(path));  // with "/" between the folders
  CheckNodeInStoreAbove(generic, [](const std::string& folder) { return std::make_shared<FilesystemStore>(folder); });
  throw Error(ErrorKind::kNotFound, path, "", "", "there is no such folder");
}

}  // namespace

Arguments::Arguments(std::vector<std::string> all) : all_(std::move(all)) {
  const auto end = std::ranges::find(all_, "--");
  if (end == all_.end()) return;
  rest_.assign(end + 1, all_.end());
  all_.erase(end, all_.end());
}

bool Arguments::TakeFlag(std::string_view name) {
  known_.emplace_back(name);
  const auto found = std::find(all_.begin(), all_.end(), name);
  if (found == all_.end()) return false;
  all_.erase(found);
  return true;
}

std::optional<std::string> Arguments::TakeOption(const std::string& name) {
  auto value = TakeFirst(name);
  if (value && TakeFirst(name)) throw UsageError{name + " is given twice"};
  return value;
}

std::vector<std::string> Arguments::TakeOptions(const std::string& name) {
  std::vector<std::string> values;
  while (auto value = TakeFirst(name)) values.push_back(*std::move(value));
  return values;
}

std::optional<std::string> Arguments::TakePath(const std::string& name) {
  const auto text = TakeOption(name);
  return text ? std::optional(ParsePath(name, *text)) : std::nullopt;
}

std::string Arguments::TakeArray() {
  auto path = TakePath();
  if (!path) throw UsageError{"--array is needed"};
  return *std::move(path);
}

std::optional<Shape> Arguments::TakeNumbers(const std::string& name, std::uint64_t least) {
  const auto text = TakeOption(name);
  return text ? std::optional(ParseNumbers(name, *text, least)) : std::nullopt;
}

void Arguments::TakeNothing() {
  CheckNoOptions();
  if (!all_.empty()) throw UsageError{"expected no more arguments, got " + all_[0]};
}

std::string Arguments::TakeStore() {
  CheckNoOptions();
  if (all_.empty()) throw UsageError{"expected a store, got none"};
  if (all_.size() > 1) throw UsageError{"expected one store, got " + all_[0] + " and " + all_[1]};
  return all_[0];
}

std::vector<std::string> Arguments::TakeFiles() {
  CheckNoOptions();
  if (all_.empty()) throw UsageError{"expected files, got none"};
  return std::exchange(all_, {});
}

std::string Arguments::TakeOutput(const std::string& what) {
  CheckNoOptions();
  if (all_.size() < 2) throw UsageError{"expected a store and " + what + ", got too few arguments"};
  std::string output = all_.back();
  all_.pop_back();
  return output;
}

void Arguments::CheckNoOptions() {
  if (std::exchange(is_checked_, true)) return;  // what was behind "--" is among the others by now
  for (const std::string& argument : all_) {
    if (!argument.starts_with("-") || argument == "-") continue;
    const std::string name = argument.substr(0, argument.find('='));
    const bool is_known = std::ranges::find(known_, name) != known_.end();
    if (is_known) throw UsageError{name + (name == argument ? " is given twice" : " takes no value")};
    throw UsageError{"unknown option " + argument + SuggestName(known_, name)};
  }
  AddRest();
}

void Arguments::AddRest() {
  all_.insert(all_.end(), rest_.begin(), rest_.end());
  rest_.clear();
}

std::optional<std::string> Arguments::TakeFirst(const std::string& name) {
  known_.push_back(name);
  for (auto argument = all_.begin(); argument != all_.end(); ++argument) {
    std::string value;
    if (argument->starts_with(name + "=")) {
      value = argument->substr(name.size() + 1);
      all_.erase(argument);
    } else if (*argument == name) {
      if (argument + 1 == all_.end()) throw UsageError{name + " needs a value"};
      value = argument[1];
      all_.erase(argument, argument + 2);
    } else {
      continue;
    }
    if (value.empty()) throw UsageError{name + " needs a value"};
    return value;
  }
  return std::nullopt;
}

Shape ParseNumbers(const std::string& option, const std::string& text, std::uint64_t least) {
  const auto fail = [&](const std::string& expected) {
    throw UsageError{option + ": expected " + expected + ", got " + text};
  };
  Shape numbers;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (numbers.size() < kMaxRank) {
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(p, end, number);
    if (parsed.ec == std::errc::result_out_of_range) fail("numbers below 2^64");
    if (parsed.ec != std::errc()) break;
    if (number < least) fail("numbers of at least " + std::to_string(least));
    numbers.push_back(number);
    if (parsed.ptr == end) return numbers;
    if (*parsed.ptr != ',') break;
    p = parsed.ptr + 1;
  }
  fail("numbers with commas between them");
  return numbers;
}

bool IsNameForGdal(std::string_view argument) {
  if (argument.starts_with("-") || argument.starts_with("file://")) return false;
  return argument.starts_with("/vsi") || argument.starts_with("ZARR:") || argument.starts_with("ICECHUNK:") ||
         argument.find("://") != argument.npos;
}

std::string ParseStoreName(const std::string& name) {
  constexpr std::string_view kSchemes[] = {"file", "http", "https", "s3", "gs", "gcs", "az", "abfs", "oss", "swift"};
  if (name.empty()) throw UsageError{"expected a store, got an empty name"};
  const std::size_t end = name.find("://");
  const bool is_url =
      end != std::string::npos && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+.-") == end;
  if (!is_url) return name;
  const std::string scheme = name.substr(0, end);
  const std::string_view place = std::string_view(name).substr(end + 3);
  if (std::ranges::find(kSchemes, scheme) == std::end(kSchemes)) {
    std::string list;
    for (const std::string_view known : kSchemes) list.append(list.empty() ? "" : ", ").append(known).append("://");
    throw UsageError{FormatExpectedGot("a folder, or a URL of " + list, name)};
  }
  if (place.find_first_not_of('/') == std::string::npos) {
    throw UsageError{FormatExpectedGot("a URL that names a store", name)};
  }
  if (scheme != "file") return name;
  if (place.starts_with("/")) return std::string(place);
  constexpr std::string_view kHost = "localhost/";
  if (place.starts_with(kHost)) return std::string(place.substr(kHost.size() - 1));
  throw UsageError{FormatExpectedGot("file:///path of this machine", name)};
}

namespace {

/// Opens the last snapshot of a repository, without virtual chunks.
std::shared_ptr<Store> OpenRepository(const std::string& path, std::shared_ptr<const Store> folder) {
  const auto repository = std::make_shared<const Repository>(std::move(folder));
  return std::make_shared<IcechunkStore>(path, repository, repository->FindSnapshot({}), ChunkOptions());
}

}  // namespace

std::shared_ptr<Store> OpenStore(const std::string& path) {
  std::error_code error;
  const fs::path file = ToPath(path);
  const auto status = fs::status(file, error);
  if (fs::is_directory(status)) {
    auto store = std::make_shared<FilesystemStore>(path);
    return Repository::IsIn(*store) ? OpenRepository(path, std::move(store)) : std::move(store);
  }
  if (!fs::exists(status)) FailMissing(path);
  if (!path.ends_with(".zip") && !IsZipFile(file)) {
    throw Error(ErrorKind::kNotFound, path, "", "",
                "this is no folder, and no ZIP archive; kerchunk references are named ZARR:\"" + path + "\"");
  }
  return std::make_shared<ZipStore>(path, std::make_shared<FilesystemStore>(ToText(GetFolder(file))),
                                    ToText(file.filename()), "");
}

std::shared_ptr<Store> OpenNewStore(const std::string& name) {
  const std::string path = name.starts_with("file://") ? ParseStoreName(name) : name;
  if (IsNameForGdal(path)) throw UsageError{"expected a local folder to write to, got " + path};
  if (path.empty()) throw UsageError{"expected a folder to write to, got an empty name"};
  std::error_code error;
  const auto status = fs::status(ToPath(path), error);
  if (path.ends_with(".zip") && !fs::is_directory(status)) return OpenNewArchive(path);
  if (fs::exists(status) && !fs::is_directory(status))
    throw Error(ErrorKind::kInvalidArgument, path, "", "", "this is no folder");
  return std::make_shared<FilesystemStore>(path);
}

}  // namespace zarr::tools
