import type { Members, Shape } from "./seed-tables.ts";

export interface ShapeReport {
  /** The errors, each with the path of the member. */
  readonly faults: readonly string[];
  /** The paths of all members that were present. */
  readonly seen: ReadonlySet<string>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Checks a body against a table. Unknown members, other types and `null` are errors; absent members are not. */
export function checkShape(name: string, body: unknown, members: Members): ShapeReport {
  const faults: string[] = [];
  const seen = new Set<string>();
  const walk = (path: string, value: unknown, shape: Shape): void => {
    seen.add(path);
    if (value === null) faults.push(`${path} is null`);
    else if (typeof shape === "string") {
      if (!TYPES[shape](value))
        faults.push(`${path} is not of type ${shape}: ${JSON.stringify(value)}`);
    } else if ("list" in shape) {
      if (!Array.isArray(value)) faults.push(`${path} is not a list`);
      else for (const item of value) walk(`${path}[]`, item, shape.list);
    } else walkMembers(path, value, shape.members);
  };
  const walkMembers = (path: string, value: unknown, table: Members): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      faults.push(`${path} is not an object`);
      return;
    }
    for (const [member, inner] of Object.entries(value)) {
      const shape = Object.hasOwn(table, member) ? table[member] : undefined;
      if (shape === undefined) faults.push(`${path}.${member} is not in the contract`);
      else walk(`${path}.${member}`, inner, shape);
    }
  };
  walkMembers(name, body, members);
  return { faults, seen };
}

/** Returns all paths of a table. */
export function listPaths(name: string, members: Members): readonly string[] {
  const pathsOf = (path: string, shape: Shape): readonly string[] => {
    if (typeof shape === "string") return [path];
    if ("list" in shape) return [path, ...pathsOf(`${path}[]`, shape.list)];
    return [path, ...inner(path, shape.members)];
  };
  const inner = (path: string, table: Members): readonly string[] =>
    Object.entries(table).flatMap(([member, shape]) => pathsOf(`${path}.${member}`, shape));
  return inner(name, members);
}

const TYPES: Readonly<Record<Shape & string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  uuid: (value) => typeof value === "string" && UUID.test(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && !Array.isArray(value),
};
