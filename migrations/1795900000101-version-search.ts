import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What the search index of versions holds of a resource. */
export class VersionSearch1795900000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table search_state
        -- The revision of the head that the index of versions covers; null while it holds nothing of the resource.
        add column versions_revision bigint,
        -- The last version that it covers.
        add column versions_until integer,
        -- What every chunk repeats of the head, such as its folder.
        add column versions_place text,
        add column versions_index text;
      -- The owner of the tables reads and writes the rows of all workspaces.
      alter table resources no force row level security;
      alter table search_outbox no force row level security;
      insert into search_outbox (workspace_id, resource_id, revision, version)
        select workspace_id, id, revision, version from resources where kind = 'stakeholder_maps';
      alter table resources force row level security;
      alter table search_outbox force row level security;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table search_state drop column versions_revision, drop column versions_until, drop column versions_place,
        drop column versions_index
    `)
  }
}
