import { Link } from '@tanstack/react-router'
import { When } from '../shared/parts/inline.tsx'
import { Page } from '../shared/parts/page.tsx'
import { ReadList } from '../shared/parts/read.tsx'
import { useRead } from '../shared/service/use-service.ts'

const MAX_LISTED = 200

/** The stakeholder maps that the person can access. */
export function StakeholderMaps() {
  const maps = useRead(['resources', 'maps'], ({ browse }) =>
    browse.list({ type: 'stakeholder_maps', limit: MAX_LISTED }),
  )
  return (
    <Page title="Stakeholders">
      <ReadList
        query={maps}
        empty={['No maps', 'A map shows people and their relations.']}
        className="tiles tiles-wide"
        keyOf={({ id }) => id}
      >
        {({ id, title, path, version, updated_at }) => (
          <Link to="/stakeholders/$mapId" params={{ mapId: id }} className="tile">
            <span className="item-title">{title}</span>
            <span className="tile-hint">
              version {version} in {path}, changed <When time={updated_at} />
            </span>
          </Link>
        )}
      </ReadList>
    </Page>
  )
}
