import { Button, TextInput } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Form } from '../shared/parts/form.tsx'
import { When } from '../shared/parts/inline.tsx'
import { Person } from '../shared/parts/person.tsx'
import { Empty, Read } from '../shared/parts/read.tsx'
import { buildPageQuery } from '../shared/parts/search.ts'
import { Pages, ScrollTable } from '../shared/parts/tables.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { Json } from '../shared/parts/values.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { readSettingsSearch } from '../access/settings-search.ts'

const route = getRouteApi('/settings')

/** The audit log, newest changes first. */
export function Activity() {
  const { actor, action, page = 1 } = route.useSearch()
  const set = useSetSearch(readSettingsSearch, false)
  const changes = useRead(
    ['activity', actor, action, page],
    ({ activity }) => activity.list({ actor, action, ...buildPageQuery(page) }),
    { placeholderData: keepPreviousData },
  )
  return (
    <>
      <Form
        key={`${actor} ${action}`}
        className="filters"
        onSubmit={({ actor, action }) => set({ actor, action, page: undefined })}
      >
        <TextInput name="actor" aria-label="Actor" placeholder="user:ann" defaultValue={actor} />
        <TextInput name="action" aria-label="Action" placeholder="pathway.update" defaultValue={action} />
        <Button type="submit" variant="default">
          Filter
        </Button>
      </Form>
      <Read query={changes}>
        {({ data, total }) => (
          <>
            {total === 0 && <Empty title="No changes">No changes match these filters.</Empty>}
            {total > 0 && (
              <ScrollTable label="Changes" isPane columns={['When', 'Who', 'What', 'Details']}>
                {data.map(({ id, at, actor, person, action, target, details }) => (
                  <tr key={id}>
                    <td className="table-fixed">
                      <When time={at} />
                    </td>
                    <td>
                      <Person actor={actor} />
                      {person !== actor && (
                        <span className="item-note">
                          for <Person actor={person} />
                        </span>
                      )}
                    </td>
                    <td className="table-main">
                      {action}
                      <span className="item-note">{target.id}</span>
                    </td>
                    <td>
                      {Object.keys(details).length > 0 && (
                        <details>
                          <summary>Details</summary>
                          <Json value={details} />
                        </details>
                      )}
                    </td>
                  </tr>
                ))}
              </ScrollTable>
            )}
            <Pages page={page} total={total} noun="change" onGo={page => set({ page })} />
          </>
        )}
      </Read>
    </>
  )
}
