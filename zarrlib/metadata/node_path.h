// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

/// Paths of nodes; views are parts of the argument: "" is the root, "a/b" a node below the group "a" (Zarr v3 core,
/// "Hierarchy"). Keys are paths, too.
namespace zarr {

/// The path of the group that holds a node: "a" for "a/b", "" for "a" and "".
std::string_view ParentPath(std::string_view path);
/// The node's own name: "b" for "a/b".
std::string_view NodeName(std::string_view path);
/// The two, of a key: the node's path and the document's name.
std::pair<std::string_view, std::string_view> SplitKey(std::string_view key);
/// The key of a node's document of that name: "a/zarr.json", or "meta/root/a.array.json" in the draft of v3.
std::string MakeDocumentKey(std::string_view path, std::string_view name);
/// Whether a new node may have that name (Zarr v3 core, "Node names"): names of documents are none. Reserved names are
/// names.
bool IsNewNodeName(std::string_view name);
/// Whether v3 reserves the name for itself. zarr-python makes nodes of such names: xarray's name of an array without a
/// name is "__xarray_dataarray_variable__".
bool IsReservedNodeName(std::string_view name);

}  // namespace zarr
