import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { When } from '../shared/parts/inline.tsx'
import { Page } from '../shared/parts/page.tsx'
import { ReadList } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'

const MAX_LISTED = 200

/** The pathways that the person can access. */
export function Pathways() {
  const { can } = useSignedIn()
  const list = useRead(['resources', 'pathways'], ({ pathways }) => pathways.list({ limit: MAX_LISTED }))
  return (
    <Page
      title="Workflows"
      actions={
        can('resources:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} component={Link} to="/new-pathway">
            New workflow
          </Button>
        )
      }
    >
      <ReadList
        query={list}
        empty={['No workflows', 'A workflow (pathway) is a graph of steps.']}
        className="tiles tiles-wide"
        keyOf={({ id }) => id}
      >
        {({ slug, title, description, version, updated_at, is_active }) => (
          <Link to="/pathways/$pathwayId" params={{ pathwayId: slug }} className="tile">
            <span className="item-title">{title}</span>
            {description && <span>{description}</span>}
            <span className="tile-hint">
              version {version}, changed <When time={updated_at} />
              {!is_active && ', not active'}
            </span>
          </Link>
        )}
      </ReadList>
    </Page>
  )
}
