// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "zarrlib/codec/array_to_bytes/pco/pco_chunk.h"

namespace zarr {

/// Turns the differences of one page into latents, batch after batch. Only the lowest bits, as many as latents have,
/// are exact; the bits above them are indeterminate.
class PcoDeltaDecoder {
 public:
  virtual ~PcoDeltaDecoder() = default;
  /// Replaces a batch of differences by the same number of latents. Because a page begins with a state, the elements of
  /// its last batch from index `known` on are not differences; they are ignored. `lookbacks` has one number per
  /// difference if the delta encoding uses such numbers.
  virtual void Decode(std::span<std::uint64_t> batch, std::size_t known, std::span<const std::uint64_t> lookbacks) = 0;
};

/// Reads the state at the start of a page. Returns nullptr if the latents are stored unchanged. Keeps a reference to
/// `delta`.
std::unique_ptr<PcoDeltaDecoder> ReadPcoDeltaState(PcoBits* bits, const PcoDelta& delta, unsigned latent_bits);

}  // namespace zarr
