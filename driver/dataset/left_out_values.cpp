// SPDX-License-Identifier: MIT
#include "driver/dataset/left_out_values.h"

namespace gdal_zarr {
namespace {

thread_local LeftOutValues* current_values = nullptr;

}  // namespace

LeftOutValues::LeftOutValues(std::function<bool(const std::string& source)> has)
    : has_(std::move(has)), outer_(current_values) {
  current_values = this;
}

LeftOutValues::~LeftOutValues() {
  current_values = outer_;
}

bool LeftOutValues::Note(const std::string& source, const std::string& copy) {
  if (!current_values || !current_values->has_(source)) return false;
  current_values->copies_.insert_or_assign(copy, source);
  return true;
}

}  // namespace gdal_zarr
