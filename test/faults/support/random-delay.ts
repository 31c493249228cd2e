import { createHash, randomBytes } from 'node:crypto'
import { readEnvironment } from '../../../config/environment.ts'

const seed = readEnvironment()['FAULTS_SEED'] ?? randomBytes(4).toString('hex')
let drawn = 0

beforeAll(() => void process.stderr.write(`The delays of this file have FAULTS_SEED=${seed}\n`))

/**
 * Returns the next delay between 0 and `max` milliseconds. The same `FAULTS_SEED` in the environment gives the same
 * delays.
 */
export function randomDelay(max: number): number {
  const hash = createHash('sha256').update(`${seed} ${drawn++}`).digest()
  return (hash.readUInt32BE() / 2 ** 32) * max
}
