import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * What ingesting looks resources and jobs up by. Under row-level security Postgres uses an index only with operators that
 * are known to leak nothing, and the arrows into JSON are not: so the fields looked for are columns.
 */
export class Documents1795255500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index if exists assets_by_content, assets_by_source;
      alter table resources
        add column asset_sha256 text generated always as
          (case when kind = 'assets' then document ->> 'sha256' end) stored,
        add column source_key text generated always as
          (case when kind = 'assets' then document ->> 'source_key' end) stored;
      create index resources_by_asset_content on resources (workspace_id, asset_sha256)
        where asset_sha256 is not null and deleted_at is null;
      -- A source names one live asset of a brain, also when a deleted one is brought back.
      create unique index resources_live_source on resources (workspace_id, source_key, brain_id) nulls not distinct
        where source_key is not null and deleted_at is null;

      alter table jobs add column asset_id uuid;
      create index jobs_by_asset on jobs (workspace_id, asset_id, created_at desc, job_id desc)
        where asset_id is not null;

      alter table extractions add column characters integer;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table extractions drop column characters;
      alter table jobs drop column asset_id;
      alter table resources drop column source_key, drop column asset_sha256;
      create index assets_by_content on resources (workspace_id, (document ->> 'sha256'))
        where kind = 'assets' and deleted_at is null;
      create index assets_by_source on resources (workspace_id, (document ->> 'source_key'))
        where kind = 'assets' and deleted_at is null;
    `)
  }
}
