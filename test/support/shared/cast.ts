import type { Client } from '@modelcontextprotocol/client'
import type { Browser } from '../clients/browser.ts'
import { type ApiClient, createClient } from '../clients/client.ts'
import { connectMcp } from '../tools/mcp.ts'
import { signInAs } from '../access/sign-in.ts'
import type { ConnectedStack, TestWorkspace } from '../stack/stack.ts'

/** A person who has every possible credential. All of these people are owners, so that no permission is missing. */
export interface Actor {
  name: string
  /** A client that uses the person's API key. */
  client: ApiClient
  session: Browser
  /** A client that uses a service key owned by the person. */
  robot: ApiClient
  mcp: Client
}

export const GROUP = 'group:review'

/** Creates a person whose credentials all belong to the group of reviewers. */
export async function createActor(stack: ConnectedStack, workspace: TestWorkspace, name: string): Promise<Actor> {
  const actor = `user:${name}`
  const session = await signInAs(stack, workspace, actor, 'owner')
  const groups = [GROUP]
  const [token, ownKey] = await Promise.all([
    workspace.newKey({ actor, groups }),
    workspace.newKey({ name: `robot-${name}`, owner: actor, groups }),
  ])
  return {
    name: actor,
    client: createClient(stack.baseUrl, token),
    session,
    robot: createClient(stack.baseUrl, ownKey),
    mcp: await connectMcp({ baseUrl: stack.baseUrl, token }),
  }
}
