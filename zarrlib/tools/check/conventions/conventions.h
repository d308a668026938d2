// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/check/conventions/convention_rules.h"
#include "zarrlib/tools/check/findings.h"

/// The checks of `check --conventions`: what the attributes of one node mean to readers that know CF or GeoZarr.
namespace zarr::tools {

/// A node whose attributes are checked.
struct ConventionNode {
  const Hierarchy& hierarchy;
  std::string path;
  JsonNode attributes;  ///< An object, or null.
  const Array* array;   ///< Null for a group.
  Findings& findings;

  /// The attribute of that name; nothing if there is none.
  std::optional<JsonNode> Find(std::string_view name) const;
  /// Adds a finding at a value in the attributes.
  void Report(const Rule& rule, const JsonNode& place, const std::string& message) const;
  /// Finds a variable that an attribute names: in the group of this node, else in one above; or by its path from the
  /// root, or from that group. Null if there is none, or if it cannot be read.
  std::shared_ptr<const Array> FindVariable(std::string_view name) const;
};

/// Checks all conventions at a node.
void CheckConventions(const ConventionNode& node);

// Their parts. The first three are for arrays alone.
void CheckCfValues(const ConventionNode& node);
void CheckCfVariables(const ConventionNode& node);
void CheckDimensionNames(const ConventionNode& node);
void CheckProj(const ConventionNode& node, bool is_declared);
void CheckSpatial(const ConventionNode& node);
void CheckMultiscales(const ConventionNode& node);

/// Whether a value is a list of so many finite numbers.
bool IsNumberList(const JsonNode& value, std::size_t length);
/// Whether a text is a unit of time as CF has it, such as "days since 2000-01-01 12:00:00".
bool IsTimeUnit(std::string_view text);
/// Whether a text is a CRS in WKT of version 2, as far as its first keyword and its brackets tell.
bool IsWkt2(std::string_view text);

}  // namespace zarr::tools
