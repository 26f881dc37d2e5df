# shellcheck shell=bash
# build.bash: what scripts/run and scripts/test do first. Sourced from the project's folder.

state=${SIDECHECK_STATE:-${XDG_CACHE_HOME:-$HOME/.cache}/sidecheck}
step_label=build
step_dir=$state/build
# shellcheck source=scripts/lib/step.bash
. scripts/lib/step.bash
trap stop_step EXIT

# prepare [--tests]: sets the machine up and builds the program and what runs in containers.
prepare() {
	scripts/setup "$@"
	# shellcheck source=/dev/null
	. "$state/env"
	step sidecheck 120 cargo build --package sidecheck
	step programs-in-containers 60 scripts/build-static
}
