// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/array/array.h"
#include "zarrlib/array/write/pending_chunks.h"

namespace zarr {

/// Returns true if OverlayPending can be called: the elements are of a fixed size, and the chunks not too many to look
/// for each.
bool CanOverlay(const Array& array, const Selection& selection);

/// Copies the pending elements of a selection over those at `destination`, which have been read from the store. The
/// chunks stay pending. Returns false if elements are pending in encoded form: to decode them for each read would take
/// longer than to store them once. Waits for other threads that write to one of the chunks.
bool OverlayPending(const Array& array, PendingChunks* buffer, const Selection& selection,
                    const Destination& destination);

}  // namespace zarr
