-- Amounts of deals in euros are stored, so that what a hundred thousand deals made is summed up without looking up their rates.

/* As `toEurPrice`: at the latest rate on or before the day, half up. Null without a rate, and for more than a number can hold. */
create function to_eur_minor(amount bigint, currency text, at_ms bigint) returns bigint
  language sql stable
as $$
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
$$;

alter table deal
  add column paid_eur_minor bigint,
  add column sold_eur_minor bigint;

update deal
   set paid_eur_minor = to_eur_minor(paid_amount_minor, paid_currency, paid_at_ms),
       sold_eur_minor = to_eur_minor(sold_amount_minor, sold_currency, sold_at_ms)
 where paid_at_ms is not null;

/* Also for processes of the version before. */
create function convert_deal() returns trigger
  language plpgsql
as $$
begin
  new.paid_eur_minor := to_eur_minor(new.paid_amount_minor, new.paid_currency, new.paid_at_ms);
  new.sold_eur_minor := to_eur_minor(new.sold_amount_minor, new.sold_currency, new.sold_at_ms);
  return new;
end
$$;

create trigger deal_converted
  before insert or update of paid_amount_minor, paid_currency, paid_at_ms, sold_amount_minor, sold_currency, sold_at_ms
  on deal for each row execute function convert_deal();

/* A rate counts from its day on, until the next one. The lock makes a deal that is being written wait, or be seen. */
create function convert_deals() returns trigger
  language plpgsql
as $$
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
$$;

create trigger fx_rate_deals_deleted after delete on fx_rate referencing old table as changed
  for each statement execute function convert_deals();
create trigger fx_rate_deals_inserted after insert on fx_rate referencing new table as changed
  for each statement execute function convert_deals();
create trigger fx_rate_deals_updated after update on fx_rate referencing new table as changed
  for each statement execute function convert_deals();

-- All that a sum reads, so that it reads no deal.
create index deal_made on deal (day_ms)
  include (assignee_token_id, contact_id, paid_at_ms, sold_at_ms, paid_eur_minor, sold_eur_minor, cost_eur_minor,
           predicted_profit_eur_minor)
  where state = 'bought';
