#include "alignment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <utility>

#include "arguments.h"
#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "handle.h"
#include "request.h"
#include "vocabulary.h"

namespace broadloom_c {
namespace {

CStatus InferShapeOf(const bl_request* given, int64_t* extents, size_t capacity,
                     size_t* rank) {
  if (rank == nullptr) return FailedNull("rank");
  *rank = 0;
  const auto room = ReadArray(extents, capacity, "extents", "capacity");
  if (!room) return Failed(room.error());
  Request request;
  const CStatus read = request.Read(given, Request::Use::kShapes);
  if (!read) return read;
  const Result<Shape> shape =
      InferShape(request.broadcast(), request.allocator());
  if (!shape) return Failed(shape.error());
  *rank = shape->size();
  if (capacity < *rank) {
    return Failed(Fault{.detail = BL_DETAIL_CAPACITY,
                        .argument = "capacity",
                        .value = BitsOfUnsigned(capacity),
                        .needed = BitsOfUnsigned(*rank)});
  }
  std::ranges::copy(*shape, room->begin());
  return {};
}

CResult<bl_alignment*> MakeAlignment(const bl_request* given) {
  Request request;
  const CStatus read = request.Read(given, Request::Use::kShapes);
  if (!read) return Failed(read.error());
  Result<Alignment> alignment = Align(request.broadcast(), request.allocator());
  if (!alignment) return Failed(alignment.error());
  return MakeHandle<bl_alignment>(request.allocator(), std::move(*alignment));
}

// That `argument` is not below `count`.
std::unexpected<bl_error> OutOfRange(const char* argument, int64_t value,
                                     size_t count) {
  return Failed(Fault{.detail = BL_DETAIL_OUT_OF_RANGE,
                      .argument = argument,
                      .value = value,
                      .needed = BitsOfUnsigned(count)});
}

CStatus WriteCell(const bl_alignment* handle, int32_t operand, size_t axis,
                  bl_cell* out) {
  if (handle == nullptr) return FailedNull("alignment");
  if (out == nullptr) return FailedNull("cell");
  const Alignment& alignment = handle->alignment;
  const bool of_target = operand == BL_TARGET && alignment.has_target();
  if (!of_target && (operand < 0 || static_cast<size_t>(operand) >=
                                        alignment.operand_count())) {
    return OutOfRange("operand", operand, alignment.operand_count());
  }
  if (axis >= alignment.rank()) {
    return OutOfRange("axis", BitsOfUnsigned(axis), alignment.rank());
  }
  const AlignedCell& cell =
      of_target ? alignment.target_cell(axis)
                : alignment.cell(static_cast<size_t>(operand), axis);
  *out = {.extent = cell.extent,
          .clause = NameOf(cell.clause),
          .source_axis = cell.source_axis,
          .relation = NumberOf(cell.relation)};
  return {};
}

CStatus WriteConflict(const bl_alignment* handle, size_t index,
                      bl_conflict* out) {
  if (handle == nullptr) return FailedNull("alignment");
  if (out == nullptr) return FailedNull("conflict");
  const std::span<const Conflict> conflicts = handle->alignment.conflicts();
  if (index >= conflicts.size()) {
    return OutOfRange("index", BitsOfUnsigned(index), conflicts.size());
  }
  const Conflict& conflict = conflicts[index];
  *out = {.extent = conflict.extent,
          .other_extent = conflict.other_extent,
          .clause = NameOf(conflict.clause),
          .axis = conflict.axis,
          .operand = conflict.operand,
          .other_operand = conflict.other_operand,
          .operand_axis = conflict.operand_axis,
          .other_axis = conflict.other_axis};
  return {};
}

// A status of the core. If a list has another length than is needed, the error
// names its count: `of_result` for a list along the result's axes, `of_operand`
// for one along the operand's.
CStatus FromCore(const Status& status, const char* of_result,
                 const char* of_operand) {
  if (status) return {};
  bl_error error = ErrorOf(status.error());
  if (error.error_class == BL_ERROR_EXTENT && error.detail == BL_DETAIL_SIZE) {
    error.argument = error.operand == BL_RESULT ? of_result : of_operand;
  }
  return Failed(error);
}

CStatus WriteSourceOf(const bl_alignment* handle, size_t operand,
                      const int64_t* index, size_t index_count,
                      int64_t* source_index, size_t source_count) {
  if (handle == nullptr) return FailedNull("alignment");
  const auto from = ReadArray(index, index_count, "index", "index_count");
  if (!from) return Failed(from.error());
  const auto to =
      ReadArray(source_index, source_count, "source_index", "source_count");
  if (!to) return Failed(to.error());
  return FromCore(handle->alignment.SourceOf(operand, *from, *to),
                  "index_count", "source_count");
}

CStatus WriteFanOut(const bl_alignment* handle, size_t operand,
                    const int64_t* source_index, size_t source_count,
                    bl_range* box, size_t box_count) {
  if (handle == nullptr) return FailedNull("alignment");
  const auto from =
      ReadArray(source_index, source_count, "source_index", "source_count");
  if (!from) return Failed(from.error());
  const auto to = ReadArray(box, box_count, "box", "box_count");
  if (!to) return Failed(to.error());
  InlineArray<IndexRange, kInlineRank> ranges;
  if (!ranges.Reset(to->size(), handle->allocator)) {
    return Failed(Error{.error_class = ErrorClass::kAllocation});
  }
  const Status status = handle->alignment.FanOut(operand, *from, ranges.view());
  if (!status) return FromCore(status, "box_count", "source_count");
  std::ranges::transform(ranges, to->begin(), [](const IndexRange& range) {
    return bl_range{range.begin, range.end};
  });
  return {};
}

CStatus WriteStrides(const bl_alignment* handle, size_t operand,
                     int64_t* strides, size_t count) {
  if (handle == nullptr) return FailedNull("alignment");
  const auto to = ReadArray(strides, count, "strides", "count");
  if (!to) return Failed(to.error());
  return FromCore(handle->alignment.Strides(operand, *to), "count", "count");
}

CStatus ErrorOfAlignment(const bl_alignment* handle) {
  if (handle == nullptr) return FailedNull("alignment");
  const std::optional<Error>& error = handle->alignment.error();
  if (error) return Failed(*error);
  return {};
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

bl_error_class bl_infer_shape(const bl_request* request, int64_t* extents,
                              size_t capacity, size_t* rank, bl_error* error) {
  return Call(error,
              [&] { return InferShapeOf(request, extents, capacity, rank); });
}

bl_error_class bl_align(const bl_request* request, bl_alignment** alignment,
                        bl_error* error) {
  return Give(alignment, "alignment", error,
              [&] { return MakeAlignment(request); });
}

void bl_alignment_free(bl_alignment* alignment) { FreeHandle(alignment); }

bl_rule bl_alignment_rule(const bl_alignment* alignment) {
  return alignment == nullptr ? 0 : NumberOf(alignment->alignment.rule());
}

size_t bl_alignment_operand_count(const bl_alignment* alignment) {
  return alignment == nullptr ? 0 : alignment->alignment.operand_count();
}

bl_shape bl_alignment_shape(const bl_alignment* alignment) {
  return alignment == nullptr ? bl_shape{}
                              : ListOf(alignment->alignment.output());
}

bl_shape bl_alignment_operand_shape(const bl_alignment* alignment,
                                    int32_t operand) {
  if (alignment == nullptr) return {};
  if (operand == BL_TARGET) return ListOf(alignment->alignment.target());
  const bool exists = operand >= 0 && static_cast<size_t>(operand) <
                                          alignment->alignment.operand_count();
  if (!exists) return {};
  return ListOf(alignment->alignment.operand(static_cast<size_t>(operand)));
}

int bl_alignment_grows_both(const bl_alignment* alignment) {
  return alignment != nullptr && alignment->alignment.grows_both();
}

int64_t bl_alignment_start_axis(const bl_alignment* alignment) {
  return alignment == nullptr ? BL_ABSENT : alignment->alignment.start_axis();
}

bl_error_class bl_alignment_error(const bl_alignment* alignment,
                                  bl_error* error) {
  return Call(error, [&] { return ErrorOfAlignment(alignment); });
}

bl_error_class bl_alignment_cell(const bl_alignment* alignment, int32_t operand,
                                 size_t axis, bl_cell* cell, bl_error* error) {
  return Call(error, [&] { return WriteCell(alignment, operand, axis, cell); });
}

size_t bl_alignment_conflict_count(const bl_alignment* alignment) {
  return alignment == nullptr ? 0 : alignment->alignment.conflicts().size();
}

bl_error_class bl_alignment_conflict(const bl_alignment* alignment,
                                     size_t index, bl_conflict* conflict,
                                     bl_error* error) {
  return Call(error, [&] { return WriteConflict(alignment, index, conflict); });
}

bl_error_class bl_alignment_source_of(const bl_alignment* alignment,
                                      size_t operand, const int64_t* index,
                                      size_t index_count, int64_t* source_index,
                                      size_t source_count, bl_error* error) {
  return Call(error, [&] {
    return WriteSourceOf(alignment, operand, index, index_count, source_index,
                         source_count);
  });
}

bl_error_class bl_alignment_fan_out(const bl_alignment* alignment,
                                    size_t operand, const int64_t* source_index,
                                    size_t source_count, bl_range* box,
                                    size_t box_count, bl_error* error) {
  return Call(error, [&] {
    return WriteFanOut(alignment, operand, source_index, source_count, box,
                       box_count);
  });
}

bl_error_class bl_alignment_strides(const bl_alignment* alignment,
                                    size_t operand, int64_t* strides,
                                    size_t count, bl_error* error) {
  return Call(error,
              [&] { return WriteStrides(alignment, operand, strides, count); });
}

}  // extern "C"
