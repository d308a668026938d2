// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "zarrlib/codec/array_to_bytes/pco/pco_chunk.h"

namespace zarr {

/// Turns the differences of one page into latents, batch after batch. Numbers are exact in the lowest bits of the
/// latents; the bits above them are indeterminate.
class PcoDeltaDecoder {
 public:
  virtual ~PcoDeltaDecoder() = default;
  /// Replaces a batch of differences by as many latents. Since a page begins with a state, the last `known` and
  /// following elements of its last batch are no differences; they are not used. `lookbacks` has one number for each
  /// difference if the delta encoding has such numbers.
  virtual void Decode(std::span<std::uint64_t> batch, std::size_t known, std::span<const std::uint64_t> lookbacks) = 0;
};

/// Reads the state from the begin of a page. Returns nullptr if the latents are stored as they are. Keeps a reference
/// to `delta`.
std::unique_ptr<PcoDeltaDecoder> ReadPcoDeltaState(PcoBits* bits, const PcoDelta& delta, unsigned latent_bits);

}  // namespace zarr
