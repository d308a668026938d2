// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstring>

#include "zarrlib/codec/bytes_to_bytes/checksum_codec.h"

namespace zarr {
namespace {

/// The three numbers that lookup3 mixes.
struct Lookup3 {
  std::uint32_t a, b, c;

  void Add(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    a += x;
    b += y;
    c += z;
  }
  void Mix();
  void Finish();
};

void Lookup3::Mix() {
  // Subtracts the last number from the first, mixes in its rotated bits, and adds the middle number to the last.
  const auto turn = [](std::uint32_t& x, std::uint32_t y, std::uint32_t& z, int rotation) {
    x = (x - z) ^ std::rotl(z, rotation);
    z += y;
  };
  turn(a, b, c, 4);
  turn(b, c, a, 6);
  turn(c, a, b, 8);
  turn(a, b, c, 16);
  turn(b, c, a, 19);
  turn(c, a, b, 4);
}

void Lookup3::Finish() {
  const auto turn = [](std::uint32_t& x, std::uint32_t y, int rotation) { x = (x ^ y) - std::rotl(y, rotation); };
  turn(c, b, 14);
  turn(a, c, 11);
  turn(b, a, 25);
  turn(c, b, 16);
  turn(a, c, 4);
  turn(b, a, 14);
  turn(c, b, 24);
}

}  // namespace

std::uint32_t ComputeAdler32(ByteSpan bytes) {
  constexpr std::uint32_t kPrime = 65521;
  constexpr std::size_t kBlock = 5552;  // the sums of this many bytes need no reduction
  std::uint32_t sum = 1;
  std::uint32_t sum_of_sums = 0;
  while (!bytes.empty()) {
    const ByteSpan block = bytes.first(std::min(kBlock, bytes.size()));
    for (const std::byte byte : block) {
      sum += std::to_integer<std::uint32_t>(byte);
      sum_of_sums += sum;
    }
    sum %= kPrime;
    sum_of_sums %= kPrime;
    bytes = bytes.subspan(block.size());
  }
  return sum_of_sums << 16 | sum;
}

std::uint32_t ComputeFletcher32(ByteSpan bytes) {
  // Sums big-endian words; an odd byte at the end is the upper half of a word. A sum is reduced by adding its halves,
  // which may result in 65535 instead of 0. The points at which sums are reduced are therefore part of the algorithm.
  constexpr std::size_t kBlock = 720;
  const auto fold = [](std::uint32_t x) { return (x & 0xFFFF) + (x >> 16); };
  std::uint32_t sum = 0;
  std::uint32_t sum_of_sums = 0;
  while (!bytes.empty()) {
    const bool odd_byte = bytes.size() == 1;
    const std::size_t size = odd_byte ? 1 : std::min(kBlock, bytes.size() / 2 * 2);
    for (std::size_t i = 0; i < size; i += 2) {
      sum += std::to_integer<std::uint32_t>(bytes[i]) << 8;
      if (!odd_byte) sum += std::to_integer<std::uint32_t>(bytes[i + 1]);
      sum_of_sums += sum;
    }
    sum = fold(sum);
    sum_of_sums = fold(sum_of_sums);
    bytes = bytes.subspan(size);
  }
  return fold(sum_of_sums) << 16 | fold(sum);
}

std::uint32_t ComputeJenkinsLookup3(ByteSpan bytes, std::uint32_t initval) {
  constexpr std::size_t kBlock = 12;
  const std::uint32_t start = 0xDEADBEEF + static_cast<std::uint32_t>(bytes.size()) + initval;
  Lookup3 state{start, start, start};
  if (bytes.empty()) return start;
  const auto add = [&state](const std::byte* p) {
    state.Add(LoadLittleEndian<std::uint32_t>(p), LoadLittleEndian<std::uint32_t>(p + 4),
              LoadLittleEndian<std::uint32_t>(p + 8));
  };
  for (; bytes.size() > kBlock; bytes = bytes.subspan(kBlock)) {
    add(bytes.data());
    state.Mix();
  }
  std::byte last[kBlock] = {};  // zeros add nothing
  std::memcpy(last, bytes.data(), bytes.size());
  add(last);
  state.Finish();
  return state.c;
}

}  // namespace zarr
