// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::test {

inline constexpr std::string_view kV3Group =
    R"({"zarr_format": 3, "node_type": "group", "attributes": {"from": "v3"}})";
inline constexpr std::string_view kV2Group = R"({"zarr_format": 2})";
inline constexpr std::string_view kV2Array =
    R"({"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<i4", "compressor": null, "fill_value": 2, "order": "C"})";
inline constexpr std::string_view kV1Array =
    R"({"zarr_format": 1, "shape": [2, 3], "chunks": [2, 3], "dtype": "<i4", "compression": "none",
        "compression_opts": null, "fill_value": 1, "order": "F"})";
inline constexpr std::string_view kV0Array =
    R"({"shape": [4], "chunks": [2], "dtype": "<i4", "fill_value": 0, "cname": "lz4", "clevel": 5, "shuffle": 1})";

inline std::string V3Array() {
  return Metadata({4}, "[2]", kPlain, "3");
}

/// The metadata of an array of one axis, in chunks of two elements, with the keys that its format has by default.
inline ArrayMetadata ArrayOf(ZarrFormat format, std::uint64_t length = 4, std::string_view attributes = "null") {
  ArrayMetadata array = MakeLineMetadata(format, length);
  if (format == ZarrFormat::kV3) array.chunk_key_encoding = {ChunkKeyEncoding::Kind::kDefault, '/'};
  array.attributes = Json(attributes);
  return array;
}

using Documents = std::vector<std::pair<std::string_view, std::string_view>>;

inline std::shared_ptr<CountingStore> StoreOf(const Documents& documents, std::size_t concurrency = 0) {
  auto store = std::make_shared<CountingStore>(concurrency);
  for (const auto& [key, text] : documents) store->SetText(key, text);
  return store;
}

inline std::shared_ptr<Hierarchy> Open(const Documents& documents, const HierarchyOptions& options = {}) {
  return Hierarchy::Open(StoreOf(documents), options);
}

inline void ExpectOpenError(const Documents& documents, ErrorKind kind, std::string_view part) {
  const auto store = StoreOf(documents);
  const Error error = ErrorOf([&] { EditableHierarchy::Open(store); });
  EXPECT_EQ(error.kind(), kind) << error.what();
  EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos) << error.what();
  EXPECT_TRUE(std::string_view(error.what()).starts_with(store->name())) << error.what();
}

/// A change of a node's attributes.
inline JsonNode Mark(const JsonNode&) {
  return Json(R"({"marked": true})");
}

/// "name:a" for arrays, "name:g" for groups.
inline std::string ListOf(const Hierarchy& hierarchy, std::string_view path = "") {
  std::string text;
  for (const Hierarchy::Child& child : hierarchy.List(path)) {
    text += (text.empty() ? "" : " ") + child.name + (child.kind == NodeKind::kArray ? ":a" : ":g");
  }
  return text;
}

}  // namespace zarr::test
