// SPDX-License-Identifier: MIT
// The mutator of targets whose input is one JSON document.
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/fuzzer_interface.h"
#include "autotest/fuzz/support/json_mutator.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace zarr::fuzz;  // NOLINT(google-build-using-namespace)
  Random random(seed);
  std::string text(AsInput(data, size));
  auto changed = Below(4, &random) == 0 ? std::nullopt : MutateJson(text, text, &random);
  if (!changed) {
    MutateBytes(&text);
    changed = text;
  }
  return PutInput(*changed, size, data, max_size);
}
