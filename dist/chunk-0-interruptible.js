import { $ as parseContextFile, $r as CALIBRATION_FILE, $t as parseChecksums, Aa as recordSha256, Ai as isExpired, Ar as markRequired, At as uniqueTokens, Ba as int, Bi as mappingsOf, Bn as quoted, Br as importedReason, Bt as isSameClient, Ca as execa, Cn as htmlDocument, Cr as milliRps$3, Ct as admissibleMs, Da as parseCapacityRecord, Di as acceptedFileSchema, Dn as STATUSES, Dr as rps, Dt as pointNeed, Ea as tooLargeError, Ei as readTerms, En as ERROR_CODES, Er as plural, Fa as _enum, Fr as isImported, Ft as randomStream, Ga as strictObject, Gi as showNumber, Gr as pointsByRate, Gt as settle, H as commandOutput, Ha as looseObject, Hi as manifestSchema, Hn as transform, Hr as isDecisive, Ht as CONTEXT_FILE, Ia as _undefined, Ir as asPercent, It as shuffle, J as estimateMarker, Ja as union, Ji as floorsFor, Jr as votesOf, Jt as provenCaches, Ka as string, Ki as showPath, Kr as tallyBoots, Kt as gate, La as array, Li as fieldOf, Lr as asRps, Lt as uniformInt, Ma as canonicalSha256, Mi as openYaml, Mr as unaskedGroups, Mt as SESSION_PATTERN, Na as sha256Hex, Nr as promotionObstacles, Nt as requestId, Oa as parsePointReport, Oi as entryBreaches, On as isOwnDoing, Or as signedPercent, Ot as DEFAULT_TOKEN_RANGE, Pa as acceptedLossSchema, Pi as schemaBreaches, Pn as encodeRequestsCsv, Pr as wasDeployed, Pt as sessionId$1, Qi as gunzipBounded, Qr as table, Qt as CHECKSUMS, Ra as boolean, Ri as isMapping, Rn as tpotNs, Sr as SIMULATED, Ta as systemErrorCode, Ti as identify, Tn as readRequestsCsv, Tt as meanAdmissibleMs, Ua as number, Ui as evidenceGroup, Un as CsvError, Ur as majority, Ut as finishPack, Va as literal, Vi as shapeOf, Vn as refusal$2, Vr as bracketOf, Vt as ACCEPTED_LOSSES_FILE, Wa as record, Wi as errorHint, Wn as renderReportMarkdown, Wr as openMilliRps, Wt as writeOrRemove, X as PROOF_FOLDER, Xi as milliRps$2, Xr as columns, Xt as floorUnder, Y as isMarked, Ya as prettifyError, Yi as guardMilliRps, Yr as renderFailureTest, Yt as incomparabilities, Z as resumeOrBegin, Za as printableLine, Zi as openPack, Zr as cut, Zt as hostDifferences, _a as signalQuietly, _i as dialectFor, _n as textAt, _r as plainText, _t as sessionHistory, a as foundBy, ai as readPackText, an as encodeTelemetry, ar as blockBootstrap95, at as MEAN_GAP_US, bn as experimentChanges, br as shortSha, bt as covers, ci as pointName, cn as readTimeline, cr as P99_MIN_VALUES, ct as POWER_CAP, d as byDay, di as mergeOverride, dn as readMetric, dt as newXids, ea as INPUT_LIMITS, ei as keepInterrupted, et as readSession, f as medianPoint, fi as autoRates, fn as totalRise, ft as xidBlame, g as seriesKey, ga as readBounded, gn as tableRecords, gt as stickyReplica, h as runsOf, ha as _usingCtx, hn as statusAt, hr as markdownText, ht as replicaPolicy, ia as takeLock, ii as readPackGzipText, in as readPackManifest, it as shuffledMix, ja as canonicalJson, ji as repeated, jr as pointOutcome, jt as ID_PATTERN, ka as parseVerdict, ki as isDay, kr as engineFaults, kt as WORD_RANGE, l as latest, li as turnDueUs, ln as cohortWindows, lr as distributionOf, lt as SLOWDOWNS, m as pointWeight, ma as writeAtomically, mi as isReservedClassName, mn as parseSeriesKey, mr as markdownCode, mt as stampToleranceUs, n as capacityText, na as streamInput, ni as pathsOf, nn as reportPage, no as EXIT, nt as parseSession, oi as dueUs, on as parseTelemetry, or as blockLength, ot as exponentialGapUs, p as pointValue, pi as MOST_REQUESTS, pr as worstAttainment, pt as xidName, qa as tuple, qi as showValue, qr as voidsInARow, qt as hostFinding, r as driftText, ra as writeOutput, ri as pointPaths, rn as readCalibration, ro as GateError, sa as makeFolder, si as pointEpoch, sn as machineStateSchema, sr as wilson95, t as readPackReport, ta as readInputText, ti as packJson, tn as REPORT_PAGE_FILE, to as secretMask, tt as writeSession, u as trendsOf, ui as readManifest, un as counterRise, ur as nearestRank, ut as claimedGpus, vn as BASE_STYLE, vt as turnDealer, wa as fileError, wi as gateId, wn as htmlText, wr as percent$2, wt as calibrationNeed, x as TOOL_VERSION, xi as tiersSwitchedOn, xr as METRIC_NAMES, xt as isFit, ya as temporaryFolder, yi as isSimulated, yn as changeText, yr as safeUrl, yt as calibrationEvidence, za as exactOptional, zi as itemsOf, zt as isFresh } from "./chunk-0-read-pack.js";
import { stripVTControlCharacters } from "node:util";
import { EventEmitter } from "node:events";
import { randomInt } from "node:crypto";
import { constants, lstat, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import path, { dirname, join, relative, resolve } from "node:path";
import { setTimeout as setTimeout$1 } from "node:timers/promises";
import { tmpdir } from "node:os";
import fs from "node:fs";
import childProcess from "node:child_process";
import process$1 from "node:process";
const line$4 = string().max(1e4);
const sha256$3 = string().regex(/^[0-9a-f]{64}$/);
const cache = _enum(["cold", "warm"]);
const milliRps$1 = int().min(1);
const loweredSchema = looseObject({
	cache,
	fromMilliRps: milliRps$1,
	toMilliRps: milliRps$1
});
const changeSchema = looseObject({
	path: line$4,
	from: line$4,
	to: line$4,
	loosens: boolean()
});
const keptPromotionSchema = looseObject({
	schema: literal(1),
	acceptedAt: line$4,
	acceptedBy: line$4,
	authority: _enum([
		"default_branch",
		"environment",
		"terminal"
	]),
	place: line$4,
	approvedBy: array(line$4).max(1e3),
	run: line$4.nullable(),
	reason: line$4,
	toolVersion: line$4,
	anchor: boolean(),
	newExperiment: boolean(),
	experimentChanges: array(changeSchema).max(1e4),
	lowered: array(loweredSchema).max(2).exactOptional(),
	acceptedLosses: array(acceptedLossSchema.and(looseObject({ cache }))).max(2).exactOptional(),
	record: looseObject({
		path: string().regex(/^records\/[0-9a-f-]{1,100}\/[0-9A-Za-z.-]{1,200}\.json$/),
		sha256: sha256$3,
		createdAt: line$4,
		commit: line$4.nullable(),
		experimentSha256: sha256$3,
		mustEqual: record(string().max(1e3), line$4)
	})
});
function parseKeptPromotion(text, name) {
	const value = jsonOf$1(text);
	const schema = typeof value === "object" && value !== null ? value["schema"] : null;
	if (typeof schema === "number" && schema > 1) throw new GateError({
		code: "promotion_newer",
		message: `${name} was written by a later version of the tool (schema ${schema})`,
		hint: "update Capacity Gate",
		exitCode: EXIT.invalid
	});
	const parsed = keptPromotionSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	const where = parsed.error.issues[0]?.path.join(".") ?? "";
	throw new GateError({
		code: "promotion_invalid",
		message: `${name} is no promotion${where === "" ? "" : `: ${where.slice(0, 200)} is not as expected`}`,
		hint: "it was edited or cut: restore it, or remove it so that the one before it counts",
		exitCode: EXIT.invalid
	});
}
function jsonOf$1(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
function standingIn(files) {
	return {
		load: (key) => loadAccepted(files, key),
		history: (key) => loadHistory(files, key)
	};
}
async function loadAccepted(files, key) {
	const folder = gateFolder(key);
	const promotions = await promotionsOf(files, folder);
	return {
		baseline: await recordOf(files, folder, key, chosen(promotions, key)),
		anchor: await recordOf(files, folder, key, chosen(promotions, key, (promotion) => promotion.anchor))
	};
}
async function loadHistory(files, key) {
	const folder = gateFolder(key);
	const paths = new Set();
	for (const name of await promotionNames(files, folder)) {
		const promotion = await readable(() => readPromotion(files, folder, name));
		if (promotion) paths.add(promotion.record.path);
	}
	const records = [];
	for (const path of paths) {
		const text = await files.text(`${folder}/${path}`);
		const record = text === null ? null : await readable(async () => parseCapacityRecord(text, path));
		if (record?.kind === key.kind && record.gateId === key.gateId) records.push(record);
	}
	return records.toSorted((a, b) => a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);
}
async function filesToAdd(files, record, promotion) {
	const folder = gateFolder(record);
	const last = (await promotionNames(files, folder)).at(-1);
	const newest = last === void 0 ? null : await readable(() => readPromotion(files, folder, last));
	if (newest !== null && !promotion.newExperiment && newest.record.experimentSha256 !== record.experiment.sha256) throw movedOn(files.shown(`${folder}/promotions/${last}`));
	const text = `${JSON.stringify(record, null, 2)}\n`;
	const path = recordPath(record, text);
	const { createdAt, commit, experiment, hardware } = record;
	const kept = {
		schema: 1,
		...promotion,
		record: {
			path,
			sha256: sha256Hex(text),
			createdAt,
			commit,
			experimentSha256: experiment.sha256,
			mustEqual: hardware.mustEqual
		}
	};
	const number = last === void 0 ? 1 : Number.parseInt(last, 10) + 1;
	const name = `${String(number).padStart(NUMBER_DIGITS, "0")}.json`;
	return [...await files.text(`${folder}/${path}`) === text ? [] : [{
		path: `${folder}/${path}`,
		text
	}], {
		path: `${folder}/promotions/${name}`,
		text: `${JSON.stringify(kept, null, 2)}\n`
	}];
}
function recordPlace(record) {
	return `${gateFolder(record)}/${recordPath(record, `${JSON.stringify(record, null, 2)}\n`)}`;
}
const NUMBER_DIGITS = 6;
function gateFolder({ gateId, kind }) {
	const name = encodeURIComponent(gateId).replaceAll(/^\.+/g, (dots) => "%2E".repeat(dots.length));
	if (name !== "" && name.length <= 200) return `${kind}/${name}`;
	throw new GateError({
		code: "gate_id_invalid",
		message: `the gate id ${JSON.stringify(gateId.slice(0, 100))} is empty or too long`,
		hint: "set gate.id in the manifest to a short name",
		exitCode: EXIT.invalid
	});
}
function recordPath({ createdAt, experiment, hardware }, text) {
	return `records/${`${experiment.sha256.slice(0, 12)}-${canonicalSha256(hardware.mustEqual).slice(0, 12)}`}/${createdAt.replaceAll(/[^0-9A-Za-z.-]/g, "").slice(0, 40)}-${sha256Hex(text).slice(0, 16)}.json`;
}
async function promotionNames(files, folder) {
	return (await files.names(`${folder}/promotions`)).filter((name) => /^\d{1,15}\.json$/.test(name)).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}
async function promotionsOf(files, folder) {
	const promotions = [];
	for (const name of await promotionNames(files, folder)) promotions.unshift(await readPromotion(files, folder, name));
	return promotions;
}
async function readPromotion(files, folder, name) {
	const path = `${folder}/promotions/${name}`;
	return parseKeptPromotion(await files.text(path) ?? "", files.shown(path));
}
function chosen(promotions, key, isOne = () => true) {
	const current = promotions[0]?.record.experimentSha256;
	const { mustEqual } = key;
	const machine = mustEqual && canonicalSha256(mustEqual);
	return promotions.find((one) => isOne(one) && one.record.experimentSha256 === current && machine !== void 0 && canonicalSha256(one.record.mustEqual) === machine) ?? promotions.find(isOne);
}
async function recordOf(files, folder, key, promotion) {
	if (promotion === void 0) return null;
	const path = `${folder}/${promotion.record.path}`;
	const text = await files.text(path);
	if (text === null) throw distrusted("record_missing", `${files.shown(path)} was accepted and is no longer there`);
	const record = parseCapacityRecord(text, files.shown(path));
	if (record.kind !== key.kind || record.gateId !== key.gateId) {
		const what = `a ${record.kind} record of gate ${JSON.stringify(record.gateId.slice(0, 100))}`;
		throw distrusted("record_misplaced", `${files.shown(path)} holds ${what}`);
	}
	if (sha256Hex(text) === promotion.record.sha256) return record;
	throw distrusted("record_altered", `${files.shown(path)} is not the record that was accepted: its bytes changed`);
}
function distrusted(code, message) {
	return new GateError({
		code,
		message,
		hint: "it was changed by hand: restore it, or promote a record again with --new-experiment",
		exitCode: EXIT.invalid
	});
}
function movedOn(shown) {
	return new GateError({
		code: "experiment_moved_on",
		message: `${shown} accepted a record of another experiment`,
		hint: "look at that promotion, then sweep under its manifest, or promote with --new-experiment if this one is meant",
		exitCode: EXIT.invalid
	});
}
async function readable(read) {
	try {
		return await read();
	} catch (error) {
		if (error instanceof GateError && /^(record_|promotion_invalid)/.test(error.code)) return null;
		throw error;
	}
}
const LARGEST_RECORD = 67108864;
async function readRecordText(path) {
	try {
		const read = await readBounded(path, LARGEST_RECORD, "followed");
		if ("bytes" in read) return Buffer.from(read.bytes).toString("utf8");
		throw tooLargeError("the capacity record", path, read.size, LARGEST_RECORD, EXIT.invalid);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return null;
		throw fileError(error, "read the capacity record", path, EXIT.invalid);
	}
}
const KEPT_VARIABLE = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|EXEC_PATH|SSL_[A-Z_]+|PROXY_[A-Z_]+|HTTP_[A-Z_]+|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)$/;
const STDERR_MAX = 4e3;
function gitIn(folder, remote, options) {
	const environment = {
		...cleanEnvironment(options.env),
		...configuration(settingsFor(remote))
	};
	const secrets = maskFor(remote);
	const run = async (args, given = {}) => {
		const { result, isTimedOut } = await withinDeadline(execa("git", [
			"-C",
			folder,
			...args
		], {
			env: {
				...environment,
				...given.env
			},
			extendEnv: false,
			detached: true,
			reject: false,
			encoding: "buffer",
			stripFinalNewline: false,
			maxBuffer: 67109888,
			...given.input === void 0 ? { stdin: "ignore" } : { input: given.input }
		}), options.deadlineMs);
		if (result.exitCode === void 0 && systemCode(result.cause) === "ENOENT") throw missing$1();
		return {
			exitCode: result.exitCode ?? 1,
			stdout: Buffer.from(result.stdout),
			stderr: secrets.mask(Buffer.from(result.stderr).toString("utf8")).slice(0, STDERR_MAX),
			isTimedOut
		};
	};
	return {
		run,
		async require(args, given) {
			const end = await run(args, given);
			if (end.exitCode === 0) return end.stdout;
			throw new GateError({
				code: "git_failed",
				message: `git ${args[0] ?? ""} failed: ${printableLine(end.stderr, 300)}`,
				hint: "look to the disk of the temporary folder, and to the version of git (2.31 or later)"
			});
		}
	};
}
async function withinDeadline(running, deadlineMs) {
	const { pid } = running;
	let isTimedOut = false;
	const kill = () => {
		if (pid !== void 0) signalQuietly(-pid, "SIGKILL");
	};
	const timer = setTimeout(() => {
		isTimedOut = true;
		kill();
	}, deadlineMs);
	process.on("exit", kill);
	try {
		return {
			result: await running,
			isTimedOut
		};
	} finally {
		clearTimeout(timer);
		process.off("exit", kill);
	}
}
function systemCode(cause) {
	return cause instanceof Error ? cause.code : null;
}
function missing$1() {
	return new GateError({
		code: "git_missing",
		message: "there is no git program, and what is kept on a branch is read and written with it",
		hint: "install git, or keep it in a folder: dir:PATH"
	});
}
function cleanEnvironment(env) {
	const own = [
		["LC_ALL", "C"],
		["GIT_TERMINAL_PROMPT", "0"],
		["SSH_ASKPASS_REQUIRE", "never"]
	];
	const kept = Object.entries(env).filter((entry) => entry[1] !== void 0 && (!entry[0].startsWith("GIT_") || KEPT_VARIABLE.test(entry[0])));
	return Object.fromEntries([...kept, ...own]);
}
function settingsFor({ url, token }) {
	const settings = [
		["core.hooksPath", "/dev/null"],
		["gc.auto", "0"],
		["maintenance.auto", "false"],
		["push.gpgSign", "false"],
		["http.lowSpeedLimit", "1"],
		["http.lowSpeedTime", "30"]
	];
	if (token === null) return settings;
	const header = `http.${url}.extraHeader`;
	return [
		...settings,
		["credential.helper", ""],
		[header, ""],
		[header, `Authorization: Basic ${basic(token)}`]
	];
}
function configuration(settings) {
	const entries = settings.flatMap(([key, value], index) => [[`GIT_CONFIG_KEY_${index}`, key], [`GIT_CONFIG_VALUE_${index}`, value]]);
	return {
		GIT_CONFIG_COUNT: String(settings.length),
		...Object.fromEntries(entries)
	};
}
function basic(token) {
	return Buffer.from(`x-access-token:${token}`).toString("base64");
}
function maskFor({ url, token }) {
	const inUrl = /^[a-z+]+:\/\/([^/@]*)@/i.exec(url)?.[1];
	return secretMask([...token === null ? [] : [token, basic(token)], ...inUrl === void 0 ? [] : [inUrl]]);
}
function shownUrl(url) {
	return url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, "$1");
}
const KEPT = "nothing was lost: what was measured is still in its pack";
const REFUSALS = [
	{
		pattern: /returned error: 401|authentication failed|could not read (username|password)|terminal prompts disabled/i,
		kind: "refused",
		code: "store_login_refused",
		what: "it does not accept the login",
		hint: "give the step github-token; at a terminal sign in with git, or set GITHUB_TOKEN"
	},
	{
		pattern: /returned error: 403|write access to repository not granted|permission to .* denied|permission denied/i,
		kind: "refused",
		code: "store_forbidden",
		what: "the login may not do this there",
		hint: "give the job the permission contents: read to compare and contents: write to promote or to keep a history; a fork’s pull request never has it"
	},
	{
		pattern: /returned error: 404|repository .*not found|does not appear to be a git repository|not a git repository/i,
		kind: "refused",
		code: "store_not_found",
		what: "there is no such repository for this login",
		hint: "look at the address, and give the job the permission contents: read"
	},
	{
		pattern: /returned error: (429|5\d\d)/i,
		kind: "transient",
		code: "store_unreachable",
		what: "the server does not serve now",
		hint: `run the step again in a while; ${KEPT}`
	},
	{
		pattern: /ssl certificate|server certificate|certificate verif|tls|ssl_/i,
		kind: "refused",
		code: "store_untrusted",
		what: "its certificate is not trusted",
		hint: "tell git of your authority: git config --global http.sslCAInfo FILE"
	},
	{
		pattern: /could not resolve|failed to connect|couldn't connect|could ?n.t connect to server|connection (refused|reset|timed out|closed)|network is unreachable|early eof|hung up|rpc failed|empty reply|operation too slow|unexpected (disconnect|flush|eof)|recv failure|send failure|timed out/i,
		kind: "transient",
		code: "store_unreachable",
		what: "the server cannot be reached",
		hint: `look to the network and to the proxy, then run the step again; ${KEPT}`
	}
];
function fetchAnswer(end, shown, deadlineMs) {
	if (end.exitCode === 0 && !end.isTimedOut) return { kind: "done" };
	if (/couldn't find remote ref|remote branch .* not found/i.test(end.stderr)) return { kind: "branch_missing" };
	return failure(end, `cannot read ${shown}`, deadlineMs);
}
const PARENT_GONE = /shallow update not allowed|missing necessary objects|unresolved deltas left/i;
function pushAnswer(end, shown, deadlineMs) {
	const doing = `cannot write ${shown}`;
	const refused = /^!\t[^\t]*\t(.*)$/m.exec(end.stdout.toString("utf8"))?.[1];
	if (refused === void 0) return end.exitCode === 0 ? { kind: "done" } : failure(end, doing, deadlineMs);
	if (/stale info|fetch first|non-fast-forward|needs force|cannot lock ref|failed to (update|lock) ref|incorrect old value|already exists|unable to (create|lock)/i.test(refused)) {
		const hint = `run the step again when fewer write at once; ${KEPT}`;
		const message = `${doing}: others were first in every try`;
		return {
			kind: "conflict",
			error: new GateError({
				code: "store_busy",
				message,
				hint
			})
		};
	}
	const said = remoteLines(end.stderr);
	const message = `${doing}: the server refused it: ${printableLine(`${refused} ${said}`, 500)}`;
	if (PARENT_GONE.test(`${refused} ${end.stderr}`)) return {
		kind: "transient",
		error: new GateError({
			code: "store_rewritten",
			message,
			hint: `run the step again: the branch was rewritten or removed while it was written to; ${KEPT}`
		})
	};
	return {
		kind: "refused",
		error: new GateError({
			code: "store_push_refused",
			message,
			hint: `let the workflow push to this branch (branch protection, rulesets, required signatures, hooks); ${KEPT}`
		})
	};
}
function failure(end, doing, deadlineMs) {
	if (end.isTimedOut) {
		const message = `${doing}: no answer within ${Math.round(deadlineMs / 1e3)} s`;
		return {
			kind: "transient",
			error: new GateError({
				code: "store_timed_out",
				message,
				hint: `look to the network and to the proxy, then run the step again; ${KEPT}`
			})
		};
	}
	const said = printableLine(end.stderr, 300);
	const known = REFUSALS.find(({ pattern }) => pattern.test(end.stderr));
	if (known === void 0) {
		const message = `${doing}: ${said === "" ? `git ended with ${end.exitCode}` : said}`;
		return {
			kind: "refused",
			error: new GateError({
				code: "store_failed",
				message,
				hint: `mend what git says; ${KEPT}`
			})
		};
	}
	const { kind, code, what, hint } = known;
	return {
		kind,
		error: new GateError({
			code,
			message: `${doing}: ${what} (${said})`,
			hint
		})
	};
}
function remoteLines(stderr) {
	return stderr.split("\n").filter((line) => line.startsWith("remote:")).map((line) => line.slice(7).trim()).join(" ");
}
function shownBranch({ branch, folder, remote }) {
	return `branch:${branch}${folder === "" ? "" : `:${folder}`} of ${shownUrl(remote.url)}`;
}
function placeIn({ branch, folder }, path) {
	return `${branch}:${folder === "" ? path : `${folder}/${path}`}`;
}
const HEAD = "refs/capacity-gate/head";
const AUTHOR = {
	GIT_AUTHOR_NAME: "Capacity Gate",
	GIT_AUTHOR_EMAIL: "capacity-gate@localhost",
	GIT_COMMITTER_NAME: "Capacity Gate",
	GIT_COMMITTER_EMAIL: "capacity-gate@localhost"
};
async function openBranchCopy(place, options) {
	const folder = await temporaryFolder("git").catch((error) => {
		throw fileError(error, "make a temporary folder in", tmpdir());
	});
	const close = () => rm(folder, {
		recursive: true,
		force: true,
		maxRetries: 3
	});
	try {
		const git = gitIn(folder, place.remote, options);
		await git.require([
			"init",
			"--quiet",
			"--bare",
			"--template="
		]);
		return {
			...branchCopy(git, place, options.deadlineMs, join(folder, "gate-index")),
			[Symbol.asyncDispose]: close
		};
	} catch (error) {
		await close();
		throw error;
	}
}
function branchCopy(git, place, deadlineMs, indexFile) {
	const { remote, branch, folder, holds } = place;
	const shown = `${holds} in ${branch} of ${shownUrl(remote.url)}`;
	const inBranch = (path) => folder === "" ? path : `${folder}/${path}`;
	let head = null;
	let blobs = new Map();
	return {
		async fetch() {
			const refspec = `+refs/heads/${branch}:${HEAD}`;
			const answer = fetchAnswer(await git.run([
				"fetch",
				"--quiet",
				"--no-tags",
				"--depth=1",
				"--",
				remote.url,
				refspec
			]), shown, deadlineMs);
			if (answer.kind === "done") {
				head = (await git.require([
					"rev-parse",
					"--verify",
					HEAD
				])).toString("utf8").trim();
				blobs = await listBlobs(git, head);
			} else if (answer.kind === "branch_missing") [head, blobs] = [null, new Map()];
			return answer;
		},
		files: {
			names: async (path) => namesIn([...blobs.keys()], inBranch(path)),
			text: (path) => blobText(git, blobs.get(inBranch(path)), placeIn(place, path)),
			shown: (path) => placeIn(place, path)
		},
		async holds(added) {
			for (const { path, text } of added) if (blobs.get(inBranch(path))?.oid !== await writeBlob(git, text)) return false;
			return true;
		},
		async push(added, message) {
			const files = added.map(({ path, text }) => ({
				path: inBranch(path),
				text
			}));
			const commit = await writeCommit(git, {
				head,
				files,
				message,
				indexFile
			});
			const options = [
				"--porcelain",
				"--no-verify",
				"--no-follow-tags",
				`--force-with-lease=refs/heads/${branch}:${head ?? ""}`
			];
			return pushAnswer(await git.run([
				"push",
				...options,
				"--",
				remote.url,
				`${commit}:refs/heads/${branch}`
			]), shown, deadlineMs);
		}
	};
}
function namesIn(paths, folder) {
	const prefix = `${folder}/`;
	return paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)).filter((name) => !name.includes("/"));
}
async function listBlobs(git, head) {
	const lines = (await git.require([
		"ls-tree",
		"-r",
		"-z",
		"-l",
		"--full-tree",
		head
	])).toString("utf8").split("\0").flatMap((line) => {
		const [, oid, bytes, path] = /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(line) ?? [];
		return oid !== void 0 && path !== void 0 ? [[path, {
			oid,
			bytes: Number(bytes)
		}]] : [];
	});
	return new Map(lines);
}
async function blobText(git, blob, shown) {
	if (blob === void 0) return null;
	if (blob.bytes > 67108864) throw tooLargeError("the file", shown, blob.bytes, LARGEST_RECORD, EXIT.invalid);
	return (await git.require([
		"cat-file",
		"blob",
		blob.oid
	])).toString("utf8");
}
async function writeBlob(git, text) {
	return (await git.require([
		"hash-object",
		"-w",
		"--stdin"
	], { input: text })).toString("utf8").trim();
}
async function writeCommit(git, { head, files, message, indexFile }) {
	const env = { GIT_INDEX_FILE: indexFile };
	await git.require(head === null ? ["read-tree", "--empty"] : ["read-tree", head], { env });
	const entries = [];
	for (const { path, text } of files) entries.push(`100644 ${await writeBlob(git, text)}\t${path}\0`);
	await git.require([
		"update-index",
		"--add",
		"-z",
		"--index-info"
	], {
		env,
		input: entries.join("")
	});
	const tree = (await git.require(["write-tree"], { env })).toString("utf8").trim();
	const parent = head === null ? [] : ["-p", head];
	return (await git.require([
		"commit-tree",
		tree,
		...parent,
		"-F",
		"-"
	], {
		env: AUTHOR,
		input: message
	})).toString("utf8").trim();
}
const DEADLINE_MS = 12e4;
const TRIES$1 = 40;
const TRANSIENT_TRIES = 4;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5e3;
async function readBranch(place, options, look) {
	try {
		var _usingCtx$7 = _usingCtx();
		const copy = _usingCtx$7.a(await openCopy(place, options));
		await fetched(copy, options.wait ?? setTimeout$1);
		return await look(copy.files);
	} catch (_) {
		_usingCtx$7.e = _;
	} finally {
		await _usingCtx$7.d();
	}
}
async function commitToBranch(place, options, change) {
	try {
		var _usingCtx3 = _usingCtx();
		const { wait = setTimeout$1, tries = TRIES$1 } = options;
		const copy = _usingCtx3.a(await openCopy(place, options));
		let pushed = null;
		let failures = 0;
		for (let attempt = 1;; attempt += 1) {
			await fetched(copy, wait);
			if (pushed !== null && await copy.holds(pushed)) return;
			const made = await change(copy.files);
			if (made === null) return;
			const answer = await copy.push(made.files, made.message);
			if (answer.kind === "done") return;
			const error = errorOf(answer);
			if (answer.kind === "transient") failures += 1;
			else if (answer.kind !== "conflict") throw error;
			if (failures === TRANSIENT_TRIES || attempt === tries) throw error;
			pushed = made.files;
			await wait(waitMs(attempt));
		}
	} catch (_) {
		_usingCtx3.e = _;
	} finally {
		await _usingCtx3.d();
	}
}
function openCopy(place, { env, deadlineMs = DEADLINE_MS }) {
	return openBranchCopy(place, {
		env,
		deadlineMs
	});
}
async function fetched(copy, wait) {
	for (let attempt = 1;; attempt += 1) {
		const answer = await copy.fetch();
		if (answer.kind === "done" || answer.kind === "branch_missing") return;
		if (answer.kind !== "transient" || attempt === TRANSIENT_TRIES) throw answer.error;
		await wait(waitMs(attempt));
	}
}
function errorOf(answer) {
	if ("error" in answer) return answer.error;
	throw new Error("a push does not miss its branch");
}
function waitMs(attempt) {
	const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10));
	return randomInt(Math.ceil(longest / 4), longest + 1);
}
function branchStore(address, options) {
	const place = {
		...address,
		holds: "the baselines"
	};
	return {
		location: shownBranch(place),
		load: (key) => readBranch(place, options, (files) => standingIn(files).load(key)),
		history: (key) => readBranch(place, options, (files) => standingIn(files).history(key)),
		async accept(record, promotionOn) {
			await commitToBranch(place, options, async (files) => {
				const promotion = await promotionOn(standingIn(files));
				return {
					files: await filesToAdd(files, record, promotion),
					message: commitMessage(record, promotion)
				};
			});
			return { path: placeIn(place, recordPlace(record)) };
		}
	};
}
function commitMessage({ gateId, kind, commit }, promotion) {
	const line = (text) => printableLine(text, 500);
	const facts = [
		`Accepted-by: ${line(promotion.acceptedBy)}`,
		...promotion.approvedBy.map((name) => `Approved-by: ${line(name)}`),
		...promotion.run === null ? [] : [`Run: ${line(promotion.run)}`],
		...commit === null ? [] : [`Measured-at: ${line(commit)}`]
	];
	return `Accept the ${promotion.anchor ? "baseline and anchor" : "baseline"} of ${printableLine(gateId, 100)} (${kind})\n\n${line(promotion.reason)}\n\n${facts.join("\n")}\n`;
}
const LOCK_WAIT_MS$1 = 1e4;
function directoryStore(folder) {
	const files = filesIn(folder);
	return {
		location: `dir:${folder}`,
		...standingIn(files),
		async accept(record, promotionOn) {
			const place = join(folder, gateFolder(record));
			await promotionOn(standingIn(files));
			try {
				try {
					var _usingCtx$6 = _usingCtx();
					await makeFolder(place);
					_usingCtx$6.a(await takeLock(join(place, ".lock"), {
						what: `the baselines in ${place}`,
						waitMs: LOCK_WAIT_MS$1
					}));
					return await add(folder, files, record, promotionOn);
				} catch (_) {
					_usingCtx$6.e = _;
				} finally {
					await _usingCtx$6.d();
				}
			} catch (error) {
				throw fileError(error, "accept the record into", place);
			}
		}
	};
}
async function add(folder, files, record, promotionOn) {
	const promotion = await promotionOn(standingIn(files));
	for (const { path, text } of await filesToAdd(files, record, promotion)) {
		await makeFolder(join(folder, dirname(path)));
		await writeAtomically(join(folder, path), text);
	}
	return { path: join(folder, recordPlace(record)) };
}
function filesIn(root) {
	return {
		async names(folder) {
			try {
				return await readdir(join(root, folder));
			} catch (error) {
				if (systemErrorCode(error) === "ENOENT") return [];
				throw fileError(error, "read the accepted records in", join(root, folder), EXIT.invalid);
			}
		},
		text: (path) => readRecordText(join(root, path)),
		shown: (path) => join(root, path)
	};
}
function singleFileStore(path) {
	const location = `file:${path}`;
	return {
		location,
		load: async () => ({
			baseline: await readRecord(path),
			anchor: null
		}),
		history: async () => [],
		accept: async () => {
			throw new GateError({
				code: "store_read_only",
				message: `${location} is one record, not a place to accept records into`,
				hint: "use branch:NAME or dir:PATH",
				exitCode: EXIT.usage
			});
		}
	};
}
async function readRecord(path) {
	const text = await readRecordText(path);
	if (text !== null) return parseCapacityRecord(text, path);
	throw new GateError({
		code: "file_not_found",
		message: `cannot read the baseline ${path}: there is no such file`,
		hint: "check the path; it is taken from the current folder (a place without a baseline yet is named as branch:NAME or dir:PATH)",
		exitCode: EXIT.invalid
	});
}
const LONGEST_NAME = 200;
function parseStoreRef(ref, kept = "baselines") {
	const [, kind, rest] = /^([a-z]+):(.+)$/s.exec(ref) ?? [];
	const isPath = rest !== void 0 && !rest.includes("\0");
	if (isPath && kind === "dir") return {
		kind,
		path: rest
	};
	if (isPath && kind === "file" && kept === "baselines") return {
		kind,
		path: rest
	};
	if (kind === "branch" && rest !== void 0) return branchRef(ref, rest, kept);
	throw invalid$2(ref, kept, `it names no place for ${kept}`, PLACES[kept]);
}
const PLACES = {
	baselines: "use branch:NAME for a branch of this repository, dir:PATH for a folder of accepted records, or file:PATH for one capacity.json",
	"a history": "use branch:NAME for a branch of this repository, or dir:PATH for a folder"
};
function branchRef(ref, rest, kept) {
	const colon = rest.indexOf(":");
	const branch = colon < 0 ? rest : rest.slice(0, colon);
	const folder = colon < 0 ? "" : rest.slice(colon + 1).replace(/\/$/, "");
	const example = kept === "baselines" ? "branch:capacity-baselines" : "branch:capacity-history";
	if (!isBranchName(branch)) throw invalid$2(ref, kept, "it is no name of a branch", `use letters, digits and . _ - / as in ${example}`);
	if (colon >= 0 && !isFolder(folder)) throw invalid$2(ref, kept, "its folder is none", `name it from the root of the branch, as in ${example}:h100`);
	return {
		kind: "branch",
		branch,
		folder
	};
}
function isBranchName(name) {
	const isPlain = /^[A-Za-z0-9_][A-Za-z0-9._/-]*$/.test(name) && name.length <= LONGEST_NAME;
	const isRef = /^refs(\/|$)|^HEAD$|^[0-9a-f]{40}$/.test(name);
	return isPlain && !isRef && !/\.\.|\/\/|\/\.|\.$|\/$|\.lock(\/|$)/.test(name);
}
function isFolder(folder) {
	const parts = folder.split("/");
	return folder.length <= LONGEST_NAME && parts.every((part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part)) && parts.length < 20;
}
function invalid$2(ref, kept, why, hint) {
	const message = `${JSON.stringify(ref.slice(0, LONGEST_NAME))} cannot be used for ${kept}: ${why}`;
	return new GateError({
		code: "store_ref_invalid",
		message,
		hint,
		exitCode: EXIT.usage
	});
}
async function openStore(ref, repository) {
	const parsed = parseStoreRef(ref);
	switch (parsed.kind) {
		case "dir": return directoryStore(parsed.path);
		case "file": return singleFileStore(parsed.path);
		case "branch": return branchStore({
			...parsed,
			remote: await repository.remote()
		}, { env: repository.env });
	}
}
const MARKS = [
	"run.json",
	"points",
	"capacity.json",
	"verdict.json"
];
async function setAsideEarlierPack(folder) {
	const place = resolve(folder);
	if (!await isPack(place)) return null;
	if (await holdsCurrentFolder(place)) throw packInUse(folder);
	try {
		const aside = await freePlace(`${place}.earlier`);
		await rm(aside, {
			recursive: true,
			force: true
		});
		await rename(place, aside);
		return aside;
	} catch (error) {
		throw fileError(error, "set aside the earlier pack", folder);
	}
}
async function isPack(folder) {
	return (await Promise.all(MARKS.map((mark) => isThere(join(folder, mark))))).includes(true);
}
async function unusedFolder(folder) {
	const name = folder.replace(/(?<=.)\/+$/, "");
	for (let n = 2;; n += 1) if (!await isThere(`${name}-${n}`)) return `${name}-${n}`;
}
async function isThere(path) {
	return await lstat(path).catch(() => null) !== null;
}
async function holdsCurrentFolder(place) {
	const from = relative(await realpath(place), await realpath("."));
	return from === "" || !/^\.\.(?:\/|\\|$)/.test(from);
}
async function freePlace(place) {
	for (let n = 1;; n += 1) {
		const candidate = n === 1 ? place : `${place}-${n}`;
		if (!await isThere(candidate) || await isPack(candidate)) return candidate;
	}
}
function packInUse(folder) {
	return new GateError({
		code: "pack_in_use",
		message: `${folder} holds the points of an earlier run, and cannot be set aside: it holds the current folder too`,
		hint: "set the input pack to a folder of its own",
		exitCode: EXIT.usage
	});
}
function readBesideManifest(text, schema, check = () => []) {
	const { findings: door, source } = openYaml(text);
	const atDoor = door.map(({ rule, line, column, message }) => findingOf$1({
		rule,
		path: [],
		message
	}, {
		line,
		column
	}));
	if (source === null) return {
		findings: atDoor,
		value: null
	};
	const written = (path) => source.written(path);
	const found = breaches(source.value, written, schema, check).map((breach) => findingOf$1(breach, source.place(breach.path, breach.at ?? "value")));
	const findings = [...atDoor, ...found].toSorted((a, b) => a.line - b.line || a.column - b.column);
	return {
		findings,
		value: findings.some(({ severity }) => severity === "error") ? null : schema.parse(source.value)
	};
}
function breaches(value, written, schema, check) {
	const ofSchema = schemaBreaches(value, written, schema);
	return ofSchema.length > 0 ? ofSchema : check(schema.parse(value));
}
function findingOf$1({ rule, path, message, hint }, place) {
	const { id, severity, mend } = rule;
	return {
		rule: id,
		severity,
		path: showPath(path),
		...place,
		message,
		hint: hint ?? mend
	};
}
function readAcceptedLosses(text, facts) {
	const { findings, value } = readBesideManifest(text, acceptedFileSchema, ({ losses }) => [...losses.flatMap((entry, index) => entryBreaches(entry, index, facts)), ...repeated(losses)]);
	if (value === null) return {
		findings,
		losses: null
	};
	return {
		findings,
		losses: value.losses.map((entry) => lossOf(entry, facts.asOf))
	};
}
function lossOf(entry, asOf) {
	return {
		gateId: entry.gate,
		subjectSha256: entry.subject,
		cache: entry.cache,
		guardMilliRps: milliRps$2(entry.guard_rps),
		floorMilliRps: milliRps$2(entry.floor_rps),
		reason: entry.reason,
		acceptedBy: entry.accepted_by,
		expires: entry.expires,
		isExpired: isExpired(entry.expires, asOf)
	};
}
function acceptedFacts(manifest, asOf) {
	const minimum = manifest.acceptance.min_capacity_rps;
	return {
		asOf,
		gateId: gateId(manifest),
		minCapacityMilliRps: minimum === void 0 ? null : milliRps$2(minimum)
	};
}
function recordAcceptedFacts(record, asOf) {
	return {
		asOf,
		gateId: record.gateId,
		minCapacityMilliRps: readTerms(record)?.minCapacityMilliRps ?? null
	};
}
function acceptedFloorsOf(manifest, accepted) {
	const owner = {
		gateId: gateId(manifest),
		subjectSha256: identify(manifest).subject.sha256
	};
	return floorsFor(accepted?.losses ?? [], owner);
}
function lintAcceptedLosses({ file, text }, manifestText, asOf) {
	const { manifest } = readManifest(manifestText, { level: "valid" });
	const { findings } = readAcceptedLosses(text, manifest === null ? {
		asOf,
		gateId: "",
		minCapacityMilliRps: null
	} : acceptedFacts(manifest, asOf));
	const errors = findings.filter(({ severity }) => severity === "error").length;
	return {
		file,
		errors,
		warnings: findings.length - errors,
		findings
	};
}
function requireAcceptedLosses({ file, text }, facts) {
	const { findings, losses } = readAcceptedLosses(text, facts);
	if (losses !== null) return {
		text,
		asOf: facts.asOf,
		losses,
		warnings: findings
	};
	const errors = findings.filter(({ severity }) => severity === "error");
	const [first] = errors;
	const where = first === void 0 ? file : `${file}:${first.line}:${first.column}`;
	const path = first === void 0 || first.path === "" ? "" : `${first.path}: `;
	const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
	throw new GateError({
		code: "accepted_invalid",
		message: `${where}: ${path}${first?.message ?? "the accepted losses cannot be read"}${more}`,
		hint: first === void 0 ? "mend the file" : errorHint(first),
		exitCode: EXIT.invalid
	});
}
async function checkFiles(pack) {
	const paths = await pack.list(".");
	const bytes = await pack.read(CHECKSUMS);
	const sums = bytes === null ? null : parseChecksums(new TextDecoder().decode(bytes));
	if (sums === null) return {
		discrepancies: [{
			code: "checksums",
			path: CHECKSUMS,
			text: bytes === null ? "the pack has no checksums" : "a line is not `<sha256>  <path>`, or a path stands twice"
		}],
		paths
	};
	const discrepancies = [];
	for (const path of paths) {
		if (path === "SHA256SUMS") continue;
		const expected = sums.get(path);
		const content = await pack.read(path);
		if (expected === void 0) discrepancies.push({
			code: "unlisted",
			path,
			text: "has no checksum"
		});
		else if (content === null || sha256Hex(content) !== expected) discrepancies.push({
			code: "checksum",
			path,
			text: "is not the file whose checksum was written"
		});
	}
	for (const path of sums.keys()) if (!paths.includes(path)) discrepancies.push({
		code: "missing",
		path,
		text: "has a checksum and is not there"
	});
	return {
		discrepancies,
		paths
	};
}
function sloReportJson(report) {
	return `${write(report, "")}\n`;
}
function write(value, indent) {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const inner = `${indent}  `;
	const isList = Array.isArray(value);
	const lines = isList ? value.map((item) => inner + write(item, inner)) : Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${write(item, inner)}`);
	const [open, close] = isList ? "[]" : "{}";
	return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
function scheduleBlocks(schedule) {
	const { initialRequests, blockRequests } = schedule.header;
	const blocks = [schedule.rows.slice(0, initialRequests)];
	if (blockRequests > 0) for (let start = initialRequests; start < schedule.rows.length; start += blockRequests) blocks.push(schedule.rows.slice(start, start + blockRequests));
	return blocks;
}
function judgeClass(table, sample, order) {
	const latencies = latenciesOf(table, sample);
	const { passes, passing, missed } = judgeSuccesses(sample, latencies, order.acceptance.latency_origin);
	const successes = sample.ok.length;
	const attainment = ratio(passing, successes);
	const hasSamples = successes >= order.acceptance.min_successful_samples_per_class;
	const inFlight = latencies.e2eMs.reduce((sum, ms) => sum + ms, 0) / 1e3 / order.durationSeconds;
	return {
		report: {
			successful_count: successes,
			passing_count: passing,
			request_ttft_cutoff_ms: sample.class.request_ttft_cutoff_ms,
			request_tpot_cutoff_ms: sample.class.request_tpot_cutoff_ms,
			attainment,
			sample_adequate: hasSamples,
			p99_sample_adequate: successes >= P99_MIN_VALUES,
			class_slo_pass: hasSamples && attainment !== null && attainment >= order.acceptance.class_slo_attainment_min,
			output_tokens: sample.ok.reduce((sum, row) => sum + (table.outputTokens[row] ?? 0), 0),
			attempted_count: sample.attempted,
			failed_count: sample.failed,
			error_rate: ratio(sample.failed, sample.attempted),
			request_e2e_cutoff_ms: sample.class.request_e2e_cutoff_ms ?? null,
			attempted_attainment: ratio(passing, sample.attempted),
			attainment_wilson95: wilson95(passing, successes),
			attainment_block_bootstrap95: blockBootstrap95(passes, blockLength(successes, inFlight)),
			miss_share: successes === 0 ? null : {
				ttft: missed.ttft / successes,
				tpot: missed.tpot / successes,
				e2e: missed.e2e / successes
			},
			good_rps: passing / order.durationSeconds,
			...distributionsOf(latencies),
			itl_ms: order.gaps === null ? null : gapDistribution(order.gaps.gaps),
			tokens_per_chunk: order.gaps === null ? null : tokensPerChunk(order.gaps.tokens)
		},
		passes
	};
}
function ratio(part, whole) {
	return whole === 0 ? null : part / whole;
}
function latenciesOf(table, sample) {
	const gather = (isThere, value) => {
		const values = new Float64Array(isThere ? sample.ok.length : 0);
		for (let i = 0; i < values.length; i++) values[i] = value(sample.ok[i] ?? 0);
		return values;
	};
	const sinceDueMs = (us) => gather(table.hasDue, (row) => ((us[row] ?? NaN) - (table.dueUs[row] ?? NaN)) / 1e3);
	const isDefined = (row) => (table.outputTokens[row] ?? 0) > 1;
	const tpotMs = gather(true, (row) => isDefined(row) ? table.tpotMs[row] ?? NaN : 0);
	return {
		ttftMs: gather(true, (row) => table.ttftMs[row] ?? NaN),
		tpotMs,
		definedTpotMs: tpotMs.filter((_, i) => isDefined(sample.ok[i] ?? 0)),
		e2eMs: gather(true, (row) => table.e2eMs[row] ?? NaN),
		ttftFromDueMs: sinceDueMs(table.firstTokenUs),
		e2eFromDueMs: sinceDueMs(table.lastTokenUs)
	};
}
function judgeSuccesses(sample, latencies, origin) {
	const { request_ttft_cutoff_ms, request_tpot_cutoff_ms } = sample.class;
	const e2eCutoffMs = sample.class.request_e2e_cutoff_ms ?? Number.POSITIVE_INFINITY;
	const ttftMs = origin === "due" ? latencies.ttftFromDueMs : latencies.ttftMs;
	const e2eMs = origin === "due" ? latencies.e2eFromDueMs : latencies.e2eMs;
	const passes = new Uint8Array(sample.ok.length);
	const missed = {
		ttft: 0,
		tpot: 0,
		e2e: 0
	};
	let passing = 0;
	for (let i = 0; i < passes.length; i++) {
		const meetsTtft = (ttftMs[i] ?? NaN) <= request_ttft_cutoff_ms;
		const meetsTpot = (latencies.tpotMs[i] ?? NaN) <= request_tpot_cutoff_ms;
		const meetsE2e = (e2eMs[i] ?? NaN) <= e2eCutoffMs;
		if (!meetsTtft) missed.ttft++;
		if (!meetsTpot) missed.tpot++;
		if (!meetsE2e) missed.e2e++;
		if (meetsTtft && meetsTpot && meetsE2e) {
			passes[i] = 1;
			passing++;
		}
	}
	return {
		passes,
		passing,
		missed
	};
}
function distributionsOf(latencies) {
	const ttft = distributionOf(latencies.ttftMs);
	const tpot = distributionOf(latencies.definedTpotMs);
	const e2e = distributionOf(latencies.e2eMs);
	return {
		p50_ttft_ms: ttft.p50,
		p95_ttft_ms: ttft.p95,
		p99_ttft_ms: ttft.p99,
		p50_tpot_ms: tpot.p50,
		p95_tpot_ms: tpot.p95,
		p99_tpot_ms: tpot.p99,
		p95_e2e_ms: e2e.p95,
		ttft_ms: ttft,
		tpot_ms: tpot,
		e2e_ms: e2e,
		ttft_from_due_ms: distributionOf(latencies.ttftFromDueMs),
		e2e_from_due_ms: distributionOf(latencies.e2eFromDueMs)
	};
}
function gapDistribution(gaps) {
	const ms = (probability) => {
		const us = gaps.percentileUs(probability);
		return us === null ? null : us / 1e3;
	};
	return {
		n: gaps.count,
		p50: ms(.5),
		p90: ms(.9),
		p95: ms(.95),
		p99: gaps.count >= 1e4 ? ms(.99) : null
	};
}
function tokensPerChunk(tokens) {
	const { known } = tokens;
	return {
		n: known,
		unknown: tokens.unknown,
		mean: ratio(tokens.tokens, known),
		p50: tokens.percentile(.5),
		p95: tokens.percentile(.95),
		max: known === 0 ? null : tokens.max
	};
}
function limitingOf(classes, judged, acceptance) {
	const named = Object.entries(classes);
	const slowest = lowest(named, ([, report]) => report.attainment ?? 1);
	if (slowest === null) return null;
	const [name, report] = slowest;
	const metric = mostMissed(report);
	if (metric !== null && (report.attainment ?? 1) < acceptance.class_slo_attainment_min) return {
		class: name,
		metric
	};
	return errorLimit(named, judged, acceptance) ?? sampleLimit(named) ?? queueLimit(name, judged) ?? nearest(name, metric);
}
function errorLimit(named, judged, acceptance) {
	if (judged.error_rate !== null && judged.error_rate > acceptance.error_rate_max || judged.class_error_rate_pass === false) {
		const worst = lowest(named, ([, report]) => -(report.error_rate ?? 0));
		if (worst !== null && worst[1].failed_count > 0) return {
			class: worst[0],
			metric: "errors"
		};
	}
	if (judged.attempted_attainment_pass === false) {
		const worst = lowest(named, ([, report]) => report.attempted_attainment ?? 1);
		if (worst === null) return null;
		const [name, { failed_count, successful_count, passing_count }] = worst;
		const metric = failed_count >= successful_count - passing_count ? "errors" : mostMissed(worst[1]);
		if (failed_count + successful_count - passing_count > 0 && metric !== null) return {
			class: name,
			metric
		};
	}
	return null;
}
function sampleLimit(named) {
	const short = lowest(named.filter(([, report]) => !report.sample_adequate), ([, report]) => report.successful_count);
	return short === null ? null : {
		class: short[0],
		metric: "samples"
	};
}
function queueLimit(name, judged) {
	return judged.queue_trend === "growing" ? {
		class: name,
		metric: "queue"
	} : null;
}
function nearest(name, metric) {
	return metric === null ? null : {
		class: name,
		metric
	};
}
function mostMissed(report) {
	const shares = report.miss_share ?? {
		ttft: 0,
		tpot: 0,
		e2e: 0
	};
	const most = Math.max(shares.ttft, shares.tpot, shares.e2e);
	if (most === 0) return null;
	return shares.ttft === most ? "ttft" : shares.tpot === most ? "tpot" : "e2e";
}
function lowest(named, value) {
	return named.reduce((best, each) => best === null || value(each) < value(best) ? each : best, null);
}
const SHORTEST_SECONDS = 1e-6;
function cohortRates(table, isGood, durationSeconds) {
	return perSecond(stagesUntil(table, isGood, Number.POSITIVE_INFINITY), durationSeconds);
}
function windowRates(table, isGood, arrivalSeconds) {
	if (!table.hasDue || arrivalSeconds === null || arrivalSeconds <= 0) return null;
	return perSecond(stagesUntil(table, isGood, arrivalSeconds * 1e6), arrivalSeconds);
}
function stagesUntil(table, isGood, untilUs) {
	const stages = {
		offered: 0,
		sent: 0,
		accepted: 0,
		completed: 0,
		good: 0
	};
	for (let row = 0; row < table.rows; row++) {
		if (!((table.dueUs[row] ?? 0) > untilUs)) stages.offered++;
		const status = statusAt(table, row);
		const http = table.httpStatus[row] ?? -1;
		if ((table.sentUs[row] ?? NaN) <= untilUs) {
			stages.sent++;
			if (http >= 200 && http < 300 && status !== "rejected") stages.accepted++;
		}
		if (status === "ok" && (table.endUs[row] ?? 0) <= untilUs) {
			stages.completed++;
			if (isGood[row] === 1) stages.good++;
		}
	}
	const isImported = table.origin !== null;
	const knowsAnswers = table.httpStatus.length > 0 && !isImported;
	const knowsSent = table.hasTimes && !(isImported && table.sentUs.some(Number.isNaN));
	return {
		...stages,
		sent: knowsSent ? stages.sent : null,
		accepted: knowsAnswers ? stages.accepted : null
	};
}
function perSecond(stages, seconds) {
	return {
		offered: stages.offered / seconds,
		sent: stages.sent === null ? null : stages.sent / seconds,
		accepted: stages.accepted === null ? null : stages.accepted / seconds,
		completed: stages.completed / seconds,
		good: stages.good / seconds
	};
}
function samplesOf(table, classes, { planned, lengths }) {
	const samples = classes.map((each) => ({
		class: each,
		attempted: 0,
		failed: 0,
		ok: new Int32Array(0)
	}));
	const ofText = table.classes.texts.map((name) => samples.find((sample) => sample.class.name === name));
	const sampleAt = (row) => ofText[table.classes.index[row] ?? -1] ?? unknownClass(table, row);
	for (let row = 0; row < table.rows; row++) {
		const sample = sampleAt(row);
		const status = statusAt(table, row);
		if (status === "cancelled" && planned === "excluded") continue;
		sample.attempted++;
		if (status !== "ok") sample.failed++;
		else if (!isAllowed(table.outputTokens[row] ?? 0, sample.class, lengths)) wrongLength$1(table, row, sample.class, lengths);
	}
	const filled = new Map(samples.map((sample) => [sample, 0]));
	for (const sample of samples) sample.ok = new Int32Array(sample.attempted - sample.failed);
	for (const row of rowsByArrival(table)) {
		if (statusAt(table, row) !== "ok") continue;
		const sample = sampleAt(row);
		const at = filled.get(sample) ?? 0;
		sample.ok[at] = row;
		filled.set(sample, at + 1);
	}
	return samples;
}
function isAllowed(outputTokens, { output_tokens }, lengths) {
	return lengths === "exact" ? outputTokens === output_tokens : outputTokens >= 1 && outputTokens <= output_tokens;
}
function rowsByArrival(table) {
	const due = table.hasDue ? table.dueUs : [];
	const rows = new Int32Array(table.rows);
	let isSorted = true;
	for (let row = 0; row < rows.length; row++) {
		rows[row] = row;
		if ((due[row] ?? 0) < (due[row - 1] ?? 0)) isSorted = false;
	}
	return isSorted ? rows : rows.sort((a, b) => (due[a] ?? 0) - (due[b] ?? 0) || a - b);
}
function unknownClass(table, row) {
	const name = quoted(table.classes.texts[table.classes.index[row] ?? -1] ?? "");
	throw refusal$2(table.file, {
		code: "csv_class",
		row: table.lines[row] ?? 0,
		column: "class",
		what: `${name} is no class of the workload`,
		hint: "judge a file by the manifest that it was measured under"
	});
}
function wrongLength$1(table, row, expected, lengths) {
	const length = lengths === "exact" ? "whose length is" : "which takes at most";
	throw refusal$2(table.file, {
		code: "csv_length",
		row: table.lines[row] ?? 0,
		column: "output_tokens",
		what: `${table.outputTokens[row]} in a success of ${expected.name}, ${length} ${expected.output_tokens}`,
		hint: "record an answer of another length as an error"
	});
}
function analyze(table, options) {
	const { acceptance, durationSeconds, queueTrend } = options;
	refuseUnjudgeable(table, options);
	const { lengths } = options;
	const samples = samplesOf(table, options.classes, {
		planned: acceptance.planned_cancellations,
		lengths
	});
	const isGood = new Uint8Array(table.rows);
	const reports = [];
	for (const sample of samples) {
		const { report, passes } = judgeClass(table, sample, {
			acceptance,
			durationSeconds,
			gaps: options.gaps?.get(sample.class.name) ?? null
		});
		for (const [i, row] of sample.ok.entries()) isGood[row] = passes[i] ?? 0;
		reports.push([sample.class.name, report]);
	}
	const sum = (part) => reports.reduce((total, [, report]) => total + part(report), 0);
	const attempted = sum((report) => report.attempted_count);
	const successful = sum((report) => report.successful_count);
	const passing = sum((report) => report.passing_count);
	const outputTokens = sum((report) => report.output_tokens);
	const classes = Object.fromEntries(reports.sort(([a], [b]) => a < b ? -1 : 1));
	const gates = gatesOf(Object.values(classes), ratio(attempted - successful, attempted), queueTrend, acceptance);
	const arrivalSeconds = options.arrivalSeconds ?? lastDueSeconds(table);
	return {
		attempted,
		successful,
		failed: attempted - successful,
		overall_attainment: ratio(passing, successful),
		observed_goodput_rps: passing / durationSeconds,
		request_throughput_rps: successful / durationSeconds,
		output_throughput_tps: outputTokens / durationSeconds,
		...gates,
		classes,
		schema: 1,
		duration_seconds: durationSeconds,
		arrival_seconds: arrivalSeconds,
		percentile: "nearest-rank",
		latency_origin: acceptance.latency_origin,
		rates_rps: cohortRates(table, isGood, durationSeconds),
		arrival_window_rates_rps: windowRates(table, isGood, arrivalSeconds),
		output_tokens: outputTokens,
		...populationOf(table),
		limiting: limitingOf(classes, gates, acceptance),
		...table.origin === null ? {} : {
			origin: table.origin,
			reasons: [importedReason(table.origin)]
		}
	};
}
function analyzeManifest(table, manifest, point) {
	const lengths = manifest.client.arrival_pattern === "trace" ? "most" : "exact";
	return analyze(table, {
		...point,
		classes: manifest.workload,
		acceptance: manifest.acceptance,
		lengths
	});
}
function gatesOf(classes, errorRate, queueTrend, acceptance) {
	const { error_rate_max, class_error_rate_max, attempted_attainment_min } = acceptance;
	const allPass = classes.every((report) => report.class_slo_pass);
	const classErrorRatePass = class_error_rate_max === void 0 ? null : classes.every(({ error_rate }) => error_rate !== null && error_rate <= class_error_rate_max);
	const attemptedAttainmentPass = attempted_attainment_min === void 0 ? null : classes.every(({ attempted_attainment: share }) => share !== null && share >= attempted_attainment_min);
	return {
		error_rate: errorRate,
		queue_trend: queueTrend,
		all_class_slos_pass: allPass,
		capacity_gate_pass: allPass && errorRate !== null && errorRate <= error_rate_max && queueTrend === "flat" && classErrorRatePass !== false && attemptedAttainmentPass !== false,
		class_error_rate_pass: classErrorRatePass,
		attempted_attainment_pass: attemptedAttainmentPass
	};
}
function populationOf(table) {
	const statuses = {
		ok: 0,
		error: 0,
		timeout: 0,
		rejected: 0,
		cancelled: 0
	};
	const codes = new Map();
	const lags = new Float64Array(table.rows);
	let sent = 0;
	let terminalUs = 0;
	for (let row = 0; row < table.rows; row++) {
		const status = statusAt(table, row);
		statuses[status]++;
		const code = textAt(table.errorCode, row);
		if (code !== null) codes.set(code, (codes.get(code) ?? 0) + 1);
		const sentUs = table.sentUs[row] ?? NaN;
		if (Number.isNaN(sentUs)) continue;
		lags[sent++] = (sentUs - (table.dueUs[row] ?? NaN)) / 1e3;
		terminalUs += (table.endUs[row] ?? NaN) - sentUs;
	}
	const sentLags = lags.subarray(0, sent);
	return {
		status_counts: statuses,
		error_codes: Object.fromEntries([...codes].sort(([a], [b]) => a < b ? -1 : 1)),
		input_tokens: knownSum(table.inputTokens),
		cached_tokens: knownSum(table.cachedTokens),
		send_lag_ms: table.hasDue ? {
			...distributionOf(sentLags),
			max: sentLags.at(-1) ?? null
		} : null,
		mean_terminal_seconds: sent === 0 || Number.isNaN(terminalUs) ? null : terminalUs / sent / 1e6
	};
}
function knownSum(values) {
	let sum = 0;
	let known = 0;
	for (const value of values) {
		if (value < 0) continue;
		sum += value;
		known++;
	}
	return known === 0 ? null : sum;
}
function lastDueSeconds(table) {
	if (!table.hasDue || table.rows === 0) return null;
	return table.dueUs.reduce((latest, us) => Math.max(latest, us), 0) / 1e6;
}
function refuseUnjudgeable(table, options) {
	const { durationSeconds, acceptance } = options;
	if (!(Number.isFinite(durationSeconds) && durationSeconds >= 1e-6)) throw new GateError({
		code: "duration",
		message: `the cohort's duration is ${durationSeconds} seconds`,
		hint: "give the seconds from the first arrival to the last terminal status",
		exitCode: EXIT.invalid
	});
	if (acceptance.latency_origin === "due" && !table.hasDue) throw new GateError({
		code: "no_due_times",
		message: `${table.file}: the manifest judges latency from due times, and the file has none`,
		hint: "hand in a file with the columns of microseconds, or judge by latency_origin: send",
		exitCode: EXIT.invalid
	});
}
const LARGEST = 1024;
var TokensPerChunk = class TokensPerChunk {
	#bins = new Float64Array(1025);
	#tokens = 0;
	#max = 0;
	get unknown() {
		return this.#bins[0] ?? 0;
	}
	get known() {
		return this.#bins.subarray(1).reduce((sum, count) => sum + count, 0);
	}
	get tokens() {
		return this.#tokens;
	}
	get max() {
		return this.#max;
	}
	add(tokens) {
		const bin = Math.min(tokens, LARGEST);
		this.#bins[bin] = (this.#bins[bin] ?? 0) + 1;
		this.#tokens += tokens;
		if (tokens > this.#max) this.#max = tokens;
	}
	percentile(probability) {
		const { known } = this;
		if (known === 0) return null;
		const rank = Math.max(1, Math.ceil(probability * known));
		let below = 0;
		for (let tokens = 1; tokens < LARGEST; tokens++) {
			below += this.#bins[tokens] ?? 0;
			if (below >= rank) return tokens;
		}
		return this.#max;
	}
	bins() {
		const held = [];
		this.#bins.forEach((count, tokens) => {
			if (count > 0 && tokens > 0) held.push([tokens, count]);
		});
		return held;
	}
	static from(stored) {
		const read = new TokensPerChunk();
		read.#bins[0] = stored.unknown;
		let least = 0;
		for (const [tokens, chunks] of stored.bins) {
			if (tokens < 1 || tokens > LARGEST) return null;
			read.#bins[tokens] = (read.#bins[tokens] ?? 0) + chunks;
			least += tokens * chunks;
		}
		read.#tokens = stored.tokens;
		read.#max = stored.max;
		const top = stored.bins.reduce((most, [tokens, chunks]) => chunks > 0 ? Math.max(most, tokens) : most, 0);
		const isExact = top < LARGEST;
		if (Math.min(stored.max, LARGEST) !== top) return null;
		return isExact ? stored.tokens === least ? read : null : stored.tokens >= least ? read : null;
	}
};
const LARGEST_US = 36e8;
const DIRECT_US = 65536;
const binFloors = makeFloors();
function makeFloors() {
	const floors = [0];
	for (let floor = 1; floor < LARGEST_US; floor = Math.max(floor + 1, Math.floor(floor * 101 / 100))) floors.push(floor);
	floors.push(LARGEST_US);
	return floors;
}
const directBins = makeDirectBins();
function makeDirectBins() {
	const bins = new Uint16Array(DIRECT_US);
	let bin = 0;
	for (let us = 0; us < DIRECT_US; us++) {
		if (us >= (binFloors[bin + 1] ?? Number.POSITIVE_INFINITY)) bin++;
		bins[us] = bin;
	}
	return bins;
}
function binOf(gapUs) {
	if (gapUs < DIRECT_US) return directBins[gapUs] ?? 0;
	let low = 0;
	let high = binFloors.length - 1;
	while (low < high) {
		const middle = low + high + 1 >> 1;
		if ((binFloors[middle] ?? 0) <= gapUs) low = middle;
		else high = middle - 1;
	}
	return low;
}
var GapHistogram = class GapHistogram {
	#bins = new Float64Array(binFloors.length);
	#count = 0;
	#sumUs = 0;
	#maxUs = 0;
	get count() {
		return this.#count;
	}
	get sumUs() {
		return this.#sumUs;
	}
	get maxUs() {
		return this.#maxUs;
	}
	add(gapUs) {
		const us = Math.max(0, Math.floor(gapUs));
		const bin = binOf(us);
		this.#bins[bin] = (this.#bins[bin] ?? 0) + 1;
		this.#count++;
		this.#sumUs += us;
		if (us > this.#maxUs) this.#maxUs = us;
	}
	addAll(gapsUs) {
		for (const gapUs of gapsUs) this.add(gapUs);
	}
	merge(other) {
		other.#bins.forEach((count, bin) => {
			this.#bins[bin] = (this.#bins[bin] ?? 0) + count;
		});
		this.#count += other.#count;
		this.#sumUs += other.#sumUs;
		if (other.#maxUs > this.#maxUs) this.#maxUs = other.#maxUs;
	}
	percentileUs(probability) {
		if (this.#count === 0) return null;
		const rank = Math.max(1, Math.ceil(probability * this.#count));
		let below = 0;
		for (let bin = 0; bin < binFloors.length; bin++) {
			below += this.#bins[bin] ?? 0;
			if (below >= rank) return Math.min(this.#maxUs, middleOf(bin));
		}
		return this.#maxUs;
	}
	bins() {
		const held = [];
		this.#bins.forEach((count, bin) => {
			if (count > 0) held.push([binFloors[bin] ?? 0, count]);
		});
		return held;
	}
	static from(stored) {
		const histogram = new GapHistogram();
		for (const [floorUs, count] of stored.bins) {
			const bin = binOf(floorUs);
			if (binFloors[bin] !== floorUs) throw damaged$1(`${floorUs} µs starts no bin`);
			histogram.#bins[bin] = (histogram.#bins[bin] ?? 0) + count;
			histogram.#count += count;
		}
		histogram.#sumUs = stored.sumUs;
		histogram.#maxUs = stored.maxUs;
		const top = stored.bins.findLast(([, count]) => count > 0);
		if (binOf(stored.maxUs) !== binOf(top?.[0] ?? 0)) throw damaged$1("the largest gap lies outside the last bin");
		return histogram;
	}
};
function middleOf(bin) {
	const floor = binFloors[bin] ?? 0;
	return (floor + (binFloors[bin + 1] ?? floor + 1) - 1) / 2;
}
var ChunkHistograms = class {
	gaps;
	tokens;
	constructor(gaps = new GapHistogram(), tokens = new TokensPerChunk()) {
		this.gaps = gaps;
		this.tokens = tokens;
	}
	add({ gapsUs, tokensPerChunk }) {
		this.gaps.addAll(gapsUs);
		for (const tokens of tokensPerChunk) this.tokens.add(tokens);
	}
};
function encodeRawGaps(id, { gapsUs, tokensPerChunk }) {
	return JSON.stringify({
		id,
		gapsUs,
		tokensPerChunk
	});
}
const whole$1 = int().min(0);
const bins = array(tuple([whole$1, whole$1]));
const gapsSchema = strictObject({
	schema: literal(1),
	unit: literal("us"),
	classes: record(string(), strictObject({
		count: whole$1,
		sumUs: whole$1,
		maxUs: whole$1,
		bins,
		tokensPerChunk: strictObject({
			unknown: whole$1,
			tokens: whole$1,
			max: whole$1,
			bins
		})
	}))
});
function encodeGaps(histograms) {
	const entries = [...histograms].sort(([a], [b]) => a < b ? -1 : 1);
	const classes = Object.fromEntries(entries.map(([name, { gaps, tokens }]) => {
		const tokensPerChunk = {
			unknown: tokens.unknown,
			tokens: tokens.tokens,
			max: tokens.max,
			bins: tokens.bins()
		};
		return [name, {
			count: gaps.count,
			sumUs: gaps.sumUs,
			maxUs: gaps.maxUs,
			bins: gaps.bins(),
			tokensPerChunk
		}];
	}));
	return `${JSON.stringify({
		schema: 1,
		unit: "us",
		classes
	})}\n`;
}
function decodeGaps(text) {
	let json;
	try {
		json = JSON.parse(text);
	} catch (cause) {
		throw damaged$1("it is no JSON", cause);
	}
	const parsed = gapsSchema.safeParse(json);
	if (!parsed.success) throw damaged$1(prettifyError(parsed.error).replaceAll("\n", " "));
	return new Map(Object.entries(parsed.data.classes).map(([name, stored]) => {
		const gaps = GapHistogram.from(stored);
		const tokens = TokensPerChunk.from(stored.tokensPerChunk);
		if (tokens === null || gaps.count !== stored.count) throw damaged$1(`the bins of ${JSON.stringify(name)} do not add up`);
		return [name, new ChunkHistograms(gaps, tokens)];
	}));
}
function damaged$1(what, cause) {
	return new GateError({
		code: "gaps_damaged",
		message: `gaps.json: ${what}`,
		hint: "take the file from the run that wrote it",
		exitCode: EXIT.invalid,
		...cause === void 0 ? {} : { cause }
	});
}
const TOLERANCE_SHARE = .2;
const TOLERANCE_REQUESTS = 2;
function littlesLawEvidence(view) {
	return [clientEvidence$1(view), engineEvidence(view)];
}
function clientEvidence$1({ facts, records, timeline }) {
	const sampled = timeWeightedMean(timeline.client.map(({ atUs, inFlight }) => ({
		atUs,
		value: inFlight
	})), facts.cohortUs);
	const warming = timeline.client.findLast(({ atUs }) => atUs <= 0)?.inFlight ?? 0;
	const sent = records.flatMap(({ sentUs, endUs }) => sentUs === null ? [] : [endUs - sentUs]);
	const shared = {
		probe: "littles_law.client",
		required: false,
		blames: "client",
		unit: "requests"
	};
	if (sampled === null || sent.length === 0) return {
		...shared,
		state: "unknown",
		text: "no gauge or no request"
	};
	const meanSeconds = sent.reduce((sum, us) => sum + us, 0) / sent.length / 1e6;
	const perSecond = sent.length / (facts.cohortUs / 1e6);
	const expected = perSecond * meanSeconds;
	const foreign = warming * meanSeconds * 1e6 / facts.cohortUs;
	const text = `${perSecond.toFixed(2)} requests of every status ended a second after ${meanSeconds.toFixed(2)} s each: ${expected.toFixed(1)} in flight; the client's gauge says ${sampled.toFixed(1)}`;
	const agrees = Math.abs(sampled - expected) <= Math.max(TOLERANCE_REQUESTS, TOLERANCE_SHARE * expected) + foreign;
	return {
		...shared,
		state: agrees ? "pass" : "fail",
		value: sampled,
		limit: expected,
		text
	};
}
function engineEvidence({ dialect, facts, timeline }) {
	const shared = {
		probe: "littles_law.engine",
		required: false,
		blames: "engine",
		unit: "requests"
	};
	const sources = dialect.metrics?.sources;
	const client = timeWeightedMean(timeline.client.map(({ atUs, inFlight }) => ({
		atUs,
		value: inFlight
	})), facts.arrivalUs);
	const replicas = timeline.scrapes.map((scrapes) => {
		if (!sources?.running || !sources.waiting) return null;
		const { running, waiting } = sources;
		return timeWeightedMean(scrapes.flatMap(({ atUs, values }) => {
			const [runs, waits] = [readMetric(values, running), readMetric(values, waiting)];
			return runs === null || waits === null ? [] : [{
				atUs,
				value: runs + waits
			}];
		}), facts.arrivalUs);
	});
	if (client === null || replicas.length === 0 || replicas.some((mean) => mean === null)) return {
		...shared,
		state: "unknown",
		text: "the engine’s running and waiting are not known"
	};
	const engine = replicas.reduce((sum, mean) => sum + (mean ?? 0), 0);
	const agrees = Math.abs(engine - client) <= Math.max(TOLERANCE_REQUESTS, TOLERANCE_SHARE * client);
	const text = `running and waiting at the engine ${engine.toFixed(1)}, in flight at the client ${client.toFixed(1)}`;
	return {
		...shared,
		state: agrees ? "pass" : "fail",
		value: engine,
		limit: client,
		text
	};
}
function timeWeightedMean(samples, untilUs) {
	let sum = 0;
	let span = 0;
	for (const [index, { atUs, value }] of samples.entries()) {
		const from = Math.max(0, atUs);
		const to = Math.min(untilUs, samples[index + 1]?.atUs ?? untilUs);
		if (to <= from) continue;
		sum += value * (to - from);
		span += to - from;
	}
	return span === 0 ? null : sum / span;
}
function liveClasses({ workload }) {
	const live = new Set(workload.filter(({ session }) => session?.history === "live").map(({ name }) => name));
	return (className) => live.has(className);
}
function expectedHit(schedule, rows, blockTokens, isLive = () => false) {
	const lengths = new Map(schedule.header.prefixes.map((prefix) => [prefix.id, prefix.tokens]));
	const sessions = sessionHistory(schedule.rows);
	let hitTokens = 0;
	let inputTokens = 0;
	for (const row of rows) {
		const prefix = row.prefix === void 0 ? 0 : lengths.get(row.prefix) ?? 0;
		const before = row.session === void 0 ? void 0 : sessions.get(row.session)?.[(row.turn ?? 0) - 1];
		const shared = before ? sentBefore(before, isLive(row.class)) : prefix;
		hitTokens += Math.floor(Math.min(shared, row.inputTokens - 1) / blockTokens) * blockTokens;
		inputTokens += row.inputTokens;
	}
	return {
		hitTokens,
		inputTokens,
		share: inputTokens === 0 ? 0 : hitTokens / inputTokens
	};
}
function sentBefore({ inputTokens, outputTokens, cancelAfterTokens }, isLive) {
	return isLive && cancelAfterTokens === void 0 ? inputTokens + outputTokens - 1 : inputTokens;
}
function longestRow({ rows }) {
	return rows.reduce((most, row) => row.inputTokens + row.outputTokens > most.inputTokens + most.outputTokens ? row : most);
}
const MARGIN = .02;
function blockHit(view) {
	const blockTokens = blockTokensOf(view);
	if (blockTokens === null) return null;
	const { schedule, manifest, records } = view;
	const ids = new Set(records.filter(({ status }) => status === "ok").map(({ id }) => id));
	return {
		blockTokens,
		share: expectedHit(schedule, schedule.rows.filter(({ id }) => ids.has(id)), blockTokens, liveClasses(manifest)).share
	};
}
function blockTokensOf({ dialect, timeline }) {
	const config = dialect.metrics?.cacheConfig;
	if (!config) return null;
	const lengths = timeline.scrapes.flatMap((scrapes) => Object.keys(scrapes.at(-1)?.values ?? {}).flatMap((key) => {
		const series = parseSeriesKey(key);
		const length = series?.name === config.name ? Number(series.labels[config.blockTokens]) : NaN;
		return Number.isSafeInteger(length) && length > 0 ? [length] : [];
	}));
	return lengths.length === 0 ? null : Math.max(...lengths);
}
function blockEvidence(observed, expected) {
	const shared = {
		probe: "cache_hit.blocks",
		required: false,
		blames: "engine",
		unit: "share",
		value: observed
	};
	if (expected === null) return {
		...shared,
		state: "unknown",
		text: "the engine does not tell how long its cache’s blocks are"
	};
	const away = observed - expected.share;
	const percent = (share) => `${(100 * share).toFixed(2)} %`;
	const text = `${percent(observed)} of the prompt tokens came from the cache; whole blocks of ${expected.blockTokens} tokens give ${percent(expected.share)}, within ${percent(MARGIN)}`;
	return {
		...shared,
		state: Math.abs(away) <= MARGIN ? "pass" : "fail",
		limit: expected.share,
		text
	};
}
function tierEvidence(view) {
	const { cacheTiers } = view.dialect;
	const isWithout = cacheTiers.known.length === 0 && cacheTiers.hits === null;
	if (view.facts.key.cache !== "cold" || isWithout) return [];
	const gave = tierRise(view, cacheTiers.hits);
	return [{
		probe: "cache_hit.tiers",
		blames: "host",
		...gave === null ? {} : {
			value: gave,
			unit: "counts"
		},
		...judged$2(view, gave)
	}];
}
function judged$2(view, gave) {
	const { dialect, manifest } = view;
	const declared = manifest.cache?.tiers;
	const deploy = manifest.engine.deploy;
	const isOurs = deploy !== void 0 && deploy.kind !== "endpoint";
	const on = isOurs ? tiersSwitchedOn(dialect, deploy) : [];
	const hasGiven = gave !== null && gave > 0;
	const titles = on.map(({ title }) => title).join(", ");
	if (declared !== void 0 && declared.length > 0) return {
		state: "pass",
		required: true,
		text: `declared in cache.tiers: ${declared.join(", ")}`
	};
	const left = on.filter((tier) => !isCleared(view, tier.clearedBy));
	if (left.length > 0) return {
		state: "unknown",
		required: true,
		text: `${left.map(({ title }) => title).join(", ")} is on, and nothing proves that it was emptied: declare it in cache.tiers`
	};
	if (hasGiven && on.length === 0) return {
		state: "unknown",
		required: true,
		text: "a cache beside the GPUs’ memory served prompts, and it is not known that it was emptied: declare it in cache.tiers"
	};
	if (on.length > 0) return {
		state: "pass",
		required: true,
		text: `${titles}: emptied before the point`
	};
	if (declared !== void 0) return {
		state: "pass",
		required: true,
		text: "cache.tiers says that there is none"
	};
	if (gave === 0) return {
		state: "pass",
		required: true,
		text: "no cache beside the GPUs’ memory gave anything"
	};
	if (isOurs && dialect.cacheTiers.isSeen) return {
		state: "pass",
		required: true,
		text: "no cache beside the GPUs’ memory is switched on"
	};
	return {
		state: "unknown",
		required: false,
		text: "whether a cache beside the GPUs’ memory is on cannot be seen from here: cache.tiers can say so"
	};
}
function isCleared({ dialect, manifest, timeline }, by) {
	const isRestarted = dialect.reset === null || manifest.cache?.cold?.restart === "per_point";
	if (by === "restart") return isRestarted;
	const reset = timeline.evidence.find(({ probe }) => probe === "cache_hit.reset");
	return by === "reset" && (isRestarted || reset?.state === "pass");
}
function tierRise({ facts, timeline }, hits) {
	if (hits === null) return null;
	const windows = cohortWindows(timeline.scrapes, facts.cohortUs);
	if (totalRise(windows, hits).state !== "risen") return null;
	const own = totalRise(windows.map(({ before, after }) => ({
		before: without$1(before, hits),
		after: without$1(after, hits)
	})), hits);
	return own.state === "risen" ? own.by : own.state === "absent" ? 0 : null;
}
function without$1(scrape, { except }) {
	const labels = Object.entries(except);
	if (!scrape || labels.length === 0) return scrape;
	const kept = Object.entries(scrape.values).filter(([key]) => {
		const told = parseSeriesKey(key)?.labels ?? {};
		return !labels.some(([label, values]) => values.includes(told[label] ?? ""));
	});
	return {
		...scrape,
		values: Object.fromEntries(kept)
	};
}
const TOLD_MIN$1 = .9;
function cacheEvidence(view) {
	const told = fromRequests(view);
	const counted = fromCounters(view);
	const sources = [told, counted].filter((hits) => hits !== null);
	const { cache } = view.facts.key;
	const evidence = [cache === "cold" ? coldEvidence(view, sources) : warmEvidence(view, sources), ...tierEvidence(view)];
	const isRepeated = cache === "warm" || view.manifest.workload.some(({ session }) => session);
	if (told && isRepeated) evidence.push(blockEvidence(told.share, blockHit(view)));
	if (counted && told) evidence.push({
		probe: "cache_hit.counters",
		state: "pass",
		required: false,
		blames: "engine",
		value: counted.share,
		unit: "share",
		text: `${percent$1(counted.share)} by ${counted.source}, ${percent$1(told.share)} by ${told.source}`
	});
	return evidence;
}
function settling(sources, verdict) {
	return sources.find((hits) => verdict(hits) !== "unknown") ?? sources[0] ?? null;
}
function coldEvidence({ manifest }, sources) {
	const most = manifest.cache?.cold?.hit_rate_max ?? .01;
	const shared = {
		probe: "cache_hit.cold",
		required: true,
		blames: "client",
		unit: "share"
	};
	const limitOf = ({ inherent }) => Math.min(1, most + inherent);
	const verdict = (hits) => hits.most <= limitOf(hits) ? "pass" : hits.least > limitOf(hits) ? "fail" : "unknown";
	const hits = settling(sources, verdict);
	if (!hits) return {
		...shared,
		state: "unknown",
		limit: most,
		text: "neither the requests nor the counters tell cached tokens"
	};
	const repeated = hits.inherent > 0 ? `, ${percent$1(hits.inherent)} can be what sessions repeat of themselves` : "";
	const text = `${percent$1(hits.share)} of the prompt tokens came from the cache, by ${hits.source}${repeated}`;
	return {
		...shared,
		state: verdict(hits),
		limit: limitOf(hits),
		value: hits.share,
		text: text + openText(hits, verdict)
	};
}
function warmEvidence(view, sources) {
	const { manifest, timeline } = view;
	const limit = manifest.cache?.warm?.hit_rate_min;
	const proven = timeline.evidence.find(({ probe }) => probe === "cache_hit.prewarm")?.state === "pass";
	const shared = {
		probe: "cache_hit.warm",
		required: true,
		blames: proven ? "engine" : "client",
		unit: "share"
	};
	if (limit === void 0) return {
		...shared,
		state: "unknown",
		text: "the manifest declares no warm cache"
	};
	const verdict = ({ least, most }) => least >= limit ? "pass" : most < limit ? "fail" : "unknown";
	const hits = settling(sources, verdict);
	if (!hits) return {
		...shared,
		state: "unknown",
		limit,
		text: "neither the requests nor the counters tell cached tokens"
	};
	const found = `${percent$1(hits.share)} of the prompt tokens came from the cache, by ${hits.source}`;
	const lost = proven ? "although every prefix was sent before" : "and it is not proven that the prefixes were sent before";
	const state = verdict(hits);
	if (state !== "fail") return {
		...shared,
		state,
		limit,
		value: hits.share,
		text: found + openText(hits, verdict)
	};
	const blocks = blockHit(view);
	if (blocks === null || blocks.share >= limit) return {
		...shared,
		state,
		limit,
		value: hits.share,
		text: `${found}, ${lost}`
	};
	const most = `${found}; the prefixes in whole blocks of ${blocks.blockTokens} tokens give no more than ${percent$1(blocks.share)}`;
	return {
		...shared,
		blames: "client",
		state,
		limit,
		value: hits.share,
		text: most
	};
}
function openText(hits, verdict) {
	if (verdict(hits) !== "unknown") return "";
	return `; with those that do not tell between ${percent$1(hits.least)} and ${percent$1(hits.most)}`;
}
function fromRequests(view) {
	const successes = view.records.filter(({ status }) => status === "ok");
	let told = 0;
	let cached = 0;
	let input = 0;
	let open = 0;
	for (const { cachedTokens, inputTokens } of successes) {
		if (cachedTokens === null || inputTokens === null) {
			open += inputTokens ?? 0;
			continue;
		}
		told += 1;
		cached += cachedTokens;
		input += inputTokens;
	}
	if (input === 0 || told < TOLD_MIN$1 * successes.length) return null;
	const [least, most] = [cached / (input + open), (cached + open) / (input + open)];
	const ids = new Set(successes.map(({ id }) => id));
	const inherent = inherentShare(view, ({ id }) => ids.has(id));
	return {
		share: cached / input,
		least,
		most,
		source: `${told} requests`,
		inherent
	};
}
function countedHits(view) {
	return fromCounters(view)?.share ?? null;
}
function fromCounters(view) {
	const { dialect, facts, timeline } = view;
	const sources = dialect.metrics?.sources;
	if (!sources) return null;
	const windows = cohortWindows(timeline.scrapes, facts.cohortUs);
	const pairs = [{
		part: sources.promptTokensCached,
		whole: sources.promptTokens,
		source: "the counter of cached prompt tokens"
	}, {
		part: sources.prefixHits,
		whole: sources.prefixQueries,
		source: "the prefix cache’s hit counter"
	}];
	for (const { part, whole, source } of pairs) {
		if (!part || !whole || part.unit !== whole.unit) continue;
		const cached = totalRise(windows, part);
		const all = totalRise(windows, whole);
		if (cached.state !== "risen" || all.state !== "risen" || all.by === 0) continue;
		const share = cached.by / all.by;
		const cohort = new Set(view.schedule.rows.slice(0, facts.cohortRequests));
		return {
			share,
			least: share,
			most: share,
			source,
			inherent: inherentShare(view, (row) => cohort.has(row))
		};
	}
	return null;
}
function inherentShare({ schedule, manifest }, isCounted) {
	if (!manifest.workload.some(({ session }) => session)) return 0;
	return expectedHit({
		...schedule,
		header: {
			...schedule.header,
			prefixes: []
		}
	}, schedule.rows.filter(isCounted), 1, liveClasses(manifest)).share;
}
function percent$1(share) {
	return `${(100 * share).toFixed(2)} %`;
}
const TOLD_MIN = .9;
function promptWork(view) {
	let [input, told, cached] = [
		0,
		0,
		0
	];
	for (const { status, inputTokens, cachedTokens } of view.records) {
		if (status !== "ok" || inputTokens === null) continue;
		input += inputTokens;
		if (cachedTokens === null) continue;
		told += inputTokens;
		cached += cachedTokens;
	}
	const isTold = input > 0 && told >= TOLD_MIN * input;
	const counted = told === input ? null : countedHits(view);
	const open = counted !== null ? (counted * input - cached) / (input - told) : isTold ? cached / told : 0;
	const openShare = Math.min(1, Math.max(0, open));
	return {
		hitsTold: isTold ? "answers" : counted === null ? null : "counters",
		computed: ({ inputTokens, cachedTokens }) => inputTokens === null ? null : Math.max(0, inputTokens - (cachedTokens ?? openShare * inputTokens))
	};
}
function rounded$1(value) {
	return Number(value.toPrecision(6));
}
const ANSWERS_MIN = 30;
const VARIATION_MIN = .02;
function fitStepCost(windows, idleUs) {
	const answers = windows.map((window) => ({
		weight: window.tokens,
		sequenceUs: window.batchTokens / window.tokens,
		prefillTokenUs: window.prefillTokens / window.tokens,
		tokenUs: Math.max(0, window.decodeUs - idleUs(window)) / window.tokens
	}));
	if (answers.length < ANSWERS_MIN) return null;
	const mean = (of) => weighted(answers, of) / weighted(answers, () => 1);
	const means = {
		sequenceUs: mean((a) => a.sequenceUs),
		prefillTokenUs: mean((a) => a.prefillTokenUs)
	};
	const tokenUs = mean((a) => a.tokenUs);
	const spread = (x, y) => mean((a) => (a[x] - means[x]) * (a[y] - means[y]));
	const terms = ["sequenceUs", "prefillTokenUs"].filter((term) => Math.sqrt(spread(term, term)) > VARIATION_MIN * means[term]);
	const against = (term) => mean((a) => (a[term] - means[term]) * (a.tokenUs - tokenUs));
	const slopes = slopesOf$1(terms, spread, against);
	const stepUs = tokenUs - slopes.sequenceUs * means.sequenceUs - slopes.prefillTokenUs * means.prefillTokenUs;
	return stepUs > 0 ? {
		stepUs,
		...slopes
	} : null;
}
function weighted(answers, of) {
	return answers.reduce((sum, answer) => sum + answer.weight * of(answer), 0);
}
function slopesOf$1(terms, spread, against) {
	const alone = (term) => Math.max(0, against(term) / spread(term, term));
	const only = (term) => ({
		sequenceUs: 0,
		prefillTokenUs: 0,
		[term]: alone(term)
	});
	const [first, second] = terms;
	if (first === void 0) return {
		sequenceUs: 0,
		prefillTokenUs: 0
	};
	if (second === void 0) return only(first);
	const [aa, bb, ab] = [
		spread(first, first),
		spread(second, second),
		spread(first, second)
	];
	const determinant = aa * bb - ab * ab;
	if (determinant <= 1e-6 * aa * bb) return only(second);
	const a = (against(first) * bb - against(second) * ab) / determinant;
	const b = (against(second) * aa - against(first) * ab) / determinant;
	if (a < 0) return only(second);
	if (b < 0) return only(first);
	return {
		sequenceUs: 0,
		prefillTokenUs: 0,
		[first]: a,
		[second]: b
	};
}
const COARSE_CHUNKS_MIN = 8;
function decodeWindows(records, computed) {
	const answers = records.flatMap((record) => answerOf(record, computed(record)));
	return [...Map.groupBy(answers, ({ replica }) => replica).values()].flatMap((answers) => {
		const decoded = cumulative(answers.filter(({ untilUs, fromUs }) => untilUs > fromUs).flatMap(slopesOf));
		const prefilled = cumulative(answers.map(({ fromUs, promptTokens }) => ({
			atUs: fromUs,
			slope: 0,
			jump: promptTokens
		})));
		return answers.filter(({ decodeUs, tokens, isFine }) => decodeUs > 0 && tokens > 0 && isFine).map(({ fromUs, untilUs, ...answer }) => ({
			decodeUs: answer.decodeUs,
			tokens: answer.tokens,
			gapUs: answer.gapUs,
			batchTokens: decoded(untilUs) - decoded(fromUs),
			prefillTokens: prefilled(untilUs) - prefilled(fromUs)
		}));
	});
}
function mostTogether(records) {
	const turns = records.flatMap(({ firstTokenUs, lastTokenUs }) => firstTokenUs === null || lastTokenUs === null || lastTokenUs <= firstTokenUs ? [] : [{
		atUs: firstTokenUs,
		by: 1
	}, {
		atUs: lastTokenUs,
		by: -1
	}]);
	let [now, most] = [0, 0];
	for (const { by } of turns.toSorted((a, b) => a.atUs - b.atUs || a.by - b.by)) {
		now += by;
		most = Math.max(most, now);
	}
	return most;
}
function answerOf(record, promptTokens) {
	const { status, firstTokenUs, lastTokenUs, outputTokens, chunks, gapUs } = record;
	if (status !== "ok" || firstTokenUs === null || lastTokenUs === null || outputTokens === null) return [];
	if (promptTokens === null || chunks < 1) return [];
	return [{
		replica: record.replica ?? 0,
		fromUs: firstTokenUs,
		untilUs: lastTokenUs,
		decodeUs: lastTokenUs - firstTokenUs,
		tokens: outputTokens - outputTokens / chunks,
		promptTokens,
		isFine: chunks >= Math.min(outputTokens, COARSE_CHUNKS_MIN),
		gapUs,
		batchTokens: 0,
		prefillTokens: 0
	}];
}
function slopesOf({ fromUs, untilUs, tokens }) {
	const slope = tokens / (untilUs - fromUs);
	return [{
		atUs: fromUs,
		slope,
		jump: 0
	}, {
		atUs: untilUs,
		slope: -slope,
		jump: 0
	}];
}
function cumulative(turns) {
	const sorted = turns.toSorted((a, b) => a.atUs - b.atUs);
	const sums = new Float64Array(sorted.length);
	const slopes = new Float64Array(sorted.length);
	let [sum, slope, beforeUs] = [
		0,
		0,
		0
	];
	for (const [index, turn] of sorted.entries()) {
		sum += slope * (turn.atUs - beforeUs) + turn.jump;
		slope += turn.slope;
		beforeUs = turn.atUs;
		sums[index] = sum;
		slopes[index] = slope;
	}
	return (atUs) => {
		let [low, high] = [0, sorted.length];
		while (low < high) {
			const middle = low + high >> 1;
			if ((sorted[middle]?.atUs ?? 0) <= atUs) low = middle + 1;
			else high = middle;
		}
		if (low === 0) return 0;
		return (sums[low - 1] ?? 0) + (slopes[low - 1] ?? 0) * (atUs - (sorted[low - 1]?.atUs ?? 0));
	};
}
function longestStepUs(cost, windows, prompt, gaps) {
	const batch = windows.reduce((most, { batchTokens, tokens }) => Math.max(most, batchTokens / tokens), 0);
	const stepUs = cost === null ? 0 : cost.stepUs + cost.sequenceUs * batch + cost.prefillTokenUs * prompt;
	return Math.max(3 * (gaps.percentileUs(.95) ?? 0), 2 * stepUs);
}
function standstillOf(gaps, longestUs, { replicas, untilUs }) {
	if (gaps.count === 0 || gaps.sumUs === 0) return null;
	const usualUs = gaps.percentileUs(.5) ?? 0;
	let [idleUs, squares] = [0, 0];
	for (const [gapUs, count] of gaps.bins()) {
		if (gapUs <= longestUs) continue;
		idleUs += count * (gapUs - usualUs);
		squares += count * gapUs * gapUs;
	}
	const silentUs = replicas.flatMap((records) => silencesUs(records, longestUs));
	const watchedUs = Math.max(1, replicas.length * untilUs);
	const sum = (of) => silentUs.reduce((total, us) => total + of(us), 0);
	return {
		share: rounded$1(Math.min(1, idleUs / gaps.sumUs + sum((us) => us) / watchedUs)),
		waitMs: rounded$1((squares / (2 * gaps.sumUs) + sum((us) => us * us) / (2 * watchedUs)) / 1e3)
	};
}
function silencesUs(records, longestUs) {
	const turns = [];
	let leastUs = 1e400;
	for (const { sentUs, firstTokenUs, lastTokenUs } of records) {
		if (sentUs === null || firstTokenUs === null || lastTokenUs === null) continue;
		leastUs = Math.min(leastUs, firstTokenUs - sentUs);
		turns.push({
			atUs: sentUs,
			waiting: 1,
			decoding: 0
		});
		turns.push({
			atUs: firstTokenUs,
			waiting: -1,
			decoding: 1
		});
		turns.push({
			atUs: lastTokenUs,
			waiting: 0,
			decoding: -1
		});
	}
	const roomFor = mostTogether(records);
	const silences = [];
	let [waiting, decoding] = [0, 0];
	let fromUs = null;
	for (const turn of turns.toSorted((a, b) => a.atUs - b.atUs)) {
		if (fromUs !== null && turn.decoding !== 0) {
			const us = turn.atUs - fromUs;
			if (us > leastUs + longestUs * Math.min(waiting, roomFor)) silences.push(us - leastUs);
			fromUs = null;
		}
		waiting += turn.waiting;
		decoding += turn.decoding;
		if (waiting > 0 && decoding === 0) fromUs ??= turn.atUs;
	}
	return silences;
}
function engineWork(view, gaps) {
	const { records, facts, manifest } = view;
	const prompts = promptWork(view);
	const windows = decodeWindows(records, prompts.computed);
	const all = mergedGaps(gaps);
	const longestUs = longestStepUs(fitStepCost(smootherHalf(windows), () => 0), windows, records.reduce((most, record) => Math.max(most, prompts.computed(record) ?? 0), 0), all);
	const cost = fitStepCost(windows, ({ gapUs }) => gapUs !== null && gapUs.max > longestUs ? gapUs.max - gapUs.p50 : 0);
	const tokens = windows.reduce((sum, window) => sum + window.tokens, 0);
	const perToken = (of) => tokens === 0 ? null : rounded$1(windows.reduce((sum, window) => sum + of(window), 0) / tokens);
	const of = (replica) => facts.replicas === 1 ? records : records.filter((row) => row.replica === replica);
	const waiting = gaugeOf(view, "waiting", (samples) => timeWeightedMean(samples, facts.arrivalUs));
	const running = gaugeOf(view, "running", (samples, replica) => samples.reduce((most, { value }) => Math.max(most ?? mostTogether(of(replica)), value), null));
	const perMs = records.length / Math.max(1, facts.arrivalUs / 1e3);
	return {
		replicas: facts.replicas,
		cost: cost && {
			stepUs: rounded$1(cost.stepUs),
			sequenceUs: rounded$1(cost.sequenceUs),
			prefillTokenUs: rounded$1(cost.prefillTokenUs)
		},
		batch: perToken(({ batchTokens }) => batchTokens),
		prefillPerStep: perToken(({ prefillTokens }) => prefillTokens),
		hitsTold: prompts.hitsTold,
		computedTokens: Object.fromEntries(manifest.workload.flatMap(({ name }) => computedOf(name, records, prompts))),
		runningMax: running === null ? null : rounded$1(running / view.timeline.scrapes.length),
		queueWaitMs: waiting === null || perMs === 0 ? null : rounded$1(waiting / perMs),
		standstill: standstillOf(all, longestUs, {
			replicas: Array.from({ length: facts.replicas }, (_, n) => of(n)),
			untilUs: facts.arrivalUs
		}),
		intakeMs: meanOf$1(records.flatMap(({ handedUs, sentUs }) => handedUs === null || sentUs === null ? [] : [sentUs - handedUs]), 1e3)
	};
}
function meanOf$1(values, unit) {
	return values.length === 0 ? null : rounded$1(values.reduce((sum, value) => sum + value, 0) / values.length / unit);
}
function computedOf(name, records, prompts) {
	const mean = meanOf$1(records.flatMap((record) => record.class === name && record.status === "ok" ? prompts.computed(record) ?? [] : []), 1);
	return mean === null ? [] : [[name, mean]];
}
function mergedGaps(gaps) {
	const all = new GapHistogram();
	for (const { gaps: own } of gaps.values()) all.merge(own);
	return all;
}
function smootherHalf(windows) {
	const longest = windows.flatMap(({ gapUs }) => gapUs === null ? [] : [gapUs.max]).toSorted((a, b) => a - b);
	const medianUs = longest[Math.ceil(longest.length / 2) - 1] ?? 1e400;
	return windows.filter(({ gapUs }) => gapUs === null || gapUs.max <= medianUs);
}
function gaugeOf({ dialect, timeline, facts }, name, of) {
	const source = dialect.metrics?.sources[name];
	if (!source || timeline.scrapes.length === 0) return null;
	let sum = 0;
	for (const [replica, scrapes] of timeline.scrapes.entries()) {
		const value = of(scrapes.filter(({ atUs }) => atUs >= 0 && atUs <= facts.arrivalUs).flatMap(({ atUs, values }) => {
			const value = readMetric(values, source);
			return value === null ? [] : [{
				atUs,
				value
			}];
		}), replica);
		if (value === null) return null;
		sum += value;
	}
	return sum;
}
const MOST_VALUES = 200;
function theilSenSlope(values) {
	const stride = Math.ceil(values.length / MOST_VALUES);
	const thinned = stride > 1 ? averaged(values, stride) : values;
	const slopes = new Float64Array(thinned.length * (thinned.length - 1) / 2);
	let count = 0;
	for (let later = 1; later < thinned.length; later += 1) {
		const end = thinned[later];
		if (Number.isNaN(end)) continue;
		for (let earlier = 0; earlier < later; earlier += 1) {
			const start = thinned[earlier];
			if (!Number.isNaN(start)) slopes[count++] = (end - start) / (later - earlier);
		}
	}
	if (count === 0) return null;
	const sorted = slopes.subarray(0, count).sort();
	const middle = count >> 1;
	return (count % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2) / stride;
}
function averaged(values, stride) {
	return Array.from({ length: Math.ceil(values.length / stride) }, (_, run) => meanOf(values.slice(run * stride, (run + 1) * stride)));
}
function meanOf(values) {
	let sum = 0;
	let count = 0;
	for (const value of values) {
		if (Number.isNaN(value)) continue;
		sum += value;
		count += 1;
	}
	return count === 0 ? NaN : sum / count;
}
const SPANS = 20;
function walkNoise(values) {
	const span = Math.max(1, Math.floor(values.length / SPANS));
	const changes = values.slice(span).map((value, index) => value - (values[index] ?? NaN)).filter((change) => !Number.isNaN(change));
	if (changes.length < 3) return 0;
	const mean = meanOf(changes);
	const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / Math.max(1, changes.length - span);
	return (1 + 5 / values.length) * Math.sqrt(variance / span * values.length);
}
const CELL_US = 1e6;
const HOLD_US = 15e5;
const SAMPLED_MIN$2 = .9;
const RISE_MIN = 4;
const RISE_SHARE = .3;
const WALK_RISE = Math.sqrt(6 / 5);
const WALK_THIRDS = Math.sqrt(5 / 9);
function queueTrend(input) {
	const seconds = Math.floor(input.arrivalUs / CELL_US);
	const inFlight = cells(input.inFlight, seconds);
	const limit = Math.max(RISE_MIN, RISE_SHARE * (meanOf(inFlight) || 0));
	const series = [
		judged$1("in flight", inFlight, limit),
		judged$1("backlog", cells(input.backlog, seconds), limit),
		...input.waiting ? [judged$1("waiting", summed(input.waiting, seconds), limit)] : []
	];
	if (series.some(({ growing }) => growing)) return {
		trend: "growing",
		series
	};
	return {
		trend: seconds >= 3 && series.every(({ sampled }) => sampled >= SAMPLED_MIN$2) ? "flat" : "unknown",
		series
	};
}
function sampledShare(gauges, windowUs) {
	return shareKnown(cells(gauges, Math.floor(windowUs / CELL_US)));
}
function shareKnown(values) {
	return values.length === 0 ? 0 : values.filter((value) => !Number.isNaN(value)).length / values.length;
}
function judged$1(name, values, limit) {
	const sampled = shareKnown(values);
	const slope = theilSenSlope(values);
	const rise = slope === null ? null : slope * values.length;
	const third = Math.floor(values.length / 3);
	const difference = meanOf(values.slice(values.length - third)) - meanOf(values.slice(0, third));
	const thirds = Number.isNaN(difference) ? null : difference;
	const noise = walkNoise(values);
	const riseLimit = Math.max(limit, WALK_RISE * noise);
	const thirdsLimit = Math.max(limit, WALK_THIRDS * noise);
	return {
		name,
		sampled,
		rise,
		riseLimit,
		thirds,
		thirdsLimit,
		growing: sampled >= SAMPLED_MIN$2 && rise !== null && thirds !== null && rise > riseLimit && thirds > thirdsLimit
	};
}
function cells(gauges, seconds) {
	const values = [];
	let next = 0;
	let last;
	for (let cell = 0; cell < seconds; cell += 1) {
		const end = (cell + 1) * CELL_US;
		let sum = 0;
		let count = 0;
		for (let gauge = gauges[next]; gauge && gauge.atUs < end; gauge = gauges[++next]) {
			last = gauge;
			if (gauge.atUs < cell * CELL_US) continue;
			sum += gauge.value;
			count += 1;
		}
		values.push(count > 0 ? sum / count : last && end - last.atUs <= HOLD_US ? last.value : NaN);
	}
	return values;
}
function summed(replicas, seconds) {
	const each = replicas.map((gauges) => cells(gauges, seconds));
	return Array.from({ length: seconds }, (_, cell) => each.length === 0 ? NaN : each.reduce((sum, values) => sum + (values[cell] ?? NaN), 0));
}
const SAMPLED_MIN$1 = .9;
const SHARE_MIN = .9;
function pacingEvidence(view) {
	return [
		..."openMilliRps" in view.facts.key.load ? [sendLag(view), offeredRate(view)] : [],
		resources(view),
		replicas(view),
		sampled(view)
	];
}
function sendLag({ manifest, records }) {
	const limit = manifest.client.send_lag_p99_max_ms;
	const lagsUs = records.flatMap((record) => ownLagUs(record) ?? []).toSorted((a, b) => a - b);
	const p99Us = lagsUs[Math.ceil(.99 * lagsUs.length) - 1];
	const shared = {
		probe: "client.send_lag",
		required: true,
		blames: "client",
		limit,
		unit: "ms"
	};
	if (p99Us === void 0) return {
		...shared,
		state: "unknown",
		text: "no request was handed over"
	};
	const value = p99Us / 1e3;
	const text = `99 % of ${lagsUs.length} requests were handed over within ${value} ms of their time`;
	return {
		...shared,
		state: value <= limit ? "pass" : "fail",
		value,
		text
	};
}
function offeredRate({ manifest, facts, records }) {
	const limit = manifest.client.offered_rate_min_share;
	const untilUs = facts.arrivalUs + manifest.client.send_lag_p99_max_ms * 1e3;
	const due = records.filter((record) => record.dueUs <= facts.arrivalUs);
	const offered = due.filter((record) => wasOffered(record, untilUs)).length;
	const shared = {
		probe: "client.offered_rate",
		required: true,
		blames: "client",
		limit,
		unit: "share"
	};
	if (due.length === 0) return {
		...shared,
		state: "unknown",
		text: "no request was due"
	};
	const value = offered / due.length;
	const text = `${offered} of ${due.length} requests due in the arrival window were sent in it`;
	return {
		...shared,
		state: value >= limit ? "pass" : "fail",
		value,
		text
	};
}
function ownLagUs({ dueUs, handedUs, sentUs }) {
	const offeredUs = handedUs ?? sentUs;
	return offeredUs === null ? null : Math.abs(offeredUs - dueUs);
}
function wasOffered(record, untilUs) {
	const offeredUs = record.handedUs ?? record.sentUs;
	if (offeredUs !== null && offeredUs > untilUs) return false;
	if (record.sentUs !== null) return true;
	return record.status !== "ok" && record.status !== "cancelled" && !isClientFault(record);
}
function isClientFault({ status, errorCode }) {
	return status !== "cancelled" && isOwnDoing(errorCode);
}
function resources({ records }) {
	const starved = records.filter(isClientFault);
	const codes = [...new Set(starved.map(({ errorCode }) => errorCode))].join(", ");
	return {
		probe: "client.resources",
		state: starved.length === 0 ? "pass" : "fail",
		required: true,
		blames: "client",
		value: starved.length,
		limit: 0,
		unit: "requests",
		text: starved.length === 0 ? "no request failed for want of the client’s own resources" : `${starved.length} requests failed for want of the client’s own resources (${codes})`
	};
}
function replicas(view) {
	const { manifest, schedule, facts, records } = view;
	const policy = replicaPolicy(manifest);
	const sticky = stickyReplica(policy, facts.replicas, schedule.header, schedule.rows);
	const rows = new Map(policy === "round_robin" ? [] : schedule.rows.map((row) => [row.id, row]));
	const [bound, inTurn] = [counters(facts.replicas), counters(facts.replicas)];
	let strayed = 0;
	for (const { id, replica } of records) {
		const row = rows.get(id);
		const own = row ? sticky(row) : null;
		if (replica === null || !(replica in inTurn)) continue;
		const counts = own === null ? inTurn : bound;
		counts[replica] = (counts[replica] ?? 0) + 1;
		if (own !== null && own !== replica) strayed += 1;
	}
	const total = sum$1(bound);
	const shared = {
		probe: "client.replicas",
		required: true,
		blames: "client",
		unit: "requests"
	};
	if (strayed > 0) {
		const text = `${strayed} of ${total} requests went to another replica than their ${policy}’s`;
		return {
			...shared,
			state: "fail",
			value: strayed,
			limit: 0,
			text
		};
	}
	if (total === 0) return {
		...shared,
		...spread(inTurn)
	};
	const kept = `each of ${total} requests went to the replica of its ${policy} (${bound.join(", ")})`;
	if (sum$1(inTurn) === 0) return {
		...shared,
		state: "pass",
		value: 0,
		limit: 0,
		text: kept
	};
	const others = spread(inTurn);
	return {
		...shared,
		...others,
		text: `${kept}; of the others ${others.text}`
	};
}
function spread(counts) {
	const total = sum$1(counts);
	const limit = Math.floor(total / counts.length * SHARE_MIN - 1);
	const value = Math.min(...counts);
	if (total === 0) return {
		state: "unknown",
		text: "the records do not say which replica was asked"
	};
	const text = `the replica asked least got ${value} of ${total} requests over ${counts.length}`;
	return {
		state: value >= limit ? "pass" : "fail",
		value,
		limit: Math.max(0, limit),
		text
	};
}
function counters(length) {
	return Array.from({ length }, () => 0);
}
function sum$1(counts) {
	return counts.reduce((total, count) => total + count, 0);
}
function sampled({ facts, timeline }) {
	const value = sampledShare(timeline.client.map(({ atUs, inFlight }) => ({
		atUs,
		value: inFlight
	})), facts.arrivalUs);
	return {
		probe: "client.sampled",
		state: value >= SAMPLED_MIN$1 ? "pass" : "unknown",
		required: true,
		blames: "client",
		value,
		limit: SAMPLED_MIN$1,
		unit: "share",
		text: `the client’s own state is known for ${Math.round(value * 100)} % of the arrival window`
	};
}
function isBeyondChance(count, expected) {
	return count > expected + 3 * Math.sqrt(expected) + 1;
}
const EXPLAINS = .5;
const SHORTEST_CAUSE_US = 5e3;
function watchEvidence({ client }) {
	const samples = client.filter(({ atUs }) => atUs > 0);
	const first = client.findLast(({ atUs }) => atUs <= 0) ?? samples[0];
	const spanUs = (samples.at(-1)?.atUs ?? 0) - (first?.atUs ?? 0);
	if (samples.length === 0 || spanUs <= 0) return [
		"event_loop",
		"gc",
		"cpu"
	].map(unwatched);
	const stallUs = Math.max(...samples.map(({ loopStallUs }) => loopStallUs));
	const pauseUs = Math.max(...samples.map(({ gcMaxUs }) => gcMaxUs));
	const pausesUs = total(samples, ({ gcUs }) => gcUs);
	const cores = Math.round(1e3 * total(samples, ({ cpuUs }) => cpuUs) / spanUs) / 1e3;
	const pauses = `garbage collection paused ${pauseUs / 1e3} ms at most and ${pausesUs / 1e3} ms in all`;
	return [
		fact("event_loop", stallUs / 1e3, "ms", `the event loop stood still for ${stallUs / 1e3} ms at most`),
		fact("gc", pauseUs / 1e3, "ms", pauses),
		fact("cpu", cores, "cores", `the client used ${cores.toFixed(2)} cores, polling included`)
	];
}
function likelyCause(samples, isStallTold) {
	const longest = (value) => Math.max(0, ...samples.map(value));
	const stallUs = longest(({ loopStallUs }) => loopStallUs);
	const pauseUs = longest(({ gcMaxUs }) => gcMaxUs);
	if (pauseUs >= SHORTEST_CAUSE_US && pauseUs >= EXPLAINS * stallUs) return `garbage collection paused ${pauseUs / 1e3} ms`;
	if (isStallTold) return null;
	if (stallUs >= SHORTEST_CAUSE_US) return `the event loop stood still for ${stallUs / 1e3} ms`;
	const backlog = longest((sample) => sample.backlog);
	return backlog > 0 ? `up to ${backlog} requests waited unsent` : null;
}
function total(samples, value) {
	return samples.reduce((sum, sample) => sum + value(sample), 0);
}
function fact(detail, value, unit, text) {
	return {
		probe: `client.${detail}`,
		state: "pass",
		required: false,
		blames: "client",
		value,
		unit,
		text
	};
}
function unwatched(detail) {
	return {
		probe: `client.${detail}`,
		state: "unknown",
		required: false,
		blames: "client",
		text: "was not watched"
	};
}
const SLICE_US = 1e7;
const SHORTEST_US = SLICE_US / 2;
const LATE_SHARE_MAX = .01;
const NAMED$2 = 3;
function sliceEvidence(view) {
	const { timeline } = view;
	const slices = slicesOf(view);
	const wrong = slices.flatMap((slice) => {
		const stalls = stallFaults(slice, view);
		const found = [...pacingFaults(slice, view), ...stalls];
		if (found.length === 0) return [];
		const cause = likelyCause(slice.samples, stalls.length > 0);
		return [`${spanText(slice)}: ${found.join(", ")}${cause === null ? "" : ` (${cause} in that slice)`}`];
	});
	const shared = {
		probe: "client.slices",
		required: true,
		blames: "client",
		unit: "slices"
	};
	if (wrong.length === 0 && timeline.client.length === 0) return {
		...shared,
		state: "unknown",
		text: "the client’s own state was not recorded"
	};
	const more = wrong.length > NAMED$2 ? ` and ${wrong.length - NAMED$2} more` : "";
	return {
		...shared,
		state: wrong.length === 0 ? "pass" : "fail",
		value: wrong.length,
		limit: 0,
		text: wrong.length === 0 ? `the client kept its times in all ${slices.length} slices of 10 s` : wrong.slice(0, NAMED$2).join("; ") + more
	};
}
function slicesOf({ facts, records, timeline }) {
	const endUs = Math.max(facts.cohortUs, facts.arrivalUs, 1);
	const count = Math.max(1, Math.floor((endUs + SHORTEST_US) / SLICE_US));
	return Array.from({ length: count }, (_, index) => {
		const fromUs = index * SLICE_US;
		const isLast = index === count - 1;
		const toUs = isLast ? 1e400 : fromUs + SLICE_US;
		const isIn = (us) => us >= fromUs && us < toUs;
		return {
			fromUs,
			toUs,
			lengthUs: (isLast ? endUs : toUs) - fromUs,
			due: records.filter(({ dueUs }) => isIn(dueUs)),
			samples: timeline.client.filter(({ atUs }) => atUs > 0 && isIn(atUs))
		};
	});
}
function pacingFaults({ toUs, due }, { manifest, facts }) {
	if (!("openMilliRps" in facts.key.load) || due.length === 0) return [];
	const { send_lag_p99_max_ms: limitMs, offered_rate_min_share: leastShare } = manifest.client;
	const lagsUs = due.flatMap((record) => ownLagUs(record) ?? []).toSorted((a, b) => a - b);
	const late = lagsUs.filter((lagUs) => lagUs > limitMs * 1e3).length;
	const faults = [];
	if (isBeyondChance(late, LATE_SHARE_MAX * lagsUs.length)) {
		const p99Us = lagsUs[Math.ceil(.99 * lagsUs.length) - 1] ?? 0;
		faults.push(`send lag p99 ${p99Us / 1e3} ms > ${limitMs} ms (${late} of ${lagsUs.length} requests late)`);
	}
	const untilUs = toUs + limitMs * 1e3;
	const missing = due.filter((record) => !wasOffered(record, untilUs)).length;
	if (isBeyondChance(missing, (1 - leastShare) * due.length)) faults.push(`${missing} of ${due.length} requests due were not sent in it`);
	return faults;
}
function stallFaults({ samples, lengthUs }, { manifest }) {
	const toleranceUs = stampToleranceUs(manifest);
	const blindUs = samples.reduce((sum, { loopStallUs, loopBlindUs }) => sum + (loopBlindUs ?? Math.max(0, loopStallUs - toleranceUs)), 0);
	if (blindUs <= LATE_SHARE_MAX * lengthUs) return [];
	const longestUs = Math.max(...samples.map(({ loopStallUs }) => loopStallUs));
	const share = (blindUs / lengthUs * 100).toFixed(1);
	const tolerance = Math.round(toleranceUs) / 1e3;
	return [`the event loop stood still for ${longestUs / 1e3} ms, ${share} % of answers more than ${tolerance} ms late`];
}
function spanText({ fromUs, lengthUs }) {
	return `${fromUs / 1e6}–${Number(((fromUs + lengthUs) / 1e6).toFixed(1))} s`;
}
const FREED_WITHIN_US = 5e6;
const READ_APART_US = 1e6;
const KV_SEEN = .05;
const KV_LEFT = .5;
function freedEvidence(view) {
	const left = view.records.filter(({ status }) => status === "cancelled" || status === "timeout").length;
	if (left === 0) return [];
	const shared = {
		probe: "stability.freed",
		required: false,
		blames: "engine",
		unit: "requests"
	};
	const held = heldBy(view);
	if (held === null) return [{
		...shared,
		state: "unknown",
		text: "the engine’s running and waiting are not known"
	}];
	const kept = held.find(({ requests, limit }) => requests > limit);
	if (kept) {
		const text = `${left} requests were left, and ${(kept.atUs / 1e6).toFixed(1)} s into the cohort a replica held ${kept.requests}: in the 5 s before, no more than ${kept.limit} can have been in flight`;
		return [{
			...shared,
			state: "fail",
			value: kept.requests,
			limit: kept.limit,
			text
		}];
	}
	if (view.timeline.evidence.find(({ probe }) => probe === "stability.quiesce")?.state !== "pass") {
		const text = "no replica held more than can have been in flight, but that none was kept after the drain is not proven";
		return [{
			...shared,
			state: "unknown",
			text
		}];
	}
	const kv = kvOf(view);
	const stuck = kv?.find(({ most, last }) => most >= KV_SEEN && last > most * KV_LEFT);
	if (stuck) {
		const text = `${left} requests were left, and after the drain a replica still held KV: ${fell(stuck)}`;
		return [{
			...shared,
			state: "fail",
			value: stuck.last,
			limit: stuck.most * KV_LEFT,
			unit: "share",
			text
		}];
	}
	const text = `${left} requests were left, and gone from the engine within 5 s; ${kv === null ? "KV in use is not told" : `KV in use fell ${fell(fullest(kv))}`}`;
	return [{
		...shared,
		state: "pass",
		text
	}];
}
function heldBy(view) {
	const { running, waiting } = view.dialect.metrics?.sources ?? {};
	if (!running || !waiting) return null;
	const inFlight = flights(view);
	const held = [];
	for (const scrapes of view.timeline.scrapes) {
		const before = held.length;
		for (const { atUs, values } of scrapes) {
			const [runs, waits] = [readMetric(values, running), readMetric(values, waiting)];
			if (atUs < 0 || runs === null || waits === null) continue;
			held.push({
				atUs,
				requests: runs + waits,
				limit: mostInFlight(view, inFlight, atUs)
			});
		}
		if (held.length === before) return null;
	}
	return held.length === 0 ? null : held;
}
function flights({ records }) {
	const changes = records.flatMap(({ sentUs, endUs }) => sentUs === null ? [] : [{
		atUs: sentUs,
		by: 1
	}, {
		atUs: endUs,
		by: -1
	}]);
	changes.sort((a, b) => a.atUs - b.atUs || b.by - a.by);
	let count = 0;
	return changes.map(({ atUs, by }) => ({
		atUs,
		count: count += by
	}));
}
function mostInFlight({ manifest, facts }, inFlight, atUs) {
	const from = atUs - FREED_WITHIN_US;
	const warmup = from <= manifest.client.request_timeout_seconds * 1e6 ? facts.warmupRequests : 0;
	const first = inFlight.findLastIndex((flight) => flight.atUs <= from);
	let most = inFlight[first]?.count ?? 0;
	for (let index = first + 1; index < inFlight.length; index++) {
		const flight = inFlight[index];
		if (!flight || flight.atUs > atUs + READ_APART_US) break;
		most = Math.max(most, flight.count);
	}
	return most + warmup + 1;
}
function kvOf({ dialect, timeline }) {
	const source = dialect.metrics?.sources.kvUsage;
	if (!source) return null;
	const uses = timeline.scrapes.flatMap((scrapes) => {
		const shares = scrapes.flatMap(({ values }) => readMetric(values, source) ?? []);
		const last = shares.at(-1);
		return last === void 0 ? [] : [{
			most: Math.max(...shares),
			last
		}];
	});
	return uses.length === timeline.scrapes.length && uses.length > 0 ? uses : null;
}
function fullest(uses) {
	return {
		most: Math.max(...uses.map(({ most }) => most)),
		last: Math.max(...uses.map(({ last }) => last))
	};
}
function fell({ most, last }) {
	const percent = (share) => `${(100 * share).toFixed(1)} %`;
	return `from ${percent(most)} to ${percent(last)}`;
}
function meetsCutoffs(record, cutoffs, originUs) {
	const { firstTokenUs, lastTokenUs, outputTokens } = record;
	if (originUs === null || firstTokenUs === null || lastTokenUs === null || outputTokens === null) return false;
	return (firstTokenUs - originUs) / 1e3 <= cutoffs.request_ttft_cutoff_ms && tpotNs(lastTokenUs - firstTokenUs, outputTokens) / 1e6 <= cutoffs.request_tpot_cutoff_ms && (lastTokenUs - originUs) / 1e3 <= (cutoffs.request_e2e_cutoff_ms ?? Number.POSITIVE_INFINITY);
}
function intakeEvidence({ manifest, records }) {
	const { client, acceptance, workload } = manifest;
	const shared = {
		probe: "queue.intake",
		required: true,
		blames: "engine"
	};
	const waitsUs = records.flatMap(({ handedUs, sentUs }) => handedUs === null || sentUs === null ? [] : [sentUs - handedUs]);
	if (waitsUs.length === 0) {
		const text = "no request tells when it was handed over and when it was sent";
		return {
			...shared,
			required: false,
			state: "unknown",
			text
		};
	}
	const p99Ms = (nearestRank(Float64Array.from(waitsUs).sort(), .99) ?? 0) / 1e3;
	const measured = {
		...shared,
		value: p99Ms,
		limit: client.send_lag_p99_max_ms,
		unit: "ms"
	};
	const text = `the engine took 99 % of ${waitsUs.length} requests within ${p99Ms} ms`;
	const least = acceptance.class_slo_attainment_min;
	const short = workload.flatMap((entry) => {
		const share = attainment(records, entry);
		return share === null || share >= least ? [] : [`${Number((100 * share).toFixed(2))} % of ${entry.name}`];
	});
	if (short.length === 0 || p99Ms <= client.send_lag_p99_max_ms) return {
		...measured,
		state: "pass",
		text
	};
	return {
		...measured,
		state: "fail",
		text: `${text}: with that counted in, ${short.join(", ")} meet their cutoffs, and ${100 * least} % must`
	};
}
function attainment(records, entry) {
	const ok = records.filter((record) => record.class === entry.name && record.status === "ok");
	if (ok.length === 0) return null;
	return ok.filter((record) => meetsCutoffs(record, entry, record.handedUs ?? record.sentUs)).length / ok.length;
}
function cancellationEvidence({ schedule, records }) {
	const planned = new Set(schedule.rows.flatMap((row) => row.cancelAfterTokens === void 0 ? [] : [row.id]));
	if (planned.size === 0) return [];
	const reached = records.filter(({ id }) => planned.has(id));
	const count = (status) => reached.filter((record) => record.status === status).length;
	const [left, whole] = [count("cancelled"), count("ok")];
	const failed = reached.length - left - whole;
	return [{
		probe: "client.cancellations",
		state: "pass",
		required: false,
		blames: "client",
		value: left,
		unit: "requests",
		text: `${left} of ${reached.length} requests that were to be left were left, ${whole} had ended before they could be, ${failed} failed`
	}];
}
var DueTimes = class {
	#milliRps;
	#before = new Map();
	#endUs = new Map();
	constructor({ schedule, facts, records }) {
		const { load } = facts.key;
		this.#milliRps = "openMilliRps" in load ? load.openMilliRps : null;
		const last = new Map();
		for (const row of schedule.rows) {
			if (row.session === void 0) continue;
			const before = last.get(row.session);
			if (before) this.#before.set(row.id, before);
			last.set(row.session, row);
		}
		if (last.size === 0) return;
		for (const { id, session, endUs } of records) if (session !== null) this.#endUs.set(id, endUs);
	}
	ownUs(row) {
		return this.#milliRps === null ? null : dueUs(row.offsetUs, this.#milliRps);
	}
	readyUs(row) {
		const before = this.#before.get(row.id);
		if (!before) return Number.NEGATIVE_INFINITY;
		const endUs = this.#endUs.get(before.id);
		return endUs === void 0 ? null : turnDueUs(Number.NEGATIVE_INFINITY, endUs, row.thinkUs ?? 0);
	}
	dueUs(row) {
		const own = this.ownUs(row);
		const ready = this.readyUs(row);
		return own === null || ready === null ? null : Math.max(own, ready);
	}
};
const NAMED$1 = 3;
function rowEvidence(view) {
	const byId = new Map(view.schedule.rows.map((row, index) => [row.id, {
		row,
		index
	}]));
	const times = new DueTimes(view);
	const cohort = view.schedule.rows.slice(0, view.facts.cohortRequests);
	const seen = new Set();
	const wrongIds = wholeBlocks(view) ? [] : [`${view.facts.cohortRequests} requests are no whole blocks of the schedule`];
	const wrongRows = [];
	const wrongPrompts = [];
	for (const record of view.records) {
		const scheduled = byId.get(record.id);
		if (!scheduled || scheduled.index >= view.facts.cohortRequests) {
			wrongIds.push(`${record.id} is not in the cohort`);
			continue;
		}
		seen.add(record.id);
		const difference = rowDifference(record, scheduled.row, view, times);
		if (difference) wrongRows.push(`${record.id}: ${difference}`);
		const wrongLength = promptDifference(record, scheduled.row, view);
		if (wrongLength) wrongPrompts.push(`${record.id}: ${wrongLength}`);
	}
	for (const row of cohort) if (!seen.has(row.id) && isDue(row, view, times)) wrongIds.push(`${row.id} is missing`);
	return [
		finding$1("client.ids", wrongIds, `all ${seen.size} scheduled requests are there once`),
		finding$1("client.rows", wrongRows, "classes, due times and lengths are the schedule’s"),
		...promptEvidence(view, wrongPrompts),
		...cancellationEvidence(view)
	];
}
function promptEvidence({ manifest, records }, wrong) {
	const { prompt, endpoint, dataset } = manifest.client;
	if (!dataset && (prompt !== "token_ids" || endpoint !== "completions")) return [];
	const found = finding$1("client.prompt_tokens", wrong, dataset ? `the engine counted the texts within ${100 * dataset.length_tolerance} % of their class’s input_tokens` : "the engine counted the prompts that were scheduled");
	if (records.some(({ inputTokens }) => inputTokens !== null)) return [found];
	const required = dataset !== void 0;
	return [{
		...found,
		required,
		state: "unknown",
		text: "the engine tells no prompt’s length"
	}];
}
function promptDifference({ inputTokens }, row, { manifest }) {
	const { dataset } = manifest.client;
	const allowed = dataset ? dataset.length_tolerance * row.inputTokens : 0;
	if (inputTokens === null || Math.abs(inputTokens - row.inputTokens) <= allowed) return null;
	const within = dataset ? ` ± ${100 * dataset.length_tolerance} %, of text ${row.text ?? "none"}` : "";
	return `${inputTokens} instead of ${row.inputTokens}${within}`;
}
function wholeBlocks({ schedule, facts }) {
	let rows = 0;
	return scheduleBlocks(schedule).some((block) => (rows += block.length) === facts.cohortRequests);
}
function isDue(row, { facts }, times) {
	const { arrivalUs, maximumReached, stoppedEarly } = facts;
	if (!maximumReached && stoppedEarly === null) return true;
	const dueUs = times.dueUs(row);
	return dueUs !== null && (stoppedEarly === null ? dueUs <= arrivalUs : dueUs < arrivalUs);
}
function rowDifference(record, row, { manifest }, times) {
	if (record.class !== row.class) return `class ${record.class} instead of ${row.class}`;
	if (record.session !== (row.session ?? null) || record.turn !== (row.turn ?? null)) return `turn ${record.turn} of session ${record.session} instead of ${row.turn ?? null} of ${row.session ?? null}`;
	const wrongTime = dueDifference(record, row, times);
	if (wrongTime !== null) return wrongTime;
	if (record.status === "cancelled" && row.cancelAfterTokens === void 0) return "cancelled, which was not planned";
	const { ignore_eos: ignoresEos, min_tokens: minimum } = manifest.client.sampling;
	const exact = ignoresEos && minimum === "equal";
	if (record.status === "ok" && exact && record.outputTokens !== row.outputTokens) return `${record.outputTokens} output tokens instead of ${row.outputTokens}`;
	return null;
}
function dueDifference({ dueUs }, row, times) {
	const readyUs = times.readyUs(row);
	if (readyUs === null) return "sent, although the turn before it was not";
	const ownUs = times.ownUs(row);
	if (ownUs === null) return dueUs < readyUs ? `due at ${dueUs} µs, before its session was ready at ${readyUs}` : null;
	const expectedUs = Math.max(ownUs, readyUs);
	return dueUs === expectedUs ? null : `due at ${dueUs} µs instead of ${expectedUs}`;
}
function finding$1(probe, wrong, right) {
	const named = wrong.slice(0, NAMED$1).join("; ");
	const more = wrong.length > NAMED$1 ? ` and ${wrong.length - NAMED$1} more` : "";
	return {
		probe,
		state: wrong.length === 0 ? "pass" : "fail",
		required: true,
		blames: "client",
		value: wrong.length,
		limit: 0,
		unit: "requests",
		text: wrong.length === 0 ? right : named + more
	};
}
const shared = {
	blames: "engine",
	limit: 0
};
function containerEvidence({ before, after }) {
	const kills = killsBetween(before?.engineOomKills ?? null, after?.engineOomKills ?? null);
	const pairs = pairsOf(before?.containers ?? null, after?.containers ?? null);
	const ended = pairs?.filter(({ was, is }) => is.oomKilled && !was.oomKilled).length;
	const killed = Math.max(kills ?? 0, ended ?? 0);
	const evidence = killed === 0 ? [] : [outOfMemory(killed)];
	if (pairs === null) {
		const text = "restarts of its containers are not told";
		return [...evidence, {
			...container,
			state: "unknown",
			required: false,
			text
		}];
	}
	const restarted = pairs.filter(isRestarted);
	const names = restarted.map(({ is }) => is.id.slice(0, 12)).join(", ");
	const text = restarted.length > 0 ? `restarted during the point: ${names}` : `${pairs.length} containers, none restarted; ${killed} processes killed at their memory limit`;
	const state = restarted.length > 0 ? "fail" : "pass";
	return [...evidence, {
		...container,
		state,
		required: true,
		value: restarted.length,
		unit: "restarts",
		text
	}];
}
const container = {
	...shared,
	probe: "stability.container"
};
function outOfMemory(killed) {
	const text = `the kernel killed ${killed} of the engine’s processes at its memory limit`;
	const probe = "stability.out_of_memory";
	return {
		...shared,
		probe,
		state: "fail",
		required: true,
		value: killed,
		unit: "processes",
		text
	};
}
function killsBetween(was, is) {
	return was === null || is === null ? null : Math.max(0, is - was);
}
function pairsOf(before, after) {
	if (before === null || after === null || before.length !== after.length) return null;
	const pairs = before.flatMap((was) => {
		const is = after.find(({ id }) => id === was.id);
		return is ? [{
			was,
			is
		}] : [];
	});
	return pairs.length === before.length ? pairs : null;
}
function isRestarted({ was, is }) {
	return is.restarts > was.restarts || is.startedAt !== was.startedAt;
}
const REACH_US = 15e5;
function machineView({ timeline, facts, manifest }) {
	const { arrivalUs } = facts;
	const view = {
		before: null,
		after: null,
		spanUs: 0,
		claimed: null,
		why: "",
		samples: new Map(),
		sampledShare: 0,
		processLists: [],
		host: [],
		lastGap: null
	};
	const samples = new Map();
	const looks = [];
	const times = [];
	for (const { atUs, seen } of timeline.machine) if (seen.kind === "state") {
		view[seen.phase] = seen.state;
		looks.push(atUs);
		if (seen.state.processes !== null) view.processLists.push(seen.state.processes);
	} else if (seen.kind === "processes") view.processLists.push(seen.processes);
	else if (seen.kind === "host") view.host.push(seen.host);
	else if (seen.kind === "gap" && seen.probe === "gpus") view.lastGap = seen.error;
	else if (seen.kind === "gpus") {
		times.push(atUs);
		if (atUs < 0 || atUs > arrivalUs) continue;
		for (const sample of seen.gpus) {
			const known = samples.get(sample.uuid);
			if (known) known.push(sample);
			else samples.set(sample.uuid, [sample]);
		}
	}
	view.samples = samples;
	view.spanUs = (looks.at(-1) ?? 0) - (looks[0] ?? 0);
	view.sampledShare = covered(times, arrivalUs);
	return {
		...view,
		...claimOf(view.before, manifest)
	};
}
function claimOf(before, manifest) {
	if (before === null) return {
		claimed: null,
		why: "the machine was not looked at"
	};
	if (before.gpus === null) return {
		claimed: null,
		why: before.gpusWhy ?? "the GPUs cannot be read"
	};
	const { gpus } = before;
	const claim = claimedGpus(manifest, gpus);
	if (claim === null) return {
		claimed: null,
		why: "which GPUs the endpoint uses is not known"
	};
	if (claim.missing.length > 0) return {
		claimed: null,
		why: `the machine has ${gpus.length} GPUs, and no ${claim.missing.join(", ")}`
	};
	return {
		claimed: gpus.filter(({ uuid }) => claim.uuids.includes(uuid)),
		why: ""
	};
}
function covered(times, windowUs) {
	if (windowUs <= 0) return 0;
	let total = 0;
	let until = 0;
	for (const time of times) {
		const from = Math.max(until, time - REACH_US);
		const to = Math.min(windowUs, time + REACH_US);
		if (to > from) total += to - from;
		until = Math.max(until, to);
	}
	return total / windowUs;
}
function hostEvidence(probe, required, found) {
	return {
		probe: `host.${probe}`,
		required,
		blames: "host",
		...found
	};
}
function gpuName({ index }) {
	return `GPU ${index}`;
}
function processText(process, gpus) {
	const gpu = gpus.find(({ uuid }) => uuid === process.gpu);
	const facts = [
		`pid ${process.pid}`,
		...process.user === null ? [] : [`user ${process.user}`],
		...process.container === null ? [] : [`container ${process.container.slice(0, 12)}`],
		...process.usedMib === null ? [] : [`${process.usedMib} MiB`]
	];
	return `${gpu ? gpuName(gpu) : process.gpu}: ${process.name.slice(0, 80)} (${facts.join(", ")})`;
}
function gpuHealthEvidence(view) {
	return [
		...xidEvidence(view),
		hostEvidence("ecc", true, ecc(view)),
		hostEvidence("remapped_rows", false, remapped(view)),
		hostEvidence("nvlink", true, nvlink(view)),
		...dcgmEvidence(view)
	];
}
function pairs({ claimed, after }) {
	const found = (claimed ?? []).flatMap((was) => {
		const is = after?.gpus?.find(({ uuid }) => uuid === was.uuid);
		return is ? [{
			was,
			is
		}] : [];
	});
	return claimed === null || found.length < claimed.length ? null : found;
}
function xidEvidence(view) {
	const { claimed, why } = view;
	if (claimed === null) return [hostEvidence("xid", true, {
		state: "unknown",
		text: why
	})];
	const found = xidsOf(view, claimed);
	if (found === null) return [hostEvidence("xid", true, {
		state: "unknown",
		text: "the kernel’s log cannot be read: let this user read it (group adm or systemd-journal), or run a DCGM exporter"
	})];
	const of = (blame) => found.filter((xid) => xidBlame(xid) === blame);
	const [hosts, engines, told] = [
		of("host"),
		of("engine"),
		of(null)
	];
	const evidence = [];
	if (engines.length > 0) {
		const text = `${named(engines, claimed)}: a fault of the program on the GPU`;
		evidence.push({
			probe: "stability.xid",
			state: "fail",
			required: true,
			blames: "engine",
			value: engines.length,
			limit: 0,
			unit: "errors",
			text
		});
	}
	const hostText = hosts.length > 0 ? `${named(hosts, claimed)}: a fault of the hardware or its driver` : told.length > 0 ? `told only: ${named(told, claimed)}` : "no new Xid";
	const state = hosts.length > 0 ? "fail" : "pass";
	const shared = {
		value: hosts.length,
		limit: 0,
		unit: "errors"
	};
	return [...evidence, hostEvidence("xid", true, {
		state,
		...shared,
		text: hostText
	})];
}
function named(xids, gpus) {
	const texts = xids.map((xid) => `${busOwner(xid.bus, gpus)} ${xidName(xid)}${xid.text === "" ? "" : `: ${xid.text}`}`);
	return [...new Set(texts)].slice(0, 4).join("; ");
}
function busOwner(bus, gpus) {
	const gpu = gpus.find((one) => one.bus === bus);
	return gpu ? gpuName(gpu) : bus;
}
function xidsOf({ before, after }, claimed) {
	const buses = new Set(claimed.map(({ bus }) => bus));
	const logged = before?.kernel && after?.kernel ? newXids(before.kernel, after.kernel).filter(({ bus, of }) => of === "switch" || buses.has(bus)) : null;
	const lasts = claimed.map((gpu) => ({
		gpu,
		was: before?.dcgm?.[gpu.uuid]?.["lastXid"],
		is: after?.dcgm?.[gpu.uuid]?.["lastXid"]
	}));
	const isExported = lasts.every(({ was, is }) => was !== void 0 && is !== void 0);
	if (logged === null && !isExported) return null;
	const exported = lasts.flatMap(({ gpu, was, is }) => {
		if (was === void 0 || is === void 0 || is === was || is === 0) return [];
		const bus = gpu.bus ?? gpu.uuid;
		if (logged?.some((xid) => xid.bus === bus && xid.code === is)) return [];
		return [{
			atSeconds: null,
			of: "gpu",
			code: is,
			bus,
			text: "by the DCGM exporter"
		}];
	});
	return [...logged ?? [], ...exported];
}
function ecc(view) {
	const both = pairs(view);
	if (both === null) return {
		state: "unknown",
		text: view.why || "the GPUs could not be read after the load"
	};
	const found = [];
	const silent = [];
	for (const { was, is } of both) {
		const rises = [
			["uncorrected ECC errors", rise(was.ecc.uncorrectedVolatile, is.ecc.uncorrectedVolatile)],
			["uncorrected ECC errors ever", rise(was.ecc.uncorrectedAggregate, is.ecc.uncorrectedAggregate)],
			["rows remapped for uncorrected errors", rise(was.remappedUncorrectable, is.remappedUncorrectable)]
		];
		if (rises.slice(0, 2).every(([, by]) => by === null)) silent.push(gpuName(is));
		for (const [what, by] of rises) {
			if (by !== null && by > 0) found.push(`${gpuName(is)}: ${by} ${what}`);
			if (by !== null && by < 0) found.push(`${gpuName(is)}: its counters fell, it was reset`);
		}
		if (is.remapFailure === true) found.push(`${gpuName(is)}: a row could not be remapped, it is to be replaced`);
	}
	if (found.length > 0) {
		const text = `${[...new Set(found)].slice(0, 5).join("; ")}: drain the machine and reset the GPU`;
		return {
			state: "fail",
			value: found.length,
			limit: 0,
			unit: "findings",
			text
		};
	}
	if (silent.length > 0) return {
		state: "unknown",
		text: `${silent.join(", ")} counts no ECC errors`
	};
	return {
		state: "pass",
		value: 0,
		limit: 0,
		unit: "findings",
		text: `no uncorrected memory error; ${both.reduce((sum, { was, is }) => sum + (rise(was.ecc.correctedVolatile, is.ecc.correctedVolatile) ?? 0), 0)} corrected`
	};
}
function rise(was, is) {
	return was === null || is === null ? null : is - was;
}
function remapped(view) {
	const both = pairs(view);
	if (both === null) return {
		state: "unknown",
		text: view.why || "the GPUs could not be read after the load"
	};
	const pending = both.filter(({ is }) => is.remapPending === true || is.retirementPending === true).map(({ is }) => gpuName(is));
	if (pending.length > 0) {
		const text = `a remap is pending on ${pending.join(", ")}: reset the GPU when nothing runs on it`;
		return {
			state: "fail",
			value: pending.length,
			limit: 0,
			unit: "GPUs",
			text
		};
	}
	return both.every(({ is }) => is.remapPending !== null || is.retirementPending !== null) ? {
		state: "pass",
		value: 0,
		limit: 0,
		unit: "GPUs",
		text: "no remap is pending"
	} : {
		state: "unknown",
		text: "whether a remap is pending is not told"
	};
}
function nvlink(view) {
	const both = pairs(view);
	if (both === null) return {
		state: "unknown",
		text: view.why || "the GPUs could not be read after the load"
	};
	const lost = both.filter(({ was, is }) => (rise(was.nvlinksUp, is.nvlinksUp) ?? 0) < 0);
	if (lost.length > 0) {
		const text = lost.map(({ was, is }) => `${gpuName(is)}: ${is.nvlinksUp} of ${was.nvlinksUp} links are left`).join("; ");
		return {
			state: "fail",
			value: lost.length,
			limit: 0,
			unit: "GPUs",
			text: `${text}: reset the GPUs`
		};
	}
	const up = both.map(({ is }) => is.nvlinksUp);
	if (up.includes(null)) return {
		state: "unknown",
		text: "nvidia-smi nvlink does not tell the links"
	};
	const [fewest, most] = [Math.min(...up.map(Number)), Math.max(...up.map(Number))];
	return {
		state: "pass",
		value: fewest,
		unit: "links",
		text: fewest === most ? `${most} NVLinks up` : `${fewest} to ${most} NVLinks up`
	};
}
function dcgmEvidence({ claimed, after }) {
	const own = (claimed ?? []).map(({ uuid }) => after?.dcgm?.[uuid]).filter((values) => values !== void 0);
	const mean = (field) => {
		const known = own.flatMap((values) => values[field] ?? []);
		return known.length === 0 ? null : `${Math.round(100 * known.reduce((sum, value) => sum + value, 0) / known.length)} %`;
	};
	const shown = [
		["tensor cores", mean("tensorActiveShare")],
		["memory", mean("dramActiveShare")],
		["engines", mean("engineActiveShare")]
	].flatMap(([name, value]) => value === null ? [] : [`${name} ${value}`]);
	if (own.length === 0) return [];
	const text = `DCGM of ${own.length} GPUs at the end${shown.length === 0 ? "" : `: active ${shown.join(", ")}`}`;
	return [hostEvidence("dcgm", false, {
		state: "pass",
		value: own.length,
		unit: "GPUs",
		text
	})];
}
const SAMPLED_MIN = .9;
const HELD_SHARE_MAX = .001;
const UNSEEN_MIB = 2048;
function gpuLoadEvidence(view) {
	return [
		hostEvidence("gpu", true, presence$1(view)),
		hostEvidence("gpu_processes", true, foreignProcesses(view)),
		hostEvidence("slowdown", true, slowdown(view)),
		hostEvidence("power_cap", false, powerCap(view)),
		hostEvidence("clocks", false, clocks$1(view))
	];
}
function presence$1({ claimed, why, after, sampledShare, lastGap }) {
	if (claimed === null) return {
		state: "unknown",
		text: why
	};
	const left = after?.gpus;
	const lost = left ? claimed.filter(({ uuid }) => !left.some((gpu) => gpu.uuid === uuid)) : [];
	if (lost.length > 0) {
		const text = `${lost.map(gpuName).join(", ")} no longer answers: look into the kernel's log, then reset it or restart the machine`;
		return {
			state: "fail",
			value: lost.length,
			limit: 0,
			unit: "GPUs",
			text
		};
	}
	if (!left) return {
		state: "unknown",
		text: after?.gpusWhy ?? "the GPUs could not be read after the load"
	};
	const shared = {
		value: rounded(sampledShare),
		limit: SAMPLED_MIN,
		unit: "share"
	};
	const seen = `${claimed.length} GPUs, sampled over ${percent(sampledShare)} of the arrivals`;
	if (sampledShare >= SAMPLED_MIN) return {
		state: "pass",
		...shared,
		text: seen
	};
	return {
		state: "unknown",
		...shared,
		text: lastGap === null ? seen : `${seen}; ${lastGap}`
	};
}
function foreignProcesses({ claimed, why, processLists, before, after }) {
	if (claimed === null) return {
		state: "unknown",
		text: why
	};
	const listed = onGpus(processLists, claimed);
	const foreign = listed.filter(({ ours }) => ours === false);
	if (foreign.length > 0) {
		const shown = foreign.slice(0, 5).map((process) => processText(process, claimed));
		const more = foreign.length > 5 ? `; and ${foreign.length - 5} more` : "";
		const text = `others used our GPUs: ${shown.join("; ")}${more}: give the run its GPUs alone`;
		return {
			state: "fail",
			value: foreign.length,
			limit: 0,
			unit: "processes",
			text
		};
	}
	if (!before?.processes || !after?.processes) return {
		state: "unknown",
		text: "the processes on the GPUs could not be listed"
	};
	const unsure = listed.find(({ ours }) => ours === null);
	if (unsure) return {
		state: "unknown",
		text: `whose it is cannot be told: ${processText(unsure, claimed)}`
	};
	const unseen = claimed.find((gpu) => (gpu.memoryUsedMib ?? 0) > UNSEEN_MIB && !listed.some(({ gpu: uuid }) => uuid === gpu.uuid));
	if (unseen) return {
		state: "unknown",
		text: `${gpuName(unseen)} holds ${unseen.memoryUsedMib} MiB and no process is listed: those of other containers are not seen from here`
	};
	return {
		state: "pass",
		value: 0,
		limit: 0,
		unit: "processes",
		text: "no process but the engine’s used its GPUs"
	};
}
function onGpus(lists, gpus) {
	const uuids = new Set(gpus.map(({ uuid }) => uuid));
	const found = new Map();
	for (const process of lists.flat()) {
		if (!uuids.has(process.gpu)) continue;
		const key = `${process.gpu} ${process.pid}`;
		const known = found.get(key);
		found.set(key, known ? {
			...process,
			ours: known.ours === true || process.ours === true ? true : known.ours ?? process.ours
		} : process);
	}
	return [...found.values()];
}
function sampleShare(samples, reason) {
	const told = samples.flatMap(({ reasons }) => reasons === null ? [] : [reasons]);
	if (told.length === 0) return null;
	const count = told.filter((reasons) => reasons.includes(reason)).length;
	return {
		count,
		share: count / told.length
	};
}
function heldUs({ after }, gpu, reason) {
	const from = gpu.heldUs?.[reason];
	const to = after?.gpus?.find(({ uuid }) => uuid === gpu.uuid)?.heldUs?.[reason];
	return from === void 0 || to === void 0 || to < from ? null : to - from;
}
function slowdown(view) {
	const { claimed, why, samples, sampledShare, spanUs } = view;
	if (claimed === null) return {
		state: "unknown",
		text: why
	};
	const found = [];
	let unknown = sampledShare < SAMPLED_MIN;
	for (const gpu of claimed) {
		const own = samples.get(gpu.uuid) ?? [];
		for (const reason of SLOWDOWNS) {
			const seen = sampleShare(own, reason);
			const held = heldUs(view, gpu, reason);
			if (seen === null && held === null) unknown = true;
			const heldTooLong = held !== null && held > HELD_SHARE_MAX * spanUs;
			const seenTooOften = seen !== null && seen.count > (reason === "hw_slowdown" ? 1 : 0);
			if (heldTooLong || seenTooOften) {
				const by = heldTooLong ? `${(held / 1e6).toFixed(1)} s` : `${percent(seen?.share ?? 0)} of the samples`;
				found.push(`${gpuName(gpu)} ${reason} ${by}`);
			}
		}
	}
	if (found.length > 0) {
		const text = `the hardware held its clocks down: ${found.slice(0, 6).join(", ")}: look to cooling and power`;
		return {
			state: "fail",
			value: found.length,
			limit: 0,
			unit: "slowdowns",
			text
		};
	}
	if (unknown) return {
		state: "unknown",
		text: "the reasons that hold the clocks down are not known of the whole load"
	};
	return {
		state: "pass",
		value: 0,
		limit: 0,
		unit: "slowdowns",
		text: "no thermal or hardware slowdown"
	};
}
function powerCap(view) {
	const { claimed, why, samples } = view;
	if (claimed === null) return {
		state: "unknown",
		text: why
	};
	const shares = claimed.flatMap(({ uuid }) => sampleShare(samples.get(uuid) ?? [], "sw_power_cap")?.share ?? []);
	if (shares.length === 0) return {
		state: "unknown",
		text: "no sample tells what held the clocks"
	};
	const most = Math.max(...shares);
	const text = `the power limit held the clocks of the most capped GPU for ${percent(most)} of the load`;
	return {
		state: "pass",
		value: rounded(most),
		unit: "share",
		text
	};
}
function clocks$1({ claimed, why, samples }) {
	if (claimed === null) return {
		state: "unknown",
		text: why
	};
	const medians = [];
	const limits = new Map();
	for (const { uuid } of claimed) {
		const busy = (samples.get(uuid) ?? []).filter(({ utilPercent, reasons }) => utilPercent !== 0 && !reasons?.includes("gpu_idle"));
		const median = medianOf(busy.flatMap(({ smMhz }) => smMhz ?? []));
		if (median !== null) medians.push(median);
		for (const reason of new Set(busy.flatMap(({ reasons }) => reasons ?? []))) {
			const share = sampleShare(busy, reason)?.share ?? 0;
			limits.set(reason, Math.max(limits.get(reason) ?? 0, share));
		}
	}
	if (medians.length < claimed.length || medians.length === 0) return {
		state: "unknown",
		text: "the clocks of a working GPU were not sampled"
	};
	const lowest = Math.min(...medians);
	const held = [...limits].toSorted(([, a], [, b]) => b - a).map(([reason, share]) => `${reason} ${percent(share)}`);
	return {
		state: "pass",
		value: lowest,
		unit: "MHz",
		text: `median SM clock ${lowest} to ${Math.max(...medians)} MHz over ${medians.length} GPUs; held by ${held.join(", ") || "nothing"}`
	};
}
function medianOf(values) {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}
function percent(share) {
	return `${Math.round(share * 1e3) / 10} %`;
}
function rounded(share) {
	return Math.round(share * 1e6) / 1e6;
}
function machineEvidence(view) {
	if (view.timeline.machine.length === 0) return [];
	const machine = machineView(view);
	return [
		...view.manifest.engine.placement.gpus === 0 ? [hostEvidence("gpu", true, {
			state: "unknown",
			text: "the manifest declares no GPU"
		})] : [...gpuLoadEvidence(machine), ...gpuHealthEvidence(machine)],
		...view.manifest.engine.deploy?.kind === "docker" ? containerEvidence(machine) : memoryLimitEvidence(machine),
		hostEvidence("cpu", false, cpu(machine)),
		hostEvidence("memory", false, memory$1(machine))
	];
}
function memoryLimitEvidence({ before, after }) {
	const killed = killsBetween(before?.engineOomKills ?? null, after?.engineOomKills ?? null) ?? 0;
	return killed === 0 ? [] : [outOfMemory(killed)];
}
function cpu({ host, after }) {
	const busy = known(host, "busyShare");
	if (busy.length === 0) return {
		state: "unknown",
		text: "processor time cannot be read"
	};
	const mean = busy.reduce((sum, value) => sum + value, 0) / busy.length;
	const steal = Math.max(0, ...known(host, "stealShare"));
	const beside = (after?.host.busy ?? []).slice(0, 3).map(({ name, pid, user, cores }) => `${name} (pid ${pid}${user === null ? "" : `, ${user}`}) ${cores.toFixed(1)} CPUs`);
	const text = [
		`processors ${Math.round(mean * 100)} % busy on average`,
		...steal >= .005 ? [`up to ${Math.round(steal * 100)} % stolen by the hypervisor`] : [],
		...beside.length > 0 ? [`beside us: ${beside.join(", ")}`] : []
	].join("; ");
	return {
		state: "pass",
		value: Math.round(mean * 1e3) / 1e3,
		unit: "share",
		text
	};
}
function memory$1({ host, before, after }) {
	const available = known(host, "memoryAvailableMib");
	if (available.length === 0) return {
		state: "unknown",
		text: "the memory cannot be read"
	};
	const least = Math.min(...available);
	const [was, is] = [before?.host.oomKills ?? null, after?.host.oomKills ?? null];
	const killed = was === null || is === null ? 0 : is - was;
	const text = `at least ${Math.round(least)} MiB of memory available${killed > 0 ? `; the kernel killed ${killed} processes for want of memory` : ""}`;
	return {
		state: "pass",
		value: Math.round(least),
		unit: "MiB",
		text
	};
}
function known(samples, field) {
	return samples.flatMap((sample) => sample[field] ?? []);
}
function sessionRateEvidence(view) {
	const { facts, schedule, manifest } = view;
	if (!("openMilliRps" in facts.key.load) || facts.stoppedEarly !== null) return [];
	const rows = schedule.rows.slice(0, facts.cohortRequests);
	if (!rows.some(({ session }) => session !== void 0)) return [];
	const times = new DueTimes(view);
	const limit = manifest.client.offered_rate_min_share;
	const thought = lateness(view, rows, times, instantDueUs(rows, times));
	const seen = lateness(view, rows, times, (row) => times.dueUs(row));
	return [finding(limit, thought, {
		probe: "client.think_time",
		blames: "client"
	}, "with answers in no time"), finding(limit, seen, {
		probe: "queue.sessions",
		blames: "engine"
	}, "with the answers that came")];
}
function lateness({ facts }, rows, times, dueUs) {
	const last = rows.at(-1);
	const lastUs = (last && times.ownUs(last)) ?? 0;
	const windowUs = facts.maximumReached ? Math.min(lastUs, facts.arrivalUs) : lastUs;
	const inWindow = rows.filter((row) => (times.ownUs(row) ?? 0) <= windowUs);
	return {
		rows: inWindow.length,
		late: inWindow.filter((row) => (dueUs(row) ?? 1e400) > windowUs).length
	};
}
function instantDueUs(rows, times) {
	const sessions = new Map();
	const due = new Map();
	for (const row of rows) {
		const ownUs = times.ownUs(row) ?? 0;
		const before = sessions.get(row.session ?? "");
		const at = before === void 0 ? ownUs : turnDueUs(ownUs, before, row.thinkUs ?? 0);
		if (row.session !== void 0) sessions.set(row.session, at);
		due.set(row, at);
	}
	return (row) => due.get(row) ?? 0;
}
function finding(limit, { rows, late }, probe, supposing) {
	const fails = isBeyondChance(late, (1 - limit) * rows);
	const value = rows === 0 ? 1 : 1 - late / rows;
	const text = `${rows - late} of ${rows} requests fell due in the schedule’s own time, ${supposing}`;
	const more = fails ? ": sessions held the rate down, which more of them at a time (session.concurrent) would not" : "";
	return {
		...probe,
		required: true,
		state: fails ? "fail" : "pass",
		value,
		limit,
		unit: "share",
		text: text + more
	};
}
function sessionEvidence(view) {
	const rows = new Map(view.schedule.rows.flatMap((row) => row.session === void 0 ? [] : [[row.id, row]]));
	if (rows.size === 0) return [];
	const times = new DueTimes(view);
	const sessions = new Set();
	const offUs = [];
	let turns = 0;
	for (const { id, dueUs } of view.records) {
		const row = rows.get(id);
		if (!row?.session) continue;
		sessions.add(row.session);
		if ((row.turn ?? 0) === 0) continue;
		turns += 1;
		const ownUs = times.ownUs(row);
		if (ownUs !== null && dueUs > ownUs) offUs.push(dueUs - ownUs);
	}
	offUs.sort((a, b) => a - b);
	const seconds = (us) => `${((us ?? 0) / 1e6).toFixed(2)} s`;
	const by = offUs.length === 0 ? "" : `, by ${seconds(offUs[Math.ceil(offUs.length / 2) - 1])} in the median and ${seconds(offUs.at(-1))} at most`;
	const put = "openMilliRps" in view.facts.key.load ? `${offUs.length} of ${turns} later turns were put off by their sessions${by}` : `${turns} later turns`;
	const text = `${sessions.size} sessions: ${put}`;
	return [{
		probe: "client.sessions",
		state: "pass",
		required: false,
		blames: "client",
		value: offUs.length,
		unit: "requests",
		text
	}, ...sessionRateEvidence(view)];
}
function stabilityEvidence(view) {
	return [
		...eventEvidence(view),
		restartEvidence(view),
		...counterEvidence(view),
		...kvEvidence(view)
	];
}
function eventEvidence({ timeline }) {
	return timeline.events.map(({ kind, blames, text, replica, atUs }) => ({
		probe: `stability.${kind}`,
		state: "fail",
		required: true,
		blames,
		text: `${replica === null ? "engine" : `replica ${replica}`}, ${(atUs / 1e6).toFixed(1)} s into the cohort: ${text}`
	}));
}
function restartEvidence({ dialect, facts, timeline }) {
	const shared = {
		probe: "stability.restarts",
		required: true,
		blames: "engine"
	};
	const { generationTokens, promptTokens } = dialect.metrics?.sources ?? {};
	const counters = [generationTokens, promptTokens].filter((source) => source !== null && source !== void 0);
	let compared = 0;
	for (const [replica, scrapes] of timeline.scrapes.entries()) {
		let known = false;
		for (const [index, after] of scrapes.entries()) {
			const before = scrapes[index - 1];
			const rises = before ? counters.map((counter) => counterRise(before, after, counter)) : [];
			if (rises.some(({ state }) => state === "backwards")) {
				const text = `replica ${replica} counts anew from ${(after.atUs / 1e6).toFixed(1)} s on: it was restarted`;
				return {
					...shared,
					state: "fail",
					text
				};
			}
			known ||= after.atUs >= facts.cohortUs - 15e5 && rises.some(({ state }) => state === "risen");
		}
		if (known) compared += 1;
	}
	const replicas = timeline.scrapes.length;
	if (compared < replicas || replicas === 0) return {
		...shared,
		state: "unknown",
		text: `counters to the end of the cohort are known of ${compared} of ${replicas} replicas`
	};
	return {
		...shared,
		state: "pass",
		text: `no counter of ${replicas} replicas went backwards`
	};
}
const FULL = .99;
function counterEvidence(view) {
	const { dialect, facts, timeline } = view;
	const windows = cohortWindows(timeline.scrapes, facts.cohortUs);
	return dialect.stability.map((counter) => {
		const shared = {
			probe: `stability.${counter.id}`,
			required: false,
			blames: counter.blames,
			unit: "events"
		};
		const rise = totalRise(windows, choiceOf(counter));
		if (rise.state !== "risen") return {
			...shared,
			state: "unknown",
			text: `${counter.title}: the engine does not show them`
		};
		if (counter.countsLate && rise.by === 0 && mayBeUncounted(view)) {
			const text = `${counter.title}: none is counted, but the KV cache was full and requests were left before they ended`;
			return {
				...shared,
				state: "unknown",
				text
			};
		}
		const failed = counter.onRise === "fail" && rise.by > 0;
		return {
			...shared,
			state: failed ? "fail" : "pass",
			value: rise.by,
			text: `${counter.title}: ${rise.by}`
		};
	});
}
function choiceOf({ names, labels }) {
	return {
		names,
		labels
	};
}
function mayBeUncounted(view) {
	return view.records.some(({ status }) => status === "timeout" || status === "cancelled") && (highestUsage(view) ?? 1) >= FULL;
}
function highestUsage({ dialect, timeline }) {
	const source = dialect.metrics?.sources.kvUsage;
	let highest = null;
	for (const { values } of source ? timeline.scrapes.flat() : []) {
		const usage = source ? readMetric(values, source) : null;
		if (usage !== null && usage > (highest ?? -1)) highest = usage;
	}
	return highest;
}
function kvEvidence(view) {
	if (!view.dialect.metrics?.sources.kvUsage) return [];
	const highest = highestUsage(view);
	const shared = {
		probe: "stability.kv_usage",
		required: false,
		blames: "engine",
		unit: "share"
	};
	if (highest === null) return [{
		...shared,
		state: "unknown",
		text: "the engine does not show its KV usage"
	}];
	return [{
		...shared,
		state: "pass",
		value: highest,
		text: `KV cache at most ${Math.round(highest * 100)} % in use`
	}];
}
function tokenEvidence(view) {
	const sources = view.dialect.metrics?.sources;
	return [totalEvidence(view, {
		probe: "tokens.input",
		counter: sources?.promptTokens,
		ofRecord: ({ inputTokens }) => inputTokens,
		largest: largestOf(view, ({ inputTokens }) => inputTokens)
	}), totalEvidence(view, {
		probe: "tokens.output",
		counter: sources?.generationTokens,
		ofRecord: ({ outputTokens }) => outputTokens,
		largest: largestOf(view, ({ outputTokens }) => outputTokens)
	})];
}
function largestOf({ schedule }, tokensOf) {
	return schedule.rows.reduce((largest, row) => Math.max(largest, tokensOf(row)), 0);
}
function totalEvidence(view, kind) {
	const shared = {
		probe: kind.probe,
		required: true,
		unit: "tokens"
	};
	const unknown = (text) => ({
		...shared,
		state: "unknown",
		blames: "client",
		text
	});
	if (!kind.counter) return unknown("the engine does not count them");
	const counted = totalRise(cohortWindows(view.timeline.scrapes, view.facts.cohortUs), kind.counter);
	if (counted.state !== "risen") return unknown("the engine’s counter is not known before and after the cohort");
	const successes = view.records.filter(({ status }) => status === "ok").map(kind.ofRecord);
	if (successes.includes(null)) return unknown("not every success tells its tokens");
	const received = successes.reduce((sum, tokens) => sum + (tokens ?? 0), 0);
	const allowance = otherRequests(view, kind) * kind.largest;
	const text = `${counted.by} by the engine's counter, ${received} in ${successes.length} successes, up to ${allowance} in other requests`;
	const result = {
		...shared,
		value: counted.by,
		limit: received,
		text
	};
	if (counted.by < received * .99) return {
		...result,
		state: "fail",
		blames: "client"
	};
	if (counted.by > (received + allowance) * 1.01) return {
		...result,
		state: "fail",
		blames: "host"
	};
	return {
		...result,
		state: "pass",
		blames: "client"
	};
}
function otherRequests(view, kind) {
	const { facts, timeline, records } = view;
	const failed = records.filter(({ status }) => status !== "ok").length;
	const warming = timeline.client.findLast(({ atUs }) => atUs <= 0)?.inFlight ?? facts.warmupRequests;
	const lately = Math.ceil(facts.warmupRequests / Math.max(1, view.manifest.client.warmup_seconds));
	const probes = 2 * facts.replicas;
	const preempted = view.dialect.metrics?.sources.preemptions;
	const again = preempted ? totalRise(cohortWindows(timeline.scrapes, facts.cohortUs), preempted) : null;
	const recomputed = kind.probe === "tokens.input" && again?.state === "risen" ? again.by : 0;
	return failed + warming + lately + probes + recomputed;
}
function pointEvidence(view) {
	const queue = queueOf(view);
	const probed = view.timeline.evidence;
	if (view.facts.cohortRequests === 0) return {
		queue,
		evidence: [...probed, ...stabilityEvidence(view)]
	};
	return {
		queue,
		evidence: [
			...probed,
			...rowEvidence(view),
			...pacingEvidence(view),
			sliceEvidence(view),
			...watchEvidence(view.timeline),
			...sessionEvidence(view),
			queueEvidence(queue),
			intakeEvidence(view),
			...cacheEvidence(view),
			...stabilityEvidence(view),
			...freedEvidence(view),
			...tokenEvidence(view),
			...littlesLawEvidence(view),
			...machineEvidence(view)
		]
	};
}
function queueOf({ dialect, facts, timeline }) {
	const source = dialect.metrics?.sources.waiting;
	const gauge = (value) => timeline.client.map((sample) => ({
		atUs: sample.atUs,
		value: value(sample)
	}));
	return queueTrend({
		arrivalUs: facts.arrivalUs,
		inFlight: gauge(({ inFlight }) => inFlight),
		backlog: gauge(({ backlog }) => backlog),
		waiting: source ? timeline.scrapes.map((scrapes) => scrapes.flatMap(({ atUs, values }) => {
			const value = readMetric(values, source);
			return value === null ? [] : [{
				atUs,
				value
			}];
		})) : null
	});
}
function queueEvidence({ trend, series }) {
	const text = series.map(({ name, rise, riseLimit, sampled }) => rise === null ? `${name}: not sampled` : `${name} ${rise >= 0 ? "+" : "−"}${Math.abs(rise).toFixed(1)} (limit ${riseLimit.toFixed(1)}, ${Math.round(sampled * 100)} % sampled)`).join("; ");
	return {
		probe: "queue.trend",
		state: trend === "flat" ? "pass" : trend === "growing" ? "fail" : "unknown",
		required: true,
		blames: "engine",
		unit: "requests",
		text: `${trend} over the arrival window: ${text}`
	};
}
function createProgress(manifest, blocks) {
	const { acceptance } = manifest;
	const classes = manifest.workload.map((entry) => ({
		class: entry,
		committed: 0,
		ok: 0,
		passing: 0,
		failed: 0,
		excluded: 0
	}));
	const byName = new Map(classes.map((counts) => [counts.class.name, counts]));
	for (const row of blocks.flat()) {
		const counts = byName.get(row.class);
		if (counts) counts.committed += 1;
	}
	return {
		add: (record) => {
			const counts = byName.get(record.class);
			if (counts) count(counts, record, acceptance);
		},
		extensionNeeded: () => classes.some(({ ok }) => ok < acceptance.min_successful_samples_per_class),
		hopeless: () => hopelessReason(classes, acceptance),
		failed: () => classes.reduce((sum, { failed }) => sum + failed, 0),
		attainment: () => Object.fromEntries(classes.map(({ class: { name }, ok, passing }) => [name, ok === 0 ? null : passing / ok]))
	};
}
function count(counts, record, acceptance) {
	if (record.status === "cancelled" && acceptance.planned_cancellations === "excluded") counts.excluded += 1;
	else if (record.status !== "ok") counts.failed += 1;
	else {
		counts.ok += 1;
		const originUs = acceptance.latency_origin === "due" ? record.dueUs : record.sentUs;
		if (meetsCutoffs(record, counts.class, originUs)) counts.passing += 1;
	}
}
function hopelessReason(classes, acceptance) {
	let failed = 0;
	let attempts = 0;
	for (const counts of classes) {
		const reason = hopelessClass(counts, acceptance);
		if (reason) return reason;
		failed += counts.failed;
		attempts += counts.committed - counts.excluded;
	}
	if (attempts > 0 && failed / attempts > acceptance.error_rate_max) return `${failed} of at most ${attempts} requests failed: the error rate cannot come down to ${acceptance.error_rate_max} any more`;
	return null;
}
function hopelessClass(counts, acceptance) {
	const { class_slo_attainment_min, class_error_rate_max, attempted_attainment_min } = acceptance;
	const { ok, passing, failed } = counts;
	const { name } = counts.class;
	const attempts = counts.committed - counts.excluded;
	const left = Math.max(0, attempts - ok - failed);
	if (ok > passing && (passing + left) / (ok + left) < class_slo_attainment_min) return `${name}: ${ok - passing} successes missed their cutoffs: attainment cannot reach ${class_slo_attainment_min} any more`;
	if (class_error_rate_max !== void 0 && failed > 0 && failed / attempts > class_error_rate_max) return `${name}: ${failed} of at most ${attempts} requests failed: its error rate cannot come down to ${class_error_rate_max} any more`;
	if (attempted_attainment_min !== void 0 && attempts > 0 && (passing + left) / attempts < attempted_attainment_min) return `${name}: attainment over all attempts cannot reach ${attempted_attainment_min} any more`;
	return null;
}
function judgePoint(files) {
	const { manifest, dialect, schedule, table } = files;
	const facts = factsOf$1(files);
	const records = [...tableRecords(table)];
	const view = {
		manifest,
		dialect,
		schedule,
		facts,
		records,
		timeline: readTimeline(files.lines, facts.replicas)
	};
	const found = pointEvidence(view);
	const asked = markRequired([
		...protocolEvidence(files, facts),
		...clientEvidence(files, facts),
		...found.evidence
	], manifest.acceptance);
	const evidence = facts.cohortRequests === 0 ? asked : [...asked, ...unaskedGroups(asked, manifest.acceptance)];
	const slo = analyzeManifest(table, manifest, {
		durationSeconds: Math.max(1, facts.cohortUs) / 1e6,
		arrivalSeconds: facts.arrivalUs / 1e6,
		queueTrend: facts.cohortRequests === 0 ? "unknown" : found.queue.trend,
		gaps: files.gaps
	});
	const progress = createProgress(manifest, scheduleBlocks(schedule));
	for (const record of records) progress.add(record);
	const { outcome, reasons } = pointOutcome({
		slo,
		evidence,
		acceptance: manifest.acceptance,
		stoppedEarly: facts.stoppedEarly,
		hopeless: progress.hopeless()
	});
	return {
		schema: 1,
		key: facts.key,
		epoch: facts.epoch,
		scheduleSha256: facts.scheduleSha256,
		deployId: facts.deployId,
		arrivalSeconds: facts.arrivalUs / 1e6,
		cohortSeconds: facts.cohortUs / 1e6,
		slo,
		ratesRps: slo.rates_rps,
		evidence,
		outcome,
		stoppedEarly: facts.stoppedEarly !== null,
		limiting: table.rows === 0 ? null : slo.limiting,
		reasons,
		...records.length === 0 ? {} : { work: engineWork(view, files.gaps) }
	};
}
function factsOf$1({ lines, table }) {
	const [first] = lines;
	if (first?.t !== "point") throw new GateError({
		code: "point_without_facts",
		message: "telemetry.jsonl.gz does not start with the point’s facts",
		hint: "take the file from the run that wrote it",
		exitCode: EXIT.invalid
	});
	if (table.origin !== null) throw new GateError({
		code: "csv_imported",
		message: `${table.file} holds requests that ${table.origin} sent`,
		hint: "a point is judged from what its own run sent; judge an imported file with `analyze`",
		exitCode: EXIT.invalid
	});
	if (!table.hasTimes && table.rows > 0) throw new GateError({
		code: "csv_without_times",
		message: `${table.file} lacks the columns of microseconds`,
		hint: "a point is judged from the requests.csv that its run wrote; `analyze` judges the seven columns alone",
		exitCode: EXIT.invalid
	});
	return first.facts;
}
function clientEvidence({ calibration = null, manifest }, { key }) {
	return calibration === null ? [] : calibrationEvidence(calibration, manifest, pointNeed(manifest, key.load));
}
function protocolEvidence({ dialect, schedule }, facts) {
	const wrong = [
		...facts.scheduleSha256 === schedule.sha256 ? [] : ["another schedule was replayed"],
		...facts.key.cache === schedule.header.cache ? [] : ["the schedule is of the other cache state"],
		...facts.epoch === pointEpoch(facts.key) ? [] : ["the prompts’ epoch is another point’s"],
		...facts.dialect === dialect.id ? [] : [`the engine was spoken to as ${facts.dialect}`]
	];
	return [{
		probe: "client.schedule",
		state: wrong.length === 0 ? "pass" : "fail",
		required: true,
		blames: "client",
		text: wrong.length === 0 ? `schedule ${facts.scheduleSha256.slice(0, 12)}, epoch ${facts.epoch}` : wrong.join("; ")
	}];
}
async function writeMeasured(pack, order, measured) {
	const paths = pathsOf(pointName(order.key));
	const position = new Map(order.schedule.rows.map((row, index) => [row.id, index]));
	const inOrder = measured.records.toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0));
	await pack.writeGzip(paths.telemetry, encodeTelemetry(measured.lines));
	await pack.write(paths.gaps, encodeGaps(measured.gaps));
	await pack.write(paths.requests, encodeRequestsCsv(inOrder));
	await pack.remove(paths.journal);
}
async function judgeWritten(pack, order) {
	const paths = pathsOf(pointName(order.key));
	const report = await judgeFiles(pack, order);
	await pack.write(paths.slo, sloReportJson(report.slo));
	await pack.write(paths.point, packJson(report));
	return report;
}
async function judgeFiles(pack, order) {
	const paths = pathsOf(pointName(order.key));
	const table = await readRequestsCsv(await readPackText(pack, paths.requests), { file: paths.requests });
	return judgePoint({
		manifest: order.manifest,
		dialect: order.dialect,
		schedule: order.schedule,
		table,
		gaps: decodeGaps(await readPackText(pack, paths.gaps)),
		lines: parseTelemetry(await readPackGzipText(pack, paths.telemetry)),
		calibration: await readCalibration(pack, paths.calibration)
	});
}
function arrivalLaw({ client }) {
	switch (client.arrival_pattern) {
		case "poisson": return { generator: "poisson-1" };
		case "constant": return { generator: "constant-1" };
		case "gamma": {
			const { shape } = client.gamma ?? missing("gamma");
			return {
				generator: "gamma-1",
				pattern: { shape }
			};
		}
		case "burst": {
			const { height, width_share, period_requests } = client.burst ?? missing("burst");
			return {
				generator: "burst-1",
				pattern: {
					height,
					widthShare: width_share,
					periodRequests: period_requests
				}
			};
		}
		case "ramp": {
			const { from, to } = client.ramp ?? missing("ramp");
			return {
				generator: "ramp-1",
				pattern: {
					from,
					to
				}
			};
		}
		case "trace": {
			const { sha256, format } = client.trace ?? missing("trace");
			return {
				generator: "trace-1",
				pattern: {
					sha256,
					format
				}
			};
		}
	}
}
function missing(section) {
	throw new GateError({
		code: "arrival_pattern",
		message: `client.arrival_pattern is ${section}, and there is no client.${section}`,
		hint: `add client.${section}, or choose another pattern`,
		exitCode: EXIT.invalid
	});
}
const LN2_HIGH = .6931471803691238;
const LN2_LOW = 19082149292705877e-26;
const SQRT2 = 1.4142135623730951;
const TWO_52 = 0x10000000000000;
const bits = new DataView(new ArrayBuffer(8));
function ln(x) {
	const isSmall = x < 22250738585072014e-324;
	bits.setFloat64(0, isSmall ? x * TWO_52 : x);
	const high = bits.getUint32(0);
	let exponent = (high >>> 20) - 1023 - (isSmall ? 52 : 0);
	bits.setUint32(0, high & 0xfffff | 1023 << 20);
	let mantissa = bits.getFloat64(0);
	if (mantissa > SQRT2) {
		mantissa /= 2;
		exponent += 1;
	}
	const s = (mantissa - 1) / (mantissa + 1);
	const square = s * s;
	let series = 0;
	for (let odd = 21; odd >= 3; odd -= 2) series = (series + 1 / odd) * square;
	return exponent * LN2_HIGH + (2 * s + (2 * s * series + exponent * LN2_LOW));
}
function exp(x) {
	if (x < -746) return 0;
	if (x > 710) return 1e400;
	const power = Math.round(x / .6931471805599453);
	const rest = x - power * LN2_HIGH - power * LN2_LOW;
	let sum = 1;
	for (let term = 14; term >= 1; term--) sum = 1 + rest / term * sum;
	const half = Math.trunc(power / 2);
	return sum * twoTo(half) * twoTo(power - half);
}
function twoTo(power) {
	bits.setUint32(0, power + 1023 << 20);
	bits.setUint32(4, 0);
	return bits.getFloat64(0);
}
function uniform(random) {
	const high = random.next() >>> 5;
	const low = random.next() >>> 6;
	return (high * 67108864 + low + .5) / 0x20000000000000;
}
function normal(random) {
	for (;;) {
		const x = 2 * uniform(random) - 1;
		const y = 2 * uniform(random) - 1;
		const square = x * x + y * y;
		if (square < 1 && square > 0) return x * Math.sqrt(-2 * ln(square) / square);
	}
}
function marsagliaTsang(shape, random) {
	const d = shape - 1 / 3;
	const c = 1 / Math.sqrt(9 * d);
	for (;;) {
		const x = normal(random);
		const root = 1 + c * x;
		if (root <= 0) continue;
		const v = root * root * root;
		if (ln(uniform(random)) < .5 * x * x + d * (1 - v + ln(v))) return d * v;
	}
}
function unitGamma(shape, random) {
	if (shape >= 1) return marsagliaTsang(shape, random) / shape;
	return marsagliaTsang(shape + 1, random) * exp(ln(uniform(random)) / shape) / shape;
}
function burstTime(pattern, period, passed) {
	const { burstRate, lullRate, burst, halfLull } = parts(pattern, period);
	const whole = Math.floor(passed / period);
	const rest = Math.max(0, passed - whole * period);
	const beforeBurst = lullRate * halfLull;
	const beforeLull = beforeBurst + burstRate * burst;
	const start = whole * period;
	if (rest < beforeBurst) return start + rest / lullRate;
	if (rest <= beforeLull || lullRate === 0) return start + halfLull + Math.min(burst, (rest - beforeBurst) / burstRate);
	return start + halfLull + burst + Math.min(halfLull, (rest - beforeLull) / lullRate);
}
function burstPassed(pattern, period, time) {
	const { burstRate, lullRate, burst, halfLull } = parts(pattern, period);
	const whole = Math.floor(time / period);
	const rest = time - whole * period;
	const inBurst = Math.min(burst, Math.max(0, rest - halfLull));
	return whole * period + inBurst * burstRate + (rest - inBurst) * lullRate;
}
function parts({ height, widthShare }, period) {
	const burst = widthShare * period;
	return {
		burstRate: height,
		lullRate: Math.max(0, (1 - height * widthShare) / (1 - widthShare)),
		burst,
		halfLull: (period - burst) / 2
	};
}
function rampTime({ from, to }, passed) {
	if (passed <= 0) return 0;
	const first = 2 * from / (from + to);
	const last = 2 * to / (from + to);
	const rateThen = Math.sqrt(Math.max(0, first * first + 2 * (last - first) * passed));
	return Math.min(1, 2 * passed / (first + rateThen));
}
function cohortOffsets(law, segments, random) {
	const { generator, pattern } = law;
	const rows = segments.reduce((sum, segment) => sum + segment, 0);
	if (pattern && "from" in pattern) {
		let before = 0;
		return segments.flatMap((segment) => {
			const start = before * MEAN_GAP_US;
			before += segment;
			return rampOffsets(pattern, segment, random).map((offsetUs) => start + offsetUs);
		});
	}
	const next = pattern && "shape" in pattern ? gammaOffsets(pattern.shape, random) : pattern && "height" in pattern ? burstOffsets(pattern, 0, random) : evenOffsets(generator, random);
	return Array.from({ length: rows }, next);
}
function warmupOffsets(law, endUs, random) {
	const { generator, pattern } = law;
	if (endUs <= 0) return [];
	if (generator === "constant-1") return constantBackward(endUs);
	if (pattern && "shape" in pattern) return gammaBackward(pattern.shape, endUs, random);
	if (pattern && "from" in pattern) return upTo(endUs, evenOffsets("poisson-1", random)).map((passedUs) => Math.floor(endUs * rampTime(pattern, passedUs / endUs)));
	if (pattern && "height" in pattern) {
		const periodUs = pattern.periodRequests * MEAN_GAP_US;
		return upTo(endUs, burstOffsets(pattern, Math.ceil(endUs / periodUs) * periodUs - endUs, random));
	}
	return upTo(endUs, evenOffsets("poisson-1", random));
}
function upTo(endUs, next) {
	const offsets = [];
	for (let offsetUs = next(); offsetUs <= endUs; offsetUs = next()) offsets.push(offsetUs);
	return offsets;
}
function evenOffsets(generator, random) {
	let offsetUs = 0;
	return () => offsetUs += generator === "constant-1" ? MEAN_GAP_US : exponentialGapUs(random);
}
function gammaOffsets(shape, random) {
	let sumUs = 0;
	return () => Math.round(sumUs += unitGamma(shape, random) * MEAN_GAP_US);
}
function constantBackward(endUs) {
	const rows = Math.ceil(endUs / MEAN_GAP_US);
	return Array.from({ length: rows }, (_, index) => endUs - (rows - 1 - index) * MEAN_GAP_US);
}
function gammaBackward(shape, endUs, random) {
	const offsets = [];
	for (let leftUs = endUs; leftUs >= 0; leftUs -= unitGamma(shape, random) * MEAN_GAP_US) offsets.push(Math.round(leftUs));
	return offsets.reverse();
}
function burstOffsets(pattern, startUs, random) {
	const periodUs = pattern.periodRequests * MEAN_GAP_US;
	let passedUs = burstPassed(pattern, periodUs, startUs);
	let lastUs = 0;
	return () => {
		passedUs += exponentialGapUs(random);
		lastUs = Math.max(lastUs, Math.floor(burstTime(pattern, periodUs, passedUs) - startUs));
		return lastUs;
	};
}
function rampOffsets(pattern, rows, random) {
	const sums = Array.from({ length: rows }, evenOffsets("poisson-1", random));
	const total = (sums.at(-1) ?? 0) + exponentialGapUs(random);
	return sums.map((sum) => Math.floor(rows * MEAN_GAP_US * rampTime(pattern, sum / total)));
}
const HALF_CHARACTER = "a text with half of a character (a surrogate without its other half)";
const MOST_CHARACTERS = 4194304;
function refuse$1({ file }, line, what, hint, cause) {
	const message = `${file}${line === null ? "" : `, line ${line}`}: ${what}`;
	return new GateError({
		code: "dataset_malformed",
		message,
		hint,
		exitCode: EXIT.invalid,
		cause
	});
}
function parseDataset(bytes, source) {
	const lines = decode(bytes, source).split(/\r?\n/);
	const found = source.format === "text" ? paragraphs(lines) : jsonLines(lines, source);
	if (found.length === 0) throw refuse$1(source, null, "there is no text in it", "check that this is the file you mean");
	for (const { text, line } of found) {
		if (!text.isWellFormed()) throw refuse$1(source, line, HALF_CHARACTER, "write the whole character, or take it out");
		if (text.length <= MOST_CHARACTERS) continue;
		throw refuse$1(source, line, `a text of ${text.length} characters; at most ${MOST_CHARACTERS} are taken`, "part texts by blank lines (text), or write one a line (jsonl)");
	}
	return {
		texts: found.map(({ text }) => text),
		classes: classesOf(found, source)
	};
}
function decode(bytes, source) {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (error) {
		throw refuse$1(source, null, "it is not UTF-8 text", "hand it in uncompressed, as UTF-8", error);
	}
}
function paragraphs(lines) {
	const found = [];
	let isOpen = false;
	for (const [index, line] of lines.entries()) {
		const last = found.at(-1);
		if (line.trim() === "") isOpen = false;
		else if (isOpen && last) last.text += `\n${line}`;
		else found.push({
			text: line,
			line: index + 1,
			class: void 0
		});
		if (line.trim() !== "") isOpen = true;
	}
	return found;
}
function jsonLines(lines, source) {
	return lines.flatMap((line, index) => {
		if (line.trim() === "") return [];
		const hint = `each line is a JSON object whose field ${source.field} is a text`;
		let value;
		try {
			value = JSON.parse(line);
		} catch (error) {
			throw refuse$1(source, index + 1, "it is not JSON", hint, error);
		}
		if (typeof value !== "object" || value === null) throw refuse$1(source, index + 1, "it is no JSON object", hint);
		const fields = new Map(Object.entries(value));
		const text = fields.get(source.field);
		if (typeof text !== "string" || text.trim() === "") throw refuse$1(source, index + 1, `it has no text in the field ${source.field}`, hint);
		return [{
			text,
			line: index + 1,
			class: fields.get("class")
		}];
	});
}
function classesOf(found, source) {
	const known = new Set(source.classNames);
	if (!found.some((text) => known.has(text.class))) return null;
	const hint = "let every line name one of them in the field class, or none";
	const stranger = found.find((text) => !known.has(text.class));
	if (stranger) throw refuse$1(source, stranger.line, "it names no class of the workload, as others do", hint);
	const missing = source.classNames.find((name) => !found.some((text) => text.class === name));
	if (missing !== void 0) throw refuse$1(source, null, `no text is of the class ${missing}`, hint);
	return found.map((text) => String(text.class));
}
function textPools(dataset) {
	const all = dataset.texts.map((_, index) => index);
	const { classes } = dataset;
	return classes === null ? () => all : (name) => all.filter((index) => classes[index] === name);
}
const TOP_WEIGHT = 100000000n;
const EXPONENT_PARTS = 100;
function power(base, exponent) {
	let result = 1n;
	for (let square = base, left = exponent; left > 0; left = Math.floor(left / 2), square *= square) if (left % 2 === 1) result *= square;
	return result;
}
function greatestCommonDivisor(a, b) {
	return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
function fraction(exponent) {
	const parts = Math.round(exponent * EXPONENT_PARTS);
	if (!(exponent >= 0 && exponent <= 10) || Math.abs(exponent * EXPONENT_PARTS - parts) > 1e-9) throw new GateError({
		code: "zipf_exponent",
		message: `cache.warm.exponent ${exponent} is not between 0 and 10 with at most two decimals`,
		hint: "write it with two decimals, such as 1.0 or 0.99: only those give the same bytes on every machine",
		exitCode: EXIT.invalid
	});
	const divisor = greatestCommonDivisor(parts, EXPONENT_PARTS);
	return {
		over: parts / divisor,
		under: EXPONENT_PARTS / divisor
	};
}
function zipfWeights(count, exponent) {
	const { over, under } = fraction(exponent);
	const top = power(TOP_WEIGHT, under);
	const weights = [];
	let previous = TOP_WEIGHT;
	for (let rank = 1; rank <= count; rank++) {
		const share = top / power(BigInt(rank), over);
		let low = 1n;
		let high = previous;
		while (low < high) {
			const middle = (low + high + 1n) / 2n;
			if (power(middle, under) <= share) low = middle;
			else high = middle - 1n;
		}
		previous = low;
		weights.push(Number(low));
	}
	return weights;
}
function prefixDrawer(prefixes, random) {
	let total = 0;
	const upTo = prefixes.map((prefix) => total += prefix.weight);
	return () => {
		if (total === 0) return void 0;
		const drawn = uniformInt(random, 0, total - 1);
		let low = 0;
		let high = upTo.length - 1;
		while (low < high) {
			const middle = low + high >> 1;
			if ((upTo[middle] ?? 0) > drawn) high = middle;
			else low = middle + 1;
		}
		return prefixes[low]?.id;
	};
}
function drawRows({ header, kind, seed, mix, offsetsUs, cancellation }) {
	const drawPrefix = prefixDrawer(header.prefixes, randomStream(`schedule-1 ${seed} prefixes`));
	const drawCancellation = cancellation && cancelDrawer(cancellation, randomStream(`schedule-1 ${seed} cancellations`));
	const nextTurn = sessionDrawer(kind);
	const drawText = textDrawer(randomStream(`schedule-1 ${seed} texts`));
	return mix.map((shape, index) => {
		const { name, outputTokens } = shape;
		const row = {
			id: requestId(kind, index + 1),
			class: name,
			offsetUs: offsetsUs[index] ?? 0,
			inputTokens: shape.inputTokens,
			outputTokens
		};
		const prefix = drawPrefix();
		if (prefix !== void 0) row.prefix = prefix;
		if (shape.session) nextTurn(row, shape);
		const cancelAfterTokens = drawCancellation?.(outputTokens);
		if (cancelAfterTokens !== void 0) row.cancelAfterTokens = cancelAfterTokens;
		if (shape.texts) row.text = drawText(shape.texts);
		return row;
	});
}
function cancelDrawer({ share, afterTokens }, random) {
	return (outputTokens) => (random.next() >>> 0) / 4294967296 < share && afterTokens < outputTokens ? afterTokens : void 0;
}
function sessionDrawer(kind) {
	const dealers = new Map();
	const prefixes = new Map();
	return (row, shape) => {
		if (!shape.session) return;
		const { name, session: sessionShape } = shape;
		const dealer = dealers.get(name) ?? turnDealer(sessionShape, shape);
		dealers.set(name, dealer);
		const { number, turn, inputTokens } = dealer();
		row.session = sessionId$1(name, number, kind);
		row.turn = turn;
		row.inputTokens = inputTokens;
		if (turn > 0) row.thinkUs = sessionShape.thinkUs;
		if (row.prefix === void 0) return;
		if (turn === 0) prefixes.set(row.session, row.prefix);
		else row.prefix = prefixes.get(row.session) ?? row.prefix;
	};
}
function textDrawer(random) {
	const left = new Map();
	return (pool) => {
		let rest = left.get(pool) ?? [];
		if (rest.length === 0) rest = shuffle([...pool], random);
		left.set(pool, rest);
		return rest.pop() ?? 0;
	};
}
function headerLine(header) {
	const { version, cache, generator, pattern, seed, initialRequests, extensionRequests, blockRequests } = header;
	const { warmupSeed, prefixSet, dataset } = header;
	const prefixes = header.prefixes.map(({ id, tokens, weight }) => ({
		id,
		tokens,
		weight
	}));
	const process = {
		generator,
		pattern: pattern && orderedPattern(pattern)
	};
	const counts = {
		initialRequests,
		extensionRequests,
		blockRequests
	};
	const texts = dataset && {
		sha256: dataset.sha256,
		texts: dataset.texts
	};
	return JSON.stringify({
		version,
		cache,
		...process,
		seed,
		...counts,
		warmupSeed,
		prefixSet,
		prefixes,
		dataset: texts
	});
}
function orderedPattern(pattern) {
	if ("shape" in pattern) return { shape: pattern.shape };
	if ("height" in pattern) {
		const { height, widthShare, periodRequests } = pattern;
		return {
			height,
			widthShare,
			periodRequests
		};
	}
	if ("from" in pattern) return {
		from: pattern.from,
		to: pattern.to
	};
	return {
		sha256: pattern.sha256,
		format: pattern.format
	};
}
function rowLine(row) {
	const { id, class: name, offsetUs, inputTokens, outputTokens, prefix, session, turn, thinkUs } = row;
	const { cancelAfterTokens, text } = row;
	return JSON.stringify({
		id,
		class: name,
		offsetUs,
		inputTokens,
		outputTokens,
		prefix,
		session,
		turn,
		thinkUs,
		cancelAfterTokens,
		text
	});
}
function freezeSchedule(header, rows) {
	const lines = [
		headerLine(header),
		...rows.map(rowLine),
		""
	];
	const bytes = new TextEncoder().encode(lines.join("\n"));
	return {
		schedule: {
			header,
			rows,
			sha256: sha256Hex(bytes)
		},
		bytes
	};
}
function refuse(code, message, hint) {
	return new GateError({
		code,
		message,
		hint,
		exitCode: EXIT.invalid
	});
}
function traceMix(manifest, rows, needed) {
	const file = manifest.client.trace?.file ?? "the trace";
	if (rows.length < needed) throw refuse("trace_too_short", `${file} has ${showNumber(rows.length)} requests; the schedule needs ${showNumber(needed)}`, "lower client.initial_scheduled_requests or client.extension_requests, or take a longer trace");
	return rows.slice(0, needed).map((row) => {
		const { inputTokens, outputTokens } = row;
		const takes = ({ input_tokens: input, output_tokens: output }) => inputTokens <= input && outputTokens <= output;
		const named = manifest.workload.find(({ name }) => name === row.class);
		const shape = row.class === null ? manifest.workload.find(takes) : named;
		if (shape && takes(shape)) return {
			name: shape.name,
			inputTokens,
			outputTokens,
			weight: 1
		};
		const lengths = `${showNumber(inputTokens)} input and ${showNumber(outputTokens)} output tokens`;
		throw refuse("trace_class", row.class !== null && !named ? `${file}, row ${row.line}: the workload has no class ${showValue(row.class)}` : `${file}, row ${row.line}: ${row.class === null ? "no class takes" : `the class ${showValue(row.class)} does not take`} ${lengths}`, "give the workload such a class (input_tokens and output_tokens are the most that it takes), or take such rows out of the trace");
	});
}
function requireTraceCounts(manifest, initial) {
	const found = new Map(manifest.workload.map(({ name }) => [name, 0]));
	for (const { name } of initial) found.set(name, (found.get(name) ?? 0) + 1);
	const { class_schedule_counts: declared, trace } = manifest.client;
	if ([...found].every(([name, count]) => (Object.hasOwn(declared, name) ? declared[name] : 0) === count)) return;
	const actual = [...found].map(([name, count]) => `${name}: ${count}`).join(", ");
	throw refuse("trace_counts", `the first ${showNumber(initial.length)} requests of ${trace?.file ?? "the trace"} are of other classes than client.class_schedule_counts says`, `if the trace and the workload are meant so, write class_schedule_counts: {${actual}} and each class's mix to match; \`profile\` writes such sections`);
}
function traceToUnitRate(rows, over = rows.length) {
	const counted = Math.min(rows.length, Math.max(2, over));
	const spanUs = rows[counted - 1]?.atUs ?? 0;
	if (counted > 1 && spanUs === 0) throw new GateError({
		code: "trace_no_span",
		message: `the trace's first ${counted} requests all came at the same time: there is no rate to scale`,
		hint: "take more of the trace, or another arrival pattern",
		exitCode: EXIT.invalid
	});
	const numerator = BigInt(counted - 1) * BigInt(MEAN_GAP_US);
	const denominator = BigInt(Math.max(1, spanUs));
	return rows.map(({ atUs }) => MEAN_GAP_US + Number(BigInt(atUs) * numerator / denominator));
}
function invalid$1(code, message, hint) {
	return new GateError({
		code,
		message,
		hint,
		exitCode: EXIT.invalid
	});
}
function classShapes(manifest, dataset) {
	const counts = manifest.client.class_schedule_counts;
	const poolOf = dataset && textPools(dataset);
	const shapes = manifest.workload.map(({ name, input_tokens, output_tokens, session }) => {
		const { turns = 0, concurrent = 0, think_seconds = 0 } = session ?? {};
		return {
			name,
			inputTokens: input_tokens,
			outputTokens: output_tokens,
			weight: Object.hasOwn(counts, name) ? counts[name] ?? 0 : 0,
			...session ? { session: {
				turns,
				concurrent,
				thinkUs: Math.round(think_seconds * 1e6)
			} } : {},
			...poolOf ? { texts: poolOf(name) } : {}
		};
	});
	const names = new Set(shapes.map((shape) => shape.name));
	const stranger = Object.keys(counts).find((name) => !names.has(name));
	const sum = shapes.reduce((total, shape) => total + shape.weight, 0);
	if (stranger !== void 0 || names.size !== shapes.length || sum !== manifest.client.initial_scheduled_requests) throw invalid$1("schedule_counts", stranger === void 0 ? `client.class_schedule_counts gives ${sum} requests, client.initial_scheduled_requests ${manifest.client.initial_scheduled_requests}` : `client.class_schedule_counts names the class ${stranger}, which the workload does not have`, "give each class of the workload its count, so that the counts sum to client.initial_scheduled_requests");
	return shapes;
}
function checkLengths(manifest, shapes, prefixTokens) {
	const isText = manifest.client.prompt === "text";
	const own = uniqueTokens(isText ? WORD_RANGE : manifest.model.prompt_token_ids ?? DEFAULT_TOKEN_RANGE);
	const short = shapes.find((shape) => shape.inputTokens < prefixTokens + own);
	if (short) throw invalid$1("prompt_too_short", `class ${short.name} has ${short.inputTokens} input tokens: fewer than a prefix of ${prefixTokens} and ${own} of its own`, "lengthen the class (of a trace: take such rows out), or shorten cache.warm.tokens, which count inside input_tokens");
}
function warmPrefixes(manifest) {
	const warm = manifest.cache?.warm;
	if (!warm) throw invalid$1("cache_state_not_declared", "a warm schedule was asked for, but the manifest has no cache.warm", "declare cache.warm (prefix_set, count, tokens, hit_rate_min), or ask for the cold schedule");
	return (warm.law === "zipf" ? zipfWeights(warm.count, warm.exponent) : Array.from({ length: warm.count }, () => 1)).map((weight, index) => ({
		id: requestId("p", index + 1),
		tokens: warm.tokens,
		weight
	}));
}
function scheduleSizes(manifest, requests) {
	const { initial_scheduled_requests: initial, extension_requests: block, extension_blocks: blocks } = manifest.client;
	if (requests === void 0) return {
		initial,
		extension: block * blocks,
		block
	};
	if (!Number.isSafeInteger(requests) || requests < 1) throw new GateError({
		code: "usage",
		message: `${requests} is no number of requests`,
		hint: "give a whole number from 1 on",
		exitCode: EXIT.usage
	});
	const extension = Math.max(0, requests - initial);
	return {
		initial: Math.min(requests, initial),
		extension,
		block: extension === 0 ? 0 : block || extension
	};
}
function segmentsOf({ initial, extension, block }) {
	const segments = [initial];
	for (let start = 0; start < extension; start += block) segments.push(Math.min(block, extension - start));
	return segments;
}
function buildSchedule(manifest, cache, options = {}) {
	const classes = classShapes(manifest, options.dataset);
	const sizes = scheduleSizes(manifest, options.requests);
	const { initial, extension } = sizes;
	if (initial + extension > 2e6) throw invalid$1("too_many_requests", `${initial + extension} requests are asked for`, `ask for at most ${MOST_REQUESTS}`);
	const { requests, dataset } = options;
	const header = scheduleHeader(manifest, cache, {
		...requests === void 0 ? {} : { requests },
		...dataset ? { texts: dataset.texts.length } : {}
	});
	const { seed, prefixes } = header;
	const { mix, offsetsUs } = header.generator === "trace-1" ? traceArrivals(manifest, sizes, options) : seededArrivals(header, classes, segmentsOf(sizes));
	checkLengths(manifest, header.generator === "trace-1" ? mix : classes, prefixes[0]?.tokens ?? 0);
	return freezeSchedule(header, drawRows({
		header,
		kind: "r",
		seed,
		mix,
		offsetsUs,
		cancellation: planned$1(manifest)
	}));
}
function scheduleHeader(manifest, cache, { requests, texts } = {}) {
	const { request_schedule_seed: seed, dataset } = manifest.client;
	const { initial, extension, block } = scheduleSizes(manifest, requests);
	const isWarm = cache === "warm";
	const prefixes = isWarm ? warmPrefixes(manifest) : [];
	return {
		version: 1,
		cache,
		...arrivalLaw(manifest),
		seed,
		initialRequests: initial,
		extensionRequests: extension,
		blockRequests: block,
		warmupSeed: Number.parseInt(sha256Hex(`schedule-1 warm-up of ${seed}`).slice(0, 8), 16),
		...isWarm && manifest.cache?.warm ? { prefixSet: manifest.cache.warm.prefix_set } : {},
		prefixes,
		...dataset && texts !== void 0 ? { dataset: {
			sha256: dataset.sha256,
			texts
		} } : {}
	};
}
function seededArrivals(header, classes, segments) {
	return {
		mix: segments.flatMap((rows, number) => shuffledMix(classes, rows, randomStream(`schedule-1 ${header.seed} classes ${number}`))),
		offsetsUs: cohortOffsets(header, segments, randomStream(`schedule-1 ${header.seed} arrivals`))
	};
}
function traceArrivals(manifest, { initial, extension }, options) {
	if (!options.trace) throw new Error("the schedule of a trace was asked for without its rows");
	const rows = options.trace.slice(0, initial + extension);
	const mix = traceMix(manifest, rows, initial + extension);
	if (initial === manifest.client.initial_scheduled_requests) requireTraceCounts(manifest, mix.slice(0, initial));
	return {
		mix,
		offsetsUs: traceToUnitRate(rows, initial)
	};
}
function planned$1({ client }) {
	if (client.cancellation === "none") return null;
	return {
		share: client.cancellation.share,
		afterTokens: client.cancellation.after_tokens
	};
}
const parse$1 = function(data, opts = {}) {
	if (typeof data === "string") data = Buffer.from(data);
	const records = opts && opts.objname ? Object.create(null) : [];
	const parser = transform(opts);
	const push = (record) => {
		if (parser.options.objname === void 0) records.push(record);
		else records[record[0]] = record[1];
	};
	const close = () => {};
	const error = parser.parse(data, true, push, close);
	if (error !== void 0) throw error;
	return records;
};
function traceRefusal(file, { code, row, column, what, hint, cause }) {
	const place = [
		file,
		row === void 0 ? "" : `row ${row}`,
		column === void 0 ? "" : `column ${column}`
	];
	return new GateError({
		code,
		message: `${place.filter(Boolean).join(", ")}: ${what}`,
		hint,
		exitCode: EXIT.invalid,
		...cause === void 0 ? {} : { cause }
	});
}
function refuseCell(cell, value, what, hint) {
	throw traceRefusal(cell.file, {
		code: "trace_row",
		row: cell.row,
		column: cell.column,
		what: value === void 0 ? `is missing` : `${showValue(value, 40)} ${what}`,
		hint
	});
}
const MOST_TOKENS = 1e8;
const WHOLE = /^\d{1,15}$/;
const SECONDS = /^\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/;
function tokens(cell, value) {
	const length = typeof value === "string" && WHOLE.test(value) ? Number(value) : value;
	if (typeof length !== "number" || !Number.isInteger(length) || length < 0) return refuseCell(cell, value, "is no whole number of tokens from 1 up", "write digits only");
	if (length === 0) return refuseCell(cell, value, "tokens: there is nothing to replay", "a request without tokens cannot be replayed: take such rows out of the trace");
	if (length > 1e8) return refuseCell(cell, value, `is more than ${MOST_TOKENS} tokens`, "lengths are tokens, not bytes or identifiers");
	return length;
}
function clockUs(cell, value, unitUs, unit) {
	const time = typeof value === "string" && SECONDS.test(value) ? Number(value) : value;
	if (typeof time !== "number" || !Number.isFinite(time) || time < 0) return refuseCell(cell, value, `is no time in ${unit} from 0 up`, "write a decimal number");
	const us = Math.round(time * unitUs);
	if (!Number.isSafeInteger(us)) return refuseCell(cell, value, `is beyond 2⁵³ microseconds`, `times are ${unit}: look for another unit`);
	return us;
}
const STAMP = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-](?:0\d|1\d|2[0-3]):?[0-5]\d)?$/;
function stamp(cell, value) {
	const found = STAMP.exec(value);
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (found ?? []).slice(1, 7).map(Number);
	const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
	if (found === null || !isDay || hour > 23 || minute > 59 || second > 59) return refuseCell(cell, value, "is no date and time", "write 2023-11-16 18:17:03.9799600, or with +00:00 after it");
	const zone = found[8];
	const minutes = (daysFrom1970(year, month, day) * 24 + hour) * 60 + minute - zoneMinutes(zone);
	const micros = Number((found[7] ?? "").padEnd(6, "0").slice(0, 6));
	return {
		us: (minutes * 60 + second) * 1e6 + micros,
		hasZone: zone !== void 0
	};
}
function zoneMinutes(zone) {
	if (zone === void 0 || zone === "Z") return 0;
	const digits = zone.replaceAll(/\D/g, "");
	const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
	return zone.startsWith("-") ? -minutes : minutes;
}
function daysOf(year, month) {
	if (month !== 2) return [
		4,
		6,
		9,
		11
	].includes(month) ? 30 : 31;
	return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
function daysFrom1970(year, month, day) {
	const marchYear = month > 2 ? year : year - 1;
	const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
	const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
	return marchYear * 365 + leapDays + dayOfYear - 719468;
}
function blockIds(cell, value) {
	if (!Array.isArray(value)) return refuseCell(cell, value, "is no list of block ids", "write [0, 1, 2]");
	const wrong = value.find((id) => !Number.isSafeInteger(id) || id < 0);
	if (wrong === void 0) return value;
	return refuseCell(cell, wrong, "is no block id", "number the blocks from 0 up; beyond 2⁵³ two of them could not be told apart");
}
function csvCells(file, row, line) {
	if (!line.includes("\"")) return line.split(",").map((cell) => cell.trim());
	try {
		const [cells = []] = parse$1(line, {
			relax_column_count: true,
			trim: true
		});
		return cells;
	} catch (cause) {
		throw traceRefusal(file, {
			code: "trace_row",
			row,
			what: cause instanceof CsvError ? "its quotes do not match" : "is no row of a CSV file",
			hint: "write a quote inside a quoted cell twice",
			cause
		});
	}
}
var CsvHeader = class {
	#file;
	#names;
	constructor(file, row, names, needed) {
		this.#file = file;
		this.#names = names;
		const lacking = needed.filter((name) => !names.includes(name));
		const twice = names.find((name, index) => name !== "" && names.indexOf(name) !== index);
		if (lacking.length === 0 && twice === void 0) return;
		throw traceRefusal(file, {
			code: "trace_header",
			row,
			what: twice === void 0 ? `the header lacks ${lacking.join(", ")}` : `the column ${twice} stands twice`,
			hint: `the header names ${needed.join(", ")}`
		});
	}
	read(row, line) {
		const cells = csvCells(this.#file, row, line);
		if (cells.length !== this.#names.length) {
			const what = `has ${cells.length} cells where the header has ${this.#names.length}`;
			const missing = this.#names[cells.length];
			const at = missing === void 0 ? {} : { column: missing };
			throw traceRefusal(this.#file, {
				code: "trace_row",
				row,
				...at,
				what,
				hint: "look for a row that was cut off"
			});
		}
		return (column) => cells[this.#names.indexOf(column)] ?? "";
	}
	has(column) {
		return this.#names.includes(column);
	}
};
const AZURE_COLUMNS = [
	"TIMESTAMP",
	"ContextTokens",
	"GeneratedTokens"
];
const BURSTGPT_COLUMNS = [
	"Timestamp",
	"Request tokens",
	"Response tokens"
];
function azureRows(file, headerRow, headerLine) {
	const header = new CsvHeader(file, headerRow, csvCells(file, headerRow, headerLine), AZURE_COLUMNS);
	let zoned = null;
	return (row, line) => {
		const read = header.read(row, line);
		const cell = (column) => ({
			file,
			row,
			column
		});
		const clockText = read("TIMESTAMP");
		const { us, hasZone } = stamp(cell("TIMESTAMP"), clockText);
		zoned ??= hasZone;
		if (zoned !== hasZone) throw traceRefusal(file, {
			code: "trace_row",
			row,
			column: "TIMESTAMP",
			what: `${JSON.stringify(clockText)} has ${hasZone ? "a" : "no"} zone, unlike the rows before`,
			hint: "write all times alike"
		});
		return {
			clockUs: us,
			clockText,
			inputTokens: tokens(cell("ContextTokens"), read("ContextTokens")),
			outputTokens: tokens(cell("GeneratedTokens"), read("GeneratedTokens")),
			class: null,
			session: null,
			blocks: null
		};
	};
}
function burstgptRows(file, headerRow, headerLine) {
	const header = new CsvHeader(file, headerRow, csvCells(file, headerRow, headerLine), BURSTGPT_COLUMNS);
	const hasSessions = header.has("Session ID");
	return (row, line) => {
		const read = header.read(row, line);
		if (read("Response tokens") === "0") return null;
		const cell = (column) => ({
			file,
			row,
			column
		});
		const clockText = read("Timestamp");
		return {
			clockUs: clockUs(cell("Timestamp"), clockText, 1e6, "seconds"),
			clockText,
			inputTokens: tokens(cell("Request tokens"), read("Request tokens")),
			outputTokens: tokens(cell("Response tokens"), read("Response tokens")),
			class: null,
			session: hasSessions ? read("Session ID") || null : null,
			blocks: null
		};
	};
}
const CLASS_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const OWN_KEYS = [
	"timestampUs",
	"inputTokens",
	"outputTokens",
	"class",
	"session",
	"hashIds"
];
function jsonObject(file, row, line) {
	let value;
	try {
		value = JSON.parse(line);
	} catch (cause) {
		throw traceRefusal(file, {
			code: "trace_row",
			row,
			what: "is no JSON",
			hint: "write one object a line",
			cause
		});
	}
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	throw traceRefusal(file, {
		code: "trace_row",
		row,
		what: "is no JSON object",
		hint: "write one object a line"
	});
}
function mooncakeRow(file, row, line) {
	const value = jsonObject(file, row, line);
	if ("chat_id" in value) throw traceRefusal(file, {
		code: "trace_format",
		row,
		column: "chat_id",
		what: "this is a Bailian trace: its timestamps are seconds, not milliseconds",
		hint: "make it one of Mooncake's: jq -c '.timestamp *= 1000 | del(.chat_id)'"
	});
	const cell = (column) => ({
		file,
		row,
		column
	});
	const ids = value["hash_ids"];
	return {
		clockUs: clockUs(cell("timestamp"), value["timestamp"], 1e3, "milliseconds"),
		clockText: String(value["timestamp"]),
		inputTokens: tokens(cell("input_length"), value["input_length"]),
		outputTokens: tokens(cell("output_length"), value["output_length"]),
		class: null,
		session: sessionId(cell("session_id"), value["session_id"]),
		blocks: ids === void 0 || ids === null ? null : blockIds(cell("hash_ids"), ids)
	};
}
function ownRow(file, row, line) {
	const value = jsonObject(file, row, line);
	const cell = (column) => ({
		file,
		row,
		column
	});
	const stranger = Object.keys(value).find((key) => !OWN_KEYS.includes(key));
	if (stranger !== void 0) throw traceRefusal(file, {
		code: "trace_row",
		row,
		what: `has the unknown key ${JSON.stringify(stranger.slice(0, 40))}`,
		hint: `the keys are ${OWN_KEYS.join(", ")}`
	});
	const { timestampUs, hashIds } = value;
	if (timestampUs !== void 0 && !Number.isSafeInteger(timestampUs)) refuseCell(cell("timestampUs"), timestampUs, "is no whole number of microseconds", "write 1500000 for 1.5 s");
	return {
		clockUs: clockUs(cell("timestampUs"), timestampUs, 1, "microseconds"),
		clockText: String(timestampUs),
		inputTokens: tokens(cell("inputTokens"), value["inputTokens"]),
		outputTokens: tokens(cell("outputTokens"), value["outputTokens"]),
		class: className(cell("class"), value["class"]),
		session: sessionId(cell("session"), value["session"]),
		blocks: hashIds === void 0 || hashIds === null ? null : blockIds(cell("hashIds"), hashIds)
	};
}
function className(cell, value) {
	if (value === void 0 || value === null) return null;
	if (typeof value === "string" && CLASS_NAME.test(value)) {
		if (!isReservedClassName(value)) return value;
		return refuseCell(cell, value, "is no name that a manifest’s class can have", "choose another name");
	}
	return refuseCell(cell, value, "is no class's name", "use letters, digits, _, . and - (at most 64)");
}
function sessionId(cell, value) {
	if (value === void 0 || value === null || value === "") return null;
	const id = typeof value === "number" ? String(value) : value;
	if (typeof id === "string" && id.length <= 256) return id;
	return refuseCell(cell, value, "is no session", "write a text of at most 256 characters, or a number");
}
const MOST_LINE_BYTES = 1048576;
const NEWLINE = 10;
const BYTE_ORDER_MARK = "﻿";
var LineSplitter = class {
	#file;
	#kept = new Uint8Array(4096);
	#keptBytes = 0;
	#line = 0;
	constructor(file) {
		this.#file = file;
	}
	get line() {
		return this.#line;
	}
	get heldBytes() {
		return this.#kept.length;
	}
	push(bytes, take) {
		const end = bytes.lastIndexOf(NEWLINE);
		if (end < 0) return this.#keep(bytes);
		const whole = bytes.subarray(0, end);
		if (this.#keptBytes === 0) this.#handOut(whole, take);
		else {
			const first = bytes.indexOf(NEWLINE);
			this.#keep(bytes.subarray(0, first));
			const kept = this.#kept.subarray(0, this.#keptBytes);
			this.#keptBytes = 0;
			this.#handOut(kept, take);
			if (first < end) this.#handOut(bytes.subarray(first + 1, end), take);
		}
		this.#keep(bytes.subarray(end + 1));
	}
	end(take) {
		if (this.#keptBytes > 0) this.#handOut(this.#kept.subarray(0, this.#keptBytes), take);
		this.#keptBytes = 0;
	}
	#keep(bytes) {
		const total = this.#keptBytes + bytes.length;
		if (total > 1048576) throw this.#tooLong(this.#line + 1);
		if (total > this.#kept.length) {
			const larger = new Uint8Array(Math.min(MOST_LINE_BYTES, Math.max(total, 2 * this.#kept.length)));
			larger.set(this.#kept.subarray(0, this.#keptBytes));
			this.#kept = larger;
		}
		this.#kept.set(bytes, this.#keptBytes);
		this.#keptBytes = total;
	}
	#handOut(bytes, take) {
		for (const text of this.#decode(bytes).split("\n")) {
			this.#line++;
			if (text.length > 1048576) throw this.#tooLong(this.#line);
			const line = this.#line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
			take(line.endsWith("\r") ? line.slice(0, -1) : line);
		}
	}
	#decode(bytes) {
		try {
			return new TextDecoder("utf-8", {
				fatal: true,
				ignoreBOM: true
			}).decode(bytes);
		} catch (cause) {
			throw traceRefusal(this.#file, {
				code: "trace_not_text",
				row: this.#line + 1 + linesBeforeTheFault(bytes),
				what: "is no text in UTF-8",
				hint: "hand in the trace as UTF-8 text, or that compressed by gzip",
				cause
			});
		}
	}
	#tooLong(row) {
		return traceRefusal(this.#file, {
			code: "trace_line",
			row,
			what: `is longer than ${MOST_LINE_BYTES} bytes`,
			hint: "a trace has one request a line, its lines ended by \\n or \\r\\n"
		});
	}
};
function linesBeforeTheFault(bytes) {
	const decoder = new TextDecoder("utf-8", { fatal: true });
	for (let from = 0, line = 0;; line++) {
		const end = bytes.indexOf(NEWLINE, from);
		try {
			decoder.decode(bytes.subarray(from, end < 0 ? bytes.length : end));
		} catch {
			return line;
		}
		if (end < 0) return line;
		from = end + 1;
	}
}
const TRACE_FORMATS = [
	"mooncake",
	"azure",
	"burstgpt",
	"jsonl"
];
const GZIP = [31, 139];
const SLICE_BYTES = 262144;
var TraceReader = class {
	#file;
	#lines;
	#format;
	#read = null;
	#rows = 0;
	#failed = 0;
	#seenBytes = 0;
	#first = 0;
	#last = null;
	#lastLine = 0;
	constructor({ file, format }) {
		this.#file = file;
		this.#format = format;
		this.#lines = new LineSplitter(file);
	}
	get format() {
		return this.#format;
	}
	get rows() {
		return this.#rows;
	}
	get failed() {
		return this.#failed;
	}
	get heldBytes() {
		return this.#lines.heldBytes;
	}
	push(bytes) {
		if (this.#seenBytes === 0 && bytes[0] === GZIP[0] && (bytes.length < 2 || bytes[1] === GZIP[1])) throw this.#refuse("trace_compressed", "it is compressed by gzip", "expand it first: gunzip -c trace.gz");
		this.#seenBytes += bytes.length;
		const rows = [];
		for (let from = 0; from < bytes.length; from += SLICE_BYTES) this.#lines.push(bytes.subarray(from, from + SLICE_BYTES), (line) => this.#take(line, rows));
		return rows;
	}
	end() {
		const rows = [];
		this.#lines.end((line) => this.#take(line, rows));
		if (this.#rows > 0) return rows;
		const what = this.#failed > 0 ? `all ${this.#failed} requests had failed` : "there is no request";
		throw this.#refuse("trace_empty", what, "check that this is the file you mean, and that what writes it had finished");
	}
	#take(line, rows) {
		if (line.trim() === "") return;
		const { line: number } = this.#lines;
		if (this.#read === null) {
			this.#format ??= formatOf(this.#file, number, line);
			this.#read = rowReader(this.#file, this.#format, number, line);
			if (this.#format === "azure" || this.#format === "burstgpt") return;
		}
		const row = this.#read(number, line);
		if (row === null) {
			this.#failed++;
			return;
		}
		this.#checkOrder(row, number);
		const { clockText: _, clockUs, ...rest } = row;
		if (this.#rows++ === 0) this.#first = clockUs;
		rows.push({
			atUs: clockUs - this.#first,
			...rest,
			line: number
		});
		this.#last = row;
		this.#lastLine = number;
	}
	#checkOrder(row, line) {
		const last = this.#last;
		if (last === null || row.clockUs >= last.clockUs) return;
		throw traceRefusal(this.#file, {
			code: "trace_order",
			row: line,
			what: `its time ${row.clockText.slice(0, 40)} comes before ${last.clockText.slice(0, 40)} of row ${this.#lastLine}`,
			hint: `sort the trace by time, keeping equal times as they are: ${SORTING[this.#format ?? "jsonl"]}`
		});
	}
	#refuse(code, what, hint) {
		return traceRefusal(this.#file, {
			code,
			what,
			hint
		});
	}
};
const SORTING = {
	mooncake: "jq -cs \"sort_by(.timestamp)[]\"",
	jsonl: "jq -cs \"sort_by(.timestampUs)[]\"",
	azure: "(head -1 trace.csv; tail -n +2 trace.csv | LC_ALL=C sort -s -t, -k1,1)",
	burstgpt: "(head -1 trace.csv; tail -n +2 trace.csv | LC_ALL=C sort -s -t, -k1,1g)"
};
function rowReader(file, format, headRow, head) {
	switch (format) {
		case "azure": return azureRows(file, headRow, csvHead(file, format, headRow, head));
		case "burstgpt": return burstgptRows(file, headRow, csvHead(file, format, headRow, head));
		case "mooncake": return (row, line) => mooncakeRow(file, row, line);
		case "jsonl": return (row, line) => ownRow(file, row, line);
	}
}
function csvHead(file, format, row, line) {
	if (!/^\s*[[{]/.test(line)) return line;
	throw traceRefusal(file, {
		code: "trace_format",
		row,
		what: `it is JSON, and no CSV file as ${format} is`,
		hint: "name the format that it has, or leave the format out"
	});
}
function formatOf(file, row, line) {
	const hint = `name the format: ${TRACE_FORMATS.join(", ")}`;
	if (line.trimStart().startsWith("{")) {
		const value = jsonObject(file, row, line);
		if ("timestampUs" in value) return "jsonl";
		if ("input_length" in value) return "mooncake";
		throw traceRefusal(file, {
			code: "trace_format",
			row,
			what: "its objects have neither timestampUs nor input_length",
			hint
		});
	}
	if (line.trimStart().startsWith("[")) throw traceRefusal(file, {
		code: "trace_format",
		row,
		what: "it is one JSON array",
		hint: "write one object a line: jq -c '.[]'"
	});
	const names = csvCells(file, row, line);
	if (names.includes(AZURE_COLUMNS[1])) return "azure";
	if (names.includes(BURSTGPT_COLUMNS[1])) return "burstgpt";
	throw traceRefusal(file, {
		code: "trace_format",
		row,
		what: "its first line is neither JSON nor a header with ContextTokens or Request tokens",
		hint
	});
}
const DATASET_MAX_BYTES = 268435456;
async function readSources(sources, manifest, requests) {
	const { arrival_pattern: pattern, trace, dataset } = manifest.client;
	const { initial, extension } = scheduleSizes(manifest, requests);
	return {
		...pattern === "trace" && trace ? { trace: await readTraceRows(sources, trace, initial + extension) } : {},
		...dataset ? { dataset: await readDataset(sources, manifest, dataset) } : {}
	};
}
async function readTraceRows(sources, section, needed) {
	const { file, format, sha256 } = section;
	const source = sources.open({
		what: "the trace",
		path: file
	});
	const reader = new TraceReader({
		file,
		format
	});
	const rows = [];
	let failure = null;
	const take = (read) => {
		if (failure !== null || rows.length >= needed) return;
		try {
			for (const row of read()) if (rows.length < needed) rows.push({
				...row,
				blocks: null
			});
		} catch (error) {
			if (!(error instanceof GateError)) throw error;
			failure = error;
		}
	};
	for await (const chunk of source.chunks) take(() => reader.push(chunk));
	take(() => reader.end());
	requireDigest("trace", file, sha256, source.sha256());
	if (failure !== null) throw failure;
	return rows;
}
async function readDataset(sources, { workload }, section) {
	const { file, format, field, sha256 } = section;
	const source = sources.open({
		what: "the dataset",
		path: file
	});
	const chunks = [];
	let total = 0;
	for await (const chunk of source.chunks) {
		total += chunk.length;
		if (total > DATASET_MAX_BYTES) throw tooLarge(file);
		chunks.push(chunk);
	}
	requireDigest("dataset", file, sha256, source.sha256());
	const bytes = new Uint8Array(total);
	let at = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, at);
		at += chunk.length;
	}
	return {
		sha256,
		...parseDataset(bytes, {
			file,
			format,
			field,
			classNames: workload.map(({ name }) => name)
		})
	};
}
function requireDigest(section, file, declared, found) {
	if (found === declared) return;
	throw new GateError({
		code: "source_digest",
		message: `${file} has the SHA-256 ${found}; client.${section}.sha256 is ${declared}`,
		hint: "take the file that was meant, or write its digest into the manifest: it is another experiment then",
		exitCode: EXIT.invalid
	});
}
function tooLarge(file) {
	return new GateError({
		code: "file_too_large",
		message: `the dataset ${file} holds more than ${DATASET_MAX_BYTES} bytes of text`,
		hint: "take fewer texts: no schedule uses more than it has requests",
		exitCode: EXIT.invalid
	});
}
const schedulePath = (cache) => `schedules/${cache}.jsonl.gz`;
async function buildSchedules(manifest, caches, sources) {
	const read = await readSources(sources, manifest);
	return {
		states: new Map(caches.map((cache) => [cache, buildSchedule(manifest, cache, read)])),
		texts: read.dataset?.texts
	};
}
async function freezeSchedules(pack, { states }) {
	for (const [cache, { bytes }] of states) await pack.writeGzip(schedulePath(cache), bytes);
}
function schedulesOf({ states }) {
	return new Map([...states].map(([cache, { schedule }]) => [cache, schedule]));
}
function scheduleDigests(schedules) {
	return Object.fromEntries([...schedules].map(([cache, schedule]) => [cache, schedule.sha256]));
}
const id = string().regex(ID_PATTERN, "is not an id such as r-00001");
const natural = int().min(0);
const positive = int().min(1);
const seed = int().min(0).max(0xffffffff);
const sha256$2 = string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256");
const relativeRate = number().min(0);
const patternSchemas = {
	"gamma-1": strictObject({ shape: number().positive() }),
	"burst-1": strictObject({
		height: number().min(1),
		widthShare: number().gt(0).lt(1),
		periodRequests: number().positive()
	}),
	"ramp-1": strictObject({
		from: relativeRate,
		to: relativeRate
	}),
	"trace-1": strictObject({
		sha256: sha256$2,
		format: _enum([
			"mooncake",
			"azure",
			"burstgpt",
			"jsonl"
		])
	})
};
const headerSchema = strictObject({
	version: literal(1),
	cache: _enum(["cold", "warm"]),
	generator: _enum([
		"poisson-1",
		"constant-1",
		"gamma-1",
		"burst-1",
		"ramp-1",
		"trace-1"
	]),
	pattern: union(Object.values(patternSchemas)).exactOptional(),
	seed,
	initialRequests: positive,
	extensionRequests: natural,
	blockRequests: natural,
	warmupSeed: seed,
	prefixSet: string().min(1).exactOptional(),
	prefixes: array(strictObject({
		id,
		tokens: positive,
		weight: positive
	})),
	dataset: strictObject({
		sha256: sha256$2,
		texts: positive
	}).exactOptional()
});
const rowSchema = strictObject({
	id,
	class: string().min(1),
	offsetUs: natural,
	inputTokens: positive,
	outputTokens: positive,
	prefix: string().exactOptional(),
	session: string().regex(SESSION_PATTERN, "is not a session such as chat-00001").exactOptional(),
	turn: natural.exactOptional(),
	thinkUs: natural.exactOptional(),
	cancelAfterTokens: positive.exactOptional(),
	text: natural.exactOptional()
});
function malformed(line, what, cause) {
	return new GateError({
		code: "schedule_malformed",
		message: `schedule line ${line}: ${what}`,
		hint: "write it again with the `schedule` command, or take the one of the pack that it belongs to: a schedule is frozen",
		exitCode: EXIT.invalid,
		cause
	});
}
function parseLine(text, line, schema) {
	let value;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw malformed(line, "is not JSON", error);
	}
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	const path = issue?.path.join(".") ?? "";
	throw malformed(line, `${path === "" ? "" : `${path}: `}${issue?.message ?? "is not as it should be"}`);
}
function checkHeader(header) {
	const { extensionRequests, blockRequests, prefixes, prefixSet, cache } = header;
	if (extensionRequests > 0 && blockRequests === 0) throw malformed(1, "extension rows need a block size");
	if (new Set(prefixes.map((prefix) => prefix.id)).size < prefixes.length) throw malformed(1, "a prefix id stands twice");
	if (cache === "warm" !== prefixes.length > 0) throw malformed(1, "a warm schedule has prefixes, a cold one none");
	if (prefixSet === void 0 !== (prefixes.length === 0)) throw malformed(1, "prefixSet goes with prefixes");
}
function checkPattern({ generator, pattern }) {
	if (!(Object.hasOwn(patternSchemas, generator) ? patternSchemas[generator] : _undefined()).safeParse(pattern).success) throw malformed(1, `the pattern is not one of ${generator}`);
}
function sessionError(row, before) {
	if (row.session === void 0) return row.turn === void 0 && row.thinkUs === void 0 ? null : "turn and thinkUs go with a session";
	const turn = before === void 0 ? 0 : (before.turn ?? 0) + 1;
	if (row.turn !== turn) return `turn ${row.turn ?? "none"} of session ${row.session} comes where turn ${turn} is due`;
	if (before === void 0) return row.thinkUs === void 0 ? null : "a first turn has nobody to think";
	if (row.class !== before.class || row.prefix !== before.prefix) return `session ${row.session} changes its class or its prefix`;
	const history = before.inputTokens + before.outputTokens;
	return row.inputTokens > history ? null : `inputTokens ${row.inputTokens} leave nothing after a history of ${history}`;
}
function rowError(row, header) {
	if ((row.cancelAfterTokens ?? 0) >= row.outputTokens) return "cancelAfterTokens is no less than outputTokens";
	if (row.text === void 0 !== (header.dataset === void 0)) return "every row of a dataset names its text, none without one";
	return (row.text ?? -1) < (header.dataset?.texts ?? 0) ? null : `text ${row.text} is not in the dataset`;
}
function readText$1(input) {
	if (typeof input === "string") return input;
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(input);
	} catch (error) {
		throw malformed(1, "the file is not UTF-8 text", error);
	}
}
function parseSchedule(input) {
	const text = readText$1(input);
	if (text === "") throw malformed(1, "the file is empty");
	if (!text.endsWith("\n")) throw malformed(text.split("\n").length, "the file ends in the middle of a line");
	const lines = text.slice(0, -1).split("\n");
	const header = parseLine(lines[0] ?? "", 1, headerSchema);
	checkHeader(header);
	checkPattern(header);
	const lengths = new Map(header.prefixes.map((prefix) => [prefix.id, prefix.tokens]));
	const seen = new Set();
	const sessions = new Map();
	const rows = [];
	let lastUs = 0;
	for (let line = 2; line <= lines.length; line++) {
		const row = parseLine(lines[line - 1] ?? "", line, rowSchema);
		if (seen.has(row.id)) throw malformed(line, `id ${row.id} stands twice`);
		seen.add(row.id);
		if (row.offsetUs < lastUs) throw malformed(line, `offsetUs ${row.offsetUs} comes before the row above (${lastUs})`);
		lastUs = row.offsetUs;
		if (row.prefix === void 0 !== (header.cache === "cold")) throw malformed(line, "every row of a warm schedule has a prefix, none of a cold one");
		const shared = row.prefix === void 0 ? 0 : lengths.get(row.prefix);
		if (shared === void 0) throw malformed(line, `prefix ${row.prefix} is not in the header`);
		if (shared >= row.inputTokens) throw malformed(line, `the prefix (${shared} tokens) leaves nothing of inputTokens`);
		const wrong = sessionError(row, sessions.get(row.session ?? "")) ?? rowError(row, header);
		if (wrong !== null) throw malformed(line, wrong);
		if (row.session !== void 0) sessions.set(row.session, row);
		rows.push(row);
	}
	const expected = header.initialRequests + header.extensionRequests;
	if (rows.length !== expected) throw malformed(lines.length, `the file has ${rows.length} rows, its header says ${expected}`);
	return {
		header,
		rows,
		sha256: sha256Hex(input)
	};
}
async function checkSchedules(pack, manifest, paths, sources) {
	const checked = {
		schedules: new Map(),
		discrepancies: [],
		unverified: []
	};
	const caches = ["cold", "warm"].filter((cache) => paths.includes(schedulePath(cache)));
	if (caches.length === 0) return checked;
	const read = await sourcesAtHand(manifest, sources);
	for (const cache of caches) {
		const bytes = await pack.readGzip(schedulePath(cache)).catch(() => null);
		if (typeof read === "string") checkStored({
			manifest,
			cache,
			bytes,
			missing: read
		}, checked);
		else checkBuilt({
			manifest,
			cache,
			bytes,
			read
		}, checked);
	}
	return checked;
}
async function sourcesAtHand(manifest, sources) {
	const { arrival_pattern: pattern, trace, dataset } = manifest.client;
	const files = [...pattern === "trace" && trace ? [trace.file] : [], ...dataset ? [dataset.file] : []];
	if (files.length === 0) return {};
	if (sources === null) return `${files.join(" and ")} ${files.length === 1 ? "is" : "are"} not at hand`;
	try {
		return await readSources(sources, manifest);
	} catch (error) {
		if (error instanceof GateError) return error.message;
		throw error;
	}
}
function wrong({ cache }) {
	return {
		code: "schedule",
		path: schedulePath(cache),
		text: "is not the schedule of the manifest"
	};
}
function checkBuilt(check, { schedules, discrepancies }) {
	const { manifest, cache, bytes, read } = check;
	try {
		const built = buildSchedule(manifest, cache, read);
		schedules.set(cache, built.schedule);
		if (bytes === null || sha256Hex(bytes) !== built.schedule.sha256) discrepancies.push(wrong(check));
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		discrepancies.push({
			...wrong(check),
			text: `cannot be built from the manifest: ${error.message}`
		});
	}
}
function checkStored(check, checked) {
	const { manifest, cache, bytes, missing } = check;
	try {
		const stored = parseSchedule(bytes ?? new Uint8Array());
		const texts = stored.header.dataset?.texts;
		const header = scheduleHeader(manifest, cache, texts === void 0 ? {} : { texts });
		const digestOf = (line) => freezeSchedule(line, []).schedule.sha256;
		if (digestOf(header) !== digestOf(stored.header)) checked.discrepancies.push(wrong(check));
		checked.schedules.set(cache, stored);
		const text = `was not built again, and is taken as it stands: ${missing}`;
		checked.unverified.push({
			code: "schedule",
			path: schedulePath(cache),
			text
		});
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		checked.discrepancies.push({
			...wrong(check),
			text: error.message
		});
	}
}
async function checkPoints(pack, manifest, paths, sources) {
	const { schedules, unverified, discrepancies } = await checkSchedules(pack, manifest, paths, sources);
	const again = await judgePointsAgain(pack, {
		manifest,
		paths,
		schedules
	});
	return {
		...again,
		schedules,
		unverified,
		discrepancies: [...discrepancies, ...again.discrepancies]
	};
}
async function judgePointsAgain(pack, check) {
	const judged = {
		reports: [],
		discrepancies: []
	};
	const points = check.paths.filter((path) => path.startsWith("points/"));
	const names = new Set(points.map((path) => path.split("/")[1] ?? ""));
	for (const name of names) await checkPoint(pack, {
		...check,
		name
	}, judged);
	return judged;
}
async function checkPoint(pack, check, judged) {
	const at = pathsOf(check.name);
	if (!check.paths.includes(at.point) && !check.paths.includes(at.requests)) return;
	const wrong = (code, path, text) => void judged.discrepancies.push({
		code,
		path,
		text
	});
	try {
		const storedText = await readPackText(pack, at.point);
		const stored = parsePointReport(storedText, at.point);
		if (pointName(stored.key) !== check.name) wrong("point", at.point, `is the report of ${pointName(stored.key)}`);
		const schedule = check.schedules.get(stored.key.cache);
		if (!schedule) return wrong("schedule", schedulePath(stored.key.cache), "is not there");
		const { manifest } = check;
		const again = await judgeFiles(pack, {
			manifest,
			dialect: dialectFor(manifest),
			schedule,
			key: stored.key
		});
		judged.reports.push(again);
		if (packJson(again) !== storedText) wrong("point", at.point, "does not follow from the point’s raw files");
		if (sloReportJson(again.slo) !== await readPackText(pack, at.slo)) wrong("slo_report", at.slo, "does not follow from requests.csv");
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		wrong("unreadable", at.folder, error.message);
	}
}
const OF_THE_END = [
	"capacity.json",
	"verdict.json",
	"report.md",
	"report.html",
	"SHA256SUMS"
];
async function readPartial(pack) {
	const paths = await pack.list(".");
	if (!paths.includes("run.json") || OF_THE_END.some((path) => paths.includes(path))) return null;
	try {
		const session = await readSession(pack);
		return session && {
			session,
			paths
		};
	} catch (error) {
		if (error instanceof GateError) return null;
		throw error;
	}
}
async function verifyPartial(pack, { session, paths }, sources) {
	const found = new Set(paths.flatMap((path) => /^points\/([^/]+)\//.exec(path)?.[1] ?? []));
	const partial = {
		judged: session.points,
		unfinished: [...found].filter((name) => !session.points.includes(name))
	};
	const nothing = {
		discrepancies: [],
		unverified: [],
		partial,
		files: paths.length,
		points: 0
	};
	if (session.points.length === 0 && !paths.includes("workload-manifest.yaml")) return nothing;
	const read = await readPackManifest(pack);
	if (read.manifest === null) return {
		...nothing,
		discrepancies: read.discrepancies
	};
	const ofJudged = paths.filter((path) => !path.startsWith("points/") || session.points.includes(path.split("/")[1] ?? ""));
	const points = await checkPoints(pack, read.manifest, ofJudged, sources);
	const missing = session.points.filter((name) => !paths.includes(pathsOf(name).point));
	return {
		discrepancies: [...points.discrepancies, ...missing.map((name) => ({
			code: "missing",
			path: pathsOf(name).point,
			text: "was judged, and is not there"
		}))],
		unverified: points.unverified,
		partial,
		files: paths.length,
		points: points.reports.length
	};
}
const KNEE_SHARE = .1;
const BOOTS_MIN = 3;
const CLEAR_ERRORS = 2;
function bootSpreadOf(points, passMilliRps) {
	if (passMilliRps === null) return {
		share: null,
		boots: 0,
		why: "no rate passed"
	};
	const near = points.flatMap((point) => sampleOf(point, passMilliRps) ?? []);
	const atPass = Map.groupBy(near.filter(({ x }) => x === 0), ({ boot }) => boot);
	const boots = atPass.size;
	if (boots < BOOTS_MIN) return {
		share: null,
		boots,
		why: `the pass rate was measured on ${boots} of ${BOOTS_MIN} boots`
	};
	const slope = slopeOf(centred(near, ({ boot }) => boot)) ?? slopeOf(centred(near, () => ""));
	if (slope === null) return {
		share: null,
		boots,
		why: "attainment does not clearly fall with the rate around the pass rate"
	};
	const means = [...atPass.values()].map((samples) => mean(samples.map(({ y }) => y)));
	const middle = mean(means);
	const variance = means.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (boots - 1);
	return {
		share: Math.sqrt(variance) / slope,
		boots
	};
}
function sampleOf(point, passMilliRps) {
	const rate = openMilliRps(point);
	if (rate === null || !isDecisive(point) || Math.abs(rate / passMilliRps - 1) > KNEE_SHARE) return null;
	if (point.evidence.some(({ probe, state }) => state === "fail" && isOtherThanSpeed(probe))) return null;
	const worst = Object.values(point.slo.classes).flatMap(({ attainment, successful_count: n }) => attainment === null || n === 0 ? [] : [{
		attainment,
		n
	}]).toSorted((a, b) => a.attainment - b.attainment)[0];
	if (worst === void 0) return null;
	const misses = (1 - worst.attainment) * worst.n + .5;
	const hits = worst.attainment * worst.n + .5;
	return {
		boot: point.deployId,
		x: Math.log(rate / passMilliRps),
		y: Math.log(misses / hits),
		variance: 1 / misses + 1 / hits
	};
}
function isOtherThanSpeed(probe) {
	return ["stability", "cache_hit"].includes(evidenceGroup(probe));
}
function centred(samples, groupOf) {
	return [...Map.groupBy(samples, groupOf).values()].flatMap((group) => {
		const [x, y] = [mean(group.map((sample) => sample.x)), mean(group.map((sample) => sample.y))];
		return group.map((sample) => ({
			...sample,
			x: sample.x - x,
			y: sample.y - y
		}));
	});
}
function slopeOf(samples) {
	const spreadX = samples.reduce((sum, { x }) => sum + x * x, 0);
	if (!(spreadX > 1e-9)) return null;
	const slope = samples.reduce((sum, { x, y }) => sum + x * y, 0) / spreadX;
	const error = Math.sqrt(mean(samples.map(({ variance }) => variance)) / spreadX);
	return slope > CLEAR_ERRORS * error ? slope : null;
}
function mean(values) {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
function endedOverloaded(point) {
	return point.stoppedEarly || point.slo.queue_trend === "growing" || point.evidence.some(({ probe, blames, state }) => state === "fail" && (blames === "engine" || probe.endsWith(".quiesce")));
}
function measure$1(state, load, boot, why) {
	const { cache, points } = state;
	const repeat = points.filter(({ key }) => isSameLoad(key.load, load)).length + 1;
	const last = points.at(-1);
	const perPoint = cache === "cold" && state.manifest.cache?.cold?.restart === "per_point";
	const fresh = boot === "fresh" || perPoint || last === void 0 || endedOverloaded(last);
	return {
		do: "measure",
		key: {
			cache,
			load,
			repeat
		},
		boot: fresh ? "fresh" : "same",
		why
	};
}
function done(...reasons) {
	return {
		do: "done",
		reasons
	};
}
function isSameLoad(a, b) {
	if ("openMilliRps" in a) return "openMilliRps" in b && a.openMilliRps === b.openMilliRps;
	return "closedConcurrency" in b && a.closedConcurrency === b.closedConcurrency;
}
function rpsText(milliRps) {
	return `${milliRps / 1e3} RPS`;
}
const STEP_DEFAULT = .04;
const DEPTH_MAX = 32;
function lossStep(state, guard) {
	const { manifest, points } = state;
	if (points.every(({ slo }) => slo.successful === 0)) return done({
		code: "carries_nothing",
		text: "no request succeeded at the guard rate: no lower rate was tried"
	});
	const share = manifest.acceptance.capacity_tolerance || manifest.sweep?.refine_step || STEP_DEFAULT;
	const { initial_scheduled_requests: requests, maximum_duration_seconds: seconds } = manifest.client;
	const slowest = Math.ceil(requests * 1e3 / seconds);
	const rateAt = (depth) => Math.round(guard / (1 + share) ** depth);
	const byRate = pointsByRate(points);
	const outcomeAt = (depth) => majority(votesOf(byRate.get(rateAt(depth)) ?? []));
	const depths = Array.from({ length: 33 }, (_, depth) => depth);
	const failed = depths.findLast((depth) => depth === 0 || outcomeAt(depth) === "fail") ?? 0;
	const passed = depths.find((depth) => depth > failed && outcomeAt(depth) === "pass");
	if (passed !== void 0 && passed - failed <= 1) return done({
		code: "loss_found",
		text: `passes at ${rpsText(rateAt(passed))}, fails at ${rpsText(rateAt(failed))}; one repeat each`,
		value: rateAt(passed) / 1e3,
		limit: rateAt(failed) / 1e3
	});
	const next = passed === void 0 ? Math.max(2, failed * 2) : Math.floor((passed + failed) / 2);
	const rate = rateAt(next);
	if (next > DEPTH_MAX || rate < slowest) return done({
		code: "loss_unbounded",
		text: `still fails at ${rpsText(rateAt(failed))}; lower rates were not tried`,
		limit: rateAt(failed) / 1e3
	});
	const repeats = byRate.get(rate) ?? [];
	if (voidsInARow(repeats) >= 2) return done({
		code: "loss_not_stated",
		text: `two repeats at ${rpsText(rate)} were ${repeats.at(-1)?.outcome}`
	});
	return measure$1(state, { openMilliRps: rate }, "same", `searching for the rate that it still carries`);
}
const WORDS = {
	guard: "the guard rate",
	floor: "the accepted floor"
};
function guardAnswer(guard, points, dropSeen, asked = "guard") {
	const repeats = pointsByRate(points).get(guard) ?? [];
	const { passes, fails, decided } = tallyBoots(repeats);
	const rate = rpsText(guard);
	const where = `at ${WORDS[asked]}`;
	const said = `${passes} of ${passes + fails} boots pass ${where} ${rate}`;
	if (decided === "fail") return {
		state: "lost",
		reason: {
			code: `${asked}_lost`,
			text: said
		}
	};
	if (decided === "pass" && (passes >= 2 || !dropSeen)) return {
		state: "held",
		reason: {
			code: `${asked}_held`,
			text: said
		}
	};
	const last = repeats.at(-1);
	if (last && voidsInARow(repeats) >= 2) {
		const text = `2 repeats in a row ${where} ${rate} were ${last.outcome}`;
		return {
			state: "inconclusive",
			reason: {
				code: `${asked}_inconclusive`,
				text
			}
		};
	}
	const again = last && voidsInARow(repeats) > 0 ? `, once more after an ${last.outcome} repeat` : "";
	if (passes + fails === 0) return {
		state: "open",
		boot: "same",
		why: `${where}${again}`
	};
	return {
		state: "open",
		boot: "fresh",
		why: `${where} on another boot (${passes} passed, ${fails} failed)${again}`
	};
}
function floorAnswer({ floor, points }, dropSeen) {
	if (floor === null || points.every(({ slo }) => slo.successful === 0)) return null;
	return guardAnswer(floor, points, dropSeen, "floor");
}
function confirmStep(state) {
	const { guard, floor, points } = state;
	if (guard === null) return done({
		code: "nothing_to_confirm",
		text: "there is no baseline, anchor or minimum to confirm"
	});
	const answer = guardAnswer(guard, points, false);
	if (answer.state === "open") return measure$1(state, { openMilliRps: guard }, answer.boot, answer.why);
	if (answer.state !== "lost" || !state.statesLoss) return done(answer.reason);
	const below = floorAnswer(state, false);
	if (below?.state === "open") return measure$1(state, { openMilliRps: floor ?? guard }, below.boot, below.why);
	const said = below === null ? [answer.reason] : [answer.reason, below.reason];
	if (below !== null && below.state !== "lost") return done(...said);
	const step = lossStep(state, floor ?? guard);
	return step.do === "measure" ? step : done(...said, ...step.reasons);
}
const BEGIN_SHARE = .5;
function beginOf({ rates, saturation: { milliRps, goodMilliRps } }) {
	const from = goodMilliRps ?? milliRps * BEGIN_SHARE;
	return Math.max(0, rates.findLastIndex((rate) => rate <= from));
}
function climbedRate(climb, { pass, fail }, step) {
	const { rates } = climb;
	const begin = beginOf(climb);
	if (pass === null && fail === null) return rates[begin] ?? null;
	if (pass !== null && fail !== null) {
		const between = rates.filter((rate) => rate > pass && rate < fail);
		return step > 0 && fail <= pass * (1 + step) + 1e-6 ? null : between[Math.floor((between.length - 1) / 2)] ?? null;
	}
	if (pass !== null) {
		const at = rates.findLastIndex((rate) => rate <= pass);
		if (at === rates.length - 1) return null;
		return rates[Math.min(rates.length - 1, Math.max(at + 1, begin + strideFrom(at - begin)))] ?? null;
	}
	const above = rates.findIndex((rate) => rate >= (fail ?? 0));
	const at = above < 0 ? rates.length : above;
	return at === 0 ? null : rates[Math.max(0, Math.min(at - 1, begin - strideFrom(begin - at)))] ?? null;
}
function strideFrom(offset) {
	return offset <= 0 ? 1 : 2 * offset;
}
function endOfClimb(rates, { pass, fail }) {
	const [lowest, highest] = [rates[0], rates.at(-1)];
	if (fail === null && pass !== null && pass === highest) return [{
		code: "highest_rate_passed",
		text: `${rpsText(pass)} is the highest rate that the manifest admits: above it a point is too short`,
		value: pass / 1e3
	}];
	if (pass === null && fail !== null && fail === lowest) return [{
		code: "lowest_rate_failed",
		text: `${rpsText(fail)} is the lowest rate that the manifest admits: below it a point takes too long`,
		limit: fail / 1e3
	}];
	return [];
}
function declaredRates(sweep) {
	if (sweep.rates_rps === "auto") return [];
	return [...new Set(sweep.rates_rps.map(milliRps$2))].toSorted((a, b) => a - b);
}
function sweptRates(manifest) {
	const { sweep } = manifest;
	if (!sweep) return [];
	return sweep.rates_rps === "auto" ? autoRates(manifest) : declaredRates(sweep);
}
const WINDOW_REQUESTS = 2;
const ROWS_A_PLACE = 4;
function explorationSeconds({ client, workload }) {
	const turnSeconds = Math.max(...workload.map(admissibleMs)) / 1e3 + client.closed_loop_think_seconds;
	return Math.min(client.maximum_duration_seconds, WINDOW_REQUESTS * turnSeconds);
}
function explorationAcceptance(acceptance) {
	const { attempted_attainment_min: _, ...rest } = acceptance;
	return {
		...rest,
		class_slo_attainment_min: 0,
		min_successful_samples_per_class: 0
	};
}
function explorationConcurrencies(manifest) {
	const declared = manifest.sweep?.saturation_concurrency ?? [];
	if (declared.length > 0) return [...new Set(declared)].toSorted((a, b) => a - b);
	const rates = sweptRates(manifest);
	const turnMs = meanAdmissibleMs(manifest) + manifest.client.closed_loop_think_seconds * 1e3;
	const places = (milliRps) => milliRps * turnMs / 1e6;
	const most = Math.max(1, Math.floor(manifest.client.initial_scheduled_requests / ROWS_A_PLACE));
	const highest = Math.min(most, Math.ceil(places(rates.at(-1) ?? 0)));
	const concurrencies = [];
	for (let n = Math.ceil(places(rates[0] ?? 0) / 2); n < highest; n *= 2) concurrencies.push(n);
	return [...concurrencies, Math.max(1, highest)];
}
function explore(state) {
	const isListed = (state.manifest.sweep?.saturation_concurrency ?? []).length > 0;
	const highest = sweptRates(state.manifest).at(-1) ?? 0;
	let best = null;
	for (const concurrency of explorationConcurrencies(state.manifest)) {
		const load = { closedConcurrency: concurrency };
		const tried = state.points.filter(({ key }) => isSameLoad(key.load, load));
		const telling = tried.find(isTelling);
		if (!telling && tried.length < 2) return { step: measure$1(state, load, "same", `${concurrency} in flight: exploration, never capacity${tried.length > 0 ? `, once more: ${silence(tried.at(-1))}` : ""}`) };
		if (!telling) return ended(best, `${tried.length} points at ${concurrency} in flight tell nothing: ${silence(tried.at(-1))}`);
		const before = best;
		best = higher(before, telling, concurrency, state.manifest.acceptance);
		const isRising = before === null || best.milliRps >= before.milliRps * 1.1;
		const isGood = before === null || best.goodMilliRps !== before.goodMilliRps;
		const isEnough = (best.goodMilliRps ?? 0) >= highest;
		if (!isListed && (isEnough || !(isRising && isGood))) break;
	}
	return ended(best, null);
}
function higher(before, { ratesRps }, concurrency, acceptance) {
	const { completed, good } = ratesRps;
	const milliRps = Math.max(1, Math.floor(completed * 1e3));
	const isGood = good >= completed * acceptance.class_slo_attainment_min;
	const known = before?.goodMilliRps ?? null;
	const goodMilliRps = isGood ? Math.max(known ?? 0, milliRps) : known;
	if (before !== null && before.milliRps >= milliRps) return {
		...before,
		goodMilliRps
	};
	return {
		milliRps,
		concurrency,
		goodMilliRps
	};
}
function isTelling(point) {
	const { outcome, stoppedEarly, slo, evidence } = point;
	return outcome !== "invalid" && !stoppedEarly && slo.successful > 0 && engineFaults(evidence).length === 0;
}
function silence(point) {
	if (point === void 0) return "not measured";
	const [fault] = engineFaults(point.evidence);
	if (fault !== void 0) return fault.text ?? fault.probe;
	if (point.outcome === "invalid") return "invalid";
	return point.slo.successful === 0 ? "no request succeeded" : "stopped early, for its errors";
}
function ended(best, gap) {
	const gaps = gap === null ? [] : [{
		code: "exploration_ended",
		text: gap
	}];
	if (best === null) return {
		step: null,
		saturation: null,
		reasons: [{
			code: "saturation_not_found",
			text: "no closed loop told what the engine completes: the rates to sweep cannot be found"
		}, ...gaps]
	};
	return {
		step: null,
		saturation: best,
		reasons: [{
			code: "saturation",
			text: `${rpsText(best.milliRps)} completed with ${best.concurrency} in flight: where the sweep began, never a capacity`,
			value: best.milliRps / 1e3
		}, ...gaps]
	};
}
function sweepStep(state) {
	const { sweep } = state.manifest;
	if (!sweep) return done({
		code: "no_rates_declared",
		text: "the manifest declares no sweep"
	});
	if (sweep.rates_rps === "auto") return autoStep(state, sweep);
	for (const n of sweep.saturation_concurrency) {
		const load = { closedConcurrency: n };
		if (!state.points.some(({ key }) => isSameLoad(key.load, load))) return measure$1(state, load, "same", `${n} in flight: exploration, never capacity`);
	}
	return bracketStep(state, sweep, () => declaredStep(state, declaredRates(sweep)));
}
function autoStep(state, sweep) {
	const explored = explore(state);
	if (explored.step !== null) return explored.step;
	const bracket = bracketOf(state.points);
	const { saturation, reasons } = explored;
	if (saturation === null) return after(reasons, guardStep(state, bracket) ?? done());
	const rates = sweptRates(state.manifest);
	const climbed = () => {
		const rate = climbedRate({
			rates,
			saturation
		}, bracket, sweep.refine_step);
		return rate === null ? null : atRate(state, rate, `auto, from ${rpsText(saturation.milliRps)} in a closed loop`);
	};
	return after([...reasons, ...endOfClimb(rates, bracket)], bracketStep(state, sweep, climbed));
}
function after(reasons, step) {
	return step.do === "done" ? done(...reasons, ...step.reasons) : step;
}
function bracketStep(state, sweep, find) {
	const bracket = bracketOf(state.points);
	return tieStep(state, sweep.repeats) ?? find() ?? refineStep(state, bracket, sweep.refine_step) ?? repeatStep(state, bracket, sweep.repeats) ?? guardStep(state, bracket) ?? done();
}
function tieStep(state, repeats) {
	for (const [rate, points] of pointsByRate(state.points)) {
		const { passes, fails } = votesOf(points);
		if (passes === fails && passes > 0 && passes + fails < repeats) return atRate(state, rate, `${passes} passed and ${fails} failed: another boot decides`, "fresh");
	}
	return null;
}
function declaredStep(state, rates) {
	const byRate = pointsByRate(state.points);
	for (const rate of rates) {
		const outcome = majority(votesOf(byRate.get(rate) ?? []));
		if (outcome === "fail") return null;
		if (outcome === null) return atRate(state, rate, "declared rate");
	}
	return null;
}
function refineStep(state, { pass, fail }, step) {
	if (pass === null || fail === null || step === 0) return null;
	if (fail - pass <= 1 || fail - pass <= pass * step + 1e-6) return null;
	return atRate(state, Math.floor((pass + fail) / 2), `between ${rpsText(pass)} and ${rpsText(fail)}`);
}
function repeatStep(state, { pass, fail }, repeats) {
	const byRate = pointsByRate(state.points);
	const atPass = tallyBoots(pass === null ? [] : byRate.get(pass) ?? []);
	if (pass !== null && atPass.passes + atPass.fails < repeats) return atRate(state, pass, "repeat of the bracket's passing end on another boot", "fresh");
	if (fail === null) return null;
	const { passes, fails } = votesOf(byRate.get(fail) ?? []);
	return passes > repeats / 2 || fails >= repeats / 2 ? null : atRate(state, fail, "repeat of the bracket's failing end");
}
function guardStep(state, { pass, fail }) {
	const { guard, floor, points } = state;
	if (guard === null || pass !== null && pass >= guard) return null;
	const answer = guardAnswer(guard, points, fail !== null && fail <= guard);
	if (answer.state === "open") return measure$1(state, { openMilliRps: guard }, answer.boot, `below the baseline: ${answer.why}`);
	const isShown = floor === null || pass !== null && pass >= floor;
	if (answer.state !== "lost" || isShown) return done(answer.reason);
	const below = floorAnswer(state, fail !== null && fail <= floor);
	if (below?.state === "open") return measure$1(state, { openMilliRps: floor }, below.boot, below.why);
	return below === null ? done(answer.reason) : done(answer.reason, below.reason);
}
function atRate(state, rate, why, boot = "same") {
	const repeats = pointsByRate(state.points).get(rate) ?? [];
	const last = repeats.at(-1);
	if (last && voidsInARow(repeats) >= 2) return done({
		code: "rate_inconclusive",
		text: `2 points in a row at ${rpsText(rate)} were ${last.outcome}`,
		value: rate / 1e3
	});
	return measure$1(state, { openMilliRps: rate }, boot, last ? `${why}, after ${last.outcome}` : why);
}
function nextStep(input) {
	const { plan, manifest, cache, baseline, anchor, acceptedFloor = null, points, statesLoss = true } = input;
	const guard = guardMilliRps({
		baselineMilliRps: baseline?.passMilliRps ?? null,
		anchorMilliRps: anchor?.passMilliRps ?? null,
		acceptance: manifest.acceptance
	});
	const state = {
		manifest,
		cache,
		points: points.filter(({ key }) => key.cache === cache),
		guard,
		floor: floorUnder(guard, acceptedFloor),
		statesLoss
	};
	return plan === "sweep" ? sweepStep(state) : confirmStep(state);
}
function capacityResult(input) {
	const { plan, manifest, cache } = input;
	const points = input.points.filter(({ key }) => key.cache === cache);
	const bracket = bracketOf(points);
	const { replicas, gpus } = manifest.engine.placement;
	const passRps = bracket.pass === null ? null : bracket.pass / 1e3;
	const step = nextStep(input);
	const unfinished = step.do === "done" ? step.reasons : [{
		code: "unfinished",
		text: `ended before its next point: ${step.why}`
	}];
	return {
		cache,
		plan,
		passMilliRps: bracket.pass,
		failMilliRps: bracket.fail,
		perReplicaRps: passRps === null ? null : passRps / replicas,
		perGpuRps: passRps === null || gpus === 0 ? null : passRps / gpus,
		points,
		flukeMilliRps: bracket.flukes,
		attainmentSpread: attainmentSpread(points, bracket.pass),
		bootSpread: isBootedHere(manifest) ? bootSpreadOf(points, bracket.pass).share : null,
		gpuMinutes: input.gpuMinutes,
		reasons: [
			...input.limits ?? [],
			...unfinished,
			...bracketReasons(input, points, bracket)
		]
	};
}
function isBootedHere({ engine: { deploy } }) {
	return deploy !== void 0 && deploy.kind !== "endpoint";
}
function bracketReasons(input, points, bracket) {
	const { pass, fail, flukes } = bracket;
	const reasons = flukes.map((rate) => ({
		code: "fluke",
		text: `${rpsText(rate)} passed above ${rpsText(fail ?? 0)}, which failed: not used`,
		value: rate / 1e3
	}));
	if (input.plan === "confirm") return reasons;
	if (pass !== null && fail === null) reasons.push({
		code: "no_ceiling_found",
		text: `no tested rate failed up to ${rpsText(pass)}: the capacity is at least that, and irregular as a baseline`,
		value: pass / 1e3
	});
	if (pass === null && fail !== null) reasons.push({
		code: "no_rate_passed",
		text: `no tested rate passed: the capacity lies below ${rpsText(fail)}`,
		limit: fail / 1e3
	});
	const measured = new Set(points.map(openMilliRps));
	const left = (input.manifest.sweep ? declaredRates(input.manifest.sweep) : []).filter((rate) => fail !== null && rate > fail && !measured.has(rate));
	if (left.length > 0) {
		const rates = left.map((rate) => rate / 1e3).join(", ");
		reasons.push({
			code: "rates_not_measured",
			text: `${rates} RPS lie above the lowest failing rate: not measured`
		});
	}
	return reasons;
}
function attainmentSpread(points, pass) {
	const worst = points.filter((point) => pass !== null && openMilliRps(point) === pass && isDecisive(point)).flatMap(({ slo }) => {
		const shares = Object.values(slo.classes).flatMap(({ attainment }) => attainment ?? []);
		return shares.length === 0 ? [] : [Math.min(...shares)];
	});
	return worst.length === 0 ? null : [Math.min(...worst), Math.max(...worst)];
}
function neededMilliRps(manifest, baseline, anchor) {
	const passOf = (record, cache) => record?.capacity.find((result) => result.cache === cache)?.passMilliRps ?? null;
	const rates = [...["cold", "warm"].flatMap((cache) => guardMilliRps({
		baselineMilliRps: passOf(baseline, cache),
		anchorMilliRps: passOf(anchor, cache),
		acceptance: manifest.acceptance
	}) ?? []), ...sweptRates(manifest)];
	return rates.length === 0 ? null : Math.max(...rates);
}
async function calibrate(effects, order, signal) {
	const judged = (file) => ({
		file,
		evidence: calibrationEvidence(file, order.manifest, order.need)
	});
	const known = await knownCalibration(effects, order);
	if (known !== null && isFit(judged(known).evidence)) {
		effects.progress.note(`the client was calibrated at ${known.measuredAt}: good enough for this manifest`);
		return judged(known);
	}
	effects.progress.note("calibrating the client against its null server");
	try {
		const first = await effects.calibrator.measure(order.need, signal);
		if (isFit(judged(first).evidence)) return judged(await kept(effects, first));
		effects.progress.warn(`the client is not good enough, and is calibrated once more: ${worst(judged(first).evidence)}`);
		const second = {
			...await effects.calibrator.measure(order.need, signal),
			attempt: 2
		};
		return judged(isFit(judged(second).evidence) ? await kept(effects, second) : second);
	} catch (error) {
		if (!(error instanceof GateError && error.code === "calibration_failed")) throw error;
		const { need } = order;
		return judged({
			schema: 1,
			made: false,
			need,
			measuredAt: effects.clock.wallTime(),
			cause: error.message
		});
	}
}
async function knownCalibration(effects, order) {
	const { earlier, need, useKept } = order;
	if (earlier?.made && covers(earlier.need, need) && isFresh(earlier, effects.clock.wallTime())) {
		if (isSameClient(earlier.client, await effects.calibrator.identity())) return earlier;
	}
	return useKept ? effects.calibrator.kept(need) : null;
}
async function kept({ calibrator }, calibration) {
	await calibrator.keep(calibration);
	return calibration;
}
function worst(evidence) {
	return evidence.find(({ state }) => state !== "pass")?.text ?? "";
}
async function calibrateRun(effects, manifest, accepted, signal) {
	const milliRps = neededMilliRps(manifest, accepted.baseline, accepted.anchor);
	if (milliRps === null) return {
		evidence: [],
		isFit: true
	};
	const { file, evidence } = await calibrate(effects, {
		manifest,
		need: calibrationNeed(manifest, milliRps),
		earlier: await readCalibration(effects.pack, CALIBRATION_FILE),
		useKept: true
	}, signal);
	await effects.pack.write(CALIBRATION_FILE, packJson(file));
	const fit = isFit(evidence);
	if (!fit) effects.progress.warn("the client cannot measure this manifest here: nothing is deployed");
	return {
		evidence,
		isFit: fit
	};
}
async function storedCalibration(pack, manifest, accepted, hasPoints) {
	const milliRps = neededMilliRps(manifest, accepted.baseline, accepted.anchor);
	const file = await readCalibration(pack, CALIBRATION_FILE);
	if (milliRps === null || file === null && !hasPoints) return [];
	return calibrationEvidence(file, manifest, calibrationNeed(manifest, milliRps));
}
const machineFileSchema = strictObject({
	schema: literal(1),
	lookedAt: string().max(100),
	state: machineStateSchema
});
function parseMachineFile(content, name = "machine.json") {
	let json;
	try {
		json = JSON.parse(content);
	} catch (cause) {
		throw damaged(name, "it is no JSON", cause);
	}
	const parsed = machineFileSchema.safeParse(json);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw damaged(name, `${issue?.path.join(".") || "the whole file"}: ${issue?.message ?? "not as written"}`);
}
function damaged(name, what, cause) {
	return new GateError({
		code: "machine_damaged",
		message: `${name}: ${what}`,
		hint: "take the file from the run that wrote it",
		exitCode: EXIT.invalid,
		...cause === void 0 ? {} : { cause }
	});
}
function gpuFindings(state, gpus, needs) {
	return [
		presence(gpus),
		processes(state, gpus, needs.isIdle),
		...needs.isIdle ? [memory(state, gpus, needs.gpu_memory_floor_mib)] : [],
		mig(gpus, needs.mig),
		health(gpus),
		clocks(gpus),
		links(gpus),
		log(state, gpus),
		exporter(state, gpus)
	];
}
function gpuFindingsUnseen(state) {
	const probes = [
		"processes",
		"memory",
		"mig",
		"health",
		"clocks",
		"nvlink"
	];
	const text = "not known of GPUs that cannot be read";
	const unseen = probes.map((probe) => ({
		probe,
		state: "unknown",
		text,
		mend: null
	}));
	const xid = {
		probe: "xid",
		state: "unknown",
		text: "whose errors the kernel’s log tells is not known",
		mend: null
	};
	const dcgm = {
		probe: "dcgm",
		state: "unknown",
		text: "which of its GPUs are ours is not known",
		mend: null
	};
	return [
		...unseen,
		state.kernel === null ? log(state, []) : xid,
		state.dcgm === null ? exporter(state, []) : dcgm
	];
}
function presence(gpus) {
	const models = [...new Set(gpus.map(({ name }) => name ?? "unknown model"))].join(", ");
	return {
		probe: "gpus",
		state: "pass",
		text: `${gpus.length} × ${models}, driver ${gpus[0]?.driver ?? "unknown"}`,
		mend: null,
		value: gpus.length,
		unit: "GPUs"
	};
}
function processes(state, gpus, isIdle) {
	if (state.processes === null) return {
		probe: "processes",
		state: "unknown",
		text: "the processes on the GPUs cannot be listed",
		mend: null
	};
	const uuids = new Set(gpus.map(({ uuid }) => uuid));
	const own = state.processes.filter(({ gpu }) => uuids.has(gpu));
	const shared = {
		probe: "processes",
		value: own.length,
		limit: 0,
		unit: "processes"
	};
	if (own.length === 0) return {
		...shared,
		state: "pass",
		text: "no process on the GPUs",
		mend: null
	};
	const shown = own.slice(0, 6).map((process) => processText(process, gpus));
	const more = own.length > 6 ? `; and ${own.length - 6} more` : "";
	const text = `held by ${shown.join("; ")}${more}`;
	if (!isIdle) return {
		probe: "processes",
		state: "pass",
		text,
		mend: null,
		value: own.length,
		unit: "processes"
	};
	const [first] = own;
	const container = first?.container?.slice(0, 12);
	const stop = container === void 0 ? `kill ${first?.pid}` : `docker stop ${container}`;
	return {
		...shared,
		state: "fail",
		text,
		mend: `stop what holds them (${stop}), or run elsewhere`
	};
}
function memory(state, gpus, limit) {
	const used = gpus.map(({ memoryUsedMib }) => memoryUsedMib);
	if (used.includes(null)) return {
		probe: "memory",
		state: "unknown",
		text: "the GPUs’ memory in use is not told",
		mend: null
	};
	const value = Math.max(0, ...used.map(Number));
	const shared = {
		probe: "memory",
		value,
		limit,
		unit: "MiB"
	};
	const over = gpus.filter(({ memoryUsedMib }) => (memoryUsedMib ?? 0) > limit);
	if (over.length === 0) return {
		...shared,
		state: "pass",
		text: `at most ${value} MiB of a GPU in use`,
		mend: null
	};
	const text = over.map((gpu) => `${gpuName(gpu)} holds ${gpu.memoryUsedMib} MiB`).join(", ");
	const mend = over.every(({ uuid }) => state.processes?.some(({ gpu }) => gpu === uuid)) ? "stop the processes that hold it" : "no process is listed for it: look from the host (another container’s are not seen here), or reset the GPU";
	return {
		...shared,
		state: "fail",
		text,
		mend
	};
}
function mig(gpus, wanted) {
	const other = gpus.filter(({ migMode }) => migMode === "Enabled" !== (wanted === "enabled") && migMode !== null);
	if (other.length > 0) return {
		probe: "mig",
		state: "fail",
		text: `MIG is ${wanted === "enabled" ? "off" : "on"} for ${other.map(gpuName).join(", ")}, and machine.mig says ${wanted}`,
		mend: wanted === "enabled" ? "nvidia-smi -mig 1, or machine.mig: disabled" : "nvidia-smi -mig 0, or machine.mig: enabled",
		value: other.length,
		limit: 0,
		unit: "GPUs"
	};
	if (gpus.some(({ migMode }) => migMode === null)) return {
		probe: "mig",
		state: "unknown",
		text: "whether the GPUs are partitioned is not told",
		mend: null
	};
	return {
		probe: "mig",
		state: "pass",
		text: `MIG is ${wanted === "enabled" ? "on" : "off"}`,
		mend: null
	};
}
function health(gpus) {
	const failed = gpus.flatMap((gpu) => [...gpu.recoveryAction !== null && gpu.recoveryAction !== "None" ? [`${gpuName(gpu)}: the driver asks for ${gpu.recoveryAction}`] : [], ...gpu.remapFailure === true ? [`${gpuName(gpu)}: a row could not be remapped`] : []]);
	if (failed.length > 0) return {
		probe: "health",
		state: "fail",
		text: failed.join("; "),
		mend: "reset the GPU (nvidia-smi --gpu-reset) or restart the machine; one that cannot remap is to be replaced",
		value: failed.length,
		limit: 0,
		unit: "findings"
	};
	const told = gpus.flatMap((gpu) => [...gpu.remapPending === true || gpu.retirementPending === true ? [`${gpuName(gpu)}: a remap is pending`] : [], ...(gpu.ecc.uncorrectedVolatile ?? 0) > 0 ? [`${gpuName(gpu)}: ${gpu.ecc.uncorrectedVolatile} uncorrected memory errors since the driver was loaded`] : []]);
	if (told.length > 0) return {
		probe: "health",
		state: "warn",
		text: told.join("; "),
		mend: "reset the GPU while nothing runs on it"
	};
	return gpus.every(({ ecc, remapPending }) => ecc.uncorrectedVolatile !== null || remapPending !== null) ? {
		probe: "health",
		state: "pass",
		text: "no memory error, no remap pending",
		mend: null
	} : {
		probe: "health",
		state: "unknown",
		text: "error counters are not told",
		mend: null
	};
}
function clocks(gpus) {
	if (gpus.some(({ reasons }) => reasons === null)) return {
		probe: "clocks",
		state: "unknown",
		text: "what holds the clocks is not told",
		mend: null
	};
	const slowed = SLOWDOWNS;
	const held = gpus.flatMap((gpu) => (gpu.reasons ?? []).filter((reason) => slowed.includes(reason) || reason === "applications_clocks_setting").map((reason) => `${gpuName(gpu)} ${reason}`));
	const off = gpus.filter(({ persistence }) => persistence === "Disabled");
	if (held.length > 0) return {
		probe: "clocks",
		state: "warn",
		text: `clocks are held: ${held.join(", ")}`,
		mend: "look to cooling and power; undo fixed clocks by nvidia-smi --reset-gpu-clocks, unless the baseline had them"
	};
	if (off.length > 0) return {
		probe: "clocks",
		state: "warn",
		text: `persistence mode is off for ${off.map(gpuName).join(", ")}`,
		mend: "nvidia-smi -pm 1: every query else wakes the GPUs anew"
	};
	const capped = gpus.filter(({ reasons }) => reasons?.includes(POWER_CAP)).length;
	const limits = [...new Set(gpus.map(({ powerLimitW }) => powerLimitW))].map((watts) => watts === null ? "unknown" : `${watts} W`);
	return {
		probe: "clocks",
		state: "pass",
		text: `nothing but ${capped > 0 ? "the power limit" : "idling"} holds the clocks; power limit ${limits.join(", ")}`,
		mend: null
	};
}
function links(gpus) {
	const up = gpus.map(({ nvlinksUp }) => nvlinksUp);
	if (up.includes(null)) return {
		probe: "nvlink",
		state: "unknown",
		text: "nvidia-smi nvlink does not tell the links",
		mend: null
	};
	const most = Math.max(0, ...up.map(Number));
	const fewer = gpus.filter(({ nvlinksUp }) => nvlinksUp !== most);
	if (fewer.length > 0) return {
		probe: "nvlink",
		state: "warn",
		text: fewer.map((gpu) => `${gpuName(gpu)} has ${gpu.nvlinksUp} of ${most} NVLinks up`).join(", "),
		mend: "reset the GPUs; look at nvidia-smi nvlink --errorcounters and the kernel’s log"
	};
	return {
		probe: "nvlink",
		state: "pass",
		text: `${most} NVLinks up on each`,
		mend: null,
		value: most,
		unit: "links"
	};
}
function log({ kernel }, gpus) {
	if (kernel === null) return {
		probe: "xid",
		state: "unknown",
		text: "the kernel’s log cannot be read",
		mend: "let this user read it: group adm or systemd-journal, or kernel.dmesg_restrict=0; or run a DCGM exporter"
	};
	const own = kernel.xids.filter((xid) => xidBlame(xid) === "host" && (xid.of === "switch" || gpus.some(({ bus }) => bus === xid.bus)));
	if (own.length === 0) return {
		probe: "xid",
		state: "pass",
		text: "no hardware error in the kernel’s log",
		mend: null
	};
	const shown = [...new Set(own.map((xid) => `${xid.bus} ${xidName(xid)}`))].slice(-4);
	return {
		probe: "xid",
		state: "warn",
		text: `${own.length} hardware errors since the machine booted, the last ${shown.join(", ")}`,
		mend: "a point is judged by new ones only; reset the GPU or restart the machine if they come again"
	};
}
function exporter({ dcgm }, gpus) {
	if (dcgm === null) return {
		probe: "dcgm",
		state: "unknown",
		text: "no DCGM exporter answers",
		mend: "none is needed; machine.dcgm_url names one elsewhere"
	};
	return {
		probe: "dcgm",
		state: "pass",
		text: `a DCGM exporter tells of ${gpus.filter(({ uuid }) => dcgm[uuid] !== void 0).length} of the GPUs`,
		mend: null
	};
}
const GIB_IN_MIB = 1024;
const LOAD_MAX_SHARE = .5;
const DEFAULTS = {
	mig: "disabled",
	gpu_memory_floor_mib: 1024,
	min_free_disk_gib: 1
};
function machineFindings(state, { manifest, engineIsUp }) {
	const stated = manifest?.machine ?? DEFAULTS;
	const host = [disk(state, stated.min_free_disk_gib * GIB_IN_MIB), load(state)];
	if (manifest?.engine.placement.gpus === 0) return host;
	if (state.gpus === null) return [
		{
			probe: "gpus",
			state: "unknown",
			text: `the GPUs cannot be read: ${state.gpusWhy ?? "nvidia-smi did not answer"}`,
			mend: "install the driver’s nvidia-smi where this runs, or give the job access to the GPUs"
		},
		...gpuFindingsUnseen(state),
		...host
	];
	const claim = manifest && claimedGpus(manifest, state.gpus);
	if (claim && claim.missing.length > 0) return [{
		probe: "gpus",
		state: "fail",
		text: `the manifest asks for GPU ${claim.missing.join(", ")}, and the machine has ${state.gpus.length}`,
		mend: "name GPUs that are there in engine.deploy.gpus, or run on a machine that has them",
		value: state.gpus.length
	}, ...host];
	return [...gpuFindings(state, claim ? state.gpus.filter(({ uuid }) => claim.uuids.includes(uuid)) : state.gpus, {
		...stated,
		isIdle: !engineIsUp
	}), ...host];
}
function isUpAlready({ engine }) {
	return engine.deploy === void 0 || engine.deploy.kind === "endpoint";
}
function disk({ host }, limit) {
	const value = host.diskFreeMib;
	if (value === null) return {
		probe: "disk",
		state: "unknown",
		text: "the free disk space cannot be read",
		mend: null
	};
	const shared = {
		probe: "disk",
		value,
		limit,
		unit: "MiB"
	};
	if (value >= limit) return {
		...shared,
		state: "pass",
		text: `${value} MiB free for the pack`,
		mend: null
	};
	const text = `${value} MiB free for the pack, less than ${limit}`;
	return {
		...shared,
		state: "fail",
		text,
		mend: "free disk space, or put the pack on another disk"
	};
}
function load({ host }) {
	const { load1, logicalCpus, busy } = host;
	if (load1 === null || logicalCpus === null) return {
		probe: "load",
		state: "unknown",
		text: "the load cannot be read",
		mend: null
	};
	const limit = Math.max(1, logicalCpus * LOAD_MAX_SHARE);
	const shared = {
		probe: "load",
		value: load1,
		limit,
		unit: "threads"
	};
	const text = `${load1} runnable threads over the last minute on ${logicalCpus} CPUs`;
	if (load1 <= limit) return {
		...shared,
		state: "pass",
		text,
		mend: null
	};
	const others = (busy ?? []).map(({ name, pid }) => `${name} (pid ${pid})`).join(", ");
	const mend = `stop what else runs${others === "" ? "" : `: ${others}`}; whether it disturbs the client, its calibration tells`;
	return {
		...shared,
		state: "warn",
		text,
		mend
	};
}
function preflightEvidence(findings) {
	return findings.map(({ probe, state, text, mend, value, limit, unit }) => ({
		probe: `host.preflight.${probe}`,
		state: state === "warn" ? "pass" : state,
		required: state === "fail",
		blames: "host",
		...value === void 0 ? {} : { value },
		...limit === void 0 ? {} : { limit },
		...unit === void 0 ? {} : { unit },
		text: mend === null ? text : `${text}: ${mend}`
	}));
}
function machineLook({ engine, machine }) {
	return {
		withGpus: engine.placement.gpus > 0,
		dcgmUrl: machine.dcgm_url,
		owned: null
	};
}
const MACHINE_FILE = "machine.json";
const LOOKS = 3;
const AGAIN_MS = 5e3;
async function preflight(effects, manifest, signal) {
	let file = await lookedAt(effects, manifest, signal);
	let findings = findingsOf(file, manifest);
	for (let looks = 1; looks < LOOKS && findings.some(mayPass); looks += 1) {
		await effects.clock.sleep(AGAIN_MS, signal);
		file = await lookedAt(effects, manifest, signal);
		findings = findingsOf(file, manifest);
	}
	await effects.pack.write(MACHINE_FILE, packJson(file));
	for (const { state, text, mend } of findings) if (state === "fail") effects.progress.warn(`the machine is not fit to measure on: ${text}`);
	else if (state === "warn") effects.progress.warn(mend === null ? text : `${text}: ${mend}`);
	return {
		evidence: preflightEvidence(findings),
		isFit: !findings.some(({ state }) => state === "fail")
	};
}
async function lookedAt(effects, manifest, signal) {
	const state = await effects.machine.look(machineLook(manifest), signal);
	return {
		schema: 1,
		lookedAt: effects.clock.wallTime(),
		state
	};
}
function findingsOf({ state }, manifest) {
	return machineFindings(state, {
		manifest,
		engineIsUp: isUpAlready(manifest)
	});
}
function mayPass({ probe, state }) {
	return state === "fail" && (probe === "memory" || probe === "processes");
}
async function storedPreflight(pack, manifest) {
	if (await pack.read(MACHINE_FILE) === null) return [];
	return preflightEvidence(findingsOf(parseMachineFile(await readPackText(pack, MACHINE_FILE), MACHINE_FILE), manifest));
}
async function fitness(effects, order, signal) {
	const { manifest, accepted } = order;
	const machine = await preflight(effects, manifest, signal);
	if (!machine.isFit) return {
		evidence: await storedFitness(effects.pack, order),
		isFit: false
	};
	const client = await calibrateRun(effects, manifest, accepted, signal);
	return {
		evidence: [...machine.evidence, ...client.evidence],
		isFit: client.isFit
	};
}
async function storedFitness(pack, { manifest, accepted, hasPoints }) {
	return [...await storedPreflight(pack, manifest), ...await storedCalibration(pack, manifest, accepted, hasPoints)];
}
function capacityRecord(facts) {
	const { manifest } = facts;
	const { experiment, subject } = identify(manifest);
	return {
		schema: 1,
		kind: facts.kind ?? (isSimulated(manifest) ? "simulated" : "measured"),
		layer: "service",
		gateId: gateId(manifest),
		tool: {
			version: facts.toolVersion,
			replayProtocol: 1
		},
		createdAt: facts.createdAt,
		commit: facts.commit,
		experiment,
		schedules: facts.schedules,
		subject: {
			...subject,
			...subjectOf(manifest)
		},
		identity: identityOf(facts.results),
		hardware: facts.hardware,
		boots: [...facts.boots],
		capacity: [...facts.results],
		...facts.hostProof === void 0 ? {} : { hostProof: facts.hostProof },
		selected: null,
		evidence: [...facts.evidence]
	};
}
function subjectOf(manifest) {
	const { name, version, deploy } = manifest.engine;
	if (!deploy || deploy.kind === "endpoint") return {
		name,
		version,
		image: null,
		argv: [],
		env: {}
	};
	const docker = deploy.kind === "docker";
	return {
		name,
		version,
		image: docker ? deploy.image : null,
		argv: docker ? deploy.args : deploy.argv,
		env: deploy.env
	};
}
function identityOf(results) {
	const worst = new Map();
	const rank = {
		pass: 0,
		unknown: 1,
		fail: 2
	};
	for (const point of results.flatMap((result) => result.points)) for (const evidence of point.evidence) {
		if (evidenceGroup(evidence.probe) !== "identity") continue;
		const known = worst.get(evidence.probe);
		if (!known || rank[evidence.state] > rank[known.state]) worst.set(evidence.probe, evidence);
	}
	return [...worst.values()];
}
function mixOf(rows) {
	const byClass = new Map();
	for (const row of rows) {
		const others = byClass.get(row.class);
		if (others) others.push(row);
		else byClass.set(row.class, [row]);
	}
	return [...byClass].map(([name, [first, ...others]]) => {
		if (!first) throw new Error(`the class ${name} has no rows`);
		const all = [first, ...others];
		const session = sessionShape(all);
		const texts = new Set(all.flatMap(({ text }) => text === void 0 ? [] : [text]));
		return {
			name,
			inputTokens: first.inputTokens,
			outputTokens: first.outputTokens,
			weight: all.length,
			...session ? { session } : {},
			...texts.size > 0 ? { texts: [...texts] } : {}
		};
	});
}
function sessionShape(rows) {
	const second = rows.findIndex(({ turn }) => turn === 1);
	const next = rows[second];
	if (!next) return null;
	const concurrent = second - rows.findIndex(({ session }) => session === next.session);
	return {
		turns: [...sessionHistory(rows).values()].reduce((most, turns) => Math.max(most, turns.length), 0),
		concurrent,
		thinkUs: next.thinkUs ?? 0
	};
}
function cancellationOf(rows) {
	const afterTokens = rows.find((row) => row.cancelAfterTokens !== void 0)?.cancelAfterTokens;
	if (afterTokens === void 0) return null;
	const eligible = rows.filter((row) => row.outputTokens > afterTokens);
	return {
		share: eligible.filter((row) => row.cancelAfterTokens !== void 0).length / eligible.length,
		afterTokens
	};
}
function warmupRows(schedule, milliRps, seconds) {
	const { header } = schedule;
	const endUs = warmupOffsetUs(milliRps, seconds);
	if (endUs <= 0) return [];
	const seed = header.warmupSeed;
	const initial = schedule.rows.slice(0, header.initialRequests);
	const order = {
		header,
		kind: "w",
		seed,
		cancellation: cancellationOf(initial)
	};
	if (header.generator === "trace-1") return drawRows({
		...order,
		...traceBackward(initial, endUs, seed)
	});
	const offsetsUs = warmupOffsets(header, endUs, randomStream(`schedule-1 ${seed} arrivals`));
	const random = randomStream(`schedule-1 ${seed} classes 0`);
	return drawRows({
		...order,
		offsetsUs,
		mix: shuffledMix(mixOf(initial), offsetsUs.length, random)
	});
}
function traceBackward(rows, endUs, seed) {
	const mix = [];
	const offsetsUs = [];
	let index = uniformInt(randomStream(`schedule-1 ${seed} place`), 0, rows.length - 1);
	for (let leftUs = endUs; leftUs >= 0; index = (index === 0 ? rows.length : index) - 1) {
		const row = rows[index];
		if (!row) break;
		const { class: name, inputTokens, outputTokens } = row;
		mix.push({
			name,
			inputTokens,
			outputTokens,
			weight: 1
		});
		offsetsUs.push(leftUs);
		leftUs -= row.offsetUs - (rows[index - 1]?.offsetUs ?? 0);
	}
	return {
		mix: mix.reverse(),
		offsetsUs: offsetsUs.reverse()
	};
}
function warmupOffsetUs(milliRps, seconds) {
	return Math.round(seconds * 1e3) * milliRps;
}
const OWN_TOKENS = 16;
function prewarmRequests(schedule) {
	return schedule.header.prefixes.map((prefix, index) => ({
		id: requestId("f", index + 1),
		inputTokens: prefix.tokens + OWN_TOKENS,
		outputTokens: 1,
		prefix: prefix.id
	})).reverse();
}
const TRY_STRIDE = 1e3;
const TURN_STRIDE = 1e4;
const TURN_NUMBERS = 9999;
const SETTLED = new Set(["usage_missing"]);
async function singleRequest(effects, shape, target, make, signal) {
	for (let attempt = 0;; attempt++) {
		const { row, earlier } = make(target.index + attempt * TRY_STRIDE);
		const answer = await effects.replay.send(shape, target, row, signal, earlier);
		if (answer.status === "ok" || isRefused(answer) || SETTLED.has(answer.errorCode ?? "") || attempt + 1 === 3) return answer;
	}
}
function isRefused({ status, httpStatus }) {
	return status !== "rejected" && httpStatus !== null && httpStatus >= 400 && httpStatus < 500;
}
function smallestRequest({ workload }, kind, number) {
	const { name, input_tokens: inputTokens, output_tokens: outputTokens } = workload.reduce((best, next) => next.input_tokens + next.output_tokens < best.input_tokens + best.output_tokens ? next : best);
	return {
		row: {
			id: requestId(kind, number + 1),
			class: name,
			offsetUs: 0,
			inputTokens,
			outputTokens
		},
		earlier: []
	};
}
function asProbe({ row, earlier }, kind, number) {
	const bare = ({ class: name, inputTokens, outputTokens, text }, id) => ({
		id: requestId(kind, id),
		class: name,
		offsetUs: 0,
		inputTokens,
		outputTokens,
		...text === void 0 ? {} : { text }
	});
	return {
		row: bare(row, number + 1),
		earlier: earlier.map((turn, index) => bare(turn, number + 1 + (index % TURN_NUMBERS + 1) * TURN_STRIDE))
	};
}
async function setCacheState(effects, deployment, schedule, shape, signal) {
	const reset = await deployment.resetCache(signal);
	if (schedule.header.cache === "cold") return [reset];
	return [reset, prewarmEvidence(await Promise.all(deployment.replicas.map((target) => prewarmReplica(effects, target, schedule, shape, signal))), schedule.header.prefixes.length)];
}
async function prewarmReplica(effects, target, schedule, shape, signal) {
	const requests = prewarmRequests(schedule);
	for (const [index, request] of requests.entries()) {
		const row = {
			...request,
			class: "prewarm",
			offsetUs: 0
		};
		let record = await effects.replay.send(shape, target, row, signal);
		for (let tries = 1; record.status !== "ok" && tries < 3; tries++) record = await effects.replay.send(shape, target, row, signal);
		if (record.status !== "ok") return {
			missed: requests.length - index,
			lost: record
		};
	}
	return {
		missed: 0,
		lost: null
	};
}
function prewarmEvidence(replicas, prefixes) {
	const total = replicas.reduce((sum, { missed }) => sum + missed, 0);
	const lost = replicas.flatMap((replica) => replica.lost ?? []);
	const blames = lost.map(({ errorCode }) => blameOf(errorCode));
	const [first] = lost;
	return {
		probe: "cache_hit.prewarm",
		state: total === 0 ? "pass" : "fail",
		required: true,
		blames: blames.find((blame) => blame !== "engine") ?? "engine",
		value: total,
		limit: 0,
		unit: "prefixes",
		text: first ? `${total} prefixes were not sent: replica ${first.replica} failed 3 requests with ${first.errorCode ?? first.status}` : `each of ${replicas.length} replicas was sent all ${prefixes} prefixes`
	};
}
const meanings = ERROR_CODES;
function blameOf(errorCode) {
	return meanings[errorCode ?? ""]?.blames ?? "engine";
}
const whole = int().min(0);
const us = whole;
const gapUs = number().min(0);
strictObject({
	id: string().min(1),
	class: string().min(1),
	status: _enum(STATUSES),
	errorCode: string().nullable(),
	dueUs: us,
	handedUs: us.nullable(),
	sentUs: us.nullable(),
	firstTokenUs: us.nullable(),
	firstContentUs: us.nullable(),
	lastTokenUs: us.nullable(),
	endUs: us,
	inputTokens: whole.nullable(),
	outputTokens: whole.nullable(),
	cachedTokens: whole.nullable(),
	chunks: whole,
	gapUs: strictObject({
		p50: gapUs,
		p95: gapUs,
		max: gapUs
	}).nullable(),
	httpStatus: whole.nullable(),
	finishReason: string().nullable(),
	replica: whole.nullable(),
	session: string().nullable(),
	turn: whole.nullable()
});
function encodeJournalLine(record) {
	return JSON.stringify(record);
}
var Cohort = class {
	records = [];
	gaps = new Map();
	#init;
	#isExtended = false;
	constructor(init) {
		this.#init = init;
	}
	onRecord(record, chunks) {
		const { journal, rawGaps } = this.#init;
		const failure = journal.failure ?? rawGaps?.failure ?? null;
		if (failure !== null) throw failure;
		this.records.push(record);
		journal.write(encodeJournalLine(record));
		rawGaps?.write(encodeRawGaps(record.id, chunks));
		this.#init.counts.add(record);
		if (record.status === "ok") this.#chunksOf(record.class).add(chunks);
	}
	onSample(line) {
		this.#init.onLine(line);
		const { key, plannedSeconds, counts } = this.#init;
		const elapsedSeconds = line.atUs / 1e6;
		this.#init.progress.point({
			point: pointName(key),
			rateRps: "openMilliRps" in key.load ? key.load.openMilliRps / 1e3 : null,
			phase: this.#phaseAt(elapsedSeconds),
			elapsedSeconds,
			plannedSeconds,
			sent: line.sent,
			resolved: line.resolved,
			failed: counts.failed(),
			inFlight: line.inFlight,
			backlog: line.backlog,
			attainment: counts.attainment()
		});
	}
	extend() {
		const isNeeded = this.#init.counts.extensionNeeded();
		this.#isExtended ||= isNeeded;
		return isNeeded;
	}
	stop() {
		return this.#init.counts.hopeless();
	}
	#phaseAt(elapsedSeconds) {
		const { plannedSeconds } = this.#init;
		if (elapsedSeconds < 0) return "warm-up";
		if (plannedSeconds === null || elapsedSeconds <= plannedSeconds) return "arrivals";
		return this.#isExtended ? "extension" : "drain";
	}
	#chunksOf(name) {
		const known = this.gaps.get(name);
		if (known) return known;
		const fresh = new ChunkHistograms();
		this.gaps.set(name, fresh);
		return fresh;
	}
};
const POLL_MS$1 = 50;
const NOTICE_US = 5e6;
async function exitNoticed({ clock }, deployment, signal) {
	const until = clock.nowUs() + NOTICE_US;
	while (deployment.events().length === 0 && clock.nowUs() < until) await clock.sleep(POLL_MS$1, signal);
}
function longestRequest(schedule, texts) {
	const { rows, header } = schedule;
	const row = header.dataset && texts ? mostCharacters(rows, texts) : longestRow(schedule);
	return {
		row,
		earlier: (row.session === void 0 ? [] : sessionHistory(rows).get(row.session) ?? []).slice(0, row.turn ?? 0)
	};
}
function mostCharacters(rows, texts) {
	const sessions = new Map();
	let most = -1;
	return rows.reduce((longest, row) => {
		const characters = (row.session === void 0 ? 0 : sessions.get(row.session) ?? 0) + (row.text === void 0 ? 0 : texts[row.text]?.length ?? 0);
		if (row.session !== void 0) sessions.set(row.session, characters);
		if (characters <= most) return longest;
		most = characters;
		return row;
	}, rows[0]);
}
const INTERVAL_MS = 1e3;
var PointMachine = class PointMachine {
	#effects;
	#order;
	#before;
	constructor(effects, order, before) {
		this.#effects = effects;
		this.#order = order;
		this.#before = before;
	}
	static async look(effects, manifest, deployment, signal) {
		const order = {
			...machineLook(manifest),
			owned: deployment.owned?.bind(deployment) ?? null
		};
		const state = await effects.machine.look(order, signal);
		const claim = claimedGpus(manifest, state.gpus ?? []);
		return new PointMachine(effects, {
			...order,
			gpus: claim?.uuids ?? []
		}, {
			state,
			clockUs: effects.clock.nowUs()
		});
	}
	watch(originUs, onLine) {
		return this.#effects.machine.watch({
			...this.#order,
			originUs,
			intervalMs: INTERVAL_MS
		}, onLine);
	}
	async end(originUs, signal) {
		const state = await this.#effects.machine.look(this.#order, signal);
		const line = (clockUs, seen) => ({
			t: "machine",
			atUs: clockUs - originUs,
			seen
		});
		return [line(this.#before.clockUs, {
			kind: "state",
			phase: "before",
			state: this.#before.state
		}), line(this.#effects.clock.nowUs(), {
			kind: "state",
			phase: "after",
			state
		})];
	}
};
const POLL_MS = 250;
const DEADLINE_US = 3e7;
async function quiesce(effects, deployment, shape, signal) {
	const dead = (await Promise.all(deployment.replicas.map((target) => singleRequest(effects, shape, target, (number) => smallestRequest(shape.manifest, "q", number), signal)))).find((record) => record.status !== "ok");
	if (dead) {
		const text = `after the drain replica ${dead.replica} answered ${dead.errorCode ?? dead.status}`;
		const isGone = dead.status !== "rejected" && dead.errorCode !== "client_resource";
		if (isGone) await exitNoticed(effects, deployment, signal);
		return {
			...verdict("fail", text),
			required: isGone
		};
	}
	const gauges = await Promise.all(deployment.replicas.map((target) => idle(effects, target, shape.dialect, signal)));
	if (gauges.includes("busy")) return verdict("fail", "requests still ran or waited 30 s after the drain");
	if (gauges.includes("unknown")) return verdict("unknown", "the engine shows no gauge of running and waiting requests");
	return verdict("pass", "one request a replica was answered, and running and waiting were zero after it");
}
async function idle(effects, target, dialect, signal) {
	const until = effects.clock.nowUs() + DEADLINE_US;
	let last = "unknown";
	do {
		const line = await effects.metrics.scrape(target, dialect, effects.clock.nowUs(), signal);
		if (line.t === "engine") {
			const load = runningAndWaiting(dialect, line.values);
			if (load === null) return "unknown";
			if (load === 0) return "idle";
			last = "busy";
		}
		await effects.clock.sleep(POLL_MS, signal);
	} while (effects.clock.nowUs() < until);
	return last;
}
function runningAndWaiting(dialect, values) {
	const sources = dialect.metrics?.sources;
	if (!sources?.running || !sources.waiting) return null;
	const running = readMetric(values, sources.running);
	const waiting = readMetric(values, sources.waiting);
	return running === null || waiting === null ? null : running + waiting;
}
function verdict(state, text) {
	return {
		probe: "stability.quiesce",
		state,
		required: false,
		blames: "engine",
		text
	};
}
const NOT_ALLOWED = new Set([
	401,
	403,
	407
]);
async function smoke(effects, deployment, shape, longest, signal) {
	const findings = deployment.replicas.map(async (target) => {
		const answer = await singleRequest(effects, shape, target, (number) => asProbe(longest, "s", number), signal);
		return {
			probe: "tokens.smoke",
			required: true,
			...findingOf(shape, target, longest.row, answer)
		};
	});
	return Promise.all(findings);
}
function findingOf(shape, { index }, longest, answer) {
	const text = (what) => `replica ${index} ${what}`;
	if (answer.status === "ok") {
		const wrong = wrongLength(shape, longest, answer);
		if (wrong !== null) return {
			state: "fail",
			blames: "client",
			text: wrong
		};
		return {
			state: "pass",
			blames: "engine",
			text: text(`answered ${answer.outputTokens} tokens in ${answer.chunks} chunks`)
		};
	}
	if (answer.errorCode === "usage_missing") return {
		state: "fail",
		blames: "host",
		text: `insufficient evidence: ${text("tells neither usage nor token ids")}`
	};
	if (isRefused(answer)) {
		const said = answer.refusal === void 0 ? "" : `: ${answer.refusal}`;
		const what = `refused the longest request, ${description(longest)}, with HTTP ${answer.httpStatus}${said}`;
		return {
			state: "fail",
			blames: NOT_ALLOWED.has(answer.httpStatus ?? 0) || !isWithinWindow(shape, longest) ? "client" : "engine",
			text: text(what)
		};
	}
	const what = `failed 3 single requests before any load: ${answer.errorCode ?? answer.status}`;
	return {
		state: "fail",
		blames: isOwnDoing(answer.errorCode) ? "client" : "engine",
		text: text(what)
	};
}
function description({ id, class: name, inputTokens, outputTokens, text }) {
	return `${id} (class ${name}, ${inputTokens} tokens in, ${outputTokens} out${text === void 0 ? "" : `, text ${text} of the dataset`})`;
}
function isWithinWindow({ manifest }, { inputTokens, outputTokens }) {
	const { client, model } = manifest;
	return client.prompt === "token_ids" && client.endpoint === "completions" && client.dataset === void 0 && model.max_model_len !== void 0 && inputTokens + outputTokens <= model.max_model_len;
}
function wrongLength({ manifest }, longest, { inputTokens }) {
	const tolerance = manifest.client.dataset?.length_tolerance;
	if (tolerance === void 0 || inputTokens === null) return null;
	if (Math.abs(inputTokens - longest.inputTokens) <= tolerance * longest.inputTokens) return null;
	return `the engine counted ${inputTokens} tokens in the longest prompt, ${description(longest)}: more than ${100 * tolerance} % off`;
}
const LEAD_US = 25e4;
const SCRAPE_INTERVAL_MS = 1e3;
async function measurePoint(effects, order, signal) {
	const shape = {
		manifest: order.manifest,
		dialect: order.dialect,
		header: order.schedule.header,
		epoch: pointEpoch(order.key),
		...order.texts ? { texts: order.texts } : {}
	};
	const before = [...order.deployment.identity];
	if (before.some((evidence) => evidence.state === "fail")) return refusedPoint(effects, order, before, signal);
	const longest = longestRequest(order.schedule, order.texts);
	const proof = await smoke(effects, order.deployment, shape, longest, signal);
	before.push(...proof);
	if (proof.some((evidence) => evidence.state === "fail")) return refusedPoint(effects, order, before, signal);
	const prepared = await setCacheState(effects, order.deployment, order.schedule, shape, signal);
	before.push(...prepared);
	const isCold = (evidence) => evidence.probe === "cache_hit.prewarm" && evidence.state === "fail";
	if (prepared.some(isCold)) return refusedPoint(effects, order, before, signal);
	const replayed = await replayCohort(effects, order, shape, signal);
	if (order.manifest.client.raw_gaps) await effects.pack.gzip(pointPaths(order.key).rawGaps);
	const lines = [
		{
			t: "point",
			facts: factsOf(order, replayed.outcome)
		},
		...[...before, ...replayed.after].map((evidence) => ({
			t: "evidence",
			evidence
		})),
		...replayed.lines
	];
	await writeMeasured(effects.pack, order, {
		records: replayed.cohort.records,
		gaps: replayed.cohort.gaps,
		lines
	});
	return judgeWritten(effects.pack, order);
}
async function replayCohort(effects, order, shape, signal) {
	try {
		var _usingCtx$5 = _usingCtx();
		const { manifest, deployment } = order;
		const lines = [];
		const onLine = (line) => void lines.push(line);
		await keepInterrupted(effects.pack, pointPaths(order.key));
		const journal = _usingCtx$5.a(await effects.pack.appendLines(pointPaths(order.key).journal));
		const rawGaps = _usingCtx$5.a(manifest.client.raw_gaps ? await effects.pack.appendLines(pointPaths(order.key).rawGaps) : null);
		const machine = await PointMachine.look(effects, manifest, deployment, signal);
		const replay = replayOrder(effects, order, shape);
		const { workload } = manifest;
		const counts = createProgress({
			workload,
			acceptance: order.isExploration ? explorationAcceptance(manifest.acceptance) : manifest.acceptance
		}, replay.blocks);
		const cohort = new Cohort({
			key: order.key,
			journal,
			rawGaps,
			counts,
			progress: effects.progress,
			plannedSeconds: plannedSeconds(replay),
			onLine
		});
		const { originUs } = replay;
		const scrape = {
			replicas: deployment.replicas,
			dialect: order.dialect,
			originUs,
			intervalMs: SCRAPE_INTERVAL_MS
		};
		const after = [];
		let outcome;
		try {
			var _usingCtx3 = _usingCtx();
			_usingCtx3.a(effects.metrics.watch(scrape, onLine));
			_usingCtx3.a(machine.watch(originUs, onLine));
			outcome = await effects.replay.run(replay, cohort, signal);
			after.push(...outcome.evidence, await quiesce(effects, deployment, shape, signal));
		} catch (_) {
			_usingCtx3.e = _;
		} finally {
			await _usingCtx3.d();
		}
		lines.push(...await machine.end(originUs, signal), ...eventLines(deployment, originUs));
		return {
			cohort,
			outcome,
			lines,
			after
		};
	} catch (_) {
		_usingCtx$5.e = _;
	} finally {
		await _usingCtx$5.d();
	}
}
function eventLines(deployment, originUs) {
	return deployment.events().map(({ clockUs, replica, kind, blames, text }) => {
		return {
			t: "event",
			atUs: clockUs - originUs,
			replica,
			kind,
			blames,
			text
		};
	});
}
function replayOrder(effects, order, shape) {
	const { client } = order.manifest;
	const { load } = order.key;
	const milliRps = "openMilliRps" in load ? load.openMilliRps : load.closedConcurrency * 1e3;
	const warmupUs = Math.round(client.warmup_seconds * 1e6);
	const warmup = warmupRows(order.schedule, milliRps, client.warmup_seconds);
	return {
		shape,
		targets: order.deployment.targets,
		load,
		originUs: effects.clock.nowUs() + LEAD_US + warmupUs,
		warmup,
		warmupUs,
		blocks: scheduleBlocks(order.schedule),
		maximumDurationUs: Math.round(1e6 * arrivalSecondsMax(order))
	};
}
function arrivalSecondsMax({ manifest, isExploration = false }) {
	return isExploration ? explorationSeconds(manifest) : manifest.client.maximum_duration_seconds;
}
function plannedSeconds({ load, blocks }) {
	return "openMilliRps" in load ? dueUs(blocks[0]?.at(-1)?.offsetUs ?? 0, load.openMilliRps) / 1e6 : null;
}
async function refusedPoint(effects, order, evidence, signal) {
	if (evidence.some(({ state, blames }) => state === "fail" && blames === "engine")) await exitNoticed(effects, order.deployment, signal);
	const lines = [
		{
			t: "point",
			facts: factsOf(order, null)
		},
		...evidence.map((seen) => ({
			t: "evidence",
			evidence: seen
		})),
		...eventLines(order.deployment, effects.clock.nowUs())
	];
	await writeMeasured(effects.pack, order, {
		records: [],
		gaps: new Map(),
		lines
	});
	return judgeWritten(effects.pack, order);
}
function factsOf(order, outcome) {
	return {
		schema: 1,
		key: order.key,
		epoch: pointEpoch(order.key),
		scheduleSha256: order.schedule.sha256,
		deployId: order.deployment.deployId,
		dialect: order.dialect.id,
		replicas: order.deployment.replicas.length,
		cohortRequests: outcome?.cohortRequests ?? 0,
		arrivalUs: outcome?.arrivalUs ?? 0,
		cohortUs: outcome?.cohortUs ?? 0,
		maximumReached: outcome?.maximumReached ?? false,
		stoppedEarly: outcome ? outcome.stoppedEarly : "no load was sent",
		warmupRequests: outcome?.warmupRequests ?? 0
	};
}
const ENGINE_FAULTS = new Set(["engine_not_ready", "engine_died_at_start"]);
var Boots = class {
	records;
	#init;
	#current = null;
	#heldSeconds;
	#attempts;
	constructor(init) {
		this.#init = init;
		this.records = [...init.earlier];
		this.#heldSeconds = init.earlierHeldSeconds;
		this.#attempts = init.earlierAttempts;
	}
	get current() {
		return this.#current?.deployment ?? null;
	}
	heldSeconds() {
		return this.#heldSeconds + (this.#current ? this.#secondsSince(this.#current.sinceUs) : 0);
	}
	async fresh(signal) {
		const boot = await this.#boot(signal);
		if (!boot.ok || boot.deployment.boot.compileCache !== "miss") return boot;
		const { deployId } = boot.deployment;
		this.#init.effects.progress.note(`${deployId}: its compile cache was cold; it is warmed up and thrown away`);
		await this.#init.warmUp(boot.deployment, signal);
		return this.#boot(signal);
	}
	async #boot(signal) {
		await this.end();
		const { effects, manifest, dialect, cache, deployPrefix, log } = this.#init;
		this.#attempts += 1;
		const deployId = `${deployPrefix}${cache}-boot-${this.#attempts}`;
		const sinceUs = effects.clock.nowUs();
		effects.progress.note(`${deployId}: starting ${manifest.engine.name} ${manifest.engine.version}`);
		try {
			const deployment = await effects.deployer.deploy({
				manifest,
				dialect,
				deployId,
				log
			}, signal);
			this.#current = {
				deployment,
				sinceUs
			};
			this.records.push(deployment.boot);
			effects.progress.note(`${deployId}: ready after ${deployment.boot.seconds.toFixed(1)} s`);
			return {
				ok: true,
				deployment
			};
		} catch (error) {
			this.#heldSeconds += this.#secondsSince(sinceUs);
			if (!(error instanceof GateError && ENGINE_FAULTS.has(error.code))) throw error;
			effects.progress.warn(`${deployId}: ${error.message}`);
			return {
				ok: false,
				deployId,
				error
			};
		}
	}
	async end() {
		const current = this.#current;
		if (!current) return;
		this.#current = null;
		await current.deployment[Symbol.asyncDispose]();
		this.#heldSeconds += this.#secondsSince(current.sinceUs);
	}
	async [Symbol.asyncDispose]() {
		await this.end();
	}
	#secondsSince(sinceUs) {
		return (this.#init.effects.clock.nowUs() - sinceUs) / 1e6;
	}
};
const ROWS_OF_A_CLASS = 8;
const EPOCH = 0;
async function warmCompileCache(effects, { manifest, dialect, schedule, texts }, deployment, signal) {
	const shape = {
		manifest,
		dialect,
		header: schedule.header,
		epoch: EPOCH,
		...texts ? { texts } : {}
	};
	const rows = manifest.workload.flatMap(({ name }) => {
		return schedule.rows.filter((row) => row.class === name && (row.turn ?? 0) === 0).slice(0, ROWS_OF_A_CLASS);
	});
	await Promise.all(deployment.replicas.flatMap((target) => rows.map((row) => effects.replay.send(shape, target, row, signal))));
}
async function failedStart(effects, order, failure) {
	const lines = [{
		t: "point",
		facts: factsOf({
			...order,
			deployment: {
				deployId: failure.deployId,
				replicas: []
			}
		}, null)
	}, {
		t: "event",
		atUs: 0,
		replica: null,
		kind: "start_failed",
		blames: "engine",
		text: failure.error.message
	}];
	await writeMeasured(effects.pack, order, {
		records: [],
		gaps: new Map(),
		lines
	});
	return judgeWritten(effects.pack, order);
}
const START_FAILURES_MAX = 3;
const LIMIT_CODES = new Set(["budget_reached", "engine_does_not_start"]);
async function measureState(effects, order, signal) {
	try {
		var _usingCtx$4 = _usingCtx();
		const { manifest, dialect, cache, plan, baseline, anchor, acceptedFloor, statesLoss, deployPrefix, earlier, log } = order;
		const taken = new Set([...earlier.boots, ...earlier.points].map(({ deployId }) => deployId));
		const boots = _usingCtx$4.a(new Boots({
			effects,
			manifest,
			dialect,
			cache,
			deployPrefix,
			log,
			warmUp: (deployment, abort) => warmCompileCache(effects, order, deployment, abort),
			earlier: earlier.boots,
			earlierAttempts: taken.size,
			earlierHeldSeconds: earlier.heldSeconds
		}));
		const points = [...earlier.points];
		const limits = [];
		for (;;) {
			const step = nextStep({
				plan,
				manifest,
				cache,
				baseline,
				anchor,
				acceptedFloor,
				points,
				statesLoss
			});
			if (step.do === "done") break;
			const limit = order.mayMeasure(boots.heldSeconds()) ?? startLimit(points);
			if (limit !== null) {
				limits.push(limit);
				break;
			}
			order.outlook?.begins(cache, points);
			effects.progress.note(`${pointName(step.key)}: ${step.why}`);
			const point = await measureStep(effects, order, boots, step, points.at(-1) ?? null, signal);
			points.push(point);
			await order.onPoint(point, boots);
			effects.progress.note(outcomeLine(point));
		}
		await boots.end();
		return {
			result: capacityResult({
				plan,
				manifest,
				cache,
				baseline,
				anchor,
				acceptedFloor,
				points,
				gpuMinutes: boots.heldSeconds() / 60 * manifest.engine.placement.gpus,
				statesLoss,
				limits
			}),
			boots: boots.records
		};
	} catch (_) {
		_usingCtx$4.e = _;
	} finally {
		await _usingCtx$4.d();
	}
}
function outcomeLine({ key, outcome, reasons: [first] }) {
	return `${pointName(key)}: ${outcome}${first ? ` – ${first.text}` : ""}`;
}
async function measureStep(effects, order, boots, step, previous, signal) {
	const { manifest, dialect, schedule, texts } = order;
	const isExploration = "closedConcurrency" in step.key.load;
	const point = {
		manifest,
		dialect,
		schedule,
		...texts ? { texts } : {},
		key: step.key,
		isExploration
	};
	if (needsBoot(order, boots, step, previous)) {
		const boot = await boots.fresh(signal);
		if (!boot.ok) return failedStart(effects, point, boot);
	}
	const deployment = boots.current;
	if (deployment === null) throw new Error("a point is measured on a standing engine");
	return measurePoint(effects, {
		...point,
		deployment
	}, signal);
}
function needsBoot(order, boots, step, previous) {
	const { current } = boots;
	if (current === null || step.boot === "fresh" || current.events().length > 0) return true;
	return order.cache === "cold" && order.dialect.reset === null && previous?.deployId === current.deployId;
}
function startLimit(points) {
	const failed = points.slice(-3).filter(({ evidence }) => evidence.some(({ probe }) => probe === "stability.start_failed"));
	if (failed.length < START_FAILURES_MAX) return null;
	return {
		code: "engine_does_not_start",
		text: `the engine did not start ${failed.length} times in a row: no further point was tried`
	};
}
function withSubject(manifest, subject) {
	const value = mergeOverride(without(manifestSchema, manifest, "subject") ?? {}, subject);
	return readManifest(JSON.stringify(value), { level: "deployable" });
}
function without(schema, value, tag) {
	const field = fieldOf(schema);
	if (value === void 0 || field.tag === tag) return void 0;
	if (field.tag) return value;
	const item = itemsOf(field.core);
	if (item && Array.isArray(value)) return value.map((entry) => without(item, entry, tag) ?? {});
	const mapping = mappingsOf(field.core, value)[0];
	if (!mapping || !isMapping(value)) return value;
	const left = Object.entries(shapeOf(mapping)).flatMap(([key, child]) => {
		const part = without(child, value[key], tag);
		return part === void 0 ? [] : [[key, part]];
	});
	return left.length > 0 ? Object.fromEntries(left) : void 0;
}
function baselineManifest(manifest, { subject }) {
	if (manifest.engine.deploy?.kind === "endpoint") return { why: "the engine is somebody else’s endpoint, where no other revision can be started" };
	if (subject.value === void 0) return { why: "its record does not hold its whole subject" };
	const { findings, manifest: read } = withSubject(manifest, subject.value);
	if (read === null) {
		const first = findings.find(({ severity }) => severity === "error");
		return { why: `its subject does not fit this manifest: ${first?.path ?? ""}: ${first?.message ?? ""}` };
	}
	const [asked, own] = [identify(read), identify(manifest)];
	if (asked.subject.sha256 !== subject.sha256) return { why: "its record’s subject does not give its own hash" };
	if (asked.experiment.sha256 !== own.experiment.sha256) return { why: "its subject changes the experiment" };
	const { min_capacity_rps: _minimum, ...acceptance } = read.acceptance;
	return { manifest: {
		...read,
		acceptance
	} };
}
function newSession(facts) {
	const { experiment, subject } = identify(facts.manifest);
	const digest = (record) => record === null ? null : recordSha256(record);
	return {
		schema: 1,
		plan: facts.plan,
		caches: [...facts.caches],
		startedAt: facts.startedAt,
		experimentSha256: experiment.sha256,
		subjectSha256: subject.sha256,
		schedules: scheduleDigests(facts.schedules),
		mustEqual: facts.hardware.mustEqual,
		recorded: facts.hardware.recorded,
		baselineSha256: digest(facts.accepted.baseline),
		anchorSha256: digest(facts.accepted.anchor),
		acceptedFloors: facts.acceptedFloors,
		states: {},
		plannedPoints: facts.plannedPoints,
		points: []
	};
}
function packFolder(pack, folder) {
	const within = (path) => `${folder}/${path}`;
	return {
		location: `${pack.location}/${folder}`,
		write: (path, content) => pack.write(within(path), content),
		writeGzip: (path, content) => pack.writeGzip(within(path), content),
		gzip: (path) => pack.gzip(within(path)),
		read: (path) => pack.read(within(path)),
		readGzip: (path) => pack.readGzip(within(path)),
		async list(below) {
			return (await pack.list(below === "." ? folder : within(below))).map((path) => path.slice(folder.length + 1));
		},
		remove: (path) => pack.remove(within(path)),
		appendLines: (path) => pack.appendLines(within(path))
	};
}
const LOG_LIMIT_CHARACTERS = 0x8000000;
async function openEngineLog(pack) {
	const sink = await pack.appendLines("engine.log");
	let written = 0;
	return {
		write(chunk) {
			if (written > LOG_LIMIT_CHARACTERS) return;
			written += chunk.length;
			sink.write(chunk.endsWith("\n") ? chunk.slice(0, -1) : chunk);
			if (written > LOG_LIMIT_CHARACTERS) sink.write("[log cut: the engines of this run printed too much]");
		},
		[Symbol.asyncDispose]: () => sink[Symbol.asyncDispose]()
	};
}
const PREPARATION_SECONDS = 5;
const SATURATION_OVER_CAPACITY = 1.25;
function expectedMilliRps(manifest, baseline, anchor) {
	const known = Math.max(baseline?.passMilliRps ?? 0, anchor?.passMilliRps ?? 0);
	if (known > 0) return known;
	const { acceptance, sweep } = manifest;
	const rates = sweptRates(manifest);
	return (sweep?.rates_rps === "auto" ? rates[Math.floor(rates.length / 2)] : rates.at(-2) ?? rates.at(-1)) ?? guardMilliRps({
		baselineMilliRps: null,
		anchorMilliRps: null,
		acceptance
	}) ?? 0;
}
function assumedPoint(manifest, key, capacityMilliRps, deployId) {
	const { load } = key;
	const isCarried = "closedConcurrency" in load || load.openMilliRps <= capacityMilliRps;
	const rate = "openMilliRps" in load ? load.openMilliRps : closedLoopMilliRps(manifest, load.closedConcurrency, capacityMilliRps * SATURATION_OVER_CAPACITY);
	const { client, workload } = manifest;
	const schedule = client.initial_scheduled_requests * 1e3 / rate;
	const cohortSeconds = ("openMilliRps" in load ? Math.min(client.maximum_duration_seconds, Math.max(schedule, client.minimum_duration_seconds)) : Math.min(explorationSeconds(manifest), schedule)) + Math.max(...workload.map(admissibleMs)) / 1e3;
	return {
		point: {
			key,
			outcome: isCarried ? "pass" : "fail",
			deployId,
			stoppedEarly: false,
			evidence: [],
			slo: {
				queue_trend: isCarried ? "flat" : "growing",
				successful: 1
			},
			ratesRps: {
				completed: rate / 1e3,
				good: (rate <= capacityMilliRps ? rate : 0) / 1e3
			}
		},
		seconds: PREPARATION_SECONDS + client.warmup_seconds + cohortSeconds
	};
}
function closedLoopMilliRps(manifest, concurrency, saturationMilliRps) {
	const turnMs = Math.max(1, meanAdmissibleMs(manifest)) / 2 + manifest.client.closed_loop_think_seconds * 1e3;
	const answered = concurrency * 1e6 / turnMs;
	return Math.max(1, Math.min(saturationMilliRps, answered));
}
const GPU_BOOT_SECONDS = 300;
const BOOT_SECONDS = 2;
function estimatePlan(input) {
	const paths = input.caches.map((cache) => {
		const capacity = expectedOf(input, cache);
		return {
			cache,
			same: pathOf(input, cache, capacity),
			less: pathOf(input, cache, capacity * .9)
		};
	});
	const proof = proofPaths(input);
	const proofSeconds = sum(proof.map((path) => path.seconds));
	const seconds = proofSeconds + sum(paths.map(({ same }) => same.seconds));
	const ifLessSeconds = proofSeconds + sum(paths.map(({ less }) => less.seconds));
	const points = sum([...proof, ...paths.map(({ same }) => same)].map((path) => path.points));
	const { gpus } = input.manifest.engine.placement;
	const gpuMinutes = seconds / 60 * gpus;
	const admittedSeconds = overAdmitted(input);
	return {
		states: paths.map(({ cache, same }) => ({
			cache,
			...same
		})),
		seconds,
		gpuMinutes,
		points,
		ifLessSeconds,
		admittedSeconds,
		lines: [
			...proof.map((path) => `${path.cache}, the baseline’s revision first, since this is another machine: ${counted(path.points, "point")} on ${counted(path.boots, "boot")}, ${minutes(path.seconds)}`),
			...paths.map(({ cache, same }) => `${cache}: ${counted(same.points, "point")} on ${counted(same.boots, "boot")}, ${minutes(same.seconds)}`),
			`${input.plan}: ${counted(points, "point")}, ${minutes(seconds)}${gpus > 0 ? `, ${Math.ceil(gpuMinutes)} GPU-minutes` : ""}`,
			`should it carry a tenth less: ${minutes(ifLessSeconds)}`,
			...admittedSeconds === null ? [] : [admittedLine(input.manifest, admittedSeconds)]
		]
	};
}
function requireWithinBudget({ seconds, admittedSeconds }, budgetMinutes) {
	const least = admittedSeconds?.[0] ?? seconds;
	if (budgetMinutes === null || least <= budgetMinutes * 60) return;
	throw new GateError({
		code: "plan_over_budget",
		message: `the plan takes ${minutes(least)}, more than the budget of ${budgetMinutes} min`,
		hint: "raise budget-minutes, or measure one cache state, fewer rates or fewer repeats",
		exitCode: EXIT.invalid
	});
}
function proofPaths(input) {
	const { manifest, caches, baseline, provesHost = false } = input;
	if (!provesHost || baseline === null) return [];
	const { min_capacity_rps: _minimum, ...acceptance } = manifest.acceptance;
	const asked = {
		...input,
		manifest: {
			...manifest,
			acceptance
		},
		plan: "confirm",
		anchor: null
	};
	return caches.filter((cache) => baseline.capacity.some((result) => result.cache === cache && result.passMilliRps !== null)).map((cache) => ({
		cache,
		...pathOf(asked, cache, expectedOf(asked, cache))
	}));
}
function overAdmitted(input) {
	const { manifest, plan, caches } = input;
	const isKnown = caches.every((cache) => acceptedOf$1(input, cache).some((record) => (record?.passMilliRps ?? null) !== null));
	if (plan !== "sweep" || manifest.sweep?.rates_rps !== "auto" || isKnown) return null;
	const times = sweptRates(manifest).map((rate) => sum(caches.map((cache) => pathOf(input, cache, rate).seconds)));
	return times.length === 0 ? null : [Math.min(...times), Math.max(...times)];
}
function admittedLine(manifest, [least, most]) {
	const rates = sweptRates(manifest);
	return `nothing is accepted yet, and the run finds its rates itself, from ${`${rpsText(rates[0] ?? 0)} to ${rpsText(rates.at(-1) ?? 0)}`}: it takes ${minutes(least)} to ${minutes(most)}`;
}
function acceptedOf$1({ baseline, anchor }, cache) {
	return [baseline, anchor].map((record) => record?.capacity.find((result) => result.cache === cache) ?? null);
}
function expectedOf(input, cache) {
	const [baseline = null, anchor = null] = acceptedOf$1(input, cache);
	return expectedMilliRps(input.manifest, baseline, anchor);
}
function pathOf(input, cache, capacity) {
	const { manifest, plan } = input;
	const [baseline = null, anchor = null] = acceptedOf$1(input, cache);
	const acceptedFloor = input.acceptedFloors?.[cache] ?? null;
	const points = [];
	let boots = 0;
	let seconds = 0;
	while (points.length < 200) {
		const step = nextStep({
			plan,
			manifest,
			cache,
			baseline,
			anchor,
			acceptedFloor,
			points
		});
		if (step.do === "done") break;
		const last = points.at(-1);
		if (step.boot === "fresh" || last && endedOverloaded(last)) boots += 1;
		const { point, seconds: took } = assumedPoint(manifest, step.key, capacity, `boot-${boots}`);
		points.push(point);
		seconds += took;
	}
	return {
		seconds: seconds + boots * bootSeconds(manifest),
		points: points.length,
		boots
	};
}
function bootSeconds({ engine }) {
	if (engine.deploy?.kind === "endpoint") return 0;
	return engine.placement.gpus > 0 ? GPU_BOOT_SECONDS : BOOT_SECONDS;
}
function sum(values) {
	return values.reduce((total, value) => total + value, 0);
}
function counted(count, noun) {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
function minutes(seconds) {
	return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`;
}
function secondsAhead(input, cache, measured) {
	const { manifest, plan } = input;
	const baseline = input.baseline?.capacity.find((result) => result.cache === cache) ?? null;
	const anchor = input.anchor?.capacity.find((result) => result.cache === cache) ?? null;
	const acceptedFloor = input.acceptedFloors?.[cache] ?? null;
	const capacity = agreeing(expectedMilliRps(manifest, baseline, anchor), measured);
	const points = [...measured];
	const ahead = [];
	while (points.length < 200) {
		const step = nextStep({
			plan,
			manifest,
			cache,
			baseline,
			anchor,
			acceptedFloor,
			points
		});
		if (step.do === "done") break;
		const last = points.at(-1);
		const isBooted = last === void 0 || step.boot === "fresh" || endedOverloaded(last);
		const deployId = isBooted ? `ahead-${ahead.length}` : last.deployId;
		const { point, seconds } = assumedPoint(manifest, step.key, capacity, deployId);
		points.push(point);
		ahead.push(seconds + (isBooted ? bootSeconds(manifest) : 0));
	}
	return ahead;
}
function agreeing(expected, measured) {
	const decisive = measured.filter(isDecisive);
	const rates = (outcome) => decisive.flatMap((point) => point.outcome === outcome ? openMilliRps(point) ?? [] : []);
	const carried = Math.max(expected, ...rates("pass"));
	return Math.min(carried, ...rates("fail").map((rate) => rate - 1));
}
var RunOutlook = class {
	#effects;
	#input;
	#points;
	#step = null;
	#took = 0;
	#estimated = 0;
	constructor(effects, input, earlier) {
		this.#effects = effects;
		this.#input = input;
		this.#points = earlier;
	}
	begins(cache, measured) {
		const { clock, progress } = this.#effects;
		const nowUs = clock.nowUs();
		if (this.#step !== null) {
			this.#took += (nowUs - this.#step.sinceUs) / 1e6;
			this.#estimated += this.#step.estimated;
		}
		const { caches } = this.#input;
		const [first = 0, ...rest] = secondsAhead(this.#input, cache, measured);
		const later = caches.slice(caches.indexOf(cache) + 1).flatMap((each) => secondsAhead(this.#input, each, []));
		const scale = this.#took > 0 && this.#estimated > 0 ? this.#took / this.#estimated : 1;
		const after = [...rest, ...later].reduce((sum, seconds) => sum + seconds, 0) * scale;
		this.#points += 1;
		this.#step = {
			sinceUs: nowUs,
			estimated: first
		};
		progress.outlook({
			point: this.#points,
			ofAbout: this.#points + rest.length + later.length,
			secondsLeft: first * scale + after,
			secondsAfterPoint: after
		});
	}
	over() {
		this.#effects.progress.outlook(null);
	}
};
async function measureStates(effects, order, signal) {
	try {
		var _usingCtx$3 = _usingCtx();
		const { manifest, plan, accepted, resumed } = order;
		const { session } = resumed;
		const measured = {
			results: [],
			boots: []
		};
		const log = _usingCtx$3.a(await openEngineLog(effects.pack));
		const outlook = order.isProof ? null : outlookOf(effects, order);
		for (const cache of order.caches) {
			const schedule = order.schedules.get(cache);
			if (!schedule) throw new Error(`no schedule was frozen for ${cache}`);
			const state = session.states[cache] ??= {
				boots: [],
				heldSeconds: 0
			};
			const { result, boots } = await measureState(effects, {
				manifest,
				dialect: dialectFor(manifest),
				cache,
				schedule,
				texts: order.texts,
				plan,
				baseline: stateOf(accepted.baseline, cache),
				anchor: stateOf(accepted.anchor, cache),
				acceptedFloor: session.acceptedFloors?.[cache] ?? null,
				statesLoss: !order.isProof,
				deployPrefix: order.isProof ? "baseline-" : "",
				earlier: {
					points: resumed.points.filter((point) => point.key.cache === cache),
					...state
				},
				log,
				outlook,
				onPoint: async (point, engine) => {
					session.points.push(pointName(point.key));
					state.boots = [...engine.records];
					state.heldSeconds = engine.heldSeconds();
					await writeSession(effects.pack, session);
				},
				mayMeasure: (heldSeconds) => overBudget(order.budgetMinutes, heldSeconds + otherSeconds(session, cache) + order.spentSeconds)
			}, signal);
			measured.results.push(result);
			measured.boots.push(...boots);
		}
		outlook?.over();
		return measured;
	} catch (_) {
		_usingCtx$3.e = _;
	} finally {
		await _usingCtx$3.d();
	}
}
function otherSeconds({ states }, cache) {
	return Object.entries(states).reduce((sum, [name, { heldSeconds }]) => sum + (name === cache ? 0 : heldSeconds), 0);
}
function outlookOf(effects, order) {
	const { manifest, plan, caches, accepted, resumed } = order;
	const acceptedFloors = resumed.session.acceptedFloors ?? {};
	return new RunOutlook(effects, {
		manifest,
		plan,
		caches,
		...accepted,
		acceptedFloors
	}, resumed.points.length);
}
function stateOf(record, cache) {
	return record?.capacity.find((result) => result.cache === cache) ?? null;
}
function overBudget(budgetMinutes, heldSeconds) {
	if (budgetMinutes === null || heldSeconds < budgetMinutes * 60) return null;
	return {
		code: "budget_reached",
		text: `the budget of ${budgetMinutes} min is used up: no further point is begun`,
		value: heldSeconds / 60,
		limit: budgetMinutes
	};
}
function hostCourse(now, baseline, onHostChange) {
	if (baseline === null || incomparabilities(now, baseline).length > 0) return "nothing";
	if (hostDifferences(now.hardware.recorded, baseline.hardware.recorded).length === 0) return "nothing";
	return {
		accept: "nothing",
		fail: "refusal",
		remeasure: "proof"
	}[onHostChange];
}
const NOT_THERE = /^(image_|engine_start_failed$|not_deployable$)/;
function proofPack(pack) {
	return packFolder(pack, PROOF_FOLDER);
}
async function proveHost(effects, order, signal) {
	const { baseline, candidate } = order;
	const proof = {
		baselineSha256: recordSha256(baseline),
		capacity: [],
		boots: [],
		reasons: []
	};
	const spent = { heldSeconds: 0 };
	const found = baselineManifest(order.manifest, baseline);
	if ("why" in found) addWhy(proof, found.why);
	else try {
		await measureBaseline({
			...effects,
			pack: proofPack(effects.pack)
		}, {
			...order,
			...found
		}, {
			proof,
			spent
		}, signal);
	} catch (error) {
		if (!(error instanceof GateError && NOT_THERE.test(error.code))) throw error;
		addWhy(proof, error.message);
	}
	return {
		proof,
		holds: isProven(candidate, proof, order, order.caches),
		...spent
	};
}
function addWhy(proof, text) {
	proof.reasons.push({
		code: "baseline_not_deployable",
		text
	});
}
async function measureBaseline(effects, order, { proof, spent }, signal) {
	const { manifest, baseline, candidate, caches, schedules, texts, budgetMinutes } = order;
	const { name, version } = manifest.engine;
	effects.progress.note(`the machine is not the baseline’s: its revision, ${name} ${version}, is measured here first`);
	const say = (line) => effects.progress.note(line);
	await effects.deployer.stage({
		manifest,
		dialect: dialectFor(manifest),
		say
	}, signal);
	const asked = provenCaches(baseline, caches);
	const accepted = {
		baseline,
		anchor: null
	};
	const session = newSession({
		manifest,
		plan: "confirm",
		caches: asked,
		schedules,
		hardware: candidate.hardware,
		accepted,
		acceptedFloors: {},
		startedAt: order.startedAt,
		plannedPoints: asked.length
	});
	const isResumed = order.resume && await readSession(effects.pack) !== null;
	const resumed = await resumeOrBegin(effects.pack, session, isResumed);
	const states = {
		manifest,
		plan: "confirm",
		accepted,
		schedules,
		texts,
		resumed,
		budgetMinutes
	};
	const held = () => Object.values(resumed.session.states).reduce((sum, { heldSeconds }) => sum + heldSeconds, 0);
	for (const [index, cache] of asked.entries()) {
		const measured = await measureStates(effects, {
			...states,
			caches: [cache],
			spentSeconds: 0,
			isProof: true
		}, signal).finally(() => spent.heldSeconds = held());
		proof.capacity.push(...measured.results);
		proof.boots.push(...measured.boots);
		if (!isProven(candidate, proof, order, asked.slice(0, index + 1))) return;
	}
}
function isProven(candidate, hostProof, { baseline }, caches) {
	const terms = readTerms(candidate);
	if (terms === null) return false;
	const judged = {
		candidate: {
			...candidate,
			hostProof
		},
		baseline,
		onHostChange: "remeasure",
		terms,
		caches
	};
	return hostFinding(judged).bars.length === 0;
}
async function proofAgain(pack, { manifest, stored, baseline, schedules }) {
	const { reasons } = stored;
	const found = baseline === null ? { why: "the pack holds no baseline" } : baselineManifest(manifest, baseline);
	const baselineSha256 = baseline === null ? "" : recordSha256(baseline);
	const none = {
		proof: {
			baselineSha256,
			capacity: [],
			boots: [],
			reasons
		},
		discrepancies: []
	};
	if ("why" in found || stored.capacity.length === 0) return none;
	const own = proofPack(pack);
	const session = parseSession(await readPackText(own, "run.json"));
	const paths = await own.list(".");
	const { reports, discrepancies } = await judgePointsAgain(own, {
		manifest: found.manifest,
		paths,
		schedules
	});
	const ordered = session.points.flatMap((name) => reports.filter((point) => pointName(point.key) === name));
	return {
		proof: {
			baselineSha256,
			capacity: stored.capacity.map(({ cache, plan, gpuMinutes, reasons: said }) => capacityResult({
				plan,
				manifest: found.manifest,
				cache,
				baseline: baseline?.capacity.find((result) => result.cache === cache) ?? null,
				anchor: null,
				points: ordered.filter((point) => point.key.cache === cache),
				gpuMinutes,
				statesLoss: false,
				limits: said.filter(({ code }) => LIMIT_CODES.has(code))
			})),
			boots: stored.capacity.flatMap(({ cache }) => session.states[cache]?.boots ?? []),
			reasons
		},
		discrepancies: discrepancies.map((one) => ({
			...one,
			path: `${PROOF_FOLDER}/${one.path}`
		}))
	};
}
async function checkRun(pack, manifest, checked) {
	try {
		return await recompute(pack, manifest, checked);
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		return [{
			code: "unreadable",
			path: pack.location,
			text: error.message
		}];
	}
}
async function recompute(pack, manifest, checked) {
	const stored = parseCapacityRecord(await readPackText(pack, "capacity.json"));
	const session = parseSession(await readPackText(pack, "run.json"));
	const baseline = await readAccepted(pack, "baseline.json");
	const anchor = await readAccepted(pack, "anchor.json");
	const { reports } = checked;
	const ordered = session.points.flatMap((name) => reports.filter((point) => pointName(point.key) === name));
	const proof = stored.hostProof && await proofAgain(pack, {
		manifest,
		stored: stored.hostProof,
		baseline,
		...checked
	});
	const again = capacityRecord({
		manifest,
		toolVersion: stored.tool.version,
		createdAt: session.startedAt,
		commit: stored.commit,
		hardware: {
			mustEqual: session.mustEqual,
			recorded: session.recorded
		},
		schedules: scheduleDigests(checked.schedules),
		results: stored.capacity.map((result) => {
			const acceptedFloor = session.acceptedFloors?.[result.cache] ?? null;
			return resultAgain(result, {
				manifest,
				ordered,
				baseline,
				anchor,
				acceptedFloor
			});
		}),
		evidence: await storedFitness(pack, {
			manifest,
			accepted: {
				baseline,
				anchor
			},
			hasPoints: session.points.length > 0
		}),
		boots: stored.capacity.flatMap(({ cache }) => session.states[cache]?.boots ?? []),
		...proof === void 0 ? {} : { hostProof: proof.proof }
	});
	const { onMissingBaseline, onHostChange, acceptedAsOf = null, context } = parseContextFile(await readPackText(pack, CONTEXT_FILE));
	const acceptedLosses = await packAcceptedLosses(pack, manifest, acceptedAsOf);
	const settled = settle(again, {
		baseline,
		anchor,
		onMissingBaseline,
		onHostChange,
		acceptedLosses,
		context
	});
	const differing = await differingFiles(pack, [
		[
			"capacity.json",
			"capacity",
			packJson(settled.record)
		],
		[
			"verdict.json",
			"verdict",
			packJson(settled.verdict)
		],
		[
			"report.md",
			"report",
			renderReportMarkdown({
				...settled,
				context
			})
		],
		[
			REPORT_PAGE_FILE,
			"report",
			await reportPage(pack, {
				...settled,
				context
			})
		],
		[
			"failure-test.md",
			"report",
			renderFailureTest()
		],
		...await selectedFiles(pack, settled.record.selected)
	]);
	return [
		...sessionDiscrepancies(session, reports),
		...proof?.discrepancies ?? [],
		...differing
	];
}
async function differingFiles(pack, expected) {
	const found = [];
	for (const [path, code, text] of expected) {
		if (await readPackText(pack, path) === text) continue;
		found.push({
			code,
			path,
			text: "does not follow from the points and the accepted records"
		});
	}
	return found;
}
function resultAgain(stored, again) {
	const { cache, plan, gpuMinutes } = stored;
	const { manifest, ordered, baseline, anchor, acceptedFloor } = again;
	const stateOf = (record) => record?.capacity.find((result) => result.cache === cache) ?? null;
	return capacityResult({
		plan,
		manifest,
		cache,
		baseline: stateOf(baseline),
		anchor: stateOf(anchor),
		acceptedFloor,
		points: ordered.filter((point) => point.key.cache === cache),
		gpuMinutes,
		limits: stored.reasons.filter(({ code }) => LIMIT_CODES.has(code))
	});
}
function sessionDiscrepancies(session, points) {
	const known = new Set(session.points);
	return points.map((point) => pointName(point.key)).filter((name) => !known.has(name)).map((name) => ({
		code: "point",
		path: pathsOf(name).folder,
		text: "was judged, and the run does not know it"
	}));
}
async function selectedFiles(pack, selected) {
	if (selected === null) return [];
	const paths = pathsOf(selected);
	return [[
		"requests.csv",
		"selected",
		await readPackText(pack, paths.requests)
	], [
		"slo-report.json",
		"selected",
		await readPackText(pack, paths.slo)
	]];
}
async function packAcceptedLosses(pack, manifest, asOf) {
	if (asOf === null) return null;
	const text = await readPackText(pack, ACCEPTED_LOSSES_FILE);
	return requireAcceptedLosses({
		file: ACCEPTED_LOSSES_FILE,
		text
	}, acceptedFacts(manifest, asOf));
}
async function readAccepted(pack, path) {
	return await pack.read(path) === null ? null : parseCapacityRecord(await readPackText(pack, path), path);
}
async function verifyPack(pack, sources = null) {
	const partial = await readPartial(pack);
	if (partial !== null) return verifyPartial(pack, partial, sources);
	const { discrepancies, paths } = await checkFiles(pack);
	const read = await readPackManifest(pack);
	discrepancies.push(...read.discrepancies);
	if (read.manifest === null) return {
		discrepancies,
		unverified: [],
		partial,
		files: paths.length,
		points: 0
	};
	const points = await checkPoints(pack, read.manifest, paths, sources);
	discrepancies.push(...points.discrepancies);
	if (paths.includes("capacity.json")) discrepancies.push(...await checkRun(pack, read.manifest, points));
	const { unverified } = points;
	return {
		discrepancies,
		unverified,
		partial,
		files: paths.length,
		points: points.reports.length
	};
}
function lint(file, text, level, subject) {
	const { findings, manifest } = readManifest(text, {
		level,
		...subject === void 0 ? {} : { subject }
	});
	const errors = findings.filter((finding) => finding.severity === "error").length;
	const identity = manifest === null ? null : identify(manifest);
	return {
		file,
		level,
		errors,
		warnings: findings.length - errors,
		findings,
		experimentSha256: identity?.experiment.sha256 ?? null,
		subjectSha256: identity?.subject.sha256 ?? null
	};
}
function requireManifest({ file, text, level, subject }) {
	const { findings, manifest } = readManifest(text, {
		level,
		...subject === void 0 ? {} : { subject }
	});
	if (manifest !== null) return manifest;
	const errors = findings.filter((finding) => finding.severity === "error");
	const [first] = errors;
	const where = first ? `${file}:${first.line}:${first.column}` : file;
	const path = first?.path ? `${first.path}: ` : "";
	const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
	const asked = level === "deployable" ? " --deployable" : "";
	throw new GateError({
		code: "manifest_invalid",
		message: `${where}: ${path}${first?.message ?? "the manifest is not valid"}${more}`,
		hint: `${first === void 0 ? "mend the manifest" : errorHint(first)}; every finding: capacity-gate lint ${file}${asked}`,
		exitCode: EXIT.invalid
	});
}
const SPREADS_IN_TOLERANCE = 3;
const BOOTS_TO_REFUSE = 10;
function spreadFindings(record, history) {
	const tolerance = readTerms(record)?.toleranceShare ?? null;
	const found = {
		spreads: [],
		warnings: [],
		obstacles: []
	};
	const pool = comparableRecords(record, history);
	for (const result of record.capacity) {
		const spread = pooledSpread(pool, result.cache);
		found.spreads.push(spread);
		const unmeasured = unmeasuredReason(result);
		if (unmeasured !== null) found.warnings.push(unmeasured);
		const narrow = tolerance === null ? null : narrowReason(spread, tolerance);
		if (narrow !== null) (spread.boots >= BOOTS_TO_REFUSE ? found.obstacles : found.warnings).push(narrow);
	}
	return found;
}
function comparableRecords(record, history) {
	const known = new Map([[recordSha256(record), record]]);
	for (const former of history) if (incomparabilities(record, former).length === 0) known.set(recordSha256(former), former);
	return [...known.values()];
}
function pooledSpread(records, cache) {
	const measured = records.flatMap(({ capacity }) => capacity.filter((result) => result.cache === cache)).map((result) => bootSpreadOf(result.points, result.passMilliRps)).filter((spread) => spread.share !== null);
	const freedom = measured.reduce((sum, { boots }) => sum + boots - 1, 0);
	const squares = measured.reduce((sum, { share, boots }) => sum + (boots - 1) * share ** 2, 0);
	const boots = measured.reduce((sum, spread) => sum + spread.boots, 0);
	return {
		cache,
		share: freedom === 0 ? null : Math.sqrt(squares / freedom),
		boots
	};
}
function unmeasuredReason(result) {
	const spread = bootSpreadOf(result.points, result.passMilliRps);
	if (spread.share !== null) return null;
	return {
		code: "spread_not_measured",
		text: `${result.cache}: the spread from boot to boot was not measured: ${spread.why}; sweep with repeats: 3 or more to measure it`
	};
}
function narrowReason({ cache, share, boots }, tolerance) {
	const limit = SPREADS_IN_TOLERANCE * (share ?? 0);
	if (tolerance >= limit) return null;
	const enough = Math.ceil(limit * 1e3) / 1e3;
	return {
		code: "tolerance_below_spread",
		text: `${cache}: the capacity differs by ${`${((share ?? 0) * 100).toFixed(2)} %`} from boot to boot (${boots} boots), and the tolerance of ${asPercent(tolerance)} is less than three times that; raise capacity_tolerance to ${enough} or steady the machine`,
		value: tolerance,
		limit
	};
}
function loweredCapacities(baseline, record) {
	const tolerance = readTerms(record)?.toleranceShare ?? 0;
	if (incomparabilities(record, baseline).length > 0) return [];
	return record.capacity.flatMap(({ cache, passMilliRps: to }) => {
		const from = baseline.capacity.find((result) => result.cache === cache)?.passMilliRps ?? null;
		if (to === null || from === null || to >= Math.round(from * (1 - tolerance))) return [];
		return [{
			cache,
			fromMilliRps: from,
			toMilliRps: to
		}];
	});
}
function loweringReasons(lowered, losses) {
	const lower = lowered.map(({ cache, fromMilliRps: from, toMilliRps: to }) => {
		return {
			code: "baseline_lowered",
			text: `${cache}: the baseline falls from ${asRps(from)} to ${asRps(to)} RPS, by ${asPercent(1 - to / from)}`,
			value: to / 1e3,
			limit: from / 1e3
		};
	});
	const accepted = losses.map(({ cache, acceptedBy, expires, reason }) => {
		return {
			code: "accepted_loss_promoted",
			text: `${cache}: its verdict was held under a loss accepted by ${acceptedBy} until ${expires}: ${reason}`
		};
	});
	return [...lower, ...accepted];
}
const NAMED = 30;
async function promote(store, request) {
	const { record, anchor } = request;
	const unfit = promotionObstacles(record);
	if (unfit.length > 0) throw refusal$1("not_promotable", request.file, unfit, "promote the record of a finished sweep whose bracket is no wider than the tolerance");
	const looks = [];
	const { path } = await store.accept(record, async (standing) => {
		const found = await lookAt(standing, request);
		looks.push(found);
		return promotionOf(request, found);
	});
	const [{ changes, lowered, spreads, warnings, acceptedLosses }] = looks.slice(-1);
	return {
		path,
		gateId: record.gateId,
		kind: record.kind,
		sha256: recordSha256(record),
		anchor,
		experimentChanges: changes,
		lowered,
		bootSpreads: spreads,
		warnings: [...warnings, ...loweringReasons(lowered, acceptedLosses)]
	};
}
async function lookAt(standing, request) {
	const { record, file } = request;
	const changes = changesSince(await currentBaseline(standing, request), request);
	const { spreads, warnings, obstacles } = spreadFindings(record, await standing.history(record));
	if (obstacles.length > 0) throw refusal$1("tolerance_below_spread", file, obstacles, "raise acceptance.capacity_tolerance, or steady the machine (clocks, cooling, neighbours) and sweep again");
	const own = await currentBaseline(standing, request, record.hardware.mustEqual);
	return {
		changes,
		lowered: own === null ? [] : loweredCapacities(own, record),
		spreads,
		warnings,
		acceptedLosses: acceptedLossesOf(request)
	};
}
function promotionOf({ acceptance, anchor, newExperiment }, found) {
	const { changes, lowered, acceptedLosses } = found;
	return {
		...acceptance,
		anchor,
		newExperiment,
		experimentChanges: changes,
		...lowered.length === 0 ? {} : { lowered },
		...acceptedLosses.length === 0 ? {} : { acceptedLosses }
	};
}
function acceptedLossesOf({ record, verdict }) {
	if (verdict === null || verdict.candidateSha256 !== recordSha256(record)) return [];
	return verdict.states.flatMap(({ cache, acceptedLoss }) => acceptedLoss ? [{
		cache,
		...acceptedLoss
	}] : []);
}
function changesSince(baseline, request) {
	const { record, newExperiment, file } = request;
	if (baseline === null || baseline.experiment.sha256 === record.experiment.sha256) return [];
	const changes = experimentChanges(baseline, record);
	if (newExperiment) return changes;
	const named = changes.slice(0, NAMED).map(changeText);
	const rest = changes.length > NAMED ? [`and ${changes.length - NAMED} more`] : [];
	const loosening = changes.filter(({ loosens }) => loosens).length;
	throw new GateError({
		code: "experiment_changed",
		message: `${file} was measured under another experiment than the baseline (${changes.length} fields, ${loosening} of them looser): ${[...named, ...rest].join("; ")}`,
		hint: "capacities of two experiments do not compare: if the change is meant and reviewed, promote with --new-experiment (in a workflow: new-experiment: true)",
		exitCode: EXIT.invalid
	});
}
async function currentBaseline(standing, request, mustEqual) {
	const { gateId, kind } = request.record;
	try {
		return (await standing.load({
			gateId,
			kind,
			...mustEqual && { mustEqual }
		})).baseline;
	} catch (error) {
		const isDamaged = error instanceof GateError && /^record_(?!schema_newer)/.test(error.code);
		if (request.newExperiment && isDamaged) return null;
		throw error;
	}
}
function refusal$1(code, file, obstacles, hint) {
	const message = `${file} cannot become a baseline: ${obstacles.map((item) => item.text).join("; ")}`;
	return new GateError({
		code,
		message,
		hint,
		exitCode: EXIT.invalid
	});
}
function effectivePlan({ plan, onMissingBaseline, manifest, hasBaseline }) {
	return !hasBaseline && onMissingBaseline === "record" && manifest.sweep !== void 0 ? "sweep" : plan;
}
const NOTHING_ACCEPTED$1 = {
	baseline: null,
	anchor: null
};
const NOTHING = {
	results: [],
	boots: []
};
const UNASKED = {
	evidence: [],
	isFit: true
};
async function run(effects, request, signal) {
	const { manifest, caches, onMissingBaseline, onHostChange, acceptedLosses, context } = request;
	const kind = isSimulated(manifest) ? "simulated" : "measured";
	const hardware = await effects.host.probe(manifest.engine.placement.gpus);
	const key = {
		gateId: gateId(manifest),
		kind,
		mustEqual: hardware.mustEqual
	};
	const accepted = await effects.store?.load(key) ?? NOTHING_ACCEPTED$1;
	const comparable = {
		kind,
		experiment: identify(manifest).experiment,
		hardware
	};
	const course = hostCourse(comparable, accepted.baseline, onHostChange);
	const { plan, plannedPoints, acceptedFloors } = planned(effects, request, accepted, course);
	const built = await buildSchedules(manifest, caches, effects.sources);
	const schedules = schedulesOf(built);
	const asked = {
		manifest,
		plan,
		caches,
		schedules,
		hardware,
		accepted,
		acceptedFloors,
		startedAt: effects.clock.wallTime(),
		plannedPoints
	};
	const resumed = await resumeOrBegin(effects.pack, newSession(asked), request.resume);
	await freezeSchedules(effects.pack, built);
	await effects.pack.write("workload-manifest.yaml", request.manifestText);
	await writeOrRemove(effects.pack, "subject.yaml", request.subjectText);
	for (const left of await effects.deployer.removeLeftovers()) effects.progress.warn(left);
	const facts = {
		manifest,
		toolVersion: effects.toolVersion,
		createdAt: resumed.session.startedAt,
		commit: await effects.host.commit(),
		hardware,
		schedules: scheduleDigests(schedules),
		...NOTHING,
		evidence: []
	};
	const order = {
		request,
		accepted,
		plan,
		course,
		isBarred: plan === "confirm" && accepted.baseline !== null && incomparabilities(comparable, accepted.baseline).length > 0,
		schedules,
		texts: built.texts,
		resumed,
		facts
	};
	const record = capacityRecord({
		...facts,
		...await measure(effects, order, signal)
	});
	const settlement = {
		...accepted,
		onMissingBaseline,
		onHostChange,
		acceptedLosses,
		context
	};
	return finishPack(effects.pack, record, settlement);
}
async function measure(effects, order, signal) {
	const { request, accepted, plan, course, isBarred, schedules, texts, resumed } = order;
	const { manifest, caches, budgetMinutes } = request;
	if (isBarred || course === "refusal") {
		const what = isBarred ? "of another experiment or machine" : "of another machine, and on-host-change is fail";
		effects.progress.warn(`the accepted baseline is ${what}: nothing is measured`);
		return {
			...NOTHING,
			evidence: UNASKED.evidence
		};
	}
	const { evidence, isFit } = await fitness(effects, {
		manifest,
		accepted,
		hasPoints: resumed.points.length > 0
	}, signal);
	if (!isFit) return {
		...NOTHING,
		evidence
	};
	const proven = await proofOf(effects, order, signal);
	if (proven?.holds === false) {
		effects.progress.warn("this machine is not proven by the baseline’s revision: the candidate is not measured");
		return {
			...NOTHING,
			evidence,
			hostProof: proven.proof
		};
	}
	return {
		...await measureStates(effects, {
			plan,
			schedules,
			texts,
			manifest,
			caches,
			accepted,
			resumed,
			budgetMinutes,
			spentSeconds: proven?.heldSeconds ?? 0,
			isProof: false
		}, signal),
		evidence,
		...proven === null ? {} : { hostProof: proven.proof }
	};
}
async function proofOf(effects, order, signal) {
	const { request, accepted, course, schedules, texts, facts } = order;
	const { manifest, caches, resume, budgetMinutes } = request;
	const { baseline } = accepted;
	if (course !== "proof" || baseline === null) return null;
	return proveHost(effects, {
		manifest,
		baseline,
		candidate: capacityRecord(facts),
		caches,
		schedules,
		texts,
		startedAt: facts.createdAt,
		resume,
		budgetMinutes
	}, signal);
}
function planned(effects, request, accepted, course) {
	const { manifest, caches } = request;
	const plan = planOf(effects, request, accepted);
	const acceptedFloors = acceptedFloorsOf(manifest, request.acceptedLosses);
	const estimate = estimatePlan({
		manifest,
		plan,
		caches,
		...accepted,
		acceptedFloors,
		provesHost: course === "proof"
	});
	for (const line of estimate.lines) effects.progress.note(line);
	requireWithinBudget(estimate, request.budgetMinutes);
	return {
		plan,
		plannedPoints: estimate.points,
		acceptedFloors
	};
}
function planOf(effects, request, { baseline }) {
	const plan = effectivePlan({
		...request,
		hasBaseline: baseline !== null
	});
	if (plan !== request.plan) effects.progress.note("there is no accepted baseline yet: this first run sweeps, and is recorded without being gated");
	return plan;
}
var CommanderError = class extends Error {
	constructor(exitCode, code, message) {
		super(message);
		Error.captureStackTrace(this, this.constructor);
		this.name = this.constructor.name;
		this.code = code;
		this.exitCode = exitCode;
		this.nestedError = void 0;
	}
};
var InvalidArgumentError = class extends CommanderError {
	constructor(message) {
		super(1, "commander.invalidArgument", message);
		Error.captureStackTrace(this, this.constructor);
		this.name = this.constructor.name;
	}
};
var Argument = class {
	constructor(name, description) {
		this.description = description || "";
		this.variadic = false;
		this.parseArg = void 0;
		this.defaultValue = void 0;
		this.defaultValueDescription = void 0;
		this.argChoices = void 0;
		switch (name[0]) {
			case "<":
				this.required = true;
				this._name = name.slice(1, -1);
				break;
			case "[":
				this.required = false;
				this._name = name.slice(1, -1);
				break;
			default:
				this.required = true;
				this._name = name;
		}
		if (this._name.endsWith("...")) {
			this.variadic = true;
			this._name = this._name.slice(0, -3);
		}
	}
	name() {
		return this._name;
	}
	_collectValue(value, previous) {
		if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
		previous.push(value);
		return previous;
	}
	default(value, description) {
		this.defaultValue = value;
		this.defaultValueDescription = description;
		return this;
	}
	argParser(fn) {
		this.parseArg = fn;
		return this;
	}
	choices(values) {
		this.argChoices = values.slice();
		this.parseArg = (arg, previous) => {
			if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
			if (this.variadic) return this._collectValue(arg, previous);
			return arg;
		};
		return this;
	}
	argRequired() {
		this.required = true;
		return this;
	}
	argOptional() {
		this.required = false;
		return this;
	}
};
function humanReadableArgName(arg) {
	const nameOutput = arg.name() + (arg.variadic === true ? "..." : "");
	return arg.required ? "<" + nameOutput + ">" : "[" + nameOutput + "]";
}
var Help = class {
	constructor() {
		this.helpWidth = void 0;
		this.minWidthToWrap = 40;
		this.sortSubcommands = false;
		this.sortOptions = false;
		this.showGlobalOptions = false;
	}
	prepareContext(contextOptions) {
		this.helpWidth = this.helpWidth ?? contextOptions.helpWidth ?? 80;
	}
	visibleCommands(cmd) {
		const visibleCommands = cmd.commands.filter((cmd) => !cmd._hidden);
		const helpCommand = cmd._getHelpCommand();
		if (helpCommand && !helpCommand._hidden) visibleCommands.push(helpCommand);
		if (this.sortSubcommands) visibleCommands.sort((a, b) => {
			return a.name().localeCompare(b.name());
		});
		return visibleCommands;
	}
	compareOptions(a, b) {
		const getSortKey = (option) => {
			return option.short ? option.short.replace(/^-/, "") : option.long.replace(/^--/, "");
		};
		return getSortKey(a).localeCompare(getSortKey(b));
	}
	visibleOptions(cmd) {
		const visibleOptions = cmd.options.filter((option) => !option.hidden);
		const helpOption = cmd._getHelpOption();
		if (helpOption && !helpOption.hidden) {
			const removeShort = helpOption.short && cmd._findOption(helpOption.short);
			const removeLong = helpOption.long && cmd._findOption(helpOption.long);
			if (!removeShort && !removeLong) visibleOptions.push(helpOption);
			else if (helpOption.long && !removeLong) visibleOptions.push(cmd.createOption(helpOption.long, helpOption.description).helpGroup(helpOption.helpGroupHeading));
			else if (helpOption.short && !removeShort) visibleOptions.push(cmd.createOption(helpOption.short, helpOption.description).helpGroup(helpOption.helpGroupHeading));
		}
		if (this.sortOptions) visibleOptions.sort(this.compareOptions);
		return visibleOptions;
	}
	visibleGlobalOptions(cmd) {
		if (!this.showGlobalOptions) return [];
		const globalOptions = [];
		for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) {
			const visibleOptions = ancestorCmd.options.filter((option) => !option.hidden);
			globalOptions.push(...visibleOptions);
		}
		if (this.sortOptions) globalOptions.sort(this.compareOptions);
		return globalOptions;
	}
	visibleArguments(cmd) {
		if (cmd._argsDescription) cmd.registeredArguments.forEach((argument) => {
			argument.description = argument.description || cmd._argsDescription[argument.name()] || "";
		});
		if (cmd.registeredArguments.find((argument) => argument.description)) return cmd.registeredArguments;
		return [];
	}
	subcommandTerm(cmd) {
		const args = cmd.registeredArguments.map((arg) => humanReadableArgName(arg)).join(" ");
		return cmd._name + (cmd._aliases[0] ? "|" + cmd._aliases[0] : "") + (cmd.options.length ? " [options]" : "") + (args ? " " + args : "");
	}
	optionTerm(option) {
		return option.flags;
	}
	argumentTerm(argument) {
		return argument.name();
	}
	longestSubcommandTermLength(cmd, helper) {
		return helper.visibleCommands(cmd).reduce((max, command) => {
			return Math.max(max, this.displayWidth(helper.styleSubcommandTerm(helper.subcommandTerm(command))));
		}, 0);
	}
	longestOptionTermLength(cmd, helper) {
		return helper.visibleOptions(cmd).reduce((max, option) => {
			return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
		}, 0);
	}
	longestGlobalOptionTermLength(cmd, helper) {
		return helper.visibleGlobalOptions(cmd).reduce((max, option) => {
			return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
		}, 0);
	}
	longestArgumentTermLength(cmd, helper) {
		return helper.visibleArguments(cmd).reduce((max, argument) => {
			return Math.max(max, this.displayWidth(helper.styleArgumentTerm(helper.argumentTerm(argument))));
		}, 0);
	}
	commandUsage(cmd) {
		let cmdName = cmd._name;
		if (cmd._aliases[0]) cmdName = cmdName + "|" + cmd._aliases[0];
		let ancestorCmdNames = "";
		for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) ancestorCmdNames = ancestorCmd.name() + " " + ancestorCmdNames;
		return ancestorCmdNames + cmdName + " " + cmd.usage();
	}
	commandDescription(cmd) {
		return cmd.description();
	}
	subcommandDescription(cmd) {
		return cmd.summary() || cmd.description();
	}
	optionDescription(option) {
		const extraInfo = [];
		if (option.argChoices) extraInfo.push(`choices: ${option.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
		if (option.defaultValue !== void 0) {
			if (option.required || option.optional || option.isBoolean() && typeof option.defaultValue === "boolean") extraInfo.push(`default: ${option.defaultValueDescription || JSON.stringify(option.defaultValue)}`);
		}
		if (option.presetArg !== void 0 && option.optional) extraInfo.push(`preset: ${JSON.stringify(option.presetArg)}`);
		if (option.envVar !== void 0) extraInfo.push(`env: ${option.envVar}`);
		if (extraInfo.length > 0) {
			const extraDescription = `(${extraInfo.join(", ")})`;
			if (option.description) return `${option.description} ${extraDescription}`;
			return extraDescription;
		}
		return option.description;
	}
	argumentDescription(argument) {
		const extraInfo = [];
		if (argument.argChoices) extraInfo.push(`choices: ${argument.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
		if (argument.defaultValue !== void 0) extraInfo.push(`default: ${argument.defaultValueDescription || JSON.stringify(argument.defaultValue)}`);
		if (extraInfo.length > 0) {
			const extraDescription = `(${extraInfo.join(", ")})`;
			if (argument.description) return `${argument.description} ${extraDescription}`;
			return extraDescription;
		}
		return argument.description;
	}
	formatItemList(heading, items, helper) {
		if (items.length === 0) return [];
		return [
			helper.styleTitle(heading),
			...items,
			""
		];
	}
	groupItems(unsortedItems, visibleItems, getGroup) {
		const result = new Map();
		unsortedItems.forEach((item) => {
			const group = getGroup(item);
			if (!result.has(group)) result.set(group, []);
		});
		visibleItems.forEach((item) => {
			const group = getGroup(item);
			if (!result.has(group)) result.set(group, []);
			result.get(group).push(item);
		});
		return result;
	}
	formatHelp(cmd, helper) {
		const termWidth = helper.padWidth(cmd, helper);
		const helpWidth = helper.helpWidth ?? 80;
		function callFormatItem(term, description) {
			return helper.formatItem(term, termWidth, description, helper);
		}
		let output = [`${helper.styleTitle("Usage:")} ${helper.styleUsage(helper.commandUsage(cmd))}`, ""];
		const commandDescription = helper.commandDescription(cmd);
		if (commandDescription.length > 0) output = output.concat([helper.boxWrap(helper.styleCommandDescription(commandDescription), helpWidth), ""]);
		const argumentList = helper.visibleArguments(cmd).map((argument) => {
			return callFormatItem(helper.styleArgumentTerm(helper.argumentTerm(argument)), helper.styleArgumentDescription(helper.argumentDescription(argument)));
		});
		output = output.concat(this.formatItemList("Arguments:", argumentList, helper));
		this.groupItems(cmd.options, helper.visibleOptions(cmd), (option) => option.helpGroupHeading ?? "Options:").forEach((options, group) => {
			const optionList = options.map((option) => {
				return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
			});
			output = output.concat(this.formatItemList(group, optionList, helper));
		});
		if (helper.showGlobalOptions) {
			const globalOptionList = helper.visibleGlobalOptions(cmd).map((option) => {
				return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
			});
			output = output.concat(this.formatItemList("Global Options:", globalOptionList, helper));
		}
		this.groupItems(cmd.commands, helper.visibleCommands(cmd), (sub) => sub.helpGroup() || "Commands:").forEach((commands, group) => {
			const commandList = commands.map((sub) => {
				return callFormatItem(helper.styleSubcommandTerm(helper.subcommandTerm(sub)), helper.styleSubcommandDescription(helper.subcommandDescription(sub)));
			});
			output = output.concat(this.formatItemList(group, commandList, helper));
		});
		return output.join("\n");
	}
	displayWidth(str) {
		return stripVTControlCharacters(str).length;
	}
	styleTitle(str) {
		return str;
	}
	styleUsage(str) {
		return str.split(" ").map((word) => {
			if (word === "[options]") return this.styleOptionText(word);
			if (word === "[command]") return this.styleSubcommandText(word);
			if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
			return this.styleCommandText(word);
		}).join(" ");
	}
	styleCommandDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleOptionDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleSubcommandDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleArgumentDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleDescriptionText(str) {
		return str;
	}
	styleOptionTerm(str) {
		return this.styleOptionText(str);
	}
	styleSubcommandTerm(str) {
		return str.split(" ").map((word) => {
			if (word === "[options]") return this.styleOptionText(word);
			if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
			return this.styleSubcommandText(word);
		}).join(" ");
	}
	styleArgumentTerm(str) {
		return this.styleArgumentText(str);
	}
	styleOptionText(str) {
		return str;
	}
	styleArgumentText(str) {
		return str;
	}
	styleSubcommandText(str) {
		return str;
	}
	styleCommandText(str) {
		return str;
	}
	padWidth(cmd, helper) {
		return Math.max(helper.longestOptionTermLength(cmd, helper), helper.longestGlobalOptionTermLength(cmd, helper), helper.longestSubcommandTermLength(cmd, helper), helper.longestArgumentTermLength(cmd, helper));
	}
	preformatted(str) {
		return /\n[^\S\r\n]/.test(str);
	}
	formatItem(term, termWidth, description, helper) {
		const itemIndent = 2;
		const itemIndentStr = " ".repeat(itemIndent);
		if (!description) return itemIndentStr + term;
		const paddedTerm = term.padEnd(termWidth + term.length - helper.displayWidth(term));
		const spacerWidth = 2;
		const remainingWidth = (this.helpWidth ?? 80) - termWidth - spacerWidth - itemIndent;
		let formattedDescription;
		if (remainingWidth < this.minWidthToWrap || helper.preformatted(description)) formattedDescription = description;
		else formattedDescription = helper.boxWrap(description, remainingWidth).replace(/\n/g, "\n" + " ".repeat(termWidth + spacerWidth));
		return itemIndentStr + paddedTerm + " ".repeat(spacerWidth) + formattedDescription.replace(/\n/g, `\n${itemIndentStr}`);
	}
	boxWrap(str, width) {
		if (width < this.minWidthToWrap) return str;
		const rawLines = str.split(/\r\n|\n/);
		const chunkPattern = /[\s]*[^\s]+/g;
		const wrappedLines = [];
		rawLines.forEach((line) => {
			const chunks = line.match(chunkPattern);
			if (chunks === null) {
				wrappedLines.push("");
				return;
			}
			let sumChunks = [chunks.shift()];
			let sumWidth = this.displayWidth(sumChunks[0]);
			chunks.forEach((chunk) => {
				const visibleWidth = this.displayWidth(chunk);
				if (sumWidth + visibleWidth <= width) {
					sumChunks.push(chunk);
					sumWidth += visibleWidth;
					return;
				}
				wrappedLines.push(sumChunks.join(""));
				const nextChunk = chunk.trimStart();
				sumChunks = [nextChunk];
				sumWidth = this.displayWidth(nextChunk);
			});
			wrappedLines.push(sumChunks.join(""));
		});
		return wrappedLines.join("\n");
	}
};
var Option = class {
	constructor(flags, description) {
		this.flags = flags;
		this.description = description || "";
		this.required = flags.includes("<");
		this.optional = flags.includes("[");
		this.variadic = /\p{ID_Continue}\.\.\.[>\]]$/u.test(flags);
		this.mandatory = false;
		const optionFlags = splitOptionFlags(flags);
		this.short = optionFlags.shortFlag;
		this.long = optionFlags.longFlag;
		this.negate = false;
		if (this.long) this.negate = this.long.startsWith("--no-");
		this.defaultValue = void 0;
		this.defaultValueDescription = void 0;
		this.presetArg = void 0;
		this.envVar = void 0;
		this.parseArg = void 0;
		this.hidden = false;
		this.argChoices = void 0;
		this.conflictsWith = [];
		this.implied = void 0;
		this.helpGroupHeading = void 0;
	}
	default(value, description) {
		this.defaultValue = value;
		this.defaultValueDescription = description;
		return this;
	}
	preset(arg) {
		this.presetArg = arg;
		return this;
	}
	conflicts(names) {
		this.conflictsWith = this.conflictsWith.concat(names);
		return this;
	}
	implies(impliedOptionValues) {
		let newImplied = impliedOptionValues;
		if (typeof impliedOptionValues === "string") newImplied = { [impliedOptionValues]: true };
		this.implied = Object.assign(this.implied || {}, newImplied);
		return this;
	}
	env(name) {
		this.envVar = name;
		return this;
	}
	argParser(fn) {
		this.parseArg = fn;
		return this;
	}
	makeOptionMandatory(mandatory = true) {
		this.mandatory = !!mandatory;
		return this;
	}
	hideHelp(hide = true) {
		this.hidden = !!hide;
		return this;
	}
	_collectValue(value, previous) {
		if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
		previous.push(value);
		return previous;
	}
	choices(values) {
		this.argChoices = values.slice();
		this.parseArg = (arg, previous) => {
			if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
			if (this.variadic) return this._collectValue(arg, previous);
			return arg;
		};
		return this;
	}
	name() {
		if (this.long) return this.long.replace(/^--/, "");
		return this.short.replace(/^-/, "");
	}
	attributeName() {
		if (this.negate) return camelcase(this.name().replace(/^no-/, ""));
		return camelcase(this.name());
	}
	helpGroup(heading) {
		this.helpGroupHeading = heading;
		return this;
	}
	is(arg) {
		return this.short === arg || this.long === arg;
	}
	isBoolean() {
		return !this.required && !this.optional && !this.negate;
	}
};
var DualOptions = class {
	constructor(options) {
		this.positiveOptions = new Map();
		this.negativeOptions = new Map();
		this.dualOptions = new Set();
		options.forEach((option) => {
			if (option.negate) this.negativeOptions.set(option.attributeName(), option);
			else this.positiveOptions.set(option.attributeName(), option);
		});
		this.negativeOptions.forEach((value, key) => {
			if (this.positiveOptions.has(key)) this.dualOptions.add(key);
		});
	}
	valueFromOption(value, option) {
		const optionKey = option.attributeName();
		if (!this.dualOptions.has(optionKey)) return true;
		const preset = this.negativeOptions.get(optionKey).presetArg;
		const negativeValue = preset !== void 0 ? preset : false;
		return option.negate === (negativeValue === value);
	}
};
function camelcase(str) {
	return str.split("-").reduce((str, word) => {
		return str + word[0].toUpperCase() + word.slice(1);
	});
}
function splitOptionFlags(flags) {
	let shortFlag;
	let longFlag;
	const shortFlagExp = /^-[^-]$/;
	const longFlagExp = /^--[^-]/;
	const flagParts = flags.split(/[ |,]+/).concat("guard");
	if (shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
	if (longFlagExp.test(flagParts[0])) longFlag = flagParts.shift();
	if (!shortFlag && shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
	if (!shortFlag && longFlagExp.test(flagParts[0])) {
		shortFlag = longFlag;
		longFlag = flagParts.shift();
	}
	if (flagParts[0].startsWith("-")) {
		const unsupportedFlag = flagParts[0];
		const baseError = `option creation failed due to '${unsupportedFlag}' in option flags '${flags}'`;
		if (/^-[^-][^-]/.test(unsupportedFlag)) throw new Error(`${baseError}
- a short flag is a single dash and a single character
  - either use a single dash and a single character (for a short flag)
  - or use a double dash for a long option (and can have two, like '--ws, --workspace')`);
		if (shortFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many short flags`);
		if (longFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many long flags`);
		throw new Error(`${baseError}
- unrecognised flag format`);
	}
	if (shortFlag === void 0 && longFlag === void 0) throw new Error(`option creation failed due to no flags found in '${flags}'.`);
	return {
		shortFlag,
		longFlag
	};
}
const maxDistance = 3;
function editDistance(a, b) {
	if (Math.abs(a.length - b.length) > maxDistance) return Math.max(a.length, b.length);
	const d = [];
	for (let i = 0; i <= a.length; i++) d[i] = [i];
	for (let j = 0; j <= b.length; j++) d[0][j] = j;
	for (let j = 1; j <= b.length; j++) for (let i = 1; i <= a.length; i++) {
		let cost;
		if (a[i - 1] === b[j - 1]) cost = 0;
		else cost = 1;
		d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost);
		if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
	}
	return d[a.length][b.length];
}
function suggestSimilar(word, candidates) {
	if (!candidates || candidates.length === 0) return "";
	candidates = Array.from(new Set(candidates));
	const searchingOptions = word.startsWith("--");
	if (searchingOptions) {
		word = word.slice(2);
		candidates = candidates.map((candidate) => candidate.slice(2));
	}
	let similar = [];
	let bestDistance = maxDistance;
	const minSimilarity = .4;
	candidates.forEach((candidate) => {
		if (candidate.length <= 1) return;
		const distance = editDistance(word, candidate);
		const length = Math.max(word.length, candidate.length);
		if ((length - distance) / length > minSimilarity) {
			if (distance < bestDistance) {
				bestDistance = distance;
				similar = [candidate];
			} else if (distance === bestDistance) similar.push(candidate);
		}
	});
	similar.sort((a, b) => a.localeCompare(b));
	if (searchingOptions) similar = similar.map((candidate) => `--${candidate}`);
	if (similar.length > 1) return `\n(Did you mean one of ${similar.join(", ")}?)`;
	if (similar.length === 1) return `\n(Did you mean ${similar[0]}?)`;
	return "";
}
var Command = class Command extends EventEmitter {
	constructor(name) {
		super();
		this.commands = [];
		this.options = [];
		this.parent = null;
		this._allowUnknownOption = false;
		this._allowExcessArguments = false;
		this.registeredArguments = [];
		this._args = this.registeredArguments;
		this.args = [];
		this.rawArgs = [];
		this.processedArgs = [];
		this._scriptPath = null;
		this._name = name || "";
		this._optionValues = {};
		this._optionValueSources = {};
		this._storeOptionsAsProperties = false;
		this._actionHandler = null;
		this._executableHandler = false;
		this._executableFile = null;
		this._executableDir = null;
		this._defaultCommandName = null;
		this._exitCallback = null;
		this._aliases = [];
		this._combineFlagAndOptionalValue = true;
		this._description = "";
		this._summary = "";
		this._argsDescription = void 0;
		this._enablePositionalOptions = false;
		this._passThroughOptions = false;
		this._lifeCycleHooks = {};
		this._showHelpAfterError = false;
		this._showSuggestionAfterError = true;
		this._savedState = null;
		this._outputConfiguration = {
			writeOut: (str) => process$1.stdout.write(str),
			writeErr: (str) => process$1.stderr.write(str),
			outputError: (str, write) => write(str),
			getOutHelpWidth: () => process$1.stdout.isTTY ? process$1.stdout.columns : void 0,
			getErrHelpWidth: () => process$1.stderr.isTTY ? process$1.stderr.columns : void 0,
			getOutHasColors: () => useColor() ?? (process$1.stdout.isTTY && process$1.stdout.hasColors?.()),
			getErrHasColors: () => useColor() ?? (process$1.stderr.isTTY && process$1.stderr.hasColors?.()),
			stripColor: (str) => stripVTControlCharacters(str)
		};
		this._hidden = false;
		this._helpOption = void 0;
		this._addImplicitHelpCommand = void 0;
		this._helpCommand = void 0;
		this._helpConfiguration = {};
		this._helpGroupHeading = void 0;
		this._defaultCommandGroup = void 0;
		this._defaultOptionGroup = void 0;
	}
	copyInheritedSettings(sourceCommand) {
		this._outputConfiguration = sourceCommand._outputConfiguration;
		this._helpOption = sourceCommand._helpOption;
		this._helpCommand = sourceCommand._helpCommand;
		this._helpConfiguration = sourceCommand._helpConfiguration;
		this._exitCallback = sourceCommand._exitCallback;
		this._storeOptionsAsProperties = sourceCommand._storeOptionsAsProperties;
		this._combineFlagAndOptionalValue = sourceCommand._combineFlagAndOptionalValue;
		this._allowExcessArguments = sourceCommand._allowExcessArguments;
		this._enablePositionalOptions = sourceCommand._enablePositionalOptions;
		this._showHelpAfterError = sourceCommand._showHelpAfterError;
		this._showSuggestionAfterError = sourceCommand._showSuggestionAfterError;
		return this;
	}
	_getCommandAndAncestors() {
		const result = [];
		for (let command = this; command; command = command.parent) result.push(command);
		return result;
	}
	command(nameAndArgs, actionOptsOrExecDesc, execOpts) {
		let desc = actionOptsOrExecDesc;
		let opts = execOpts;
		if (typeof desc === "object" && desc !== null) {
			opts = desc;
			desc = null;
		}
		opts = opts || {};
		const [, name, args] = nameAndArgs.match(/([^ ]+) *(.*)/);
		const cmd = this.createCommand(name);
		if (desc) {
			cmd.description(desc);
			cmd._executableHandler = true;
		}
		if (opts.isDefault) this._defaultCommandName = cmd._name;
		cmd._hidden = !!(opts.noHelp || opts.hidden);
		cmd._executableFile = opts.executableFile || null;
		if (args) cmd.arguments(args);
		this._registerCommand(cmd);
		cmd.parent = this;
		cmd.copyInheritedSettings(this);
		if (desc) return this;
		return cmd;
	}
	createCommand(name) {
		return new Command(name);
	}
	createHelp() {
		return Object.assign(new Help(), this.configureHelp());
	}
	configureHelp(configuration) {
		if (configuration === void 0) return this._helpConfiguration;
		this._helpConfiguration = configuration;
		return this;
	}
	configureOutput(configuration) {
		if (configuration === void 0) return this._outputConfiguration;
		this._outputConfiguration = {
			...this._outputConfiguration,
			...configuration
		};
		return this;
	}
	showHelpAfterError(displayHelp = true) {
		if (typeof displayHelp !== "string") displayHelp = !!displayHelp;
		this._showHelpAfterError = displayHelp;
		return this;
	}
	showSuggestionAfterError(displaySuggestion = true) {
		this._showSuggestionAfterError = !!displaySuggestion;
		return this;
	}
	addCommand(cmd, opts) {
		if (!cmd._name) throw new Error(`Command passed to .addCommand() must have a name
- specify the name in Command constructor or using .name()`);
		opts = opts || {};
		if (opts.isDefault) this._defaultCommandName = cmd._name;
		if (opts.noHelp || opts.hidden) cmd._hidden = true;
		this._registerCommand(cmd);
		cmd.parent = this;
		cmd._checkForBrokenPassThrough();
		return this;
	}
	createArgument(name, description) {
		return new Argument(name, description);
	}
	argument(name, description, parseArg, defaultValue) {
		const argument = this.createArgument(name, description);
		if (typeof parseArg === "function") argument.default(defaultValue).argParser(parseArg);
		else argument.default(parseArg);
		this.addArgument(argument);
		return this;
	}
	arguments(names) {
		names.trim().split(/ +/).forEach((detail) => {
			this.argument(detail);
		});
		return this;
	}
	addArgument(argument) {
		const previousArgument = this.registeredArguments.slice(-1)[0];
		if (previousArgument?.variadic) throw new Error(`only the last argument can be variadic '${previousArgument.name()}'`);
		if (argument.required && argument.defaultValue !== void 0 && argument.parseArg === void 0) throw new Error(`a default value for a required argument is never used: '${argument.name()}'`);
		this.registeredArguments.push(argument);
		return this;
	}
	helpCommand(enableOrNameAndArgs, description) {
		if (typeof enableOrNameAndArgs === "boolean") {
			this._addImplicitHelpCommand = enableOrNameAndArgs;
			if (enableOrNameAndArgs && this._defaultCommandGroup) this._initCommandGroup(this._getHelpCommand());
			return this;
		}
		const [, helpName, helpArgs] = (enableOrNameAndArgs ?? "help [command]").match(/([^ ]+) *(.*)/);
		const helpDescription = description ?? "display help for command";
		const helpCommand = this.createCommand(helpName);
		helpCommand.helpOption(false);
		if (helpArgs) helpCommand.arguments(helpArgs);
		if (helpDescription) helpCommand.description(helpDescription);
		this._addImplicitHelpCommand = true;
		this._helpCommand = helpCommand;
		if (enableOrNameAndArgs || description) this._initCommandGroup(helpCommand);
		return this;
	}
	addHelpCommand(helpCommand, deprecatedDescription) {
		if (typeof helpCommand !== "object") {
			this.helpCommand(helpCommand, deprecatedDescription);
			return this;
		}
		this._addImplicitHelpCommand = true;
		this._helpCommand = helpCommand;
		this._initCommandGroup(helpCommand);
		return this;
	}
	_getHelpCommand() {
		if (this._addImplicitHelpCommand ?? (this.commands.length && !this._actionHandler && !this._findCommand("help"))) {
			if (this._helpCommand === void 0) this.helpCommand(void 0, void 0);
			return this._helpCommand;
		}
		return null;
	}
	hook(event, listener) {
		const allowedValues = [
			"preSubcommand",
			"preAction",
			"postAction"
		];
		if (!allowedValues.includes(event)) throw new Error(`Unexpected value for event passed to hook : '${event}'.
Expecting one of '${allowedValues.join("', '")}'`);
		if (this._lifeCycleHooks[event]) this._lifeCycleHooks[event].push(listener);
		else this._lifeCycleHooks[event] = [listener];
		return this;
	}
	exitOverride(fn) {
		if (fn) this._exitCallback = fn;
		else this._exitCallback = (err) => {
			if (err.code !== "commander.executeSubCommandAsync") throw err;
		};
		return this;
	}
	_exit(exitCode, code, message) {
		if (this._exitCallback) this._exitCallback(new CommanderError(exitCode, code, message));
		process$1.exit(exitCode);
	}
	action(fn) {
		const listener = (args) => {
			const expectedArgsCount = this.registeredArguments.length;
			const actionArgs = args.slice(0, expectedArgsCount);
			if (this._storeOptionsAsProperties) actionArgs[expectedArgsCount] = this;
			else actionArgs[expectedArgsCount] = this.opts();
			actionArgs.push(this);
			return fn.apply(this, actionArgs);
		};
		this._actionHandler = listener;
		return this;
	}
	createOption(flags, description) {
		return new Option(flags, description);
	}
	_callParseArg(target, value, previous, invalidArgumentMessage) {
		try {
			return target.parseArg(value, previous);
		} catch (err) {
			if (err.code === "commander.invalidArgument") {
				const message = `${invalidArgumentMessage} ${err.message}`;
				this.error(message, {
					exitCode: err.exitCode,
					code: err.code
				});
			}
			throw err;
		}
	}
	_registerOption(option) {
		const matchingOption = option.short && this._findOption(option.short) || option.long && this._findOption(option.long);
		if (matchingOption) {
			const matchingFlag = option.long && this._findOption(option.long) ? option.long : option.short;
			throw new Error(`Cannot add option '${option.flags}'${this._name && ` to command '${this._name}'`} due to conflicting flag '${matchingFlag}'
-  already used by option '${matchingOption.flags}'`);
		}
		this._initOptionGroup(option);
		this.options.push(option);
	}
	_registerCommand(command) {
		const knownBy = (cmd) => {
			return [cmd.name()].concat(cmd.aliases());
		};
		const alreadyUsed = knownBy(command).find((name) => this._findCommand(name));
		if (alreadyUsed) {
			const existingCmd = knownBy(this._findCommand(alreadyUsed)).join("|");
			const newCmd = knownBy(command).join("|");
			throw new Error(`cannot add command '${newCmd}' as already have command '${existingCmd}'`);
		}
		this._initCommandGroup(command);
		this.commands.push(command);
	}
	addOption(option) {
		this._registerOption(option);
		const oname = option.name();
		const name = option.attributeName();
		if (option.defaultValue !== void 0) this.setOptionValueWithSource(name, option.defaultValue, "default");
		const handleOptionValue = (val, invalidValueMessage, valueSource) => {
			if (val == null && option.presetArg !== void 0) val = option.presetArg;
			const oldValue = this.getOptionValue(name);
			if (val !== null && option.parseArg) val = this._callParseArg(option, val, oldValue, invalidValueMessage);
			else if (val !== null && option.variadic) val = option._collectValue(val, oldValue);
			if (val == null) {
				if (option.negate) val = false;
				else if (option.isBoolean() || option.optional) val = true;
				else val = "";
			}
			this.setOptionValueWithSource(name, val, valueSource);
		};
		this.on("option:" + oname, (val) => {
			const invalidValueMessage = `error: option '${option.flags}' argument '${val}' is invalid.`;
			handleOptionValue(val, invalidValueMessage, "cli");
		});
		if (option.envVar) this.on("optionEnv:" + oname, (val) => {
			const invalidValueMessage = `error: option '${option.flags}' value '${val}' from env '${option.envVar}' is invalid.`;
			handleOptionValue(val, invalidValueMessage, "env");
		});
		return this;
	}
	_optionEx(config, flags, description, fn, defaultValue) {
		if (typeof flags === "object" && flags instanceof Option) throw new Error("To add an Option object use addOption() instead of option() or requiredOption()");
		const option = this.createOption(flags, description);
		option.makeOptionMandatory(!!config.mandatory);
		if (typeof fn === "function") option.default(defaultValue).argParser(fn);
		else if (fn instanceof RegExp) {
			const regex = fn;
			fn = (val, def) => {
				const m = regex.exec(val);
				return m ? m[0] : def;
			};
			option.default(defaultValue).argParser(fn);
		} else option.default(fn);
		return this.addOption(option);
	}
	option(flags, description, parseArg, defaultValue) {
		return this._optionEx({}, flags, description, parseArg, defaultValue);
	}
	requiredOption(flags, description, parseArg, defaultValue) {
		return this._optionEx({ mandatory: true }, flags, description, parseArg, defaultValue);
	}
	combineFlagAndOptionalValue(combine = true) {
		this._combineFlagAndOptionalValue = !!combine;
		return this;
	}
	allowUnknownOption(allowUnknown = true) {
		this._allowUnknownOption = !!allowUnknown;
		return this;
	}
	allowExcessArguments(allowExcess = true) {
		this._allowExcessArguments = !!allowExcess;
		return this;
	}
	enablePositionalOptions(positional = true) {
		this._enablePositionalOptions = !!positional;
		return this;
	}
	passThroughOptions(passThrough = true) {
		this._passThroughOptions = !!passThrough;
		this._checkForBrokenPassThrough();
		return this;
	}
	_checkForBrokenPassThrough() {
		if (this.parent && this._passThroughOptions && !this.parent._enablePositionalOptions) throw new Error(`passThroughOptions cannot be used for '${this._name}' without turning on enablePositionalOptions for parent command(s)`);
	}
	storeOptionsAsProperties(storeAsProperties = true) {
		if (this.options.length) throw new Error("call .storeOptionsAsProperties() before adding options");
		if (Object.keys(this._optionValues).length) throw new Error("call .storeOptionsAsProperties() before setting option values");
		this._storeOptionsAsProperties = !!storeAsProperties;
		return this;
	}
	getOptionValue(key) {
		if (this._storeOptionsAsProperties) return this[key];
		return this._optionValues[key];
	}
	setOptionValue(key, value) {
		return this.setOptionValueWithSource(key, value, void 0);
	}
	setOptionValueWithSource(key, value, source) {
		if (this._storeOptionsAsProperties) this[key] = value;
		else this._optionValues[key] = value;
		this._optionValueSources[key] = source;
		return this;
	}
	getOptionValueSource(key) {
		return this._optionValueSources[key];
	}
	getOptionValueSourceWithGlobals(key) {
		let source;
		this._getCommandAndAncestors().forEach((cmd) => {
			if (Object.hasOwn(cmd._optionValueSources, key)) source = cmd.getOptionValueSource(key);
		});
		return source;
	}
	_prepareUserArgs(argv, parseOptions) {
		if (argv !== void 0 && !Array.isArray(argv)) throw new Error("first parameter to parse must be array or undefined");
		parseOptions = parseOptions || {};
		if (argv === void 0 && parseOptions.from === void 0) {
			if (process$1.versions?.electron) parseOptions.from = "electron";
			const execArgv = process$1.execArgv ?? [];
			if (execArgv.includes("-e") || execArgv.includes("--eval") || execArgv.includes("-p") || execArgv.includes("--print")) parseOptions.from = "eval";
		}
		if (argv === void 0) argv = process$1.argv;
		this.rawArgs = argv.slice();
		let userArgs;
		switch (parseOptions.from) {
			case void 0:
			case "node":
				this._scriptPath = argv[1];
				userArgs = argv.slice(2);
				break;
			case "electron":
				if (process$1.defaultApp) {
					this._scriptPath = argv[1];
					userArgs = argv.slice(2);
				} else userArgs = argv.slice(1);
				break;
			case "user":
				userArgs = argv.slice(0);
				break;
			case "eval":
				userArgs = argv.slice(1);
				break;
			default: throw new Error(`unexpected parse option { from: '${parseOptions.from}' }`);
		}
		if (!this._name && this._scriptPath) this.nameFromFilename(this._scriptPath);
		this._name = this._name || "program";
		return userArgs;
	}
	parse(argv, parseOptions) {
		this._prepareForParse();
		const userArgs = this._prepareUserArgs(argv, parseOptions);
		this._parseCommand([], userArgs);
		return this;
	}
	async parseAsync(argv, parseOptions) {
		this._prepareForParse();
		const userArgs = this._prepareUserArgs(argv, parseOptions);
		await this._parseCommand([], userArgs);
		return this;
	}
	_prepareForParse() {
		if (this._savedState === null) {
			this.options.filter((option) => option.negate && option.defaultValue === void 0 && this.getOptionValue(option.attributeName()) === void 0).forEach((option) => {
				const positiveLongFlag = option.long.replace(/^--no-/, "--");
				if (!this._findOption(positiveLongFlag)) this.setOptionValueWithSource(option.attributeName(), true, "default");
			});
			this.saveStateBeforeParse();
		} else this.restoreStateBeforeParse();
	}
	saveStateBeforeParse() {
		this._savedState = {
			_name: this._name,
			_optionValues: { ...this._optionValues },
			_optionValueSources: { ...this._optionValueSources }
		};
	}
	restoreStateBeforeParse() {
		if (this._storeOptionsAsProperties) throw new Error(`Can not call parse again when storeOptionsAsProperties is true.
- either make a new Command for each call to parse, or stop storing options as properties`);
		this._name = this._savedState._name;
		this._scriptPath = null;
		this.rawArgs = [];
		this._optionValues = { ...this._savedState._optionValues };
		this._optionValueSources = { ...this._savedState._optionValueSources };
		this.args = [];
		this.processedArgs = [];
	}
	_checkForMissingExecutable(executableFile, executableDir, subcommandName) {
		if (fs.existsSync(executableFile)) return;
		const executableMissing = `'${executableFile}' does not exist
 - if '${subcommandName}' is not meant to be an executable command, remove description parameter from '.command()' and use '.description()' instead
 - if the default executable name is not suitable, use the executableFile option to supply a custom name or path
 - ${executableDir ? `searched for local subcommand relative to directory '${executableDir}'` : "no directory for search for local subcommand, use .executableDir() to supply a custom directory"}`;
		throw new Error(executableMissing);
	}
	_executeSubCommand(subcommand, args) {
		args = args.slice();
		const sourceExt = [
			".js",
			".ts",
			".tsx",
			".mjs",
			".cjs"
		];
		function findFile(baseDir, baseName) {
			const localBin = path.resolve(baseDir, baseName);
			if (fs.existsSync(localBin)) return localBin;
			if (sourceExt.includes(path.extname(baseName))) return void 0;
			const foundExt = sourceExt.find((ext) => fs.existsSync(`${localBin}${ext}`));
			if (foundExt) return `${localBin}${foundExt}`;
		}
		this._checkForMissingMandatoryOptions();
		this._checkForConflictingOptions();
		let executableFile = subcommand._executableFile || `${this._name}-${subcommand._name}`;
		let executableDir = this._executableDir || "";
		if (this._scriptPath) {
			let resolvedScriptPath;
			try {
				resolvedScriptPath = fs.realpathSync(this._scriptPath);
			} catch {
				resolvedScriptPath = this._scriptPath;
			}
			executableDir = path.resolve(path.dirname(resolvedScriptPath), executableDir);
		}
		if (executableDir) {
			let localFile = findFile(executableDir, executableFile);
			if (!localFile && !subcommand._executableFile && this._scriptPath) {
				const legacyName = path.basename(this._scriptPath, path.extname(this._scriptPath));
				if (legacyName !== this._name) localFile = findFile(executableDir, `${legacyName}-${subcommand._name}`);
			}
			executableFile = localFile || executableFile;
		}
		const launchWithNode = sourceExt.includes(path.extname(executableFile));
		let proc;
		if (process$1.platform !== "win32") {
			if (launchWithNode) {
				args.unshift(executableFile);
				args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
				proc = childProcess.spawn(process$1.argv[0], args, { stdio: "inherit" });
			} else proc = childProcess.spawn(executableFile, args, { stdio: "inherit" });
		} else {
			this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
			args.unshift(executableFile);
			args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
			proc = childProcess.spawn(process$1.execPath, args, { stdio: "inherit" });
		}
		if (!proc.killed) [
			"SIGUSR1",
			"SIGUSR2",
			"SIGTERM",
			"SIGINT",
			"SIGHUP"
		].forEach((signal) => {
			process$1.on(signal, () => {
				if (proc.killed === false && proc.exitCode === null) proc.kill(signal);
			});
		});
		const exitCallback = this._exitCallback;
		proc.on("close", (code) => {
			code = code ?? 1;
			if (!exitCallback) process$1.exit(code);
			else exitCallback(new CommanderError(code, "commander.executeSubCommandAsync", "(close)"));
		});
		proc.on("error", (err) => {
			if (err.code === "ENOENT") this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
			else if (err.code === "EACCES") throw new Error(`'${executableFile}' not executable`);
			if (!exitCallback) process$1.exit(1);
			else {
				const wrappedError = new CommanderError(1, "commander.executeSubCommandAsync", "(error)");
				wrappedError.nestedError = err;
				exitCallback(wrappedError);
			}
		});
		this.runningCommand = proc;
	}
	_dispatchSubcommand(commandName, operands, unknown) {
		const subCommand = this._findCommand(commandName);
		if (!subCommand) this.help({ error: true });
		subCommand._prepareForParse();
		let promiseChain;
		promiseChain = this._chainOrCallSubCommandHook(promiseChain, subCommand, "preSubcommand");
		promiseChain = this._chainOrCall(promiseChain, () => {
			if (subCommand._executableHandler) this._executeSubCommand(subCommand, operands.concat(unknown));
			else return subCommand._parseCommand(operands, unknown);
		});
		return promiseChain;
	}
	_dispatchHelpCommand(subcommandName) {
		if (!subcommandName) this.help();
		const subCommand = this._findCommand(subcommandName);
		if (subCommand && !subCommand._executableHandler) subCommand.help();
		return this._dispatchSubcommand(subcommandName, [], [this._getHelpOption()?.long ?? this._getHelpOption()?.short ?? "--help"]);
	}
	_checkNumberOfArguments() {
		this.registeredArguments.forEach((arg, i) => {
			if (arg.required && this.args[i] == null) this.missingArgument(arg.name());
		});
		if (this.registeredArguments.length > 0 && this.registeredArguments[this.registeredArguments.length - 1].variadic) return;
		if (this.args.length > this.registeredArguments.length) this._excessArguments(this.args);
	}
	_processArguments() {
		const myParseArg = (argument, value, previous) => {
			let parsedValue = value;
			if (value !== null && argument.parseArg) {
				const invalidValueMessage = `error: command-argument value '${value}' is invalid for argument '${argument.name()}'.`;
				parsedValue = this._callParseArg(argument, value, previous, invalidValueMessage);
			}
			return parsedValue;
		};
		this._checkNumberOfArguments();
		const processedArgs = [];
		this.registeredArguments.forEach((declaredArg, index) => {
			let value = declaredArg.defaultValue;
			if (declaredArg.variadic) {
				if (index < this.args.length) {
					value = this.args.slice(index);
					if (declaredArg.parseArg) value = value.reduce((processed, v) => {
						return myParseArg(declaredArg, v, processed);
					}, declaredArg.defaultValue);
				} else if (value === void 0) value = [];
			} else if (index < this.args.length) {
				value = this.args[index];
				if (declaredArg.parseArg) value = myParseArg(declaredArg, value, declaredArg.defaultValue);
			}
			processedArgs[index] = value;
		});
		this.processedArgs = processedArgs;
	}
	_chainOrCall(promise, fn) {
		if (promise?.then && typeof promise.then === "function") return promise.then(() => fn());
		return fn();
	}
	_chainOrCallHooks(promise, event) {
		let result = promise;
		const hooks = [];
		this._getCommandAndAncestors().reverse().filter((cmd) => cmd._lifeCycleHooks[event] !== void 0).forEach((hookedCommand) => {
			hookedCommand._lifeCycleHooks[event].forEach((callback) => {
				hooks.push({
					hookedCommand,
					callback
				});
			});
		});
		if (event === "postAction") hooks.reverse();
		hooks.forEach((hookDetail) => {
			result = this._chainOrCall(result, () => {
				return hookDetail.callback(hookDetail.hookedCommand, this);
			});
		});
		return result;
	}
	_chainOrCallSubCommandHook(promise, subCommand, event) {
		let result = promise;
		if (this._lifeCycleHooks[event] !== void 0) this._lifeCycleHooks[event].forEach((hook) => {
			result = this._chainOrCall(result, () => {
				return hook(this, subCommand);
			});
		});
		return result;
	}
	_parseCommand(operands, unknown) {
		const parsed = this.parseOptions(unknown);
		this._parseOptionsEnv();
		this._parseOptionsImplied();
		operands = operands.concat(parsed.operands);
		unknown = parsed.unknown;
		this.args = operands.concat(unknown);
		if (operands && this._findCommand(operands[0])) return this._dispatchSubcommand(operands[0], operands.slice(1), unknown);
		if (this._getHelpCommand() && operands[0] === this._getHelpCommand().name()) return this._dispatchHelpCommand(operands[1]);
		if (this._defaultCommandName) {
			this._outputHelpIfRequested(unknown);
			return this._dispatchSubcommand(this._defaultCommandName, operands, unknown);
		}
		if (this.commands.length && this.args.length === 0 && !this._actionHandler && !this._defaultCommandName) this.help({ error: true });
		this._outputHelpIfRequested(parsed.unknown);
		this._checkForMissingMandatoryOptions();
		this._checkForConflictingOptions();
		const checkForUnknownOptions = () => {
			if (parsed.unknown.length > 0) this.unknownOption(parsed.unknown[0]);
		};
		const commandEvent = `command:${this.name()}`;
		if (this._actionHandler) {
			checkForUnknownOptions();
			this._processArguments();
			let promiseChain;
			promiseChain = this._chainOrCallHooks(promiseChain, "preAction");
			promiseChain = this._chainOrCall(promiseChain, () => this._actionHandler(this.processedArgs));
			if (this.parent) promiseChain = this._chainOrCall(promiseChain, () => {
				this.parent.emit(commandEvent, operands, unknown);
			});
			promiseChain = this._chainOrCallHooks(promiseChain, "postAction");
			return promiseChain;
		}
		if (this.parent?.listenerCount(commandEvent)) {
			checkForUnknownOptions();
			this._processArguments();
			this.parent.emit(commandEvent, operands, unknown);
		} else if (operands.length) {
			if (this._findCommand("*")) return this._dispatchSubcommand("*", operands, unknown);
			if (this.listenerCount("command:*")) this.emit("command:*", operands, unknown);
			else if (this.commands.length) this.unknownCommand();
			else {
				checkForUnknownOptions();
				this._processArguments();
			}
		} else if (this.commands.length) {
			checkForUnknownOptions();
			this.help({ error: true });
		} else {
			checkForUnknownOptions();
			this._processArguments();
		}
	}
	_findCommand(name) {
		if (!name) return void 0;
		return this.commands.find((cmd) => cmd._name === name || cmd._aliases.includes(name));
	}
	_findOption(arg) {
		return this.options.find((option) => option.is(arg));
	}
	_checkForMissingMandatoryOptions() {
		this._getCommandAndAncestors().forEach((cmd) => {
			cmd.options.forEach((anOption) => {
				if (anOption.mandatory && cmd.getOptionValue(anOption.attributeName()) === void 0) cmd.missingMandatoryOptionValue(anOption);
			});
		});
	}
	_checkForConflictingLocalOptions() {
		const definedNonDefaultOptions = this.options.filter((option) => {
			const optionKey = option.attributeName();
			if (this.getOptionValue(optionKey) === void 0) return false;
			return this.getOptionValueSource(optionKey) !== "default";
		});
		definedNonDefaultOptions.filter((option) => option.conflictsWith.length > 0).forEach((option) => {
			const conflictingAndDefined = definedNonDefaultOptions.find((defined) => option.conflictsWith.includes(defined.attributeName()));
			if (conflictingAndDefined) this._conflictingOption(option, conflictingAndDefined);
		});
	}
	_checkForConflictingOptions() {
		this._getCommandAndAncestors().forEach((cmd) => {
			cmd._checkForConflictingLocalOptions();
		});
	}
	parseOptions(args) {
		const operands = [];
		const unknown = [];
		let dest = operands;
		function maybeOption(arg) {
			return arg.length > 1 && arg[0] === "-";
		}
		const negativeNumberArg = (arg) => {
			if (!/^-(\d+|\d*\.\d+)([eE][+-]?\d+)?$/.test(arg)) return false;
			return !this._getCommandAndAncestors().some((cmd) => cmd.options.map((opt) => opt.short).some((short) => /^-\d$/.test(short)));
		};
		let activeVariadicOption = null;
		let activeGroup = null;
		let i = 0;
		while (i < args.length || activeGroup) {
			const arg = activeGroup ?? args[i++];
			activeGroup = null;
			if (arg === "--") {
				if (dest === unknown) dest.push(arg);
				dest.push(...args.slice(i));
				break;
			}
			if (activeVariadicOption && (!maybeOption(arg) || negativeNumberArg(arg))) {
				this.emit(`option:${activeVariadicOption.name()}`, arg);
				continue;
			}
			activeVariadicOption = null;
			if (maybeOption(arg)) {
				const option = this._findOption(arg);
				if (option) {
					if (option.required) {
						const value = args[i++];
						if (value === void 0) this.optionMissingArgument(option);
						this.emit(`option:${option.name()}`, value);
					} else if (option.optional) {
						let value = null;
						if (i < args.length && (!maybeOption(args[i]) || negativeNumberArg(args[i]))) value = args[i++];
						this.emit(`option:${option.name()}`, value);
					} else this.emit(`option:${option.name()}`);
					activeVariadicOption = option.variadic ? option : null;
					continue;
				}
			}
			if (arg.length > 2 && arg[0] === "-" && arg[1] !== "-") {
				const option = this._findOption(`-${arg[1]}`);
				if (option) {
					if (option.required || option.optional && this._combineFlagAndOptionalValue) this.emit(`option:${option.name()}`, arg.slice(2));
					else {
						this.emit(`option:${option.name()}`);
						activeGroup = `-${arg.slice(2)}`;
					}
					continue;
				}
			}
			if (/^--[^=]+=/.test(arg)) {
				const index = arg.indexOf("=");
				const option = this._findOption(arg.slice(0, index));
				if (option && (option.required || option.optional)) {
					this.emit(`option:${option.name()}`, arg.slice(index + 1));
					continue;
				}
			}
			if (dest === operands && maybeOption(arg) && !(this.commands.length === 0 && negativeNumberArg(arg))) dest = unknown;
			if ((this._enablePositionalOptions || this._passThroughOptions) && operands.length === 0 && unknown.length === 0) {
				if (this._findCommand(arg)) {
					operands.push(arg);
					unknown.push(...args.slice(i));
					break;
				} else if (this._getHelpCommand() && arg === this._getHelpCommand().name()) {
					operands.push(arg, ...args.slice(i));
					break;
				} else if (this._defaultCommandName) {
					unknown.push(arg, ...args.slice(i));
					break;
				}
			}
			if (this._passThroughOptions) {
				dest.push(arg, ...args.slice(i));
				break;
			}
			dest.push(arg);
		}
		return {
			operands,
			unknown
		};
	}
	opts() {
		if (this._storeOptionsAsProperties) {
			const result = {};
			const len = this.options.length;
			for (let i = 0; i < len; i++) {
				const key = this.options[i].attributeName();
				result[key] = key === this._versionOptionName ? this._version : this[key];
			}
			return result;
		}
		return this._optionValues;
	}
	optsWithGlobals() {
		return this._getCommandAndAncestors().reduce((combinedOptions, cmd) => Object.assign(combinedOptions, cmd.opts()), {});
	}
	error(message, errorOptions) {
		this._outputConfiguration.outputError(`${message}\n`, this._outputConfiguration.writeErr);
		if (typeof this._showHelpAfterError === "string") this._outputConfiguration.writeErr(`${this._showHelpAfterError}\n`);
		else if (this._showHelpAfterError) {
			this._outputConfiguration.writeErr("\n");
			this.outputHelp({ error: true });
		}
		const config = errorOptions || {};
		const exitCode = config.exitCode || 1;
		const code = config.code || "commander.error";
		this._exit(exitCode, code, message);
	}
	_parseOptionsEnv() {
		this.options.forEach((option) => {
			if (option.envVar && option.envVar in process$1.env) {
				const optionKey = option.attributeName();
				if (this.getOptionValue(optionKey) === void 0 || [
					"default",
					"config",
					"env"
				].includes(this.getOptionValueSource(optionKey))) {
					if (option.required || option.optional) this.emit(`optionEnv:${option.name()}`, process$1.env[option.envVar]);
					else this.emit(`optionEnv:${option.name()}`);
				}
			}
		});
	}
	_parseOptionsImplied() {
		const dualHelper = new DualOptions(this.options);
		const hasCustomOptionValue = (optionKey) => {
			return this.getOptionValue(optionKey) !== void 0 && !["default", "implied"].includes(this.getOptionValueSource(optionKey));
		};
		this.options.filter((option) => option.implied !== void 0 && hasCustomOptionValue(option.attributeName()) && dualHelper.valueFromOption(this.getOptionValue(option.attributeName()), option)).forEach((option) => {
			Object.keys(option.implied).filter((impliedKey) => !hasCustomOptionValue(impliedKey)).forEach((impliedKey) => {
				this.setOptionValueWithSource(impliedKey, option.implied[impliedKey], "implied");
			});
		});
	}
	missingArgument(name) {
		const message = `error: missing required argument '${name}'`;
		this.error(message, { code: "commander.missingArgument" });
	}
	optionMissingArgument(option) {
		const message = `error: option '${option.flags}' argument missing`;
		this.error(message, { code: "commander.optionMissingArgument" });
	}
	missingMandatoryOptionValue(option) {
		const message = `error: required option '${option.flags}' not specified`;
		this.error(message, { code: "commander.missingMandatoryOptionValue" });
	}
	_conflictingOption(option, conflictingOption) {
		const findBestOptionFromValue = (option) => {
			const optionKey = option.attributeName();
			const optionValue = this.getOptionValue(optionKey);
			const negativeOption = this.options.find((target) => target.negate && optionKey === target.attributeName());
			const positiveOption = this.options.find((target) => !target.negate && optionKey === target.attributeName());
			if (negativeOption && (negativeOption.presetArg === void 0 && optionValue === false || negativeOption.presetArg !== void 0 && optionValue === negativeOption.presetArg)) return negativeOption;
			return positiveOption || option;
		};
		const getErrorMessage = (option) => {
			const bestOption = findBestOptionFromValue(option);
			const optionKey = bestOption.attributeName();
			if (this.getOptionValueSource(optionKey) === "env") return `environment variable '${bestOption.envVar}'`;
			return `option '${bestOption.flags}'`;
		};
		const message = `error: ${getErrorMessage(option)} cannot be used with ${getErrorMessage(conflictingOption)}`;
		this.error(message, { code: "commander.conflictingOption" });
	}
	unknownOption(flag) {
		if (this._allowUnknownOption) return;
		let suggestion = "";
		if (flag.startsWith("--") && this._showSuggestionAfterError) {
			let candidateFlags = [];
			let command = this;
			do {
				const moreFlags = command.createHelp().visibleOptions(command).filter((option) => option.long).map((option) => option.long);
				candidateFlags = candidateFlags.concat(moreFlags);
				command = command.parent;
			} while (command && !command._enablePositionalOptions);
			suggestion = suggestSimilar(flag, candidateFlags);
		}
		const message = `error: unknown option '${flag}'${suggestion}`;
		this.error(message, { code: "commander.unknownOption" });
	}
	_excessArguments(receivedArgs) {
		if (this._allowExcessArguments) return;
		const expected = this.registeredArguments.length;
		const s = expected === 1 ? "" : "s";
		const received = receivedArgs.length;
		const message = `error: too many arguments${this.parent ? ` for '${this.name()}'` : ""}. Expected ${expected} argument${s} but got ${received}: ${receivedArgs.join(", ")}.`;
		this.error(message, { code: "commander.excessArguments" });
	}
	unknownCommand() {
		const unknownName = this.args[0];
		let suggestion = "";
		if (this._showSuggestionAfterError) {
			const candidateNames = [];
			this.createHelp().visibleCommands(this).forEach((command) => {
				candidateNames.push(command.name());
				if (command.alias()) candidateNames.push(command.alias());
			});
			suggestion = suggestSimilar(unknownName, candidateNames);
		}
		const message = `error: unknown command '${unknownName}'${suggestion}`;
		this.error(message, { code: "commander.unknownCommand" });
	}
	version(str, flags, description) {
		if (str === void 0) return this._version;
		this._version = str;
		flags = flags || "-V, --version";
		description = description || "output the version number";
		const versionOption = this.createOption(flags, description);
		this._versionOptionName = versionOption.attributeName();
		this._registerOption(versionOption);
		this.on("option:" + versionOption.name(), () => {
			this._outputConfiguration.writeOut(`${str}\n`);
			this._exit(0, "commander.version", str);
		});
		return this;
	}
	description(str, argsDescription) {
		if (str === void 0 && argsDescription === void 0) return this._description;
		this._description = str;
		if (argsDescription) this._argsDescription = argsDescription;
		return this;
	}
	summary(str) {
		if (str === void 0) return this._summary;
		this._summary = str;
		return this;
	}
	alias(alias) {
		if (alias === void 0) return this._aliases[0];
		let command = this;
		if (this.commands.length !== 0 && this.commands[this.commands.length - 1]._executableHandler) command = this.commands[this.commands.length - 1];
		if (alias === command._name) throw new Error("Command alias can't be the same as its name");
		const matchingCommand = this.parent?._findCommand(alias);
		if (matchingCommand) {
			const existingCmd = [matchingCommand.name()].concat(matchingCommand.aliases()).join("|");
			throw new Error(`cannot add alias '${alias}' to command '${this.name()}' as already have command '${existingCmd}'`);
		}
		command._aliases.push(alias);
		return this;
	}
	aliases(aliases) {
		if (aliases === void 0) return this._aliases;
		aliases.forEach((alias) => this.alias(alias));
		return this;
	}
	usage(str) {
		if (str === void 0) {
			if (this._usage) return this._usage;
			const args = this.registeredArguments.map((arg) => {
				return humanReadableArgName(arg);
			});
			return [].concat(this.options.length || this._helpOption !== null ? "[options]" : [], this.commands.length ? "[command]" : [], this.registeredArguments.length ? args : []).join(" ");
		}
		this._usage = str;
		return this;
	}
	name(str) {
		if (str === void 0) return this._name;
		this._name = str;
		return this;
	}
	helpGroup(heading) {
		if (heading === void 0) return this._helpGroupHeading ?? "";
		this._helpGroupHeading = heading;
		return this;
	}
	commandsGroup(heading) {
		if (heading === void 0) return this._defaultCommandGroup ?? "";
		this._defaultCommandGroup = heading;
		return this;
	}
	optionsGroup(heading) {
		if (heading === void 0) return this._defaultOptionGroup ?? "";
		this._defaultOptionGroup = heading;
		return this;
	}
	_initOptionGroup(option) {
		if (this._defaultOptionGroup && !option.helpGroupHeading) option.helpGroup(this._defaultOptionGroup);
	}
	_initCommandGroup(cmd) {
		if (this._defaultCommandGroup && !cmd.helpGroup()) cmd.helpGroup(this._defaultCommandGroup);
	}
	nameFromFilename(filename) {
		this._name = path.basename(filename, path.extname(filename));
		return this;
	}
	executableDir(path) {
		if (path === void 0) return this._executableDir;
		this._executableDir = path;
		return this;
	}
	helpInformation(contextOptions) {
		const helper = this.createHelp();
		const context = this._getOutputContext(contextOptions);
		helper.prepareContext({
			error: context.error,
			helpWidth: context.helpWidth,
			outputHasColors: context.hasColors
		});
		const text = helper.formatHelp(this, helper);
		if (context.hasColors) return text;
		return this._outputConfiguration.stripColor(text);
	}
	_getOutputContext(contextOptions) {
		contextOptions = contextOptions || {};
		const error = !!contextOptions.error;
		let baseWrite;
		let hasColors;
		let helpWidth;
		if (error) {
			baseWrite = (str) => this._outputConfiguration.writeErr(str);
			hasColors = this._outputConfiguration.getErrHasColors();
			helpWidth = this._outputConfiguration.getErrHelpWidth();
		} else {
			baseWrite = (str) => this._outputConfiguration.writeOut(str);
			hasColors = this._outputConfiguration.getOutHasColors();
			helpWidth = this._outputConfiguration.getOutHelpWidth();
		}
		const write = (str) => {
			if (!hasColors) str = this._outputConfiguration.stripColor(str);
			return baseWrite(str);
		};
		return {
			error,
			write,
			hasColors,
			helpWidth
		};
	}
	outputHelp(contextOptions) {
		let deprecatedCallback;
		if (typeof contextOptions === "function") {
			deprecatedCallback = contextOptions;
			contextOptions = void 0;
		}
		const outputContext = this._getOutputContext(contextOptions);
		const eventContext = {
			error: outputContext.error,
			write: outputContext.write,
			command: this
		};
		this._getCommandAndAncestors().reverse().forEach((command) => command.emit("beforeAllHelp", eventContext));
		this.emit("beforeHelp", eventContext);
		let helpInformation = this.helpInformation({ error: outputContext.error });
		if (deprecatedCallback) {
			helpInformation = deprecatedCallback(helpInformation);
			if (typeof helpInformation !== "string" && !Buffer.isBuffer(helpInformation)) throw new Error("outputHelp callback must return a string or a Buffer");
		}
		outputContext.write(helpInformation);
		if (this._getHelpOption()?.long) this.emit(this._getHelpOption().long);
		this.emit("afterHelp", eventContext);
		this._getCommandAndAncestors().forEach((command) => command.emit("afterAllHelp", eventContext));
	}
	helpOption(flags, description) {
		if (typeof flags === "boolean") {
			if (flags) {
				if (this._helpOption === null) this._helpOption = void 0;
				if (this._defaultOptionGroup) this._initOptionGroup(this._getHelpOption());
			} else this._helpOption = null;
			return this;
		}
		this._helpOption = this.createOption(flags ?? "-h, --help", description ?? "display help for command");
		if (flags || description) this._initOptionGroup(this._helpOption);
		return this;
	}
	_getHelpOption() {
		if (this._helpOption === void 0) this.helpOption(void 0, void 0);
		return this._helpOption;
	}
	addHelpOption(option) {
		this._helpOption = option;
		this._initOptionGroup(option);
		return this;
	}
	help(contextOptions) {
		this.outputHelp(contextOptions);
		let exitCode = Number(process$1.exitCode ?? 0);
		if (exitCode === 0 && contextOptions && typeof contextOptions !== "function" && contextOptions.error) exitCode = 1;
		this._exit(exitCode, "commander.help", "(outputHelp)");
	}
	addHelpText(position, text) {
		const allowedValues = [
			"beforeAll",
			"before",
			"after",
			"afterAll"
		];
		if (!allowedValues.includes(position)) throw new Error(`Unexpected value for position to addHelpText.
Expecting one of '${allowedValues.join("', '")}'`);
		const helpEvent = `${position}Help`;
		this.on(helpEvent, (context) => {
			let helpStr;
			if (typeof text === "function") helpStr = text({
				error: context.error,
				command: context.command
			});
			else helpStr = text;
			if (helpStr) context.write(`${helpStr}\n`);
		});
		return this;
	}
	_outputHelpIfRequested(args) {
		const helpOption = this._getHelpOption();
		if (helpOption && args.find((arg) => helpOption.is(arg))) {
			this.outputHelp();
			this._exit(0, "commander.helpDisplayed", "(outputHelp)");
		}
	}
};
function incrementNodeInspectorPort(args) {
	return args.map((arg) => {
		if (!arg.startsWith("--inspect")) return arg;
		let debugOption;
		let debugHost = "127.0.0.1";
		let debugPort = "9229";
		let match;
		if ((match = arg.match(/^(--inspect(-brk|-wait)?)$/)) !== null) debugOption = match[1];
		else if ((match = arg.match(/^(--inspect(-brk|-port|-wait)?)=(\[[^\]]+\]|[^:]+)$/)) !== null) {
			debugOption = match[1];
			if (/^\d+$/.test(match[3])) debugPort = match[3];
			else debugHost = match[3];
		} else if ((match = arg.match(/^(--inspect(-brk|-port|-wait)?)=(\[[^\]]+\]|[^:]+):(\d+)$/)) !== null) {
			debugOption = match[1];
			debugHost = match[3];
			debugPort = match[4];
		}
		if (debugOption && debugPort !== "0") return `${debugOption}=${debugHost}:${parseInt(debugPort) + 1}`;
		return arg;
	});
}
function useColor() {
	if (process$1.env.NO_COLOR || process$1.env.FORCE_COLOR === "0" || process$1.env.FORCE_COLOR === "false") return false;
	if (process$1.env.FORCE_COLOR || process$1.env.CLICOLOR_FORCE !== void 0) return true;
}
new Command();
const LINE_MAX$1 = 2e3;
function failureOf(error, command = null) {
	if (isSuppressing(error)) return failureOf(error.suppressed, command);
	if (error instanceof CommanderError) return misuse(error, command);
	if (error instanceof GateError) return {
		code: error.code,
		exitCode: error.exitCode,
		what: plainText(error.message, LINE_MAX$1),
		hint: plainText(error.hint, LINE_MAX$1),
		stack: stackOf(error)
	};
	const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	return {
		code: "internal",
		exitCode: EXIT.failed,
		what: plainText(`the tool itself failed: ${message}`, LINE_MAX$1),
		hint: "run it again with --debug, and report the stack it prints",
		stack: stackOf(error)
	};
}
function isSuppressing(error) {
	return error instanceof Error && error.name === "SuppressedError" && "suppressed" in error;
}
function failureText(failure, isDebug) {
	const lines = `error: ${failure.what}\nhint: ${failure.hint}\n`;
	return isDebug && failure.stack !== null ? `${lines}${failure.stack}\n` : lines;
}
function stackOf(error) {
	if (!(error instanceof Error)) return null;
	const own = error.stack ?? String(error);
	return error.cause === void 0 ? own : `${own}\ncaused by: ${stackOf(error.cause) ?? String(error.cause)}`;
}
function misuse(error, command) {
	const [first = "", suggestion] = error.message.split("\n");
	const what = error.code === "commander.help" ? "no command was given" : first.replace(/^error: /, "").replace(/\.$/, "");
	const meant = suggestion === void 0 ? null : /^\(Did you mean (.*)\?\)$/.exec(suggestion)?.[1];
	return {
		code: "usage",
		exitCode: EXIT.usage,
		what: plainText(what, LINE_MAX$1),
		hint: meant ? `did you mean ${plainText(meant, LINE_MAX$1)}?` : `see capacity-gate ${command === null ? "" : `${command} `}--help`,
		stack: stackOf(error)
	};
}
async function readManifestFile(path, level, subjectPath) {
	const { manifest: maximumBytes } = INPUT_LIMITS;
	const text = await readInputText({
		what: "the manifest",
		path,
		maximumBytes
	});
	const subject = subjectPath === void 0 ? void 0 : await readInputText({
		what: "the subject override",
		path: subjectPath,
		maximumBytes
	});
	return {
		manifest: requireManifest({
			file: path,
			text,
			level,
			...subject === void 0 ? {} : { subject }
		}),
		text,
		subjectText: subject ?? null
	};
}
async function readRecordFile(what, path) {
	return {
		file: path,
		text: await readInputText({
			what,
			path,
			maximumBytes: INPUT_LIMITS.record
		})
	};
}
async function readRunRecord(what, path) {
	return readRecordFile(what, (await stat(path).catch(() => null))?.isDirectory() ?? false ? join(path, "capacity.json") : path);
}
async function requireFolder(what, path) {
	try {
		if ((await stat(path)).isDirectory()) return;
	} catch (error) {
		throw fileError(error, `read ${what}`, path, EXIT.invalid);
	}
	throw new GateError({
		code: "path_is_not_a_folder",
		message: `cannot read ${what} ${path}: it is a file, not a folder`,
		hint: "name a folder",
		exitCode: EXIT.invalid
	});
}
async function readAcceptedFile(path) {
	if (path === void 0) return null;
	return {
		file: path,
		text: await readInputText({
			what: "the accepted losses",
			path,
			maximumBytes: INPUT_LIMITS.manifest
		})
	};
}
function today() {
	return new Date().toISOString().slice(0, 10);
}
async function verdictBeside(recordPath) {
	const path = join(dirname(recordPath), "verdict.json");
	try {
		return parseVerdict(await readInputText({
			what: "the verdict",
			path,
			maximumBytes: INPUT_LIMITS.record
		}), path);
	} catch (error) {
		if (error instanceof GateError && error.code === "file_not_found") return null;
		throw error;
	}
}
const SCHEDULE_MAX_BYTES = 268435456;
async function readScheduleFile(path) {
	const chunks = [];
	for await (const chunk of streamInput({
		what: "the schedule",
		path,
		maximumBytes: SCHEDULE_MAX_BYTES
	})) chunks.push(chunk);
	const bytes = Buffer.concat(chunks);
	const content = bytes[0] === 31 && bytes[1] === 139 ? await expanded(bytes, path) : bytes;
	try {
		return parseSchedule(content);
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		throw new GateError({
			...error,
			message: `${path}: ${error.message}`,
			cause: error
		});
	}
}
async function expanded(bytes, path) {
	const content = await gunzipBounded(bytes, SCHEDULE_MAX_BYTES).catch((cause) => {
		throw notASchedule(`${path} is no whole gzip file`, cause);
	});
	if (content === "tooLarge") throw notASchedule(`${path} expands to more than ${SCHEDULE_MAX_BYTES} bytes`);
	return content;
}
function notASchedule(message, cause) {
	return new GateError({
		code: "schedule_malformed",
		message,
		hint: "give the file that `schedule` wrote, or the one in the pack",
		exitCode: EXIT.invalid,
		cause
	});
}
function scaleOf(points) {
	const times = points.map(({ at }) => Date.parse(at));
	const [first, last] = [Math.min(...times), Math.max(...times)];
	const rates = points.map(pointValue).filter((value) => value !== null).map(({ milliRps }) => milliRps);
	const ticks = ticksOver(rates.length === 0 ? [0, 1e3] : [Math.min(...rates), Math.max(...rates)]);
	const [low, high] = [ticks[0], ticks.at(-1)];
	const bottom = 235;
	return {
		x: (at) => round(first === last ? 50 : 1 + 98 * (Date.parse(at) - first) / (last - first)),
		y: (milliRps) => round(bottom - 184 * (milliRps - low) / (high - low)),
		ticks
	};
}
function ticksOver([least, greatest]) {
	const span = Math.max(greatest - least, greatest * .08, 1);
	const middle = (least + greatest) / 2;
	const step = roundStep(span / 4);
	const from = Math.max(0, Math.floor((middle - span / 2) / step));
	const to = Math.max(from + 1, Math.ceil((middle + span / 2) / step));
	return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
}
function roundStep(step) {
	const power = 10 ** Math.floor(Math.log10(step));
	return Math.max(1, ([
		1,
		2,
		5
	].find((factor) => factor * power >= step) ?? 10) * power);
}
function round(value) {
	return Math.round(value * 100) / 100;
}
function trendChart(trend, points, description) {
	const scale = scaleOf(points);
	return [
		`<svg role="img" aria-label="${htmlText(description, 600)}" width="100%" height="287">`,
		...grid(scale),
		...changeMarks(trend, points, scale),
		...levels(trend, points, scale),
		...line$3(points, scale),
		...points.map((point) => mark(point, scale)),
		...dates(points),
		"</svg>"
	].join("\n");
}
function grid(scale) {
	const rates = scale.ticks.flatMap((tick) => {
		const y = scale.y(tick);
		return [`<line class="grid" x1="0%" y1="${y}" x2="100%" y2="${y}"/>`, `<text class="tick" x="0" dx="-8" y="${y}" dy="4" text-anchor="end">${rps(tick / 1e3)}</text>`];
	});
	const strip = 245;
	return [...rates, `<line class="axis" x1="0%" y1="${strip}" x2="100%" y2="${strip}"/>`];
}
function line$3(points, scale) {
	const places = points.flatMap((point) => {
		const value = pointValue(point);
		return value === null ? [] : [{
			x: scale.x(point.at),
			y: scale.y(value.milliRps)
		}];
	});
	return places.slice(1).map((to, index) => {
		const from = places[index] ?? to;
		return `<line class="run" x1="${from.x}%" y1="${from.y}" x2="${to.x}%" y2="${to.y}"/>`;
	});
}
function mark(point, scale) {
	const value = pointValue(point);
	const x = scale.x(point.at);
	const title = `<title>${htmlText(pointText(point), 300)}</title>`;
	if (value === null) return `<text class="uncounted" x="${x}%" y="256" dy="4" text-anchor="middle">×${title}</text>`;
	return `<circle class="${value.isBound ? "bound" : "point"}" cx="${x}%" cy="${scale.y(value.milliRps)}" r="3.5">${title}</circle>`;
}
function pointText(point) {
	const merged = point.merged === null ? "" : `, median of ${point.merged.points} runs`;
	return `${point.at.slice(0, 16).replace("T", " ")}: ${capacityText(point)} RPS, ${point.outcome}, ${point.subject.version}${merged}`;
}
function changeMarks({ changes, days }, points, scale) {
	return changes.flatMap((change, which) => {
		const at = days[change.index]?.point.at;
		return at === void 0 || at < (points[0]?.at ?? "") ? [] : changeMark(change, scale.x(at), which % 3);
	});
}
function changeMark(change, x, row) {
	const y = 12 + row * 15;
	const kind = change.share < 0 ? "fall" : "rise";
	const anchor = x > 80 ? "end" : "start";
	const text = `${change.share < 0 ? "▼" : "▲"} ${signedPercent(change.share)} %`;
	return [`<line class="${kind}" x1="${x}%" y1="${y - 10}" x2="${x}%" y2="245"/>`, `<text class="${kind}-text" x="${x}%" dx="${anchor === "end" ? -6 : 6}" y="${y}" text-anchor="${anchor}">${text}</text>`];
}
function levels(trend, points, scale) {
	const { changes, days } = trend;
	const [from, to] = [points[0]?.at ?? "", points.at(-1)?.at ?? ""];
	return changes.flatMap((change, which) => {
		const start = days[change.index]?.point.at ?? from;
		const end = days[changes[which + 1]?.index ?? -1]?.point.at ?? to;
		const former = which === 0 && start > from ? [level(from, start, change.before, scale)] : [];
		return start < from ? [] : [...former, level(start, end, change.after, scale)];
	});
}
function level(from, to, milliRps, scale) {
	const y = scale.y(milliRps);
	return `<line class="level" x1="${scale.x(from)}%" y1="${y}" x2="${scale.x(to)}%" y2="${y}"/>`;
}
function dates(points) {
	const days = [points[0], points.at(-1)].map((point) => point?.at.slice(0, 10) ?? "");
	const y = 281;
	const [first = "", last = ""] = days;
	const start = `<text class="tick" x="0%" y="${y}" text-anchor="start">${first}</text>`;
	return first === last ? [start] : [start, `<text class="tick" x="100%" y="${y}" text-anchor="end">${last}</text>`];
}
function trendSection(trend) {
	const point = latest(trend);
	const points = trend.points.slice(-500);
	const name = `${htmlText(point.series, 80)}, ${point.cache}`;
	return [
		`<section id="s-${trend.key}" aria-labelledby="h-${trend.key}">`,
		`<h2 id="h-${trend.key}">${name}</h2>`,
		`<p><span class="state state-${trend.drift.state}">${STATES[trend.drift.state]}</span> ${driftSentence(trend.drift)}</p>`,
		...point.kind === "simulated" ? ["<p class=\"soft\">Simulated: no capacities of any hardware.</p>"] : [],
		"<figure>",
		trendChart(trend, points, chartDescription(trend, points)),
		`<figcaption>Offered requests a second that every class carried, a point a run. Dashed: medians between changes. × does not count (undecided, invalid, or only a lower bound). Hollow: below the lowest tested rate.${cutText(trend, points)}</figcaption>`,
		"</figure>",
		changesTable(trend),
		pointsTable(points, trend.key),
		`<p class="soft">${htmlText(point.machine, 300)} · experiment ${point.experiment.slice(0, 12)} · hardware ${point.hardware.slice(0, 12)} · series ${trend.key} · tolerance ${percent$2(point.toleranceShare)} %</p>`,
		"</section>"
	].join("\n");
}
const STATES = {
	drifting: "▼ Drifting",
	recovered: "Recovered",
	accepted: "Accepted",
	abandoned: "No longer measured",
	steady: "Steady",
	short: "Too few values"
};
function stateText$1(trend) {
	return `<span class="state state-${trend.drift.state}">${STATES[trend.drift.state]}</span>`;
}
function driftSentence(drift) {
	switch (drift.state) {
		case "short": return `${plural(drift.values, "day")} with a value; from ${drift.needed} on there is something to say.`;
		case "steady": return "No fall was found.";
		case "drifting":
		case "recovered":
		case "accepted":
		case "abandoned": return fallSentence(drift.fall);
	}
}
function fallSentence(fall) {
	const [was, is] = [htmlText(fall.from.version, 80), htmlText(fall.to.version, 80)];
	const versions = fall.from.sha256 === fall.to.sha256 ? `the same engine, ${is}` : `${was} → ${is}`;
	return `Fell on ${fall.since} from ${milliRps$3(fall.beforeMilliRps)} RPS, now ${milliRps$3(fall.nowMilliRps)} RPS (${signedPercent(fall.share)} %); ${versions}; found by ${foundBy(fall)}.`;
}
function chartDescription(trend, points) {
	const point = latest(trend);
	const span = `${points[0]?.at.slice(0, 10) ?? ""} to ${point.at.slice(0, 10)}`;
	return `Capacity of ${point.series}, ${point.cache}, ${span}: ${plural(points.length, "run")}, ${plural(trend.changes.length, "change")} of the level, last ${capacityText(point)} RPS. The tables below have the same.`;
}
function cutText(trend, points) {
	const left = trend.points.length - points.length;
	return left === 0 ? "" : ` ${plural(left, "older point")} not shown.`;
}
function changesTable({ changes, days }) {
	if (changes.length === 0) return "";
	return [
		"<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Changes of the level\"><table>",
		"<thead><tr><th scope=\"col\">changed on</th><th scope=\"col\" class=\"number\">before RPS</th><th scope=\"col\" class=\"number\">after RPS</th><th scope=\"col\" class=\"number\">Δ %</th><th scope=\"col\">first version</th><th scope=\"col\">found by</th></tr></thead>",
		`<tbody>${changes.toReversed().map((change) => {
			const day = days[change.index];
			const version = htmlText(day?.point.subject.version ?? "", 80);
			const cells = [
				rps(change.before / 1e3),
				rps(change.after / 1e3),
				signedPercent(change.share)
			].map((number) => `<td class="number">${number}</td>`).join("");
			return `<tr><td class="when">${day?.day ?? ""}</td>${cells}<td>${version}</td><td>${foundBy(change)}</td></tr>`;
		}).join("\n")}</tbody></table></div>`
	].join("\n");
}
function pointsTable(points, key) {
	const head = [
		"run",
		"version",
		"RPS:",
		"a replica:",
		"attained at guard %:",
		"boot spread %:",
		"limited by",
		"outcome"
	].map((title) => title.endsWith(":") ? `<th scope="col" class="number">${title.slice(0, -1)}</th>` : `<th scope="col">${title}</th>`);
	return [
		`<details><summary>All ${plural(points.length, "point")} as a table</summary>`,
		`<div class="wide" tabindex="0" role="region" aria-label="Points of series ${key}"><table>`,
		`<thead><tr>${head.join("")}</tr></thead>`,
		`<tbody>${points.toReversed().map(pointRow).join("\n")}</tbody></table></div></details>`
	].join("\n");
}
function pointRow(point) {
	const numbers = [
		htmlText(capacityText(point)),
		rps(point.perReplicaRps),
		percent$2(point.attainmentAtGuard),
		percent$2(point.bootSpread)
	].map((number) => `<td class="number">${number}</td>`);
	const merged = point.merged === null ? "" : ` (${mergedText(point.merged)})`;
	const outcome = `${point.outcome}${point.reason === null ? "" : `: ${htmlText(point.reason, 60)}`}${merged}`;
	const version = htmlText(point.subject.version, 80);
	return `<tr><td class="when">${runText(point)}</td><td>${version}</td>${numbers.join("")}<td>${limitingText(point)}</td><td>${outcome}</td></tr>`;
}
function mergedText({ points, notCounted }) {
	const counted = `the median of ${plural(points, "run")}`;
	if (notCounted === 0) return counted;
	return points === 0 ? `the last of ${notCounted} that did not count` : `${counted}, ${notCounted} did not count`;
}
function runText(point) {
	const when = point.at.slice(0, 16).replace("T", " ");
	const url = safeUrl(point.runUrl ?? void 0);
	return url === null ? when : `<a href="${htmlText(url, 800)}" rel="noreferrer">${when}</a>`;
}
function limitingText({ limiting }) {
	if (limiting === null) return "–";
	return `${htmlText(limiting.class, 80)} (${METRIC_NAMES.get(limiting.metric) ?? htmlText(limiting.metric)})`;
}
const TREND_STYLE = `${BASE_STYLE}figure { margin: 14px 0 4px; padding: 0 10px 0 52px; }
figcaption { color: var(--soft); font-size: 0.85rem; margin-left: -52px; }
svg { display: block; overflow: visible; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.grid { stroke: var(--line); stroke-width: 0.5; }
.axis { stroke: var(--line); }
.run { stroke: var(--run); stroke-width: 1.5; opacity: 0.6; }
.point { fill: var(--run); }
.bound { fill: var(--card); stroke: var(--fall); stroke-width: 2; }
svg .uncounted { fill: var(--warn); font-size: 14px; }
.level { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 6 3; opacity: 0.7; }
.fall { stroke: var(--fall); stroke-dasharray: 2 3; }
.rise { stroke: var(--rise); stroke-dasharray: 2 3; }
svg .fall-text { fill: var(--fall); font-weight: 600; }
svg .rise-text { fill: var(--rise); font-weight: 600; }
.state { font-weight: 600; }
.state-drifting { color: var(--fall); }
.state-recovered, .state-steady { color: var(--rise); }
.state-accepted, .state-short { color: var(--warn); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.when { white-space: nowrap; }
@media print { body { max-width: none; } section { break-inside: avoid; } }
`;
const SERIES_MAX = 40;
const PAGE_MARK = "<meta name=\"generator\" content=\"Capacity Gate, trend page\">";
function renderTrendPage({ trends, faults, toolVersion }) {
	const shown = trends.slice(0, SERIES_MAX);
	const newest = trends.reduce((last, trend) => latest(trend).at > last ? latest(trend).at : last, "");
	return htmlDocument({
		title: "Capacity over time",
		head: [PAGE_MARK],
		style: TREND_STYLE,
		body: [
			"<h1>Capacity over time</h1>",
			`<p class="soft">${newest === "" ? "No points yet." : `Up to ${newest.slice(0, 16).replace("T", " ")} UTC`} · Capacity Gate ${htmlText(toolVersion, 60)}</p>`,
			...faultNote(faults),
			...shown.length < trends.length ? [`<p>${plural(trends.length - shown.length, "older series")} not shown; the data block has them.</p>`] : [],
			...shown.length > 1 ? [overview(shown)] : [],
			...shown.map(trendSection)
		],
		data: {
			id: "history",
			value: dataOf(trends, toolVersion)
		}
	});
}
function dataOf(trends, toolVersion) {
	return {
		schema: 1,
		toolVersion,
		series: trends.map(({ key, points, changes, drift, days }) => ({
			key,
			points,
			changes: changes.map((change) => ({
				...change,
				day: days[change.index]?.day ?? null
			})),
			drift
		}))
	};
}
function faultNote(faults) {
	if (faults.length === 0) return [];
	const lines = faults.slice(0, 10).map(({ line, code }) => `${line} (${code})`);
	const more = faults.length > lines.length ? ", …" : "";
	return [`<p>${plural(faults.length, "line")} of the history passed over: line ${lines.join(", ")}${more}.</p>`];
}
function overview(trends) {
	return [
		"<nav aria-label=\"All series\"><table>",
		"<thead><tr><th scope=\"col\">series</th><th scope=\"col\">state</th><th scope=\"col\" class=\"number\">last RPS</th><th scope=\"col\">on</th></tr></thead>",
		`<tbody>${trends.map((trend) => {
			const point = latest(trend);
			return `<tr><td>${`<a href="#s-${trend.key}">${htmlText(point.series, 60)}, ${point.cache}</a>`}</td><td>${stateText$1(trend)}</td><td class="number">${htmlText(capacityText(point))}</td><td class="when">${point.at.slice(0, 10)}</td></tr>`;
		}).join("\n")}</tbody></table></nav>`
	].join("\n");
}
const HISTORY_FILE = "history.jsonl";
const PAGE_FILE = "index.html";
const LARGEST_HISTORY = LARGEST_RECORD;
function requireRoom(text, shown) {
	if (Buffer.byteLength(text) <= LARGEST_HISTORY) return;
	throw new GateError({
		code: "history_full",
		message: `${shown} would grow beyond ${LARGEST_HISTORY.toLocaleString("en-US")} bytes`,
		hint: "compact it: `capacity-gate history compact REF --older-than 90`",
		exitCode: EXIT.invalid
	});
}
function requireOwnPage(page, shown) {
	if (page === null || page.slice(0, 1e3).includes("<meta name=\"generator\" content=\"Capacity Gate, trend page\">")) return;
	throw new GateError({
		code: "page_foreign",
		message: `${shown} is there already and is no trend page: it is not replaced`,
		hint: "keep the history in a folder of its own: branch:NAME:FOLDER or dir:PATH",
		exitCode: EXIT.invalid
	});
}
function historyBranch(address, options) {
	const place = {
		...address,
		holds: "the history"
	};
	return {
		location: shownBranch(place),
		read: () => readBranch(place, options, async (files) => await files.text("history.jsonl") ?? ""),
		async update(change, note) {
			await commitToBranch(place, options, async (files) => {
				const text = await files.text("history.jsonl") ?? "";
				const changed = change(text);
				requireRoom(changed, placeIn(place, HISTORY_FILE));
				if (changed === text) return null;
				const added = [{
					path: HISTORY_FILE,
					text: changed
				}];
				if (options.drawPage !== null) {
					requireOwnPage(await files.text(PAGE_FILE), placeIn(place, PAGE_FILE));
					added.push({
						path: PAGE_FILE,
						text: options.drawPage(changed)
					});
				}
				return {
					files: added,
					message: `${printableLine(note, 300)}\n`
				};
			});
		}
	};
}
const LOCK_WAIT_MS = 3e4;
function historyDirectory(folder, { drawPage }) {
	const [path, page] = [join(folder, HISTORY_FILE), join(folder, PAGE_FILE)];
	return {
		location: path,
		read: async () => await readText(path) ?? "",
		async update(change) {
			try {
				try {
					var _usingCtx$2 = _usingCtx();
					await makeFolder(folder);
					_usingCtx$2.a(await takeLock(join(folder, ".history.lock"), {
						what: `the history in ${folder}`,
						waitMs: LOCK_WAIT_MS
					}));
					const text = await readText(path) ?? "";
					const changed = change(text);
					requireRoom(changed, path);
					if (changed === text) return;
					if (drawPage !== null) requireOwnPage(await readText(page), page);
					if (text !== "" && changed.startsWith(text)) await append(path, changed.slice(text.length));
					else await writeAtomically(path, changed);
					if (drawPage !== null) await writeAtomically(page, drawPage(changed));
				} catch (_) {
					_usingCtx$2.e = _;
				} finally {
					await _usingCtx$2.d();
				}
			} catch (error) {
				throw fileError(error, "write the history", path);
			}
		}
	};
}
async function append(path, text) {
	const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
	const file = await open(path, flags);
	try {
		await file.appendFile(text);
		await file.sync();
	} finally {
		await file.close();
	}
}
async function readText(path) {
	try {
		const read = await readBounded(path, LARGEST_HISTORY, "refused");
		if ("bytes" in read) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes);
		throw tooLargeError("the history", path, read.size, LARGEST_HISTORY, EXIT.invalid);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return null;
		throw fileError(error, "read the history", path, EXIT.invalid);
	}
}
async function openHistory(ref, repository, options) {
	const parsed = parseStoreRef(ref, "a history");
	if (parsed.kind === "dir") return historyDirectory(parsed.path, options);
	return historyBranch({
		...parsed,
		remote: await repository.remote()
	}, {
		env: repository.env,
		...options
	});
}
const DEPTH = 3;
const PACKS_MAX$1 = 500;
async function findPacks(folder) {
	const found = [];
	await look(folder, DEPTH, found);
	if (found.length > 0) return found;
	throw new GateError({
		code: "packs_missing",
		message: `${folder} is no pack of a run, and holds none`,
		hint: "name the folder that a run wrote, or the one that its artifacts were downloaded into",
		exitCode: EXIT.invalid
	});
}
async function look(folder, depth, found) {
	if (await isPack(folder)) {
		if (found.length === PACKS_MAX$1) throw tooMany();
		found.push(folder);
		return;
	}
	if (depth === 0) return;
	for (const name of await foldersIn(folder)) await look(join(folder, name), depth - 1, found);
}
async function foldersIn(folder) {
	try {
		return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name).toSorted();
	} catch (error) {
		throw fileError(error, "look for packs in", folder, EXIT.invalid);
	}
}
function tooMany() {
	return new GateError({
		code: "packs_too_many",
		message: `there are more than ${PACKS_MAX$1} packs`,
		hint: "name the folder of fewer runs",
		exitCode: EXIT.invalid
	});
}
const text$1 = (max) => string().max(max).refine((value) => value.isWellFormed(), "holds half a character");
const sha256$1 = string().regex(/^[0-9a-f]{64}$/);
const milliRps = int().min(1);
const share = number().min(0).max(1);
const time = string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/).refine((value) => !Number.isNaN(Date.parse(value)), "is no time");
const historyPointSchema = strictObject({
	schema: literal(1),
	at: time,
	run: sha256$1,
	series: text$1(200).min(1),
	kind: _enum(["measured", "simulated"]),
	cache: _enum(["cold", "warm"]),
	experiment: sha256$1,
	hardware: sha256$1,
	machine: text$1(400),
	subject: strictObject({
		sha256: sha256$1,
		name: text$1(200),
		version: text$1(200),
		image: text$1(400).nullable()
	}),
	commit: text$1(100).nullable().default(null),
	plan: _enum(["sweep", "confirm"]),
	outcome: _enum([
		"held",
		"improved",
		"regressed",
		"inconclusive",
		"invalid",
		"recorded"
	]),
	reason: text$1(100).nullable(),
	capacityMilliRps: milliRps.nullable(),
	failMilliRps: milliRps.nullable(),
	perReplicaRps: number().min(0).nullable(),
	baselineMilliRps: milliRps.nullable(),
	guardMilliRps: milliRps.nullable(),
	attainmentAtGuard: share.nullable(),
	attainmentSpread: tuple([share, share]).nullable(),
	bootSpread: number().min(0).nullable(),
	limiting: strictObject({
		class: text$1(200),
		metric: _enum([
			"ttft",
			"tpot",
			"e2e",
			"errors",
			"queue",
			"samples"
		])
	}).nullable(),
	toleranceShare: share,
	runUrl: text$1(600).nullable(),
	toolVersion: text$1(100),
	merged: strictObject({
		points: int().min(0),
		notCounted: int().min(0),
		runs: array(sha256$1).min(1).max(500)
	}).nullable()
});
const LINE_MAX = 131072;
function historyLine(point) {
	return `${canonicalJson(point)}\n`;
}
function readHistory(text) {
	const found = {
		points: [],
		faults: [],
		newer: []
	};
	const seen = new Set();
	const lines = text.split("\n");
	const last = lines.length - 1;
	for (const [index, line] of lines.entries()) {
		if (line.trim() === "") continue;
		const read = readLine(line);
		const isTorn = read === "malformed" && index === last;
		const known = typeof read === "string" ? [] : idsOf(read);
		if (typeof read !== "string" && !known.some((id) => seen.has(id))) found.points.push(read);
		else found.faults.push({
			line: index + 1,
			code: typeof read === "string" ? isTorn ? "torn" : read : "twice"
		});
		if (read === "newer") found.newer.push(line);
		for (const id of known) seen.add(id);
	}
	return found;
}
function withPoints(text, points) {
	const seen = new Set(readHistory(text).points.flatMap(idsOf));
	const added = points.filter((point) => {
		const ids = idsOf(point);
		const isNew = !ids.some((id) => seen.has(id));
		for (const id of ids) seen.add(id);
		return isNew;
	});
	if (added.length === 0) return {
		text,
		added
	};
	return {
		text: `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${added.map(historyLine).join("")}`,
		added
	};
}
function readLine(line) {
	if (line.length > LINE_MAX) return "malformed";
	let value;
	try {
		value = JSON.parse(line);
	} catch {
		return "malformed";
	}
	const parsed = historyPointSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	const schema = typeof value === "object" && value !== null ? value.schema : null;
	return typeof schema === "number" && Number.isSafeInteger(schema) && schema > 1 ? "newer" : "malformed";
}
function idsOf(point) {
	const key = seriesKey(point);
	return runsOf(point).map((run) => `${key} ${run}`);
}
function compactHistory(text, keepFrom) {
	const { points, faults, newer } = readHistory(text);
	const kept = [...Map.groupBy(points, seriesKey).values()].flatMap((series) => [...byDay(series)].flatMap(([day, ofDay]) => day < keepFrom ? mergeDay(ofDay) : ofDay));
	const lines = kept.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).map(historyLine);
	return {
		text: [...newer.map((line) => `${line}\n`), ...lines].join(""),
		before: points.length,
		after: kept.length,
		dropped: faults.filter(({ code }) => code !== "newer")
	};
}
function mergeDay(points) {
	const runs = [...new Set(points.flatMap(runsOf))].toSorted();
	const stands = medianPoint(points) ?? points.at(-1);
	if (points.length < 2 || stands === void 0 || runs.length > 500) return points;
	const counted = points.filter((point) => pointValue(point) !== null);
	const notCounted = points.reduce((sum, point) => sum + (point.merged?.notCounted ?? (pointValue(point) === null ? 1 : 0)), 0);
	return [{
		...stands,
		merged: {
			points: counted.reduce((sum, point) => sum + pointWeight(point), 0),
			notCounted,
			runs
		}
	}];
}
const DEFAULT_TOLERANCE = .04;
function historyPoints(record, verdict, facts) {
	const run = recordSha256(record);
	if (verdict.candidateSha256 !== run) throw refusal("history_verdict_differs", "verdict.json is on another record than capacity.json", "take both from one unchanged pack");
	const { kind } = record;
	if (kind === "imported") throw refusal("history_kind", "an imported record has no place in the history: another tool sent its requests", "add the record of a run");
	return record.capacity.map((result) => checked(pointOf({
		...record,
		kind
	}, result, verdict, {
		...facts,
		run
	})));
}
function pointOf(record, result, verdict, facts) {
	const { subject, hardware } = record;
	const state = verdict.states.find(({ cache }) => cache === result.cache);
	return {
		schema: 1,
		at: record.createdAt,
		run: facts.run,
		series: line$2(facts.series ?? record.gateId, 200),
		kind: record.kind,
		cache: result.cache,
		experiment: record.experiment.sha256,
		hardware: canonicalSha256(hardware.mustEqual),
		machine: machineText(hardware.mustEqual),
		subject: {
			sha256: subject.sha256,
			name: line$2(subject.name, 200),
			version: line$2(subject.version, 200),
			image: subject.image === null ? null : line$2(subject.image, 400)
		},
		commit: record.commit === null ? null : line$2(record.commit, 100),
		...judged(state, verdict),
		...measured(result, state),
		toleranceShare: readTerms(record)?.toleranceShare ?? DEFAULT_TOLERANCE,
		runUrl: facts.runUrl === null ? null : line$2(facts.runUrl, 600),
		toolVersion: line$2(record.tool.version, 100),
		merged: null
	};
}
function judged(state, verdict) {
	const reason = verdict.reasons[0]?.code ?? state?.reasons[0]?.code ?? null;
	return {
		outcome: state?.outcome ?? "inconclusive",
		reason: reason === null ? null : line$2(reason, 100),
		baselineMilliRps: state?.baselineMilliRps ?? null,
		guardMilliRps: state?.guardMilliRps ?? null,
		limiting: state === void 0 || state.limiting === null ? null : {
			class: line$2(state.limiting.class, 200),
			metric: state.limiting.metric
		}
	};
}
function measured(result, state) {
	return {
		plan: result.plan,
		capacityMilliRps: result.passMilliRps,
		failMilliRps: result.failMilliRps,
		perReplicaRps: result.perReplicaRps,
		attainmentAtGuard: attainmentAt(result, state?.guardMilliRps ?? null),
		attainmentSpread: result.attainmentSpread,
		bootSpread: result.bootSpread
	};
}
function attainmentAt(result, guardMilliRps) {
	if (guardMilliRps === null) return null;
	const worst = result.points.filter((point) => openMilliRps(point) === guardMilliRps && isDecisive(point)).map(({ slo }) => worstAttainment(slo));
	const known = worst.filter((share) => share !== null);
	return known.length === 0 || known.length < worst.length ? null : Math.min(...known);
}
function machineText(facts) {
	return line$2(Object.keys(facts).toSorted().map((key) => `${key} ${facts[key] ?? ""}`).join(", "), 400);
}
function line$2(text, max) {
	return text.slice(0, max).toWellFormed();
}
function checked(point) {
	const parsed = historyPointSchema.safeParse(point);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw refusal("history_point_invalid", `the record makes no point of the history: ${`${issue?.path.join(".") ?? "the point"}: ${issue?.message ?? "not of the expected shape"}`}`, "take an unchanged pack");
}
function refusal(code, message, hint) {
	return new GateError({
		code,
		message,
		hint,
		exitCode: EXIT.invalid
	});
}
function pointsOfRun(run, now) {
	const { record } = run;
	if (Date.parse(record.createdAt) > Date.parse(now) + 36e5) throw fromFuture(record, now);
	return historyPoints(record, run.verdict ?? gate({
		candidate: record,
		baseline: null,
		anchor: null,
		onMissingBaseline: "record"
	}), run);
}
function fromFuture({ createdAt }, now) {
	return new GateError({
		code: "history_from_future",
		message: `the run says that it began at ${createdAt.slice(0, 40)}, and it is ${now} here`,
		hint: "set the clock of the machine that measured, then measure again",
		exitCode: EXIT.invalid
	});
}
async function addToHistory(store, points, keepFrom = null) {
	let added = [];
	let faults = [];
	await store.update((text) => {
		const after = withPoints(text, points);
		added = after.added;
		faults = readHistory(text).faults;
		return keepFrom === null ? after.text : withoutOldRuns(after.text, keepFrom);
	}, additionNote(points));
	return {
		location: store.location,
		added,
		known: points.length - added.length,
		faults
	};
}
function withoutOldRuns(text, keepFrom) {
	const compacted = compactHistory(text, keepFrom);
	return compacted.after < compacted.before ? compacted.text : text;
}
function additionNote(points) {
	const names = [...new Set(points.map(({ series, cache }) => `${series}, ${cache}`))];
	const runs = [...new Set(points.flatMap(({ runUrl }) => runUrl ?? []))];
	return `Add ${names.join("; ")}${runs.length === 0 ? "" : ` of ${runs.join(", ")}`}`;
}
async function compactBefore(store, keepFrom) {
	let compacted = null;
	await store.update((text) => {
		compacted = compactHistory(text, keepFrom);
		return compacted.text;
	}, `Put the days before ${keepFrom} together`);
	const { before, after, dropped } = compacted ?? {
		before: 0,
		after: 0,
		dropped: []
	};
	return {
		location: store.location,
		keptFrom: keepFrom,
		before,
		after,
		dropped
	};
}
async function readTrends(store) {
	const { points, faults } = readHistory(await store.read());
	return {
		trends: trendsOf(points),
		faults
	};
}
const DAY_MS$1 = 864e5;
function dayBefore(now, days) {
	const midnightMs = Date.parse(`${now.slice(0, 10)}T00:00:00Z`);
	return new Date(Math.max(0, midnightMs - days * DAY_MS$1)).toISOString().slice(0, 10);
}
function driftPlanJson(plan) {
	return {
		schema: 1,
		issues: plan.map((planned) => {
			const { action, key, facts, trend } = planned;
			const { series, cache, experiment, hardware } = latest(trend);
			const text = driftText(planned);
			return {
				action,
				key,
				facts,
				series,
				cache,
				experiment,
				hardware,
				drift: trend.drift,
				title: text?.title ?? null,
				body: text?.body ?? null
			};
		})
	};
}
function driftPlanText(plan) {
	if (plan.length === 0) return "the history is empty";
	return plan.map(lineOf).join("\n");
}
function lineOf({ action, key, trend }) {
	const { series, cache } = latest(trend);
	return `${plainText(series, 80)}, ${cache} (${key}): ${trendText(trend)}${ACTIONS[action]}`;
}
const ACTIONS = {
	open: " → open an issue",
	reopen: " → open its issue again",
	update: " → update its issue",
	keep: "; its issue stays as it is",
	close: " → close its issue",
	leave: "; its issue was closed by hand",
	none: ""
};
function trendText(trend) {
	const { drift } = trend;
	switch (drift.state) {
		case "short": return `${plural(drift.values, "day")} with a value, from ${drift.needed} on there is something to say`;
		case "steady": return `steady, last ${capacityText(latest(trend))} RPS`;
		case "drifting":
		case "recovered":
		case "accepted":
		case "abandoned": {
			const { fall } = drift;
			const rates = `${milliRps$3(fall.beforeMilliRps)} → ${milliRps$3(fall.nowMilliRps)} RPS`;
			return `${drift.state}, ${rates} (${signedPercent(fall.share)} %) since ${fall.since}`;
		}
	}
}
const FAULTS_MAX = 5;
function faultsText(faults) {
	const named = faults.slice(0, FAULTS_MAX).map(({ line, code }) => `line ${line} (${code})`);
	const more = faults.length > FAULTS_MAX ? ` and ${faults.length - FAULTS_MAX} more` : "";
	return `${named.join(", ")}${more}`;
}
function drawPage(text) {
	const { points, faults } = readHistory(text);
	return renderTrendPage({
		trends: trendsOf(points),
		faults,
		toolVersion: TOOL_VERSION
	});
}
async function readHistoryRun(path) {
	if ((await stat(path).catch(() => null))?.isDirectory() ?? false) {
		const { record, verdict, context } = await readPackReport(await openPack(path));
		return {
			record,
			verdict,
			series: context.series ?? null,
			runUrl: context.runUrl ?? null
		};
	}
	const { file, text } = await readRecordFile("the run", path);
	return {
		record: parseCapacityRecord(text, file),
		verdict: null,
		series: null,
		runUrl: null
	};
}
const GITHUB = "https://github.com";
function workflowRepository({ env, facts }, { token }) {
	const url = `${(env["GITHUB_SERVER_URL"] ?? GITHUB).replace(/\/+$/, "")}/${facts.owner}/${facts.repo}.git`;
	return {
		env,
		remote: async () => ({
			url,
			token: token === "" ? null : token
		})
	};
}
function clonedRepository({ env, cwd }) {
	return {
		env,
		async remote() {
			const url = (await commandOutput("git", [
				"remote",
				"get-url",
				"origin"
			], cwd))?.trim() ?? "";
			if (url === "") throw noOrigin(cwd);
			const token = env["GITHUB_TOKEN"] || env["GH_TOKEN"] || null;
			return {
				url,
				token: originOf(url) === originOf(env["GITHUB_SERVER_URL"] ?? GITHUB) ? token : null
			};
		}
	};
}
function originOf(url) {
	return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).origin : null;
}
function noOrigin(cwd) {
	return new GateError({
		code: "repository_unknown",
		message: `baselines on a branch need a repository, and ${cwd} is in none that has a remote named origin`,
		hint: "run it in a clone, or keep the baselines in a folder: dir:PATH",
		exitCode: EXIT.usage
	});
}
function estimateManifest(input) {
	const { manifest, caches, pricePerGpuHour, anchor, acceptedFloors = {} } = input;
	const carries = caches.flatMap((cache) => {
		const [last, released] = [acceptedOf(input.baseline, cache), acceptedOf(anchor, cache)];
		const milliRps = expectedMilliRps(manifest, last, released);
		const isAssumed = (last?.passMilliRps ?? released?.passMilliRps ?? null) === null;
		return milliRps === 0 ? [] : [{
			cache,
			milliRps,
			isAssumed
		}];
	});
	const asIfAccepted = { capacity: carries.map(({ cache, milliRps }) => ({
		cache,
		passMilliRps: milliRps
	})) };
	const plans = input.plans.map((plan) => {
		const baseline = plan === "confirm" ? asIfAccepted : input.baseline;
		const { lines: _, ...estimate } = estimatePlan({
			manifest,
			plan,
			caches,
			baseline,
			anchor,
			acceptedFloors
		});
		return {
			plan,
			cost: pricePerGpuHour === null ? null : estimate.gpuMinutes / 60 * pricePerGpuHour,
			...estimate
		};
	});
	return {
		gpus: manifest.engine.placement.gpus,
		pricePerGpuHour,
		carries,
		plans
	};
}
function acceptedOf(record, cache) {
	return record?.capacity.find((result) => result.cache === cache) ?? null;
}
const NOTHING_ACCEPTED = {
	baseline: null,
	anchor: null
};
async function estimateRun(store, input) {
	const kind = isSimulated(input.manifest) ? "simulated" : "measured";
	const accepted = await store?.load({
		gateId: gateId(input.manifest),
		kind
	}) ?? NOTHING_ACCEPTED;
	return {
		...estimateManifest({
			...input,
			...accepted
		}),
		hasBaseline: accepted.baseline !== null
	};
}
const FINDINGS_MAX = 20;
const GUESS = "An estimate: boots, drains and preparation are guesses, and extensions of a schedule are not counted. For points of a few seconds it is up to twice the truth.";
function duration(seconds) {
	if (seconds < 90) return `${Math.ceil(seconds)} s`;
	return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
function estimateTable({ plans, pricePerGpuHour, gpus }, asked = null) {
	const gpuMinutes = (seconds) => gpus === 0 ? "–" : String(Math.ceil(seconds / 60 * gpus));
	const price = (seconds) => (seconds / 3600 * gpus * (pricePerGpuHour ?? 0)).toFixed(2);
	const cells = (points, boots, seconds) => [
		String(points),
		String(boots),
		duration(seconds),
		gpuMinutes(seconds),
		...pricePerGpuHour === null ? [] : [price(seconds)]
	];
	const rows = plans.flatMap((plan) => {
		const name = plan.plan === asked ? `${plan.plan}, as asked` : plan.plan;
		const states = plan.states.map(({ cache, points, boots, seconds }) => [
			name,
			cache,
			...cells(points, boots, seconds)
		]);
		const boots = plan.states.reduce((total, state) => total + state.boots, 0);
		return states.length === 1 ? states : [...states, [
			name,
			"all",
			...cells(plan.points, boots, plan.seconds)
		]];
	});
	const heads = columns("plan", "cache", "points:", "boots:", "time:", "GPU-minutes:");
	return table(pricePerGpuHour === null ? heads : [...heads, ...columns("cost:")], rows);
}
function estimateSentences({ plans, carries, pricePerGpuHour }) {
	const listed = (assumed) => carries.filter(({ isAssumed }) => isAssumed === assumed).map((one) => `${one.cache} ${milliRps$3(one.milliRps)} RPS`);
	const [accepted, assumed] = [listed(false), listed(true)];
	return [
		`Should the revision carry a tenth less: ${plans.map(ifLess).join(", ")}.`,
		...accepted.length === 0 ? [] : [`Led by what is accepted: ${accepted.join(", ")}.`],
		...assumed.length === 0 ? [] : [`Nothing is accepted yet: it is taken to carry ${assumed.join(", ")}.`],
		...plans.flatMap(({ plan, admittedSeconds }) => admittedSeconds === null ? [] : [admitted(plan, admittedSeconds)]),
		...pricePerGpuHour === null ? [] : [`The cost is at ${pricePerGpuHour} a GPU-hour.`],
		GUESS
	];
}
function ifLess({ plan, ifLessSeconds }) {
	return `${plan} ${duration(ifLessSeconds)}`;
}
function admitted(plan, [least, most]) {
	return `The ${plan} finds its rates itself: over the capacities that the manifest admits it takes ${duration(least)} to ${duration(most)}.`;
}
function estimateText(estimate) {
	return [
		`ESTIMATE ${estimate.gpus === 0 ? "without GPUs" : `on ${plural(estimate.gpus, "GPU")}`}`,
		estimateTable(estimate),
		estimateSentences(estimate).join("\n")
	].join("\n\n");
}
function estimateComment(report) {
	const marker = estimateMarker(report.manifestPath, report.context.commentKey);
	return {
		marker,
		body: () => `${marker}\n${estimateMarkdown(report)}`,
		isIn: (body) => isMarked(body, marker)
	};
}
function estimateMarkdown({ manifestPath, findings, found, plan, context }) {
	const head = found === null ? "❌ The manifest cannot be run" : `Estimate of ${markdownCode(found.gateId)}`;
	const { shown, rest } = cut(findings, FINDINGS_MAX, "findings: see the log");
	return `${[
		`## ${head}`,
		`${markdownCode(manifestPath)}: ${counts(findings)}.`,
		shown.map(findingLine).join("\n"),
		rest,
		...found === null ? ["Nothing is deployed before it is mended."] : estimateBlocks(found.estimate, plan),
		footer(context)
	].filter((block) => block !== "").join("\n\n")}\n`;
}
function estimateBlocks(estimate, plan) {
	return [estimateTable(estimate, plan), estimateSentences(estimate).join(" ")];
}
function counts(findings) {
	const errors = findings.filter(({ severity }) => severity === "error").length;
	const warnings = findings.length - errors;
	return [errors > 0 ? plural(errors, "error") : "", warnings > 0 ? plural(warnings, "warning") : ""].filter((part) => part !== "").join(", ") || "no findings";
}
function findingLine({ severity, rule, path, line, message, hint }) {
	return `- ${severity} on line ${line}: ${path === "" ? "" : `${markdownText(path)}: `}${markdownText(message, 500)} (${markdownCode(rule)}). ${markdownText(hint, 500)}`;
}
function footer({ headSha, runUrl, toolVersion }) {
	const [sha, url] = [shortSha(headSha), safeUrl(runUrl)];
	return `<sub>${[
		sha === null ? "" : `at \`${sha}\``,
		url === null ? "" : `[run](${url})`,
		`Capacity Gate ${markdownCode(toolVersion, 40)}`
	].filter((part) => part !== "").join(" · ")}</sub>`;
}
const TITLES = {
	PASSED: "✅ Signed off",
	WARNED: "⚠️ Signed off with exceptions",
	FAILED: "❌ Not signed off, action needed"
};
const SHOWN_MAX = 50;
function renderSignOff(predicate) {
	const facts = predicate.capacityGateSignOff;
	const rows = facts.requirements.map(({ requirement, status, text, waiver }) => [
		requirement,
		`**${status}**`,
		markdownText(text, 300),
		waiver === null ? "" : `${markdownText(waiver.by, 80)}, until ${markdownText(waiver.expires, 20)}: ${markdownText(waiver.reason, 500)}`
	]);
	return `${[
		`## ${TITLES[predicate.result]}: ${subjectMarkdown(facts)}`,
		facts.simulated ? SIMULATED : "",
		validity(predicate),
		table(columns("requirement", "status", "what was seen", "waived by"), rows),
		...list$1("Refused", facts.refusals.map(({ source, code, text }) => `${markdownCode(source, 200)} ${markdownText(text, 500)} (${markdownCode(code, 60)})`)),
		...list$1("Evidence", evidenceLines(facts)),
		...list$1("Notes", facts.notes.map((note) => markdownText(note, 500)))
	].filter((block) => block !== "").join("\n\n")}\n`;
}
function subjectMarkdown({ subject }) {
	if (subject === null) return "no subject";
	return `${markdownCode(subject.engine, 80)} ${markdownCode(subject.version, 80)}`;
}
function validity({ result, capacityGateSignOff: facts }) {
	const { subject, approval, packsFrom } = facts;
	return [
		subject === null ? "" : `Subject: ${markdownCode(`${subject.name}@sha256:${subject.digest}`, 400)}`,
		subject?.kind === "image" ? `With its arguments and environment: \`sha256:${subject.subjectSha256}\`` : "",
		facts.gateId === null ? "" : `Gate: ${markdownCode(facts.gateId, 100)}`,
		result === "FAILED" ? "" : `Holds until ${facts.expiresOn}; evidence was at most ${facts.maxAgeDays} days old on ${facts.signedAt}`,
		packsFrom === null ? "" : `Packs of ${markdownCode(packsFrom.url, 200)}: ${markdownText(packsFrom.event, 40)} on ${markdownCode(packsFrom.branch, 200)} at ${markdownCode(packsFrom.commit, 64)}`,
		approval === null ? "" : `Approved in the environment ${markdownCode(approval.environment, 100)} by ${approval.by.slice(0, 10).map((name) => markdownCode(name, 80)).join(", ")}`
	].filter((line) => line !== "").map((line) => `- ${line}`).join("\n");
}
function evidenceLines({ requirements }) {
	return requirements.flatMap(({ requirement, evidence }) => evidence.map(({ source, sha256, outcome, measuredAt }) => `${requirement}: ${markdownCode(source, 200)} (${markdownText(outcome, 40)}, ${markdownText(measuredAt, 40)}, \`sha256:${sha256}\`)`));
}
function list$1(title, items) {
	if (items.length === 0) return [];
	const shown = items.slice(0, SHOWN_MAX).map((item) => `- ${item}`);
	const rest = items.length > SHOWN_MAX ? [`- and ${items.length - SHOWN_MAX} more`] : [];
	return [`### ${title}`, [...shown, ...rest].join("\n")];
}
function signOffText(predicate) {
	const { capacityGateSignOff: facts, result } = predicate;
	const { subject } = facts;
	const of = subject === null ? "" : `: ${plainText(`${subject.name}@sha256:${subject.digest}`, 400)}`;
	return [
		`${{
			PASSED: "SIGNED OFF",
			WARNED: "SIGNED OFF with exceptions",
			FAILED: "NOT SIGNED OFF"
		}[result]}${of}`,
		...facts.simulated ? [SIMULATED] : [],
		...facts.requirements.map(({ requirement, status, text, waiver }) => {
			const by = waiver === null ? "" : `; waived by ${plainText(waiver.by, 80)} until ${plainText(waiver.expires, 20)}: ${plainText(waiver.reason, 300)}`;
			return `  ${requirement} ${status}: ${plainText(text, 300)}${by}`;
		}),
		...facts.refusals.slice(0, SHOWN_MAX).map(({ source, code, text }) => `  refused: ${plainText(source, 200)} ${plainText(text, 500)} [${plainText(code, 60)}]`),
		...facts.notes.slice(0, SHOWN_MAX).map((note) => `  note: ${plainText(note, 500)}`),
		...result === "FAILED" ? [] : [`  holds until ${facts.expiresOn}`]
	].join("\n");
}
const SIGNED = [
	"passed",
	"warned",
	"waived"
];
function isSigned(status) {
	return SIGNED.includes(status);
}
function resultOf(requirements, refusals) {
	if (requirements.length === 0 || refusals.length > 0) return "FAILED";
	if (!requirements.every(({ status }) => isSigned(status))) return "FAILED";
	return requirements.every(({ status }) => status === "passed") ? "PASSED" : "WARNED";
}
const REQUIREMENTS = [
	"cold",
	"warm",
	"drill",
	"parity"
];
function isRequirement(text) {
	return REQUIREMENTS.some((name) => name === text);
}
function isCapacity(requirement) {
	return requirement === "cold" || requirement === "warm";
}
function sha256Of(text) {
	return /^(?:(?:[^\s@]{1,400}@)?sha256:)?([0-9a-f]{64})$/.exec(text.trim())?.[1] ?? null;
}
const described = (schema, description) => schema.meta({ description });
const text = string().min(1);
const waiverSchema = strictObject({
	requirement: described(_enum(REQUIREMENTS), "What is waived: cold, warm, drill or parity."),
	subject: described(string().regex(/^(?:(?:[^\s@]+@)?sha256:)?[0-9a-f]{64}$/), "The one subject that it is for: its hash or its image’s digest, sha256:<64 hex digits>."),
	by: described(text, "Who answers for it."),
	reason: described(text, "Why it may be missing or lost."),
	expires: described(string().regex(/^\d{4}-\d{2}-\d{2}$/), "Its last day (UTC), as YYYY-MM-DD.")
});
const policySchema = strictObject({
	requires: described(array(_enum(REQUIREMENTS)).min(1).max(REQUIREMENTS.length).default(["cold", "warm"]), "What the release must show: some of cold, warm, drill, parity; cold and warm where nothing is said."),
	max_age_days: described(int().min(1).max(365).default(30), "The oldest evidence that counts, in days."),
	valid_days: described(int().min(1).max(365).default(90), "How long a sign-off holds, in days."),
	waivers: described(array(waiverSchema).max(100).default([]), "What may be missing or lost, each by name.")
});
const DAY_MS = 864e5;
function endOfDay(day) {
	return isDay(day) ? Date.parse(`${day}T00:00:00Z`) + DAY_MS - 1e3 : null;
}
function timeOf(text) {
	if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
	const ms = Date.parse(text);
	return Number.isFinite(ms) ? ms : null;
}
function isoTime(ms) {
	return new Date(ms).toISOString();
}
const WAIVER_DAYS_MAX = 90;
const error = {
	level: "valid",
	severity: "error"
};
const RULES = {
	noCapacity: {
		id: "sign-off-without-capacity",
		title: "A sign-off requires no capacity",
		...error,
		why: "What is signed off is that the revision carries its capacity; a drill or parity alone does not show it.",
		mend: "Require cold, warm or both."
	},
	twice: {
		id: "sign-off-twice",
		title: "A requirement, or a waiver for one subject, stands twice",
		...error,
		why: "Two entries for one thing are read as two decisions.",
		mend: "Keep one of them."
	},
	noDate: {
		id: "waiver-without-date",
		title: "A waiver ends on no day of the calendar",
		...error,
		why: "A waiver that never ends is a change of the requirements that nobody reviewed as one.",
		mend: "Write a day of the calendar, as YYYY-MM-DD."
	},
	tooLong: {
		id: "waiver-too-long",
		title: `A waiver ends more than ${WAIVER_DAYS_MAX} days ahead`,
		...error,
		why: "What holds for longer is no exception: it is a change of the requirements.",
		mend: `Let it end within ${WAIVER_DAYS_MAX} days, and renew it in a reviewed change.`
	}
};
const DEFAULT_POLICY = policySchema.parse({});
function readPolicy(text, nowMs) {
	return readBesideManifest(text, policySchema, (policy) => [...requireBreaches(policy), ...waiverBreaches(policy, nowMs)]);
}
function requireBreaches({ requires }) {
	const twice = requires.flatMap((name, index) => requires.indexOf(name) === index ? [] : [{
		rule: RULES.twice,
		path: ["requires", index],
		message: `${name} is required twice`
	}]);
	if (requires.some(isCapacity)) return twice;
	return [...twice, {
		rule: RULES.noCapacity,
		path: ["requires"],
		message: "neither cold nor warm is required"
	}];
}
function waiverBreaches({ waivers }, nowMs) {
	return waivers.flatMap((waiver, index) => {
		const twice = waivers.findIndex((other) => keyOf(other) === keyOf(waiver)) === index ? [] : [{
			rule: RULES.twice,
			path: ["waivers", index],
			message: `${waiver.requirement} is waived twice for one subject`
		}];
		const end = endOfDay(waiver.expires);
		const path = [
			"waivers",
			index,
			"expires"
		];
		if (end === null) return [...twice, {
			rule: RULES.noDate,
			path,
			message: `${waiver.expires} is no day of the calendar`
		}];
		if (end <= nowMs + 78624e5) return twice;
		return [...twice, {
			rule: RULES.tooLong,
			path,
			message: `${waiver.expires} is more than ${WAIVER_DAYS_MAX} days ahead`
		}];
	});
}
function keyOf({ requirement, subject }) {
	return `${requirement} ${sha256Of(subject) ?? subject}`;
}
const TEST_RESULT_TYPE = "https://in-toto.io/attestation/test-result/v0.1";
const line$1 = string().max(1e5);
const names = array(line$1).max(1e4);
const testResultSchema = looseObject({
	result: _enum([
		"PASSED",
		"WARNED",
		"FAILED"
	]),
	configuration: array(looseObject({})).max(1e4),
	url: exactOptional(line$1),
	passedTests: exactOptional(names),
	warnedTests: exactOptional(names),
	failedTests: exactOptional(names),
	finishedOn: exactOptional(line$1)
});
const statementSchema = looseObject({
	_type: _enum(["https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v0.1"]),
	subject: array(looseObject({ digest: looseObject({ sha256: exactOptional(line$1) }) })).min(1).max(1024),
	predicateType: literal(TEST_RESULT_TYPE),
	predicate: testResultSchema
});
const verifiedSchema = array(looseObject({ verificationResult: looseObject({
	statement: statementSchema,
	verifiedTimestamps: array(looseObject({ timestamp: line$1 })).min(1).max(100)
}) })).min(1).max(100);
function readTestResults(text, name) {
	const value = jsonOf(text, name);
	if (Array.isArray(value)) return parse(verifiedSchema, value, name).map(({ verificationResult }) => {
		const times = verificationResult.verifiedTimestamps.map(({ timestamp }) => timeOf(timestamp));
		const atMs = times.includes(null) ? null : Math.min(...times.map(Number));
		return {
			...ofStatement(verificationResult.statement),
			atMs
		};
	});
	if (typeof value === "object" && value !== null && "_type" in value) return [ofStatement(parse(statementSchema, value, name))];
	const predicate = parse(testResultSchema, value, name);
	return [{
		predicate,
		subjects: null,
		atMs: finishedMs(predicate)
	}];
}
function ofStatement({ subject, predicate }) {
	return {
		predicate,
		subjects: subject.flatMap(({ digest }) => digest.sha256 === void 0 ? [] : [digest.sha256]),
		atMs: finishedMs(predicate)
	};
}
function finishedMs({ finishedOn }) {
	return finishedOn === void 0 ? null : timeOf(finishedOn);
}
function jsonOf(text, name) {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw invalid(`${name} is not JSON`, cause);
	}
}
function parse(schema, value, name) {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const where = parsed.error.issues[0]?.path.map(String).join(".").slice(0, 200) ?? "";
	throw invalid(`${name} is no in-toto test result${where === "" ? "" : `: ${where} is not as expected`}`);
}
function invalid(message, cause) {
	return new GateError({
		code: "test_result_invalid",
		message,
		hint: "give an in-toto statement of type test-result/v0.1, or what `gh attestation verify --format json` prints",
		exitCode: EXIT.invalid,
		cause
	});
}
function usage(message, hint) {
	return new GateError({
		code: "usage",
		message,
		hint,
		exitCode: EXIT.usage
	});
}
const POLICY_PATH = ".capacity-gate/sign-off.yaml";
const NO_POLICY = {
	policy: DEFAULT_POLICY,
	sha256: null
};
async function readPolicyFile(path, nowMs, tell) {
	const text = await policyText(path);
	const { findings, value } = readPolicy(text, nowMs);
	tell(findings);
	if (value !== null) return {
		policy: value,
		sha256: sha256Hex(text)
	};
	const [first] = findings;
	const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : "";
	throw new GateError({
		code: "policy_invalid",
		message: `${path}:${first?.line ?? 1}:${first?.column ?? 1}: ${first?.message ?? "it is not valid"}${more}`,
		hint: first === void 0 ? "mend the file" : errorHint(first),
		exitCode: EXIT.invalid
	});
}
async function policyText(path) {
	try {
		return await readInputText({
			what: "the policy",
			path,
			maximumBytes: INPUT_LIMITS.manifest
		});
	} catch (error) {
		if (!(error instanceof GateError) || error.code !== "file_not_found") throw error;
		throw new GateError({
			code: error.code,
			message: error.message,
			hint: "write it (docs/sign-off.md), or ask for cold and warm alone: leave --policy away, or in the action set sign-off-policy to nothing",
			exitCode: error.exitCode
		});
	}
}
const PACKS_MAX = 64;
async function openPacks(folders) {
	const paths = (await Promise.all(folders.map(packsIn))).flat();
	if (paths.length > PACKS_MAX) throw usage(`${paths.length} packs are too many`, `hand in at most ${PACKS_MAX}`);
	return Promise.all(paths.map(async (source) => {
		return {
			source,
			pack: await openPack(source).catch((error) => {
				if (error instanceof GateError) return error;
				throw error;
			})
		};
	}));
}
async function packsIn(folder) {
	try {
		return await findPacks(folder);
	} catch (error) {
		if (error instanceof GateError && error.code !== "packs_too_many") return [folder];
		throw error;
	}
}
async function readTestEvidence(given) {
	const read = given.map(async (item) => {
		const [name = "", ...rest] = item.split("=");
		const path = rest.join("=").trim();
		const requirement = name.trim();
		if (!isRequirement(requirement) || isCapacity(requirement) || path === "") throw usage(`${quoted(item)} names no test result`, "write drill=FILE or parity=FILE; cold and warm are shown by packs");
		const text = await readInputText({
			what: "the test result",
			path,
			maximumBytes: INPUT_LIMITS.record
		});
		const sha256 = sha256Hex(text);
		return readTestResults(text, path).map((found) => ({
			...found,
			requirement,
			source: path,
			sha256
		}));
	});
	return (await Promise.all(read)).flat();
}
function requirementsOf(text) {
	const names = [...new Set(text.split(",").map((part) => part.trim()))];
	const known = names.filter(isRequirement);
	if (known.length === names.length && known.some(isCapacity)) return known;
	throw usage(`${quoted(text)} are no requirements`, "write cold, warm or both, and drill or parity where they are asked for, with commas");
}
const IMAGE = /^([a-z0-9][a-z0-9._/-]{0,250}(?::\d{1,5}\/[a-z0-9._/-]{1,250})?)(?::[\w.-]{1,128})?@sha256:([0-9a-f]{64})$/;
function signedSubject({ subject }) {
	const { sha256: subjectSha256, name: engine, version } = subject;
	const [, name, digest] = IMAGE.exec(subject.image ?? "") ?? [];
	const known = {
		subjectSha256,
		engine: engine.slice(0, 200),
		version: version.slice(0, 200)
	};
	if (name !== void 0 && digest !== void 0) return {
		name,
		digest,
		kind: "image",
		...known
	};
	return {
		name: `capacity-gate-subject/${plainName(engine)}/${plainName(version)}`,
		digest: subjectSha256,
		kind: "subject_hash",
		...known
	};
}
function isNamedBy(subject, digest) {
	return digest === subject.subjectSha256 || digest === subject.digest;
}
function plainName(text) {
	const plain = text.replaceAll(/[^A-Za-z0-9.+_-]/g, "-").slice(0, 100);
	return plain === "" ? "-" : plain;
}
function packRefusals(pack, first, terms) {
	const { source, record, faults } = pack;
	const refuse = (code, text) => ({
		source,
		code,
		text
	});
	const found = [];
	if (faults.length > 0) {
		const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
		found.push(refuse("pack_altered", `does not follow from its raw files: ${faults[0]}${more}`));
	}
	const age = ageRefusal(record.createdAt, terms);
	if (age !== null) found.push(refuse(`pack_${age.code}`, age.text));
	if (isImported(record)) found.push(refuse("pack_imported", "another tool sent its requests: nothing proves its load"));
	if (record.kind === "simulated" && !terms.allowSimulated) found.push(refuse("pack_simulated", "is of the embedded engine, a model of no hardware"));
	if (!wasDeployed(record)) found.push(refuse("pack_not_deployed", "the run did not start the engine: nothing proves which revision it was"));
	return [
		...found,
		...runRefusals(pack, terms),
		...strangerRefusals(pack, first, terms),
		...baselineRefusals(pack, terms)
	];
}
function runRefusals({ source, url }, { runUrl }) {
	if (runUrl === null || url !== null && runOf(url) === runOf(runUrl)) return [];
	return [{
		source,
		code: "pack_of_another_run",
		text: `${url === null ? "does not say of which run it is" : `is of the run ${url}`}, and was taken from ${runUrl}`
	}];
}
function runOf(url) {
	return url.replace(/\/attempts\/\d+\/?$/, "").toLowerCase();
}
function strangerRefusals(pack, first, terms) {
	const { source, record } = pack;
	const subject = signedSubject(record);
	const found = [];
	const refuse = (code, text) => void found.push({
		source,
		code,
		text
	});
	const own = `sha256:${record.subject.sha256}`;
	if (terms.subject !== null && !isNamedBy(subject, terms.subject)) refuse("subject_differs", `is of the subject ${own}, image sha256:${subject.digest}, and not of sha256:${terms.subject}`);
	if (first === null) return found;
	if (first.record.subject.sha256 !== record.subject.sha256) refuse("subject_differs", `is of the subject ${own}; ${first.source} is of sha256:${first.record.subject.sha256}`);
	if (first.record.gateId !== record.gateId || first.record.experiment.sha256 !== record.experiment.sha256) refuse("experiment_differs", `was measured under another experiment than ${first.source}`);
	if (first.record.kind !== record.kind) refuse("kind_differs", `is ${record.kind}; ${first.source} is ${first.record.kind}`);
	return found;
}
function baselineRefusals({ source, verdict }, { accepted }) {
	const { baselineSha256 } = verdict;
	if (accepted === null || baselineSha256 === null || accepted.all.includes(baselineSha256)) return [];
	return [{
		source,
		code: "baseline_not_accepted",
		text: `was compared with sha256:${baselineSha256}, which was never accepted as baseline`
	}];
}
function ageRefusal(at, { nowMs, maxAgeDays }) {
	const atMs = at === null ? null : timeOf(at);
	if (atMs === null) return {
		code: "undated",
		text: "does not say when it was measured"
	};
	if (atMs > nowMs + 36e5) return {
		code: "from_future",
		text: `says that it was measured in the future: ${at}`
	};
	const days = (nowMs - atMs) / DAY_MS;
	if (days <= maxAgeDays) return null;
	return {
		code: "stale",
		text: `was measured ${Math.floor(days)} days ago (${at}); at most ${maxAgeDays} days count`
	};
}
function isMeasured({ reasons, candidateMilliRps, candidateFailMilliRps }, verdict) {
	return ![...verdict.reasons, ...reasons].some(({ code }) => NOT_A_RESULT.has(code)) && (candidateMilliRps !== null || candidateFailMilliRps !== null);
}
const NOT_A_RESULT = new Set([
	"identity_unknown",
	"evidence_unknown",
	"point_unknown",
	"hardware_unknown",
	"candidate_state_missing",
	"imported_cohort"
]);
function gather(input) {
	const { policy, subject, accepted, allowSimulated, packsFrom, nowMs } = input;
	const runUrl = packsFrom?.url ?? null;
	const terms = {
		nowMs,
		maxAgeDays: policy.max_age_days,
		subject,
		accepted,
		allowSimulated,
		runUrl
	};
	const gathered = {
		packs: [],
		tests: [],
		subject: null,
		refusals: []
	};
	for (const pack of input.packs) {
		const refusals = pack.kind === "unreadable" ? [{
			source: pack.source,
			code: pack.code,
			text: pack.text
		}] : packRefusals(pack, gathered.packs[0] ?? null, terms);
		gathered.refusals.push(...refusals);
		if (pack.kind === "pack" && refusals.length === 0) gathered.packs.push(pack);
	}
	const [first] = gathered.packs;
	gathered.subject = first === void 0 ? null : signedSubject(first.record);
	for (const test of newestOf(input.tests, terms)) {
		const refusal = testRefusal(test, gathered.subject, terms);
		if (refusal === null) gathered.tests.push(test);
		else gathered.refusals.push({
			source: test.source,
			...refusal
		});
	}
	return gathered;
}
function newestOf(tests, terms) {
	const isPast = ({ predicate, atMs }) => "capacityGateSignOff" in predicate || atMs !== null && ageRefusal(isoTime(atMs), terms)?.code === "stale";
	return [...Map.groupBy(tests, ({ requirement, source }) => JSON.stringify([requirement, source])).values()].flatMap((ofFile) => {
		const current = ofFile.filter((test) => !isPast(test));
		return current.length === 0 ? ofFile : current;
	});
}
function testRefusal({ predicate, subjects, atMs }, subject, terms) {
	if ("capacityGateSignOff" in predicate) return {
		code: "test_is_sign_off",
		text: "is a sign-off of a capacity, and no test of another tool"
	};
	if (subjects === null) return {
		code: "test_without_subject",
		text: "does not say what it is about: give the whole statement"
	};
	if (subject === null || !subjects.some((digest) => isNamedBy(subject, digest))) return {
		code: "subject_differs",
		text: "is about another subject than the packs"
	};
	const age = ageRefusal(atMs === null ? null : isoTime(atMs), terms);
	return age && {
		code: `test_${age.code}`,
		text: age.text
	};
}
function configurationOf({ policySha256 }, { packs, tests }) {
	const of = (name, sha256) => ({
		name,
		digest: { sha256 }
	});
	const ofPack = ({ source, record, manifestSha256, capacitySha256 }) => [
		of(`${source}/workload-manifest.yaml`, manifestSha256),
		of(`${source}/capacity.json`, capacitySha256),
		...Object.entries(record.schedules).map(([cache, sha256]) => of(`${source}/schedules/${cache}.jsonl`, sha256))
	];
	return [
		...policySha256 === null ? [] : [of("sign-off.yaml", policySha256)],
		...packs.flatMap(ofPack),
		...tests.map(({ source, sha256 }) => of(source, sha256))
	];
}
function stateText({ outcome, candidateMilliRps, guardMilliRps, reasons, acceptedLoss }) {
	if (outcome !== "held" && outcome !== "improved") return `${outcome}: ${reasons[0]?.text ?? "no reason is given"}`;
	const carries = candidateMilliRps === null ? "" : `: carries ${candidateMilliRps / 1e3} RPS`;
	const guard = guardMilliRps === null ? "" : `; the guard rate is ${guardMilliRps / 1e3}`;
	if (acceptedLoss === void 0) return `${outcome}${carries}${guard}`;
	const { floorMilliRps, acceptedBy, expires } = acceptedLoss;
	return `${outcome}${carries}${guard}; a loss down to ${floorMilliRps / 1e3} was accepted by ${acceptedBy} until ${expires}`;
}
function packNotes(packs, accepted) {
	const notes = packs.flatMap(({ source, verdict, unverified }) => {
		const { baselineSha256, anchorSha256 } = verdict;
		const old = baselineSha256 !== null && accepted !== null && accepted.current !== baselineSha256;
		const unheld = accepted !== null && accepted.anchor !== null && accepted.anchor !== anchorSha256;
		return [
			...unverified.map((text) => `${source}: ${text}`),
			...old ? [`${source}: the baseline that it was compared with has been replaced since`] : [],
			...unheld ? [`${source}: it was not held to what is the last release’s record now`] : []
		];
	});
	if (accepted === null && packs.length > 0) notes.push("no store of baselines was named: that the packs’ own baselines were accepted is not proven");
	return notes;
}
function ofPacks(cache, { packs }, nowMs) {
	return packs.flatMap((pack) => {
		const { states } = pack.verdict;
		if (states.length === 0) return [ofNoState(pack)];
		return states.filter((state) => state.cache === cache).map((state) => ofState(pack, state, nowMs));
	});
}
function ofNoState({ source, record, verdict, url, capacitySha256 }) {
	const { outcome } = verdict;
	const text = `${outcome}: ${verdict.reasons[0]?.text ?? "nothing was measured"}`;
	const ref = {
		source,
		sha256: capacitySha256,
		outcome,
		measuredAt: record.createdAt,
		url,
		text
	};
	return {
		status: outcome === "regressed" ? "failed" : "invalid",
		isWaivable: false,
		text,
		ref
	};
}
function ofState(pack, state, nowMs) {
	const { source, record, verdict, url, capacitySha256 } = pack;
	const isOver = state.acceptedLoss !== void 0 && acceptedUntilMs(state.acceptedLoss) < nowMs;
	const text = `${stateText(state)}${isOver ? ", which has passed: the loss counts again" : ""}`;
	const { outcome } = state;
	const ref = {
		source,
		sha256: capacitySha256,
		outcome,
		measuredAt: record.createdAt,
		url,
		text
	};
	const isWaivable = isMeasured(state, verdict);
	switch (outcome) {
		case "held":
		case "improved":
			if (isOver) return {
				status: "failed",
				isWaivable,
				text,
				ref
			};
			return {
				status: record.kind === "simulated" || state.acceptedLoss !== void 0 ? "warned" : "passed",
				isWaivable,
				text,
				ref
			};
		case "regressed": return {
			status: "failed",
			isWaivable,
			text,
			ref
		};
		case "invalid": return {
			status: "invalid",
			isWaivable: false,
			text,
			ref
		};
		case "inconclusive":
		case "recorded": return {
			status: "undecided",
			isWaivable,
			text,
			ref
		};
	}
}
function acceptedUntilMs({ expires }) {
	return endOfDay(expires) ?? 0;
}
const TEST_STATUS = {
	PASSED: "passed",
	WARNED: "warned",
	FAILED: "failed"
};
function ofTests(requirement, { tests }) {
	return tests.filter((test) => test.requirement === requirement).map(({ source, sha256, predicate: { result, url, failedTests = [] }, atMs }) => {
		const text = `${result}${failedTests.length === 0 ? "" : `: ${failedTests.slice(0, 5).join(", ")}`}`;
		const ref = {
			source,
			sha256,
			outcome: result,
			measuredAt: isoTime(atMs ?? 0),
			url: url ?? null,
			text
		};
		return {
			status: TEST_STATUS[result],
			isWaivable: true,
			text,
			ref
		};
	});
}
function seenOf(requirement, gathered, nowMs) {
	return isCapacity(requirement) ? ofPacks(requirement, gathered, nowMs) : ofTests(requirement, gathered);
}
function decideSignOff(input) {
	const { policy, nowMs } = input;
	const gathered = gather(input);
	const results = policy.requires.map((requirement) => judge(requirement, gathered, input));
	const beside = REQUIREMENTS.filter((name) => !policy.requires.includes(name)).map((requirement) => judge(requirement, gathered, input));
	const first = gathered.packs[0]?.record ?? null;
	const ends = [...results.flatMap(({ waiver }) => waiver === null ? [] : [endOfDay(waiver.expires) ?? nowMs]), ...acceptedEnds(gathered, input)];
	return {
		result: resultOf(results, gathered.refusals),
		subject: gathered.subject,
		gateId: first?.gateId ?? null,
		experimentSha256: first?.experiment.sha256 ?? null,
		simulated: gathered.packs.some(({ record }) => record.kind === "simulated"),
		signedAt: isoTime(nowMs),
		expiresOn: isoTime(Math.min(nowMs + policy.valid_days * DAY_MS, ...ends)),
		maxAgeDays: policy.max_age_days,
		requirements: results,
		refusals: gathered.refusals,
		notes: [...besideNotes(beside), ...notesOn(input, gathered, results)],
		configuration: configurationOf(input, gathered),
		approval: input.approval,
		packsFrom: input.packsFrom
	};
}
function acceptedEnds({ packs }, { policy, nowMs }) {
	return packs.flatMap(({ verdict }) => verdict.states).filter(({ cache }) => policy.requires.includes(cache)).flatMap(({ acceptedLoss }) => acceptedLoss === void 0 ? [] : [acceptedUntilMs(acceptedLoss)]).filter((endMs) => endMs >= nowMs);
}
function judge(requirement, gathered, input) {
	const found = seenOf(requirement, gathered, input.nowMs);
	const seen = found.toSorted((a, b) => BEST_FIRST.indexOf(b.status) - BEST_FIRST.indexOf(a.status))[0] ?? {
		status: "missing",
		isWaivable: !isCapacity(requirement),
		text: isCapacity(requirement) ? `no pack holds a ${requirement} verdict that counts` : "no test result that counts"
	};
	const evidence = found.map(({ ref }) => ref);
	const plain = {
		requirement,
		status: seen.status,
		text: seen.text,
		evidence,
		waiver: null
	};
	if (seen.status === "passed" || seen.status === "warned") return plain;
	const waiver = waiverFor(requirement, gathered.subject, input.policy.waivers);
	if (waiver === null) return plain;
	if (!seen.isWaivable) return {
		...plain,
		text: `${seen.text}; it cannot be waived, since nothing was measured that could be accepted`
	};
	if ((endOfDay(waiver.expires) ?? 0) < input.nowMs) return {
		...plain,
		text: `${seen.text}; the waiver by ${waiver.by} expired on ${waiver.expires}`
	};
	const { by, reason, expires } = waiver;
	return found.every(({ status, isWaivable }) => status === "passed" || status === "warned" || isWaivable) ? {
		...plain,
		status: "waived",
		waiver: {
			by,
			reason,
			expires
		}
	} : plain;
}
const BEST_FIRST = [
	"passed",
	"warned",
	"waived",
	"missing",
	"undecided",
	"invalid",
	"failed"
];
function waiverFor(requirement, subject, waivers) {
	return waivers.filter((waiver) => {
		const digest = sha256Of(waiver.subject);
		return waiver.requirement === requirement && subject !== null && digest !== null && isNamedBy(subject, digest);
	}).toSorted((a, b) => a.expires < b.expires ? 1 : -1)[0] ?? null;
}
function besideNotes(results) {
	return results.filter(({ status, evidence }) => evidence.length > 0 && status !== "passed").map(({ requirement, text }) => `${requirement} is not required, and decides nothing: ${text}`);
}
function notesOn(input, gathered, results) {
	const notes = packNotes(gathered.packs, input.accepted);
	if (input.policySha256 === null) notes.push("there is no policy file: what was asked for was said by the command");
	for (const { requirement, by, subject } of input.policy.waivers) {
		const digest = sha256Of(subject);
		const isOwn = gathered.subject !== null && digest !== null && isNamedBy(gathered.subject, digest);
		const result = results.find((item) => item.requirement === requirement);
		if (!isOwn) notes.push(`the waiver of ${requirement} by ${by} is for another subject`);
		else if (result === void 0 || result.status === "passed" || result.status === "warned") notes.push(`the waiver of ${requirement} by ${by} is not needed: remove it`);
	}
	return notes;
}
async function signOff(request) {
	const packs = [];
	for (const { source, pack } of request.packs) packs.push(pack instanceof GateError ? unreadable(source, pack) : await evidenceOf(source, pack));
	return decideSignOff({
		...request,
		packs,
		accepted: await acceptedDigests(request.store, packs)
	});
}
async function evidenceOf(source, pack) {
	try {
		const { discrepancies, unverified } = await verifyPack(pack);
		const capacity = await readPackText(pack, "capacity.json");
		const { context } = parseContextFile(await readPackText(pack, CONTEXT_FILE));
		return {
			kind: "pack",
			source,
			record: parseCapacityRecord(capacity),
			verdict: parseVerdict(await readPackText(pack, "verdict.json")),
			url: safeUrl(context.runUrl),
			capacitySha256: sha256Hex(capacity),
			manifestSha256: sha256Hex(await readPackText(pack, "workload-manifest.yaml")),
			faults: discrepancies.map(({ path, text }) => `${path} ${text}`),
			unverified: unverified.map(({ path, text }) => `${path}: ${text}`)
		};
	} catch (error) {
		if (error instanceof GateError) return unreadable(source, error);
		throw error;
	}
}
function unreadable(source, { code, message }) {
	return {
		kind: "unreadable",
		source,
		code,
		text: message
	};
}
async function acceptedDigests(store, packs) {
	const first = packs.find((pack) => pack.kind === "pack");
	if (store === null || first === void 0) return null;
	const { gateId, kind, hardware } = first.record;
	const { baseline, anchor } = await store.load({
		gateId,
		kind,
		mustEqual: hardware.mustEqual
	});
	return {
		all: [...await store.history({
			gateId,
			kind
		}), ...baseline === null ? [] : [baseline]].map(recordSha256),
		current: baseline && recordSha256(baseline),
		anchor: anchor && recordSha256(anchor)
	};
}
const line = string().max(1e5);
const sha256 = string().regex(/^[0-9a-f]{64}$/);
const list = (item) => array(item).max(1e4);
const requirementResultSchema = looseObject({
	requirement: _enum(REQUIREMENTS),
	status: _enum([
		"passed",
		"warned",
		"waived",
		"failed",
		"invalid",
		"undecided",
		"missing"
	]),
	text: line,
	evidence: list(looseObject({
		source: line,
		sha256,
		outcome: line,
		measuredAt: line,
		url: line.nullable(),
		text: line
	})),
	waiver: looseObject({
		by: line,
		reason: line,
		expires: line
	}).nullable()
});
const subjectSchema = looseObject({
	name: line,
	digest: sha256,
	kind: _enum(["image", "subject_hash"]),
	subjectSha256: sha256,
	engine: line,
	version: line
});
const signOffSchema = testResultSchema.extend({ capacityGateSignOff: looseObject({
	schema: literal(1),
	toolVersion: line,
	subject: subjectSchema.nullable(),
	gateId: line.nullable(),
	experimentSha256: sha256.nullable(),
	simulated: boolean(),
	signedAt: line,
	expiresOn: line,
	maxAgeDays: int().min(1),
	requirements: list(requirementResultSchema).min(1),
	refusals: list(looseObject({
		source: line,
		code: line,
		text: line
	})),
	notes: list(line),
	approval: looseObject({
		environment: line,
		by: list(line)
	}).nullable(),
	packsFrom: looseObject({
		url: line,
		event: line,
		branch: line,
		commit: line
	}).nullable()
}) });
const PREDICATE_MAX_BYTES = 16777216;
const TEXT_MAX = 2e3;
function signOffPredicate(signOff, toolVersion, runUrl) {
	const { result, configuration, requirements, ...facts } = signOff;
	const named = (...statuses) => requirements.filter(({ status }) => statuses.includes(status)).map(({ requirement }) => requirement);
	return bounded({
		result,
		configuration: configuration.map(({ name, digest }) => ({
			name,
			digest: { ...digest }
		})),
		...runUrl === null ? {} : { url: runUrl },
		passedTests: named("passed"),
		warnedTests: named("warned", "waived"),
		failedTests: named("failed", "invalid", "undecided", "missing"),
		capacityGateSignOff: {
			schema: 1,
			toolVersion,
			...facts,
			requirements
		}
	});
}
function predicateJson(predicate) {
	const text = `${JSON.stringify(predicate, null, 2)}\n`;
	const size = new TextEncoder().encode(text).length;
	if (size <= 16777216) return text;
	throw new GateError({
		code: "predicate_too_large",
		message: `the sign-off has ${size} bytes; an attestation takes ${PREDICATE_MAX_BYTES}`,
		hint: "hand in fewer packs",
		exitCode: EXIT.invalid
	});
}
function bounded(value) {
	return JSON.parse(JSON.stringify(value), (_, item) => typeof item === "string" ? item.slice(0, TEXT_MAX).toWellFormed() : item);
}
function asSignOff(predicate, name) {
	const parsed = signOffSchema.safeParse(predicate);
	if (parsed.success) return parsed.data;
	const where = parsed.error.issues[0]?.path.map(String).join(".").slice(0, 200) ?? "";
	throw new GateError({
		code: "sign_off_invalid",
		message: `${name} is no sign-off of a capacity: ${where === "" ? "it" : where} is not as expected`,
		hint: "give the sign-off.json that `sign-off` wrote, or its attestation as `gh attestation verify --format json` prints it",
		exitCode: EXIT.invalid
	});
}
function signOffExitCode(requirements, refusals) {
	const has = (...statuses) => requirements.some(({ status }) => statuses.includes(status));
	if (has("failed")) return EXIT.regressed;
	if (refusals.length > 0 || has("invalid")) return EXIT.invalid;
	return requirements.length > 0 && requirements.every(({ status }) => isSigned(status)) ? EXIT.ok : EXIT.inconclusive;
}
function checkSignOff(input) {
	const all = readTestResults(input.text, input.file);
	const own = all.filter(({ predicate }) => "capacityGateSignOff" in predicate);
	const read = (own.length === 0 ? all : own).map((found) => ({
		found,
		predicate: asSignOff(found.predicate, input.file)
	}));
	const at = ({ predicate }) => timeOf(predicate.capacityGateSignOff.signedAt) ?? 0;
	const newest = read.reduce((best, one) => at(one) > at(best) ? one : best);
	const problems = problemsOf(newest.predicate, newest.found, input);
	return {
		predicate: newest.predicate,
		problems,
		exitCode: exitCodeOf(newest.predicate, problems)
	};
}
function problemsOf(predicate, found, input) {
	const { requirements, refusals, subject, expiresOn, simulated } = predicate.capacityGateSignOff;
	const problems = [];
	const say = (code, text) => void problems.push({
		code,
		text
	});
	if (predicate.result !== resultOf(requirements, refusals) || simulated && predicate.result === "PASSED") say("sign_off_contradictory", `it says ${predicate.result}, which does not follow from its requirements`);
	for (const { requirement, status, text } of requirements) if (!isSigned(status)) say("requirement_unmet", `${requirement} is ${status}: ${text}`);
	for (const { source, text } of refusals) say("evidence_refused", `${source} ${text}`);
	if (subject === null || !isNamedBy(subject, input.subject)) say("subject_differs", `it is about ${subject === null ? "no subject" : `sha256:${subject.subjectSha256}, image sha256:${subject.digest}`}, and not about sha256:${input.subject}`);
	else if (found.subjects !== null && !found.subjects.includes(subject.digest)) say("subject_differs", "it was attested for another subject than the one that it signs off");
	const endMs = timeOf(expiresOn);
	if (endMs === null || endMs < input.nowMs) say("sign_off_expired", `it expired on ${expiresOn}`);
	const missing = input.requires.filter((name) => !requirements.some(({ requirement }) => requirement === name));
	for (const name of missing) say("requirement_not_asked", `it was not asked for ${name}`);
	if (simulated && !input.allowSimulated) say("sign_off_simulated", "its numbers come from the embedded engine, a model");
	return problems;
}
function exitCodeOf({ capacityGateSignOff }, problems) {
	if (problems.length === 0) return EXIT.ok;
	const own = signOffExitCode(capacityGateSignOff.requirements, capacityGateSignOff.refusals);
	if (own !== EXIT.ok) return own;
	return problems.every(({ code }) => code === "requirement_not_asked") ? EXIT.inconclusive : EXIT.invalid;
}
async function removeEarlierSignOff(out) {
	const { predicatePath, reportPath } = pathsIn(out);
	try {
		await Promise.all([rm(predicatePath, { force: true }), rm(reportPath, { force: true })]);
	} catch (error) {
		throw fileError(error, "write the sign-off into", out);
	}
}
function pathsIn(out) {
	return {
		predicatePath: join(out, "sign-off.json"),
		reportPath: join(out, "sign-off.md")
	};
}
async function makeSignOff(options) {
	const { policy, sha256: policySha256 } = options.policy;
	const decided = await signOff({
		policy,
		policySha256,
		subject: subjectDigest(options.subject),
		packs: await openPacks(options.packs),
		tests: await readTestEvidence(options.evidence),
		store: options.store,
		allowSimulated: options.allowSimulated,
		approval: options.approval,
		packsFrom: options.packsFrom,
		nowMs: options.nowMs
	});
	const predicate = signOffPredicate(decided, TOOL_VERSION, options.runUrl);
	const markdown = renderSignOff(predicate);
	const paths = pathsIn(options.out);
	await writeOutput(paths.predicatePath, predicateJson(predicate));
	await writeOutput(paths.reportPath, markdown);
	return {
		predicate,
		...paths,
		markdown,
		exitCode: signOffExitCode(decided.requirements, decided.refusals)
	};
}
function subjectDigest(text) {
	if (text.trim() === "") return null;
	const digest = sha256Of(text);
	if (digest !== null) return digest;
	throw usage("the subject is no digest", "name it as sha256:<64 hex digits>: its image’s digest, or the hash that the report shows");
}
async function readAndCheck({ file, subject: name, ...options }) {
	const subject = subjectDigest(name);
	if (subject === null) throw usage("no subject is named", "name the one that is to be used: sha256:<64 hex digits>");
	const text = await readInputText({
		what: "the sign-off",
		path: file,
		maximumBytes: INPUT_LIMITS.record
	});
	return checkSignOff({
		...options,
		text,
		file,
		subject
	});
}
const CLEANUP_BUDGET_MS = 7500;
const SAME_SIGNAL_MS = 300;
const CAUGHT = [
	"SIGINT",
	"SIGTERM",
	"SIGHUP"
];
function catchInterruptions(options = {}) {
	const source = options.source ?? process;
	const force = options.force ?? ((exitCode) => process.exit(exitCode));
	const nowMs = options.nowMs ?? (() => performance.now());
	const controller = new AbortController();
	let firstAtMs = 0;
	let budget;
	const exitCode = { value: EXIT.sigint };
	const interrupt = (signal) => {
		if (controller.signal.aborted) {
			if (nowMs() - firstAtMs > SAME_SIGNAL_MS) force(exitCode.value);
			return;
		}
		firstAtMs = nowMs();
		const error = interrupted(signal, options.hint ?? "run it again");
		exitCode.value = error.exitCode;
		budget = setTimeout(() => force(exitCode.value), options.cleanupBudgetMs ?? CLEANUP_BUDGET_MS);
		budget.unref();
		controller.abort(error);
	};
	const listeners = CAUGHT.map((signal) => [signal, () => interrupt(signal)]);
	for (const [signal, listener] of listeners) source.on(signal, listener);
	return {
		signal: controller.signal,
		[Symbol.dispose]() {
			clearTimeout(budget);
			for (const [signal, listener] of listeners) source.off(signal, listener);
		}
	};
}
function interrupted(signal, hint) {
	return new GateError({
		code: "interrupted",
		message: `interrupted by ${signal}`,
		hint,
		exitCode: signal === "SIGINT" ? EXIT.sigint : EXIT.sigterm
	});
}
async function interruptible(work, hint) {
	try {
		var _usingCtx$1 = _usingCtx();
		const { signal } = _usingCtx$1.u(catchInterruptions(hint === void 0 ? {} : { hint }));
		try {
			const result = await work(signal);
			signal.throwIfAborted();
			return result;
		} catch (error) {
			throw signal.aborted ? signal.reason : error;
		}
	} catch (_) {
		_usingCtx$1.e = _;
	} finally {
		_usingCtx$1.d();
	}
}
export { requireWithinBudget as $, findPacks as A, setAsideEarlierPack as At, verdictBeside as B, driftPlanText as C, acceptedFacts as Ct, dayBefore as D, requireAcceptedLosses as Dt, compactBefore as E, recordAcceptedFacts as Et, readRecordFile as F, CommanderError as G, failureText as H, readRunRecord as I, effectivePlan as J, InvalidArgumentError as K, readScheduleFile as L, renderTrendPage as M, openStore as Mt, readAcceptedFile as N, pointsOfRun as O, readAcceptedLosses as Ot, readManifestFile as P, verifyPack as Q, requireFolder as R, driftPlanJson as S, sloReportJson as St, addToHistory as T, lintAcceptedLosses as Tt, Command as U, failureOf as V, Option as W, requireManifest as X, promote as Y, lint as Z, clonedRepository as _, judgeWritten as _t, NO_POLICY as a, isUpAlready as at, drawPage as b, SHORTEST_SECONDS as bt, requirementsOf as c, neededMilliRps as ct, renderSignOff as d, schedulesOf as dt, openEngineLog as et, signOffText as f, readSources as ft, estimateRun as g, buildSchedule as gt, estimateText as h, MOST_TOKENS as ht, removeEarlierSignOff as i, machineLook as it, openHistory as j, unusedFolder as jt, readTrends as k, isPack as kt, usage as l, buildSchedules as lt, estimateMarkdown as m, TRACE_FORMATS as mt, makeSignOff as n, measurePoint as nt, POLICY_PATH as o, machineFindings as ot, estimateComment as p, TraceReader as pt, run as q, readAndCheck as r, capacityRecord as rt, readPolicyFile as s, calibrate as st, interruptible as t, factsOf as tt, isSigned as u, freezeSchedules as ut, workflowRepository as v, writeMeasured as vt, trendText as w, acceptedFloorsOf as wt, faultsText as x, scheduleBlocks as xt, readHistoryRun as y, analyzeManifest as yt, today as z };
