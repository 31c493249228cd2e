import { Group } from '@mantine/core'
import { Failure } from '../parts/failure.tsx'
import { RowButton } from '../parts/row-button.tsx'
import { Secret } from '../parts/secret.tsx'
import { useChange } from '../service/use-change.ts'

/** Makes the address and the secret of a hook, also again: those before stay valid for a day. */
export function Hook({ triggerId }: { triggerId: string }) {
  const token = useChange('triggers', ganglion => ganglion.triggers.rotateToken(triggerId))
  const secret = useChange('triggers', ganglion => ganglion.triggers.rotateSecret(triggerId))
  const error = token.error ?? secret.error
  return (
    <>
      <Group gap="xs">
        <RowButton loading={token.isPending} onClick={() => token.mutate()}>
          New address
        </RowButton>
        <RowButton loading={secret.isPending} onClick={() => secret.mutate()}>
          New secret
        </RowButton>
      </Group>
      <Secret label="The address that takes requests" text={token.data?.url} />
      <Secret label="The secret of its signatures" text={secret.data?.secret} />
      {error && <Failure error={error} />}
    </>
  )
}
