import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Toolkits: pathways and neurons that the MCP server offers as tools. */
export class McpToolkits1795800000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table mcp_toolkits (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        slug text not null,
        name text not null,
        description text,
        -- In the order of the list: [{type, id, name, description}]. The id is that of a resource, which may be deleted.
        tools jsonb not null,
        version integer not null default 1,
        created_by text not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint mcp_toolkits_slug unique (workspace_id, slug)
      );
      create index mcp_toolkits_by_time on mcp_toolkits (workspace_id, created_at, id);
    `)
    await enableTenantPolicy(runner, ['mcp_toolkits'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table mcp_toolkits')
  }
}
