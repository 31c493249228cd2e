import type { Schema } from '@ganglion/client'

interface UploadOptions {
  /** The folder of the document. */
  path: string
  headers: Record<string, string>
  /** The part that was sent, from 0 to 1. */
  onProgress: (part: number) => void
}

/** Ingests a file. `fetch` does not tell how much of a body was sent. */
export function uploadFile(file: File, { path, headers, onProgress }: UploadOptions): Promise<Schema<'Ingested'>> {
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
      if (request.status < 300) resolve(reply)
      else reject(new Error(reply?.message ?? `The service answered ${request.status}`))
    })
    request.addEventListener('error', () => reject(new Error('The service could not be reached')))
    request.send(body)
  })
}
