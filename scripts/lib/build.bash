# shellcheck shell=bash
# build.bash: what scripts/run and scripts/test do first. Sourced from the project's folder.

say() { printf '== %s\n' "$*" >&2; }

# prepare [--tests]: sets the machine up and builds the program and what runs in containers.
prepare() {
	local state=${SIDECHECK_STATE:-${XDG_CACHE_HOME:-$HOME/.cache}/sidecheck}
	say "set-up"
	scripts/setup "$@"
	# shellcheck source=/dev/null
	. "$state/env"
	say "building sidecheck (about 3 minutes from scratch, seconds later)"
	cargo build --quiet --package sidecheck
	scripts/build-static
}
