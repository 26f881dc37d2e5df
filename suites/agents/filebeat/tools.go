//go:build tools

// Package tools keeps Filebeat's program in go.mod; go.sum pins its sources.
package tools

import _ "github.com/elastic/beats/v7/filebeat"
