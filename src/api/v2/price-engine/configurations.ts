import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { dropNulls } from "../../../db/row.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { keyOfConfiguration } from "../../../manifest/identify.ts";
import { type Declared, KINDS } from "../../../manifest/schema.ts";
import {
  listPlannedConfigurations,
  toConfigurationDeclaration,
} from "../../../manifest/stored-declarations.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { isStale } from "../../../pricing/cells/cell.ts";
import { configurationStatus } from "../../../pricing/configurations/configuration.ts";
import {
  type ConfigurationRow,
  findConfigurationMarks,
} from "../../../pricing/configurations/configuration-store.ts";
import { listDeletedConfigurations } from "../../../pricing/configurations/configuration-write-store.ts";
import { listConfigurations } from "../../../pricing/configurations/list-configurations.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
} from "../object-routes.ts";
import {
  Count,
  EurMinor,
  Filters,
  failures,
  Id,
  Ms,
  NextCursor,
  named,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { patchOf } from "../writes.ts";

const TEXT_LENGTH_MAX = 200;

const MinimumProfitOverride = Type.Object(
  { year: Type.Integer(), condition_bucket: Type.String(), amount_eur_minor: EurMinor },
  { $id: "MinimumProfitOverride" },
);

/** Seed 2.5. */
export const Configuration = Type.Object(
  {
    id: Id,
    profile_id: Id,
    brand: Type.String(),
    brand_lower: Type.String(),
    reference: Type.String(),
    reference_normalized: Type.String(),
    market_reference_normalized: Type.String(),
    filters: Filters,
    filter_summary: Type.String(),
    minimum_profit_overrides: Type.Array(named(MinimumProfitOverride)),
    exclude_outliers: Type.Boolean(),
    publish_enabled: Type.Boolean(),
    buy_signals_enabled: Type.Boolean(),
    available_years: Type.Array(Type.Integer()),
    cell_status: Type.String({ description: "`available`, `insufficient` or `pending`." }),
    is_stale: Type.Boolean(),
    updated_at_ms: Ms,
    configuration_key: Type.String(),
    configuration_label: Type.String(),
    image_url: optional(Type.String()),
    imported_from_mapping_id: optional(Id),
    last_attempt_at_ms: optional(Ms),
    last_success_at_ms: optional(Ms),
    last_refresh_error: optional(Type.String()),
  },
  { $id: "Configuration" },
);

// PostgreSQL cannot store a null character in text, so it is refused here.
const textFilter = (description: string) =>
  optional(
    Type.String({
      minLength: 1,
      maxLength: TEXT_LENGTH_MAX,
      pattern: "^[^\\u0000]*$",
      description,
    }),
  );

const Query = Type.Object({
  brand: textFilter("The brand; case does not matter."),
  reference: textFilter(
    "The configuration's own reference or its market reference; punctuation and case do not matter.",
  ),
  status: optional(
    Type.Enum(["available", "insufficient", "pending"], { description: "The `cell_status`." }),
  ),
  profile: textFilter("A profile's name or id."),
  q: textFilter("Words that must all occur in key, label, brand, reference or summary."),
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: "The maximum number of configurations.",
    }),
  ),
  cursor: PAGE_QUERY.cursor,
});

const ConfigurationDeclaration = Type.Object(
  {
    ...KINDS.configurations.properties,
    id: Id,
    filters: Filters,
    managed_by: Type.String({ description: "`manifest` or `api`." }),
  },
  { $id: "ConfigurationDeclaration" },
);

type Body = Declared<"configurations"> & { readonly managed_by: string };

const CONFIGURATIONS = {
  kind: "configurations",
  noun: "configuration",
  notFound: "configuration_not_found",
  find: async (db, id) => {
    const [configuration] = await listPlannedConfigurations(db, { ids: [id] });
    const marks = configuration && (await findConfigurationMarks(db, id));
    if (configuration === undefined || marks === undefined) return undefined;
    const { profileName, createdHash } = marks;
    const declared = toConfigurationDeclaration(configuration, profileName);
    const { id: _, ...given } = declared;
    const { managed_by } = configuration;
    return { body: { ...declared, managed_by }, given, managedBy: managed_by, createdHash };
  },
  /** The same key revives the configuration that was deleted last. */
  findFormerId: async (tx, given) => {
    const keys = [keyOfConfiguration(given as Declared<"configurations">)];
    return (await listDeletedConfigurations(tx, { keys })).at(-1)?.id;
  },
  remove: async (tx, id, stamp) => {
    const [row] = await listPlannedConfigurations(tx, { ids: [id] });
    if (row !== undefined) await deleteDeclaration(tx, { configurations: withoutRow(row) }, stamp);
  },
} as const satisfies ObjectKind<Body>;

const ROUTES = {
  kind: CONFIGURATIONS,
  path: "/v2/market/price-engine/configurations",
  idName: "id",
  tags: ["Market"],
  title: "price-engine configuration",
  operationNoun: "Configuration",
  body: ConfigurationDeclaration,
};

const EXAMPLE = { profile: "Core", brand: "Tudor", reference: "79360N", label: "Black Bay Chrono" };

/** An extension of the contract: the way to find a configuration. The route of its cells adds the schemas. */
export function addListConfigurations(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "listConfigurations",
    tags: ["Market"],
    summary: "List price-engine configurations",
    description:
      "Sorted by `configuration_key`. `total` counts all configurations that the query selects.",
    querystring: Query,
    response: {
      200: Type.Object({
        items: Type.Array(named(Configuration)),
        total: Count,
        next_cursor: NextCursor,
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/market/price-engine/configurations", { schema }, async (request) => {
    const { query } = request;
    const { limit = 50, ...filters } = query;
    const page = await listConfigurations(db(request), { ...filters, limit });
    const nowMs = clock.nowMs();
    return {
      items: page.rows.map((row) => toConfigurationBody(row, nowMs)),
      total: page.total,
      ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
    };
  });
}

/** As in the manifest, in which a configuration is declared by the same members. */
export function addWriteConfigurations(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(ConfigurationDeclaration);
  addCreateObject(app, context, ROUTES, {
    given: { ...KINDS.configurations, examples: [EXAMPLE] },
    description:
      "The members are those of the manifest. It gets a system alert, and is stale until its members are selected and its " +
      "cells are calculated. Nothing fires for listings that are already there. The key of a deleted configuration revives it " +
      "with its id, its history and its alert, unless you choose another `id`.",
  });
  addGetObject(app, context, ROUTES, {
    description:
      "As it is declared, in the members of the manifest. Prices and state are in the list and in its cells.",
  });
  addChangeObject(app, context, ROUTES, {
    given: patchOf(KINDS.configurations, { examples: [{ exclude_outliers: true }] }),
    description:
      "The key cannot change. The configuration is stale until it is calculated again, and nothing fires for listings " +
      "that are already there.",
  });
  addDeleteObject(app, context, ROUTES, {
    description:
      "Deletes its cells. Its history stays, and its system alert stays disabled with the matches. The same key revives it.",
  });
}

/** Call it once, before the first route that uses these schemas. */
export function addConfigurationSchemas(app: FastifyInstance): void {
  app.addSchema(MinimumProfitOverride);
  app.addSchema(Configuration);
}

export function toConfigurationBody(row: ConfigurationRow, nowMs: number) {
  const { stale_after_ms: _, is_changed: __, ...configuration } = row;
  return {
    ...dropNulls(configuration),
    cell_status: configurationStatus(row.available_years, row.last_success_at_ms),
    is_stale: isStale(row, nowMs),
  };
}
