# What every C++ file of this project is compiled with; nothing of it reaches those who link the library.
function(broadloom_compile_settings target)
  target_compile_features(${target} PUBLIC cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # A fused multiply-add rounds once where the rules say twice.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(BROADLOOM_WERROR)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The first only says that vectors are passed as they were not in GCC 4; the second is wrong about std::string in GCC 12.
    target_compile_options(${target} PRIVATE -Wno-psabi -Wno-restrict)
  endif()
  if(BROADLOOM_TARGETS STREQUAL "baseline")
    target_compile_definitions(${target} PRIVATE HWY_COMPILE_ONLY_STATIC)
  elseif(BROADLOOM_TARGETS)
    message(FATAL_ERROR "BROADLOOM_TARGETS is '${BROADLOOM_TARGETS}': leave it empty, or set it to 'baseline'")
  endif()
  if(BROADLOOM_DISABLED_TARGETS)
    target_compile_definitions(${target} PRIVATE "HWY_DISABLED_TARGETS=(${BROADLOOM_DISABLED_TARGETS})")
  endif()
endfunction()

# The core reports errors as values: it is built so that it could not throw.
function(broadloom_core_settings target)
  broadloom_compile_settings(${target})
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti)
endfunction()
