import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";

type Compile = ReturnType<ReturnType<typeof SerializerSelector>>;
type Serialize = ReturnType<Compile>;

/**
 * Compiles serializers as Fastify does, but each schema once, and only when the first response needs it. Each compilation
 * checks all shared schemas, so this was most of the time that the application took to build.
 */
export function buildSerializer(
  ...shared: Parameters<ReturnType<typeof SerializerSelector>>
): Compile {
  const compile = SerializerSelector()(...shared);
  const known = new Map<string, Serialize>();
  return (route) => {
    const key = JSON.stringify(route.schema);
    const serialize = known.get(key) ?? compileLater(() => compile(route));
    known.set(key, serialize);
    return serialize;
  };
}

function compileLater(compile: () => Serialize): Serialize {
  let serialize: Serialize | undefined;
  return (body) => {
    serialize ??= compile();
    return serialize(body);
  };
}
