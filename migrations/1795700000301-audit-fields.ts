import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Who, on whose behalf, by which request: the columns of the audit log that its filters need. */
export class AuditFields1795700000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table audit_log
        -- The person behind the actor, and the credential.
        add column person text,
        add column key_id text,
        -- The first word of the action: what the id in target is the id of.
        add column target_type text not null generated always as (split_part(action, '.', 1)) stored,
        add column brain_id uuid,
        -- Of the transaction, so that no writer can forget it: the X-Request-Id, or the id of the job.
        add column request_id text default nullif(current_setting('app.request_id', true), ''),
        -- SHA-256 over the canonical JSON of the target before and after the change.
        add column before_hash text,
        add column after_hash text;

      -- The owner of the tables reads and writes the rows of all workspaces.
      alter table audit_log no force row level security;
      update audit_log set key_id = details ->> 'key_id', details = details - 'key_id' where details ? 'key_id';
      alter table audit_log force row level security;

      create index audit_log_by_actor on audit_log (workspace_id, actor, at desc, id desc);
      create index audit_log_by_action on audit_log (workspace_id, action, at desc, id desc);
      create index audit_log_by_target on audit_log (workspace_id, target, at desc, id desc);
      create index audit_log_by_target_type on audit_log (workspace_id, target_type, at desc, id desc);
      create index audit_log_by_brain on audit_log (workspace_id, brain_id, at desc, id desc);
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index audit_log_by_actor, audit_log_by_action, audit_log_by_target, audit_log_by_target_type, audit_log_by_brain;
      alter table audit_log drop column person, drop column key_id, drop column target_type, drop column brain_id,
        drop column request_id, drop column before_hash, drop column after_hash
    `)
  }
}
