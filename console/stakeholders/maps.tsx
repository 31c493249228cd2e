import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'

const MAX_LISTED = 200

/** The stakeholder maps that the person may see. */
export function StakeholderMaps() {
  const { ganglion, brainId } = useSignedIn()
  const { data, error, refetch } = useQuery({
    queryKey: ['resources', 'maps', brainId],
    queryFn: async () => (await ganglion.browse.list({ type: 'stakeholder_maps', limit: MAX_LISTED })).data,
  })
  return (
    <Page title="Stakeholders">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <Empty title="No maps">A map has people and the relations between them.</Empty>}
      <ul className="tiles tiles-wide">
        {data?.map(({ id, title, path, version, updated_at }) => (
          <li key={id}>
            <Link to="/stakeholders/$mapId" params={{ mapId: id }} className="tile">
              <span className="item-title">{title}</span>
              <span className="tile-hint">
                version {version} in {path}, changed <When time={updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
