import { readEvents } from '../../dev/demo/sse.ts'

async function* chunks(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part)
}

async function read(...parts: string[]) {
  const events = []
  for await (const event of readEvents(chunks(...parts))) events.push(event)
  return events
}

describe('reading server-sent events', () => {
  test('events may be cut anywhere, and pings are left out', async () => {
    const events = await read(': ok\n\nid: 1-0\nda', 'ta: {"a":1}\n', '\n: ping\n\nid: 2-0\ndata: x\ndata: y\n\n')
    expect(events).toEqual([
      { id: '1-0', data: '{"a":1}' },
      { id: '2-0', data: 'x\ny' },
    ])
  })

  test('a character cut in two stays whole', async () => {
    const bytes = new TextEncoder().encode('data: é\n\n')
    async function* cut() {
      yield bytes.slice(0, 7)
      yield bytes.slice(7)
    }
    const events = []
    for await (const event of readEvents(cut())) events.push(event)
    expect(events).toEqual([{ id: undefined, data: 'é' }])
  })

  test('an event that is not complete is not given', async () => {
    expect(await read('data: a\n\ndata: b\n')).toEqual([{ id: undefined, data: 'a' }])
  })
})
