# The Kubernetes programs of one release, from its Go module.
# shellcheck shell=bash

# Program and the seconds its build should take.
kubernetes_programs=(
	kube-apiserver:240 kube-controller-manager:110 kube-scheduler:8 kube-proxy:6
	kubelet:40 kubeadm:30 kubectl:40
)
kubernetes_build=(-mod=readonly -buildvcs=false -trimpath -tags providerless)

# kubernetes RELEASE: sets kubernetes_dir to the folder that has the programs.
kubernetes() {
	local release=$1 module program
	kubernetes_module "$release"
	kubernetes_dir=$cache/kubernetes/$release-$(
		{
			cat "$module"/{go.mod,go.sum,tools.go}
			echo "$goversion $goarch ${kubernetes_build[*]} $(kubernetes_ldflags "$release" COMMIT TIME)"
		} | digest
	)
	lock "kubernetes-$release"
	mkdir -p "$kubernetes_dir"
	for program in "${kubernetes_programs[@]}"; do
		local name=${program%:*} guess=${program#*:}
		[[ -x $kubernetes_dir/$name ]] && continue
		step "$name" "$guess" kubernetes_program "$release" "$module" "$name"
		mv "$scratch/$name" "$kubernetes_dir/$name"
	done
	unlock
}

# kubernetes_module RELEASE: sets module; the recipe lists the usual releases, others are written
# into the cache by the same generator.
kubernetes_module() {
	module=$recipe/kubernetes/$1
	[[ -f $module/go.sum ]] && return
	module=$cache/modules/$1
	[[ -f $module/go.sum ]] && return
	step module 45 "$recipe/module" "$1" "$scratch/module"
	mkdir -p "$cache/modules"
	rm -rf "$module"
	mv "$scratch/module" "$module"
}

kubernetes_program() {
	local release=$1 module=$2 name=$3 info commit built
	cd "$module" || return
	export CGO_ENABLED=0 GOFLAGS='' GOWORK=off
	# Commit and time of the release, as the module proxy knows them.
	info=$(go mod download -json k8s.io/kubernetes | jq -r .Info) || return
	commit=$(jq -r '.Origin.Hash // "unknown"' "$info")
	built=$(jq -r .Time "$info")
	go build "${kubernetes_build[@]}" -ldflags "$(kubernetes_ldflags "$release" "$commit" "$built")" \
		-o "$scratch/$name" "k8s.io/kubernetes/cmd/$name"
}

# The version strings that an official release carries, in the two packages that hold them.
kubernetes_ldflags() {
	local package flags=-s\ -w minor=${1#*.}
	for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
		flags+=" -X $package.gitVersion=v$1 -X $package.gitMajor=1 -X $package.gitMinor=${minor%%.*}"
		flags+=" -X $package.gitCommit=$2 -X $package.gitTreeState=clean -X $package.buildDate=$3"
	done
	echo "$flags"
}
