// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

/// Arrays of one shard, whose elements are 4 x 4.
namespace zarr::fuzz {

/// What the first byte of an input tells: bit 0 an index at the begin, bit 1 a checksum of the index, bit 2 compressed
/// inner chunks, bit 3 shards in the shard, bit 4 text, bit 5 a transpose before the shard.
struct ShardForm {
  bool index_at_start = false;
  bool index_has_checksum = false;
  bool compressed = false;
  bool nested = false;
  bool text = false;
  bool transposed = false;
};
ShardForm GetShardForm(unsigned char number);
/// The size of the index of 4 inner chunks, in bytes.
std::size_t GetIndexSize(const ShardForm& form);

/// Makes the `zarr.json` of an array of that form.
std::string MakeShardedArray(unsigned char number);

}  // namespace zarr::fuzz
