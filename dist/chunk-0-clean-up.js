import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import { Sa as pidSpace, _a as signalQuietly, aa as machineFolderPath, b as removeLeftovers, ba as isAlive, ca as holderText, da as parseHolder, fa as readLock, la as isDead, oa as stateFolderPath, pa as removeStale, ua as isElsewhere, va as removeTemporaries } from "./chunk-0-read-pack.js";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
const POLL_MS = 50;
async function endProcess(identity, graceMs) {
	if (!await isAlive(identity)) return false;
	signalQuietly(identity.pid, "SIGINT");
	const deadlineMs = performance.now() + graceMs;
	while (performance.now() < deadlineMs) {
		await setTimeout(POLL_MS);
		if (!await isAlive(identity)) return true;
	}
	signalQuietly(identity.pid, "SIGKILL");
	while (await isAlive(identity)) await setTimeout(POLL_MS);
	return true;
}
const FILE = /^([\w.-]{1,100})\.lock$/;
async function standingLocks(parent) {
	return (await found(parent)).map(({ name, path, state, holder }) => ({
		name,
		path,
		state,
		holder
	}));
}
async function removeDeadLocks(parent) {
	const said = [];
	for (const { name, path, state, holder, content } of await found(parent)) if (state === "left" && await removeStale(path, content)) said.push(`removed the lock ${name}: ${holder} has ended`);
	return said;
}
async function found(parent) {
	const folders = [stateFolderPath(parent), await machineFolderPath(parent)];
	return (await Promise.all(folders.map(async (folder) => {
		const names = await namesIn(folder);
		return Promise.all(names.map((file) => look(join(folder, file), FILE.exec(file)?.[1])));
	}))).flat().filter((lock) => lock !== null);
}
async function namesIn(folder) {
	return (await lstat(folder).catch(() => null))?.isDirectory() ?? false ? (await readdir(folder).catch(() => [])).toSorted() : [];
}
async function look(path, name) {
	const content = name === void 0 ? null : await readLock(path).catch(() => null);
	const holder = content === null ? null : parseHolder(content);
	if (name === void 0 || content === null || holder === null) return null;
	return {
		name,
		path,
		state: isElsewhere(holder) ? "elsewhere" : await isDead(holder) ? "left" : "held",
		holder: holderText(holder),
		content
	};
}
const GRACE_MS = 1e4;
async function* cleanUp(around, run = null, pack = null) {
	const isHere = run?.container === pidSpace().container;
	if (run !== null && isHere && await endProcess(run, GRACE_MS)) yield `process ${run.pid} of the step still ran: it was ended`;
	yield* await removeLeftovers(around);
	yield* await removeDeadLocks();
	const places = [
		tmpdir(),
		stateFolderPath(),
		await machineFolderPath()
	].map((folder) => ({
		folder,
		deep: false
	}));
	const inPack = pack === null ? [] : [{
		folder: pack,
		deep: true
	}];
	const count = await removeTemporaries([...places, ...inPack], isHere ? run.pid : null);
	if (count > 0) yield `removed ${count} temporary ${count === 1 ? "file or folder" : "files and folders"}`;
}
export { standingLocks as n, cleanUp as t };
