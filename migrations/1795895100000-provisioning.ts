import type { Migration } from './migration.ts'
import { TENANT, tenantPolicy } from './tenant.ts'

export const provisioning: Migration = {
  id: 1795895100000,
  name: 'Provisioning',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
      -- The attributes that a SCIM client set. Null for members who were not provisioned.
      alter table members add column scim jsonb;
      create table provisioned_groups (
        workspace_id uuid not null default ${TENANT} references workspaces,
        -- The group of the members, such as group:finance.
        name text not null,
        display_name text not null,
        external_id text,
        primary key (workspace_id, name)
      );
      ${tenantPolicy('provisioned_groups')}
    `,
    down: `
      drop table provisioned_groups;
      -- squawk-ignore ban-drop-column
      alter table members drop column scim;
    `,
    loses: 'SCIM groups, and the SCIM attributes of members',
  },
}
