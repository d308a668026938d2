// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace zarr {

class ConsolidatedMetadata;
class Hierarchy;
class NodeDocuments;
class NodeFormat;

/// Adds the documents of a node and its descendants, by their keys. `format` is that of the root. Throws the errors of
/// the store, and Error(corrupt).
void CollectDocuments(const Hierarchy& nodes, const NodeDocuments& documents, const NodeFormat& format,
                      std::string_view path, ConsolidatedMetadata* found);

}  // namespace zarr
