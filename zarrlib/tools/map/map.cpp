// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>

#include "zarrlib/base/base64.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/map/chunk_map.h"
#include "zarrlib/tools/output_file.h"
#include "zarrlib/tools/region.h"

namespace zarr::tools {
namespace {

constexpr double kDrawingEdge = 800;  // of the longer side
constexpr double kMargin = 16;
constexpr double kHeader = 48;
constexpr double kLegend = 40;

constexpr std::string_view kStyle = R"svg( font-family="sans-serif" font-size="13">
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="6" height="6" fill="#fff"/><line y2="6" stroke="#7a9cc6" stroke-width="2"/></pattern></defs>
<style>.chunk{fill:none;stroke:#c25a00;stroke-width:1.4}
.inner{fill:none;stroke:#c25a00;stroke-width:.5;stroke-opacity:.7}
.present{fill:#999}.missing{fill:url(#hatch)}.damaged{fill:#d40000;fill-opacity:.85}</style>
<rect width="100%" height="100%" fill="#fff"/>
)svg";

std::string FormatNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", number);
  return text;
}

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += code < ' ' ? ' ' : c;  // XML does not allow other control characters
    }
  }
  return escaped;
}

void AppendTo(std::string* text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) *text += part;
}

/// Draws a map as SVG 1.1.
class Drawing {
 public:
  Drawing(const Array& array, const Box& region, const ChunkMap& map);
  std::string Draw();

 private:
  static std::uint64_t GetEnd(const std::vector<ChunkMap::Span>& spans) {
    return spans.back().begin + spans.back().length;
  }
  double X(std::uint64_t column) const { return kMargin + static_cast<double>(column) * scale_x_; }
  double Y(std::uint64_t row) const { return kHeader + static_cast<double>(row) * scale_y_; }
  std::string MakeHeader() const;
  std::string MakePicture() const;
  /// Returns the lines of the grid of chunks or shards, or of inner chunks.
  std::string MakeLines(bool of_shards) const;
  std::string MakeCells() const;
  std::string MakeLegend() const;

  const Array& array_;
  const Box& region_;
  const ChunkMap& map_;
  double scale_x_ = 1;
  double scale_y_ = 1;
};

Drawing::Drawing(const Array& array, const Box& region, const ChunkMap& map)
    : array_(array), region_(region), map_(map) {
  const auto width = static_cast<double>(GetEnd(map.columns));
  const auto height = static_cast<double>(GetEnd(map.rows));
  constexpr double kLeast = 24;  // so that a long row stays visible
  scale_x_ = std::max(kDrawingEdge / std::max(width, height), kLeast / width);
  scale_y_ = std::max(kDrawingEdge / std::max(width, height), kLeast / height);
}

std::string Drawing::MakeHeader() const {
  std::string place;
  for (std::size_t i = 0; i < region_.rank(); ++i) {
    place += (i > 0 ? "," : "") + std::to_string(region_.origin[i]) + ":" + std::to_string(region_.end(i));
  }
  return "<text x=\"16\" y=\"20\" font-weight=\"bold\">/" + Escape(array_.path()) + "  " + ToString(array_.shape()) +
         "  " + Escape(array_.data_type().name) + "</text>\n<text x=\"16\" y=\"38\">region " + place + "; " +
         (map_.is_sharded ? "inner chunks" : "chunks") + ": " + std::to_string(map_.Count(ChunkMap::State::kPresent)) +
         " present, " + std::to_string(map_.Count(ChunkMap::State::kMissing)) + " missing, " +
         std::to_string(map_.Count(ChunkMap::State::kDamaged)) + " damaged</text>\n";
}

std::string Drawing::MakePicture() const {
  if (map_.pixels.empty()) return "";
  return "<image x=\"" + FormatNumber(X(0)) + "\" y=\"" + FormatNumber(Y(0)) + "\" width=\"" +
         FormatNumber(X(GetEnd(map_.columns)) - X(0)) + "\" height=\"" + FormatNumber(Y(GetEnd(map_.rows)) - Y(0)) +
         "\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64," +
         EncodeBase64(EncodePng(map_.pixels, map_.pixel_columns)) + "\"/>\n";
}

std::string Drawing::MakeLines(bool of_shards) const {
  const std::string top = FormatNumber(Y(0)), bottom = FormatNumber(Y(GetEnd(map_.rows)));
  const std::string left = FormatNumber(X(0)), right = FormatNumber(X(GetEnd(map_.columns)));
  std::string path;
  for (const ChunkMap::Span& span : map_.columns) {
    if (span.begins_shard == of_shards) AppendTo(&path, {"M", FormatNumber(X(span.begin)), " ", top, "V", bottom});
  }
  for (const ChunkMap::Span& span : map_.rows) {
    if (span.begins_shard == of_shards) AppendTo(&path, {"M", left, " ", FormatNumber(Y(span.begin)), "H", right});
  }
  if (of_shards) AppendTo(&path, {"M", left, " ", top, "H", right, "V", bottom, "H", left, "Z"});
  return path.empty() ? ""
                      : std::string("<path class=\"") + (of_shards ? "chunk" : "inner") + "\" d=\"" + path + "\"/>\n";
}

std::string Drawing::MakeCells() const {
  std::string text;
  for (std::size_t i = 0; i < map_.cells.size(); ++i) {
    const ChunkMap::Cell& cell = map_.cells[i];
    if (cell.state == ChunkMap::State::kPresent) continue;
    const ChunkMap::Span& row = map_.rows[i / map_.columns.size()];
    const ChunkMap::Span& column = map_.columns[i % map_.columns.size()];
    const bool is_missing = cell.state == ChunkMap::State::kMissing;
    text += std::string("<rect class=\"") + (is_missing ? "missing" : "damaged") + "\" x=\"" +
            FormatNumber(X(column.begin)) + "\" y=\"" + FormatNumber(Y(row.begin)) + "\" width=\"" +
            FormatNumber(static_cast<double>(column.length) * scale_x_) + "\" height=\"" +
            FormatNumber(static_cast<double>(row.length) * scale_y_) + "\"><title>" +
            (is_missing ? "nothing is stored" : Escape(cell.error)) + "</title></rect>\n";
  }
  return text;
}

std::string Drawing::MakeLegend() const {
  const std::string y = FormatNumber(Y(GetEnd(map_.rows)) + 14);
  const std::string text_y = FormatNumber(Y(GetEnd(map_.rows)) + 26);
  const auto entry = [&](const char* type, int x, const char* name) {
    return std::string("<rect class=\"") + type + "\" x=\"" + std::to_string(x) + "\" y=\"" + y +
           "\" width=\"16\" height=\"16\" stroke=\"#444\"/><text x=\"" + std::to_string(x + 22) + "\" y=\"" + text_y +
           "\">" + name + "</text>\n";
  };
  return entry("present", 16, "present") + entry("missing", 116, "missing: reads as the fill value") +
         entry("damaged", 370, "damaged");
}

std::string Drawing::Draw() {
  const double width = std::max(X(GetEnd(map_.columns)) + kMargin, 480.0);
  const double height = Y(GetEnd(map_.rows)) + kLegend;
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"" +
         FormatNumber(width) + "\" height=\"" + FormatNumber(height) + "\"" + std::string(kStyle) + MakeHeader() +
         MakePicture() + MakeCells() + MakeLines(false) + MakeLines(true) + MakeLegend() + "</svg>\n";
}

void PrintCounts(const std::string& output, const ChunkMap& map, std::ostream& out) {
  out << output << ": " << map.Count(ChunkMap::State::kPresent) << " present, " << map.Count(ChunkMap::State::kMissing)
      << " missing, " << map.Count(ChunkMap::State::kDamaged) << " damaged "
      << (map.is_sharded ? "inner chunks\n" : "chunks\n");
}

}  // namespace

int DrawMap(const std::shared_ptr<Store>& store, const MapOptions& options, std::ostream& out, Progress* progress) {
  const auto array = OpenNamedArray(*OpenDocumentsFirst(store), options.path);
  Box region = options.window ? ParseWindow(*options.window, *array) : ParseRegion(options.region, *array);
  // The map shows one plane: the first index along the axes before the last two.
  for (std::size_t axis = 0; axis + 2 < array->rank(); ++axis)
    region.shape[axis] = std::min<std::uint64_t>(region.shape[axis], 1);
  progress->Begin("map", 1);
  const ChunkMap map = MapChunks(*array, region, [&](double share) {
    progress->MoveTo(share);
    return true;
  });
  progress->Clear();
  WriteOutput(options.output, Drawing(*array, region, map).Draw(), out);
  if (!IsStandardOutput(options.output)) PrintCounts(options.output, map, out);
  return map.Count(ChunkMap::State::kDamaged) > 0 ? kFailure : kSuccess;
}

}  // namespace zarr::tools
