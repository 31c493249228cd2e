import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { loadWorkflowBundle } from '../../../workflows/bundle.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The path where a worker stores the bundle that it built. */
const BUILT = join(ROOT, 'build/workflow-bundle.js')

type UseSetting<T> = (setting: string) => Promise<T>

/** Builds a workflow bundle in which timers take no time. Earlier runs are incompatible with it. */
export const withoutTimers = <T>(use: UseSetting<T>): Promise<T> =>
  withChangedBundle(code => code.replace(/\(0,\s*\w+\.sleep\)\(/g, '(() => Promise.resolve())('), use)

/** Builds a bundle in which a definition that the engine cannot compile keeps it busy forever. */
export const withEndlessLoop = <T>(use: UseSetting<T>): Promise<T> =>
  withChangedBundle(code => code.replace('throw new Error(`no node type', 'for (;;) new Error(`no node type'), use)

/** Builds a bundle in which runs return another result, as a later build might. */
export const withResult = <T>(result: string, use: UseSetting<T>): Promise<T> =>
  withChangedBundle(code => code.replace('await finish(end)', `await finish({ ...end, result: '${result}' })`), use)

/**
 * Builds a bundle in which runs whose ids contain this word continue as new at the next step after another build
 * becomes current.
 */
export const withEarlyContinueAsNew = <T>(word: string, use: UseSetting<T>): Promise<T> =>
  withChangedBundle(
    code =>
      code.replace(
        /(\(0,\s*\w+\.workflowInfo\)\(\))\.continueAsNewSuggested && !this/,
        `$1.targetWorkerDeploymentVersionChanged && $1.workflowId.includes('${word}') && !this`,
      ),
    use,
  )

/** @param use receives the setting for the bundle, which is removed afterwards */
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
