import { Button, Modal, TextInput } from '@mantine/core'
import { IconFolderSymlink } from '@tabler/icons-react'
import { useId } from 'react'
import { DialogButton } from '../shared/parts/dialog.tsx'
import { Form } from '../shared/parts/form.tsx'
import { Failure } from '../shared/parts/read.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'
import { FOLDER, readPlace } from './place.ts'
import { useFolder } from './use-folder.ts'

/** Moves a document or folder, identified by its place, into a folder. */
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

/** Asks for the target folder, which may be new. */
export function MoveDialog({ place, onClose, onMoved = onClose }: MoveDialogProps) {
  const { data: folders = [] } = useRead(['resources', 'folder-names'], async ({ resources }) => {
    const reply = await resources.tree({ shape: 'folders', limit: 200 })
    return 'folders' in reply ? reply.folders.map(({ path }) => path) : []
  })
  const listId = useId()
  const move = useMove()
  const present = useFolder(place)
  const isFolder = readPlace(place)?.kind === FOLDER
  return (
    <Modal opened onClose={onClose} title="Move to">
      <Form className="fields" onSubmit={({ path = '' }) => move.mutate({ place, path }, { onSuccess: onMoved })}>
        <TextInput
          name="path"
          label="Folder"
          description="Such as /contracts/2026. If the folder doesn't exist, it is created."
          list={listId}
          data-autofocus
          key={present}
          defaultValue={isFolder ? getParentPath(present) : present}
        />
        <datalist id={listId}>
          {folders.map(folder => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
        {move.error && <Failure error={move.error} />}
        <Button type="submit" loading={move.isPending}>
          Move
        </Button>
      </Form>
    </Modal>
  )
}

const getParentPath = (path = '/'): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Opens the move dialog. */
export const MoveButton = ({ place, onMoved }: Pick<MoveDialogProps, 'place' | 'onMoved'>) => (
  <DialogButton icon={IconFolderSymlink} label="Move…">
    {close => <MoveDialog place={place} onClose={close} onMoved={onMoved} />}
  </DialogButton>
)
