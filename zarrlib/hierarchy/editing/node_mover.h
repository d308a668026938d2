// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/editing/edit_parts.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {

class NodeEditor;

/// Removes and moves nodes of a hierarchy with their descendants. A change must have begun, and must not end before the
/// call does. The functions have the same contracts as in EditableHierarchy.
class NodeMover {
 public:
  NodeMover(NodeEditor& editor, const EditParts& parts) : editor_(editor), parts_(parts) {}

  Leftovers Delete(std::string_view path);
  Leftovers Rename(std::string_view from, std::string_view to);
  bool Exchange(std::string_view first, std::string_view second);

 private:
  /// Like NodeEditor::CheckMovable, but also throws Error(invalid_argument) for the root.
  void CheckMovable(std::string_view path) const;
  /// Moves a node in a store with folders. During the move, consolidated metadata list neither path.
  void MoveInOneStep(std::string_view from, std::string_view to);
  /// Moves a node in a store without folders. Consolidated metadata always list one of the paths.
  Leftovers MoveByCopies(std::string_view from, std::string_view to);
  void TakeBackCopy(const std::vector<std::string>& copies, std::string_view to);
  bool ExchangeFolders(std::string_view first, std::string_view second);
  /// Records the documents of a node, as stored now, for the next consolidated metadata. Throws Error: the errors of
  /// the store, and the error of an unreadable document.
  void NoteStored(std::string_view path);
  /// Call this after an error, which is the one to report: see ConsolidatedFile::Restate.
  void Restate(const std::vector<MetadataDocument>& taken, std::string_view from,
               std::span<const std::string_view> paths);

  NodeEditor& editor_;
  const EditParts parts_;
};

}  // namespace zarr
