import type { Schema } from '@ganglion/client'
import { ActionIcon, FileButton } from '@mantine/core'
import { IconFile, IconPaperclip, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useSignedIn } from '../service/signed-in.tsx'
import { useRead } from '../service/use-service.ts'

type FileRef = Schema<'FileRef'>

const UNITS = ['bytes', 'kB', 'MB']

function formatSize(size: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3))
  const value = size / 1_000 ** unit
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}

/** A link that downloads a file. */
const FileLink = ({ file: { id, file_name, size } }: { file: FileRef }) => (
  <a className="file-link" href={`/v1/files/${id}/content`} download={file_name}>
    <IconFile size={16} aria-hidden /> {file_name} <span className="item-note">{formatSize(size)}</span>
  </a>
)

export const FileList = ({ files }: { files: FileRef[] }) =>
  files.length === 0 ? null : (
    <ul className="plain-list file-list" aria-label="Files">
      {files.map(file => (
        <li key={file.id}>
          <FileLink file={file} />
        </li>
      ))}
    </ul>
  )

/** A file that is known by its id, such as the value of a form field. */
export function FileById({ id }: { id: string }) {
  const { data } = useRead(['files', id], ({ files }) => files.get(id), { staleTime: Infinity })
  return data ? <FileLink file={data} /> : <span className="value-text">{id}</span>
}

/** Uploads files for a message or a form. */
export function useFiles() {
  const { ganglion } = useSignedIn()
  const [files, setFiles] = useState<FileRef[]>([])
  const [uploading, setUploading] = useState<string>()
  const [error, setError] = useState<string>()
  async function upload(chosen: File[]): Promise<FileRef[]> {
    setError(undefined)
    const uploaded: FileRef[] = []
    try {
      for (const file of chosen) {
        setUploading(file.name)
        const form = new FormData()
        form.set('file', file)
        const stored = await ganglion.files.upload(form)
        uploaded.push(stored)
        setFiles(before => [...before, stored])
      }
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason))
    }
    setUploading(undefined)
    return uploaded
  }
  const remove = (id: string) => setFiles(before => before.filter(file => file.id !== id))
  const clear = () => setFiles([])
  return { files, uploading, error, upload, remove, clear }
}

/** A button that chooses files. */
export const AttachButton = ({ onChange }: { onChange: (files: File[]) => void }) => (
  <FileButton multiple onChange={onChange}>
    {props => (
      <ActionIcon {...props} size={36} variant="default" aria-label="Attach files">
        <IconPaperclip size={18} />
      </ActionIcon>
    )}
  </FileButton>
)

/** The files chosen for a message, and the state of the upload. */
export function ChosenFiles({ files, uploading, error, remove }: ReturnType<typeof useFiles>) {
  return (
    <>
      {files.length > 0 && (
        <ul className="plain-list file-list" aria-label="Attached files">
          {files.map(file => (
            <li key={file.id}>
              <FileLink file={file} />
              <ActionIcon
                size="sm"
                variant="subtle"
                aria-label={`Remove ${file.file_name}`}
                onClick={() => remove(file.id)}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <span role="status" className={error === undefined ? 'item-note' : 'field-error'}>
        {error ?? (uploading !== undefined && `Uploading ${uploading}…`)}
      </span>
    </>
  )
}
