// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr::fuzz {

struct WalkedNode {
  std::string path;
  NodeKind kind = NodeKind::kGroup;
  friend bool operator==(const WalkedNode&, const WalkedNode&) = default;
};

/// Lists the nodes of a store, at most some hundred, from the root on. Opens each; what cannot be opened is listed too.
std::vector<WalkedNode> WalkNodes(const Hierarchy& hierarchy);

}  // namespace zarr::fuzz
