import './run.css'
import type { JobDetail, Schema } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Asked } from '../people/interventions/detail.tsx'
import { Box } from '../shared/parts/boxes.tsx'
import { RunLink } from '../shared/parts/inline.tsx'
import { Loading, showLater } from '../shared/parts/loading.tsx'
import { replaceUnderscores } from '../shared/parts/names.ts'
import { Page } from '../shared/parts/page.tsx'
import { Failure, Read } from '../shared/parts/read.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { Facts, Json, Value } from '../shared/parts/values.tsx'
import { Views } from '../shared/parts/views.tsx'
import { RunActions } from './actions.tsx'
import { useRunStream } from './follow.ts'
import { RunHeader } from './header.tsx'
import { NodeTable, Timeline } from './node-lists.tsx'
import { NodePanel } from './node-panel.tsx'
import { useDefinition, useRun } from './queries.ts'
import { readRunSearch, VIEWS } from './search.ts'

const RunGraph = showLater(() => import('./run-graph.tsx'))
const route = getRouteApi('/runs/$jobId')

/** A run: its status, its open task, and its nodes as graph, timeline and table with a shared selection. */
export function Run() {
  const { jobId } = route.useParams()
  const query = useRun(jobId)
  const run = query.data
  return (
    <Page title={run ? run.title || 'Removed run' : 'Run'} isWide actions={run && <RunActions run={run} />}>
      <Read query={query}>{read => <LoadedRun key={jobId} run={read} />}</Read>
    </Page>
  )
}

function LoadedRun({ run }: { run: JobDetail }) {
  const { texts, connection } = useRunStream(run.job_id, run.finished_at === null)
  return (
    <>
      <RunHeader run={run} connection={connection} />
      <Asked run={run} label="Open task" />
      <Nodes run={run} texts={texts} />
      <Outcome run={run} />
    </>
  )
}

function Nodes({ run, texts }: { run: JobDetail; texts: Record<string, string> }) {
  const { data: pinned, error, refetch } = useDefinition(run)
  const definition = pinned?.definition
  const { view: requestedView, node } = route.useSearch()
  const set = useSetSearch(readRunSearch)
  // The back button closes the node panel instead of stepping through each selected node.
  const open = useSetSearch(readRunSearch, node !== undefined)
  const select = useCallback((node: string | undefined) => open({ node }), [open])
  const failure = error && !isUnknown(error) && <Failure error={error} onRetry={() => void refetch()} />
  // Only pathway runs have a graph. Its space is reserved while it loads.
  const hasGraph = run.kind === 'pathway' && !error
  if (run.nodes.length === 0 && !hasGraph) return failure
  const view = hasGraph ? (requestedView ?? 'graph') : requestedView === 'table' ? 'table' : 'timeline'
  const { graph, ...others } = VIEWS
  return (
    <div className="run-nodes" data-chosen={node !== undefined || undefined}>
      <section className="pane run-view" aria-label="Nodes">
        {failure}
        <Views
          label="Node view"
          value={view}
          views={hasGraph ? { graph, ...others } : others}
          onChange={view => set({ view })}
        />
        {view === 'graph' && (
          <div className="run-graph">
            {definition ? (
              <RunGraph definition={definition} nodes={run.nodes} selected={node} onSelect={select} />
            ) : (
              <Loading />
            )}
          </div>
        )}
        {view === 'timeline' && <Timeline run={run} selected={node} onSelect={select} />}
        {view === 'table' && <NodeTable run={run} selected={node} onSelect={select} />}
      </section>
      {node !== undefined && (
        <NodePanel nodeKey={node} run={run} text={joinTexts(texts, node)} onClose={() => select(undefined)} />
      )}
    </div>
  )
}

/** A deleted run has no definition. */
const isUnknown = (error: unknown): boolean => APIError.is(error) && error.status === 404

/** Joins the text streamed by a node and by the agent run it started. */
function joinTexts(texts: Record<string, string>, node: string): string | undefined {
  const keys = Object.keys(texts).filter(key => key === node || key.startsWith(`${node}/`))
  return keys.length > 0 ? keys.map(key => texts[key]).join('\n\n') : undefined
}

/** The input and result of a run. */
const Outcome = ({ run: { input, result, receipt = [], bulk } }: { run: JobDetail }) => (
  <div className="run-outcome">
    {receipt.length > 0 && (
      <Box title="Receipt" label="Cancellation receipt">
        <ul className="plain-list">
          {receipt.map(({ key, outcome, message }) => (
            <li key={key + outcome}>
              <strong>{key}</strong> {replaceUnderscores(outcome)}
              {message && `: ${message}`}
            </li>
          ))}
        </ul>
      </Box>
    )}
    {bulk && <BulkReport report={bulk} />}
    {result !== undefined && result !== null && (
      <Box title="Result">
        <Value value={result} isMarkdown />
      </Box>
    )}
    {!isEmpty(input) && (
      <Box title="Input">
        <Json value={input} />
      </Box>
    )}
  </div>
)

const isEmpty = (input: unknown): boolean =>
  input === undefined || input === null || (typeof input === 'object' && Object.keys(input).length === 0)

/** The progress of a bulk job, and the runs to which its operation was not applied. */
const BulkReport = ({ report: { matched, done, skipped, failed, problems } }: { report: Schema<'BulkReport'> }) => (
  <Box title="Runs" label="Runs in the bulk job">
    <Facts>
      {`${matched} in total`}
      {`${done} done`}
      {`${skipped} skipped`}
      {`${failed} failed`}
    </Facts>
    {problems.length > 0 && (
      <ul className="plain-list">
        {problems.map(({ job_id, outcome, message }) => (
          <li key={job_id}>
            <RunLink jobId={job_id}>{job_id}</RunLink>{' '}
            <span className="item-note">
              {outcome}: {message}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Box>
)
