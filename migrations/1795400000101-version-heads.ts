import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Versions hold all fields of the head as they were, beside title and document. Versions from before get the fields of the
 * present head, which reads showed until now.
 */
export class VersionHeads1795400000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table resource_versions
        add column brain_id uuid references brains,
        add column slug text,
        add column path text,
        add column scope text check (scope in ('core', 'workspace', 'brain')),
        add column is_active boolean;
      -- The owner of the tables reads and writes the rows of all workspaces.
      alter table resources no force row level security;
      alter table resource_versions no force row level security;
      update resource_versions saved
         set brain_id = head.brain_id, slug = head.slug, path = head.path, scope = head.scope, is_active = head.is_active
        from resources head
       where head.id = saved.resource_id;
      alter table resources force row level security;
      alter table resource_versions force row level security;
      alter table resource_versions
        alter column slug set not null,
        alter column path set not null,
        alter column scope set not null,
        alter column is_active set not null;
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table resource_versions
        drop column brain_id, drop column slug, drop column path, drop column scope, drop column is_active
    `)
  }
}
