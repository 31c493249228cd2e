import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { CHECKOUT } from '../../../dev/machine/folders.ts'
import { run } from '../../../dev/machine/shell.ts'
import { installNpmPackages } from '../../support/clients/npm-package.ts'
import { type Generator, type Program, PROGRAMS, type Workshop } from './generator.ts'
import { describeTarget, generateFor, WITH_FORM_MODELS } from './openapi-generator.ts'

const HEY_API = '0.99.0'
const ORVAL = '8.38.0'
const ZOD_CLIENT = '1.18.3'
const ZOD_PACKAGES = ['@zodios/core@10.9.6', 'zod@3.25.76', 'axios@1.21.1']

export const typescriptGenerators: Generator[] = [
  { ...describeTarget('typescript-fetch'), note: WITH_FORM_MODELS, build: buildOpenapiGenerator },
  {
    name: 'hey-api',
    version: HEY_API,
    note: 'needs `auth` as a function, because a string is sent in every credential header (hey-api/hey-api#3195)',
    build: buildHeyApi,
  },
  { name: 'orval', version: ORVAL, build: buildOrval },
  {
    name: 'openapi-zod-client',
    version: ZOD_CLIENT,
    note: 'needs PathwayNode without its discriminator (astahmer/openapi-zod-client#303)',
    build: buildZodClient,
  },
]

async function buildOpenapiGenerator(workshop: Workshop): Promise<Program> {
  await generateFor('typescript-fetch', workshop)
  return compile(workshop, 'openapi-generator.ts')
}

async function buildHeyApi(workshop: Workshop): Promise<Program> {
  const packages = await installNpmPackages(`@hey-api/openapi-ts@${HEY_API}`, 'typescript@5.9.3')
  await runBin(packages, 'openapi-ts', ['-i', workshop.document, '-o', 'client'], workshop)
  return compile(workshop, 'hey-api.ts')
}

async function buildOrval(workshop: Workshop): Promise<Program> {
  const packages = await installNpmPackages(`orval@${ORVAL}`)
  const output = { target: 'client/index.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } }
  const config = { ganglion: { input: workshop.document, output } }
  writeFileSync(join(workshop.folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
  await runBin(packages, 'orval', [], workshop)
  return compile(workshop, 'orval.ts')
}

async function buildZodClient(workshop: Workshop): Promise<Program> {
  const packages = await installNpmPackages(`openapi-zod-client@${ZOD_CLIENT}`, ...ZOD_PACKAGES)
  const document = JSON.parse(readFileSync(workshop.document, 'utf8')) as {
    components: { schemas: { PathwayNode: { discriminator?: object } } }
  }
  delete document.components.schemas.PathwayNode.discriminator
  writeFileSync(join(workshop.folder, 'openapi.json'), JSON.stringify(document))
  await runBin(packages, 'openapi-zod-client', ['openapi.json', '-o', 'client.ts'], workshop)
  symlinkSync(packages, join(workshop.folder, 'node_modules'))
  return compile(workshop, 'openapi-zod-client.ts')
}

const runBin = (packages: string, name: string, args: string[], { folder }: Workshop): Promise<string> =>
  run(join(packages, '.bin', name), args, {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
}

/** Checks the types in the client and its program, and bundles both. */
async function compile({ folder }: Workshop, program: string): Promise<Program> {
  cpSync(join(PROGRAMS, program), join(folder, 'read.ts'))
  cpSync(join(PROGRAMS, 'reading.ts'), join(folder, 'reading.ts'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await run(join(CHECKOUT, 'node_modules/.bin/tsc'), ['-p', folder])
  const outfile = join(folder, 'read.mjs')
  await build({
    entryPoints: [join(folder, 'read.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return { command: process.execPath, args: [outfile] }
}
