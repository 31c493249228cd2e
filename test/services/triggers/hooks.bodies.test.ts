import { readHookBody } from '../../../services/triggers/hooks/read-body.ts'

const read = (type: string | undefined, body: string | Buffer, jsonField?: string) =>
  readHookBody({ headers: { 'content-type': type }, body: Buffer.from(body) }, jsonField)

test('parses JSON, forms and other bodies according to their media type', () => {
  expect(read('application/json; charset=UTF-8', '{"a":[1]}')).toEqual({ format: 'json', body: { a: [1] } })
  expect(read('application/cloudevents+json', '"x"')).toEqual({ format: 'json', body: 'x' })
  expect(read('application/x-www-form-urlencoded', 'a=1&b=2&a=%C3%A9+3')).toEqual({
    format: 'form',
    body: { a: ['1', 'é 3'], b: '2' },
  })
  expect(read('application/x-www-form-urlencoded; charset=UTF8', '\ufeffa=1')).toEqual({
    format: 'form',
    body: { a: '1' },
  })
  expect(read('text/csv', 'a,b\n1,é')).toEqual({ format: 'text', body: 'a,b\n1,é' })
  expect(read(undefined, '{"a":1}')).toEqual({ format: 'text', body: '{"a":1}' })
  expect(read('application/octet-stream', Buffer.of(0xff, 0xfe))).toEqual({ format: 'base64', body: '//4=' })
  expect(read('text/plain', 'a\0b')).toEqual({ format: 'base64', body: 'YQBi' })
  expect(read('application/json', '')).toEqual({ format: 'text', body: null })
})

test('parses the JSON message inside a form', () => {
  const form = `payload=${encodeURIComponent('{"action":"opened"}')}&other=1`
  expect(read('application/x-www-form-urlencoded', form, 'payload')).toEqual({
    format: 'json',
    body: { action: 'opened' },
  })
  expect(read('application/x-www-form-urlencoded', 'other=1', 'payload')).toEqual({
    format: 'form',
    body: { other: '1' },
  })
})

test('rejects bodies that cannot be parsed or stored', () => {
  const deep = '['.repeat(100) + ']'.repeat(100)
  expect(() => read('application/json', '{"a":')).toThrow('unexpected end of input at position 5 (line 1, column 6)')
  expect(() => read('application/json', deep)).toThrow('must be at most 64 levels deep')
  expect(() => read('application/json', '{"a":"\\u0000"}')).toThrow('U+0000')
  expect(() => read('application/json', '{"id":7615917337495251231}')).toThrow('/id must be a string')
  expect(() => read('application/json', '{"__proto__":{}}')).toThrow('/__proto__ must have another name')
  expect(() => read('application/x-www-form-urlencoded', '__proto__=1')).toThrow('/__proto__ must have another name')
  expect(() => read('application/x-www-form-urlencoded', 'a=%00')).toThrow('U+0000')
  expect(() => read('application/x-www-form-urlencoded', 'payload=%7B', 'payload')).toThrow('not valid JSON')
  expect(() => read('application/x-www-form-urlencoded', 'a=1&'.repeat(1_001))).toThrow('at most 1000 fields')
  expect(() => read('application/json; charset=latin1', '{}')).toThrow('must be UTF-8')
})
