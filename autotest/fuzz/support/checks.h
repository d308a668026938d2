// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "zarrlib/base/error.h"

/// The rules that a target checks. What breaks one ends the process, so that the fuzzer keeps the input.
namespace zarr::fuzz {

/// Ends the process with a message unless `holds`.
void Require(bool holds, std::string_view rule, std::string_view detail = "");

/// Runs a step and returns its result; nothing if it throws Error. Other exceptions are not caught: they are findings.
template <typename Step>
auto Try(const Step& step) -> std::optional<decltype(step())> {
  try {
    return step();
  } catch (const Error& error) {
    Require(!error.message().empty(), "an error has a message");
    return std::nullopt;
  }
}

/// As Try, for a step without a result: returns whether it came to its end.
template <typename Step>
bool Succeeds(const Step& step) {
  return Try([&] {
           step();
           return true;
         })
      .has_value();
}

inline std::string_view AsInput(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace zarr::fuzz
