import { execFileSync, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface CommandResult {
  code: number
  printed: string
}

/** A bash at a terminal that no person uses: commands get an empty stdin. */
export interface Shell {
  run(command: string, limitMs: number): Promise<CommandResult>
  writeFile(name: string, text: string): void
  close(): Promise<void>
}

const MARK = '[[command ended: '
const END = /\[\[command ended: (\d+)\]\]/

/** Runs each file whose path it reads from the pipe, then prints the exit code. Jobs end when the shell ends. */
const DRIVER = String.raw`
trap 'kill $(jobs -p) 2>/dev/null' EXIT
stty -echo cols 200 2>/dev/null
set -o pipefail
exec 3<"$STEPS"
while IFS= read -r step <&3; do
  source "$step" </dev/null 3<&-
  printf '[[command ended: %d]]' $?
done
`

/** Opens a shell in an empty folder `work` inside the given folder. */
export function openShell(folder: string, env: Record<string, string>): Shell {
  const [cwd, pipe, driver] = ['work', 'steps', 'driver.sh'].map(name => join(folder, name)) as [string, string, string]
  mkdirSync(cwd)
  execFileSync('mkfifo', [pipe])
  writeFileSync(driver, DRIVER)
  const child = spawn('script', ['-qefc', `bash --noprofile --norc ${driver}`, '/dev/null'], {
    cwd,
    env: { ...env, STEPS: pipe, SHELL: '/bin/bash' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const steps = createWriteStream(pipe)
  let printed = ''
  let notify = () => {}
  const keep = (text: string) => {
    printed += text
    notify()
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  let count = 0

  return {
    async run(command, limitMs) {
      const file = join(folder, `step-${(count += 1)}.sh`)
      writeFileSync(file, `${command}\n`)
      printed = ''
      steps.write(`${file}\n`)
      const code = await new Promise<number>((resolve, reject) => {
        const fail = (reason: string) => reject(new Error(`${command}\n${reason}, after it printed:\n${printed}`))
        const timer = setTimeout(() => fail(`has not ended after ${limitMs / 1_000} s`), limitMs)
        notify = () => {
          const end = END.exec(printed)
          if (!end) return
          clearTimeout(timer)
          resolve(Number(end[1]))
        }
        void ended.then(() => fail('ended the shell'))
      })
      return { code, printed: printed.split(MARK, 1)[0] ?? '' }
    },
    writeFile(name, text) {
      const path = join(cwd, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    },
    async close() {
      steps.end()
      const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), 2_000)
      await ended
      clearTimeout(timer)
    },
  }
}
