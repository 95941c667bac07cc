#!/bin/sh
# Sees to it that the environment can compile C++20: tools/compiler.sh VENV
# The machine's compiler if it has a good one (CXX, or c++ on PATH); else the one that PyPI's ziglang
# carries, under the names c++, ar and ranlib in VENV/compiler. VENV/compiler/name tells which it is.
set -eu
venv=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/probe.cpp" <<'CPP'
#include <bit>
#include <span>
#include <string_view>
int main() {
  constexpr std::string_view text = "ok";
  const std::span<const char> view(text);
  return std::has_single_bit(view.size()) ? 0 : 1;
}
CPP
compiles() { "$1" -std=c++20 "$work/probe.cpp" -o "$work/probe" >"$work/log" 2>&1; }

header=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
if [ ! -f "$header" ]; then
  echo "$header is missing: install Python's headers (Debian, Ubuntu: apt install python3-dev)" >&2
  exit 1
fi

if [ -n "${CXX:-}" ]; then
  if compiles "$CXX"; then exit 0; fi
  echo "CXX=$CXX does not compile C++20:" >&2
  head -n 20 "$work/log" >&2
  exit 1
fi
rm -rf "$venv/compiler"
mkdir "$venv/compiler"
for name in c++ g++ clang++; do
  if found=$(command -v $name) && compiles "$found"; then
    echo "$found" >"$venv/compiler/name"
    exit 0
  fi
done

echo "no compiler for C++20 on PATH: taking the one in PyPI's ziglang"
if ! "$venv/bin/python" -m pip install -q ziglang; then
  echo "no C++20 compiler: install one (Debian, Ubuntu: apt install g++; macOS: xcode-select --install)" >&2
  exit 1
fi
# The program itself and not `python -m ziglang`, which a build environment of its own would not find.
zig=$("$venv/bin/python" -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).with_name("zig"))')
compiler=$(cd "$venv/compiler" && pwd)
for name in c++ ar ranlib; do
  printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "$name" >"$compiler/$name"
  chmod +x "$compiler/$name"
done
echo "$compiler/c++" >"$compiler/name"
if ! compiles "$compiler/c++"; then
  head -n 20 "$work/log" >&2
  echo "PyPI's ziglang does not compile here: install a C++20 compiler (Debian, Ubuntu: apt install g++)" >&2
  exit 1
fi
