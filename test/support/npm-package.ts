import { dirname, join } from 'node:path'
import { installOnce } from '../../dev/machine/cache.ts'
import { run } from '../../dev/machine/shell.ts'

/** Installs a package of npm such as `name@1.2.3`, with what it depends on, once for this machine. Returns its folder. */
export async function installNpmPackage(spec: string): Promise<string> {
  const name = spec.slice(0, spec.lastIndexOf('@'))
  const folder = await installOnce(spec.replace('/', '-'), async target => {
    const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', target]
    await run('npm', ['install', ...options, spec], {
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    })
  })
  return join(folder, 'node_modules', name)
}
