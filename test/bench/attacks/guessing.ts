import { request } from 'undici'
import { makeToken } from '../../../services/access/credentials/token.ts'
import { type Attack, expectFigure } from './attack.ts'

const GUESSES = 5_000
const AT_A_TIME = 20
const LIMIT = 600

/** Guesses well-formed keys for a real workspace. Keys beyond the address limit are not looked up. */
export const guessing: Attack = {
  name: `${GUESSES} guessed API keys from one address`,
  env: { ADDRESS_REQUESTS_PER_MINUTE: String(LIMIT) },
  async run({ stack, workspace, measure }) {
    const counts = new Map<number, number>()
    const tokens: string[] = []
    const guess = async () => {
      const token = makeToken('api_key', workspace.id)
      tokens.push(token)
      const { statusCode, body } = await request(`${stack.baseUrl}/v1/jobs`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      await body.dump()
      counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1)
    }
    const began = Date.now()
    const caller = async () => {
      while (tokens.length < GUESSES) await guess()
    }
    await Promise.all([measure(), ...Array.from({ length: AT_A_TIME }, caller)])
    const minutes = Math.ceil((Date.now() - began) / 60_000) + 1
    const [unknown = 0, limited = 0] = [counts.get(401), counts.get(429)]
    expectFigure(
      'answers that are neither 401 nor 429',
      tokens.length - unknown - limited,
      unknown + limited >= GUESSES,
    )
    expectFigure('guesses that were looked up', unknown, unknown <= LIMIT * minutes)
    const shown = tokens.filter(token => stack.api.output().includes(token)).length
    expectFigure('guessed keys in the log', shown, shown === 0)
    return `${unknown} looked up (401), ${limited} refused unread (429), none in the log`
  },
}
