// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string_view>

namespace zarr::tools {

/// The severity of a finding of `check`: with errors, readers get wrong values or none; warnings are problems that
/// readers do not notice, or work around.
enum class Severity { kError, kWarning };

std::string_view GetSeverityName(Severity severity);

/// A rule that `check` verifies. Programs identify it by its name, which is stable.
struct Rule {
  std::string_view name;
  Severity severity;
  std::string_view meaning;  ///< Describes the problem if the rule is violated.
};

/// The rules of Zarr, and of this library.
inline constexpr Rule kStoreRules[] = {
    {"metadata-unreadable", Severity::kError, "a metadata document cannot be read, or says what it must not"},
    {"array-unsupported", Severity::kError, "the data of an array cannot be read: its codecs or type are not known"},
    {"chunk-undecodable", Severity::kError, "a chunk or shard cannot be read or decoded"},
    {"chunk-no-file", Severity::kError,
     "something that is no file is in the place of a chunk, or no folder in that of one"},
    {"chunks-unknown", Severity::kError, "which chunks of an array are stored cannot be found out"},
    {"store-unlisted", Severity::kWarning,
     "the store cannot be listed: nodes and chunks that nothing names are not seen"},
    {"chunk-outside-grid", Severity::kWarning, "a chunk is outside of the array's grid, where no reader looks"},
    {"chunk-keys-differ", Severity::kError,
     "values are stored under chunk keys of another form than the metadata declare, where no reader looks"},
    {"metadata-tolerated", Severity::kWarning,
     "a metadata document has a form that the specification does not allow, and that is read all the same"},
    {"chunk-replaced", Severity::kWarning, "a chunk was replaced while it was checked"},
    {"coordinate-missing", Severity::kWarning,
     "values of a coordinate variable are not stored, and read as the fill value"},
    {"overviews-stale", Severity::kWarning,
     "overviews lack what was written to their array, as its writers have noted"},
    {"overviews-unfinished", Severity::kWarning, "a stopped process has left unfinished overviews"},
    {"overviews-differ", Severity::kWarning,
     "overviews have pixels that were not made from their array, in some of 16 spots"},
    {"v1-array-left-out", Severity::kWarning, "an array of v1 below the root, a store of its own, was not checked"},
    {"node-kinds-differ", Severity::kError, "of the documents of a node, one makes it an array, and one a group"},
    {"formats-differ", Severity::kError, "metadata of several formats describe other chunks"},
    {"consolidated-unreadable", Severity::kError, "the consolidated metadata cannot be read"},
    {"consolidated-differ", Severity::kError, "the consolidated metadata differ from a document"},
    {"consolidated-absent", Severity::kError, "the consolidated metadata list a document that is not there"},
    {"consolidated-unlisted", Severity::kWarning, "the consolidated metadata do not list a node"},
    {"consolidated-only", Severity::kWarning, "the consolidated metadata are all that describes the nodes"},
    {"dimension-length", Severity::kError, "coordinates have another length than the data"},
    {"dimension-lengths-differ", Severity::kWarning,
     "dimensions of one name, without coordinates beside them, have several lengths"},
    {"reshard-displaced", Severity::kError, "an interrupted reshard has not put an array in its place"},
    {"reshard-interrupted", Severity::kWarning, "a reshard is at work, or was interrupted; the array is whole"},
    {"copy-interrupted", Severity::kWarning, "a copy to this store is at work, or was interrupted"},
    {"removal-interrupted", Severity::kWarning, "nodes are being removed, or that was interrupted"},
    {"temporary-file", Severity::kWarning, "a file of a writer that is at work, or was killed"},
    {"temporary-file-stays", Severity::kError, "a temporary file cannot be removed"},
    {"repair-failed", Severity::kError, "a repair could not be made"},
};

/// Prints all rules: one line for each, with tabs between its name, severity and meaning; or a JSON list.
void PrintRules(bool json, std::ostream& out);

/// Finds a rule of the store at compile time.
consteval const Rule& StoreRule(std::string_view name) {
  for (const Rule& rule : kStoreRules) {
    if (rule.name == name) return rule;
  }
  throw "there is no such rule";
}

}  // namespace zarr::tools
