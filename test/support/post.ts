import type { Answer, TestApp } from "./test-app.ts";

/** Posts a JSON body with the app's token or another one. */
export async function post(
  app: TestApp,
  url: string,
  body: unknown,
  token = app.token,
): Promise<Pick<Answer, "status" | "body">> {
  const response = await app.app.inject({
    method: "POST",
    url,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, body: JSON.parse(response.body) };
}
