import { Code, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { toCountText } from '../inbox/count-text.ts'
import type { View } from '../inbox/search.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { Failure } from '../parts/failure.tsx'
import { toName } from '../parts/names.ts'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { useOverview } from './overview.ts'

/** The first page: what waits for the person, and how the runs of the workspace stand. */
export function Home() {
  const { session, version } = useSignedIn()
  const { data, error, refetch } = useQuery(useOverview())
  return (
    <Page title={`Hello ${toName(session.actor)}`} tab="Overview">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <section className="tiles" aria-label="What waits">
        <Tile view="mine" label="Waiting for you" value={data?.waiting?.mine} hint="you may answer these now" />
        <Tile
          view="groups"
          label="Waiting for your groups"
          value={data?.waiting?.groups}
          hint="assigned to a group of yours"
        />
        <Tile view="all" label="Waiting for anybody" value={data?.waiting?.open} hint="open in the workspace" />
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

interface TileProps {
  view: View
  label: string
  value: number | undefined
  hint: string
}

const Tile = ({ view, label, value, hint }: TileProps) => (
  <Link to="/inbox" search={{ view }} className="tile">
    <span className="tile-label">{label}</span>
    <span className="tile-value">{value === undefined ? '–' : toCountText(value)}</span>
    <span className="tile-hint">{hint}</span>
  </Link>
)
