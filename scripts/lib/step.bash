# Sourced: progress lines on stderr, and steps that take a while.
# shellcheck shell=bash
#
# The sourcing script sets step_label (what lines start with) and step_dir (where the logs and the
# remembered times lie), and may set step_name, which tells its logs from those of its siblings.

say() { printf '%s: %s\n' "$step_label" "$*" >&2; }

# die [--exit CODE] WORDS: says why, and ends the script.
die() {
	local code=1
	if [[ $1 == --exit ]]; then code=$2 && shift 2; fi
	say "$*"
	exit "$code"
}

# step NAME GUESS COMMAND...: runs a step with its output in a log. GUESS is the seconds that it
# should take on two cores; the time it took is remembered and said the next time.
step() {
	local name=$1 guess=$2 log times last begin took rc=0
	shift 2
	mkdir -p "$step_dir/logs" "$step_dir/times"
	log=$step_dir/logs/${step_name:+$step_name-}$name.log
	times=$step_dir/times/$name
	if [[ -s $times ]]; then last="last time $(<"$times") s"; else last="first time here"; fi
	say "$name: about $guess s ($last); log: $log"
	begin=$SECONDS
	# A process group of its own, so that stopping this script reaches its compilers too.
	set -m
	"$@" </dev/null >"$log" 2>&1 &
	step_child=$!
	set +m
	wait "$step_child" || rc=$?
	step_child=
	took=$((SECONDS - begin))
	if ((rc != 0)); then
		tail -n 20 "$log" >&2
		die "$name: failed (exit $rc) after $took s; log: $log"
	fi
	echo "$took" >"$times"
	say "$name: done in $took s"
}
step_child=

# stop_step: ends the step that runs, if any; for the sourcing script's EXIT trap.
stop_step() {
	[[ $step_child ]] || return 0
	kill -TERM -- "-$step_child" 2>/dev/null || true
	wait "$step_child" 2>/dev/null || true
}

# A signal ends the script through its EXIT trap, at once even while a step runs.
trap 'exit 130' INT
trap 'exit 143' TERM HUP
