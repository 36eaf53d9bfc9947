import { type Sql, sql } from "../../db/sql.ts";

/**
 * An array of the groups' names, in the order of their ids. `groupIds` is an array column of ids; groups without a
 * name are left out. Which name a group shows is decided once, by the generated column `market_group.name`: the
 * gateway's name, else the declared one. `offset 0` makes the planner look up each id: a join would read all groups again
 * for every row.
 */
export function groupNamesOf(groupIds: Sql): Sql {
  return sql`
    array(select named.name
            from unnest(${groupIds}) with ordinality as own (id, at)
           cross join lateral (select name
                                 from market_group
                                where market_group.id = own.id and name is not null
                               offset 0) as named
           order by own.at)`;
}
