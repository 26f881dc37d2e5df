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

# recent LOG SINCE OLD: its complete lines after the last one that is OLD (a condition of awk). What is wanted is at the end of a
# long log, so that is where it looks first, and each time in a stretch that is fixed before it is read. (tac loses a stretch of a
# log that grows while it reads: seen with coreutils 9.1.)
recent() {
	size=$(stat -c %s "$1") stretch=$((1 << 20))
	until stretch "$1" >"$out/stretch" && newer "$2" "$3"; do
		stretch=$((stretch * 8))
	done
}

# stretch LOG: its complete lines among the last so many bytes.
stretch() {
	if [ "$stretch" -lt "$size" ]; then
		tail -c +$((size - stretch + 1)) "$1" | head -c "$stretch" | sed 1d
	else
		head -c "$size" "$1"
	fi | whole_lines -
}

# newer SINCE OLD: the lines of the stretch after the last one that is OLD; fails where there is none, and the log has more.
newer() {
	awk -v since="$1" -v whole=$((stretch >= size)) "
		$2 { found = 1; count = 0; next }
		{ lines[count++] = \$0 }
		END {
			if (!found && !whole) exit 1
			for (i = 0; i < count; i++) print lines[i]
		}
	" "$out/stretch"
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
