import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComponentName } from '../../dev/components/component.ts'
import { openHome } from '../../dev/stack/home.ts'
import { startComponents, type Stack as Components } from '../../dev/stack/stack.ts'

export interface OwnComponents extends Components {
  /** The folder in which one of them keeps its data. */
  dataOf(name: ComponentName): string
}

/** Components of a test's own, on free ports: it may stop them and take their data away. */
export async function startOwnComponents(...names: ComponentName[]): Promise<OwnComponents> {
  const home = await mkdtemp(join(tmpdir(), 'ganglion-faults-'))
  const components = await startComponents({ names, home, ports: 'any', environment: {}, docker: false })
  return { ...components, dataOf: name => join(openHome(home).data, name) }
}
