// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

/// The vocabulary of the mutators: what metadata of all versions of Zarr, and conventions, consist of.
namespace zarr::fuzz {

/// JSON values that stand somewhere in metadata: codecs, data types, edge values of numbers, and the like. "@NaN@",
/// "@Infinity@" and "@-Infinity@" stand for the bare tokens.
std::span<const std::string_view> GetValueWords();
/// Objects whose members belong into documents or attributes.
std::span<const std::string_view> GetMemberWords();
/// Keys of stores.
std::span<const std::string_view> GetKeyWords();

}  // namespace zarr::fuzz
