// SPDX-License-Identifier: MIT
#include <algorithm>
#include <type_traits>
#include <utility>

#include "driver/cf/set_attribute.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/multidim/attribute.h"
#include "driver/types/type_map.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_changes.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

bool IsJson(const GDALExtendedDataType& type) {
  return type.GetClass() == GEDTC_STRING && type.GetSubType() == GEDTST_JSON;
}

JsonNode ToNode(const std::string& value) {
  return JsonNode::MakeString(value);
}
JsonNode ToNode(std::int32_t value) {
  return JsonNode::MakeInteger(value);
}
JsonNode ToNode(std::int64_t value) {
  return JsonNode::MakeInteger(value);
}
JsonNode ToNode(std::uint64_t value) {
  return JsonNode::MakeUnsigned(value);
}
JsonNode ToNode(double value) {
  return JsonNode::MakeFloat(value);
}

/// Returns `n` zeros of the first type that can hold all values of GDAL's type.
AttributeValues MakeZeros(GDALDataType type, std::size_t n) {
  switch (type) {
    case GDT_Byte:
    case GDT_UInt16:
    case GDT_Int16:
    case GDT_Int32:
      return std::vector<std::int32_t>(n);
    case GDT_UInt32:
    case GDT_Int64:
      return std::vector<std::int64_t>(n);
    case GDT_UInt64:
      return std::vector<std::uint64_t>(n);
    default:
      if (type == kInt8Type) return std::vector<std::int32_t>(n);
      return std::vector<double>(n);
  }
}

/// Returns the number of elements of a shape. Throws zarr::Error(limit_exceeded) if it is beyond what JSON is for.
std::size_t CountElements(const std::string& name, const std::vector<GUInt64>& shape) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  std::optional<std::uint64_t> n = 1;
  for (const GUInt64 size : shape) n = n ? zarr::MultiplyChecked(*n, size) : n;
  if (!n || *n > kMost) {
    throw zarr::Error(zarr::ErrorKind::kLimitExceeded,
                      "attribute " + name + ": expected at most " + std::to_string(kMost) + " values");
  }
  return static_cast<std::size_t>(*n);
}

/// Stands for an attribute without elements while GDAL copies it. GDAL writes the elements even if there are none, and
/// refuses such a request. This has one element, of a type without bytes; GDAL converts nothing to GDT_Unknown.
class EmptyAttribute final : public GDALAttribute {
 public:
  EmptyAttribute(const std::string& parent_full_name, const std::string& name)
      : GDALAbstractMDArray(parent_full_name, name), GDALAttribute(parent_full_name, name) {}

  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return type_; }

 protected:
  bool IRead(const GUInt64*, const size_t*, const GInt64*, const GPtrDiff_t*, const GDALExtendedDataType&,
             void*) const override {
    return true;
  }
  bool IWrite(const GUInt64*, const size_t*, const GInt64*, const GPtrDiff_t*, const GDALExtendedDataType&,
              const void*) override {
    return true;
  }

 private:
  const std::vector<std::shared_ptr<GDALDimension>> dimensions_;
  const GDALExtendedDataType type_ = GDALExtendedDataType::Create(GDT_TypeCount);
};

/// Returns the lists of an attribute of several dimensions, whose items are in the order of rows.
JsonNode NestLists(std::vector<JsonNode> items, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  for (std::size_t axis = dimensions.size(); axis > 1; --axis) {
    const auto size = static_cast<std::ptrdiff_t>(dimensions[axis - 1]->GetSize());
    GUInt64 lists = 1;
    for (std::size_t i = 0; i + 1 < axis; ++i) lists *= dimensions[i]->GetSize();
    std::vector<JsonNode> nested;
    for (auto item = items.begin(); nested.size() < lists; item += size) {
      nested.push_back(JsonNode::MakeArray(std::vector<JsonNode>(item, item + size)));
    }
    items = std::move(nested);
  }
  return JsonNode::MakeArray(items);
}

}  // namespace

Attribute::Attribute(const std::string& parent_full_name, const std::string& name, const GDALExtendedDataType& type,
                     const std::vector<GUInt64>& shape, AttributeHome home)
    : GDALAbstractMDArray(parent_full_name, name),
      GDALAttribute(parent_full_name, name),
      LiveObject(home.node),
      type_(type),
      home_(std::move(home)),
      is_pending_(true) {
  const std::size_t n = CountElements(name, shape);
  const bool is_text = type.GetClass() == GEDTC_STRING;
  values_ = is_text ? std::vector<std::string>(n) : MakeZeros(type.GetNumericDataType(), n);
  for (const GUInt64 size : shape) AddDimension(size);
}

Attribute::~Attribute() {
  Guard(
      0, [this] { return Attribute::SavePending(), 0; }, Activity::kWriting);
}

void Attribute::SavePending() {
  if (!is_pending_ || deleted()) return;
  const JsonNode value = ToJson();
  is_pending_ = false;  // saving may look up pending attributes
  home_.save(GetName(), value);
}

bool Attribute::Rename(const std::string& name) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    CheckWritable();
    SavePending();
    const std::string from = GetName();  // a copy, because the rename changes this object's name
    home_.rename(from, name);
  });
}

void Attribute::SetName(const std::string& name) {
  m_osFullName.replace(m_osFullName.size() - m_osName.size(), m_osName.size(), name);
  m_osName = name;
}

void Attribute::OnMoved() {
  const bool is_of_group = m_osFullName.ends_with("/" + std::string(kGlobalName) + "/" + GetName());
  m_osFullName = MakeGdalFullName(zarr::JoinKey(is_of_group ? zarr::JoinKey(node(), kGlobalName) : node(), GetName()));
}

void Attribute::CheckWritable() const {
  if (home_.resource) return;
  throw zarr::Error(zarr::ErrorKind::kReadOnly, "attribute " + GetName() + ": the dataset is not open in update mode");
}

JsonNode Attribute::ToJson() const {
  return std::visit(
      [this](const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        std::vector<JsonNode> items;
        for (const T& value : values) {
          if constexpr (std::is_same_v<T, std::string>) {
            const bool is_text = IsJson(type_) && !value.empty();
            items.push_back(is_text         ? JsonNode::Parse(value, "attribute", GetName())
                            : IsJson(type_) ? JsonNode()
                                            : ToNode(ToUtf8(value, GetFullName())));
          } else {
            items.push_back(ToNode(value));
          }
        }
        // A JSON text may already be a list.
        const bool is_own_list = dimensions_.size() == 1 && IsJson(type_) && items.size() == 1 && items[0].IsArray();
        return dimensions_.empty() || is_own_list ? items.at(0) : NestLists(std::move(items), dimensions_);
      },
      values_);
}

void Attribute::SetElement(std::size_t index, const std::byte* source, const GDALExtendedDataType& type) {
  std::visit(
      [&](auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::is_same_v<T, std::string>) {
          GdalElement text(GDALExtendedDataType::CreateString());
          GDALExtendedDataType::CopyValue(source, type, text.data(), text.type());
          const char* characters = *reinterpret_cast<const char* const*>(text.data());
          values.at(index) = characters && !(IsJson(type_) && std::string_view(characters) == "null") ? characters : "";
        } else {
          GDALExtendedDataType::CopyValue(source, type, &values.at(index), GetTypeOf<T>());
        }
      },
      values_);
}

bool Attribute::IWrite(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                       const GDALExtendedDataType& buffer_type, const void* buffer) {
  return Guard(
      false,
      [&] {
        CheckNotDeleted(GetFullName());
        CheckWritable();
        const auto* source = static_cast<const std::byte*>(buffer);
        VisitElements(dimensions_, start, count, step, stride, [&](std::size_t index, GPtrDiff_t place) {
          SetElement(index, source + place * static_cast<GPtrDiff_t>(buffer_type.GetSize()), buffer_type);
        });
        const JsonNode value = ToJson();
        is_pending_ = false;
        home_.save(GetName(), value);
        return true;
      },
      Activity::kWriting);
}

void FailAttributeExists(const std::string& parent_full_name, const std::string& name) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    parent_full_name + ": there is an attribute \"" + name + "\" already");
}

std::shared_ptr<GDALAttribute> MakeNewAttribute(const std::string& parent_full_name, const std::string& name,
                                                const std::vector<GUInt64>& dimensions,
                                                const GDALExtendedDataType& type, const AttributeHome& home,
                                                bool is_copied) {
  if (type.GetClass() == GEDTC_COMPOUND) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, "attribute " + name + ": attributes cannot have a compound type");
  }
  if (type.GetClass() == GEDTC_NUMERIC && GDALDataTypeIsComplex(type.GetNumericDataType())) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, "attribute " + name + ": JSON has no complex numbers");
  }
  auto attribute = std::make_shared<Attribute>(parent_full_name, name, type, dimensions, home);
  home.resource->edits().live_objects.Add(attribute);
  home.resource->edits().live_objects.AddPending(attribute);
  if (!is_copied || CountElements(name, dimensions) > 0) return attribute;
  attribute->SavePending();
  return std::make_shared<EmptyAttribute>(parent_full_name, name);
}

void ChangeAttributeLater(SharedResource& resource, const std::string& node, const std::string& name,
                          const std::optional<JsonNode>& before, const std::optional<JsonNode>& value) {
  const std::optional<JsonNode>& wanted = SaysAlready(before, value) ? before : value;
  resource.ChangeAttributesLater(node, [&](zarr::JsonChanges& changes) {
    wanted ? changes.ChangeMember(name, before, *wanted) : changes.SetMember(name, std::nullopt);
  });
  if (wanted) return;
  for (const auto& attribute : resource.edits().live_objects.FindAll<Attribute>(node)) {
    if (!attribute->is_pending() && attribute->GetName() == name) attribute->Delete();
  }
}

void ForgetAttributes(SharedResource& resource, const std::string& node, const JsonNode& kept) {
  for (const auto& attribute : resource.edits().live_objects.FindAll<Attribute>(node)) {
    if (!attribute->is_pending() && !(kept.IsObject() && kept.Has(attribute->GetName()))) attribute->Delete();
  }
}

void RenameAttribute(SharedResource& resource, const std::string& node, const JsonNode& attributes,
                     const std::string& from, const std::string& to, const std::function<void(const JsonNode&)>& save) {
  if (from == to) return;
  if (to.empty()) throw zarr::Error(zarr::ErrorKind::kInvalidArgument, "an attribute needs a name");
  if (attributes.Has(to)) FailAttributeExists(MakeGdalFullName(node), to);
  auto members = attributes.GetMembers();
  for (auto& [name, value] : members) {
    if (name == from) name = to;
  }
  const auto rename_held = [&](const std::string& before, const std::string& after) {
    for (const auto& held : resource.edits().live_objects.FindAll<Attribute>(node)) {
      if (!held->deleted() && held->GetName() == before) held->SetName(after);
    }
  };
  rename_held(from, to);
  try {
    save(JsonNode::MakeObject(members, attributes));
  } catch (...) {
    rename_held(to, from);
    throw;
  }
}

}  // namespace gdal_zarr
