package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"unsafe" // sizes and addresses of the structures of two system calls

	"golang.org/x/sys/windows"
)

// batches says that this system has batch files.
const batches = true

// canEnd says that the processes of a child can be ended on this system.
const canEnd = true

// A tree is a job object: the child and all that it starts. The system ends it when
// its last handle is closed, so also when this process dies.
type tree struct {
	job windows.Handle
}

// attributes make the child wait until it is in the job: what it starts earlier
// would not be.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED}
}

// adopt puts the child, which is suspended, into a job and lets it run.
func (t *tree) adopt(p *os.Process) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	t.job = job
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = t.assign(uint32(p.Pid))
	}
	if err == nil {
		err = resume(uint32(p.Pid))
	}
	if err != nil {
		t.release()
	}
	return err
}

func (t *tree) assign(pid uint32) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(t.job, h)
}

// resume lets the one thread of a suspended process run.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(all)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		h, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(h)
		windows.CloseHandle(h)
		return err
	}
	return err
}

// terminate does nothing: a process without a window cannot be asked here, but by
// the end of its input.
func (t *tree) terminate() {}

func (t *tree) kill() { windows.TerminateJobObject(t.job, 1) }

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of the system.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime int64
	pageFaults, processes, activeProcesses, ended          uint32
}

// classAccounting asks for accounting.
const classAccounting = 1

// alive reports whether a process of the job still runs.
func (t *tree) alive() bool {
	var info accounting
	err := windows.QueryInformationJobObject(t.job, classAccounting,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.activeProcesses > 0
}

// release ends what is left of the job.
func (t *tree) release() { windows.CloseHandle(t.job) }

// resolve returns the file that is started for path: the system adds an extension
// that is missing, and that can be the one of a batch file.
func resolve(path string) (string, error) { return exec.LookPath(path) }

func notExecutable(err error) bool {
	return errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) || errors.Is(err, windows.ERROR_EXE_MACHINE_TYPE_MISMATCH)
}

func exitOf(s *os.ProcessState) Exit { return Exit{Status: s.ExitCode()} }
