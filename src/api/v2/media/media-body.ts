import { type Static, Type } from "typebox";
import { dropNulls } from "../../../db/row.ts";
import type { MediaRow } from "../../../media/media-store.ts";
import { MEDIA_REASONS } from "../../../media/picture.ts";
import { Id, named, optional } from "../schemas.ts";

/** A picture in the list of a message or of a listing. Only those that are stored. */
export const Media = Type.Object(
  {
    id: Id,
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    is_thumbnail_only: Type.Boolean({
      description: "There is no more than the small picture that the message itself had.",
    }),
    is_beside: Type.Boolean({
      description: "The same dealer posted it without a text, within two minutes of this message.",
    }),
    is_of_several: optional(
      Type.Literal(true, {
        description:
          "Beside a listing: its message has several watches, and this may be another one.",
      }),
    ),
  },
  { $id: "Media", description: "A picture of the message; `GET /v2/media/{id}` returns it." },
);

/** The member of responses. */
export const MEDIA_MEMBER = optional(
  Type.Array(named(Media), { description: "At most ten; absent if none is stored." }),
);

/** A picture as the page of its listing shows it. */
export const ListedMedia = Type.Object(
  {
    ...Type.Omit(Media, ["width", "height", "is_of_several"]).properties,
    width: optional(Type.Integer({ minimum: 1 })),
    height: optional(Type.Integer({ minimum: 1 })),
    state: Type.Enum(["stored", "waiting", "gone"], {
      description: "`waiting`: it is being fetched, or will be; ask again.",
    }),
    reason: optional(
      Type.Enum([...MEDIA_REASONS], {
        description: "Why it is gone, or why there is only a thumbnail.",
      }),
    ),
  },
  { $id: "ListedMedia" },
);

export function toMedia(
  rows: readonly MediaRow[] | undefined,
  isOfSeveral = false,
): Static<typeof Media>[] | undefined {
  const several = isOfSeveral ? { is_of_several: true as const } : {};
  const media = (rows ?? []).flatMap(({ id, width, height, is_thumbnail_only, is_beside }) =>
    width === null || height === null
      ? []
      : [{ id, width, height, is_thumbnail_only, is_beside, ...several }],
  );
  return media.length === 0 ? undefined : media;
}

export function toListedMedia(
  row: MediaRow,
  { isOn }: { readonly isOn: boolean },
): Static<typeof ListedMedia> {
  const { message_id: _, state, reason, ...members } = row;
  const isMissing = state !== "stored" && !isOn;
  return dropNulls({
    ...members,
    state: state === "stored" ? state : state === "gone" || isMissing ? "gone" : "waiting",
    reason,
  }) as Static<typeof ListedMedia>;
}
