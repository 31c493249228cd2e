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
const EMPTY_TEXTS = {
  mine: 'No tasks for you',
  groups: 'No tasks for your groups',
  all: 'No open tasks',
  decided: 'No decided tasks',
}

/** Confirmation of an answer. */
interface Receipt {
  text: string
  tone: 'good' | 'idle'
  /** The selected task. The confirmation disappears when the person selects another task. */
  shownWith: string | undefined
}

/** Tasks for people: the list, with the selected task next to it. */
export function Inbox() {
  const search = route.useSearch()
  const { view = 'mine' } = search
  const { interventionId: selectedId } = useParams({ strict: false })
  const list = useInbox(search)
  const { data: items = [], total } = list.data ?? {}
  const [receipt, setReceipt] = useState<Receipt>()
  // The confirmation disappears when the person selects another task.
  const current = receipt?.shownWith === selectedId ? receipt : undefined
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [picked, setPicked] = useState(NONE)
  const { can } = useSignedIn()
  const canPick = view !== 'decided' && can('interventions:answer')
  const pick = (id: string) => setPicked(before => before.symmetricDifference(new Set([id])))
  const navigate = useNavigate()
  const open = ({ interventionId }: Intervention) =>
    void navigate({ to: '/inbox/$interventionId', params: { interventionId }, search: true })
  /** Returns the task before or after the selected task. Without a selection, returns the first task. */
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
        <section className="pane pane-list" aria-label="Tasks">
          {canPick && (
            <BulkAnswers
              items={items.filter(({ interventionId }) => picked.has(interventionId))}
              onDone={() => setPicked(NONE)}
            />
          )}
          <ReadList
            query={list}
            empty={[EMPTY_TEXTS[view], 'New tasks appear here automatically.']}
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
        <section className="pane pane-detail" aria-label="Selected task">
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
            <Empty title={items.length > 0 ? 'Select a task' : 'All done'}>
              <Kbd>j</Kbd> and <Kbd>k</Kbd> move through the list, <Kbd>?</Kbd> shows all shortcuts.
            </Empty>
          )}
        </section>
      </div>
      <ShortcutHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </Page>
  )
}

/** Loads the tasks in a list, earliest due date first. */
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
      // A person without groups has no tasks for groups.
      view === 'groups' && groups.length === 0
        ? { data: [], total: 0 }
        : interventions.list({ ...narrowing, kind, ...page }),
    { refetchInterval: REFRESH_MS },
  )
}

const KIND_LABELS = buildChoices(KINDS, formatLabel)

/** The list and kind selectors. Both are stored in the URL. */
function InboxFilters() {
  const search = route.useSearch()
  const { session } = useSignedIn()
  const navigate = useNavigate()
  const set = (fields: InboxSearch) => void navigate({ to: '/inbox', search: { ...search, ...fields } })
  const { mine, groups, open: all } = useCounts() ?? {}
  const counts: Record<string, number | undefined> = { mine, groups, all }
  const views = Object.entries(VIEWS)
    // Hidden for people without groups.
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
  j: 'next task',
  k: 'previous task',
  x: 'select, to answer several tasks at once',
  Enter: 'go to the answer',
  a: 'approve: add an optional comment, then press Enter',
  r: 'reject: add an optional comment, then press Enter',
  '?': 'show these shortcuts',
}

const ShortcutHelp = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts">
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
