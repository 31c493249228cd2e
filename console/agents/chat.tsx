import './chat.css'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconMessagePlus } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router'
import { When } from '../shared/parts/inline.tsx'
import { formatCount } from '../shared/parts/names.ts'
import { Person } from '../shared/parts/person.tsx'
import { Page } from '../shared/parts/page.tsx'
import { Empty, ReadList } from '../shared/parts/read.tsx'
import { Views } from '../shared/parts/views.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useReadPages } from '../shared/service/use-service.ts'
import { Composer } from './composer.tsx'
import { Thread } from './thread.tsx'

const route = getRouteApi('/chat')
const NEW = 'new'

/** The list of threads, with the selected thread next to it. */
export function Chat() {
  const { traceId } = useParams({ strict: false })
  const { can } = useSignedIn()
  const isNew = traceId === NEW
  return (
    <Page title="Chat" isWide actions={<Actions />}>
      <div className="panes" data-chosen={traceId !== undefined || undefined}>
        <section className="pane pane-list" aria-label="Threads">
          <Threads />
        </section>
        <section className="pane pane-detail thread-pane" aria-label="Selected thread">
          {traceId && (
            <Link to="/chat" search={true} className="detail-back">
              <IconArrowLeft size={16} aria-hidden /> All
            </Link>
          )}
          {traceId && !isNew && <Thread key={traceId} traceId={traceId} />}
          {isNew && can('conversations:write') && <Composer />}
          {!traceId && <Empty title="Select a thread">Or start a new thread.</Empty>}
        </section>
      </div>
    </Page>
  )
}

function Actions() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const { can } = useSignedIn()
  return (
    <>
      <Views
        label="Thread filter"
        value={search.of ?? 'mine'}
        views={{ mine: 'Mine', all: 'All' }}
        onChange={of => void navigate({ to: '/chat', search: of === 'all' ? { of } : {} })}
      />
      {can('conversations:write') && (
        <Button
          leftSection={<IconMessagePlus size={18} aria-hidden />}
          onClick={() => void navigate({ to: '/chat/$traceId', params: { traceId: NEW }, search: true })}
        >
          New thread
        </Button>
      )}
    </>
  )
}

/** Lists the person's own threads, or all threads, newest first. */
function Threads() {
  const isOfAll = route.useSearch().of === 'all'
  const threads = useReadPages(['traces', 'list', isOfAll], ({ traces }, page) =>
    traces.list({ ...page, ...(isOfAll && { actor: 'all' }) }),
  )
  return (
    <ReadList
      query={threads}
      empty={['No threads', 'A thread is a conversation with an agent.']}
      className="item-list"
      keyOf={({ id }) => id}
    >
      {({ id, title, actor, turns, updated_at }) => (
        <Link to="/chat/$traceId" params={{ traceId: id }} search={true} className="item">
          <span className="item-text">
            <span className="item-title">{title}</span>
            <span className="item-note">
              {isOfAll && (
                <>
                  <Person actor={actor} /> ·{' '}
                </>
              )}
              {formatCount(turns, 'message')} · <When time={updated_at} />
            </span>
          </span>
        </Link>
      )}
    </ReadList>
  )
}
