import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stillRunning } from '../../dev/stack/entries.ts'
import { withLock } from '../../dev/stack/state/lock.ts'
import { readOrCreateSecrets } from '../../dev/stack/state/secrets.ts'
import { changeState, readState } from '../../dev/stack/state/state.ts'
import { identify } from '../../dev/machine/process-table.ts'

let stateDir = ''
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'state-'))
})
afterEach(() => rmSync(stateDir, { recursive: true }))

const entry = { how: 'native' as const, env: {}, since: '2026-01-01T00:00:00.000Z', stays: false }

describe('the state of a state directory', () => {
  test('changes are read again, and only the owner may read the file', () => {
    changeState(stateDir, state => {
      state.ports['redis'] = 7000
    })
    expect(readState(stateDir).ports).toEqual({ redis: 7000 })
    expect(statSync(join(stateDir, 'state.json')).mode & 0o777).toBe(0o600)
  })

  test('a damaged file counts as empty', () => {
    writeFileSync(join(stateDir, 'state.json'), '{"ports": ')
    expect(readState(stateDir)).toEqual({ ports: {}, running: {}, leases: [] })
  })

  test('an entry counts as running as long as its original process is running', () => {
    const me = identify(process.pid)
    const state = changeState(stateDir, current => {
      current.running['redis'] = { ...entry, process: me }
      current.running['postgres'] = { ...entry, process: { pid: process.pid, started: 'earlier' } }
    })
    expect([...stillRunning(state)]).toEqual(['redis'])
  })

  test('secrets are created once and kept', () => {
    const first = readOrCreateSecrets(stateDir)
    expect(readOrCreateSecrets(stateDir)).toEqual(first)
    expect(first.api_key_secret).toHaveLength(64)
    expect(statSync(join(stateDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  test('a secret that an earlier version did not have is added', () => {
    const { encryption_key: _added, ...first } = readOrCreateSecrets(stateDir)
    writeFileSync(join(stateDir, 'secrets.json'), JSON.stringify(first))
    const next = readOrCreateSecrets(stateDir)
    expect(next).toEqual({ ...first, encryption_key: expect.stringMatching(/^.{43}=$/) })
    expect(readOrCreateSecrets(stateDir)).toEqual(next)
  })
})

describe('the lock of a state directory', () => {
  test('never allows two owners at once', async () => {
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} in`)
      await new Promise(resolve => setTimeout(resolve, 50))
      order.push(`${name} out`)
    }
    const messages: string[] = []
    await Promise.all([
      withLock(stateDir, line => messages.push(line), work('a')),
      withLock(stateDir, line => messages.push(line), work('b')),
    ])
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out'])
    expect(messages).toHaveLength(1)
  })

  test('a lock whose owner is dead is taken over', async () => {
    writeFileSync(join(stateDir, 'lock'), JSON.stringify({ pid: process.pid, started: 'earlier' }))
    expect(
      await withLock(
        stateDir,
        () => {},
        async () => readFileSync(join(stateDir, 'lock'), 'utf8'),
      ),
    ).toContain(String(process.pid))
  })
})
