import { createAddressRule } from '../../../services/tools/outbound/address-rule.ts'
import { createOutbound } from '../../../services/tools/outbound/client.ts'
import { createComponentRule } from '../../../services/tools/outbound/component-rule.ts'
import { resolveBySystem } from '../../../services/tools/outbound/resolve.ts'
import { parseTarget } from '../../../services/tools/outbound/target.ts'
import { readConfig } from '../../../config/config.ts'
import { type Endpoint, listEndpoints } from '../../../config/endpoints.ts'

const noComponent = async () => false
const closed = createAddressRule([], noComponent)
const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

describe('addresses outside the public internet', () => {
  const closedRanges = `
    127.0.0.1 127.255.0.9 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 0.0.0.0 0.1.2.3
    169.254.169.254 100.64.0.1 100.127.255.255 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
    192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1
    :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1 ::ffff:0:127.0.0.1
    64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1 2002:7f00:1:: 2001::1 2001:db8::1 3fff::1
    fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd00:ec2::254 ff02::1 100::1 5f00::1 4000::1
    localhost no-address 1.2.3.4.5`
  test.each(wordsOf(closedRanges))('%s is rejected', async address => {
    expect(await closed(address, 80)).toBe(false)
  })

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', async address => {
    expect(await closed(address, 80)).toBe(true)
  })

  test('the allowlist allows exactly its ranges, including mapped notations', async () => {
    const open = createAddressRule(['127.0.0.0/8', 'fd00::/8', '10.1.2.3'], noComponent)
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1', '10.1.2.3'])
      expect(await open(address, 80)).toBe(true)
    for (const address of ['10.1.2.4', '::1', '64:ff9b::7f00:1', '169.254.169.254'])
      expect(await open(address, 80)).toBe(false)
  })

  test('an allowlist entry with a port allows only that port', async () => {
    const allow = ['127.0.0.1:9300', '[::1]:9300', '10.1.0.0/16:443', '[fd00::/8]:443']
    const open = createAddressRule(allow, noComponent)
    const listed: [string, number][] = [
      ['127.0.0.1', 9300],
      ['::ffff:127.0.0.1', 9300],
      ['::1', 9300],
      ['10.1.200.3', 443],
      ['fd12::1', 443],
    ]
    for (const [address, port] of listed) {
      expect([address, await open(address, port)]).toEqual([address, true])
      expect([address, await open(address, port + 1)]).toEqual([address, false])
    }
    expect(await open('127.0.0.2', 9300)).toBe(false)
  })

  test.each(['10.0.0.0/99', 'localhost', '127.0.0.1:', '127.0.0.1:0', '127.0.0.1:65536', '[::1', '[10.0.0.1]'])(
    'the malformed entry %s fails immediately, with its name in the error',
    entry => {
      expect(() => createAddressRule([entry], noComponent)).toThrow(`"${entry}"`)
    },
  )
})

describe('components', () => {
  const OPEN = ['127.0.0.0/8', '::1', '10.0.0.0/8', '0.0.0.0/8']
  const at = (host: string, port = 9200): Endpoint => ({ host, port, isShared: false })
  const permitsBeside = (endpoint: Endpoint, resolve = resolveBySystem) =>
    createAddressRule(OPEN, createComponentRule([endpoint], resolve))
  const toAddress = (address: string) => async () => [{ address, family: 4 }]

  test.each(['127.0.0.1', 'localhost', '0.0.0.0', '::1', '::'])(
    'at %s on this host are blocked at each of its addresses, but only on their port',
    async host => {
      const permits = permitsBeside(at(host))
      for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '0.0.0.0'])
        expect([address, await permits(address, 9200)]).toEqual([address, false])
      expect(await permits('127.0.0.1', 9201)).toBe(true)
      expect(await permits('10.0.0.1', 9200)).toBe(true)
    },
  )

  test('are blocked at the current address of their name, or at the last known one if it does not resolve', async () => {
    const answers = ['10.0.0.1', '10.0.0.2', undefined]
    const permits = permitsBeside(at('search.test'), async () => {
      const address = answers.shift()
      if (!address) throw new Error('the name does not resolve')
      return [{ address, family: 4 }]
    })
    expect(await permits('10.0.0.1', 9200)).toBe(false)
    expect(await permits('10.0.0.1', 9200)).toBe(true)
    expect(await permits('10.0.0.2', 9200)).toBe(false)
  })

  test('are blocked at a public address, unless the address may be shared', async () => {
    const own = at('search.test', 443)
    for (const [address, isShared, expected] of [
      ['8.8.8.8', false, false],
      ['8.8.8.8', true, true],
      ['10.0.0.1', true, false],
    ] as const) {
      const permits = permitsBeside({ ...own, isShared }, toAddress(address))
      expect([address, isShared, await permits(address, 443)]).toEqual([address, isShared, expected])
    }
  })

  test('are exactly the configured endpoints', () => {
    const endpoints = listEndpoints(
      readConfig({
        API_KEY_SECRET: 'x'.repeat(32),
        DATABASE_URL: 'postgres://app:secret@db.test/ganglion',
        REDIS_URL: 'rediss://cache.test',
        TEMPORAL_ADDRESS: '[fd00::7]:7777',
        TEMPORAL_UI_URL: 'https://runs.test',
        ELASTICSEARCH_URL: 'https://search.test:9243/path',
        SPEECH_URL: 'http://speech.test:8000/v1',
        HOST: '0.0.0.0',
        PORT: '8081',
        METRICS_HOST: '10.0.0.9',
        METRICS_PORT: '9464',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318',
      }),
    )
    expect(endpoints.map(({ host, port, isShared }) => [host, port, isShared])).toEqual([
      ['0.0.0.0', 8081, false],
      ['10.0.0.9', 9464, false],
      ['db.test', 5432, false],
      ['cache.test', 6379, false],
      ['search.test', 9243, false],
      ['fd00::7', 7777, false],
      ['runs.test', 443, true],
      ['speech.test', 8000, true],
      ['collector.test', 4318, true],
    ])
  })
})

describe('targets', () => {
  const outbound = createOutbound({ allow: [], components: [], timeoutMs: 1000, maxBytes: 1000 })
  afterAll(() => outbound.close())

  const spellings = `
    http://127.1/ http://0x7f000001/ http://0x7f.1/ http://2130706433/ http://017700000001/ http://0177.0.0.1/
    http://0/ http://127.0.0.1./ http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://%31%32%37.0.0.1/
    http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::]/ http://[64:ff9b::7f00:1]/ https://169.254.169.254/`
  test.each(wordsOf(spellings))('%s is blocked', async url => {
    await expect(outbound.request({ method: 'GET', url })).rejects.toMatchObject({
      code: 'BLOCKED_ADDRESS',
      retryable: false,
    })
  })

  const noTargets = `
    ftp://example.com/ file:///etc/passwd gopher://example.com/ data:text/plain,x javascript:1 /relative
    http:// http://user:secret@example.com/ http://[fe80::1%25lo]/ http://999999999999/ http://exa<mple.com/`
  test.each([...wordsOf(noTargets), '', 'http://exa mple.com/'])('%s is not a URL that can be called', url => {
    expect(() => parseTarget(url)).toThrow(expect.objectContaining({ code: 'BAD_URL', retryable: false }))
  })

  test('the error message does not repeat credentials from a URL', async () => {
    const error: Error = await outbound
      .request({ method: 'GET', url: 'http://ann:hunter2@127.0.0.1/?t=hunter2' })
      .catch(e => e)
    expect(error.message).not.toContain('hunter2')
  })
})
