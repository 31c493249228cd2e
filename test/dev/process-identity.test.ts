import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendants, identify } from '../../dev/machine/process-table.ts'
import { isRunning, killProcess, launch, stopProcess } from '../../dev/machine/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'process-'))
const log = join(folder, 'log')
const wait = 'setInterval(() => {}, 1000)'
const startNode = (script: string) => launch({ command: process.execPath, args: ['-e', script] }, log)

afterAll(() => rmSync(folder, { recursive: true }))

describe('process identity', () => {
  test('a running process is identified, and not confused with another process that has the same pid', async () => {
    const id = await startNode(wait)
    expect(isRunning(id)).toBe(true)
    expect(isRunning({ pid: id.pid, started: 'earlier' })).toBe(false)
    await killProcess(id)
    expect(isRunning(id)).toBe(false)
  })

  test('a reused pid is ignored', async () => {
    const id = await startNode(wait)
    await stopProcess({ pid: id.pid, started: 'earlier' }, 'SIGTERM', 100)
    await killProcess({ pid: id.pid, started: 'earlier' })
    expect(isRunning(id)).toBe(true)
    await killProcess(id)
  })

  test('a process that ignores the signal is killed after the grace period', async () => {
    const id = await startNode(`process.on('SIGTERM', () => {}); ${wait}`)
    await sleep(300)
    await stopProcess(id, 'SIGTERM', 200)
    expect(isRunning(id)).toBe(false)
  })

  test('killing a process also kills its children', async () => {
    const id = await startNode(
      `require('node:child_process').spawn(process.execPath, ['-e', '${wait}'], { detached: true }); ${wait}`,
    )
    const deadline = Date.now() + 5000
    while (descendants(id.pid).length === 0 && Date.now() < deadline) await sleep(20)
    const [child] = descendants(id.pid)
    expect(child).toBeDefined()
    await killProcess(id)
    expect(child && isRunning(child)).toBe(false)
  })

  test('killing returns once the pid is free, without waiting for a busy parent to reap the zombie', async () => {
    const busyParent = `
      const child = require('node:child_process').spawn('sleep', ['60'])
      child.on('spawn', () => {
        console.log(child.pid)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
      })`
    const parent = spawn(process.execPath, ['-e', busyParent])
    const [output] = (await once(parent.stdout, 'data')) as [Buffer]
    const child = identify(Number(output.toString()))
    if (!child) throw new Error('the child did not start')
    await killProcess(child)
    expect(() => process.kill(child.pid, 0)).toThrow('ESRCH')
    parent.kill('SIGKILL')
  })

  test('a pid without a process returns undefined', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await new Promise(resolve => child.on('exit', resolve))
    expect(identify(child.pid ?? 0)).toBeUndefined()
  })
})
