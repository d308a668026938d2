// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "driver/gdal/gdal_compat.h"

/// GDAL removes a dataset before it creates another one of the same name (GDALDriver::QuietDelete), before the new
/// dataset's arguments have been checked. So that a failing call does not lose data, such a removal is deferred:
///
/// - The store stays until the next call with that name on this thread has checked its arguments.
/// - Then it is renamed to a temporary name in the same folder.
/// - If the call fails, it is renamed back; if it succeeds, it is removed.
///
/// In remote stores, where renaming costs as much as copying, the store is removed as soon as the call has checked its
/// arguments, and by new references when they are complete.
///
/// Some versions of GDAL do not allow QuietDelete to be distinguished reliably from another deletion (kKnowsQuiet).
/// There, removal is deferred for files and for names that begin with "ZARR:". The store is then renamed immediately,
/// and also removed when the thread ends.
namespace gdal_zarr {

struct WholeStore;

/// Records that GDAL asks which driver recognizes a name, which is how QuietDelete begins.
void NoteIdentified(const GDALOpenInfo& info);
/// Records that GDAL has called another function.
void ForgetIdentified();
/// Returns true if the deletion that GDAL requests now is part of QuietDelete. Clears the record of NoteIdentified.
bool IsRemovedInPassing(const char* name);

/// Returns true if the removal of the store at a path was deferred, and it has not been renamed.
bool IsLetGoInPlace(const std::string& path);
/// Defers the removal of a store until a call with that name. FindWholeStore must have found it for being replaced.
/// Returns false if removal cannot be deferred. Throws zarr::Error(io).
bool LetGo(const char* name, const WholeStore& whole);
/// Renames the deferred store (or removes it, if it is remote), if its Replacement is active and it has not been
/// renamed yet. Throws like FindWholeStore and RemoveWholeStore.
void MakeRoom(const std::string& path);

/// A GDAL call with a name that creates a store at a path. Unless Succeed is called, a store that was deferred there is
/// restored.
class Replacement {
 public:
  Replacement(const char* name, const std::string& path);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// The location of the deferred store; empty if there is none.
  const std::string& place() const { return place_; }
  void Succeed() { succeeded_ = true; }
  /// Calls a function while the deferred store is at its original location. Passes on errors thrown by the function.
  void WithOldInPlace(const std::function<void()>& function) const;

 private:
  std::string place_;
  bool succeeded_ = false;
};

}  // namespace gdal_zarr
