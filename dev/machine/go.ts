import { run, which } from './shell.ts'

const BUILD_MS = 1_800_000

/**
 * Builds Go programs, such as `example.org/tool/cmd/tool@v1.2.3`, into a folder. All of them must belong to the same
 * module.
 */
export async function goIntoFolder(folder: string, packages: string[]): Promise<void> {
  const go = which('go', ['/usr/local/go/bin'])
  if (!go) throw new Error('Could not find Go 1.26 or later')
  await run(go, ['install', '-trimpath', ...packages], { env: { GOBIN: folder }, timeoutMs: BUILD_MS })
}
