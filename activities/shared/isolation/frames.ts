import { Readable } from 'node:stream'

/** A message from an isolated process. On the wire: kind, length, payload. */
export interface Frame {
  kind: number
  payload: Buffer
}

const HEADER_BYTES = 5
/** Longer payloads are split into several frames. */
const MAX_FRAME_BYTES = 1_048_576

export function frameHeader(kind: number, length: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(kind, 0)
  header.writeUInt32LE(length, 1)
  return header
}

/** Yields the frames in a stream. An incomplete frame is dropped. Throws if a frame exceeds the maximum length. */
export async function* readFrames(stream: AsyncIterable<Buffer> = Readable.from([])): AsyncGenerator<Frame> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    waiting.push(chunk)
    size += chunk.length
    if (size < HEADER_BYTES) continue
    let bytes = Buffer.concat(waiting, size)
    for (let frame = firstFrame(bytes); frame; frame = firstFrame(bytes)) {
      yield frame
      bytes = bytes.subarray(HEADER_BYTES + frame.payload.length)
    }
    waiting = [bytes]
    size = bytes.length
  }
}

function firstFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const length = bytes.readUInt32LE(1)
  if (length > MAX_FRAME_BYTES) throw new Error(`frame too long: ${length} bytes`)
  if (bytes.length < HEADER_BYTES + length) return undefined
  return { kind: bytes.readUInt8(0), payload: bytes.subarray(HEADER_BYTES, HEADER_BYTES + length) }
}

export const parsePayload = ({ payload }: Frame): unknown => JSON.parse(payload.toString())
