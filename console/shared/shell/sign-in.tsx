import { APIError } from '@ganglion/client/errors'
import { Anchor, Button, Code, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bindField } from '../parts/form.tsx'
import { Failure } from '../parts/read.tsx'
import { bootQuery, buildSignInAddress, decideLink, signInOptionsQuery } from '../service/session.ts'
import { Brand } from './brand.tsx'

const WORKSPACE = 'ganglion-workspace'

/** The page for people who are not signed in. */
export default function SignIn({ error }: { error: Error }) {
  return (
    <main className="sign-in">
      <Paper withBorder p="xl" radius="lg" className="sign-in-card">
        <Stack gap="lg">
          <Brand />
          <Title order={1} size="h3">
            Sign in
          </Title>
          {APIError.is(error, 'CONFLICT') ? <OtherSession message={error.message} /> : <Choices error={error} />}
        </Stack>
      </Paper>
    </main>
  )
}

/** Asks before a link replaces the session of another person or workspace. */
function OtherSession({ message }: { message: string }) {
  const client = useQueryClient()
  const decide = (replace: boolean) => {
    decideLink(replace)
    void client.resetQueries({ queryKey: bootQuery.queryKey })
  }
  return (
    <>
      <Text size="sm">{message}.</Text>
      <Group>
        <Button onClick={() => decide(true)}>Sign in with the link</Button>
        <Button variant="default" onClick={() => decide(false)}>
          Stay signed in
        </Button>
      </Group>
    </>
  )
}

function Choices({ error }: { error: Error }) {
  const { data: options } = useQuery(signInOptionsQuery)
  const isMissing = APIError.is(error, 'AUTH_REQUIRED')
  const wasLink = isMissing && error.message.includes('link')
  return (
    <>
      {(!isMissing || wasLink) && <Failure error={error} />}
      {options?.oidc && <ProviderForm />}
      <Text size="sm" c="dimmed">
        {options?.oidc ? 'Or open a sign-in link.' : 'Open a sign-in link.'} <Code>npm start</Code> prints a link.
        Operators can create more with <Code>npm run admin -- session link</Code>. A link works once, within 15 minutes.
      </Text>
      <Anchor href="/v1/docs" size="sm">
        API reference
      </Anchor>
    </>
  )
}

/**
 * Asks for the workspace, then links to the identity provider. Not a form, because the content security policy
 * forbids forms that lead to other sites.
 */
function ProviderForm() {
  const [workspace, setWorkspace] = useState(() => localStorage.getItem(WORKSPACE) ?? '')
  const slug = workspace.trim()
  const remember = () => localStorage.setItem(WORKSPACE, slug)
  return (
    <Stack gap="sm">
      <TextInput
        label="Workspace"
        placeholder="acme"
        {...bindField(workspace, setWorkspace)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || slug === '') return
          remember()
          location.assign(buildSignInAddress(slug))
        }}
      />
      <Group>
        <Button
          component="a"
          href={buildSignInAddress(slug)}
          data-disabled={slug === '' || undefined}
          onClick={remember}
        >
          Continue with your identity provider
        </Button>
      </Group>
    </Stack>
  )
}
