// Errors of the C interface: those of the C++ library, and those of arguments
// that C lets a caller pass and C++ does not.

#ifndef BROADLOOM_C_ERROR_H_
#define BROADLOOM_C_ERROR_H_

#include <cstddef>
#include <cstdint>
#include <expected>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"

namespace broadloom_c {

using namespace broadloom;

template <class T>
using CResult = std::expected<T, bl_error>;
using CStatus = std::expected<void, bl_error>;

// An error of the C++ library.
[[nodiscard]] bl_error ErrorOf(const Error& error) noexcept;
[[nodiscard]] inline std::unexpected<bl_error> Failed(
    const Error& error) noexcept {
  return std::unexpected(ErrorOf(error));
}
[[nodiscard]] inline std::unexpected<bl_error> Failed(
    const bl_error& error) noexcept {
  return std::unexpected(error);
}

// What is wrong with an argument. Its name is a constant of the library; [] in
// it stands for `operand`.
struct Fault {
  bl_detail detail;
  const char* argument;
  int32_t operand = BL_ABSENT;
  int64_t value = 0;   // that was given
  int64_t needed = 0;  // or the most that is allowed
  bl_error_class error_class = BL_ERROR_ARGUMENT;
};
[[nodiscard]] std::unexpected<bl_error> Failed(const Fault& fault) noexcept;

// An unsigned number as Fault::value. bl_describe_error prints it unsigned.
[[nodiscard]] constexpr int64_t BitsOfUnsigned(size_t number) noexcept {
  return static_cast<int64_t>(number);
}

// That a pointer is null, a number none of its enumeration.
[[nodiscard]] std::unexpected<bl_error> FailedNull(
    const char* argument, int32_t operand = BL_ABSENT) noexcept;
[[nodiscard]] std::unexpected<bl_error> FailedNumber(
    const char* argument, int32_t number, bl_detail detail,
    int32_t operand = BL_ABSENT) noexcept;

// Whether an error can be written to the caller's struct, or need not be: the
// struct has a size that ReadSized accepts, or is null.
[[nodiscard]] bool CanReport(const bl_error* out) noexcept;

// Writes an error, or that there is none, to the caller's struct, for which
// CanReport is true; returns the class.
bl_error_class Report(const CStatus& status, bl_error* out) noexcept;

// Calls `work` and reports its status. BL_ERROR_ARGUMENT, without a call, if
// the status cannot be reported.
template <class Work>
bl_error_class Call(bl_error* error, Work work) noexcept {
  if (!CanReport(error)) return BL_ERROR_ARGUMENT;
  return Report(work(), error);
}

// That there is no place for what a call gives: its error has the operand
// BL_RESULT, since an argument that is read may have the same name.
[[nodiscard]] inline std::unexpected<bl_error> FailedNullResult(
    const char* argument) noexcept {
  return FailedNull(argument, BL_RESULT);
}

// Calls `make`, whose result goes to `out`, the argument `name`: null after an
// error.
template <class Handle, class Make>
bl_error_class Give(Handle** out, const char* name, bl_error* error,
                    Make make) noexcept {
  if (out != nullptr) *out = nullptr;
  if (!CanReport(error)) return BL_ERROR_ARGUMENT;
  if (out == nullptr) return Report(FailedNullResult(name), error);
  CResult<Handle*> made = make();
  if (!made) return Report(std::unexpected(made.error()), error);
  *out = *made;
  return Report({}, error);
}

}  // namespace broadloom_c

#endif  // BROADLOOM_C_ERROR_H_
