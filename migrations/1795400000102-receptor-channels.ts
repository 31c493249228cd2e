import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Removes the channels of receptors, to which nothing was ever bound. Search did not index them. */
export class ReceptorChannels1795400000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The owner of the tables changes the rows of all workspaces, and no head gets a new revision.
      alter table resources no force row level security;
      alter table resource_versions no force row level security;
      alter table resources disable trigger user;
      update resource_versions saved set document = (saved.document::jsonb - 'channels')::json
        from resources head where head.id = saved.resource_id and head.kind = 'receptors';
      update resources set document = (document::jsonb - 'channels')::json where kind = 'receptors';
      alter table resources enable trigger user;
      alter table resources force row level security;
      alter table resource_versions force row level security;
    `)
  }

  /** The removed channels are gone; they had no effect. */
  async down(): Promise<void> {}
}
