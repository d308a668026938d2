// SPDX-License-Identifier: MIT
#pragma once

namespace zarr {

/// Calls a function with an object when the calling thread ends. Only on Windows, where compilers may need it. Throws
/// std::bad_alloc. Thread-safe.
void DestroyAtThreadEnd(void* object, void (*destroy)(void* object));

}  // namespace zarr
