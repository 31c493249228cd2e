import type { Schema } from '@ganglion/client'
import { Button, FileButton, Group } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { useSignedIn } from '../shared/service/signed-in.tsx'

interface Upload {
  name: string
  part: number
  id?: string
  /** How the file was stored. */
  outcome?: string
  error?: string
}

interface UploadsProps {
  /** Undefined until the folder is loaded. */
  folder: string | undefined
  /** Called with the asset id when a file is stored. */
  onDone: (id: string) => void
}

/** Uploads files chosen with the button or by drag and drop, and shows each file's progress. */
export function Uploads({ folder, onDone }: UploadsProps) {
  const { uploads, add } = useUploads(folder, onDone)
  const [isOver, setOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (folder !== undefined) add([...event.dataTransfer.files])
  }
  return (
    <section
      className="uploads"
      aria-label="Uploads"
      data-over={isOver || undefined}
      onDragOver={event => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Group gap="sm">
        <FileButton multiple onChange={add}>
          {props => (
            <Button
              {...props}
              disabled={folder === undefined}
              size="xs"
              variant="default"
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              Upload to {folder ?? '…'}
            </Button>
          )}
        </FileButton>
        <span className="item-note">or drop files here</span>
      </Group>
      {uploads.length > 0 && (
        <ul className="plain-list">
          {uploads.map(({ name, part, id, outcome, error }, index) => (
            // Uploads are only appended, so indexes are stable keys.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="upload">
              <span>{name}</span>
              {error === undefined && id === undefined && <progress aria-label={`Upload of ${name}`} value={part} />}
              <span role="status" className={error === undefined ? 'item-note' : 'field-error'}>
                {error ?? (id === undefined ? `${Math.round(part * 100)} %` : outcome)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function useUploads(path: string | undefined, onDone: (id: string) => void) {
  const { brainId, session } = useSignedIn()
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<Upload[]>([])
  const headers = { 'X-CSRF-Token': session.csrf_token, ...(brainId !== undefined && { 'X-Brain-Id': brainId }) }
  async function send(file: File, index: number): Promise<void> {
    const change = (fields: Partial<Upload>) =>
      setUploads(before => before.map((upload, i) => (i === index ? { ...upload, ...fields } : upload)))
    try {
      const { asset, outcome } = await uploadFile(file, {
        path: path ?? '/',
        headers,
        onProgress: part => change({ part }),
      })
      change({ id: asset.id, outcome })
      onDone(asset.id)
    } catch (error) {
      change({ error: error instanceof Error ? error.message : String(error) })
    }
    await queryClient.invalidateQueries({ queryKey: ['resources'] })
  }
  /** Uploads files sequentially, because parallel uploads would slow each other down. */
  async function sendAll(files: File[], first: number): Promise<void> {
    for (const [i, file] of files.entries()) await send(file, first + i)
  }
  const add = (files: File[]) => {
    setUploads(before => [...before, ...files.map(({ name }) => ({ name, part: 0 }))])
    void sendAll(files, uploads.length)
  }
  return { uploads, add }
}

interface UploadOptions {
  /** Folder of the document. */
  path: string
  headers: Record<string, string>
  /** Called with the uploaded fraction, from 0 to 1. */
  onProgress: (part: number) => void
}

interface UploadResult extends Schema<'Ingested'> {
  outcome: string
}

function describe({ asset, updated }: Schema<'Ingested'>, isNew: boolean): string {
  if (isNew) return asset.version > 1 ? `stored as version ${asset.version}` : 'stored'
  return updated.length > 0 ? 'updated' : 'already stored, unchanged'
}

/** Ingests a file. Doesn't use `fetch`, which reports no upload progress. */
function uploadFile(file: File, { path, headers, onProgress }: UploadOptions): Promise<UploadResult> {
  const request = new XMLHttpRequest()
  const body = new FormData()
  body.set('path', path)
  body.set('file', file)
  request.open('POST', '/v1/assets/ingest')
  request.responseType = 'json'
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const reply = request.response as Schema<'Ingested'> & { message?: string }
      if (request.status < 300) resolve({ ...reply, outcome: describe(reply, request.status === 201) })
      else reject(new Error(reply?.message ?? `The service responded with status ${request.status}`))
    })
    request.addEventListener('error', () => reject(new Error('Could not reach the service')))
    request.send(body)
  })
}
