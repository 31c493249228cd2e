import type { MigrationInterface, QueryRunner } from 'typeorm'

const CHANGES = `'claimed', 'released', 'reassigned', 'delegated', 'escalated', 'commented', 'reminded'`

/** Everyone behind a run, who may not decide in it where a node asks others, and whom that comes from. */
export class PeopleOfRuns1798000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column people text[];
      update jobs set people = case when requester_person is null then array[requester]
                                    else array[requester_person, requester] end;
      alter table jobs alter column people set not null, drop column requester_person;

      alter table interventions alter column excluded type text[]
        using case when excluded is null then '{}' else array[excluded] end;
      alter table interventions alter column excluded set default '{}', alter column excluded set not null;

      alter table intervention_changes drop constraint intervention_changes_change_check,
        add constraint intervention_changes_change_check check (change in (${CHANGES}, 'excluded'));

      -- Who has set the secrets.
      alter table hook_secrets add column set_by text, add column previous_set_by text;
      update hook_secrets
         set set_by = (select actor from audit_log
                        where audit_log.workspace_id = hook_secrets.workspace_id and target = trigger_id::text
                          and action = 'trigger.rotate_secret' order by at desc, id desc limit 1);

      -- The resources and interventions that the events are about.
      alter table trigger_events add column subjects text[] not null default '{}';

      -- Who has caused the event, for a replay.
      alter table trigger_firings add column people text[] not null default '{}';
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table trigger_firings drop column people;
      alter table trigger_events drop column subjects;
      alter table hook_secrets drop column set_by, drop column previous_set_by;

      delete from intervention_changes where change = 'excluded';
      alter table intervention_changes drop constraint intervention_changes_change_check,
        add constraint intervention_changes_change_check check (change in (${CHANGES}));

      alter table interventions alter column excluded drop default, alter column excluded drop not null;
      alter table interventions alter column excluded type text using excluded[1];

      alter table jobs add column requester_person text;
      update jobs set requester_person = nullif(people[1], requester);
      alter table jobs drop column people;
    `)
  }
}
