#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace zarr {

/// Objects and arrays within each other, at most.
inline constexpr std::size_t kMaxJsonDepth = 200;

/// Values in one document, at most: each can take some hundred bytes.
inline constexpr std::size_t kMaxJsonValues = std::size_t{4} << 20;
/// Throws Error(limit_exceeded) for a document of more.
[[noreturn]] void FailJsonValues();

/// What the bare tokens NaN, Infinity and -Infinity are turned into: a string that starts so, followed by the token.
/// No writer starts a string with this control character; in one that does, it is replaced by U+FFFD.
inline constexpr std::string_view kNonFiniteMark = "\x01zarr:";

/// Text without a byte order mark and without NUL bytes at its end, of which a file system or a crash leaves a block;
/// of more than 64 KiB of them the rest stays.
std::string_view WithoutPadding(std::string_view text);

/// Turns what writers of Zarr call JSON into JSON, in one pass and without parsing it: drops a byte order mark and
/// trailing NUL bytes, marks the bare tokens NaN, Infinity and -Infinity and, as infinities, numbers too large for
/// double, and replaces halves of surrogate pairs, which Python writes, by U+FFFD. Throws Error(corrupt) for a nesting
/// deeper than kMaxJsonDepth, and for more NUL bytes than a block has; Error(limit_exceeded) as soon as commas tell of
/// more than kMaxJsonValues.
std::string NormalizeJson(std::string_view text);

/// The reverse of the marks, in JSON text with escaped control characters: strings of the marked form become bare
/// tokens.
std::string RestoreNonFinite(std::string_view text);

}  // namespace zarr
