import { Center, Loader } from '@mantine/core'

export const LoadingPage = () => (
  <Center component="main" p="xl" mih="60dvh">
    <Loader role="status" aria-label="Loading" />
  </Center>
)

export const Loading = () => (
  <Center p="xl">
    <Loader size="sm" role="status" aria-label="Loading" />
  </Center>
)
