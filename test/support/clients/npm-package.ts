import { dirname, join } from 'node:path'
import { installOnce } from '../../../dev/machine/cache.ts'
import { run } from '../../../dev/machine/shell.ts'

/**
 * Installs npm packages such as `name@1.2.3` with their dependencies, once per machine. Returns the folder with the
 * packages.
 */
export async function installNpmPackages(...specs: string[]): Promise<string> {
  const folder = await installOnce(specs.join('+').replaceAll('/', '-'), async target => {
    const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', target]
    await run('npm', ['install', ...options, ...specs], {
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    })
  })
  return join(folder, 'node_modules')
}
