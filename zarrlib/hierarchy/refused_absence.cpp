// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/refused_absence.h"

#include <algorithm>

namespace zarr {

bool RefusedAbsence::Explains(const Error& error) {
  if (!error.is_refusal()) return false;
  looked_.Run([&] {
    refuses_ = IsLikely();
    if (refuses_ && warn_) {
      warn_(std::string(error.what()) +
            "; the server also denies access to keys that do not exist, so this and others " +
            "that it denies are taken for absent");
    }
  });
  return refuses_;
}

bool RefusedAbsence::RefusesAbsentKeys() const {
  try {
    store_.Exists(MakeTemporaryName(), Freshness::kNow);
  } catch (const Error& error) {
    return error.is_refusal();
  }
  return false;
}

bool RefusedAbsence::HasDocument() const {
  return std::ranges::any_of(documents_, [&](const std::string& key) {
    try {
      return store_.Exists(key, Freshness::kNow);
    } catch (const Error&) {
      return false;
    }
  });
}

}  // namespace zarr
