// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

/// Paths of nodes; views are parts of the argument: "" is the root, "a/b" a node below the group "a" (Zarr v3 core,
/// "Hierarchy"). Keys are paths, too.
namespace zarr {

/// Returns the path of the group that contains a node: "a" for "a/b", "" for "a" and "".
std::string_view ParentPath(std::string_view path);
/// Returns the node's own name: "b" for "a/b".
std::string_view NodeName(std::string_view path);
/// Splits a key into the node's path and the document's name.
std::pair<std::string_view, std::string_view> SplitKey(std::string_view key);
/// Returns the key of a node's document of that name: "a/zarr.json", or "meta/root/a.array.json" in the draft of v3.
std::string MakeDocumentKey(std::string_view path, std::string_view name);
/// Returns true if a new node may have that name (Zarr v3 core, "Node names"). Names of metadata documents are not
/// allowed; reserved names are.
bool IsNewNodeName(std::string_view name);
/// Returns true if v3 reserves the name for itself. zarr-python makes nodes with such names: xarray calls an unnamed
/// array "__xarray_dataarray_variable__".
bool IsReservedNodeName(std::string_view name);

}  // namespace zarr
