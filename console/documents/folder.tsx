import { Group, Title } from '@mantine/core'
import { useSignedIn } from '../service/signed-in.tsx'
import { MoveButton } from './move.tsx'
import { FOLDER } from './place.ts'

/** A folder: uploads go here while it is chosen, and it is moved with everything in it. */
export function Folder({ path, onMoved }: { path: string; onMoved: (place: string | undefined) => void }) {
  const { can } = useSignedIn()
  const mayWrite = can('resources:write')
  return (
    <article className="detail">
      <Title order={2} size="h3">
        {path}
      </Title>
      {mayWrite && <p className="detail-text">Files that you upload now go into this folder.</p>}
      {mayWrite && path !== '/' && (
        <Group>
          <MoveButton place={`${FOLDER}:${path}`} onMoved={() => onMoved(undefined)} />
        </Group>
      )}
    </article>
  )
}
