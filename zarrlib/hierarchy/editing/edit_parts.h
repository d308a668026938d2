// SPDX-License-Identifier: MIT
#pragma once

namespace zarr {

class ConsolidatedFile;
class Hierarchy;
class NodeDocuments;
class NodeLocks;
class OpenArrays;
class Store;
class StoreMaking;
class WaitingAttributes;
struct HierarchyOptions;
struct StoreRoot;

/// The parts of an EditableHierarchy, for the classes that make its changes. All parts outlive these classes.
struct EditParts {
  Hierarchy& nodes;
  Store& store;
  const HierarchyOptions& options;
  StoreRoot& root;
  NodeDocuments& documents;
  OpenArrays& arrays;
  WaitingAttributes& waiting;
  NodeLocks& locks;
  StoreMaking& making;
  ConsolidatedFile& consolidated;
};

}  // namespace zarr
