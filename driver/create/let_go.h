// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "driver/gdal/gdal_compat.h"

/// GDAL removes a dataset before it makes another one of the same name (GDALDriver::QuietDelete), when nobody has
/// looked at what is to be made yet. So that a call which then fails has removed nothing, what is removed in passing is
/// only let go: it stays until the next call of that name on this thread has checked what it is to make, then gets
/// another name beside its own, comes back if that call fails, and goes for good when it has succeeded. On a network,
/// where another name costs as much as a copy, it is removed when the call has checked what it is to make.
///
/// Versions of GDAL in which QuietDelete cannot be told from another deletion for sure (kKnowsQuiet) let files go, and
/// names that begin with "ZARR:". There it gets the other name at once, and goes also when the thread ends.
namespace gdal_zarr {

struct WholeStore;

/// Notes that GDAL asks which driver knows a name: so QuietDelete begins.
void NoteIdentified(const GDALOpenInfo& info);
/// Says that GDAL has called for something else.
void ForgetIdentified();
/// Whether the deletion of a name, which GDAL asks for now, is a part of QuietDelete. Forgets that it was identified.
bool IsRemovedInPassing(const char* name);

/// Whether the store at a path has been let go, but is still in its place.
bool IsLetGoInPlace(const std::string& path);
/// Lets a store go, for a call with that name, that FindWholeStore has found for being replaced. Returns false if that
/// cannot be done here. Throws zarr::Error(io).
bool LetGo(const char* name, const WholeStore& whole);
/// Moves the store that has been let go out of the way, or, on a network, removes it, if a Replacement of it lives and
/// it is still in its place. Throws what FindWholeStore and RemoveWholeStore throw.
void MakeRoom(const std::string& path);

/// A call of GDAL with a name that makes a store at a path. Unless it says that it has succeeded, what had been let go
/// there comes back.
class Replacement {
 public:
  Replacement(const char* name, const std::string& path);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// The place of what has been let go; "" if nothing has.
  const std::string& place() const { return place_; }
  void Succeed() { succeeded_ = true; }
  /// Calls a function while what has been let go is in its place. Throws what the function throws.
  void WithOldInPlace(const std::function<void()>& function) const;

 private:
  std::string place_;
  bool succeeded_ = false;
};

}  // namespace gdal_zarr
