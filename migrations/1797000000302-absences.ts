import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Who is away, and who answers meanwhile; and when people work. */
export class Absences1797000000302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table absences (
        workspace_id uuid not null default ${TENANT} references workspaces,
        actor text not null,
        substitute text not null,
        starts_at timestamptz not null,
        -- Null until the end is known.
        ends_at timestamptz,
        updated_by text not null,
        updated_at timestamptz not null default now(),
        primary key (workspace_id, actor),
        constraint absences_times check (ends_at > starts_at),
        constraint absences_substitute check (substitute <> actor)
      );
      create index absences_by_substitute on absences (workspace_id, substitute);
      -- The absent assignee for whom a substitute has answered.
      alter table intervention_votes add column on_behalf_of text,
        -- The assignee as which the author answered: a person or a group.
        add column answered_as text;
    `)
    await runner.query(`
      create table working_calendars (
        workspace_id uuid not null default ${TENANT} references workspaces,
        name text not null,
        time_zone text not null,
        -- Spans of local time by weekday.
        hours json not null,
        holidays text[] not null default '{}',
        updated_by text not null,
        updated_at timestamptz not null default now(),
        primary key (workspace_id, name)
      );
    `)
    await enableTenantPolicy(runner, ['absences', 'working_calendars'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table intervention_votes drop column on_behalf_of, drop column answered_as')
    await runner.query('drop table absences, working_calendars')
  }
}
