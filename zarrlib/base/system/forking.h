// SPDX-License-Identifier: MIT
#pragma once

namespace zarr {

/// Calls functions whenever the process forks: before, and after in the parent and in the child. Any may be null. Does
/// nothing on systems without forks, or if there is no memory for it.
void CallWhenForking(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace zarr
