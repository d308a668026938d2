// SPDX-License-Identifier: MIT
#pragma once

#include <zstd.h>

#include <memory>
#include <new>
#include <string>

#include "zarrlib/base/error.h"

/// For files of this folder that use zstd.
namespace zarr {

struct FreeZstdContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using ZstdContext = std::unique_ptr<ZSTD_DCtx, FreeZstdContext>;

inline ZstdContext MakeZstdContext() {
  ZstdContext context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  return context;
}

/// Returns the result of a function of zstd. Throws Error(corrupt) if it is an error.
inline std::size_t CheckZstdResult(std::size_t result) {
  if (!ZSTD_isError(result)) return result;
  throw Error(ErrorKind::kCorrupt, std::string("the zstd frame cannot be decoded: ") + ZSTD_getErrorName(result));
}

}  // namespace zarr
