import { Ganglion } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { useQuery } from '@tanstack/react-query'
import { createContext, lazy, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { LoadingPage } from '../parts/loading.tsx'
import { Themed } from '../shell/themed.tsx'
import { followSession } from './one-session.ts'
import { type Boot, bootQuery } from './session.ts'

const SignIn = lazy(() => import('../shell/sign-in.tsx'))

/** What all pages of a signed-in person work with. */
export interface SignedIn extends Boot {
  ganglion: Ganglion
  /** The brain that requests work in. */
  brainId: string | undefined
  chooseBrain: (id: string) => void
  /** Whether the role of the person has the permission. The service checks it all the same. */
  can: (permission: string) => boolean
}

const Context = createContext<SignedIn | undefined>(undefined)

export function useSignedIn(): SignedIn {
  const signedIn = useContext(Context)
  if (!signedIn) throw new Error('This part of the page needs a session')
  return signedIn
}

/** Shows its children to those who are signed in, and the sign-in page to others. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { data, error } = useQuery(bootQuery)
  const [chosen, setChosen] = useState(readChosenBrain)
  const signedIn = useMemo(() => data && buildSignedIn(data, chosen, setChosen), [data, chosen])
  useEffect(() => data && followSession(data.session), [data])
  // Another failure may pass, and a page that is open stays.
  if (error && (!data || APIError.is(error, 'AUTH_REQUIRED')))
    return (
      <Themed fallback={<LoadingPage />}>
        <SignIn error={error} />
      </Themed>
    )
  if (!signedIn) return <LoadingPage />
  return <Context value={signedIn}>{children}</Context>
}

const BRAIN = 'ganglion-brain'

const readChosenBrain = (): string | undefined => localStorage.getItem(BRAIN) ?? undefined

function buildSignedIn(boot: Boot, chosen: string | undefined, choose: (id: string) => void): SignedIn {
  const { brains, default_brain_id, csrf_token, permissions } = boot.session
  const known = brains.some(({ id }) => id === chosen) ? chosen : undefined
  const brainId = known ?? default_brain_id ?? brains[0]?.id
  return {
    ...boot,
    ganglion: new Ganglion({ brain: brainId, headers: { 'X-CSRF-Token': csrf_token } }),
    brainId,
    chooseBrain(id) {
      localStorage.setItem(BRAIN, id)
      choose(id)
    },
    can: permission => permissions.includes(permission),
  }
}
