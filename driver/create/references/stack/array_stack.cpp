// SPDX-License-Identifier: MIT
#include "driver/create/references/stack/array_stack.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "driver/create/references/raw_blocks.h"
#include "driver/create/references/source_arrays.h"
#include "driver/create/references/stack/time_shift.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/metadata/codec_names.h"

namespace gdal_zarr {
namespace {

/// The most bytes of values that become one chunk in the references.
constexpr std::size_t kMostValues = std::size_t{64} << 20;

[[noreturn]] void Refuse(const std::string& what, const std::string& first, const std::string& got) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, what + ": " + zarr::FormatExpectedGot(first, got));
}

void CheckSame(const std::string& what, const std::string& first, const std::string& got) {
  if (first != got) Refuse(what, first + " as in the first file", got.empty() ? "none" : got);
}

zarr::Shape GetShape(const GDALMDArray& array) {
  zarr::Shape shape;
  for (const auto& dimension : array.GetDimensions()) shape.push_back(dimension->GetSize());
  return shape;
}

std::string Format(const std::vector<zarr::CodecSpec>& codecs) {
  return zarr::MakeCodecListJson(codecs).Dump();
}

/// Adds a number that stands for missing values, if an array of this type can have it.
void AddMissing(const void* number, const GDALExtendedDataType& from, const GDALExtendedDataType& type,
                std::vector<zarr::Bytes>* missing) {
  if (!number || from.GetClass() != GEDTC_NUMERIC) return;
  zarr::Bytes element(type.GetSize());
  zarr::Bytes back(from.GetSize());
  GDALExtendedDataType::CopyValue(number, from, element.data(), type);
  GDALExtendedDataType::CopyValue(element.data(), type, back.data(), from);
  if (std::memcmp(number, back.data(), back.size()) == 0) missing->push_back(std::move(element));
}

/// Returns the elements of times that stand for missing ones. Bounds have those of their times, too.
std::vector<zarr::Bytes> ListMissing(const GDALMDArray& array, const GDALMDArray& with_unit) {
  std::vector<zarr::Bytes> missing;
  for (const GDALMDArray* from : {&array, &with_unit}) {
    AddMissing(from->GetRawNoDataValue(), from->GetDataType(), array.GetDataType(), &missing);
    const auto attribute = FindAttribute(*from, "missing_value");
    if (!attribute || attribute->GetDataType().GetClass() != GEDTC_NUMERIC) continue;
    const GDALRawResult value = attribute->ReadAsRaw();
    AddMissing(value.data(), attribute->GetDataType(), array.GetDataType(), &missing);
  }
  return missing;
}

zarr::Bytes ReadValues(const GDALMDArray& array) {
  const zarr::Shape shape = GetShape(array);
  const std::vector<GUInt64> start(shape.size());
  const std::vector<std::size_t> count(shape.begin(), shape.end());
  zarr::Bytes bytes(zarr::ToMemorySize(zarr::ComputeProduct(shape) * array.GetDataType().GetSize()));
  if (!array.Read(start.data(), count.data(), nullptr, nullptr, array.GetDataType(), bytes.data())) {
    throw zarr::Error(zarr::ErrorKind::kIo, "the source cannot be read");
  }
  return bytes;
}

}  // namespace

/// The blocks of all parts.
class ArrayStack::Blocks final : public SourceBlocks {
 public:
  Blocks(const ArrayStack& stack, BlockCoding coding) : stack_(stack), coding_(std::move(coding)) {}

  const BlockCoding& coding() const override { return coding_; }
  std::optional<SourceBlock> Find(const zarr::Shape& index) const override {
    if (stack_.uses_values()) {
      return SourceBlock{"", 0, stack_.values_->size(), std::string(zarr::AsText(*stack_.values_))};
    }
    const std::uint64_t chunk = index[stack_.axis_.value_or(0)];
    const auto after = std::ranges::upper_bound(stack_.parts_, chunk, {}, &Part::first_chunk);
    const Part& part = after[-1];
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < part.grid.size(); ++i) {
      const std::size_t axis = stack_.axis_ ? i : i + 1;
      const std::uint64_t first = stack_.axis_ == i ? part.first_chunk : 0;
      number = number * part.grid[i] + index[axis] - first;
    }
    return MakeBlock(part.blocks[static_cast<std::size_t>(number)]);
  }
  void ReadElements(const zarr::Box&, zarr::MutableByteSpan) const override {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, "the files are closed");
  }

 private:
  std::optional<SourceBlock> MakeBlock(const StoredBlock& block) const {
    if (block.kind == StoredBlock::Kind::kAbsent) return std::nullopt;
    if (block.kind == StoredBlock::Kind::kInFile) {
      return SourceBlock{stack_.paths_[block.path], block.offset, block.length};
    }
    return SourceBlock{"", 0, block.length, stack_.inline_[block.path].substr(0, block.length)};
  }

  const ArrayStack& stack_;
  BlockCoding coding_;
};

ArrayStack::Meaning ArrayStack::GetMeaning(const GDALMDArray& array, const GDALMDArray& with_unit) {
  Meaning meaning;
  const GDALExtendedDataType& type = array.GetDataType();
  if (type.GetClass() != GEDTC_NUMERIC) Refuse("the data type", "numbers", "strings or compounds");
  meaning.type = GDALGetDataTypeName(type.GetNumericDataType());
  bool has = false;
  const double nodata = array.GetNoDataValueAsDouble(&has);
  if (has) meaning.nodata = FormatNumber(nodata);
  const double scale = array.GetScale(&has, nullptr);
  meaning.scale = FormatNumber(has ? scale : 1);
  const double offset = array.GetOffset(&has, nullptr);
  meaning.scale += " and " + FormatNumber(has ? offset : 0);
  meaning.unit = with_unit.GetUnit();
  if (const auto calendar = FindAttribute(with_unit, "calendar")) {
    const char* text = calendar->ReadAsString();
    meaning.calendar = text ? text : "";
  }
  return meaning;
}

void ArrayStack::CheckMeaning(const Meaning& meaning) const {
  CheckSame("the data type", meaning_.type, meaning.type);
  CheckSame("the nodata value", meaning_.nodata, meaning.nodata);
  CheckSame("scale and offset", meaning_.scale, meaning.scale);
  CheckSame("the calendar", meaning_.calendar, meaning.calendar);
  if (IsTimeUnit(meaning_.unit) && IsTimeUnit(meaning.unit)) return;
  CheckSame("the unit", meaning_.unit, meaning.unit);
}

void ArrayStack::CheckShape(const zarr::Shape& shape) const {
  bool is_same = shape.size() == shape_.size();
  for (std::size_t i = 0; i < shape.size() && is_same; ++i) is_same = i == axis_ || shape[i] == shape_[i];
  if (!is_same)
    Refuse("the shape", zarr::ToString(shape_) + " apart from the axis of the stack", zarr::ToString(shape));
}

void ArrayStack::Add(const std::string& file, const GDALMDArray& array, const GDALMDArray& with_unit,
                     const SourceBlocks* blocks) {
  const Meaning meaning = GetMeaning(array, with_unit);
  const zarr::Shape shape = GetShape(array);
  if (!is_begun_) {
    meaning_ = meaning;
    shape_ = shape;
    type_ = MakePlainMetadata(array, zarr::ZarrFormat::kV3).data_type;
    is_begun_ = true;
  }
  CheckMeaning(meaning);
  CheckShape(shape);
  if (axis_ && shape[*axis_] == 0) return;
  if (values_) AddValues(array, with_unit, meaning);
  try {
    if (!misfit_) AddBlocks(array, meaning, blocks);
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kUnsupported) throw;
    misfit_ = error.At(file, array.GetFullName().substr(1));
  }
  length_ += axis_ ? shape[*axis_] : 1;
  ++count_;
}

void ArrayStack::AddValues(const GDALMDArray& array, const GDALMDArray& with_unit, const Meaning& meaning) {
  if (!IsSmallArray(array) || axis_.value_or(0) != 0 || values_->size() > kMostValues) {
    values_.reset();
    return;
  }
  zarr::Bytes values = ReadValues(array);
  if (meaning.unit != meaning_.unit) {
    if (meaning.scale != "1 and 0") CheckSame("the unit of packed times", meaning_.unit, meaning.unit);
    ConvertTimes({meaning.unit, meaning_.unit, meaning_.calendar, type_, ListMissing(array, with_unit)}, values);
  }
  values_->insert(values_->end(), values.begin(), values.end());
}

void ArrayStack::AddBlocks(const GDALMDArray& array, const Meaning& meaning, const SourceBlocks* blocks) {
  if (!blocks) throw zarr::Error(zarr::ErrorKind::kUnsupported, "GDAL does not tell where its values are stored");
  CheckSame("the unit", meaning_.unit, meaning.unit);
  const BlockSurvey survey = SurveyBlocks(*blocks);
  AddCoding(array, *blocks, survey);
  AddEdges(blocks->coding().grid);
  AddStored(*blocks);
  if (!survey.absent) return;
  const zarr::FillValue value =
      ReadAbsentValue(MakePlainMetadata(array, zarr::ZarrFormat::kV3), *blocks, *survey.absent);
  if (absent_ && absent_->bytes != value.bytes) Refuse("blocks that are not stored", "one value", "several");
  absent_ = value;
}

void ArrayStack::AddCoding(const GDALMDArray& array, const SourceBlocks& blocks, const BlockSurvey& survey) {
  const BlockCoding& coding = blocks.coding();
  const auto format = coding.needs_v3 ? zarr::ZarrFormat::kV3 : zarr::ZarrFormat::kV2;
  const std::vector<zarr::CodecSpec>& codecs =
      coding.codecs[ChooseCodecs(MakePlainMetadata(array, format), blocks, survey)];
  if (!axis_ && std::ranges::find(codecs, "transpose", &zarr::CodecSpec::name) != codecs.end()) {
    Refuse("the codecs", "none that exchanges axes", "transpose");
  }
  if (count_ == 0) {
    coding_ = coding;
  } else {
    CheckOtherAxes(coding.grid);
    if (coding.type != coding_.type) Refuse("the stored data type", "that of the first file", "another one");
    if (!survey.first) return;
    const bool is_same_order = type_.swap_size() <= 1 || coding.endian == coding_.endian;
    CheckSame("the byte order", "that", is_same_order ? "that" : "another one");
    if (has_codecs_) CheckSame("the codecs", Format(coding_.codecs.front()), Format(codecs));
  }
  coding_.codecs = {codecs};
  has_codecs_ = survey.first.has_value();
}

void ArrayStack::CheckOtherAxes(const zarr::ChunkGrid& grid) const {
  for (std::size_t i = 0; i < grid.rank(); ++i) {
    const zarr::ChunkAxis& first = coding_.grid.axis(i);
    if (i != axis_ && !std::ranges::equal(first.runs(), grid.axis(i).runs())) {
      Refuse("the chunks along axis " + std::to_string(i), std::to_string(first.max_edge()),
             std::to_string(grid.axis(i).max_edge()));
    }
  }
}

void ArrayStack::AddEdges(const zarr::ChunkGrid& grid) {
  if (count_ > 0 && last_.live < last_.encoded) TrimLast();
  const std::uint64_t chunks = axis_ ? grid.axis(*axis_).chunk_count() : 1;
  for (std::uint64_t i = 0; i < chunks; ++i) {
    last_ = axis_ ? grid.axis(*axis_).At(i) : zarr::ChunkSpan{0, 0, 1, 1};
    if (!runs_.empty() && runs_.back().edge == last_.encoded) {
      ++runs_.back().count;
    } else {
      runs_.push_back({last_.encoded, 1});
    }
  }
}

/// The last block of a part may hang over its end, where the next part begins. Bytes that are stored as they are can be
/// cut there; others cannot.
void ArrayStack::TrimLast() {
  const std::vector<zarr::CodecSpec>& codecs = coding_.codecs.front();
  const bool is_plain = codecs.empty() || (codecs.size() == 1 && codecs.front().name == "bytes");
  bool leads = is_plain;
  for (std::size_t i = 0; i < *axis_; ++i) leads = leads && coding_.grid.axis(i).max_edge() == 1;
  if (!leads) {
    Refuse("chunks of " + std::to_string(last_.encoded) + " along the axis of the stack",
           "files that end where a chunk ends, or are not compressed",
           "one whose last chunk has " + std::to_string(last_.live));
  }
  Part& part = parts_.back();
  const std::uint64_t chunks = part.grid[*axis_];
  std::uint64_t inner = 1;  // blocks for each along the axis
  for (std::size_t i = *axis_ + 1; i < part.grid.size(); ++i) inner *= part.grid[i];
  for (std::size_t i = 0; i < part.blocks.size(); ++i) {
    StoredBlock& block = part.blocks[i];
    if (i / inner % chunks == chunks - 1) block.length = block.length / last_.encoded * last_.live;
  }
  if (--runs_.back().count == 0) runs_.pop_back();
  runs_.push_back({last_.live, 1});
}

void ArrayStack::AddStored(const SourceBlocks& blocks) {
  Part part{chunk_count_, blocks.coding().grid.grid_shape(), {}};
  zarr::Shape index(part.grid.size());
  do {
    auto block = blocks.Find(index);
    StoredBlock stored;
    if (block && block->bytes) {
      stored = {0, block->length, inline_.size(), StoredBlock::Kind::kInline};
      inline_.push_back(*std::move(block->bytes));
    } else if (block) {
      if (paths_.empty() || paths_.back() != block->path) paths_.push_back(std::move(block->path));
      stored = {block->offset, block->length, paths_.size() - 1, StoredBlock::Kind::kInFile};
    }
    part.blocks.push_back(stored);
  } while (zarr::AdvanceIndex(part.grid, &index));
  chunk_count_ += axis_ ? part.grid[*axis_] : 1;
  parts_.push_back(std::move(part));
}

bool ArrayStack::uses_values() const {
  if (!values_ || misfit_ || shape_.size() <= 1) return values_.has_value();
  std::uint64_t block = type_.size;
  for (std::size_t i = 0; i < coding_.grid.rank(); ++i) block *= coding_.grid.axis(i).max_edge();
  return coding_.grid.rank() > 0 && block < kTinyBlock;
}

void ArrayStack::Complete() {
  if (misfit_ && !values_) throw *misfit_;
}

zarr::ChunkAxis ArrayStack::MakeAxis() const {
  return runs_.size() == 1 ? zarr::ChunkAxis::MakeRegular(length_, runs_.front().edge)
                           : zarr::ChunkAxis::FromRuns(length_, runs_);
}

zarr::ChunkGrid ArrayStack::MakeGrid(const zarr::Shape& shape) const {
  if (uses_values()) return zarr::ChunkGrid::MakeRegular(shape, shape);
  std::vector<zarr::ChunkAxis> axes;
  for (std::size_t i = 0; i < coding_.grid.rank(); ++i) {
    axes.push_back(axis_ == i ? MakeAxis() : coding_.grid.axis(i));
  }
  if (!axis_) axes.insert(axes.begin(), MakeAxis());
  const bool is_uneven = runs_.size() > 1 || coding_.grid.kind() == zarr::ChunkGrid::Kind::kRectilinear;
  return {is_uneven ? zarr::ChunkGrid::Kind::kRectilinear : zarr::ChunkGrid::Kind::kRegular, std::move(axes)};
}

bool ArrayStack::needs_v3() const {
  return !uses_values() &&
         (coding_.needs_v3 || runs_.size() > 1 || coding_.grid.kind() == zarr::ChunkGrid::Kind::kRectilinear);
}

DescribedArray ArrayStack::Describe(const zarr::ArrayMetadata& copy, const std::string& dimension) const {
  zarr::ArrayMetadata whole = copy;
  if (axis_) {
    whole.shape[*axis_] = length_;
  } else {
    whole.shape = {length_};
    for (const std::uint64_t length : copy.shape) whole.shape.push_back(length);
    whole.dimension_names.resize(copy.shape.size());
    whole.dimension_names.insert(whole.dimension_names.begin(), dimension);
  }
  BlockCoding coding = coding_;
  coding.grid = MakeGrid(whole.shape);
  if (uses_values()) {
    coding.codecs = {{}};
    coding.endian = zarr::kNativeEndian;
    coding.type.reset();
  }
  zarr::ArrayMetadata metadata = DescribeWith(whole, coding, coding.codecs.front());
  if (absent_ && !uses_values()) SetAbsentValue(*absent_, &metadata);
  return {std::move(metadata), std::make_shared<Blocks>(*this, std::move(coding))};
}

}  // namespace gdal_zarr
