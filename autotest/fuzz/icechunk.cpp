// SPDX-License-Identifier: MIT
// Icechunk repositories: the input is a metadata object, or its type and its FlatBuffer without compression. The object
// becomes a part of a repository in memory, of which all is read.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "autotest/fuzz/support/checks.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/store/icechunk/icechunk_store.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/memory_store.h"

namespace zarr::fuzz {
namespace {

constexpr std::size_t kMaxKeys = 200;
constexpr std::uint64_t kMaxObject = std::uint64_t{16} << 20;

/// The FlatBuffer of an input, and its type.
struct Payload {
  Bytes bytes;
  unsigned type = 0;
};

Payload GetPayload(std::string_view input) {
  if (input.empty()) return {};
  constexpr std::size_t kTypeAt = 37;
  if (!input.starts_with(kIcechunkMagic)) {
    return {ToBytes(input.substr(1)), static_cast<unsigned>(static_cast<unsigned char>(input[0])) % 8};
  }
  const unsigned type = input.size() > kTypeAt ? static_cast<unsigned char>(input[kTypeAt]) : 0;
  const auto bytes = Try([&] { return DecodeObject(AsBytes(input), static_cast<ObjectType>(type)); });
  return bytes ? Payload{*bytes, type} : Payload();
}

void ReadManifest(const Bytes& payload) {
  const auto manifest = Try([&] { return std::make_shared<const Manifest>(payload); });
  if (manifest)
    Require((*manifest)->memory() <= 2 * payload.size() + 4096, "a table is not larger than its source", "");
}

void CollectKeys(const Store& store, const std::string& prefix, std::vector<std::string>* keys) {
  const auto listing = Try([&] { return store.List(prefix); });
  if (!listing || !*listing) return;
  for (const std::string& key : (*listing)->keys) keys->push_back(prefix + key);
  for (const std::string& name : (*listing)->prefixes) {
    if (keys->size() < kMaxKeys) CollectKeys(store, prefix + name + "/", keys);
  }
}

void ReadStore(const Bytes& payload, ObjectType type) {
  const auto folder = std::make_shared<MemoryStore>("repository");
  Bytes object = ToBytes(std::string(kIcechunkMagic) + std::string(24, ' ') + "\2" + static_cast<char>(type));
  object.push_back(std::byte{0});
  object.insert(object.end(), payload.begin(), payload.end());
  const ObjectId id{};
  folder->Set(type == ObjectType::kRepoInfo ? "repo" : "snapshots/" + FormatObjectId(id), object);
  const auto repository = Try([&] { return std::make_shared<const Repository>(folder); });
  if (!repository) return;
  Try([&] { return (*repository)->ListCommits((*repository)->FindSnapshot({}), 100).size(); });
  const auto store =
      Try([&] { return std::make_shared<const IcechunkStore>("test", *repository, id, ChunkOptions{}); });
  if (!store) return;
  std::vector<std::string> keys;
  CollectKeys(**store, "", &keys);
  for (const std::string& key : keys) {
    Try([&] {
      Bytes value;
      return (*store)->Get(key, &value);
    });
  }
}

void Run(std::string_view input) {
  const Payload payload = GetPayload(input);
  if (payload.type == static_cast<unsigned>(ObjectType::kManifest)) ReadManifest(payload.bytes);
  if (payload.type == static_cast<unsigned>(ObjectType::kSnapshot)) ReadStore(payload.bytes, ObjectType::kSnapshot);
  if (payload.type == static_cast<unsigned>(ObjectType::kRepoInfo)) ReadStore(payload.bytes, ObjectType::kRepoInfo);
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::SetLimit(zarr::Limit::kReferenceFile, zarr::fuzz::kMaxObject);
  zarr::fuzz::Run(zarr::fuzz::AsInput(data, size));
  return 0;
}
