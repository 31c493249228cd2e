import { readFileSync } from 'node:fs'
import { CREDENTIAL_NAMES } from '../../../dev/reference/permissions.ts'
import type { Right } from '../../../domain/access/rights.ts'
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  type Permission,
  type Role,
} from '../../../domain/access/permissions.ts'

/** The tables in docs/reference/permissions.md, which the tests compare with the service. */

const FILE = new URL('../../../docs/reference/permissions.md', import.meta.url)

/** A route in the table. A route without credentials is open to everyone. */
export interface TableRoute {
  method: string
  path: string
  permission: string | undefined
  credentials: CredentialKind[]
}

function readRows(heading: string): string[][] {
  const text = readFileSync(FILE, 'utf8')
  const section = text.slice(text.indexOf(`## ${heading}\n`)).split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter(line => line.startsWith('| `'))
  return rows.map(row =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim().replaceAll('`', '')),
  )
}

export const readRouteTable = (): TableRoute[] =>
  readRows('Routes').map(([route = '', permission = '', credentials = '']) => {
    const [method = '', path = ''] = route.split(' ')
    return {
      method,
      path,
      permission: permission === '' ? undefined : permission,
      credentials: CREDENTIAL_KINDS.filter(kind => credentials.split(', ').includes(CREDENTIAL_NAMES[kind])),
    }
  })

/**
 * Returns the permission that each effect of a run requires, or undefined if it requires none. A row may name several
 * effects.
 */
export const readEffectTable = (): Map<string, Right | undefined> =>
  new Map(
    readRows('What a run may do').flatMap(([effects = '', right = '']) =>
      effects.split(', ').map(effect => [effect, right === '' ? undefined : (right as Right)] as const),
    ),
  )

/** Returns the roles that have each permission. */
export function readPermissionTable(): Map<Permission, Set<Role>> {
  const header = readHeader('Roles')
  return new Map(
    readRows('Roles').map(([permission = '', ...cells]) => [
      permission as Permission,
      new Set(header.slice(1).filter((_, i) => cells[i] === 'yes') as Role[]),
    ]),
  )
}

function readHeader(heading: string): string[] {
  const text = readFileSync(FILE, 'utf8')
  const line =
    text
      .slice(text.indexOf(`## ${heading}\n`))
      .split('\n')
      .find(row => row.startsWith('|')) ?? ''
  return line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())
}
