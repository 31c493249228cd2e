import type { Route } from '../../api/routing/route.ts'
import { PERMISSIONS, ROLE_NAMES, ROLES } from '../../domain/access/permissions.ts'
import { readPermissionTable, readRouteTable } from '../support/access/access-table.ts'
import { type AppUnderTest, startApp } from './app-under-test.ts'

let app: AppUnderTest
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.drain(0))

const describeRoute = ({ method, path, access: { permission, credentials } }: Route) => ({
  method: method.toUpperCase(),
  path,
  permission: permission ?? undefined,
  credentials: [...credentials],
})

test('docs/reference/permissions.md lists every route with its permission and credentials', () => {
  const inOrder = (routes: { method: string; path: string }[]) =>
    routes.toSorted((one, other) => `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`))
  expect(inOrder(readRouteTable())).toEqual(inOrder(app.routes.map(describeRoute)))
})

test('docs/reference/permissions.md lists the permissions of every role', () => {
  const expected = PERMISSIONS.map(permission => [
    permission,
    new Set(ROLE_NAMES.filter(role => (ROLES[role] as readonly string[]).includes(permission))),
  ])
  expect([...readPermissionTable()]).toEqual(expected)
})

test('a route that makes changes accepts no user token, except for a chat with files', () => {
  const reads = /^\/v1\/(?:browse|resources\/tree|search|recollections\/search)|\/(?:dry-run|validate)$/
  const changing = app.routes.filter(({ method, path }) => method !== 'get' && !reads.test(path))
  const open = changing.filter(({ access }) => access.credentials.includes('publishable_key'))
  expect(open.map(({ name }) => name)).toEqual(['chat.send', 'files.upload'])
})

/** Permissions of people who cannot control other people's objects. */
const WEAK = new Set([null, 'conversations:write', 'interventions:answer', 'tools:call'])

/** What changing routes with such a permission change, and why the change only affects the caller. */
const OWN: Record<string, string> = {
  'absences.endOwn': 'the own absence',
  'absences.saveOwn': 'the own absence',
  'channelAccounts.createCode': 'the own account',
  'channelAccounts.delete': 'the own account',
  'chat.send': 'adds a message',
  'files.upload': 'the own file',
  'interventions.answerMany': 'tasks that the caller may answer',
  'interventions.claim': 'tasks that the caller may answer',
  'interventions.comment': 'tasks that the caller may answer',
  'interventions.delegate': 'the own right to answer',
  'interventions.release': 'the own claim',
  'interventions.reopen': 'starts a new run, for those who may decide',
  'jobs.answer': 'tasks that the caller may answer',
  'public.answer': 'the tasks of the token',
  'public.continueTrace': 'the thread of the token',
  'public.invokeReceptor': 'the receptor of the token',
  'public.receiveFromChannel': 'acts with the rights of the member whose account has sent the request',
  'public.receiveHook': 'fires the trigger of the token',
  'public.uploadFile': 'the own file',
  'pushSubscriptions.delete': 'the own browser',
  'pushSubscriptions.save': 'the own browser',
  'session.end': 'the own session',
  'session.link': 'the own session',
  'tools.call': 'each tool checks its own rights',
  'traces.delete': 'the own thread with own runs; others need jobs:control',
}

test("a route that makes changes requires a permission over others, or changes only the caller's own objects", () => {
  const weak = app.routes.filter(({ effect, access }) => effect !== 'read' && WEAK.has(access.permission))
  expect(weak.map(({ name }) => name).toSorted()).toEqual(Object.keys(OWN).toSorted())
})
