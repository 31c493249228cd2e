import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComponentName } from '../../../dev/components/component.ts'
import { openStateDir } from '../../../dev/stack/state/state-dir.ts'
import { startComponents, type Components } from '../../../dev/stack/components.ts'

export interface OwnComponents extends Components {
  /** The folder in which one of them keeps its data. */
  dataOf(name: ComponentName): string
}

/** Components of a test's own, on free ports: it may stop them and take their data away. */
export async function startOwnComponents(...names: ComponentName[]): Promise<OwnComponents> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ganglion-faults-'))
  const components = await startComponents({ names, stateDir, ports: 'any', environment: {}, docker: false })
  return { ...components, dataOf: name => join(openStateDir(stateDir).data, name) }
}
