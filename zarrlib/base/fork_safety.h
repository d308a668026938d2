#pragma once

#include <mutex>

namespace zarr {

/// Holds a mutex whenever the process forks. The child has the forking thread alone: a mutex that another thread held
/// would stay locked there for good. For those of the whole process, of which no thread holds two at once, unless it
/// takes them in the order in which they were given here; they are never destroyed. Thread-safe.
void HoldWhileForking(std::mutex* mutex);

}  // namespace zarr
