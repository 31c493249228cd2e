import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../service/use-change.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { CreateForm } from './create-form.tsx'
import { type Credential, CredentialTable } from './credential-table.tsx'

interface ShareToken extends Credential {
  target: { type: string; id: string }
  rights: string[]
  max_uses: number | null
  uses: number
}

const PATH = '/v1/share-tokens'

/** Share tokens, with which people without an account use one receptor or one thread. */
export function ShareTokens() {
  const { ganglion } = useSignedIn()
  const { data, error } = useQuery({
    queryKey: ['share-tokens'],
    queryFn: () => ganglion.request<{ data: ShareToken[] }>('GET', PATH, { query: { limit: 200 } }),
  })
  const revoke = useChange('share-tokens', (ganglion, id: string) => ganglion.request('DELETE', `${PATH}/${id}`))
  return (
    <>
      <CreateToken />
      <CredentialTable
        label="Share tokens"
        credentials={data?.data}
        error={error ?? revoke.error}
        onRevoke={id => revoke.mutate(id)}
      >
        {({ target, rights, uses, max_uses }) => (
          <>
            {rights.join(' and ')} a {target.type}, {uses}
            {max_uses !== null && ` of ${max_uses}`} messages
          </>
        )}
      </CredentialTable>
    </>
  )
}

function CreateToken() {
  const { ganglion, brainId } = useSignedIn()
  const [name, setName] = useState('')
  const [target, setTarget] = useState('')
  const [uses, setUses] = useState<number | string>('')
  const { data: targets = [] } = useQuery({
    queryKey: ['resources', 'shared', brainId],
    queryFn: async () => {
      const [receptors, traces] = await Promise.all([
        ganglion.receptors.list({ limit: 200 }),
        ganglion.traces.list({ limit: 50 }),
      ])
      return [
        {
          group: 'Receptors',
          items: receptors.data.map(({ id, title }) => ({ value: `receptor:${id}`, label: title })),
        },
        { group: 'Threads', items: traces.data.map(({ id, title }) => ({ value: `trace:${id}`, label: title })) },
      ]
    },
  })
  const create = useChange('share-tokens', (ganglion, body: object) =>
    ganglion.request<{ share_token: string }>('POST', PATH, { body }),
  )
  const submit = () => {
    const [type, id] = target.split(':')
    const max_uses = uses === '' ? undefined : Number(uses)
    create.mutate({ name: name.trim(), target: { type, id }, max_uses }, { onSuccess: () => setName('') })
  }
  return (
    <CreateForm
      create={create}
      onSubmit={submit}
      secret={{ label: 'The token', text: create.data?.share_token }}
      more={<p className="item-note">It ends after 30 days.</p>}
    >
      <TextInput
        label="Name of a new token"
        required
        maxLength={100}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label="For"
        required
        value={target}
        onChange={event => setTarget(event.currentTarget.value)}
        data={[{ value: '', label: 'Choose…' }, ...targets]}
      />
      <NumberInput label="Messages at most" min={1} value={uses} onChange={setUses} hideControls />
    </CreateForm>
  )
}
