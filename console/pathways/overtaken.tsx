import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { When } from '../shared/parts/inline.tsx'
import { formatActor } from '../shared/parts/names.ts'
import { useVersions } from './queries.ts'

interface OvertakenProps {
  pathwayId: string
  /** The version that the person changes. */
  since: number | undefined
  onKeep: () => void
  onTake: () => void
}

/** Says that a version was saved since the one that a person changes, and lets the person choose. */
export function Overtaken({ pathwayId, since, onKeep, onTake }: OvertakenProps) {
  const { data: [latest] = [] } = useVersions(pathwayId)
  if (!latest) return null
  const { version, author, note, created_at } = latest
  return (
    <div className="refusal" role="alert">
      <p>
        Version {version} was saved by {formatActor(author)}, <When time={created_at} />
        {note && `: ${note}`}. Your text is kept.
      </p>
      <Group>
        <Button size="xs" variant="default" onClick={onKeep}>
          Keep my text, to save it over version {version}
        </Button>
        <Button size="xs" variant="default" onClick={onTake}>
          Take version {version}
        </Button>
        <Link
          to="/pathways/$pathwayId"
          params={{ pathwayId }}
          search={{ version, against: since }}
          target="_blank"
          className="table-link"
        >
          What it changed
        </Link>
      </Group>
    </div>
  )
}
