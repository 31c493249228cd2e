import { Code, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatLimitedCount } from '../people/counts.ts'
import { Status } from './parts/inline.tsx'
import { formatActor } from './parts/names.ts'
import { Page } from './parts/page.tsx'
import { Failure } from './parts/read.tsx'
import { countStatus, STATUSES } from '../runs/search.ts'
import { useSignedIn } from './service/signed-in.tsx'
import { useRead } from './service/use-service.ts'

const TILES = [
  { view: 'mine', label: 'Your tasks', count: 'mine', hint: 'ready for your answer' },
  { view: 'groups', label: 'Tasks for your groups', count: 'groups', hint: 'assigned to one of your groups' },
  { view: 'all', label: 'All open tasks', count: 'open', hint: 'in the workspace' },
] as const

/** The start page: open tasks and run counts, limited to what the person can access. */
export function Home() {
  const { session, version, can } = useSignedIn()
  const { data, error, refetch } = useRead(
    ['overview'],
    async ({ interventions, jobs }) => {
      const [waiting, runs] = await Promise.all([
        can('interventions:read') ? interventions.counts() : undefined,
        can('jobs:read') ? jobs.counts({ child_runs: 'false' }) : undefined,
      ])
      return { waiting, runs: runs ? STATUSES.map(status => ({ status, count: countStatus(runs, status) })) : [] }
    },
    { refetchInterval: 15_000 },
  )
  return (
    <Page title={`Hello ${session.display_name ?? formatActor(session.actor)}`} tab="Overview">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <section className="tiles" aria-label="Open tasks">
        {TILES.map(({ view, label, count, hint }) => (
          <Link key={view} to="/inbox" search={{ view }} className="tile">
            <span className="tile-label">{label}</span>
            <span className="tile-value">{data?.waiting ? formatLimitedCount(data.waiting[count]) : '–'}</span>
            <span className="tile-hint">{hint}</span>
          </Link>
        ))}
      </section>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Runs
      </Title>
      <section className="tiles tiles-small" aria-label="Runs by status">
        {data?.runs.map(({ status, count }) => (
          <Link key={status} to="/runs" search={{ status }} className="tile">
            <Status status={status} />
            <span className="tile-value">{count}</span>
          </Link>
        ))}
      </section>
      <Text size="sm" c="dimmed" mt="xl">
        Ganglion <Code>{version}</Code>, workspace <Code>{session.workspace.slug}</Code>
      </Text>
    </Page>
  )
}
