# Highway, always from the pinned archive, and Catch2 for the tests: an installed package of a fitting version first, else
# the pinned archive.
include(FetchContent)

include(${CMAKE_CURRENT_LIST_DIR}/own-toolchain.cmake)
set(archives "$ENV{BROADLOOM_ARCHIVES}")
if(NOT archives AND own_toolchain)
  set(archives "${own_toolchain}/archives")
endif()
set(BROADLOOM_ARCHIVES "${archives}" CACHE PATH
  "Folder with the pinned archives, used in place of a download (hashes are checked all the same)")

# Sets ${url} to the local copy of the archive ${name}, if there is one.
function(broadloom_prefer_local url name)
  if(EXISTS "${BROADLOOM_ARCHIVES}/${name}")
    set(${url} "file://${BROADLOOM_ARCHIVES}/${name}" PARENT_SCOPE)
  endif()
endfunction()

set(highway_url https://github.com/google/highway/archive/refs/tags/1.2.0.tar.gz)
broadloom_prefer_local(highway_url highway-1.2.0.tar.gz)
FetchContent_Declare(broadloom_highway
  URL ${highway_url}
  URL_HASH SHA256=7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
  DOWNLOAD_EXTRACT_TIMESTAMP OFF
  SOURCE_SUBDIR none)  # only its sources: core/CMakeLists.txt compiles the few files that are needed

if(BROADLOOM_BUILD_TESTS AND (NOT EMSCRIPTEN OR BROADLOOM_KERNEL_TESTS))
  set(catch2_url https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz)
  broadloom_prefer_local(catch2_url catch2-3.7.1.tar.gz)
  FetchContent_Declare(Catch2
    URL ${catch2_url}
    URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
    DOWNLOAD_EXTRACT_TIMESTAMP OFF
    FIND_PACKAGE_ARGS 3.7 CONFIG)
  set(broadloom_catch2 Catch2)
endif()

block(PROPAGATE broadloom_highway_SOURCE_DIR)
  # Cache entries would leak into a parent project.
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_DEFAULT_CMP0126 NEW)
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_TESTING OFF)
  set(CATCH_INSTALL_DOCS OFF)
  set(CATCH_INSTALL_EXTRAS OFF)
  if(EMSCRIPTEN)
    set(CMAKE_CXX_STANDARD 17)  # without it Catch2 is built as C++14 there, and lacks what its headers promise C++17
  endif()
  FetchContent_MakeAvailable(broadloom_highway ${broadloom_catch2})
endblock()

# Catch2's headers are not held to this project's warnings. (FetchContent's own option SYSTEM breaks CMake 3.25.1.) Its
# hundred small files spend most of their time on the same headers: two large ones build in half of it.
if(TARGET Catch2)
  set_target_properties(Catch2 PROPERTIES SYSTEM ON UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 54)
endif()
