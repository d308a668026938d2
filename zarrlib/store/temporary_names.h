// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "zarrlib/store/store.h"

/// The names of files that are incomplete, or are needed only temporarily. Users' files may have the same prefixes and
/// do not belong to this library, so only names that the library generates are recognised.
namespace zarr {

/// Returns 64 random bits, for names that are used only once. Thread-safe.
std::uint64_t MakeRandomNumber();

/// The names of incomplete archives start with this prefix (LocalArchiveFile).
inline constexpr std::string_view kArchivePrefix = ".zarr-tmp-archive-";

/// How many hexadecimal digits follow the prefix of a name that the library makes: 64 bits.
inline constexpr std::size_t kDigitsOfMadeName = 16;

/// Returns true if a name is the prefix followed by the random part of a `MakeTemporaryName` name.
bool IsMadeName(std::string_view name, std::string_view prefix);
/// Returns true for the name of a temporary file, which is useless once no process writes it.
bool IsOwnTemporaryName(std::string_view name);
/// Returns true for the name of a removal record.
bool IsOwnRemovalName(std::string_view name);

}  // namespace zarr
