# Sets own_toolchain to the folder that scripts/setup.sh has filled, or to nothing.
set(cache_home "$ENV{XDG_CACHE_HOME}")
if(cache_home STREQUAL "")
  set(cache_home "$ENV{HOME}/.cache")
endif()
file(GLOB toolchains LIST_DIRECTORIES ON "${cache_home}/broadloom/toolchain-*")
list(FILTER toolchains EXCLUDE REGEX "\\.part$")
set(own_toolchain "")
list(POP_BACK toolchains own_toolchain)  # empty if the list is
