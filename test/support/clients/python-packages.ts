import { join } from 'node:path'
import { createApt } from '../../../dev/machine/apt.ts'
import { installOnce } from '../../../dev/machine/cache.ts'
import { findPython, pipIntoVenv } from '../../../dev/machine/python.ts'

/**
 * Installs Python packages such as `mcp==2.3.0` with what they depend on, once for this machine. Returns the interpreter that
 * imports them. The scripts of packages do not work, since the environment is renamed after it was made.
 */
export async function installPythonPackages(...packages: string[]): Promise<string> {
  const name = packages.map(requirement => requirement.replace('==', '-')).join('+')
  const folder = await installOnce(name, async target => {
    const python = await findPython(createApt(message => process.stderr.write(`${message}\n`)))
    await pipIntoVenv(python, join(target, 'venv'), packages)
  })
  return join(folder, 'venv/bin/python')
}
