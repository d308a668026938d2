// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/metadata/array_metadata.h"

/// Helpers for the tests of codecs that work on arrays.
namespace zarr::test {

/// A chunk of a v3 type, filled with zeros.
inline ChunkSpec Spec(const Shape& shape, std::string_view data_type) {
  const DataType type =
      DataType::FromV3(data_type.starts_with('{') ? Json(data_type) : JsonNode::MakeString(data_type));
  return {shape, type, MakeZeroFill(type)};
}

/// A chunk of a v1 or v2 type.
inline ChunkSpec SpecV2(const Shape& shape, std::string_view dtype) {
  const DataType type = DataType::FromV2(dtype.starts_with('[') ? Json(dtype) : JsonNode::MakeString(dtype));
  return {shape, type, MakeZeroFill(type)};
}

inline CodecSpec NamedCodec(std::string_view name, std::string_view configuration = "{}") {
  return {std::string(name), Json(configuration)};
}

}  // namespace zarr::test
