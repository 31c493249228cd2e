import type { JobEventSource } from '../../domain/job-event-source.ts'
import type { Chat } from '../../services/conversations/chat.ts'
import type { DiscoveryService } from '../../services/discovery/types.ts'
import type { DocumentsService } from '../../services/documents/types.ts'
import type { EvidenceService } from '../../services/evidence/evidence.ts'
import type { HumanTasksService } from '../../services/human-tasks/types.ts'
import type { BulkJobs } from '../../services/jobs/bulk/types.ts'
import type { JobsService } from '../../services/jobs/types.ts'
import type { WaitForResult } from '../../services/jobs/wait-for-result.ts'
import type { McpToolkits } from '../../services/mcp-toolkits/types.ts'
import type { NeuronsService } from '../../services/neurons/types.ts'
import type { PathwaysService } from '../../services/pathways/types.ts'
import type { PlansService } from '../../services/plans/plans.ts'
import type { ProductService } from '../../services/products/types.ts'
import type { ResourcesService } from '../../services/resources/types.ts'
import type { SearchService } from '../../services/search/types.ts'

/** The services that the tools of the MCP server call, as routes do. */
export interface McpDeps {
  chat: Chat
  discovery: DiscoveryService
  documents: DocumentsService
  evidence: EvidenceService
  humanTasks: HumanTasksService
  jobs: JobsService
  bulkJobs: BulkJobs
  mcpToolkits: McpToolkits
  neurons: NeuronsService
  pathways: PathwaysService
  plans: Pick<PlansService, 'checkWrite'>
  resources: ResourcesService
  search: SearchService
  skills: Pick<ProductService, 'list' | 'read'>
  events: JobEventSource
  waitForResult: WaitForResult
  config: { BASE_URL?: string }
}
