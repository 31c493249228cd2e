import './chat.css'
import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowLeft, IconMessagePlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toName } from '../parts/names.ts'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { Composer } from './composer.tsx'
import { useThreadsQuery } from './queries.ts'
import { Thread } from './thread.tsx'

const route = getRouteApi('/chat')
const NEW = 'new'

/** Threads with neurons and receptors, and the chosen one beside them. */
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
        <section className="pane pane-detail thread-pane" aria-label="The chosen thread">
          {traceId && (
            <Link to="/chat" search={true} className="detail-back">
              <IconArrowLeft size={16} aria-hidden /> All
            </Link>
          )}
          {traceId && !isNew && <Thread key={traceId} traceId={traceId} />}
          {isNew && can('conversations:write') && <Composer />}
          {!traceId && <Empty title="Choose a thread">Or begin a new one.</Empty>}
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
      <SegmentedControl
        size="sm"
        aria-label="Whose threads"
        value={search.of ?? 'mine'}
        onChange={value => void navigate({ to: '/chat', search: value === 'all' ? { of: 'all' } : {} })}
        data={[
          { value: 'mine', label: 'Mine' },
          { value: 'all', label: 'All' },
        ]}
      />
      {can('conversations:write') && (
        <Button
          size="sm"
          leftSection={<IconMessagePlus size={18} aria-hidden />}
          onClick={() => void navigate({ to: '/chat/$traceId', params: { traceId: NEW }, search: true })}
        >
          New thread
        </Button>
      )}
    </>
  )
}

function Threads() {
  const { of } = route.useSearch()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    useThreadsQuery(of === 'all'),
  )
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const threads = data.pages.flatMap(({ data }) => data)
  return (
    <>
      {threads.length === 0 && (
        <Empty title="No threads">A thread is a conversation with a neuron or a receptor.</Empty>
      )}
      <ul className="item-list">
        {threads.map(({ id, title, actor, turns, updated_at }) => (
          <li key={id}>
            <Link to="/chat/$traceId" params={{ traceId: id }} search={true} className="item">
              <span className="item-text">
                <span className="item-title">{title}</span>
                <span className="item-note">
                  {of === 'all' && `${toName(actor)} · `}
                  {turns} {turns === 1 ? 'message' : 'messages'} · <When time={updated_at} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}
