import { Button, Group, Title } from '@mantine/core'
import { IconFolderSymlink } from '@tabler/icons-react'
import { useState } from 'react'
import { useSignedIn } from '../service/signed-in.tsx'
import { MoveDialog } from './move.tsx'
import { FOLDER } from './place.ts'

/** A folder: uploads go here while it is chosen, and it is moved with everything in it. */
export function Folder({ path, onMoved }: { path: string; onMoved: (place: string | undefined) => void }) {
  const { can } = useSignedIn()
  const [isMoving, setMoving] = useState(false)
  const mayWrite = can('resources:write')
  return (
    <article className="detail">
      <Title order={2} size="h3">
        {path}
      </Title>
      {mayWrite && <p className="detail-text">Files that you upload now go into this folder.</p>}
      {mayWrite && path !== '/' && (
        <Group>
          <MoveButton onClick={() => setMoving(true)} />
        </Group>
      )}
      {isMoving && (
        <MoveDialog place={`${FOLDER}:${path}`} onClose={() => setMoving(false)} onMoved={() => onMoved(undefined)} />
      )}
    </article>
  )
}

export const MoveButton = ({ onClick }: { onClick: () => void }) => (
  <Button size="xs" variant="default" leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={onClick}>
    Move…
  </Button>
)
