// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/pco/pco_delta.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace zarr {
namespace {

using Latents = std::vector<std::uint64_t>;

/// Differences are stored with the middle of their range in place of 0.
std::uint64_t GetMiddle(unsigned latent_bits) {
  return (MakeBitMask(latent_bits) >> 1) + 1;
}

/// Differences of an order from 1 to 7: one sum for each.
class ConsecutiveDecoder final : public PcoDeltaDecoder {
 public:
  ConsecutiveDecoder(Latents sums, unsigned latent_bits) : sums_(std::move(sums)), middle_(GetMiddle(latent_bits)) {}

  void Decode(std::span<std::uint64_t> batch, std::size_t, std::span<const std::uint64_t>) override {
    for (std::uint64_t& value : batch) value += middle_;
    for (auto sum = sums_.rbegin(); sum != sums_.rend(); ++sum) {
      for (std::uint64_t& value : batch) {
        const std::uint64_t difference = std::exchange(value, *sum);
        *sum += difference;
      }
    }
  }

 private:
  Latents sums_;
  std::uint64_t middle_;
};

/// Differences to an earlier latent at a given distance.
class LookbackDecoder final : public PcoDeltaDecoder {
 public:
  LookbackDecoder(Latents state, std::size_t window, unsigned latent_bits)
      : state_size_(state.size()), window_(window), middle_(GetMiddle(latent_bits)), history_(std::move(state)) {}

  void Decode(std::span<std::uint64_t> batch, std::size_t known, std::span<const std::uint64_t> lookbacks) override {
    ForgetOldLatents();
    const std::size_t first = history_.size() - state_size_;
    for (std::size_t i = 0; i < known; ++i) history_.push_back(batch[i] + middle_ + LookBack(lookbacks[i]));
    std::copy_n(history_.begin() + static_cast<std::ptrdiff_t>(first), batch.size(), batch.begin());
  }

 private:
  /// Latents before the page are 0.
  std::uint64_t LookBack(std::uint64_t distance) const {
    if (distance == 0 || distance > window_) throw Error(ErrorKind::kCorrupt, "a lookback beyond the window");
    return distance > history_.size() ? 0 : history_[history_.size() - static_cast<std::size_t>(distance)];
  }
  void ForgetOldLatents() {
    if (history_.size() < 2 * window_) return;
    history_.erase(history_.begin(), history_.end() - static_cast<std::ptrdiff_t>(window_));
  }

  std::size_t state_size_;
  std::size_t window_;
  std::uint64_t middle_;
  Latents history_;
};

/// Differences to a weighted sum of the preceding latents.
class ConvolutionDecoder final : public PcoDeltaDecoder {
 public:
  ConvolutionDecoder(Latents state, const PcoDelta& delta, unsigned latent_bits)
      : delta_(delta), mask_(MakeBitMask(latent_bits)), middle_(GetMiddle(latent_bits)), latents_(std::move(state)) {}

  void Decode(std::span<std::uint64_t> batch, std::size_t, std::span<const std::uint64_t>) override {
    const std::size_t order = delta_.state_size;
    for (const std::uint64_t difference : batch) latents_.push_back((difference + middle_ + Predict()) & mask_);
    std::copy_n(latents_.begin(), batch.size(), batch.begin());
    latents_.erase(latents_.begin(), latents_.end() - static_cast<std::ptrdiff_t>(order));
  }

 private:
  std::uint64_t Predict() const {
    const std::uint64_t* last = latents_.data() + latents_.size() - delta_.state_size;
    std::int64_t sum = delta_.bias;  // cannot overflow: see CheckConvolution
    for (const std::int64_t weight : delta_.weights) sum += weight * static_cast<std::int64_t>(*last++);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0) >> delta_.quantization);
  }

  const PcoDelta& delta_;
  std::uint64_t mask_;
  std::uint64_t middle_;
  Latents latents_;
};

}  // namespace

std::unique_ptr<PcoDeltaDecoder> ReadPcoDeltaState(PcoBits* bits, const PcoDelta& delta, unsigned latent_bits) {
  bits->Expect(delta.state_size, latent_bits);
  Latents state(delta.state_size);
  for (std::uint64_t& latent : state) latent = bits->Read(latent_bits);
  switch (delta.kind) {
    case PcoDelta::Kind::kConsecutive:
      return std::make_unique<ConsecutiveDecoder>(std::move(state), latent_bits);
    case PcoDelta::Kind::kLookback:
      return std::make_unique<LookbackDecoder>(std::move(state), delta.window, latent_bits);
    case PcoDelta::Kind::kConvolution:
      return std::make_unique<ConvolutionDecoder>(std::move(state), delta, latent_bits);
    default:
      return nullptr;
  }
}

}  // namespace zarr
