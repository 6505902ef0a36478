package dir

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

func networkFS(d *Dir) bool {
	drive, err := windows.UTF16PtrFromString(filepath.VolumeName(d.path) + `\`)
	if err != nil {
		return true
	}
	switch windows.GetDriveType(drive) {
	case windows.DRIVE_FIXED, windows.DRIVE_REMOVABLE, windows.DRIVE_RAMDISK:
		return false
	}
	return true
}
