// SPDX-License-Identifier: MIT
#pragma once

namespace zarr {

/// The number of this process. That of the child of a fork is another one than its parent's. Thread-safe.
long GetProcessId();

}  // namespace zarr
