// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/file_names.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "zarrlib/base/system/posix/retry.h"
#include "zarrlib/base/system/which_system.h"

namespace zarr {

bool MakeFolder(const std::string& path) {
  return Retry([&] { return ::mkdir(path.c_str(), 0777); }) == 0;
}

bool RemoveFile(const std::string& path) {
  return ::unlink(path.c_str()) == 0;
}

bool RemoveFolder(const std::string& path) {
  return ::rmdir(path.c_str()) == 0;
}

bool Rename(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

bool Exchange([[maybe_unused]] const std::string& first, [[maybe_unused]] const std::string& second) {
#if defined(ZARR_LINUX) && defined(RENAME_EXCHANGE)
  if (::renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno == ENOSYS || errno == EINVAL || errno == EXDEV) errno = ENOTSUP;
  return false;
#elif defined(RENAME_SWAP)
  return ::renamex_np(first.c_str(), second.c_str(), RENAME_SWAP) == 0;
#else
  errno = ENOTSUP;
  return false;
#endif
}

bool AddName(const std::string& path, const std::string& name) {
  if (::link(path.c_str(), name.c_str()) == 0) return true;
  // Linux answers EPERM for a file system without links.
  if (errno == EPERM || errno == ENOSYS || errno == EMLINK) errno = ENOTSUP;
  return false;
}

bool GiveName([[maybe_unused]] const File& unnamed, [[maybe_unused]] const std::string& name) {
#ifdef ZARR_LINUX
  // This way is documented in linkat(2). AT_EMPTY_PATH needs privileges in Linux before 6.10.
  const std::string path = "/proc/self/fd/" + std::to_string(unnamed.get());
  return ::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
#else
  errno = ENOTSUP;
  return false;
#endif
}

bool MayChangeNamesIn(const std::string& folder) {
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

std::string FindNameFault(const std::string&) {
  return "";
}

#ifdef __APPLE__

/// realpath() keeps the case of the path that it is given.
std::optional<std::string> GetRealPath(const std::string& path) {
  const File file(Retry([&] { return ::open(path.c_str(), O_EVTONLY | O_CLOEXEC); }));
  char real[MAXPATHLEN];
  if (!file.is_open() || ::fcntl(file.get(), F_GETPATH, real) != 0) return std::nullopt;
  return real;
}

#else

std::optional<std::string> GetRealPath(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &std::free);
  if (!real) return std::nullopt;
  return real.get();
}

#endif

std::string GetCanonicalPath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) return path;
  // If the whole path exists, the system's own function is several times faster.
  if (auto real = GetRealPath(absolute.string())) return *std::move(real);
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
  std::string text = error ? absolute.lexically_normal().string() : canonical.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::vector<std::string> GetTemporaryFolders() {
  const char* const chosen = std::getenv("TMPDIR");
  // On many systems, /tmp is in memory.
  std::vector<std::string> folders = {"/var/tmp", "/tmp"};
  if (chosen && *chosen != '\0') folders.insert(folders.begin(), chosen);
  return folders;
}

}  // namespace zarr
