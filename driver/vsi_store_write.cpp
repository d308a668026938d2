#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "driver/vsi_store.h"
#include "driver/vsi_store_call.h"

namespace gdal_zarr {
namespace {

/// The folder of a path.
std::string FolderOf(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

/// A name that is no key of the store, and no other call's in this process: memory is the process's own.
std::string TemporaryPath(const std::string& folder) {
  static std::atomic<std::uint64_t> count{0};
  return folder + "/.zarr-tmp-" + std::to_string(count.fetch_add(1));
}

}  // namespace

bool VsiStore::takes_writes() const {
  switch (kind_) {
    case Kind::kLocal:
      return true;
    case Kind::kVirtual:
      // Archives take each value once only; metadata change more often.
      return root_.starts_with("/vsimem/");
    case Kind::kNetwork:
      return !root_.starts_with("/vsicurl") && VSISupportsSequentialWrite(root_.c_str(), true);
  }
  return false;
}

void VsiStore::WriteFile(const Call& call, const std::string& path, zarr::ByteSpan value) const {
  errno = 0;
  VSILFILE* file = VSIFOpenExL(path.c_str(), "wb", TRUE);
  if (!file) call.FailIo("cannot be written");
  const bool written = value.empty() || VSIFWriteL(value.data(), 1, value.size(), file) == value.size();
  // What is sent over a network is sent, or refused, at the latest now.
  const bool closed = VSIFCloseL(file) == 0;
  if (!written || !closed) call.FailIo("cannot be written whole");
}

void VsiStore::Set(std::string_view key, zarr::ByteSpan value) {
  zarr::CheckKey(key);
  const Call call(*this, key);
  if (!takes_writes()) call.Fail(zarr::ErrorKind::kReadOnly, "the store takes no writes");
  const std::string path = call.path();
  if (kind_ == Kind::kNetwork) {
    // Object stores show a value when all of it is there.
    WriteFile(call, path, value);
    return;
  }
  const std::string folder = FolderOf(path);
  if (VSIMkdirRecursive(folder.c_str(), 0755) != 0) call.FailIo("its folder cannot be made");
  const std::string temporary = TemporaryPath(folder);
  try {
    WriteFile(call, temporary, value);
    if (VSIRename(temporary.c_str(), path.c_str()) != 0) call.FailIo("cannot be put in its place");
  } catch (...) {
    VSIUnlink(temporary.c_str());
    throw;
  }
}

void VsiStore::Erase(std::string_view key) {
  zarr::CheckKey(key);
  const Call call(*this, key);
  if (!takes_writes()) call.Fail(zarr::ErrorKind::kReadOnly, "the store takes no writes");
  if (VSIUnlink(call.path()) != 0 && Exists(key)) call.FailIo("cannot be removed");
}

}  // namespace gdal_zarr
