import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { loadWorkflowBundle } from '../../../workflows/bundle.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Where a worker keeps the bundle that it has built. */
const BUILT = join(ROOT, 'build/workflow-bundle.js')

type UseSetting<T> = (setting: string) => Promise<T>

/** A bundle of the workflow code in which timers take no time: what runs from before does not fit it. */
export const withoutTimers = <T>(use: UseSetting<T>): Promise<T> =>
  withChangedBundle(code => code.replace(/\(0,\s*\w+\.sleep\)\(/g, '(() => Promise.resolve())('), use)

/** A bundle in which a definition that the engine cannot compile keeps it busy for ever. */
export const withEndlessLoop = <T>(use: UseSetting<T>): Promise<T> =>
  withChangedBundle(code => code.replace('throw new Error(`no node type', 'for (;;) new Error(`no node type'), use)

/** A bundle in which runs have another result: that of a later build. */
export const withResult = <T>(result: string, use: UseSetting<T>): Promise<T> =>
  withChangedBundle(code => code.replace('await finish(end)', `await finish({ ...end, result: '${result}' })`), use)

/** A bundle in which runs with this word in their ids continue as new at their next step after another build is current. */
export const withEarlyContinueAsNew = <T>(word: string, use: UseSetting<T>): Promise<T> =>
  withChangedBundle(
    code =>
      code.replace(
        /(\(0,\s*\w+\.workflowInfo\)\(\))\.continueAsNewSuggested && !this/,
        `$1.targetWorkerDeploymentVersionChanged && $1.workflowId.includes('${word}') && !this`,
      ),
    use,
  )

/** @param use is given the setting of the bundle, which is gone afterwards */
async function withChangedBundle<T>(change: (code: string) => string, use: UseSetting<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  try {
    const file = join(folder, 'workflow-bundle.js')
    const { code } = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
    const changedCode = change(code)
    if (changedCode === code) throw new Error('the bundle does not have the code that is to be changed')
    await Promise.all([writeFile(file, changedCode), writeFile(`${file}.hash`, await readFile(`${BUILT}.hash`))])
    return await use(relative(ROOT, file))
  } finally {
    await rm(folder, { recursive: true })
  }
}
