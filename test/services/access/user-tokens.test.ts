import { AuthRequired } from '../../../domain/shared/errors.ts'
import { createUserTokens } from '../../../services/access/credentials/user-tokens.ts'
import { createIssuer, type Issuer } from '../../support/access/user-tokens.ts'

let issuer: Issuer
beforeAll(async () => {
  issuer = await createIssuer()
})

const verifyWith = (settings: { JWT_USER_CLAIM?: string; JWT_USER_PREFIX?: string } = {}) => {
  const { JWT_ISSUER, JWT_AUDIENCE } = issuer.env
  return createUserTokens({
    JWT_ISSUER,
    JWT_AUDIENCE,
    JWT_KEYS: issuer.jwks as NonNullable<Parameters<typeof createUserTokens>[0]['JWT_KEYS']>,
    JWT_ALGORITHMS: ['RS256'],
    JWT_USER_CLAIM: 'sub',
    JWT_USER_PREFIX: 'user',
    ...settings,
  })
}

test.each([1e308, 1e20, 253_402_300_800, -1, 0])('a token that expires at %d is rejected', async exp => {
  await expect(verifyWith()(await issuer.sign('ann', { claims: { exp } }))).rejects.toBeInstanceOf(AuthRequired)
})

test.each([
  ['nbf', 1e308],
  ['exp', 'soon'],
  ['exp', null],
])('a token whose %s is %p is rejected', async (claim, value) => {
  const token = await issuer.sign('ann', { claims: { [claim]: value } })
  await expect(verifyWith()(token)).rejects.toBeInstanceOf(AuthRequired)
})

test('a token that expires in the last second of the year 9999 is accepted', async () => {
  const verified = await verifyWith()(await issuer.sign('ann', { claims: { exp: 253_402_300_799 } }))
  expect(verified).toEqual({ actor: 'user:ann', expires_at: '9999-12-31T23:59:59.000Z' })
})

test('an email address identifies a user only if the issuer has verified it', async () => {
  const verify = verifyWith({ JWT_USER_CLAIM: 'email' })
  const sign = (email_verified?: unknown) => issuer.sign('x', { claims: { email: 'ann@example.com', email_verified } })
  for (const verified of [undefined, false, 'true', 1, null])
    await expect(verify(await sign(verified))).rejects.toThrow('"email_verified": true')
  expect(await verify(await sign(true))).toMatchObject({ actor: 'user:ann@example.com' })
})

test("the source's prefix becomes part of the name", async () => {
  expect(await verifyWith({ JWT_USER_PREFIX: 'app' })(await issuer.sign('ann'))).toMatchObject({ actor: 'app:ann' })
})
