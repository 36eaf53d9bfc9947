import { sql } from "../../db/sql.ts";
import { TWO_DIGIT_CODES } from "../listing.ts";

/** The country calling code of `phone_number` in SQL, as `countryPrefixOf` reads it. */
export const COUNTRY_PREFIX = sql`
  left(phone_number,
       case when phone_number ~ '^[17]' then 1
            when phone_number ~ ${TWO_DIGIT_CODES.source} then 2
            else 3 end)`;
