// SPDX-License-Identifier: MIT
// The mutator of the target `shard_index`: it changes entries of the index, and makes the checksum right again.
#include <algorithm>
#include <cstring>

#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/fuzzer_interface.h"
#include "autotest/fuzz/support/json_mutator.h"
#include "autotest/fuzz/support/shard_forms.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/codec/bytes_to_bytes/crc32c_codec.h"

namespace zarr::fuzz {
namespace {

std::uint64_t PickNumber(std::size_t shard_size, Random* random) {
  switch (Below(5, random)) {
    case 0:
      return UINT64_MAX - Below(3, random);
    case 1:
      return std::uint64_t{1} << Below(64, random);
    case 2:
      return shard_size - std::min(shard_size, Below(80, random));
    default:
      return Below(shard_size + 2, random);
  }
}

/// Changes offset or length of an inner chunk.
void ChangeEntry(char* index, std::size_t shard_size, Random* random) {
  std::uint64_t number = PickNumber(shard_size, random);
  char* const place = index + 8 * Below(8, random);
  if (Below(3, random) == 0) {
    std::memcpy(&number, place, sizeof(number));
    number += Below(2, random) == 0 ? 1 : UINT64_MAX;
  }
  std::memcpy(place, &number, sizeof(number));
}

void WriteChecksum(char* index, std::size_t size) {
  const std::uint32_t checksum = ComputeCrc32c({reinterpret_cast<const std::byte*>(index), size - 4});
  std::memcpy(index + size - 4, &checksum, sizeof(checksum));
}

std::string Mutate(std::string input, Random* random) {
  if (input.empty()) input = "\1";
  if (Below(12, random) == 0) input[0] = static_cast<char>(Below(64, random));
  std::string shard = input.substr(1);
  const ShardForm form = GetShardForm(static_cast<unsigned char>(input[0]));
  const std::size_t index_size = GetIndexSize(form);
  if (Below(3, random) == 0) MutateBytes(&shard);
  if (shard.size() < index_size && Below(4, random) != 0) shard.resize(index_size, '\xff');
  if (shard.size() >= index_size) {
    char* const index = form.index_at_start ? shard.data() : shard.data() + shard.size() - index_size;
    if (Below(2, random) == 0) ChangeEntry(index, shard.size(), random);
    if (form.index_has_checksum && Below(10, random) != 0) WriteChecksum(index, index_size);
  }
  return input[0] + shard;
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace zarr::fuzz;  // NOLINT(google-build-using-namespace)
  Random random(seed);
  return PutInput(Mutate(std::string(AsInput(data, size)), &random), size, data, max_size);
}
