// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/store/store.h"
#include "zarrlib/tools/check/findings.h"

namespace zarr::tools {

/// Makes the repairs that cannot lose anything, and tells of each: interrupted reshards are completed or taken back,
/// and consolidated metadata of the root that do not agree with the documents of the nodes are made anew from these.
/// They are left alone if they name a node without a document in whose folder there is anything: they may be all that
/// describes it. A repair that fails is a finding.
void RepairStore(const std::shared_ptr<Store>& store, Findings* findings);

}  // namespace zarr::tools
