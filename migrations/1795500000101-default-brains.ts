import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Every workspace has a default brain: its first one. An API key may name its own. */
export class DefaultBrains1795500000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The owner of the tables reads and writes the rows of all workspaces.
      alter table workspaces no force row level security;
      alter table brains no force row level security;
      alter table workspaces add column default_brain_id uuid;
      insert into brains (id, workspace_id, name)
        select gen_random_uuid(), id, 'default' from workspaces
         where not exists (select from brains where workspace_id = workspaces.id);
      update workspaces set default_brain_id =
        (select id from brains where workspace_id = workspaces.id order by created_at, id limit 1);
      alter table workspaces force row level security;
      alter table brains force row level security;

      alter table brains add constraint brains_of_workspace unique (workspace_id, id);
      -- A workspace and its first brain refer to each other.
      alter table workspaces
        alter column default_brain_id set not null,
        add constraint workspaces_default_brain foreign key (id, default_brain_id) references brains (workspace_id, id)
          deferrable initially deferred;
      alter table api_keys add column default_brain_id uuid,
        add constraint api_keys_default_brain
          foreign key (workspace_id, default_brain_id) references brains (workspace_id, id);
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys drop column default_brain_id;
      alter table workspaces drop column default_brain_id;
      alter table brains drop constraint brains_of_workspace;
    `)
  }
}
