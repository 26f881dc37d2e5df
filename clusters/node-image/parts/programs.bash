# etcd and the pause program: two small static programs that every release shares.
# shellcheck shell=bash

# etcd: sets etcd_program.
etcd() {
	etcd_program=$cache/etcd/$({ cat "$recipe"/etcd/*; echo "$goversion $goarch"; } | digest)/etcd
	lock etcd
	if [[ ! -x $etcd_program ]]; then
		step etcd 90 static_program etcd go.etcd.io/etcd/server/v3
		mkdir -p "${etcd_program%/*}"
		mv "$scratch/etcd" "$etcd_program"
	fi
	unlock
}

# pause: sets pause_program.
pause() {
	pause_program=$cache/pause/$({ cat "$recipe"/pause/*; echo "$goversion $goarch"; } | digest)/pause
	lock pause
	if [[ ! -x $pause_program ]]; then
		step pause 3 static_program pause .
		mkdir -p "${pause_program%/*}"
		mv "$scratch/pause" "$pause_program"
	fi
	unlock
}

# static_program NAME PACKAGE: builds it in the folder of its module, which has the same name.
static_program() {
	cd "$recipe/$1" || return
	CGO_ENABLED=0 GOFLAGS='' GOWORK=off \
		go build -mod=readonly -buildvcs=false -trimpath -ldflags "-s -w" -o "$scratch/$1" "$2"
}
