import type { Item } from '@ganglion/client'
import { Button, NativeSelect, type NativeSelectProps, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionButton } from '../shared/parts/buttons.tsx'
import { Form } from '../shared/parts/form.tsx'
import { Failure, ReadList } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'
import { CreateForm } from './create-form.tsx'
import { type Leaving, RemoveMember } from './remove-member.tsx'

type Member = Item<'members.list'>
type Role = Member['role']

const ROLES: Record<Role, string> = {
  owner: 'Owner: same as admin, and manages owners',
  admin: 'Admin: manages members and keys',
  builder: 'Builder: creates resources and starts runs',
  operator: 'Operator: starts runs and views usage',
  reviewer: 'Reviewer: answers tasks and chats',
  viewer: 'Viewer: read-only access',
}

/** The members of the workspace with their roles and groups. */
export function Members() {
  const members = useRead(['members'], ganglion => ganglion.members.list({ limit: 200 }))
  const [leaving, setLeaving] = useState<Leaving>()
  return (
    <>
      <CreateForm
        name="members"
        label="Add"
        send={({ members }, { name, role }) => members.save(`user:${name}`, { role: role as Role, groups: [] })}
      >
        <TextInput name="name" label="Member name" description="User name at the identity provider" required />
        <RoleSelect defaultValue="builder" />
      </CreateForm>
      <ReadList query={members} className="tiles tiles-wide" keyOf={({ actor }) => actor}>
        {member => <MemberForm member={member} onLeave={how => setLeaving({ actor: member.actor, how })} />}
      </ReadList>
      <Deactivated onLeave={setLeaving} />
      {leaving !== undefined && (
        <RemoveMember
          {...leaving}
          others={(members.data?.data ?? []).map(({ actor }) => actor).filter(actor => actor !== leaving.actor)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  )
}

/** Deactivated members, with their open work. */
function Deactivated({ onLeave }: { onLeave: (leaving: Leaving) => void }) {
  const { data } = useRead(['members', 'deactivated'], ({ members }) => members.list({ limit: 200, active: 'false' }))
  const reactivate = useChange('members', ({ members }, actor: string) => members.reactivate(actor))
  if (!data || data.data.length === 0) return null
  return (
    <section aria-label="Deactivated members">
      <h2>Deactivated members</h2>
      {reactivate.error && <Failure error={reactivate.error} />}
      <ul className="plain-list">
        {data.data.map(({ actor, display_name }) => (
          <li key={actor} className="settings-row">
            <span title={actor}>{display_name ?? actor}</span>
            <ActionButton label={`Reactivate ${actor}`} onClick={() => reactivate.mutate(actor)}>
              Reactivate
            </ActionButton>
            <ActionButton label={`Open work of ${actor}`} onClick={() => onLeave({ actor, how: 'hand-over' })}>
              Open work…
            </ActionButton>
            <ActionButton label={`Remove ${actor}`} onClick={() => onLeave({ actor, how: 'remove' })}>
              Remove…
            </ActionButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface MemberFormProps {
  member: Member
  onLeave: (how: Leaving['how']) => void
}

function MemberForm({ member, onLeave }: MemberFormProps) {
  const { actor, role, groups, group_sources, display_name, email } = member
  const synced = Object.keys(group_sources)
  const { can, session } = useSignedIn()
  const [isChanged, setChanged] = useState(false)
  const save = useChange(
    'members',
    ({ members }, { role, groups = '', display_name, email }: Record<string, string>) =>
      members.save(actor, {
        role: role as Role,
        groups: groups.split(/\s*,\s*/).filter(Boolean),
        display_name: display_name || null,
        email: email || null,
      }),
    () => setChanged(false),
  )
  const isFixed = role === 'owner' && !can('owners:manage')
  return (
    <Form
      className="tile"
      aria-label={actor}
      onChange={() => setChanged(true)}
      onSubmit={fields => save.mutate(fields)}
    >
      <span className="item-title">{display_name ?? actor}</span>
      {display_name !== null && <span className="item-note">{actor}</span>}
      <TextInput
        name="display_name"
        size="xs"
        label="Display name"
        disabled={isFixed}
        defaultValue={display_name ?? ''}
      />
      <TextInput name="email" type="email" size="xs" label="Email" disabled={isFixed} defaultValue={email ?? ''} />
      <RoleSelect defaultValue={role} disabled={isFixed} />
      <TextInput
        name="groups"
        size="xs"
        label="Groups"
        placeholder="group:finance, group:legal"
        description={synced.length > 0 ? `From the identity provider: ${synced.join(', ')}` : undefined}
        disabled={isFixed}
        defaultValue={groups.join(', ')}
      />
      {save.error && <Failure error={save.error} />}
      {!isFixed && (
        <div className="settings-row">
          <Button type="submit" size="compact-sm" mt="xs" disabled={!isChanged} loading={save.isPending}>
            Save
          </Button>
          {actor !== session.actor && (
            <>
              <ActionButton label={`Deactivate ${actor}`} onClick={() => onLeave('deactivate')}>
                Deactivate…
              </ActionButton>
              <ActionButton label={`Remove ${actor}`} onClick={() => onLeave('remove')}>
                Remove…
              </ActionButton>
            </>
          )}
        </div>
      )}
    </Form>
  )
}

function RoleSelect(props: Pick<NativeSelectProps, 'defaultValue' | 'disabled'>) {
  const { can } = useSignedIn()
  const mayBeOwner = props.defaultValue === 'owner' || can('owners:manage')
  const roles = Object.entries(ROLES).filter(([role]) => role !== 'owner' || mayBeOwner)
  return (
    <NativeSelect
      name="role"
      size="xs"
      label="Role"
      data={roles.map(([value, label]) => ({ value, label }))}
      {...props}
    />
  )
}
