// SPDX-License-Identifier: MIT
#include <functional>
#include <optional>
#include <ostream>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/string_elements.h"
#include "zarrlib/tools/chunk/chunk_place.h"
#include "zarrlib/tools/chunk/element_text.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {
namespace {

// --- text --------------------------------------------------------------------------------------------------------

/// Prints elements: a line for each row, which is along the last axis, and an empty line between planes.
void PrintElements(const Shape& shape, const std::function<std::string(std::size_t)>& format, std::ostream& out) {
  const std::uint64_t count = ComputeProduct(shape);
  const std::uint64_t row = shape.empty() ? 1 : shape[shape.size() - 1];
  const std::uint64_t plane = shape.size() < 2 ? count : row * shape[shape.size() - 2];
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i > 0 && i % plane == 0) out << "\n";
    out << format(static_cast<std::size_t>(i)) << ((i + 1) % row == 0 ? "\n" : " ");
  }
}

// --- reading -----------------------------------------------------------------------------------------------------

std::size_t CountElements(const Array& array, const Box& box) {
  const std::uint64_t count = ComputeProduct(box.shape);
  const std::uint64_t size =
      array.data_type().variable() ? sizeof(std::string) : std::max<std::uint64_t>(1, array.data_type().size);
  if (count > GetLimit(Limit::kChunk) / size) {
    throw Error(
        ErrorKind::kLimitExceeded, array.store().name(), array.path(), "",
        FormatExpectedGot("a chunk of at most " + std::to_string(GetLimit(Limit::kChunk)) + " bytes", "a larger one"));
  }
  return static_cast<std::size_t>(count);
}

void PrintStrings(const Array& array, const Box& box, std::ostream& out) {
  std::vector<std::string> strings(CountElements(array, box));
  const TakeStrings take;
  array.Read(Selection::FromBox(box), {reinterpret_cast<std::byte*>(strings.data()),
                                       GetContiguousStrides(box.shape, sizeof(std::string)), &take});
  PrintElements(
      box.shape,
      [&](std::size_t i) {
        return FormatElement(array.data_type(), Bytes(AsBytes(strings[i]).begin(), AsBytes(strings[i]).end()));
      },
      out);
}

void PrintValues(const Array& array, const Box& box, bool as_text, std::ostream& out) {
  const std::size_t size = array.data_type().size;
  Bytes values(CountElements(array, box) * size);
  array.Read(Selection::FromBox(box),
             {values.data(), GetContiguousStrides(box.shape, static_cast<std::ptrdiff_t>(size)), nullptr});
  if (!as_text) {
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size()));
    return;
  }
  const ElementFormatter fast = FindElementFormatter(array.data_type());
  const auto format = [&](std::size_t i) {
    const std::byte* const element = values.data() + i * size;
    return fast != nullptr ? fast(element) : FormatElement(array.data_type(), Bytes(element, element + size));
  };
  PrintElements(box.shape, format, out);
}

void PrintRaw(const Array& array, const ChunkPlace& place, std::ostream& out) {
  const auto fail = [&] {
    throw Error(ErrorKind::kNotFound, array.store().name(), place.key, "", "nothing is stored of this chunk");
  };
  if (!place.range) fail();
  constexpr std::uint64_t kPiece = std::uint64_t{64} << 20;
  Bytes bytes;
  std::optional<VersionStamp> first;
  for (std::uint64_t done = 0; done < place.range->length; done += bytes.size()) {
    bytes.resize(static_cast<std::size_t>(std::min(kPiece, place.range->length - done)));
    const ByteRange range{place.range->offset + done, bytes.size()};
    const MutableByteSpan buffer = bytes;
    VersionStamp stamp;
    if (!array.store().GetRanges(place.key, {&range, 1}, {&buffer, 1}, &stamp)) fail();
    if (!first) first = stamp;
    if (stamp != *first) {
      throw Error(ErrorKind::kIo, array.store().name(), place.key, "", "this value was replaced while it was read");
    }
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
}

}  // namespace

int PrintChunk(const std::shared_ptr<Store>& store, const CatOptions& options, std::ostream& out) {
  const auto array = OpenChosenArray(store, options.chunk);
  const ChunkPlace place = FindChunk(*array, options.chunk);
  const bool is_variable = array->data_type().variable();
  if (options.form == CatOptions::Form::kRaw) {
    PrintRaw(*array, place, out);
  } else if (!is_variable) {
    PrintValues(*array, place.box, options.form == CatOptions::Form::kText, out);
  } else if (options.form == CatOptions::Form::kText) {
    PrintStrings(*array, place.box, out);
  } else {
    throw Error(ErrorKind::kUnsupported, store->name(), array->path(), "",
                "elements of variable length have no bytes that follow each other; --text prints them");
  }
  return kSuccess;
}

}  // namespace zarr::tools
