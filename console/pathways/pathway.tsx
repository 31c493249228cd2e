import type { Pathway as StoredPathway } from '@ganglion/client'
import { Button, Tabs } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { GraphView } from './graph/graph-view.tsx'
import { parseGraph } from './graph/graph.ts'
import { VersionChoice } from '../shared/parts/choice.tsx'
import { showLater } from '../shared/parts/loading.tsx'
import { Page } from '../shared/parts/page.tsx'
import { Read } from '../shared/parts/read.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { LongJson, Markdown } from '../shared/parts/values.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { findNode } from './find-node.ts'
import { usePathway, useVersions } from './queries.ts'
import { readPathwaySearch } from './search.ts'

const Difference = showLater(() => import('./difference.tsx'))
const StartForm = showLater(() => import('./start-form.tsx'))
const route = getRouteApi('/pathways/$pathwayId')

/** A pathway at one of its versions: its graph, its definition, and its start form. */
export function Pathway() {
  const { pathwayId } = route.useParams()
  const pathway = usePathway(pathwayId, route.useSearch().version)
  return (
    <Page title={pathway.data?.title ?? 'Workflow'} isWide actions={<Actions />}>
      <Read query={pathway}>{pathway => <Version pathway={pathway} />}</Read>
    </Page>
  )
}

function Version({ pathway: { slug, version: shownVersion, description, definition } }: { pathway: StoredPathway }) {
  const { pathwayId } = route.useParams()
  const { version, against } = route.useSearch()
  const { ganglion, can } = useSignedIn()
  return (
    <>
      {description && <Markdown text={description} />}
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
              <Difference
                pathwayId={pathwayId}
                from={Math.min(against, shownVersion)}
                to={Math.max(against, shownVersion)}
              />
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
              <StartForm
                schema={definition.input}
                start={input => ganglion.pathways.execute(version ? `${pathwayId}@${version}` : pathwayId, { input })}
              />
            </div>
          </Tabs.Panel>
        </Tabs>
      )}
      <p className="item-note">
        <Link to="/runs" search={{ pathway: slug }} className="table-link">
          Runs of this workflow
        </Link>
      </p>
    </>
  )
}

/** Version selectors, newest first with author and note, and the edit button. */
function Actions() {
  const { pathwayId } = route.useParams()
  const { version, against } = route.useSearch()
  const { can } = useSignedIn()
  const set = useSetSearch(readPathwaySearch, false)
  const { data: versions } = useVersions(pathwayId)
  return (
    <>
      <VersionChoice
        aria-label="Version"
        none="Latest version"
        value={version}
        versions={versions}
        onChange={version => set({ node: undefined, version })}
      />
      <VersionChoice
        aria-label="Compare with"
        none="Compare with…"
        value={against}
        versions={versions}
        onChange={against => set({ node: undefined, against })}
      />
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

function DefinitionGraph({ definition }: { definition: unknown }) {
  const { pathwayId } = route.useParams()
  const { node } = route.useSearch()
  const set = useSetSearch(readPathwaySearch)
  const graph = useMemo(() => parseGraph(definition), [definition])
  const select = useCallback((node: string) => set({ node }), [set])
  const selectedNode = node === undefined ? undefined : findNode(definition, node)
  return (
    <div className="run-nodes" data-chosen={selectedNode !== undefined || undefined}>
      <section className="pane run-view" aria-label="Graph">
        <GraphView graph={graph} selected={node} onSelect={select} />
      </section>
      {selectedNode !== undefined && (
        <section className="pane run-panel" aria-label="Selected node">
          <LongJson value={selectedNode} name={`${pathwayId}-node`} />
        </section>
      )}
    </div>
  )
}
