module sidecheck/pause

go 1.21
