# Sourced by the scripts that change a node's files: what is put aside survives the end of whoever put it there.
# shellcheck shell=sh
aside=/var/lib/sidecheck/disrupted
manifests=/etc/kubernetes/manifests

# bare, stamped: a static pod whose manifest comes back as it was is the same pod to the kubelet, which then lets it wait for up to
# five minutes, as one that crashes. With a label that is new each time it is another one.
bare() {
	sed '/^    sidecheck\.dev\/given: /d'
}
stamped() {
	sed "s,^  labels:\$,&\\n    sidecheck.dev/given: \"$(date +%s%N)\","
}

# mask, unmask: a node's addresses may be others after its next boot, when kind replaces them in the files that it knows.
mask() {
	address 4 's#\\b%s\\b#NODE-IPV4#g' | address 6 's#\\b%s\\b#NODE-IPV6#g'
}
unmask() {
	address 4 's#NODE-IPV4#%s#g' | address 6 's#NODE-IPV6#%s#g'
}

# address FAMILY FORMAT: runs the command of sed that FORMAT makes of the node's address.
address() {
	if [ -s "/kind/old-ipv$1" ]; then
		# shellcheck disable=SC2059
		sed "$(printf "$2" "$(sed 's/\./\\./g' "/kind/old-ipv$1")")"
	else
		cat
	fi
}

# put_aside FILE FOLDER: keeps a copy; one that is there already is older and stays.
put_aside() {
	mkdir -p "$aside/$2"
	[ ! -e "$aside/$2/${1##*/}" ] || return 0
	bare <"$1" | mask >"$aside/.new"
	sync "$aside/.new"
	mv "$aside/.new" "$aside/$2/${1##*/}"
}

# put_back FOLDER FILE: brings the copy of FILE back. The copy stays.
put_back() {
	unmask <"$aside/$1/${2##*/}" | write "$2"
}

# write FILE: replaces it with what comes in, unless that is no change. Written as a whole, outside of the folder that the kubelet
# watches.
write() {
	new=/etc/kubernetes/.sidecheck-new
	install -m 600 /dev/null $new
	cat >$new
	if [ -e "$1" ] && bare <"$1" | cmp -s - $new; then
		rm $new
		return
	fi
	case $1 in
	"$manifests"/*)
		stamped <$new >$new.stamped
		chmod 600 $new.stamped
		mv $new.stamped $new
		;;
	esac
	mv $new "$1"
}
