// The entry of every npm script. Needs no installed package and runs on Node 18 and newer: it installs the
// packages when they are missing or not those of package-lock.json, then hands over to dev/main.ts under the
// Node 24 that the packages bring.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const nodePackage = join(root, 'node_modules/node')
const node24 = join(nodePackage, 'bin/node')
/** As package.json says under `engines`. */
const [NODE_MAJOR, NODE_MINOR] = [24, 21]

/** True when npm's own record of what it installed names every package of the lock file, at its version. */
function packagesAreInstalled() {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const installed = readPackages(record)
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' || wanted.optional || wanted.devOptional || installed[path]?.version === wanted.version,
  )
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

function installPackages() {
  console.error('Installing packages (npm ci, once) ...')
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--engine-strict=false']
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, options)
  if (result.error) fail(`npm could not be run: ${result.error.message}`)
  if (result.status !== 0) fail(`npm ci ended with code ${result.status}`)
}

/** The packages' Node 24; this one where the installation of the binary was suppressed and this one is new enough. */
function findNode() {
  if (!runs(node24))
    spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: nodePackage, stdio: ['ignore', 2, 2] })
  if (runs(node24)) return node24
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > NODE_MAJOR || (major === NODE_MAJOR && minor >= NODE_MINOR)) return process.execPath
  return fail(
    `Node ${NODE_MAJOR} could not be installed for this machine. Install Node ${NODE_MAJOR}.${NODE_MINOR} and run this again.`,
  )
}

function runs(file) {
  return existsSync(file) && spawnSync(file, ['--version']).status === 0
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

if (!packagesAreInstalled()) installPackages()

// All processes keep compiled modules there, which halves the CPU time that a start takes.
const env = { NODE_COMPILE_CACHE: join(root, 'build/compile-cache'), ...process.env }
const child = spawn(findNode(), [join(root, 'dev/main.ts'), ...process.argv.slice(2)], { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', error => fail(error.message))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
