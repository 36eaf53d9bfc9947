import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { Later } from "./later.ts";

type Compile = ReturnType<ReturnType<typeof SerializerSelector>>;
type Serialize = ReturnType<Compile>;

/**
 * Compiles serializers as Fastify does, but each schema once, and later. Each compilation checks all shared schemas, so
 * this was most of the time that the application took to build.
 */
export function createSerializerBuilder(later: Later): ReturnType<typeof SerializerSelector> {
  return (...shared) => {
    const compile = SerializerSelector()(...shared);
    const known = new Map<string, Serialize>();
    return (route) => {
      const key = JSON.stringify(route.schema);
      const serialize = known.get(key) ?? serializeWith(later.make(() => compile(route)));
      known.set(key, serialize);
      return serialize;
    };
  };
}

function serializeWith(compiled: () => Serialize): Serialize {
  return (body) => compiled()(body);
}
