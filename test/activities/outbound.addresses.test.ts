import { createAddressRule } from '../../activities/outbound/address-rule.ts'
import { createOutbound } from '../../activities/outbound/client.ts'
import { parseTarget } from '../../activities/outbound/target.ts'

const closed = createAddressRule([])
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
  test.each(wordsOf(closedRanges))('%s is refused', address => {
    expect(closed(address)).toBe(false)
  })

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', address => {
    expect(closed(address)).toBe(true)
  })

  test('the allowlist opens exactly its ranges, for mapped spellings too', () => {
    const open = createAddressRule(['127.0.0.0/8', 'fd00::/8', '10.1.2.3'])
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1', '10.1.2.3']) expect(open(address)).toBe(true)
    for (const address of ['10.1.2.4', '::1', '64:ff9b::7f00:1', '169.254.169.254']) expect(open(address)).toBe(false)
  })

  test('a malformed allowlist fails at once and names the entry', () => {
    expect(() => createAddressRule(['10.0.0.0/99'])).toThrow('10.0.0.0/99')
    expect(() => createAddressRule(['localhost'])).toThrow('localhost')
  })
})

describe('targets', () => {
  const spellings = `
    http://127.1/ http://0x7f000001/ http://0x7f.1/ http://2130706433/ http://017700000001/ http://0177.0.0.1/
    http://0/ http://127.0.0.1./ http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://%31%32%37.0.0.1/
    http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::]/ http://[64:ff9b::7f00:1]/ https://169.254.169.254/`
  test.each(wordsOf(spellings))('%s is blocked', url => {
    expect(() => parseTarget(url, closed)).toThrow(
      expect.objectContaining({ code: 'BLOCKED_ADDRESS', retryable: false }),
    )
  })

  const noTargets = `
    ftp://example.com/ file:///etc/passwd gopher://example.com/ data:text/plain,x javascript:1 /relative
    http:// http://user:secret@example.com/ http://[fe80::1%25lo]/ http://999999999999/ http://exa<mple.com/`
  test.each([...wordsOf(noTargets), '', 'http://exa mple.com/'])('%s is no URL to call', url => {
    expect(() => parseTarget(url, closed)).toThrow(expect.objectContaining({ code: 'BAD_URL', retryable: false }))
  })

  test('credentials in a URL are not repeated in the message', async () => {
    const outbound = createOutbound({ allow: [], timeoutMs: 1000, maxBytes: 1000 })
    const error: Error = await outbound
      .request({ method: 'GET', url: 'http://ann:hunter2@127.0.0.1/?t=hunter2' })
      .catch(e => e)
    expect(error.message).not.toContain('hunter2')
    await outbound.close()
  })
})
