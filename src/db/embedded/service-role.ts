/**
 * The role that Assay works with on the embedded server. It owns Assay's databases and nothing else; the superuser is for
 * set-up only.
 *
 * Invariant: the role can log in only after everything belongs to it. So a set-up that was interrupted is noticed by the
 * next login that fails, and run again.
 */
import { StoreClient } from "../driver/client.ts";
import { LOCKS } from "../locks.ts";
import { toClientOptions } from "../pool.ts";
import type { Cluster } from "./cluster.ts";

export const SERVICE_ROLE = "assay_service";
/** Changing the owner of tables takes no time, but another set-up may be under way. */
const TIMEOUT_MS = 60_000;
/** Roles that do not exist, or may not log in yet, or had another password in a restored cluster. */
const LOGIN_REFUSED: ReadonlySet<unknown> = new Set(["28P01", "28000"]);

/** PostgreSQL does not tell a client whether the role is missing or the password is wrong. */
export function isLoginRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return LOGIN_REFUSED.has(code) || LOGIN_REFUSED.has(cause?.code);
}

/** Makes the role and gives it the databases of an older version. May run again at any time. */
export async function setUpServiceRole(
  cluster: Cluster,
  urlOf: (database: string) => string,
): Promise<void> {
  await withClient(urlOf("postgres"), async (run) => {
    await run(`select pg_advisory_lock(${LOCKS.embeddedSetUp})`);
    await run(MAKE_ROLE);
    const databases = await run(
      "select datname as name from pg_database where datallowconn and not datistemplate and datname <> 'postgres'",
    );
    for (const { name } of databases as { name: string }[]) {
      await withClient(urlOf(name), (runThere) => runThere(GIVE_OBJECTS));
      await run(`alter database "${name.replaceAll('"', '""')}" owner to ${SERVICE_ROLE}`);
    }
    await run(`grant pg_read_all_settings to ${SERVICE_ROLE}`);
    await run(`alter role ${SERVICE_ROLE} login password '${cluster.servicePassword}'`);
  });
}

const MAKE_ROLE = `do $$ begin
  if not exists (select from pg_roles where rolname = '${SERVICE_ROLE}') then
    create role ${SERVICE_ROLE} nologin nosuperuser nocreatedb nocreaterole noreplication;
  end if;
end $$`;

/** A sequence of a column follows its table, and what belongs to an extension stays with it. */
const GIVE_OBJECTS = `do $$
declare
  command text;
begin
  for command in
    select format('alter table %s owner to ${SERVICE_ROLE}', oid::regclass)
      from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
       and not exists (select from pg_depend
                        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i', 'e'))
    union all
    select format('alter routine %s owner to ${SERVICE_ROLE}', oid::regprocedure)
      from pg_proc
     where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend
                        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select format('alter type %s owner to ${SERVICE_ROLE}', oid::regtype)
      from pg_type
     where typnamespace = 'public'::regnamespace and typtype in ('d', 'e')
       and not exists (select from pg_depend
                        where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
  loop
    execute command;
  end loop;
end $$`;

type Run = (text: string) => Promise<readonly unknown[]>;

async function withClient<Result>(
  url: string,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const options = { url, name: "assay set-up", statementTimeoutMs: TIMEOUT_MS };
  const client = new StoreClient(toClientOptions(options));
  try {
    await client.connect();
    return await work(async (text) => (await client.run({ text })).rows);
  } finally {
    client.destroy();
  }
}
