import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { AuthRequired } from '../../../domain/shared/errors.ts'
import { type AccessTokens, createAccessTokens } from '../../../services/access/credentials/access-tokens.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { startHttpServer, type TestServer } from '../../support/stack/http-server.ts'
import { createIssuer, ISSUER, type Issuer } from '../../support/access/user-tokens.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

const BASE_URL = 'https://ganglion.example'
const PATH = '/v1/mcp'

let database: TestDatabase
let issuer: Issuer
let keys: TestServer
let tokens: AccessTokens
let workspace: string
beforeAll(async () => {
  database = await createTestDatabase()
  issuer = await createIssuer()
  keys = await startHttpServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(issuer.jwks)),
  )
  const { workspace_id, workspace_slug } = await createPrincipal(database.db)
  workspace = workspace_slug
  const members = createMembers({ db: database.db })
  await members.save({ workspace_id, ...OPERATOR }, { actor: 'user:ann', role: 'builder' })
  tokens = createAccessTokens({
    db: database.db,
    config: {
      BASE_URL,
      JWT_ALGORITHMS: ['RS256'],
      OAUTH_ISSUER: ISSUER,
      OAUTH_JWKS_URL: keys.url,
      OAUTH_USER_CLAIM: 'sub',
      OAUTH_USER_PREFIX: 'user',
      OAUTH_WORKSPACE: undefined,
      OAUTH_WORKSPACE_CLAIM: 'workspace',
    },
  })
})
afterAll(async () => {
  await Promise.all([database?.drop(), keys?.close()])
})

const authenticate = async (changes: { typ?: string; claims?: object }) => {
  const claims = { aud: BASE_URL + PATH, workspace, scope: 'mcp:read', ...changes.claims }
  return tokens.authenticate(await issuer.sign('ann', { ...changes, claims }), PATH)
}

test.each(['at+jwt', 'application/at+jwt'])('a token with the type %s opens the MCP server', async typ => {
  expect(await authenticate({ typ })).toMatchObject({ principal: { actor: 'user:ann' } })
})

test.each([undefined, 'JWT', 'jwt', 'logout+jwt', 'id+jwt'])('a token with the type %s is rejected', async typ => {
  await expect(authenticate({ typ })).rejects.toThrow('at+jwt')
})

test.each([1e308, 1e20, 253_402_300_800])('a token that expires at %d is rejected', async exp => {
  await expect(authenticate({ typ: 'at+jwt', claims: { exp } })).rejects.toBeInstanceOf(AuthRequired)
})
