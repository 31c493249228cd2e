import type { Intervention } from '@ganglion/client'
import { Kbd, Modal } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Detail } from './interventions/detail.tsx'
import { buildChoices, Choice } from '../shared/parts/choice.tsx'
import { formatLabel } from '../shared/parts/names.ts'
import { Page } from '../shared/parts/page.tsx'
import { Empty, ReadList } from '../shared/parts/read.tsx'
import { useShortcuts } from '../shared/parts/shortcuts.ts'
import { Views } from '../shared/parts/views.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useReadPages } from '../shared/service/use-service.ts'
import { BulkAnswers } from './bulk-answers.tsx'
import { REFRESH_MS, useCounts } from './counts.ts'
import { InboxItem } from './item.tsx'
import { type InboxSearch, KINDS, VIEWS } from './search.ts'

const route = getRouteApi('/inbox')
const NONE: ReadonlySet<string> = new Set()
const NOTHING = {
  mine: 'Nothing waits for you',
  groups: 'Nothing waits for your groups',
  all: 'Nothing waits for anybody',
  decided: 'Nothing was decided yet',
}

/** What became of an answer. */
interface Receipt {
  text: string
  tone: 'good' | 'idle'
  /** The task that is open meanwhile. */
  shownWith: string | undefined
}

/** What runs ask people: the list, and what was chosen beside it. */
export function Inbox() {
  const search = route.useSearch()
  const { view = 'mine' } = search
  const { interventionId: selectedId } = useParams({ strict: false })
  const list = useInbox(search)
  const { data: items = [], total } = list.data ?? {}
  const [receipt, setReceipt] = useState<Receipt>()
  // It leaves with the task that was opened after the answer.
  const current = receipt?.shownWith === selectedId ? receipt : undefined
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [picked, setPicked] = useState(NONE)
  const { can } = useSignedIn()
  const canPick = view !== 'decided' && can('interventions:answer')
  const pick = (id: string) => setPicked(before => before.symmetricDifference(new Set([id])))
  const navigate = useNavigate()
  const open = ({ interventionId }: Intervention) =>
    void navigate({ to: '/inbox/$interventionId', params: { interventionId }, search: true })
  /** The neighbour of the chosen one; without a choice, the first. */
  const findNext = (step: 1 | -1): Intervention | undefined =>
    items[selectedId === undefined ? 0 : items.findIndex(({ interventionId }) => interventionId === selectedId) + step]
  const move = (step: 1 | -1) => {
    const next = findNext(step)
    if (next) open(next)
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    x: () => selectedId !== undefined && canPick && pick(selectedId),
    Enter: () => document.querySelector<HTMLElement>('.answer :is(textarea, input, select, button)')?.focus(),
    '?': () => setHelpOpen(true),
  })
  const goOn = (title: string, sentence: string) => {
    const next = view === 'decided' ? undefined : (findNext(1) ?? findNext(-1))
    const shownWith = view === 'decided' ? selectedId : next?.interventionId
    setReceipt({ text: `${sentence}: ${title}`, tone: sentence.startsWith('Approved') ? 'good' : 'idle', shownWith })
    if (view === 'decided') return
    if (next) open(next)
    else void navigate({ to: '/inbox', search: true })
  }
  return (
    <Page title="Inbox" tab={total ? `(${total}) Inbox` : 'Inbox'} isWide actions={<InboxFilters />}>
      <div className="panes" data-chosen={selectedId !== undefined || undefined}>
        <section className="pane pane-list" aria-label="Interventions">
          {canPick && (
            <BulkAnswers
              items={items.filter(({ interventionId }) => picked.has(interventionId))}
              onDone={() => setPicked(NONE)}
            />
          )}
          <ReadList
            query={list}
            empty={[NOTHING[view], 'New questions of runs appear here by themselves.']}
            className="item-list"
            keyOf={({ interventionId }) => interventionId}
          >
            {item => (
              <InboxItem
                item={item}
                isChosen={item.interventionId === selectedId}
                isPicked={picked.has(item.interventionId)}
                onPick={canPick ? pick : undefined}
              />
            )}
          </ReadList>
        </section>
        <section className="pane pane-detail" aria-label="The chosen intervention">
          <p role="status" className="receipt" data-tone={current?.tone} hidden={!current}>
            {current?.text}
          </p>
          {selectedId ? (
            <>
              <Link to="/inbox" search={true} className="detail-back">
                <IconArrowLeft size={16} aria-hidden /> All
              </Link>
              <Detail key={selectedId} id={selectedId} onAnswered={goOn} />
            </>
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

/** The interventions of a list, with the next that is due first. */
function useInbox({ view = 'mine', kind }: InboxSearch) {
  const { groups } = useSignedIn().session
  const narrowing = {
    mine: { status: ['open' as const], mine: 'true' as const, sort: 'due' as const },
    groups: { status: ['open' as const], assignee: groups, sort: 'due' as const },
    all: { status: ['open' as const], sort: 'due' as const },
    decided: { status: ['decided' as const, 'timed_out' as const, 'cancelled' as const], sort: 'closed' as const },
  }[view]
  return useReadPages(
    ['interventions', 'list', view, kind],
    async ({ interventions }, page) =>
      // Without groups, none of them is asked.
      view === 'groups' && groups.length === 0
        ? { data: [], total: 0 }
        : interventions.list({ ...narrowing, kind, ...page }),
    { refetchInterval: REFRESH_MS },
  )
}

const KIND_LABELS = buildChoices(KINDS, formatLabel)

/** The list and the kind; both are in the address. */
function InboxFilters() {
  const search = route.useSearch()
  const { session } = useSignedIn()
  const navigate = useNavigate()
  const set = (fields: InboxSearch) => void navigate({ to: '/inbox', search: { ...search, ...fields } })
  const { mine, groups, open: all } = useCounts() ?? {}
  const counts: Record<string, number | undefined> = { mine, groups, all }
  const views = Object.entries(VIEWS)
    // Who has no groups has no list of them.
    .filter(([view]) => view !== 'groups' || session.groups.length > 0)
    .map(([view, label]) => [view, counts[view] === undefined ? label : `${label} (${counts[view]})`])
  return (
    <>
      <Views
        label="List"
        value={search.view ?? 'mine'}
        views={Object.fromEntries(views) as Partial<typeof VIEWS>}
        onChange={view => set({ view })}
      />
      <Choice
        aria-label="Kind"
        none="All kinds"
        value={search.kind}
        options={KIND_LABELS}
        onChange={kind => set({ kind })}
      />
    </>
  )
}

const KEYS = {
  j: 'the next one',
  k: 'the one before',
  x: 'choose it, to answer several at once',
  Enter: 'to the answer',
  a: 'approve: write a comment or not, then Enter',
  r: 'reject: write a comment or not, then Enter',
  '?': 'these keys',
}

const ShortcutHelp = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Modal opened={isOpen} onClose={onClose} title="Keys of the inbox">
    <dl className="values">
      {Object.entries(KEYS).map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <Kbd>{key}</Kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </Modal>
)
