-- The default stakeholder map of a brain: the first one that was made in it, unless another one is set.

-- The oldest live map of a brain becomes its default where it has none that is live and seen from it.
create function choose_default_map(of_brain uuid) returns void language sql as $$
update brains set default_map_id =
       (select id from resources
         where kind = 'stakeholder_maps' and brain_id = of_brain and deleted_at is null
         order by created_at, id limit 1)
 where id = of_brain
   and not exists (select from resources
                    where resources.id = brains.default_map_id and deleted_at is null
                      and (brain_id is null or brain_id = of_brain)) $$;

create function keep_default_map() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform choose_default_map(id) from (
      select id from brains where default_map_id = new.id or id in (old.brain_id, new.brain_id)
    ) concerned;
  else
    perform choose_default_map(new.brain_id);
  end if;
  return null;
end $$;
create trigger stakeholder_map_inserted after insert on resources
  for each row when (new.kind = 'stakeholder_maps' and new.brain_id is not null) execute function keep_default_map();
create trigger stakeholder_map_moved after update of deleted_at, brain_id on resources
  for each row when (new.kind = 'stakeholder_maps'
    and (new.deleted_at is distinct from old.deleted_at or new.brain_id is distinct from old.brain_id))
  execute function keep_default_map();
