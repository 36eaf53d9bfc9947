import { type Sql, sql } from "../../db/sql.ts";

/**
 * An array of the groups' names, in the order of their ids. `groupIds` is an array column of ids; groups without a
 * name are left out. Which name a group shows is decided once, by the generated column `market_group.name`: the
 * gateway's name, else the declared one.
 */
export function groupNamesOf(groupIds: Sql): Sql {
  return sql`
    array(select market_group.name
            from unnest(${groupIds}) with ordinality as own (id, at)
            join market_group on market_group.id = own.id
           where market_group.name is not null
           order by own.at)`;
}
