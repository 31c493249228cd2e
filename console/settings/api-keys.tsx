import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RowButton } from '../parts/row-button.tsx'
import { useChange } from '../service/use-change.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { CreateForm } from './create-form.tsx'
import { type Credential, CredentialTable } from './credential-table.tsx'
import { Secret } from '../parts/secret.tsx'

interface ApiKey extends Credential {
  actor: string
  permissions: string[] | null
}

interface Made {
  api_key: string
}

const PATH = '/v1/api-keys'
const DAY_MS = 86_400_000
const ENDS = { '': 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' }
/** Keys get these by name only. */
const RARE = new Set(['access:manage', 'owners:manage', 'secrets:manage', 'payloads:decode'])

/** The API keys of the workspace. The text of a key is shown once, when it is made. */
export function ApiKeys() {
  const { ganglion } = useSignedIn()
  const { data, error } = useQuery({
    queryKey: ['api-keys'],
    queryFn: () => ganglion.request<{ data: ApiKey[] }>('GET', PATH, { query: { limit: 200 } }),
  })
  const revoke = useChange('api-keys', (ganglion, id: string) => ganglion.request('DELETE', `${PATH}/${id}`))
  const rotate = useChange('api-keys', (ganglion, id: string) =>
    ganglion.request<Made>('POST', `${PATH}/${id}/rotate`, { body: {} }),
  )
  return (
    <>
      <CreateKey />
      <Secret label="The new key of the rotation; the old one is accepted for a day" text={rotate.data?.api_key} />
      <CredentialTable
        label="API keys"
        credentials={data?.data}
        error={error ?? revoke.error ?? rotate.error}
        onRevoke={id => revoke.mutate(id)}
        actions={({ id, name }) => (
          <RowButton label={`Rotate ${name}`} onClick={() => rotate.mutate(id)}>
            Rotate
          </RowButton>
        )}
      >
        {({ permissions, actor }) => (
          <details>
            <summary>{permissions === null ? 'all that keys may' : `${permissions.length} permissions`}</summary>
            as {actor}: {permissions?.join(', ')}
          </details>
        )}
      </CredentialTable>
    </>
  )
}

function CreateKey() {
  const { session } = useSignedIn()
  const usual = session.permissions.filter(permission => !RARE.has(permission))
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [permissions, setPermissions] = useState(usual)
  const create = useChange('api-keys', (ganglion, body: object) => ganglion.request<Made>('POST', PATH, { body }))
  const submit = () => {
    const expires_at = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    create.mutate({ name: name.trim(), permissions, expires_at }, { onSuccess: () => setName('') })
  }
  return (
    <CreateForm
      create={create}
      isDisabled={permissions.length === 0}
      onSubmit={submit}
      secret={{ label: 'The key', text: create.data?.api_key }}
      more={
        <details>
          <summary>May do {permissions.length} things</summary>
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
      <TextInput
        label="Name of a new key"
        required
        maxLength={100}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label="Ends"
        value={days}
        onChange={event => setDays(event.currentTarget.value)}
        data={Object.entries(ENDS).map(([value, label]) => ({ value, label }))}
      />
    </CreateForm>
  )
}
