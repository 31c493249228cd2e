import { Button, Group, Modal, TextInput } from '@mantine/core'
import { IconFolderSymlink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { DialogButton } from '../parts/dialog-button.tsx'
import { Failure } from '../parts/failure.tsx'
import { useChange } from '../service/use-change.ts'
import { FOLDER, readPlace } from './place.ts'
import { useFolderNamesQuery } from './queries.ts'

/** Moves a document or a folder, given by its place, into the folder of a path. */
export const useMove = () =>
  useChange('resources', (ganglion, { place, path }: { place: string; path: string }) => {
    const { kind = '', ref = '' } = readPlace(place) ?? {}
    return ganglion.resources.move(kind === FOLDER ? { folders: [ref], path } : { resource_ids: [ref], path })
  })

interface MoveDialogProps {
  place: string
  onClose: () => void
  onMoved?: () => void
}

/** Asks for the folder to move to: one that is there, or a new one. */
export function MoveDialog({ place, onClose, onMoved = onClose }: MoveDialogProps) {
  const [path, setPath] = useState('/')
  const { data: folders = [] } = useQuery(useFolderNamesQuery())
  const listId = useId()
  const move = useMove()
  return (
    <Modal opened onClose={onClose} title="Move to">
      <form
        className="fields"
        onSubmit={event => {
          event.preventDefault()
          move.mutate({ place, path: path.trim() }, { onSuccess: onMoved })
        }}
      >
        <TextInput
          label="Folder"
          description="Such as /contracts/2026; one that does not exist is made."
          list={listId}
          data-autofocus
          value={path}
          onChange={event => setPath(event.currentTarget.value)}
        />
        <datalist id={listId}>
          {folders.map(folder => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
        {move.error && <Failure error={move.error} />}
        <Group>
          <Button type="submit" loading={move.isPending}>
            Move
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** Opens the dialog of a move. */
export const MoveButton = ({ place, onMoved }: Pick<MoveDialogProps, 'place' | 'onMoved'>) => (
  <DialogButton icon={IconFolderSymlink} label="Move…">
    {close => <MoveDialog place={place} onClose={close} onMoved={onMoved} />}
  </DialogButton>
)
