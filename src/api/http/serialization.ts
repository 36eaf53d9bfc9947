import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";

type Compile = ReturnType<ReturnType<typeof SerializerSelector>>;

/**
 * Compiles serializers as Fastify does, but each schema once. The error body stands in every route several times, and each
 * compilation checks all shared schemas, so this was most of the time that the application took to build.
 */
export function buildSerializer(
  ...shared: Parameters<ReturnType<typeof SerializerSelector>>
): Compile {
  const compile = SerializerSelector()(...shared);
  const known = new Map<string, ReturnType<Compile>>();
  return (route) => {
    const key = JSON.stringify(route.schema);
    const serializer = known.get(key) ?? compile(route);
    known.set(key, serializer);
    return serializer;
  };
}
