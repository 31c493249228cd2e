import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { SETTINGS } from '../../config/config.ts'
import { SECRET_SETTINGS } from '../../config/secret-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Service {
  image?: string
  build?: string
  profiles?: string[]
  environment?: Record<string, string | null>
  ports?: string[]
  command?: string | string[]
  secrets?: string[]
  depends_on?: Record<string, { condition: string; required?: boolean }>
  mem_limit?: string
  logging?: object
  pull_policy?: string
}

interface Compose {
  services: Record<string, Service>
  secrets?: Record<string, { file: string }>
}

const parseCompose = (source: string) => load(source, { schema: CORE_SCHEMA.withTags(mergeTag) }) as Compose

const text = read('docker-compose.yml')
const { services } = parseCompose(text)
const overrides = parseCompose(read('deploy/docker-compose.secrets.yml'))
const example = read('.env.example')
const { version } = JSON.parse(read('package.json')) as { version: string }

const GENERATOR = join(ROOT, 'deploy/generate-env.sh')
const APP = ['migrate', 'welcome', 'api', 'worker']
const BUNDLED = ['postgres', 'redis', 'elasticsearch', 'temporal', 'embeddings']

/** Only migrations connect as the database owner. The bundle is part of the image. */
const NOT_PASSED = new Set(['DATABASE_ADMIN_URL', 'WORKFLOW_BUNDLE', 'WORKFLOW_BUNDLE_CACHE'])

/** The trace exporter reads these settings itself. */
const OTHERS = ['OTEL_EXPORTER_OTLP_HEADERS']

/** Names of the variables that docker-compose.yml reads. */
const variables = new Set([...text.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name = '']) => name))

/** Names of the variables in .env.example, including those that are commented out. */
const documented = new Set([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name))

/** Names of the secrets that .env.example leaves empty. */
const empty = [...example.matchAll(/^([A-Z_]+)=$/gm)].map(([, name = '']) => name)

/** The services that Compose starts with the profiles. */
const withProfiles = (...profiles: string[]) =>
  Object.keys(services).filter(name => services[name]?.profiles?.some(profile => profiles.includes(profile)) ?? true)

const folders: string[] = []
afterAll(() => folders.forEach(folder => rmSync(folder, { recursive: true })))

/** Runs the generator in a new folder that contains only .env.example. Returns the folder. */
function generate(...options: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'ganglion-env-'))
  folders.push(folder)
  copyFileSync(join(ROOT, '.env.example'), join(folder, '.env.example'))
  execFileSync('sh', [GENERATOR, ...options, folder])
  return folder
}

/** Reads .env as sh does. Like Compose, sh replaces variables in values. */
const readEnv = (folder: string): Record<string, string | undefined> =>
  parseEnv(
    execFileSync('sh', ['-c', 'set -a; . ./.env; env'], { cwd: folder, env: { PATH: process.env['PATH'] } }).toString(),
  )

test.each(['api', 'worker'])('docker-compose.yml passes exactly the settings that the %s reads', service => {
  const passed = Object.keys(services[service]?.environment ?? {})
  const expected = [...SETTINGS.filter(name => !NOT_PASSED.has(name)), ...OTHERS]
  expect(passed.toSorted()).toEqual(expected.toSorted())
})

test('only the API, the proxy and the Temporal UI are published, and only the proxy on all addresses', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map(port => [name, port]))
  expect(published).toEqual([
    ['temporal-ui', '127.0.0.1:${TEMPORAL_UI_PORT:-8233}:8080'],
    ['proxy', '${HTTP_PORT:-80}:80'],
    ['proxy', '${HTTPS_PORT:-443}:443'],
    ['proxy', '${HTTPS_PORT:-443}:443/udp'],
    ['api', '${API_BIND:-127.0.0.1}:${API_PORT:-8080}:8080'],
  ])
})

test('without profiles, only the services of the image start', () => {
  expect(withProfiles().toSorted()).toEqual(APP.toSorted())
})

test('each bundled component has its own profile', () => {
  for (const name of BUNDLED) expect(services[name]?.profiles).toEqual(expect.arrayContaining(['bundled', name]))
  const others = BUNDLED.filter(name => name !== 'elasticsearch' && name !== 'postgres')
  expect(withProfiles(...others)).not.toContain('elasticsearch')
  expect(withProfiles('bundled')).toEqual(withProfiles(...BUNDLED))
})

test.each([[[]], [['bundled']], [['redis']], [['temporal']], [['temporal-ui']], [['proxy', 'bundled']]])(
  'with the profiles %j, no service requires a service that does not start',
  profiles => {
    const started = withProfiles(...profiles)
    const missing = started.flatMap(name =>
      Object.entries(services[name]?.depends_on ?? {})
        .filter(([needed, { required = true }]) => required && !started.includes(needed))
        .map(([needed]) => `${name} requires ${needed}`),
    )
    expect(missing).toEqual([])
  },
)

test('one service builds the image, and all use the version of this checkout', () => {
  const building = Object.keys(services).filter(name => services[name]?.build)
  expect(building).toEqual(['migrate'])
  const image = `\${GANGLION_IMAGE:-ghcr.io/ganglion/ganglion}:\${GANGLION_VERSION:-${version}}`
  for (const name of APP) expect(services[name]).toMatchObject({ image, pull_policy: 'missing' })
})

test('every service has a memory limit, bounded logs and a versioned image', () => {
  for (const [name, { mem_limit, logging, image }] of Object.entries(services)) {
    expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)])
    expect([name, logging]).toEqual([name, expect.objectContaining({ options: expect.anything() })])
    expect([name, image]).toEqual([name, expect.stringMatching(/:[\w.${}:-]*\d/)])
  }
})

test('the Temporal UI is read-only', () => {
  expect(services['temporal-ui']?.environment).toMatchObject({ TEMPORAL_DISABLE_WRITE_ACTIONS: 'true' })
})

test('the Temporal server uses the dynamic config of deploy/temporal', () => {
  const embedded = services['temporal']?.environment?.['DYNAMIC_CONFIG'] ?? ''
  expect(load(embedded)).toEqual(load(read('deploy/temporal/one-server.yaml')))
})

test('.env.example documents the variables of docker-compose.yml and settings only', () => {
  expect([...variables].filter(name => !documented.has(name))).toEqual([])
  const accepted = new Set([...variables, ...SETTINGS, 'COMPOSE_PROFILES'])
  expect([...documented].filter(name => !accepted.has(name))).toEqual([])
})

test('the generator fills in every empty secret with a different value, and keeps the others', () => {
  const folder = generate()
  const path = join(folder, '.env')
  const env = readEnv(folder)
  const secrets = empty.map(name => env[name])
  expect(secrets).not.toContain('')
  expect(new Set(secrets).size).toBe(empty.length)
  expect(env['DATABASE_URL']).toBe(`postgres://ganglion_app:${env['APP_DATABASE_PASSWORD']}@postgres:5432/ganglion`)
  expect(Object.keys(JSON.parse(env['EVIDENCE_KEYS'] ?? '') as object)).toEqual([env['EVIDENCE_KEY_ID']])
  expect(statSync(path).mode & 0o077).toBe(0)

  const generated = readFileSync(path, 'utf8')
  writeFileSync(path, generated.replace(/^REDIS_PASSWORD=.*$/m, 'REDIS_PASSWORD='))
  execFileSync('sh', [GENERATOR, folder])
  const again = readEnv(folder)
  expect(again['REDIS_PASSWORD']).toMatch(/^[0-9a-f]{64}$/)
  expect(again['REDIS_PASSWORD']).not.toBe(env['REDIS_PASSWORD'])
  expect(again['API_KEY_SECRET']).toBe(env['API_KEY_SECRET'])
})

test('with --files, the secrets are in the files that deploy/docker-compose.secrets.yml mounts', () => {
  const folder = generate('--files')
  const files = readdirSync(join(folder, 'secrets')).toSorted()
  expect(files).toEqual(Object.keys(overrides.secrets ?? {}).toSorted())
  expect(statSync(join(folder, 'secrets')).mode & 0o077).toBe(0)
  for (const file of files) expect(readFileSync(join(folder, 'secrets', file), 'utf8')).not.toContain('${')
  const env = readEnv(folder)
  for (const file of files) expect(env[file.toUpperCase()]).toBeUndefined()
  const keys = readFileSync(join(folder, 'secrets/evidence_keys'), 'utf8')
  execFileSync('sh', [GENERATOR, '--files', folder])
  expect(readFileSync(join(folder, 'secrets/evidence_keys'), 'utf8')).toBe(keys)
})

test('--files reads values as Compose does, and never executes them', () => {
  const folder = generate()
  const settings = {
    FIRST_WORKSPACE: 'Acme Corporation',
    API_KEY_SECRET: "'$(touch executed) ${REDIS_PASSWORD}'",
    REDIS_PASSWORD: 'p$$w`touch executed`d',
    REDIS_URL: '"rediss://:${REDIS_PASSWORD}@redis.internal"',
    DATABASE_URL: 'postgres://app@db.internal/app?sslmode=verify-full&application_name=app',
    ELASTICSEARCH_URL: '',
  }
  const write = (values: object) => {
    const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(join(folder, '.env'), lines.join(''))
  }
  const moveSecrets = () => spawnSync('sh', [GENERATOR, '--files', folder], { encoding: 'utf8' })
  const readSecret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
  write(settings)
  expect(moveSecrets()).toMatchObject({ status: 0, stderr: expect.stringContaining('ELASTICSEARCH_URL is empty') })
  expect(readSecret('api_key_secret')).toBe('$(touch executed) ${REDIS_PASSWORD}')
  expect(readSecret('redis_url')).toBe('rediss://:p$w`touch executed`d@redis.internal')
  expect(readSecret('database_url')).toBe(settings.DATABASE_URL)
  expect(readdirSync(folder).toSorted()).toEqual(['.env', '.env.example', 'secrets'])

  write({ REDIS_URL: 'redis://:a$b@redis.internal' })
  expect(moveSecrets()).toMatchObject({ status: 1, stderr: expect.stringContaining('REDIS_URL in .env contains a $') })
  expect(readSecret('redis_url')).toContain('p$w')
})

test.each(APP)('deploy/docker-compose.secrets.yml mounts the files that it names for %s', service => {
  const { environment = {}, secrets = [] } = overrides.services[service] ?? {}
  expect(environment).toEqual(
    Object.fromEntries(secrets.map(name => [`${name.toUpperCase()}_FILE`, `/run/secrets/${name}`])),
  )
  expect(secrets.map(name => name.toUpperCase()).filter(name => !SECRET_SETTINGS.includes(name as never))).toEqual([])
  expect(secrets.includes('database_admin_url')).toBe(service === 'migrate')
})

test('the CI workflow pins actions by digest and grants read-only permissions', () => {
  const { permissions, jobs } = load(read('.github/workflows/ci.yml')) as {
    permissions: object
    jobs: Record<string, { steps: { uses?: string }[] }>
  }
  expect(permissions).toEqual({ contents: 'read' })
  const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
  expect(actions).not.toEqual([])
  for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/)
})

test('no install script runs during the image build', () => {
  const installs = [...read('Dockerfile').matchAll(/npm (?:ci|install).*/g)].map(([line]) => line)
  expect(installs).not.toEqual([])
  for (const line of installs) expect(line).toContain('--ignore-scripts')
})
