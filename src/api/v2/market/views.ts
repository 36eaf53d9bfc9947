import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listDeclaredAlerts } from "../../../alerts/alert-write-store.ts";
import { AppError } from "../../../base/errors.ts";
import { findView, listViewObjects, listViews, type View } from "../../../filters/view-store.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
  addListObjects,
} from "../object-routes.ts";
import { Filters, Id, Ms, optional, type RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";

const ViewBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    filters: Filters,
    source_market: optional(Type.String({ description: "`EU` or `HK`: a source view." })),
    sort: optional(Type.String()),
    columns: optional(Type.Array(Type.String())),
    managed_by: Type.String({ description: "`manifest` or `api`." }),
    created_by: optional(Type.String()),
    updated_by: optional(Type.String()),
    created_at_ms: Ms,
    updated_at_ms: Ms,
  },
  { $id: "View" },
);

const VIEWS = {
  kind: "views",
  noun: "view",
  notFound: "view_not_found",
  find: async (db, id) => {
    const found = await findView(db, id);
    if (found === undefined) return undefined;
    const { view, createdHash } = found;
    const { name, filters, source_market, sort, columns } = view;
    const given = { name, filters, source_market, sort, columns };
    return { body: view, given: dropAbsent(given), managedBy: view.managed_by, createdHash };
  },
  remove: async (tx, id, stamp) => {
    const [row] = await listViews(tx, { ids: [id] });
    if (row === undefined) return;
    if (row.source_market !== null) {
      const market = row.source_market;
      throw new AppError(
        "in_use",
        `this is a source view of the ${market} market; remove source_market first`,
      );
    }
    const [alert] = await listDeclaredAlerts(tx, { viewIds: [id] });
    if (alert !== undefined)
      throw new AppError("in_use", `the alert "${alert.name}" uses this view`);
    await deleteDeclaration(tx, { views: withoutRow(row) }, stamp);
  },
} as const satisfies ObjectKind<View>;

const ROUTES = {
  kind: VIEWS,
  path: "/v2/views",
  idName: "view_id",
  tags: ["Views"],
  operationNoun: "View",
  body: ViewBody,
};

export function addWriteViews(app: FastifyInstance, context: RouteContext): void {
  addListObjects(app, context, ROUTES, listViewObjects);
  addGetObject(app, context, ROUTES);
  addCreateObject(app, context, ROUTES, { given: KINDS.views });
  addChangeObject(app, context, ROUTES, {
    given: patchOf(KINDS.views),
    description:
      "Alerts that use the view look forward only: nothing fires for listings that are already there.",
  });
  addDeleteObject(app, context, ROUTES, {
    description: "A view that an alert uses, or that is a source view, is not deleted (`in_use`).",
  });
}

function dropAbsent(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
