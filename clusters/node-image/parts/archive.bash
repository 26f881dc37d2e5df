# Image archives in the format of `docker save`, which both Docker and containerd read: one
# config and its layers for each image, and a list of all. Written by hand, since an engine would
# need a build container for what is only a tar of files.
# shellcheck shell=bash

# layer TREE OUT: packs a folder as a layer that is the same for the same files.
layer() {
	tar --create --file="$2" --directory="$1" --sort=name --format=gnu \
		--owner=0 --group=0 --numeric-owner --mtime=@1700000000 .
	sha256sum <"$2" | cut -d' ' -f1 >"$2.sha256"
}

# image DIR TAGS CONFIG LAYER...: adds an image to the archive that is being laid out in DIR.
# TAGS are separated by blanks; CONFIG is the JSON of its run configuration; beside each layer
# lies its digest. Layers are linked, not copied.
image() {
	local dir=$1 tags=$2 config=$3 file sum sums=() name
	shift 3
	for file in "$@"; do
		sum=$(<"$file.sha256")
		sums+=("$sum")
		[[ -e $dir/$sum.tar ]] || ln "$file" "$dir/$sum.tar" 2>/dev/null || cp "$file" "$dir/$sum.tar"
	done
	jq -cn --arg arch "$goarch" --argjson config "$config" '{
		architecture: $arch, os: "linux", created: "2023-11-14T22:13:20Z", config: $config,
		rootfs: {type: "layers", diff_ids: [$ARGS.positional[] | "sha256:" + .]},
		history: [$ARGS.positional[] | {created: "2023-11-14T22:13:20Z", created_by: "sidecheck node-image"}]
	}' --args "${sums[@]}" >"$dir/config"
	name=$(sha256sum <"$dir/config" | cut -d' ' -f1).json
	mv "$dir/config" "$dir/$name"
	jq -cn --arg config "$name" --arg tags "$tags" \
		'{Config: $config, RepoTags: ($tags / " "), Layers: [$ARGS.positional[] + ".tar"]}' --args "${sums[@]}" \
		>>"$dir/images"
}

# archive DIR: writes the finished archive to stdout.
archive() {
	jq -cs . "$1/images" >"$1/manifest.json"
	rm "$1/images"
	tar --create --directory="$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1700000000 \
		--dereference --hard-dereference .
}
