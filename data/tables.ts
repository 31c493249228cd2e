import * as access from './access/tables.ts'
import * as agents from './agents/tables.ts'
import * as audit from './audit/tables.ts'
import * as channels from './channels/tables.ts'
import * as documents from './documents/tables.ts'
import * as people from './people/tables.ts'
import * as resources from './resources/tables.ts'
import * as runs from './runs/tables.ts'
import * as search from './search/tables.ts'
import * as speech from './speech/tables.ts'
import * as tools from './tools/tables.ts'
import * as triggers from './triggers/tables.ts'
import * as webhooks from './webhooks/tables.ts'
import type { Table } from './shared/table.ts'

/** All database tables. */
export const tables: Table[] = [
  access,
  agents,
  audit,
  channels,
  documents,
  people,
  resources,
  runs,
  search,
  speech,
  tools,
  triggers,
  webhooks,
].flatMap(area => Object.values(area) as Table[])
