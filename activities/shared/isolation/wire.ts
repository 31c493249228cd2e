import { readSync, writeSync } from 'node:fs'
import { frameHeader } from './frames.ts'

interface SentJob {
  /** Number of bytes that follow. */
  bytes: number
  /** Memory limit of the process. */
  memoryBytes: number
}

const IN = 0
/** A separate file descriptor, because a parser may write to standard output. */
export const OUT = 3
const LENGTH_BYTES = 4
const MAX_PAYLOAD_BYTES = 65_536

/** Encodes the start of a request: the length of the job's JSON, then the JSON. The job's `bytes` follow. */
export function encodeJob(job: SentJob): Buffer {
  const json = Buffer.from(JSON.stringify(job))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/** Blocks until the job and all its bytes have arrived. */
export function readRequest(): { job: SentJob; bytes: Buffer<ArrayBuffer> } {
  const json = readExactly(readExactly(LENGTH_BYTES).readUInt32LE())
  const job = JSON.parse(json.toString()) as SentJob
  return { job, bytes: readExactly(job.bytes) }
}

function readExactly(length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const read = readSync(IN, bytes, at, length - at, null)
    if (read === 0) throw new Error('the parent process has exited')
    at += read
  }
  return bytes
}

export function sendJson(kind: number, value: unknown): void {
  send(kind, Buffer.from(JSON.stringify(value)))
}

/** Sends bytes in as many frames as needed. */
export function sendBytes(kind: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += MAX_PAYLOAD_BYTES) send(kind, bytes.subarray(at, at + MAX_PAYLOAD_BYTES))
}

function send(kind: number, payload: Uint8Array): void {
  for (const bytes of [frameHeader(kind, payload.length), payload])
    for (let at = 0; at < bytes.length;) at += writeSync(OUT, bytes, at)
}
