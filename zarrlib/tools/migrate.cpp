// SPDX-License-Identifier: MIT
#include <ostream>

#include "zarrlib/hierarchy/migration/draft_migration.h"
#include "zarrlib/hierarchy/migration/migration.h"
#include "zarrlib/hierarchy/migration/migration_undo.h"
#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/names/store_places.h"
#include "zarrlib/tools/stored_count.h"
#include "zarrlib/tools/v1_arrays.h"

namespace zarr::tools {
namespace {

/// Prints the documents that would be removed after the migration. They cannot be determined before it.
void PrintOld(const MigrationPlan& plan, const Store& store, std::ostream& out) {
  if (!plan.documents.empty()) {
    out << "the metadata that these replace would be removed\n";
    return;
  }
  for (const std::string& key : FindOldMetadata(store)) out << "would remove " << key << "\n";
}

/// Reports that the store is already in the format, and how many documents of older formats were removed anyway.
void PrintNothingNew(int format, std::size_t removed, std::ostream& out) {
  out << "all metadata are of v" << format << " already";
  if (removed > 0) out << "; the " << removed << " old documents were removed";
  out << "\n";
}

void NameLeftOut(const MigrationPlan& plan, const Store& store, std::ostream& out) {
  for (const std::string& path : plan.v1_arrays) {
    out << "left as it is: " << path << ", " << DescribeV1Array(store, path) << "\n";
  }
}

/// Prints why nodes are refused. Returns true if any are.
bool PrintRefused(const std::vector<Error>& refused, std::ostream& err) {
  for (const Error& error : refused) err << error.what() << "\n";
  if (refused.empty()) return false;
  err << "zarrkit: " << refused.size() << " of the nodes cannot be migrated; nothing was written\n";
  return true;
}

double CountChunks(const DraftMigrationPlan& plan) {
  double count = 0;
  for (const auto& array : plan.arrays) count += static_cast<double>(CountStoredChunks(*array.from));
  return count;
}

int MigrateDraftStore(const std::shared_ptr<Store>& store, const MigrateOptions& options, std::ostream& out,
                      std::ostream& err, Progress* progress) {
  CheckApart(store->name(), *options.output);
  const DraftMigrationPlan plan = PlanDraftMigration(*Hierarchy::Open(store));
  if (PrintRefused(plan.refused, err)) return kFailure;
  const auto to = OpenNewStore(*options.output);
  if (progress->visible() && !options.dry_run) progress->Begin("migrate", CountChunks(plan));
  const std::size_t chunks = options.dry_run ? 0 : MigrateDraft(plan, to.get(), [&] { progress->Advance(); });
  if (!options.dry_run) to->Finish();
  progress->Clear();
  for (const auto& document : plan.documents) {
    out << (options.dry_run ? "would write " : "wrote ") << document.key << "\n";
  }
  if (options.dry_run) return kSuccess;
  out << plan.arrays.size() << " arrays, " << plan.group_count << " groups migrated to v3, " << chunks
      << " chunks copied to " << *options.output << "\n";
  return kSuccess;
}

}  // namespace

int MigrateStore(const std::shared_ptr<Store>& store, const MigrateOptions& options, std::ostream& out,
                 std::ostream& err, Progress* progress) {
  if (options.output) return MigrateDraftStore(store, options, out, err, progress);
  const MigrationPlan plan = PlanMigration(*store, options.format == 2 ? ZarrFormat::kV2 : ZarrFormat::kV3);
  if (PrintRefused(plan.refused, err)) return kFailure;
  if (!options.dry_run) Migrate(store.get(), plan);
  const char* did = options.dry_run ? "would write " : "wrote ";
  for (const auto& document : plan.documents) out << did << document.key << "\n";
  for (const auto& file : plan.side_files) out << did << file.to << "\n";
  NameLeftOut(plan, *store, out);
  if (options.dry_run) {
    if (options.delete_old) PrintOld(plan, *store, out);
    if (plan.documents.empty()) PrintNothingNew(options.format, 0, out);
    return kSuccess;
  }
  std::vector<std::string> removed;
  if (options.delete_old) removed = DeleteOldMetadata(store.get());
  for (const std::string& key : removed) out << "removed " << key << "\n";
  if (plan.documents.empty()) {
    PrintNothingNew(options.format, removed.size(), out);
    return kSuccess;
  }
  out << plan.array_count << " arrays, " << plan.group_count << " groups migrated to v" << options.format << "\n";
  return kSuccess;
}

int UndoStoreMigration(const std::shared_ptr<Store>& store, bool dry_run, std::ostream& out) {
  std::vector<std::string> keys;
  try {
    keys = dry_run ? FindNewMetadata(*store) : UndoMigration(store.get());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotFound) throw;
    Hierarchy::Open(store);  // reports if this is not a store at all
    throw Error(
        ErrorKind::kNotFound, store->name(), "", "",
        "here is no migration to take back, which needs metadata of two formats; --delete-old removes the old ones "
        "for good");
  }
  for (const std::string& key : keys) out << (dry_run ? "would remove " : "removed ") << key << "\n";
  return kSuccess;
}

}  // namespace zarr::tools
