import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type ServerContext } from '@modelcontextprotocol/server'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** Capabilities that the client declared in the request. Requests in the 2025 revision declare none. */
export interface ClientAbilities {
  /** Whether the client follows runs as tasks. */
  tasks: boolean
  /** Whether the client can ask its user with a form. */
  forms: boolean
}

export function readDeclared({ mcpReq }: Pick<ServerContext, 'mcpReq'>): ClientAbilities {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {}
  const { extensions, elicitation } = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities
  const modes = elicitation as { form?: object; url?: object } | undefined
  return {
    tasks: extensions?.[TASKS_EXTENSION] !== undefined,
    // An object without modes means that forms are supported.
    forms: modes !== undefined && (modes.form !== undefined || modes.url === undefined),
  }
}
