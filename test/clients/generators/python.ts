import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../../../dev/machine/shell.ts'
import { installPythonPackages } from '../../support/clients/python-packages.ts'
import { type Generator, type Program, PROGRAMS, type Workshop } from './generator.ts'
import { describeTarget, generateFor } from './openapi-generator.ts'

const PYTHON_CLIENT = '0.29.1'
/** The packages that an openapi-generator client imports. */
const PACKAGES = ['pydantic==2.14.4', 'python-dateutil==2.9.0.post0', 'urllib3==2.8.0', 'typing-extensions==4.16.0']

export const pythonGenerators: Generator[] = [
  {
    name: 'openapi-python-client',
    version: PYTHON_CLIENT,
    note: "needs the setting content_type_overrides: {'*/*': application/octet-stream}",
    build: buildPythonClient,
  },
  { ...describeTarget('python'), build: buildOpenapiGenerator },
]

async function buildPythonClient({ document, folder }: Workshop): Promise<Program> {
  const python = await installPythonPackages(`openapi-python-client==${PYTHON_CLIENT}`)
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ content_type_overrides: { '*/*': 'application/octet-stream' } }))
  const output = join(folder, 'ganglion_client')
  const options = ['--path', document, '--output-path', output, '--config', config, '--meta', 'none']
  await run(python, ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', ...options], {
    // The generator formats its output with ruff, which is in the same folder.
    env: { PATH: `${dirname(python)}:${process.env.PATH}` },
  })
  return compile(python, folder, 'ganglion_client', 'openapi_python_client.py')
}

async function buildOpenapiGenerator(workshop: Workshop): Promise<Program> {
  const python = await installPythonPackages(...PACKAGES)
  return compile(python, await generateFor('python', workshop), 'openapi_client', 'openapi_generator.py')
}

/** Compiles a package and imports each of its modules. */
async function compile(python: string, folder: string, name: string, program: string): Promise<Program> {
  const env = { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
  await run(python, ['-m', 'compileall', '-q', join(folder, name)])
  await run(python, [join(PROGRAMS, 'import_all.py'), name], { env })
  return { command: python, args: [join(PROGRAMS, program)], env }
}
