// SPDX-License-Identifier: MIT
// The mutator of the target `zip`: it changes fields of the records of an archive, and bytes.
#include <cstring>
#include <vector>

#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/fuzzer_interface.h"
#include "autotest/fuzz/support/json_mutator.h"

namespace zarr::fuzz {
namespace {

/// The signatures of records: a local header, an entry of the directory, and the ends of the directory.
constexpr std::string_view kSignatures[] = {"PK\3\4", "PK\1\2", "PK\5\6", "PK\6\6", "PK\6\7"};
/// The size of the fixed part of most records.
constexpr std::size_t kRecordSize = 46;

std::vector<std::size_t> FindRecords(const std::string& archive) {
  std::vector<std::size_t> places;
  for (const std::string_view signature : kSignatures) {
    for (std::size_t at = archive.find(signature); at != std::string::npos; at = archive.find(signature, at + 1)) {
      places.push_back(at);
    }
  }
  return places;
}

std::uint64_t PickNumber(std::size_t archive_size, Random* random) {
  switch (Below(4, random)) {
    case 0:
      return UINT64_MAX - Below(2, random);
    case 1:
      return std::uint64_t{1} << Below(64, random);
    case 2:
      return Below(archive_size + 2, random);
    default:
      return Below(24, random);
  }
}

/// Changes a field of 2, 4 or 8 bytes of a record.
void ChangeField(std::string* archive, Random* random) {
  const std::vector<std::size_t> records = FindRecords(*archive);
  if (records.empty()) return;
  const std::size_t at = records[Below(records.size(), random)] + 4 + 2 * Below((kRecordSize - 4) / 2, random);
  const std::size_t size = std::size_t{2} << Below(3, random);
  if (at + size > archive->size()) return;
  const std::uint64_t number = PickNumber(archive->size(), random);
  std::memcpy(archive->data() + at, &number, size);
}

std::string Mutate(std::string archive, Random* random) {
  if (Below(2, random) == 0) {
    ChangeField(&archive, random);
  } else {
    MutateBytes(&archive);
  }
  return archive;
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace zarr::fuzz;  // NOLINT(google-build-using-namespace)
  Random random(seed);
  return PutInput(Mutate(std::string(AsInput(data, size)), &random), size, data, max_size);
}
