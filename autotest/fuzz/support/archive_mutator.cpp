// SPDX-License-Identifier: MIT
// The mutator of targets whose inputs are byte archives: it changes keys, documents and values apart, so that most
// inputs are stores.
#include "autotest/fuzz/support/byte_archive.h"
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/fuzzer_interface.h"
#include "autotest/fuzz/support/json_mutator.h"
#include "autotest/fuzz/support/json_words.h"

namespace zarr::fuzz {
namespace {

ArchiveEntry& Pick(Archive* archive, Random* random) {
  return (*archive)[Below(archive->size(), random)];
}

/// Picks a document, if one is found soon, else any entry.
ArchiveEntry& PickDocument(Archive* archive, Random* random) {
  for (int i = 0; i < 8; ++i) {
    ArchiveEntry& entry = Pick(archive, random);
    if (entry.value.starts_with('{')) return entry;
  }
  return Pick(archive, random);
}

void ChangeDocument(Archive* archive, Random* random) {
  ArchiveEntry& entry = PickDocument(archive, random);
  const std::string other = PickDocument(archive, random).value;
  if (auto changed = MutateJson(entry.value, other, random)) {
    entry.value = *std::move(changed);
  } else {
    MutateBytes(&entry.value);
  }
}

void ChangeBytes(Archive* archive, Random* random) {
  std::string& value = Pick(archive, random).value;
  switch (Below(6, random)) {
    case 0:
      value.resize(Below(value.size() + 1, random));
      return;
    case 1:
      value.append(1 + Below(40, random), static_cast<char>(Below(256, random)));
      return;
    default:
      MutateBytes(&value);
  }
}

void ChangeKey(Archive* archive, Random* random) {
  std::string& key = Pick(archive, random).key;
  switch (Below(5, random)) {
    case 0:
      MutateBytes(&key);
      return;
    case 1:
      key = GetKeyWords()[Below(GetKeyWords().size(), random)];
      return;
    case 2:
      key = "a/" + key;
      return;
    case 3:
      key.erase(0, key.find('/') + 1);
      return;
    default:
      if (!key.empty()) key.back() = static_cast<char>('0' + Below(4, random));
  }
}

/// Changes which entries there are.
void ChangeEntries(Archive* archive, Random* random) {
  const std::size_t at = Below(archive->size(), random);
  ArchiveEntry copy = (*archive)[at];
  switch (Below(3, random)) {
    case 0:
      if (archive->size() > 1) archive->erase(archive->begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 1:
      Pick(archive, random).value = copy.value;
      return;
    default:
      archive->push_back(std::move(copy));
      archive->back().key = GetKeyWords()[Below(GetKeyWords().size(), random)];
  }
}

Archive Mutate(Archive archive, Random* random) {
  if (archive.empty()) archive.push_back({"zarr.json", "{}"});
  const std::size_t kind = Below(16, random);
  if (kind < 10) {
    ChangeDocument(&archive, random);
  } else if (kind < 13) {
    ChangeBytes(&archive, random);
  } else if (kind < 15) {
    ChangeEntries(&archive, random);
  } else {
    ChangeKey(&archive, random);
  }
  return archive;
}

/// Takes entries of both archives; those of the second one replace those of the first.
Archive Cross(Archive first, const Archive& second, Random* random) {
  for (const ArchiveEntry& entry : second) {
    if (Below(2, random) == 0) first.push_back(entry);
  }
  return first;
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace zarr::fuzz;  // NOLINT(google-build-using-namespace)
  Random random(seed);
  return PutInput(FormatArchive(Mutate(ParseArchive(AsInput(data, size)), &random)), size, data, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2, std::uint8_t* out,
                                                 std::size_t max_out_size, unsigned int seed) {
  using namespace zarr::fuzz;  // NOLINT(google-build-using-namespace)
  Random random(seed);
  return PutInput(
      FormatArchive(Cross(ParseArchive(AsInput(data1, size1)), ParseArchive(AsInput(data2, size2)), &random)), 0, out,
      max_out_size);
}
