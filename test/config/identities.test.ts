import { readConfig, readDatabaseConfig } from '../../config/config.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://app@127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  API_KEY_SECRET: 'x'.repeat(32),
}
const ONE = 'https://one.example'
const OTHER = 'https://other.example'
const OIDC = { OIDC_ISSUER: ONE, OIDC_CLIENT_ID: 'ganglion', BASE_URL: 'https://ganglion.example' }
const JWT = { JWT_ISSUER: OTHER, JWT_AUDIENCE: 'ganglion', JWT_JWKS_URL: `${OTHER}/keys` }
const OAUTH = { OAUTH_ISSUER: ONE, BASE_URL: 'https://ganglion.example' }

const read = (env: Record<string, string>) => readConfig({ ...REQUIRED, ...env })

test.each<[what: string, env: Record<string, string>, refused: string | undefined]>([
  ['one source', JWT, undefined],
  ['two issuers', { ...OIDC, ...JWT }, 'JWT_USER_PREFIX'],
  ['two issuers declared the same', { ...OIDC, ...JWT, SAME_USERS: 'OIDC,JWT' }, undefined],
  ['two issuers with different shared declarations', { ...OIDC, ...JWT, SAME_USERS: 'OIDC,OAUTH' }, 'JWT_USER_PREFIX'],
  ['two issuers with one prefix each', { ...OIDC, ...JWT, JWT_USER_PREFIX: 'app' }, undefined],
  ['one issuer with one claim', { ...OIDC, ...OAUTH }, undefined],
  ['one issuer with two claims', { ...OIDC, ...OAUTH, OAUTH_USER_CLAIM: 'email' }, 'OAUTH_USER_PREFIX'],
  ['three sources with a different third', { ...OIDC, ...OAUTH, ...JWT }, 'JWT_USER_PREFIX'],
  ['the key prefix', { ...JWT, JWT_USER_PREFIX: 'key' }, 'JWT_USER_PREFIX'],
  ['the visitor prefix', { ...JWT, JWT_USER_PREFIX: 'share' }, 'JWT_USER_PREFIX'],
  ['a prefix with a colon', { ...JWT, JWT_USER_PREFIX: 'a:b' }, 'JWT_USER_PREFIX'],
])('%s', (_what, env, refused) => {
  if (refused === undefined) expect(() => read(env)).not.toThrow()
  else expect(() => read(env)).toThrow(refused)
})

test('migrations need no sign-in settings', () => {
  const { DATABASE_URL } = REQUIRED
  expect(readDatabaseConfig({ DATABASE_URL, OAUTH_ISSUER: ONE })).toEqual({ DATABASE_URL })
})
