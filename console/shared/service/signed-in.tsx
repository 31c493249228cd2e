import { Ganglion } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { useQuery } from '@tanstack/react-query'
import { createContext, lazy, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { LoadingPage } from '../parts/loading.tsx'
import { Themed } from '../shell/themed.tsx'
import { type Boot, bootQuery, type Session } from './session.ts'

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
  const [chosenBrain, setChosenBrain] = useState(readChosenBrain)
  const brainId = data && findBrain(data.session, chosenBrain)
  const token = data?.session.csrf_token
  // The same one until its requests are others, because streams begin again with another one.
  const ganglion = useMemo(
    () => new Ganglion({ brain: brainId, headers: { 'X-CSRF-Token': token ?? '' } }),
    [brainId, token],
  )
  const signedIn = useMemo<SignedIn | undefined>(
    () =>
      data && {
        ...data,
        ganglion,
        brainId,
        chooseBrain(id) {
          localStorage.setItem(BRAIN, id)
          setChosenBrain(id)
        },
        can: permission => data.session.permissions.some(candidate => candidate === permission),
      },
    [data, ganglion, brainId],
  )
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

const SIGNED_IN = 'ganglion-signed-in'

/**
 * A browser has one session for all of its tabs. Loads this tab again once another one signs in as another person or in another
 * workspace. Returns the function that ends it.
 */
function followSession({ actor, workspace }: Session): () => void {
  const identity = `${workspace.id} ${actor}`
  localStorage.setItem(SIGNED_IN, identity)
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === SIGNED_IN && newValue !== identity) location.reload()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

const BRAIN = 'ganglion-brain'

const readChosenBrain = (): string | undefined => localStorage.getItem(BRAIN) ?? undefined

function findBrain({ brains, default_brain_id }: Session, chosenBrain: string | undefined): string | undefined {
  const brain = brains.some(({ id }) => id === chosenBrain) ? chosenBrain : undefined
  return brain ?? default_brain_id ?? brains[0]?.id
}
