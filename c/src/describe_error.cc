// Sentences about errors: bl_describe_error.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "sized.h"
#include "text.h"
#include "text/text_writer.h"
#include "vocabulary.h"

namespace broadloom_c {
namespace {

// The error as the C++ library has it; none for a class that it lacks.
std::optional<Error> ErrorOf(const bl_error& error) {
  const std::optional<ErrorClass> error_class = ErrorClassOf(error.error_class);
  if (!error_class) return std::nullopt;
  return Error{.error_class = *error_class,
               .detail = DetailOf(error.detail).value_or(Detail::kNoDetail),
               .rule = RuleOf(error.rule),
               .clause = ClauseOf(error.clause),
               .op = OpOf(error.op),
               .operand = error.operand,
               .other_operand = error.other_operand,
               .axis = error.axis,
               .operand_axis = error.operand_axis,
               .other_axis = error.other_axis,
               .extent = error.extent,
               .other_extent = error.other_extent,
               .dtype = DTypeOf(error.dtype),
               .other_dtype = DTypeOf(error.other_dtype),
               .text_begin = error.text_begin,
               .text_end = error.text_end};
}

// The argument, with the operand's index in place of [].
void WriteArgument(TextWriter& text, const bl_error& error) {
  const std::string_view name = error.argument;
  const size_t index = name.find("[]");
  text << "`" << name.substr(0, index);
  if (index != std::string_view::npos) {
    text << "[" << error.operand << "]" << name.substr(index + 2);
  }
  text << "`";
}

struct WantedRow {
  std::string_view argument;
  std::string_view wanted;
};

std::string_view Find(std::span<const WantedRow> rows,
                      std::string_view argument) {
  for (const WantedRow& row : rows) {
    if (row.argument == argument) return row.wanted;
  }
  return "an address";
}

// What an argument that is null has to be, if it gets what a call gives.
std::string_view WantedOfResult(std::string_view argument) {
  constexpr WantedRow kRows[] = {
      {"alignment", "the address of a bl_alignment*"},
      {"document", "the address of a bl_text*"},
      {"tensor", "the address of a bl_tensor*"},
      {"result", "the address of a bl_tensor*"},
      {"sums", "the address of a bl_tensor*"},
      {"managed", "the address of a pointer to a managed DLPack tensor"},
      {"plan", "the address of a bl_plan*, or for sums of a bl_sum_plan*"},
      {"within", "the address of a bl_plan*"},
      {"pool", "the address of a bl_threads*"},
  };
  return Find(kRows, argument);
}

// What another argument that is null has to be.
std::string_view Wanted(std::string_view argument) {
  constexpr WantedRow kRows[] = {
      {"request", "the address of a request that begins with its _INIT macro"},
      {"alignment", "an alignment that bl_align made"},
      {"plan", "a plan that was made before"},
      {"tensor", "a bl_tensor"},
      {"*tensor", "a bl_tensor that has not moved"},
      {"rank", "the address of a size_t"},
      {"cell", "the address of a bl_cell"},
      {"conflict", "the address of a bl_conflict"},
      {"view", "the address of a bl_tensor_view"},
      {"cost", "the address of a bl_region_cost"},
      {"shape", "the address of a bl_shape"},
      {"input", "the address of a bl_tensor_view"},
      {"output", "the address of a bl_tensor_view"},
      {"managed", "a DLPack tensor"},
      {"request->shapes", "one shape for each operand"},
      {"request->dtypes", "one element type for each operand"},
      {"options->parallel->run", "a function, or options->parallel = NULL"},
      {"inputs[].data", "the address of its elements, or bytes = 0"},
      {"outputs[].data", "the address of its elements, or bytes = 0"},
      {"managed->dl_tensor.data", "a tensor that has its elements"},
      {"managed->dl_tensor.shape", "a tensor that has its extents"},
  };
  return Find(kRows, argument);
}

// Counts, sizes and indices are unsigned, however large. Only an operand may be
// a negative number, of 32 bits: BL_TARGET and the like.
void WriteGiven(TextWriter& text, const bl_error& error) {
  const bool is_signed = std::string_view(error.argument) == "operand" &&
                         error.extent < 0 && error.extent >= INT32_MIN;
  if (is_signed) {
    text << error.extent;
  } else {
    text.Unsigned(static_cast<uint64_t>(error.extent));
  }
}

void WriteUnknown(TextWriter& text, const bl_error& error) {
  WriteArgument(text, error);
  if (error.extent == 0) {
    text << " is missing: set it to a constant of broadloom/c.h.";
    return;
  }
  text << " is " << error.extent
       << ", which is none of its constants in broadloom/c.h.";
}

// Errors about a DLPack tensor. Its numbers are in `extent`, `other_extent` and
// `operand`.
void WriteDlpack(TextWriter& text, const bl_error& error) {
  text << "The DLPack tensor ";
  switch (error.detail) {
    case BL_DETAIL_DLPACK_VERSION:
      text << "has version " << error.extent
           << " of the format, and Broadloom reads version "
           << error.other_extent
           << ": ask its library for that one (max_version in Python).";
      return;
    case BL_DETAIL_DLPACK_DEVICE:
      text << "is on a device of type " << error.extent << ", not on the CPU ("
           << error.other_extent << "): copy it to the CPU first.";
      return;
    case BL_DETAIL_DLPACK_NDIM:
      text << "has " << error.extent
           << " axes, which cannot be: its library has to set ndim to 0 or "
              "more.";
      return;
    case BL_DETAIL_DLPACK_LANES:
      text << "has vectors of " << error.extent
           << " lanes as elements, and Broadloom takes 1 lane: make the lanes "
              "an axis.";
      return;
    case BL_DETAIL_DLPACK_TYPE:
      text << "has elements of type code " << error.extent << " with "
           << error.other_extent
           << " bits, which Broadloom does not have: convert them.";
      return;
    case BL_DETAIL_DLPACK_PADDED:
      text << "has elements of " << error.extent
           << " bits in whole bytes: pack them, or convert them to a type of 8 "
              "bits.";
      return;
    default:
      text << "has strides or an offset that lead out of the address space: "
              "its library has to set them right.";
  }
}

void WriteFault(TextWriter& text, const bl_error& error) {
  if (error.error_class == BL_ERROR_UNKNOWN) return WriteUnknown(text, error);
  if (error.detail >= BL_DETAIL_DLPACK_VERSION &&
      error.detail <= BL_DETAIL_DLPACK_ADDRESS) {
    return WriteDlpack(text, error);
  }
  WriteArgument(text, error);
  switch (error.detail) {
    case BL_DETAIL_NULL:
      text << " is null: pass "
           << (error.operand == BL_RESULT ? WantedOfResult(error.argument)
                                          : Wanted(error.argument))
           << ".";
      return;
    case BL_DETAIL_STRUCT_SIZE:
      text << " is ";
      WriteGiven(text, error);
      text << ", and only " << error.other_extent << " to " << kMostSize
           << " are accepted: begin the struct with its _INIT macro.";
      return;
    case BL_DETAIL_NEWER:
      text << " has fields that this library, of ABI version " << BL_ABI_VERSION
           << ", does not know: use a newer library, or leave them zero.";
      return;
    case BL_DETAIL_COUNT:
      text << " is ";
      WriteGiven(text, error);
      text << ", and may be at most " << error.other_extent
           << ": was it a negative number, or never set?";
      return;
    case BL_DETAIL_FLAGS:
      text << " has bits of value " << error.extent
           << " that mean nothing: use the constants of broadloom/c.h only.";
      return;
    case BL_DETAIL_SIZE:
    case BL_DETAIL_CAPACITY:
      text << " is ";
      WriteGiven(text, error);
      text << ", but " << error.other_extent
           << (error.other_extent == 1 ? " is" : " are")
           << " needed: pass an array of that length.";
      return;
    case BL_DETAIL_READ_ONLY:
      text << " is read-only: pass memory that may be written, such as a copy.";
      return;
    case BL_DETAIL_NAME:
      text << " is no kind of warning: see bl_explain_options in "
              "broadloom/c.h.";
      return;
    case BL_DETAIL_UNSUPPORTED:
      text << " has elements of type u1, whose bits DLPack has in another "
              "order: unpack it yourself, into a tensor of bool or u8.";
      return;
    case BL_DETAIL_OUT_OF_RANGE:
      text << " is ";
      WriteGiven(text, error);
      text << ", but there ";
      text << (error.other_extent == 1 ? "is " : "are ") << error.other_extent
           << ": count from 0.";
      return;
    default:
      text << " is wrong: see broadloom/c.h.";
  }
}

size_t WriteError(const bl_error& error, std::span<char> out) {
  if (error.argument != nullptr) {
    TextWriter text(out);
    WriteFault(text, error);
    return text.length();
  }
  const std::optional<Error> core = ErrorOf(error);
  return core ? Describe(*core, out) : 0;
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" size_t bl_describe_error(const bl_error* error, char* out,
                                    size_t capacity) {
  const CResult<bl_error> read = ReadOptions(error, "error", "error->size");
  // An error that cannot be read is described instead.
  const bl_error& described = read ? *read : read.error();
  return WriteText(out, capacity, [&](std::span<char> room) -> size_t {
    return described.error_class == BL_OK ? 0 : WriteError(described, room);
  });
}
