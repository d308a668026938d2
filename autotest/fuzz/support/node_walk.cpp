// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/node_walk.h"

#include "autotest/fuzz/support/checks.h"

namespace zarr::fuzz {
namespace {

constexpr std::size_t kMaxNodes = 200;

void OpenNode(const Hierarchy& hierarchy, const WalkedNode& node) {
  Try([&] { return hierarchy.Probe(node.path).has_value(); });
  if (node.kind == NodeKind::kGroup) {
    Try([&] { return hierarchy.OpenGroup(node.path).attributes.Dump(); });
    return;
  }
  Try([&] { return hierarchy.Summarize(node.path).shape; });
  Try([&] { return hierarchy.OpenArray(node.path)->metadata().attributes.Dump(); });
}

}  // namespace

std::vector<WalkedNode> WalkNodes(const Hierarchy& hierarchy) {
  std::vector<WalkedNode> nodes;
  const auto root = Try([&] { return hierarchy.Probe(""); });
  if (!root || !*root) return nodes;
  nodes.push_back({"", **root});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const WalkedNode node = nodes[i];
    OpenNode(hierarchy, node);
    if (node.kind == NodeKind::kArray) continue;
    const auto children = Try([&] { return hierarchy.List(node.path); });
    for (const Hierarchy::Child& child : children.value_or(std::vector<Hierarchy::Child>())) {
      if (nodes.size() < kMaxNodes) nodes.push_back({JoinKey(node.path, child.name), child.kind});
    }
  }
  return nodes;
}

}  // namespace zarr::fuzz
