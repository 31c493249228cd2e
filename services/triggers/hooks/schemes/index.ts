import type { SignatureScheme } from '../../../../domain/triggers/hooks/signature.ts'
import { github } from './github.ts'
import { hmac } from './hmac.ts'
import { none } from './none.ts'
import type { Scheme } from './scheme.ts'
import { slack } from './slack.ts'
import { standardWebhooks } from './standard-webhooks.ts'
import { stripe } from './stripe.ts'

const SCHEMES: { [S in SignatureScheme]: Scheme<S> } = {
  standard_webhooks: standardWebhooks,
  github,
  stripe,
  slack,
  hmac,
  none,
}

/** Returns the scheme for the settings. */
export const findScheme = <S extends SignatureScheme>({ scheme }: { scheme: S }): Scheme<S> => SCHEMES[scheme]
