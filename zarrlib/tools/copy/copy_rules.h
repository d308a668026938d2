// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/tools/commands.h"

namespace zarr::tools {

/// Parses a rule such as "temperature/* chunks=1,256,256 compress=zstd:5". Throws Error(invalid_argument).
CopyRule ParseCopyRule(const std::string& text);

/// Whether a path matches a pattern, in which "*" stands for any text without "/", "**" for any text, and "?" for one
/// character that is no "/". A slash at the beginning of the pattern does not count.
bool MatchesPattern(std::string_view path, std::string_view pattern);

/// The chunks and codecs for an array: those of the first rule that matches, else those for all arrays, of which chunks
/// count only for arrays with as many dimensions.
CopyChange FindChange(const CopyOptions& options, std::string_view path, std::size_t rank);

}  // namespace zarr::tools
