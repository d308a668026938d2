// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/hierarchy/hierarchy.h"

/// The stores that datasets of this process have open. Such a store must not be removed: chunks are read by name when
/// they are requested, so that those of a removed store would read as fill values.
namespace gdal_zarr {

/// Returns the canonical location of a path, which is the same for relative paths and links. Paths into an archive have
/// the archive's location, and paths into a file of references have the file's location. For a missing file, returns
/// the location where it would be.
std::string GetPlace(const std::string& path);

/// Returns true if a location equals `folder` or is inside it.
bool IsInPlace(std::string_view place, std::string_view folder);

/// Registers, during its lifetime, that a dataset has a store open through a hierarchy, which must outlive it.
/// Thread-safe.
class OpenStoreNote {
 public:
  explicit OpenStoreNote(const zarr::Hierarchy& hierarchy);
  ~OpenStoreNote();
  OpenStoreNote(const OpenStoreNote&) = delete;
  OpenStoreNote& operator=(const OpenStoreNote&) = delete;

 private:
  std::string place_;
  const zarr::Hierarchy* hierarchy_;
};

/// Returns the location of an open store at the location of a path or in its folder, or nullopt if there is none.
/// Thread-safe.
std::optional<std::string> FindOpenStoreIn(const std::string& path);
/// Like FindOpenStoreIn, but also finds a store whose folder contains the path. Thread-safe.
std::optional<std::string> FindOpenStoreAround(const std::string& path);

/// Returns the location at which another hierarchy of this process has the given node of this store, or a node below
/// it, open. Returns nullopt if none has. Thread-safe.
std::optional<std::string> FindOtherUser(const zarr::Hierarchy& hierarchy, const std::string& node);

}  // namespace gdal_zarr
