import { readSync, writeSync } from 'node:fs'
import type { DocumentSource } from '../extracted.ts'
import type { ExtractLimits } from '../limits.ts'
import { frameHeader } from './frames.ts'

/** What a process is asked to read. On the wire: the length of its JSON, the JSON, the document's bytes. */
export interface Job {
  source: DocumentSource
  limits: ExtractLimits
  bytes: number
}

const IN = 0
/** Not the standard output, into which any parser may write. */
export const OUT = 3
const LENGTH_BYTES = 4
const TEXT_FRAME_BYTES = 65_536

export function encodeJob(job: object): Buffer {
  const json = Buffer.from(JSON.stringify(job))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/** Waits for the job and its document. */
export const readJob = () => readRequest() as { job: Job; bytes: Buffer<ArrayBuffer> }

/** The same for a job of any kind. */
export function readRequest(): { job: { bytes: number }; bytes: Buffer<ArrayBuffer> } {
  const json = readExactly(readExactly(LENGTH_BYTES).readUInt32LE())
  const job = JSON.parse(json.toString()) as { bytes: number }
  return { job, bytes: readExactly(job.bytes) }
}

function readExactly(length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const read = readSync(IN, bytes, at, length - at, null)
    if (read === 0) throw new Error('the worker went away')
    at += read
  }
  return bytes
}

export function sendJson(kind: number, value: unknown): void {
  send(kind, Buffer.from(JSON.stringify(value)))
}

export const sendText = (kind: number, text: string): void => sendBytes(kind, Buffer.from(text))

export function sendBytes(kind: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += TEXT_FRAME_BYTES) send(kind, bytes.subarray(at, at + TEXT_FRAME_BYTES))
}

function send(kind: number, payload: Uint8Array): void {
  for (const bytes of [frameHeader(kind, payload.length), payload])
    for (let at = 0; at < bytes.length;) at += writeSync(OUT, bytes, at)
}
