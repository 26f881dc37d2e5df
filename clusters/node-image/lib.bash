# Sourced by build and tag: where the recipe and its cache are, and what makes a part.
# shellcheck shell=bash

recipe=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${SIDECHECK_STATE:-${XDG_CACHE_HOME:-$HOME/.cache}/sidecheck}/node-image
goversion=$(cd / && go env GOVERSION) || exit 1
goarch=$(cd / && go env GOARCH)

# digest: 12 hex digits that stand for what is read from stdin.
digest() { sha256sum | cut -c1-12; }

# A part is made in the scratch folder and moved into the cache when it is whole. The folder has
# its maker's process id as name, so that what a killed build left is known.
scratch=$cache/tmp/$$
start_scratch() {
	local left
	mkdir -p "$cache/locks" "$scratch"
	trap 'stop_step; rm -rf "$scratch"' EXIT
	for left in "$cache"/tmp/*; do
		kill -0 "${left##*/}" 2>/dev/null || rm -rf "$left"
	done
}

# lock NAME: waits until no other build works on NAME; held until unlock.
lock() {
	exec {lock_fd}>"$cache/locks/$1"
	if ! flock -n "$lock_fd"; then
		say "$1: another build is at it; waiting"
		flock "$lock_fd"
	fi
}
unlock() { exec {lock_fd}>&-; }
