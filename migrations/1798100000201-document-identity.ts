import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The charset of a document's text, as part of the type under which it was extracted. */
const READ_TYPE = `(saved.document ->> 'media_type') || '; charset=' || (saved.document ->> 'charset')`

/**
 * The name of an asset is part of its identity, so it is a column: row-level security allows an index for no operator of
 * JSON. Text in a charset other than UTF-8 was extracted under its media type alone.
 */
export class DocumentIdentity1798100000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table resources add column asset_name text
        generated always as (case when kind = 'assets' then document ->> 'file_name' end) stored;
      create index resources_by_asset_name on resources (workspace_id, asset_name, path)
        where asset_name is not null and deleted_at is null;
    `)
    // The owner of the tables copies the extractions of all workspaces.
    await runner.query(`
      alter table resources no force row level security;
      alter table resource_versions no force row level security;
      alter table extractions no force row level security;
      insert into extractions (workspace_id, sha256, media_type, text_sha256, title, pages, page_offsets, characters,
                               metadata, error_code, error_message, at)
        select distinct on (read.workspace_id, read.sha256, ${READ_TYPE})
               read.workspace_id, read.sha256, ${READ_TYPE}, read.text_sha256, read.title, read.pages, read.page_offsets,
               read.characters, read.metadata, read.error_code, read.error_message, read.at
          from resource_versions saved
          join resources head on head.id = saved.resource_id and head.kind = 'assets'
          join extractions read on read.workspace_id = saved.workspace_id and read.sha256 = saved.document ->> 'sha256'
                               and read.media_type = saved.document ->> 'media_type'
         where saved.document ->> 'charset' <> 'utf-8'
      on conflict do nothing;
      alter table resources force row level security;
      alter table resource_versions force row level security;
      alter table extractions force row level security;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table extractions no force row level security;
      delete from extractions where media_type like '%; charset=%';
      alter table extractions force row level security;
      alter table resources drop column asset_name;
    `)
  }
}
