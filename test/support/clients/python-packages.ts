import { join } from 'node:path'
import { createApt } from '../../../dev/machine/apt.ts'
import { installOnce } from '../../../dev/machine/cache.ts'
import { findPython, pipIntoVenv } from '../../../dev/machine/python.ts'

/**
 * Installs Python packages such as `mcp==2.3.0` with their dependencies, once per machine. Returns the interpreter
 * that imports them. Package scripts do not work, because the environment is renamed after it is created.
 */
export async function installPythonPackages(...packages: string[]): Promise<string> {
  const name = packages.map(requirement => requirement.replace('==', '-')).join('+')
  const folder = await installOnce(name, async target => {
    const python = await findPython(createApt(message => process.stderr.write(`${message}\n`)))
    await pipIntoVenv(python, join(target, 'venv'), packages)
  })
  return join(folder, 'venv/bin/python')
}
