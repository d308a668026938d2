// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "zarrlib/array/array.h"
#include "zarrlib/tools/progress.h"

namespace zarr::tools {

/// The memory that one chunk or shard of a new array may take: it is built as a whole.
inline constexpr std::uint64_t kMaxReshardBytes = std::uint64_t{1} << 30;

/// The memory that a box of elements takes while it is copied, in bytes; nothing beyond 2^64. Elements of variable
/// length count like empty strings.
std::optional<std::uint64_t> CountCopiedBytes(const DataType& type, const Shape& shape);

/// Copies all elements of an array to another array with the same shape and type and a regular grid. Goes in pieces of
/// whole new chunks, of about 64 MiB if chunks are smaller. Throws Interrupted if InterruptWatch has noted a signal.
/// Advances `progress` by one in all.
void CopyElements(const Array& from, const std::shared_ptr<const Array>& to, Progress* progress);

}  // namespace zarr::tools
