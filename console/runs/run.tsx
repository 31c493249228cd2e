import './run.css'
import type { JobDetail } from '@ganglion/client'
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback } from 'react'
import { Asked } from '../interventions/asked.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { Json, Value } from '../parts/value.tsx'
import { RunActions } from './actions.tsx'
import { BulkReport } from './bulk-report.tsx'
import { useRunStream } from './follow.ts'
import { RunHeader } from './header.tsx'
import { NodePanel } from './node-panel.tsx'
import { NodeTable } from './node-table.tsx'
import { useDefinitionQuery, useRunQuery } from './queries.ts'
import { readRunSearch, type RunView, VIEWS } from './run-search.ts'
import { Timeline } from './timeline.tsx'

const RunGraph = lazy(() => import('./run-graph.tsx'))
const route = getRouteApi('/runs/$jobId')

/** A run: where it stands, what it asks, and its nodes as graph, timeline and table of one selection. */
export function Run() {
  const { jobId } = route.useParams()
  const { data: run, error, refetch } = useQuery(useRunQuery(jobId))
  if (error && !run)
    return (
      <Page title="Run">
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    )
  return run ? <LoadedRun key={jobId} run={run} /> : <Loading />
}

function LoadedRun({ run }: { run: JobDetail }) {
  const isOpen = run.finished_at === null
  const { texts, connection } = useRunStream(run.job_id, isOpen)
  return (
    <Page title={run.title || 'Removed run'} isWide actions={<RunActions run={run} />}>
      <RunHeader run={run} connection={connection} />
      <Asked run={run} label="What the run asks" />
      <Nodes run={run} texts={texts} />
      <Outcome run={run} />
    </Page>
  )
}

function Nodes({ run, texts }: { run: JobDetail; texts: Record<string, string> }) {
  const { data: pinned } = useQuery(useDefinitionQuery(run))
  const definition = pinned?.definition
  const { view = definition ? 'graph' : 'timeline', node } = route.useSearch()
  const set = useSetSearch(readRunSearch)
  // Going back closes a node that was opened, and does not pass through all that were chosen after it.
  const open = useSetSearch(readRunSearch, node !== undefined)
  const select = useCallback((node: string | undefined) => open({ node }), [open])
  if (run.nodes.length === 0 && !definition) return null
  const views = Object.entries(VIEWS).filter(([name]) => definition || name !== 'graph')
  return (
    <div className="run-nodes" data-chosen={node !== undefined || undefined}>
      <section className="pane run-view" aria-label="Nodes">
        <SegmentedControl
          size="xs"
          aria-label="View of the nodes"
          value={view}
          onChange={value => set({ view: value as RunView })}
          data={views.map(([value, label]) => ({ value, label }))}
        />
        <Suspense fallback={<Loading />}>
          {view === 'graph' && definition && (
            <RunGraph definition={definition} nodes={run.nodes} selected={node} onSelect={select} />
          )}
        </Suspense>
        {view === 'timeline' && <Timeline run={run} selected={node} onSelect={select} />}
        {view === 'table' && <NodeTable nodes={run.nodes} selected={node} onSelect={select} />}
      </section>
      {node !== undefined && (
        <NodePanel nodeKey={node} run={run} text={joinTexts(texts, node)} onClose={() => select(undefined)} />
      )}
    </div>
  )
}

/** What a node has streamed, and the run of an agent that it has started. */
function joinTexts(texts: Record<string, string>, node: string): string | undefined {
  const own = Object.keys(texts).filter(key => key === node || key.startsWith(`${node}/`))
  return own.length > 0 ? own.map(key => texts[key]).join('\n\n') : undefined
}

/** What the run was given, and what it gave. */
function Outcome({ run }: { run: JobDetail }) {
  const { input, result, receipt, bulk } = run
  return (
    <div className="run-outcome">
      {receipt && receipt.length > 0 && (
        <section className="pane run-box" aria-label="Receipt of the cancel">
          <h2>Receipt</h2>
          <ul className="plain-list">
            {receipt.map(({ key, outcome, message }) => (
              <li key={key + outcome}>
                <strong>{key}</strong> {outcome.replaceAll('_', ' ')}
                {message && `: ${message}`}
              </li>
            ))}
          </ul>
        </section>
      )}
      {bulk && <BulkReport report={bulk} />}
      {result !== undefined && result !== null && (
        <section className="pane run-box" aria-label="Result">
          <h2>Result</h2>
          <Value value={result} />
        </section>
      )}
      {!isEmpty(input) && (
        <section className="pane run-box" aria-label="Input">
          <h2>Input</h2>
          <Json value={input} />
        </section>
      )}
    </div>
  )
}

const isEmpty = (input: unknown): boolean =>
  input === undefined || input === null || (typeof input === 'object' && Object.keys(input).length === 0)
