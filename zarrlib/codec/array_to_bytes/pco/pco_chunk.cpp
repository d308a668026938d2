// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/pco/pco_chunk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>

namespace zarr {
namespace {

using NumberKind = PcoNumberType::Kind;

constexpr auto kNumberTypes = std::to_array<PcoNumberType>({
    {1, NumberKind::kUnsigned, 32},
    {2, NumberKind::kUnsigned, 64},
    {3, NumberKind::kSigned, 32},
    {4, NumberKind::kSigned, 64},
    {5, NumberKind::kFloat, 32},
    {6, NumberKind::kFloat, 64},
    {7, NumberKind::kUnsigned, 16},
    {8, NumberKind::kSigned, 16},
    {9, NumberKind::kFloat, 16},
    {10, NumberKind::kUnsigned, 8},
    {11, NumberKind::kSigned, 8},
});

constexpr unsigned kIndexBits = 32;  // of lookbacks, and of positions in a dictionary
constexpr unsigned kMaxTableLog = 14;
constexpr unsigned kMaxWindowLog = 24;

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorKind::kCorrupt, message);
}

// --- mode ---------------------------------------------------------------------------------------------------------

/// Checks a base, which must be finite and not 0; it is given as a latent of a float type.
void CheckFloatBase(std::uint64_t latent, const PcoNumberType& type) {
  const std::uint64_t negated = ~latent & MakeBitMask(type.bits);
  const std::uint64_t magnitude = (latent >= type.middle() ? latent : negated) - type.middle();
  const std::uint64_t infinity = (type.middle() - 1) & ~MakeBitMask(type.mantissa_bits());
  if (magnitude == 0 || magnitude >= infinity) Fail("expected a base that is finite and not 0");
}

void ReadIntMult(PcoBits* bits, const PcoNumberType& type, unsigned major_version, PcoMode* mode) {
  if (major_version == 0) {
    throw Error(ErrorKind::kUnsupported, "common divisors as version 0 of the format has them are not implemented");
  }
  if (type.is_float()) Fail("multiples of an integer among floats");
  mode->kind = PcoMode::Kind::kIntMult;
  mode->base = bits->Read(type.bits);
  if (mode->base == 0) Fail("expected a base that is not 0");
}

void ReadFloatMult(PcoBits* bits, const PcoNumberType& type, PcoMode* mode) {
  if (!type.is_float()) Fail("multiples of a float among integers");
  mode->kind = PcoMode::Kind::kFloatMult;
  mode->base = bits->Read(type.bits);
  CheckFloatBase(mode->base, type);
}

void ReadFloatQuant(PcoBits* bits, const PcoNumberType& type, PcoMode* mode) {
  if (!type.is_float()) Fail("quantized floats among integers");
  mode->kind = PcoMode::Kind::kFloatQuant;
  mode->quantum_bits = static_cast<unsigned>(bits->Read(8));
  if (mode->quantum_bits == 0 || mode->quantum_bits > type.mantissa_bits()) Fail("a wrong number of quantized bits");
}

void ReadDictionary(PcoBits* bits, const PcoNumberType& type, PcoMode* mode) {
  mode->kind = PcoMode::Kind::kDict;
  const std::uint64_t count = bits->Read(25);
  bits->Align();
  mode->dictionary = bits->TakeBytes(count * (type.bits / 8));
}

PcoMode ReadMode(PcoBits* bits, const PcoNumberType& type, unsigned major_version) {
  PcoMode mode;
  switch (const std::uint64_t number = bits->Read(4)) {
    case 0:
      break;
    case 1:
      ReadIntMult(bits, type, major_version, &mode);
      break;
    case 2:
      ReadFloatMult(bits, type, &mode);
      break;
    case 3:
      ReadFloatQuant(bits, type, &mode);
      break;
    case 4:
      ReadDictionary(bits, type, &mode);
      break;
    default:
      throw Error(ErrorKind::kUnsupported, "mode " + std::to_string(number) + " is not implemented");
  }
  return mode;
}

// --- delta encoding -----------------------------------------------------------------------------------------------

PcoDelta ReadConsecutive(PcoBits* bits) {
  PcoDelta delta;
  delta.kind = PcoDelta::Kind::kConsecutive;
  delta.state_size = static_cast<std::size_t>(bits->Read(3));
  return delta;
}

PcoDelta ReadLookback(PcoBits* bits) {
  PcoDelta delta;
  delta.kind = PcoDelta::Kind::kLookback;
  const auto window_log = static_cast<unsigned>(bits->Read(5)) + 1;
  const auto state_log = static_cast<unsigned>(bits->Read(4));
  if (window_log > kMaxWindowLog || state_log > window_log) Fail("a window of a wrong size");
  delta.window = std::size_t{1} << window_log;
  delta.state_size = std::size_t{1} << state_log;
  delta.has_secondary = bits->Read(1) != 0;
  return delta;
}

PcoDelta ReadConvolution(PcoBits* bits) {
  PcoDelta delta;
  delta.kind = PcoDelta::Kind::kConvolution;
  delta.quantization = static_cast<unsigned>(bits->Read(5));
  delta.bias = static_cast<std::int64_t>(bits->Read(64) ^ (std::uint64_t{1} << 63));
  delta.state_size = static_cast<std::size_t>(bits->Read(5)) + 1;
  for (std::size_t i = 0; i < delta.state_size; ++i) {
    delta.weights.push_back(static_cast<std::int64_t>(bits->Read(32)) - (std::int64_t{1} << 31));
  }
  return delta;
}

PcoDelta ReadDelta(PcoBits* bits, unsigned major_version) {
  if (major_version < 3) {  // these versions did not have other kinds
    PcoDelta delta = ReadConsecutive(bits);
    if (delta.state_size == 0) delta.kind = PcoDelta::Kind::kNone;
    return delta;
  }
  const std::uint64_t number = bits->Read(4);
  if (number == 0) return {};
  if (number == 1) {
    PcoDelta delta = ReadConsecutive(bits);
    if (delta.state_size == 0) Fail("expected differences of an order that is not 0");
    delta.has_secondary = bits->Read(1) != 0;
    return delta;
  }
  if (number == 2) return ReadLookback(bits);
  if (number == 3) return ReadConvolution(bits);
  throw Error(ErrorKind::kUnsupported, "delta encoding " + std::to_string(number) + " is not implemented");
}

/// Throws Error(corrupt) if a sum of the convolution might not fit into 64 bits.
void CheckConvolution(const PcoDelta& delta, unsigned latent_bits) {
  if (latent_bits > 32) Fail("a convolution of numbers with 64 bits");
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto negate = [](std::int64_t value) { return std::uint64_t{0} - static_cast<std::uint64_t>(value); };
  const auto get_magnitude = [&](std::int64_t value) {
    return value < 0 ? negate(value) : static_cast<std::uint64_t>(value);
  };
  std::uint64_t sum = 0;
  for (const std::int64_t weight : delta.weights) sum += get_magnitude(weight);
  const std::uint64_t bias = get_magnitude(delta.bias);
  if (bias > kMax || sum > (kMax - bias) >> latent_bits) Fail("the weights of a convolution are too large");
}

}  // namespace

const PcoNumberType* FindPcoNumberType(std::uint64_t code) {
  const auto* found = std::find_if(kNumberTypes.begin(), kNumberTypes.end(),
                                   [&](const PcoNumberType& type) { return type.code == code; });
  return found == kNumberTypes.end() ? nullptr : &*found;
}

// --- tables -------------------------------------------------------------------------------------------------------

struct PcoTable::Bin {
  std::uint64_t weight = 1;
  std::uint64_t lower = 0;
  std::uint8_t offset_bits = 0;
};

PcoTable PcoTable::Read(PcoBits* bits, unsigned latent_bits) {
  PcoTable table;
  table.latent_bits_ = latent_bits;
  table.size_log_ = static_cast<unsigned>(bits->Read(4));
  const std::uint64_t count = bits->Read(15);
  if (table.size_log_ > kMaxTableLog) Fail("a table of a wrong size");
  const auto length_bits = static_cast<unsigned>(std::bit_width(latent_bits));
  bits->Expect(count, table.size_log_ + latent_bits + length_bits);

  std::uint64_t total = 0;
  std::vector<Bin> bins(static_cast<std::size_t>(count));
  for (Bin& bin : bins) {
    bin.weight = bits->Read(table.size_log_) + 1;
    bin.lower = bits->Read(latent_bits);
    bin.offset_bits = static_cast<std::uint8_t>(bits->Read(length_bits));
    if (bin.offset_bits > latent_bits) Fail("a bin with too many bits");
    total += bin.weight;
  }
  table.has_bins_ = !bins.empty();
  if (bins.empty()) {  // a page may consist only of the state of its delta encoding
    bins.emplace_back();
    total = 1;
  }
  if (total != std::uint64_t{1} << table.size_log_) Fail("the weights of the bins do not fit to the size of the table");
  table.MakeStates(bins);
  return table;
}

/// The states of a bin are distributed over the table with a stride specified by the format.
void PcoTable::MakeStates(const std::vector<Bin>& bins) {
  const std::size_t size = std::size_t{1} << size_log_;
  const std::size_t stride = (3 * size / 5) | 1;
  std::vector<std::uint16_t> bin_of_state(size);
  std::size_t state = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    for (std::uint64_t n = 0; n < bins[i].weight; ++n) {
      bin_of_state[state] = static_cast<std::uint16_t>(i);
      state = (state + stride) & (size - 1);
    }
  }

  std::vector<std::uint64_t> next(bins.size());  // the number within the bin, starting with its weight
  std::transform(bins.begin(), bins.end(), next.begin(), [](const Bin& bin) { return bin.weight; });
  states_.reserve(size);
  for (const std::uint16_t index : bin_of_state) {
    const std::uint64_t number = next[index]++;
    const auto state_bits = static_cast<std::uint8_t>(size_log_ + 1 - static_cast<unsigned>(std::bit_width(number)));
    states_.push_back({bins[index].lower, static_cast<std::uint16_t>((number << state_bits) - size), state_bits,
                       bins[index].offset_bits});
  }
}

PcoChunk PcoChunk::Read(PcoBits* bits, const PcoNumberType& type, unsigned major_version) {
  PcoChunk chunk{type, ReadMode(bits, type, major_version), ReadDelta(bits, major_version), {}, {}, {}};
  const unsigned primary_bits = chunk.mode.kind == PcoMode::Kind::kDict ? kIndexBits : type.bits;
  if (chunk.delta.kind == PcoDelta::Kind::kConvolution) CheckConvolution(chunk.delta, primary_bits);
  if (chunk.delta.kind == PcoDelta::Kind::kLookback) chunk.lookbacks = PcoTable::Read(bits, kIndexBits);
  chunk.primary = PcoTable::Read(bits, primary_bits);
  if (chunk.mode.has_secondary()) chunk.secondary = PcoTable::Read(bits, type.bits);
  bits->Align();
  return chunk;
}

}  // namespace zarr
