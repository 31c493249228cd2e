import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComponentName } from '../../../dev/components/component.ts'
import { openStateDir } from '../../../dev/stack/state/state-dir.ts'
import { startComponents, type Components } from '../../../dev/stack/components.ts'

export interface OwnComponents extends Components {
  /** The folder that contains the data of a component. */
  dataOf(name: ComponentName): string
}

/** Starts separate components for a test on free ports. The test may stop them and remove their data. */
export async function startOwnComponents(...names: ComponentName[]): Promise<OwnComponents> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ganglion-faults-'))
  const components = await startComponents({ names, stateDir, ports: 'any', environment: {}, docker: false })
  return { ...components, dataOf: name => join(openStateDir(stateDir).data, name) }
}
