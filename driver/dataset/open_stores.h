// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/hierarchy/hierarchy.h"

/// The stores that datasets of this process have open. Their chunks are read when they are asked for, by their names: a
/// store that went meanwhile would read as fill values. So it does not go.
namespace gdal_zarr {

/// The place that a path leads to, the same for all its spellings: relative ones, through links, in an archive (then
/// the archive's place), of a file of references (the file's). What is absent has the place where it would be.
std::string GetPlace(const std::string& path);

/// Whether a place is another one, or lies in its folder.
bool IsInPlace(std::string_view place, std::string_view folder);

/// Notes, while it lives, that a dataset has a store open by a hierarchy, which has to live longer. Thread-safe.
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

/// The place of an open store that is at the place of a path or in its folder; nothing if there is none. Thread-safe.
std::optional<std::string> FindOpenStoreIn(const std::string& path);
/// As FindOpenStoreIn, also of a store in whose folder the path lies. Thread-safe.
std::optional<std::string> FindOpenStoreAround(const std::string& path);

/// The place at which another hierarchy of this process has a node of this one's store open, or one below it; nothing
/// if none has. Thread-safe.
std::optional<std::string> FindOtherUser(const zarr::Hierarchy& hierarchy, const std::string& node);

}  // namespace gdal_zarr
