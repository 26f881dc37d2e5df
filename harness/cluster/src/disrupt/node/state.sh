# Says what a node is doing: one `NAME VALUE` per line; a line that can't be had is missing.
# shellcheck shell=sh
root=/var/lib/sidecheck
echo "now $(date +%s%N)"

property() {
	systemctl show "$1" --timestamp=us+utc --property "$2" --value
}
echo "kubelet $(property kubelet ActiveState)"
echo "recorder $(property sidecheck-recorder ActiveState)"
started=$(property kubelet ExecMainStartTimestamp)
[ -z "$started" ] || echo "kubelet-started $(date -d "$started" +%s%N)"
# Node images need not have curl.
# shellcheck disable=SC2016
healthz='exec 3<>/dev/tcp/127.0.0.1/10248 && printf "GET /healthz HTTP/1.0\r\n\r\n" >&3 && tail -n 1 <&3'
echo "healthz $(timeout 2 bash -c "$healthz" 2>&1 | tail -n 1)"

beat=$(tail -n 1 $root/heartbeat.jsonl 2>/dev/null | sed -n 's/.*"wall_ns":\([0-9]*\).*/\1/p')
[ -z "$beat" ] || echo "beat $beat"
for file in "$root"/disrupted/*/*; do
	[ ! -e "$file" ] || echo "aside ${file#"$root/disrupted/"}"
done

# Somebody listens on port 6443.
if cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ':192B [0-9A-F]*:0000 0A'; then
	echo "api-server listens"
fi
for name in kube-apiserver kube-controller-manager kube-scheduler; do
	file=/etc/kubernetes/manifests/$name.yaml
	[ ! -e "$file" ] || echo "wanted $name $(sed -n 's/^ *- \(--feature-gates=.*\)/\1/p' "$file")"
	pid=$(pgrep -o -f "^(/usr/local/bin/)?$name( |\$)") || continue
	echo "process $name $pid $(tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep '^--feature-gates=')"
done
