// SPDX-License-Identifier: MIT
#pragma once

namespace zarr {

/// Returns the process ID. A forked child has a different one than its parent. Thread-safe.
long GetProcessId();

}  // namespace zarr
