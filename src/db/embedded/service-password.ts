import { createHmac } from "node:crypto";

/** Follows from the superuser's password, which cannot be calculated from it. So an older data folder has one too. */
export function servicePasswordOf(password: string): string {
  return createHmac("sha256", password).update("assay_service").digest("base64url");
}
