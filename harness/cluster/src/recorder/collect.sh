# collect TEXT NANOSECONDS SECONDS NAMESPACE [ROOT]: runs on a node. Writes what it recorded since an instant, which is
# given in three ways, and what the pods of a namespace left there, as a tar archive to stdout.
# shellcheck shell=sh
set -e
root=${5:-/var/lib/sidecheck}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/files" "$root/evidence/$4"
# No record is a failure; only an empty one says that nothing happened.
: <"$root/containerd-events.log"

# whole_lines LOG: its lines, without one that is only half written yet.
whole_lines() {
	{ cat "$1" && echo; } | sed '$d'
}

# recent LOG SINCE OLD: its complete lines after the last one that is OLD (a condition of awk). It reads backwards, since
# what is wanted is at the end of a long log. So that tac joins no half-written line to the one before it, the newline
# belongs to what follows it: line 1 is empty then, and line 2 is the half-written one or empty.
recent() {
	if tac --before "$1" | awk -v since="$2" "
		NR <= 2 { next }
		$3 { found = 1; exit }
		{ print }
		END { exit !found }
	" >"$out/backwards"; then
		tac "$out/backwards"
	else
		# The first line at most is old. Read it forwards: that line, which no newline precedes, has been joined to the second.
		whole_lines "$1" | awk -v since="$2" "NR == 1 && $3 { next } { print }"
	fi
}

# A line that is damaged has no instant, so it can't be old.
# shellcheck disable=SC2016
old_event='/^[0-9][0-9][0-9][0-9]-[0-9]+-[0-9]+ [0-9:.]+ [+]0000 UTC / && ($1 " " $2) < since'
# shellcheck disable=SC2016
old_beat='/^[{]"boot_ns":[0-9]+,"wall_ns":[0-9]+[,}]/ && split($0, part, /[:,}]/) && ("n" part[4]) < since'

recent "$root/containerd-events.log" "$1" "$old_event" >"$out/events"
whole_lines "$root/recorder-starts.log" >"$out/recorder-starts"

# A heartbeat that has grown long is put aside as .1. The new one first: if it is put aside just now, its beats are read
# twice and not missed.
for log in heartbeat.jsonl heartbeat.jsonl.1; do
	: >"$out/$log"
	[ ! -e "$root/$log" ] || recent "$root/$log" "n$2" "$old_beat" >"$out/$log"
done
cat "$out/heartbeat.jsonl.1" "$out/heartbeat.jsonl" | awk '!seen[$0]++' >"$out/heartbeat"

# kind gives a node another machine id at each boot, and journalctl reads only what was written under the one of now unless it is
# told to merge.
journalctl --merge -u containerd -o cat --no-pager --since "@$3" >"$out/journal"
# Status 1 says that a file grew while it was read.
tar -C "$out" --warning=no-file-changed -cf - events journal recorder-starts heartbeat \
	-C "$root/evidence" --transform 's,^[^/]*/,files/,' "$4/" || [ $? = 1 ]
