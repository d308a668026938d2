// SPDX-License-Identifier: MIT
#include "driver/plugin/band_stack_candidates.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "driver/cf/unsigned_attribute.h"
#include "driver/overviews/find_overviews.h"

namespace gdal_zarr {
namespace {

/// The digits that a text starts with.
std::string_view GetLeadingDigits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && std::isdigit(static_cast<unsigned char>(text[count]))) ++count;
  return text.substr(0, count);
}

std::string_view WithoutZeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

/// Whether `a` comes before `b`, where numbers in them count by their values.
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

bool HasSameSummary(const zarr::ArraySummary& a, const zarr::ArraySummary& b) {
  return a.shape == b.shape && a.data_type == b.data_type && a.dimension_names == b.dimension_names;
}

/// Opens an array. Returns null for a broken one in a read-only dataset. Throws if it cannot be read, or is broken in
/// update mode, because without it other arrays would get its band number.
std::shared_ptr<const zarr::Array> OpenMember(SharedResource& resource, const std::string& path) {
  return resource.writable() ? resource.OpenArray(path) : resource.FindArray(path);
}

bool HasSameTypeAndGrid(SharedResource& resource, const std::string& a, const std::string& b) {
  const auto first = OpenMember(resource, a);
  const auto second = OpenMember(resource, b);
  if (!first || !second) return false;
  if (!(GetShownType(*first) == GetShownType(*second))) return false;
  for (std::size_t i = 0; i < first->rank(); ++i) {
    const auto runs = first->metadata().chunk_grid.axis(i).runs();
    const auto others = second->metadata().chunk_grid.axis(i).runs();
    if (!std::equal(runs.begin(), runs.end(), others.begin(), others.end())) return false;
  }
  return true;
}

/// Returns the largest set of arrays of one kind among the arrays of one group.
std::vector<std::string> FindLargestSet(SharedResource& resource, const std::vector<const FoundArray*>& arrays) {
  std::vector<std::vector<const FoundArray*>> sets;
  for (const FoundArray* array : arrays) {
    const auto fits = [&](const auto& set) {
      return HasSameSummary(set[0]->summary, array->summary) && HasSameTypeAndGrid(resource, set[0]->path, array->path);
    };
    const auto set = std::find_if(sets.begin(), sets.end(), fits);
    if (set == sets.end()) {
      sets.push_back({array});
    } else {
      set->push_back(array);
    }
  }
  const auto smaller = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  std::vector<std::string> paths;
  for (const FoundArray* array : *std::max_element(sets.begin(), sets.end(), smaller)) paths.push_back(array->path);
  std::sort(paths.begin(), paths.end(), ComesBefore);
  return paths;
}

/// Throws what OpenMember throws if an array of the group cannot be opened, because it may belong to the stack.
void CheckComplete(const SharedResource& resource, const std::string& group, const std::vector<FoundArray>& arrays) {
  for (const FoundArray& array : arrays) {
    if (IsNeeded(resource, array) && GetParentPath(array.path) == group) throw *array.failure;
  }
}

/// Keeps only the largest level of each pyramid.
void KeepLargestLevel(SharedResource& resource, std::vector<BandStackCandidate>* sets) {
  const auto is_smaller = [&](const BandStackCandidate& a, const BandStackCandidate& b) {
    return zarr::ComputeProduct(resource.OpenArray(a.paths[0])->shape()) <
           zarr::ComputeProduct(resource.OpenArray(b.paths[0])->shape());
  };
  const BandStackCandidate largest = *std::max_element(sets->begin(), sets->end(), is_smaller);
  const auto overviews = FindOverviews(resource, *resource.OpenArray(largest.paths[0]));
  for (const BandStackCandidate& set : *sets) {
    const auto is_it = [&](const auto& overview) { return GetParentPath(overview->path()) == set.group; };
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
