-- Written by `npm run generate` from the migrations; do not edit.

create extension pg_trgm;

create type fx_rate_kind as enum ('built_in', 'pegged', 'ecb', 'declared');

CREATE OR REPLACE FUNCTION public.announce_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('assay_changes', tg_argv[0]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_ids()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ids text[];
begin
  if tg_op <> 'TRUNCATE' then
    execute format('select array_agg(distinct %I) from changed', tg_argv[1]) into ids;
    if ids is null then
      return null;
    end if;
  end if;
  perform pg_notify('assay_changes',
                    tg_argv[0] || case when cardinality(ids) <= 200 then ' ' || array_to_string(ids, ',') else '' end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_row_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('assay_changes', tg_argv[0] || ' ' || case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.begin_match_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into alert_match_count (alert_id) select id from added;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.configuration_ids_of(filters jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT lower(id.value) AS lower FROM jsonb_array_elements_text(CASE jsonb_typeof((configuration_ids_of.filters -> 'configuration_ids'::text)) WHEN 'array'::text THEN (configuration_ids_of.filters -> 'configuration_ids'::text) ELSE '[]'::jsonb END) id(value));

CREATE OR REPLACE FUNCTION public.convert_deal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.paid_eur_minor := to_eur_minor(new.paid_amount_minor, new.paid_currency, new.paid_at_ms);
  new.sold_eur_minor := to_eur_minor(new.sold_amount_minor, new.sold_currency, new.sold_at_ms);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.convert_deals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from changed) then
    return null;
  end if;
  perform pg_advisory_xact_lock(4170017);
  update deal
     set paid_eur_minor = to_eur_minor(deal.paid_amount_minor, deal.paid_currency, deal.paid_at_ms),
         sold_eur_minor = to_eur_minor(deal.sold_amount_minor, deal.sold_currency, deal.sold_at_ms)
    from (select currency, (min(day) - date '1970-01-01') * 86400000::bigint as from_ms from changed group by currency) as rate
   where deal.paid_at_ms is not null
     and ((deal.paid_currency = rate.currency and deal.paid_at_ms >= rate.from_ms)
          or (deal.sold_currency = rate.currency and deal.sold_at_ms >= rate.from_ms))
     and (to_eur_minor(deal.paid_amount_minor, deal.paid_currency, deal.paid_at_ms),
          to_eur_minor(deal.sold_amount_minor, deal.sold_currency, deal.sold_at_ms))
         is distinct from (deal.paid_eur_minor, deal.sold_eur_minor);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_matches()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update alert_match_count as counted
       set total = counted.total + change.total, unseen = counted.unseen + change.unseen
      from (select alert_id, count(*) as total, count(*) filter (where seen_at_ms is null) as unseen
              from added group by alert_id) as change
     where counted.alert_id = change.alert_id;
  elsif tg_op = 'DELETE' then
    update alert_match_count as counted
       set total = counted.total - change.total, unseen = counted.unseen - change.unseen
      from (select alert_id, count(*) as total, count(*) filter (where seen_at_ms is null) as unseen
              from removed group by alert_id) as change
     where counted.alert_id = change.alert_id;
  else
    update alert_match_count as counted
       set total = counted.total + change.total, unseen = counted.unseen + change.unseen
      from (select alert_id, sum(sign) as total, coalesce(sum(sign) filter (where seen_at_ms is null), 0) as unseen
              from (select alert_id, seen_at_ms, 1 as sign from added
                    union all
                    select alert_id, seen_at_ms, -1 from removed) as both_sides
             group by alert_id) as change
     where counted.alert_id = change.alert_id and (change.total <> 0 or change.unseen <> 0);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.delete_configuration_filters()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from saved_filter
   where owner_kind = 'configuration' and owner_id in (select id from removed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.is_fresh_work()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(current_setting('assay.is_fresh', true), '') = 'on'
$function$;

CREATE OR REPLACE FUNCTION public.listings_with_words(asked tsquery, most integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
AS $function$ select id from listing where search_text::tsvector @@ asked limit most $function$;

CREATE OR REPLACE FUNCTION public.log_fx_rate_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from changed) then
    return null;
  end if;
  perform pg_advisory_xact_lock(4170009);
  insert into saved_filter_change (owner_kind, owner_id, sequence)
  values ('fx_rate', '00000000-0000-0000-0000-000000000000', nextval('saved_filter_sequence'))
  on conflict (owner_kind, owner_id) do update set sequence = excluded.sequence;
  perform pg_notify('assay_changes', 'saved_filter');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.log_saved_filter_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(4170009);
  insert into saved_filter_change (owner_kind, owner_id, sequence)
  select owner_kind, owner_id, nextval('saved_filter_sequence') from changed
  on conflict (owner_kind, owner_id) do update set sequence = excluded.sequence;
  perform pg_notify('assay_changes', 'saved_filter');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.queue_moved_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into match_queue as queued (resource, resource_id)
  select 'message', old_id from moved order by old_id
  on conflict (resource, resource_id) do update
     set alert_ms = queued.alert_ms, is_fresh = queued.is_fresh or excluded.is_fresh;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.filters, new.is_enabled, new.strategy, new.view_id)
     is distinct from (old.filters, old.is_enabled, old.strategy, old.view_id) then
    new.since_sequence := nextval('arrival_sequence');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.revise_price_configuration()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.revision := old.revision + 1;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.revive_webhook_target()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.gone_at_ms := null;
  new.next_send_at_ms := 0;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_token_role()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.role is null then
    new.role := case when new.is_read_only then 'market' else 'owner' end;
  end if;
  new.is_read_only := new.role = 'market';
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.take_listing_sequence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.sequence := nextval('listing_sequence');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.take_match_turn()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(4170007);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.to_eur_minor(amount bigint, currency text, at_ms bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select case
           when currency = 'EUR' then amount
           else (select case when converted.eur_minor < 9e15 then converted.eur_minor::bigint end
                   from (select per_eur
                           from fx_rate
                          where fx_rate.currency = to_eur_minor.currency
                            and fx_rate.day <= date '1970-01-01' + (at_ms / 86400000)::integer
                          order by fx_rate.day desc, fx_rate.kind desc
                          limit 1) as rate
                  cross join lateral (select div(2 * amount::numeric + rate.per_eur, 2 * rate.per_eur) as eur_minor)
                             as converted)
         end
$function$;

create table activity (
  id uuid not null default gen_random_uuid(),
  sequence bigint not null generated always as identity,
  at_ms bigint not null,
  actor_token_id uuid,
  actor_name text collate "C" not null,
  action text collate "C" not null,
  object_kind text collate "C" not null,
  object_id uuid not null,
  object_name text,
  changes json not null,
  contact_id uuid,
  request_id text,
  constraint activity_pkey PRIMARY KEY (id),
  constraint activity_sequence_key UNIQUE (sequence),
  constraint activity_actor_name_check CHECK (((length(actor_name) >= 1) AND (length(actor_name) <= 100))),
  constraint activity_changes_check CHECK ((octet_length((changes)::text) <= 8192))
);
CREATE INDEX activity_by_actor ON public.activity USING btree (actor_name, at_ms, sequence);
CREATE INDEX activity_by_contact ON public.activity USING btree (contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX activity_by_kind ON public.activity USING btree (object_kind, at_ms, sequence);
CREATE INDEX activity_by_object ON public.activity USING btree (object_id, at_ms, sequence);
CREATE INDEX activity_by_time ON public.activity USING btree (at_ms, sequence);
CREATE INDEX activity_by_token ON public.activity USING btree (actor_token_id, at_ms, sequence) WHERE (actor_token_id IS NOT NULL);

create table alert (
  id uuid not null,
  name text not null,
  is_enabled boolean not null,
  filters jsonb not null,
  strategy text not null,
  is_system boolean not null,
  view_id uuid,
  configuration_id uuid,
  managed_by text,
  created_by text,
  updated_by text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  configuration_ids text[] generated always as (configuration_ids_of(filters)) stored,
  since_sequence bigint not null default nextval('arrival_sequence'::regclass),
  created_hash text collate "C",
  muted_until_ms bigint,
  constraint alert_pkey PRIMARY KEY (id),
  constraint alert_configuration_id_key UNIQUE (configuration_id),
  constraint alert_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE,
  constraint alert_check CHECK ((is_system = (configuration_id IS NOT NULL))),
  constraint alert_filters_check CHECK ((jsonb_typeof(filters) = 'object'::text)),
  constraint alert_managed_by_check CHECK ((managed_by = ANY (ARRAY['manifest'::text, 'api'::text, 'price_engine'::text]))),
  constraint alert_strategy_check CHECK ((strategy = ANY (ARRAY['market_filter'::text, 'price_engine'::text])))
);
CREATE INDEX alert_by_name ON public.alert USING btree (name) WHERE (NOT is_system);
CREATE INDEX alert_by_view ON public.alert USING btree (view_id) WHERE (view_id IS NOT NULL);
CREATE INDEX alert_newest ON public.alert USING btree (created_at_ms DESC, id);
CREATE INDEX alert_of_any_configuration ON public.alert USING btree (id) WHERE ((strategy = 'price_engine'::text) AND is_enabled AND (NOT is_system) AND (configuration_ids = '{}'::text[]));
CREATE INDEX alert_of_configurations ON public.alert USING gin (configuration_ids) WHERE ((strategy = 'price_engine'::text) AND is_enabled AND (NOT is_system));
CREATE INDEX alert_of_users ON public.alert USING btree (id) WHERE (NOT is_system);
CREATE TRIGGER alert_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.alert FOR EACH STATEMENT EXECUTE FUNCTION announce_change('alert');
CREATE TRIGGER alert_counted AFTER INSERT ON public.alert REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION begin_match_count();
CREATE TRIGGER alert_deleted AFTER DELETE ON public.alert REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_matches', 'id');
CREATE TRIGGER alert_ids_deleted AFTER DELETE ON public.alert REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_ids', 'id');
CREATE TRIGGER alert_ids_emptied AFTER TRUNCATE ON public.alert FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_ids', 'id');
CREATE TRIGGER alert_ids_inserted AFTER INSERT ON public.alert REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_ids', 'id');
CREATE TRIGGER alert_ids_updated AFTER UPDATE ON public.alert REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_ids', 'id');
CREATE TRIGGER alert_renewed BEFORE UPDATE ON public.alert FOR EACH ROW EXECUTE FUNCTION renew_alert();

create table alert_match (
  alert_id uuid not null,
  resource text not null,
  resource_id uuid not null,
  listing_id uuid,
  canonical_message_id uuid not null,
  matched_at_ms bigint not null,
  seen_at_ms bigint,
  match_context jsonb not null,
  is_outward boolean not null default true,
  sequence bigint not null default nextval('alert_match_sequence'::regclass),
  is_muted boolean not null default false,
  strategy text collate "C" not null generated always as (COALESCE((match_context ->> 'strategy'::text), 'market_filter'::text)) stored,
  headline jsonb,
  returned_at_ms bigint,
  constraint alert_match_pkey PRIMARY KEY (alert_id, resource, resource_id),
  constraint alert_match_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE,
  constraint alert_match_check CHECK (((resource = 'watch_listing'::text) = (listing_id IS NOT NULL))),
  constraint alert_match_match_context_check CHECK ((jsonb_typeof(match_context) = 'object'::text)),
  constraint alert_match_resource_check CHECK ((resource = ANY (ARRAY['watch_listing'::text, 'message'::text])))
);
CREATE UNIQUE INDEX alert_match_by_sequence ON public.alert_match USING btree (sequence);
CREATE INDEX alert_match_newest ON public.alert_match USING btree (alert_id, matched_at_ms DESC, resource_id) INCLUDE (resource);
CREATE INDEX alert_match_of_all ON public.alert_match USING btree (is_outward, strategy, matched_at_ms DESC, resource_id, resource);
CREATE INDEX alert_match_resource ON public.alert_match USING btree (resource_id);
CREATE INDEX alert_match_unseen ON public.alert_match USING btree (alert_id, matched_at_ms DESC, resource_id) INCLUDE (resource) WHERE (seen_at_ms IS NULL);
CREATE INDEX alert_match_unseen_of_all ON public.alert_match USING btree (matched_at_ms, alert_id, resource_id) INCLUDE (resource) WHERE (seen_at_ms IS NULL);
CREATE INDEX alert_match_unseen_of_strategy ON public.alert_match USING btree (is_outward, strategy, matched_at_ms DESC, resource_id, resource) WHERE (seen_at_ms IS NULL);
CREATE TRIGGER alert_match_changed AFTER INSERT ON public.alert_match FOR EACH STATEMENT EXECUTE FUNCTION announce_change('alert_match');
CREATE TRIGGER alert_match_deleted AFTER DELETE ON public.alert_match REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_matches();
CREATE TRIGGER alert_match_inserted AFTER INSERT ON public.alert_match REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_matches();
CREATE TRIGGER alert_match_updated AFTER UPDATE ON public.alert_match REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_matches();
CREATE TRIGGER alert_matches_deleted AFTER DELETE ON public.alert_match REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_matches', 'alert_id');
CREATE TRIGGER alert_matches_emptied AFTER TRUNCATE ON public.alert_match FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_matches', 'alert_id');
CREATE TRIGGER alert_matches_inserted AFTER INSERT ON public.alert_match REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_matches', 'alert_id');
CREATE TRIGGER alert_matches_updated AFTER UPDATE ON public.alert_match REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('alert_matches', 'alert_id');
CREATE TRIGGER match_writers_take_turns BEFORE INSERT OR DELETE OR UPDATE ON public.alert_match FOR EACH STATEMENT EXECUTE FUNCTION take_match_turn();

create table alert_match_count (
  alert_id uuid not null,
  total bigint not null default 0,
  unseen bigint not null default 0,
  constraint alert_match_count_pkey PRIMARY KEY (alert_id),
  constraint alert_match_count_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE,
  constraint alert_match_count_check CHECK (((unseen >= 0) AND (unseen <= total))),
  constraint alert_match_count_total_check CHECK ((total >= 0))
);

create table api_token (
  id uuid not null default gen_random_uuid(),
  name text not null,
  prefix text not null,
  sha256 bytea not null,
  is_read_only boolean not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  revoked_at_ms bigint,
  last_used_at_ms bigint,
  role text collate "C" not null,
  created_by_token_id uuid,
  last_looked_at_ms bigint,
  constraint api_token_pkey PRIMARY KEY (id),
  constraint api_token_sha256_key UNIQUE (sha256),
  constraint api_token_created_by_token_id_fkey FOREIGN KEY (created_by_token_id) REFERENCES api_token(id),
  constraint api_token_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint api_token_role_check CHECK ((role = ANY (ARRAY['market'::text, 'desk'::text, 'owner'::text]))),
  constraint api_token_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE UNIQUE INDEX api_token_live_name ON public.api_token USING btree (name) WHERE (revoked_at_ms IS NULL);
CREATE TRIGGER api_token_changed AFTER INSERT OR DELETE OR UPDATE OF sha256, role, expires_at_ms, revoked_at_ms ON public.api_token FOR EACH STATEMENT EXECUTE FUNCTION announce_change('api_token');
CREATE TRIGGER api_token_role BEFORE INSERT OR UPDATE OF role ON public.api_token FOR EACH ROW EXECUTE FUNCTION set_token_role();

create table canonical_message (
  id uuid not null,
  contact_id uuid,
  source_occurrence_id uuid,
  text text,
  first_seen_at_ms bigint,
  last_seen_at_ms bigint,
  occurrence_count integer not null default 0,
  group_ids uuid[] not null default '{}'::uuid[],
  is_own boolean not null default false,
  has_media boolean not null default false,
  is_revoked boolean not null default false,
  constraint canonical_message_pkey PRIMARY KEY (id)
);
CREATE INDEX canonical_message_contact ON public.canonical_message USING btree (contact_id, last_seen_at_ms DESC, id);
CREATE INDEX canonical_message_newest ON public.canonical_message USING btree (last_seen_at_ms DESC, id) WHERE (occurrence_count > 0);

create table carried_alert (
  canonical_message_id uuid not null,
  alert_ms bigint not null,
  constraint carried_alert_pkey PRIMARY KEY (canonical_message_id),
  constraint carried_alert_alert_ms_check CHECK ((alert_ms >= 0))
);

create table carried_edit (
  reported_message_id uuid not null,
  alert_since_ms bigint not null,
  constraint carried_edit_pkey PRIMARY KEY (reported_message_id),
  constraint carried_edit_alert_since_ms_check CHECK ((alert_since_ms >= 0))
);

create table console_code (
  sha256 bytea not null,
  token_id uuid not null,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  made_by_session_id uuid,
  constraint console_code_pkey PRIMARY KEY (sha256),
  constraint console_code_made_by_session_id_fkey FOREIGN KEY (made_by_session_id) REFERENCES console_session(id) ON DELETE CASCADE,
  constraint console_code_token_id_fkey FOREIGN KEY (token_id) REFERENCES api_token(id) ON DELETE CASCADE,
  constraint console_code_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE INDEX console_code_by_session ON public.console_code USING btree (made_by_session_id) WHERE (made_by_session_id IS NOT NULL);

create table console_session (
  id uuid not null default gen_random_uuid(),
  token_id uuid not null,
  sha256 bytea not null,
  label text not null,
  created_at_ms bigint not null,
  last_used_at_ms bigint not null,
  expires_at_ms bigint not null,
  made_by_session_ids uuid[] not null default '{}'::uuid[],
  constraint console_session_pkey PRIMARY KEY (id),
  constraint console_session_sha256_key UNIQUE (sha256),
  constraint console_session_token_id_fkey FOREIGN KEY (token_id) REFERENCES api_token(id) ON DELETE CASCADE,
  constraint console_session_label_check CHECK (((length(label) >= 1) AND (length(label) <= 100))),
  constraint console_session_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE INDEX console_session_by_token ON public.console_session USING btree (token_id, last_used_at_ms);
CREATE TRIGGER console_session_deleted AFTER DELETE ON public.console_session REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('api_token', 'id');

create table contact (
  id uuid not null,
  key text collate "C" not null,
  phone_number text,
  display_name text,
  is_own boolean not null default false,
  constraint contact_pkey PRIMARY KEY (id),
  constraint contact_key_key UNIQUE (key),
  constraint contact_phone_number_check CHECK ((phone_number ~ '^[0-9]+$'::text))
);
CREATE INDEX contact_by_name_part ON public.contact USING gin (display_name gin_trgm_ops) WHERE (display_name IS NOT NULL);

create table contact_alias (
  old_id uuid not null,
  contact_id uuid not null,
  constraint contact_alias_pkey PRIMARY KEY (old_id)
);
CREATE INDEX contact_alias_contact ON public.contact_alias USING btree (contact_id);

create table contact_identifier (
  identifier text collate "C" not null,
  contact_id uuid not null,
  first_seen_at_ms bigint not null,
  name text,
  named_on_ms bigint,
  is_own boolean not null default false,
  name_words text collate "C",
  constraint contact_identifier_pkey PRIMARY KEY (identifier)
);
CREATE INDEX contact_identifier_by_digits ON public.contact_identifier USING gin (identifier gin_trgm_ops) WHERE (identifier ~~ 'phone:%'::text);
CREATE INDEX contact_identifier_by_name ON public.contact_identifier USING gin (((name_words)::tsvector));
CREATE INDEX contact_identifier_by_name_part ON public.contact_identifier USING gin (name gin_trgm_ops) WHERE (name IS NOT NULL);
CREATE INDEX contact_identifier_contact ON public.contact_identifier USING btree (contact_id);
CREATE INDEX contact_identifier_unfolded ON public.contact_identifier USING btree (identifier) WHERE ((name IS NOT NULL) AND (name_words IS NULL));

create table contact_note (
  identifier text collate "C" not null,
  note text,
  is_blocked boolean not null default false,
  updated_by text,
  updated_at_ms bigint not null,
  constraint contact_note_pkey PRIMARY KEY (identifier),
  constraint contact_note_check CHECK (((note IS NOT NULL) OR is_blocked)),
  constraint contact_note_note_check CHECK (((length(note) >= 1) AND (length(note) <= 2000)))
);
CREATE INDEX contact_note_blocked ON public.contact_note USING btree (identifier) WHERE is_blocked;
CREATE TRIGGER contact_note_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contact_note FOR EACH STATEMENT EXECUTE FUNCTION announce_change('contact_note');

create table contact_pair (
  left_identifier text collate "C" not null,
  right_identifier text collate "C" not null,
  is_listed boolean not null default false,
  constraint contact_pair_pkey PRIMARY KEY (left_identifier, right_identifier),
  constraint contact_pair_check CHECK ((left_identifier < right_identifier))
);
CREATE INDEX contact_pair_right ON public.contact_pair USING btree (right_identifier);

create table corrected_message (
  canonical_message_id uuid not null,
  identity_sha256 bytea not null,
  set_aside jsonb not null default '{}'::jsonb,
  constraint corrected_message_pkey PRIMARY KEY (canonical_message_id),
  constraint corrected_message_set_aside_check CHECK ((jsonb_typeof(set_aside) = 'object'::text))
);
CREATE INDEX corrected_message_by_text ON public.corrected_message USING btree (identity_sha256);
CREATE INDEX corrected_message_set_aside ON public.corrected_message USING btree (canonical_message_id) WHERE (set_aside <> '{}'::jsonb);

create table correction (
  id uuid not null,
  identity_sha256 bytea not null,
  line integer not null,
  ordinal integer not null,
  reference_normalized text collate "C" not null,
  field text collate "C" not null,
  value jsonb,
  is_undone boolean not null,
  default_currency text collate "C",
  sender_country text collate "C",
  corrected_at_ms bigint not null,
  constraint correction_pkey PRIMARY KEY (id),
  constraint correction_check CHECK (((NOT is_undone) OR (value IS NULL))),
  constraint correction_check1 CHECK (((field = ANY (ARRAY['price'::text, 'alternative_price'::text])) OR (num_nonnulls(default_currency, sender_country) = 0))),
  constraint correction_corrected_at_ms_check CHECK ((corrected_at_ms >= 0)),
  constraint correction_field_check CHECK ((field = ANY (ARRAY['side'::text, 'brand'::text, 'model'::text, 'reference'::text, 'dial_type'::text, 'variant'::text, 'year'::text, 'card_month'::text, 'condition'::text, 'full_set_status'::text, 'price'::text, 'alternative_price'::text, 'status'::text, 'is_listing'::text]))),
  constraint correction_line_check CHECK ((line >= 0)),
  constraint correction_ordinal_check CHECK ((ordinal >= 0)),
  constraint correction_value_check CHECK ((value <> 'null'::jsonb))
);
CREATE INDEX correction_by_text ON public.correction USING btree (identity_sha256);
CREATE TRIGGER correction_added AFTER INSERT ON public.correction FOR EACH STATEMENT EXECUTE FUNCTION announce_change('correction');

create table deal (
  listing_id uuid not null,
  state text collate "C" not null,
  reason text collate "C",
  note text,
  offer_amount_minor bigint,
  offer_currency text collate "C",
  assignee_token_id uuid,
  assignee_name text,
  paid_amount_minor bigint,
  paid_currency text collate "C",
  paid_at_ms bigint,
  sold_amount_minor bigint,
  sold_currency text collate "C",
  sold_at_ms bigint,
  cost_eur_minor bigint,
  day_ms bigint not null generated always as (COALESCE(paid_at_ms, updated_at_ms)) stored,
  version integer not null default 1,
  created_by text,
  created_by_token_id uuid,
  created_at_ms bigint not null,
  updated_by text,
  updated_by_token_id uuid,
  updated_at_ms bigint not null,
  asked_amount_minor bigint,
  asked_currency text collate "C",
  decided_reference text collate "C",
  configuration_id uuid,
  average_eur_minor bigint,
  landed_eur_minor bigint,
  profit_eur_minor bigint,
  predicted_profit_eur_minor bigint,
  canonical_message_id uuid,
  contact_id uuid,
  sender_ids text[] not null default '{}'::text[],
  ask_key uuid,
  side text collate "C",
  variant_folded text collate "C",
  price_amount_minor bigint,
  price_currency text collate "C",
  posted_at_ms bigint not null,
  watch jsonb not null,
  detached_reason text collate "C",
  paid_eur_minor bigint,
  sold_eur_minor bigint,
  constraint deal_pkey PRIMARY KEY (listing_id),
  constraint deal_check CHECK (((reason IS NULL) OR (state = 'passed'::text))),
  constraint deal_check1 CHECK (((offer_amount_minor IS NULL) = (offer_currency IS NULL))),
  constraint deal_check2 CHECK ((((paid_amount_minor IS NULL) = (paid_currency IS NULL)) AND ((paid_amount_minor IS NULL) = (paid_at_ms IS NULL)))),
  constraint deal_check3 CHECK ((((sold_amount_minor IS NULL) = (sold_currency IS NULL)) AND ((sold_amount_minor IS NULL) = (sold_at_ms IS NULL)))),
  constraint deal_check4 CHECK (((state = 'bought'::text) OR ((paid_at_ms IS NULL) AND (sold_at_ms IS NULL) AND (cost_eur_minor IS NULL)))),
  constraint deal_check5 CHECK (((sold_at_ms IS NULL) OR (paid_at_ms IS NOT NULL))),
  constraint deal_cost_eur_minor_check CHECK ((cost_eur_minor >= 0)),
  constraint deal_detached_reason_check CHECK ((detached_reason = ANY (ARRAY['other_reference'::text, 'removed'::text, 'erased'::text]))),
  constraint deal_note_check CHECK (((length(note) >= 1) AND (length(note) <= 2000))),
  constraint deal_offer_amount_minor_check CHECK ((offer_amount_minor >= 0)),
  constraint deal_offer_currency_check CHECK ((offer_currency ~ '^[A-Z]{3,5}$'::text)),
  constraint deal_paid_amount_minor_check CHECK ((paid_amount_minor >= 0)),
  constraint deal_paid_at_ms_check CHECK ((paid_at_ms >= 0)),
  constraint deal_paid_currency_check CHECK ((paid_currency ~ '^[A-Z]{3,5}$'::text)),
  constraint deal_reason_check CHECK ((reason = ANY (ARRAY['too_dear'::text, 'gone'::text, 'misread'::text, 'no_papers'::text, 'not_trusted'::text, 'other'::text]))),
  constraint deal_sold_amount_minor_check CHECK ((sold_amount_minor >= 0)),
  constraint deal_sold_at_ms_check CHECK ((sold_at_ms >= 0)),
  constraint deal_sold_currency_check CHECK ((sold_currency ~ '^[A-Z]{3,5}$'::text)),
  constraint deal_state_check CHECK ((state = ANY (ARRAY['shortlisted'::text, 'contacted'::text, 'offered'::text, 'bought'::text, 'passed'::text]))),
  constraint deal_version_check CHECK ((version > 0)),
  constraint deal_watch_check CHECK ((jsonb_typeof(watch) = 'object'::text))
);
CREATE INDEX deal_by_ask ON public.deal USING btree (ask_key, posted_at_ms);
CREATE INDEX deal_by_assignee ON public.deal USING btree (assignee_token_id, updated_at_ms DESC, listing_id);
CREATE INDEX deal_by_contact ON public.deal USING btree (contact_id);
CREATE INDEX deal_by_day ON public.deal USING btree (state, day_ms);
CREATE INDEX deal_by_message ON public.deal USING btree (canonical_message_id);
CREATE INDEX deal_by_sender ON public.deal USING gin (sender_ids);
CREATE INDEX deal_by_state ON public.deal USING btree (state, updated_at_ms DESC, listing_id);
CREATE INDEX deal_made ON public.deal USING btree (day_ms) INCLUDE (assignee_token_id, contact_id, paid_at_ms, sold_at_ms, paid_eur_minor, sold_eur_minor, cost_eur_minor, predicted_profit_eur_minor) WHERE (state = 'bought'::text);
CREATE INDEX deal_newest ON public.deal USING btree (updated_at_ms DESC, listing_id);
CREATE INDEX deal_passed ON public.deal USING btree (ask_key) WHERE (state = 'passed'::text);
CREATE TRIGGER deal_converted BEFORE INSERT OR UPDATE OF paid_amount_minor, paid_currency, paid_at_ms, sold_amount_minor, sold_currency, sold_at_ms ON public.deal FOR EACH ROW EXECUTE FUNCTION convert_deal();
CREATE TRIGGER deals_deleted AFTER DELETE ON public.deal REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('deals', 'listing_id');
CREATE TRIGGER deals_emptied AFTER TRUNCATE ON public.deal FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('deals', 'listing_id');
CREATE TRIGGER deals_inserted AFTER INSERT ON public.deal REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('deals', 'listing_id');
CREATE TRIGGER deals_updated AFTER UPDATE ON public.deal REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('deals', 'listing_id');

create table demo_load (
  is_only boolean not null default true,
  from_ms bigint not null,
  until_ms bigint,
  manifest_sha256 text,
  constraint demo_load_pkey PRIMARY KEY (is_only),
  constraint demo_load_is_only_check CHECK (is_only)
);

create table erased_subject (
  hash bytea not null,
  constraint erased_subject_pkey PRIMARY KEY (hash),
  constraint erased_subject_hash_check CHECK ((octet_length(hash) = 32))
);

create table erased_text (
  identity_sha256 bytea not null,
  last_raw_event_id bigint not null,
  constraint erased_text_pkey PRIMARY KEY (identity_sha256)
);

create table erasure_key (
  is_only boolean not null default true,
  key bytea not null,
  dropped_event_count bigint not null default 0,
  last_dropped_at_ms bigint,
  constraint erasure_key_pkey PRIMARY KEY (is_only),
  constraint erasure_key_is_only_check CHECK (is_only),
  constraint erasure_key_key_check CHECK ((octet_length(key) = 32))
);

create table erasure_queue (
  subject text collate "C" not null,
  number bigint not null default nextval('queue_number'::regclass),
  constraint erasure_queue_pkey PRIMARY KEY (subject)
);

create table erasure_scan (
  after_raw_event_id bigint not null,
  last_raw_event_id bigint not null,
  scope text collate "C" not null,
  constraint erasure_scan_pkey PRIMARY KEY (scope),
  constraint erasure_scan_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'chat'::text])))
);

create table fresh_listing (
  listing_id uuid not null,
  until_ms bigint not null,
  came_sequence bigint not null default nextval('arrival_sequence'::regclass),
  constraint fresh_listing_pkey PRIMARY KEY (listing_id)
);
CREATE INDEX fresh_listing_until ON public.fresh_listing USING btree (until_ms);

create table fresh_message (
  canonical_message_id uuid not null,
  until_ms bigint not null,
  came_sequence bigint not null default nextval('arrival_sequence'::regclass),
  constraint fresh_message_pkey PRIMARY KEY (canonical_message_id)
);
CREATE INDEX fresh_message_until ON public.fresh_message USING btree (until_ms);

create table fx_rate (
  currency text collate "C" not null,
  day date not null,
  kind fx_rate_kind not null,
  per_eur numeric not null,
  constraint fx_rate_pkey PRIMARY KEY (currency, day, kind),
  constraint fx_rate_currency_check CHECK (((currency ~ '^[A-Z]{3,5}$'::text) AND (currency <> 'EUR'::text))),
  constraint fx_rate_per_eur_check CHECK (((per_eur > (0)::numeric) AND (per_eur < '1000000000000'::numeric)))
);
CREATE INDEX fx_rate_newest ON public.fx_rate USING btree (day DESC, currency, kind);
CREATE TRIGGER fx_rate_deals_deleted AFTER DELETE ON public.fx_rate REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION convert_deals();
CREATE TRIGGER fx_rate_deals_inserted AFTER INSERT ON public.fx_rate REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION convert_deals();
CREATE TRIGGER fx_rate_deals_updated AFTER UPDATE ON public.fx_rate REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION convert_deals();
CREATE TRIGGER fx_rate_deleted AFTER DELETE ON public.fx_rate REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_fx_rate_change();
CREATE TRIGGER fx_rate_inserted AFTER INSERT ON public.fx_rate REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_fx_rate_change();
CREATE TRIGGER fx_rate_updated AFTER UPDATE ON public.fx_rate REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_fx_rate_change();

create table fx_release (
  is_only boolean not null default true,
  version integer not null,
  constraint fx_release_pkey PRIMARY KEY (is_only),
  constraint fx_release_is_only_check CHECK (is_only)
);

create table group_admin (
  group_id uuid not null,
  identifier text collate "C" not null,
  at_ms bigint not null,
  is_admin boolean not null,
  constraint group_admin_pkey PRIMARY KEY (group_id, identifier, at_ms)
);

create table group_preset (
  id uuid not null,
  name text not null,
  description text,
  group_ids uuid[] not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  managed_by text collate "C" not null default 'manifest'::text,
  created_by text,
  updated_by text,
  created_hash text collate "C",
  constraint group_preset_pkey PRIMARY KEY (id),
  constraint group_preset_name_key UNIQUE (name),
  constraint group_preset_description_check CHECK ((length(description) <= 500)),
  constraint group_preset_group_ids_check CHECK ((cardinality(group_ids) <= 100)),
  constraint group_preset_managed_by_check CHECK ((managed_by = ANY (ARRAY['manifest'::text, 'api'::text]))),
  constraint group_preset_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)))
);

create table group_queue (
  group_id uuid not null,
  after_raw_id text collate "C" not null default ''::text,
  constraint group_queue_pkey PRIMARY KEY (group_id)
);

create table identity_queue (
  id bigint not null generated always as identity,
  identifiers text[] not null,
  at_ms bigint not null,
  name text,
  is_own boolean not null,
  evidence text not null default 'message'::text,
  is_new boolean not null default false,
  queued_at_ms bigint default (EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric),
  constraint identity_queue_pkey PRIMARY KEY (id),
  constraint identity_queue_evidence_check CHECK ((evidence = ANY (ARRAY['message'::text, 'list'::text, 'doubt'::text])))
);

create table ignored_event (
  raw_event_id bigint not null,
  kind text collate "C" not null,
  constraint ignored_event_pkey PRIMARY KEY (raw_event_id, kind)
);

create table kept_identifier (
  identifier text collate "C" not null,
  first_seen_at_ms bigint not null,
  name text collate "C",
  named_on_ms bigint,
  is_own boolean not null,
  constraint kept_identifier_pkey PRIMARY KEY (identifier)
);

create table kept_pair (
  lid text collate "C" not null,
  phone text collate "C" not null,
  is_listed boolean not null,
  constraint kept_pair_pkey PRIMARY KEY (lid, phone)
);

create table late_event (
  raw_event_id bigint not null,
  leaves_after_ms bigint not null,
  constraint late_event_pkey PRIMARY KEY (raw_event_id)
);
CREATE INDEX late_event_first ON public.late_event USING btree (leaves_after_ms, raw_event_id);

create table listing (
  id uuid not null,
  canonical_message_id uuid not null,
  line integer not null default 0,
  ordinal integer not null default 0,
  side text not null,
  message_type text not null default 'unknown'::text,
  brand text,
  brand_folded text collate "C",
  model text,
  model_folded text collate "C",
  reference text,
  reference_normalized text collate "C",
  dial_type text,
  dial_type_folded text collate "C",
  variant text,
  variant_folded text collate "C",
  year integer,
  card_month integer,
  condition text,
  full_set_status text[] not null default '{}'::text[],
  price_amount_minor bigint,
  price_currency text collate "C",
  alternative_price_amount_minor bigint,
  alternative_price_currency text collate "C",
  price_eur_minor bigint,
  status text,
  contact_id uuid,
  phone_number text collate "C",
  group_ids uuid[] not null default '{}'::uuid[],
  message_timestamp_ms bigint not null,
  first_seen_at_ms bigint not null,
  last_seen_at_ms bigint not null,
  occurrence_count integer not null default 1,
  has_media boolean not null default false,
  is_duplicate boolean not null default false,
  is_hidden boolean not null default false,
  is_revoked boolean not null default false,
  is_found boolean not null default true,
  ask_key uuid,
  search_text text collate "C" not null default ''::text,
  extraction_version integer not null default 1,
  confidence double precision not null default 1,
  sources jsonb not null default '{}'::jsonb,
  sequence bigint not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  asks jsonb,
  left_out_reason text collate "C",
  price_drop_from_minor bigint,
  price_drop_bps integer,
  constraint listing_pkey PRIMARY KEY (id),
  constraint listing_alternative_price_amount_minor_check CHECK ((alternative_price_amount_minor >= 0)),
  constraint listing_alternative_price_currency_check CHECK ((alternative_price_currency ~ '^[A-Z]{3,5}$'::text)),
  constraint listing_asks_check CHECK ((jsonb_typeof(asks) = 'array'::text)),
  constraint listing_brand_folded_check CHECK ((brand_folded <> ''::text)),
  constraint listing_card_month_check CHECK (((card_month >= 1) AND (card_month <= 12))),
  constraint listing_check CHECK ((last_seen_at_ms >= first_seen_at_ms)),
  constraint listing_check1 CHECK (((price_amount_minor IS NULL) = (price_currency IS NULL))),
  constraint listing_check2 CHECK (((alternative_price_amount_minor IS NULL) = (alternative_price_currency IS NULL))),
  constraint listing_check3 CHECK (((left_out_reason IS NULL) OR is_hidden)),
  constraint listing_check4 CHECK (((price_drop_from_minor IS NULL) = (price_drop_bps IS NULL))),
  constraint listing_condition_check CHECK ((condition = ANY (ARRAY['NEW'::text, 'LIKE_NEW'::text, 'USED'::text]))),
  constraint listing_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint listing_dial_type_folded_check CHECK ((dial_type_folded <> ''::text)),
  constraint listing_full_set_status_check CHECK ((full_set_status <@ ARRAY['FULL_SET'::text, 'WATCH_AND_CARD'::text, 'WATCH_AND_BOX'::text, 'WATCH'::text])),
  constraint listing_left_out_reason_check CHECK ((left_out_reason = ANY (ARRAY['not_an_offer'::text, 'corrected'::text]))),
  constraint listing_line_check CHECK ((line >= 0)),
  constraint listing_message_timestamp_ms_check CHECK ((message_timestamp_ms >= 0)),
  constraint listing_message_type_check CHECK ((message_type = ANY (ARRAY['selling'::text, 'buying'::text, 'personal'::text, 'unknown'::text]))),
  constraint listing_model_folded_check CHECK ((model_folded <> ''::text)),
  constraint listing_occurrence_count_check CHECK ((occurrence_count >= 0)),
  constraint listing_ordinal_check CHECK ((ordinal >= 0)),
  constraint listing_phone_number_check CHECK ((phone_number ~ '^[0-9]+$'::text)),
  constraint listing_price_amount_minor_check CHECK ((price_amount_minor >= 0)),
  constraint listing_price_currency_check CHECK ((price_currency ~ '^[A-Z]{3,5}$'::text)),
  constraint listing_price_drop_bps_check CHECK (((price_drop_bps >= 1) AND (price_drop_bps <= 5000))),
  constraint listing_price_drop_from_minor_check CHECK ((price_drop_from_minor > 0)),
  constraint listing_price_eur_minor_check CHECK ((price_eur_minor >= 0)),
  constraint listing_reference_normalized_check CHECK ((reference_normalized <> ''::text)),
  constraint listing_side_check CHECK ((side = ANY (ARRAY['for_sale'::text, 'want_to_buy'::text]))),
  constraint listing_sources_check CHECK ((jsonb_typeof(sources) = 'object'::text)),
  constraint listing_status_check CHECK ((status = ANY (ARRAY['sold'::text, 'on_hold'::text]))),
  constraint listing_variant_folded_check CHECK ((variant_folded <> ''::text)),
  constraint listing_year_check CHECK (((year >= 1) AND (year <= 9999)))
);
CREATE INDEX listing_by_ask ON public.listing USING btree (ask_key, message_timestamp_ms, id);
CREATE INDEX listing_by_brand_cheapest ON public.listing USING btree (brand_folded, price_eur_minor, id);
CREATE INDEX listing_by_brand_newest ON public.listing USING btree (brand_folded, last_seen_at_ms DESC, id);
CREATE INDEX listing_by_brand_year ON public.listing USING btree (brand_folded, year DESC, id);
CREATE INDEX listing_by_contact ON public.listing USING btree (contact_id, last_seen_at_ms DESC, id);
CREATE INDEX listing_by_groups ON public.listing USING gin (group_ids);
CREATE UNIQUE INDEX listing_by_message ON public.listing USING btree (canonical_message_id, line, ordinal);
CREATE INDEX listing_by_model ON public.listing USING btree (model_folded, last_seen_at_ms DESC, id);
CREATE INDEX listing_by_phone ON public.listing USING btree (phone_number, last_seen_at_ms DESC, id);
CREATE INDEX listing_by_priced_ask ON public.listing USING btree (ask_key, COALESCE(price_amount_minor, ('-1'::integer)::bigint), message_timestamp_ms, id);
CREATE INDEX listing_by_reference ON public.listing USING btree (reference_normalized, last_seen_at_ms DESC, id) INCLUDE (contact_id, year, condition, price_eur_minor, sequence, side, is_hidden, is_revoked);
CREATE INDEX listing_by_replied_ask ON public.listing USING btree (ask_key) WHERE (asks IS NOT NULL);
CREATE INDEX listing_by_text ON public.listing USING gin (((search_text)::tsvector));
CREATE INDEX listing_cheapest ON public.listing USING btree (price_eur_minor, id);
CREATE INDEX listing_dropped ON public.listing USING btree (last_seen_at_ms DESC, id, price_drop_bps) WHERE (price_drop_bps IS NOT NULL);
CREATE INDEX listing_latest_year ON public.listing USING btree (year DESC, id);
CREATE INDEX listing_left_out ON public.listing USING btree (last_seen_at_ms DESC, canonical_message_id) WHERE ((left_out_reason = 'not_an_offer'::text) AND is_found);
CREATE INDEX listing_newest ON public.listing USING btree (last_seen_at_ms DESC, id);
CREATE TRIGGER listing_changed AFTER INSERT OR DELETE OR UPDATE ON public.listing FOR EACH STATEMENT EXECUTE FUNCTION announce_change('listing');
CREATE TRIGGER listing_numbered BEFORE INSERT OR UPDATE ON public.listing FOR EACH ROW EXECUTE FUNCTION take_listing_sequence();

create table listing_alias (
  old_id uuid not null,
  listing_id uuid not null,
  constraint listing_alias_pkey PRIMARY KEY (old_id)
);
CREATE INDEX listing_alias_listing ON public.listing_alias USING btree (listing_id);

create table listing_model (
  listing_id uuid not null,
  configuration_id uuid not null,
  source_market text not null,
  year integer,
  condition_bucket text,
  price_eur_minor bigint,
  constraint listing_model_pkey PRIMARY KEY (listing_id, configuration_id),
  constraint listing_model_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE,
  constraint listing_model_source_market_check CHECK ((source_market = ANY (ARRAY['EU'::text, 'HK'::text])))
);
CREATE INDEX listing_model_by_ask ON public.listing_model USING btree (configuration_id, year, condition_bucket, source_market, price_eur_minor, listing_id);

create table market_group (
  id uuid not null,
  gateway_group_id text collate "C" not null,
  gateway_name text collate "C",
  named_at_ms bigint,
  declared_name text collate "C",
  default_currency text,
  is_ignored boolean not null default false,
  name text collate "C" generated always as (COALESCE(gateway_name, declared_name)) stored,
  managed_by text collate "C",
  updated_by text,
  constraint market_group_pkey PRIMARY KEY (id),
  constraint market_group_gateway_group_id_key UNIQUE (gateway_group_id),
  constraint market_group_managed_by_check CHECK ((managed_by = ANY (ARRAY['manifest'::text, 'api'::text])))
);

create table market_rebuild (
  is_only boolean not null default true,
  up_to_number bigint not null,
  passed_count integer not null default 0,
  id uuid not null default gen_random_uuid(),
  constraint market_rebuild_pkey PRIMARY KEY (is_only),
  constraint market_rebuild_is_only_check CHECK (is_only),
  constraint market_rebuild_passed_count_check CHECK ((passed_count >= 0))
);

create table market_view (
  id uuid not null,
  name text not null,
  filters jsonb not null,
  source_market text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  managed_by text collate "C" not null default 'manifest'::text,
  created_by text,
  updated_by text,
  created_hash text collate "C",
  sort text collate "C",
  columns text[],
  constraint market_view_pkey PRIMARY KEY (id),
  constraint market_view_name_key UNIQUE (name),
  constraint market_view_filters_check CHECK ((jsonb_typeof(filters) = 'object'::text)),
  constraint market_view_managed_by_check CHECK ((managed_by = ANY (ARRAY['manifest'::text, 'api'::text]))),
  constraint market_view_source_market_check CHECK ((source_market = ANY (ARRAY['EU'::text, 'HK'::text])))
);

create table match_anchor (
  resource text not null,
  resource_id uuid not null,
  group_id uuid not null,
  raw_id text collate "C" not null,
  identity_sha256 bytea,
  sender_ids text[] not null,
  line integer,
  ordinal integer,
  constraint match_anchor_pkey PRIMARY KEY (resource, resource_id),
  constraint match_anchor_resource_check CHECK ((resource = ANY (ARRAY['watch_listing'::text, 'message'::text])))
);

create table match_queue (
  resource text not null,
  resource_id uuid not null,
  alert_ms bigint,
  is_fresh boolean not null default is_fresh_work(),
  number bigint not null default nextval('queue_number'::regclass),
  queued_at_ms bigint default (EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric),
  keeps_window boolean not null default false,
  constraint match_queue_pkey PRIMARY KEY (resource, resource_id),
  constraint match_queue_alert_ms_check CHECK ((alert_ms >= 0)),
  constraint match_queue_resource_check CHECK ((resource = ANY (ARRAY['watch_listing'::text, 'message'::text])))
);
CREATE INDEX match_queue_fresh ON public.match_queue USING btree (number) WHERE is_fresh;
CREATE INDEX match_queue_number ON public.match_queue USING btree (number);

create table media (
  id uuid not null,
  group_id uuid not null,
  raw_id text collate "C" not null,
  second bigint not null,
  sent_at_ms bigint not null,
  sender_ids text[] not null default '{}'::text[],
  raw_event_id bigint not null,
  has_path boolean not null,
  album_raw_id text collate "C",
  shown_raw_id text collate "C",
  shown_second bigint,
  is_beside boolean not null default false,
  place_due_at_ms bigint,
  state text collate "C" not null,
  reason text collate "C",
  is_thumbnail_only boolean not null default false,
  file_sha256 bytea,
  attempt_count integer not null default 0,
  queued_at_ms bigint,
  due_at_ms bigint,
  is_asked boolean not null default false,
  constraint media_pkey PRIMARY KEY (id),
  constraint media_attempt_count_check CHECK ((attempt_count >= 0)),
  constraint media_check CHECK ((((state = 'queued'::text) = (due_at_ms IS NOT NULL)) AND ((due_at_ms IS NULL) = (queued_at_ms IS NULL)))),
  constraint media_check1 CHECK (((state <> 'stored'::text) OR (file_sha256 IS NOT NULL))),
  constraint media_check2 CHECK (((shown_raw_id IS NULL) = (shown_second IS NULL))),
  constraint media_file_sha256_check CHECK ((octet_length(file_sha256) = 32)),
  constraint media_state_check CHECK ((state = ANY (ARRAY['noted'::text, 'queued'::text, 'stored'::text, 'gone'::text])))
);
CREATE INDEX media_album ON public.media USING btree (group_id, album_raw_id) WHERE (album_raw_id IS NOT NULL);
CREATE INDEX media_by_file ON public.media USING btree (file_sha256) WHERE (file_sha256 IS NOT NULL);
CREATE INDEX media_by_sender ON public.media USING gin (sender_ids);
CREATE INDEX media_by_time ON public.media USING btree (sent_at_ms);
CREATE INDEX media_elsewhere ON public.media USING btree (group_id, sent_at_ms) WHERE (shown_raw_id <> raw_id);
CREATE INDEX media_place_due ON public.media USING btree (place_due_at_ms, id) WHERE (place_due_at_ms IS NOT NULL);
CREATE INDEX media_queued ON public.media USING btree (queued_at_ms DESC) WHERE (due_at_ms IS NOT NULL);
CREATE INDEX media_queued_by_asked ON public.media USING btree (is_asked, queued_at_ms DESC) WHERE (due_at_ms IS NOT NULL);
CREATE INDEX media_raw_id ON public.media USING btree (group_id, raw_id);
CREATE INDEX media_shown ON public.media USING btree (group_id, shown_raw_id) WHERE (shown_raw_id IS NOT NULL);
CREATE TRIGGER media_queued AFTER INSERT ON public.media FOR EACH STATEMENT EXECUTE FUNCTION announce_change('media');

create table media_file (
  sha256 bytea not null,
  width integer not null,
  height integer not null,
  picture bytea not null,
  thumb bytea not null,
  byte_count integer not null,
  look bit(64),
  bands integer[],
  stored_at_ms bigint not null,
  constraint media_file_pkey PRIMARY KEY (sha256),
  constraint media_file_byte_count_check CHECK ((byte_count > 0)),
  constraint media_file_check CHECK (((look IS NULL) = (bands IS NULL))),
  constraint media_file_height_check CHECK ((height > 0)),
  constraint media_file_sha256_check1 CHECK ((octet_length(sha256) = 32)),
  constraint media_file_width_check CHECK ((width > 0))
);
CREATE INDEX media_file_bands ON public.media_file USING gin (bands);
CREATE INDEX media_file_oldest ON public.media_file USING btree (stored_at_ms, sha256) INCLUDE (byte_count);

create table media_pace (
  is_only boolean not null default true,
  asked_at_ms bigint[] not null,
  constraint media_pace_pkey PRIMARY KEY (is_only),
  constraint media_pace_is_only_check CHECK (is_only)
);

create table media_twin (
  sha256 bytea not null,
  other_sha256 bytea not null,
  constraint media_twin_pkey PRIMARY KEY (sha256, other_sha256),
  constraint media_twin_other_sha256_fkey FOREIGN KEY (other_sha256) REFERENCES media_file(sha256) ON DELETE CASCADE,
  constraint media_twin_sha256_fkey FOREIGN KEY (sha256) REFERENCES media_file(sha256) ON DELETE CASCADE,
  constraint media_twin_check CHECK ((sha256 < other_sha256))
);
CREATE INDEX media_twin_other ON public.media_twin USING btree (other_sha256);

create table member_queue (
  configuration_id uuid not null,
  number bigint not null default nextval('queue_number'::regclass),
  constraint member_queue_pkey PRIMARY KEY (configuration_id),
  constraint member_queue_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE
);

create table message_alias (
  old_id uuid not null,
  canonical_message_id uuid not null,
  constraint message_alias_pkey PRIMARY KEY (old_id)
);
CREATE INDEX message_alias_message ON public.message_alias USING btree (canonical_message_id);
CREATE TRIGGER message_alias_inserted AFTER INSERT ON public.message_alias REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION queue_moved_messages();
CREATE TRIGGER message_alias_updated AFTER UPDATE ON public.message_alias REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION queue_moved_messages();

create table message_backfill (
  session_name text collate "C" not null,
  chat text collate "C" not null,
  complete_to_ms bigint,
  fetched_at_ms bigint,
  failed_count integer not null default 0,
  failing_since_ms bigint,
  retry_at_ms bigint,
  last_error text,
  constraint message_backfill_pkey PRIMARY KEY (session_name, chat),
  constraint message_backfill_failed_count_check CHECK ((failed_count >= 0))
);

create table message_extraction (
  canonical_message_id uuid not null,
  extraction_version integer not null,
  catalogue_sha256 text collate "C" not null,
  outcome text collate "C" not null,
  constraint message_extraction_pkey PRIMARY KEY (canonical_message_id)
);
CREATE INDEX message_extraction_failed ON public.message_extraction USING btree (canonical_message_id) WHERE (outcome = 'failed'::text);
CREATE INDEX message_extraction_reader ON public.message_extraction USING btree (extraction_version, catalogue_sha256);

create table message_queue (
  canonical_message_id uuid not null,
  alert_ms bigint,
  has_new_names boolean not null default false,
  is_fresh boolean not null default is_fresh_work(),
  number bigint not null default nextval('queue_number'::regclass),
  queued_at_ms bigint default (EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric),
  has_new_window boolean not null default false,
  quoted_ids uuid[] not null default '{}'::uuid[],
  constraint message_queue_pkey PRIMARY KEY (canonical_message_id),
  constraint message_queue_alert_ms_check CHECK ((alert_ms >= 0))
);
CREATE INDEX message_queue_fresh ON public.message_queue USING btree (number) WHERE is_fresh;
CREATE INDEX message_queue_number ON public.message_queue USING btree (number);

create table message_version (
  occurrence_id uuid not null,
  version_at_ms bigint not null,
  text_sha256 bytea not null,
  text text collate "C" not null,
  identity_sha256 bytea,
  canonical_message_id uuid,
  constraint message_version_pkey PRIMARY KEY (occurrence_id, version_at_ms, text_sha256)
);
CREATE INDEX message_version_message ON public.message_version USING btree (canonical_message_id);

create table messaging_session (
  id uuid not null,
  gateway_name text collate "C" not null,
  engine text collate "C",
  engine_at_ms bigint,
  phone_number text collate "C",
  label text collate "C",
  account_at_ms bigint,
  status text collate "C",
  is_restricted boolean not null default false,
  last_status_at_ms bigint,
  last_message_at_ms bigint,
  declared_role text,
  declared_engine text,
  declared_label text,
  declared_phone_number text,
  declared_connecting_user_id text,
  declared_stale_after_ms bigint,
  last_down_at_ms bigint,
  constraint messaging_session_pkey PRIMARY KEY (id),
  constraint messaging_session_gateway_name_key UNIQUE (gateway_name),
  constraint messaging_session_declared_phone_number_check CHECK ((declared_phone_number ~ '^[0-9]+$'::text)),
  constraint messaging_session_declared_role_check CHECK ((declared_role = ANY (ARRAY['receiving'::text, 'sending'::text]))),
  constraint messaging_session_declared_stale_after_ms_check CHECK ((declared_stale_after_ms > 0)),
  constraint messaging_session_phone_number_check CHECK ((phone_number ~ '^[0-9]+$'::text))
);
CREATE TRIGGER messaging_session_added AFTER INSERT OR DELETE ON public.messaging_session FOR EACH ROW EXECUTE FUNCTION announce_change('messaging_session');
CREATE TRIGGER messaging_session_changed AFTER UPDATE ON public.messaging_session FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION announce_change('messaging_session');
CREATE TRIGGER messaging_session_emptied AFTER TRUNCATE ON public.messaging_session FOR EACH STATEMENT EXECUTE FUNCTION announce_change('messaging_session');
CREATE TRIGGER messaging_session_status_added AFTER INSERT ON public.messaging_session FOR EACH ROW WHEN ((new.status IS NOT NULL)) EXECUTE FUNCTION announce_change('session_status');
CREATE TRIGGER messaging_session_status_changed AFTER UPDATE ON public.messaging_session FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION announce_change('session_status');
CREATE TRIGGER session_shown_added AFTER INSERT OR DELETE ON public.messaging_session FOR EACH ROW EXECUTE FUNCTION announce_row_id('session_shown');
CREATE TRIGGER session_shown_changed AFTER UPDATE ON public.messaging_session FOR EACH ROW WHEN ((((((((((((((old.gateway_name IS DISTINCT FROM new.gateway_name) OR (old.engine IS DISTINCT FROM new.engine)) OR (old.phone_number IS DISTINCT FROM new.phone_number)) OR (old.label IS DISTINCT FROM new.label)) OR (old.status IS DISTINCT FROM new.status)) OR (old.is_restricted IS DISTINCT FROM new.is_restricted)) OR (old.declared_role IS DISTINCT FROM new.declared_role)) OR (old.declared_engine IS DISTINCT FROM new.declared_engine)) OR (old.declared_label IS DISTINCT FROM new.declared_label)) OR (old.declared_phone_number IS DISTINCT FROM new.declared_phone_number)) OR (old.declared_connecting_user_id IS DISTINCT FROM new.declared_connecting_user_id)) OR (old.declared_stale_after_ms IS DISTINCT FROM new.declared_stale_after_ms)) OR (new.last_message_at_ms > (COALESCE(old.last_message_at_ms, (0)::bigint) + 60000)))) EXECUTE FUNCTION announce_row_id('session_shown');
CREATE TRIGGER session_shown_emptied AFTER TRUNCATE ON public.messaging_session FOR EACH STATEMENT EXECUTE FUNCTION announce_change('session_shown');

create table occurrence (
  id uuid not null,
  group_id uuid not null,
  raw_id text collate "C" not null,
  sent_at_ms bigint not null,
  sender_ids text[] not null,
  contact_id uuid,
  is_own boolean not null,
  has_media boolean not null,
  is_revoked boolean not null,
  is_edited boolean not null,
  session_ids uuid[] not null,
  canonical_message_id uuid not null,
  second bigint not null default 0,
  reply_to_raw_id text collate "C",
  constraint occurrence_pkey PRIMARY KEY (id)
);
CREATE INDEX occurrence_contact ON public.occurrence USING btree (contact_id);
CREATE INDEX occurrence_message ON public.occurrence USING btree (canonical_message_id, group_id, sent_at_ms, raw_id);
CREATE INDEX occurrence_raw_id ON public.occurrence USING btree (group_id, raw_id);
CREATE INDEX occurrence_reply ON public.occurrence USING btree (group_id, reply_to_raw_id) WHERE (reply_to_raw_id IS NOT NULL);
CREATE INDEX occurrence_reply_message ON public.occurrence USING btree (canonical_message_id) WHERE (reply_to_raw_id IS NOT NULL);

create table occurrence_rollup (
  canonical_message_id uuid not null,
  day_start_ms bigint not null,
  group_id uuid not null,
  occurrence_count integer not null,
  edited_count integer not null,
  revoked_count integer not null,
  media_count integer not null,
  first_seen_at_ms bigint not null,
  last_seen_at_ms bigint not null,
  session_ids uuid[] not null,
  live_first_seen_at_ms bigint,
  live_last_seen_at_ms bigint,
  own_count integer not null,
  constraint occurrence_rollup_pkey PRIMARY KEY (canonical_message_id, day_start_ms, group_id),
  constraint occurrence_rollup_check CHECK ((last_seen_at_ms >= first_seen_at_ms)),
  constraint occurrence_rollup_day_start_ms_check CHECK (((day_start_ms % (86400000)::bigint) = 0)),
  constraint occurrence_rollup_occurrence_count_check CHECK ((occurrence_count > 0))
);

create table price_cell (
  configuration_id uuid not null,
  year integer not null,
  condition_bucket text not null,
  status text not null,
  lookback_days integer not null,
  listing_count integer not null,
  market_average_eur_minor bigint,
  market_median_eur_minor bigint,
  consumer_min_eur_minor bigint,
  consumer_max_eur_minor bigint,
  minimum_profit_eur_minor bigint not null,
  maximum_buy_eur_minor bigint,
  maximum_hk_ask_eur_minor bigint,
  plausible_min_eur_minor bigint,
  plausible_max_eur_minor bigint,
  ask_median_eur_minor bigint,
  suspect_count integer not null default 0,
  quartile_low_eur_minor bigint,
  quartile_high_eur_minor bigint,
  lowest_ask_eur_minor bigint,
  profit_bound_eur_minor bigint generated always as ((market_average_eur_minor - COALESCE(lowest_ask_eur_minor, plausible_min_eur_minor, (0)::bigint))) stored,
  profit_bound_bps bigint generated always as (
CASE
    WHEN (market_average_eur_minor = 0) THEN (0)::bigint
    ELSE (div((((market_average_eur_minor - COALESCE(lowest_ask_eur_minor, plausible_min_eur_minor, (0)::bigint)))::numeric * (10000)::numeric), (market_average_eur_minor)::numeric))::bigint
END) stored,
  constraint price_cell_pkey PRIMARY KEY (configuration_id, year, condition_bucket),
  constraint price_cell_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE,
  constraint price_cell_check CHECK (((status = 'available'::text) = (market_average_eur_minor IS NOT NULL))),
  constraint price_cell_check1 CHECK ((((plausible_min_eur_minor IS NULL) = (plausible_max_eur_minor IS NULL)) AND ((plausible_min_eur_minor IS NULL) = (ask_median_eur_minor IS NULL)) AND ((plausible_min_eur_minor IS NOT NULL) OR (suspect_count = 0)))),
  constraint price_cell_condition_bucket_check CHECK ((condition_bucket = ANY (ARRAY['new'::text, 'like_new'::text, 'used'::text]))),
  constraint price_cell_listing_count_check CHECK ((listing_count >= 0)),
  constraint price_cell_status_check CHECK ((status = ANY (ARRAY['available'::text, 'insufficient'::text, 'pending'::text]))),
  constraint price_cell_suspect_count_check CHECK ((suspect_count >= 0))
);
CREATE INDEX price_cell_by_profit ON public.price_cell USING btree (profit_bound_eur_minor DESC, configuration_id, year, condition_bucket) WHERE (status = 'available'::text);
CREATE INDEX price_cell_by_profit_bps ON public.price_cell USING btree (profit_bound_bps DESC, configuration_id, year, condition_bucket) WHERE (status = 'available'::text);
CREATE TRIGGER price_cell_deleted AFTER DELETE ON public.price_cell REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');
CREATE TRIGGER price_cell_emptied AFTER TRUNCATE ON public.price_cell FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');
CREATE TRIGGER price_cell_inserted AFTER INSERT ON public.price_cell REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');
CREATE TRIGGER price_cell_updated AFTER UPDATE ON public.price_cell REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');

create table price_cell_history (
  configuration_id uuid not null,
  year integer not null,
  condition_bucket text not null,
  calculated_at_ms bigint not null,
  status text not null,
  listing_count integer not null,
  market_average_eur_minor bigint,
  market_median_eur_minor bigint,
  consumer_min_eur_minor bigint,
  consumer_max_eur_minor bigint,
  maximum_buy_eur_minor bigint,
  constraint price_cell_history_pkey PRIMARY KEY (configuration_id, year, condition_bucket, calculated_at_ms),
  constraint price_cell_history_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE,
  constraint price_cell_history_condition_bucket_check CHECK ((condition_bucket = ANY (ARRAY['new'::text, 'like_new'::text, 'used'::text]))),
  constraint price_cell_history_listing_count_check CHECK ((listing_count >= 0)),
  constraint price_cell_history_status_check CHECK ((status = ANY (ARRAY['available'::text, 'insufficient'::text, 'pending'::text, 'gone'::text])))
);

create table price_configuration (
  id uuid not null,
  configuration_key text collate "C" not null,
  profile_id uuid,
  brand text not null,
  brand_lower text not null,
  reference text not null,
  reference_normalized text not null,
  market_reference_normalized text not null,
  market_reference text,
  label text,
  filters jsonb not null,
  filter_summary text not null,
  minimum_profit_overrides jsonb not null,
  exclude_outliers boolean not null,
  publish_enabled boolean not null,
  buy_signals_enabled boolean not null,
  image_url text,
  calculator_mapping_id uuid,
  imported_from_mapping_id uuid,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  last_attempt_at_ms bigint,
  last_success_at_ms bigint,
  last_refresh_error text,
  revision bigint not null default 1,
  managed_by text collate "C" not null default 'manifest'::text,
  created_by text,
  updated_by text,
  created_hash text collate "C",
  since_sequence bigint not null default nextval('arrival_sequence'::regclass),
  deleted_at_ms bigint,
  sets text collate "C",
  specificity smallint not null default 0,
  constraint price_configuration_pkey PRIMARY KEY (id),
  constraint price_configuration_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES price_profile(id) ON DELETE SET NULL,
  constraint price_configuration_check CHECK (((profile_id IS NOT NULL) OR (deleted_at_ms IS NOT NULL))),
  constraint price_configuration_filters_check CHECK ((jsonb_typeof(filters) = 'object'::text)),
  constraint price_configuration_managed_by_check CHECK ((managed_by = ANY (ARRAY['manifest'::text, 'api'::text]))),
  constraint price_configuration_minimum_profit_overrides_check CHECK ((jsonb_typeof(minimum_profit_overrides) = 'array'::text)),
  constraint price_configuration_sets_check CHECK ((sets = ANY (ARRAY['any'::text, 'papers'::text, 'complete'::text]))),
  constraint price_configuration_specificity_check CHECK (((specificity >= 0) AND (specificity <= 3)))
);
CREATE INDEX price_configuration_by_brand ON public.price_configuration USING btree (brand_lower, configuration_key);
CREATE INDEX price_configuration_by_market_reference ON public.price_configuration USING btree (market_reference_normalized, configuration_key);
CREATE INDEX price_configuration_deleted_key ON public.price_configuration USING btree (configuration_key, deleted_at_ms DESC, id) WHERE (deleted_at_ms IS NOT NULL);
CREATE UNIQUE INDEX price_configuration_key ON public.price_configuration USING btree (configuration_key) WHERE (deleted_at_ms IS NULL);
CREATE INDEX price_configuration_profile ON public.price_configuration USING btree (profile_id, id);
CREATE TRIGGER price_configuration_deleted AFTER DELETE ON public.price_configuration REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'id');
CREATE TRIGGER price_configuration_emptied AFTER TRUNCATE ON public.price_configuration FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'id');
CREATE TRIGGER price_configuration_filters_deleted AFTER DELETE ON public.price_configuration REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION delete_configuration_filters();
CREATE TRIGGER price_configuration_inserted AFTER INSERT ON public.price_configuration REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'id');
CREATE TRIGGER price_configuration_revised BEFORE UPDATE OF profile_id, brand, brand_lower, reference, reference_normalized, market_reference_normalized, market_reference, label, filters, filter_summary, minimum_profit_overrides, exclude_outliers, publish_enabled, buy_signals_enabled, image_url, calculator_mapping_id, imported_from_mapping_id, updated_at_ms ON public.price_configuration FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION revise_price_configuration();
CREATE TRIGGER price_configuration_updated AFTER UPDATE ON public.price_configuration REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'id');

create table price_configuration_mark (
  configuration_id uuid not null,
  kind text collate "C" not null,
  at_ms bigint not null,
  before text collate "C",
  after text collate "C" not null,
  constraint price_configuration_mark_pkey PRIMARY KEY (configuration_id, kind, at_ms),
  constraint price_configuration_mark_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE,
  constraint price_configuration_mark_kind_check CHECK ((kind = 'sets'::text))
);

create table price_profile (
  id uuid not null,
  name text not null,
  status text not null,
  lookback_days integer not null,
  minimum_listings integer not null,
  minimum_profit_eur_minor bigint not null,
  hk_markup_rate_bps integer not null,
  hk_markup_fixed_eur_minor bigint not null,
  consumer_low_quantile_bps integer not null,
  consumer_high_quantile_bps integer not null,
  consumer_margin_bps integer not null,
  stale_after_ms bigint not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  implausible_below_bps integer not null,
  implausible_above_bps integer not null,
  managed_by text collate "C" not null default 'manifest'::text,
  created_by text,
  updated_by text,
  created_hash text collate "C",
  sets text collate "C" not null default 'any'::text,
  constraint price_profile_pkey PRIMARY KEY (id),
  constraint price_profile_name_key UNIQUE (name),
  constraint price_profile_check CHECK ((consumer_low_quantile_bps <= consumer_high_quantile_bps)),
  constraint price_profile_consumer_high_quantile_bps_check CHECK (((consumer_high_quantile_bps >= 0) AND (consumer_high_quantile_bps <= 10000))),
  constraint price_profile_consumer_low_quantile_bps_check CHECK (((consumer_low_quantile_bps >= 0) AND (consumer_low_quantile_bps <= 10000))),
  constraint price_profile_consumer_margin_bps_check CHECK (((consumer_margin_bps >= 0) AND (consumer_margin_bps <= 1000000))),
  constraint price_profile_hk_markup_fixed_eur_minor_check CHECK ((hk_markup_fixed_eur_minor >= 0)),
  constraint price_profile_hk_markup_rate_bps_check CHECK ((hk_markup_rate_bps >= 0)),
  constraint price_profile_implausible_above_bps_check CHECK (((implausible_above_bps >= 10000) AND (implausible_above_bps <= 1000000))),
  constraint price_profile_implausible_below_bps_check CHECK (((implausible_below_bps >= 0) AND (implausible_below_bps <= 10000))),
  constraint price_profile_lookback_days_check CHECK ((lookback_days > 0)),
  constraint price_profile_managed_by_check CHECK ((managed_by = ANY (ARRAY['manifest'::text, 'api'::text]))),
  constraint price_profile_minimum_listings_check CHECK ((minimum_listings > 0)),
  constraint price_profile_sets_check CHECK ((sets = ANY (ARRAY['any'::text, 'papers'::text, 'complete'::text]))),
  constraint price_profile_stale_after_ms_check CHECK ((stale_after_ms > 0)),
  constraint price_profile_status_check CHECK ((status = ANY (ARRAY['shadow'::text, 'live'::text])))
);
CREATE TRIGGER price_profile_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.price_profile FOR EACH STATEMENT EXECUTE FUNCTION announce_change('price_cells');

create table price_snapshot (
  configuration_id uuid not null,
  calculated_at_ms bigint not null,
  source_sequence bigint not null,
  calculation_version text not null,
  revision bigint not null default 1,
  cells_hash text,
  newest_at_ms jsonb not null default '{}'::jsonb,
  constraint price_snapshot_pkey PRIMARY KEY (configuration_id),
  constraint price_snapshot_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE
);
CREATE TRIGGER price_snapshot_deleted AFTER DELETE ON public.price_snapshot REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');
CREATE TRIGGER price_snapshot_emptied AFTER TRUNCATE ON public.price_snapshot FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');
CREATE TRIGGER price_snapshot_inserted AFTER INSERT ON public.price_snapshot REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');
CREATE TRIGGER price_snapshot_updated AFTER UPDATE ON public.price_snapshot REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_ids('price_cells', 'configuration_id');

create table quarantined_event (
  raw_event_id bigint not null,
  reason text not null,
  quarantined_at_ms bigint not null,
  constraint quarantined_event_pkey PRIMARY KEY (raw_event_id),
  constraint quarantined_event_raw_event_id_fkey FOREIGN KEY (raw_event_id) REFERENCES raw_event(id)
);
CREATE INDEX quarantined_event_newest ON public.quarantined_event USING btree (quarantined_at_ms DESC, raw_event_id DESC);

create table rate_fetch (
  is_only boolean not null default true,
  fetched_at_ms bigint,
  latest_day date,
  failed_count integer not null default 0,
  failing_since_ms bigint,
  last_error text,
  next_at_ms bigint not null default 0,
  constraint rate_fetch_pkey PRIMARY KEY (is_only),
  constraint rate_fetch_failed_count_check CHECK ((failed_count >= 0)),
  constraint rate_fetch_is_only_check CHECK (is_only)
);

create table raw_event (
  id bigint not null generated always as identity,
  sha256 bytea not null,
  gateway text not null,
  origin text not null,
  body bytea,
  received_at_ms bigint not null,
  constraint raw_event_pkey PRIMARY KEY (id),
  constraint raw_event_sha256_key UNIQUE (sha256),
  constraint raw_event_gateway_check CHECK ((gateway = ANY (ARRAY['waha'::text, 'chat'::text]))),
  constraint raw_event_origin_check CHECK ((origin = ANY (ARRAY['webhook'::text, 'pull'::text, 'import'::text]))),
  constraint raw_event_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE INDEX raw_event_chat ON public.raw_event USING btree (id) WHERE (gateway = 'chat'::text);
CREATE INDEX raw_event_received ON public.raw_event USING btree (received_at_ms, id);

create table raw_event_queue (
  raw_event_id bigint not null,
  alerting text not null,
  is_fresh boolean not null default false,
  constraint raw_event_queue_pkey PRIMARY KEY (raw_event_id),
  constraint raw_event_queue_alerting_check CHECK ((alerting = ANY (ARRAY['window'::text, 'never'::text, 'always'::text, 'replayed'::text])))
);
CREATE INDEX raw_event_queue_fresh ON public.raw_event_queue USING btree (raw_event_id) WHERE is_fresh;
CREATE TRIGGER raw_event_queue_changed AFTER INSERT ON public.raw_event_queue FOR EACH STATEMENT EXECUTE FUNCTION announce_change('raw_event_queue');

create table refresh_queue (
  configuration_id uuid not null,
  queued_at_ms bigint not null,
  is_fresh boolean not null default is_fresh_work(),
  number bigint not null default nextval('queue_number'::regclass),
  constraint refresh_queue_pkey PRIMARY KEY (configuration_id),
  constraint refresh_queue_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES price_configuration(id) ON DELETE CASCADE
);
CREATE INDEX refresh_queue_fresh ON public.refresh_queue USING btree (queued_at_ms, configuration_id) WHERE is_fresh;
CREATE INDEX refresh_queue_oldest ON public.refresh_queue USING btree (queued_at_ms, configuration_id);

create table refused_event (
  reason text collate "C" not null,
  refused_count bigint not null,
  first_at_ms bigint not null,
  last_at_ms bigint not null,
  constraint refused_event_pkey PRIMARY KEY (reason),
  constraint refused_event_refused_count_check CHECK ((refused_count > 0))
);

create table refused_media (
  sha256 bytea not null,
  reason text collate "C" not null,
  refused_at_ms bigint not null,
  constraint refused_media_pkey PRIMARY KEY (sha256),
  constraint refused_media_sha256_check CHECK ((octet_length(sha256) = 32))
);

create table replay_request (
  is_only boolean not null default true,
  reason text not null,
  constraint replay_request_pkey PRIMARY KEY (is_only),
  constraint replay_request_is_only_check CHECK (is_only)
);

create table reported_message (
  id uuid not null,
  group_id uuid not null,
  raw_id text collate "C" not null,
  first_received_at_ms bigint,
  reports jsonb not null,
  author_ids text[],
  oldest_at_ms bigint not null,
  heard_at_ms bigint,
  edit_alert_since_ms bigint,
  constraint reported_message_pkey PRIMARY KEY (id),
  constraint reported_message_reports_check CHECK ((jsonb_typeof(reports) = 'array'::text))
);
CREATE INDEX reported_message_author ON public.reported_message USING gin (author_ids) WHERE (author_ids IS NOT NULL);
CREATE INDEX reported_message_oldest ON public.reported_message USING btree (oldest_at_ms, id);

create table retention (
  is_only boolean not null default true,
  floor_ms bigint not null,
  raised_at_ms bigint not null,
  too_old_count bigint not null default 0,
  last_too_old_at_ms bigint,
  constraint retention_pkey PRIMARY KEY (is_only),
  constraint retention_floor_ms_check CHECK (((floor_ms % (86400000)::bigint) = 0)),
  constraint retention_is_only_check CHECK (is_only),
  constraint retention_too_old_count_check CHECK ((too_old_count >= 0))
);

create table saved_filter (
  owner_kind text collate "C" not null,
  owner_id uuid not null,
  filters jsonb not null,
  reads_duplicates boolean not null,
  sets text collate "C",
  constraint saved_filter_pkey PRIMARY KEY (owner_kind, owner_id),
  constraint saved_filter_filters_check CHECK ((jsonb_typeof(filters) = 'array'::text)),
  constraint saved_filter_owner_kind_check CHECK ((owner_kind ~ '^[a-z_]{1,40}$'::text)),
  constraint saved_filter_sets_check CHECK ((sets = ANY (ARRAY['papers'::text, 'complete'::text])))
);
CREATE TRIGGER saved_filter_deleted AFTER DELETE ON public.saved_filter REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_saved_filter_change();
CREATE TRIGGER saved_filter_inserted AFTER INSERT ON public.saved_filter REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_saved_filter_change();
CREATE TRIGGER saved_filter_updated AFTER UPDATE ON public.saved_filter REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_saved_filter_change();

create table saved_filter_change (
  owner_kind text collate "C" not null,
  owner_id uuid not null,
  sequence bigint not null,
  constraint saved_filter_change_pkey PRIMARY KEY (owner_kind, owner_id),
  constraint saved_filter_change_sequence_key UNIQUE (sequence)
);

create table schema_migration (
  version integer not null,
  name text not null,
  sha256 text not null,
  applied_at_ms bigint not null default (EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric),
  constraint schema_migration_pkey PRIMARY KEY (version)
);

create table secret_search (
  due_at_ms bigint not null,
  after_raw_event_id bigint not null,
  rewritten_count bigint not null default 0,
  constraint secret_search_pkey PRIMARY KEY (due_at_ms)
);

create table set_aside_item (
  id bigint not null generated always as identity,
  step text collate "C" not null,
  key text collate "C" not null,
  queue_row jsonb not null,
  reason text not null,
  attempt_count integer not null,
  set_aside_at_ms bigint not null,
  next_attempt_at_ms bigint not null,
  constraint set_aside_item_pkey PRIMARY KEY (id),
  constraint set_aside_item_step_key_key UNIQUE (step, key),
  constraint set_aside_item_attempt_count_check CHECK ((attempt_count > 0))
);
CREATE INDEX set_aside_item_due ON public.set_aside_item USING btree (next_attempt_at_ms, id);
CREATE INDEX set_aside_item_newest ON public.set_aside_item USING btree (set_aside_at_ms DESC, id DESC);

create table step_count (
  step text collate "C" not null,
  hour_start_ms bigint not null,
  item_count bigint not null,
  constraint step_count_pkey PRIMARY KEY (step, hour_start_ms),
  constraint step_count_hour_start_ms_check CHECK (((hour_start_ms % (3600000)::bigint) = 0)),
  constraint step_count_item_count_check CHECK ((item_count > 0))
);

create table store_identity (
  is_only boolean not null default true,
  id uuid not null default gen_random_uuid(),
  constraint store_identity_pkey PRIMARY KEY (is_only),
  constraint store_identity_is_only_check CHECK (is_only)
);

create table webhook_delivery (
  id uuid not null,
  target_id uuid not null,
  alert_id uuid not null,
  resource text not null,
  resource_id uuid not null,
  status text not null default 'pending'::text,
  attempt_count integer not null default 0,
  next_attempt_at_ms bigint not null,
  body text,
  last_result text,
  created_at_ms bigint not null,
  finished_at_ms bigint,
  is_fresh boolean not null default is_fresh_work(),
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE,
  constraint webhook_delivery_target_id_fkey FOREIGN KEY (target_id) REFERENCES webhook_target(id) ON DELETE CASCADE,
  constraint webhook_delivery_attempt_count_check CHECK ((attempt_count >= 0)),
  constraint webhook_delivery_check CHECK (((status = 'pending'::text) = (finished_at_ms IS NULL))),
  constraint webhook_delivery_resource_check CHECK ((resource = ANY (ARRAY['watch_listing'::text, 'message'::text]))),
  constraint webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
);
CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (target_id, next_attempt_at_ms, id) WHERE (status = 'pending'::text);
CREATE INDEX webhook_delivery_finished ON public.webhook_delivery USING btree (status, finished_at_ms, id);
CREATE INDEX webhook_delivery_fresh ON public.webhook_delivery USING btree (target_id, next_attempt_at_ms, id) WHERE ((status = 'pending'::text) AND is_fresh);
CREATE INDEX webhook_delivery_newest ON public.webhook_delivery USING btree (created_at_ms DESC, id);
CREATE INDEX webhook_delivery_of_target ON public.webhook_delivery USING btree (target_id, created_at_ms DESC, id);
CREATE INDEX webhook_delivery_resource ON public.webhook_delivery USING btree (resource_id);
CREATE TRIGGER webhook_delivery_added AFTER INSERT ON public.webhook_delivery FOR EACH STATEMENT EXECUTE FUNCTION announce_change('webhook_delivery');

create table webhook_target (
  id uuid not null,
  name text not null,
  url text,
  secret text,
  alert_ids uuid[],
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  gone_at_ms bigint,
  managed_by text collate "C" not null default 'manifest'::text,
  created_by text,
  updated_by text,
  created_hash text collate "C",
  kind text not null default 'standard'::text,
  recipient text,
  quiet_hours jsonb,
  next_send_at_ms bigint not null default 0,
  constraint webhook_target_pkey PRIMARY KEY (id),
  constraint webhook_target_name_key UNIQUE (name),
  constraint webhook_target_check CHECK (
CASE kind
    WHEN 'standard'::text THEN ((url IS NOT NULL) AND (secret IS NOT NULL) AND (recipient IS NULL))
    WHEN 'ntfy'::text THEN ((url IS NOT NULL) AND (recipient IS NULL))
    WHEN 'telegram'::text THEN ((url IS NULL) AND (secret IS NOT NULL) AND (recipient IS NOT NULL))
    ELSE ((url IS NULL) AND (secret IS NULL) AND (recipient IS NOT NULL))
END),
  constraint webhook_target_kind_check CHECK ((kind = ANY (ARRAY['standard'::text, 'ntfy'::text, 'telegram'::text, 'email'::text]))),
  constraint webhook_target_managed_by_check CHECK ((managed_by = ANY (ARRAY['manifest'::text, 'api'::text])))
);
CREATE TRIGGER webhook_target_declared BEFORE UPDATE OF kind, url, secret, recipient, alert_ids, quiet_hours ON public.webhook_target FOR EACH ROW WHEN (((((((old.kind IS DISTINCT FROM new.kind) OR (old.url IS DISTINCT FROM new.url)) OR (old.secret IS DISTINCT FROM new.secret)) OR (old.recipient IS DISTINCT FROM new.recipient)) OR (old.alert_ids IS DISTINCT FROM new.alert_ids)) OR (old.quiet_hours IS DISTINCT FROM new.quiet_hours))) EXECUTE FUNCTION revive_webhook_target();
