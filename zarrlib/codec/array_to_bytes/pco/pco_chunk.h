// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/codec/array_to_bytes/pco/pco_bits.h"

/// The metadata of a chunk of a pco file. The format is described in docs/format.md of
/// https://github.com/pcodec/pcodec; the names here are taken from it.
namespace zarr {

/// The type of the numbers of a chunk.
struct PcoNumberType {
  enum class Kind : std::uint8_t { kUnsigned, kSigned, kFloat };
  std::uint8_t code;  ///< The byte that represents it in files.
  Kind kind;
  unsigned bits;

  bool is_float() const { return kind == Kind::kFloat; }
  /// Returns the middle of the range of the latents of this type.
  std::uint64_t middle() const { return (MakeBitMask(bits) >> 1) + 1; }
  /// Returns the number of mantissa bits of a float.
  unsigned mantissa_bits() const { return bits == 16 ? 10 : bits == 32 ? 23 : 52; }
};

/// Finds the type by its byte. Returns nullptr if there is none.
const PcoNumberType* FindPcoNumberType(std::uint64_t code);

/// How numbers are computed from latents.
struct PcoMode {
  enum class Kind : std::uint8_t { kClassic, kIntMult, kFloatMult, kFloatQuant, kDict };
  Kind kind = Kind::kClassic;
  std::uint64_t base = 0;  ///< For kIntMult and kFloatMult, as a latent.
  unsigned quantum_bits = 0;
  ByteSpan dictionary;  ///< For kDict: latents of the numbers' size, in little-endian order.

  bool has_secondary() const { return kind != Kind::kClassic && kind != Kind::kDict; }
};

/// How latents are computed from the preceding ones.
struct PcoDelta {
  enum class Kind : std::uint8_t { kNone, kConsecutive, kLookback, kConvolution };
  Kind kind = Kind::kNone;
  std::size_t state_size = 0;  ///< The number of latents at the start of a page.
  bool has_secondary = false;  ///< True if it also applies to the secondary latents.
  std::size_t window = 0;      ///< For kLookback: the largest lookback.
  unsigned quantization = 0;   ///< The other members are for kConvolution.
  std::int64_t bias = 0;
  std::vector<std::int64_t> weights;
};

/// A table of an asymmetric numeral system: maps each state to a bin and the next state.
class PcoTable {
 public:
  /// A state. The next one is the sum of `next` and the value of the next `state_bits` bits.
  struct State {
    std::uint64_t lower;  ///< The lowest latent of the bin.
    std::uint16_t next;
    std::uint8_t state_bits;
    std::uint8_t offset_bits;
  };

  /// Reads the bins of latents with `latent_bits` bits.
  static PcoTable Read(PcoBits* bits, unsigned latent_bits);

  unsigned latent_bits() const { return latent_bits_; }
  unsigned size_log() const { return size_log_; }
  bool has_bins() const { return has_bins_; }
  const State& operator[](std::uint64_t state) const { return states_[static_cast<std::size_t>(state)]; }

 private:
  struct Bin;
  void MakeStates(const std::vector<Bin>& bins);

  unsigned latent_bits_ = 0;
  unsigned size_log_ = 0;
  bool has_bins_ = false;
  std::vector<State> states_;
};

struct PcoChunk {
  PcoNumberType type;
  PcoMode mode;
  PcoDelta delta;
  std::optional<PcoTable> lookbacks;
  PcoTable primary;
  std::optional<PcoTable> secondary;

  /// Throws Error(corrupt), or Error(unsupported) for a mode or delta encoding that this version does not support.
  static PcoChunk Read(PcoBits* bits, const PcoNumberType& type, unsigned major_version);
};

}  // namespace zarr
