#!/usr/bin/env bash
# Installs the tools that build and test Broadloom, using package registries only.
#   scripts/setup.sh         the tools of `npm start`: an Emscripten toolchain
#   scripts/setup.sh test    and those of `npm test`: native compilers, Chromium, Firefox
#   scripts/setup.sh remove  removes the toolchains kept in the user's cache folder
# On any system, a recent emcc on PATH is used. Otherwise, on Debian 12: compilers come from Debian's own packages; Emscripten
# and Binaryen come from Debian 13, unpacked into the user's cache folder and shared by all clones.
# Progress goes to stderr. The last lines, on stdout, are `emscripten=FOLDER`, `archives=FOLDER` (source archives for CMake) and
# `compiled=FOLDER` (ccache's objects). FOLDER is empty if there is none.
set -Eeuo pipefail

EMSCRIPTEN=3.1.69 BINARYEN=120 LLVM=19  # versions that work together
ACORN=8.14.0
NODE_MIN=20.19  # Vite 8 needs it
CMAKE_MIN=3.25
HIGHWAY=1.2.0 HIGHWAY_SHA256=7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
CATCH2=3.7.1 CATCH2_SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
MEGABYTES=1100  # space needed in the cache folder during set-up: downloads, unpacked files, a trial build

# Requirements, as "command or path=Debian package that contains it"; a path may be a pattern.
EVERYWHERE="cmake=cmake ninja=ninja-build python3=python3"
OWN_EMSCRIPTEN="clang-$LLVM=clang-$LLVM wasm-ld-$LLVM=lld-$LLVM llvm-ar-$LLVM=llvm-$LLVM
  /etc/ssl/certs/ca-certificates.crt=ca-certificates"
TESTS="g++=g++ pkg-config=pkg-config"
TESTS_ON_DEBIAN="chromium-headless-shell=chromium-headless-shell firefox-esr=firefox-esr
  clang-$LLVM=clang-$LLVM clang-format-$LLVM=clang-format-$LLVM
  /usr/lib/llvm-$LLVM/lib/clang/*/lib/linux/libclang_rt.asan-*.a=libclang-rt-$LLVM-dev
  /usr/lib/python3*/ensurepip=python3-venv /usr/include/python3*/Python.h=python3-dev ccache=ccache
  /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf=fonts-dejavu-core"

what=${1:-start}
cache=${XDG_CACHE_HOME:-${HOME:?is not set; set it to your home folder}/.cache}/broadloom
started=$SECONDS

exec 3>&2  # messages go here, because a signal may arrive while stderr is redirected to the log
say() { printf 'setup: %s (%ss)\n' "$*" "$((SECONDS - started))" >&3; }
fail() { printf 'setup: %s\n' "$*" >&3; trap - ERR; exit 1; }

# --- Finding what is installed ----------------------------------------------------------------------------------------

at_least() { printf '%s\n%s\n' "$1" "$2" | sort -VC; }

is_there() {  # a command or a path pattern
  case $1 in
    /*) compgen -G "$1" >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

packages_missing() {  # words "command=package" -> the packages whose command or path is missing
  local pair
  for pair in "$@"; do is_there "${pair%%=*}" || printf '%s\n' "${pair#*=}"; done | sort -u | tr '\n' ' '
}

# Prints the folder of a recent emcc on PATH, or nothing. Reads the version from the file beside emcc, because running emcc
# takes longer than everything else here.
emscripten_on_path() {
  local emcc folder version
  emcc=$(command -v emcc) || return 0
  emcc=$(realpath "$emcc")
  for folder in "${emcc%/*}" "${emcc%/*}/../libexec"; do
    [ -f "$folder/emscripten-version.txt" ] || continue
    version=$(tr -d '"\n' <"$folder/emscripten-version.txt")
    if at_least "$EMSCRIPTEN" "${version%-*}"; then (cd "$folder" && pwd); return 0; fi
    say "emcc on PATH is $version, older than $EMSCRIPTEN: it is not used"
  done
}

# --- Errors -----------------------------------------------------------------------------------------------------------

# Runs a command quietly. If it fails, prints one line with the cause, as far as the log shows it, and the remedy.
attempt() {  # description, command...
  local doing=$1 from
  shift
  from=$(($(wc -l <"$log") + 1))
  "$@" >>"$log" 2>&1 </dev/null && return 0
  because "$doing" "$(tail -n "+$from" "$log" 2>/dev/null)"
}

because() {  # description, output of the failed command
  case $2 in
    *"No space left on device"* | *ENOSPC* | *"not enough free space"* | *"Disk quota exceeded"*)
      fail "no space is left on the disk while $1: free some, or set XDG_CACHE_HOME to a folder on a larger disk, and run this again" ;;
    *"Could not resolve"* | *"Temporary failure"* | *"onnect"*"failed"* | *"ould not connect"* | *"nable to connect"* | \
      *"timed out"* | *ENOTFOUND* | *ECONNREFUSED* | *ETIMEDOUT* | *EAI_AGAIN* | *"Failed to fetch"* | *"unreachable"*)
      fail "no package server answers while $1: check the network and proxy settings, and run this again; it goes on from here (log: $log)" ;;
    *"Unable to locate package"* | *"has no installation candidate"*)
      fail "Debian's package lists are missing or too old while $1: run \`apt-get update\` as root, and this again (log: $log)" ;;
    *) fail "failed while $1; the reason is at the end of $log; run this again to go on from here" ;;
  esac
}

# --- Debian's own packages --------------------------------------------------------------------------------------------

install_packages() {
  local root=
  [ "$(id -u)" = 0 ] || root="sudo -n"
  if [ -n "$root" ] && ! $root true 2>/dev/null; then
    fail "missing: $*; as root, run: apt-get install --no-install-recommends $*"
  fi
  say "installing Debian packages: $*"
  attempt "finishing an interrupted installation" $root dpkg --configure -a
  attempt "reading Debian's package lists" $root apt-get -q -o Acquire::Retries=2 update
  attempt "installing $*" $root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qy -o DPkg::Lock::Timeout=600 -o Acquire::Retries=2 install --no-install-recommends "$@"
}

# --- Emscripten from Debian 13, without installing it -----------------------------------------------------------------
# The functions from here to `prove` are the recipe. A change in them results in a new toolchain beside the old one.

# apt with separate lists, state and cache, so that the system's are not changed. It uses the system's mirror; the signature of
# Debian's archive covers every file.
foreign_apt() { apt-get -c "$part/apt/apt.conf" -q "$@"; }

configure_foreign_apt() {
  local apt=$part/apt
  mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>>"$log" |
    awk '$2 ~ /^(bookworm|stable|oldstable)$/ && !uri { uri = $1 } END { print uri }')
  [ -n "$mirror" ] || fail "apt's sources name no Debian 12 mirror: add one to /etc/apt/sources.list.d, and run this again"
  rm -rf "$apt"
  mkdir -p "$apt"/{sources,state/lists/partial,cache/archives/partial}
  : >"$apt/status"
  printf 'Types: deb\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: %s\n' \
    "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg >"$apt/sources/trixie.sources"
  cat >"$apt/apt.conf" <<CONF
Dir::Etc::SourceList "/dev/null"; Dir::Etc::SourceParts "$apt/sources";
Dir::Etc::Preferences "/dev/null"; Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$apt/state"; Dir::State::status "$apt/status"; Dir::Cache "$apt/cache";
Acquire::Languages "none"; Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false"; Acquire::Retries "2";
APT::Sandbox::User "root";
#clear APT::Update::Post-Invoke-Success;
CONF
}

# Complete files that an interrupted run left in the download folder are used again.
download() {
  mkdir -p "$part/download"
  cd "$part/download"
  attempt "reading Debian 13's package list" foreign_apt --error-on=any update
  attempt "downloading Emscripten" foreign_apt download \
    "emscripten=$EMSCRIPTEN*" "binaryen=$BINARYEN*" libc6 libstdc++6 libgcc-s1
  download_source highway "$HIGHWAY" "$HIGHWAY_SHA256"
  download_source catch2 "$CATCH2" "$CATCH2_SHA256"
}

# Debian's source packages contain the unchanged upstream archives, with the hashes that CMake expects.
download_source() {  # name, version, sha256
  local file=$1_$2.orig.tar.gz
  attempt "downloading $1 $2" /usr/lib/apt/apt-helper download-file \
    "${mirror%/}/pool/main/${1:0:1}/$1/$file" "$file" "SHA256:$3"
  mkdir -p "$new/archives"
  attempt "copying $1 $2" cp "$file" "$new/archives/$1-$2.tar.gz"
}

unpack_package() {  # package, folder, tar's options
  attempt "unpacking $1" tar_of_package "$part/download/$1"_*.deb -x -C "$2" --wildcards "${@:3}"
}
tar_of_package() { dpkg-deb --fsys-tarfile "$1" | tar "${@:2}"; }

unpack() {
  local library='*/cache/sysroot/lib/wasm32-emscripten' program package
  mkdir -p "$new/emscripten" "$new/binaryen/bin" "$new/binaryen/.root"
  # Excludes files that no build uses. libGL stays, because emcc looks for it in every link.
  unpack_package emscripten "$new/emscripten" --strip-components=4 \
    --exclude='*/emscripten/test' --exclude='*/emscripten/docs' --exclude='*/emscripten/out' --exclude='*/ChangeLog.*' \
    --exclude="$library/lto*" --exclude="$library/pic" --exclude="$library/*-ww*" \
    --exclude="$library/libwasmfs*" --exclude="$library/*-mt-asan*" ./usr/share/emscripten
  for package in binaryen libc6 libstdc++6 libgcc-s1; do
    unpack_package "$package" "$new/binaryen/.root" --exclude='*/share/*' --exclude='*/gconv/*'
  done
  # Binaryen needs Debian 13's C library, so each program is started with the loader unpacked beside it.
  for program in "$new"/binaryen/.root/usr/bin/wasm*; do
    program=$new/binaryen/bin/${program##*/}
    cat >"$program" <<'WRAPPER'
#!/bin/sh
root=${0%/*}/../.root
set -- "$root/usr/bin/${0##*/}" "$@"
for loader in "$root"/usr/lib*/ld-linux-*; do
  exec "$loader" --library-path "$(echo "$root"/usr/lib/*-linux-gnu)" "$@"
done
WRAPPER
    chmod +x "$program"
  done
}

# emcc finds this file by itself. Its paths are relative, because the folder is moved when it is complete.
configure_emscripten() {
  attempt "installing acorn, which emcc calls" npm install --prefix "$new/emscripten" --no-save --no-package-lock \
    --no-audit --no-fund --ignore-scripts "acorn@$ACORN"
  cat >"$new/emscripten/.emscripten" <<CONF
import os
_here = os.path.dirname(os.path.dirname(os.path.realpath(os.environ['EM_CONFIG'])))  # emcc sets EM_CONFIG itself
LLVM_ROOT, BINARYEN_ROOT, NODE_JS = '/usr/lib/llvm-$LLVM/bin', _here + '/binaryen', 'node'
CACHE, FROZEN_CACHE = _here + '/emscripten/cache', True  # the libraries come prebuilt
CONF
}

prove() {
  printf '%s\n' '#include <cstdio>' '#include <expected>' \
    'int main() { std::expected<int, int> seven(7); std::printf("works %d\n", *seven); }' >"$part/trial.cc"
  attempt "compiling a trial program" "$new/emscripten/em++" -std=c++23 -O2 "$part/trial.cc" -o "$part/trial.mjs"
  [ "$(node --input-type=module -e 'await (await import(process.argv[1])).default()' "$part/trial.mjs" 2>>"$log")" = \
    "works 7" ] || because "running a trial program" ""
}

# apt trusts a file in the current folder that has the right size. So files left by an interrupted run are removed here unless
# name and hash match the package list. Not part of the recipe, because it does not change the toolchain.
check_leftovers() {
  local file name hash
  compgen -G "$part/download/*.deb" >/dev/null || return 0
  attempt "reading Debian 13's package list" foreign_apt --error-on=any update
  mkdir -p "$part/empty"
  for file in "$part"/download/*.deb; do
    name=${file##*/}
    # From an empty folder, because apt does not list files that the current folder has.
    hash=$( (cd "$part/empty" && foreign_apt --print-uris download "${name%%_*}" 2>>"$log") |
      awk -v name="$name" '$2 == name { print $4 }') || true
    [ "$hash" = "SHA256:$(sha256sum <"$file" | cut -d' ' -f1)" ] && continue
    say "$name has wrong contents or another version: it is not used"
    rm "$file"
  done
}

recipe() {
  { echo "$EMSCRIPTEN $BINARYEN $LLVM $ACORN $HIGHWAY_SHA256 $CATCH2_SHA256"
    declare -f foreign_apt configure_foreign_apt download download_source unpack_package tar_of_package unpack \
      configure_emscripten prove; } | sha256sum | cut -c1-12
}

make_toolchain() {
  local free
  mkdir -p "$part"
  free=$(($(df -Pk "$part" | awk 'END { print $4 }') / 1024 + $(du -sk "$part" | cut -f1) / 1024))
  if [ "$free" -lt "$MEGABYTES" ]; then
    rmdir "$part" 2>/dev/null || true
    fail "the disk has $free MB free where $MEGABYTES MB are needed: free some, or set XDG_CACHE_HOME to a folder on a larger disk, and run this again"
  fi
  new=$part/new
  rm -rf "$new"
  mkdir -p "$new"
  say "downloading Emscripten $EMSCRIPTEN, Highway $HIGHWAY, Catch2 $CATCH2 from Debian (270 MB)"
  configure_foreign_apt
  check_leftovers
  download
  say "unpacking"
  unpack
  configure_emscripten
  say "trying it"
  prove
  mv "$new" "$toolchain"
  cd /
  rm -rf "$part"
  say "ready: $toolchain"
}

# --- Main -------------------------------------------------------------------------------------------------------------

if [ "$what" = remove ]; then
  rm -rf "$cache"
  say "removed $cache"
  exit 0
fi
[ "$what" = start ] || [ "$what" = test ] || fail "unknown argument: $what (start, test or remove)"

node_version=$(node --version 2>/dev/null) || fail "Node.js is missing: install Node $NODE_MIN or later, with npm"
at_least "$NODE_MIN" "${node_version#v}" ||
  fail "Node.js ${node_version#v} is too old: install Node $NODE_MIN or later, with npm"

needed=$EVERYWHERE
[ "$what" = start ] || needed+=" $TESTS"
emscripten=$(emscripten_on_path)
system=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-$ID}" || uname -s)

if [ "$system" = bookworm ]; then
  [ -n "$emscripten" ] || needed+=" $OWN_EMSCRIPTEN"
  [ "$what" = start ] || needed+=" $TESTS_ON_DEBIAN"
elif [ -z "$emscripten" ]; then
  fail "emcc $EMSCRIPTEN or later is not on PATH, and this system is not Debian 12: install Emscripten (emsdk, or brew install emscripten), and run this again"
fi

missing=$(packages_missing $needed)
toolchain=
if [ -z "$emscripten" ]; then
  toolchain=$cache/toolchain-$EMSCRIPTEN-$(recipe)
  emscripten=$toolchain/emscripten
fi

if [ -n "$missing" ] && [ "$system" != bookworm ]; then
  installer="apt-get install"
  [ "$system" != Darwin ] || installer="brew install"
  fail "missing: $missing; run: $installer $missing"
fi

if [ -n "$missing" ] || [ -n "$toolchain" -a ! -d "$toolchain" ]; then
  mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] ||
    fail "cannot write in $cache: make it yours (chown), or set XDG_CACHE_HOME to a folder that is"
  log=$cache/setup.log part=$cache/${toolchain##*/}.part
  trap 'fail "stopped; run this again to go on from here"' INT TERM HUP
  trap 'because "setting up (line $LINENO)" "$(tail -n 3 "$log" 2>/dev/null)"' ERR
  exec 9>"$cache/setup.lock"
  flock -n 9 || { say "another set-up is at work; waiting for it"; flock 9; }
  : >"$log"
  missing=$(packages_missing $needed)  # the other one may have done it
  [ -z "$missing" ] || install_packages $missing
  [ -z "$toolchain" ] || [ -d "$toolchain" ] || make_toolchain
fi

cmake_version=$(cmake --version | awk 'NR == 1 { print $3 }')
at_least "$CMAKE_MIN" "$cmake_version" || fail "CMake $cmake_version is too old: install CMake $CMAKE_MIN or later"

compiled=
! is_there ccache || compiled=$cache/compiled

echo "emscripten=$emscripten"
echo "archives=${toolchain:+$toolchain/archives}"
echo "compiled=$compiled"
