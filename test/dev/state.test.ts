import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stillRunning } from '../../dev/stack/entries.ts'
import { withLock } from '../../dev/stack/lock.ts'
import { homeSecrets } from '../../dev/stack/secrets.ts'
import { changeState, readState } from '../../dev/stack/state.ts'
import { identify } from '../../dev/machine/process-table.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'state-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const entry = { how: 'native' as const, env: {}, since: '2026-01-01T00:00:00.000Z', stays: false }

describe('the state of a home', () => {
  test('what is changed is read again, and only the owner may read it', () => {
    changeState(home, state => {
      state.ports['redis'] = 7000
    })
    expect(readState(home).ports).toEqual({ redis: 7000 })
    expect(statSync(join(home, 'state.json')).mode & 0o777).toBe(0o600)
  })

  test('a damaged file counts as empty', () => {
    writeFileSync(join(home, 'state.json'), '{"ports": ')
    expect(readState(home)).toEqual({ ports: {}, running: {}, holders: [] })
  })

  test('an entry runs while its very process does', () => {
    const me = identify(process.pid)
    const state = changeState(home, current => {
      current.running['redis'] = { ...entry, process: me }
      current.running['postgres'] = { ...entry, process: { pid: process.pid, started: 'earlier' } }
    })
    expect([...stillRunning(state)]).toEqual(['redis'])
  })

  test('secrets are made once and stay', () => {
    const first = homeSecrets(home)
    expect(homeSecrets(home)).toEqual(first)
    expect(first.api_key_secret).toHaveLength(64)
    expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600)
  })
})

describe('the lock of a home', () => {
  test('two never work at once', async () => {
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} in`)
      await new Promise(resolve => setTimeout(resolve, 50))
      order.push(`${name} out`)
    }
    const said: string[] = []
    await Promise.all([
      withLock(home, line => said.push(line), work('a')),
      withLock(home, line => said.push(line), work('b')),
    ])
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out'])
    expect(said).toHaveLength(1)
  })

  test('a lock whose owner is gone is taken over', async () => {
    writeFileSync(join(home, 'lock'), JSON.stringify({ pid: process.pid, started: 'earlier' }))
    expect(
      await withLock(
        home,
        () => {},
        async () => readFileSync(join(home, 'lock'), 'utf8'),
      ),
    ).toContain(String(process.pid))
  })
})
