// SPDX-License-Identifier: MIT
#include "driver/plugin/band_stack_candidates.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "driver/cf/unsigned_attribute.h"
#include "driver/overviews/find_overviews.h"

namespace gdal_zarr {
namespace {

/// Returns the digits at the beginning of a text.
std::string_view GetLeadingDigits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && std::isdigit(static_cast<unsigned char>(text[count]))) ++count;
  return text.substr(0, count);
}

std::string_view WithoutZeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

/// Returns true if `a` comes before `b`, where numbers in them are compared by value.
bool ComesBefore(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view a_digits = GetLeadingDigits(a);
    const std::string_view b_digits = GetLeadingDigits(b);
    if (!a_digits.empty() && !b_digits.empty()) {
      const std::string_view x = WithoutZeros(a_digits);
      const std::string_view y = WithoutZeros(b_digits);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      a.remove_prefix(a_digits.size());
      b.remove_prefix(b_digits.size());
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

/// Combines values to a string that is equal only if all values are equal.
class Key {
 public:
  void Add(std::uint64_t number) { text_ += std::to_string(number) + ' '; }
  void Add(const std::string& text) {
    Add(text.size());
    text_ += text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void AddType(const zarr::DataType& type, Key* key) {
  key->Add(static_cast<std::uint64_t>(type.kind));
  for (const std::uint64_t number :
       {std::uint64_t{type.size}, std::uint64_t{type.bits}, std::uint64_t{type.optional_depth}, type.unit_count}) {
    key->Add(number);
  }
  key->Add(type.unit);
  // Other types may have several names.
  const bool is_named =
      type.kind == zarr::DataType::Kind::kSmallFloat || type.kind == zarr::DataType::Kind::kNarrowComplex;
  key->Add(is_named ? type.name : std::string());
}

/// Describes the common properties of arrays of one kind that are in a summary. The data type is numeric.
std::string MakeSummaryKey(const zarr::ArraySummary& summary) {
  Key key;
  key.Add(summary.shape.size());
  for (const std::uint64_t extent : summary.shape) key.Add(extent);
  AddType(summary.data_type, &key);
  key.Add(summary.dimension_names.size());
  for (const auto& name : summary.dimension_names) {
    key.Add(name.has_value());
    key.Add(name.value_or(""));
  }
  return key.text();
}

/// Opens an array. Returns null for a broken one in a read-only dataset. Throws if it cannot be read, or is broken in
/// update mode, because without it other arrays would get its band number.
std::shared_ptr<const zarr::Array> OpenMember(SharedResource& resource, const std::string& path) {
  return resource.writable() ? resource.hierarchy().OpenArray(path) : resource.finder().FindArray(path);
}

/// Describes the remaining common properties.
std::string MakeGridKey(const zarr::Array& array) {
  Key key;
  AddType(GetShownType(array), &key);
  for (std::size_t i = 0; i < array.rank(); ++i) {
    const auto runs = array.metadata().chunk_grid.axis(i).runs();
    key.Add(runs.size());
    for (const zarr::ChunkRun& run : runs) {
      key.Add(run.edge);
      key.Add(run.count);
    }
  }
  return key.text();
}

/// Some arrays, by their indices in a list.
using Places = std::vector<std::size_t>;

/// Returns the largest set. If several have that size, returns the one with the first array.
Places ChooseSet(const std::map<std::string, Places>& sets) {
  Places chosen;
  for (const auto& [key, set] : sets) {
    if (set.size() > chosen.size() || (set.size() == chosen.size() && set < chosen)) chosen = set;
  }
  return chosen;
}

/// Returns the largest set of arrays of one kind among the arrays of one group, or an empty list if none are alike.
std::vector<std::string> FindLargestSet(SharedResource& resource, const std::vector<const FoundArray*>& arrays) {
  std::map<std::string, Places> by_summary;
  for (std::size_t i = 0; i < arrays.size(); ++i) by_summary[MakeSummaryKey(arrays[i]->summary)].push_back(i);
  std::map<std::string, Places> sets;
  for (const auto& [key, places] : by_summary) {
    if (places.size() < 2) continue;
    for (const std::size_t i : places) {
      if (const auto array = OpenMember(resource, arrays[i]->path)) sets[key + MakeGridKey(*array)].push_back(i);
    }
  }
  std::vector<std::string> paths;
  for (const std::size_t i : ChooseSet(sets)) paths.push_back(arrays[i]->path);
  std::sort(paths.begin(), paths.end(), ComesBefore);
  return paths;
}

/// Throws like OpenMember if an array of the group cannot be opened, because it may belong to the stack.
void CheckComplete(const SharedResource& resource, const std::string& group, const std::vector<FoundArray>& arrays) {
  for (const FoundArray& array : arrays) {
    if (IsNeeded(resource, array) && GetParentPath(array.path) == group) throw *array.failure;
  }
}

/// Keeps only the largest level of each pyramid.
void KeepLargestLevel(SharedResource& resource, std::vector<BandStackCandidate>* sets) {
  const auto is_smaller = [&](const BandStackCandidate& a, const BandStackCandidate& b) {
    return zarr::ComputeProduct(resource.hierarchy().OpenArray(a.paths[0])->shape()) <
           zarr::ComputeProduct(resource.hierarchy().OpenArray(b.paths[0])->shape());
  };
  const BandStackCandidate largest = *std::max_element(sets->begin(), sets->end(), is_smaller);
  const auto overviews = FindOverviews(resource, *resource.hierarchy().OpenArray(largest.paths[0]));
  for (const BandStackCandidate& set : *sets) {
    const auto is_it = [&](const auto& overview) { return GetParentPath(overview.array->path()) == set.group; };
    if (set.group != largest.group && std::none_of(overviews.begin(), overviews.end(), is_it)) return;
  }
  *sets = {largest};
}

}  // namespace

std::vector<BandStackCandidate> FindBandStackCandidates(SharedResource& resource,
                                                        const std::vector<FoundArray>& arrays) {
  std::map<std::string, std::vector<const FoundArray*>> groups;
  for (const FoundArray& array : arrays) {
    if (CanBeMain(array)) groups[GetParentPath(array.path)].push_back(&array);
  }
  std::vector<BandStackCandidate> found;
  for (const auto& [group, members] : groups) {
    BandStackCandidate candidate{group, FindLargestSet(resource, members)};
    if (candidate.paths.size() < 2) continue;
    CheckComplete(resource, group, arrays);
    found.push_back(std::move(candidate));
  }
  if (found.size() > 1) KeepLargestLevel(resource, &found);
  return found;
}

}  // namespace gdal_zarr
