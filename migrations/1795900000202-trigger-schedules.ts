import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What follows the changes of triggers: schedules, and the health that is announced. */
export class TriggerSchedules1795900000202 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Whether Temporal may have a schedule of it.
      alter table trigger_states add column has_schedule boolean not null default false;
      create index trigger_states_scheduled on trigger_states (trigger_id) where has_schedule;
      create index trigger_states_limited on trigger_states (last_decided_at) where health = 'over_limit';
      -- The workflow that waits for the end of the run.
      alter table trigger_firings add column workflow_id text;

      create or replace function note_triggered_run() returns trigger language plpgsql as $$
      begin
        update trigger_states
           set failed_runs = case new.status when 'failed' then failed_runs + 1 else 0 end,
               sync_due_at = case when (new.status = 'failed') <> (failed_runs > 0) then now() else sync_due_at end
         where trigger_id = new.trigger_id;
        return null;
      end $$;

      -- What a trigger starts is named by id or slug, so that both may begin or end to name something.
      create function note_target() returns trigger language plpgsql as $$
      begin
        update trigger_states set sync_due_at = now()
          from resources head
         where head.id = trigger_states.trigger_id and head.kind = 'triggers' and head.workspace_id = new.workspace_id
           and head.deleted_at is null
           and split_part(head.document -> 'target' ->> 'ref', '@', 1) in (new.id::text, new.slug, old.slug);
        return null;
      end $$;
      create trigger targets_noted after update of deleted_at, is_active, slug, brain_id on resources for each row
        when (new.kind in ('neurons', 'pathways', 'receptors')
              and (new.deleted_at, new.is_active, new.slug, new.brain_id)
                  is distinct from (old.deleted_at, old.is_active, old.slug, old.brain_id))
        execute function note_target();

      create function announce_trigger_health() returns trigger language plpgsql as $$
      begin
        insert into event_outbox (workspace_id, brain_id, type, subject)
          select head.workspace_id, head.brain_id, 'trigger.health_changed', json_build_object('trigger',
                   json_build_object('id', head.id, 'slug', head.slug, 'health', new.health, 'reason', new.health_reason,
                                     'brain_id', head.brain_id))
            from resources head where head.id = new.trigger_id and head.deleted_at is null;
        return null;
      end $$;
      create trigger trigger_health_announced after update of health on trigger_states for each row
        when (new.health <> old.health) execute function announce_trigger_health();
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger trigger_health_announced on trigger_states;
      drop trigger targets_noted on resources;
      drop function announce_trigger_health();
      drop function note_target();
      alter table trigger_firings drop column workflow_id;
      drop index trigger_states_limited;
      alter table trigger_states drop column has_schedule;
    `)
  }
}
