// SPDX-License-Identifier: MIT
#include "driver/create/let_go.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "driver/create/removal.h"
#include "driver/create/whole_store.h"
#include "driver/dataset/open_stores.h"
#include "driver/gdal/gdal_error.h"
#include "driver/stores/gdal_side_file.h"
#include "driver/stores/kerchunk/parquet_folder.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/vsi/look_at.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/compiler/thread_value.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/removable.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/filesystem_store.h"

namespace gdal_zarr {
namespace {

/// A store whose removal was deferred.
struct Released {
  std::string name;  ///< The name that GDAL will use in its call.
  std::string place;
  std::string path;
  std::string aside;     ///< Its temporary location; empty if it is still at `path`.
  bool is_used = false;  ///< A call that replaces it is running.
};

/// Removes the store at its temporary location. Does not call GDAL, which may have been unloaded when a thread ends.
void EraseAside(const std::string& aside) {
  std::error_code error;
  const std::filesystem::path path = zarr::ToPath(aside);
  if (!std::filesystem::is_directory(path, error)) {
    std::filesystem::remove(path, error);
    return;
  }
  zarr::FilesystemStore store(aside);
  if (ReadParquetDocument(store)) {
    zarr::EraseChosen(store, "", MakeParquetChooser(store));
  } else {
    zarr::RemoveTree(store, "", zarr::ReadRemovable(store, "", "removed"), IsGdalSideFile);
  }
  std::filesystem::remove(path, error);
}

void EraseAsideAnywhere(const std::string& aside) {
  if (!aside.starts_with("/vsi")) return EraseAside(aside);
  if (LookAt(aside) == Presence::kFolder) return TakeBackStore(aside);
  VSIUnlink(aside.c_str());
}

class ReleasedStores {
 public:
  ~ReleasedStores() {
    for (const Released& released : released_) {
      try {
        if (!released.aside.empty() && !released.aside.starts_with("/vsi")) EraseAside(released.aside);
      } catch (const std::exception&) {
        // The error cannot be reported any more.
      }
    }
  }

  Released* Find(const std::string& place) {
    const auto found = std::ranges::find(released_, place, &Released::place);
    return found == released_.end() ? nullptr : &*found;
  }
  /// Drops stores whose replacing call did not follow.
  void DropUnused() {
    std::erase_if(released_, [](const Released& released) { return !released.is_used && released.aside.empty(); });
  }
  void Add(Released released) { released_.push_back(std::move(released)); }
  void Drop(const std::string& place) {
    std::erase_if(released_, [&](const Released& released) { return released.place == place; });
  }

 private:
  std::vector<Released> released_;
};

ReleasedStores& GetReleasedStores() {
  return zarr::ThreadValue<ReleasedStores>::Get();
}

struct Identified {
  std::string name;
};

std::string& GetIdentified() {
  return zarr::ThreadValue<Identified>::Get().name;
}

/// Returns a free name in the folder of a path that no program interprets as a store.
std::string MakeNameBeside(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "" : path.substr(0, slash + 1);
  return folder + zarr::MakeTemporaryName() + "-was-" + path.substr(folder.size());
}

void Warn(const std::string& what, const Released& released) {
  CPLError(CE_Warning, CPLE_FileIO, "%s: %s: it is at %s", released.path.c_str(), what.c_str(), released.aside.c_str());
}

/// Throws zarr::Error(io).
void Move(const std::string& from, const std::string& to) {
  errno = 0;
  if (VSIRename(from.c_str(), to.c_str()) == 0) return;
  const int error_number = errno;
  const std::string reason = error_number == 0 ? "" : std::string(": ") + VSIStrerror(error_number);
  throw zarr::Error(zarr::ErrorKind::kIo, from, "", "", "cannot be moved to " + to + reason);
}

void MoveAside(Released* released) {
  const std::string aside = MakeNameBeside(released->place);  // absolute, because the working directory may change
  Move(released->path, aside);
  released->aside = aside;
}

void PutBack(const Released& released) {
  if (released.aside.empty() || LookAt(released.aside) == Presence::kAbsent) return;
  if (LookAt(released.path) == Presence::kFolder) VSIRmdir(released.path.c_str());
  if (LookAt(released.path) == Presence::kAbsent && VSIRename(released.aside.c_str(), released.path.c_str()) == 0) {
    return;
  }
  Warn("the store that was to be replaced cannot be put back", released);
}

void EraseForGood(const Released& released) {
  if (released.aside.empty()) return;
  const bool is_gone = TryChange([&] { EraseAsideAnywhere(released.aside); });
  if (!is_gone || LookAt(released.aside) != Presence::kAbsent) Warn("not all of the former store is removed", released);
}

}  // namespace

void NoteIdentified(const GDALOpenInfo& info) {
  // QuietDelete sets no flag, or in newer versions the flags of all kinds except one. Opening a dataset sets others.
  constexpr int kAnyKind = GDAL_OF_KIND_MASK & ~GDAL_OF_MULTIDIM_RASTER;
  const bool may_be_quiet = (info.nOpenFlags == 0 || info.nOpenFlags == kAnyKind) && MayBeQuiet();
  GetIdentified() = may_be_quiet ? info.pszFilename : "";
}

void ForgetIdentified() {
  GetIdentified().clear();
}

bool IsRemovedInPassing(const char* name) {
  const bool is_same = !GetIdentified().empty() && GetIdentified() == name;
  GetIdentified().clear();
  if (!is_same || kKnowsQuiet) return is_same;
  // QuietDelete does not delete folders in these versions.
  VSIStatBufL status;
  return VSIStatExL(name, &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) != 0 || !VSI_ISDIR(status.st_mode);
}

bool IsLetGoInPlace(const std::string& path) {
  const Released* released = GetReleasedStores().Find(GetPlace(path));
  return released && released->aside.empty();
}

bool LetGo(const char* name, const WholeStore& whole) {
  const bool is_known = whole.kind != WholeStore::Kind::kAbsent && whole.kind != WholeStore::Kind::kUnmade;
  if (!is_known || (LeadsToNetwork(whole.path) && !kKnowsQuiet)) return false;
  Released released{name, GetPlace(whole.path), whole.path, ""};
  if (const Released* earlier = GetReleasedStores().Find(released.place)) {
    EraseForGood(*earlier);
    GetReleasedStores().Drop(released.place);
  }
  if (!kKnowsQuiet) MoveAside(&released);
  GetReleasedStores().Add(std::move(released));
  return true;
}

void MakeRoom(const std::string& path) {
  Released* released = GetReleasedStores().Find(GetPlace(path));
  if (!released || !released->is_used || !released->aside.empty()) return;
  const WholeStore whole = FindWholeStore(path, WholeStoreUse::kReplace);
  if (whole.kind == WholeStore::Kind::kAbsent) return;  // `gdal mdim convert --overwrite` has removed the folder
  LeadsToNetwork(path) ? RemoveWholeStore(whole) : MoveAside(released);
}

Replacement::Replacement(const char* name, const std::string& path) {
  ForgetIdentified();
  Released* released = GetReleasedStores().Find(GetPlace(path));
  if (released && !released->is_used && released->name == name) {
    released->is_used = true;
    place_ = released->place;
  }
  GetReleasedStores().DropUnused();
}

void Replacement::WithOldInPlace(const std::function<void()>& function) const {
  const Released* released = GetReleasedStores().Find(place_);
  const bool moves = released && !released->aside.empty();
  if (moves) Move(released->aside, released->path);
  function();  // on an exception, it stays where it will finally be
  if (moves) Move(released->path, released->aside);
}

Replacement::~Replacement() {
  if (place_.empty()) return;
  const Released released = *GetReleasedStores().Find(place_);
  GetReleasedStores().Drop(place_);
  succeeded_ ? EraseForGood(released) : PutBack(released);
}

}  // namespace gdal_zarr
