// Checks the compiler, and defines the attributes of public declarations.

#ifndef BROADLOOM_INTERNAL_CONFIG_H_
#define BROADLOOM_INTERNAL_CONFIG_H_

// GCC 12 defines 202100 for -std=c++23.
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

// Marks arguments that the result of a function refers to: Clang then warns if
// the argument is destroyed before the result is used.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define BROADLOOM_LIFETIME_BOUND [[clang::lifetimebound]]
#endif
#endif
#if !defined(BROADLOOM_LIFETIME_BOUND)
#define BROADLOOM_LIFETIME_BOUND
#endif

#endif  // BROADLOOM_INTERNAL_CONFIG_H_
