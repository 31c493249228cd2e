// Entry point for every npm script. It needs no installed packages and runs on Node 18 or later. If packages are
// missing or don't match package-lock.json, it installs them. It then starts dev/main.ts with Node 24 from the
// installed packages.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const nodePackage = join(root, 'node_modules/node')
const node24 = join(nodePackage, 'bin/node')
/** Minimum Node version, the same as in `engines` in package.json. */
const [NODE_MAJOR, NODE_MINOR] = [24, 21]

/**
 * Returns true if npm's record of installed packages contains every package in the lock file, with the same version.
 */
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
  console.error('Installing packages (npm ci, only once) ...')
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--engine-strict=false']
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, options)
  if (result.error) fail(`Could not run npm: ${result.error.message}`)
  if (result.status !== 0) fail(`npm ci exited with code ${result.status}`)
}

/**
 * Returns Node 24 from the installed packages. If that binary is missing, returns the current Node if its version is
 * sufficient.
 */
function findNode() {
  if (!runs(node24))
    spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: nodePackage, stdio: ['ignore', 2, 2] })
  if (runs(node24)) return node24
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > NODE_MAJOR || (major === NODE_MAJOR && minor >= NODE_MINOR)) return process.execPath
  return fail(
    `Node ${NODE_MAJOR} could not be installed on this machine. Install Node ${NODE_MAJOR}.${NODE_MINOR}, then run this command again.`,
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

// All processes cache compiled modules in this folder, which halves the CPU time needed to start.
const env = { NODE_COMPILE_CACHE: join(root, 'build/compile-cache'), ...process.env }
const child = spawn(findNode(), [join(root, 'dev/main.ts'), ...process.argv.slice(2)], { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', error => fail(error.message))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
