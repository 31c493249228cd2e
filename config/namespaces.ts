import { spawnSync } from 'node:child_process'

/** A user without rights, as whom a process appears to itself. Outside its namespaces it remains the user of the service. */
const NOBODY = 65_534
const MS_TO_TRY = 5_000

/**
 * Starts a program in user, network, IPC, mount and process namespaces. It has no capabilities and no network, and sees its
 * own processes only. The shell is the first process, because the kernel drops signals that a first process sends to itself.
 * It ends with 128 and the number of the signal that ended the program. All end when the starting process does.
 */
const WRAPPER = [
  ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'],
  ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--net', '--ipc'],
  ['--pid', '--fork', '--kill-child', '--mount-proc'],
  ['sh', '-c', 'unset PWD OLDPWD SHLVL; "$0" "$@"; exit $?'],
].flat()

let isAvailable: boolean | undefined

/** Whether this system lets the process start others in namespaces: Linux does, unless its settings or a container forbid it. */
export function hasNamespaces(): boolean {
  isAvailable ??= spawnInNamespaces()
  return isAvailable
}

/** Returns the command that runs a program in namespaces, where the system has them, and the program itself elsewhere. */
export function wrapInNamespaces(program: string, args: string[]): [program: string, args: string[]] {
  return hasNamespaces() ? wrap(program, args) : [program, args]
}

function wrap(program: string, args: string[]): [program: string, args: string[]] {
  const [first = program, ...rest] = [...WRAPPER, program, ...args]
  return [first, rest]
}

const spawnInNamespaces = () =>
  spawnSync(...wrap('true', []), { env: {}, timeout: MS_TO_TRY, stdio: 'ignore' }).status === 0
