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

/// Removes and moves nodes of a hierarchy, with all below them. A change must have begun, and does not end before the
/// call does. The functions have the contracts of those of EditableHierarchy.
class NodeMover {
 public:
  NodeMover(NodeEditor& editor, const EditParts& parts) : editor_(editor), parts_(parts) {}

  Leftovers Delete(std::string_view path);
  Leftovers Rename(std::string_view from, std::string_view to);
  bool Exchange(std::string_view first, std::string_view second);

 private:
  /// As NodeEditor::CheckMovable, and throws Error(invalid_argument) for the root.
  void CheckMovable(std::string_view path) const;
  /// Moves a node in a store that keeps folders. While it is moved, consolidated metadata name neither place.
  void MoveInOneStep(std::string_view from, std::string_view to);
  /// Moves a node in another store. Consolidated metadata name one of the places at any time.
  Leftovers MoveByCopies(std::string_view from, std::string_view to);
  void TakeBackCopy(const std::vector<std::string>& copies, std::string_view to);
  bool ExchangeFolders(std::string_view first, std::string_view second);
  /// Takes the documents of a node for the next consolidated metadata as they are stored now. Throws Error: those of
  /// the store, and that of a document that cannot be read.
  void NoteStored(std::string_view path);
  /// After an error, which is the one to be told: see ConsolidatedFile::Restate.
  void Restate(const std::vector<MetadataDocument>& taken, std::string_view from,
               std::span<const std::string_view> paths);

  NodeEditor& editor_;
  const EditParts parts_;
};

}  // namespace zarr
