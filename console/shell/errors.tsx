import { Anchor, Text } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Failure } from '../parts/failure.tsx'
import { Page } from '../parts/page.tsx'

export const MissingPage = () => (
  <Page title="No such page">
    <Text>
      Nothing is at this address. Go to the{' '}
      <Anchor component={Link} to="/">
        overview
      </Anchor>
      .
    </Text>
  </Page>
)

export const BrokenPage = ({ error }: ErrorComponentProps) => (
  <Page title="This page broke">
    <Failure error={error} onRetry={() => location.reload()} />
  </Page>
)
