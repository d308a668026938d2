// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/pco/pco_page.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>

#include "zarrlib/base/float16.h"
#include "zarrlib/codec/array_to_bytes/pco/pco_delta.h"

namespace zarr {
namespace {

constexpr std::size_t kBatchSize = 256;
constexpr std::size_t kInterleaving = 4;

using Batch = std::array<std::uint64_t, kBatchSize>;

// --- latents ------------------------------------------------------------------------------------------------------

/// One latent variable of a page.
class LatentReader {
 public:
  /// Reads the start of the variable. `delta` has no state if the variable is stored unchanged.
  LatentReader(PcoBits* bits, const PcoTable& table, const PcoDelta& delta)
      : table_(table), delta_(ReadPcoDeltaState(bits, delta, table.latent_bits())), state_size_(delta.state_size) {
    for (std::uint64_t& state : states_) state = bits->Read(table.size_log());
  }

  /// Reads the next `count` latents, of the `left` ones remaining in the page.
  std::span<const std::uint64_t> Read(PcoBits* bits, std::size_t count, std::size_t left,
                                      std::span<const std::uint64_t> lookbacks);

 private:
  void ReadStored(PcoBits* bits, std::size_t count);

  const PcoTable& table_;
  std::unique_ptr<PcoDeltaDecoder> delta_;
  std::size_t state_size_;
  std::array<std::uint64_t, kInterleaving> states_;
  Batch batch_{};
};

/// The bins of a whole batch come first, followed by the offsets to be added to their lower bounds.
void LatentReader::ReadStored(PcoBits* bits, std::size_t count) {
  std::array<std::uint8_t, kBatchSize> offset_bits;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t& state = states_[i % kInterleaving];
    const PcoTable::State& bin = table_[state];
    batch_[i] = bin.lower;
    offset_bits[i] = bin.offset_bits;
    state = bin.next + bits->Read(bin.state_bits);
  }
  for (std::size_t i = 0; i < count; ++i) batch_[i] += bits->Read(offset_bits[i]);
}

std::span<const std::uint64_t> LatentReader::Read(PcoBits* bits, std::size_t count, std::size_t left,
                                                  std::span<const std::uint64_t> lookbacks) {
  const std::size_t stored = std::min(count, left - std::min(left, state_size_));
  ReadStored(bits, stored);
  const std::span<std::uint64_t> batch(batch_.data(), count);
  if (delta_) delta_->Decode(batch, stored, lookbacks);
  const std::uint64_t mask = MakeBitMask(table_.latent_bits());
  for (std::uint64_t& latent : batch) latent &= mask;
  return batch;
}

// --- floats -------------------------------------------------------------------------------------------------------

/// Converts the bits of a float to a number that sorts like the floats.
std::uint64_t ConvertFloatToLatent(std::uint64_t bits, const PcoNumberType& type) {
  return (bits & type.middle()) != 0 ? ~bits & MakeBitMask(type.bits) : bits ^ type.middle();
}
std::uint64_t ConvertLatentToFloat(std::uint64_t latent, const PcoNumberType& type) {
  return (latent & type.middle()) != 0 ? latent ^ type.middle() : ~latent & MakeBitMask(type.bits);
}

/// Multiplies two 16-bit floats given by their bits.
std::uint64_t MultiplyHalves(std::uint64_t a, std::uint64_t b) {
  const float left = ConvertHalfToFloat(static_cast<std::uint16_t>(a));
  if (std::isnan(left)) return a | 0x0200;  // quiet, with its other bits
  const double product = double{left} * double{ConvertHalfToFloat(static_cast<std::uint16_t>(b))};
  return ConvertDoubleToHalf(product);
}

template <typename Float, typename Bits>
std::uint64_t MultiplyFloats(std::uint64_t a, std::uint64_t b) {
  return std::bit_cast<Bits>(std::bit_cast<Float>(static_cast<Bits>(a)) * std::bit_cast<Float>(static_cast<Bits>(b)));
}

std::uint64_t Multiply(std::uint64_t a, std::uint64_t b, const PcoNumberType& type) {
  if (type.bits == 16) return MultiplyHalves(a, b);
  if (type.bits == 32) return MultiplyFloats<float, std::uint32_t>(a, b);
  return MultiplyFloats<double, std::uint64_t>(a, b);
}

/// Converts a whole number, which is at most 2^53, exactly to a float, and returns its bits.
std::uint64_t ConvertWholeToFloat(std::uint64_t whole, const PcoNumberType& type) {
  if (type.bits == 16) return ConvertDoubleToHalf(static_cast<double>(whole));
  if (type.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(whole));
  return std::bit_cast<std::uint64_t>(static_cast<double>(whole));
}

/// Returns the bits of a float multiplier. Beyond the whole numbers that floats represent without gaps, latents count
/// the floats.
std::uint64_t GetMultiplier(std::uint64_t latent, const PcoNumberType& type) {
  const bool negative = latent < type.middle();
  const std::uint64_t whole = negative ? type.middle() - 1 - latent : latent - type.middle();
  const std::uint64_t gapless = std::uint64_t{1} << (type.mantissa_bits() + 1);
  const std::uint64_t bits =
      whole < gapless ? ConvertWholeToFloat(whole, type) : ConvertWholeToFloat(gapless, type) + (whole - gapless);
  return negative ? bits ^ type.middle() : bits;
}

// --- numbers ------------------------------------------------------------------------------------------------------

/// Combines a latent of each variable to the latent of a number.
class Joiner {
 public:
  explicit Joiner(const PcoChunk& chunk)
      : type_(chunk.type), mode_(chunk.mode), mask_(MakeBitMask(chunk.type.bits)), size_(chunk.type.bits / 8) {
    if (mode_.kind == PcoMode::Kind::kFloatMult) base_ = ConvertLatentToFloat(mode_.base, type_);
  }

  std::uint64_t Join(std::uint64_t primary, std::uint64_t secondary) const {
    switch (mode_.kind) {
      case PcoMode::Kind::kIntMult:
        return (primary * mode_.base + secondary) & mask_;
      case PcoMode::Kind::kFloatMult:
        return JoinMultiple(primary, secondary);
      case PcoMode::Kind::kFloatQuant:
        return JoinQuantum(primary, secondary);
      case PcoMode::Kind::kDict:
        return LookUp(primary);
      default:
        return primary;
    }
  }
  /// Writes a number given by its latent.
  void Write(std::uint64_t latent, std::byte* out) const {
    std::uint64_t number = latent;
    if (type_.kind == PcoNumberType::Kind::kSigned) number ^= type_.middle();
    if (type_.kind == PcoNumberType::Kind::kFloat) number = ConvertLatentToFloat(latent, type_);
    WriteBits(out, size_, number);
  }

 private:
  std::uint64_t JoinMultiple(std::uint64_t primary, std::uint64_t secondary) const {
    const std::uint64_t product = Multiply(GetMultiplier(primary, type_), base_, type_);
    return (ConvertFloatToLatent(product, type_) + secondary + type_.middle()) & mask_;
  }
  std::uint64_t JoinQuantum(std::uint64_t primary, std::uint64_t secondary) const {
    const bool negative = primary < type_.middle() >> mode_.quantum_bits;
    const std::uint64_t low = negative ? MakeBitMask(mode_.quantum_bits) - secondary : secondary;
    return ((primary << mode_.quantum_bits) + low) & mask_;
  }
  std::uint64_t LookUp(std::uint64_t index) const {
    if (index >= mode_.dictionary.size() / size_) throw Error(ErrorKind::kCorrupt, "a place beyond the dictionary");
    return LoadLittleEndianBits(mode_.dictionary.data() + static_cast<std::size_t>(index) * size_, size_);
  }

  const PcoNumberType& type_;
  const PcoMode& mode_;
  std::uint64_t mask_;
  std::size_t size_;
  std::uint64_t base_ = 0;
};

/// Throws Error(corrupt) for latents without any stored bins.
void CheckBins(const PcoChunk& chunk, std::size_t count) {
  if (count <= chunk.delta.state_size) return;
  const bool complete = chunk.primary.has_bins() && (!chunk.lookbacks || chunk.lookbacks->has_bins()) &&
                        (!chunk.secondary || chunk.secondary->has_bins());
  if (!complete) throw Error(ErrorKind::kCorrupt, "a page without bins");
}

/// The latent variables of a page, which are stored in this order.
class Page {
 public:
  Page(PcoBits* bits, const PcoChunk& chunk, std::size_t count) : chunk_(chunk), joiner_(chunk), left_(count), none_{} {
    CheckBins(chunk, count);
    if (chunk.lookbacks) lookbacks_.emplace(bits, *chunk.lookbacks, none_);
    primary_.emplace(bits, chunk.primary, chunk.delta);
    if (chunk.secondary) secondary_.emplace(bits, *chunk.secondary, chunk.delta.has_secondary ? chunk.delta : none_);
    bits->Align();
  }

  std::size_t left() const { return left_; }
  /// Decodes the next batch and returns the number of bytes written.
  std::size_t DecodeBatch(PcoBits* bits, std::byte* out) {
    const std::size_t count = std::min(left_, kBatchSize);
    std::span<const std::uint64_t> lookbacks;
    if (lookbacks_) {
      const std::size_t stored = std::min(count, left_ - std::min(left_, chunk_.delta.state_size));
      lookbacks = lookbacks_->Read(bits, stored, left_, {});
    }
    const auto primary = primary_->Read(bits, count, left_, lookbacks);
    std::span<const std::uint64_t> secondary;
    if (secondary_) secondary = secondary_->Read(bits, count, left_, lookbacks);
    const std::size_t size = chunk_.type.bits / 8;
    for (std::size_t i = 0; i < count; ++i) {
      joiner_.Write(joiner_.Join(primary[i], secondary_ ? secondary[i] : 0), out + i * size);
    }
    left_ -= count;
    return count * size;
  }

 private:
  const PcoChunk& chunk_;
  Joiner joiner_;
  std::size_t left_;
  PcoDelta none_;
  std::optional<LatentReader> lookbacks_;
  std::optional<LatentReader> primary_;
  std::optional<LatentReader> secondary_;
};

}  // namespace

void DecodePcoPage(PcoBits* bits, const PcoChunk& chunk, MutableByteSpan out) {
  Page page(bits, chunk, out.size() / (chunk.type.bits / 8));
  while (page.left() > 0) out = out.subspan(page.DecodeBatch(bits, out.data()));
  bits->Align();
}

}  // namespace zarr
