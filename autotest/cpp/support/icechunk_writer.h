// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/memory_store.h"

/// Writes the objects of small Icechunk repositories, with any content, for tests.
namespace zarr::icechunk_test {

/// Writes FlatBuffers: each table is followed by what it refers to.
class FlatWriter {
 public:
  /// Writes a value, and returns its position.
  using Child = std::function<std::size_t(FlatWriter*)>;
  /// A field: bytes in the table, or a value after it.
  struct Field {
    Bytes bytes;
    Child child = nullptr;
  };
  using Fields = std::map<unsigned, Field>;

  const Bytes& bytes() const { return bytes_; }

  std::size_t AddTable(const Fields& fields) {
    const std::size_t count = fields.empty() ? 0 : fields.rbegin()->first + 1;
    std::vector<std::uint16_t> vtable(2 + count);
    vtable[0] = static_cast<std::uint16_t>(2 * vtable.size());
    std::size_t size = 4;
    for (const auto& [number, field] : fields) {
      vtable[2 + number] = static_cast<std::uint16_t>(size);
      size += field.child ? 4 : field.bytes.size();
    }
    vtable[1] = static_cast<std::uint16_t>(size);
    const std::size_t vtable_position = bytes_.size();
    for (const std::uint16_t number : vtable) AddNumber(number);
    const std::size_t position = bytes_.size();
    AddNumber(static_cast<std::int32_t>(position - vtable_position));
    std::vector<std::pair<std::size_t, const Child*>> children;
    for (const auto& [number, field] : fields) {
      if (field.child) children.emplace_back(bytes_.size(), &field.child);
      field.child ? AddNumber(std::uint32_t{0}) : Append(field.bytes);
    }
    for (const auto& [slot, child] : children) SetOffset(slot, (*child)(this));
    return position;
  }

  std::size_t AddVector(std::size_t count, ByteSpan items) {
    const std::size_t position = bytes_.size();
    AddNumber(static_cast<std::uint32_t>(count));
    Append(items);
    return position;
  }

  std::size_t AddOffsets(const std::vector<Child>& children) {
    const std::size_t position = AddVector(children.size(), Bytes(4 * children.size()));
    for (std::size_t i = 0; i < children.size(); ++i) SetOffset(position + 4 + 4 * i, children[i](this));
    return position;
  }

  /// Returns a whole buffer with that root table.
  static Bytes MakeBuffer(const Fields& root) {
    FlatWriter writer;
    writer.AddNumber(std::uint32_t{0});
    writer.SetOffset(0, writer.AddTable(root));
    return writer.bytes_;
  }

 private:
  template <typename T>
  void AddNumber(T value) {
    const std::size_t position = bytes_.size();
    bytes_.resize(position + sizeof(T));
    WriteLittleEndian(bytes_.data() + position, value);
  }
  void Append(ByteSpan more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }
  void SetOffset(std::size_t slot, std::size_t target) {
    WriteLittleEndian(bytes_.data() + slot, static_cast<std::uint32_t>(target - slot));
  }

  Bytes bytes_;
};

using Field = FlatWriter::Field;

template <typename T>
Field MakeNumber(T value) {
  Bytes bytes(sizeof(T));
  WriteLittleEndian(bytes.data(), value);
  return {std::move(bytes)};
}
template <typename Id>
Field MakeStruct(const Id& id) {
  return {Bytes(id.begin(), id.end())};
}
inline Field MakeBytes(std::string_view text) {
  return {{}, [text = std::string(text)](FlatWriter* writer) { return writer->AddVector(text.size(), AsBytes(text)); }};
}
inline Field MakeTable(FlatWriter::Fields fields) {
  return {{}, [fields = std::move(fields)](FlatWriter* writer) { return writer->AddTable(fields); }};
}
inline Field MakeNumbers(const std::vector<std::uint32_t>& numbers, std::size_t per_item = 1) {
  return {{}, [numbers, per_item](FlatWriter* writer) {
            return writer->AddVector(numbers.size() / per_item, test::LittleEndianOf(numbers));
          }};
}
inline Field MakeTables(const std::vector<FlatWriter::Fields>& tables) {
  std::vector<FlatWriter::Child> children;
  for (const FlatWriter::Fields& fields : tables) {
    children.emplace_back([fields](FlatWriter* writer) { return writer->AddTable(fields); });
  }
  return {{}, [children](FlatWriter* writer) { return writer->AddOffsets(children); }};
}
inline Field MakeTexts(const std::vector<std::string>& texts) {
  std::vector<FlatWriter::Child> children;
  for (const std::string& text : texts) children.push_back(MakeBytes(text).child);
  return {{}, [children](FlatWriter* writer) { return writer->AddOffsets(children); }};
}

template <typename Id = ObjectId>
Id MakeId(unsigned number) {
  Id id{};
  id.back() = static_cast<std::byte>(number);
  return id;
}

/// Returns a metadata object that is not compressed.
inline Bytes MakeObject(ObjectType type, ByteSpan payload, unsigned version = 2) {
  Bytes object = ToBytes(std::string(kIcechunkMagic) + "a test                  ");
  for (const unsigned byte : {version, static_cast<unsigned>(type), 0U}) object.push_back(static_cast<std::byte>(byte));
  object.insert(object.end(), payload.begin(), payload.end());
  return object;
}

// --- the parts of a repository -----------------------------------------------------------------------------------

inline FlatWriter::Fields MakeInlineRef(const std::vector<std::uint32_t>& index, std::string_view bytes) {
  return {{0, MakeNumbers(index)}, {1, MakeBytes(bytes)}};
}
inline FlatWriter::Fields MakeNativeRef(const std::vector<std::uint32_t>& index, const ObjectId& file,
                                        std::uint64_t offset, std::uint64_t length) {
  return {{0, MakeNumbers(index)}, {2, MakeNumber(offset)}, {3, MakeNumber(length)}, {4, MakeStruct(file)}};
}
inline FlatWriter::Fields MakeVirtualRef(const std::vector<std::uint32_t>& index, std::string_view location,
                                         std::uint64_t offset, std::uint64_t length) {
  return {{0, MakeNumbers(index)}, {2, MakeNumber(offset)}, {3, MakeNumber(length)}, {5, MakeBytes(location)}};
}

inline Bytes MakeManifest(const NodeId& node, const std::vector<FlatWriter::Fields>& refs, unsigned id = 1) {
  const FlatWriter::Fields array = {{0, MakeStruct(node)}, {1, MakeTables(refs)}};
  return FlatWriter::MakeBuffer({{0, MakeStruct(MakeId(id))}, {1, MakeTables({array})}});
}

inline FlatWriter::Fields MakeGroup(const NodeId& id, std::string_view path) {
  return {{0, MakeStruct(id)},
          {1, MakeBytes(path)},
          {2, MakeBytes(R"({"zarr_format": 3, "node_type": "group"})")},
          {3, MakeNumber(std::uint8_t{2})},
          {4, MakeTable({})}};
}

/// A manifest of an array, and the ranges of chunks along each dimension that it covers, one after the other.
struct Part {
  ObjectId manifest{};
  std::vector<std::uint32_t> extents;
};
inline FlatWriter::Fields MakeArray(const NodeId& id, std::string_view path, std::string_view metadata,
                                    std::size_t rank, const std::vector<Part>& parts) {
  std::vector<FlatWriter::Fields> manifests;
  for (const Part& part : parts) {
    manifests.push_back({{0, MakeStruct(part.manifest)}, {1, MakeNumbers(part.extents, 2)}});
  }
  const std::vector<FlatWriter::Fields> shape(rank, {{0, MakeNumber(std::uint64_t{4})}});
  const FlatWriter::Fields data = {{0, MakeNumbers({})}, {2, MakeTables(manifests)}, {3, MakeTables(shape)}};
  return {{0, MakeStruct(id)},
          {1, MakeBytes(path)},
          {2, MakeBytes(metadata)},
          {3, MakeNumber(std::uint8_t{1})},
          {4, MakeTable(data)}};
}

inline Bytes MakeSnapshot(const std::vector<FlatWriter::Fields>& nodes,
                          const std::optional<ObjectId>& parent = std::nullopt, std::uint64_t time = 0) {
  FlatWriter::Fields fields = {{0, MakeStruct(MakeId(1))}, {2, MakeTables(nodes)}, {3, MakeNumber(time)},
                               {4, MakeBytes("a commit")}, {5, MakeTables({})},    {6, MakeNumbers({})}};
  if (parent) fields.emplace(1, MakeStruct(*parent));
  return FlatWriter::MakeBuffer(fields);
}

/// A snapshot in a repo info file; `parent` is an index, or -1.
struct KnownSnapshot {
  ObjectId id{};
  std::int32_t parent = -1;
  std::uint64_t time = 0;
};
using KnownRefs = std::vector<std::pair<std::string, std::uint32_t>>;

inline Bytes MakeRepoInfo(const std::vector<KnownSnapshot>& snapshots, const KnownRefs& branches,
                          const KnownRefs& tags = {}, const std::vector<std::string>& deleted = {},
                          std::string_view config = "", std::uint8_t version = 2) {
  const auto make_refs = [](const KnownRefs& refs) {
    std::vector<FlatWriter::Fields> tables;
    for (const auto& [name, index] : refs) tables.push_back({{0, MakeBytes(name)}, {1, MakeNumber(index)}});
    return MakeTables(tables);
  };
  std::vector<FlatWriter::Fields> infos;
  for (const KnownSnapshot& snapshot : snapshots) {
    infos.push_back({{0, MakeStruct(snapshot.id)},
                     {1, MakeNumber(snapshot.parent)},
                     {2, MakeNumber(snapshot.time)},
                     {3, MakeBytes("a commit")}});
  }
  FlatWriter::Fields fields = {{0, MakeNumber(version)}, {1, make_refs(tags)},   {2, make_refs(branches)},
                               {3, MakeTexts(deleted)},  {4, MakeTables(infos)}, {5, MakeTable({})},
                               {7, MakeTables({})}};
  if (!config.empty()) fields.emplace(9, MakeBytes(config));
  return FlatWriter::MakeBuffer(fields);
}

}  // namespace zarr::icechunk_test
