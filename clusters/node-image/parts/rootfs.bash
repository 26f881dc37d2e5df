# The root filesystem that every release shares: Debian packages, nothing of Kubernetes.
# shellcheck shell=bash

rootfs_suite=bookworm
rootfs_packages=(
	systemd kmod procps mount # the init and what the kubelet calls
	containerd runc containernetworking-plugins
	iptables iproute2 conntrack ethtool
	ca-certificates jq
)

# rootfs: sets rootfs_tar; beside it lies its digest, as the image needs it.
rootfs() {
	local key
	key=$({ echo "$rootfs_suite $goarch ${rootfs_packages[*]}"; cat "$recipe/parts/rootfs-hook"; } | digest)
	rootfs_tar=$cache/rootfs/$rootfs_suite-$key/rootfs.tar
	lock rootfs
	if [[ ! -f $rootfs_tar ]]; then
		command -v mmdebstrap >/dev/null || die "rootfs: mmdebstrap is missing; scripts/setup installs it"
		mkdir -p "$scratch/rootfs" "$cache/rootfs"
		step rootfs 40 rootfs_make "$scratch/rootfs/rootfs.tar"
		rm -rf "${rootfs_tar%/*}"
		mv "$scratch/rootfs" "${rootfs_tar%/*}"
	fi
	unlock
}

rootfs_make() {
	local without=() path
	for path in doc man locale info lintian; do
		without+=("--dpkgopt=path-exclude=/usr/share/$path/*")
	done
	# One time for all files, so that the same packages give the same layer.
	SOURCE_DATE_EPOCH=1700000000 mmdebstrap --variant=essential --format=tar \
		--include="$(IFS=,; echo "${rootfs_packages[*]}")" "${without[@]}" \
		--customize-hook="$recipe/parts/rootfs-hook" \
		"$rootfs_suite" "$1" || return
	sha256sum <"$1" | cut -d' ' -f1 >"$1.sha256"
}
