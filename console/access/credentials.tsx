import type { Ganglion, Schema } from '@ganglion/client'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { KEY_PERMISSIONS } from '../../domain/access/permissions.ts'
import { Secret } from '../shared/parts/buttons.tsx'
import { buildItems } from '../shared/parts/choice.tsx'
import { ConfirmButton } from '../shared/parts/dialog.tsx'
import { Status, When } from '../shared/parts/inline.tsx'
import { splitRef } from '../shared/parts/names.ts'
import { Empty, Read } from '../shared/parts/read.tsx'
import { ScrollTable } from '../shared/parts/tables.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { CreateForm } from './create-form.tsx'

type ApiKey = Schema<'ApiKey'>
/** The fields that API keys and share tokens have in common. */
type Credential = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'created_by' | 'revoked_at' | 'last_used_at' | 'expires_at'>
type NewKey = Schema<'CreatedApiKey'>

const DAY_MS = 86_400_000
const ENDS = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

/** Tracks credentials revoked while the page is open, so that their secrets are no longer shown. */
function useRevoked() {
  const [revoked, setRevoked] = useState<ReadonlySet<string>>(new Set())
  return { revoked, onRevoked: (id: string) => setRevoked(before => before.union(new Set([id]))) }
}

interface RevocationState {
  revoked: ReadonlySet<string>
}

/** The API keys of the workspace. A key's secret is shown once, after it is created. */
export function ApiKeys() {
  const { session } = useSignedIn()
  const [rotated, setRotated] = useState<NewKey>()
  const { revoked, onRevoked } = useRevoked()
  return (
    <>
      <CreateKey revoked={revoked} />
      <Secret
        label="New key. The old key works for another 24 hours"
        text={rotated && !revoked.has(rotated.id) ? rotated.api_key : undefined}
      />
      <Credentials<ApiKey>
        kind="api-keys"
        list={ganglion => ganglion.apiKeys.list({ limit: 200 })}
        revoke={(ganglion, id) => ganglion.apiKeys.revoke(id)}
        label="API keys"
        noun="key"
        consequence="Requests with this key will fail."
        onRevoked={onRevoked}
        actions={({ id, name, actor, owner }) =>
          (owner ?? actor) === session.actor && (
            <ConfirmButton
              name="api-keys"
              label={`Rotate ${name}`}
              words="Rotate"
              action="Rotate key"
              title={`Rotate the key ${name}?`}
              send={async ganglion => setRotated(await ganglion.apiKeys.rotate(id))}
            >
              You get a new key. The old key stops working after 24 hours.
            </ConfirmButton>
          )
        }
      >
        {({ permissions, actor }) => (
          <details>
            <summary>{permissions === null ? 'Default permissions' : `${permissions.length} permissions`}</summary>
            as {actor}: {permissions?.join(', ')}
          </details>
        )}
      </Credentials>
    </>
  )
}

function CreateKey({ revoked }: RevocationState) {
  const { session } = useSignedIn()
  const [permissions, setPermissions] = useState(() =>
    session.permissions.filter(permission => KEY_PERMISSIONS.includes(permission)),
  )
  return (
    <CreateForm
      name="api-keys"
      send={(ganglion, { name = '', days }) => {
        const expires_at = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : undefined
        return ganglion.apiKeys.create({ name, permissions, expires_at })
      }}
      isDisabled={permissions.length === 0}
      secret={{ label: 'New key', of: ({ id, api_key }) => (revoked.has(id) ? undefined : api_key) }}
      more={
        <details>
          <summary>Permissions: {permissions.length} selected</summary>
          <Checkbox.Group value={permissions} onChange={setPermissions} aria-label="Permissions" mt="xs">
            <div className="settings-checks">
              {session.permissions.map(permission => (
                <Checkbox key={permission} size="xs" value={permission} label={permission} />
              ))}
            </div>
          </Checkbox.Group>
        </details>
      }
    >
      <TextInput name="name" label="Key name" required maxLength={100} />
      <NativeSelect name="days" label="Expires" defaultValue="90" data={ENDS} />
    </CreateForm>
  )
}

/** Share tokens, which give people without an account access to one gateway or thread. */
export function ShareTokens() {
  const { revoked, onRevoked } = useRevoked()
  return (
    <>
      <CreateToken revoked={revoked} />
      <Credentials<Schema<'ShareToken'>>
        kind="share-tokens"
        list={ganglion => ganglion.shareTokens.list({ limit: 200 })}
        revoke={(ganglion, id) => ganglion.shareTokens.revoke(id)}
        label="Share tokens"
        noun="token"
        consequence="Links with this token stop working, and their visitors lose access."
        onRevoked={onRevoked}
      >
        {({ target, rights, uses, max_uses, allowed_origins }) => (
          <>
            {rights.join(' and ')} a {target.type}, {uses}
            {max_uses !== null && ` of ${max_uses}`} messages
            {allowed_origins.length > 0 && `, on ${allowed_origins.join(', ')}`}
          </>
        )}
      </Credentials>
    </>
  )
}

function CreateToken({ revoked }: RevocationState) {
  const { data: targets = [] } = useRead(['resources', 'shared'], async ganglion => {
    const [receptors, traces] = await Promise.all([
      ganglion.receptors.list({ limit: 200 }),
      ganglion.traces.list({ limit: 50 }),
    ])
    return [
      { group: 'Gateways', items: buildItems('receptor', receptors.data, ({ id }) => id) },
      { group: 'Threads', items: buildItems('trace', traces.data, ({ id }) => id) },
    ]
  })
  return (
    <CreateForm
      name="share-tokens"
      send={(ganglion, { name = '', target = '', uses, origins = '' }) => {
        const [type, id] = splitRef(target)
        const body = {
          name,
          target: { type: type as 'receptor' | 'trace', id },
          max_uses: uses ? Number(uses) : undefined,
          allowed_origins: origins.split(/[\s,]+/).filter(Boolean),
        }
        return ganglion.shareTokens.create(body)
      }}
      secret={{ label: 'New token', of: ({ id, share_token }) => (revoked.has(id) ? undefined : share_token) }}
      more={<p className="item-note">The token expires after 30 days.</p>}
    >
      <TextInput name="name" label="Token name" required maxLength={100} />
      <NativeSelect
        name="target"
        label="Gateway or thread"
        required
        data={[{ value: '', label: 'Choose…' }, ...targets]}
      />
      <TextInput name="uses" type="number" label="Maximum messages" min={1} />
      <TextInput name="origins" label="Websites with a chat" placeholder="https://www.example.com" />
    </CreateForm>
  )
}

interface CredentialsProps<T extends Credential> {
  /** The first part of the list's query key. */
  kind: string
  list: (ganglion: Ganglion) => PromiseLike<{ data: T[] }>
  revoke: (ganglion: Ganglion, id: string) => PromiseLike<unknown>
  label: string
  /** Singular noun, such as `key`. */
  noun: string
  /** The consequence of revoking the credential. */
  consequence: string
  onRevoked: (id: string) => void
  actions?: (credential: T) => ReactNode
  /** Renders the credential's permissions. */
  children: (credential: T) => ReactNode
}

/** A table of keys or tokens without their secrets, with last use and expiry. */
function Credentials<T extends Credential>(props: CredentialsProps<T>) {
  const { kind, list, revoke, label, noun, consequence, onRevoked, actions, children } = props
  const credentials = useRead([kind], list)
  const toRow = (credential: T) => {
    const { id, name, prefix, created_by, last_used_at, revoked_at, expires_at } = credential
    return (
      <tr key={id}>
        <td className="table-main">
          {name}
          <span className="item-note">
            <code>{prefix}…</code>
            {created_by !== null && ` by ${created_by}`}
          </span>
        </td>
        <td>{children(credential)}</td>
        <td className="table-fixed">{last_used_at ? <When time={last_used_at} /> : 'never'}</td>
        <td className="table-fixed">
          {revoked_at ? (
            <>
              <Status status="revoked" /> <When time={revoked_at} />
            </>
          ) : expires_at ? (
            <When time={expires_at} />
          ) : (
            'never'
          )}
        </td>
        <td>
          {revoked_at === null && (
            <div className="settings-row">
              {actions?.(credential)}
              <ConfirmButton
                name={kind}
                label={`Revoke ${name}`}
                words="Revoke"
                action={`Revoke ${noun}`}
                title={`Revoke the ${noun} ${name}?`}
                send={ganglion => revoke(ganglion, id)}
                onDone={() => onRevoked(id)}
              >
                {consequence}
              </ConfirmButton>
            </div>
          )}
        </td>
      </tr>
    )
  }
  return (
    <Read query={credentials}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={`No ${noun}s`} />
        ) : (
          <ScrollTable label={label} isPane columns={['Name', 'Permissions', 'Last used', 'Expires', '']}>
            {data.map(toRow)}
          </ScrollTable>
        )
      }
    </Read>
  )
}
