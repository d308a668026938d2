// SPDX-License-Identifier: MIT
#include "driver/dataset/refused_nodes.h"

#include <algorithm>

namespace gdal_zarr {
namespace {

thread_local RefusedNodes* current_nodes = nullptr;

void AddOnce(const std::string& path, std::vector<std::string>* paths) {
  if (std::ranges::find(*paths, path) == paths->end()) paths->push_back(path);
}

}  // namespace

RefusedNodes::RefusedNodes() : outer_(current_nodes) {
  current_nodes = this;
}

RefusedNodes::~RefusedNodes() {
  current_nodes = outer_;
}

void RefusedNodes::Note(const std::string& path) {
  if (current_nodes) AddOnce(path, &current_nodes->paths_);
}

void RefusedNodes::NoteUnread(const std::string& path) {
  if (current_nodes) AddOnce(path, &current_nodes->unread_);
}

bool RefusedNodes::HasUnread(const std::string& path) {
  return current_nodes && std::ranges::find(current_nodes->unread_, path) != current_nodes->unread_.end();
}

}  // namespace gdal_zarr
