import { dirname, join } from 'node:path'
import { installOnce } from '../../../dev/machine/cache.ts'
import { run } from '../../../dev/machine/shell.ts'

/**
 * Installs packages of npm such as `name@1.2.3`, with what they depend on, once for this machine. Returns the folder that has
 * the packages.
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
