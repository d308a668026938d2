// SPDX-License-Identifier: MIT
#include <ostream>

#include "zarrlib/hierarchy/migration.h"
#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {
namespace {

/// Prints the documents that would be removed after the migration. The store cannot tell them before it.
void PrintOld(const MigrationPlan& plan, const Store& store, std::ostream& out) {
  if (!plan.documents.empty()) {
    out << "the metadata that these replace would be removed\n";
    return;
  }
  for (const std::string& key : FindOldMetadata(store)) out << "would remove " << key << "\n";
}

void NameLeftOut(const MigrationPlan& plan, const Store& store, std::ostream& out) {
  for (const std::string& path : plan.v1_arrays) {
    out << "left as it is: " << path << ", an array of v1, which is a store of its own (" << JoinKey(store.name(), path)
        << ")\n";
  }
}

}  // namespace

int MigrateStore(const std::shared_ptr<Store>& store, const MigrateOptions& options, std::ostream& out,
                 std::ostream& err) {
  const MigrationPlan plan = PlanMigration(*store, options.format == 2 ? ZarrFormat::kV2 : ZarrFormat::kV3);
  for (const Error& error : plan.refused) err << error.what() << "\n";
  if (!plan.refused.empty()) {
    err << "zarrkit: " << plan.refused.size() << " of the nodes cannot be migrated; nothing was written\n";
    return kFailure;
  }
  if (!options.dry_run) Migrate(store.get(), plan);
  const char* did = options.dry_run ? "would write " : "wrote ";
  for (const auto& document : plan.documents) out << did << document.key << "\n";
  NameLeftOut(plan, *store, out);
  if (options.dry_run) {
    if (options.delete_old) PrintOld(plan, *store, out);
    return kSuccess;
  }
  if (options.delete_old) {
    for (const std::string& key : DeleteOldMetadata(store.get())) out << "removed " << key << "\n";
  }
  out << plan.array_count << " arrays, " << plan.group_count << " groups migrated to v" << options.format << "\n";
  return kSuccess;
}

}  // namespace zarr::tools
