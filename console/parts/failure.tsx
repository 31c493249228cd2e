import { APIError } from '@ganglion/client/errors'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

/** Says what failed, in the words of the service. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error)
  const requestId = APIError.is(error) && error.requestId
  return (
    <Alert role="alert" variant="default" icon={<IconAlertTriangle />} title="This did not work" className="failure">
      <Text size="sm">{message}</Text>
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          Request {requestId}
        </Text>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  )
}
