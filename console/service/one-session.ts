const SIGNED_IN = 'ganglion-signed-in'

/**
 * A browser has one session for all of its tabs. Loads this tab again once another one signs in as another person or in another
 * workspace. Returns the function that ends it.
 */
export function followSession({ actor, workspace }: { actor: string; workspace: { id: string } }): () => void {
  const own = `${workspace.id} ${actor}`
  localStorage.setItem(SIGNED_IN, own)
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === SIGNED_IN && newValue !== own) location.reload()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
