import type { Migration } from './migration.ts'
import { TENANT, tenantPolicy } from './tenant.ts'

export const deactivatedMembers: Migration = {
  id: 1795894500000,
  name: 'DeactivatedMembers',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
      create table deactivated_members (
        workspace_id uuid not null default ${TENANT} references workspaces,
        actor text not null,
        -- The row of the table members.
        member jsonb not null,
        deactivated_at timestamptz not null default now(),
        primary key (workspace_id, actor)
      );
      ${tenantPolicy('deactivated_members')}
    `,
    down: 'drop table deactivated_members',
    loses: 'Deactivated members',
  },
}
