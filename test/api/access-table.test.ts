import type { Route } from '../../api/routing/route.ts'
import { PERMISSIONS, ROLE_NAMES, ROLES } from '../../domain/access/permissions.ts'
import { readPermissionTable, readRouteTable } from '../support/access-table.ts'
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

test('docs/access.md lists every route with its permission and credentials', () => {
  const inOrder = (routes: { method: string; path: string }[]) =>
    routes.toSorted((one, other) => `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`))
  expect(inOrder(readRouteTable())).toEqual(inOrder(app.routes.map(describeRoute)))
})

test('docs/access.md lists the permissions of every role', () => {
  const expected = PERMISSIONS.map(permission => [
    permission,
    new Set(ROLE_NAMES.filter(role => (ROLES[role] as readonly string[]).includes(permission))),
  ])
  expect([...readPermissionTable()]).toEqual(expected)
})

test('a route that changes something takes no user token, except for a chat', () => {
  const reads = /^\/v1\/(?:browse|resources\/tree|search|recollections\/search)|\/(?:dry-run|validate)$/
  const changing = app.routes.filter(({ method, path }) => method !== 'get' && !reads.test(path))
  const open = changing.filter(({ access }) => access.credentials.includes('publishable_key'))
  expect(open.map(({ name }) => name)).toEqual(['chat.send'])
})
