import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { execute } from '../../../data/shared/statements.ts'
import { ROLES } from '../../../domain/access/permissions.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import { encodeScimId } from '../../../domain/access/scim-id.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createSessions, type SessionsService } from '../../../services/access/credentials/sessions.ts'
import type { Manager } from '../../../services/access/manager.ts'
import { createMembers, type MembersService } from '../../../services/access/members.ts'
import { createScimGroups } from '../../../services/access/scim/groups.ts'
import { createScimUsers } from '../../../services/access/scim/users.ts'
import { type AppUnderTest, startApp } from '../../api/app-under-test.ts'
import { installPythonPackages } from '../../support/clients/python-packages.ts'
import { createTestAccess } from '../../support/access/access.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET as secret } from '../../support/shared/workspace.ts'

let database: TestDatabase
let app: AppUnderTest
let members: MembersService
let sessions: SessionsService
let operator: Manager
let key: string
let readerKey: string
/** A key that can grant all roles. */
let ownerKey: string
let releaseClaims = () => Promise.resolve()

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const admin = createAccessAdmin({ db, secret })
  const { slug } = await admin.createWorkspace({ name: 'Directory' })
  operator = await admin.manage(slug)
  members = createMembers({ db })
  sessions = createSessions({ db, secret, hours: 1 })
  const config = { OIDC_USER_PREFIX: 'user', SCIM_USER_ATTRIBUTE: 'userName', PROVISIONED_ROLE: 'viewer' } as const
  const offboarding = { releaseClaims: () => releaseClaims() }
  const scim = {
    users: createScimUsers({ db, offboarding, config }),
    groups: createScimGroups({ db }),
    nameAttribute: config.SCIM_USER_ATTRIBUTE,
  }
  app = await startApp({ access: createTestAccess(db), scim })
  ;({ api_key: key } = await admin.createApiKey(slug, { name: 'directory', permissions: ['members:provision'] }))
  ;({ api_key: readerKey } = await admin.createApiKey(slug, { name: 'reader' }))
  ;({ api_key: ownerKey } = await admin.createApiKey(slug, { name: 'owner', permissions: [...ROLES.owner] }))
  await members.save(operator, { actor: 'user:olga', role: 'owner' })
})
afterAll(async () => {
  await app.drain(0)
  await database.drop()
})

interface Answer {
  status: number
  type: string | null
  location: string | null
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

async function call(method: string, path: string, body?: unknown, token = key): Promise<Answer> {
  const response = await fetch(`${app.url}/scim/v2${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const { headers, status } = response
  return {
    status,
    type: headers.get('content-type'),
    location: headers.get('location'),
    body: text === '' ? undefined : JSON.parse(text),
  }
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const patch = (path: string, ...Operations: object[]) => call('PATCH', path, { schemas: [PATCH], Operations })

async function createUser(userName: string, more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/Users', { schemas: [USER], userName, ...more })
  expect([status, body.detail]).toEqual([201, undefined])
  return body.id
}

const find = async (actor: string, active = true) =>
  (await members.list(operator, { limit: 200, offset: 0, active })).data.find(member => member.actor === actor)

describe('a SCIM user', () => {
  test('becomes a member, is found by filters, and is replaced', async () => {
    const created = await call('POST', '/Users', {
      schemas: [USER],
      userName: 'Ann@example.com',
      externalId: '0a-1',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ value: 'other@example.com' }, { value: 'ann@example.com', type: 'work', primary: true }],
      title: 'ignored',
      active: true,
    })
    const { id } = created.body
    expect(created).toMatchObject({ status: 201, type: 'application/scim+json' })
    expect(created.location).toBe(created.body.meta.location)
    expect(created.location).toMatch(new RegExp(`/scim/v2/Users/${id}$`))
    expect(await find('user:Ann@example.com')).toMatchObject({
      display_name: 'Ann Lee',
      email: 'ann@example.com',
      role: 'viewer',
      role_source: 'scim',
    })
    for (const filter of [
      'userName eq "ann@EXAMPLE.com"',
      'externalId eq "0a-1"',
      'emails.value eq "ann@example.com" and active eq true',
      'emails[type eq "work" and value sw "ann"]',
      'name.familyName co "ee" and not (userName eq "bo")',
      `id eq "${id}"`,
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ann"',
    ]) {
      const { body } = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, body.totalResults, body.Resources?.[0]?.id]).toEqual([filter, 1, id])
    }
    const replaced = await call('PUT', `/Users/${id}`, {
      schemas: [USER],
      userName: 'Ann@example.com',
      displayName: 'Ann Ito',
    })
    expect(replaced).toMatchObject({ status: 200, body: { displayName: 'Ann Ito', active: true } })
    expect(replaced.body.emails).toBeUndefined()
    expect(await find('user:Ann@example.com')).toMatchObject({ display_name: 'Ann Ito', email: null })
    for (const userName of ['Ann@example.com', 'ann@example.com'])
      expect((await call('POST', '/Users', { schemas: [USER], userName })).body).toMatchObject({
        status: '409',
        scimType: 'uniqueness',
      })
  })

  test('accepts the changes that Entra ID and Okta send', async () => {
    const path = `/Users/${await createUser('bo', { displayName: 'Bo' })}`
    await patch(path, { op: 'Add', path: 'emails[type eq "work"].value', value: 'bo@example.com' })
    await patch(
      path,
      { op: 'Replace', path: 'name.familyName', value: 'Roe' },
      { op: 'Replace', path: 'title', value: 'x' },
    )
    await patch(path, { op: 'replace', value: { displayName: 'Bo Roe', 'name.givenName': 'Bo' } })
    await patch(path, {
      op: 'Add',
      path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      value: 'Tax',
    })
    const { body } = await call('GET', path)
    expect(body).toMatchObject({ displayName: 'Bo Roe', name: { givenName: 'Bo', familyName: 'Roe' }, active: true })
    expect(await find('user:bo')).toMatchObject({ display_name: 'Bo Roe', email: 'bo@example.com' })
    expect((await patch(path, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
    expect((await patch(path, { op: 'replace', value: { active: true } })).body.active).toBe(true)
  })

  test('has no value for an attribute that is null, and filters find the others', async () => {
    const none = {
      externalId: null,
      name: null,
      displayName: null,
      active: null,
      emails: null,
      photos: null,
      roles: null,
    }
    const path = `/Users/${await createUser('nia', none)}`
    const id = await createUser('noa', { emails: [{ value: 'noa@example.com', type: null, display: null }] })
    const findNoa = async () => {
      for (const filter of ['emails eq "noa@example.com"', 'emails[value co "noa@"] and not (roles eq "owner")']) {
        const { body } = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
        expect([filter, body.Resources]).toMatchObject([filter, [{ id }]])
      }
    }
    expect((await call('GET', path)).body).toEqual(expect.not.objectContaining({ emails: null }))
    await findNoa()
    const replaced = await call('PUT', path, { schemas: [USER], userName: 'nia', ...none })
    expect(replaced).toMatchObject({ status: 200, body: { active: true, roles: [{ value: 'viewer' }] } })
    await findNoa()
    // Earlier versions stored null.
    await database.db.inWorkspace(operator.workspace_id, tx =>
      execute(tx, `update members set scim = scim || '{"emails": null}' where actor = 'user:nia'`),
    )
    await findNoa()
    const added = await patch(path, { op: 'add', path: 'emails', value: [{ value: 'nia@example.com' }] })
    expect(added).toMatchObject({ status: 200, body: { emails: [{ value: 'nia@example.com' }] } })
  })

  test('loses access when it is deactivated, and can be reactivated or deleted', async () => {
    const id = await createUser('cy')
    await sessions.open(operator.workspace_id, 'user:cy')
    await call('PUT', `/Users/${id}`, { schemas: [USER], userName: 'cy', active: false })
    expect([await find('user:cy'), await find('user:cy', false)]).toMatchObject([undefined, { actor: 'user:cy' }])
    await expect(sessions.open(operator.workspace_id, 'user:cy')).rejects.toThrow('not a member')
    expect((await call('GET', '/Users?filter=active%20eq%20false')).body.Resources).toMatchObject([{ id }])
    await patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Cy' })
    await call('PUT', `/Users/${id}`, { schemas: [USER], userName: 'cy', displayName: 'Cy' })
    expect(await find('user:cy')).toBeUndefined()
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect(await find('user:cy')).toMatchObject({ display_name: 'Cy' })
    expect((await call('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await call('GET', `/Users/${id}`)).status).toBe(404)
  })

  test('has their claims released by the next request if a request fails', async () => {
    const path = `/Users/${await createUser('ova')}`
    let released = 0
    const fail = () => Promise.reject(new Unavailable('Temporal is not available'))
    const release = () => Promise.resolve(void released++)
    const deactivate = () => patch(path, { op: 'replace', path: 'active', value: false })
    releaseClaims = fail
    expect((await deactivate()).status).toBe(503)
    expect(await find('user:ova')).toBeUndefined()
    releaseClaims = release
    expect((await deactivate()).status).toBe(200)
    expect(released).toBe(1)
    await patch(path, { op: 'replace', path: 'active', value: true })
    releaseClaims = fail
    expect((await call('DELETE', path)).status).toBe(503)
    releaseClaims = release
    expect((await call('DELETE', path)).status).toBe(204)
    expect(released).toBe(2)
    expect((await call('GET', path)).status).toBe(404)
  })

  test('takes over a member who was added by hand, whose role and groups stay', async () => {
    await members.save(operator, { actor: 'user:di', role: 'builder', groups: ['group:legal'] })
    const { body } = await call('GET', '/Users?filter=userName%20eq%20%22di%22')
    expect(body.Resources).toMatchObject([{ userName: 'di', active: true, roles: [{ value: 'builder' }] }])
    expect(await createUser('di', { displayName: 'Di' })).toBe(body.Resources[0].id)
    expect(await find('user:di')).toMatchObject({ role: 'builder', groups: ['group:legal'], display_name: 'Di' })
  })

  test('gets only roles whose permissions the key has, and the last owner stays', async () => {
    const path = `/Users/${await createUser('ed')}`
    const granted = await patch(path, { op: 'add', path: 'roles', value: [{ value: 'admin' }] })
    expect(granted).toMatchObject({ status: 403, body: { status: '403' } })
    const { body } = await call('GET', '/Users?filter=userName%20eq%20%22olga%22')
    const owner = `/Users/${body.Resources[0].id}`
    expect((await call('DELETE', owner)).body).toMatchObject({
      status: '409',
      detail: expect.stringContaining('owner'),
    })
    expect((await patch(owner, { op: 'replace', path: 'active', value: false })).status).toBe(409)
    expect(await find('user:olga')).toMatchObject({ role: 'owner' })
  })
})

describe('a SCIM group', () => {
  test('is a group of its members, and groups that were set by hand stay', async () => {
    const [fay, gus] = [await createUser('fay'), await createUser('gus')]
    await members.save(operator, { actor: 'user:hal', role: 'viewer', groups: ['group:Tax-Team'] })
    const created = await call('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Tax Team',
      externalId: 'g-1',
      members: [{ value: fay }],
    })
    expect(created).toMatchObject({ status: 201, body: { displayName: 'Tax Team', members: [{ value: fay }] } })
    const path = `/Groups/${created.body.id}`
    expect(await find('user:fay')).toMatchObject({
      groups: ['group:Tax-Team'],
      group_sources: { 'group:Tax-Team': 'scim' },
    })
    expect((await patch(path, { op: 'Add', path: 'members', value: [{ value: gus }] })).body.members).toHaveLength(2)
    expect((await call('GET', `/Users/${gus}`)).body.groups).toMatchObject([{ value: created.body.id }])
    const filter = encodeURIComponent(`id eq "${created.body.id}" and members eq "${gus}"`)
    const found = await call('GET', `/Groups?filter=${filter}&excludedAttributes=members`)
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'Tax Team' }] })
    expect(found.body.Resources[0].members).toBeUndefined()
    const removed = await patch(path, { op: 'Remove', path: `members[value eq "${fay}"]` })
    expect(removed.body).toMatchObject({ members: [{ value: gus }] })
    expect(await find('user:fay')).toMatchObject({ groups: [], group_sources: {} })
    await patch(path, { op: 'replace', value: { id: created.body.id, displayName: 'Taxes' } })
    await call('PUT', `/Users/${gus}`, { schemas: [USER], userName: 'gus', active: false })
    expect((await call('GET', path)).body).toMatchObject({ displayName: 'Taxes', members: [{ value: gus }] })
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await find('user:gus', false)).toMatchObject({ groups: [] })
    expect(await find('user:hal')).toMatchObject({ groups: ['group:Tax-Team'] })
  })

  test('changes by the operations that Entra ID and Okta send', async () => {
    const [kay, lee, moe] = [await createUser('kay'), await createUser('lee'), await createUser('moe')]
    const group = { schemas: [GROUP], displayName: 'Sales', members: [{ value: kay }] }
    const path = `/Groups/${(await call('POST', '/Groups', group)).body.id}`
    const change = async (...operations: object[]) =>
      (await patch(path, ...operations)).body.members.map(({ value }: { value: string }) => value).toSorted()
    const sorted = (...ids: string[]) => ids.toSorted()
    const value = [{ value: lee, $ref: null }, { value: moe }]
    expect(await change({ op: 'Add', path: 'members', value })).toEqual(sorted(kay, lee, moe))
    expect(await change({ op: 'Remove', path: 'members', value: [value[0]] })).toEqual(sorted(kay, moe))
    expect(await find('user:lee')).toMatchObject({ groups: [] })
    expect(await change({ op: 'add', path: `${GROUP}:Members`, value: { value: lee } })).toEqual(sorted(kay, lee, moe))
    expect(await change({ op: 'remove', path: `Members[value eq "${kay}"]` })).toEqual(sorted(lee, moe))
    expect(await change({ op: 'add', value: { members: [{ value: kay }], displayName: 'Sellers' } })).toEqual(
      sorted(kay, lee, moe),
    )
    expect((await call('GET', path)).body.displayName).toBe('Sellers')
    expect(await change({ op: 'remove', path: `members[value eq "${kay}" or value eq "${moe}"]` })).toEqual([lee])
    expect(await change({ op: 'replace', path: 'members', value: [{ value: moe }] })).toEqual([moe])
    expect((await patch(path, { op: 'remove', path: 'members', value: [moe] })).body.scimType).toBe('invalidValue')
    expect(await change({ op: 'remove', path: 'members' })).toEqual([])
  })

  test('cannot contain unknown users, and its name is unique', async () => {
    const group = { schemas: [GROUP], displayName: 'Audit' }
    expect((await call('POST', '/Groups', { ...group, members: [{ value: 'nobody' }] })).body).toMatchObject({
      status: '400',
      scimType: 'invalidValue',
    })
    expect((await call('POST', '/Groups', group)).status).toBe(201)
    expect((await call('POST', '/Groups', group)).body).toMatchObject({ status: '409', scimType: 'uniqueness' })
  })
})

describe('the SCIM endpoint', () => {
  test('pages through users, and returns only the wanted attributes', async () => {
    const all = await call('GET', '/Users?count=0')
    expect(all.body).toMatchObject({ itemsPerPage: 0, Resources: [] })
    const names: string[] = []
    for (let start = 1; start <= all.body.totalResults; start += 2) {
      const { body } = await call('GET', `/Users?startIndex=${start}&count=2&attributes=userName`)
      expect(body.startIndex).toBe(start)
      for (const user of body.Resources) {
        expect(Object.keys(user).toSorted()).toEqual(['id', 'meta', 'schemas', 'userName'])
        names.push(user.userName)
      }
    }
    expect(new Set(names).size).toBe(all.body.totalResults)
  })

  test('describes its features, resource types and schemas', async () => {
    const config = await call('GET', '/ServiceProviderConfig')
    expect(config).toMatchObject({ status: 200, body: { patch: { supported: true }, bulk: { supported: false } } })
    expect((await call('GET', '/ResourceTypes')).body.Resources).toHaveLength(2)
    expect((await call('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER, name: 'User' })
    expect((await call('GET', '/Schemas/none')).status).toBe(404)
  })

  test('rejects keys without the permission, and invalid requests with SCIM errors', async () => {
    const id = await createUser('ivy')
    const error = (status: number) => ({
      status,
      type: 'application/scim+json',
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) },
    })
    expect(await call('GET', '/Users', undefined, readerKey)).toMatchObject(error(403))
    expect(await call('GET', '/Users', undefined, 'none')).toMatchObject(error(401))
    expect(await call('GET', '/Nothing')).toMatchObject(error(404))
    expect(await call('GET', `/Users/${encodeScimId('user:nobody')}`)).toMatchObject(error(404))
    expect(await call('POST', '/Users', '{')).toMatchObject(error(400))
    for (const filter of ['userName', 'userName eq', 'password eq "x"', 'userName gt "a"', 'a'.repeat(3_000)])
      expect((await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.scimType).toBe('invalidFilter')
    expect((await call('GET', '/Users?startIndex=x')).body.scimType).toBe('invalidValue')
    for (const body of [{}, { userName: 'a b' }, { userName: 'x', emails: [{ value: 'none' }] }, []])
      expect(await call('POST', '/Users', body)).toMatchObject(error(400))
    expect((await call('PUT', `/Users/${id}`, { userName: 'other' })).body.scimType).toBe('mutability')
    expect((await call('PATCH', `/Users/${id}`, { Operations: [] })).body.scimType).toBe('invalidSyntax')
  })

  test('never changes prototypes', async () => {
    const path = `/Users/${await createUser('jo')}`
    for (const operation of [
      { op: 'replace', path: '__proto__.polluted', value: 'x' },
      { op: 'add', path: 'constructor.prototype.polluted', value: 'x' },
      { op: 'add', path: 'emails[__proto__.polluted eq "x"].value', value: 'x' },
      { op: 'add', value: { '__proto__.polluted': 'x' } },
    ])
      expect((await patch(path, operation)).body.scimType).toBe('invalidPath')
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })

  test('passes the checks of scim2-tester, except for optional features', async () => {
    const python = await installPythonPackages('scim2-cli==0.6.0', 'scim2-tester==0.5.2')
    const run = 'import sys; from scim2_cli import cli; sys.argv[0] = "scim2"; cli()'
    const { stdout } = await promisify(execFile)(python, ['-c', run, '-u', `${app.url}/scim/v2`, 'test'], {
      env: { ...process.env, SCIM_CLI_HEADERS: `Authorization: Bearer ${ownerKey}` },
    }).catch((error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }))
    const failed = stdout
      .split('\n')
      .flatMap((line, i, lines) => (/^(?:ERROR|CRIT)/.test(line) ? [lines[i + 1]?.trim()] : []))
    // A member always has a state and a role.
    expect(new Set(failed)).toEqual(
      new Set([
        'This route does not exist',
        "PATCH modify() did not remove attribute 'active'",
        "PATCH modify() did not remove attribute 'roles'",
      ]),
    )
    expect(stdout.match(/^SUCCESS/gm)?.length).toBeGreaterThan(50)
  })
})
