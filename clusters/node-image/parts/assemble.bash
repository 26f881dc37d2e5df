# The node image itself: the root filesystem and, as a second layer, all that belongs to one
# release, with the archive of its control-plane images.
# shellcheck shell=bash

# kind's own base files (entrypoint, units of the kubelet) are read from its Go module.
kind_version=v0.33.0

# assemble RELEASE TAG: puts the image into the Docker engine.
assemble() {
	step assemble 25 assemble_make "$1" "$2"
}

assemble_make() {
	set -euo pipefail
	local release=$1 tag=$2
	local tree=$scratch/node base files program
	base=$(cd "$scratch" && GOFLAGS=-mod=mod go mod download -json "sigs.k8s.io/kind@$kind_version" | jq -r .Dir)
	base+=/images/base/files
	[[ -f $base/usr/local/bin/entrypoint ]]

	mkdir -p "$tree"/{etc/systemd/system/multi-user.target.wants,etc/default,etc/sysctl.d,kind,usr/bin,usr/local/bin}
	install -m 755 "$base/usr/local/bin/entrypoint" "$tree/usr/local/bin/entrypoint"
	cp -r --no-preserve=mode "$base"/etc/{default,sysctl.d,crictl.yaml} "$tree/etc/"
	for files in kubelet.slice kubelet.service kubelet.service.d containerd.service undo-mount-hacks.service; do
		cp -r --no-preserve=mode "$base/etc/systemd/system/$files" "$tree/etc/systemd/system/"
	done
	cp -r --no-preserve=mode "$base/kind/bin" "$tree/kind/"
	chmod 755 "$tree"/kind/bin/*
	cp -r "$recipe"/files/. "$tree/"
	for program in kubelet containerd undo-mount-hacks node-images; do
		ln -s "/etc/systemd/system/$program.service" "$tree/etc/systemd/system/multi-user.target.wants/"
	done
	for program in kubelet kubeadm kubectl; do
		install -m 755 "$kubernetes_dir/$program" "$tree/usr/bin/$program"
	done
	printf 'v%s' "$release" >"$tree/kind/version"
	control_plane_images "$release" "$tree/kind/node-images.tar"
	find "$tree" -type d -exec chmod 755 {} +

	layer "$tree" "$scratch/node.tar"
	mkdir "$scratch/archive"
	image "$scratch/archive" "$tag" '{
		"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "container=docker"],
		"Entrypoint": ["/usr/local/bin/entrypoint", "/sbin/init"], "StopSignal": "SIGRTMIN+3"
	}' "$rootfs_tar" "$scratch/node.tar"
	archive "$scratch/archive" | docker load
}

# control_plane_images RELEASE OUT: the images that kubeadm's static pods and every sandbox use,
# under the names that this release's kubeadm gives them.
control_plane_images() {
	local dir=$scratch/images name program names
	mkdir "$dir"
	while read -r name; do
		names=$name
		case $name in
		*/kube-apiserver:* | */kube-controller-manager:* | */kube-scheduler:*)
			program=${name##*/} program=$kubernetes_dir/${program%:*}
			;;
		*/etcd:*) program=$etcd_program ;;
		*/pause:*) program=$pause_program names+=" docker.io/sidecheck/pause:node" ;;
		*) continue ;; # CoreDNS and kube-proxy: clusters from these images run without
		esac
		local tree=$scratch/image-${program##*/}
		mkdir -p "$tree/usr/local/bin"
		install -m 755 "$program" "$tree/usr/local/bin/"
		layer "$tree" "$tree.tar"
		image "$dir" "$names" "$(jq -cn --arg path "/usr/local/bin/${program##*/}" \
			'{Env: ["PATH=/usr/local/bin"], Entrypoint: [$path]}')" "$tree.tar"
	done < <("$kubernetes_dir/kubeadm" config images list --kubernetes-version "v$1")
	archive "$dir" >"$2"
}
