import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'

const MAX_LISTED = 200

/** The pathways that the person may see. */
export function Pathways() {
  const { ganglion, brainId, can } = useSignedIn()
  const { data, error, refetch } = useQuery({
    queryKey: ['resources', 'pathways', brainId],
    queryFn: async () => (await ganglion.pathways.list({ limit: MAX_LISTED })).data,
  })
  return (
    <Page
      title="Pathways"
      actions={
        can('resources:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} component={Link} to="/new-pathway">
            New pathway
          </Button>
        )
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <Empty title="No pathways">A pathway is a graph of steps that runs follow.</Empty>}
      <ul className="tiles tiles-wide">
        {data?.map(({ id, slug, title, description, version, updated_at, is_active }) => (
          <li key={id}>
            <Link to="/pathways/$pathwayId" params={{ pathwayId: slug }} className="tile">
              <span className="item-title">{title}</span>
              {description && <span>{description}</span>}
              <span className="tile-hint">
                version {version}, changed <When time={updated_at} />
                {!is_active && ', not active'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
