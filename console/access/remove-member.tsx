import type { Schema } from '@ganglion/client'
import { Button, Group, Modal, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { DANGER } from '../shared/parts/dialog.tsx'
import { Failure, Read } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'

type Departure = Schema<'Departure'>

export interface Leaving {
  actor: string
  /** `hand-over` shows the open work of a deactivated member. */
  how: 'remove' | 'deactivate' | 'hand-over'
}

const VERBS = {
  remove: { button: 'Remove', done: 'Removed' },
  deactivate: { button: 'Deactivate', done: 'Deactivated' },
  'hand-over': { button: 'Hand over the work of', done: '' },
}

interface Props extends Leaving {
  /** Other members who can take over the work. */
  others: string[]
  onClose: () => void
}

/** Shows what a removal or deactivation affects, ends the membership, then hands over open work. */
export function RemoveMember({ actor, how, others, onClose }: Props) {
  const [result, setResult] = useState<Departure>()
  const preview = useRead(
    ['departures', how, actor],
    ({ members }) =>
      how === 'deactivate' ? members.deactivate(actor, { dry_run: true }) : members.remove(actor, { dry_run: 'true' }),
    { enabled: !result, staleTime: Infinity },
  )
  const end = useChange(
    'members',
    ({ members }) => (how === 'deactivate' ? members.deactivate(actor, {}) : members.remove(actor)),
    setResult,
  )
  const { button, done } = VERBS[how]
  return (
    <Modal opened onClose={onClose} title={`${result ? done : button} ${actor}`} size="lg">
      <div className="fields">
        {result ? (
          <>
            <Ends departure={result} isOver />
            <HandOver actor={actor} others={others} departure={result} />
          </>
        ) : (
          <Read query={preview}>
            {departure => (
              <>
                <Ends departure={departure} isOver={how === 'hand-over'} />
                {how === 'hand-over' && <HandOver actor={actor} others={others} departure={departure} />}
              </>
            )}
          </Read>
        )}
        {end.error && <Failure error={end.error} />}
        <Group>
          {!result && how !== 'hand-over' && (
            <Button color={DANGER} loading={end.isPending} disabled={!preview.data} onClick={() => end.mutate()}>
              {button}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {result || how === 'hand-over' ? 'Done' : 'Cancel'}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

const KINDS: Record<Departure['revoked'][number]['kind'], string> = {
  api_key: 'API key',
  session: 'Session',
  publishable_key: 'Publishable key',
  share_token: 'Share token',
  sign_in_link: 'Sign-in link',
  hook_token: 'Webhook address',
}

/** Lists what the removal revokes or disables, and the work that others must take over. */
function Ends({ departure, isOver = false }: { departure: Departure; isOver?: boolean }) {
  const { revoked, switched_off, open } = departure
  const tasks = listTasks(departure)
  return (
    <>
      <List
        title={isOver ? 'Revoked' : 'Stops working'}
        items={revoked.map(({ kind, name }) => `${KINDS[kind]} ${name}`)}
      />
      <List title={isOver ? 'Disabled triggers' : 'Triggers to disable'} items={switched_off.map(getTitle)} />
      <List title="Open tasks" items={tasks.map(getTitle)} />
      <List
        title="Absences"
        items={open.absences.map(({ actor, substitute }) => `${actor}, substitute ${substitute}`)}
      />
      <List title="Gateways that stay active" items={open.receptors.map(getTitle)} />
      {revoked.length + switched_off.length + tasks.length === 0 && <p className="item-note">Nothing to hand over</p>}
    </>
  )
}

const getTitle = ({ title }: { title: string }) => title

const listTasks = ({ open: { tasks, claims, delegations } }: Departure) => [
  ...new Map([...tasks, ...claims, ...delegations].map(task => [task.id, task])).values(),
]

const List = ({ title, items }: { title: string; items: string[] }) =>
  items.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul>
        {items.map((item, i) => (
          <li key={`${i} ${item}`}>{item}</li>
        ))}
      </ul>
    </section>
  )

function HandOver({ actor, others, departure }: Pick<Props, 'actor' | 'others'> & { departure: Departure }) {
  const { session } = useSignedIn()
  const takers = others.filter(name => name !== session.actor)
  const [to, setTo] = useState('')
  const handOver = useChange('members', ({ members }) => members.handOver(actor, { to }))
  if (departure.switched_off.length + listTasks(departure).length === 0) return null
  if (handOver.data)
    return (
      <section role="status">
        <h3>Handed over to {handOver.data.to}</h3>
        <ul>
          {[...handOver.data.tasks, ...handOver.data.triggers].map(({ id, title, message }) => (
            <li key={id}>{message === undefined ? title : `${title}: ${message}`}</li>
          ))}
        </ul>
        <p className="item-note">Triggers stay disabled until someone resumes them.</p>
      </section>
    )
  return (
    <section>
      <NativeSelect
        label="Hand over tasks and triggers to"
        value={to}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
        data={[{ value: '', label: 'Choose…' }, ...takers]}
      />
      {handOver.error && <Failure error={handOver.error} />}
      <Button mt="sm" disabled={to === ''} loading={handOver.isPending} onClick={() => handOver.mutate()}>
        Hand over
      </Button>
    </section>
  )
}
