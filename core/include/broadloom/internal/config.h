// What the compiler must support, and how the library's symbols are seen from
// outside.

#ifndef BROADLOOM_INTERNAL_CONFIG_H_
#define BROADLOOM_INTERNAL_CONFIG_H_

// GCC 12 says 202100 for -std=c++23.
#if defined(__cplusplus) && __cplusplus > 202002L
#define BROADLOOM_HAS_CXX23 1
#else
#error \
    "Broadloom's headers need C++23: compile with -std=c++23 (GCC 12, Clang 16 or newer), or in CMake link to broadloom::broadloom, which asks for it."
#endif

// Public functions are exported from a shared library; everything else in it is
// hidden.
#if defined(__GNUC__)
#define BROADLOOM_PUBLIC [[gnu::visibility("default")]]
#else
#define BROADLOOM_PUBLIC
#endif

// The result of a function holds a view of an argument: Clang warns where the
// argument is gone before the view is used.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define BROADLOOM_LIFETIME_BOUND [[clang::lifetimebound]]
#endif
#endif
#if !defined(BROADLOOM_LIFETIME_BOUND)
#define BROADLOOM_LIFETIME_BOUND
#endif

#endif  // BROADLOOM_INTERNAL_CONFIG_H_
