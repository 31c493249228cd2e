import type { Intervention } from '@ganglion/client'
import { Button, Kbd } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { useShortcuts } from '../parts/shortcuts.ts'
import { Detail } from '../interventions/detail.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { BulkAnswers } from './bulk-answers.tsx'
import { InboxFilters } from './filters.tsx'
import { InboxList } from './list.tsx'
import { useInboxQuery } from './queries.ts'
import { ShortcutHelp } from './shortcut-help.tsx'

const route = getRouteApi('/inbox')
const NONE: ReadonlySet<string> = new Set()

/** What runs ask people: the list, and what was chosen beside it. */
export function Inbox() {
  const search = route.useSearch()
  const { interventionId: chosen } = useParams({ strict: false })
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    useInboxQuery(search),
  )
  const items = useMemo(() => data?.pages.flatMap(page => page.data) ?? [], [data])
  const [receipt, setReceipt] = useState('')
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [picked, setPicked] = useState(NONE)
  const { can } = useSignedIn()
  const canPick = search.view !== 'decided' && can('interventions:answer')
  const pick = (id: string) => setPicked(before => before.symmetricDifference(new Set([id])))
  const open = useOpen()
  const move = (step: 1 | -1) => {
    const next = findNext(items, chosen, step)
    if (next) open(next.interventionId)
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    x: () => chosen !== undefined && canPick && pick(chosen),
    Enter: () => document.querySelector<HTMLElement>('.answer :is(textarea, input, select, button)')?.focus(),
    '?': () => setHelpOpen(true),
  })
  const total = data?.pages[0]?.total
  return (
    <Page title="Inbox" tab={total ? `(${total}) Inbox` : 'Inbox'} isWide actions={<InboxFilters />}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <div className="panes" data-chosen={chosen !== undefined || undefined}>
        <section className="pane pane-list" aria-label="Interventions">
          {!data && !error && <Loading />}
          {data && items.length === 0 && <NothingHere view={search.view ?? 'mine'} />}
          {canPick && (
            <BulkAnswers
              items={items.filter(({ interventionId }) => picked.has(interventionId))}
              onDone={() => setPicked(NONE)}
            />
          )}
          <InboxList items={items} chosen={chosen} picked={picked} onPick={canPick ? pick : undefined} />
          {hasNextPage && (
            <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
        </section>
        <section className="pane pane-detail" aria-label="The chosen intervention">
          <p role="status" className="receipt" hidden={receipt === ''}>
            {receipt}
          </p>
          {chosen && (
            <Link to="/inbox" search={true} className="detail-back">
              <IconArrowLeft size={16} aria-hidden /> All
            </Link>
          )}
          {chosen ? (
            <Detail
              key={chosen}
              id={chosen}
              onAnswered={(title, sentence) => {
                setReceipt(`${sentence}: ${title}`)
                const next = findNext(items, chosen, 1) ?? findNext(items, chosen, -1)
                if (search.view !== 'decided') open(next?.interventionId)
              }}
            />
          ) : (
            <Empty title={items.length > 0 ? 'Choose what to answer' : 'All done'}>
              <Kbd>j</Kbd> and <Kbd>k</Kbd> move through the list, <Kbd>?</Kbd> shows all keys.
            </Empty>
          )}
        </section>
      </div>
      <ShortcutHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </Page>
  )
}

/** Opens an intervention, or the list alone. */
function useOpen() {
  const navigate = useNavigate()
  return (interventionId: string | undefined) =>
    void (interventionId === undefined
      ? navigate({ to: '/inbox', search: true })
      : navigate({ to: '/inbox/$interventionId', params: { interventionId }, search: true }))
}

/** The neighbour of the chosen one; without a choice, the first. */
function findNext(items: Intervention[], chosen: string | undefined, step: 1 | -1): Intervention | undefined {
  if (chosen === undefined) return items[0]
  const index = items.findIndex(({ interventionId }) => interventionId === chosen)
  return items[index + step]
}

const NOTHING = {
  mine: 'Nothing waits for you',
  groups: 'Nothing waits for your groups',
  all: 'Nothing waits for anybody',
  decided: 'Nothing was decided yet',
}

const NothingHere = ({ view }: { view: keyof typeof NOTHING }) => (
  <Empty title={NOTHING[view]}>New questions of runs appear here by themselves.</Empty>
)
