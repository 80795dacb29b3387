#!/usr/bin/env node
import { n as nodeRefusal } from "./chunk-0-needed-node.js";
const refusal = nodeRefusal(process.versions.node);
if (refusal === null) await import("./chunk-0-command-line.js");
else {
	process.stderr.write(refusal);
	process.exitCode = 1;
}
export {};
