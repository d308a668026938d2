// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/error.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// The plan for a new v3 store with the nodes and chunks of a store of the draft of v3. The draft store is only read.
/// Chunks are copied as stored, under other keys.
struct DraftMigrationPlan {
  struct CopiedArray {
    std::shared_ptr<const Array> from;
    ArrayMetadata to;
  };
  struct Document {
    std::string key;
    std::string text;
  };
  std::vector<CopiedArray> arrays;
  /// Must be written in this order. The root's document is the last.
  std::vector<Document> documents;
  /// The reasons why nodes cannot be migrated. If there are any, nothing may be written.
  std::vector<Error> refused;
  std::size_t group_count = 0;
};

/// Plans the migration of all nodes. Groups without a document get one. Throws Error: invalid_argument for a hierarchy
/// of another format; the errors of the parsers.
DraftMigrationPlan PlanDraftMigration(const Hierarchy& draft);

/// Creates the new store: first all chunks, then the documents, so that an incomplete store has no nodes. Returns the
/// number of copied chunks, and calls `on_chunk`, unless it is empty, for each. Throws the first error of
/// `plan.refused`, and Error(invalid_argument) unless the new store is empty.
std::size_t MigrateDraft(const DraftMigrationPlan& plan, Store* to, const std::function<void()>& on_chunk = {});

}  // namespace zarr
