import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installOnce } from '../../../dev/machine/cache.ts'
import { cacheFolder, makeFolder } from '../../../dev/machine/folders.ts'
import { run, which } from '../../../dev/machine/shell.ts'
import { type Generator, type Program, PROGRAMS, type Workshop } from './generator.ts'
import { describeTarget, generateFor } from './openapi-generator.ts'

const CODEGEN = '2.8.2'
const RUNTIME = '1.9.0'

export const goGenerators: Generator[] = [
  { ...describeTarget('go'), build: buildOpenapiGenerator },
  { name: 'oapi-codegen', version: CODEGEN, build: buildCodegen },
]

/** Runs Go with packages from the component cache. */
export async function runGo(args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const go = which('go', ['/usr/local/go/bin'])
  if (!go) throw new Error('Go is not installed. Install Go 1.26 or newer: https://go.dev/dl')
  const cache = makeFolder(join(cacheFolder(), 'go'))
  return run(go, args, {
    cwd,
    env: { GOPATH: cache, GOCACHE: join(cache, 'build'), GOFLAGS: '-modcacherw', GOWORK: 'off', ...env },
  })
}

async function buildOpenapiGenerator(workshop: Workshop): Promise<Program> {
  const place = ['--git-host', 'ganglion.example', '--git-user-id', 'generated', '--git-repo-id', 'client']
  return compile(await generateFor('go', workshop, place), 'openapi-generator.go')
}

async function buildCodegen({ document, folder }: Workshop): Promise<Program> {
  const installed = await installOnce(`oapi-codegen-${CODEGEN}`, async target => {
    const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${CODEGEN}`
    await runGo(['install', tool], target, { GOBIN: target })
  })
  const module = `module ganglion.example/generated/client\n\ngo 1.25.0\n\nrequire github.com/oapi-codegen/runtime v${RUNTIME}\n`
  writeFileSync(join(folder, 'go.mod'), module)
  const options = ['-generate', 'types,client', '-package', 'client', '-o', join(folder, 'client.go')]
  await run(join(installed, 'oapi-codegen'), [...options, document])
  return compile(folder, 'oapi-codegen.go')
}

/** Compiles the client with its program, which is a package in the same module. */
async function compile(module: string, program: string): Promise<Program> {
  mkdirSync(join(module, 'read'))
  cpSync(join(PROGRAMS, program), join(module, 'read/main.go'))
  const command = join(module, 'reader')
  await runGo(['mod', 'tidy'], module)
  await runGo(['build', '-o', command, './read'], module)
  return { command, args: [] }
}
