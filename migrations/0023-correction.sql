-- What a person corrected in the reading of a text, kept beside everything that is derived.
create table correction (
  -- From the other columns, so that the same correction is stored once.
  id uuid primary key,
  -- Text, line, ordinal and reference as read: where the correction holds, in every post of the text.
  identity_sha256 bytea not null,
  line integer not null check (line >= 0),
  ordinal integer not null check (ordinal >= 0),
  -- Empty if extraction reads no reference there.
  reference_normalized text collate "C" not null,
  field text collate "C" not null
    check (field in ('side', 'brand', 'model', 'reference', 'dial_type', 'variant', 'year', 'card_month', 'condition',
                     'full_set_status', 'price', 'alternative_price', 'status', 'is_listing')),
  -- SQL null: the listing has no such value, or the correction is undone.
  value jsonb check (value <> 'null'),
  is_undone boolean not null,
  -- Of prices only: what extraction knew about the message.
  default_currency text collate "C",
  sender_country text collate "C",
  corrected_at_ms bigint not null check (corrected_at_ms >= 0),
  check (not is_undone or value is null),
  check (field in ('price', 'alternative_price') or num_nonnulls(default_currency, sender_country) = 0)
);

create index correction_by_text on correction (identity_sha256);

-- Derived: the messages whose text has corrections, and which of these do not hold for them.
create table corrected_message (
  canonical_message_id uuid primary key,
  identity_sha256 bytea not null,
  -- From the id of a correction to the reason why it is set aside.
  set_aside jsonb not null default '{}' check (jsonb_typeof(set_aside) = 'object')
);

create index corrected_message_by_text on corrected_message (identity_sha256);
create index corrected_message_set_aside on corrected_message (canonical_message_id) where set_aside <> '{}';
