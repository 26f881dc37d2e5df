//go:build tools

// Package tools keeps etcd's program in go.mod; go.sum pins its sources.
package tools

import _ "go.etcd.io/etcd/server/v3"
