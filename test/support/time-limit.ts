import { descendants } from '../../dev/machine/process-table.ts'

interface TestFile {
  path: string
}

/** Longer than any test file in `npm run test:long` takes. */
const MAX_FILE_MS = 25 * 60_000

/** Ends a Jest run in which a test file hangs. The test file runner has no time limit. */
export default class TimeLimit {
  readonly #timers = new Map<string, NodeJS.Timeout>()

  onTestFileStart({ path }: TestFile): void {
    const end = () => {
      process.stderr.write(`${path} has not ended after ${MAX_FILE_MS / 60_000} minutes\n`)
      for (const { pid } of descendants(process.pid)) process.kill(pid, 'SIGKILL')
      process.exit(1)
    }
    this.#timers.set(path, setTimeout(end, MAX_FILE_MS))
  }

  onTestFileResult({ path }: TestFile): void {
    clearTimeout(this.#timers.get(path))
  }
}
