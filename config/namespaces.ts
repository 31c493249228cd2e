import { spawnSync } from 'node:child_process'

/**
 * Unprivileged user id that a process sees inside its namespaces. Outside, the process still runs as the service's
 * user.
 */
const NOBODY_UID = 65_534
const MS_TO_TRY = 5_000

/**
 * Starts a program in its own user, network, IPC, mount and process namespaces. The program has no capabilities and
 * no network, and sees only its own processes. The shell is the first process, because the kernel drops signals that
 * a first process sends to itself. The shell exits with 128 plus the number of the signal that ended the program. All
 * processes end when the process that started them ends.
 */
const WRAPPER = [
  ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'],
  ['unshare', '--user', `--map-user=${NOBODY_UID}`, `--map-group=${NOBODY_UID}`, '--net', '--ipc'],
  ['--pid', '--fork', '--kill-child', '--mount-proc'],
  ['sh', '-c', 'unset PWD OLDPWD SHLVL; "$0" "$@"; exit $?'],
].flat()

let isAvailable: boolean | undefined

/**
 * Whether this process may start other processes in namespaces. Linux allows it unless system settings or a container
 * forbid it.
 */
export function hasNamespaces(): boolean {
  isAvailable ??= spawnInNamespaces()
  return isAvailable
}

/**
 * Returns the command that runs a program in namespaces, if the system supports them. Otherwise returns the program
 * itself.
 */
export function wrapInNamespaces(program: string, args: string[]): [program: string, args: string[]] {
  return hasNamespaces() ? wrap(program, args) : [program, args]
}

function wrap(program: string, args: string[]): [program: string, args: string[]] {
  const [first = program, ...rest] = [...WRAPPER, program, ...args]
  return [first, rest]
}

const spawnInNamespaces = () =>
  spawnSync(...wrap('true', []), { env: {}, timeout: MS_TO_TRY, stdio: 'ignore' }).status === 0
