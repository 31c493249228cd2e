import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { ScrollTable } from '../parts/scroll-table.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'

export interface Credential {
  id: string
  name: string
  prefix: string
  created_at: string
  revoked_at: string | null
  last_used_at: string | null
  expires_at: string | null
}

interface CredentialTableProps<T extends Credential> {
  label: string
  /** Undefined until they are read. */
  credentials: T[] | undefined
  /** What else is said of one. */
  children: (credential: T) => ReactNode
  actions?: (credential: T) => ReactNode
  onRevoke: (id: string) => void
  error: unknown
}

/** Keys or tokens without their texts, each with its use and its end. */
export const CredentialTable = <T extends Credential>(props: CredentialTableProps<T>) => (
  <>
    {props.error !== null && <Failure error={props.error} />}
    {props.credentials?.length === 0 ? <Empty title="None yet" /> : <Rows {...props} />}
  </>
)

const Rows = <T extends Credential>(props: CredentialTableProps<T>) => (
  <ScrollTable label={props.label} isPane columns={['Name', 'May', 'Last used', 'Ends', '']}>
    {props.credentials?.map(one => (
      <tr key={one.id}>
        <td className="table-main">
          {one.name}
          <span className="item-note">
            <code>{one.prefix}…</code>
          </span>
        </td>
        <td>{props.children(one)}</td>
        <td className="table-fixed">{one.last_used_at ? <When time={one.last_used_at} /> : 'never'}</td>
        <td className="table-fixed">
          {one.revoked_at ? <Status status="cancelled" /> : one.expires_at ? <When time={one.expires_at} /> : 'never'}
        </td>
        <td>
          {one.revoked_at === null && (
            <div className="settings-row">
              {props.actions?.(one)}
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Revoke ${one.name}`}
                onClick={() => props.onRevoke(one.id)}
              >
                Revoke
              </Button>
            </div>
          )}
        </td>
      </tr>
    ))}
  </ScrollTable>
)
