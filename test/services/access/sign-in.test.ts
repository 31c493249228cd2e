import { pino } from 'pino'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createSessions } from '../../../services/access/credentials/sessions.ts'
import { createSignIn, type SignIn } from '../../../services/access/credentials/sign-in.ts'
import type { Manager } from '../../../services/access/manager.ts'
import { createMembers, type MembersService } from '../../../services/access/members.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/access/identity-provider.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET as secret } from '../../support/shared/workspace.ts'

let database: TestDatabase
let provider: IdentityProvider
let members: MembersService
let operator: Manager
let signIn: SignIn
let slug: string

const BASE_URL = 'http://127.0.0.1:1'
const ANN = {
  name: 'Ann Lee',
  email: 'ann@example.com',
  email_verified: true,
  picture: 'https://pictures.example.com/ann.png',
  groups: ['finance', 'ganglion-builders'],
}

beforeAll(async () => {
  ;[database, provider] = await Promise.all([createTestDatabase(), startIdentityProvider()])
  const { db } = database
  const admin = createAccessAdmin({ db, secret })
  ;({ slug } = await admin.createWorkspace({ name: 'Sign-in' }))
  operator = await admin.manage(slug)
  members = createMembers({ db })
  provider.register(BASE_URL, {
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'], groups: ['groups'] },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...ANN }) }),
  })
  const config = {
    OIDC_ISSUER: provider.env['OIDC_ISSUER'],
    OIDC_CLIENT_ID: provider.env['OIDC_CLIENT_ID'],
    OIDC_CLIENT_SECRET: provider.env['OIDC_CLIENT_SECRET'],
    OIDC_SCOPE: 'openid profile email groups',
    OIDC_USER_CLAIM: 'sub',
    OIDC_USER_PREFIX: 'user',
    OIDC_GROUPS_CLAIM: 'groups',
    OIDC_ROLE_MAP: { 'ganglion-builders': { role: 'builder' as const } },
    OIDC_CREATE_MEMBERS: [slug],
    PROVISIONED_ROLE: 'viewer' as const,
    BASE_URL,
    API_KEY_SECRET: secret,
  }
  const sessions = createSessions({ db, secret, hours: 1 })
  signIn = createSignIn({ db, sessions, config, log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await Promise.all([database?.drop(), provider?.close()])
})

test("a sign-in reads the profile, groups and role from the provider's UserInfo endpoint", async () => {
  const { url, pending } = await signIn.begin(slug, '/console/')
  const callback = new URL(await provider.signIn(url, 'ann'))
  expect((await signIn.complete(callback.search, pending)).return_to).toBe('/console/')
  const { data } = await members.list(operator, { limit: 10, offset: 0 })
  expect(data).toMatchObject([
    {
      actor: 'user:ann',
      role: 'builder',
      role_source: 'oidc',
      groups: ['group:finance', 'group:ganglion-builders'],
      display_name: 'Ann Lee',
      email: 'ann@example.com',
      picture_url: 'https://pictures.example.com/ann.png',
    },
  ])
})
