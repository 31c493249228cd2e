import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Ganglion } from '@ganglion/client'
import { useSignedIn } from './signed-in.tsx'

/** Sends a change to the service, and then reads again the queries whose keys begin with the name. */
export function useChange<Input = void, Reply = unknown>(
  name: string,
  send: (ganglion: Ganglion, input: Input) => PromiseLike<Reply>,
  onSuccess?: (reply: Reply, input: Input) => void,
) {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => send(ganglion, input),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [name] }),
  })
}
