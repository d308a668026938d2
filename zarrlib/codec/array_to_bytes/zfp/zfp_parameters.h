// SPDX-License-Identifier: MIT
#pragma once

#include <zfp.h>

#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The parameters for writing streams, and for reading those without a header.
struct ZfpParameters {
  zfp_mode mode = zfp_mode_reversible;
  double rate = 0;
  double tolerance = 0;
  unsigned precision = 0;
  unsigned min_bits = 0;
  unsigned max_bits = 0;
  unsigned max_precision = 0;
  int min_exponent = 0;

  /// Returns false for parameters that zfp rejects.
  bool Apply(zfp_stream* stream, zfp_type type, unsigned dimensions) const;
};

/// Reads the configuration of `zfp`. Throws Error(corrupt) at a member that is invalid.
ZfpParameters ReadZfpParameters(const CodecSpec& spec);
/// Reads the configuration of `zfpy`, in which a negative number means that a parameter is absent. Only encoding needs
/// it.
ZfpParameters ReadZfpyParameters(const CodecSpec& spec);

}  // namespace zarr
