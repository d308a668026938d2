// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "zarrlib/base/limits.h"

namespace zarr {

/// Throws the Error(limit_exceeded) for too many values.
[[noreturn]] void FailJsonValues();

/// The bare tokens NaN, Infinity and -Infinity, and numbers too large for a double, are turned into strings that start
/// with this mark, followed by the token. Writers do not start strings with this control character; if one does, the
/// character is replaced by U+FFFD.
inline constexpr std::string_view kNonFiniteMark = "\x01zarr:";

/// Removes a byte order mark, and at most 64 KiB of trailing NUL bytes: a file system may leave a block of them after a
/// crash.
std::string_view TrimPadding(std::string_view text);

/// Turns the text that Zarr writers call JSON into valid JSON, in one pass and without parsing it:
/// - drops a byte order mark and trailing NUL bytes;
/// - marks the bare tokens NaN, Infinity and -Infinity, and numbers too large for a double;
/// - replaces unpaired surrogates, which Python writes, by U+FFFD.
///
/// Throws Error(corrupt) for nesting deeper than kMaxJsonDepth and for more NUL bytes than a block has. Throws
/// Error(limit_exceeded) as soon as the commas show that there are more than Limit::kJsonValues values.
std::string NormalizeJson(std::string_view text);

}  // namespace zarr
