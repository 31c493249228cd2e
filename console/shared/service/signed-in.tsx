import { Ganglion } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { useQuery } from '@tanstack/react-query'
import { createContext, lazy, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { LoadingPage } from '../parts/loading.tsx'
import { Themed } from '../shell/themed.tsx'
import { type Boot, bootQuery, type Session } from './session.ts'

const SignIn = lazy(() => import('../shell/sign-in.tsx'))

/** Context of all pages for a signed-in person. */
export interface SignedIn extends Boot {
  ganglion: Ganglion
  /** The brain to which requests apply. */
  brainId: string | undefined
  chooseBrain: (id: string) => void
  /** Returns whether the person's role has the permission. The service also checks the permission. */
  can: (permission: string) => boolean
}

const Context = createContext<SignedIn | undefined>(undefined)

export function useSignedIn(): SignedIn {
  const signedIn = useContext(Context)
  if (!signedIn) throw new Error('This component requires a session')
  return signedIn
}

/** Shows its children to signed-in people, and the sign-in page to others. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { data, error } = useQuery(bootQuery)
  const [chosenBrain, setChosenBrain] = useState(readChosenBrain)
  const brainId = data && findBrain(data.session, chosenBrain)
  const token = data?.session.csrf_token
  // Memoized until its options change, because a new client restarts the streams.
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
  // Other errors may be temporary, so an open page stays.
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
 * A browser has one session for all its tabs. Reloads this tab when another tab signs in as another person or to
 * another workspace. Returns a function that stops watching.
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
