// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/store/store.h"
#include "zarrlib/tools/check/findings.h"

namespace zarr::tools {

/// Makes and reports the repairs that cannot lose data: interrupted reshards are completed or undone, and consolidated
/// metadata of the root that differ from the nodes' documents are written again from these. Consolidated metadata are
/// kept if they list a node without a document whose folder is not empty, because they may be the only description of
/// it. A failed repair is a finding.
void RepairStore(const std::shared_ptr<Store>& store, Findings* findings);

}  // namespace zarr::tools
