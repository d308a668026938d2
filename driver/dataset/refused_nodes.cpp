// SPDX-License-Identifier: MIT
#include "driver/dataset/refused_nodes.h"

namespace gdal_zarr {
namespace {

thread_local RefusedNodes* current = nullptr;

}  // namespace

RefusedNodes::RefusedNodes() {
  current = this;
}

RefusedNodes::~RefusedNodes() {
  current = nullptr;
}

void RefusedNodes::Note(const std::string& path) {
  if (current) current->paths_.push_back(path);
}

void RefusedNodes::NoteUnread(const std::string& path) {
  if (current) current->unread_.push_back(path);
}

}  // namespace gdal_zarr
