// SPDX-License-Identifier: MIT
#include "driver/dataset/left_out_values.h"

namespace gdal_zarr {
namespace {

thread_local LeftOutValues* current = nullptr;

}  // namespace

LeftOutValues::LeftOutValues(std::function<bool(const std::string& source)> has) : has_(std::move(has)) {
  current = this;
}

LeftOutValues::~LeftOutValues() {
  current = nullptr;
}

bool LeftOutValues::Note(const std::string& source, const std::string& copy) {
  if (!current || !current->has_(source)) return false;
  current->copies_.insert_or_assign(copy, source);
  return true;
}

}  // namespace gdal_zarr
