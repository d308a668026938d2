// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// The functions through which libFuzzer and a mutator call each other.
extern "C" {
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned int seed);
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1, const std::uint8_t* data2,
                                      std::size_t size2, std::uint8_t* out, std::size_t max_out_size,
                                      unsigned int seed);
}

namespace zarr::fuzz {

/// Changes bytes as libFuzzer does where there is no other mutator; they grow by at most 64.
inline void MutateBytes(std::string* bytes) {
  const std::size_t size = bytes->size();
  bytes->resize(size + 64);
  bytes->resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes->data()), size, bytes->size()));
}

/// Puts an input to where libFuzzer expects it. An input that is too long is not taken: the old one stays.
inline std::size_t PutInput(const std::string& input, std::size_t old_size, std::uint8_t* data, std::size_t max_size) {
  if (input.size() > max_size) return old_size;
  input.copy(reinterpret_cast<char*>(data), input.size());
  return input.size();
}

}  // namespace zarr::fuzz
