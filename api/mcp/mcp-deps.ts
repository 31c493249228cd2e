import type { JobEventSource } from '../../domain/runs/job-event-source.ts'
import type { Services } from '../../services/services.ts'

/** The services that the tools of the MCP server call, as routes do. */
export type McpDeps = Pick<
  Services,
  | 'chat'
  | 'discovery'
  | 'documents'
  | 'evidence'
  | 'humanTasks'
  | 'jobs'
  | 'bulkJobs'
  | 'mcpToolkits'
  | 'neurons'
  | 'pathways'
  | 'plans'
  | 'resources'
  | 'search'
  | 'skills'
  | 'waitForResult'
> & { events: JobEventSource; config: { BASE_URL?: string } }
