import { Button, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { toName } from '../parts/names.ts'
import { Pages } from '../parts/pages.tsx'
import { ScrollTable } from '../parts/scroll-table.tsx'
import { Json } from '../parts/value.tsx'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'

const route = getRouteApi('/settings')
const PAGE_SIZE = 50

/** The audit log: every change, newest first. */
export function Activity() {
  const { actor, action, page = 1 } = route.useSearch()
  const { ganglion, brainId } = useSignedIn()
  const navigate = useNavigate()
  const { data, error } = useQuery({
    queryKey: ['activity', brainId, actor, action, page],
    queryFn: async () => {
      const query = { actor, action, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
      const { data, total } = await ganglion.activity.list(query)
      return { data, total }
    },
    placeholderData: keepPreviousData,
  })
  const go = (page: number) => void navigate({ to: '/settings', search: { part: 'activity', actor, action, page } })
  return (
    <>
      <Filters key={`${actor} ${action}`} />
      {error && <Failure error={error} />}
      {data?.total === 0 && <Empty title="No changes">None match what is chosen above.</Empty>}
      {data && data.total > 0 && (
        <ScrollTable label="Changes" isPane columns={['When', 'Who', 'What', 'Details']}>
          {data.data.map(({ id, at, actor, person, action, target, details }) => (
            <tr key={id}>
              <td className="table-fixed">
                <When time={at} />
              </td>
              <td>
                {toName(actor)}
                {person !== actor && <span className="item-note">for {toName(person)}</span>}
              </td>
              <td className="table-main">
                {action}
                <span className="item-note">{target.id}</span>
              </td>
              <td>
                {Object.keys(details).length > 0 && (
                  <details>
                    <summary>Show</summary>
                    <Json value={details} />
                  </details>
                )}
              </td>
            </tr>
          ))}
        </ScrollTable>
      )}
      <Pages page={page} pageSize={PAGE_SIZE} total={data?.total ?? 0} names={['change', 'changes']} onGo={go} />
    </>
  )
}

function Filters() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const [actor, setActor] = useState(search.actor ?? '')
  const [action, setAction] = useState(search.action ?? '')
  return (
    <form
      className="filters"
      onSubmit={event => {
        event.preventDefault()
        void navigate({
          to: '/settings',
          search: { part: 'activity', actor: actor.trim() || undefined, action: action.trim() || undefined },
        })
      }}
    >
      <TextInput
        size="sm"
        aria-label="Who"
        placeholder="user:ann"
        value={actor}
        onChange={event => setActor(event.currentTarget.value)}
      />
      <TextInput
        size="sm"
        aria-label="What"
        placeholder="pathway.update"
        value={action}
        onChange={event => setAction(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" variant="default">
        Filter
      </Button>
    </form>
  )
}
