// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/check/conventions/convention_rules.h"
#include "zarrlib/tools/check/findings.h"

/// The checks of `check --conventions`: the meaning of a node's attributes for readers that support CF or GeoZarr.
namespace zarr::tools {

/// A node whose attributes are checked.
struct ConventionNode {
  const Hierarchy& hierarchy;
  std::string path;
  JsonNode attributes;  ///< An object, or null.
  const Array* array;   ///< Null for a group.
  Findings& findings;

  /// Returns the attribute of that name; nullopt if there is none.
  std::optional<JsonNode> Find(std::string_view name) const;
  /// Adds a finding at a value in the attributes.
  void Report(const Rule& rule, const JsonNode& place, const std::string& message) const;
  /// Finds a variable named by an attribute: in the group of this node, otherwise in a parent group; or by its path
  /// from the root, or from that group. Returns null if there is none, or if it is unreadable.
  std::shared_ptr<const Array> FindVariable(std::string_view name) const;
};

/// Checks all conventions at a node.
void CheckConventions(const ConventionNode& node);

// The individual checks. The first three are for arrays only.
void CheckCfValues(const ConventionNode& node);
void CheckCfVariables(const ConventionNode& node);
void CheckDimensionNames(const ConventionNode& node);
void CheckProj(const ConventionNode& node, bool is_declared);
void CheckSpatial(const ConventionNode& node);
void CheckMultiscales(const ConventionNode& node);

/// Returns true if a value is a list of `length` finite numbers.
bool IsNumberList(const JsonNode& value, std::size_t length);
/// Returns true if a string is a unit of time in CF, such as "days since 2000-01-01 12:00:00".
bool IsTimeUnit(std::string_view text);
/// Returns true if a string looks like the WKT of a CRS in version 2, according to its first keyword and its brackets.
bool IsWkt2(std::string_view text);

}  // namespace zarr::tools
