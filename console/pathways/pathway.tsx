import type { PathwayDefinition } from '@ganglion/client'
import { Button, NativeSelect, Tabs } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ChangeEvent, lazy, Suspense, useCallback, useMemo } from 'react'
import { toGraph } from '../graph/graph.ts'
import { GraphView } from '../graph/graph-view.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { LongJson } from '../parts/long-json.tsx'
import { Page } from '../parts/page.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { findNode } from './find-node.ts'
import { readPathwaySearch } from './search.ts'
import { toVersionOption, usePathwayQuery, useVersionsQuery } from './queries.ts'

const Difference = lazy(() => import('./difference.tsx'))
const StartForm = lazy(() => import('./start-form.tsx'))
const route = getRouteApi('/pathways/$pathwayId')

/** A pathway at one of its versions: its graph, its definition, and the form that starts it. */
export function Pathway() {
  const { pathwayId } = route.useParams()
  const { version, against } = route.useSearch()
  const { ganglion, can } = useSignedIn()
  const { data, error, refetch } = useQuery(usePathwayQuery(pathwayId, version))
  const definition = data?.definition
  return (
    <Page title={data?.title ?? 'Pathway'} isWide actions={<Actions />}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.description && <p className="detail-text">{data.description}</p>}
      {definition && (
        <Tabs key={against} defaultValue={against ? 'difference' : 'graph'} keepMounted={false}>
          <Tabs.List mb="md">
            {against && <Tabs.Tab value="difference">Difference</Tabs.Tab>}
            <Tabs.Tab value="graph">Graph</Tabs.Tab>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
            {can('jobs:start') && <Tabs.Tab value="start">Start a run</Tabs.Tab>}
          </Tabs.List>
          {against && (
            <Tabs.Panel value="difference">
              <Suspense fallback={<Loading />}>
                <Difference
                  pathwayId={pathwayId}
                  from={Math.min(against, data.version)}
                  to={Math.max(against, data.version)}
                />
              </Suspense>
            </Tabs.Panel>
          )}
          <Tabs.Panel value="graph">
            <DefinitionGraph definition={definition} />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <LongJson value={definition} name={pathwayId} />
          </Tabs.Panel>
          <Tabs.Panel value="start">
            <div className="pane run-box start">
              <Suspense fallback={<Loading />}>
                <StartForm
                  schema={definition.input}
                  start={input => ganglion.pathways.execute(version ? `${pathwayId}@${version}` : pathwayId, { input })}
                />
              </Suspense>
            </div>
          </Tabs.Panel>
        </Tabs>
      )}
      {data && (
        <p className="item-note">
          <Link to="/runs" search={{ pathway: data.slug }} className="table-link">
            Runs of this pathway
          </Link>
        </p>
      )}
    </Page>
  )
}

function Actions() {
  const { pathwayId } = route.useParams()
  const { can } = useSignedIn()
  return (
    <>
      <Versions />
      {can('resources:write') && (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          component={Link}
          to={`/pathways/${pathwayId}/edit`}
        >
          Edit
        </Button>
      )}
    </>
  )
}

/** The versions, latest first, each with who saved it and why; and the one to compare with. */
function Versions() {
  const { pathwayId } = route.useParams()
  const search = route.useSearch()
  const set = useSetSearch(readPathwaySearch, false)
  const { data = [] } = useQuery(useVersionsQuery(pathwayId))
  const choose = (name: 'version' | 'against') => (event: ChangeEvent<HTMLSelectElement>) =>
    set({ node: undefined, [name]: Number(event.currentTarget.value) || undefined })
  const options = data.map(toVersionOption)
  return (
    <>
      <NativeSelect
        aria-label="Version"
        value={search.version ?? ''}
        onChange={choose('version')}
        data={[{ value: '', label: 'Latest version' }, ...options]}
      />
      <NativeSelect
        aria-label="Compare with"
        value={search.against ?? ''}
        onChange={choose('against')}
        data={[{ value: '', label: 'Compare with…' }, ...options]}
      />
    </>
  )
}

function DefinitionGraph({ definition }: { definition: PathwayDefinition }) {
  const { pathwayId } = route.useParams()
  const { node } = route.useSearch()
  const set = useSetSearch(readPathwaySearch)
  const graph = useMemo(() => toGraph(definition), [definition])
  const select = useCallback((node: string) => set({ node }), [set])
  const chosen = node === undefined ? undefined : findNode(definition, node)
  return (
    <div className="run-nodes" data-chosen={chosen !== undefined || undefined}>
      <section className="pane run-view" aria-label="Graph">
        <div className="graph">
          <GraphView graph={graph} selected={node} onSelect={select} />
        </div>
      </section>
      {chosen !== undefined && (
        <section className="pane run-panel" aria-label="The chosen node">
          <LongJson value={chosen} name={`${pathwayId}-node`} />
        </section>
      )}
    </div>
  )
}
