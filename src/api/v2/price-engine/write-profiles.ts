import type { FastifyInstance } from "fastify";
import { KINDS } from "../../../manifest/schema.ts";
import { listProfilePage } from "../../../pricing/configurations/profile-store.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
  addListObjects,
} from "../object-routes.ts";
import type { RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";
import { PROFILES, ProfileBody, toProfileBody } from "./profile-object.ts";

const ROUTES = {
  kind: PROFILES,
  path: "/v2/market/price-engine/profiles",
  idName: "id",
  tags: ["Market"],
  title: "price-engine profile",
  operationNoun: "Profile",
  body: ProfileBody,
};

const EXAMPLE = { name: "Vintage", minimum_profit_eur_minor: 150_000 };

/** The rules by which configurations are priced, in the members of the manifest. */
export function addWriteProfiles(app: FastifyInstance, context: RouteContext): void {
  addListObjects(app, context, ROUTES, async (db, page) =>
    (await listProfilePage(db, page)).map(toProfileBody),
  );
  addGetObject(app, context, ROUTES);
  addCreateObject(app, context, ROUTES, {
    given: { ...KINDS.profiles, examples: [EXAMPLE] },
    description:
      "Starts as `shadow` unless the body says `live`: the matches of a shadow profile are recorded and never sent.",
  });
  addChangeObject(app, context, ROUTES, {
    given: patchOf(KINDS.profiles),
    description:
      "A member without a value has its default. Its configurations are stale until they are calculated again. Nothing " +
      "fires for listings that are already there, also when a profile goes `live`.",
  });
  addDeleteObject(app, context, ROUTES, {
    description: "A profile that configurations use is not deleted (`in_use`).",
  });
}
