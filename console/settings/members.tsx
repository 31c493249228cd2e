import type { Item } from '@ganglion/client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { useChange } from '../service/use-change.ts'
import { useSignedIn } from '../service/signed-in.tsx'

type Member = Item<'members.list'>
type Role = Member['role']

const ROLES: Record<Role, string> = {
  owner: 'owner: also changes owners',
  admin: 'admin: members and keys, too',
  builder: 'builder: builds and runs',
  operator: 'operator: runs, sees usage',
  reviewer: 'reviewer: answers, chats',
  viewer: 'viewer: reads',
}

/** The people of the workspace with their roles and groups. */
export function Members() {
  const { ganglion } = useSignedIn()
  const { data, error } = useQuery({
    queryKey: ['members'],
    queryFn: async () => (await ganglion.members.list({ limit: 200 })).data,
  })
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <>
      <AddMember />
      <ul className="tiles tiles-wide">
        {data.map(member => (
          <li key={member.actor}>
            <MemberForm member={member} />
          </li>
        ))}
      </ul>
    </>
  )
}

const useSave = () =>
  useChange('members', (ganglion, { actor, role, groups }: Member) => ganglion.members.save(actor, { role, groups }))

function AddMember() {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('builder')
  const save = useSave()
  return (
    <form
      className="pane settings-form"
      onSubmit={event => {
        event.preventDefault()
        save.mutate({ actor: `user:${name.trim()}`, role, groups: [] }, { onSuccess: () => setName('') })
      }}
    >
      <div className="settings-row">
        <TextInput
          label="Name of a new member"
          description="As the identity provider has it"
          required
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <RoleSelect value={role} onChange={setRole} />
        <Button type="submit" loading={save.isPending}>
          Add
        </Button>
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  )
}

function MemberForm({ member }: { member: Member }) {
  const { can, session } = useSignedIn()
  const [role, setRole] = useState(member.role)
  const [groups, setGroups] = useState(member.groups.join(', '))
  const save = useSave()
  const remove = useChange('members', (ganglion, actor: string) => ganglion.members.remove(actor))
  const list = groups
    .split(',')
    .map(group => group.trim())
    .filter(group => group !== '')
  const isChanged = role !== member.role || list.join() !== member.groups.join()
  const mayChange = member.role !== 'owner' || can('owners:manage')
  const error = save.error ?? remove.error
  return (
    <form
      className="tile"
      aria-label={member.actor}
      onSubmit={event => {
        event.preventDefault()
        save.mutate({ actor: member.actor, role, groups: list })
      }}
    >
      <span className="item-title">{member.actor}</span>
      <RoleSelect value={role} disabled={!mayChange} onChange={setRole} />
      <TextInput
        size="xs"
        label="Groups"
        placeholder="group:finance, group:legal"
        disabled={!mayChange}
        value={groups}
        onChange={event => setGroups(event.currentTarget.value)}
      />
      {error && <Failure error={error} />}
      {mayChange && (
        <div className="settings-row">
          <Button type="submit" size="compact-sm" mt="xs" disabled={!isChanged} loading={save.isPending}>
            Save
          </Button>
          {member.actor !== session.actor && (
            <Button
              size="compact-sm"
              mt="xs"
              variant="default"
              aria-label={`Remove ${member.actor}`}
              loading={remove.isPending}
              onClick={() => remove.mutate(member.actor)}
            >
              Remove
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

interface RoleSelectProps {
  value: Role
  disabled?: boolean
  onChange: (role: Role) => void
}

function RoleSelect({ value, disabled = false, onChange }: RoleSelectProps) {
  const { can } = useSignedIn()
  const roles = (Object.keys(ROLES) as Role[]).filter(
    role => role !== 'owner' || value === 'owner' || can('owners:manage'),
  )
  return (
    <NativeSelect
      size="xs"
      label="Role"
      disabled={disabled}
      value={value}
      onChange={event => onChange(event.currentTarget.value as Role)}
      data={roles.map(role => ({ value: role, label: ROLES[role] }))}
    />
  )
}
