// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "zarrlib/base/bytes.h"

/// Writes pco files for tests, as the description of the format tells.
namespace zarr::test {

class BitWriter {
 public:
  void Write(std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i, ++position_) {
      if (position_ % 8 == 0) bytes_.push_back(std::byte{0});
      bytes_.back() |= static_cast<std::byte>((value >> i & 1) << position_ % 8);
    }
  }
  void Align() { position_ = 8 * bytes_.size(); }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  std::size_t position_ = 0;
};

struct PcoBin {
  std::uint64_t weight = 1;
  std::uint64_t lower = 0;
  unsigned offset_bits = 0;
};

/// A latent variable of a page: its bins, the state of its delta encoding, and for each stored latent its bin and what
/// is added to the bin's lower bound.
struct PcoVariable {
  struct Latent {
    std::size_t bin;
    std::uint64_t offset;
  };
  unsigned latent_bits = 32;
  unsigned size_log = 0;
  std::vector<PcoBin> bins;
  std::vector<std::uint64_t> state{};
  std::vector<Latent> latents{};
};

/// A variable of one bin, whose latents are stored as they are.
inline PcoVariable MakeRawVariable(unsigned latent_bits, const std::vector<std::uint64_t>& latents,
                                   std::vector<std::uint64_t> state = {}) {
  PcoVariable variable{latent_bits, 0, {{1, 0, latent_bits}}, std::move(state)};
  for (const std::uint64_t latent : latents) variable.latents.push_back({0, latent});
  return variable;
}

inline void WriteBins(const PcoVariable& variable, BitWriter* out) {
  out->Write(variable.size_log, 4);
  out->Write(variable.bins.size(), 15);
  unsigned length_bits = 0;
  while (variable.latent_bits >> length_bits != 0) ++length_bits;
  for (const PcoBin& bin : variable.bins) {
    out->Write(bin.weight - 1, variable.size_log);
    out->Write(bin.lower, variable.latent_bits);
    out->Write(bin.offset_bits, length_bits);
  }
}

/// The bits with which a variable goes from each of its states to the next one.
class PcoStates {
 public:
  explicit PcoStates(const PcoVariable& variable) : size_(std::size_t{1} << variable.size_log), table_(size_) {
    std::size_t stride = 3 * size_ / 5;
    if (stride % 2 == 0) ++stride;
    std::size_t step = 0;
    for (std::size_t bin = 0; bin < variable.bins.size(); ++bin) {
      for (std::uint64_t i = 0; i < variable.bins[bin].weight; ++i) table_[stride * step++ % size_].bin = bin;
    }
    std::vector<std::uint64_t> number;
    for (const PcoBin& bin : variable.bins) number.push_back(bin.weight);
    for (State& state : table_) {
      std::uint64_t next = number[state.bin]++;
      while (next < size_) {
        next *= 2;
        ++state.bits;
      }
      state.next = next - size_;
    }
    // From the last latent to the first, each of four states in turn.
    steps_.resize(variable.latents.size());
    for (std::size_t i = steps_.size(); i-- > 0;) steps_[i] = StepBack(variable.latents[i].bin, &first_[i % 4]);
  }

  const std::array<std::uint64_t, 4>& first() const { return first_; }
  void WriteStep(std::size_t i, BitWriter* out) const { out->Write(steps_[i].value, steps_[i].bits); }

 private:
  struct State {
    std::size_t bin = 0;
    std::uint64_t next = 0;
    unsigned bits = 0;
  };
  struct Step {
    std::uint64_t value = 0;
    unsigned bits = 0;
  };
  Step StepBack(std::size_t bin, std::uint64_t* state) const {
    for (std::size_t i = 0; i < size_; ++i) {
      const State& candidate = table_[i];
      if (candidate.bin != bin || *state < candidate.next || (*state - candidate.next) >> candidate.bits != 0) continue;
      const Step step{*state - candidate.next, candidate.bits};
      *state = i;
      return step;
    }
    return {};
  }

  std::size_t size_;
  std::vector<State> table_;
  std::array<std::uint64_t, 4> first_{};
  std::vector<Step> steps_;
};

/// Writes a page that holds all latents of the variables.
inline void WritePage(const std::vector<PcoVariable>& variables, BitWriter* out) {
  std::vector<PcoStates> states;
  std::size_t most = 0;
  for (const PcoVariable& variable : variables) {
    for (const std::uint64_t latent : variable.state) out->Write(latent, variable.latent_bits);
    states.emplace_back(variable);
    for (const std::uint64_t state : states.back().first()) out->Write(state, variable.size_log);
    most = std::max(most, variable.latents.size());
  }
  out->Align();
  for (std::size_t start = 0; start < most; start += 256) {
    for (std::size_t v = 0; v < variables.size(); ++v) {
      const auto& latents = variables[v].latents;
      const std::size_t end = std::min(start + 256, latents.size());
      for (std::size_t i = start; i < end; ++i) states[v].WriteStep(i, out);
      for (std::size_t i = start; i < end; ++i) {
        out->Write(latents[i].offset, variables[v].bins[latents[i].bin].offset_bits);
      }
    }
  }
  out->Align();
}

/// A chunk. `settings` are the numbers of its mode and its delta encoding, each with its number of bits; 0 bits stand
/// for the begin of the next byte.
struct PcoChunkOf {
  unsigned type_code = 1;
  std::size_t count = 0;
  std::vector<std::pair<std::uint64_t, unsigned>> settings;
  std::vector<PcoVariable> variables;
};

inline void WriteChunk(const PcoChunkOf& chunk, BitWriter* out) {
  out->Write(chunk.type_code, 8);
  out->Write(chunk.count - 1, 24);
  for (const auto& [value, bits] : chunk.settings) {
    if (bits == 0) out->Align();
    out->Write(value, bits);
  }
  for (const PcoVariable& variable : chunk.variables) WriteBins(variable, out);
  out->Align();
  WritePage(chunk.variables, out);
}

/// Makes a file of version 2, which has no number type for all chunks, in a format of the given version.
inline Bytes MakePcoFile(const std::vector<PcoChunkOf>& chunks, unsigned format_version = 4) {
  BitWriter out;
  for (const char c : {'p', 'c', 'o', '!'}) out.Write(static_cast<unsigned char>(c), 8);
  out.Write(2, 8);
  out.Write(0, 6 + 1);  // the number of numbers is unknown
  out.Align();
  out.Write(format_version, 8);
  if (format_version >= 4) out.Write(1, 8);
  for (const PcoChunkOf& chunk : chunks) WriteChunk(chunk, &out);
  out.Write(0, 8);
  return out.bytes();
}

}  // namespace zarr::test
