// SPDX-License-Identifier: MIT
#include "driver/dataset/refused_nodes.h"

namespace gdal_zarr {
namespace {

thread_local RefusedNodes* current_nodes = nullptr;

}  // namespace

RefusedNodes::RefusedNodes() {
  current_nodes = this;
}

RefusedNodes::~RefusedNodes() {
  current_nodes = nullptr;
}

void RefusedNodes::Note(const std::string& path) {
  if (current_nodes) current_nodes->paths_.push_back(path);
}

void RefusedNodes::NoteUnread(const std::string& path) {
  if (current_nodes) current_nodes->unread_.push_back(path);
}

}  // namespace gdal_zarr
