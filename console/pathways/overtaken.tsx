import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { When } from '../shared/parts/inline.tsx'
import { Person } from '../shared/parts/person.tsx'
import { useVersions } from './queries.ts'

interface OvertakenProps {
  pathwayId: string
  /** The version that the person is editing. */
  since: number | undefined
  onKeep: () => void
  onTake: () => void
}

/**
 * Warns that a newer version was saved during editing, and lets the person choose between the draft and that version.
 */
export function Overtaken({ pathwayId, since, onKeep, onTake }: OvertakenProps) {
  const { data: [latest] = [] } = useVersions(pathwayId)
  if (!latest) return null
  const { version, author, note, created_at } = latest
  return (
    <div className="refusal" role="alert">
      <p>
        Version {version} was saved by <Person actor={author} />, <When time={created_at} />
        {note && `: ${note}`}. Your draft is kept.
      </p>
      <Group>
        <Button size="xs" variant="default" onClick={onKeep}>
          Keep my draft and save it over version {version}
        </Button>
        <Button size="xs" variant="default" onClick={onTake}>
          Switch to version {version}
        </Button>
        <Link
          to="/pathways/$pathwayId"
          params={{ pathwayId }}
          search={{ version, against: since }}
          target="_blank"
          className="table-link"
        >
          Show changes
        </Link>
      </Group>
    </div>
  )
}
