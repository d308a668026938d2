// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/stale_marks.h"

#include <algorithm>
#include <utility>

#include "driver/dataset/node_paths.h"
#include "zarrlib/hierarchy/stale_regions.h"

namespace gdal_zarr {
namespace {

/// Returns a box that contains both, and continues where `box` leaves `noted`, as writers mostly do.
zarr::Box Grow(const zarr::Box& noted, const zarr::Box& box, const zarr::Shape& shape) {
  const zarr::Box both = zarr::GetBoundingBox(noted, box);
  zarr::Box grown = both;
  for (std::size_t axis = 0; axis < both.rank(); ++axis) {
    const std::uint64_t length = both.shape[axis];
    std::uint64_t begin = both.origin[axis];
    std::uint64_t end = both.end(axis);
    if (begin < noted.origin[axis]) begin -= std::min(begin, length);
    if (end > noted.end(axis)) end += std::min(length, std::max(shape[axis], end) - end);
    grown.origin[axis] = begin;
    grown.shape[axis] = end - begin;
  }
  return grown;
}

}  // namespace

std::optional<bool> StaleMarks::HasOverviews(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto state = states_.find(path);
  if (state == states_.end()) return std::nullopt;
  return state->second.unnoted_writes > 0 ? false : state->second.has_overviews;
}

void StaleMarks::SetHasOverviews(const std::string& path, bool has) {
  const std::lock_guard lock(mutex_);
  states_[path].has_overviews = has;
}

void StaleMarks::ForgetOverviews(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto state = states_.find(path);
  if (state != states_.end()) state->second.has_overviews.reset();
}

void StaleMarks::NoteWithout(const std::string& path, const zarr::Box& box, const Finder& find) {
  const std::lock_guard lock(mutex_);
  State& state = states_[path];
  if (state.has_overviews) return;
  state.written.Add(box);
  ++state.unnoted_writes;
  if (!find_) find_ = find;
}

void StaleMarks::Note(zarr::EditableHierarchy& hierarchy, const std::string& path, const zarr::Shape& shape,
                      const zarr::Box& box) {
  if (box.empty()) return;
  const std::lock_guard lock(mutex_);
  State& state = states_[path];
  if (!state.noted || !zarr::Contains(*state.noted, box)) {
    Store(hierarchy, path, state.noted ? Grow(*state.noted, box, shape) : box, &state);
  }
  state.written.Add(box);
  state.is_changed = true;
}

void StaleMarks::Store(zarr::EditableHierarchy& hierarchy, const std::string& path, const zarr::Box& box,
                       State* state) {
  const zarr::StaleRegion note{zarr::MakeRegionId(), box, {}};
  bool is_own = true;
  hierarchy.EditAttributes(path, [&](const zarr::JsonNode& stored) {
    zarr::StaleRegions regions(stored, box.rank());
    if (state->noted && state->is_own) regions.Remove(state->id);
    is_own = regions.Add(note);
    return regions.ApplyTo(stored);
  });
  state->noted = box;
  state->id = note.id;
  state->is_own = is_own;
}

void StaleMarks::Settle(zarr::EditableHierarchy& hierarchy) {
  FindNewOverviews();
  const std::lock_guard lock(mutex_);
  for (auto& [path, state] : states_) {
    if (state.noted) SettleOne(hierarchy, path, &state);
  }
}

/// The search locks groups, and a caller that has locked a group may call Drop: so it runs without the lock of the
/// notes.
void StaleMarks::FindNewOverviews() {
  std::vector<std::string> paths;
  std::vector<std::uint64_t> writes;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [path, state] : states_) {
      if (state.unnoted_writes == 0) continue;
      paths.push_back(path);
      writes.push_back(state.unnoted_writes);
    }
  }
  if (paths.empty()) return;
  const std::set<std::string> found = find_(paths);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto state = states_.find(paths[i]);
    const bool is_current = state != states_.end() && state->second.unnoted_writes == writes[i];
    if (is_current) TakeFound(found.contains(paths[i]), &state->second);
  }
}

void StaleMarks::TakeFound(bool has_overviews, State* state) {
  state->unnoted_writes = 0;
  if (has_overviews) {
    state->is_changed = true;
    if (!state->noted) state->noted = state->written.boxes()[0];
  } else if (!state->noted) {
    state->written.Clear();
  }
}

void StaleMarks::SettleOne(zarr::EditableHierarchy& hierarchy, const std::string& path, State* state) {
  hierarchy.EditAttributes(path, [&](const zarr::JsonNode& stored) {
    zarr::StaleRegions regions(stored, state->noted->rank());
    // Another process may have read the note, and refreshed the region before all of this was written: it must not take
    // the new note for that one.
    if (state->is_own) regions.Remove(state->id);
    for (const zarr::Box& box : state->written.boxes()) regions.Add({zarr::MakeRegionId(), box, {}});
    return regions.ApplyTo(stored);
  });
  state->noted.reset();
  state->written.Clear();
}

std::vector<std::string> StaleMarks::TakeChanged() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths;
  for (auto& [path, state] : states_) {
    if (std::exchange(state.is_changed, false)) paths.push_back(path);
  }
  return paths;
}

void StaleMarks::Drop(std::string_view path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(states_, [path](const auto& state) { return IsAtOrBelow(state.first, path); });
}

void StaleMarks::Move(std::string_view from, std::string_view to) {
  const std::lock_guard lock(mutex_);
  std::map<std::string, State, std::less<>> moved;
  for (auto& [path, state] : states_) moved.emplace(GetMovedPath(path, from, to).value_or(path), std::move(state));
  states_ = std::move(moved);
}

}  // namespace gdal_zarr
