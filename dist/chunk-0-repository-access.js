import { $ as isFit, A as P99_MIN_VALUES, An as record, At as identify, B as shuffledMix, Bt as showValue, Cn as int, Ct as dialectNamed, D as stickyReplica, Dn as number$2, Dt as ownedArgumentsIn, E as replicaPolicy, En as looseObject, Et as tiersSwitchedOn, F as isOwnDoing, Fn as prettifyError, Ft as schemaLeaves, G as xidName, Gn as sha256Hex, Gt as missingGroups, H as exponentialGapUs, Hn as EXIT, Ht as secretIn, It as shapeOf, J as SLOWDOWNS, Jn as markdownText, Jt as pointName, Kn as markdownCode, Kt as dueUs, L as sessionHistory, Ln as printableLine, Lt as manifestSchema, M as nearestRank, Mn as string, Mt as isMapping$1, N as ERROR_CODES, Nn as tuple, Nt as itemsOf, Ot as differingFields, P as STATUSES, Pn as union, Pt as mappingsOf, Q as covers, Qn as __commonJSMin, R as turnDealer, Rt as showNumber, S as commandOutput, Sn as exactOptional, St as dialectFor, T as stampToleranceUs, Tn as literal, U as newXids, Un as GateError, Ut as EVIDENCE_GROUPS, V as MEAN_GAP_US, Vn as secretMask, Vt as isNamedSecret, W as xidBlame, Wn as _usingCtx, Wt as evidenceGroup, X as parseCalibration, Xn as plainText, Y as claimedGpus, Yn as plainInk, Yt as turnDueUs, Z as calibrationEvidence, _n as _enum, _t as isSameClient, an as writeAtomically, at as WORD_RANGE, bn as boolean, cn as execa, dn as tooLargeError, dt as randomStream, er as __require, ft as shuffle, gn as ZodObject, gt as isFresh, hn as ZodLiteral, in as makeFolder, it as DEFAULT_TOKEN_RANGE, j as distributionOf, jn as strictObject, jt as fieldOf, k as parseSeriesKey, kn as partialRecord, kt as gateId, ln as fileError, lt as requestId, mn as ZodDiscriminatedUnion, mt as uniformInt, on as readBounded, ot as uniqueTokens, pn as canonicalSha256, pt as xoroshiro128plus, q as POWER_CAP, qn as markdownInk, qt as pointEpoch, rn as takeLock, rt as pointNeed, sn as signalQuietly, tt as calibrationNeed, un as systemErrorCode, ut as sessionId$1, vt as promptTokensOfTurn, wn as json, wt as isSimulated, xn as discriminatedUnion, xt as DIALECT_IDS, yn as array, yt as sessionTokens, zt as showPath } from "./chunk-0-compose.js";
import { stripVTControlCharacters } from "node:util";
import { EventEmitter } from "node:events";
import { randomInt } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import path, { dirname, join } from "node:path";
import { setTimeout as setTimeout$1 } from "node:timers/promises";
import { tmpdir } from "node:os";
import childProcess from "node:child_process";
import process$1 from "node:process";
import fs from "node:fs";
import { Transform } from "stream";
const line$1 = string().max(1e4);
const sha256$1 = string().regex(/^[0-9a-f]{64}$/);
const changeSchema = looseObject({
	path: line$1,
	from: line$1,
	to: line$1,
	loosens: boolean()
});
const keptPromotionSchema = looseObject({
	schema: literal(1),
	acceptedAt: line$1,
	acceptedBy: line$1,
	authority: _enum([
		"default_branch",
		"environment",
		"terminal"
	]),
	place: line$1,
	approvedBy: array(line$1).max(1e3),
	run: line$1.nullable(),
	reason: line$1,
	toolVersion: line$1,
	anchor: boolean(),
	newExperiment: boolean(),
	experimentChanges: array(changeSchema).max(1e4),
	record: looseObject({
		path: string().regex(/^records\/[0-9a-f-]{1,100}\/[0-9A-Za-z.-]{1,200}\.json$/),
		sha256: sha256$1,
		createdAt: line$1,
		commit: line$1.nullable(),
		experimentSha256: sha256$1,
		mustEqual: record(string().max(1e3), line$1)
	})
});
function parseKeptPromotion(text, name) {
	const value = jsonOf(text);
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
function jsonOf(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
const LIST_MAX = 1e5;
const line = string().max(1e5);
const sha256 = string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits");
const number$1 = number$2();
const atLeastZero = number$2().min(0);
const count$2 = int().min(0);
const share$1 = number$2().min(0).max(1);
const milliRps$3 = int().min(1);
const cache$1 = _enum(["cold", "warm"]);
const list$1 = (item) => array(item).max(LIST_MAX);
const strings = record(string().max(1e3), line);
const reasonSchema = looseObject({
	code: line,
	text: line,
	class: exactOptional(line),
	value: exactOptional(number$1),
	limit: exactOptional(number$1)
});
const evidenceSchema$1 = looseObject({
	probe: line,
	state: _enum([
		"pass",
		"fail",
		"unknown"
	]),
	required: boolean(),
	blames: _enum([
		"engine",
		"client",
		"host"
	]),
	value: exactOptional(number$1),
	limit: exactOptional(number$1),
	unit: exactOptional(line),
	text: exactOptional(line),
	file: exactOptional(line),
	sha256: exactOptional(line)
});
const limitingSchema = looseObject({
	class: line,
	metric: _enum([
		"ttft",
		"tpot",
		"e2e",
		"errors",
		"queue",
		"samples"
	])
});
const ratesSchema = looseObject({
	offered: atLeastZero,
	sent: atLeastZero.nullable(),
	accepted: atLeastZero.nullable(),
	completed: atLeastZero,
	good: atLeastZero
});
const distributionShape = {
	n: count$2,
	p50: number$1.nullable(),
	p90: number$1.nullable(),
	p95: number$1.nullable(),
	p99: number$1.nullable()
};
const distributionSchema = looseObject(distributionShape);
const intervalSchema = tuple([number$1, number$1]);
const classReportSchema = looseObject({
	successful_count: count$2,
	passing_count: count$2,
	request_ttft_cutoff_ms: atLeastZero,
	request_tpot_cutoff_ms: atLeastZero,
	attainment: share$1.nullable(),
	sample_adequate: boolean(),
	p99_sample_adequate: boolean(),
	class_slo_pass: boolean(),
	p50_ttft_ms: number$1.nullable(),
	p95_ttft_ms: number$1.nullable(),
	p99_ttft_ms: number$1.nullable(),
	p50_tpot_ms: number$1.nullable(),
	p95_tpot_ms: number$1.nullable(),
	p99_tpot_ms: number$1.nullable(),
	p95_e2e_ms: number$1.nullable(),
	output_tokens: count$2,
	attempted_count: count$2,
	failed_count: count$2,
	error_rate: share$1.nullable(),
	request_e2e_cutoff_ms: number$1.nullable(),
	attempted_attainment: share$1.nullable(),
	attainment_wilson95: intervalSchema.nullable(),
	attainment_block_bootstrap95: intervalSchema.nullable(),
	miss_share: looseObject({
		ttft: share$1,
		tpot: share$1,
		e2e: share$1
	}).nullable(),
	good_rps: atLeastZero,
	ttft_ms: distributionSchema,
	tpot_ms: distributionSchema,
	e2e_ms: distributionSchema,
	ttft_from_due_ms: distributionSchema,
	e2e_from_due_ms: distributionSchema,
	itl_ms: distributionSchema.nullable(),
	tokens_per_chunk: looseObject({
		n: count$2,
		unknown: count$2,
		mean: number$1.nullable(),
		p50: number$1.nullable(),
		p95: number$1.nullable(),
		max: number$1.nullable()
	}).nullable().exactOptional()
});
const sloReportSchema = looseObject({
	attempted: count$2,
	successful: count$2,
	failed: count$2,
	error_rate: share$1.nullable(),
	overall_attainment: share$1.nullable(),
	observed_goodput_rps: atLeastZero,
	request_throughput_rps: atLeastZero,
	output_throughput_tps: atLeastZero,
	queue_trend: _enum([
		"flat",
		"growing",
		"unknown"
	]),
	all_class_slos_pass: boolean(),
	capacity_gate_pass: boolean(),
	classes: record(string(), classReportSchema),
	schema: literal(1),
	duration_seconds: atLeastZero,
	arrival_seconds: number$1.nullable(),
	percentile: literal("nearest-rank"),
	latency_origin: _enum(["send", "due"]),
	status_counts: looseObject({
		ok: count$2,
		error: count$2,
		timeout: count$2,
		rejected: count$2,
		cancelled: count$2
	}),
	error_codes: record(string(), count$2),
	rates_rps: ratesSchema,
	arrival_window_rates_rps: ratesSchema.nullable(),
	input_tokens: count$2.nullable(),
	cached_tokens: count$2.nullable(),
	output_tokens: count$2,
	send_lag_ms: looseObject({
		...distributionShape,
		max: number$1.nullable()
	}).nullable(),
	mean_terminal_seconds: number$1.nullable(),
	class_error_rate_pass: boolean().nullable(),
	attempted_attainment_pass: boolean().nullable(),
	limiting: limitingSchema.nullable(),
	origin: exactOptional(line),
	reasons: exactOptional(list$1(reasonSchema))
});
const pointReportSchema = looseObject({
	schema: literal(1),
	key: looseObject({
		cache: cache$1,
		load: union([strictObject({ openMilliRps: milliRps$3 }), strictObject({ closedConcurrency: int().min(1) })]),
		repeat: int().min(1)
	}),
	epoch: count$2,
	scheduleSha256: sha256,
	deployId: line,
	arrivalSeconds: atLeastZero,
	cohortSeconds: atLeastZero,
	slo: sloReportSchema,
	ratesRps: ratesSchema,
	evidence: list$1(evidenceSchema$1),
	outcome: _enum([
		"pass",
		"fail",
		"undersampled",
		"unknown",
		"invalid"
	]),
	stoppedEarly: boolean(),
	limiting: limitingSchema.nullable(),
	reasons: list$1(reasonSchema)
});
const capacityResultSchema = looseObject({
	cache: cache$1,
	plan: _enum(["sweep", "confirm"]),
	passMilliRps: milliRps$3.nullable(),
	failMilliRps: milliRps$3.nullable(),
	perReplicaRps: atLeastZero.nullable(),
	perGpuRps: atLeastZero.nullable(),
	points: list$1(pointReportSchema),
	flukeMilliRps: list$1(milliRps$3),
	attainmentSpread: intervalSchema.nullable(),
	bootSpread: atLeastZero.nullable(),
	gpuMinutes: atLeastZero,
	reasons: list$1(reasonSchema)
});
const capacityRecordSchema = looseObject({
	schema: literal(1),
	kind: _enum([
		"measured",
		"simulated",
		"imported"
	]),
	layer: literal("service"),
	gateId: line,
	tool: looseObject({
		version: line,
		replayProtocol: literal(1)
	}),
	createdAt: line,
	commit: line.nullable(),
	experiment: looseObject({
		sha256,
		value: json()
	}),
	schedules: looseObject({
		cold: exactOptional(sha256),
		warm: exactOptional(sha256)
	}),
	subject: looseObject({
		sha256,
		name: line,
		version: line,
		image: line.nullable(),
		argv: list$1(line),
		env: strings
	}),
	identity: list$1(evidenceSchema$1),
	hardware: looseObject({
		mustEqual: strings,
		recorded: strings
	}),
	boots: list$1(looseObject({
		deployId: line,
		seconds: atLeastZero,
		firstRequestMs: atLeastZero,
		compileCache: _enum([
			"hit",
			"miss",
			"unknown"
		]),
		kvTokens: count$2.nullable()
	})),
	capacity: list$1(capacityResultSchema),
	selected: line.nullable(),
	evidence: list$1(evidenceSchema$1)
});
const outcome$1 = _enum([
	"held",
	"improved",
	"regressed",
	"inconclusive",
	"invalid",
	"recorded"
]);
const verdictSchema = looseObject({
	version: literal(1),
	outcome: outcome$1,
	candidateSha256: sha256,
	baselineSha256: sha256.nullable(),
	anchorSha256: sha256.nullable(),
	reasons: list$1(reasonSchema),
	states: list$1(looseObject({
		cache: cache$1,
		outcome: outcome$1,
		baselineMilliRps: milliRps$3.nullable(),
		anchorMilliRps: milliRps$3.nullable(),
		guardMilliRps: milliRps$3.nullable(),
		guardFrom: _enum([
			"baseline",
			"anchor",
			"min_capacity"
		]).nullable(),
		candidateMilliRps: milliRps$3.nullable(),
		candidateFailMilliRps: milliRps$3.nullable(),
		changeShare: number$1.nullable(),
		repeats: count$2,
		minimumDetectableLoss: number$1.nullable(),
		limiting: limitingSchema.nullable(),
		reasons: list$1(reasonSchema),
		notes: list$1(reasonSchema),
		deltaRates: looseObject({
			baseMilliRps: milliRps$3,
			nowMilliRps: milliRps$3
		}).nullable(),
		deltas: list$1(looseObject({
			class: line.nullable(),
			metric: line,
			base: number$1,
			now: number$1,
			regression: boolean()
		}))
	}))
});
const RECORD_MAX_CHARS = 67108864;
const DEPTH_MAX$1 = 100;
function parseCapacityRecord(text, name = "capacity.json") {
	return parseFile(text, {
		name,
		versionKey: "schema",
		version: 1,
		schema: capacityRecordSchema
	});
}
function parsePointReport(text, name = "point.json") {
	return parseFile(text, {
		name,
		versionKey: "schema",
		version: 1,
		schema: pointReportSchema
	});
}
function parseVerdict(text, name = "verdict.json") {
	return parseFile(text, {
		name,
		versionKey: "version",
		version: 1,
		schema: verdictSchema
	});
}
function recordSha256(record) {
	return canonicalSha256(JSON.parse(JSON.stringify(record)));
}
function parseFile(text, kind) {
	if (text.length > RECORD_MAX_CHARS) throw refusal$2("record_too_large", `${kind.name}: ${text.length} characters, more than ${RECORD_MAX_CHARS}`, "Give the capacity.json that a run wrote.");
	const value = parseJson(text, kind.name);
	requireVersion(value, kind);
	const parsed = kind.schema.safeParse(value);
	if (parsed.success) return value;
	const issue = parsed.error.issues[0];
	const path = issue === void 0 ? "" : pathText(issue.path);
	throw refusal$2("record_invalid", `${kind.name}: ${path === "" ? "the whole file" : path}: ${printable(issue?.message ?? "not of the expected shape")}`, "Take the file from an unchanged pack, or run again: it was edited or cut.");
}
function parseJson(text, name) {
	let value;
	try {
		value = JSON.parse(text.startsWith("﻿") ? text.slice(1) : text);
	} catch (cause) {
		throw refusal$2("record_not_json", `${name} ${text.trim() === "" ? "is empty" : `is not JSON: ${printable(String(cause.message))}`}`, "Take the file from an unchanged pack, or run again.", cause);
	}
	const unfit = unfitFor(value, DEPTH_MAX$1);
	if (unfit === null) return value;
	const what = unfit === "too_deep" ? `nests deeper than ${DEPTH_MAX$1} levels` : "holds half a character (a lone surrogate)";
	throw refusal$2(`record_${unfit}`, `${name} ${what}`, "Give a file that a run wrote.");
}
function requireVersion(value, kind) {
	if (typeof value !== "object" || value === null) return;
	const record = value;
	const found = record[kind.versionKey];
	const tool = record["tool"];
	const protocol = typeof tool === "object" && tool !== null ? tool["replayProtocol"] : 1;
	const newer = (version, own) => typeof version === "number" && version > own;
	if (newer(found, kind.version) || newer(protocol, 1)) {
		const what = newer(found, kind.version) ? `${kind.versionKey} ${String(found)}` : `replay protocol ${String(protocol)}`;
		throw refusal$2("record_schema_newer", `${kind.name} is of ${what}; this tool reads ${kind.versionKey} ${kind.version}`, "Update Capacity Gate, or measure the baseline again with this version.");
	}
}
function unfitFor(value, depthMax) {
	let level = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (level.some((item) => typeof item === "string" && !item.isWellFormed())) return "not_unicode";
		const objects = level.filter((item) => typeof item === "object" && item !== null);
		if (objects.length > 0 && depth >= depthMax) return "too_deep";
		level = objects.flatMap((item) => Array.isArray(item) ? item : Object.entries(item).flat());
	}
	return null;
}
function pathText(path) {
	return printable(path.map((key, index) => typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`).join(""));
}
function printable(text) {
	const clean = text.replaceAll(/[^\x20-\x7e]/g, "?");
	return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}
function refusal$2(code, message, hint, cause) {
	return new GateError({
		code,
		message,
		hint,
		exitCode: EXIT.invalid,
		cause
	});
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
		if (result.exitCode === void 0 && systemCode(result.cause) === "ENOENT") throw missing$2();
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
function missing$2() {
	return new GateError({
		code: "git_missing",
		message: "there is no git program, and baselines on a branch are read and written with it",
		hint: "install git, or keep the baselines in a folder: dir:PATH"
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
const KEPT = "nothing was lost: the record is still in its pack";
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
		hint: "give the job the permission contents: read to compare and contents: write to promote; a fork’s pull request never has it"
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
	return failure(end, `cannot read the baselines in ${shown}`, deadlineMs);
}
function pushAnswer(end, shown, deadlineMs) {
	const doing = `cannot write the baselines in ${shown}`;
	const refused = /^!\t[^\t]*\t(.*)$/m.exec(end.stdout.toString("utf8"))?.[1];
	if (refused === void 0) return end.exitCode === 0 ? { kind: "done" } : failure(end, doing, deadlineMs);
	if (/stale info|fetch first|non-fast-forward|needs force|cannot lock ref|failed to (update|lock) ref|incorrect old value|already exists|unable to (create|lock)/i.test(refused)) {
		const hint = `run the step again when fewer promote at once; ${KEPT}`;
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
const HEAD = "refs/capacity-gate/head";
const AUTHOR = {
	GIT_AUTHOR_NAME: "Capacity Gate",
	GIT_AUTHOR_EMAIL: "capacity-gate@localhost",
	GIT_COMMITTER_NAME: "Capacity Gate",
	GIT_COMMITTER_EMAIL: "capacity-gate@localhost"
};
async function openBranchCopy(place, options) {
	const folder = await mkdtemp(join(tmpdir(), "capacity-gate-git-")).catch((error) => {
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
function branchCopy(git, { remote, branch, folder }, deadlineMs, indexFile) {
	const shown = `${branch} of ${shownUrl(remote.url)}`;
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
			text: (path) => blobText(git, blobs.get(inBranch(path)), `${branch}:${inBranch(path)}`),
			shown: (path) => `${branch}:${inBranch(path)}`
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
function branchStore(place, options) {
	const git = {
		env: options.env,
		deadlineMs: options.deadlineMs ?? DEADLINE_MS
	};
	const wait = options.wait ?? setTimeout$1;
	const tries = options.tries ?? TRIES$1;
	const read = async (look) => {
		try {
			var _usingCtx$6 = _usingCtx();
			const copy = _usingCtx$6.a(await openBranchCopy(place, git));
			await fetched(copy, wait);
			return await look(copy.files);
		} catch (_) {
			_usingCtx$6.e = _;
		} finally {
			await _usingCtx$6.d();
		}
	};
	const suffix = place.folder === "" ? "" : `:${place.folder}`;
	return {
		location: `branch:${place.branch}${suffix} of ${shownUrl(place.remote.url)}`,
		load: (key) => read((files) => loadAccepted(files, key)),
		history: (key) => read((files) => loadHistory(files, key)),
		async accept(record, promotion) {
			try {
				var _usingCtx3 = _usingCtx();
				const copy = _usingCtx3.a(await openBranchCopy(place, git));
				await add$1(copy, record, promotion, {
					wait,
					tries
				});
				return { path: copy.files.shown(recordPlace(record)) };
			} catch (_) {
				_usingCtx3.e = _;
			} finally {
				await _usingCtx3.d();
			}
		}
	};
}
async function fetched(copy, wait) {
	for (let attempt = 1;; attempt += 1) {
		const answer = await copy.fetch();
		if (answer.kind === "done" || answer.kind === "branch_missing") return;
		if (answer.kind !== "transient" || attempt === TRANSIENT_TRIES) throw answer.error;
		await wait(waitMs(attempt));
	}
}
async function add$1(copy, record, promotion, { wait, tries }) {
	let pushed = null;
	let failures = 0;
	for (let attempt = 1;; attempt += 1) {
		await fetched(copy, wait);
		if (pushed !== null && await copy.holds(pushed)) return;
		const added = await filesToAdd(copy.files, record, promotion);
		const answer = await copy.push(added, commitMessage(record, promotion));
		if (answer.kind === "done") return;
		const error = errorOf(answer);
		if (answer.kind === "transient") failures += 1;
		else if (answer.kind !== "conflict") throw error;
		if (failures === TRANSIENT_TRIES || attempt === tries) throw error;
		pushed = added;
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
const LOCK_WAIT_MS = 1e4;
function directoryStore(folder) {
	const files = filesIn(folder);
	return {
		location: `dir:${folder}`,
		load: (key) => loadAccepted(files, key),
		history: (key) => loadHistory(files, key),
		async accept(record, promotion) {
			const place = join(folder, gateFolder(record));
			try {
				try {
					var _usingCtx$5 = _usingCtx();
					await makeFolder(place);
					_usingCtx$5.a(await takeLock(join(place, ".lock"), {
						what: `the baselines in ${place}`,
						waitMs: LOCK_WAIT_MS
					}));
					return await add(folder, files, record, promotion);
				} catch (_) {
					_usingCtx$5.e = _;
				} finally {
					await _usingCtx$5.d();
				}
			} catch (error) {
				throw fileError(error, "accept the record into", place);
			}
		}
	};
}
async function add(folder, files, record, promotion) {
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
	return text === null ? null : parseCapacityRecord(text, path);
}
const LONGEST_NAME = 200;
function parseStoreRef(ref) {
	const [, kind, rest] = /^([a-z]+):(.+)$/s.exec(ref) ?? [];
	if (rest !== void 0 && !rest.includes("\0") && (kind === "dir" || kind === "file")) return {
		kind,
		path: rest
	};
	if (kind === "branch" && rest !== void 0) return branchRef(ref, rest);
	throw invalid$1(ref, "it names no place for baselines", "use branch:NAME for a branch of this repository, dir:PATH for a folder of accepted records, or file:PATH for one capacity.json");
}
function branchRef(ref, rest) {
	const colon = rest.indexOf(":");
	const branch = colon < 0 ? rest : rest.slice(0, colon);
	const folder = colon < 0 ? "" : rest.slice(colon + 1).replace(/\/$/, "");
	if (!isBranchName(branch)) throw invalid$1(ref, "it is no name of a branch", "use letters, digits and . _ - / as in branch:capacity-baselines");
	if (colon >= 0 && !isFolder(folder)) throw invalid$1(ref, "its folder is none", "name it from the root of the branch, as in branch:capacity-baselines:h100");
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
function invalid$1(ref, why, hint) {
	const message = `${JSON.stringify(ref.slice(0, LONGEST_NAME))} cannot be used for baselines: ${why}`;
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
const CALIBRATION_FILE = "calibration.json";
function pointPaths(key) {
	return pathsOf(pointName(key));
}
function pathsOf(name) {
	const folder = `points/${name}`;
	return {
		folder,
		journal: `${folder}/journal.jsonl`,
		requests: `${folder}/requests.csv`,
		slo: `${folder}/slo-report.json`,
		point: `${folder}/point.json`,
		telemetry: `${folder}/telemetry.jsonl.gz`,
		gaps: `${folder}/gaps.json`,
		rawGaps: `${folder}/gaps.jsonl`,
		calibration: `${folder}/${CALIBRATION_FILE}`
	};
}
async function keepInterrupted(pack, paths) {
	await pack.remove(paths.rawGaps);
	const journal = await pack.read(paths.journal);
	if (journal === null) return;
	const kept = (await pack.list(paths.folder)).filter((path) => path.includes("/interrupted-")).length;
	await pack.write(`${paths.folder}/interrupted-${kept + 1}.jsonl`, journal);
	await pack.remove(paths.journal);
}
const utf8 = new TextDecoder("utf-8", { fatal: true });
async function readPackText(pack, path) {
	return decode$1(await pack.read(path), path);
}
async function readPackGzipText(pack, path) {
	return decode$1(await pack.readGzip(path), path);
}
function decode$1(bytes, path) {
	if (bytes === null) throw new GateError({
		code: "pack_incomplete",
		message: `the pack has no ${path}`,
		hint: "give the folder of a finished run, or finish it with `run --resume`",
		exitCode: EXIT.invalid
	});
	try {
		return utf8.decode(bytes);
	} catch (cause) {
		throw new GateError({
			code: "pack_damaged",
			message: `${path} is not UTF-8 text`,
			hint: "the file was changed after the run: take the pack from its artifact again",
			exitCode: EXIT.invalid,
			cause
		});
	}
}
function packJson(value) {
	return `${JSON.stringify(value, null, 2)}\n`;
}
function defaultStringLength(value) {
	return value.length;
}
function markdownTable(table, options) {
	const settings = options || {};
	const align = (settings.align || []).concat();
	const stringLength = settings.stringLength || defaultStringLength;
	const alignments = [];
	const cellMatrix = [];
	const sizeMatrix = [];
	const longestCellByColumn = [];
	let mostCellsPerRow = 0;
	let rowIndex = -1;
	while (++rowIndex < table.length) {
		const row = [];
		const sizes = [];
		let columnIndex = -1;
		if (table[rowIndex].length > mostCellsPerRow) mostCellsPerRow = table[rowIndex].length;
		while (++columnIndex < table[rowIndex].length) {
			const cell = serialize(table[rowIndex][columnIndex]);
			if (settings.alignDelimiters !== false) {
				const size = stringLength(cell);
				sizes[columnIndex] = size;
				if (longestCellByColumn[columnIndex] === void 0 || size > longestCellByColumn[columnIndex]) longestCellByColumn[columnIndex] = size;
			}
			row.push(cell);
		}
		cellMatrix[rowIndex] = row;
		sizeMatrix[rowIndex] = sizes;
	}
	let columnIndex = -1;
	if (typeof align === "object" && "length" in align) while (++columnIndex < mostCellsPerRow) alignments[columnIndex] = toAlignment(align[columnIndex]);
	else {
		const code = toAlignment(align);
		while (++columnIndex < mostCellsPerRow) alignments[columnIndex] = code;
	}
	columnIndex = -1;
	const row = [];
	const sizes = [];
	while (++columnIndex < mostCellsPerRow) {
		const code = alignments[columnIndex];
		let before = "";
		let after = "";
		if (code === 99) {
			before = ":";
			after = ":";
		} else if (code === 108) before = ":";
		else if (code === 114) after = ":";
		let size = settings.alignDelimiters === false ? 1 : Math.max(1, longestCellByColumn[columnIndex] - before.length - after.length);
		const cell = before + "-".repeat(size) + after;
		if (settings.alignDelimiters !== false) {
			size = before.length + size + after.length;
			if (size > longestCellByColumn[columnIndex]) longestCellByColumn[columnIndex] = size;
			sizes[columnIndex] = size;
		}
		row[columnIndex] = cell;
	}
	cellMatrix.splice(1, 0, row);
	sizeMatrix.splice(1, 0, sizes);
	rowIndex = -1;
	const lines = [];
	while (++rowIndex < cellMatrix.length) {
		const row = cellMatrix[rowIndex];
		const sizes = sizeMatrix[rowIndex];
		const cellsInRow = settings.fillRows === false ? Math.max(1, cellMatrix[rowIndex === 1 ? 0 : rowIndex].length) : mostCellsPerRow;
		columnIndex = -1;
		const line = [];
		while (++columnIndex < cellsInRow) {
			const cell = row[columnIndex] || "";
			let before = "";
			let after = "";
			if (settings.alignDelimiters !== false) {
				const size = longestCellByColumn[columnIndex] - (sizes[columnIndex] || 0);
				const code = alignments[columnIndex];
				if (code === 114) before = " ".repeat(size);
				else if (code === 99) {
					const half = size / 2;
					if (size % 2) {
						before = " ".repeat(half + .5);
						after = " ".repeat(half - .5);
					} else {
						before = " ".repeat(half);
						after = before;
					}
				} else after = " ".repeat(size);
			}
			if (settings.delimiterStart !== false && !columnIndex) line.push("|");
			if (settings.padding !== false && !(settings.alignDelimiters === false && cell === "") && (settings.delimiterStart !== false || columnIndex)) line.push(" ");
			if (settings.alignDelimiters !== false) line.push(before);
			line.push(cell);
			if (settings.alignDelimiters !== false) line.push(after);
			if (settings.padding !== false) line.push(" ");
			if (settings.delimiterEnd !== false || columnIndex !== cellsInRow - 1) line.push("|");
		}
		lines.push(settings.delimiterEnd === false ? line.join("").replace(/ +$/, "") : line.join(""));
	}
	return lines.join("\n");
}
function serialize(value) {
	return value === null || value === void 0 ? "" : String(value);
}
function toAlignment(value) {
	const code = typeof value === "string" ? value.codePointAt(0) : 0;
	return code === 67 || code === 99 ? 99 : code === 76 || code === 108 ? 108 : code === 82 || code === 114 ? 114 : 0;
}
function columns$1(...titles) {
	return titles.map((title) => title.endsWith(":") ? {
		title: title.slice(0, -1),
		align: "r"
	} : {
		title,
		align: "l"
	});
}
function table(heads, rows) {
	const cells = rows.map((row) => heads.map((_, index) => row[index] ?? ""));
	return markdownTable([heads.map((head) => head.title), ...cells], {
		align: heads.map((head) => head.align),
		alignDelimiters: false,
		padding: true
	});
}
function cut(items, max, noun) {
	const shown = items.slice(0, max);
	const left = items.length - shown.length;
	return {
		shown,
		rest: left === 0 ? "" : `…and ${left} more ${noun}.`
	};
}
const FIELDS = [
	"passing rate under which the fault was injected (RPS)",
	"fault injected, and into which replica",
	"injection time",
	"detection time",
	"time at which the router removed the replica",
	"first error time",
	"last error time",
	"TTFT, TPOT and attainment by class during the incident",
	"queue peak",
	"queue recovery time",
	"requests retried",
	"requests rejected",
	"requests lost",
	"alerts that fired",
	"whether capacity returned without repair by hand"
];
function renderFailureTest() {
	return `# Failure test: not performed

No fault was injected in this run, so nothing here says how the service fails. To fill this in: hold a rate that passes, end one
replica, and record what follows. Losing a replica costs capacity; the service passes if it finds and removes the replica, shows its
errors or sheds load openly, and comes back to a stable state.

${table(columns$1("what", "seen"), FIELDS.map((field) => [field, "not performed"]))}
`;
}
function guardMilliRps({ baselineMilliRps, anchorMilliRps, acceptance }) {
	const less = (rate) => Math.round(rate * (1 - acceptance.capacity_tolerance));
	const minimum = acceptance.min_capacity_rps;
	const terms = [
		...baselineMilliRps === null ? [] : [less(baselineMilliRps)],
		...anchorMilliRps === null ? [] : [less(anchorMilliRps)],
		...minimum === void 0 ? [] : [milliRps$2(minimum)]
	];
	return terms.length === 0 ? null : Math.max(...terms);
}
function milliRps$2(rps) {
	return Math.max(1, Math.round(rps * 1e3));
}
const share = number$2().min(0).max(1);
const experimentSchema = looseObject({
	workload: array(looseObject({ name: string() })).min(1),
	acceptance: looseObject({
		class_slo_attainment_min: share,
		min_successful_samples_per_class: int().min(1),
		error_rate_max: share,
		capacity_tolerance: share.default(.04),
		min_capacity_rps: number$2().positive().nullish(),
		class_error_rate_max: share.nullish(),
		attempted_attainment_min: share.nullish(),
		required_evidence: array(string()).default([])
	})
});
function readTerms(record) {
	const parsed = experimentSchema.safeParse(record.experiment.value);
	if (!parsed.success) return null;
	const { acceptance, workload } = parsed.data;
	const minRps = acceptance.min_capacity_rps ?? null;
	return {
		toleranceShare: acceptance.capacity_tolerance,
		minCapacityMilliRps: minRps === null ? null : milliRps$2(minRps),
		attainmentMin: acceptance.class_slo_attainment_min,
		samplesMin: acceptance.min_successful_samples_per_class,
		errorRateMax: acceptance.error_rate_max,
		classErrorRateMax: acceptance.class_error_rate_max ?? null,
		attemptedAttainmentMin: acceptance.attempted_attainment_min ?? null,
		classes: workload.map((entry) => entry.name),
		requiredEvidence: acceptance.required_evidence
	};
}
function openMilliRps(point) {
	return "openMilliRps" in point.key.load ? point.key.load.openMilliRps : null;
}
function isDecisive(point) {
	return point.outcome === "pass" || point.outcome === "fail";
}
function pointsByRate(points) {
	const open = points.filter((point) => openMilliRps(point) !== null);
	const rates = Map.groupBy(open, (point) => openMilliRps(point) ?? 0);
	return new Map([...rates].toSorted(([a], [b]) => a - b));
}
function votesOf(points) {
	const passes = points.filter(({ outcome }) => outcome === "pass").length;
	return {
		passes,
		fails: points.filter(isDecisive).length - passes
	};
}
function majority({ passes, fails }) {
	if (passes + fails === 0) return null;
	return passes > fails ? "pass" : "fail";
}
function tallyBoots(points) {
	const outcomes = [...Map.groupBy(points.filter(isDecisive), ({ deployId }) => deployId).values()].map((repeats) => majority(votesOf(repeats)));
	const passes = outcomes.filter((outcome) => outcome === "pass").length;
	const fails = outcomes.length - passes;
	if (passes > fails) return {
		passes,
		fails,
		decided: "pass"
	};
	return {
		passes,
		fails,
		decided: fails >= 2 && fails > passes ? "fail" : null
	};
}
function bracketOf(points) {
	const outcomes = [...pointsByRate(points)].map(([rate, repeats]) => ({
		rate,
		outcome: majority(votesOf(repeats))
	}));
	const fail = outcomes.find(({ outcome }) => outcome === "fail")?.rate ?? null;
	const passing = outcomes.filter(({ outcome }) => outcome === "pass").map(({ rate }) => rate);
	return {
		pass: passing.findLast((rate) => fail === null || rate < fail) ?? null,
		fail,
		flukes: passing.filter((rate) => fail !== null && rate > fail)
	};
}
function voidsInARow(points) {
	return points.length - 1 - points.findLastIndex(isDecisive);
}
const SHOWN = 5;
function contradictions(record, terms, whose) {
	const found = [];
	if (!givesItsHash(record.experiment)) found.push("experiment: its value does not give its sha256");
	const seen = new Set();
	for (const result of record.capacity) {
		if (seen.has(result.cache)) found.push(`${result.cache}: two results for one cache state`);
		seen.add(result.cache);
		found.push(...inResult(result, record.schedules[result.cache] ?? null).map((text) => `${result.cache}: ${text}`));
		for (const point of result.points) found.push(...inPoint(point, terms));
	}
	return found.slice(0, SHOWN).map((text) => ({
		code: "record_contradictory",
		text: `${whose}: ${text}`
	}));
}
function givesItsHash({ value, sha256 }) {
	try {
		return canonicalSha256(value) === sha256;
	} catch {
		return false;
	}
}
function inResult(result, scheduleSha256) {
	const { passMilliRps: pass, failMilliRps: fail, points } = result;
	const found = [];
	if (pass !== null && fail !== null && pass >= fail) found.push(`pass rate ${pass} is not below fail rate ${fail}`);
	for (const [name, rate] of [["pass", pass], ["fail", fail]]) if (rate !== null && !points.some((point) => openMilliRps(point) === rate && point.outcome === name)) found.push(`no point shows the ${name} rate ${rate}`);
	const failedBelow = [...pointsByRate(points)].find(([rate, repeats]) => pass !== null && rate <= pass && isUnanimousFail(repeats));
	if (failedBelow !== void 0) found.push(`pass rate ${pass} is not below ${failedBelow[0]}, which failed`);
	const shown = bracketOf(points);
	if (found.length === 0 && (shown.pass !== pass || shown.fail !== fail)) {
		const said = (rate) => rate ?? "nothing";
		found.push(`its points show ${said(shown.pass)} passing and ${said(shown.fail)} failing, not ${said(pass)} and ${said(fail)}`);
	}
	if (points.some((point) => point.key.cache !== result.cache)) found.push("a point of the other cache state");
	if (points.some((point) => point.scheduleSha256 !== scheduleSha256)) found.push("a point of another schedule");
	if (new Set(points.map((point) => pointName(point.key))).size < points.length) found.push("two points of one name");
	return found;
}
function inPoint(point, terms) {
	const name = pointName(point.key);
	const found = Object.entries(point.slo.classes).filter(([, report]) => !addsUp(report)).map(([className]) => `${name}: the counts of ${className} do not add up`);
	if (point.slo.successful + point.slo.failed > point.slo.attempted) found.push(`${name}: its counts do not add up`);
	if (point.epoch !== pointEpoch(point.key)) found.push(`${name}: its prompts are another point’s`);
	if (point.outcome !== "pass") return found;
	const gate = failedGate(point.slo, terms);
	if (gate !== null) found.push(`${name}: passes although ${gate}`);
	const unproven = point.evidence.find((item) => item.required && item.state !== "pass");
	if (unproven !== void 0) found.push(`${name}: passes although ${unproven.probe} is ${unproven.state}`);
	const silent = missingGroups(point.evidence, terms.requiredEvidence)[0];
	if (silent !== void 0) found.push(`${name}: passes although no probe of ${silent} is there`);
	if (point.stoppedEarly) found.push(`${name}: passes although it was stopped early`);
	return found;
}
function isUnanimousFail(repeats) {
	const { passes, fails } = votesOf(repeats);
	return passes === 0 && fails > 0;
}
function addsUp(report) {
	const { successful_count: ok, passing_count: passing, failed_count: failed, attempted_count: attempted } = report;
	if (passing > ok || ok + failed > attempted) return false;
	return ok === 0 ? report.attainment === null : report.attainment !== null && close(report.attainment, passing / ok);
}
function failedGate(slo, terms) {
	for (const name of terms.classes) {
		const report = Object.hasOwn(slo.classes, name) ? slo.classes[name] : void 0;
		if (report === void 0 || report.successful_count < terms.samplesMin) return `${name} is short of its samples`;
		if (report.passing_count / report.successful_count < terms.attainmentMin) return `${name} misses its attainment`;
		const classErrors = report.error_rate ?? 1;
		if (terms.classErrorRateMax !== null && classErrors > terms.classErrorRateMax) return `${name} has too many errors`;
		const attained = report.attempted_attainment;
		if (terms.attemptedAttainmentMin !== null && (attained === null || attained < terms.attemptedAttainmentMin)) return `${name} misses its attainment over attempted`;
	}
	if (slo.attempted === 0 || slo.failed / slo.attempted > terms.errorRateMax) return "it has too many errors";
	if (slo.queue_trend !== "flat") return `its queue is ${slo.queue_trend}`;
	return slo.capacity_gate_pass ? null : "its report does not";
}
function close(a, b) {
	return Math.abs(a - b) <= 1e-9;
}
function importedReason(origin) {
	return {
		code: "imported_cohort",
		text: `${origin} sent these requests; nothing proves when each was due, nor that the client kept up: open-loop validity cannot be proven`
	};
}
const OUTCOMES_BEST_FIRST = [
	"improved",
	"held",
	"recorded",
	"inconclusive",
	"invalid",
	"regressed"
];
const DELTA_METRICS = [
	"attainment",
	"goodput_rps",
	"p95_ttft_ms",
	"p95_tpot_ms",
	"error_rate"
];
function worstOutcome(outcomes) {
	let worst = null;
	for (const outcome of outcomes) if (worst === null || OUTCOMES_BEST_FIRST.indexOf(outcome) > OUTCOMES_BEST_FIRST.indexOf(worst)) worst = outcome;
	return worst;
}
function decidingState(verdict) {
	const worst = worstOutcome(verdict.states.map((state) => state.outcome));
	const candidates = verdict.states.filter((state) => state.outcome === worst);
	return candidates.find((state) => state.cache === "cold") ?? candidates[0] ?? null;
}
function allReasons(verdict) {
	return [...verdict.reasons.map((item) => ({
		...item,
		cache: null
	})), ...verdict.states.flatMap((state) => state.reasons.map((item) => ({
		...item,
		cache: state.cache
	})))];
}
function compareAtPassRate(base, now, guardMilliRps, terms) {
	const passRate = base.passMilliRps ?? 0;
	const basePoint = base.points.findLast((point) => openMilliRps(point) === passRate && point.outcome === "pass");
	const rate = comparableRate(now, passRate, guardMilliRps, terms.toleranceShare);
	const nowPoint = now.points.findLast((point) => openMilliRps(point) === rate && isDecisive(point));
	if (basePoint === void 0 || nowPoint === void 0 || rate === null) return {
		deltas: [],
		deltaRates: null
	};
	return {
		deltas: deltasBetween(basePoint, nowPoint, terms),
		deltaRates: {
			baseMilliRps: passRate,
			nowMilliRps: rate
		}
	};
}
function comparableRate(now, passRate, guardMilliRps, tolerance) {
	const rates = new Set(now.points.filter(isDecisive).flatMap((point) => openMilliRps(point) ?? []));
	const within = (rate) => Math.abs(rate - passRate) <= passRate * tolerance + 1;
	if (rates.has(passRate)) return passRate;
	if (rates.has(guardMilliRps) && within(guardMilliRps)) return guardMilliRps;
	return [...rates].filter(within).toSorted((a, b) => Math.abs(a - passRate) - Math.abs(b - passRate))[0] ?? null;
}
function deltasBetween(base, now, terms) {
	return [null, ...terms.classes.filter((name) => Object.hasOwn(base.slo.classes, name) && Object.hasOwn(now.slo.classes, name))].flatMap((scope) => DELTA_METRICS.flatMap((metric) => {
		const [was, is] = [metricOf(base.slo, scope, metric), metricOf(now.slo, scope, metric)];
		if (was === null || is === null) return [];
		return [{
			class: scope,
			metric,
			base: was,
			now: is,
			regression: isWorse(base, now, scope, metric, terms)
		}];
	}));
}
function metricOf(slo, scope, metric) {
	const report = scope === null ? void 0 : slo.classes[scope];
	switch (metric) {
		case "attainment": return report === void 0 ? slo.overall_attainment : report.attainment;
		case "goodput_rps": return report === void 0 ? slo.observed_goodput_rps : report.good_rps;
		case "error_rate": return report === void 0 ? slo.error_rate : report.error_rate;
		case "p95_ttft_ms": return report?.p95_ttft_ms ?? null;
		case "p95_tpot_ms": return report?.p95_tpot_ms ?? null;
	}
}
function isWorse(base, now, scope, metric, terms) {
	const was = metricOf(base.slo, scope, metric) ?? 0;
	const is = metricOf(now.slo, scope, metric) ?? 0;
	switch (metric) {
		case "attainment": {
			if (is < terms.attainmentMin && is < was) return true;
			const [old, young] = [intervalOf(base.slo, scope), intervalOf(now.slo, scope)];
			return old !== null && young !== null && young[1] < old[0];
		}
		case "error_rate": return is > terms.errorRateMax && is > was;
		case "goodput_rps": {
			const [offeredThen, offeredNow] = [openMilliRps(base) ?? 1, openMilliRps(now) ?? 1];
			return is / offeredNow < was / offeredThen * (1 - terms.toleranceShare);
		}
		case "p95_ttft_ms":
		case "p95_tpot_ms": return is > was * (1 + terms.toleranceShare);
	}
}
function intervalOf(slo, scope) {
	const report = scope === null ? void 0 : slo.classes[scope];
	return report?.attainment_block_bootstrap95 ?? report?.attainment_wilson95 ?? null;
}
function reason(code, text) {
	return {
		code,
		text
	};
}
function asRps(milliRps) {
	const [whole = "0", decimals = ""] = (milliRps / 1e3).toFixed(3).split(".");
	return `${whole}.${decimals.replace(/0{1,2}$/, "")}`;
}
function asPercent(share) {
	return `${(share * 100).toFixed(1)} %`;
}
function evidenceText({ probe, state, text, value, unit, limit }) {
	const number = value === void 0 ? "" : `${Number(value.toPrecision(4))}${unit === void 0 ? "" : ` ${unit}`}`;
	const bound = limit === void 0 ? "" : `, limit ${Number(limit.toPrecision(4))}`;
	return `${probe}: ${text ?? state}${number === "" ? "" : ` (${number}${bound})`}`;
}
const ORIGIN$1 = /^[A-Za-z0-9._+-]{1,40}(\/[A-Za-z0-9._+-]{1,40})?$/;
function importedReasons(candidate, baseline) {
	return [["candidate", candidate], ["baseline", baseline]].flatMap(([whose, record]) => {
		if (record === null || !isImported(record)) return [];
		const { code, text } = importedReason(originsOf(record));
		return [{
			code,
			text: `${whose}: ${text}`
		}];
	});
}
function isImported(record) {
	return record.kind === "imported" || originOfPoints(record).length > 0;
}
function originOfPoints({ capacity }) {
	return capacity.flatMap(({ points }) => points.flatMap(({ slo }) => slo.origin ?? []));
}
function originsOf(record) {
	const origins = new Set(originOfPoints(record).filter((origin) => ORIGIN$1.test(origin)));
	return origins.size === 0 ? "another tool" : [...origins].slice(0, 3).join(" and ");
}
function shownState({ cache, terms, now, base }) {
	const pair = now === null || base === null ? null : nearestPair(base.points, now.points, terms.toleranceShare);
	const rates = pair && [openMilliRps(pair.base), openMilliRps(pair.now)];
	return {
		cache,
		outcome: "inconclusive",
		baselineMilliRps: base?.passMilliRps ?? null,
		anchorMilliRps: null,
		guardMilliRps: null,
		guardFrom: null,
		candidateMilliRps: now?.passMilliRps ?? null,
		candidateFailMilliRps: now?.failMilliRps ?? null,
		changeShare: null,
		repeats: 0,
		minimumDetectableLoss: null,
		limiting: pair?.now.limiting ?? now?.points.at(-1)?.limiting ?? null,
		reasons: [],
		notes: pair === null ? [reason("deltas_not_comparable", "no two points have the same load")] : [],
		deltaRates: rates === null || rates[0] === null || rates[1] === null ? null : {
			baseMilliRps: rates[0],
			nowMilliRps: rates[1]
		},
		deltas: pair === null ? [] : deltasBetween(pair.base, pair.now, terms)
	};
}
function nearestPair(base, now, tolerance) {
	return base.flatMap((was) => now.map((is) => ({
		base: was,
		now: is,
		apart: apart(was, is)
	}))).filter((pair) => pair.apart <= tolerance).toSorted((a, b) => a.apart - b.apart).findLast((pair, _, all) => pair.apart === all[0]?.apart) ?? null;
}
function apart({ key: { load: was } }, { key: { load: is } }) {
	if ("openMilliRps" in was && "openMilliRps" in is) return Math.abs(is.openMilliRps / was.openMilliRps - 1);
	if ("closedConcurrency" in was && "closedConcurrency" in is) return was.closedConcurrency === is.closedConcurrency ? 0 : Number.POSITIVE_INFINITY;
	return Number.POSITIVE_INFINITY;
}
function promotionObstacles(record) {
	const terms = readTerms(record);
	if (terms === null) return [{
		code: "experiment_unreadable",
		text: "the record does not hold its acceptance terms"
	}];
	const found = contradictions(record, terms, "the record");
	if (record.subject.image === null && record.subject.argv.length === 0) found.push({
		code: "not_deployed",
		text: "the engine was not started by the run: nothing proves which revision it was"
	});
	if (isImported(record)) found.push({
		code: "imported_cohort",
		text: "another tool sent its requests: nothing proves its open loop"
	});
	if (record.capacity.length === 0) found.push({
		code: "nothing_measured",
		text: "the record holds no cache state"
	});
	for (const item of [...record.identity, ...record.evidence]) if (item.required && item.state !== "pass") found.push({
		code: `evidence_${item.state === "fail" ? "failed" : "unknown"}`,
		text: `${item.probe} is ${item.state}`
	});
	for (const { cache, plan, passMilliRps: pass, failMilliRps: fail } of record.capacity) if (plan !== "sweep") found.push({
		code: "not_a_sweep",
		text: `${cache}: a confirmation finds no capacity; run a sweep`
	});
	else if (pass === null) found.push({
		code: "no_passing_rate",
		text: `${cache}: no rate passed; sweep lower rates`
	});
	else if (fail === null) found.push({
		code: "no_failing_rate",
		text: `${cache}: no rate failed; sweep higher rates`
	});
	else if (fail > pass * (1 + terms.toleranceShare) + 1) {
		const width = asPercent((fail - pass) / pass);
		const text = `${cache}: between ${asRps(pass)} and ${asRps(fail)} RPS lie ${width}, more than the tolerance; refine the sweep`;
		found.push({
			code: "bracket_too_wide",
			text
		});
	}
	return found;
}
function safeUrl(url) {
	return url !== void 0 && /^https?:\/\/[\w.-]{1,253}(:\d{1,5})?(\/[\w.~/-]{0,500})?$/.test(url) ? url : null;
}
function shortSha(sha) {
	return typeof sha === "string" && /^[0-9a-f]{10,64}$/.test(sha) ? sha.slice(0, 10) : null;
}
function repositoryUrl({ runUrl }) {
	return safeUrl(runUrl) === null ? null : /^(.+\/[^/]+\/[^/]+)\/actions\/runs\/\d+$/.exec(runUrl ?? "")?.[1] ?? null;
}
function baselineInCommand(ref) {
	return ref !== void 0 && /^(?:dir|branch):[\w./:-]{1,200}$/.test(ref) ? ref : "REF";
}
function packInCommand(path) {
	return path !== void 0 && /^[\w./-]{1,200}$/.test(path) && !path.startsWith("-") ? path : "PACK";
}
const SWEPT = "accepted-pack";
const SWEPT_ANEW = new Set([
	"below_baseline",
	"baseline_missing",
	"baseline_state_missing",
	"experiment_differs",
	"hardware_differs"
]);
function acceptance(input) {
	const { verdict, record, context } = input;
	const pack = packInCommand(context.packPath);
	if (verdict.states.some(({ outcome }) => outcome === "improved" || outcome === "recorded") && [
		"held",
		"improved",
		"recorded"
	].includes(verdict.outcome)) {
		if (promotionObstacles(record).length === 0) return {
			text: "Accept this record as the baseline:",
			commands: [promote$1(pack, input)]
		};
		return {
			text: "This record cannot be promoted as it is; a sweep with a bracket no wider than the tolerance can:",
			commands: [sweep(pack), promote$1(SWEPT, input)]
		};
	}
	const codes = allReasons(verdict).map(({ code }) => code);
	if (verdict.outcome === "invalid" || !codes.some((code) => SWEPT_ANEW.has(code))) return null;
	return {
		text: "If this change is meant: find the capacity that it has, and accept that in a reviewed change.",
		commands: [sweep(pack), promote$1(SWEPT, input, codes.includes("experiment_differs"))]
	};
}
function sweep(pack) {
	return `capacity-gate run ${pack}/workload-manifest.yaml --plan sweep --pack ${SWEPT} --on-missing-baseline record`;
}
function promote$1(pack, { context }, isNewExperiment = false) {
	return `capacity-gate promote --candidate ${pack}/capacity.json --to ${baselineInCommand(context.baselineRef)}${isNewExperiment ? " --new-experiment" : ""} --reason "WHY"`;
}
function acceptSection(input) {
	const found = acceptance(input);
	return found === null ? [] : ["### How to accept this", `${found.text}\n\n\`\`\`sh\n${found.commands.join("\n")}\n\`\`\``];
}
function rps(value) {
	if (value === null) return "–";
	const [whole = "0", decimals] = value.toFixed(3).split(".");
	return decimals === void 0 ? whole : `${whole}.${decimals.replace(/0{1,2}$/, "")}`;
}
function milliRps$1(value) {
	return value === null ? "–" : rps(value / 1e3);
}
function percent$3(share) {
	return share === null ? "–" : (share * 100).toFixed(1);
}
function signedPercent(share) {
	return share === null ? "–" : signed(share * 100, 1);
}
function signed(value, decimals) {
	const text = Math.abs(value).toFixed(decimals);
	if (Number(text) === 0) return text;
	return `${value < 0 ? "−" : "+"}${text}`;
}
function milliseconds$1(value) {
	if (value === null) return "–";
	return value.toFixed(value < 100 ? 1 : 0);
}
function plainNumber(value) {
	return String(Number(value.toPrecision(4)));
}
function plural(count, noun) {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
const METRIC_TITLES = new Map([
	["attainment", "attained %"],
	["goodput_rps", "good RPS"],
	["p95_ttft_ms", "P95 TTFT ms"],
	["p95_tpot_ms", "P95 TPOT ms"],
	["error_rate", "errors %"]
]);
function isShare(metric) {
	return metric === "attainment" || metric === "error_rate";
}
function metricText(metric, value) {
	if (isShare(metric)) return percent$3(value);
	return metric === "goodput_rps" ? rps(value) : milliseconds$1(value);
}
function changeText$2({ metric, base, now, regression }) {
	const worse = regression ? " worse" : "";
	if (isShare(metric)) return `${signed((now - base) * 100, 1)} points${worse}`;
	return (base === 0 ? "–" : `${signedPercent((now - base) / base)} %`) + worse;
}
function worstAttainment({ classes }) {
	const shares = Object.values(classes).map(({ attainment }) => attainment);
	const known = shares.filter((share) => share !== null);
	return known.length === 0 || known.length < shares.length ? null : Math.min(...known);
}
const RATES_MAX = 16;
function rateOverview({ cache, points }, attainmentMin) {
	const { shown, rest } = cut([...pointsByRate(points).values()].flatMap((repeats) => repeats.at(-1) ?? []), RATES_MAX, "rates");
	const rows = shown.map((point) => [
		milliRps$1(openMilliRps(point)),
		rps(point.ratesRps.good),
		percent$3(worstAttainment(point.slo)),
		point.outcome
	]);
	if (rows.length === 0) return [];
	return [
		table(columns$1("offered RPS:", "good RPS:", "worst class %:", "outcome"), rows),
		rest,
		chart(`${cache}: attainment of the worst class`, shown, attainmentMin)
	];
}
const COLOURS = "%%{init: {\"themeVariables\": {\"xyChart\": {\"plotColorPalette\": \"#1f6feb, #cf222e\"}}}}%%";
function chart(title, points, attainmentMin) {
	const known = points.flatMap((point) => {
		const value = worstAttainment(point.slo);
		return value === null ? [] : [{
			rate: milliRps$1(openMilliRps(point)),
			value: value * 100
		}];
	});
	if (known.length < 2) return "";
	const values = [...known.map(({ value }) => value), (attainmentMin ?? 1) * 100];
	const lowest = Math.max(0, Math.floor(Math.min(...values) / 5) * 5 - 5);
	return [
		"```mermaid",
		COLOURS,
		"xychart-beta",
		`    title "${title}"`,
		`    x-axis "offered RPS" [${known.map(({ rate }) => `"${rate}"`).join(", ")}]`,
		`    y-axis "attained %" ${lowest} --> 100`,
		`    line [${known.map(({ value }) => value.toFixed(1)).join(", ")}]`,
		...attainmentMin === null ? [] : [`    line [${known.map(() => (attainmentMin * 100).toFixed(1)).join(", ")}]`],
		"```"
	].join("\n");
}
const PROBES = new Map([
	["stability.preemptions", "preemptions"],
	["stability.kv_usage", "KV in use at most, share"],
	["host.clocks", "median SM clock, MHz"],
	["host.power_cap", "held by the power cap, share"],
	["host.slowdown", "hardware slowdowns"],
	["host.gpu_processes", "other processes on the GPUs"],
	["client.send_lag", "send lag P99, ms"]
]);
const CHANGE_MIN = .001;
function explanationSection(state, record, baseline, max) {
	const { deltaRates, cache } = state;
	if (max === 0 || baseline === null || deltaRates === null) return [];
	const was = pointAt(baseline, cache, deltaRates.baseMilliRps);
	const is = pointAt(record, cache, deltaRates.nowMilliRps);
	if (was === void 0 || is === void 0) return [];
	const facts = factsOf$3(was, baseline).map(({ title, value }, index) => {
		return {
			title,
			was: value,
			is: factsOf$3(is, record)[index]?.value ?? null
		};
	});
	const changed = facts.filter((fact) => changeOf$1(fact) >= CHANGE_MIN).toSorted((a, b) => changeOf$1(b) - changeOf$1(a));
	const unknown = facts.filter((fact) => fact.was === null || fact.is === null).map(({ title }) => title.split(",", 1)[0]);
	const { shown, rest } = cut(changed, max, "changes");
	const rows = shown.map((fact) => [
		fact.title,
		numberText(fact.was),
		numberText(fact.is),
		changeText$1(fact)
	]);
	const lacking = unknown.length === 0 ? "" : `Not known of both: ${unknown.join(", ")}.`;
	if (rows.length === 0) return [`Nothing else that is known changed. ${lacking}`.trim()];
	return [
		"What else changed, the largest first; it explains and decides nothing:",
		table(columns$1("what", "baseline:", "now:", "Δ %:"), rows),
		rest,
		lacking
	];
}
function pointAt(record, cache, rate) {
	return record.capacity.find((item) => item.cache === cache)?.points.findLast((point) => openMilliRps(point) === rate && isDecisive(point));
}
function factsOf$3(point, record) {
	const { slo } = point;
	const boot = record.boots.find(({ deployId }) => deployId === point.deployId);
	return [
		{
			title: "prompt tokens from the cache, share",
			value: slo.cached_tokens === null || !slo.input_tokens ? null : slo.cached_tokens / slo.input_tokens
		},
		{
			title: "KV size, tokens",
			value: boot?.kvTokens ?? null
		},
		{
			title: "tokens a chunk",
			value: tokensPerChunk$1(point)
		},
		...[...PROBES].map(([probe, title]) => ({
			title,
			value: point.evidence.findLast((item) => item.probe === probe)?.value ?? null
		}))
	];
}
function tokensPerChunk$1({ slo }) {
	let [tokens, chunks] = [0, 0];
	for (const { tokens_per_chunk: told } of Object.values(slo.classes)) {
		if (!told || told.mean === null) continue;
		tokens += told.mean * told.n;
		chunks += told.n;
	}
	return chunks === 0 ? null : tokens / chunks;
}
function changeOf$1({ was, is }) {
	if (was === null || is === null || was === is) return 0;
	return was === 0 ? 1e400 : Math.abs((is - was) / was);
}
function changeText$1({ was, is }) {
	return was === null || is === null || was === 0 ? "–" : signedPercent((is - was) / was);
}
function numberText(value) {
	return value === null ? "–" : plainNumber(value);
}
const DISTURBED = "The client or the host disturbed the measurement, so it says nothing about the engine: mend that and run again.";
const GATE_REASONS = {
	below_baseline: {
		outcome: "regressed",
		mend: "Look at the limiting class at the guard rate, then mend or pin back the revision. If the loss is meant: sweep, and promote that record in a reviewed change."
	},
	below_anchor: {
		outcome: "regressed",
		mend: "Several small losses since the last release add up: compare with the release before accepting another."
	},
	below_min_capacity: {
		outcome: "regressed",
		mend: "The capacity is under `acceptance.min_capacity_rps`: mend the revision, or add replicas and measure anew."
	},
	engine_failed: {
		outcome: "regressed",
		mend: "The engine itself failed: read engine.log in the pack."
	},
	record_contradictory: {
		outcome: "invalid",
		mend: "A record contradicts itself: take it from an unchanged pack, or measure again."
	},
	experiment_unreadable: {
		outcome: "invalid",
		mend: "The record does not hold its own acceptance terms: measure again with this version."
	},
	identity_failed: {
		outcome: "invalid",
		mend: "What ran is not what the manifest pins: mend the image, version or model revision."
	},
	evidence_failed: {
		outcome: "invalid",
		mend: DISTURBED
	},
	point_invalid: {
		outcome: "invalid",
		mend: DISTURBED
	},
	nothing_measured: {
		outcome: "invalid",
		mend: "No cache state was measured: read the log for what stopped the run."
	},
	baseline_missing: {
		outcome: "inconclusive",
		mend: "Sweep the revision that is accepted today and promote its record; `on-missing-baseline: record` lets a first run pass ungated."
	},
	baseline_state_missing: {
		outcome: "inconclusive",
		mend: "Sweep this cache state and promote a record that holds it."
	},
	candidate_state_missing: {
		outcome: "inconclusive",
		mend: "Finish the run: it was asked for this cache state and did not measure it."
	},
	state_not_asked: {
		outcome: "note",
		mend: "Run both cache states where both are to be held to the baseline."
	},
	experiment_differs: {
		outcome: "inconclusive",
		mend: "Revert the named fields; or, if the change is meant, sweep under the new experiment and promote that record."
	},
	kind_differs: {
		outcome: "inconclusive",
		mend: "Simulated and measured capacities are never compared: give a baseline of the same kind."
	},
	schedule_differs: {
		outcome: "inconclusive",
		mend: "Replay the schedule whose digest the baseline names."
	},
	hardware_differs: {
		outcome: "inconclusive",
		mend: "Run on the hardware of the baseline, or sweep here and promote that record."
	},
	hardware_unknown: {
		outcome: "inconclusive",
		mend: "Mend the probe of the named fact: what is unknown is never taken to be equal."
	},
	baseline_not_a_sweep: {
		outcome: "inconclusive",
		mend: "A confirmation does not find a capacity: promote the record of a sweep."
	},
	baseline_without_capacity: {
		outcome: "inconclusive",
		mend: "No rate passed in the baseline: sweep lower rates and promote that record."
	},
	imported_cohort: {
		outcome: "inconclusive",
		mend: "Another tool’s cohort can be looked at and never gated: measure with `run` for a verdict."
	},
	boots_incomparable: {
		outcome: "inconclusive",
		mend: "Boots with different KV sizes cannot be compared: warm the compile cache with one boot, then run again."
	},
	clocks_below_baseline: {
		outcome: "inconclusive",
		mend: "The GPUs ran slower than in the baseline: undo fixed clocks, look to cooling and to the driver, then run again."
	},
	boots_undecided: {
		outcome: "inconclusive",
		mend: "Fewer than two boots agree at the guard rate: run again with more time."
	},
	boots_contradict: {
		outcome: "inconclusive",
		mend: "A rate fails on two boots and a higher one passes on two: look for what changed in between, then run again."
	},
	drop_not_confirmed: {
		outcome: "inconclusive",
		mend: "A sweep saw a drop that no second boot confirmed at the guard rate: run `--plan confirm`."
	},
	guard_not_tested: {
		outcome: "inconclusive",
		mend: "No point decides at the guard rate: run `--plan confirm` against this baseline."
	},
	point_undersampled: {
		outcome: "inconclusive",
		mend: "A class ended short of its sample floor: allow a longer maximum duration or more extension requests."
	},
	point_unknown: {
		outcome: "inconclusive",
		mend: "Required evidence is missing: mend the named probe."
	},
	identity_unknown: {
		outcome: "inconclusive",
		mend: "Mend the probe that proves what is running."
	},
	evidence_unknown: {
		outcome: "inconclusive",
		mend: "Mend the named probe, or leave its group out of `acceptance.required_evidence`."
	},
	no_passing_rate: {
		outcome: "inconclusive",
		mend: "No tested rate passed, so there is nothing to accept: sweep lower rates."
	},
	guard_held: {
		outcome: "held",
		mend: "Nothing to do."
	},
	above_baseline: {
		outcome: "improved",
		mend: "Promote this record, so that the gain is kept from now on."
	},
	first_record: {
		outcome: "recorded",
		mend: "Promote this record in a reviewed change: from then on the capacity is gated."
	},
	anchor_not_compared: {
		outcome: "note",
		mend: "The anchor is of another experiment, kind, schedule or hardware, or found no capacity, and took no part."
	},
	baseline_bracket_wide: {
		outcome: "note",
		mend: "Sweep the baseline again with a finer `sweep.refine_step`."
	},
	improvement_unproven: {
		outcome: "note",
		mend: "Sweep the baseline up to a rate that fails, then compare again."
	},
	repeats_not_counted: {
		outcome: "note",
		mend: "The named repeats were run again and decided nothing."
	},
	recorded_hardware_differs: {
		outcome: "note",
		mend: "Another machine of the same make: measure the baseline here as well."
	},
	flukes_not_used: {
		outcome: "note",
		mend: "A pass above a failing rate is reported and not used."
	},
	drop_refuted: {
		outcome: "note",
		mend: "A fail on one boot that two boots at a higher rate did not show again."
	},
	deltas_not_comparable: {
		outcome: "note",
		mend: "No two points have comparable rates."
	}
};
function mendOf(code) {
	return Object.hasOwn(GATE_REASONS, code) ? GATE_REASONS[code].mend : null;
}
const REASON_MAX = 200;
const HEADINGS = {
	held: "✅ Capacity held: no action needed",
	improved: "✅ Capacity improved: no action needed, accept it to keep it",
	regressed: "❌ Capacity regressed: action needed",
	inconclusive: "⚠️ Capacity not decided: action needed",
	invalid: "❌ Measurement invalid: action needed",
	recorded: "⚠️ NOT GATED: first capacity recorded, action needed to gate the next change"
};
const SIMULATED = "Simulated: these numbers come from the embedded engine, a model. They are no measured capacity of any hardware.";
const METRIC_NAMES = new Map([
	["ttft", "TTFT"],
	["tpot", "TPOT"],
	["e2e", "E2E"],
	["errors", "errors"],
	["queue", "queue growth"],
	["samples", "too few samples"]
]);
function sentence({ verdict, record }, ink, where = "") {
	const { name, version } = record.subject;
	const states = verdict.states.slice(0, 2);
	const why = verdict.reasons[0];
	const silent = why === void 0 ? [] : states.filter(({ reasons }) => reasons.length === 0);
	const own = states.filter((state) => !silent.includes(state)).map((state) => phrase(state, ink, replicasOf(record)));
	const shared = why === void 0 ? [] : [`${silent.map(({ cache }) => cache).join(" and ")} ${runPhrase(verdict, ink)}`.trim()];
	return `${ink.name(name)} ${ink.name(version)}${where}: ${[...own, ...shared].join("; ")}.`;
}
function runPhrase(verdict, ink) {
	const [first, ...more] = verdict.reasons;
	const rest = more.length === 0 ? "" : ` (and ${plural(more.length, "more reason")})`;
	return `${verdict.outcome}: ${ink.text(first?.text ?? "", REASON_MAX)}${rest}`;
}
function carriedRps(state) {
	return `${state.changeShare === null && state.outcome === "held" && state.candidateMilliRps !== null ? "≥ " : ""}${milliRps$1(state.candidateMilliRps)}`;
}
function replicasOf({ experiment: { value } }) {
	let found = value;
	for (const key of [
		"engine",
		"placement",
		"replicas"
	]) {
		if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return null;
		found = found[key];
	}
	return typeof found === "number" && Number.isSafeInteger(found) && found > 0 && found <= 65536 ? found : null;
}
function perReplica({ baselineMilliRps, candidateMilliRps }, replicas) {
	if (replicas === null || replicas === 1) return "";
	const each = [baselineMilliRps, candidateMilliRps].flatMap((milli) => milli === null ? [] : rps(Math.round(milli / replicas) / 1e3));
	return each.length === 0 ? "" : `${each.join(" → ")} a replica`;
}
function inBrackets(...parts) {
	const said = parts.filter((part) => part !== "");
	return said.length === 0 ? "" : ` (${said.join("; ")})`;
}
function phrase(state, ink, replicas) {
	const { cache, outcome } = state;
	const after = milliRps$1(state.candidateMilliRps);
	const before = milliRps$1(state.baselineMilliRps);
	const each = perReplica(state, replicas);
	const change = state.changeShare === null ? "" : `${signedPercent(state.changeShare)} %`;
	switch (outcome) {
		case "recorded": return `${cache} carries ${after} RPS${inBrackets(each)}, compared with nothing`;
		case "inconclusive":
		case "invalid": {
			const why = state.reasons[0];
			return why === void 0 ? `${cache} ${outcome}` : `${cache} ${outcome}: ${ink.text(why.text, REASON_MAX)}`;
		}
		case "held":
		case "improved":
			if (state.changeShare === null) return `${cache} holds ${after} of ${before} RPS${inBrackets(each)}`;
			return `${cache} ${before} → ${after} RPS${inBrackets(change, each)}`;
		case "regressed": {
			const now = state.candidateMilliRps === null ? "no tested rate passes" : `${after} RPS`;
			const from = state.baselineMilliRps === null ? "carries " : `${before} → `;
			const asked = state.guardFrom === "baseline" ? "" : `, under the ${milliRps$1(state.guardMilliRps)} asked for`;
			return `${cache} ${from}${now}${inBrackets(change, state.candidateMilliRps === null ? "" : each)}${asked}${limitedBy(state, ink)}`;
		}
	}
}
function limitedBy({ limiting }, ink) {
	if (limiting === null) return "";
	return `, limited by ${ink.name(limiting.class)} (${METRIC_NAMES.get(limiting.metric) ?? ink.text(limiting.metric)})`;
}
function nextSteps({ verdict }) {
	const steps = [...new Set(decidingReasons(verdict).flatMap(({ code }) => code === "guard_held" ? [] : mendOf(code) ?? []))].slice(0, 5);
	const lost = verdict.states.filter(({ outcome, baselineMilliRps }) => outcome === "regressed" && baselineMilliRps !== null);
	if (lost.length > 0 && lost.every((state) => state.changeShare === null)) steps.push("The size of the loss was not found: `--plan sweep` measures it.");
	return steps;
}
function decidingReasons(verdict) {
	const worst = decidingState(verdict)?.outcome;
	const deciding = new Set(verdict.states.filter((state) => state.outcome === worst).map((state) => state.cache));
	return allReasons(verdict).filter(({ cache }) => cache === null || deciding.has(cache));
}
const REASON_TEXT_MAX = 300;
function stateSection(state, record, baseline, limits) {
	const result = record.capacity.find((item) => item.cache === state.cache) ?? null;
	const point = result === null ? null : shownPoint(state, result);
	const title = state.outcome === "recorded" ? "NOT GATED, recorded" : state.outcome;
	return [
		`### ${state.cache === "cold" ? "Cold cache" : "Warm cache"}: ${title}`,
		reasonList(state.reasons, limits.reasons),
		rateTable(state, point),
		facts(state),
		...point === null || limits.classes === 0 ? [] : classTable(state, point, limits.classes),
		...explanationSection(state, record, baseline, limits.explanations)
	];
}
function reasonList(reasons, max) {
	const { shown, rest } = cut(reasons, max, "reasons");
	return [...shown.map((item) => `- ${markdownCode(item.code, 60)}: ${markdownText(item.text, REASON_TEXT_MAX)}`), ...rest === "" ? [] : [`- ${rest}`]].join("\n");
}
function rateTable(state, point) {
	const row = [
		milliRps$1(state.baselineMilliRps),
		carriedRps(state),
		signedPercent(state.changeShare),
		milliRps$1(state.guardMilliRps),
		rps(point?.slo.observed_goodput_rps ?? null)
	];
	return table(columns$1("baseline RPS:", "carries RPS:", "Δ %:", "guard RPS:", "good RPS:"), [row]);
}
function facts(state) {
	const { limiting, minimumDetectableLoss: smallest } = state;
	const text = [
		state.anchorMilliRps === null ? "" : `anchor ${milliRps$1(state.anchorMilliRps)} RPS`,
		state.guardFrom === null ? "" : `guard rate set by ${{
			baseline: "the baseline",
			anchor: "the anchor",
			min_capacity: "the declared minimum"
		}[state.guardFrom]}`,
		state.repeats === 0 ? "" : `${plural(state.repeats, "repeat")} there`,
		limiting === null ? "" : `limited by ${markdownCode(limiting.class, 60)} (${METRIC_NAMES.get(limiting.metric) ?? markdownText(limiting.metric)})`,
		smallest === null ? "" : `a loss of ${percent$3(smallest)} % or more was sure to be seen`
	].filter((part) => part !== "").join(" · ");
	return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
function classTable(state, point, max) {
	const rate = openMilliRps(point);
	const against = state.deltaRates !== null && rate === state.deltaRates.nowMilliRps ? `; Δ against the baseline at ${milliRps$1(state.deltaRates.baseMilliRps)}` : "";
	const { shown, rest } = cut(worstFirst(point), max, "classes");
	const rows = shown.map(([name, report]) => [
		markdownCode(name, 60),
		percent$3(report.attainment),
		against === "" ? "–" : attainmentDelta(state, name),
		String(report.successful_count),
		rps(report.good_rps)
	]);
	const heads = columns$1("class", "attained %:", "Δ points:", "n:", "good RPS:");
	const repeat = point.key.repeat === 1 ? "" : `, repeat ${point.key.repeat}`;
	return [
		`At ${milliRps$1(rate)} RPS${repeat} (${point.outcome})${against}:`,
		table(heads, rows),
		rest
	];
}
function worstFirst(point) {
	return Object.entries(point.slo.classes).toSorted(([, a], [, b]) => (a.attainment ?? -1) - (b.attainment ?? -1));
}
function attainmentDelta(state, name) {
	const delta = state.deltas.find((item) => item.class === name && item.metric === "attainment");
	return delta === void 0 ? "–" : signed((delta.now - delta.base) * 100, 1);
}
function shownPoint(state, result) {
	for (const rate of [
		state.guardMilliRps,
		result.passMilliRps,
		result.failMilliRps
	]) {
		const found = result.points.findLast((point) => openMilliRps(point) === rate && isDecisive(point));
		if (rate !== null && found !== void 0) return found;
	}
	return result.points.findLast((point) => openMilliRps(point) !== null) ?? null;
}
function folded(summary, blocks) {
	return `<details>\n<summary>${summary}</summary>\n\n${blocks.filter((block) => block !== "").join("\n\n")}\n\n</details>`;
}
function pointDetails(result, attainmentMin, limits) {
	const { points } = result;
	if (limits.points === 0 || points.length === 0) return [];
	const { shown, rest } = cut(points, limits.points, "points");
	const rows = shown.map((point) => [
		loadText(point),
		String(point.key.repeat),
		point.outcome + (point.stoppedEarly ? " (stopped early)" : ""),
		rps(point.ratesRps.completed),
		rps(point.ratesRps.good),
		percent$3(point.slo.error_rate),
		point.slo.queue_trend,
		markdownCode(point.deployId, 40)
	]);
	const heads = columns$1("offered RPS:", "repeat:", "outcome", "completed RPS:", "good RPS:", "errors %:", "queue", "boot");
	const spread = result.attainmentSpread;
	const between = spread === null ? "" : `Worst class at the pass rate: ${percent$3(spread[0])} to ${percent$3(spread[1])} %.`;
	const boots = result.bootSpread === null ? "" : `Capacity from boot to boot: standard deviation ${percent$3(result.bootSpread)} %.`;
	const blocks = [
		...rateOverview(result, attainmentMin),
		table(heads, rows),
		rest,
		between,
		boots,
		...attainments(points, limits.attainments),
		...gapTable(points, limits.gaps)
	];
	return [folded(`${cacheTitle(result.cache)}: ${plural(points.length, "point")} by rate`, blocks)];
}
function attainments(points, max) {
	if (max === 0) return [];
	const { shown, rest } = cut(classesOf$1(points), max, "rows");
	const rows = shown.map(({ point, name, report }) => [
		loadText(point),
		String(point.key.repeat),
		markdownCode(name, 60),
		String(report.successful_count),
		percent$3(report.attainment),
		intervalText(report.attainment_block_bootstrap95 ?? report.attainment_wilson95),
		milliseconds$1(report.p95_ttft_ms),
		milliseconds$1(report.p95_tpot_ms)
	]);
	const heads = columns$1("offered RPS:", "repeat:", "class", "n:", "attained %:", "95 % interval:", "P95 TTFT ms:", "P95 TPOT ms:");
	return rows.length === 0 ? [] : [table(heads, rows), rest];
}
function gapTable(points, max) {
	const all = classesOf$1(points).flatMap(({ point, name, report }) => {
		const { itl_ms: gaps, tokens_per_chunk: tokens } = report;
		return gaps === null ? [] : [{
			point,
			name,
			gaps,
			tokens: tokens?.mean ?? null
		}];
	});
	if (max === 0 || all.length === 0) return [];
	const { shown, rest } = cut(all, max, "rows");
	const rows = shown.map(({ point, name, gaps, tokens }) => [
		loadText(point),
		String(point.key.repeat),
		markdownCode(name, 60),
		String(gaps.n),
		milliseconds$1(gaps.p50),
		milliseconds$1(gaps.p90),
		milliseconds$1(gaps.p99),
		tokens === null ? "–" : tokens.toFixed(2)
	]);
	return [table(columns$1("offered RPS:", "repeat:", "class", "gaps between tokens:", "P50 gap ms:", "P90 gap ms:", "P99 gap ms:", "tokens a chunk:"), rows), rest];
}
function classesOf$1(points) {
	return points.flatMap((point) => Object.entries(point.slo.classes).map(([name, report]) => ({
		point,
		name,
		report
	})));
}
function deltaDetails(state, max) {
	const { deltas, deltaRates } = state;
	if (max === 0 || deltas.length === 0 || deltaRates === null) return [];
	const { shown, rest } = cut(deltas, max, "rows");
	const rows = shown.map((delta) => [
		delta.class === null ? "all" : markdownCode(delta.class, 60),
		markdownText(METRIC_TITLES.get(delta.metric) ?? delta.metric, 40),
		metricText(delta.metric, delta.base),
		metricText(delta.metric, delta.now),
		changeText$2(delta)
	]);
	const rates = `baseline at ${milliRps$1(deltaRates.baseMilliRps)} RPS, now at ${milliRps$1(deltaRates.nowMilliRps)} RPS`;
	const blocks = [table(columns$1("class", "metric", "baseline:", "now:", "Δ:"), rows), rest];
	return [folded(`${cacheTitle(state.cache)}: deltas, ${rates}`, blocks)];
}
function noteDetails(notes, max) {
	const unique = notes.filter((note, index) => notes.findIndex((other) => other.text === note.text) === index);
	return max === 0 || unique.length === 0 ? [] : [folded(plural(unique.length, "note"), [reasonList(unique, max)])];
}
function runDetails(record, baseline, limits) {
	const blocks = [];
	if (limits.boots > 0 && record.boots.length > 0) blocks.push(...bootTable(record, limits.boots));
	if (limits.facts > 0) blocks.push(...subjectTable(record, baseline), ...hardwareTable(record, baseline, limits.facts));
	return blocks.length === 0 ? [] : [folded("Boots, identity and hardware", blocks)];
}
function bootTable(record, max) {
	const { shown, rest } = cut(record.boots, max, "boots");
	const rows = shown.map((boot) => [
		markdownCode(boot.deployId, 40),
		boot.seconds.toFixed(1),
		milliseconds$1(boot.firstRequestMs),
		boot.compileCache,
		boot.kvTokens === null ? "unknown" : String(boot.kvTokens)
	]);
	return [table(columns$1("boot", "ready s:", "first request ms:", "compile cache", "KV tokens:"), rows), rest];
}
function subjectTable(record, baseline) {
	const { subject } = record;
	const facts = [
		[
			"engine",
			`${subject.name} ${subject.version}`,
			baseline && `${baseline.subject.name} ${baseline.subject.version}`
		],
		[
			"image",
			subject.image ?? "–",
			baseline && (baseline.subject.image ?? "–")
		],
		[
			"arguments",
			subject.argv.join(" "),
			baseline?.subject.argv.join(" ")
		],
		[
			"subject",
			subject.sha256.slice(0, 12),
			baseline?.subject.sha256.slice(0, 12)
		],
		[
			"experiment",
			record.experiment.sha256.slice(0, 12),
			baseline?.experiment.sha256.slice(0, 12)
		],
		[
			"commit",
			record.commit ?? "–",
			baseline && (baseline.commit ?? "–")
		],
		[
			"measured",
			record.createdAt,
			baseline?.createdAt
		]
	].map(([name, now, was]) => [
		name ?? "",
		now ?? "–",
		was ?? void 0
	]);
	return [table(columns$1("", "baseline", "now"), facts.map(([name, now, was]) => [name, ...wasAndIs(was, now)]))];
}
function hardwareTable(record, baseline, max) {
	const now = factsOf$2(record);
	const was = baseline === null ? new Map() : factsOf$2(baseline);
	const { shown, rest } = cut([...new Set([...was.keys(), ...now.keys()])].toSorted(), max, "facts");
	const rows = shown.map((key) => [markdownCode(key, 60), ...wasAndIs(was.get(key), now.get(key))]);
	return rows.length === 0 ? [] : [table(columns$1("hardware", "baseline", "now"), rows), rest];
}
function factsOf$2({ hardware }) {
	return new Map([...Object.entries(hardware.recorded), ...Object.entries(hardware.mustEqual)]);
}
function wasAndIs(was, is) {
	return [orNone(was), was !== void 0 && was === is ? "same" : orNone(is)];
}
function orNone(value) {
	return value === void 0 || value === "" ? "–" : markdownCode(value, 120);
}
function loadText({ key }) {
	return "openMilliRps" in key.load ? milliRps$1(key.load.openMilliRps) : `${key.load.closedConcurrency} in flight`;
}
function cacheTitle(cache) {
	return cache === "cold" ? "Cold" : "Warm";
}
function intervalText(interval) {
	return interval === null ? "–" : `${percent$3(interval[0])}–${percent$3(interval[1])}`;
}
const SEVERITY = {
	pass: 0,
	unknown: 1,
	fail: 2
};
function evidenceSection(record, max) {
	if (max === 0) return [];
	const probes = [...summaries(record)].toSorted(([nameA, a], [nameB, b]) => SEVERITY[b.worst.state] - SEVERITY[a.worst.state] || Number(b.worst.required) - Number(a.worst.required) || (nameA < nameB ? -1 : 1));
	if (probes.length === 0) return ["### Evidence", "No probe reported anything."];
	const { shown, rest } = cut(probes, max, "probes");
	const rows = shown.map(([name, { worst, counts }]) => [
		markdownCode(name, 60) + (worst.required ? "" : " (advice)"),
		stateText$1(counts),
		seenText(worst)
	]);
	return [
		"### Evidence",
		table(columns$1("probe", "state", "worst seen"), rows),
		rest
	];
}
function summaries(record) {
	const found = new Map();
	const points = record.capacity.flatMap((result) => result.points);
	for (const item of [
		...record.identity,
		...record.evidence,
		...points.flatMap((point) => point.evidence)
	]) {
		const summary = found.get(item.probe) ?? {
			worst: item,
			counts: {
				pass: 0,
				fail: 0,
				unknown: 0
			}
		};
		summary.counts[item.state] += 1;
		if (SEVERITY[item.state] > SEVERITY[summary.worst.state]) summary.worst = item;
		found.set(item.probe, summary);
	}
	return found;
}
function stateText$1(counts) {
	const asked = [
		"fail",
		"unknown",
		"pass"
	].filter((state) => counts[state] > 0);
	return asked.map((state) => counts[state] === 1 && asked.length === 1 ? state : `${counts[state]} ${state}`).join(", ");
}
function seenText({ value, limit, unit, text }) {
	const number = value === void 0 ? "" : plainNumber(value);
	const of = limit === void 0 ? "" : ` (limit ${plainNumber(limit)})`;
	return [number === "" ? "" : `${number}${unit === void 0 ? "" : ` ${markdownText(unit, 20)}`}${of}`, text === void 0 ? "" : markdownText(text, 120)].filter((part) => part !== "").join("; ") || "–";
}
const milliRps = int().min(0).max(1e9).nullable();
const state = strictObject({
	before: milliRps,
	after: milliRps,
	bound: boolean()
}).nullable();
const headsSchema = array(strictObject({
	head: string().regex(/^[0-9a-f]{40,64}$/),
	outcome: _enum([
		"held",
		"improved",
		"regressed",
		"inconclusive",
		"invalid",
		"recorded"
	]),
	cold: state,
	warm: state,
	run: string().regex(/^\d{1,20}$/).nullable(),
	at: string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/),
	record: string().regex(/^[0-9a-f]{12}$/)
})).max(20);
const LINE = /^<!-- capacity-gate-heads:1 (\[.{0,12000}\]) -->$/gm;
function headResult({ verdict, record, context }) {
	const stateOf = (cache) => verdict.states.slice(0, 2).find((item) => item.cache === cache) ?? null;
	const made = {
		head: context.headSha ?? record.commit,
		outcome: verdict.outcome,
		cold: headState(stateOf("cold")),
		warm: headState(stateOf("warm")),
		run: repositoryUrl(context) === null ? null : /\/(\d{1,20})$/.exec(context.runUrl ?? "")?.[1] ?? null,
		at: record.createdAt,
		record: verdict.candidateSha256.slice(0, 12)
	};
	const parsed = headsSchema.safeParse([made]);
	return parsed.success ? parsed.data[0] ?? null : null;
}
function headState(found) {
	if (found === null) return null;
	const { baselineMilliRps: before, candidateMilliRps: after, changeShare, outcome } = found;
	return {
		before,
		after,
		bound: changeShare === null && outcome === "held" && after !== null
	};
}
function parseHeads(bodies) {
	return bodies.flatMap((body) => {
		const lines = [...body.replaceAll("\r\n", "\n").matchAll(LINE)];
		if (lines.length !== 1) return [];
		try {
			return headsSchema.parse(JSON.parse(lines[0]?.[1] ?? ""));
		} catch {
			return [];
		}
	});
}
function earlierHeads(current, rows) {
	const latest = new Map();
	for (const row of rows) {
		if (row.head === current?.head) continue;
		const known = latest.get(row.head);
		if (known === void 0 || known.at < row.at) latest.set(row.head, row);
	}
	return [...latest.values()].toSorted((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0).slice(0, 19);
}
function tellsHead(body, mine) {
	return parseHeads([body]).some(({ head, at, record }) => head === mine.head && (record === mine.record || at > mine.at));
}
function headsLine(current, earlier) {
	const rows = current === null ? earlier : [current, ...earlier];
	return rows.length === 0 ? "" : `<!-- capacity-gate-heads:1 ${JSON.stringify(rows)} -->`;
}
function headsSection({ current, earlier }, context, max) {
	const line = headsLine(current, earlier);
	if (earlier.length === 0) return [line];
	const url = repositoryUrl(context);
	const { shown, rest } = cut(earlier, max, "heads");
	const rows = shown.map(({ head, outcome, cold, warm, run, at }) => [
		linked(`\`${head.slice(0, 10)}\``, url && `${url}/commit/${head}`),
		outcome,
		stateText(cold),
		stateText(warm),
		linked(at.slice(0, 16).replace("T", " "), url && run && `${url}/actions/runs/${run}`)
	]);
	const heads = columns$1("head", "verdict", "cold RPS", "warm RPS", "measured (UTC)");
	return [folded(`${plural(earlier.length, "earlier head")} of this pull request`, [table(heads, rows), rest]), line];
}
function stateText(state) {
	if (state === null) return "–";
	return `${milliRps$1(state.before)} → ${state.bound ? "≥ " : ""}${milliRps$1(state.after)}`;
}
function linked(text, url) {
	return url === null || url === "" ? text : `[${text}](${url})`;
}
const encoder = new TextEncoder();
function fittedBody(input, opening, steps, maxBytes, heads = {
	current: null,
	earlier: []
}) {
	const leftOut = [];
	let text = "";
	for (const step of steps) {
		if (step.leftOut !== "") leftOut.push(step.leftOut);
		text = [opening, body(input, heads, step.limits, leftOut)].filter((part) => part !== "").join("\n");
		if (encoder.encode(text).length <= maxBytes) return text;
	}
	return text;
}
function body(input, heads, limits, leftOut) {
	const { verdict, record, baseline } = input;
	const states = verdict.states.slice(0, 2);
	const steps = nextSteps(input);
	const attainmentMin = readTerms(record)?.attainmentMin ?? null;
	return `${[
		`## ${HEADINGS[verdict.outcome]}`,
		record.kind === "simulated" ? `> **${SIMULATED}**` : "",
		`**${verdict.outcome === "recorded" ? "NOT GATED" : capitalised(verdict.outcome)}:** ${sentence(input, markdownInk, revisions(input))}`,
		...steps.length === 0 ? [] : ["**What to do**", steps.map((step) => `- ${step}`).join("\n")],
		...verdict.reasons.length === 0 ? [] : ["**Why**", reasonList(verdict.reasons, limits.reasons)],
		...states.flatMap((state) => stateSection(state, record, baseline, limits)),
		...acceptSection(input),
		...evidenceSection(record, limits.evidence),
		...record.capacity.slice(0, 2).flatMap((result) => pointDetails(result, attainmentMin, limits)),
		...states.flatMap((state) => deltaDetails(state, limits.deltas)),
		...noteDetails(states.flatMap((state) => state.notes), limits.notes),
		...runDetails(record, baseline, limits),
		...headsSection(heads, input.context, limits.heads),
		leftOut.length === 0 ? "" : `_Left out to fit here: ${leftOut.join("; ")}. The pack’s report.md has it all._`,
		footer(input)
	].filter((block) => block !== "").join("\n\n")}\n`;
}
function capitalised(word) {
	return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
function revisions({ record, context }) {
	const url = repositoryUrl(context);
	const named = (word, sha) => {
		const short = shortSha(sha);
		if (short === null) return "";
		return ` ${word} ${url === null ? `\`${short}\`` : `[\`${short}\`](${url}/commit/${sha})`}`;
	};
	return `${named("at", context.headSha ?? record.commit)}${named("on", context.baseSha)}`;
}
function footer({ verdict, context }) {
	const url = safeUrl(context.runUrl);
	return `<sub>${[
		`record \`${verdict.candidateSha256.slice(0, 12)}\``,
		verdict.baselineSha256 === null ? "no baseline" : `baseline \`${verdict.baselineSha256.slice(0, 12)}\``,
		verdict.anchorSha256 === null ? "" : `anchor \`${verdict.anchorSha256.slice(0, 12)}\``,
		url === null ? "" : `[run](${url})`,
		`Capacity Gate ${markdownCode(context.toolVersion, 40)}`
	].filter((part) => part !== "").join(" · ")}</sub>`;
}
const ALL = 1e5;
function renderReportMarkdown(input) {
	return fittedBody(input, "", [{
		leftOut: "",
		limits: {
			reasons: ALL,
			explanations: ALL,
			classes: ALL,
			evidence: ALL,
			points: ALL,
			attainments: ALL,
			gaps: ALL,
			deltas: ALL,
			notes: ALL,
			boots: ALL,
			facts: ALL,
			heads: 0
		}
	}], 1e400);
}
const CHECKSUMS = "SHA256SUMS";
async function writeChecksums(pack) {
	const lines = [];
	for (const path of await pack.list(".")) {
		const bytes = path === "SHA256SUMS" ? null : await pack.read(path);
		if (bytes !== null) lines.push(`${sha256Hex(bytes)}  ${path}\n`);
	}
	await pack.write(CHECKSUMS, lines.join(""));
}
function parseChecksums(text) {
	const sums = new Map();
	for (const line of text.split("\n")) {
		if (line === "") continue;
		const [, digest, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
		if (digest === void 0 || path === void 0 || sums.has(path)) return null;
		sums.set(path, digest);
	}
	return sums;
}
const NAMED$3 = 20;
function incomparabilities(candidate, baseline) {
	const reasons = [];
	if (candidate.kind !== baseline.kind) reasons.push({
		code: "kind_differs",
		text: `the baseline is ${baseline.kind}, the candidate ${candidate.kind}`
	});
	return [
		...reasons,
		...experimentReasons(candidate, baseline),
		...hardwareReasons(candidate, baseline)
	];
}
function scheduleReasons(candidate, baseline, cache) {
	const [base, now] = [baseline.schedules[cache], candidate.schedules[cache]];
	if (base !== void 0 && base === now) return [];
	const short = (sha256) => sha256 === void 0 ? "none" : sha256.slice(0, 12);
	return [{
		code: "schedule_differs",
		text: `${cache} schedule: baseline ${short(base)}, candidate ${short(now)}`
	}];
}
function experimentReasons(candidate, baseline) {
	if (candidate.experiment.sha256 === baseline.experiment.sha256) return [];
	const fields = differingFields(baseline.experiment.value, candidate.experiment.value);
	const named = fields.slice(0, NAMED$3).map((field) => {
		return {
			code: "experiment_differs",
			text: `${field.path}: baseline ${valueText(field.base)}, candidate ${valueText(field.now)}`
		};
	});
	if (fields.length > NAMED$3) named.push({
		code: "experiment_differs",
		text: `and ${fields.length - NAMED$3} more fields`
	});
	if (named.length === 0) named.push({
		code: "experiment_differs",
		text: "the experiments have different hashes"
	});
	return named;
}
function hardwareReasons(candidate, baseline) {
	const [base, now] = [baseline.hardware.mustEqual, candidate.hardware.mustEqual];
	const keys = [...new Set([...Object.keys(base), ...Object.keys(now)])].toSorted();
	if (keys.length === 0 && candidate.kind === "measured") return [{
		code: "hardware_unknown",
		text: "neither record names any hardware"
	}];
	return keys.flatMap((key) => {
		const [was, is] = [factOf(base, key), factOf(now, key)];
		const text = `${key}: baseline ${was ?? "unknown"}, candidate ${is ?? "unknown"}`;
		if (was === null || is === null) return [{
			code: "hardware_unknown",
			text
		}];
		return was === is ? [] : [{
			code: "hardware_differs",
			text
		}];
	}).slice(0, NAMED$3);
}
function factOf(facts, key) {
	const value = Object.hasOwn(facts, key) ? facts[key] : void 0;
	return value === void 0 || /^\s*(unknown)?\s*$/i.test(value) ? null : value;
}
function valueText(value) {
	const text = value === void 0 ? "nothing" : JSON.stringify(value);
	return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
function recordedDifferences(candidate, baseline) {
	const [base, now] = [baseline.hardware.recorded, candidate.hardware.recorded];
	const differing = [...new Set([...Object.keys(base), ...Object.keys(now)])].toSorted().filter((key) => factOf(base, key) !== factOf(now, key)).slice(0, NAMED$3);
	return differing.length === 0 ? [] : [{
		code: "recorded_hardware_differs",
		text: `differs from the baseline’s machine: ${differing.join(", ")}`
	}];
}
const KV_SPREAD_MAX = .01;
function kvSpread(result, boots) {
	const used = new Set(result.points.filter(isDecisive).map((point) => point.deployId));
	const sizes = boots.filter((boot) => used.has(boot.deployId)).flatMap((boot) => boot.kvTokens ?? []);
	if (sizes.length < 2) return null;
	const largest = sizes.reduce((a, b) => Math.max(a, b));
	const smallest = sizes.reduce((a, b) => Math.min(a, b));
	return largest === 0 ? null : (largest - smallest) / largest;
}
const CAPPED_MIN = .05;
function clockReasons(now, base) {
	const [is, was] = [medianValue(now, "host.clocks"), medianValue(base, "host.clocks")];
	if (is === null || was === null || is >= was * .97) return [];
	if ((medianValue(now, "host.power_cap") ?? 0) > CAPPED_MIN) return [];
	return [{
		...reason("clocks_below_baseline", `the GPUs’ median clock was ${is} MHz, ${asPercent(1 - is / was)} below the baseline’s ${was} MHz, and the power limit did not hold it`),
		value: is,
		limit: was * .97
	}];
}
function medianValue({ points }, probe) {
	const values = points.filter((point) => isDecisive(point) && openMilliRps(point) !== null).flatMap((point) => valueOf(point, probe) ?? []).toSorted((a, b) => a - b);
	return values[Math.ceil(values.length / 2) - 1] ?? null;
}
function valueOf(point, probe) {
	return point.evidence.find((item) => item.probe === probe && item.state === "pass")?.value ?? null;
}
function minimumDetectableLoss(base, guardMilliRps, deciding) {
	const { passMilliRps: pass, failMilliRps: fail } = base;
	if (pass === null || fail === null) return null;
	const grid = Math.max(0, 1 - guardMilliRps / fail);
	const steepest = steepestFall(lastAt(base, pass), lastAt(base, fail));
	const halfWidth = steepest === null || deciding === null ? null : halfWidthOf(deciding, steepest.name);
	const sampling = steepest === null || halfWidth === null ? 0 : halfWidth * (fail - pass) / steepest.fall / pass;
	return Math.round(Math.min(1, grid + sampling) * 1e6) / 1e6;
}
function lastAt(result, milliRps) {
	return result.points.findLast((point) => openMilliRps(point) === milliRps && isDecisive(point)) ?? null;
}
function steepestFall(pass, fail) {
	if (pass === null || fail === null) return null;
	return Object.entries(pass.slo.classes).flatMap(([name, report]) => {
		const failing = Object.hasOwn(fail.slo.classes, name) ? fail.slo.classes[name] : void 0;
		const [high, low] = [report.attainment, failing?.attainment ?? null];
		return high === null || low === null || high <= low ? [] : [{
			name,
			fall: high - low
		}];
	}).toSorted((a, b) => b.fall - a.fall)[0] ?? null;
}
function halfWidthOf(point, name) {
	const report = Object.hasOwn(point.slo.classes, name) ? point.slo.classes[name] : void 0;
	const interval = report?.attainment_block_bootstrap95 ?? report?.attainment_wilson95 ?? null;
	return interval === null ? null : Math.max(0, interval[1] - interval[0]) / 2;
}
function guardFor(baselineMilliRps, anchorMilliRps, terms) {
	const tolerance = { capacity_tolerance: terms.toleranceShare };
	const minimum = terms.minCapacityMilliRps;
	const withMinimum = minimum === null ? tolerance : {
		...tolerance,
		min_capacity_rps: minimum / 1e3
	};
	const none = {
		baselineMilliRps: null,
		anchorMilliRps: null,
		acceptance: tolerance
	};
	const all = [
		["baseline", {
			...none,
			baselineMilliRps
		}],
		["anchor", {
			...none,
			anchorMilliRps
		}],
		["min_capacity", {
			...none,
			acceptance: withMinimum
		}]
	].flatMap(([from, input]) => {
		const milliRps = guardMilliRps(input);
		return milliRps === null ? [] : [{
			from,
			milliRps
		}];
	});
	const milliRps = guardMilliRps({
		baselineMilliRps,
		anchorMilliRps,
		acceptance: withMinimum
	});
	const highest = all.find((term) => term.milliRps === milliRps);
	return highest === void 0 ? null : {
		...highest,
		terms: all
	};
}
function decideAt(guardMilliRps, points) {
	const byRate = pointsByRate(points);
	const atGuard = byRate.get(guardMilliRps) ?? [];
	const tally = tallyBoots(atGuard);
	const failing = [...byRate].filter(([, repeats]) => majority(votesOf(repeats)) === "fail");
	const firstFailing = failing[0]?.[0] ?? 1e400;
	if (tally.decided === "fail") return {
		kind: "fail",
		points: withOutcome(atGuard, "fail")
	};
	const confirmedBelow = failing.find(([rate, repeats]) => rate < guardMilliRps && tallyBoots(repeats).decided === "fail");
	if (confirmedBelow !== void 0) {
		const failed = withOutcome(confirmedBelow[1], "fail");
		return tally.passes >= 2 ? {
			kind: "undecided",
			why: "boots_contradict",
			points: failed
		} : {
			kind: "fail",
			points: failed
		};
	}
	if (tally.decided === "pass" && (tally.passes >= 2 || firstFailing > guardMilliRps)) return {
		kind: "pass",
		points: withOutcome(atGuard, "pass")
	};
	const above = [...byRate].findLast(([rate, repeats]) => rate > guardMilliRps && rate < firstFailing && majority(votesOf(repeats)) === "pass");
	if (above !== void 0 && atGuard.filter(isDecisive).length === 0) return {
		kind: "pass",
		points: withOutcome(above[1], "pass")
	};
	return undecided$1(atGuard, [...byRate.values()].flat(), firstFailing <= guardMilliRps);
}
function withOutcome(points, outcome) {
	return points.filter((point) => point.outcome === outcome);
}
function undecided$1(atGuard, all, dropSeen) {
	const decisive = atGuard.filter(isDecisive);
	if (decisive.length > 0 && !(dropSeen && decisive.every((point) => point.outcome === "pass"))) return {
		kind: "undecided",
		why: "boots_undecided",
		points: decisive
	};
	const passed = bracketOf(all).pass ?? 0;
	const open = atGuard.length > 0 ? atGuard : all.filter((point) => (openMilliRps(point) ?? 0) > passed);
	for (const outcome of [
		"invalid",
		"undersampled",
		"unknown"
	]) {
		const points = withOutcome(open, outcome);
		if (points.length > 0) return {
			kind: "undecided",
			why: `point_${outcome}`,
			points
		};
	}
	return dropSeen ? {
		kind: "undecided",
		why: "drop_not_confirmed",
		points: withOutcome(all, "fail")
	} : {
		kind: "undecided",
		why: "guard_not_tested",
		points: []
	};
}
const POINT_REASONS = 8;
function judgeAgainst(base, now, guard, terms) {
	const decision = decideAt(guard.milliRps, now.points);
	if (decision.kind === "fail") return lost(now, guard, decision.points, base.passMilliRps);
	if (decision.kind === "undecided") return undecided(decision, guard);
	const deciding = decision.points.at(-1) ?? null;
	const [before, after] = [base.passMilliRps ?? 0, now.passMilliRps ?? 0];
	const notes = refutedDrop(now, guard);
	if (now.plan === "sweep" && after > before * (1 + terms.toleranceShare)) {
		if (base.failMilliRps !== null && after >= base.failMilliRps) return {
			outcome: "improved",
			reasons: [{
				...reason("above_baseline", `carries ${asRps(after)} RPS, where the baseline’s ${asRps(base.failMilliRps)} failed`),
				value: after / 1e3,
				limit: base.failMilliRps / 1e3
			}],
			notes,
			deciding
		};
		const ceiling = base.failMilliRps === null ? "found no failing rate" : `failed only at ${asRps(base.failMilliRps)}`;
		notes.push(reason("improvement_unproven", `carries ${asRps(after)} RPS, but the baseline ${ceiling}`));
	}
	const rate = deciding === null ? guard.milliRps : openMilliRps(deciding) ?? guard.milliRps;
	const { passes, fails } = tallyBoots(now.points.filter((point) => openMilliRps(point) === rate));
	const on = fails === 0 ? "" : ` on ${passes} of ${passes + fails} boots`;
	return {
		outcome: "held",
		reasons: [{
			...reason("guard_held", `passes at ${asRps(rate)} RPS${on}; the guard rate is ${asRps(guard.milliRps)}`),
			value: rate / 1e3,
			limit: guard.milliRps / 1e3
		}],
		notes,
		deciding
	};
}
function refutedDrop(now, guard) {
	const { fail } = bracketOf(now.points);
	if (fail === null || fail >= guard.milliRps) return [];
	const { passes } = tallyBoots(now.points.filter((point) => openMilliRps(point) === guard.milliRps));
	return [reason("drop_refuted", `${asRps(fail)} RPS failed, and the guard rate above it passes on ${passes} boots`)];
}
function judgeAlone(now, guard, otherwise) {
	const decision = decideAt(guard?.milliRps ?? 1, now.points);
	const rest = otherwise ?? [];
	if (now.points.length === 0 && rest.length > 0) return {
		outcome: "inconclusive",
		reasons: [...rest],
		notes: [],
		deciding: null
	};
	if (decision.kind === "fail" && guard !== null) {
		const judged = lost(now, guard, decision.points, null);
		return {
			...judged,
			reasons: [...judged.reasons, ...rest]
		};
	}
	if (decision.kind !== "pass" || now.passMilliRps === null) {
		const judged = decision.kind !== "undecided" || guard === null && decision.why === "guard_not_tested" ? nothingPassed(now.points) : undecided(decision, guard);
		return {
			...judged,
			reasons: [...judged.reasons, ...rest]
		};
	}
	const deciding = decision.points.at(-1) ?? null;
	if (otherwise !== null) return {
		outcome: "inconclusive",
		reasons: [...rest],
		notes: [],
		deciding
	};
	return {
		outcome: "recorded",
		reasons: [{
			...reason("first_record", `carries ${asRps(now.passMilliRps)} RPS; there is no baseline, so nothing was gated`),
			value: now.passMilliRps / 1e3
		}],
		notes: [],
		deciding
	};
}
function lost(now, guard, points, baseMilliRps) {
	const deciding = points.at(-1) ?? null;
	const rate = deciding === null ? guard.milliRps : openMilliRps(deciding) ?? guard.milliRps;
	const tally = tallyBoots(now.points.filter((point) => openMilliRps(point) === rate));
	const failed = `${asRps(rate)} RPS failed on ${tally.fails} of ${tally.fails + tally.passes} boots`;
	const carries = carriesText(now, baseMilliRps);
	const seen = now.passMilliRps ?? 0;
	const codes = {
		baseline: "below_baseline",
		anchor: "below_anchor",
		min_capacity: "below_min_capacity"
	};
	return {
		outcome: "regressed",
		reasons: [...guard.terms.filter((term) => term.from === guard.from || seen < term.milliRps).map((term) => ({
			...reason(codes[term.from], `${failed}; ${carries}; ${term.from.replace("_", " ")} asks for ${asRps(term.milliRps)}`),
			value: seen / 1e3,
			limit: term.milliRps / 1e3
		})), ...reasonsOf(deciding)],
		notes: [],
		deciding
	};
}
function carriesText(now, baseMilliRps) {
	const change = (rate) => baseMilliRps === null || rate >= baseMilliRps ? "" : `, a loss of ${asPercent(1 - rate / baseMilliRps)}`;
	if (now.passMilliRps !== null) return `carries ${asRps(now.passMilliRps)} RPS${change(now.passMilliRps)}`;
	const lowest = bracketOf(now.points).fail;
	if (lowest === null || baseMilliRps === null) return "no tested rate passed";
	return `no tested rate passed, a loss of more than ${asPercent(Math.max(0, 1 - lowest / baseMilliRps))}`;
}
function undecided(decision, guard) {
	const { why, points } = decision;
	const rate = guard === null ? "any rate" : `the guard rate ${asRps(guard.milliRps)} RPS`;
	const names = points.slice(0, 3).map((point) => pointName(point.key));
	const tally = tallyBoots(points.filter(isDecisive));
	const texts = {
		boots_contradict: `two boots pass at ${rate}, and two fail below it (${names.join(", ")})`,
		boots_undecided: `${tally.fails} of ${tally.fails + tally.passes} boots fail at ${rate}: two must agree`,
		drop_not_confirmed: `a rate up to ${rate} failed (${names.join(", ")}), and no second boot confirms it`,
		guard_not_tested: `no point shows whether ${rate} is carried`,
		point_invalid: `nothing valid was measured at ${rate} (${names.join(", ")})`,
		point_undersampled: `a class is short of its samples at ${rate} (${names.join(", ")})`,
		point_unknown: `required evidence is unknown at ${rate} (${names.join(", ")})`
	};
	const { outcome } = GATE_REASONS[why];
	const deciding = points.at(-1) ?? null;
	return {
		outcome,
		reasons: [
			reason(why, texts[why]),
			...reasonsOf(deciding),
			...evidenceOf(deciding)
		],
		notes: [],
		deciding
	};
}
function nothingPassed(points) {
	const deciding = points.findLast((point) => point.outcome === "fail") ?? null;
	return {
		outcome: "inconclusive",
		reasons: [reason("no_passing_rate", "no tested rate passed"), ...reasonsOf(deciding)],
		notes: [],
		deciding
	};
}
function reasonsOf(point) {
	return point === null ? [] : point.reasons.slice(0, POINT_REASONS);
}
function evidenceOf(point) {
	if (point === null || point.reasons.length > 0) return [];
	return point.evidence.filter((item) => item.required && item.state !== "pass").slice(0, POINT_REASONS).map((item) => ({
		code: item.state === "fail" ? "evidence_failed" : "evidence_unknown",
		text: evidenceText(item),
		...item.value === void 0 ? {} : { value: item.value },
		...item.limit === void 0 ? {} : { limit: item.limit }
	}));
}
function judgeState(input) {
	const { result, comparison } = input;
	const base = comparison.kind === "baseline" ? comparison : null;
	const passMilliRps = base?.result.passMilliRps ?? null;
	const guard = guardFor(passMilliRps, input.anchorMilliRps, input.terms);
	const judged = judge(input, guard);
	const both = result !== null && base !== null && guard !== null ? {
		now: result,
		base: base.result,
		guard
	} : null;
	const compared = both === null ? {
		deltas: [],
		deltaRates: null
	} : compareAtPassRate(both.base, both.now, both.guard.milliRps, input.terms);
	const notes = [
		...input.notes,
		...judged.notes,
		...notesOn(result, guard)
	];
	if (both !== null && compared.deltaRates === null) notes.push(reason("deltas_not_comparable", "no decisive point within the tolerance of the baseline’s pass rate"));
	return {
		cache: input.cache,
		outcome: judged.outcome,
		baselineMilliRps: passMilliRps,
		anchorMilliRps: input.anchorMilliRps,
		guardMilliRps: guard?.milliRps ?? null,
		guardFrom: guard?.from ?? null,
		candidateMilliRps: carriedMilliRps(result, judged),
		candidateFailMilliRps: result?.failMilliRps ?? null,
		changeShare: changeShare(result, passMilliRps, judged),
		repeats: atGuard(result, guard).length,
		minimumDetectableLoss: both && minimumDetectableLoss(both.base, both.guard.milliRps, judged.deciding),
		limiting: limitingOf$1(result, judged),
		reasons: judged.reasons,
		notes,
		...compared
	};
}
function judge({ cache, terms, result, boots, comparison }, guard) {
	if (result === null) return inconclusive([reason("candidate_state_missing", `the candidate holds no ${cache} result`)]);
	const apart = [
		...apartReasons("candidate", result, boots),
		...comparison.kind === "baseline" ? apartReasons("baseline", comparison.result, comparison.boots) : [],
		...comparison.kind === "baseline" ? clockReasons(result, comparison.result) : []
	];
	if (apart.length > 0) return inconclusive(apart);
	if (comparison.kind === "none") return judgeAlone(result, guard, comparison.otherwise);
	if (guard === null) return inconclusive([reason("baseline_without_capacity", "no rate passed in the baseline")]);
	return judgeAgainst(comparison.result, result, guard, terms);
}
function inconclusive(reasons) {
	return {
		outcome: "inconclusive",
		reasons,
		notes: [],
		deciding: null
	};
}
function apartReasons(whose, result, boots) {
	const spread = kvSpread(result, boots);
	if (spread === null || spread <= .01) return [];
	return [{
		...reason("boots_incomparable", `KV tokens of the ${whose}’s boots are ${asPercent(spread)} apart`),
		value: spread,
		limit: KV_SPREAD_MAX
	}];
}
function atGuard(result, guard) {
	return result?.points.filter((point) => guard !== null && openMilliRps(point) === guard.milliRps) ?? [];
}
function notesOn(result, guard) {
	if (result === null) return [];
	const repeats = atGuard(result, guard);
	const idle = repeats.filter((point) => !isDecisive(point));
	const notes = [];
	if (idle.length > 0 && idle.length < repeats.length) {
		const list = idle.map((point) => `repeat ${point.key.repeat} ${point.outcome}`).join(", ");
		notes.push(reason("repeats_not_counted", `at the guard rate: ${list}`));
	}
	if (result.flukeMilliRps.length > 0) {
		const rates = result.flukeMilliRps.slice(0, 5).map(asRps).join(", ");
		notes.push(reason("flukes_not_used", `passed above a failing rate: ${rates} RPS`));
	}
	return notes;
}
function carriedMilliRps(result, { outcome, deciding }) {
	const pass = result?.passMilliRps ?? null;
	const shown = outcome === "held" && deciding !== null ? openMilliRps(deciding) : null;
	return shown !== null && shown > (pass ?? 0) ? shown : pass;
}
function changeShare(result, baseMilliRps, judged) {
	if (result === null || result.passMilliRps === null || baseMilliRps === null) return null;
	if (judged.outcome === "inconclusive" || judged.outcome === "invalid") return null;
	if (result.plan === "confirm" && judged.outcome !== "regressed") return null;
	if (carriedMilliRps(result, judged) !== result.passMilliRps) return null;
	return (result.passMilliRps - baseMilliRps) / baseMilliRps;
}
function limitingOf$1(result, judged) {
	if (judged.deciding?.outcome === "fail") return judged.deciding.limiting;
	return (result?.points.findLast((point) => openMilliRps(point) === result.failMilliRps && point.outcome === "fail"))?.limiting ?? null;
}
const CACHES = ["cold", "warm"];
function gate(input) {
	const { candidate, baseline, anchor } = input;
	for (const record of [
		candidate,
		baseline,
		anchor
	]) if (record !== null) requireOwnSchema(record);
	const terms = readTerms(candidate);
	const reasons = [...runReasons(input, terms), ...evidenceReasons(candidate)];
	const imported = importedReasons(candidate, baseline);
	const bars = barsOf(input, imported.length > 0);
	const states = terms === null ? [] : imported.length > 0 ? showStates(input, terms, bars) : judgeStates(input, terms, bars);
	reasons.push(...imported, ...bars);
	if (candidate.capacity.length === 0 && bars.length === 0 && !reasons.some(({ code }) => code === "engine_failed")) reasons.push(reason("nothing_measured", "the candidate holds no cache state"));
	const isVoid = reasons.some((item) => outcomeOf(item) === "invalid");
	const runOutcome = isVoid ? "invalid" : worstOutcome(reasons.map(outcomeOf));
	const settled = states.map((state) => settle$1(state, runOutcome, isVoid));
	return {
		version: 1,
		outcome: worstOutcome(settled.map((state) => state.outcome)) ?? runOutcome ?? "invalid",
		candidateSha256: recordSha256(candidate),
		baselineSha256: baseline === null ? null : recordSha256(baseline),
		anchorSha256: anchor === null ? null : recordSha256(anchor),
		reasons,
		states: settled
	};
}
function settle$1(state, runOutcome, isVoid) {
	const outcome = isVoid ? "invalid" : worstOutcome([state.outcome, runOutcome ?? state.outcome]) ?? state.outcome;
	if (outcome === state.outcome) return state;
	return {
		...state,
		outcome,
		changeShare: null,
		reasons: [],
		notes: [...state.reasons, ...state.notes]
	};
}
function barsOf({ candidate, baseline }, isImported) {
	if (baseline === null) return [];
	return isImported ? experimentReasons(candidate, baseline) : incomparabilities(candidate, baseline);
}
function showStates({ candidate, baseline }, terms, bars) {
	return CACHES.filter((cache) => isAsked(candidate, cache)).map((cache) => {
		const base = baseline === null || bars.length > 0 ? null : resultOf(baseline, cache);
		return shownState({
			cache,
			terms,
			now: resultOf(candidate, cache),
			base
		});
	});
}
function judgeStates(input, terms, bars) {
	const { candidate, baseline, anchor } = input;
	const caches = CACHES.filter((cache) => isAsked(candidate, cache));
	const unasked = CACHES.filter((cache) => !isAsked(candidate, cache) && baseline !== null && resultOf(baseline, cache) !== null);
	const anchorBars = anchor === null ? [] : incomparabilities(candidate, anchor);
	return caches.map((cache) => {
		const held = anchor === null ? null : anchorFor(candidate, anchor, cache, anchorBars);
		const notes = held === null || held.milliRps !== null ? [] : [reason("anchor_not_compared", held.why)];
		if (baseline !== null && bars.length === 0) notes.push(...recordedDifferences(candidate, baseline));
		for (const other of unasked) notes.push(reason("state_not_asked", `the run was not asked for ${other}: it says nothing of it`));
		return judgeState({
			cache,
			terms,
			result: resultOf(candidate, cache),
			boots: candidate.boots,
			comparison: comparisonFor(input, cache, bars),
			anchorMilliRps: held?.milliRps ?? null,
			notes
		});
	});
}
function anchorFor(candidate, anchor, cache, bars) {
	const milliRps = resultOf(anchor, cache)?.passMilliRps ?? null;
	const barred = bars[0] ?? (milliRps === null ? void 0 : scheduleReasons(candidate, anchor, cache)[0]);
	if (barred !== void 0) return {
		milliRps: null,
		why: barred.text
	};
	return milliRps === null ? {
		milliRps,
		why: `the anchor holds no ${cache} capacity`
	} : { milliRps };
}
function comparisonFor({ candidate, baseline, onMissingBaseline }, cache, bars) {
	const missing = (why) => ({
		kind: "none",
		otherwise: onMissingBaseline === "record" ? null : [why]
	});
	if (baseline === null) return missing(reason("baseline_missing", "there is no accepted capacity to compare with"));
	if (bars.length > 0) return {
		kind: "none",
		otherwise: []
	};
	const result = resultOf(baseline, cache);
	if (result === null) return missing(reason("baseline_state_missing", `the baseline holds no ${cache} result`));
	const otherwise = scheduleReasons(candidate, baseline, cache);
	if (result.plan !== "sweep") otherwise.push(reason("baseline_not_a_sweep", `the baseline’s ${cache} result is a confirmation`));
	if (result.passMilliRps === null) otherwise.push(reason("baseline_without_capacity", `no ${cache} rate passed in the baseline`));
	if (otherwise.length > 0) return {
		kind: "none",
		otherwise
	};
	return {
		kind: "baseline",
		result,
		boots: baseline.boots
	};
}
function runReasons({ candidate, baseline, anchor }, terms) {
	if (terms === null) return [reason("experiment_unreadable", "the candidate does not hold its acceptance terms")];
	return [
		...contradictions(candidate, terms, "candidate"),
		...baseline === null ? [] : contradictions(baseline, readTerms(baseline) ?? terms, "baseline"),
		...anchor === null ? [] : contradictions(anchor, readTerms(anchor) ?? terms, "anchor")
	];
}
function evidenceReasons(record) {
	const required = (items) => items.filter((item) => item.required && item.state !== "pass");
	return [...required(record.identity).map((item) => reason(item.state === "fail" ? "identity_failed" : "identity_unknown", evidenceText(item))), ...required(record.evidence).map((item) => {
		if (item.state === "unknown") return reason("evidence_unknown", evidenceText(item));
		return reason(item.blames === "engine" ? "engine_failed" : "evidence_failed", evidenceText(item));
	})].slice(0, 20);
}
function outcomeOf({ code }) {
	const outcome = Object.hasOwn(GATE_REASONS, code) ? GATE_REASONS[code].outcome : "invalid";
	return outcome === "note" ? "held" : outcome;
}
function isAsked(record, cache) {
	return Object.hasOwn(record.schedules, cache) || resultOf(record, cache) !== null;
}
function resultOf(record, cache) {
	return record.capacity.find((result) => result.cache === cache) ?? null;
}
function requireOwnSchema(record) {
	const schema = record.schema;
	if (schema === 1) return;
	throw new GateError({
		code: "record_schema_newer",
		message: `a capacity record is of schema ${schema}; this tool reads schema 1`,
		hint: "Update Capacity Gate, or measure the baseline again with this version.",
		exitCode: EXIT.invalid
	});
}
function settle(measured, { baseline, anchor, onMissingBaseline }) {
	const judge = (candidate) => gate({
		candidate,
		baseline,
		anchor,
		onMissingBaseline
	});
	const deciding = decidingState(judge(measured))?.cache ?? null;
	const record = {
		...measured,
		selected: selectPoint(measured, deciding)
	};
	return {
		record,
		verdict: judge(record),
		baseline,
		anchor
	};
}
function selectPoint(record, deciding) {
	const state = record.capacity.find(({ cache }) => cache === deciding) ?? record.capacity[0];
	if (!state) return null;
	const selected = state.points.findLast((point) => point.outcome === "pass" && openMilliRps(point) === state.passMilliRps) ?? lowestFailing(state.points) ?? state.points.at(-1);
	return selected ? pointName(selected.key) : null;
}
function lowestFailing(points) {
	const rateOf = (point) => openMilliRps(point) ?? Number.POSITIVE_INFINITY;
	const failing = points.filter((point) => point.outcome === "fail" && openMilliRps(point) !== null);
	const lowest = Math.min(...failing.map(rateOf));
	return failing.findLast((point) => rateOf(point) === lowest);
}
async function writeOrRemove(pack, path, content) {
	if (content === null) await pack.remove(path);
	else await pack.write(path, content);
}
const CONTEXT_FILE = "report-context.json";
async function finishPack(pack, measured, settlement) {
	const settled = settle(measured, settlement);
	const { record, verdict, baseline, anchor } = settled;
	const { context, onMissingBaseline } = settlement;
	await publishSelected(pack, record.selected);
	await pack.write("capacity.json", packJson(record));
	await pack.write("verdict.json", packJson(verdict));
	await writeOrRemove(pack, "baseline.json", baseline && packJson(baseline));
	await writeOrRemove(pack, "anchor.json", anchor && packJson(anchor));
	await pack.write(CONTEXT_FILE, packJson({
		onMissingBaseline,
		context
	}));
	await pack.write("report.md", renderReportMarkdown({
		record,
		verdict,
		baseline,
		anchor,
		context
	}));
	await pack.write("failure-test.md", renderFailureTest());
	await writeChecksums(pack);
	return settled;
}
async function publishSelected(pack, selected) {
	const paths = selected === null ? null : pathsOf(selected);
	await writeOrRemove(pack, "requests.csv", paths && await pack.read(paths.requests));
	await writeOrRemove(pack, "slo-report.json", paths && await pack.read(paths.slo));
}
const error$11 = {
	level: "valid",
	severity: "error"
};
const SCHEMA_RULES = {
	missing: {
		id: "missing-field",
		title: "A field that must be stated is missing",
		...error$11,
		why: "Everything that shapes the result is frozen in the manifest; only what has one sensible value has a default.",
		mend: "State the field."
	},
	unknown: {
		id: "unknown-field",
		title: "A key is not known",
		...error$11,
		why: "A misspelt key would silently leave its default in force.",
		mend: "Correct the key or remove it."
	},
	type: {
		id: "wrong-type",
		title: "A value has the wrong type",
		...error$11,
		why: "A number, text, list or mapping stands where another is expected.",
		mend: "Write the value in the form that the message names."
	},
	range: {
		id: "out-of-range",
		title: "A value is outside its range",
		...error$11,
		why: "The value cannot mean anything: a share above 1, a negative duration, an empty list.",
		mend: "Choose a value inside the range."
	},
	choice: {
		id: "not-a-choice",
		title: "A value is none of the allowed ones",
		...error$11,
		why: "The field has a fixed set of values.",
		mend: "Choose one of the values that the message lists."
	},
	format: {
		id: "wrong-format",
		title: "A text has the wrong form",
		...error$11,
		why: "Names end up in files, tables and environment; URLs are asked as they stand.",
		mend: "Write it in the form that the message names."
	},
	overrideNotSubject: {
		id: "override-not-subject",
		title: "The subject override touches a field that is not the subject's",
		...error$11,
		why: "An override is for trying another engine. If it could change the experiment, two capacities would no longer compare.",
		mend: "Override subject fields only: engine name, version, image, arguments, environment, router."
	}
};
const error$10 = {
	level: "valid",
	severity: "error"
};
const YAML_RULES = {
	empty: {
		id: "file-empty",
		title: "The file is empty",
		...error$10,
		why: "There is nothing to read: no field has a value.",
		mend: "Write a manifest; fixtures/packs/ has complete ones."
	},
	tooLarge: {
		id: "file-too-large",
		title: "The file is larger than 1 MiB",
		...error$10,
		why: "A manifest is a few kilobytes. Anything of this size is another file, and is not parsed.",
		mend: "Name the manifest itself."
	},
	notText: {
		id: "file-not-text",
		title: "The file is no UTF-8 text",
		...error$10,
		why: "NUL bytes or invalid UTF-8 mean a binary file, or another encoding. An escape of half a character (`\\ud800`) has no UTF-8 either.",
		mend: "Save the manifest as UTF-8 text."
	},
	syntax: {
		id: "yaml-syntax",
		title: "The text is not valid YAML",
		...error$10,
		why: "What cannot be parsed cannot be judged.",
		mend: "Mend the YAML at the place named."
	},
	tab: {
		id: "yaml-tab",
		title: "A tab indents a line",
		...error$10,
		why: "YAML indents with spaces only; a tab has no width that parsers agree on.",
		mend: "Replace the tab by spaces."
	},
	duplicateKey: {
		id: "yaml-duplicate-key",
		title: "A key stands twice in one mapping",
		...error$10,
		why: "Parsers disagree on which of the two counts, so that the manifest would have two meanings.",
		mend: "Keep one of them."
	},
	severalDocuments: {
		id: "yaml-several-documents",
		title: "The file holds several documents",
		...error$10,
		why: "A run has one manifest; which of several is meant cannot be known.",
		mend: "Keep one document, without a `---` between."
	},
	aliases: {
		id: "yaml-alias-bomb",
		title: "Aliases expand to too much",
		...error$10,
		why: "Aliases of aliases grow a small file to any size in memory.",
		mend: "Write the values out. A few anchors are fine."
	},
	tooDeep: {
		id: "yaml-too-deep",
		title: "The nesting is too deep",
		...error$10,
		why: "A manifest has five levels; nesting beyond sixty-four is an attack or an accident.",
		mend: "Remove the nesting."
	},
	tag: {
		id: "yaml-tag",
		title: "A value has a tag that YAML does not know",
		...error$10,
		why: "Only plain text, numbers, booleans, lists and mappings are read; what another tag means is not ours to guess.",
		mend: "Remove the tag."
	},
	notAMapping: {
		id: "yaml-not-a-mapping",
		title: "The document is no mapping",
		...error$10,
		why: "A manifest is a mapping with the keys model, engine, client, workload and acceptance.",
		mend: "Write the manifest as `key: value` lines."
	},
	forbiddenKey: {
		id: "forbidden-key",
		title: "A key has a name that programs reserve",
		...error$10,
		why: "`__proto__`, `constructor` and `prototype` change objects in programs that read them carelessly, ours or others.",
		mend: "Choose another name."
	}
};
var require_fastest_levenshtein = __commonJSMin(((exports) => {
	exports.__esModule = true;
	exports.distance = exports.closest = void 0;
	var peq = new Uint32Array(65536);
	var myers_32 = function(a, b) {
		var n = a.length;
		var m = b.length;
		var lst = 1 << n - 1;
		var pv = -1;
		var mv = 0;
		var sc = n;
		var i = n;
		while (i--) peq[a.charCodeAt(i)] |= 1 << i;
		for (i = 0; i < m; i++) {
			var eq = peq[b.charCodeAt(i)];
			var xv = eq | mv;
			eq |= (eq & pv) + pv ^ pv;
			mv |= ~(eq | pv);
			pv &= eq;
			if (mv & lst) sc++;
			if (pv & lst) sc--;
			mv = mv << 1 | 1;
			pv = pv << 1 | ~(xv | mv);
			mv &= xv;
		}
		i = n;
		while (i--) peq[a.charCodeAt(i)] = 0;
		return sc;
	};
	var myers_x = function(b, a) {
		var n = a.length;
		var m = b.length;
		var mhc = [];
		var phc = [];
		var hsize = Math.ceil(n / 32);
		var vsize = Math.ceil(m / 32);
		for (var i = 0; i < hsize; i++) {
			phc[i] = -1;
			mhc[i] = 0;
		}
		var j = 0;
		for (; j < vsize - 1; j++) {
			var mv_1 = 0;
			var pv_1 = -1;
			var start_1 = j * 32;
			var vlen_1 = Math.min(32, m) + start_1;
			for (var k = start_1; k < vlen_1; k++) peq[b.charCodeAt(k)] |= 1 << k;
			for (var i = 0; i < n; i++) {
				var eq = peq[a.charCodeAt(i)];
				var pb = phc[i / 32 | 0] >>> i & 1;
				var mb = mhc[i / 32 | 0] >>> i & 1;
				var xv = eq | mv_1;
				var xh = ((eq | mb) & pv_1) + pv_1 ^ pv_1 | eq | mb;
				var ph = mv_1 | ~(xh | pv_1);
				var mh = pv_1 & xh;
				if (ph >>> 31 ^ pb) phc[i / 32 | 0] ^= 1 << i;
				if (mh >>> 31 ^ mb) mhc[i / 32 | 0] ^= 1 << i;
				ph = ph << 1 | pb;
				mh = mh << 1 | mb;
				pv_1 = mh | ~(xv | ph);
				mv_1 = ph & xv;
			}
			for (var k = start_1; k < vlen_1; k++) peq[b.charCodeAt(k)] = 0;
		}
		var mv = 0;
		var pv = -1;
		var start = j * 32;
		var vlen = Math.min(32, m - start) + start;
		for (var k = start; k < vlen; k++) peq[b.charCodeAt(k)] |= 1 << k;
		var score = m;
		for (var i = 0; i < n; i++) {
			var eq = peq[a.charCodeAt(i)];
			var pb = phc[i / 32 | 0] >>> i & 1;
			var mb = mhc[i / 32 | 0] >>> i & 1;
			var xv = eq | mv;
			var xh = ((eq | mb) & pv) + pv ^ pv | eq | mb;
			var ph = mv | ~(xh | pv);
			var mh = pv & xh;
			score += ph >>> m - 1 & 1;
			score -= mh >>> m - 1 & 1;
			if (ph >>> 31 ^ pb) phc[i / 32 | 0] ^= 1 << i;
			if (mh >>> 31 ^ mb) mhc[i / 32 | 0] ^= 1 << i;
			ph = ph << 1 | pb;
			mh = mh << 1 | mb;
			pv = mh | ~(xv | ph);
			mv = ph & xv;
		}
		for (var k = start; k < vlen; k++) peq[b.charCodeAt(k)] = 0;
		return score;
	};
	var distance = function(a, b) {
		if (a.length < b.length) {
			var tmp = b;
			b = a;
			a = tmp;
		}
		if (b.length === 0) return a.length;
		if (a.length <= 32) return myers_32(a, b);
		return myers_x(a, b);
	};
	exports.distance = distance;
	var closest = function(str, arr) {
		var min_distance = 1e400;
		var min_index = 0;
		for (var i = 0; i < arr.length; i++) {
			var dist = distance(str, arr[i]);
			if (dist < min_distance) {
				min_distance = dist;
				min_index = i;
			}
		}
		return arr[min_index];
	};
	exports.closest = closest;
}));
var import_fastest_levenshtein = require_fastest_levenshtein();
const MOST_KEYS = 20;
function unknownKeys(path, keys, known, mapping) {
	const absent = known.filter((key) => !(isMapping$1(mapping) && Object.hasOwn(mapping, key)));
	const named = keys.slice(0, MOST_KEYS).map((key) => {
		const where = path.length === 0 ? "at the top level" : `in \`${showPath(path)}\``;
		const message = `the key ${showValue(key)} is not known ${where}`;
		const near = nearest$1(key, absent);
		const hint = near === null ? homeHint(key, known) : `Did you mean \`${near}\`?`;
		const breach = {
			rule: SCHEMA_RULES.unknown,
			path: [...path, key],
			at: "key",
			message,
			hint
		};
		return near === null ? breach : {
			...breach,
			meant: [...path, near]
		};
	});
	if (keys.length <= MOST_KEYS) return named;
	const more = `${showNumber(keys.length - MOST_KEYS)} more keys are not known here`;
	return [...named, {
		rule: SCHEMA_RULES.unknown,
		path,
		at: "key",
		message: more
	}];
}
function withoutMisspelt(breaches) {
	const meant = new Set(breaches.flatMap((breach) => breach.meant ? [showPath(breach.meant)] : []));
	return breaches.filter(({ rule, path }) => rule !== SCHEMA_RULES.missing || !meant.has(showPath(path)));
}
function homeHint(key, known) {
	const home = schemaLeaves().filter((leaf) => leaf.path.split(".").at(-1) === key)[0]?.path.split(".").slice(0, -1).join(".");
	if (home !== void 0) return home === "" ? `\`${key}\` belongs at the top level.` : `\`${key}\` belongs in \`${home}\`.`;
	return `Remove it. Known keys: ${known.join(", ")}.`;
}
function nearest$1(name, names) {
	if (names.length === 0 || name.length > 64) return null;
	const plain = (text) => text.toLowerCase().replaceAll(/[-_ ]/g, "");
	const same = names.find((candidate) => plain(candidate) === plain(name));
	if (same) return same;
	const near = (0, import_fastest_levenshtein.closest)(name.toLowerCase(), [...names]);
	return (0, import_fastest_levenshtein.distance)(name.toLowerCase(), near) <= Math.max(1, Math.floor(near.length / 3)) ? near : null;
}
const MOST_ISSUES = 100;
function schemaBreaches(value, written) {
	const parsed = manifestSchema.safeParse(value);
	if (parsed.success) return [];
	const { issues } = parsed.error;
	const told = withoutMisspelt(issues.slice(0, MOST_ISSUES).flatMap((issue) => breachesOf(issue, value, written)));
	if (issues.length <= MOST_ISSUES) return told;
	const more = `${showNumber(issues.length - MOST_ISSUES)} more fields are wrong`;
	return [...told, {
		rule: SCHEMA_RULES.type,
		path: [],
		message: more
	}];
}
function breachesOf(issue, root, written) {
	const path = issue.path.filter((part) => typeof part !== "symbol");
	const value = valueAt(root, path);
	if (issue.code === "unrecognized_keys") return unknownKeys(path, issue.keys, knownKeys(path, root), valueAt(root, path));
	const field = fieldAt(path, root);
	if (value === void 0) return [missing$1(path, field)];
	if (issue.code === "invalid_type") return [wrongType(path, value, issue.expected, written(path))];
	if (issue.code === "too_small" || issue.code === "too_big") return [outOfRange(path, value, issue, field)];
	if (issue.code === "invalid_value") return [notAChoice(path, value, issue.values.map(String))];
	if (issue.code === "invalid_union") {
		const meant = isMapping$1(value) ? issuesOfMapping(issue) : [];
		if (meant.length === 0) return [noOption(path, value, field)];
		return meant.flatMap((one) => breachesOf({
			...one,
			path: [...issue.path, ...one.path]
		}, root, written));
	}
	if (issue.code === "invalid_key") return [wrongKey(path)];
	return [wrongFormat(path, value, field)];
}
function wrongKey(path) {
	const isHeader = path.at(-2) === "headers";
	const what = isHeader ? "a header" : "an environment variable";
	const hint = isHeader ? "Use letters, digits and !#$%&'*+.^_`|~- alone." : "Use letters, digits and `_`, no digit first.";
	return {
		rule: SCHEMA_RULES.format,
		path,
		at: "key",
		message: `${showValue(path.at(-1))} is no name of ${what}`,
		hint
	};
}
function issuesOfMapping(issue) {
	const ofMappings = issue.errors.filter((errors) => errors.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"));
	return ofMappings.length === 1 ? ofMappings[0] ?? [] : [];
}
function valueAt(root, path) {
	return path.reduce((value, part) => {
		if (Array.isArray(value)) return value[Number(part)];
		return isMapping$1(value) && Object.hasOwn(value, part) ? value[String(part)] : void 0;
	}, root);
}
function fieldAt(path, root) {
	let field = fieldOf(manifestSchema);
	for (const [depth, part] of path.entries()) {
		const item = itemsOf(field.core);
		const here = valueAt(root, path.slice(0, depth));
		const shapes = mappingsOf(field.core, here).length > 0 ? mappingsOf(field.core, here) : mappingsOf(field.core);
		const child = item ?? shapes.map((mapping) => ownField(mapping, String(part))).find((found) => found !== void 0);
		if (!child) return field.tag && shapes.length === 0 ? {
			...field,
			description: null
		} : null;
		const next = fieldOf(child);
		field = {
			...next,
			tag: next.tag ?? field.tag
		};
	}
	return field;
}
function ownField(mapping, key) {
	const shape = shapeOf(mapping);
	return Object.hasOwn(shape, key) ? shape[key] : void 0;
}
function missing$1(path, field) {
	const name = String(path.at(-1) ?? "");
	const meaning = field?.description ? `: ${field.description}` : ".";
	return {
		rule: SCHEMA_RULES.missing,
		path,
		message: `\`${showPath(path)}\` is missing`,
		hint: `State \`${name}\`${meaning}`
	};
}
const WORDS = {
	string: "text",
	number: "a number",
	int: "a whole number",
	boolean: "true or false",
	object: "a mapping",
	record: "a mapping",
	array: "a list",
	tuple: "a list of two numbers"
};
function wrongType(path, value, expected, written) {
	const wanted = WORDS[expected] ?? expected;
	const message = `\`${showPath(path)}\` is ${showType(value)} where ${wanted} is expected`;
	return {
		rule: SCHEMA_RULES.type,
		path,
		message,
		hint: typeHint(value, expected, written)
	};
}
function typeHint(value, expected, written) {
	if (expected === "string" && (typeof value === "number" || typeof value === "boolean")) return `Quote it: ${showValue(written ?? String(value))}. Unquoted, YAML reads a ${typeof value}.`;
	if (value === null) return "Write a value after the colon, or remove the key.";
	if ((expected === "number" || expected === "int") && typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) return `Remove the quotes: ${value.trim()}.`;
	if (expected === "boolean") return "Write true or false: yes, no, on and off are text.";
	return `Write ${WORDS[expected] ?? expected}.`;
}
function showType(value) {
	if (value === null) return "empty";
	if (typeof value === "string") return `the text ${showValue(value)}`;
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	return showValue(value);
}
function outOfRange(path, value, issue, field) {
	const meaning = field?.description;
	const isSmall = issue.code === "too_small";
	const limit = Number(isSmall ? issue.minimum : issue.maximum);
	const name = `\`${showPath(path)}\``;
	if (issue.origin === "string") return {
		rule: SCHEMA_RULES.range,
		path,
		message: `${name} is empty`,
		hint: "Write a value."
	};
	if (issue.origin === "array" && Array.isArray(value)) {
		const message = `${name} has ${value.length} entries; ${isSmall ? "at least" : "at most"} ${limit} are expected`;
		return {
			rule: SCHEMA_RULES.range,
			path,
			message,
			...meaning ? { hint: `It is: ${meaning}` } : {}
		};
	}
	const bound = isSmall ? issue.inclusive ? "at least" : "more than" : issue.inclusive ? "at most" : "less than";
	const message = `${name} is ${showValue(value)}; it must be ${bound} ${showNumber(limit)}`;
	const hint = !isSmall && limit === 1 && typeof value === "number" && value <= 100 ? `Shares lie between 0 and 1: ${value} % is ${value / 100}.` : `Write ${bound} ${showNumber(limit)}.`;
	return {
		rule: SCHEMA_RULES.range,
		path,
		message,
		hint
	};
}
function notAChoice(path, value, choices) {
	const message = `\`${showPath(path)}\` is ${showType(value)}; allowed: ${choices.join(", ")}`;
	const near = typeof value === "string" ? nearest$1(value, choices) : null;
	const hint = near ? `Did you mean ${near}?` : `Write ${choices.length === 1 ? choices[0] : `one of ${choices.join(", ")}`}.`;
	return {
		rule: SCHEMA_RULES.choice,
		path,
		message,
		hint
	};
}
function noOption(path, value, field) {
	if (path.at(-1) === "kind") {
		const parent = fieldAt(path.slice(0, -1), {});
		return notAChoice(path, value, parent ? mappingsOf(parent.core).flatMap((mapping) => literalsOf(shapeOf(mapping)["kind"])) : []);
	}
	const meaning = field?.description ?? "See the manifest schema.";
	return {
		rule: SCHEMA_RULES.type,
		path,
		message: `\`${showPath(path)}\` is ${showType(value)}, in none of the forms that it may have`,
		hint: meaning
	};
}
function literalsOf(schema) {
	const core = schema ? fieldOf(schema).core : void 0;
	return core instanceof ZodLiteral ? [...core.values].map(String) : [];
}
function wrongFormat(path, value, field) {
	const meaning = field?.description ?? "";
	const message = `\`${showPath(path)}\` is ${showType(value)}, which has the wrong form`;
	return {
		rule: SCHEMA_RULES.format,
		path,
		message,
		hint: meaning === "" ? SCHEMA_RULES.format.mend : `It is: ${meaning}`
	};
}
function knownKeys(path, root) {
	const field = fieldAt(path, root);
	if (!field) return [];
	const here = mappingsOf(field.core, valueAt(root, path));
	const mappings = here.length > 0 ? here : mappingsOf(field.core);
	return [...new Set(mappings.flatMap((mapping) => Object.keys(shapeOf(mapping))))];
}
function isReservedClassName(name) {
	return name in {} || name === "prototype" || name === "all" || name === "total";
}
const COUNTS = ["client", "class_schedule_counts"];
function namedClasses({ draft }) {
	return (draft.workload ?? []).flatMap((shape, index) => shape?.name === void 0 ? [] : [{
		...shape,
		name: shape.name,
		index
	}]);
}
function isWhole$1({ draft }) {
	return draft.workload !== void 0 && draft.workload.every((shape) => shape?.name !== void 0 && shape.mix !== void 0);
}
function mixSum(input) {
	if (!isWhole$1(input)) return [];
	const sum = namedClasses(input).reduce((total, shape) => total + (shape.mix ?? 0), 0);
	if (Math.abs(sum - 1) <= 1e-9) return [];
	return [{
		path: ["workload"],
		at: "key",
		message: `the classes' mix sums to ${Number(sum.toPrecision(12))}, not to 1`
	}];
}
function duplicates(input) {
	const seen = new Set();
	return namedClasses(input).flatMap(({ name, index }) => {
		const isSecond = seen.has(name);
		seen.add(name);
		return isSecond ? [{
			path: [
				"workload",
				index,
				"name"
			],
			message: `the class ${showValue(name)} stands twice`
		}] : [];
	});
}
function reservedNames(input) {
	return namedClasses(input).flatMap(({ name, index }) => isReservedClassName(name) ? [{
		path: [
			"workload",
			index,
			"name"
		],
		message: `${showValue(name)} cannot be the name of a class`
	}] : []);
}
function countNames(input) {
	const counts = input.draft.client?.class_schedule_counts;
	if (counts === void 0 || !isWhole$1(input)) return [];
	const names = [...new Set(namedClasses(input).map((shape) => shape.name))];
	const known = new Set(names);
	const strangers = Object.keys(counts).filter((name) => !known.has(name));
	const uncounted = names.filter((name) => !Object.hasOwn(counts, name));
	return [...strangers.map((name) => {
		const message = `\`client.class_schedule_counts\` counts ${showValue(name)}, which is no class of the workload`;
		return {
			path: [...COUNTS, name],
			at: "key",
			message,
			hint: `The classes are ${names.slice(0, 20).map((n) => showValue(n)).join(", ")}.`
		};
	}), ...uncounted.map((name) => {
		return {
			path: COUNTS,
			at: "key",
			message: `\`client.class_schedule_counts\` has no count for the class ${showValue(name)}`
		};
	})];
}
function countSum({ draft }) {
	const counts = draft.client?.class_schedule_counts;
	const initial = draft.client?.initial_scheduled_requests;
	if (counts === void 0 || initial === void 0) return [];
	const sum = Object.values(counts).reduce((total, count) => total + count, 0);
	if (sum === initial) return [];
	const message = `the class counts sum to ${showNumber(sum)}, not to initial_scheduled_requests (${showNumber(initial)})`;
	return [{
		path: COUNTS,
		at: "key",
		message
	}];
}
function countsAgainstMix(input) {
	const counts = input.draft.client?.class_schedule_counts;
	const initial = input.draft.client?.initial_scheduled_requests;
	if (counts === void 0 || initial === void 0) return [];
	return namedClasses(input).flatMap(({ name, mix }) => {
		const count = Object.hasOwn(counts, name) ? counts[name] : void 0;
		if (count === void 0 || mix === void 0) return [];
		if (Math.abs(count - mix * initial) < 1 + 1e-9 * initial) return [];
		const message = `the class ${showValue(name)} has ${showNumber(count)} requests; its mix ${mix} of ${showNumber(initial)} is ${showNumber(mix * initial)}`;
		return [{
			path: [...COUNTS, name],
			message
		}];
	});
}
function longerThanModel(input) {
	const longest = input.draft.model?.max_model_len;
	if (longest === void 0) return [];
	return namedClasses(input).flatMap((shape) => {
		const { input_tokens = 0, output_tokens = 0, session } = shape;
		const turns = session?.turns ?? 1;
		const total = promptTokensOfTurn({
			input_tokens,
			output_tokens
		}, turns - 1) + output_tokens;
		if (total <= longest) return [];
		const message = `${turns > 1 ? `the last of the ${showNumber(turns)} turns of the class` : "the class"} ${showValue(shape.name)} needs ${showNumber(total)} tokens of context; model.max_model_len is ${showNumber(longest)}`;
		return [{
			path: [
				"workload",
				shape.index,
				"input_tokens"
			],
			message
		}];
	});
}
function cutoffUnits(input) {
	return namedClasses(input).flatMap((shape) => {
		const small = (name, least) => {
			const value = shape[name];
			if (value === void 0 || value >= least) return [];
			const message = `${name} of the class ${showValue(shape.name)} is ${value} ms, which looks like seconds`;
			return [{
				path: [
					"workload",
					shape.index,
					name
				],
				message,
				hint: `If seconds were meant, write ${showNumber(value * 1e3)}.`
			}];
		};
		return [...small("request_ttft_cutoff_ms", 5), ...small("request_tpot_cutoff_ms", .2)];
	});
}
function endToEndCutoff(input) {
	return namedClasses(input).flatMap((shape) => {
		const { request_e2e_cutoff_ms: endMs, request_ttft_cutoff_ms: firstMs } = shape;
		if (endMs === void 0 || firstMs === void 0 || endMs >= firstMs) return [];
		const message = `request_e2e_cutoff_ms of the class ${showValue(shape.name)} is ${endMs} ms, below its TTFT cutoff of ${firstMs} ms`;
		return [{
			path: [
				"workload",
				shape.index,
				"request_e2e_cutoff_ms"
			],
			message
		}];
	});
}
function emptyClass(input) {
	return namedClasses(input).flatMap(({ mix, name, index }) => mix === 0 ? [{
		path: [
			"workload",
			index,
			"mix"
		],
		message: `the class ${showValue(name)} has a mix of 0: it gets no requests`
	}] : []);
}
const error$9 = {
	level: "valid",
	severity: "error"
};
const WORKLOAD_RULES = [
	{
		id: "mix-sum",
		title: "The classes' mix does not sum to 1",
		...error$9,
		why: "The mix is the share of each class in the arrivals; shares of a whole sum to 1 (within 1e-9).",
		mend: "Correct the shares.",
		check: mixSum
	},
	{
		id: "mix-zero",
		title: "A class has no share",
		...error$9,
		why: "A class without requests never passes, so that no point ever would.",
		mend: "Remove the class, or give it a share.",
		check: emptyClass
	},
	{
		id: "duplicate-class",
		title: "Two classes have one name",
		...error$9,
		why: "Results are told by class name; two of one name would be mixed.",
		mend: "Rename one of them.",
		check: duplicates
	},
	{
		id: "reserved-class-name",
		title: "A class has a reserved name",
		...error$9,
		why: "`all` and `total` stand for every class in reports, and names like `constructor` change objects in careless programs.",
		mend: "Choose another name.",
		check: reservedNames
	},
	{
		id: "count-names",
		title: "Class counts and workload name different classes",
		...error$9,
		why: "The schedule has exactly the counted requests of each class; a class without a count would get none.",
		mend: "Give each class of the workload its count, and no other.",
		check: countNames
	},
	{
		id: "count-sum",
		title: "The class counts do not sum to the initial requests",
		...error$9,
		why: "One of the two numbers is wrong, and both are frozen into the schedule.",
		mend: "Make initial_scheduled_requests the sum of class_schedule_counts.",
		check: countSum
	},
	{
		id: "count-mix",
		title: "A class count disagrees with the mix",
		...error$9,
		why: "Counts decide the schedule, the mix decides warm-up and extension: they must describe one workload (counts are mix × initial requests, rounded).",
		mend: "Correct the count or the mix.",
		check: countsAgainstMix
	},
	{
		id: "longer-than-model",
		title: "A class is longer than the model allows",
		...error$9,
		why: "The engine refuses a request whose input and output together exceed max_model_len: the whole class would fail.",
		mend: "Raise model.max_model_len, or shorten the class or its sessions.",
		check: longerThanModel
	},
	{
		id: "cutoff-unit",
		title: "A cutoff looks like seconds",
		level: "valid",
		severity: "warning",
		why: "Cutoffs are milliseconds. One that no engine can meet fails every point.",
		mend: "Write the cutoff in milliseconds.",
		check: cutoffUnits
	},
	{
		id: "e2e-below-ttft",
		title: "The end-to-end cutoff is shorter than the one for the first token",
		...error$9,
		why: "A request ends after its first token: the TTFT cutoff could never matter.",
		mend: "Correct one of the two.",
		check: endToEndCutoff
	}
];
const TOOTHLESS = [
	["class_slo_attainment_min", 0],
	["attempted_attainment_min", 0],
	["error_rate_max", 1],
	["class_error_rate_max", 1],
	["capacity_tolerance", 1]
];
function cannotFail({ draft }) {
	return TOOTHLESS.flatMap(([name, toothless]) => {
		if (draft.acceptance?.[name] !== toothless) return [];
		return [{
			path: ["acceptance", name],
			message: `\`acceptance.${name}\` is ${toothless}: it can never fail`
		}];
	});
}
function queueNotFlat({ raw }) {
	const path = ["acceptance", "queue_trend_required"];
	const value = valueAt(raw, path);
	if (value === void 0 || value === "flat") return [];
	return [{
		path,
		message: `\`${showPath(path)}\` is ${showValue(value)}; only flat is a capacity`
	}];
}
function noUtilization({ draft }) {
	if (draft.acceptance?.target_utilization !== 0) return [];
	return [{
		path: ["acceptance", "target_utilization"],
		message: "`acceptance.target_utilization` is 0: no number of replicas would do"
	}];
}
function tolerance({ draft }) {
	const value = draft.acceptance?.capacity_tolerance;
	const path = ["acceptance", "capacity_tolerance"];
	if (value === 0) return [{
		path,
		message: "`acceptance.capacity_tolerance` is 0: any noise is a regression"
	}];
	if (value === void 0 || value <= .2 || value === 1) return [];
	return [{
		path,
		message: `\`acceptance.capacity_tolerance\` is ${value}: a loss of ${showNumber(value * 100)} % would be held`
	}];
}
function clientUnproven({ draft }) {
	const required = draft.acceptance?.required_evidence;
	if (required === void 0) return [];
	return ["client", "queue"].flatMap((group) => {
		if (required.includes(group)) return [];
		return [{
			path: ["acceptance", "required_evidence"],
			message: `\`acceptance.required_evidence\` does not name ${group}`
		}];
	});
}
function blindSpot(input) {
	const acceptance = input.draft.acceptance;
	if (acceptance?.error_rate_max === void 0) return [];
	if (acceptance.class_error_rate_max !== void 0 || acceptance.attempted_attainment_min !== void 0) return [];
	const smallest = namedClasses(input).flatMap(({ name, mix }) => mix !== void 0 && mix > 0 ? [{
		name,
		mix
	}] : []).toSorted((a, b) => a.mix - b.mix)[0];
	if (!smallest || smallest.mix > .5) return [];
	const lost = Math.min(1, acceptance.error_rate_max / smallest.mix);
	if (lost <= acceptance.error_rate_max) return [];
	return [{
		path: ["acceptance", "error_rate_max"],
		message: `an error rate of ${showNumber(acceptance.error_rate_max * 100)} % over all lets the class ${showValue(smallest.name)} lose ${showNumber(lost * 100)} % of its requests`
	}];
}
const error$8 = {
	level: "valid",
	severity: "error"
};
const warning = {
	level: "valid",
	severity: "warning"
};
const ACCEPTANCE_RULES = [
	{
		id: "gate-cannot-fail",
		title: "A limit is set where it can never fail",
		...error$8,
		why: "A gate that passes everything is worse than none: it is believed.",
		mend: "Set a limit that means something: attainment 0.95, errors 0.01, tolerance 0.04.",
		check: cannotFail
	},
	{
		id: "queue-trend-not-flat",
		title: "A growing queue is accepted",
		...error$8,
		why: "A queue that grows has no steady state; the rate is above capacity, however good its latencies still are.",
		mend: "Set acceptance.queue_trend_required to flat.",
		check: queueNotFlat
	},
	{
		id: "no-utilization",
		title: "The target utilization is 0",
		...error$8,
		why: "Replicas are computed by dividing by it.",
		mend: "Use 0.75, which keeps a quarter in reserve.",
		check: noUtilization
	},
	{
		id: "tolerance-extreme",
		title: "The tolerated loss is none, or very large",
		...warning,
		why: "Two boots of one engine differ by about a percent; a tolerance under three times that spread calls noise a regression, a large one calls a regression held.",
		mend: "Use 0.04.",
		check: tolerance
	},
	{
		id: "evidence-not-required",
		title: "Client or queue evidence is not required",
		...warning,
		why: "Without proof that the client kept its schedule, a slow client is taken for a slow engine; without the queue, overload passes.",
		mend: "Name identity, client, queue, cache_hit and stability in acceptance.required_evidence.",
		check: clientUnproven
	},
	{
		id: "error-blind-spot",
		title: "A small class may fail unseen",
		level: "deployable",
		severity: "warning",
		why: "The error limit is over all requests: every one of them may fall on the smallest class, which still passes on its few successes.",
		mend: "Set acceptance.class_error_rate_max, or acceptance.attempted_attainment_min.",
		check: blindSpot
	}
];
const PATTERN = ["client", "arrival_pattern"];
const SECTIONS$1 = [
	"gamma",
	"burst",
	"ramp",
	"trace"
];
const CAPS = [
	"concurrency",
	"max_concurrency",
	"concurrency_limit",
	"max_in_flight",
	"max_inflight",
	"max_outstanding",
	"max_connections",
	"max_concurrent_requests"
];
const CAPPED = [
	["client"],
	["client", "connection"],
	["sweep"]
];
function sectionMissing({ raw, draft }) {
	const pattern = SECTIONS$1.find((name) => name === draft.client?.arrival_pattern);
	if (pattern === void 0 || valueAt(raw, ["client", pattern]) !== void 0) return [];
	return [{
		path: PATTERN,
		message: `\`client.arrival_pattern\` is ${pattern}, and there is no \`client.${pattern}\``
	}];
}
function sectionUnused({ raw, draft }) {
	const pattern = draft.client?.arrival_pattern;
	if (pattern === void 0) return [];
	return SECTIONS$1.flatMap((name) => {
		if (name === pattern || valueAt(raw, ["client", name]) === void 0) return [];
		const message = `\`client.${name}\` is given, but \`client.arrival_pattern\` is ${pattern}`;
		return [{
			path: ["client", name],
			at: "key",
			message
		}];
	});
}
function rateByChance({ draft }) {
	const shape = draft.client?.gamma?.shape;
	const initial = draft.client?.initial_scheduled_requests;
	const tolerance = draft.acceptance?.capacity_tolerance;
	if (shape === void 0 || initial === void 0 || tolerance === void 0) return [];
	const deviation = Math.sqrt(1 / (shape * initial));
	if (deviation <= tolerance) return [];
	return [{
		path: [
			"client",
			"gamma",
			"shape"
		],
		message: `the mean rate of ${showNumber(initial)} requests with gaps of shape ${shape} lies ${(deviation * 100).toFixed(1)} % (one standard deviation) off the rate that is asked for`
	}];
}
function rampOfNothing({ draft }) {
	const { from, to } = draft.client?.ramp ?? {};
	if (from !== 0 || to !== 0) return [];
	return [{
		path: ["client", "ramp"],
		at: "key",
		message: "`client.ramp` goes from 0 to 0: no request ever comes"
	}];
}
function risingRamp({ draft }) {
	const { from, to } = draft.client?.ramp ?? {};
	if (from === void 0 || to === void 0 || draft.client?.arrival_pattern !== "ramp" || to <= from) return [];
	return [{
		path: ["client", "ramp"],
		at: "key",
		message: `the rate rises from ${showNumber(from)} to ${showNumber(to)}, and the requests in flight with it: the queue's trend will be growing`
	}];
}
function traceHasLengths(input) {
	if (input.draft.client?.arrival_pattern !== "trace") return [];
	const sessions = namedClasses(input).flatMap(({ name, session, index }) => session === void 0 ? [] : [{
		path: [
			"workload",
			index,
			"session"
		],
		at: "key",
		message: `the class ${showValue(name)} has sessions, but the trace gives each request its own length`
	}]);
	if (input.draft.client.dataset === void 0) return sessions;
	const message = "prompts are made of a dataset, but the trace gives each request its own length";
	return [...sessions, {
		path: ["client", "dataset"],
		at: "key",
		message
	}];
}
function concurrencyCap({ raw }) {
	return CAPPED.flatMap((path) => {
		const section = valueAt(raw, path);
		if (!isMapping$1(section)) return [];
		return CAPS.filter((key) => Object.hasOwn(section, key)).map((key) => {
			const message = `\`${showPath([...path, key])}\` would cap the requests in flight beside a rate`;
			return {
				path: [...path, key],
				at: "key",
				message
			};
		});
	});
}
function thinkTimeUnused({ draft }) {
	const seconds = draft.client?.closed_loop_think_seconds ?? 0;
	if (seconds === 0 || (draft.sweep?.saturation_concurrency ?? []).length > 0) return [];
	return [{
		path: ["client", "closed_loop_think_seconds"],
		message: `\`client.closed_loop_think_seconds\` is ${showNumber(seconds)}, and no closed loop is asked for: it does nothing to a rate`
	}];
}
const error$7 = {
	level: "valid",
	severity: "error"
};
const ARRIVAL_RULES = [
	{
		id: "pattern-section-missing",
		title: "The arrival pattern lacks its section",
		...error$7,
		why: "Gamma, burst, ramp and trace arrivals are not told by their name alone.",
		mend: "Add the section that has the pattern’s name: gamma {shape}, burst {height, width_share, period_requests}, ramp {from, to}, trace {file, sha256, format}.",
		check: sectionMissing
	},
	{
		id: "pattern-section-unused",
		title: "A section belongs to another arrival pattern",
		...error$7,
		why: "It would have no effect, and the reader would think it had.",
		mend: "Remove it, or set client.arrival_pattern to its name.",
		check: sectionUnused
	},
	{
		id: "rate-by-chance",
		title: "The seed decides what rate is offered",
		level: "valid",
		severity: "warning",
		why: "Few requests in clumps have a mean rate of their own. It is the same in baseline and candidate, but a capacity in requests a second is off by as much.",
		mend: "Schedule more requests, or raise client.gamma.shape. The rate that was really offered stands in every report.",
		check: rateByChance
	},
	{
		id: "ramp-of-nothing",
		title: "The ramp has no rate",
		...error$7,
		why: "Both ends are relative to each other; where both are 0 there is nothing to scale to a rate.",
		mend: "Give client.ramp.from or to a number above 0.",
		check: rampOfNothing
	},
	{
		id: "ramp-rises",
		title: "The ramp rises",
		level: "valid",
		severity: "warning",
		why: "Requests in flight are rate times latency. While the rate rises they do too, at any load: a point is never flat, and no capacity comes of it.",
		mend: "Use a rising ramp to look at an engine, by replay. For a capacity choose poisson, or let the ramp fall.",
		check: risingRamp
	},
	{
		id: "trace-has-lengths",
		title: "A trace is combined with what has lengths of its own",
		...error$7,
		why: "A trace says how long each prompt and answer is. Turns of a session grow by their history, and texts are as long as they are.",
		mend: "Remove sessions and dataset, or draw the arrivals from another pattern.",
		check: traceHasLengths
	},
	{
		id: "concurrency-cap",
		title: "Requests in flight are capped beside a rate",
		...error$7,
		why: "An open loop has no cap: one that waits for a place sends late just when the engine is slow, so that an overload hides itself.",
		mend: "Remove it. Closed-loop points are asked for by sweep.saturation_concurrency, or replay --concurrency.",
		check: concurrencyCap
	},
	{
		id: "think-time-unused",
		title: "A think time is given beside rates alone",
		level: "valid",
		severity: "warning",
		why: "Open-loop requests are due by the schedule, whatever the ones before them do. Only a place of a closed loop stays empty for it.",
		mend: "Remove client.closed_loop_think_seconds, or ask for a closed loop by sweep.saturation_concurrency (or replay --concurrency). Turns of a session have session.think_seconds.",
		check: thinkTimeUnused
	}
];
const HALLMARKS = [
	"load_mode",
	"concurrency",
	"request_count",
	"num_requests",
	"num_prompts",
	"prompts",
	"prefix_cache",
	"clear_cache_before_run",
	"warmup_requests",
	"report",
	"model_revision",
	"engine_version"
];
const SECTIONS = [
	"model",
	"engine",
	"client",
	"workload",
	"acceptance"
];
const FEW_REQUESTS = 2e3;
function isFlatBenchmark(raw) {
	if (!isMapping$1(raw)) return false;
	return HALLMARKS.filter((key) => Object.hasOwn(raw, key)).length >= 3 && !SECTIONS.some((key) => typeof raw[key] === "object" && raw[key] !== null);
}
function onFlat(check) {
	return ({ raw }) => isFlatBenchmark(raw) ? check(raw) : [];
}
function at(flat, ...keys) {
	const key = keys.find((name) => Object.hasOwn(flat, name));
	return key === void 0 ? { path: [] } : {
		path: [key],
		at: "key"
	};
}
function words(value) {
	return (Array.isArray(value) ? value : [value]).filter((word) => typeof word === "string").map((word) => word.toLowerCase());
}
function concurrencyOnly(flat) {
	const hasRate = [
		"request_rate",
		"rate",
		"rates",
		"rates_rps",
		"rate_rps"
	].some((key) => Object.hasOwn(flat, key));
	if (!(words(flat["load_mode"]).some((mode) => /concurrency|closed/.test(mode)) || Object.hasOwn(flat, "concurrency")) || hasRate) return [];
	return [{
		...at(flat, "load_mode", "concurrency"),
		message: "traffic is bounded by concurrency only: it slows down with the engine, and tests no arrival rate"
	}];
}
function tooFew(flat) {
	const place = at(flat, "request_count", "num_requests", "num_prompts");
	const count = flat[String(place.path[0] ?? "")];
	if (typeof count === "number" && count >= FEW_REQUESTS) return [];
	const what = typeof count === "number" ? `${showNumber(count)} requests` : "an unstated number of requests";
	return [{
		...place,
		message: `${what} give almost no evidence of the tail`
	}];
}
function mixedCache(flat) {
	const repeats = words(flat["prompts"]).some((prompt) => /repeat|same|single|identical/.test(prompt));
	const isUncleared = flat["clear_cache_before_run"] === false && flat["prefix_cache"] !== "disabled";
	if (!repeats && !isUncleared) return [];
	const what = [...repeats ? ["repeated prompts"] : [], ...isUncleared ? ["a cache that is not cleared"] : []].join(" and ");
	return [{
		...at(flat, "prompts", "clear_cache_before_run", "prefix_cache"),
		message: `${what} mix cold and warm states into one number`
	}];
}
function meansOnly(flat) {
	const report = words(flat["report"]);
	if (report.some((name) => /class/.test(name)) && report.some((name) => /^p\d\d|attainment|percentile/.test(name))) return [];
	const what = report.some((name) => /mean|avg|average/.test(name)) ? "means hide" : "what is reported hides";
	return [{
		...at(flat, "report"),
		message: `${what} the tail, and the failure of a single class`
	}];
}
const TOLD = [
	["errors", /error|fail|reject/],
	["queue growth", /queue|waiting/],
	["cancellations", /cancel|abort/],
	["cache state", /cache|hit/]
];
function failuresAbsent(flat) {
	const report = words(flat["report"]);
	const absent = TOLD.filter(([, pattern]) => !report.some((name) => pattern.test(name))).map(([name]) => name);
	if (absent.length === 0) return [];
	return [{
		...at(flat, "report"),
		message: `${absent.join(", ")} ${absent.length === 1 ? "is" : "are"} not reported`
	}];
}
function mutableVersions(flat) {
	const moving = Object.entries(flat).filter(([key, value]) => /revision|version|image/.test(key) && /^(?:.*[:/])?(?:latest|main|master|nightly|head|dev|stable|edge)$/i.test(String(value)));
	const first = moving[0];
	if (!first) return [];
	const named = moving.map(([key, value]) => `${key} ${showValue(value)}`).join(" and ");
	return [{
		path: [first[0]],
		at: "key",
		message: `${named} can move: the run cannot be reproduced`
	}];
}
const error$6 = {
	level: "valid",
	severity: "error"
};
const BROKEN_BENCHMARK_RULES = [
	{
		id: "benchmark-concurrency-only",
		title: "Load is bounded by concurrency only",
		...error$6,
		why: "A closed loop issues work only when earlier work completes. As latency rises arrivals slow down, so that an overload never shows and no independent arrival rate is validated.",
		mend: "Measure at offered rates (sweep.rates_rps); keep concurrency for finding saturation (sweep.saturation_concurrency).",
		check: onFlat(concurrencyOnly)
	},
	{
		id: "benchmark-too-few-requests",
		title: "Too few requests",
		...error$6,
		why: "Of a hundred requests one is the last percent: there is no tail to speak of, and none for each class.",
		mend: "Schedule thousands, with a floor for each class: client.initial_scheduled_requests, acceptance.min_successful_samples_per_class.",
		check: onFlat(tooFew)
	},
	{
		id: "benchmark-mixed-cache",
		title: "Cold and warm cache are mixed",
		...error$6,
		why: "Repeated prompts hit the prefix cache more and more; without clearing it each run starts where the last one ended. The average of two states describes neither.",
		mend: "Declare cache.cold and cache.warm, and measure them apart.",
		check: onFlat(mixedCache)
	},
	{
		id: "benchmark-means-only",
		title: "Only means are reported",
		...error$6,
		why: "A mean looks healthy while a tail, or a whole class of small volume, misses its target.",
		mend: "Give each class of the workload its cutoffs, and judge the share of requests that meet them.",
		check: onFlat(meansOnly)
	},
	{
		id: "benchmark-failures-absent",
		title: "Failures are not reported",
		...error$6,
		why: "Throughput without errors, queue growth, cancellations and cache state counts work that nobody got.",
		mend: "Keep a record of every request, and gate on errors and queue: acceptance.error_rate_max, acceptance.queue_trend_required.",
		check: onFlat(failuresAbsent)
	},
	{
		id: "benchmark-mutable-versions",
		title: "Versions can move",
		...error$6,
		why: "`latest` is another engine tomorrow: the number cannot be reproduced, nor compared with another.",
		mend: "Pin model.revision, model.tokenizer_revision and the engine exactly.",
		check: onFlat(mutableVersions)
	}
];
const PERIOD = [
	"client",
	"burst",
	"period_requests"
];
const FEW_PERIODS = 10;
const MOST_BLOCKS = 20;
function burstTooTall({ draft }) {
	const { height, width_share: share } = draft.client?.burst ?? {};
	if (height === void 0 || share === void 0 || height * share <= 1 + 1e-12) return [];
	return [{
		path: [
			"client",
			"burst",
			"height"
		],
		message: `bursts of ${height} times the mean rate for ${share} of the time are ${showNumber(height * share)} times the mean: there is nothing left for the rest`,
		hint: `Lower the height to ${showNumber(Math.floor(1e3 / share) / 1e3)} or less, or make bursts shorter.`
	}];
}
function fewBursts({ draft }) {
	const period = draft.client?.burst?.period_requests;
	const initial = draft.client?.initial_scheduled_requests;
	if (period === void 0 || initial === void 0 || initial >= FEW_PERIODS * period || initial < period) return [];
	const message = `bursts come every ${showNumber(period)} requests: ${showNumber(initial)} initial requests have ${showNumber(initial / period)} of them`;
	return [{
		path: PERIOD,
		message
	}];
}
function burstNotWhole({ draft }) {
	const period = draft.client?.burst?.period_requests;
	const initial = draft.client?.initial_scheduled_requests;
	if (period === void 0 || initial === void 0 || initial >= period) return [];
	const message = `bursts come every ${period} requests, and there are ${showNumber(initial)} initial requests: not one whole period`;
	return [{
		path: PERIOD,
		message
	}];
}
function meanRate(burst, requests) {
	const { height, share, period } = burst;
	const rest = requests % period;
	const lullRate = Math.max(0, (1 - height * share) / (1 - share));
	const halfLull = (1 - share) / 2 * period;
	const beforeBurst = lullRate * halfLull;
	const inBurst = Math.min(Math.max(0, rest - beforeBurst), height * share * period);
	const inLull = rest - inBurst;
	return requests / (requests - rest + inBurst / height + (lullRate === 0 ? rest > 0 ? halfLull : 0 : inLull / lullRate));
}
function burstCut({ draft }) {
	const { height, width_share: share, period_requests: period } = draft.client?.burst ?? {};
	const { initial_scheduled_requests: initial, extension_requests: block = 0, extension_blocks: blocks = 1 } = draft.client ?? {};
	const tolerance = 1 - (draft.client?.offered_rate_min_share ?? NaN);
	if (height === void 0 || share === void 0 || period === void 0 || initial === void 0) return [];
	if (initial < period || height * share > 1) return [];
	const cohorts = Array.from({ length: block === 0 ? 1 : Math.min(blocks, MOST_BLOCKS) + 1 }, (_, index) => initial + index * block);
	const offBy = (requests) => meanRate({
		height,
		share,
		period
	}, requests) - 1;
	const worst = cohorts.reduce((most, requests) => Math.abs(offBy(requests)) > Math.abs(offBy(most)) ? requests : most);
	const off = offBy(worst);
	if (!(Math.abs(off) > tolerance)) return [];
	const side = off < 0 ? "below" : "above";
	const message = `bursts come every ${showNumber(period)} requests: ${showNumber(worst)} requests cut the last period, and their mean rate lies ${(Math.abs(off) * 100).toFixed(1)} % ${side} the one that is asked for`;
	return [{
		path: PERIOD,
		message,
		...block === 0 ? { hint: wholePeriods(initial, period) } : {}
	}];
}
function wholePeriods(initial, period) {
	const periods = Math.round(initial / period);
	return `Write ${showNumber(initial / periods)}: ${showNumber(initial)} requests then have ${showNumber(periods)} whole periods.`;
}
const error$5 = {
	level: "valid",
	severity: "error"
};
const BURST_RULES = [
	{
		id: "burst-above-mean",
		title: "Bursts alone exceed the mean rate",
		...error$5,
		why: "The offered rate is the mean over a whole period: height × width_share is the part of it that falls into the burst, and no more than all of it can.",
		mend: "Lower client.burst.height or width_share until their product is at most 1.",
		check: burstTooTall
	},
	{
		id: "burst-longer-than-cohort",
		title: "The cohort ends within its first burst period",
		...error$5,
		why: "The rate is the mean over whole periods. A part of one has another: a third of it, or four times as much.",
		mend: "Shorten client.burst.period_requests to a tenth of the initial requests or less, or schedule more requests.",
		check: burstNotWhole
	},
	{
		id: "few-bursts",
		title: "A cohort has few bursts",
		level: "valid",
		severity: "warning",
		why: "What bursts do is then told by a handful of them, and the queue trend by where the last one falls.",
		mend: "Shorten client.burst.period_requests to a tenth of the initial requests or less, or schedule more requests.",
		check: fewBursts
	},
	{
		id: "burst-cut",
		title: "The last burst period is cut",
		level: "valid",
		severity: "warning",
		why: "The rate is the mean over whole periods. What is left of the last one has another, and draws the mean of the whole cohort to its side: a capacity in requests a second is off by as much. It is the same in baseline and candidate.",
		mend: "Choose a client.burst.period_requests that divides the initial requests and the extension block without a rest.",
		check: burstCut
	}
];
function datasetAsIds({ draft }) {
	if (draft.client?.dataset === void 0 || draft.client.prompt !== "token_ids") return [];
	return [{
		path: ["client", "dataset"],
		at: "key",
		message: "`client.dataset` holds texts, but `client.prompt` is token_ids"
	}];
}
function oneLength(input) {
	if (input.draft.client?.dataset?.format !== "text") return [];
	const lengths = new Set(namedClasses(input).flatMap(({ input_tokens: tokens }) => tokens ?? []));
	if (lengths.size <= 1) return [];
	return [{
		path: ["client", "dataset"],
		at: "key",
		message: `every class takes its texts from one file, but their input_tokens differ: ${[...lengths].map(showNumber).join(", ")}`
	}];
}
function planned$1({ draft }) {
	const cancellation = draft.client?.cancellation;
	if (cancellation === void 0 || cancellation === "none") return null;
	const { share, after_tokens: afterTokens } = cancellation;
	return share === void 0 || afterTokens === void 0 ? null : {
		share,
		afterTokens
	};
}
function cancelledAsFailures(input) {
	const cancellation = planned$1(input);
	if (cancellation === null || input.draft.acceptance?.planned_cancellations !== "failures") return [];
	return [{
		path: ["client", "cancellation"],
		at: "key",
		message: `${showNumber(cancellation.share * 100)} % of the requests are planned to be left, and \`acceptance.planned_cancellations\` counts them as failures`
	}];
}
function neverCancelled(input) {
	const cancellation = planned$1(input);
	const classes = namedClasses(input);
	if (cancellation === null || classes.length === 0) return [];
	const { afterTokens } = cancellation;
	if (classes.some(({ output_tokens: tokens }) => tokens === void 0 || tokens > afterTokens)) return [];
	return [{
		path: ["client", "cancellation"],
		at: "key",
		message: `requests are to be left after ${showNumber(afterTokens)} tokens, and no class has more`
	}];
}
function cancelledShare(input, outputTokens) {
	const cancellation = planned$1(input);
	if (cancellation === null || outputTokens === void 0) return 0;
	return outputTokens > cancellation.afterTokens ? cancellation.share : 0;
}
function meanTokens(input) {
	const sum = {
		input: 0,
		prefix: 0,
		repeated: 0
	};
	const warm = input.draft.cache?.warm?.tokens ?? 0;
	for (const { mix, input_tokens, output_tokens, session } of namedClasses(input)) {
		const { turns = 1, history = "synthetic" } = session ?? {};
		if (mix === void 0 || input_tokens === void 0 || output_tokens === void 0) return null;
		const { inputTokens, repeatedTokens, requests } = sessionTokens({
			input_tokens,
			output_tokens,
			session: {
				turns,
				concurrent: 1,
				think_seconds: 0,
				history
			}
		});
		sum.input += mix * inputTokens / requests;
		sum.repeated += mix * repeatedTokens / requests;
		sum.prefix += mix * warm / requests;
	}
	return sum.input > 0 ? sum : null;
}
const error$4 = {
	level: "valid",
	severity: "error"
};
const PROMPT_RULES = [
	{
		id: "dataset-needs-text",
		title: "A dataset’s texts cannot be sent as token ids",
		...error$4,
		why: "Nothing here knows the tokenizer: texts go to the engine as text.",
		mend: "Set client.prompt to text, or remove client.dataset.",
		check: datasetAsIds
	},
	{
		id: "dataset-of-one-length",
		title: "Classes of different lengths share one text file",
		...error$4,
		why: "The engine’s count of each prompt must lie within length_tolerance of its class’s input_tokens; one set of texts cannot suit two lengths.",
		mend: "Use format jsonl and name each text’s class in its field `class`, or give the classes one length.",
		check: oneLength
	},
	{
		id: "cancellations-as-failures",
		title: "Planned cancellations count as failures",
		...error$4,
		why: "Every one of them would count against error rates and attainment, as if the engine had failed: a point fails by its own plan.",
		mend: "Set acceptance.planned_cancellations to excluded, or client.cancellation to none.",
		check: cancelledAsFailures
	},
	{
		id: "cancellation-never-comes",
		title: "No request is long enough to be left as planned",
		level: "valid",
		severity: "warning",
		why: "A request is left only where it has more output tokens than cancellation.after_tokens.",
		mend: "Lower client.cancellation.after_tokens.",
		check: neverCancelled
	}
];
const FEWEST_IDS = 16;
const FEW_IDS = 1e3;
function notDeclared$1({ raw }) {
	if (valueAt(raw, ["cache", "cold"]) !== void 0 || valueAt(raw, ["cache", "warm"]) !== void 0) return [];
	return [{
		path: ["cache"],
		at: "key",
		message: "no cache state is declared: neither `cache.cold` nor `cache.warm`"
	}];
}
function idsNotDeclared({ raw, draft }) {
	if (valueAt(raw, ["model", "prompt_token_ids"]) !== void 0 || draft.client?.prompt === "text") return [];
	return [{
		path: ["model", "prompt_token_ids"],
		at: "key",
		message: "`model.prompt_token_ids` is not declared"
	}];
}
function idRange({ draft }) {
	const range = draft.model?.prompt_token_ids;
	if (range === void 0 || range[1] - range[0] >= FEWEST_IDS) return [];
	return [{
		path: ["model", "prompt_token_ids"],
		message: `\`model.prompt_token_ids\` [${range[0]}, ${range[1]}) has ${Math.max(0, range[1] - range[0])} ids; at least ${FEWEST_IDS} are needed`
	}];
}
function fewIds({ draft }) {
	const range = draft.model?.prompt_token_ids;
	if (range === void 0 || range[1] - range[0] < FEWEST_IDS || range[1] - range[0] >= FEW_IDS) return [];
	return [{
		path: ["model", "prompt_token_ids"],
		message: `\`model.prompt_token_ids\` has only ${range[1] - range[0]} ids`
	}];
}
function prefixTooLong(input) {
	const tokens = input.draft.cache?.warm?.tokens;
	if (tokens === void 0) return [];
	return namedClasses(input).flatMap((shape) => {
		if (shape.input_tokens === void 0 || tokens < shape.input_tokens) return [];
		return [{
			path: [
				"cache",
				"warm",
				"tokens"
			],
			message: `warm prefixes have ${showNumber(tokens)} tokens; the class ${showValue(shape.name)} has ${showNumber(shape.input_tokens)} input tokens, prefix included`
		}];
	});
}
function warmWithoutCache({ draft }) {
	if (draft.engine?.prefix_cache !== "disabled" || draft.cache?.warm === void 0) return [];
	return [{
		path: ["cache", "warm"],
		at: "key",
		message: "`cache.warm` is declared, but `engine.prefix_cache` is disabled"
	}];
}
function largestHitRate(input) {
	const mean = input.draft.cache?.warm?.tokens === void 0 ? null : meanTokens(input);
	return mean && (mean.prefix + mean.repeated) / mean.input;
}
function hitRateUnreachable(input) {
	const least = input.draft.cache?.warm?.hit_rate_min;
	const largest = largestHitRate(input);
	if (least === void 0 || largest === null || least <= largest) return [];
	return [{
		path: [
			"cache",
			"warm",
			"hit_rate_min"
		],
		message: `\`cache.warm.hit_rate_min\` is ${least}; ${input.draft.workload?.some((shape) => shape?.session) ? "prefixes and histories" : "the prefixes"} are ${showNumber(largest)} of the input tokens, even if each one hits`
	}];
}
function statesOverlap(input) {
	const { draft } = input;
	const most = draft.cache?.cold?.hit_rate_max;
	const least = draft.cache?.warm?.hit_rate_min;
	if (most === void 0 || least === void 0) return [];
	const mean = meanTokens(input);
	const repeated = mean ? mean.repeated / mean.input : 0;
	if (most + repeated < least) return [];
	return [{
		path: [
			"cache",
			"cold",
			"hit_rate_max"
		],
		message: `cold allows a hit rate up to ${most}${repeated > 0 ? ` beside the ${showNumber(repeated)} that sessions repeat of themselves` : ""}, warm asks for ${least}: a run could be both`
	}];
}
function saltUnknown({ draft, dialect }) {
	if (draft.cache?.cold?.isolate !== "cache_salt" || dialect.request.cacheSalt !== null) return [];
	return [{
		path: [
			"cache",
			"cold",
			"isolate"
		],
		message: `prompts are isolated by cache_salt, which the dialect ${dialect.id} does not have`
	}];
}
function cannotReset({ draft, dialect }) {
	if (!(draft.engine?.deploy?.kind === "endpoint") || dialect.reset !== null || draft.cache?.cold === void 0) return [];
	return [{
		path: ["cache", "cold"],
		at: "key",
		message: `servers that are already up cannot be restarted, and the dialect ${dialect.id} has no cache reset`
	}];
}
function tierUndeclared({ draft, dialect }) {
	const { cache, engine } = draft;
	const deploy = engine?.deploy;
	if (!(deploy?.kind === "docker" || deploy?.kind === "process") || cache?.cold === void 0 || (cache.tiers?.length ?? 0) > 0) return [];
	const isRestarted = dialect.reset === null || cache.cold?.restart === "per_point";
	return tiersSwitchedOn(dialect, deploy).flatMap(({ title, clearedBy }) => {
		if (clearedBy === "reset" || clearedBy === "restart" && isRestarted) return [];
		return [{
			path: ["cache"],
			at: "key",
			message: `the subject switches on ${title}, and nothing empties it before a cold point`
		}];
	});
}
const error$3 = {
	level: "valid",
	severity: "error"
};
const CACHE_RULES = [
	{
		id: "cache-not-declared",
		title: "No cache state is declared",
		level: "deployable",
		severity: "error",
		why: "A capacity without its cache state compares with nothing: prefix hits lower prefill work and inflate throughput.",
		mend: "Declare cache.cold, cache.warm, or both.",
		check: notDeclared$1
	},
	{
		id: "prompt-ids-not-declared",
		title: "The range of prompt token ids is not declared",
		level: "deployable",
		severity: "error",
		why: "Prompts are drawn from it. Special tokens and ids beyond the model's vocabulary must lie outside.",
		mend: "Set model.prompt_token_ids to [from, to), inside the vocabulary and clear of special tokens, e.g. [1000, 100000].",
		check: idsNotDeclared
	},
	{
		id: "prompt-ids-too-few",
		title: "The range of prompt token ids is too narrow",
		...error$3,
		why: "Prompts must differ within their first KV block, else cold requests hit the cache.",
		mend: "Widen model.prompt_token_ids: [from, to), `to` not included.",
		check: idRange
	},
	{
		id: "prompt-ids-narrow",
		title: "The range of prompt token ids is small",
		level: "valid",
		severity: "warning",
		why: "Prompts of few different tokens are unlike any traffic, and flatter drafting and compression.",
		mend: "Use a thousand ids or more.",
		check: fewIds
	},
	{
		id: "prefix-too-long",
		title: "A warm prefix is as long as a whole prompt",
		...error$3,
		why: "Prefix tokens count inside input_tokens; a prompt must have tokens of its own after it.",
		mend: "Shorten cache.warm.tokens, or lengthen the class.",
		check: prefixTooLong
	},
	{
		id: "warm-without-prefix-cache",
		title: "Warm is asked of an engine without prefix cache",
		...error$3,
		why: "Nothing can hit, so that every warm point fails for lost hits.",
		mend: "Enable engine.prefix_cache, or remove cache.warm.",
		check: warmWithoutCache
	},
	{
		id: "hit-rate-unreachable",
		title: "The warm hit rate cannot be reached",
		...error$3,
		why: "Only prefix tokens can hit. Block rounding makes the real rate lower still.",
		mend: "Lower cache.warm.hit_rate_min below the share of prefix tokens, or lengthen the prefixes.",
		check: hitRateUnreachable
	},
	{
		id: "cache-states-overlap",
		title: "Cold's and warm's hit rates overlap",
		level: "valid",
		severity: "warning",
		why: "The hit rate proves the cache state; one that fits both proves nothing.",
		mend: "Set cache.cold.hit_rate_max well below cache.warm.hit_rate_min.",
		check: statesOverlap
	},
	{
		id: "cache-salt-unknown",
		title: "The engine has no cache salt",
		...error$3,
		why: "The field would be ignored or refused, and cold prompts would not be isolated.",
		mend: "Set cache.cold.isolate to unique_tokens.",
		check: saltUnknown
	},
	{
		id: "cold-cannot-be-reset",
		title: "A cold point's cache cannot be emptied",
		level: "deployable",
		severity: "warning",
		why: "Between points the cache keeps what earlier ones left. Unique prompts stay cold, but evictions cost time that a fresh engine does not spend.",
		mend: "Deploy by docker or process, or name a dialect that has a reset.",
		check: cannotReset
	},
	{
		id: "cache-tier-undeclared",
		title: "A cache beside the GPUs’ memory is on and not declared",
		level: "deployable",
		severity: "warning",
		why: "It outlives the reset of the prefix cache, and what outlives the engine serves a candidate the prompts of its baseline: whether a cold point was cold is then not known.",
		mend: "Declare it in cache.tiers, leave it off, or, where it lies in the engine’s own memory, set cache.cold.restart: per_point.",
		check: tierUndeclared
	}
];
const CONNECTION = ["client", "connection"];
const OWNED = new Set([
	"host",
	"content-length",
	"content-type",
	"content-encoding",
	"transfer-encoding",
	"accept",
	"accept-encoding",
	"connection",
	"keep-alive",
	"proxy-connection",
	"upgrade",
	"expect",
	"te",
	"trailer"
]);
const SECRET = new Set([
	"authorization",
	"proxy-authorization",
	"cookie",
	"x-api-key",
	"api-key",
	"x-auth-token"
]);
function headerNames({ draft }) {
	return Object.keys(draft.client?.connection?.headers ?? {});
}
function ownedHeaders(input) {
	const { session_header: session } = input.draft.client ?? {};
	const ofRequest = input.dialect.requestIdHeader?.toLowerCase();
	const isOwned = (name) => OWNED.has(name) || name === ofRequest;
	const found = headerNames(input).flatMap((name) => {
		const lower = name.toLowerCase();
		const isSession = lower === session?.toLowerCase();
		if (!isOwned(lower) && !isSession) return [];
		return [{
			path: [
				...CONNECTION,
				"headers",
				name
			],
			at: "key",
			message: `the header ${showValue(name)} is the client's own`
		}];
	});
	if (session === void 0 || !(isOwned(session.toLowerCase()) || SECRET.has(session.toLowerCase()))) return found;
	const message = `\`client.session_header\` is ${showValue(session)}, which has a meaning of its own`;
	return [...found, {
		path: ["client", "session_header"],
		message
	}];
}
function secretHeaders(input) {
	return headerNames(input).filter((name) => SECRET.has(name.toLowerCase())).map((name) => {
		const message = `the header ${showValue(name)} would hold a secret in plain text`;
		return {
			path: [
				...CONNECTION,
				"headers",
				name
			],
			at: "key",
			message
		};
	});
}
function headersTwice(input) {
	const seen = new Set();
	return headerNames(input).flatMap((name) => {
		const isSecond = seen.has(name.toLowerCase());
		seen.add(name.toLowerCase());
		if (!isSecond) return [];
		return [{
			path: [
				...CONNECTION,
				"headers",
				name
			],
			at: "key",
			message: `the header ${showValue(name)} stands twice`
		}];
	});
}
function noHttp2({ draft }) {
	const connection = draft.client?.connection;
	if (connection?.http_version !== "2") return [];
	const path = [...CONNECTION, "http_version"];
	if (connection.proxy !== void 0) return [{
		path,
		message: "HTTP/2 is not spoken through a proxy"
	}];
	const deploy = draft.engine?.deploy;
	const urls = deploy?.kind === "endpoint" ? deploy.urls ?? [] : [];
	return deploy?.kind === "docker" || deploy?.kind === "process" || urls.some((url) => !/^https:/i.test(url)) ? [{
		path,
		message: "HTTP/2 is spoken over TLS alone, and the engines are reached without it"
	}] : [];
}
function proxyNowhere({ draft }) {
	const kind = draft.engine?.deploy?.kind;
	if (draft.client?.connection?.proxy === void 0 || kind !== "docker" && kind !== "process") return [];
	const message = "the engines run on this machine, and would be reached through a proxy";
	return [{
		path: [...CONNECTION, "proxy"],
		message
	}];
}
const error$2 = {
	level: "valid",
	severity: "error"
};
const CONNECTION_RULES = [
	{
		id: "header-owned",
		title: "A header belongs to the client",
		...error$2,
		why: "It frames the request, names it, or says how the stream comes: another value breaks what is measured.",
		mend: "Remove it from client.connection.headers (or name another session header).",
		check: ownedHeaders
	},
	{
		id: "header-secret",
		title: "A header would hold a secret",
		...error$2,
		why: "Manifests are committed, hashed and copied into every pack.",
		mend: "Name the environment variable of a bearer token in client.connection.bearer_token_env.",
		check: secretHeaders
	},
	{
		id: "header-twice",
		title: "Two headers have one name",
		...error$2,
		why: "Names of headers have no case: which of the two an engine takes is its own affair.",
		mend: "Remove one of them.",
		check: headersTwice
	},
	{
		id: "http2-out-of-reach",
		title: "HTTP/2 cannot be spoken there",
		...error$2,
		why: "It is agreed on in the TLS handshake with the engine itself.",
		mend: "Set http_version to \"1.1\", or reach the engines by https:// URLs and without a proxy.",
		check: noHttp2
	},
	{
		id: "proxy-to-own-machine",
		title: "Engines on this machine are reached through a proxy",
		level: "valid",
		severity: "warning",
		why: "The proxy’s own queue and delay would be measured as the engine’s.",
		mend: "Remove client.connection.proxy.",
		check: proxyNowhere
	}
];
function environmentOwner({ ownedEnvironment }, name) {
	const upper = name.toUpperCase();
	const owners = Object.entries(ownedEnvironment);
	const exact = owners.find(([key]) => key.toUpperCase() === upper);
	const family = () => owners.find(([key]) => key.endsWith("*") && upper.startsWith(key.slice(0, -1).toUpperCase()));
	return (exact ?? family())?.[1] ?? null;
}
function ownedAssignmentsIn(dialect, words) {
	return words.flatMap((word, index) => {
		const name = /^([A-Za-z_]\w*)=/.exec(word)?.[1];
		const owner = name === void 0 ? null : environmentOwner(dialect, name);
		return name === void 0 || owner === null ? [] : [{
			index,
			name,
			owner
		}];
	});
}
const DEPLOY$1 = ["engine", "deploy"];
function subjectArguments({ raw }) {
	for (const name of ["args", "argv"]) {
		const value = valueAt(raw, [...DEPLOY$1, name]);
		if (Array.isArray(value)) return {
			path: [...DEPLOY$1, name],
			args: value.map(String)
		};
	}
	return null;
}
function dialectInput({ draft }) {
	const { model, engine } = draft;
	return model?.id && model.revision && model.tokenizer_revision && model.precision && engine?.placement ? draft : void 0;
}
function ownedArguments(input) {
	const found = subjectArguments(input);
	if (!found) return [];
	return ownedArgumentsIn(input.dialect, found.args, dialectInput(input)).map(({ index, flag, argument, owner }) => {
		const same = flag.startsWith(argument) ? "" : `, which is ${argument},`;
		const hint = owner === "the gate" ? "Remove it: the gate sets it itself." : `Remove it and set \`${owner}\`.`;
		return {
			path: [...found.path, index],
			message: `the argument ${showValue(flag)}${same} is owned by ${owner}`,
			hint
		};
	});
}
function ownedAssignments(input) {
	const argv = valueAt(input.raw, [...DEPLOY$1, "argv"]);
	if (!Array.isArray(argv)) return [];
	return ownedAssignmentsIn(input.dialect, argv.map(String)).map(({ index, name, owner }) => {
		const message = `the environment variable ${name} is owned by ${owner}`;
		return {
			path: [
				...DEPLOY$1,
				"argv",
				index
			],
			message,
			hint: "Remove it."
		};
	});
}
function ownedEnvironment({ raw, dialect }) {
	const environment = valueAt(raw, [...DEPLOY$1, "env"]);
	if (!isMapping$1(environment)) return [];
	return Object.keys(environment).flatMap((name) => {
		const owner = environmentOwner(dialect, name);
		if (owner === null) return [];
		const hint = owner === "the gate" ? "Remove it: the gate sets it itself." : `Remove it and set \`${owner}\`.`;
		return [{
			path: [
				...DEPLOY$1,
				"env",
				name
			],
			at: "key",
			message: `the environment variable ${name} is owned by ${owner}`,
			hint
		}];
	});
}
function notConfigured(input) {
	const { draft, dialect } = input;
	const found = subjectArguments(input);
	const whole = dialectInput(input);
	if (!found || !whole) return [];
	return ["speculative_decoding", "disaggregated_prefill"].flatMap((name) => {
		const field = `engine.${name}`;
		const owned = dialect.arguments.filter((argument) => argument.owner === field);
		if (draft.engine?.[name] !== "enabled" || owned.length === 0) return [];
		if (ownedArgumentsIn({
			...dialect,
			arguments: owned
		}, found.args).length > 0) return [];
		const message = `\`${field}\` is enabled, but no argument configures it`;
		return [{
			path: ["engine", name],
			message,
			hint: `Add --${owned[0]?.long} to \`${found.path.join(".")}\`, or disable it.`
		}];
	});
}
function unknownDialect({ raw }) {
	const stated = ["engine", "dialect"];
	const path = isMapping$1(valueAt(raw, stated)) ? [...stated, "base"] : stated;
	const id = valueAt(raw, path);
	if (typeof id !== "string" || dialectNamed(id) !== void 0) return [];
	const near = nearest$1(id, DIALECT_IDS);
	return [{
		path,
		message: `there is no dialect ${showValue(id)}; there are ${DIALECT_IDS.join(", ")}`,
		hint: near ? `Did you mean ${near}?` : "Name one of them."
	}];
}
const PASSED_ON = [
	{
		field: "model.precision",
		value: "model.precision",
		asksNothing: ["auto"]
	},
	{
		field: "model.kv_cache_dtype",
		value: "model.kv_cache_dtype",
		asksNothing: ["auto"]
	},
	{
		field: "model.quantization",
		value: "model.quantization",
		asksNothing: ["none"]
	},
	{
		field: "model.max_model_len",
		value: "model.max_model_len",
		asksNothing: []
	},
	{
		field: "engine.placement.tp",
		value: "engine.placement.tp",
		asksNothing: [1]
	},
	{
		field: "engine.placement.pp",
		value: "engine.placement.pp",
		asksNothing: [1]
	},
	{
		field: "engine.prefix_cache",
		value: null,
		asksNothing: ["enabled"]
	}
];
function notPassedOn({ draft, dialect }) {
	const kind = draft.engine?.deploy?.kind;
	if (dialect.arguments.length === 0 || kind !== "docker" && kind !== "process") return [];
	return PASSED_ON.flatMap(({ field, value, asksNothing }) => {
		const path = field.split(".");
		const stated = valueAt(draft, path);
		if (stated === void 0 || asksNothing.includes(stated) || dialect.arguments.some((one) => carries(one, value))) return [];
		return [{
			path,
			message: `\`${field}\` is ${showValue(stated)}, which ${dialect.title} has no argument for: it is not set`
		}];
	});
}
function carries({ value }, name) {
	if (value === null) return false;
	return name === null ? "prefixCache" in value : "of" in value && value.of === name;
}
function unknownPrecision({ draft, dialect }) {
	const precision = draft.model?.precision;
	const words = Object.keys(dialect.precisions);
	if (precision === void 0 || words.length === 0 || Object.hasOwn(dialect.precisions, precision)) return [];
	const near = nearest$1(precision, words);
	return [{
		path: ["model", "precision"],
		message: `the dialect ${dialect.id} does not know the precision ${showValue(precision)}`,
		hint: near ? `Did you mean ${near}?` : `It knows ${words.join(", ")}.`
	}];
}
function lengthNotForced({ draft, dialect }) {
	if (draft.client?.sampling?.ignore_eos === false || dialect.request.ignoreEos !== null) return [];
	return [{
		path: ["client", "sampling"],
		at: "key",
		message: `the dialect ${dialect.id} cannot ask for exact output lengths: an early end counts as an error`
	}];
}
function dummyWeights(input) {
	const found = subjectArguments(input);
	if (!found || input.dialect.simulated) return [];
	return found.args.flatMap((argument, index) => {
		const isFormat = /^--load[-_]format(?:=|$)/.test(argument);
		const value = argument.split("=", 2)[1] ?? found.args[index + 1];
		if (!isFormat || value !== "dummy") return [];
		return [{
			path: [...found.path, index],
			message: "the engine runs on dummy weights"
		}];
	});
}
const ENGINE_ARGUMENT_RULES = [
	{
		id: "owned-argument",
		title: "An engine argument sets what the manifest owns",
		level: "valid",
		severity: "error",
		why: "Model, revision, precision, lengths, parallelism, prefix cache, ports and the like come from the manifest, so that an upgrade cannot smuggle in another experiment. Every spelling is found: `_` for `-`, --flag=value, --flag.key, --no-flag, short forms and prefixes.",
		mend: "Remove the argument and set the manifest's own field.",
		check: ownedArguments
	},
	{
		id: "owned-environment",
		title: "The environment sets what the manifest owns",
		level: "valid",
		severity: "error",
		why: "The same as for arguments: ports, GPUs and the switches that the probes need are set by the gate.",
		mend: "Remove the variable.",
		check: (input) => [...ownedEnvironment(input), ...ownedAssignments(input)]
	},
	{
		id: "enabled-without-configuration",
		title: "Something is enabled that no argument configures",
		level: "deployable",
		severity: "error",
		why: "Speculative decoding and disaggregated prefill need a configuration that only the engine understands; without it the engine runs without them.",
		mend: "Add the argument that configures it, or disable it.",
		check: notConfigured
	},
	{
		id: "unknown-dialect",
		title: "The dialect is not known",
		level: "valid",
		severity: "error",
		why: "The dialect says how the engine is asked, reset and watched.",
		mend: "Name a known dialect, or leave it out: it follows from engine.name.",
		check: unknownDialect
	},
	{
		id: "not-passed-on",
		title: "The manifest states what the engine has no argument for",
		level: "deployable",
		severity: "warning",
		why: "The dialect hands the manifest’s values to the engine as arguments; where the engine has none, it runs with its own value, and nothing shows which.",
		mend: "Leave the field at the value that asks for nothing, or state the argument in engine.dialect.arguments.",
		check: notPassedOn
	},
	{
		id: "unknown-precision",
		title: "The engine does not know the precision",
		level: "deployable",
		severity: "error",
		why: "It is handed to the engine, which would refuse it only after the machine was claimed.",
		mend: "Write one of the dialect's precisions.",
		check: unknownPrecision
	},
	{
		id: "length-not-forced",
		title: "Output lengths cannot be forced",
		level: "deployable",
		severity: "warning",
		why: "A success of another length than the workload declares is counted as an error.",
		mend: "Name the engine's own dialect, if there is one.",
		check: lengthNotForced
	},
	{
		id: "dummy-weights",
		title: "The engine runs on dummy weights",
		level: "deployable",
		severity: "warning",
		why: "Random weights have the shapes of the model and not its behaviour: drafting and expert routing differ.",
		mend: "Remove --load-format dummy for a capacity that counts.",
		check: dummyWeights
	}
];
const MOVING = /^(?:refs\/heads\/|refs\/remotes\/)?(?:[\w.-]+\/)?(?:latest|main|master|trunk|nightly|head|tip|dev|devel|develop|development|stable|edge|canary|rolling|current|default|snapshot|next|unstable|lts|auto|release|prod|production)$/i;
const MOVING_STEM = /^(?:latest|nightly|main|master|head|edge|canary)[-_.@]/i;
const FIXED_INSIDE = /\d{8}|\d{4}-\d{2}-\d{2}|[0-9a-f]{7,40}/i;
const VERSION_RANGE = /^(?:[\^~<>=!]|\*$)|[*,|]|\.x\b|\s-\s|\|\|/i;
const COMMIT = /^[0-9a-f]{40}$/i;
const LOCAL_DIGEST = /^sha256:[0-9a-f]{64}$/;
const IMAGE_DIGEST = /(?:^|@)sha256:[0-9a-f]{64}$/;
const REVISIONS = [["model", "revision"], ["model", "tokenizer_revision"]];
const IMAGES = [[
	"engine",
	"deploy",
	"image"
], [
	"engine",
	"deploy",
	"router",
	"image"
]];
function textAt$1(input, path) {
	const value = valueAt(input.raw, path);
	return typeof value === "string" && value !== "" ? value : null;
}
function isMovingName(name) {
	return MOVING.test(name) || MOVING_STEM.test(name) && !FIXED_INSIDE.test(name);
}
function movingTag(image) {
	if (image.includes("@") || LOCAL_DIGEST.test(image)) return null;
	const tag = /:([^:/]*)$/.exec(image)?.[1];
	if (tag === void 0 || tag === "") return "no tag, which means `latest`";
	return isMovingName(tag) ? `the moving tag ${showValue(tag)}` : null;
}
function mutable(input) {
	const revisions = REVISIONS.flatMap((path) => {
		const revision = textAt$1(input, path);
		if (revision === null || !isMovingName(revision)) return [];
		return [{
			path,
			message: `\`${showPath(path)}\` is ${showValue(revision)}, which moves`
		}];
	});
	const version = textAt$1(input, ["engine", "version"]);
	const versions = version !== null && (isMovingName(version) || VERSION_RANGE.test(version)) ? [{
		path: ["engine", "version"],
		message: `\`engine.version\` is ${showValue(version)}, which is no single version`
	}] : [];
	const images = IMAGES.flatMap((path) => {
		const image = textAt$1(input, path);
		const moving = image === null ? null : movingTag(image);
		return moving === null ? [] : [{
			path,
			message: `\`${showPath(path)}\` has ${moving}`
		}];
	});
	return [
		...revisions,
		...versions,
		...images
	];
}
function unpinnedRevisions(input) {
	if (input.dialect.simulated) return [];
	return REVISIONS.flatMap((path) => {
		const revision = textAt$1(input, path);
		if (revision === null || COMMIT.test(revision) || LOCAL_DIGEST.test(revision) || isMovingName(revision)) return [];
		const what = /^[0-9a-f]{7,39}$/i.test(revision) ? `${showValue(revision)}, an abbreviated commit` : `${showValue(revision)}, a name that can be moved`;
		return [{
			path,
			message: `\`${showPath(path)}\` is ${what}`
		}];
	});
}
function unpinnedImages(input) {
	return IMAGES.flatMap((path) => {
		const image = textAt$1(input, path);
		if (image === null || IMAGE_DIGEST.test(image) || movingTag(image) !== null) return [];
		const what = image.includes("@") ? "whose digest is not sha256 with 64 hex digits" : "without a digest";
		return [{
			path,
			message: `\`${showPath(path)}\` is ${showValue(image, 100)}, ${what}`
		}];
	});
}
function undeclaredTemplate(input) {
	const path = ["model", "chat_template_sha256"];
	const digest = textAt$1(input, path);
	if (digest === null || digest === "none" || /^(?:sha256:)?[0-9a-f]{64}$/i.test(digest)) return [];
	return [{
		path,
		message: `\`model.chat_template_sha256\` is ${showValue(digest)}, no SHA-256`
	}];
}
function foreignKey(input) {
	const model = valueAt(input.raw, ["model"]);
	if (!isMapping$1(model) || typeof model["id"] !== "string" || !/[@:](?:latest|main|master|nightly|head)$/i.test(model["id"])) return [];
	return [{
		path: ["model", "id"],
		message: `\`model.id\` is ${showValue(model["id"])}: it names a revision that moves`
	}];
}
const PINNING_RULES = [
	{
		id: "mutable-revision",
		title: "A revision, version or image tag can move",
		level: "valid",
		severity: "error",
		why: "latest, main, nightly, HEAD and the like name other content tomorrow: the run cannot be repeated, and two capacities cannot be compared.",
		mend: "Name the commit (40 hex digits), the exact version, or the image by digest (name@sha256:…).",
		check: (input) => [...mutable(input), ...foreignKey(input)]
	},
	{
		id: "revision-not-pinned",
		title: "Model or tokenizer revision is no commit and no digest",
		level: "deployable",
		severity: "error",
		why: "Tags and branches can be moved, and abbreviated commits can become ambiguous. What is deployed must be exactly what the manifest says.",
		mend: "Write the full commit (40 hex digits), or sha256:… of the local files.",
		check: unpinnedRevisions
	},
	{
		id: "image-not-by-digest",
		title: "An image is not named by its digest",
		level: "deployable",
		severity: "error",
		why: "A tag can be pushed again. Only a digest names one content.",
		mend: "Write name@sha256:<64 hex digits>; `docker buildx imagetools inspect` prints it.",
		check: unpinnedImages
	},
	{
		id: "template-digest-malformed",
		title: "The chat template is no SHA-256",
		level: "valid",
		severity: "error",
		why: "The template decides how many tokens a chat prompt has; its digest is compared with the file that the engine uses.",
		mend: "Write the 64 hex digits of the template's SHA-256, or none.",
		check: undeclaredTemplate
	}
];
const PLACEMENT = ["engine", "placement"];
const DEPLOY = ["engine", "deploy"];
const PLACEHOLDERS = {
	process: [
		"{node}",
		"{port}",
		"{replica}"
	],
	docker: ["{port}", "{replica}"]
};
const ROUTERS = {
	docker: [
		"client",
		"container",
		"engine",
		"external"
	],
	process: [
		"client",
		"engine",
		"external"
	],
	endpoint: [
		"client",
		"engine",
		"external"
	]
};
function placementOf(draft) {
	const { tp, pp, dp, replicas, gpus } = draft.engine?.placement ?? {};
	return tp !== void 0 && pp !== void 0 && dp !== void 0 && replicas !== void 0 && gpus !== void 0 ? {
		tp,
		pp,
		dp,
		replicas,
		gpus
	} : null;
}
function servers(draft) {
	const deploy = draft.engine?.deploy;
	const replicas = draft.engine?.placement?.replicas;
	if (deploy === void 0 || replicas === void 0) return null;
	return deploy.router?.kind === "engine" ? 1 : replicas;
}
function notDeployed({ raw }) {
	if (valueAt(raw, ["engine", "deploy"]) !== void 0) return [];
	return [{
		path: DEPLOY,
		at: "key",
		message: "`engine.deploy` is missing: there is nothing to run"
	}];
}
function gpuProduct({ draft }) {
	const placement = placementOf(draft);
	if (placement === null || placement.gpus === 0) return [];
	const { tp, pp, replicas, gpus } = placement;
	const product = tp * pp * replicas;
	if (product === gpus) return [];
	const message = `tp ${tp} × pp ${pp} × replicas ${replicas} is ${product}; placement.gpus is ${gpus}`;
	return [{
		path: [...PLACEMENT, "gpus"],
		message
	}];
}
function dataParallel({ draft }) {
	const placement = placementOf(draft);
	if (placement === null || placement.gpus === 0 || placement.dp === placement.replicas) return [];
	const message = `placement.dp is ${placement.dp}, placement.replicas is ${placement.replicas}`;
	return [{
		path: [...PLACEMENT, "dp"],
		message
	}];
}
function gpuLists({ draft }) {
	const deploy = draft.engine?.deploy;
	const placement = placementOf(draft);
	if (deploy === void 0 || !("gpus" in deploy) || !Array.isArray(deploy.gpus) || placement === null) return [];
	const groups = deploy.gpus;
	const path = [...DEPLOY, "gpus"];
	const wantedGroups = servers(draft) ?? placement.replicas;
	const wantedSize = placement.tp * placement.pp * placement.replicas / wantedGroups;
	const breaches = [];
	if (groups.length !== wantedGroups) breaches.push({
		path,
		at: "key",
		message: `\`engine.deploy.gpus\` has ${groups.length} lists for ${wantedGroups} servers`
	});
	for (const [index, group] of groups.entries()) {
		if (group.length === wantedSize) continue;
		breaches.push({
			path: [...path, index],
			message: `GPU list ${index} has ${group.length} GPUs; a server needs ${wantedSize}`
		});
	}
	const seen = new Set();
	const twice = groups.flat().find((gpu) => seen.size === seen.add(gpu).size);
	if (twice !== void 0) breaches.push({
		path,
		at: "key",
		message: `GPU ${twice} stands twice in \`engine.deploy.gpus\``
	});
	return breaches;
}
function cpusIn(list) {
	return list.split(",").flatMap((part) => {
		const [first = 0, last = first] = part.split("-").map(Number);
		return Array.from({ length: Math.min(8192, Math.max(0, last - first + 1)) }, (_, index) => first + index);
	});
}
function cpuSets({ draft }) {
	const deploy = draft.engine?.deploy;
	const { engine, client } = (deploy?.kind === "docker" ? deploy.cpus : void 0) ?? {};
	if (engine === void 0 || client === void 0) return [];
	const ofEngine = new Set(cpusIn(engine));
	const both = cpusIn(client).find((cpu) => ofEngine.has(cpu));
	if (both === void 0) return [];
	return [{
		path: [
			...DEPLOY,
			"cpus",
			"client"
		],
		message: `CPU ${both} stands in both lists of \`engine.deploy.cpus\``
	}];
}
function endpointCount({ draft }) {
	const deploy = draft.engine?.deploy;
	const wanted = servers(draft);
	if (deploy?.kind !== "endpoint" || deploy.urls === void 0 || wanted === null || deploy.urls.length === wanted) return [];
	const message = `\`engine.deploy.urls\` names ${deploy.urls.length} servers; the placement has ${wanted}`;
	return [{
		path: [...DEPLOY, "urls"],
		at: "key",
		message
	}];
}
function routerKind({ draft }) {
	const deploy = draft.engine?.deploy;
	const router = deploy?.router?.kind;
	if (deploy === void 0 || router === void 0) return [];
	const fits = ROUTERS[deploy.kind ?? "docker"] ?? [];
	if (fits.includes(router)) return [];
	const message = `a router of kind ${router} does not go with engine.deploy.kind ${deploy.kind}`;
	return [{
		path: [
			...DEPLOY,
			"router",
			"kind"
		],
		message,
		hint: `Use ${fits.join(" or ")}.`
	}];
}
function portRange({ draft }) {
	const deploy = draft.engine?.deploy;
	if (deploy === void 0 || !("first_port" in deploy) || deploy.first_port === void 0) return [];
	const last = deploy.first_port + (servers(draft) ?? 1) - 1;
	if (last <= 65535) return [];
	const message = `the last server's port would be ${showNumber(last)}; ports end at 65,535`;
	return [{
		path: [...DEPLOY, "first_port"],
		message
	}];
}
function templated(draft) {
	const deploy = draft.engine?.deploy;
	if (deploy?.kind === "process") return {
		key: "argv",
		argv: deploy.argv ?? [],
		known: PLACEHOLDERS.process
	};
	if (deploy?.kind === "docker") return {
		key: "args",
		argv: deploy.args ?? [],
		known: PLACEHOLDERS.docker
	};
	return null;
}
function portPlaceholder({ draft, dialect }) {
	const list = templated(draft);
	const generatesPort = dialect.arguments.some(({ value }) => value !== null && "of" in value && value.of === "port");
	if (list?.key !== "argv" || list.argv.length === 0 || generatesPort || (servers(draft) ?? 1) < 2) return [];
	if (list.argv.some((argument) => argument.includes("{port}"))) return [];
	const message = `\`engine.deploy.argv\` has no {port}: ${servers(draft)} replicas would listen on one port`;
	return [{
		path: [...DEPLOY, "argv"],
		at: "key",
		message
	}];
}
function unknownPlaceholder({ draft }) {
	const list = templated(draft);
	if (list === null) return [];
	return list.argv.flatMap((argument, index) => {
		const unknown = argument.match(/\{[a-z][a-z_]*\}/g)?.find((name) => !list.known.includes(name));
		if (unknown === void 0) return [];
		const message = `${showValue(unknown)} is no placeholder; ${list.known.join(", ")} are`;
		return [{
			path: [
				...DEPLOY,
				list.key,
				index
			],
			message
		}];
	});
}
const deployable = {
	level: "deployable",
	severity: "error"
};
const valid = {
	level: "valid",
	severity: "error"
};
const PLACEMENT_RULES = [
	{
		id: "deploy-not-declared",
		title: "Nothing says how the engine is deployed",
		...deployable,
		why: "A run deploys the engine itself, or is told where it is up.",
		mend: "Add engine.deploy with kind docker, process or endpoint.",
		check: notDeployed
	},
	{
		id: "placement-gpus",
		title: "The placement does not use the GPUs that it names",
		...deployable,
		why: "tp × pp GPUs a replica times the replicas is what runs; capacity for each GPU is computed from placement.gpus. Off at gpus 0.",
		mend: "Correct tp, pp, replicas or gpus.",
		check: gpuProduct
	},
	{
		id: "placement-dp",
		title: "dp and replicas differ",
		...deployable,
		why: "Data parallelism is the number of replicas; two numbers for one thing mean that one of them is wrong. Off at gpus 0.",
		mend: "Make them equal.",
		check: dataParallel
	},
	{
		id: "gpu-lists",
		title: "The GPU lists do not fit the placement",
		...valid,
		why: "Each server gets a list of its own, of tp × pp GPUs, and no GPU serves two.",
		mend: "Write one list for each replica, e.g. [[0,1],[2,3]], or auto.",
		check: gpuLists
	},
	{
		id: "cpu-sets-overlap",
		title: "Engine and client share CPUs",
		...valid,
		why: "A client that waits for a CPU that the engine has sends late, and an engine that waits for one that the client has is slow.",
		mend: "Give each its own CPUs, e.g. {engine: \"0-79\", client: \"80-95\"}.",
		check: cpuSets
	},
	{
		id: "endpoint-count",
		title: "The servers that are up are not those of the placement",
		...deployable,
		why: "Each replica is asked who it is, reset and scraped itself, also behind a router, whose own address is engine.deploy.router.url.",
		mend: "Name one URL for each replica, or one with a router of kind engine.",
		check: endpointCount
	},
	{
		id: "router-kind",
		title: "The router does not go with the deployment",
		...deployable,
		why: "A router in a container is started beside containers only; whatever else is already up is external.",
		mend: "Use the router kind client.",
		check: routerKind
	},
	{
		id: "port-range",
		title: "The ports run past 65535",
		...valid,
		why: "Each server listens on the port after the one before.",
		mend: "Lower engine.deploy.first_port.",
		check: portRange
	},
	{
		id: "port-placeholder",
		title: "The process's arguments do not take a port",
		...valid,
		why: "Every replica runs the same arguments; without {port} all but the first find the port in use.",
		mend: "Write {port} where the port goes, e.g. [--port, \"{port}\"].",
		check: portPlaceholder
	},
	{
		id: "unknown-placeholder",
		title: "An argument has a placeholder that nothing fills in",
		level: "valid",
		severity: "warning",
		why: "It reaches the engine as it stands.",
		mend: "Use {node}, {port} or {replica}.",
		check: unknownPlaceholder
	}
];
const MOST_REQUESTS = 2e6;
function requestsWithExtension(input) {
	const client = input.draft.client;
	const counts = client?.class_schedule_counts;
	const block = client?.extension_requests;
	const blocks = client?.extension_blocks;
	if (counts === void 0 || block === void 0 || blocks === void 0) return [];
	return namedClasses(input).flatMap((shape) => {
		const initial = Object.hasOwn(counts, shape.name) ? counts[shape.name] : void 0;
		if (initial === void 0 || shape.mix === void 0) return [];
		const scheduled = initial + blocks * Math.floor(shape.mix * block + 1e-9);
		const kept = 1 - cancelledShare(input, shape.output_tokens);
		return [{
			...shape,
			initial,
			most: Math.floor(scheduled * kept + 1e-9),
			kept
		}];
	});
}
function floorUnreachable(input) {
	const floor = input.draft.acceptance?.min_successful_samples_per_class;
	if (floor === void 0) return [];
	return requestsWithExtension(input).flatMap(({ name, most, kept }) => {
		if (most >= floor) return [];
		const left = kept < 1 ? ", without those that are left as planned" : "";
		const message = `the class ${showValue(name)} has ${showNumber(most)} requests with every extension${left}; its floor is ${showNumber(floor)} successes`;
		return [{
			path: [
				"client",
				"class_schedule_counts",
				name
			],
			message
		}];
	});
}
function floorWithoutMargin(input) {
	const floor = input.draft.acceptance?.min_successful_samples_per_class;
	const errors = input.draft.acceptance?.error_rate_max;
	if (floor === void 0 || errors === void 0) return [];
	return requestsWithExtension(input).flatMap(({ name, most }) => {
		if (most < floor || most * (1 - errors) >= floor) return [];
		const message = `the class ${showValue(name)} has ${showNumber(most)} requests with every extension: at ${showNumber(errors * 100)} % errors it falls short of its floor of ${showNumber(floor)}`;
		return [{
			path: [
				"client",
				"class_schedule_counts",
				name
			],
			message
		}];
	});
}
function tooLarge$1({ draft }) {
	const { initial_scheduled_requests: initial, extension_requests: block, extension_blocks: blocks } = draft.client ?? {};
	if (initial === void 0) return [];
	const total = initial + (block ?? 0) * (blocks ?? 1);
	if (total <= 2e6) return [];
	return [{
		path: ["client", "initial_scheduled_requests"],
		message: `the schedule has ${showNumber(total)} requests; at most ${showNumber(MOST_REQUESTS)} are held`
	}];
}
function fewSamples({ draft, dialect }) {
	const floor = draft.acceptance?.min_successful_samples_per_class;
	const attainment = draft.acceptance?.class_slo_attainment_min;
	if (floor === void 0 || attainment === void 0 || dialect.simulated) return [];
	const misses = floor * (1 - attainment);
	if (misses >= 20 || attainment === 0) return [];
	return [{
		path: ["acceptance", "min_successful_samples_per_class"],
		message: `a floor of ${showNumber(floor)} successes leaves ${showNumber(misses)} misses to decide a class`
	}];
}
const SAMPLE_RULES = [
	{
		id: "sample-floor-unreachable",
		title: "A class can never reach its sample floor",
		level: "valid",
		severity: "error",
		why: "Even with every committed extension the class has fewer requests than acceptance.min_successful_samples_per_class: every point would end undersampled.",
		mend: "Schedule more requests (initial_scheduled_requests, class_schedule_counts, extension_requests), or lower the floor.",
		check: floorUnreachable
	},
	{
		id: "sample-floor-without-margin",
		title: "A few errors leave a class short of its floor",
		level: "valid",
		severity: "warning",
		why: "The floor counts successes. A class scheduled just above it ends undersampled at an error rate that the acceptance allows.",
		mend: "Schedule more requests of the class, or commit extension blocks.",
		check: floorWithoutMargin
	},
	{
		id: "schedule-too-large",
		title: "The schedule is too large",
		level: "valid",
		severity: "error",
		why: "Schedules and records are held in memory while a point is judged.",
		mend: "Schedule fewer requests.",
		check: tooLarge$1
	},
	{
		id: "few-samples",
		title: "The sample floor is too low to decide",
		level: "valid",
		severity: "warning",
		why: "With fewer than twenty misses between pass and fail, chance decides: the same revision passes today and fails tomorrow.",
		mend: "Raise acceptance.min_successful_samples_per_class: 2,000 at 95 % attainment.",
		check: fewSamples
	}
];
function secretsIn(value, path) {
	if (Array.isArray(value)) return [...argumentSecrets(value, path), ...value.flatMap((item, index) => secretsIn(item, [...path, index]))];
	if (isMapping$1(value)) return Object.entries(value).flatMap(([key, item]) => {
		const inKey = secretIn(key);
		const keyBreach = inKey ? [found([...path, key], inKey, "key")] : [];
		if ((typeof item === "string" || typeof item === "number") && isNamedSecret(key, String(item)) && !secretIn(String(item))) return [...keyBreach, found([...path, key], `a value for ${showValue(key)}`)];
		return [...keyBreach, ...secretsIn(item, [...path, key])];
	});
	const what = typeof value === "string" ? secretIn(value) : null;
	return what ? [found(path, what)] : [];
}
function argumentSecrets(list, path) {
	return list.flatMap((item, index) => {
		if (typeof item !== "string" || secretIn(item)) return [];
		const [name = "", inline] = item.replace(/^-+/, "").split(/=(.*)/s, 2);
		const next = list[index + 1];
		const isFollowed = item.startsWith("-") && inline === void 0 && typeof next === "string" && !next.startsWith("-") && !secretIn(next);
		const value = inline ?? (isFollowed ? next : void 0);
		if (value === void 0 || !isNamedSecret(name, value)) return [];
		return [found([...path, inline === void 0 ? index + 1 : index], `a value for ${showValue(name)}`)];
	});
}
function found(path, what, at) {
	const breach = {
		path,
		message: `\`${showPath(path)}\` holds ${what} in plain text`
	};
	return at ? {
		...breach,
		at
	} : breach;
}
const SECRET_RULES = [{
	id: "secret-in-plain-text",
	title: "A secret stands in the manifest",
	level: "valid",
	severity: "error",
	why: "Manifests are committed, hashed and copied into every pack. The value is not repeated here.",
	mend: "Remove it, revoke it if it was real, and name the environment variable in engine.deploy.secrets instead.",
	check: ({ raw }) => secretsIn(raw, [])
}];
function fixedValue(path, wanted) {
	return ({ raw }) => {
		const value = valueAt(raw, path);
		if (value === void 0 || value === wanted) return [];
		return [{
			path,
			message: `\`${path.join(".")}\` is ${showValue(value)}; only ${String(wanted)} is measured`
		}];
	};
}
function noWarmUp({ draft }) {
	if (draft.client?.warmup_seconds !== 0) return [];
	return [{
		path: ["client", "warmup_seconds"],
		message: "`client.warmup_seconds` is 0: there is no warm-up"
	}];
}
function slowestAdmissibleMs(shape) {
	const { request_ttft_cutoff_ms: ttftMs, request_tpot_cutoff_ms: tpotMs, output_tokens: tokens } = shape;
	if (ttftMs === void 0 || tpotMs === void 0 || tokens === void 0) return null;
	return Math.min(ttftMs + tpotMs * tokens, shape.request_e2e_cutoff_ms ?? 1e400);
}
function timeoutTooShort(input) {
	const timeoutMs = (input.draft.client?.request_timeout_seconds ?? NaN) * 1e3;
	return namedClasses(input).flatMap((shape) => {
		const slowestMs = slowestAdmissibleMs(shape);
		if (slowestMs === null || !(timeoutMs < slowestMs)) return [];
		return [{
			path: ["client", "request_timeout_seconds"],
			message: `request_timeout_seconds is ${showNumber(timeoutMs / 1e3)} s; the slowest admissible request of the class ${showValue(shape.name)} takes ${showNumber(slowestMs / 1e3)} s`,
			hint: `Set it to ${showNumber(Math.ceil(slowestMs / 1e3))} s or more.`
		}];
	});
}
function firstTokenTimeout(input) {
	const timeoutMs = (input.draft.client?.first_token_timeout_seconds ?? NaN) * 1e3;
	return namedClasses(input).flatMap((shape) => {
		const cutoffMs = shape.request_ttft_cutoff_ms;
		if (cutoffMs === void 0 || !(timeoutMs < cutoffMs)) return [];
		return [{
			path: ["client", "first_token_timeout_seconds"],
			message: `first_token_timeout_seconds is ${showNumber(timeoutMs / 1e3)} s, below the TTFT cutoff of the class ${showValue(shape.name)} (${showNumber(cutoffMs)} ms)`
		}];
	});
}
function stallTimeout(input) {
	const timeoutMs = (input.draft.client?.stall_timeout_seconds ?? NaN) * 1e3;
	return namedClasses(input).flatMap((shape) => {
		const cutoffMs = shape.request_tpot_cutoff_ms;
		if (cutoffMs === void 0 || !(timeoutMs < cutoffMs)) return [];
		return [{
			path: ["client", "stall_timeout_seconds"],
			message: `stall_timeout_seconds is ${showNumber(timeoutMs / 1e3)} s, below the TPOT cutoff of the class ${showValue(shape.name)} (${showNumber(cutoffMs)} ms)`
		}];
	});
}
const DURATIONS = [
	["request_timeout_seconds", 3600],
	["first_token_timeout_seconds", 3600],
	["stall_timeout_seconds", 3600],
	["warmup_seconds", 7200],
	["minimum_duration_seconds", 86400],
	["maximum_duration_seconds", 86400]
];
function milliseconds({ draft }) {
	return DURATIONS.flatMap(([name, longest]) => {
		const value = draft.client?.[name];
		if (value === void 0 || value <= longest) return [];
		const message = `\`client.${name}\` is ${showNumber(value)} s, which looks like milliseconds`;
		return [{
			path: ["client", name],
			message,
			hint: `If milliseconds were meant, write ${showNumber(value / 1e3)}.`
		}];
	});
}
function durations({ draft }) {
	const { minimum_duration_seconds: least, maximum_duration_seconds: most } = draft.client ?? {};
	if (least === void 0 || most === void 0 || least <= most) return [];
	return [{
		path: ["client", "minimum_duration_seconds"],
		message: `minimum_duration_seconds (${showNumber(least)}) is longer than maximum_duration_seconds (${showNumber(most)})`
	}];
}
const error$1 = {
	level: "valid",
	severity: "error"
};
const TIMING_RULES = [
	{
		id: "no-warm-up",
		title: "There is no warm-up",
		...error$1,
		why: "The first requests meet kernels that are not compiled and connections that are not open; they would be judged as steady state.",
		mend: "Set client.warmup_seconds: 60 is usual.",
		check: noWarmUp
	},
	{
		id: "retries-on",
		title: "Automatic retries are on",
		...error$1,
		why: "A retried failure disappears from the error rate and adds load that nobody scheduled.",
		mend: "Set client.automatic_retries to false.",
		check: fixedValue(["client", "automatic_retries"], false)
	},
	{
		id: "not-streaming",
		title: "Answers are not streamed",
		...error$1,
		why: "Without a stream neither the first token nor the time between tokens can be seen.",
		mend: "Set client.streaming to true.",
		check: fixedValue(["client", "streaming"], true)
	},
	{
		id: "timeout-too-short",
		title: "The request timeout cuts off admissible requests",
		...error$1,
		why: "A request may take its TTFT cutoff and its TPOT cutoff for every token. A shorter deadline turns passing requests into errors.",
		mend: "Raise client.request_timeout_seconds (it is in seconds; cutoffs are in milliseconds).",
		check: timeoutTooShort
	},
	{
		id: "first-token-timeout-too-short",
		title: "The first-token deadline is below a TTFT cutoff",
		...error$1,
		why: "It turns requests that meet their cutoff into timeouts.",
		mend: "Raise client.first_token_timeout_seconds above the largest TTFT cutoff.",
		check: firstTokenTimeout
	},
	{
		id: "stall-timeout-too-short",
		title: "The stall deadline is below a TPOT cutoff",
		...error$1,
		why: "TPOT is an average: single gaps are longer. A deadline below it ends requests that meet their cutoff.",
		mend: "Raise client.stall_timeout_seconds to many times the largest TPOT cutoff.",
		check: stallTimeout
	},
	{
		id: "duration-unit",
		title: "A duration looks like milliseconds",
		level: "valid",
		severity: "warning",
		why: "Durations are seconds. A deadline of many hours never ends a hung request.",
		mend: "Write the duration in seconds.",
		check: milliseconds
	},
	{
		id: "durations-crossed",
		title: "The minimum duration is longer than the maximum",
		...error$1,
		why: "No point could satisfy both.",
		mend: "Correct one of the two.",
		check: durations
	}
];
function sessionsOf(input) {
	return namedClasses(input).flatMap(({ session, ...shape }) => session === void 0 ? [] : [{
		...shape,
		session
	}]);
}
function liveWithoutIds(input) {
	const { prompt, endpoint } = input.draft.client ?? {};
	const { dialect } = input;
	return sessionsOf(input).flatMap(({ name, session, index }) => {
		if (session.history !== "live") return [];
		const path = [
			"workload",
			index,
			"session",
			"history"
		];
		if (prompt === "text" || endpoint === "chat") return [{
			path,
			message: `the class ${showValue(name)} has a live history, but its prompts are text`
		}];
		if (dialect.request.returnTokenIds !== null) return [];
		return [{
			path,
			message: `a live history needs the answers' token ids, which the dialect ${dialect.id} cannot ask for`
		}];
	});
}
function neverContinued(input) {
	const counts = input.draft.client?.class_schedule_counts;
	return sessionsOf(input).flatMap(({ name, session, index }) => {
		const requests = counts !== void 0 && Object.hasOwn(counts, name) ? counts[name] : void 0;
		const concurrent = session.concurrent;
		if (requests === void 0 || concurrent === void 0 || requests > concurrent) return [];
		const message = `the class ${showValue(name)} has ${showNumber(requests)} requests and ${showNumber(concurrent)} sessions at a time: none comes to its second turn`;
		return [{
			path: [
				"workload",
				index,
				"session",
				"concurrent"
			],
			message
		}];
	});
}
function turnTimes(input) {
	const rates = (input.draft.sweep?.rates_rps ?? []).filter((rate) => rate !== void 0);
	const rate = Math.max(...rates);
	return sessionsOf(input).flatMap((shape) => {
		const { name, index, mix, session } = shape;
		const { concurrent, think_seconds: think } = session;
		if (mix === void 0 || concurrent === void 0 || think === void 0 || rates.length === 0) return [];
		const slowestMs = slowestAdmissibleMs(shape);
		const gap = concurrent / Number((rate * mix).toPrecision(12));
		const least = (seconds) => `Raise concurrent to ${showNumber(Math.ceil(rate * mix * seconds))} or more, or lower think_seconds or the rates.`;
		return [{
			path: [
				"workload",
				index,
				"session",
				"concurrent"
			],
			next: `at ${showNumber(rate)} RPS a session of the class ${showValue(name)} has its next turn after ${gap.toPrecision(3)} s`,
			gap,
			think,
			longest: slowestMs === null ? null : think + slowestMs / 1e3,
			least
		}];
	});
}
function thinkTooLong(input) {
	return turnTimes(input).flatMap(({ path, next, gap, think, least }) => {
		if (gap >= think) return [];
		return [{
			path,
			message: `${next}, when its think time of ${showNumber(think)} s is not over`,
			hint: least(think)
		}];
	});
}
function answerTooLong(input) {
	return turnTimes(input).flatMap(({ path, next, gap, think, longest, least }) => {
		if (longest === null || gap >= longest || gap < think) return [];
		return [{
			path,
			message: `${next}; a turn that just meets its cutoffs takes ${longest.toPrecision(3)} s with its think time`,
			hint: least(longest)
		}];
	});
}
function nothingToHold(input) {
	const { raw, draft } = input;
	const hasSessions = sessionsOf(input).length > 0;
	const policy = valueAt(raw, [
		"engine",
		"deploy",
		"router",
		"policy"
	]);
	const breaches = [];
	const path = [
		"engine",
		"deploy",
		"router",
		"policy"
	];
	if (policy === "session" && !hasSessions) breaches.push({
		path,
		message: "the router holds sessions together, but no class has any"
	});
	if (policy === "prefix" && draft.cache?.warm === void 0) breaches.push({
		path,
		message: "the router holds shared prefixes together, but `cache.warm` declares none"
	});
	if (draft.client?.session_header !== void 0 && !hasSessions) breaches.push({
		path: ["client", "session_header"],
		message: "`client.session_header` names a header for sessions, but no class has any"
	});
	return breaches;
}
const SESSION_RULES = [
	{
		id: "live-history-without-ids",
		title: "A live history cannot be told",
		level: "valid",
		severity: "error",
		why: "A live history goes on with the very tokens that the engine answered. They are known only by their ids, and only a prompt of ids can repeat them.",
		mend: "Use endpoint completions and prompt token_ids with an engine that returns token ids, or history: synthetic.",
		check: liveWithoutIds
	},
	{
		id: "session-never-continued",
		title: "No session comes to its second turn",
		level: "valid",
		severity: "warning",
		why: "A session's next turn comes `concurrent` of the class's arrivals later.",
		mend: "Lower session.concurrent well below the class’s requests, or schedule more of them.",
		check: neverContinued
	},
	{
		id: "session-think-too-long",
		title: "Sessions think for longer than they have time",
		level: "valid",
		severity: "error",
		why: "A turn waits until its user has thought. Where the next one is due before, turns pile up at the client, however fast the engine: the rate is not offered, and a point that passes says nothing of it.",
		mend: "Raise session.concurrent, or lower session.think_seconds or the rates.",
		check: thinkTooLong
	},
	{
		id: "session-answer-too-long",
		title: "Sessions wait for answers that are fast enough",
		level: "valid",
		severity: "warning",
		why: "A turn waits for the answer before it. Where an answer within its cutoffs ends after the next turn is due, sessions hold the load down, and such a point fails (queue.sessions).",
		mend: "Raise session.concurrent, or lower session.think_seconds or the rates.",
		check: answerTooLong
	},
	{
		id: "nothing-to-hold-together",
		title: "Routing holds together what the workload does not have",
		level: "valid",
		severity: "warning",
		why: "It has no effect: each request goes to the next replica, as with round_robin.",
		mend: "Give a class a session (or declare cache.warm, for prefixes), or remove the setting.",
		check: nothingToHold
	}
];
const RATES = ["sweep", "rates_rps"];
function rates({ draft }) {
	return draft.sweep?.rates_rps ?? [];
}
function roundedUp(rate) {
	return showNumber(Math.ceil(rate * 1e3 - 1e-6) / 1e3);
}
function notDeclared({ raw }) {
	if (valueAt(raw, ["sweep"]) !== void 0) return [];
	return [{
		path: ["sweep"],
		at: "key",
		message: "`sweep` is missing: there is no rate to measure at"
	}];
}
function doesNotFit(input) {
	const { initial_scheduled_requests: initial, maximum_duration_seconds: most } = input.draft.client ?? {};
	if (initial === void 0 || most === void 0) return [];
	const lowest = initial / most;
	return rates(input).flatMap((rate, index) => {
		if (rate >= lowest * (1 - 1e-9)) return [];
		const message = `at ${rate} requests/s the ${showNumber(initial)} initial requests take ${showNumber(initial / rate)} s; maximum_duration_seconds is ${showNumber(most)}`;
		const hint = `The lowest rate that fits is ${showNumber(initial)} / ${showNumber(most)} = ${roundedUp(lowest)} requests/s; or raise the maximum duration.`;
		return [{
			path: [...RATES, index],
			message,
			hint
		}];
	});
}
function floorOutOfReach(input) {
	const most = input.draft.client?.maximum_duration_seconds;
	const floor = input.draft.acceptance?.min_successful_samples_per_class;
	const smallest = namedClasses(input).flatMap(({ name, mix, output_tokens }) => mix !== void 0 && mix > 0 ? [{
		name,
		mix: Number((mix * (1 - cancelledShare(input, output_tokens))).toPrecision(12))
	}] : []).toSorted((a, b) => a.mix - b.mix)[0];
	if (most === void 0 || floor === void 0 || smallest === void 0) return [];
	const lowest = floor / (smallest.mix * most);
	return rates(input).flatMap((rate, index) => {
		if (rate >= lowest * (1 - 1e-9)) return [];
		const message = `at ${rate} requests/s the class ${showValue(smallest.name)} gets ${showNumber(Math.floor(rate * smallest.mix * most))} requests within the maximum duration; its floor is ${showNumber(floor)}`;
		const hint = `The lowest rate that reaches it is ${showNumber(floor)} / (${smallest.mix} · ${showNumber(most)}) = ${roundedUp(lowest)} requests/s; or raise the maximum duration.`;
		return [{
			path: [...RATES, index],
			message,
			hint
		}];
	});
}
function tooShort(input) {
	const { initial_scheduled_requests: initial, minimum_duration_seconds: least } = input.draft.client ?? {};
	if (initial === void 0 || least === void 0) return [];
	return rates(input).flatMap((rate, index) => {
		if (initial / rate >= least * (1 - 1e-9)) return [];
		const message = `at ${rate} requests/s the ${showNumber(initial)} initial requests last ${showNumber(initial / rate)} s; minimum_duration_seconds is ${showNumber(least)}`;
		const hint = `Schedule ${showNumber(Math.ceil(rate * least))} requests or more, or lower the rate to ${showNumber(Math.floor(initial / least * 1e3) / 1e3)}.`;
		return [{
			path: [...RATES, index],
			message,
			hint
		}];
	});
}
function resolution(input) {
	return rates(input).flatMap((rate, index) => {
		const milli = rate * 1e3;
		if (milli >= 1 && Math.abs(milli - Math.round(milli)) < 1e-6) return [];
		return [{
			path: [...RATES, index],
			message: `the rate ${rate} is no whole number of milli-requests a second`
		}];
	});
}
function repeated(input) {
	const seen = new Set();
	return rates(input).flatMap((rate, index) => {
		const isSecond = seen.has(rate);
		seen.add(rate);
		return isSecond ? [{
			path: [...RATES, index],
			message: `the rate ${rate} stands twice`
		}] : [];
	});
}
function oneRate(input) {
	if (new Set(rates(input)).size !== 1) return [];
	return [{
		path: RATES,
		at: "key",
		message: "one rate cannot make a bracket"
	}];
}
function noRefinement({ draft }) {
	if (draft.sweep?.refine_step !== 0) return [];
	return [{
		path: ["sweep", "refine_step"],
		message: "`sweep.refine_step` is 0: the bracket stays as wide as the declared rates lie apart"
	}];
}
function coarserThanTolerance({ draft }) {
	const step = draft.sweep?.refine_step;
	const tolerance = draft.acceptance?.capacity_tolerance;
	if (step === void 0 || tolerance === void 0 || step <= tolerance) return [];
	return [{
		path: ["sweep", "refine_step"],
		message: `\`sweep.refine_step\` is ${step}, coarser than \`acceptance.capacity_tolerance\` (${tolerance})`
	}];
}
function floorOutside(input) {
	const least = input.draft.acceptance?.min_capacity_rps;
	const highest = rates(input).reduce((most, rate) => Math.max(most, rate), 0);
	if (least === void 0 || rates(input).length === 0 || least <= highest) return [];
	return [{
		path: ["acceptance", "min_capacity_rps"],
		message: `\`acceptance.min_capacity_rps\` is ${least}; the highest rate is ${highest}`
	}];
}
const error = {
	level: "valid",
	severity: "error"
};
const SWEEP_RULES = [
	{
		id: "sweep-not-declared",
		title: "No rates are declared",
		level: "deployable",
		severity: "error",
		why: "A run measures at declared rates.",
		mend: "Add sweep.rates_rps, from a rate that passes surely to one that fails surely.",
		check: notDeclared
	},
	{
		id: "rate-schedule-does-not-fit",
		title: "At a rate the schedule does not fit the maximum duration",
		...error,
		why: "The point would be cut off before its initial requests were sent: it is no longer the frozen schedule.",
		mend: "Remove the rate, raise client.maximum_duration_seconds, or schedule fewer requests.",
		check: doesNotFit
	},
	{
		id: "rate-floor-out-of-reach",
		title: "At a rate the smallest class cannot reach its floor in time",
		...error,
		why: "The point would end undersampled whatever the engine does.",
		mend: "Remove the rate, raise client.maximum_duration_seconds, or lower the floor.",
		check: floorOutOfReach
	},
	{
		id: "rate-too-short",
		title: "At a rate the schedule ends before the minimum duration",
		...error,
		why: "A short point does not reach steady state, and the queue trend cannot be told.",
		mend: "Schedule more requests, or remove the rate.",
		check: tooShort
	},
	{
		id: "rate-resolution",
		title: "A rate is finer than a milli-request a second",
		...error,
		why: "Rates are whole milli-requests a second, so that every due time is exact.",
		mend: "Write at most three decimals.",
		check: resolution
	},
	{
		id: "rate-repeated",
		title: "A rate stands twice",
		...error,
		why: "Repeats are asked for by sweep.repeats.",
		mend: "Remove one of them.",
		check: repeated
	},
	{
		id: "one-rate",
		title: "There is one rate only",
		level: "valid",
		severity: "warning",
		why: "A capacity is a bracket: a rate that passes and a higher one that fails. A sweep over one rate finds at most half of it.",
		mend: "Add rates below and above.",
		check: oneRate
	},
	{
		id: "no-refinement-step",
		title: "The refinement step is 0",
		level: "valid",
		severity: "warning",
		why: "Zero means no refinement. A baseline’s bracket may be no wider than the tolerance, and declared rates rarely lie so close.",
		mend: "Use 0.02, or declare rates as close as the tolerance.",
		check: noRefinement
	},
	{
		id: "refinement-coarser-than-tolerance",
		title: "The bracket is wider than the tolerance",
		level: "valid",
		severity: "warning",
		why: "A capacity known less exactly than the tolerated loss cannot be promoted to a baseline.",
		mend: "Lower sweep.refine_step to half the tolerance.",
		check: coarserThanTolerance
	},
	{
		id: "minimum-above-rates",
		title: "The least capacity lies above every rate",
		level: "valid",
		severity: "warning",
		why: "A sweep cannot show a capacity that it does not test: every run would be regressed.",
		mend: "Add a rate above acceptance.min_capacity_rps.",
		check: floorOutside
	}
];
const LINT_THEMES = [
	{
		theme: "What is pinned",
		rules: PINNING_RULES
	},
	{
		theme: "The workload",
		rules: WORKLOAD_RULES
	},
	{
		theme: "Sessions",
		rules: SESSION_RULES
	},
	{
		theme: "Arrivals",
		rules: [...ARRIVAL_RULES, ...BURST_RULES]
	},
	{
		theme: "Samples",
		rules: SAMPLE_RULES
	},
	{
		theme: "Time and retries",
		rules: TIMING_RULES
	},
	{
		theme: "Cache state and prompts",
		rules: CACHE_RULES
	},
	{
		theme: "Datasets and cancellation",
		rules: PROMPT_RULES
	},
	{
		theme: "The connection",
		rules: CONNECTION_RULES
	},
	{
		theme: "Placement and deployment",
		rules: PLACEMENT_RULES
	},
	{
		theme: "The engine's arguments",
		rules: ENGINE_ARGUMENT_RULES
	},
	{
		theme: "Secrets",
		rules: SECRET_RULES
	},
	{
		theme: "Rates",
		rules: SWEEP_RULES
	},
	{
		theme: "Acceptance",
		rules: ACCEPTANCE_RULES
	}
];
const LINT_RULES = LINT_THEMES.flatMap(({ rules }) => rules);
[
	Object.values(YAML_RULES),
	Object.values(SCHEMA_RULES),
	...LINT_THEMES
];
function salvage(schema, value) {
	const { core } = fieldOf(schema);
	if (value === void 0) return defaultOf(schema);
	const item = itemsOf(core);
	if (item) return Array.isArray(value) ? value.map((entry) => salvage(item, entry)) : void 0;
	const mappings = mappingsOf(core, value);
	if (core instanceof ZodObject || core instanceof ZodDiscriminatedUnion) {
		const mapping = mappings[0];
		return mapping && isMapping$1(value) ? salvageFields(mapping, value) : void 0;
	}
	const parsed = schema.safeParse(value);
	return parsed.success ? parsed.data : void 0;
}
function salvageFields(mapping, value) {
	const fields = Object.entries(shapeOf(mapping)).flatMap(([key, schema]) => {
		const part = salvage(schema, Object.hasOwn(value, key) ? value[key] : void 0);
		return part === void 0 ? [] : [[key, part]];
	});
	return Object.fromEntries(fields);
}
function defaultOf(schema) {
	const parsed = schema.safeParse(void 0);
	return parsed.success ? parsed.data : void 0;
}
function mergeOverride(base, override) {
	if (!isMapping$1(base) || !isMapping$1(override)) return override;
	const [was, now] = [base, override];
	if (now["kind"] !== void 0 && was["kind"] !== void 0 && now["kind"] !== was["kind"]) return now;
	const changed = Object.entries(now).map(([key, value]) => {
		const before = Object.hasOwn(was, key) ? was[key] : void 0;
		return [key, before === void 0 ? value : mergeOverride(before, value)];
	});
	return {
		...was,
		...Object.fromEntries(changed)
	};
}
function overrideBreaches(override, merged, path = []) {
	const field = fieldAt(path, merged);
	if (field?.tag === "subject" || field === null && path.length > 0) return [];
	if (!isMapping$1(override) || (field?.tag ?? null) !== null) {
		const message = `\`${showPath(path)}\` ${field?.tag ? `is ${ARTICLES[field.tag]} field` : "is replaced as a whole"}; an override may change subject fields only`;
		return [{
			rule: SCHEMA_RULES.overrideNotSubject,
			path,
			at: "key",
			message
		}];
	}
	return Object.entries(override).flatMap(([key, value]) => overrideBreaches(value, merged, [...path, key]));
}
function dialectChange(base, merged) {
	const path = ["engine", "name"];
	const stated = ["engine", "dialect"];
	if (valueAt(base, stated) !== valueAt(merged, stated) || typeof valueAt(merged, path) !== "string") return [];
	const [was, now] = [dialectOf(base), dialectOf(merged)];
	if (was === now) return [];
	const message = `\`engine.name\` changes the dialect from ${was} to ${now}, and with it what the manifest owns`;
	return [{
		rule: SCHEMA_RULES.overrideNotSubject,
		path,
		message,
		hint: `State \`engine.dialect: ${was}\` in the manifest.`
	}];
}
function dialectOf(value) {
	const name = valueAt(value, ["engine", "name"]);
	const dialect = valueAt(value, ["engine", "dialect"]);
	return dialectFor({ engine: {
		name: typeof name === "string" ? name : void 0,
		dialect
	} }).id;
}
const ARTICLES = {
	subject: "a subject",
	experiment: "an experiment",
	operation: "an operation",
	note: "a note"
};
var require_identity = __commonJSMin(((exports) => {
	const ALIAS = Symbol.for("yaml.alias");
	const DOC = Symbol.for("yaml.document");
	const MAP = Symbol.for("yaml.map");
	const PAIR = Symbol.for("yaml.pair");
	const SCALAR = Symbol.for("yaml.scalar");
	const SEQ = Symbol.for("yaml.seq");
	const NODE_TYPE = Symbol.for("yaml.node.type");
	const isAlias = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === ALIAS;
	const isDocument = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === DOC;
	const isMap = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === MAP;
	const isPair = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === PAIR;
	const isScalar = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === SCALAR;
	const isSeq = (node) => !!node && typeof node === "object" && node[NODE_TYPE] === SEQ;
	function isCollection(node) {
		if (node && typeof node === "object") switch (node[NODE_TYPE]) {
			case MAP:
			case SEQ: return true;
		}
		return false;
	}
	function isNode(node) {
		if (node && typeof node === "object") switch (node[NODE_TYPE]) {
			case ALIAS:
			case MAP:
			case SCALAR:
			case SEQ: return true;
		}
		return false;
	}
	const hasAnchor = (node) => (isScalar(node) || isCollection(node)) && !!node.anchor;
	exports.ALIAS = ALIAS;
	exports.DOC = DOC;
	exports.MAP = MAP;
	exports.NODE_TYPE = NODE_TYPE;
	exports.PAIR = PAIR;
	exports.SCALAR = SCALAR;
	exports.SEQ = SEQ;
	exports.hasAnchor = hasAnchor;
	exports.isAlias = isAlias;
	exports.isCollection = isCollection;
	exports.isDocument = isDocument;
	exports.isMap = isMap;
	exports.isNode = isNode;
	exports.isPair = isPair;
	exports.isScalar = isScalar;
	exports.isSeq = isSeq;
}));
var require_visit = __commonJSMin(((exports) => {
	var identity = require_identity();
	const BREAK = Symbol("break visit");
	const SKIP = Symbol("skip children");
	const REMOVE = Symbol("remove node");
	function visit(node, visitor) {
		const visitor_ = initVisitor(visitor);
		if (identity.isDocument(node)) {
			if (visit_(null, node.contents, visitor_, Object.freeze([node])) === REMOVE) node.contents = null;
		} else visit_(null, node, visitor_, Object.freeze([]));
	}
	visit.BREAK = BREAK;
	visit.SKIP = SKIP;
	visit.REMOVE = REMOVE;
	function visit_(key, node, visitor, path) {
		const ctrl = callVisitor(key, node, visitor, path);
		if (identity.isNode(ctrl) || identity.isPair(ctrl)) {
			replaceNode(key, path, ctrl);
			return visit_(key, ctrl, visitor, path);
		}
		if (typeof ctrl !== "symbol") {
			if (identity.isCollection(node)) {
				path = Object.freeze(path.concat(node));
				for (let i = 0; i < node.items.length; ++i) {
					const ci = visit_(i, node.items[i], visitor, path);
					if (typeof ci === "number") i = ci - 1;
					else if (ci === BREAK) return BREAK;
					else if (ci === REMOVE) {
						node.items.splice(i, 1);
						i -= 1;
					}
				}
			} else if (identity.isPair(node)) {
				path = Object.freeze(path.concat(node));
				const ck = visit_("key", node.key, visitor, path);
				if (ck === BREAK) return BREAK;
				else if (ck === REMOVE) node.key = null;
				const cv = visit_("value", node.value, visitor, path);
				if (cv === BREAK) return BREAK;
				else if (cv === REMOVE) node.value = null;
			}
		}
		return ctrl;
	}
	async function visitAsync(node, visitor) {
		const visitor_ = initVisitor(visitor);
		if (identity.isDocument(node)) {
			if (await visitAsync_(null, node.contents, visitor_, Object.freeze([node])) === REMOVE) node.contents = null;
		} else await visitAsync_(null, node, visitor_, Object.freeze([]));
	}
	visitAsync.BREAK = BREAK;
	visitAsync.SKIP = SKIP;
	visitAsync.REMOVE = REMOVE;
	async function visitAsync_(key, node, visitor, path) {
		const ctrl = await callVisitor(key, node, visitor, path);
		if (identity.isNode(ctrl) || identity.isPair(ctrl)) {
			replaceNode(key, path, ctrl);
			return visitAsync_(key, ctrl, visitor, path);
		}
		if (typeof ctrl !== "symbol") {
			if (identity.isCollection(node)) {
				path = Object.freeze(path.concat(node));
				for (let i = 0; i < node.items.length; ++i) {
					const ci = await visitAsync_(i, node.items[i], visitor, path);
					if (typeof ci === "number") i = ci - 1;
					else if (ci === BREAK) return BREAK;
					else if (ci === REMOVE) {
						node.items.splice(i, 1);
						i -= 1;
					}
				}
			} else if (identity.isPair(node)) {
				path = Object.freeze(path.concat(node));
				const ck = await visitAsync_("key", node.key, visitor, path);
				if (ck === BREAK) return BREAK;
				else if (ck === REMOVE) node.key = null;
				const cv = await visitAsync_("value", node.value, visitor, path);
				if (cv === BREAK) return BREAK;
				else if (cv === REMOVE) node.value = null;
			}
		}
		return ctrl;
	}
	function initVisitor(visitor) {
		if (typeof visitor === "object" && (visitor.Collection || visitor.Node || visitor.Value)) return Object.assign({
			Alias: visitor.Node,
			Map: visitor.Node,
			Scalar: visitor.Node,
			Seq: visitor.Node
		}, visitor.Value && {
			Map: visitor.Value,
			Scalar: visitor.Value,
			Seq: visitor.Value
		}, visitor.Collection && {
			Map: visitor.Collection,
			Seq: visitor.Collection
		}, visitor);
		return visitor;
	}
	function callVisitor(key, node, visitor, path) {
		if (typeof visitor === "function") return visitor(key, node, path);
		if (identity.isMap(node)) return visitor.Map?.(key, node, path);
		if (identity.isSeq(node)) return visitor.Seq?.(key, node, path);
		if (identity.isPair(node)) return visitor.Pair?.(key, node, path);
		if (identity.isScalar(node)) return visitor.Scalar?.(key, node, path);
		if (identity.isAlias(node)) return visitor.Alias?.(key, node, path);
	}
	function replaceNode(key, path, node) {
		const parent = path[path.length - 1];
		if (identity.isCollection(parent)) parent.items[key] = node;
		else if (identity.isPair(parent)) {
			if (key === "key") parent.key = node;
			else parent.value = node;
		} else if (identity.isDocument(parent)) parent.contents = node;
		else {
			const pt = identity.isAlias(parent) ? "alias" : "scalar";
			throw new Error(`Cannot replace node with ${pt} parent`);
		}
	}
	exports.visit = visit;
	exports.visitAsync = visitAsync;
}));
var require_directives = __commonJSMin(((exports) => {
	var identity = require_identity();
	var visit = require_visit();
	const escapeChars = {
		"!": "%21",
		",": "%2C",
		"[": "%5B",
		"]": "%5D",
		"{": "%7B",
		"}": "%7D"
	};
	const escapeTagName = (tn) => tn.replace(/[!,[\]{}]/g, (ch) => escapeChars[ch]);
	var Directives = class Directives {
		constructor(yaml, tags) {
			this.docStart = null;
			this.docEnd = false;
			this.yaml = Object.assign({}, Directives.defaultYaml, yaml);
			this.tags = Object.assign({}, Directives.defaultTags, tags);
		}
		clone() {
			const copy = new Directives(this.yaml, this.tags);
			copy.docStart = this.docStart;
			return copy;
		}
		atDocument() {
			const res = new Directives(this.yaml, this.tags);
			switch (this.yaml.version) {
				case "1.1":
					this.atNextDocument = true;
					break;
				case "1.2":
					this.atNextDocument = false;
					this.yaml = {
						explicit: Directives.defaultYaml.explicit,
						version: "1.2"
					};
					this.tags = Object.assign({}, Directives.defaultTags);
			}
			return res;
		}
		add(line, onError) {
			if (this.atNextDocument) {
				this.yaml = {
					explicit: Directives.defaultYaml.explicit,
					version: "1.1"
				};
				this.tags = Object.assign({}, Directives.defaultTags);
				this.atNextDocument = false;
			}
			const parts = line.trim().split(/[ \t]+/);
			const name = parts.shift();
			switch (name) {
				case "%TAG": {
					if (parts.length !== 2) {
						onError(0, "%TAG directive should contain exactly two parts");
						if (parts.length < 2) return false;
					}
					const [handle, prefix] = parts;
					this.tags[handle] = prefix;
					return true;
				}
				case "%YAML": {
					this.yaml.explicit = true;
					if (parts.length !== 1) {
						onError(0, "%YAML directive should contain exactly one part");
						return false;
					}
					const [version] = parts;
					if (version === "1.1" || version === "1.2") {
						this.yaml.version = version;
						return true;
					} else {
						const isValid = /^\d+\.\d+$/.test(version);
						onError(6, `Unsupported YAML version ${version}`, isValid);
						return false;
					}
				}
				default:
					onError(0, `Unknown directive ${name}`, true);
					return false;
			}
		}
		tagName(source, onError) {
			if (source === "!") return "!";
			if (source[0] !== "!") {
				onError(`Not a valid tag: ${source}`);
				return null;
			}
			if (source[1] === "<") {
				const verbatim = source.slice(2, -1);
				if (verbatim === "!" || verbatim === "!!") {
					onError(`Verbatim tags aren't resolved, so ${source} is invalid.`);
					return null;
				}
				if (source[source.length - 1] !== ">") onError("Verbatim tags must end with a >");
				return verbatim;
			}
			const [, handle, suffix] = source.match(/^(.*!)([^!]*)$/s);
			if (!suffix) onError(`The ${source} tag has no suffix`);
			const prefix = this.tags[handle];
			if (prefix) try {
				return prefix + decodeURIComponent(suffix);
			} catch (error) {
				onError(String(error));
				return null;
			}
			if (handle === "!") return source;
			onError(`Could not resolve tag: ${source}`);
			return null;
		}
		tagString(tag) {
			for (const [handle, prefix] of Object.entries(this.tags)) if (tag.startsWith(prefix)) return handle + escapeTagName(tag.substring(prefix.length));
			return tag[0] === "!" ? tag : `!<${tag}>`;
		}
		toString(doc) {
			const lines = this.yaml.explicit ? [`%YAML ${this.yaml.version || "1.2"}`] : [];
			const tagEntries = Object.entries(this.tags);
			let tagNames;
			if (doc && tagEntries.length > 0 && identity.isNode(doc.contents)) {
				const tags = {};
				visit.visit(doc.contents, (_key, node) => {
					if (identity.isNode(node) && node.tag) tags[node.tag] = true;
				});
				tagNames = Object.keys(tags);
			} else tagNames = [];
			for (const [handle, prefix] of tagEntries) {
				if (handle === "!!" && prefix === "tag:yaml.org,2002:") continue;
				if (!doc || tagNames.some((tn) => tn.startsWith(prefix))) lines.push(`%TAG ${handle} ${prefix}`);
			}
			return lines.join("\n");
		}
	};
	Directives.defaultYaml = {
		explicit: false,
		version: "1.2"
	};
	Directives.defaultTags = { "!!": "tag:yaml.org,2002:" };
	exports.Directives = Directives;
}));
var require_anchors = __commonJSMin(((exports) => {
	var identity = require_identity();
	var visit = require_visit();
	function anchorIsValid(anchor) {
		if (/[\x00-\x19\s,[\]{}]/.test(anchor)) {
			const msg = `Anchor must not contain whitespace or control characters: ${JSON.stringify(anchor)}`;
			throw new Error(msg);
		}
		return true;
	}
	function anchorNames(root) {
		const anchors = new Set();
		visit.visit(root, { Value(_key, node) {
			if (node.anchor) anchors.add(node.anchor);
		} });
		return anchors;
	}
	function findNewAnchor(prefix, exclude) {
		for (let i = 1;; ++i) {
			const name = `${prefix}${i}`;
			if (!exclude.has(name)) return name;
		}
	}
	function createNodeAnchors(doc, prefix) {
		const aliasObjects = [];
		const sourceObjects = new Map();
		let prevAnchors = null;
		return {
			onAnchor: (source) => {
				aliasObjects.push(source);
				prevAnchors ?? (prevAnchors = anchorNames(doc));
				const anchor = findNewAnchor(prefix, prevAnchors);
				prevAnchors.add(anchor);
				return anchor;
			},
			setAnchors: () => {
				for (const source of aliasObjects) {
					const ref = sourceObjects.get(source);
					if (typeof ref === "object" && ref.anchor && (identity.isScalar(ref.node) || identity.isCollection(ref.node))) ref.node.anchor = ref.anchor;
					else {
						const error = new Error("Failed to resolve repeated object (this should not happen)");
						error.source = source;
						throw error;
					}
				}
			},
			sourceObjects
		};
	}
	exports.anchorIsValid = anchorIsValid;
	exports.anchorNames = anchorNames;
	exports.createNodeAnchors = createNodeAnchors;
	exports.findNewAnchor = findNewAnchor;
}));
var require_applyReviver = __commonJSMin(((exports) => {
	function applyReviver(reviver, obj, key, val) {
		if (val && typeof val === "object") {
			if (Array.isArray(val)) for (let i = 0, len = val.length; i < len; ++i) {
				const v0 = val[i];
				const v1 = applyReviver(reviver, val, String(i), v0);
				if (v1 === void 0) delete val[i];
				else if (v1 !== v0) val[i] = v1;
			}
			else if (val instanceof Map) for (const k of Array.from(val.keys())) {
				const v0 = val.get(k);
				const v1 = applyReviver(reviver, val, k, v0);
				if (v1 === void 0) val.delete(k);
				else if (v1 !== v0) val.set(k, v1);
			}
			else if (val instanceof Set) for (const v0 of Array.from(val)) {
				const v1 = applyReviver(reviver, val, v0, v0);
				if (v1 === void 0) val.delete(v0);
				else if (v1 !== v0) {
					val.delete(v0);
					val.add(v1);
				}
			}
			else for (const [k, v0] of Object.entries(val)) {
				const v1 = applyReviver(reviver, val, k, v0);
				if (v1 === void 0) delete val[k];
				else if (v1 !== v0) val[k] = v1;
			}
		}
		return reviver.call(obj, key, val);
	}
	exports.applyReviver = applyReviver;
}));
var require_toJS = __commonJSMin(((exports) => {
	var identity = require_identity();
	function toJS(value, arg, ctx) {
		if (Array.isArray(value)) return value.map((v, i) => toJS(v, String(i), ctx));
		if (value && typeof value.toJSON === "function") {
			if (!ctx || !identity.hasAnchor(value)) return value.toJSON(arg, ctx);
			const data = {
				aliasCount: 0,
				count: 1,
				res: void 0
			};
			ctx.anchors.set(value, data);
			ctx.onCreate = (res) => {
				data.res = res;
				delete ctx.onCreate;
			};
			const res = value.toJSON(arg, ctx);
			if (ctx.onCreate) ctx.onCreate(res);
			return res;
		}
		if (typeof value === "bigint" && !ctx?.keep) return Number(value);
		return value;
	}
	exports.toJS = toJS;
}));
var require_Node = __commonJSMin(((exports) => {
	var applyReviver = require_applyReviver();
	var identity = require_identity();
	var toJS = require_toJS();
	var NodeBase = class {
		constructor(type) {
			Object.defineProperty(this, identity.NODE_TYPE, { value: type });
		}
		clone() {
			const copy = Object.create(Object.getPrototypeOf(this), Object.getOwnPropertyDescriptors(this));
			if (this.range) copy.range = this.range.slice();
			return copy;
		}
		toJS(doc, { mapAsMap, maxAliasCount, onAnchor, reviver } = {}) {
			if (!identity.isDocument(doc)) throw new TypeError("A document argument is required");
			const ctx = {
				anchors: new Map(),
				doc,
				keep: true,
				mapAsMap: mapAsMap === true,
				mapKeyWarned: false,
				maxAliasCount: typeof maxAliasCount === "number" ? maxAliasCount : 100
			};
			const res = toJS.toJS(this, "", ctx);
			if (typeof onAnchor === "function") for (const { count, res } of ctx.anchors.values()) onAnchor(res, count);
			return typeof reviver === "function" ? applyReviver.applyReviver(reviver, { "": res }, "", res) : res;
		}
	};
	exports.NodeBase = NodeBase;
}));
var require_Alias = __commonJSMin(((exports) => {
	var anchors = require_anchors();
	var visit = require_visit();
	var identity = require_identity();
	var Node = require_Node();
	var toJS = require_toJS();
	var Alias = class extends Node.NodeBase {
		constructor(source) {
			super(identity.ALIAS);
			this.source = source;
			Object.defineProperty(this, "tag", { set() {
				throw new Error("Alias nodes cannot have tags");
			} });
		}
		resolve(doc, ctx) {
			if (ctx?.maxAliasCount === 0) throw new ReferenceError("Alias resolution is disabled");
			let nodes;
			if (ctx?.aliasResolveCache) nodes = ctx.aliasResolveCache;
			else {
				nodes = [];
				visit.visit(doc, { Node: (_key, node) => {
					if (identity.isAlias(node) || identity.hasAnchor(node)) nodes.push(node);
				} });
				if (ctx) ctx.aliasResolveCache = nodes;
			}
			let found = void 0;
			for (const node of nodes) {
				if (node === this) break;
				if (node.anchor === this.source) found = node;
			}
			if (found && ctx) {
				const { anchors, doc, maxAliasCount } = ctx;
				let data = anchors.get(found);
				if (!data) {
					toJS.toJS(found, null, ctx);
					data = anchors.get(found);
				}
				if (data?.res === void 0) throw new ReferenceError("This should not happen: Alias anchor was not resolved?");
				if (maxAliasCount >= 0) {
					data.count += 1;
					if (data.aliasCount === 0) data.aliasCount = getAliasCount(doc, found, anchors);
					if (data.count * data.aliasCount > maxAliasCount) throw new ReferenceError("Excessive alias count indicates a resource exhaustion attack");
				}
			}
			return found;
		}
		toJSON(_arg, ctx) {
			if (!ctx) return { source: this.source };
			const source = this.resolve(ctx.doc, ctx);
			if (!source) {
				const msg = `Unresolved alias (the anchor must be set before the alias): ${this.source}`;
				throw new ReferenceError(msg);
			}
			return ctx.anchors.get(source).res;
		}
		toString(ctx, _onComment, _onChompKeep) {
			const src = `*${this.source}`;
			if (ctx) {
				anchors.anchorIsValid(this.source);
				if (ctx.options.verifyAliasOrder && !ctx.anchors.has(this.source)) {
					const msg = `Unresolved alias (the anchor must be set before the alias): ${this.source}`;
					throw new Error(msg);
				}
				if (ctx.implicitKey) return `${src} `;
			}
			return src;
		}
	};
	function getAliasCount(doc, node, anchors) {
		if (identity.isAlias(node)) {
			const source = node.resolve(doc);
			const anchor = anchors && source && anchors.get(source);
			return anchor ? anchor.count * anchor.aliasCount : 0;
		} else if (identity.isCollection(node)) {
			let count = 0;
			for (const item of node.items) {
				const c = getAliasCount(doc, item, anchors);
				if (c > count) count = c;
			}
			return count;
		} else if (identity.isPair(node)) {
			const kc = getAliasCount(doc, node.key, anchors);
			const vc = getAliasCount(doc, node.value, anchors);
			return Math.max(kc, vc);
		}
		return 1;
	}
	exports.Alias = Alias;
}));
var require_Scalar = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Node = require_Node();
	var toJS = require_toJS();
	const isScalarValue = (value) => !value || typeof value !== "function" && typeof value !== "object";
	var Scalar = class extends Node.NodeBase {
		constructor(value) {
			super(identity.SCALAR);
			this.value = value;
		}
		toJSON(arg, ctx) {
			return ctx?.keep ? this.value : toJS.toJS(this.value, arg, ctx);
		}
		toString() {
			return String(this.value);
		}
	};
	Scalar.BLOCK_FOLDED = "BLOCK_FOLDED";
	Scalar.BLOCK_LITERAL = "BLOCK_LITERAL";
	Scalar.PLAIN = "PLAIN";
	Scalar.QUOTE_DOUBLE = "QUOTE_DOUBLE";
	Scalar.QUOTE_SINGLE = "QUOTE_SINGLE";
	exports.Scalar = Scalar;
	exports.isScalarValue = isScalarValue;
}));
var require_createNode = __commonJSMin(((exports) => {
	var Alias = require_Alias();
	var identity = require_identity();
	var Scalar = require_Scalar();
	const defaultTagPrefix = "tag:yaml.org,2002:";
	function findTagObject(value, tagName, tags) {
		if (tagName) {
			const match = tags.filter((t) => t.tag === tagName);
			const tagObj = match.find((t) => !t.format) ?? match[0];
			if (!tagObj) throw new Error(`Tag ${tagName} not found`);
			return tagObj;
		}
		return tags.find((t) => t.identify?.(value) && !t.format);
	}
	function createNode(value, tagName, ctx) {
		if (identity.isDocument(value)) value = value.contents;
		if (identity.isNode(value)) return value;
		if (identity.isPair(value)) {
			const map = ctx.schema[identity.MAP].createNode?.(ctx.schema, null, ctx);
			map.items.push(value);
			return map;
		}
		if (value instanceof String || value instanceof Number || value instanceof Boolean || typeof BigInt !== "undefined" && value instanceof BigInt) value = value.valueOf();
		const { aliasDuplicateObjects, onAnchor, onTagObj, schema, sourceObjects } = ctx;
		let ref = void 0;
		if (aliasDuplicateObjects && value && typeof value === "object") {
			ref = sourceObjects.get(value);
			if (ref) {
				ref.anchor ?? (ref.anchor = onAnchor(value));
				return new Alias.Alias(ref.anchor);
			} else {
				ref = {
					anchor: null,
					node: null
				};
				sourceObjects.set(value, ref);
			}
		}
		if (tagName?.startsWith("!!")) tagName = defaultTagPrefix + tagName.slice(2);
		let tagObj = findTagObject(value, tagName, schema.tags);
		if (!tagObj) {
			if (value && typeof value.toJSON === "function") value = value.toJSON();
			if (!value || typeof value !== "object") {
				const node = new Scalar.Scalar(value);
				if (ref) ref.node = node;
				return node;
			}
			tagObj = value instanceof Map ? schema[identity.MAP] : Symbol.iterator in Object(value) ? schema[identity.SEQ] : schema[identity.MAP];
		}
		if (onTagObj) {
			onTagObj(tagObj);
			delete ctx.onTagObj;
		}
		const node = tagObj?.createNode ? tagObj.createNode(ctx.schema, value, ctx) : typeof tagObj?.nodeClass?.from === "function" ? tagObj.nodeClass.from(ctx.schema, value, ctx) : new Scalar.Scalar(value);
		if (tagName) node.tag = tagName;
		else if (!tagObj.default) node.tag = tagObj.tag;
		if (ref) ref.node = node;
		return node;
	}
	exports.createNode = createNode;
}));
var require_Collection = __commonJSMin(((exports) => {
	var createNode = require_createNode();
	var identity = require_identity();
	var Node = require_Node();
	function collectionFromPath(schema, path, value) {
		let v = value;
		for (let i = path.length - 1; i >= 0; --i) {
			const k = path[i];
			if (typeof k === "number" && Number.isInteger(k) && k >= 0) {
				const a = [];
				a[k] = v;
				v = a;
			} else v = new Map([[k, v]]);
		}
		return createNode.createNode(v, void 0, {
			aliasDuplicateObjects: false,
			keepUndefined: false,
			onAnchor: () => {
				throw new Error("This should not happen, please report a bug.");
			},
			schema,
			sourceObjects: new Map()
		});
	}
	const isEmptyPath = (path) => path == null || typeof path === "object" && !!path[Symbol.iterator]().next().done;
	var Collection = class extends Node.NodeBase {
		constructor(type, schema) {
			super(type);
			Object.defineProperty(this, "schema", {
				value: schema,
				configurable: true,
				enumerable: false,
				writable: true
			});
		}
		clone(schema) {
			const copy = Object.create(Object.getPrototypeOf(this), Object.getOwnPropertyDescriptors(this));
			if (schema) copy.schema = schema;
			copy.items = copy.items.map((it) => identity.isNode(it) || identity.isPair(it) ? it.clone(schema) : it);
			if (this.range) copy.range = this.range.slice();
			return copy;
		}
		addIn(path, value) {
			if (isEmptyPath(path)) this.add(value);
			else {
				const [key, ...rest] = path;
				const node = this.get(key, true);
				if (identity.isCollection(node)) node.addIn(rest, value);
				else if (node === void 0 && this.schema) this.set(key, collectionFromPath(this.schema, rest, value));
				else throw new Error(`Expected YAML collection at ${key}. Remaining path: ${rest}`);
			}
		}
		deleteIn(path) {
			const [key, ...rest] = path;
			if (rest.length === 0) return this.delete(key);
			const node = this.get(key, true);
			if (identity.isCollection(node)) return node.deleteIn(rest);
			else throw new Error(`Expected YAML collection at ${key}. Remaining path: ${rest}`);
		}
		getIn(path, keepScalar) {
			const [key, ...rest] = path;
			const node = this.get(key, true);
			if (rest.length === 0) return !keepScalar && identity.isScalar(node) ? node.value : node;
			else return identity.isCollection(node) ? node.getIn(rest, keepScalar) : void 0;
		}
		hasAllNullValues(allowScalar) {
			return this.items.every((node) => {
				if (!identity.isPair(node)) return false;
				const n = node.value;
				return n == null || allowScalar && identity.isScalar(n) && n.value == null && !n.commentBefore && !n.comment && !n.tag;
			});
		}
		hasIn(path) {
			const [key, ...rest] = path;
			if (rest.length === 0) return this.has(key);
			const node = this.get(key, true);
			return identity.isCollection(node) ? node.hasIn(rest) : false;
		}
		setIn(path, value) {
			const [key, ...rest] = path;
			if (rest.length === 0) this.set(key, value);
			else {
				const node = this.get(key, true);
				if (identity.isCollection(node)) node.setIn(rest, value);
				else if (node === void 0 && this.schema) this.set(key, collectionFromPath(this.schema, rest, value));
				else throw new Error(`Expected YAML collection at ${key}. Remaining path: ${rest}`);
			}
		}
	};
	exports.Collection = Collection;
	exports.collectionFromPath = collectionFromPath;
	exports.isEmptyPath = isEmptyPath;
}));
var require_stringifyComment = __commonJSMin(((exports) => {
	const stringifyComment = (str) => str.replace(/^(?!$)(?: $)?/gm, "#");
	function indentComment(comment, indent) {
		if (/^\n+$/.test(comment)) return comment.substring(1);
		return indent ? comment.replace(/^(?! *$)/gm, indent) : comment;
	}
	const lineComment = (str, indent, comment) => str.endsWith("\n") ? indentComment(comment, indent) : comment.includes("\n") ? "\n" + indentComment(comment, indent) : (str.endsWith(" ") ? "" : " ") + comment;
	exports.indentComment = indentComment;
	exports.lineComment = lineComment;
	exports.stringifyComment = stringifyComment;
}));
var require_foldFlowLines = __commonJSMin(((exports) => {
	const FOLD_FLOW = "flow";
	const FOLD_BLOCK = "block";
	const FOLD_QUOTED = "quoted";
	function foldFlowLines(text, indent, mode = "flow", { indentAtStart, lineWidth = 80, minContentWidth = 20, onFold, onOverflow } = {}) {
		if (!lineWidth || lineWidth < 0) return text;
		if (lineWidth < minContentWidth) minContentWidth = 0;
		const endStep = Math.max(1 + minContentWidth, 1 + lineWidth - indent.length);
		if (text.length <= endStep) return text;
		const folds = [];
		const escapedFolds = {};
		let end = lineWidth - indent.length;
		if (typeof indentAtStart === "number") {
			if (indentAtStart > lineWidth - Math.max(2, minContentWidth)) folds.push(0);
			else end = lineWidth - indentAtStart;
		}
		let split = void 0;
		let prev = void 0;
		let overflow = false;
		let i = -1;
		let escStart = -1;
		let escEnd = -1;
		if (mode === FOLD_BLOCK) {
			i = consumeMoreIndentedLines(text, i, indent.length);
			if (i !== -1) end = i + endStep;
		}
		for (let ch; ch = text[i += 1];) {
			if (mode === FOLD_QUOTED && ch === "\\") {
				escStart = i;
				switch (text[i + 1]) {
					case "x":
						i += 3;
						break;
					case "u":
						i += 5;
						break;
					case "U":
						i += 9;
						break;
					default: i += 1;
				}
				escEnd = i;
			}
			if (ch === "\n") {
				if (mode === FOLD_BLOCK) i = consumeMoreIndentedLines(text, i, indent.length);
				end = i + indent.length + endStep;
				split = void 0;
			} else {
				if (ch === " " && prev && prev !== " " && prev !== "\n" && prev !== "	") {
					const next = text[i + 1];
					if (next && next !== " " && next !== "\n" && next !== "	") split = i;
				}
				if (i >= end) {
					if (split) {
						folds.push(split);
						end = split + endStep;
						split = void 0;
					} else if (mode === FOLD_QUOTED) {
						while (prev === " " || prev === "	") {
							prev = ch;
							ch = text[i += 1];
							overflow = true;
						}
						const j = i > escEnd + 1 ? i - 2 : escStart - 1;
						if (escapedFolds[j]) return text;
						folds.push(j);
						escapedFolds[j] = true;
						end = j + endStep;
						split = void 0;
					} else overflow = true;
				}
			}
			prev = ch;
		}
		if (overflow && onOverflow) onOverflow();
		if (folds.length === 0) return text;
		if (onFold) onFold();
		let res = text.slice(0, folds[0]);
		for (let i = 0; i < folds.length; ++i) {
			const fold = folds[i];
			const end = folds[i + 1] || text.length;
			if (fold === 0) res = `\n${indent}${text.slice(0, end)}`;
			else {
				if (mode === FOLD_QUOTED && escapedFolds[fold]) res += `${text[fold]}\\`;
				res += `\n${indent}${text.slice(fold + 1, end)}`;
			}
		}
		return res;
	}
	function consumeMoreIndentedLines(text, i, indent) {
		let end = i;
		let start = i + 1;
		let ch = text[start];
		while (ch === " " || ch === "	") if (i < start + indent) ch = text[++i];
		else {
			do
				ch = text[++i];
			while (ch && ch !== "\n");
			end = i;
			start = i + 1;
			ch = text[start];
		}
		return end;
	}
	exports.FOLD_BLOCK = FOLD_BLOCK;
	exports.FOLD_FLOW = FOLD_FLOW;
	exports.FOLD_QUOTED = FOLD_QUOTED;
	exports.foldFlowLines = foldFlowLines;
}));
var require_stringifyString = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	var foldFlowLines = require_foldFlowLines();
	const getFoldOptions = (ctx, isBlock) => ({
		indentAtStart: isBlock ? ctx.indent.length : ctx.indentAtStart,
		lineWidth: ctx.options.lineWidth,
		minContentWidth: ctx.options.minContentWidth
	});
	const containsDocumentMarker = (str) => /^(%|---|\.\.\.)/m.test(str);
	function lineLengthOverLimit(str, lineWidth, indentLength) {
		if (!lineWidth || lineWidth < 0) return false;
		const limit = lineWidth - indentLength;
		const strLen = str.length;
		if (strLen <= limit) return false;
		for (let i = 0, start = 0; i < strLen; ++i) if (str[i] === "\n") {
			if (i - start > limit) return true;
			start = i + 1;
			if (strLen - start <= limit) return false;
		}
		return true;
	}
	function doubleQuotedString(value, ctx) {
		const json = JSON.stringify(value);
		if (ctx.options.doubleQuotedAsJSON) return json;
		const { implicitKey } = ctx;
		const minMultiLineLength = ctx.options.doubleQuotedMinMultiLineLength;
		const indent = ctx.indent || (containsDocumentMarker(value) ? "  " : "");
		let str = "";
		let start = 0;
		for (let i = 0, ch = json[i]; ch; ch = json[++i]) {
			if (ch === " " && json[i + 1] === "\\" && json[i + 2] === "n") {
				str += json.slice(start, i) + "\\ ";
				i += 1;
				start = i;
				ch = "\\";
			}
			if (ch === "\\") switch (json[i + 1]) {
				case "u":
					{
						str += json.slice(start, i);
						const code = json.substr(i + 2, 4);
						switch (code) {
							case "0000":
								str += "\\0";
								break;
							case "0007":
								str += "\\a";
								break;
							case "000b":
								str += "\\v";
								break;
							case "001b":
								str += "\\e";
								break;
							case "0085":
								str += "\\N";
								break;
							case "00a0":
								str += "\\_";
								break;
							case "2028":
								str += "\\L";
								break;
							case "2029":
								str += "\\P";
								break;
							default: if (code.substr(0, 2) === "00") str += "\\x" + code.substr(2);
							else str += json.substr(i, 6);
						}
						i += 5;
						start = i + 1;
					}
					break;
				case "n":
					if (implicitKey || json[i + 2] === "\"" || json.length < minMultiLineLength) i += 1;
					else {
						str += json.slice(start, i) + "\n\n";
						while (json[i + 2] === "\\" && json[i + 3] === "n" && json[i + 4] !== "\"") {
							str += "\n";
							i += 2;
						}
						str += indent;
						if (json[i + 2] === " ") str += "\\";
						i += 1;
						start = i + 1;
					}
					break;
				default: i += 1;
			}
		}
		str = start ? str + json.slice(start) : json;
		return implicitKey ? str : foldFlowLines.foldFlowLines(str, indent, foldFlowLines.FOLD_QUOTED, getFoldOptions(ctx, false));
	}
	function singleQuotedString(value, ctx) {
		if (ctx.options.singleQuote === false || ctx.implicitKey && value.includes("\n") || /[ \t]\n|\n[ \t]/.test(value)) return doubleQuotedString(value, ctx);
		const indent = ctx.indent || (containsDocumentMarker(value) ? "  " : "");
		const res = "'" + value.replace(/'/g, "''").replace(/\n+/g, `$&\n${indent}`) + "'";
		return ctx.implicitKey ? res : foldFlowLines.foldFlowLines(res, indent, foldFlowLines.FOLD_FLOW, getFoldOptions(ctx, false));
	}
	function quotedString(value, ctx) {
		const { singleQuote } = ctx.options;
		let qs;
		if (singleQuote === false) qs = doubleQuotedString;
		else {
			const hasDouble = value.includes("\"");
			const hasSingle = value.includes("'");
			if (hasDouble && !hasSingle) qs = singleQuotedString;
			else if (hasSingle && !hasDouble) qs = doubleQuotedString;
			else qs = singleQuote ? singleQuotedString : doubleQuotedString;
		}
		return qs(value, ctx);
	}
	let blockEndNewlines;
	try {
		blockEndNewlines = new RegExp("(^|(?<!\n))\n+(?!\n|$)", "g");
	} catch {
		blockEndNewlines = /\n+(?!\n|$)/g;
	}
	function blockString({ comment, type, value }, ctx, onComment, onChompKeep) {
		const { blockQuote, commentString, lineWidth } = ctx.options;
		if (!blockQuote || /\n[\t ]+$/.test(value)) return quotedString(value, ctx);
		const indent = ctx.indent || (ctx.forceBlockIndent || containsDocumentMarker(value) ? "  " : "");
		const literal = blockQuote === "literal" ? true : blockQuote === "folded" || type === Scalar.Scalar.BLOCK_FOLDED ? false : type === Scalar.Scalar.BLOCK_LITERAL ? true : !lineLengthOverLimit(value, lineWidth, indent.length);
		if (!value) return literal ? "|\n" : ">\n";
		let chomp;
		let endStart;
		for (endStart = value.length; endStart > 0; --endStart) {
			const ch = value[endStart - 1];
			if (ch !== "\n" && ch !== "	" && ch !== " ") break;
		}
		let end = value.substring(endStart);
		const endNlPos = end.indexOf("\n");
		if (endNlPos === -1) chomp = "-";
		else if (value === end || endNlPos !== end.length - 1) {
			chomp = "+";
			if (onChompKeep) onChompKeep();
		} else chomp = "";
		if (end) {
			value = value.slice(0, -end.length);
			if (end[end.length - 1] === "\n") end = end.slice(0, -1);
			end = end.replace(blockEndNewlines, `$&${indent}`);
		}
		let startWithSpace = false;
		let startEnd;
		let startNlPos = -1;
		for (startEnd = 0; startEnd < value.length; ++startEnd) {
			const ch = value[startEnd];
			if (ch === " ") startWithSpace = true;
			else if (ch === "\n") startNlPos = startEnd;
			else break;
		}
		let start = value.substring(0, startNlPos < startEnd ? startNlPos + 1 : startEnd);
		if (start) {
			value = value.substring(start.length);
			start = start.replace(/\n+/g, `$&${indent}`);
		}
		let header = (startWithSpace ? indent ? "2" : "1" : "") + chomp;
		if (comment) {
			header += " " + commentString(comment.replace(/ ?[\r\n]+/g, " "));
			if (onComment) onComment();
		}
		if (!literal) {
			const foldedValue = value.replace(/\n+/g, "\n$&").replace(/(?:^|\n)([\t ].*)(?:([\n\t ]*)\n(?![\n\t ]))?/g, "$1$2").replace(/\n+/g, `$&${indent}`);
			let literalFallback = false;
			const foldOptions = getFoldOptions(ctx, true);
			if (blockQuote !== "folded" && type !== Scalar.Scalar.BLOCK_FOLDED) foldOptions.onOverflow = () => {
				literalFallback = true;
			};
			const body = foldFlowLines.foldFlowLines(`${start}${foldedValue}${end}`, indent, foldFlowLines.FOLD_BLOCK, foldOptions);
			if (!literalFallback) return `>${header}\n${indent}${body}`;
		}
		value = value.replace(/\n+/g, `$&${indent}`);
		return `|${header}\n${indent}${start}${value}${end}`;
	}
	function plainString(item, ctx, onComment, onChompKeep) {
		const { type, value } = item;
		const { actualString, implicitKey, indent, indentStep, inFlow } = ctx;
		if (implicitKey && value.includes("\n") || inFlow && /[[\]{},]/.test(value)) return quotedString(value, ctx);
		if (/^[\n\t ,[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|[\n:][ \t]|[ \t]\n|[\n\t ]#|[\n\t :]$/.test(value)) return implicitKey || inFlow || !value.includes("\n") ? quotedString(value, ctx) : blockString(item, ctx, onComment, onChompKeep);
		if (!implicitKey && !inFlow && type !== Scalar.Scalar.PLAIN && value.includes("\n")) return blockString(item, ctx, onComment, onChompKeep);
		if (containsDocumentMarker(value)) {
			if (indent === "") {
				ctx.forceBlockIndent = true;
				return blockString(item, ctx, onComment, onChompKeep);
			} else if (implicitKey && indent === indentStep) return quotedString(value, ctx);
		}
		const str = value.replace(/\n+/g, `$&\n${indent}`);
		if (actualString) {
			const test = (tag) => tag.default && tag.tag !== "tag:yaml.org,2002:str" && tag.test?.test(str);
			const { compat, tags } = ctx.doc.schema;
			if (tags.some(test) || compat?.some(test)) return quotedString(value, ctx);
		}
		return implicitKey ? str : foldFlowLines.foldFlowLines(str, indent, foldFlowLines.FOLD_FLOW, getFoldOptions(ctx, false));
	}
	function stringifyString(item, ctx, onComment, onChompKeep) {
		const { implicitKey, inFlow } = ctx;
		const ss = typeof item.value === "string" ? item : Object.assign({}, item, { value: String(item.value) });
		let { type } = item;
		if (type !== Scalar.Scalar.QUOTE_DOUBLE) {
			if (/[\x00-\x08\x0b-\x1f\x7f-\x9f\u{D800}-\u{DFFF}]/u.test(ss.value)) type = Scalar.Scalar.QUOTE_DOUBLE;
		}
		const _stringify = (_type) => {
			switch (_type) {
				case Scalar.Scalar.BLOCK_FOLDED:
				case Scalar.Scalar.BLOCK_LITERAL: return implicitKey || inFlow ? quotedString(ss.value, ctx) : blockString(ss, ctx, onComment, onChompKeep);
				case Scalar.Scalar.QUOTE_DOUBLE: return doubleQuotedString(ss.value, ctx);
				case Scalar.Scalar.QUOTE_SINGLE: return singleQuotedString(ss.value, ctx);
				case Scalar.Scalar.PLAIN: return plainString(ss, ctx, onComment, onChompKeep);
				default: return null;
			}
		};
		let res = _stringify(type);
		if (res === null) {
			const { defaultKeyType, defaultStringType } = ctx.options;
			const t = implicitKey && defaultKeyType || defaultStringType;
			res = _stringify(t);
			if (res === null) throw new Error(`Unsupported default string type ${t}`);
		}
		return res;
	}
	exports.stringifyString = stringifyString;
}));
var require_stringify = __commonJSMin(((exports) => {
	var anchors = require_anchors();
	var identity = require_identity();
	var stringifyComment = require_stringifyComment();
	var stringifyString = require_stringifyString();
	function createStringifyContext(doc, options) {
		const opt = Object.assign({
			blockQuote: true,
			commentString: stringifyComment.stringifyComment,
			defaultKeyType: null,
			defaultStringType: "PLAIN",
			directives: null,
			doubleQuotedAsJSON: false,
			doubleQuotedMinMultiLineLength: 40,
			falseStr: "false",
			flowCollectionPadding: true,
			indentSeq: true,
			lineWidth: 80,
			minContentWidth: 20,
			nullStr: "null",
			simpleKeys: false,
			singleQuote: null,
			trailingComma: false,
			trueStr: "true",
			verifyAliasOrder: true
		}, doc.schema.toStringOptions, options);
		let inFlow;
		switch (opt.collectionStyle) {
			case "block":
				inFlow = false;
				break;
			case "flow":
				inFlow = true;
				break;
			default: inFlow = null;
		}
		return {
			anchors: new Set(),
			doc,
			flowCollectionPadding: opt.flowCollectionPadding ? " " : "",
			indent: "",
			indentStep: typeof opt.indent === "number" ? " ".repeat(opt.indent) : "  ",
			inFlow,
			options: opt
		};
	}
	function getTagObject(tags, item) {
		if (item.tag) {
			const match = tags.filter((t) => t.tag === item.tag);
			if (match.length > 0) return match.find((t) => t.format === item.format) ?? match[0];
		}
		let tagObj = void 0;
		let obj;
		if (identity.isScalar(item)) {
			obj = item.value;
			let match = tags.filter((t) => t.identify?.(obj));
			if (match.length > 1) {
				const testMatch = match.filter((t) => t.test);
				if (testMatch.length > 0) match = testMatch;
			}
			tagObj = match.find((t) => t.format === item.format) ?? match.find((t) => !t.format);
		} else {
			obj = item;
			tagObj = tags.find((t) => t.nodeClass && obj instanceof t.nodeClass);
		}
		if (!tagObj) {
			const name = obj?.constructor?.name ?? (obj === null ? "null" : typeof obj);
			throw new Error(`Tag not resolved for ${name} value`);
		}
		return tagObj;
	}
	function stringifyProps(node, tagObj, { anchors: anchors$1, doc }) {
		if (!doc.directives) return "";
		const props = [];
		const anchor = (identity.isScalar(node) || identity.isCollection(node)) && node.anchor;
		if (anchor && anchors.anchorIsValid(anchor)) {
			anchors$1.add(anchor);
			props.push(`&${anchor}`);
		}
		const tag = node.tag ?? (tagObj.default ? null : tagObj.tag);
		if (tag) props.push(doc.directives.tagString(tag));
		return props.join(" ");
	}
	function stringify(item, ctx, onComment, onChompKeep) {
		if (identity.isPair(item)) return item.toString(ctx, onComment, onChompKeep);
		if (identity.isAlias(item)) {
			if (ctx.doc.directives) return item.toString(ctx);
			if (ctx.resolvedAliases?.has(item)) throw new TypeError(`Cannot stringify circular structure without alias nodes`);
			else {
				if (ctx.resolvedAliases) ctx.resolvedAliases.add(item);
				else ctx.resolvedAliases = new Set([item]);
				item = item.resolve(ctx.doc);
			}
		}
		let tagObj = void 0;
		const node = identity.isNode(item) ? item : ctx.doc.createNode(item, { onTagObj: (o) => tagObj = o });
		tagObj ?? (tagObj = getTagObject(ctx.doc.schema.tags, node));
		const props = stringifyProps(node, tagObj, ctx);
		if (props.length > 0) ctx.indentAtStart = (ctx.indentAtStart ?? 0) + props.length + 1;
		const str = typeof tagObj.stringify === "function" ? tagObj.stringify(node, ctx, onComment, onChompKeep) : identity.isScalar(node) ? stringifyString.stringifyString(node, ctx, onComment, onChompKeep) : node.toString(ctx, onComment, onChompKeep);
		if (!props) return str;
		return identity.isScalar(node) || str[0] === "{" || str[0] === "[" ? `${props} ${str}` : `${props}\n${ctx.indent}${str}`;
	}
	exports.createStringifyContext = createStringifyContext;
	exports.stringify = stringify;
}));
var require_stringifyPair = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Scalar = require_Scalar();
	var stringify = require_stringify();
	var stringifyComment = require_stringifyComment();
	function stringifyPair({ key, value }, ctx, onComment, onChompKeep) {
		const { allNullValues, doc, indent, indentStep, options: { commentString, indentSeq, simpleKeys } } = ctx;
		let keyComment = identity.isNode(key) && key.comment || null;
		if (simpleKeys) {
			if (keyComment) throw new Error("With simple keys, key nodes cannot have comments");
			if (identity.isCollection(key) || !identity.isNode(key) && typeof key === "object") throw new Error("With simple keys, collection cannot be used as a key value");
		}
		let explicitKey = !simpleKeys && (!key || keyComment && value == null && !ctx.inFlow || identity.isCollection(key) || (identity.isScalar(key) ? key.type === Scalar.Scalar.BLOCK_FOLDED || key.type === Scalar.Scalar.BLOCK_LITERAL : typeof key === "object"));
		ctx = Object.assign({}, ctx, {
			allNullValues: false,
			implicitKey: !explicitKey && (simpleKeys || !allNullValues),
			indent: indent + indentStep
		});
		let keyCommentDone = false;
		let chompKeep = false;
		let str = stringify.stringify(key, ctx, () => keyCommentDone = true, () => chompKeep = true);
		if (!explicitKey && !ctx.inFlow && str.length > 1024) {
			if (simpleKeys) throw new Error("With simple keys, single line scalar must not span more than 1024 characters");
			explicitKey = true;
		}
		if (ctx.inFlow) {
			if (allNullValues || value == null) {
				if (keyCommentDone && onComment) onComment();
				return str === "" ? "?" : explicitKey ? `? ${str}` : str;
			}
		} else if (allNullValues && !simpleKeys || value == null && explicitKey) {
			str = `? ${str}`;
			if (keyComment && !keyCommentDone) str += stringifyComment.lineComment(str, ctx.indent, commentString(keyComment));
			else if (chompKeep && onChompKeep) onChompKeep();
			return str;
		}
		if (keyCommentDone) keyComment = null;
		if (explicitKey) {
			if (keyComment) str += stringifyComment.lineComment(str, ctx.indent, commentString(keyComment));
			str = `? ${str}\n${indent}:`;
		} else {
			str = `${str}:`;
			if (keyComment) str += stringifyComment.lineComment(str, ctx.indent, commentString(keyComment));
		}
		let vsb, vcb, valueComment;
		if (identity.isNode(value)) {
			vsb = !!value.spaceBefore;
			vcb = value.commentBefore;
			valueComment = value.comment;
		} else {
			vsb = false;
			vcb = null;
			valueComment = null;
			if (value && typeof value === "object") value = doc.createNode(value);
		}
		ctx.implicitKey = false;
		if (!explicitKey && !keyComment && identity.isScalar(value)) ctx.indentAtStart = str.length + 1;
		chompKeep = false;
		if (!indentSeq && indentStep.length >= 2 && !ctx.inFlow && !explicitKey && identity.isSeq(value) && !value.flow && !value.tag && !value.anchor) ctx.indent = ctx.indent.substring(2);
		let valueCommentDone = false;
		const valueStr = stringify.stringify(value, ctx, () => valueCommentDone = true, () => chompKeep = true);
		let ws = " ";
		if (keyComment || vsb || vcb) {
			ws = vsb ? "\n" : "";
			if (vcb) {
				const cs = commentString(vcb);
				ws += `\n${stringifyComment.indentComment(cs, ctx.indent)}`;
			}
			if (valueStr === "" && !ctx.inFlow) {
				if (ws === "\n" && valueComment) ws = "\n\n";
			} else ws += `\n${ctx.indent}`;
		} else if (!explicitKey && identity.isCollection(value)) {
			const vs0 = valueStr[0];
			const nl0 = valueStr.indexOf("\n");
			const hasNewline = nl0 !== -1;
			const flow = ctx.inFlow ?? value.flow ?? value.items.length === 0;
			if (hasNewline || !flow) {
				let hasPropsLine = false;
				if (hasNewline && (vs0 === "&" || vs0 === "!")) {
					let sp0 = valueStr.indexOf(" ");
					if (vs0 === "&" && sp0 !== -1 && sp0 < nl0 && valueStr[sp0 + 1] === "!") sp0 = valueStr.indexOf(" ", sp0 + 1);
					if (sp0 === -1 || nl0 < sp0) hasPropsLine = true;
				}
				if (!hasPropsLine) ws = `\n${ctx.indent}`;
			}
		} else if (valueStr === "" || valueStr[0] === "\n") ws = "";
		str += ws + valueStr;
		if (ctx.inFlow) {
			if (valueCommentDone && onComment) onComment();
		} else if (valueComment && !valueCommentDone) str += stringifyComment.lineComment(str, ctx.indent, commentString(valueComment));
		else if (chompKeep && onChompKeep) onChompKeep();
		return str;
	}
	exports.stringifyPair = stringifyPair;
}));
var require_log = __commonJSMin(((exports) => {
	var node_process = __require("process");
	function debug(logLevel, ...messages) {
		if (logLevel === "debug") console.log(...messages);
	}
	function warn(logLevel, warning) {
		if (logLevel === "debug" || logLevel === "warn") {
			if (typeof node_process.emitWarning === "function") node_process.emitWarning(warning);
			else console.warn(warning);
		}
	}
	exports.debug = debug;
	exports.warn = warn;
}));
var require_merge = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Scalar = require_Scalar();
	const MERGE_KEY = "<<";
	const merge = {
		identify: (value) => value === MERGE_KEY || typeof value === "symbol" && value.description === MERGE_KEY,
		default: "key",
		tag: "tag:yaml.org,2002:merge",
		test: /^<<$/,
		resolve: () => Object.assign(new Scalar.Scalar(Symbol(MERGE_KEY)), { addToJSMap: addMergeToJSMap }),
		stringify: () => MERGE_KEY
	};
	const isMergeKey = (ctx, key) => (merge.identify(key) || identity.isScalar(key) && (!key.type || key.type === Scalar.Scalar.PLAIN) && merge.identify(key.value)) && ctx?.doc.schema.tags.some((tag) => tag.tag === merge.tag && tag.default);
	function addMergeToJSMap(ctx, map, value) {
		const source = resolveAliasValue(ctx, value);
		if (identity.isSeq(source)) for (const it of source.items) mergeValue(ctx, map, it);
		else if (Array.isArray(source)) for (const it of source) mergeValue(ctx, map, it);
		else mergeValue(ctx, map, source);
	}
	function mergeValue(ctx, map, value) {
		const source = resolveAliasValue(ctx, value);
		if (!identity.isMap(source)) throw new Error("Merge sources must be maps or map aliases");
		const srcMap = source.toJSON(null, ctx, Map);
		for (const [key, value] of srcMap) if (map instanceof Map) {
			if (!map.has(key)) map.set(key, value);
		} else if (map instanceof Set) map.add(key);
		else if (!Object.prototype.hasOwnProperty.call(map, key)) Object.defineProperty(map, key, {
			value,
			writable: true,
			enumerable: true,
			configurable: true
		});
		return map;
	}
	function resolveAliasValue(ctx, value) {
		return ctx && identity.isAlias(value) ? value.resolve(ctx.doc, ctx) : value;
	}
	exports.addMergeToJSMap = addMergeToJSMap;
	exports.isMergeKey = isMergeKey;
	exports.merge = merge;
}));
var require_addPairToJSMap = __commonJSMin(((exports) => {
	var log = require_log();
	var merge = require_merge();
	var stringify = require_stringify();
	var identity = require_identity();
	var toJS = require_toJS();
	function addPairToJSMap(ctx, map, { key, value }) {
		if (identity.isNode(key) && key.addToJSMap) key.addToJSMap(ctx, map, value);
		else if (merge.isMergeKey(ctx, key)) merge.addMergeToJSMap(ctx, map, value);
		else {
			const jsKey = toJS.toJS(key, "", ctx);
			if (map instanceof Map) map.set(jsKey, toJS.toJS(value, jsKey, ctx));
			else if (map instanceof Set) map.add(jsKey);
			else {
				const stringKey = stringifyKey(key, jsKey, ctx);
				const jsValue = toJS.toJS(value, stringKey, ctx);
				if (stringKey in map) Object.defineProperty(map, stringKey, {
					value: jsValue,
					writable: true,
					enumerable: true,
					configurable: true
				});
				else map[stringKey] = jsValue;
			}
		}
		return map;
	}
	function stringifyKey(key, jsKey, ctx) {
		if (jsKey === null) return "";
		if (typeof jsKey !== "object") return String(jsKey);
		if (identity.isNode(key) && ctx?.doc) {
			const strCtx = stringify.createStringifyContext(ctx.doc, {});
			strCtx.anchors = new Set();
			for (const node of ctx.anchors.keys()) strCtx.anchors.add(node.anchor);
			strCtx.inFlow = true;
			strCtx.inStringifyKey = true;
			const strKey = key.toString(strCtx);
			if (!ctx.mapKeyWarned) {
				let jsonStr = JSON.stringify(strKey);
				if (jsonStr.length > 40) jsonStr = jsonStr.substring(0, 36) + "...\"";
				log.warn(ctx.doc.options.logLevel, `Keys with collection values will be stringified due to JS Object restrictions: ${jsonStr}. Set mapAsMap: true to use object keys.`);
				ctx.mapKeyWarned = true;
			}
			return strKey;
		}
		return JSON.stringify(jsKey);
	}
	exports.addPairToJSMap = addPairToJSMap;
}));
var require_Pair = __commonJSMin(((exports) => {
	var createNode = require_createNode();
	var stringifyPair = require_stringifyPair();
	var addPairToJSMap = require_addPairToJSMap();
	var identity = require_identity();
	function createPair(key, value, ctx) {
		return new Pair(createNode.createNode(key, void 0, ctx), createNode.createNode(value, void 0, ctx));
	}
	var Pair = class Pair {
		constructor(key, value = null) {
			Object.defineProperty(this, identity.NODE_TYPE, { value: identity.PAIR });
			this.key = key;
			this.value = value;
		}
		clone(schema) {
			let { key, value } = this;
			if (identity.isNode(key)) key = key.clone(schema);
			if (identity.isNode(value)) value = value.clone(schema);
			return new Pair(key, value);
		}
		toJSON(_, ctx) {
			const pair = ctx?.mapAsMap ? new Map() : {};
			return addPairToJSMap.addPairToJSMap(ctx, pair, this);
		}
		toString(ctx, onComment, onChompKeep) {
			return ctx?.doc ? stringifyPair.stringifyPair(this, ctx, onComment, onChompKeep) : JSON.stringify(this);
		}
	};
	exports.Pair = Pair;
	exports.createPair = createPair;
}));
var require_stringifyCollection = __commonJSMin(((exports) => {
	var identity = require_identity();
	var stringify = require_stringify();
	var stringifyComment = require_stringifyComment();
	function stringifyCollection(collection, ctx, options) {
		return (ctx.inFlow ?? collection.flow ? stringifyFlowCollection : stringifyBlockCollection)(collection, ctx, options);
	}
	function stringifyBlockCollection({ comment, items }, ctx, { blockItemPrefix, flowChars, itemIndent, onChompKeep, onComment }) {
		const { indent, options: { commentString } } = ctx;
		const itemCtx = Object.assign({}, ctx, {
			indent: itemIndent,
			type: null
		});
		let chompKeep = false;
		const lines = [];
		for (let i = 0; i < items.length; ++i) {
			const item = items[i];
			let comment = null;
			if (identity.isNode(item)) {
				if (!chompKeep && item.spaceBefore) lines.push("");
				addCommentBefore(ctx, lines, item.commentBefore, chompKeep);
				if (item.comment) comment = item.comment;
			} else if (identity.isPair(item)) {
				const ik = identity.isNode(item.key) ? item.key : null;
				if (ik) {
					if (!chompKeep && ik.spaceBefore) lines.push("");
					addCommentBefore(ctx, lines, ik.commentBefore, chompKeep);
				}
			}
			chompKeep = false;
			let str = stringify.stringify(item, itemCtx, () => comment = null, () => chompKeep = true);
			if (comment) str += stringifyComment.lineComment(str, itemIndent, commentString(comment));
			if (chompKeep && comment) chompKeep = false;
			lines.push(blockItemPrefix + str);
		}
		let str;
		if (lines.length === 0) str = flowChars.start + flowChars.end;
		else {
			str = lines[0];
			for (let i = 1; i < lines.length; ++i) {
				const line = lines[i];
				str += line ? `\n${indent}${line}` : "\n";
			}
		}
		if (comment) {
			str += "\n" + stringifyComment.indentComment(commentString(comment), indent);
			if (onComment) onComment();
		} else if (chompKeep && onChompKeep) onChompKeep();
		return str;
	}
	function stringifyFlowCollection({ items }, ctx, { flowChars, itemIndent }) {
		const { indent, indentStep, flowCollectionPadding: fcPadding, options: { commentString } } = ctx;
		itemIndent += indentStep;
		const itemCtx = Object.assign({}, ctx, {
			indent: itemIndent,
			inFlow: true,
			type: null
		});
		let reqNewline = false;
		let linesAtValue = 0;
		const lines = [];
		for (let i = 0; i < items.length; ++i) {
			const item = items[i];
			let comment = null;
			if (identity.isNode(item)) {
				if (item.spaceBefore) lines.push("");
				addCommentBefore(ctx, lines, item.commentBefore, false);
				if (item.comment) comment = item.comment;
			} else if (identity.isPair(item)) {
				const ik = identity.isNode(item.key) ? item.key : null;
				if (ik) {
					if (ik.spaceBefore) lines.push("");
					addCommentBefore(ctx, lines, ik.commentBefore, false);
					if (ik.comment) reqNewline = true;
				}
				const iv = identity.isNode(item.value) ? item.value : null;
				if (iv) {
					if (iv.comment) comment = iv.comment;
					if (iv.commentBefore) reqNewline = true;
				} else if (item.value == null && ik?.comment) comment = ik.comment;
			}
			if (comment) reqNewline = true;
			let str = stringify.stringify(item, itemCtx, () => comment = null);
			reqNewline || (reqNewline = lines.length > linesAtValue || str.includes("\n"));
			if (i < items.length - 1) str += ",";
			else if (ctx.options.trailingComma) {
				if (ctx.options.lineWidth > 0) reqNewline || (reqNewline = lines.reduce((sum, line) => sum + line.length + 2, 2) + (str.length + 2) > ctx.options.lineWidth);
				if (reqNewline) str += ",";
			}
			if (comment) str += stringifyComment.lineComment(str, itemIndent, commentString(comment));
			lines.push(str);
			linesAtValue = lines.length;
		}
		const { start, end } = flowChars;
		if (lines.length === 0) return start + end;
		else {
			if (!reqNewline) {
				const len = lines.reduce((sum, line) => sum + line.length + 2, 2);
				reqNewline = ctx.options.lineWidth > 0 && len > ctx.options.lineWidth;
			}
			if (reqNewline) {
				let str = start;
				for (const line of lines) str += line ? `\n${indentStep}${indent}${line}` : "\n";
				return `${str}\n${indent}${end}`;
			} else return `${start}${fcPadding}${lines.join(" ")}${fcPadding}${end}`;
		}
	}
	function addCommentBefore({ indent, options: { commentString } }, lines, comment, chompKeep) {
		if (comment && chompKeep) comment = comment.replace(/^\n+/, "");
		if (comment) {
			const ic = stringifyComment.indentComment(commentString(comment), indent);
			lines.push(ic.trimStart());
		}
	}
	exports.stringifyCollection = stringifyCollection;
}));
var require_YAMLMap = __commonJSMin(((exports) => {
	var stringifyCollection = require_stringifyCollection();
	var addPairToJSMap = require_addPairToJSMap();
	var Collection = require_Collection();
	var identity = require_identity();
	var Pair = require_Pair();
	var Scalar = require_Scalar();
	function findPair(items, key) {
		const k = identity.isScalar(key) ? key.value : key;
		for (const it of items) if (identity.isPair(it)) {
			if (it.key === key || it.key === k) return it;
			if (identity.isScalar(it.key) && it.key.value === k) return it;
		}
	}
	var YAMLMap = class extends Collection.Collection {
		static get tagName() {
			return "tag:yaml.org,2002:map";
		}
		constructor(schema) {
			super(identity.MAP, schema);
			this.items = [];
		}
		static from(schema, obj, ctx) {
			const { keepUndefined, replacer } = ctx;
			const map = new this(schema);
			const add = (key, value) => {
				if (typeof replacer === "function") value = replacer.call(obj, key, value);
				else if (Array.isArray(replacer) && !replacer.includes(key)) return;
				if (value !== void 0 || keepUndefined) map.items.push(Pair.createPair(key, value, ctx));
			};
			if (obj instanceof Map) for (const [key, value] of obj) add(key, value);
			else if (obj && typeof obj === "object") for (const key of Object.keys(obj)) add(key, obj[key]);
			if (typeof schema.sortMapEntries === "function") map.items.sort(schema.sortMapEntries);
			return map;
		}
		add(pair, overwrite) {
			let _pair;
			if (identity.isPair(pair)) _pair = pair;
			else if (!pair || typeof pair !== "object" || !("key" in pair)) _pair = new Pair.Pair(pair, pair?.value);
			else _pair = new Pair.Pair(pair.key, pair.value);
			const prev = findPair(this.items, _pair.key);
			const sortEntries = this.schema?.sortMapEntries;
			if (prev) {
				if (!overwrite) throw new Error(`Key ${_pair.key} already set`);
				if (identity.isScalar(prev.value) && Scalar.isScalarValue(_pair.value)) prev.value.value = _pair.value;
				else prev.value = _pair.value;
			} else if (sortEntries) {
				const i = this.items.findIndex((item) => sortEntries(_pair, item) < 0);
				if (i === -1) this.items.push(_pair);
				else this.items.splice(i, 0, _pair);
			} else this.items.push(_pair);
		}
		delete(key) {
			const it = findPair(this.items, key);
			if (!it) return false;
			return this.items.splice(this.items.indexOf(it), 1).length > 0;
		}
		get(key, keepScalar) {
			const node = findPair(this.items, key)?.value;
			return (!keepScalar && identity.isScalar(node) ? node.value : node) ?? void 0;
		}
		has(key) {
			return !!findPair(this.items, key);
		}
		set(key, value) {
			this.add(new Pair.Pair(key, value), true);
		}
		toJSON(_, ctx, Type) {
			const map = Type ? new Type() : ctx?.mapAsMap ? new Map() : {};
			if (ctx?.onCreate) ctx.onCreate(map);
			for (const item of this.items) addPairToJSMap.addPairToJSMap(ctx, map, item);
			return map;
		}
		toString(ctx, onComment, onChompKeep) {
			if (!ctx) return JSON.stringify(this);
			for (const item of this.items) if (!identity.isPair(item)) throw new Error(`Map items must all be pairs; found ${JSON.stringify(item)} instead`);
			if (!ctx.allNullValues && this.hasAllNullValues(false)) ctx = Object.assign({}, ctx, { allNullValues: true });
			return stringifyCollection.stringifyCollection(this, ctx, {
				blockItemPrefix: "",
				flowChars: {
					start: "{",
					end: "}"
				},
				itemIndent: ctx.indent || "",
				onChompKeep,
				onComment
			});
		}
	};
	exports.YAMLMap = YAMLMap;
	exports.findPair = findPair;
}));
var require_map = __commonJSMin(((exports) => {
	var identity = require_identity();
	var YAMLMap = require_YAMLMap();
	exports.map = {
		collection: "map",
		default: true,
		nodeClass: YAMLMap.YAMLMap,
		tag: "tag:yaml.org,2002:map",
		resolve(map, onError) {
			if (!identity.isMap(map)) onError("Expected a mapping for this tag");
			return map;
		},
		createNode: (schema, obj, ctx) => YAMLMap.YAMLMap.from(schema, obj, ctx)
	};
}));
var require_YAMLSeq = __commonJSMin(((exports) => {
	var createNode = require_createNode();
	var stringifyCollection = require_stringifyCollection();
	var Collection = require_Collection();
	var identity = require_identity();
	var Scalar = require_Scalar();
	var toJS = require_toJS();
	var YAMLSeq = class extends Collection.Collection {
		static get tagName() {
			return "tag:yaml.org,2002:seq";
		}
		constructor(schema) {
			super(identity.SEQ, schema);
			this.items = [];
		}
		add(value) {
			this.items.push(value);
		}
		delete(key) {
			const idx = asItemIndex(key);
			if (typeof idx !== "number") return false;
			return this.items.splice(idx, 1).length > 0;
		}
		get(key, keepScalar) {
			const idx = asItemIndex(key);
			if (typeof idx !== "number") return void 0;
			const it = this.items[idx];
			return !keepScalar && identity.isScalar(it) ? it.value : it;
		}
		has(key) {
			const idx = asItemIndex(key);
			return typeof idx === "number" && idx < this.items.length;
		}
		set(key, value) {
			const idx = asItemIndex(key);
			if (typeof idx !== "number") throw new Error(`Expected a valid index, not ${key}.`);
			const prev = this.items[idx];
			if (identity.isScalar(prev) && Scalar.isScalarValue(value)) prev.value = value;
			else this.items[idx] = value;
		}
		toJSON(_, ctx) {
			const seq = [];
			if (ctx?.onCreate) ctx.onCreate(seq);
			let i = 0;
			for (const item of this.items) seq.push(toJS.toJS(item, String(i++), ctx));
			return seq;
		}
		toString(ctx, onComment, onChompKeep) {
			if (!ctx) return JSON.stringify(this);
			return stringifyCollection.stringifyCollection(this, ctx, {
				blockItemPrefix: "- ",
				flowChars: {
					start: "[",
					end: "]"
				},
				itemIndent: (ctx.indent || "") + "  ",
				onChompKeep,
				onComment
			});
		}
		static from(schema, obj, ctx) {
			const { replacer } = ctx;
			const seq = new this(schema);
			if (obj && Symbol.iterator in Object(obj)) {
				let i = 0;
				for (let it of obj) {
					if (typeof replacer === "function") {
						const key = obj instanceof Set ? it : String(i++);
						it = replacer.call(obj, key, it);
					}
					seq.items.push(createNode.createNode(it, void 0, ctx));
				}
			}
			return seq;
		}
	};
	function asItemIndex(key) {
		let idx = identity.isScalar(key) ? key.value : key;
		if (idx && typeof idx === "string") idx = Number(idx);
		return typeof idx === "number" && Number.isInteger(idx) && idx >= 0 ? idx : null;
	}
	exports.YAMLSeq = YAMLSeq;
}));
var require_seq = __commonJSMin(((exports) => {
	var identity = require_identity();
	var YAMLSeq = require_YAMLSeq();
	exports.seq = {
		collection: "seq",
		default: true,
		nodeClass: YAMLSeq.YAMLSeq,
		tag: "tag:yaml.org,2002:seq",
		resolve(seq, onError) {
			if (!identity.isSeq(seq)) onError("Expected a sequence for this tag");
			return seq;
		},
		createNode: (schema, obj, ctx) => YAMLSeq.YAMLSeq.from(schema, obj, ctx)
	};
}));
var require_string = __commonJSMin(((exports) => {
	var stringifyString = require_stringifyString();
	exports.string = {
		identify: (value) => typeof value === "string",
		default: true,
		tag: "tag:yaml.org,2002:str",
		resolve: (str) => str,
		stringify(item, ctx, onComment, onChompKeep) {
			ctx = Object.assign({ actualString: true }, ctx);
			return stringifyString.stringifyString(item, ctx, onComment, onChompKeep);
		}
	};
}));
var require_null = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	const nullTag = {
		identify: (value) => value == null,
		createNode: () => new Scalar.Scalar(null),
		default: true,
		tag: "tag:yaml.org,2002:null",
		test: /^(?:~|[Nn]ull|NULL)?$/,
		resolve: () => new Scalar.Scalar(null),
		stringify: ({ source }, ctx) => typeof source === "string" && nullTag.test.test(source) ? source : ctx.options.nullStr
	};
	exports.nullTag = nullTag;
}));
var require_bool$1 = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	const boolTag = {
		identify: (value) => typeof value === "boolean",
		default: true,
		tag: "tag:yaml.org,2002:bool",
		test: /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/,
		resolve: (str) => new Scalar.Scalar(str[0] === "t" || str[0] === "T"),
		stringify({ source, value }, ctx) {
			if (source && boolTag.test.test(source)) {
				if (value === (source[0] === "t" || source[0] === "T")) return source;
			}
			return value ? ctx.options.trueStr : ctx.options.falseStr;
		}
	};
	exports.boolTag = boolTag;
}));
var require_stringifyNumber = __commonJSMin(((exports) => {
	function stringifyNumber({ format, minFractionDigits, tag, value }) {
		if (typeof value === "bigint") return String(value);
		const num = typeof value === "number" ? value : Number(value);
		if (!isFinite(num)) return isNaN(num) ? ".nan" : num < 0 ? "-.inf" : ".inf";
		let n = Object.is(value, -0) ? "-0" : JSON.stringify(value);
		if (!format && minFractionDigits && (!tag || tag === "tag:yaml.org,2002:float") && /^-?\d/.test(n) && !n.includes("e")) {
			let i = n.indexOf(".");
			if (i < 0) {
				i = n.length;
				n += ".";
			}
			let d = minFractionDigits - (n.length - i - 1);
			while (d-- > 0) n += "0";
		}
		return n;
	}
	exports.stringifyNumber = stringifyNumber;
}));
var require_float$1 = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	var stringifyNumber = require_stringifyNumber();
	const floatNaN = {
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/,
		resolve: (str) => str.slice(-3).toLowerCase() === "nan" ? NaN : str[0] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
		stringify: stringifyNumber.stringifyNumber
	};
	const floatExp = {
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		format: "EXP",
		test: /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+$/,
		resolve: (str) => parseFloat(str),
		stringify(node) {
			const num = Number(node.value);
			return isFinite(num) ? num.toExponential() : stringifyNumber.stringifyNumber(node);
		}
	};
	exports.float = {
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		test: /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/,
		resolve(str) {
			const node = new Scalar.Scalar(parseFloat(str));
			const dot = str.indexOf(".");
			if (dot !== -1 && str[str.length - 1] === "0") node.minFractionDigits = str.length - dot - 1;
			return node;
		},
		stringify: stringifyNumber.stringifyNumber
	};
	exports.floatExp = floatExp;
	exports.floatNaN = floatNaN;
}));
var require_int$1 = __commonJSMin(((exports) => {
	var stringifyNumber = require_stringifyNumber();
	const intIdentify = (value) => typeof value === "bigint" || Number.isInteger(value);
	const intResolve = (str, offset, radix, { intAsBigInt }) => intAsBigInt ? BigInt(str) : parseInt(str.substring(offset), radix);
	function intStringify(node, radix, prefix) {
		const { value } = node;
		if (intIdentify(value) && value >= 0) return prefix + value.toString(radix);
		return stringifyNumber.stringifyNumber(node);
	}
	const intOct = {
		identify: (value) => intIdentify(value) && value >= 0,
		default: true,
		tag: "tag:yaml.org,2002:int",
		format: "OCT",
		test: /^0o[0-7]+$/,
		resolve: (str, _onError, opt) => intResolve(str, 2, 8, opt),
		stringify: (node) => intStringify(node, 8, "0o")
	};
	const int = {
		identify: intIdentify,
		default: true,
		tag: "tag:yaml.org,2002:int",
		test: /^[-+]?[0-9]+$/,
		resolve: (str, _onError, opt) => intResolve(str, 0, 10, opt),
		stringify: stringifyNumber.stringifyNumber
	};
	const intHex = {
		identify: (value) => intIdentify(value) && value >= 0,
		default: true,
		tag: "tag:yaml.org,2002:int",
		format: "HEX",
		test: /^0x[0-9a-fA-F]+$/,
		resolve: (str, _onError, opt) => intResolve(str, 2, 16, opt),
		stringify: (node) => intStringify(node, 16, "0x")
	};
	exports.int = int;
	exports.intHex = intHex;
	exports.intOct = intOct;
}));
var require_schema$2 = __commonJSMin(((exports) => {
	var map = require_map();
	var _null = require_null();
	var seq = require_seq();
	var string = require_string();
	var bool = require_bool$1();
	var float = require_float$1();
	var int = require_int$1();
	exports.schema = [
		map.map,
		seq.seq,
		string.string,
		_null.nullTag,
		bool.boolTag,
		int.intOct,
		int.int,
		int.intHex,
		float.floatNaN,
		float.floatExp,
		float.float
	];
}));
var require_schema$1 = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	var map = require_map();
	var seq = require_seq();
	function intIdentify(value) {
		return typeof value === "bigint" || Number.isInteger(value);
	}
	const stringifyJSON = ({ value }) => JSON.stringify(value);
	const jsonScalars = [
		{
			identify: (value) => typeof value === "string",
			default: true,
			tag: "tag:yaml.org,2002:str",
			resolve: (str) => str,
			stringify: stringifyJSON
		},
		{
			identify: (value) => value == null,
			createNode: () => new Scalar.Scalar(null),
			default: true,
			tag: "tag:yaml.org,2002:null",
			test: /^null$/,
			resolve: () => null,
			stringify: stringifyJSON
		},
		{
			identify: (value) => typeof value === "boolean",
			default: true,
			tag: "tag:yaml.org,2002:bool",
			test: /^true$|^false$/,
			resolve: (str) => str === "true",
			stringify: stringifyJSON
		},
		{
			identify: intIdentify,
			default: true,
			tag: "tag:yaml.org,2002:int",
			test: /^-?(?:0|[1-9][0-9]*)$/,
			resolve: (str, _onError, { intAsBigInt }) => intAsBigInt ? BigInt(str) : parseInt(str, 10),
			stringify: ({ value }) => intIdentify(value) ? value.toString() : JSON.stringify(value)
		},
		{
			identify: (value) => typeof value === "number",
			default: true,
			tag: "tag:yaml.org,2002:float",
			test: /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$/,
			resolve: (str) => parseFloat(str),
			stringify: stringifyJSON
		}
	];
	exports.schema = [map.map, seq.seq].concat(jsonScalars, {
		default: true,
		tag: "",
		test: /^/,
		resolve(str, onError) {
			onError(`Unresolved plain scalar ${JSON.stringify(str)}`);
			return str;
		}
	});
}));
var require_binary = __commonJSMin(((exports) => {
	var node_buffer = __require("buffer");
	var Scalar = require_Scalar();
	var stringifyString = require_stringifyString();
	exports.binary = {
		identify: (value) => value instanceof Uint8Array,
		default: false,
		tag: "tag:yaml.org,2002:binary",
		resolve(src, onError) {
			if (typeof node_buffer.Buffer === "function") return node_buffer.Buffer.from(src, "base64");
			else if (typeof atob === "function") {
				const str = atob(src.replace(/[\n\r]/g, ""));
				const buffer = new Uint8Array(str.length);
				for (let i = 0; i < str.length; ++i) buffer[i] = str.charCodeAt(i);
				return buffer;
			} else {
				onError("This environment does not support reading binary tags; either Buffer or atob is required");
				return src;
			}
		},
		stringify({ comment, type, value }, ctx, onComment, onChompKeep) {
			if (!value) return "";
			const buf = value;
			let str;
			if (typeof node_buffer.Buffer === "function") str = buf instanceof node_buffer.Buffer ? buf.toString("base64") : node_buffer.Buffer.from(buf.buffer).toString("base64");
			else if (typeof btoa === "function") {
				let s = "";
				for (let i = 0; i < buf.length; ++i) s += String.fromCharCode(buf[i]);
				str = btoa(s);
			} else throw new Error("This environment does not support writing binary tags; either Buffer or btoa is required");
			type ?? (type = Scalar.Scalar.BLOCK_LITERAL);
			if (type !== Scalar.Scalar.QUOTE_DOUBLE) {
				const lineWidth = Math.max(ctx.options.lineWidth - ctx.indent.length, ctx.options.minContentWidth);
				const n = Math.ceil(str.length / lineWidth);
				const lines = new Array(n);
				for (let i = 0, o = 0; i < n; ++i, o += lineWidth) lines[i] = str.substr(o, lineWidth);
				str = lines.join(type === Scalar.Scalar.BLOCK_LITERAL ? "\n" : " ");
			}
			return stringifyString.stringifyString({
				comment,
				type,
				value: str
			}, ctx, onComment, onChompKeep);
		}
	};
}));
var require_pairs = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Pair = require_Pair();
	var Scalar = require_Scalar();
	var YAMLSeq = require_YAMLSeq();
	function resolvePairs(seq, onError) {
		if (identity.isSeq(seq)) for (let i = 0; i < seq.items.length; ++i) {
			let item = seq.items[i];
			if (identity.isPair(item)) continue;
			else if (identity.isMap(item)) {
				if (item.items.length > 1) onError("Each pair must have its own sequence indicator");
				const pair = item.items[0] || new Pair.Pair(new Scalar.Scalar(null));
				if (item.commentBefore) pair.key.commentBefore = pair.key.commentBefore ? `${item.commentBefore}\n${pair.key.commentBefore}` : item.commentBefore;
				if (item.comment) {
					const cn = pair.value ?? pair.key;
					cn.comment = cn.comment ? `${item.comment}\n${cn.comment}` : item.comment;
				}
				item = pair;
			}
			seq.items[i] = identity.isPair(item) ? item : new Pair.Pair(item);
		}
		else onError("Expected a sequence for this tag");
		return seq;
	}
	function createPairs(schema, iterable, ctx) {
		const { replacer } = ctx;
		const pairs = new YAMLSeq.YAMLSeq(schema);
		pairs.tag = "tag:yaml.org,2002:pairs";
		let i = 0;
		if (iterable && Symbol.iterator in Object(iterable)) for (let it of iterable) {
			if (typeof replacer === "function") it = replacer.call(iterable, String(i++), it);
			let key, value;
			if (Array.isArray(it)) {
				if (it.length === 2) {
					key = it[0];
					value = it[1];
				} else throw new TypeError(`Expected [key, value] tuple: ${it}`);
			} else if (it && it instanceof Object) {
				const keys = Object.keys(it);
				if (keys.length === 1) {
					key = keys[0];
					value = it[key];
				} else throw new TypeError(`Expected tuple with one key, not ${keys.length} keys`);
			} else key = it;
			pairs.items.push(Pair.createPair(key, value, ctx));
		}
		return pairs;
	}
	const pairs = {
		collection: "seq",
		default: false,
		tag: "tag:yaml.org,2002:pairs",
		resolve: resolvePairs,
		createNode: createPairs
	};
	exports.createPairs = createPairs;
	exports.pairs = pairs;
	exports.resolvePairs = resolvePairs;
}));
var require_omap = __commonJSMin(((exports) => {
	var identity = require_identity();
	var toJS = require_toJS();
	var YAMLMap = require_YAMLMap();
	var YAMLSeq = require_YAMLSeq();
	var pairs = require_pairs();
	var YAMLOMap = class YAMLOMap extends YAMLSeq.YAMLSeq {
		constructor() {
			super();
			this.add = YAMLMap.YAMLMap.prototype.add.bind(this);
			this.delete = YAMLMap.YAMLMap.prototype.delete.bind(this);
			this.get = YAMLMap.YAMLMap.prototype.get.bind(this);
			this.has = YAMLMap.YAMLMap.prototype.has.bind(this);
			this.set = YAMLMap.YAMLMap.prototype.set.bind(this);
			this.tag = YAMLOMap.tag;
		}
		toJSON(_, ctx) {
			if (!ctx) return super.toJSON(_);
			const map = new Map();
			if (ctx?.onCreate) ctx.onCreate(map);
			for (const pair of this.items) {
				let key, value;
				if (identity.isPair(pair)) {
					key = toJS.toJS(pair.key, "", ctx);
					value = toJS.toJS(pair.value, key, ctx);
				} else key = toJS.toJS(pair, "", ctx);
				if (map.has(key)) throw new Error("Ordered maps must not include duplicate keys");
				map.set(key, value);
			}
			return map;
		}
		static from(schema, iterable, ctx) {
			const pairs$1 = pairs.createPairs(schema, iterable, ctx);
			const omap = new this();
			omap.items = pairs$1.items;
			return omap;
		}
	};
	YAMLOMap.tag = "tag:yaml.org,2002:omap";
	const omap = {
		collection: "seq",
		identify: (value) => value instanceof Map,
		nodeClass: YAMLOMap,
		default: false,
		tag: "tag:yaml.org,2002:omap",
		resolve(seq, onError) {
			const pairs$1 = pairs.resolvePairs(seq, onError);
			const seenKeys = [];
			for (const { key } of pairs$1.items) if (identity.isScalar(key)) {
				if (seenKeys.includes(key.value)) onError(`Ordered maps must not include duplicate keys: ${key.value}`);
				else seenKeys.push(key.value);
			}
			return Object.assign(new YAMLOMap(), pairs$1);
		},
		createNode: (schema, iterable, ctx) => YAMLOMap.from(schema, iterable, ctx)
	};
	exports.YAMLOMap = YAMLOMap;
	exports.omap = omap;
}));
var require_bool = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	function boolStringify({ value, source }, ctx) {
		if (source && (value ? trueTag : falseTag).test.test(source)) return source;
		return value ? ctx.options.trueStr : ctx.options.falseStr;
	}
	const trueTag = {
		identify: (value) => value === true,
		default: true,
		tag: "tag:yaml.org,2002:bool",
		test: /^(?:Y|y|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
		resolve: () => new Scalar.Scalar(true),
		stringify: boolStringify
	};
	const falseTag = {
		identify: (value) => value === false,
		default: true,
		tag: "tag:yaml.org,2002:bool",
		test: /^(?:N|n|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
		resolve: () => new Scalar.Scalar(false),
		stringify: boolStringify
	};
	exports.falseTag = falseTag;
	exports.trueTag = trueTag;
}));
var require_float = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	var stringifyNumber = require_stringifyNumber();
	const floatNaN = {
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/,
		resolve: (str) => str.slice(-3).toLowerCase() === "nan" ? NaN : str[0] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
		stringify: stringifyNumber.stringifyNumber
	};
	const floatExp = {
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		format: "EXP",
		test: /^[-+]?(?:[0-9][0-9_]*)?(?:\.[0-9_]*)?[eE][-+]?[0-9]+$/,
		resolve: (str) => parseFloat(str.replace(/_/g, "")),
		stringify(node) {
			const num = Number(node.value);
			return isFinite(num) ? num.toExponential() : stringifyNumber.stringifyNumber(node);
		}
	};
	exports.float = {
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		test: /^[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*$/,
		resolve(str) {
			const node = new Scalar.Scalar(parseFloat(str.replace(/_/g, "")));
			const dot = str.indexOf(".");
			if (dot !== -1) {
				const f = str.substring(dot + 1).replace(/_/g, "");
				if (f[f.length - 1] === "0") node.minFractionDigits = f.length;
			}
			return node;
		},
		stringify: stringifyNumber.stringifyNumber
	};
	exports.floatExp = floatExp;
	exports.floatNaN = floatNaN;
}));
var require_int = __commonJSMin(((exports) => {
	var stringifyNumber = require_stringifyNumber();
	const intIdentify = (value) => typeof value === "bigint" || Number.isInteger(value);
	function intResolve(str, offset, radix, { intAsBigInt }) {
		const sign = str[0];
		if (sign === "-" || sign === "+") offset += 1;
		str = str.substring(offset).replace(/_/g, "");
		if (intAsBigInt) {
			switch (radix) {
				case 2:
					str = `0b${str}`;
					break;
				case 8:
					str = `0o${str}`;
					break;
				case 16: str = `0x${str}`;
			}
			const n = BigInt(str);
			return sign === "-" ? BigInt(-1) * n : n;
		}
		const n = parseInt(str, radix);
		return sign === "-" ? -1 * n : n;
	}
	function intStringify(node, radix, prefix) {
		const { value } = node;
		if (intIdentify(value)) {
			const str = value.toString(radix);
			return value < 0 ? "-" + prefix + str.substr(1) : prefix + str;
		}
		return stringifyNumber.stringifyNumber(node);
	}
	const intBin = {
		identify: intIdentify,
		default: true,
		tag: "tag:yaml.org,2002:int",
		format: "BIN",
		test: /^[-+]?0b[0-1_]+$/,
		resolve: (str, _onError, opt) => intResolve(str, 2, 2, opt),
		stringify: (node) => intStringify(node, 2, "0b")
	};
	const intOct = {
		identify: intIdentify,
		default: true,
		tag: "tag:yaml.org,2002:int",
		format: "OCT",
		test: /^[-+]?0[0-7_]+$/,
		resolve: (str, _onError, opt) => intResolve(str, 1, 8, opt),
		stringify: (node) => intStringify(node, 8, "0")
	};
	const int = {
		identify: intIdentify,
		default: true,
		tag: "tag:yaml.org,2002:int",
		test: /^[-+]?[0-9][0-9_]*$/,
		resolve: (str, _onError, opt) => intResolve(str, 0, 10, opt),
		stringify: stringifyNumber.stringifyNumber
	};
	const intHex = {
		identify: intIdentify,
		default: true,
		tag: "tag:yaml.org,2002:int",
		format: "HEX",
		test: /^[-+]?0x[0-9a-fA-F_]+$/,
		resolve: (str, _onError, opt) => intResolve(str, 2, 16, opt),
		stringify: (node) => intStringify(node, 16, "0x")
	};
	exports.int = int;
	exports.intBin = intBin;
	exports.intHex = intHex;
	exports.intOct = intOct;
}));
var require_set = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Pair = require_Pair();
	var YAMLMap = require_YAMLMap();
	var YAMLSet = class YAMLSet extends YAMLMap.YAMLMap {
		constructor(schema) {
			super(schema);
			this.tag = YAMLSet.tag;
		}
		add(key) {
			let pair;
			if (identity.isPair(key)) pair = key;
			else if (key && typeof key === "object" && "key" in key && "value" in key && key.value === null) pair = new Pair.Pair(key.key, null);
			else pair = new Pair.Pair(key, null);
			if (!YAMLMap.findPair(this.items, pair.key)) this.items.push(pair);
		}
		get(key, keepPair) {
			const pair = YAMLMap.findPair(this.items, key);
			return !keepPair && identity.isPair(pair) ? identity.isScalar(pair.key) ? pair.key.value : pair.key : pair;
		}
		set(key, value) {
			if (typeof value !== "boolean") throw new Error(`Expected boolean value for set(key, value) in a YAML set, not ${typeof value}`);
			const prev = YAMLMap.findPair(this.items, key);
			if (prev && !value) this.items.splice(this.items.indexOf(prev), 1);
			else if (!prev && value) this.items.push(new Pair.Pair(key));
		}
		toJSON(_, ctx) {
			return super.toJSON(_, ctx, Set);
		}
		toString(ctx, onComment, onChompKeep) {
			if (!ctx) return JSON.stringify(this);
			if (this.hasAllNullValues(true)) return super.toString(Object.assign({}, ctx, { allNullValues: true }), onComment, onChompKeep);
			else throw new Error("Set items must all have null values");
		}
		static from(schema, iterable, ctx) {
			const { replacer } = ctx;
			const set = new this(schema);
			if (iterable && Symbol.iterator in Object(iterable)) for (let value of iterable) {
				if (typeof replacer === "function") value = replacer.call(iterable, value, value);
				set.items.push(Pair.createPair(value, null, ctx));
			}
			return set;
		}
	};
	YAMLSet.tag = "tag:yaml.org,2002:set";
	const set = {
		collection: "map",
		identify: (value) => value instanceof Set,
		nodeClass: YAMLSet,
		default: false,
		tag: "tag:yaml.org,2002:set",
		createNode: (schema, iterable, ctx) => YAMLSet.from(schema, iterable, ctx),
		resolve(map, onError) {
			if (identity.isMap(map)) {
				if (map.hasAllNullValues(true)) return Object.assign(new YAMLSet(), map);
				else onError("Set items must all have null values");
			} else onError("Expected a mapping for this tag");
			return map;
		}
	};
	exports.YAMLSet = YAMLSet;
	exports.set = set;
}));
var require_timestamp = __commonJSMin(((exports) => {
	var stringifyNumber = require_stringifyNumber();
	function parseSexagesimal(str, asBigInt) {
		const sign = str[0];
		const parts = sign === "-" || sign === "+" ? str.substring(1) : str;
		const num = (n) => asBigInt ? BigInt(n) : Number(n);
		const res = parts.replace(/_/g, "").split(":").reduce((res, p) => res * num(60) + num(p), num(0));
		return sign === "-" ? num(-1) * res : res;
	}
	function stringifySexagesimal(node) {
		let { value } = node;
		let num = (n) => n;
		if (typeof value === "bigint") num = (n) => BigInt(n);
		else if (isNaN(value) || !isFinite(value)) return stringifyNumber.stringifyNumber(node);
		let sign = "";
		if (value < 0) {
			sign = "-";
			value *= num(-1);
		}
		const _60 = num(60);
		const parts = [value % _60];
		if (value < 60) parts.unshift(0);
		else {
			value = (value - parts[0]) / _60;
			parts.unshift(value % _60);
			if (value >= 60) {
				value = (value - parts[0]) / _60;
				parts.unshift(value);
			}
		}
		return sign + parts.map((n) => String(n).padStart(2, "0")).join(":").replace(/000000\d*$/, "");
	}
	const intTime = {
		identify: (value) => typeof value === "bigint" || Number.isInteger(value),
		default: true,
		tag: "tag:yaml.org,2002:int",
		format: "TIME",
		test: /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+$/,
		resolve: (str, _onError, { intAsBigInt }) => parseSexagesimal(str, intAsBigInt),
		stringify: stringifySexagesimal
	};
	const floatTime = {
		identify: (value) => typeof value === "number",
		default: true,
		tag: "tag:yaml.org,2002:float",
		format: "TIME",
		test: /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/,
		resolve: (str) => parseSexagesimal(str, false),
		stringify: stringifySexagesimal
	};
	const timestamp = {
		identify: (value) => value instanceof Date,
		default: true,
		tag: "tag:yaml.org,2002:timestamp",
		test: RegExp("^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:t|T|[ \\t]+)([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2}(\\.[0-9]+)?)(?:[ \\t]*(Z|[-+][012]?[0-9](?::[0-9]{2})?))?)?$"),
		resolve(str) {
			const match = str.match(timestamp.test);
			if (!match) throw new Error("!!timestamp expects a date, starting with yyyy-mm-dd");
			const [, year, month, day, hour, minute, second] = match.map(Number);
			const millisec = match[7] ? Number((match[7] + "00").substr(1, 3)) : 0;
			let date = Date.UTC(year, month - 1, day, hour || 0, minute || 0, second || 0, millisec);
			const tz = match[8];
			if (tz && tz !== "Z") {
				let d = parseSexagesimal(tz, false);
				if (Math.abs(d) < 30) d *= 60;
				date -= 6e4 * d;
			}
			return new Date(date);
		},
		stringify: ({ value }) => value?.toISOString().replace(/(T00:00:00)?\.000Z$/, "") ?? ""
	};
	exports.floatTime = floatTime;
	exports.intTime = intTime;
	exports.timestamp = timestamp;
}));
var require_schema = __commonJSMin(((exports) => {
	var map = require_map();
	var _null = require_null();
	var seq = require_seq();
	var string = require_string();
	var binary = require_binary();
	var bool = require_bool();
	var float = require_float();
	var int = require_int();
	var merge = require_merge();
	var omap = require_omap();
	var pairs = require_pairs();
	var set = require_set();
	var timestamp = require_timestamp();
	exports.schema = [
		map.map,
		seq.seq,
		string.string,
		_null.nullTag,
		bool.trueTag,
		bool.falseTag,
		int.intBin,
		int.intOct,
		int.int,
		int.intHex,
		float.floatNaN,
		float.floatExp,
		float.float,
		binary.binary,
		merge.merge,
		omap.omap,
		pairs.pairs,
		set.set,
		timestamp.intTime,
		timestamp.floatTime,
		timestamp.timestamp
	];
}));
var require_tags = __commonJSMin(((exports) => {
	var map = require_map();
	var _null = require_null();
	var seq = require_seq();
	var string = require_string();
	var bool = require_bool$1();
	var float = require_float$1();
	var int = require_int$1();
	var schema = require_schema$2();
	var schema$1 = require_schema$1();
	var binary = require_binary();
	var merge = require_merge();
	var omap = require_omap();
	var pairs = require_pairs();
	var schema$2 = require_schema();
	var set = require_set();
	var timestamp = require_timestamp();
	const schemas = new Map([
		["core", schema.schema],
		["failsafe", [
			map.map,
			seq.seq,
			string.string
		]],
		["json", schema$1.schema],
		["yaml11", schema$2.schema],
		["yaml-1.1", schema$2.schema]
	]);
	const tagsByName = {
		binary: binary.binary,
		bool: bool.boolTag,
		float: float.float,
		floatExp: float.floatExp,
		floatNaN: float.floatNaN,
		floatTime: timestamp.floatTime,
		int: int.int,
		intHex: int.intHex,
		intOct: int.intOct,
		intTime: timestamp.intTime,
		map: map.map,
		merge: merge.merge,
		null: _null.nullTag,
		omap: omap.omap,
		pairs: pairs.pairs,
		seq: seq.seq,
		set: set.set,
		timestamp: timestamp.timestamp
	};
	const coreKnownTags = {
		"tag:yaml.org,2002:binary": binary.binary,
		"tag:yaml.org,2002:merge": merge.merge,
		"tag:yaml.org,2002:omap": omap.omap,
		"tag:yaml.org,2002:pairs": pairs.pairs,
		"tag:yaml.org,2002:set": set.set,
		"tag:yaml.org,2002:timestamp": timestamp.timestamp
	};
	function getTags(customTags, schemaName, addMergeTag) {
		const schemaTags = schemas.get(schemaName);
		if (schemaTags && !customTags) return addMergeTag && !schemaTags.includes(merge.merge) ? schemaTags.concat(merge.merge) : schemaTags.slice();
		let tags = schemaTags;
		if (!tags) {
			if (Array.isArray(customTags)) tags = [];
			else {
				const keys = Array.from(schemas.keys()).filter((key) => key !== "yaml11").map((key) => JSON.stringify(key)).join(", ");
				throw new Error(`Unknown schema "${schemaName}"; use one of ${keys} or define customTags array`);
			}
		}
		if (Array.isArray(customTags)) for (const tag of customTags) tags = tags.concat(tag);
		else if (typeof customTags === "function") tags = customTags(tags.slice());
		if (addMergeTag) tags = tags.concat(merge.merge);
		return tags.reduce((tags, tag) => {
			const tagObj = typeof tag === "string" ? tagsByName[tag] : tag;
			if (!tagObj) {
				const tagName = JSON.stringify(tag);
				const keys = Object.keys(tagsByName).map((key) => JSON.stringify(key)).join(", ");
				throw new Error(`Unknown custom tag ${tagName}; use one of ${keys}`);
			}
			if (!tags.includes(tagObj)) tags.push(tagObj);
			return tags;
		}, []);
	}
	exports.coreKnownTags = coreKnownTags;
	exports.getTags = getTags;
}));
var require_Schema = __commonJSMin(((exports) => {
	var identity = require_identity();
	var map = require_map();
	var seq = require_seq();
	var string = require_string();
	var tags = require_tags();
	const sortMapEntriesByKey = (a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
	exports.Schema = class Schema {
		constructor({ compat, customTags, merge, resolveKnownTags, schema, sortMapEntries, toStringDefaults }) {
			this.compat = Array.isArray(compat) ? tags.getTags(compat, "compat") : compat ? tags.getTags(null, compat) : null;
			this.name = typeof schema === "string" && schema || "core";
			this.knownTags = resolveKnownTags ? tags.coreKnownTags : {};
			this.tags = tags.getTags(customTags, this.name, merge);
			this.toStringOptions = toStringDefaults ?? null;
			Object.defineProperty(this, identity.MAP, { value: map.map });
			Object.defineProperty(this, identity.SCALAR, { value: string.string });
			Object.defineProperty(this, identity.SEQ, { value: seq.seq });
			this.sortMapEntries = typeof sortMapEntries === "function" ? sortMapEntries : sortMapEntries === true ? sortMapEntriesByKey : null;
		}
		clone() {
			const copy = Object.create(Schema.prototype, Object.getOwnPropertyDescriptors(this));
			copy.tags = this.tags.slice();
			return copy;
		}
	};
}));
var require_stringifyDocument = __commonJSMin(((exports) => {
	var identity = require_identity();
	var stringify = require_stringify();
	var stringifyComment = require_stringifyComment();
	function stringifyDocument(doc, options) {
		const lines = [];
		let hasDirectives = options.directives === true;
		if (options.directives !== false && doc.directives) {
			const dir = doc.directives.toString(doc);
			if (dir) {
				lines.push(dir);
				hasDirectives = true;
			} else if (doc.directives.docStart) hasDirectives = true;
		}
		if (hasDirectives) lines.push("---");
		const ctx = stringify.createStringifyContext(doc, options);
		const { commentString } = ctx.options;
		if (doc.commentBefore) {
			if (lines.length !== 1) lines.unshift("");
			const cs = commentString(doc.commentBefore);
			lines.unshift(stringifyComment.indentComment(cs, ""));
		}
		let chompKeep = false;
		let contentComment = null;
		if (doc.contents) {
			if (identity.isNode(doc.contents)) {
				if (doc.contents.spaceBefore && hasDirectives) lines.push("");
				if (doc.contents.commentBefore) {
					const cs = commentString(doc.contents.commentBefore);
					lines.push(stringifyComment.indentComment(cs, ""));
				}
				ctx.forceBlockIndent = !!doc.comment;
				contentComment = doc.contents.comment;
			}
			const onChompKeep = contentComment ? void 0 : () => chompKeep = true;
			let body = stringify.stringify(doc.contents, ctx, () => contentComment = null, onChompKeep);
			if (contentComment) body += stringifyComment.lineComment(body, "", commentString(contentComment));
			if ((body[0] === "|" || body[0] === ">") && lines[lines.length - 1] === "---") lines[lines.length - 1] = `--- ${body}`;
			else lines.push(body);
		} else lines.push(stringify.stringify(doc.contents, ctx));
		if (doc.directives?.docEnd) {
			if (doc.comment) {
				const cs = commentString(doc.comment);
				if (cs.includes("\n")) {
					lines.push("...");
					lines.push(stringifyComment.indentComment(cs, ""));
				} else lines.push(`... ${cs}`);
			} else lines.push("...");
		} else {
			let dc = doc.comment;
			if (dc && chompKeep) dc = dc.replace(/^\n+/, "");
			if (dc) {
				if ((!chompKeep || contentComment) && lines[lines.length - 1] !== "") lines.push("");
				lines.push(stringifyComment.indentComment(commentString(dc), ""));
			}
		}
		return lines.join("\n") + "\n";
	}
	exports.stringifyDocument = stringifyDocument;
}));
var require_Document = __commonJSMin(((exports) => {
	var Alias = require_Alias();
	var Collection = require_Collection();
	var identity = require_identity();
	var Pair = require_Pair();
	var toJS = require_toJS();
	var Schema = require_Schema();
	var stringifyDocument = require_stringifyDocument();
	var anchors = require_anchors();
	var applyReviver = require_applyReviver();
	var createNode = require_createNode();
	var directives = require_directives();
	var Document = class Document {
		constructor(value, replacer, options) {
			this.commentBefore = null;
			this.comment = null;
			this.errors = [];
			this.warnings = [];
			Object.defineProperty(this, identity.NODE_TYPE, { value: identity.DOC });
			let _replacer = null;
			if (typeof replacer === "function" || Array.isArray(replacer)) _replacer = replacer;
			else if (options === void 0 && replacer) {
				options = replacer;
				replacer = void 0;
			}
			const opt = Object.assign({
				intAsBigInt: false,
				keepSourceTokens: false,
				logLevel: "warn",
				prettyErrors: true,
				strict: true,
				stringKeys: false,
				uniqueKeys: true,
				version: "1.2"
			}, options);
			this.options = opt;
			let { version } = opt;
			if (options?._directives) {
				this.directives = options._directives.atDocument();
				if (this.directives.yaml.explicit) version = this.directives.yaml.version;
			} else this.directives = new directives.Directives({ version });
			this.setSchema(version, options);
			this.contents = value === void 0 ? null : this.createNode(value, _replacer, options);
		}
		clone() {
			const copy = Object.create(Document.prototype, { [identity.NODE_TYPE]: { value: identity.DOC } });
			copy.commentBefore = this.commentBefore;
			copy.comment = this.comment;
			copy.errors = this.errors.slice();
			copy.warnings = this.warnings.slice();
			copy.options = Object.assign({}, this.options);
			if (this.directives) copy.directives = this.directives.clone();
			copy.schema = this.schema.clone();
			copy.contents = identity.isNode(this.contents) ? this.contents.clone(copy.schema) : this.contents;
			if (this.range) copy.range = this.range.slice();
			return copy;
		}
		add(value) {
			if (assertCollection(this.contents)) this.contents.add(value);
		}
		addIn(path, value) {
			if (assertCollection(this.contents)) this.contents.addIn(path, value);
		}
		createAlias(node, name) {
			if (!node.anchor) {
				const prev = anchors.anchorNames(this);
				node.anchor = !name || prev.has(name) ? anchors.findNewAnchor(name || "a", prev) : name;
			}
			return new Alias.Alias(node.anchor);
		}
		createNode(value, replacer, options) {
			let _replacer = void 0;
			if (typeof replacer === "function") {
				value = replacer.call({ "": value }, "", value);
				_replacer = replacer;
			} else if (Array.isArray(replacer)) {
				const keyToStr = (v) => typeof v === "number" || v instanceof String || v instanceof Number;
				const asStr = replacer.filter(keyToStr).map(String);
				if (asStr.length > 0) replacer = replacer.concat(asStr);
				_replacer = replacer;
			} else if (options === void 0 && replacer) {
				options = replacer;
				replacer = void 0;
			}
			const { aliasDuplicateObjects, anchorPrefix, flow, keepUndefined, onTagObj, tag } = options ?? {};
			const { onAnchor, setAnchors, sourceObjects } = anchors.createNodeAnchors(this, anchorPrefix || "a");
			const ctx = {
				aliasDuplicateObjects: aliasDuplicateObjects ?? true,
				keepUndefined: keepUndefined ?? false,
				onAnchor,
				onTagObj,
				replacer: _replacer,
				schema: this.schema,
				sourceObjects
			};
			const node = createNode.createNode(value, tag, ctx);
			if (flow && identity.isCollection(node)) node.flow = true;
			setAnchors();
			return node;
		}
		createPair(key, value, options = {}) {
			const k = this.createNode(key, null, options);
			const v = this.createNode(value, null, options);
			return new Pair.Pair(k, v);
		}
		delete(key) {
			return assertCollection(this.contents) ? this.contents.delete(key) : false;
		}
		deleteIn(path) {
			if (Collection.isEmptyPath(path)) {
				if (this.contents == null) return false;
				this.contents = null;
				return true;
			}
			return assertCollection(this.contents) ? this.contents.deleteIn(path) : false;
		}
		get(key, keepScalar) {
			return identity.isCollection(this.contents) ? this.contents.get(key, keepScalar) : void 0;
		}
		getIn(path, keepScalar) {
			if (Collection.isEmptyPath(path)) return !keepScalar && identity.isScalar(this.contents) ? this.contents.value : this.contents;
			return identity.isCollection(this.contents) ? this.contents.getIn(path, keepScalar) : void 0;
		}
		has(key) {
			return identity.isCollection(this.contents) ? this.contents.has(key) : false;
		}
		hasIn(path) {
			if (Collection.isEmptyPath(path)) return this.contents !== void 0;
			return identity.isCollection(this.contents) ? this.contents.hasIn(path) : false;
		}
		set(key, value) {
			if (this.contents == null) this.contents = Collection.collectionFromPath(this.schema, [key], value);
			else if (assertCollection(this.contents)) this.contents.set(key, value);
		}
		setIn(path, value) {
			if (Collection.isEmptyPath(path)) this.contents = value;
			else if (this.contents == null) this.contents = Collection.collectionFromPath(this.schema, Array.from(path), value);
			else if (assertCollection(this.contents)) this.contents.setIn(path, value);
		}
		setSchema(version, options = {}) {
			if (typeof version === "number") version = String(version);
			let opt;
			switch (version) {
				case "1.1":
					if (this.directives) this.directives.yaml.version = "1.1";
					else this.directives = new directives.Directives({ version: "1.1" });
					opt = {
						resolveKnownTags: false,
						schema: "yaml-1.1"
					};
					break;
				case "1.2":
				case "next":
					if (this.directives) this.directives.yaml.version = version;
					else this.directives = new directives.Directives({ version });
					opt = {
						resolveKnownTags: true,
						schema: "core"
					};
					break;
				case null:
					if (this.directives) delete this.directives;
					opt = null;
					break;
				default: {
					const sv = JSON.stringify(version);
					throw new Error(`Expected '1.1', '1.2' or null as first argument, but found: ${sv}`);
				}
			}
			if (options.schema instanceof Object) this.schema = options.schema;
			else if (opt) this.schema = new Schema.Schema(Object.assign(opt, options));
			else throw new Error(`With a null YAML version, the { schema: Schema } option is required`);
		}
		toJS({ json, jsonArg, mapAsMap, maxAliasCount, onAnchor, reviver } = {}) {
			const ctx = {
				anchors: new Map(),
				doc: this,
				keep: !json,
				mapAsMap: mapAsMap === true,
				mapKeyWarned: false,
				maxAliasCount: typeof maxAliasCount === "number" ? maxAliasCount : 100
			};
			const res = toJS.toJS(this.contents, jsonArg ?? "", ctx);
			if (typeof onAnchor === "function") for (const { count, res } of ctx.anchors.values()) onAnchor(res, count);
			return typeof reviver === "function" ? applyReviver.applyReviver(reviver, { "": res }, "", res) : res;
		}
		toJSON(jsonArg, onAnchor) {
			return this.toJS({
				json: true,
				jsonArg,
				mapAsMap: false,
				onAnchor
			});
		}
		toString(options = {}) {
			if (this.errors.length > 0) throw new Error("Document with errors cannot be stringified");
			if ("indent" in options && (!Number.isInteger(options.indent) || Number(options.indent) <= 0)) {
				const s = JSON.stringify(options.indent);
				throw new Error(`"indent" option must be a positive integer, not ${s}`);
			}
			return stringifyDocument.stringifyDocument(this, options);
		}
	};
	function assertCollection(contents) {
		if (identity.isCollection(contents)) return true;
		throw new Error("Expected a YAML collection as document contents");
	}
	exports.Document = Document;
}));
var require_errors = __commonJSMin(((exports) => {
	var YAMLError = class extends Error {
		constructor(name, pos, code, message) {
			super();
			this.name = name;
			this.code = code;
			this.message = message;
			this.pos = pos;
		}
	};
	var YAMLParseError = class extends YAMLError {
		constructor(pos, code, message) {
			super("YAMLParseError", pos, code, message);
		}
	};
	var YAMLWarning = class extends YAMLError {
		constructor(pos, code, message) {
			super("YAMLWarning", pos, code, message);
		}
	};
	const prettifyError = (src, lc) => (error) => {
		if (error.pos[0] === -1) return;
		error.linePos = error.pos.map((pos) => lc.linePos(pos));
		const { line, col } = error.linePos[0];
		error.message += ` at line ${line}, column ${col}`;
		let ci = col - 1;
		let lineStr = src.substring(lc.lineStarts[line - 1], lc.lineStarts[line]).replace(/[\n\r]+$/, "");
		if (ci >= 60 && lineStr.length > 80) {
			const trimStart = Math.min(ci - 39, lineStr.length - 79);
			lineStr = "…" + lineStr.substring(trimStart);
			ci -= trimStart - 1;
		}
		if (lineStr.length > 80) lineStr = lineStr.substring(0, 79) + "…";
		if (line > 1 && /^ *$/.test(lineStr.substring(0, ci))) {
			let prev = src.substring(lc.lineStarts[line - 2], lc.lineStarts[line - 1]);
			if (prev.length > 80) prev = prev.substring(0, 79) + "…\n";
			lineStr = prev + lineStr;
		}
		if (/[^ ]/.test(lineStr)) {
			let count = 1;
			const end = error.linePos[1];
			if (end?.line === line && end.col > col) count = Math.max(1, Math.min(end.col - col, 80 - ci));
			const pointer = " ".repeat(ci) + "^".repeat(count);
			error.message += `:\n\n${lineStr}\n${pointer}\n`;
		}
	};
	exports.YAMLError = YAMLError;
	exports.YAMLParseError = YAMLParseError;
	exports.YAMLWarning = YAMLWarning;
	exports.prettifyError = prettifyError;
}));
var require_resolve_props = __commonJSMin(((exports) => {
	function resolveProps(tokens, { flow, indicator, next, offset, onError, parentIndent, startOnNewline }) {
		let spaceBefore = false;
		let atNewline = startOnNewline;
		let hasSpace = startOnNewline;
		let comment = "";
		let commentSep = "";
		let hasNewline = false;
		let reqSpace = false;
		let tab = null;
		let anchor = null;
		let tag = null;
		let newlineAfterProp = null;
		let comma = null;
		let found = null;
		let start = null;
		for (const token of tokens) {
			if (reqSpace) {
				if (token.type !== "space" && token.type !== "newline" && token.type !== "comma") onError(token.offset, "MISSING_CHAR", "Tags and anchors must be separated from the next token by white space");
				reqSpace = false;
			}
			if (tab) {
				if (atNewline && token.type !== "comment" && token.type !== "newline") onError(tab, "TAB_AS_INDENT", "Tabs are not allowed as indentation");
				tab = null;
			}
			switch (token.type) {
				case "space":
					if (!flow && (indicator !== "doc-start" || next?.type !== "flow-collection") && token.source.includes("	")) tab = token;
					hasSpace = true;
					break;
				case "comment": {
					if (!hasSpace) onError(token, "MISSING_CHAR", "Comments must be separated from other tokens by white space characters");
					const cb = token.source.substring(1) || " ";
					if (!comment) comment = cb;
					else comment += commentSep + cb;
					commentSep = "";
					atNewline = false;
					break;
				}
				case "newline":
					if (atNewline) {
						if (comment) comment += token.source;
						else if (!found || indicator !== "seq-item-ind") spaceBefore = true;
					} else commentSep += token.source;
					atNewline = true;
					hasNewline = true;
					if (anchor || tag) newlineAfterProp = token;
					hasSpace = true;
					break;
				case "anchor":
					if (anchor) onError(token, "MULTIPLE_ANCHORS", "A node can have at most one anchor");
					if (token.source.endsWith(":")) onError(token.offset + token.source.length - 1, "BAD_ALIAS", "Anchor ending in : is ambiguous", true);
					anchor = token;
					start ?? (start = token.offset);
					atNewline = false;
					hasSpace = false;
					reqSpace = true;
					break;
				case "tag":
					if (tag) onError(token, "MULTIPLE_TAGS", "A node can have at most one tag");
					tag = token;
					start ?? (start = token.offset);
					atNewline = false;
					hasSpace = false;
					reqSpace = true;
					break;
				case indicator:
					if (anchor || tag) onError(token, "BAD_PROP_ORDER", `Anchors and tags must be after the ${token.source} indicator`);
					if (found) onError(token, "UNEXPECTED_TOKEN", `Unexpected ${token.source} in ${flow ?? "collection"}`);
					found = token;
					atNewline = indicator === "seq-item-ind" || indicator === "explicit-key-ind";
					hasSpace = false;
					break;
				case "comma": if (flow) {
					if (comma) onError(token, "UNEXPECTED_TOKEN", `Unexpected , in ${flow}`);
					comma = token;
					atNewline = false;
					hasSpace = false;
					break;
				}
				default:
					onError(token, "UNEXPECTED_TOKEN", `Unexpected ${token.type} token`);
					atNewline = false;
					hasSpace = false;
			}
		}
		const last = tokens[tokens.length - 1];
		const end = last ? last.offset + last.source.length : offset;
		if (reqSpace && next && next.type !== "space" && next.type !== "newline" && next.type !== "comma" && (next.type !== "scalar" || next.source !== "")) onError(next.offset, "MISSING_CHAR", "Tags and anchors must be separated from the next token by white space");
		if (tab && (atNewline && tab.indent <= parentIndent || next?.type === "block-map" || next?.type === "block-seq")) onError(tab, "TAB_AS_INDENT", "Tabs are not allowed as indentation");
		return {
			comma,
			found,
			spaceBefore,
			comment,
			hasNewline,
			anchor,
			tag,
			newlineAfterProp,
			end,
			start: start ?? end
		};
	}
	exports.resolveProps = resolveProps;
}));
var require_util_contains_newline = __commonJSMin(((exports) => {
	function containsNewline(key) {
		if (!key) return null;
		switch (key.type) {
			case "alias":
			case "scalar":
			case "double-quoted-scalar":
			case "single-quoted-scalar":
				if (key.source.includes("\n")) return true;
				if (key.end) {
					for (const st of key.end) if (st.type === "newline") return true;
				}
				return false;
			case "flow-collection":
				for (const it of key.items) {
					for (const st of it.start) if (st.type === "newline") return true;
					if (it.sep) {
						for (const st of it.sep) if (st.type === "newline") return true;
					}
					if (containsNewline(it.key) || containsNewline(it.value)) return true;
				}
				return false;
			default: return true;
		}
	}
	exports.containsNewline = containsNewline;
}));
var require_util_flow_indent_check = __commonJSMin(((exports) => {
	var utilContainsNewline = require_util_contains_newline();
	function flowIndentCheck(indent, fc, onError) {
		if (fc?.type === "flow-collection") {
			const end = fc.end[0];
			if (end.indent === indent && (end.source === "]" || end.source === "}") && utilContainsNewline.containsNewline(fc)) onError(end, "BAD_INDENT", "Flow end indicator should be more indented than parent", true);
		}
	}
	exports.flowIndentCheck = flowIndentCheck;
}));
var require_util_map_includes = __commonJSMin(((exports) => {
	var identity = require_identity();
	function mapIncludes(ctx, items, search) {
		const { uniqueKeys } = ctx.options;
		if (uniqueKeys === false) return false;
		const isEqual = typeof uniqueKeys === "function" ? uniqueKeys : (a, b) => a === b || identity.isScalar(a) && identity.isScalar(b) && a.value === b.value;
		return items.some((pair) => isEqual(pair.key, search));
	}
	exports.mapIncludes = mapIncludes;
}));
var require_resolve_block_map = __commonJSMin(((exports) => {
	var Pair = require_Pair();
	var YAMLMap = require_YAMLMap();
	var resolveProps = require_resolve_props();
	var utilContainsNewline = require_util_contains_newline();
	var utilFlowIndentCheck = require_util_flow_indent_check();
	var utilMapIncludes = require_util_map_includes();
	const startColMsg = "All mapping items must start at the same column";
	function resolveBlockMap({ composeNode, composeEmptyNode }, ctx, bm, onError, tag) {
		const map = new ((tag?.nodeClass) ?? YAMLMap.YAMLMap)(ctx.schema);
		if (ctx.atRoot) ctx.atRoot = false;
		let offset = bm.offset;
		let commentEnd = null;
		for (const collItem of bm.items) {
			const { start, key, sep, value } = collItem;
			const keyProps = resolveProps.resolveProps(start, {
				indicator: "explicit-key-ind",
				next: key ?? sep?.[0],
				offset,
				onError,
				parentIndent: bm.indent,
				startOnNewline: true
			});
			const implicitKey = !keyProps.found;
			if (implicitKey) {
				if (key) {
					if (key.type === "block-seq") onError(offset, "BLOCK_AS_IMPLICIT_KEY", "A block sequence may not be used as an implicit map key");
					else if ("indent" in key && key.indent !== bm.indent) onError(offset, "BAD_INDENT", startColMsg);
				}
				if (!keyProps.anchor && !keyProps.tag && !sep) {
					commentEnd = keyProps.end;
					if (keyProps.comment) {
						if (map.comment) map.comment += "\n" + keyProps.comment;
						else map.comment = keyProps.comment;
					}
					continue;
				}
				if (keyProps.newlineAfterProp || utilContainsNewline.containsNewline(key)) onError(key ?? start[start.length - 1], "MULTILINE_IMPLICIT_KEY", "Implicit keys need to be on a single line");
			} else if (keyProps.found?.indent !== bm.indent) onError(offset, "BAD_INDENT", startColMsg);
			ctx.atKey = true;
			const keyStart = keyProps.end;
			const keyNode = key ? composeNode(ctx, key, keyProps, onError) : composeEmptyNode(ctx, keyStart, start, null, keyProps, onError);
			if (ctx.schema.compat) utilFlowIndentCheck.flowIndentCheck(bm.indent, key, onError);
			ctx.atKey = false;
			if (utilMapIncludes.mapIncludes(ctx, map.items, keyNode)) onError(keyStart, "DUPLICATE_KEY", "Map keys must be unique");
			const valueProps = resolveProps.resolveProps(sep ?? [], {
				indicator: "map-value-ind",
				next: value,
				offset: keyNode.range[2],
				onError,
				parentIndent: bm.indent,
				startOnNewline: !key || key.type === "block-scalar"
			});
			offset = valueProps.end;
			if (valueProps.found) {
				if (implicitKey) {
					if (value?.type === "block-map" && !valueProps.hasNewline) onError(offset, "BLOCK_AS_IMPLICIT_KEY", "Nested mappings are not allowed in compact mappings");
					if (ctx.options.strict && keyProps.start < valueProps.found.offset - 1024) onError(keyNode.range, "KEY_OVER_1024_CHARS", "The : indicator must be at most 1024 chars after the start of an implicit block mapping key");
				}
				const valueNode = value ? composeNode(ctx, value, valueProps, onError) : composeEmptyNode(ctx, offset, sep, null, valueProps, onError);
				if (ctx.schema.compat) utilFlowIndentCheck.flowIndentCheck(bm.indent, value, onError);
				offset = valueNode.range[2];
				const pair = new Pair.Pair(keyNode, valueNode);
				if (ctx.options.keepSourceTokens) pair.srcToken = collItem;
				map.items.push(pair);
			} else {
				if (implicitKey) onError(keyNode.range, "MISSING_CHAR", "Implicit map keys need to be followed by map values");
				if (valueProps.comment) {
					if (keyNode.comment) keyNode.comment += "\n" + valueProps.comment;
					else keyNode.comment = valueProps.comment;
				}
				const pair = new Pair.Pair(keyNode);
				if (ctx.options.keepSourceTokens) pair.srcToken = collItem;
				map.items.push(pair);
			}
		}
		if (commentEnd && commentEnd < offset) onError(commentEnd, "IMPOSSIBLE", "Map comment with trailing content");
		map.range = [
			bm.offset,
			offset,
			commentEnd ?? offset
		];
		return map;
	}
	exports.resolveBlockMap = resolveBlockMap;
}));
var require_resolve_block_seq = __commonJSMin(((exports) => {
	var YAMLSeq = require_YAMLSeq();
	var resolveProps = require_resolve_props();
	var utilFlowIndentCheck = require_util_flow_indent_check();
	function resolveBlockSeq({ composeNode, composeEmptyNode }, ctx, bs, onError, tag) {
		const seq = new ((tag?.nodeClass) ?? YAMLSeq.YAMLSeq)(ctx.schema);
		if (ctx.atRoot) ctx.atRoot = false;
		if (ctx.atKey) ctx.atKey = false;
		let offset = bs.offset;
		let commentEnd = null;
		for (const { start, value } of bs.items) {
			const props = resolveProps.resolveProps(start, {
				indicator: "seq-item-ind",
				next: value,
				offset,
				onError,
				parentIndent: bs.indent,
				startOnNewline: true
			});
			if (!props.found) {
				if (props.anchor || props.tag || value) {
					if (value?.type === "block-seq") onError(props.end, "BAD_INDENT", "All sequence items must start at the same column");
					else onError(offset, "MISSING_CHAR", "Sequence item without - indicator");
				} else {
					commentEnd = props.end;
					if (props.comment) seq.comment = props.comment;
					continue;
				}
			}
			const node = value ? composeNode(ctx, value, props, onError) : composeEmptyNode(ctx, props.end, start, null, props, onError);
			if (ctx.schema.compat) utilFlowIndentCheck.flowIndentCheck(bs.indent, value, onError);
			offset = node.range[2];
			seq.items.push(node);
		}
		seq.range = [
			bs.offset,
			offset,
			commentEnd ?? offset
		];
		return seq;
	}
	exports.resolveBlockSeq = resolveBlockSeq;
}));
var require_resolve_end = __commonJSMin(((exports) => {
	function resolveEnd(end, offset, reqSpace, onError) {
		let comment = "";
		if (end) {
			let hasSpace = false;
			let sep = "";
			for (const token of end) {
				const { source, type } = token;
				switch (type) {
					case "space":
						hasSpace = true;
						break;
					case "comment": {
						if (reqSpace && !hasSpace) onError(token, "MISSING_CHAR", "Comments must be separated from other tokens by white space characters");
						const cb = source.substring(1) || " ";
						if (!comment) comment = cb;
						else comment += sep + cb;
						sep = "";
						break;
					}
					case "newline":
						if (comment) sep += source;
						hasSpace = true;
						break;
					default: onError(token, "UNEXPECTED_TOKEN", `Unexpected ${type} at node end`);
				}
				offset += source.length;
			}
		}
		return {
			comment,
			offset
		};
	}
	exports.resolveEnd = resolveEnd;
}));
var require_resolve_flow_collection = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Pair = require_Pair();
	var YAMLMap = require_YAMLMap();
	var YAMLSeq = require_YAMLSeq();
	var resolveEnd = require_resolve_end();
	var resolveProps = require_resolve_props();
	var utilContainsNewline = require_util_contains_newline();
	var utilMapIncludes = require_util_map_includes();
	const blockMsg = "Block collections are not allowed within flow collections";
	const isBlock = (token) => token && (token.type === "block-map" || token.type === "block-seq");
	function resolveFlowCollection({ composeNode, composeEmptyNode }, ctx, fc, onError, tag) {
		const isMap = fc.start.source === "{";
		const fcName = isMap ? "flow map" : "flow sequence";
		const coll = new ((tag?.nodeClass) ?? (isMap ? YAMLMap.YAMLMap : YAMLSeq.YAMLSeq))(ctx.schema);
		coll.flow = true;
		const atRoot = ctx.atRoot;
		if (atRoot) ctx.atRoot = false;
		if (ctx.atKey) ctx.atKey = false;
		let offset = fc.offset + fc.start.source.length;
		for (let i = 0; i < fc.items.length; ++i) {
			const collItem = fc.items[i];
			const { start, key, sep, value } = collItem;
			const props = resolveProps.resolveProps(start, {
				flow: fcName,
				indicator: "explicit-key-ind",
				next: key ?? sep?.[0],
				offset,
				onError,
				parentIndent: fc.indent,
				startOnNewline: false
			});
			if (!props.found) {
				if (!props.anchor && !props.tag && !sep && !value) {
					if (i === 0 && props.comma) onError(props.comma, "UNEXPECTED_TOKEN", `Unexpected , in ${fcName}`);
					else if (i < fc.items.length - 1) onError(props.start, "UNEXPECTED_TOKEN", `Unexpected empty item in ${fcName}`);
					if (props.comment) {
						if (coll.comment) coll.comment += "\n" + props.comment;
						else coll.comment = props.comment;
					}
					offset = props.end;
					continue;
				}
				if (!isMap && ctx.options.strict && utilContainsNewline.containsNewline(key)) onError(key, "MULTILINE_IMPLICIT_KEY", "Implicit keys of flow sequence pairs need to be on a single line");
			}
			if (i === 0) {
				if (props.comma) onError(props.comma, "UNEXPECTED_TOKEN", `Unexpected , in ${fcName}`);
			} else {
				if (!props.comma) onError(props.start, "MISSING_CHAR", `Missing , between ${fcName} items`);
				if (props.comment) {
					let prevItemComment = "";
					loop: for (const st of start) switch (st.type) {
						case "comma":
						case "space": break;
						case "comment":
							prevItemComment = st.source.substring(1);
							break loop;
						default: break loop;
					}
					if (prevItemComment) {
						let prev = coll.items[coll.items.length - 1];
						if (identity.isPair(prev)) prev = prev.value ?? prev.key;
						if (prev.comment) prev.comment += "\n" + prevItemComment;
						else prev.comment = prevItemComment;
						props.comment = props.comment.substring(prevItemComment.length + 1);
					}
				}
			}
			if (!isMap && !sep && !props.found) {
				const valueNode = value ? composeNode(ctx, value, props, onError) : composeEmptyNode(ctx, props.end, sep, null, props, onError);
				coll.items.push(valueNode);
				offset = valueNode.range[2];
				if (isBlock(value)) onError(valueNode.range, "BLOCK_IN_FLOW", blockMsg);
			} else {
				ctx.atKey = true;
				const keyStart = props.end;
				const keyNode = key ? composeNode(ctx, key, props, onError) : composeEmptyNode(ctx, keyStart, start, null, props, onError);
				if (isBlock(key)) onError(keyNode.range, "BLOCK_IN_FLOW", blockMsg);
				ctx.atKey = false;
				const valueProps = resolveProps.resolveProps(sep ?? [], {
					flow: fcName,
					indicator: "map-value-ind",
					next: value,
					offset: keyNode.range[2],
					onError,
					parentIndent: fc.indent,
					startOnNewline: false
				});
				if (valueProps.found) {
					if (!isMap && !props.found && ctx.options.strict) {
						if (sep) for (const st of sep) {
							if (st === valueProps.found) break;
							if (st.type === "newline") {
								onError(st, "MULTILINE_IMPLICIT_KEY", "Implicit keys of flow sequence pairs need to be on a single line");
								break;
							}
						}
						if (props.start < valueProps.found.offset - 1024) onError(valueProps.found, "KEY_OVER_1024_CHARS", "The : indicator must be at most 1024 chars after the start of an implicit flow sequence key");
					}
				} else if (value) {
					if ("source" in value && value.source?.[0] === ":") onError(value, "MISSING_CHAR", `Missing space after : in ${fcName}`);
					else onError(valueProps.start, "MISSING_CHAR", `Missing , or : between ${fcName} items`);
				}
				const valueNode = value ? composeNode(ctx, value, valueProps, onError) : valueProps.found ? composeEmptyNode(ctx, valueProps.end, sep, null, valueProps, onError) : null;
				if (valueNode) {
					if (isBlock(value)) onError(valueNode.range, "BLOCK_IN_FLOW", blockMsg);
				} else if (valueProps.comment) {
					if (keyNode.comment) keyNode.comment += "\n" + valueProps.comment;
					else keyNode.comment = valueProps.comment;
				}
				const pair = new Pair.Pair(keyNode, valueNode);
				if (ctx.options.keepSourceTokens) pair.srcToken = collItem;
				if (isMap) {
					const map = coll;
					if (utilMapIncludes.mapIncludes(ctx, map.items, keyNode)) onError(keyStart, "DUPLICATE_KEY", "Map keys must be unique");
					map.items.push(pair);
				} else {
					const map = new YAMLMap.YAMLMap(ctx.schema);
					map.flow = true;
					map.items.push(pair);
					const endRange = (valueNode ?? keyNode).range;
					map.range = [
						keyNode.range[0],
						endRange[1],
						endRange[2]
					];
					coll.items.push(map);
				}
				offset = valueNode ? valueNode.range[2] : valueProps.end;
			}
		}
		const expectedEnd = isMap ? "}" : "]";
		const [ce, ...ee] = fc.end;
		let cePos = offset;
		if (ce?.source === expectedEnd) cePos = ce.offset + ce.source.length;
		else {
			const name = fcName[0].toUpperCase() + fcName.substring(1);
			const msg = atRoot ? `${name} must end with a ${expectedEnd}` : `${name} in block collection must be sufficiently indented and end with a ${expectedEnd}`;
			onError(offset, atRoot ? "MISSING_CHAR" : "BAD_INDENT", msg);
			if (ce && ce.source.length !== 1) ee.unshift(ce);
		}
		if (ee.length > 0) {
			const end = resolveEnd.resolveEnd(ee, cePos, ctx.options.strict, onError);
			if (end.comment) {
				if (coll.comment) coll.comment += "\n" + end.comment;
				else coll.comment = end.comment;
			}
			coll.range = [
				fc.offset,
				cePos,
				end.offset
			];
		} else coll.range = [
			fc.offset,
			cePos,
			cePos
		];
		return coll;
	}
	exports.resolveFlowCollection = resolveFlowCollection;
}));
var require_compose_collection = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Scalar = require_Scalar();
	var YAMLMap = require_YAMLMap();
	var YAMLSeq = require_YAMLSeq();
	var resolveBlockMap = require_resolve_block_map();
	var resolveBlockSeq = require_resolve_block_seq();
	var resolveFlowCollection = require_resolve_flow_collection();
	function resolveCollection(CN, ctx, token, onError, tagName, tag) {
		const coll = token.type === "block-map" ? resolveBlockMap.resolveBlockMap(CN, ctx, token, onError, tag) : token.type === "block-seq" ? resolveBlockSeq.resolveBlockSeq(CN, ctx, token, onError, tag) : resolveFlowCollection.resolveFlowCollection(CN, ctx, token, onError, tag);
		const Coll = coll.constructor;
		if (tagName === "!" || tagName === Coll.tagName) {
			coll.tag = Coll.tagName;
			return coll;
		}
		if (tagName) coll.tag = tagName;
		return coll;
	}
	function composeCollection(CN, ctx, token, props, onError) {
		const tagToken = props.tag;
		const tagName = !tagToken ? null : ctx.directives.tagName(tagToken.source, (msg) => onError(tagToken, "TAG_RESOLVE_FAILED", msg));
		if (token.type === "block-seq") {
			const { anchor, newlineAfterProp: nl } = props;
			const lastProp = anchor && tagToken ? anchor.offset > tagToken.offset ? anchor : tagToken : anchor ?? tagToken;
			if (lastProp && (!nl || nl.offset < lastProp.offset)) onError(lastProp, "MISSING_CHAR", "Missing newline after block sequence props");
		}
		const expType = token.type === "block-map" ? "map" : token.type === "block-seq" ? "seq" : token.start.source === "{" ? "map" : "seq";
		if (!tagToken || !tagName || tagName === "!" || tagName === YAMLMap.YAMLMap.tagName && expType === "map" || tagName === YAMLSeq.YAMLSeq.tagName && expType === "seq") return resolveCollection(CN, ctx, token, onError, tagName);
		let tag = ctx.schema.tags.find((t) => t.tag === tagName && t.collection === expType);
		if (!tag) {
			const kt = ctx.schema.knownTags[tagName];
			if (kt?.collection === expType) {
				ctx.schema.tags.push(Object.assign({}, kt, { default: false }));
				tag = kt;
			} else {
				if (kt) onError(tagToken, "BAD_COLLECTION_TYPE", `${kt.tag} used for ${expType} collection, but expects ${kt.collection ?? "scalar"}`, true);
				else onError(tagToken, "TAG_RESOLVE_FAILED", `Unresolved tag: ${tagName}`, true);
				return resolveCollection(CN, ctx, token, onError, tagName);
			}
		}
		const coll = resolveCollection(CN, ctx, token, onError, tagName, tag);
		const res = tag.resolve?.(coll, (msg) => onError(tagToken, "TAG_RESOLVE_FAILED", msg), ctx.options) ?? coll;
		const node = identity.isNode(res) ? res : new Scalar.Scalar(res);
		node.range = coll.range;
		node.tag = tagName;
		if (tag?.format) node.format = tag.format;
		return node;
	}
	exports.composeCollection = composeCollection;
}));
var require_resolve_block_scalar = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	function resolveBlockScalar(ctx, scalar, onError) {
		const start = scalar.offset;
		const header = parseBlockScalarHeader(scalar, ctx.options.strict, onError);
		if (!header) return {
			value: "",
			type: null,
			comment: "",
			range: [
				start,
				start,
				start
			]
		};
		const type = header.mode === ">" ? Scalar.Scalar.BLOCK_FOLDED : Scalar.Scalar.BLOCK_LITERAL;
		const lines = scalar.source ? splitLines(scalar.source) : [];
		let chompStart = lines.length;
		for (let i = lines.length - 1; i >= 0; --i) {
			const content = lines[i][1];
			if (content === "" || content === "\r") chompStart = i;
			else break;
		}
		if (chompStart === 0) {
			const value = header.chomp === "+" && lines.length > 0 ? "\n".repeat(Math.max(1, lines.length - 1)) : "";
			let end = start + header.length;
			if (scalar.source) end += scalar.source.length;
			return {
				value,
				type,
				comment: header.comment,
				range: [
					start,
					end,
					end
				]
			};
		}
		let trimIndent = scalar.indent + header.indent;
		let offset = scalar.offset + header.length;
		let contentStart = 0;
		for (let i = 0; i < chompStart; ++i) {
			const [indent, content] = lines[i];
			if (content === "" || content === "\r") {
				if (header.indent === 0 && indent.length > trimIndent) trimIndent = indent.length;
			} else {
				if (indent.length < trimIndent) onError(offset + indent.length, "MISSING_CHAR", "Block scalars with more-indented leading empty lines must use an explicit indentation indicator");
				if (header.indent === 0) trimIndent = indent.length;
				contentStart = i;
				if (trimIndent === 0 && !ctx.atRoot) onError(offset, "BAD_INDENT", "Block scalar values in collections must be indented");
				break;
			}
			offset += indent.length + content.length + 1;
		}
		for (let i = lines.length - 1; i >= chompStart; --i) if (lines[i][0].length > trimIndent) chompStart = i + 1;
		let value = "";
		let sep = "";
		let prevMoreIndented = false;
		for (let i = 0; i < contentStart; ++i) value += lines[i][0].slice(trimIndent) + "\n";
		for (let i = contentStart; i < chompStart; ++i) {
			let [indent, content] = lines[i];
			offset += indent.length + content.length + 1;
			const crlf = content[content.length - 1] === "\r";
			if (crlf) content = content.slice(0, -1);
			if (content && indent.length < trimIndent) {
				const message = `Block scalar lines must not be less indented than their ${header.indent ? "explicit indentation indicator" : "first line"}`;
				onError(offset - content.length - (crlf ? 2 : 1), "BAD_INDENT", message);
				indent = "";
			}
			if (type === Scalar.Scalar.BLOCK_LITERAL) {
				value += sep + indent.slice(trimIndent) + content;
				sep = "\n";
			} else if (indent.length > trimIndent || content[0] === "	") {
				if (sep === " ") sep = "\n";
				else if (!prevMoreIndented && sep === "\n") sep = "\n\n";
				value += sep + indent.slice(trimIndent) + content;
				sep = "\n";
				prevMoreIndented = true;
			} else if (content === "") {
				if (sep === "\n") value += "\n";
				else sep = "\n";
			} else {
				value += sep + content;
				sep = " ";
				prevMoreIndented = false;
			}
		}
		switch (header.chomp) {
			case "-": break;
			case "+":
				for (let i = chompStart; i < lines.length; ++i) value += "\n" + lines[i][0].slice(trimIndent);
				if (value[value.length - 1] !== "\n") value += "\n";
				break;
			default: value += "\n";
		}
		const end = start + header.length + scalar.source.length;
		return {
			value,
			type,
			comment: header.comment,
			range: [
				start,
				end,
				end
			]
		};
	}
	function parseBlockScalarHeader({ offset, props }, strict, onError) {
		if (props[0].type !== "block-scalar-header") {
			onError(props[0], "IMPOSSIBLE", "Block scalar header not found");
			return null;
		}
		const { source } = props[0];
		const mode = source[0];
		let indent = 0;
		let chomp = "";
		let error = -1;
		for (let i = 1; i < source.length; ++i) {
			const ch = source[i];
			if (!chomp && (ch === "-" || ch === "+")) chomp = ch;
			else {
				const n = Number(ch);
				if (!indent && n) indent = n;
				else if (error === -1) error = offset + i;
			}
		}
		if (error !== -1) onError(error, "UNEXPECTED_TOKEN", `Block scalar header includes extra characters: ${source}`);
		let hasSpace = false;
		let comment = "";
		let length = source.length;
		for (let i = 1; i < props.length; ++i) {
			const token = props[i];
			switch (token.type) {
				case "space": hasSpace = true;
				case "newline":
					length += token.source.length;
					break;
				case "comment":
					if (strict && !hasSpace) onError(token, "MISSING_CHAR", "Comments must be separated from other tokens by white space characters");
					length += token.source.length;
					comment = token.source.substring(1);
					break;
				case "error":
					onError(token, "UNEXPECTED_TOKEN", token.message);
					length += token.source.length;
					break;
				default: {
					onError(token, "UNEXPECTED_TOKEN", `Unexpected token in block scalar header: ${token.type}`);
					const ts = token.source;
					if (ts && typeof ts === "string") length += ts.length;
				}
			}
		}
		return {
			mode,
			indent,
			chomp,
			comment,
			length
		};
	}
	function splitLines(source) {
		const split = source.split(/\n( *)/);
		const first = split[0];
		const m = first.match(/^( *)/);
		const lines = [m?.[1] ? [m[1], first.slice(m[1].length)] : ["", first]];
		for (let i = 1; i < split.length; i += 2) lines.push([split[i], split[i + 1]]);
		return lines;
	}
	exports.resolveBlockScalar = resolveBlockScalar;
}));
var require_resolve_flow_scalar = __commonJSMin(((exports) => {
	var Scalar = require_Scalar();
	var resolveEnd = require_resolve_end();
	function resolveFlowScalar(scalar, strict, onError) {
		const { offset, type, source, end } = scalar;
		let _type;
		let value;
		const _onError = (rel, code, msg) => onError(offset + rel, code, msg);
		switch (type) {
			case "scalar":
				_type = Scalar.Scalar.PLAIN;
				value = plainValue(source, _onError);
				break;
			case "single-quoted-scalar":
				_type = Scalar.Scalar.QUOTE_SINGLE;
				value = singleQuotedValue(source, _onError);
				break;
			case "double-quoted-scalar":
				_type = Scalar.Scalar.QUOTE_DOUBLE;
				value = doubleQuotedValue(source, _onError);
				break;
			default:
				onError(scalar, "UNEXPECTED_TOKEN", `Expected a flow scalar value, but found: ${type}`);
				return {
					value: "",
					type: null,
					comment: "",
					range: [
						offset,
						offset + source.length,
						offset + source.length
					]
				};
		}
		const valueEnd = offset + source.length;
		const re = resolveEnd.resolveEnd(end, valueEnd, strict, onError);
		return {
			value,
			type: _type,
			comment: re.comment,
			range: [
				offset,
				valueEnd,
				re.offset
			]
		};
	}
	function plainValue(source, onError) {
		let badChar = "";
		switch (source[0]) {
			case "	":
				badChar = "a tab character";
				break;
			case ",":
				badChar = "flow indicator character ,";
				break;
			case "%":
				badChar = "directive indicator character %";
				break;
			case "|":
			case ">":
				badChar = `block scalar indicator ${source[0]}`;
				break;
			case "@":
			case "`": badChar = `reserved character ${source[0]}`;
		}
		if (badChar) onError(0, "BAD_SCALAR_START", `Plain value cannot start with ${badChar}`);
		return unfoldLines(source);
	}
	function singleQuotedValue(source, onError) {
		if (source[source.length - 1] !== "'" || source.length === 1) onError(source.length, "MISSING_CHAR", "Missing closing 'quote");
		return unfoldLines(source.slice(1, -1)).replace(/''/g, "'");
	}
	function unfoldLines(source) {
		const line = /(.*?)\r?\n/sy;
		let match = line.exec(source);
		if (!match) return source;
		let trimEnd, trimBoth;
		try {
			trimEnd = new RegExp("(?<![ 	])[ 	]+$");
			trimBoth = new RegExp("^[ 	]+|(?<![ 	])[ 	]+$", "g");
		} catch {
			trimEnd = /[ \t]+$/;
			trimBoth = /^[ \t]+|[ \t]+$/g;
		}
		let res = match[1].replace(trimEnd, "");
		let sep = " ";
		let pos = line.lastIndex;
		while (match = line.exec(source)) {
			const lm = match[1].replace(trimBoth, "");
			if (lm === "") {
				if (sep === "\n") res += sep;
				else sep = "\n";
			} else {
				res += sep + lm;
				sep = " ";
			}
			pos = line.lastIndex;
		}
		const last = /[ \t]*(.*)/sy;
		last.lastIndex = pos;
		match = last.exec(source);
		return res + sep + (match?.[1] ?? "");
	}
	function doubleQuotedValue(source, onError) {
		let res = "";
		for (let i = 1; i < source.length - 1; ++i) {
			const ch = source[i];
			if (ch === "\r" && source[i + 1] === "\n") continue;
			if (ch === "\n") {
				const { fold, offset } = foldNewline(source, i);
				res += fold;
				i = offset;
			} else if (ch === "\\") {
				let next = source[++i];
				const cc = escapeCodes[next];
				if (cc) res += cc;
				else if (next === "\n") {
					next = source[i + 1];
					while (next === " " || next === "	") next = source[++i + 1];
				} else if (next === "\r" && source[i + 1] === "\n") {
					next = source[++i + 1];
					while (next === " " || next === "	") next = source[++i + 1];
				} else if (next === "x" || next === "u" || next === "U") {
					const length = next === "x" ? 2 : next === "u" ? 4 : 8;
					res += parseCharCode(source, i + 1, length, onError);
					i += length;
				} else {
					const raw = source.substr(i - 1, 2);
					onError(i - 1, "BAD_DQ_ESCAPE", `Invalid escape sequence ${raw}`);
					res += raw;
				}
			} else if (ch === " " || ch === "	") {
				const wsStart = i;
				let next = source[i + 1];
				while (next === " " || next === "	") next = source[++i + 1];
				if (next !== "\n" && !(next === "\r" && source[i + 2] === "\n")) res += i > wsStart ? source.slice(wsStart, i + 1) : ch;
			} else res += ch;
		}
		if (source[source.length - 1] !== "\"" || source.length === 1) onError(source.length, "MISSING_CHAR", "Missing closing \"quote");
		return res;
	}
	function foldNewline(source, offset) {
		let fold = "";
		let ch = source[offset + 1];
		while (ch === " " || ch === "	" || ch === "\n" || ch === "\r") {
			if (ch === "\r" && source[offset + 2] !== "\n") break;
			if (ch === "\n") fold += "\n";
			offset += 1;
			ch = source[offset + 1];
		}
		if (!fold) fold = " ";
		return {
			fold,
			offset
		};
	}
	const escapeCodes = {
		"0": "\0",
		a: "\x07",
		b: "\b",
		e: "\x1B",
		f: "\f",
		n: "\n",
		r: "\r",
		t: "	",
		v: "\v",
		N: "",
		_: "\xA0",
		L: "\u2028",
		P: "\u2029",
		" ": " ",
		"\"": "\"",
		"/": "/",
		"\\": "\\",
		"	": "	"
	};
	function parseCharCode(source, offset, length, onError) {
		const cc = source.substr(offset, length);
		const code = cc.length === length && /^[0-9a-fA-F]+$/.test(cc) ? parseInt(cc, 16) : NaN;
		try {
			return String.fromCodePoint(code);
		} catch {
			const raw = source.substr(offset - 2, length + 2);
			onError(offset - 2, "BAD_DQ_ESCAPE", `Invalid escape sequence ${raw}`);
			return raw;
		}
	}
	exports.resolveFlowScalar = resolveFlowScalar;
}));
var require_compose_scalar = __commonJSMin(((exports) => {
	var identity = require_identity();
	var Scalar = require_Scalar();
	var resolveBlockScalar = require_resolve_block_scalar();
	var resolveFlowScalar = require_resolve_flow_scalar();
	function composeScalar(ctx, token, tagToken, onError) {
		const { value, type, comment, range } = token.type === "block-scalar" ? resolveBlockScalar.resolveBlockScalar(ctx, token, onError) : resolveFlowScalar.resolveFlowScalar(token, ctx.options.strict, onError);
		const tagName = tagToken ? ctx.directives.tagName(tagToken.source, (msg) => onError(tagToken, "TAG_RESOLVE_FAILED", msg)) : null;
		let tag;
		if (ctx.options.stringKeys && ctx.atKey) tag = ctx.schema[identity.SCALAR];
		else if (tagName) tag = findScalarTagByName(ctx.schema, value, tagName, tagToken, onError);
		else if (token.type === "scalar") tag = findScalarTagByTest(ctx, value, token, onError);
		else tag = ctx.schema[identity.SCALAR];
		let scalar;
		try {
			const res = tag.resolve(value, (msg) => onError(tagToken ?? token, "TAG_RESOLVE_FAILED", msg), ctx.options);
			scalar = identity.isScalar(res) ? res : new Scalar.Scalar(res);
		} catch (error) {
			const msg = error instanceof Error ? error.message : String(error);
			onError(tagToken ?? token, "TAG_RESOLVE_FAILED", msg);
			scalar = new Scalar.Scalar(value);
		}
		scalar.range = range;
		scalar.source = value;
		if (type) scalar.type = type;
		if (tagName) scalar.tag = tagName;
		if (tag.format) scalar.format = tag.format;
		if (comment) scalar.comment = comment;
		return scalar;
	}
	function findScalarTagByName(schema, value, tagName, tagToken, onError) {
		if (tagName === "!") return schema[identity.SCALAR];
		const matchWithTest = [];
		for (const tag of schema.tags) if (!tag.collection && tag.tag === tagName) {
			if (tag.default && tag.test) matchWithTest.push(tag);
			else return tag;
		}
		for (const tag of matchWithTest) if (tag.test?.test(value)) return tag;
		const kt = schema.knownTags[tagName];
		if (kt && !kt.collection) {
			schema.tags.push(Object.assign({}, kt, {
				default: false,
				test: void 0
			}));
			return kt;
		}
		onError(tagToken, "TAG_RESOLVE_FAILED", `Unresolved tag: ${tagName}`, tagName !== "tag:yaml.org,2002:str");
		return schema[identity.SCALAR];
	}
	function findScalarTagByTest({ atKey, directives, schema }, value, token, onError) {
		const tag = schema.tags.find((tag) => (tag.default === true || atKey && tag.default === "key") && tag.test?.test(value)) || schema[identity.SCALAR];
		if (schema.compat) {
			const compat = schema.compat.find((tag) => tag.default && tag.test?.test(value)) ?? schema[identity.SCALAR];
			if (tag.tag !== compat.tag) onError(token, "TAG_RESOLVE_FAILED", `Value may be parsed as either ${directives.tagString(tag.tag)} or ${directives.tagString(compat.tag)}`, true);
		}
		return tag;
	}
	exports.composeScalar = composeScalar;
}));
var require_util_empty_scalar_position = __commonJSMin(((exports) => {
	function emptyScalarPosition(offset, before, pos) {
		if (before) {
			pos ?? (pos = before.length);
			for (let i = pos - 1; i >= 0; --i) {
				let st = before[i];
				switch (st.type) {
					case "space":
					case "comment":
					case "newline":
						offset -= st.source.length;
						continue;
				}
				st = before[++i];
				while (st?.type === "space") {
					offset += st.source.length;
					st = before[++i];
				}
				break;
			}
		}
		return offset;
	}
	exports.emptyScalarPosition = emptyScalarPosition;
}));
var require_compose_node = __commonJSMin(((exports) => {
	var Alias = require_Alias();
	var identity = require_identity();
	var composeCollection = require_compose_collection();
	var composeScalar = require_compose_scalar();
	var resolveEnd = require_resolve_end();
	var utilEmptyScalarPosition = require_util_empty_scalar_position();
	const CN = {
		composeNode,
		composeEmptyNode
	};
	function composeNode(ctx, token, props, onError) {
		const atKey = ctx.atKey;
		const { spaceBefore, comment, anchor, tag } = props;
		let node;
		let isSrcToken = true;
		switch (token.type) {
			case "alias":
				node = composeAlias(ctx, token, onError);
				if (anchor || tag) onError(token, "ALIAS_PROPS", "An alias node must not specify any properties");
				break;
			case "scalar":
			case "single-quoted-scalar":
			case "double-quoted-scalar":
			case "block-scalar":
				node = composeScalar.composeScalar(ctx, token, tag, onError);
				if (anchor) node.anchor = anchor.source.substring(1);
				break;
			case "block-map":
			case "block-seq":
			case "flow-collection":
				try {
					node = composeCollection.composeCollection(CN, ctx, token, props, onError);
					if (anchor) node.anchor = anchor.source.substring(1);
				} catch (error) {
					onError(token, "RESOURCE_EXHAUSTION", error instanceof Error ? error.message : String(error));
				}
				break;
			default:
				onError(token, "UNEXPECTED_TOKEN", token.type === "error" ? token.message : `Unsupported token (type: ${token.type})`);
				isSrcToken = false;
		}
		node ?? (node = composeEmptyNode(ctx, token.offset, void 0, null, props, onError));
		if (anchor && node.anchor === "") onError(anchor, "BAD_ALIAS", "Anchor cannot be an empty string");
		if (atKey && ctx.options.stringKeys && (!identity.isScalar(node) || typeof node.value !== "string" || node.tag && node.tag !== "tag:yaml.org,2002:str")) onError(tag ?? token, "NON_STRING_KEY", "With stringKeys, all keys must be strings");
		if (spaceBefore) node.spaceBefore = true;
		if (comment) {
			if (token.type === "scalar" && token.source === "") node.comment = comment;
			else node.commentBefore = comment;
		}
		if (ctx.options.keepSourceTokens && isSrcToken) node.srcToken = token;
		return node;
	}
	function composeEmptyNode(ctx, offset, before, pos, { spaceBefore, comment, anchor, tag, end }, onError) {
		const token = {
			type: "scalar",
			offset: utilEmptyScalarPosition.emptyScalarPosition(offset, before, pos),
			indent: -1,
			source: ""
		};
		const node = composeScalar.composeScalar(ctx, token, tag, onError);
		if (anchor) {
			node.anchor = anchor.source.substring(1);
			if (node.anchor === "") onError(anchor, "BAD_ALIAS", "Anchor cannot be an empty string");
		}
		if (spaceBefore) node.spaceBefore = true;
		if (comment) {
			node.comment = comment;
			node.range[2] = end;
		}
		return node;
	}
	function composeAlias({ options }, { offset, source, end }, onError) {
		const alias = new Alias.Alias(source.substring(1));
		if (alias.source === "") onError(offset, "BAD_ALIAS", "Alias cannot be an empty string");
		if (alias.source.endsWith(":")) onError(offset + source.length - 1, "BAD_ALIAS", "Alias ending in : is ambiguous", true);
		const valueEnd = offset + source.length;
		const re = resolveEnd.resolveEnd(end, valueEnd, options.strict, onError);
		alias.range = [
			offset,
			valueEnd,
			re.offset
		];
		if (re.comment) alias.comment = re.comment;
		return alias;
	}
	exports.composeEmptyNode = composeEmptyNode;
	exports.composeNode = composeNode;
}));
var require_compose_doc = __commonJSMin(((exports) => {
	var Document = require_Document();
	var composeNode = require_compose_node();
	var resolveEnd = require_resolve_end();
	var resolveProps = require_resolve_props();
	function composeDoc(options, directives, { offset, start, value, end }, onError) {
		const opts = Object.assign({ _directives: directives }, options);
		const doc = new Document.Document(void 0, opts);
		const ctx = {
			atKey: false,
			atRoot: true,
			directives: doc.directives,
			options: doc.options,
			schema: doc.schema
		};
		const props = resolveProps.resolveProps(start, {
			indicator: "doc-start",
			next: value ?? end?.[0],
			offset,
			onError,
			parentIndent: 0,
			startOnNewline: true
		});
		if (props.found) {
			doc.directives.docStart = true;
			if (value && (value.type === "block-map" || value.type === "block-seq") && !props.hasNewline) onError(props.end, "MISSING_CHAR", "Block collection cannot start on same line with directives-end marker");
		}
		doc.contents = value ? composeNode.composeNode(ctx, value, props, onError) : composeNode.composeEmptyNode(ctx, props.end, start, null, props, onError);
		const contentEnd = doc.contents.range[2];
		const re = resolveEnd.resolveEnd(end, contentEnd, false, onError);
		if (re.comment) doc.comment = re.comment;
		doc.range = [
			offset,
			contentEnd,
			re.offset
		];
		return doc;
	}
	exports.composeDoc = composeDoc;
}));
var require_composer = __commonJSMin(((exports) => {
	var node_process = __require("process");
	var directives = require_directives();
	var Document = require_Document();
	var errors = require_errors();
	var identity = require_identity();
	var composeDoc = require_compose_doc();
	var resolveEnd = require_resolve_end();
	function getErrorPos(src) {
		if (typeof src === "number") return [src, src + 1];
		if (Array.isArray(src)) return src.length === 2 ? src : [src[0], src[1]];
		const { offset, source } = src;
		return [offset, offset + (typeof source === "string" ? source.length : 1)];
	}
	function parsePrelude(prelude) {
		let comment = "";
		let atComment = false;
		let afterEmptyLine = false;
		for (let i = 0; i < prelude.length; ++i) {
			const source = prelude[i];
			switch (source[0]) {
				case "#":
					comment += (comment === "" ? "" : afterEmptyLine ? "\n\n" : "\n") + (source.substring(1) || " ");
					atComment = true;
					afterEmptyLine = false;
					break;
				case "%":
					if (prelude[i + 1]?.[0] !== "#") i += 1;
					atComment = false;
					break;
				default:
					if (!atComment) afterEmptyLine = true;
					atComment = false;
			}
		}
		return {
			comment,
			afterEmptyLine
		};
	}
	var Composer = class {
		constructor(options = {}) {
			this.doc = null;
			this.atDirectives = false;
			this.prelude = [];
			this.errors = [];
			this.warnings = [];
			this.onError = (source, code, message, warning) => {
				const pos = getErrorPos(source);
				if (warning) this.warnings.push(new errors.YAMLWarning(pos, code, message));
				else this.errors.push(new errors.YAMLParseError(pos, code, message));
			};
			this.directives = new directives.Directives({ version: options.version || "1.2" });
			this.options = options;
		}
		decorate(doc, afterDoc) {
			const { comment, afterEmptyLine } = parsePrelude(this.prelude);
			if (comment) {
				const dc = doc.contents;
				if (afterDoc) doc.comment = doc.comment ? `${doc.comment}\n${comment}` : comment;
				else if (afterEmptyLine || doc.directives.docStart || !dc) doc.commentBefore = comment;
				else if (identity.isCollection(dc) && !dc.flow && dc.items.length > 0) {
					let it = dc.items[0];
					if (identity.isPair(it)) it = it.key;
					const cb = it.commentBefore;
					it.commentBefore = cb ? `${comment}\n${cb}` : comment;
				} else {
					const cb = dc.commentBefore;
					dc.commentBefore = cb ? `${comment}\n${cb}` : comment;
				}
			}
			if (afterDoc) {
				for (let i = 0; i < this.errors.length; ++i) doc.errors.push(this.errors[i]);
				for (let i = 0; i < this.warnings.length; ++i) doc.warnings.push(this.warnings[i]);
			} else {
				doc.errors = this.errors;
				doc.warnings = this.warnings;
			}
			this.prelude = [];
			this.errors = [];
			this.warnings = [];
		}
		streamInfo() {
			return {
				comment: parsePrelude(this.prelude).comment,
				directives: this.directives,
				errors: this.errors,
				warnings: this.warnings
			};
		}
		*compose(tokens, forceDoc = false, endOffset = -1) {
			for (const token of tokens) yield* this.next(token);
			yield* this.end(forceDoc, endOffset);
		}
		*next(token) {
			if (node_process.env.LOG_STREAM) console.dir(token, { depth: null });
			switch (token.type) {
				case "directive":
					this.directives.add(token.source, (offset, message, warning) => {
						const pos = getErrorPos(token);
						pos[0] += offset;
						this.onError(pos, "BAD_DIRECTIVE", message, warning);
					});
					this.prelude.push(token.source);
					this.atDirectives = true;
					break;
				case "document": {
					const doc = composeDoc.composeDoc(this.options, this.directives, token, this.onError);
					if (this.atDirectives && !doc.directives.docStart) this.onError(token, "MISSING_CHAR", "Missing directives-end/doc-start indicator line");
					this.decorate(doc, false);
					if (this.doc) yield this.doc;
					this.doc = doc;
					this.atDirectives = false;
					break;
				}
				case "byte-order-mark":
				case "space": break;
				case "comment":
				case "newline":
					this.prelude.push(token.source);
					break;
				case "error": {
					const msg = token.source ? `${token.message}: ${JSON.stringify(token.source)}` : token.message;
					const error = new errors.YAMLParseError(getErrorPos(token), "UNEXPECTED_TOKEN", msg);
					if (this.atDirectives || !this.doc) this.errors.push(error);
					else this.doc.errors.push(error);
					break;
				}
				case "doc-end": {
					if (!this.doc) {
						this.errors.push(new errors.YAMLParseError(getErrorPos(token), "UNEXPECTED_TOKEN", "Unexpected doc-end without preceding document"));
						break;
					}
					this.doc.directives.docEnd = true;
					const end = resolveEnd.resolveEnd(token.end, token.offset + token.source.length, this.doc.options.strict, this.onError);
					this.decorate(this.doc, true);
					if (end.comment) {
						const dc = this.doc.comment;
						this.doc.comment = dc ? `${dc}\n${end.comment}` : end.comment;
					}
					this.doc.range[2] = end.offset;
					break;
				}
				default: this.errors.push(new errors.YAMLParseError(getErrorPos(token), "UNEXPECTED_TOKEN", `Unsupported token ${token.type}`));
			}
		}
		*end(forceDoc = false, endOffset = -1) {
			if (this.doc) {
				this.decorate(this.doc, true);
				yield this.doc;
				this.doc = null;
			} else if (forceDoc) {
				const opts = Object.assign({ _directives: this.directives }, this.options);
				const doc = new Document.Document(void 0, opts);
				if (this.atDirectives) this.onError(endOffset, "MISSING_CHAR", "Missing directives-end indicator line");
				doc.range = [
					0,
					endOffset,
					endOffset
				];
				this.decorate(doc, false);
				yield doc;
			}
		}
	};
	exports.Composer = Composer;
}));
var require_cst_scalar = __commonJSMin(((exports) => {
	var resolveBlockScalar = require_resolve_block_scalar();
	var resolveFlowScalar = require_resolve_flow_scalar();
	var errors = require_errors();
	var stringifyString = require_stringifyString();
	function resolveAsScalar(token, strict = true, onError) {
		if (token) {
			const _onError = (pos, code, message) => {
				const offset = typeof pos === "number" ? pos : Array.isArray(pos) ? pos[0] : pos.offset;
				if (onError) onError(offset, code, message);
				else throw new errors.YAMLParseError([offset, offset + 1], code, message);
			};
			switch (token.type) {
				case "scalar":
				case "single-quoted-scalar":
				case "double-quoted-scalar": return resolveFlowScalar.resolveFlowScalar(token, strict, _onError);
				case "block-scalar": return resolveBlockScalar.resolveBlockScalar({ options: { strict } }, token, _onError);
			}
		}
		return null;
	}
	function createScalarToken(value, context) {
		const { implicitKey = false, indent, inFlow = false, offset = -1, type = "PLAIN" } = context;
		const source = stringifyString.stringifyString({
			type,
			value
		}, {
			implicitKey,
			indent: indent > 0 ? " ".repeat(indent) : "",
			inFlow,
			options: {
				blockQuote: true,
				lineWidth: -1
			}
		});
		const end = context.end ?? [{
			type: "newline",
			offset: -1,
			indent,
			source: "\n"
		}];
		switch (source[0]) {
			case "|":
			case ">": {
				const he = source.indexOf("\n");
				const head = source.substring(0, he);
				const body = source.substring(he + 1) + "\n";
				const props = [{
					type: "block-scalar-header",
					offset,
					indent,
					source: head
				}];
				if (!addEndtoBlockProps(props, end)) props.push({
					type: "newline",
					offset: -1,
					indent,
					source: "\n"
				});
				return {
					type: "block-scalar",
					offset,
					indent,
					props,
					source: body
				};
			}
			case "\"": return {
				type: "double-quoted-scalar",
				offset,
				indent,
				source,
				end
			};
			case "'": return {
				type: "single-quoted-scalar",
				offset,
				indent,
				source,
				end
			};
			default: return {
				type: "scalar",
				offset,
				indent,
				source,
				end
			};
		}
	}
	function setScalarValue(token, value, context = {}) {
		let { afterKey = false, implicitKey = false, inFlow = false, type } = context;
		let indent = "indent" in token ? token.indent : null;
		if (afterKey && typeof indent === "number") indent += 2;
		if (!type) switch (token.type) {
			case "single-quoted-scalar":
				type = "QUOTE_SINGLE";
				break;
			case "double-quoted-scalar":
				type = "QUOTE_DOUBLE";
				break;
			case "block-scalar": {
				const header = token.props[0];
				if (header.type !== "block-scalar-header") throw new Error("Invalid block scalar header");
				type = header.source[0] === ">" ? "BLOCK_FOLDED" : "BLOCK_LITERAL";
				break;
			}
			default: type = "PLAIN";
		}
		const source = stringifyString.stringifyString({
			type,
			value
		}, {
			implicitKey: implicitKey || indent === null,
			indent: indent !== null && indent > 0 ? " ".repeat(indent) : "",
			inFlow,
			options: {
				blockQuote: true,
				lineWidth: -1
			}
		});
		switch (source[0]) {
			case "|":
			case ">":
				setBlockScalarValue(token, source);
				break;
			case "\"":
				setFlowScalarValue(token, source, "double-quoted-scalar");
				break;
			case "'":
				setFlowScalarValue(token, source, "single-quoted-scalar");
				break;
			default: setFlowScalarValue(token, source, "scalar");
		}
	}
	function setBlockScalarValue(token, source) {
		const he = source.indexOf("\n");
		const head = source.substring(0, he);
		const body = source.substring(he + 1) + "\n";
		if (token.type === "block-scalar") {
			const header = token.props[0];
			if (header.type !== "block-scalar-header") throw new Error("Invalid block scalar header");
			header.source = head;
			token.source = body;
		} else {
			const { offset } = token;
			const indent = "indent" in token ? token.indent : -1;
			const props = [{
				type: "block-scalar-header",
				offset,
				indent,
				source: head
			}];
			if (!addEndtoBlockProps(props, "end" in token ? token.end : void 0)) props.push({
				type: "newline",
				offset: -1,
				indent,
				source: "\n"
			});
			for (const key of Object.keys(token)) if (key !== "type" && key !== "offset") delete token[key];
			Object.assign(token, {
				type: "block-scalar",
				indent,
				props,
				source: body
			});
		}
	}
	function addEndtoBlockProps(props, end) {
		if (end) for (const st of end) switch (st.type) {
			case "space":
			case "comment":
				props.push(st);
				break;
			case "newline":
				props.push(st);
				return true;
		}
		return false;
	}
	function setFlowScalarValue(token, source, type) {
		switch (token.type) {
			case "scalar":
			case "double-quoted-scalar":
			case "single-quoted-scalar":
				token.type = type;
				token.source = source;
				break;
			case "block-scalar": {
				const end = token.props.slice(1);
				let oa = source.length;
				if (token.props[0].type === "block-scalar-header") oa -= token.props[0].source.length;
				for (const tok of end) tok.offset += oa;
				delete token.props;
				Object.assign(token, {
					type,
					source,
					end
				});
				break;
			}
			case "block-map":
			case "block-seq": {
				const nl = {
					type: "newline",
					offset: token.offset + source.length,
					indent: token.indent,
					source: "\n"
				};
				delete token.items;
				Object.assign(token, {
					type,
					source,
					end: [nl]
				});
				break;
			}
			default: {
				const indent = "indent" in token ? token.indent : -1;
				const end = "end" in token && Array.isArray(token.end) ? token.end.filter((st) => st.type === "space" || st.type === "comment" || st.type === "newline") : [];
				for (const key of Object.keys(token)) if (key !== "type" && key !== "offset") delete token[key];
				Object.assign(token, {
					type,
					indent,
					source,
					end
				});
			}
		}
	}
	exports.createScalarToken = createScalarToken;
	exports.resolveAsScalar = resolveAsScalar;
	exports.setScalarValue = setScalarValue;
}));
var require_cst_stringify = __commonJSMin(((exports) => {
	const stringify = (cst) => "type" in cst ? stringifyToken(cst) : stringifyItem(cst);
	function stringifyToken(token) {
		switch (token.type) {
			case "block-scalar": {
				let res = "";
				for (const tok of token.props) res += stringifyToken(tok);
				return res + token.source;
			}
			case "block-map":
			case "block-seq": {
				let res = "";
				for (const item of token.items) res += stringifyItem(item);
				return res;
			}
			case "flow-collection": {
				let res = token.start.source;
				for (const item of token.items) res += stringifyItem(item);
				for (const st of token.end) res += st.source;
				return res;
			}
			case "document": {
				let res = stringifyItem(token);
				if (token.end) for (const st of token.end) res += st.source;
				return res;
			}
			default: {
				let res = token.source;
				if ("end" in token && token.end) for (const st of token.end) res += st.source;
				return res;
			}
		}
	}
	function stringifyItem({ start, key, sep, value }) {
		let res = "";
		for (const st of start) res += st.source;
		if (key) res += stringifyToken(key);
		if (sep) for (const st of sep) res += st.source;
		if (value) res += stringifyToken(value);
		return res;
	}
	exports.stringify = stringify;
}));
var require_cst_visit = __commonJSMin(((exports) => {
	const BREAK = Symbol("break visit");
	const SKIP = Symbol("skip children");
	const REMOVE = Symbol("remove item");
	function visit(cst, visitor) {
		if ("type" in cst && cst.type === "document") cst = {
			start: cst.start,
			value: cst.value
		};
		_visit(Object.freeze([]), cst, visitor);
	}
	visit.BREAK = BREAK;
	visit.SKIP = SKIP;
	visit.REMOVE = REMOVE;
	visit.itemAtPath = (cst, path) => {
		let item = cst;
		for (const [field, index] of path) {
			const tok = item?.[field];
			if (tok && "items" in tok) item = tok.items[index];
			else return void 0;
		}
		return item;
	};
	visit.parentCollection = (cst, path) => {
		const parent = visit.itemAtPath(cst, path.slice(0, -1));
		const field = path[path.length - 1][0];
		const coll = parent?.[field];
		if (coll && "items" in coll) return coll;
		throw new Error("Parent collection not found");
	};
	function _visit(path, item, visitor) {
		let ctrl = visitor(item, path);
		if (typeof ctrl === "symbol") return ctrl;
		for (const field of ["key", "value"]) {
			const token = item[field];
			if (token && "items" in token) {
				for (let i = 0; i < token.items.length; ++i) {
					const ci = _visit(Object.freeze(path.concat([[field, i]])), token.items[i], visitor);
					if (typeof ci === "number") i = ci - 1;
					else if (ci === BREAK) return BREAK;
					else if (ci === REMOVE) {
						token.items.splice(i, 1);
						i -= 1;
					}
				}
				if (typeof ctrl === "function" && field === "key") ctrl = ctrl(item, path);
			}
		}
		return typeof ctrl === "function" ? ctrl(item, path) : ctrl;
	}
	exports.visit = visit;
}));
var require_cst = __commonJSMin(((exports) => {
	var cstScalar = require_cst_scalar();
	var cstStringify = require_cst_stringify();
	var cstVisit = require_cst_visit();
	const BOM = "﻿";
	const DOCUMENT = "";
	const FLOW_END = "";
	const SCALAR = "";
	const isCollection = (token) => !!token && "items" in token;
	const isScalar = (token) => !!token && (token.type === "scalar" || token.type === "single-quoted-scalar" || token.type === "double-quoted-scalar" || token.type === "block-scalar");
	function prettyToken(token) {
		switch (token) {
			case BOM: return "<BOM>";
			case DOCUMENT: return "<DOC>";
			case FLOW_END: return "<FLOW_END>";
			case SCALAR: return "<SCALAR>";
			default: return JSON.stringify(token);
		}
	}
	function tokenType(source) {
		switch (source) {
			case BOM: return "byte-order-mark";
			case DOCUMENT: return "doc-mode";
			case FLOW_END: return "flow-error-end";
			case SCALAR: return "scalar";
			case "---": return "doc-start";
			case "...": return "doc-end";
			case "":
			case "\n":
			case "\r\n": return "newline";
			case "-": return "seq-item-ind";
			case "?": return "explicit-key-ind";
			case ":": return "map-value-ind";
			case "{": return "flow-map-start";
			case "}": return "flow-map-end";
			case "[": return "flow-seq-start";
			case "]": return "flow-seq-end";
			case ",": return "comma";
		}
		switch (source[0]) {
			case " ":
			case "	": return "space";
			case "#": return "comment";
			case "%": return "directive-line";
			case "*": return "alias";
			case "&": return "anchor";
			case "!": return "tag";
			case "'": return "single-quoted-scalar";
			case "\"": return "double-quoted-scalar";
			case "|":
			case ">": return "block-scalar-header";
		}
		return null;
	}
	exports.createScalarToken = cstScalar.createScalarToken;
	exports.resolveAsScalar = cstScalar.resolveAsScalar;
	exports.setScalarValue = cstScalar.setScalarValue;
	exports.stringify = cstStringify.stringify;
	exports.visit = cstVisit.visit;
	exports.BOM = BOM;
	exports.DOCUMENT = DOCUMENT;
	exports.FLOW_END = FLOW_END;
	exports.SCALAR = SCALAR;
	exports.isCollection = isCollection;
	exports.isScalar = isScalar;
	exports.prettyToken = prettyToken;
	exports.tokenType = tokenType;
}));
var require_lexer = __commonJSMin(((exports) => {
	var cst = require_cst();
	function isEmpty(ch) {
		switch (ch) {
			case void 0:
			case " ":
			case "\n":
			case "\r":
			case "	": return true;
			default: return false;
		}
	}
	const hexDigits = new Set("0123456789ABCDEFabcdef");
	const tagChars = new Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-#;/?:@&=+$_.!~*'()");
	const flowIndicatorChars = new Set(",[]{}");
	const invalidAnchorChars = new Set(" ,[]{}\n\r	");
	const isNotAnchorChar = (ch) => !ch || invalidAnchorChars.has(ch);
	var Lexer = class {
		constructor() {
			this.atEnd = false;
			this.blockScalarIndent = -1;
			this.blockScalarKeep = false;
			this.buffer = "";
			this.flowKey = false;
			this.flowLevel = 0;
			this.indentNext = 0;
			this.indentValue = 0;
			this.lineEndPos = null;
			this.next = null;
			this.pos = 0;
		}
		*lex(source, incomplete = false) {
			if (source) {
				if (typeof source !== "string") throw TypeError("source is not a string");
				this.buffer = this.buffer ? this.buffer + source : source;
				this.lineEndPos = null;
			}
			this.atEnd = !incomplete;
			let next = this.next ?? "stream";
			while (next && (incomplete || this.hasChars(1))) next = yield* this.parseNext(next);
		}
		atLineEnd() {
			let i = this.pos;
			let ch = this.buffer[i];
			while (ch === " " || ch === "	") ch = this.buffer[++i];
			if (!ch || ch === "#" || ch === "\n") return true;
			if (ch === "\r") return this.buffer[i + 1] === "\n";
			return false;
		}
		charAt(n) {
			return this.buffer[this.pos + n];
		}
		continueScalar(offset) {
			let ch = this.buffer[offset];
			if (this.indentNext > 0) {
				let indent = 0;
				while (ch === " ") ch = this.buffer[++indent + offset];
				if (ch === "\r") {
					const next = this.buffer[indent + offset + 1];
					if (next === "\n" || !next && !this.atEnd) return offset + indent + 1;
				}
				return ch === "\n" || indent >= this.indentNext || !ch && !this.atEnd ? offset + indent : -1;
			}
			if (ch === "-" || ch === ".") {
				const dt = this.buffer.substr(offset, 3);
				if ((dt === "---" || dt === "...") && isEmpty(this.buffer[offset + 3])) return -1;
			}
			return offset;
		}
		getLine() {
			let end = this.lineEndPos;
			if (typeof end !== "number" || end !== -1 && end < this.pos) {
				end = this.buffer.indexOf("\n", this.pos);
				this.lineEndPos = end;
			}
			if (end === -1) return this.atEnd ? this.buffer.substring(this.pos) : null;
			if (this.buffer[end - 1] === "\r") end -= 1;
			return this.buffer.substring(this.pos, end);
		}
		hasChars(n) {
			return this.pos + n <= this.buffer.length;
		}
		setNext(state) {
			this.buffer = this.buffer.substring(this.pos);
			this.pos = 0;
			this.lineEndPos = null;
			this.next = state;
			return null;
		}
		peek(n) {
			return this.buffer.substr(this.pos, n);
		}
		*parseNext(next) {
			switch (next) {
				case "stream": return yield* this.parseStream();
				case "line-start": return yield* this.parseLineStart();
				case "block-start": return yield* this.parseBlockStart();
				case "doc": return yield* this.parseDocument();
				case "flow": return yield* this.parseFlowCollection();
				case "quoted-scalar": return yield* this.parseQuotedScalar();
				case "block-scalar": return yield* this.parseBlockScalar();
				case "plain-scalar": return yield* this.parsePlainScalar();
			}
		}
		*parseStream() {
			let line = this.getLine();
			if (line === null) return this.setNext("stream");
			if (line[0] === cst.BOM) {
				yield* this.pushCount(1);
				line = line.substring(1);
			}
			if (line[0] === "%") {
				let dirEnd = line.length;
				let cs = line.indexOf("#");
				while (cs !== -1) {
					const ch = line[cs - 1];
					if (ch === " " || ch === "	") {
						dirEnd = cs - 1;
						break;
					} else cs = line.indexOf("#", cs + 1);
				}
				while (true) {
					const ch = line[dirEnd - 1];
					if (ch === " " || ch === "	") dirEnd -= 1;
					else break;
				}
				const n = (yield* this.pushCount(dirEnd)) + (yield* this.pushSpaces(true));
				yield* this.pushCount(line.length - n);
				this.pushNewline();
				return "stream";
			}
			if (this.atLineEnd()) {
				const sp = yield* this.pushSpaces(true);
				yield* this.pushCount(line.length - sp);
				yield* this.pushNewline();
				return "stream";
			}
			yield cst.DOCUMENT;
			return yield* this.parseLineStart();
		}
		*parseLineStart() {
			const ch = this.charAt(0);
			if (!ch && !this.atEnd) return this.setNext("line-start");
			if (ch === "-" || ch === ".") {
				if (!this.atEnd && !this.hasChars(4)) return this.setNext("line-start");
				const s = this.peek(3);
				if ((s === "---" || s === "...") && isEmpty(this.charAt(3))) {
					yield* this.pushCount(3);
					this.indentValue = 0;
					this.indentNext = 0;
					return s === "---" ? "doc" : "stream";
				}
			}
			this.indentValue = yield* this.pushSpaces(false);
			if (this.indentNext > this.indentValue && !isEmpty(this.charAt(1))) this.indentNext = this.indentValue;
			return yield* this.parseBlockStart();
		}
		*parseBlockStart() {
			const [ch0, ch1] = this.peek(2);
			if (!ch1 && !this.atEnd) return this.setNext("block-start");
			if ((ch0 === "-" || ch0 === "?" || ch0 === ":") && isEmpty(ch1)) {
				const n = (yield* this.pushCount(1)) + (yield* this.pushSpaces(true));
				this.indentNext = this.indentValue + 1;
				this.indentValue += n;
				return "block-start";
			}
			return "doc";
		}
		*parseDocument() {
			yield* this.pushSpaces(true);
			const line = this.getLine();
			if (line === null) return this.setNext("doc");
			let n = yield* this.pushIndicators();
			switch (line[n]) {
				case "#": yield* this.pushCount(line.length - n);
				case void 0:
					yield* this.pushNewline();
					return yield* this.parseLineStart();
				case "{":
				case "[":
					yield* this.pushCount(1);
					this.flowKey = false;
					this.flowLevel = 1;
					return "flow";
				case "}":
				case "]":
					yield* this.pushCount(1);
					return "doc";
				case "*":
					yield* this.pushUntil(isNotAnchorChar);
					return "doc";
				case "\"":
				case "'": return yield* this.parseQuotedScalar();
				case "|":
				case ">":
					n += yield* this.parseBlockScalarHeader();
					n += yield* this.pushSpaces(true);
					yield* this.pushCount(line.length - n);
					yield* this.pushNewline();
					return yield* this.parseBlockScalar();
				default: return yield* this.parsePlainScalar();
			}
		}
		*parseFlowCollection() {
			let nl, sp;
			let indent = -1;
			do {
				nl = yield* this.pushNewline();
				if (nl > 0) {
					sp = yield* this.pushSpaces(false);
					this.indentValue = indent = sp;
				} else sp = 0;
				sp += yield* this.pushSpaces(true);
			} while (nl + sp > 0);
			const line = this.getLine();
			if (line === null) return this.setNext("flow");
			if (indent !== -1 && indent < this.indentNext && line[0] !== "#" || indent === 0 && (line.startsWith("---") || line.startsWith("...")) && isEmpty(line[3])) {
				if (!(indent === this.indentNext - 1 && this.flowLevel === 1 && (line[0] === "]" || line[0] === "}"))) {
					this.flowLevel = 0;
					yield cst.FLOW_END;
					return yield* this.parseLineStart();
				}
			}
			let n = 0;
			while (line[n] === ",") {
				n += yield* this.pushCount(1);
				n += yield* this.pushSpaces(true);
				this.flowKey = false;
			}
			n += yield* this.pushIndicators();
			switch (line[n]) {
				case void 0: return "flow";
				case "#":
					yield* this.pushCount(line.length - n);
					return "flow";
				case "{":
				case "[":
					yield* this.pushCount(1);
					this.flowKey = false;
					this.flowLevel += 1;
					return "flow";
				case "}":
				case "]":
					yield* this.pushCount(1);
					this.flowKey = true;
					this.flowLevel -= 1;
					return this.flowLevel ? "flow" : "doc";
				case "*":
					yield* this.pushUntil(isNotAnchorChar);
					return "flow";
				case "\"":
				case "'":
					this.flowKey = true;
					return yield* this.parseQuotedScalar();
				case ":": {
					const next = this.charAt(1);
					if (this.flowKey || isEmpty(next) || next === ",") {
						this.flowKey = false;
						yield* this.pushCount(1);
						yield* this.pushSpaces(true);
						return "flow";
					}
				}
				default:
					this.flowKey = false;
					return yield* this.parsePlainScalar();
			}
		}
		*parseQuotedScalar() {
			const quote = this.charAt(0);
			let end = this.buffer.indexOf(quote, this.pos + 1);
			if (quote === "'") while (end !== -1 && this.buffer[end + 1] === "'") end = this.buffer.indexOf("'", end + 2);
			else while (end !== -1) {
				let n = 0;
				while (this.buffer[end - 1 - n] === "\\") n += 1;
				if (n % 2 === 0) break;
				end = this.buffer.indexOf("\"", end + 1);
			}
			const qb = this.buffer.substring(0, end);
			let nl = qb.indexOf("\n", this.pos);
			if (nl !== -1) {
				while (nl !== -1) {
					const cs = this.continueScalar(nl + 1);
					if (cs === -1) break;
					nl = qb.indexOf("\n", cs);
				}
				if (nl !== -1) end = nl - (qb[nl - 1] === "\r" ? 2 : 1);
			}
			if (end === -1) {
				if (!this.atEnd) return this.setNext("quoted-scalar");
				end = this.buffer.length;
			}
			yield* this.pushToIndex(end + 1, false);
			return this.flowLevel ? "flow" : "doc";
		}
		*parseBlockScalarHeader() {
			this.blockScalarIndent = -1;
			this.blockScalarKeep = false;
			let i = this.pos;
			while (true) {
				const ch = this.buffer[++i];
				if (ch === "+") this.blockScalarKeep = true;
				else if (ch > "0" && ch <= "9") this.blockScalarIndent = Number(ch) - 1;
				else if (ch !== "-") break;
			}
			return yield* this.pushUntil((ch) => isEmpty(ch) || ch === "#");
		}
		*parseBlockScalar() {
			let nl = this.pos - 1;
			let indent = 0;
			let ch;
			loop: for (let i = this.pos; ch = this.buffer[i]; ++i) switch (ch) {
				case " ":
					indent += 1;
					break;
				case "\n":
					nl = i;
					indent = 0;
					break;
				case "\r": {
					const next = this.buffer[i + 1];
					if (!next && !this.atEnd) return this.setNext("block-scalar");
					if (next === "\n") break;
				}
				default: break loop;
			}
			if (!ch && !this.atEnd) return this.setNext("block-scalar");
			if (indent >= this.indentNext) {
				if (this.blockScalarIndent === -1) this.indentNext = indent;
				else this.indentNext = this.blockScalarIndent + (this.indentNext === 0 ? 1 : this.indentNext);
				do {
					const cs = this.continueScalar(nl + 1);
					if (cs === -1) break;
					nl = this.buffer.indexOf("\n", cs);
				} while (nl !== -1);
				if (nl === -1) {
					if (!this.atEnd) return this.setNext("block-scalar");
					nl = this.buffer.length;
				}
			}
			let i = nl + 1;
			ch = this.buffer[i];
			while (ch === " ") ch = this.buffer[++i];
			if (ch === "	") {
				while (ch === "	" || ch === " " || ch === "\r" || ch === "\n") ch = this.buffer[++i];
				nl = i - 1;
			} else if (!this.blockScalarKeep) do {
				let i = nl - 1;
				let ch = this.buffer[i];
				if (ch === "\r") ch = this.buffer[--i];
				const lastChar = i;
				while (ch === " ") ch = this.buffer[--i];
				if (ch === "\n" && i >= this.pos && i + 1 + indent > lastChar) nl = i;
				else break;
			} while (true);
			yield cst.SCALAR;
			yield* this.pushToIndex(nl + 1, true);
			return yield* this.parseLineStart();
		}
		*parsePlainScalar() {
			const inFlow = this.flowLevel > 0;
			let end = this.pos - 1;
			let i = this.pos - 1;
			let ch;
			while (ch = this.buffer[++i]) if (ch === ":") {
				const next = this.buffer[i + 1];
				if (isEmpty(next) || inFlow && flowIndicatorChars.has(next)) break;
				end = i;
			} else if (isEmpty(ch)) {
				let next = this.buffer[i + 1];
				if (ch === "\r") {
					if (next === "\n") {
						i += 1;
						ch = "\n";
						next = this.buffer[i + 1];
					} else end = i;
				}
				if (next === "#" || inFlow && flowIndicatorChars.has(next)) break;
				if (ch === "\n") {
					const cs = this.continueScalar(i + 1);
					if (cs === -1) break;
					i = Math.max(i, cs - 2);
				}
			} else {
				if (inFlow && flowIndicatorChars.has(ch)) break;
				end = i;
			}
			if (!ch && !this.atEnd) return this.setNext("plain-scalar");
			yield cst.SCALAR;
			yield* this.pushToIndex(end + 1, true);
			return inFlow ? "flow" : "doc";
		}
		*pushCount(n) {
			if (n > 0) {
				yield this.buffer.substr(this.pos, n);
				this.pos += n;
				return n;
			}
			return 0;
		}
		*pushToIndex(i, allowEmpty) {
			const s = this.buffer.slice(this.pos, i);
			if (s) {
				yield s;
				this.pos += s.length;
				return s.length;
			} else if (allowEmpty) yield "";
			return 0;
		}
		*pushIndicators() {
			let n = 0;
			loop: while (true) {
				switch (this.charAt(0)) {
					case "!":
						n += yield* this.pushTag();
						n += yield* this.pushSpaces(true);
						continue loop;
					case "&":
						n += yield* this.pushUntil(isNotAnchorChar);
						n += yield* this.pushSpaces(true);
						continue loop;
					case "-":
					case "?":
					case ":": {
						const inFlow = this.flowLevel > 0;
						const ch1 = this.charAt(1);
						if (isEmpty(ch1) || inFlow && flowIndicatorChars.has(ch1)) {
							if (!inFlow) this.indentNext = this.indentValue + 1;
							else if (this.flowKey) this.flowKey = false;
							n += yield* this.pushCount(1);
							n += yield* this.pushSpaces(true);
							continue loop;
						}
					}
				}
				break loop;
			}
			return n;
		}
		*pushTag() {
			if (this.charAt(1) === "<") {
				let i = this.pos + 2;
				let ch = this.buffer[i];
				while (!isEmpty(ch) && ch !== ">") ch = this.buffer[++i];
				return yield* this.pushToIndex(ch === ">" ? i + 1 : i, false);
			} else {
				let i = this.pos + 1;
				let ch = this.buffer[i];
				while (ch) if (tagChars.has(ch)) ch = this.buffer[++i];
				else if (ch === "%" && hexDigits.has(this.buffer[i + 1]) && hexDigits.has(this.buffer[i + 2])) ch = this.buffer[i += 3];
				else break;
				return yield* this.pushToIndex(i, false);
			}
		}
		*pushNewline() {
			const ch = this.buffer[this.pos];
			if (ch === "\n") return yield* this.pushCount(1);
			else if (ch === "\r" && this.charAt(1) === "\n") return yield* this.pushCount(2);
			else return 0;
		}
		*pushSpaces(allowTabs) {
			let i = this.pos - 1;
			let ch;
			do
				ch = this.buffer[++i];
			while (ch === " " || allowTabs && ch === "	");
			const n = i - this.pos;
			if (n > 0) {
				yield this.buffer.substr(this.pos, n);
				this.pos = i;
			}
			return n;
		}
		*pushUntil(test) {
			let i = this.pos;
			let ch = this.buffer[i];
			while (!test(ch)) ch = this.buffer[++i];
			return yield* this.pushToIndex(i, false);
		}
	};
	exports.Lexer = Lexer;
}));
var require_line_counter = __commonJSMin(((exports) => {
	var LineCounter = class {
		constructor() {
			this.lineStarts = [];
			this.addNewLine = (offset) => this.lineStarts.push(offset);
			this.linePos = (offset) => {
				let low = 0;
				let high = this.lineStarts.length;
				while (low < high) {
					const mid = low + high >> 1;
					if (this.lineStarts[mid] < offset) low = mid + 1;
					else high = mid;
				}
				if (this.lineStarts[low] === offset) return {
					line: low + 1,
					col: 1
				};
				if (low === 0) return {
					line: 0,
					col: offset
				};
				const start = this.lineStarts[low - 1];
				return {
					line: low,
					col: offset - start + 1
				};
			};
		}
	};
	exports.LineCounter = LineCounter;
}));
var require_parser = __commonJSMin(((exports) => {
	var node_process = __require("process");
	var cst = require_cst();
	var lexer = require_lexer();
	function includesToken(list, type) {
		for (let i = 0; i < list.length; ++i) if (list[i].type === type) return true;
		return false;
	}
	function findNonEmptyIndex(list) {
		for (let i = 0; i < list.length; ++i) switch (list[i].type) {
			case "space":
			case "comment":
			case "newline": break;
			default: return i;
		}
		return -1;
	}
	function isFlowToken(token) {
		switch (token?.type) {
			case "alias":
			case "scalar":
			case "single-quoted-scalar":
			case "double-quoted-scalar":
			case "flow-collection": return true;
			default: return false;
		}
	}
	function getPrevProps(parent) {
		switch (parent.type) {
			case "document": return parent.start;
			case "block-map": {
				const it = parent.items[parent.items.length - 1];
				return it.sep ?? it.start;
			}
			case "block-seq": return parent.items[parent.items.length - 1].start;
			default: return [];
		}
	}
	function getFirstKeyStartProps(prev) {
		if (prev.length === 0) return [];
		let i = prev.length;
		loop: while (--i >= 0) switch (prev[i].type) {
			case "doc-start":
			case "explicit-key-ind":
			case "map-value-ind":
			case "seq-item-ind":
			case "newline": break loop;
		}
		while (prev[++i]?.type === "space");
		return prev.splice(i, prev.length);
	}
	function arrayPushArray(target, source) {
		if (source.length < 1e5) Array.prototype.push.apply(target, source);
		else for (let i = 0; i < source.length; ++i) target.push(source[i]);
	}
	function fixFlowSeqItems(fc) {
		if (fc.start.type === "flow-seq-start") {
			for (const it of fc.items) if (it.sep && !it.value && !includesToken(it.start, "explicit-key-ind") && !includesToken(it.sep, "map-value-ind")) {
				if (it.key) it.value = it.key;
				delete it.key;
				if (isFlowToken(it.value)) {
					if (it.value.end) arrayPushArray(it.value.end, it.sep);
					else it.value.end = it.sep;
				} else arrayPushArray(it.start, it.sep);
				delete it.sep;
			}
		}
	}
	var Parser = class {
		constructor(onNewLine) {
			this.atNewLine = true;
			this.atScalar = false;
			this.indent = 0;
			this.offset = 0;
			this.onKeyLine = false;
			this.stack = [];
			this.source = "";
			this.type = "";
			this.lexer = new lexer.Lexer();
			this.onNewLine = onNewLine;
		}
		*parse(source, incomplete = false) {
			if (this.onNewLine && this.offset === 0) this.onNewLine(0);
			for (const lexeme of this.lexer.lex(source, incomplete)) yield* this.next(lexeme);
			if (!incomplete) yield* this.end();
		}
		*next(source) {
			this.source = source;
			if (node_process.env.LOG_TOKENS) console.log("|", cst.prettyToken(source));
			if (this.atScalar) {
				this.atScalar = false;
				yield* this.step();
				this.offset += source.length;
				return;
			}
			const type = cst.tokenType(source);
			if (!type) {
				const message = `Not a YAML token: ${source}`;
				yield* this.pop({
					type: "error",
					offset: this.offset,
					message,
					source
				});
				this.offset += source.length;
			} else if (type === "scalar") {
				this.atNewLine = false;
				this.atScalar = true;
				this.type = "scalar";
			} else {
				this.type = type;
				yield* this.step();
				switch (type) {
					case "newline":
						this.atNewLine = true;
						this.indent = 0;
						if (this.onNewLine) this.onNewLine(this.offset + source.length);
						break;
					case "space":
						if (this.atNewLine && source[0] === " ") this.indent += source.length;
						break;
					case "explicit-key-ind":
					case "map-value-ind":
					case "seq-item-ind":
						if (this.atNewLine) this.indent += source.length;
						break;
					case "doc-mode":
					case "flow-error-end": return;
					default: this.atNewLine = false;
				}
				this.offset += source.length;
			}
		}
		*end() {
			while (this.stack.length > 0) yield* this.pop();
		}
		get sourceToken() {
			return {
				type: this.type,
				offset: this.offset,
				indent: this.indent,
				source: this.source
			};
		}
		*step() {
			const top = this.peek(1);
			if (this.type === "doc-end" && top?.type !== "doc-end") {
				while (this.stack.length > 0) yield* this.pop();
				this.stack.push({
					type: "doc-end",
					offset: this.offset,
					source: this.source
				});
				return;
			}
			if (!top) return yield* this.stream();
			switch (top.type) {
				case "document": return yield* this.document(top);
				case "alias":
				case "scalar":
				case "single-quoted-scalar":
				case "double-quoted-scalar": return yield* this.scalar(top);
				case "block-scalar": return yield* this.blockScalar(top);
				case "block-map": return yield* this.blockMap(top);
				case "block-seq": return yield* this.blockSequence(top);
				case "flow-collection": return yield* this.flowCollection(top);
				case "doc-end": return yield* this.documentEnd(top);
			}
			yield* this.pop();
		}
		peek(n) {
			return this.stack[this.stack.length - n];
		}
		*pop(error) {
			const token = error ?? this.stack.pop();
			if (!token) yield {
				type: "error",
				offset: this.offset,
				source: "",
				message: "Tried to pop an empty stack"
			};
			else if (this.stack.length === 0) yield token;
			else {
				const top = this.peek(1);
				if (token.type === "block-scalar") token.indent = "indent" in top ? top.indent : 0;
				else if (token.type === "flow-collection" && top.type === "document") token.indent = 0;
				if (token.type === "flow-collection") fixFlowSeqItems(token);
				switch (top.type) {
					case "document":
						top.value = token;
						break;
					case "block-scalar":
						top.props.push(token);
						break;
					case "block-map": {
						const it = top.items[top.items.length - 1];
						if (it.value) {
							top.items.push({
								start: [],
								key: token,
								sep: []
							});
							this.onKeyLine = true;
							return;
						} else if (it.sep) it.value = token;
						else {
							Object.assign(it, {
								key: token,
								sep: []
							});
							this.onKeyLine = !it.explicitKey;
							return;
						}
						break;
					}
					case "block-seq": {
						const it = top.items[top.items.length - 1];
						if (it.value) top.items.push({
							start: [],
							value: token
						});
						else it.value = token;
						break;
					}
					case "flow-collection": {
						const it = top.items[top.items.length - 1];
						if (!it || it.value) top.items.push({
							start: [],
							key: token,
							sep: []
						});
						else if (it.sep) it.value = token;
						else Object.assign(it, {
							key: token,
							sep: []
						});
						return;
					}
					default:
						yield* this.pop();
						yield* this.pop(token);
				}
				if ((top.type === "document" || top.type === "block-map" || top.type === "block-seq") && (token.type === "block-map" || token.type === "block-seq")) {
					const last = token.items[token.items.length - 1];
					if (last && !last.sep && !last.value && last.start.length > 0 && findNonEmptyIndex(last.start) === -1 && (token.indent === 0 || last.start.every((st) => st.type !== "comment" || st.indent < token.indent))) {
						if (top.type === "document") top.end = last.start;
						else top.items.push({ start: last.start });
						token.items.splice(-1, 1);
					}
				}
			}
		}
		*stream() {
			switch (this.type) {
				case "directive-line":
					yield {
						type: "directive",
						offset: this.offset,
						source: this.source
					};
					return;
				case "byte-order-mark":
				case "space":
				case "comment":
				case "newline":
					yield this.sourceToken;
					return;
				case "doc-mode":
				case "doc-start": {
					const doc = {
						type: "document",
						offset: this.offset,
						start: []
					};
					if (this.type === "doc-start") doc.start.push(this.sourceToken);
					this.stack.push(doc);
					return;
				}
			}
			yield {
				type: "error",
				offset: this.offset,
				message: `Unexpected ${this.type} token in YAML stream`,
				source: this.source
			};
		}
		*document(doc) {
			if (doc.value) return yield* this.lineEnd(doc);
			switch (this.type) {
				case "doc-start":
					if (findNonEmptyIndex(doc.start) !== -1) {
						yield* this.pop();
						yield* this.step();
					} else doc.start.push(this.sourceToken);
					return;
				case "anchor":
				case "tag":
				case "space":
				case "comment":
				case "newline":
					doc.start.push(this.sourceToken);
					return;
			}
			const bv = this.startBlockValue(doc);
			if (bv) this.stack.push(bv);
			else yield {
				type: "error",
				offset: this.offset,
				message: `Unexpected ${this.type} token in YAML document`,
				source: this.source
			};
		}
		*scalar(scalar) {
			if (this.type === "map-value-ind") {
				const start = getFirstKeyStartProps(getPrevProps(this.peek(2)));
				let sep;
				if (scalar.end) {
					sep = scalar.end;
					sep.push(this.sourceToken);
					delete scalar.end;
				} else sep = [this.sourceToken];
				const map = {
					type: "block-map",
					offset: scalar.offset,
					indent: scalar.indent,
					items: [{
						start,
						key: scalar,
						sep
					}]
				};
				this.onKeyLine = true;
				this.stack[this.stack.length - 1] = map;
			} else yield* this.lineEnd(scalar);
		}
		*blockScalar(scalar) {
			switch (this.type) {
				case "space":
				case "comment":
				case "newline":
					scalar.props.push(this.sourceToken);
					return;
				case "scalar":
					scalar.source = this.source;
					this.atNewLine = true;
					this.indent = 0;
					if (this.onNewLine) {
						let nl = this.source.indexOf("\n") + 1;
						while (nl !== 0) {
							this.onNewLine(this.offset + nl);
							nl = this.source.indexOf("\n", nl) + 1;
						}
					}
					yield* this.pop();
					break;
				default:
					yield* this.pop();
					yield* this.step();
			}
		}
		*blockMap(map) {
			const it = map.items[map.items.length - 1];
			switch (this.type) {
				case "newline":
					this.onKeyLine = false;
					if (it.value) {
						const end = "end" in it.value ? it.value.end : void 0;
						if ((Array.isArray(end) ? end[end.length - 1] : void 0)?.type === "comment") end?.push(this.sourceToken);
						else map.items.push({ start: [this.sourceToken] });
					} else if (it.sep) it.sep.push(this.sourceToken);
					else it.start.push(this.sourceToken);
					return;
				case "space":
				case "comment":
					if (it.value) map.items.push({ start: [this.sourceToken] });
					else if (it.sep) it.sep.push(this.sourceToken);
					else {
						if (this.atIndentedComment(it.start, map.indent)) {
							const end = map.items[map.items.length - 2]?.value?.end;
							if (Array.isArray(end)) {
								arrayPushArray(end, it.start);
								end.push(this.sourceToken);
								map.items.pop();
								return;
							}
						}
						it.start.push(this.sourceToken);
					}
					return;
			}
			if (this.indent >= map.indent) {
				const atMapIndent = !this.onKeyLine && this.indent === map.indent;
				const atNextItem = atMapIndent && (it.sep || it.explicitKey) && this.type !== "seq-item-ind";
				let start = [];
				if (atNextItem && it.sep && !it.value) {
					const nl = [];
					for (let i = 0; i < it.sep.length; ++i) {
						const st = it.sep[i];
						switch (st.type) {
							case "newline":
								nl.push(i);
								break;
							case "space": break;
							case "comment":
								if (st.indent > map.indent) nl.length = 0;
								break;
							default: nl.length = 0;
						}
					}
					if (nl.length >= 2) start = it.sep.splice(nl[1]);
				}
				switch (this.type) {
					case "anchor":
					case "tag":
						if (atNextItem || it.value) {
							start.push(this.sourceToken);
							map.items.push({ start });
							this.onKeyLine = true;
						} else if (it.sep) it.sep.push(this.sourceToken);
						else it.start.push(this.sourceToken);
						return;
					case "explicit-key-ind":
						if (!it.sep && !it.explicitKey) {
							it.start.push(this.sourceToken);
							it.explicitKey = true;
						} else if (atNextItem || it.value) {
							start.push(this.sourceToken);
							map.items.push({
								start,
								explicitKey: true
							});
						} else this.stack.push({
							type: "block-map",
							offset: this.offset,
							indent: this.indent,
							items: [{
								start: [this.sourceToken],
								explicitKey: true
							}]
						});
						this.onKeyLine = true;
						return;
					case "map-value-ind":
						if (it.explicitKey) {
							if (!it.sep) {
								if (includesToken(it.start, "newline")) Object.assign(it, {
									key: null,
									sep: [this.sourceToken]
								});
								else {
									const start = getFirstKeyStartProps(it.start);
									this.stack.push({
										type: "block-map",
										offset: this.offset,
										indent: this.indent,
										items: [{
											start,
											key: null,
											sep: [this.sourceToken]
										}]
									});
								}
							} else if (it.value) map.items.push({
								start: [],
								key: null,
								sep: [this.sourceToken]
							});
							else if (includesToken(it.sep, "map-value-ind")) this.stack.push({
								type: "block-map",
								offset: this.offset,
								indent: this.indent,
								items: [{
									start,
									key: null,
									sep: [this.sourceToken]
								}]
							});
							else if (isFlowToken(it.key) && !includesToken(it.sep, "newline")) {
								const start = getFirstKeyStartProps(it.start);
								const key = it.key;
								const sep = it.sep;
								sep.push(this.sourceToken);
								delete it.key;
								delete it.sep;
								this.stack.push({
									type: "block-map",
									offset: this.offset,
									indent: this.indent,
									items: [{
										start,
										key,
										sep
									}]
								});
							} else if (start.length > 0) it.sep = it.sep.concat(start, this.sourceToken);
							else it.sep.push(this.sourceToken);
						} else if (!it.sep) Object.assign(it, {
							key: null,
							sep: [this.sourceToken]
						});
						else if (it.value || atNextItem) map.items.push({
							start,
							key: null,
							sep: [this.sourceToken]
						});
						else if (includesToken(it.sep, "map-value-ind")) this.stack.push({
							type: "block-map",
							offset: this.offset,
							indent: this.indent,
							items: [{
								start: [],
								key: null,
								sep: [this.sourceToken]
							}]
						});
						else it.sep.push(this.sourceToken);
						this.onKeyLine = true;
						return;
					case "alias":
					case "scalar":
					case "single-quoted-scalar":
					case "double-quoted-scalar": {
						const fs = this.flowScalar(this.type);
						if (atNextItem || it.value) {
							map.items.push({
								start,
								key: fs,
								sep: []
							});
							this.onKeyLine = true;
						} else if (it.sep) this.stack.push(fs);
						else {
							Object.assign(it, {
								key: fs,
								sep: []
							});
							this.onKeyLine = true;
						}
						return;
					}
					default: {
						const bv = this.startBlockValue(map);
						if (bv) {
							if (bv.type === "block-seq") {
								if (!it.explicitKey && it.sep && !includesToken(it.sep, "newline")) {
									yield* this.pop({
										type: "error",
										offset: this.offset,
										message: "Unexpected block-seq-ind on same line with key",
										source: this.source
									});
									return;
								}
							} else if (atMapIndent) map.items.push({ start });
							this.stack.push(bv);
							return;
						}
					}
				}
			}
			yield* this.pop();
			yield* this.step();
		}
		*blockSequence(seq) {
			const it = seq.items[seq.items.length - 1];
			switch (this.type) {
				case "newline":
					if (it.value) {
						const end = "end" in it.value ? it.value.end : void 0;
						if ((Array.isArray(end) ? end[end.length - 1] : void 0)?.type === "comment") end?.push(this.sourceToken);
						else seq.items.push({ start: [this.sourceToken] });
					} else it.start.push(this.sourceToken);
					return;
				case "space":
				case "comment":
					if (it.value) seq.items.push({ start: [this.sourceToken] });
					else {
						if (this.atIndentedComment(it.start, seq.indent)) {
							const end = seq.items[seq.items.length - 2]?.value?.end;
							if (Array.isArray(end)) {
								arrayPushArray(end, it.start);
								end.push(this.sourceToken);
								seq.items.pop();
								return;
							}
						}
						it.start.push(this.sourceToken);
					}
					return;
				case "anchor":
				case "tag":
					if (it.value || this.indent <= seq.indent) break;
					it.start.push(this.sourceToken);
					return;
				case "seq-item-ind":
					if (this.indent !== seq.indent) break;
					if (it.value || includesToken(it.start, "seq-item-ind")) seq.items.push({ start: [this.sourceToken] });
					else it.start.push(this.sourceToken);
					return;
			}
			if (this.indent > seq.indent) {
				const bv = this.startBlockValue(seq);
				if (bv) {
					this.stack.push(bv);
					return;
				}
			}
			yield* this.pop();
			yield* this.step();
		}
		*flowCollection(fc) {
			const it = fc.items[fc.items.length - 1];
			if (this.type === "flow-error-end") {
				let top;
				do {
					yield* this.pop();
					top = this.peek(1);
				} while (top?.type === "flow-collection");
			} else if (fc.end.length === 0) {
				switch (this.type) {
					case "comma":
					case "explicit-key-ind":
						if (!it || it.sep) fc.items.push({ start: [this.sourceToken] });
						else it.start.push(this.sourceToken);
						return;
					case "map-value-ind":
						if (!it || it.value) fc.items.push({
							start: [],
							key: null,
							sep: [this.sourceToken]
						});
						else if (it.sep) it.sep.push(this.sourceToken);
						else Object.assign(it, {
							key: null,
							sep: [this.sourceToken]
						});
						return;
					case "space":
					case "comment":
					case "newline":
					case "anchor":
					case "tag":
						if (!it || it.value) fc.items.push({ start: [this.sourceToken] });
						else if (it.sep) it.sep.push(this.sourceToken);
						else it.start.push(this.sourceToken);
						return;
					case "alias":
					case "scalar":
					case "single-quoted-scalar":
					case "double-quoted-scalar": {
						const fs = this.flowScalar(this.type);
						if (!it || it.value) fc.items.push({
							start: [],
							key: fs,
							sep: []
						});
						else if (it.sep) this.stack.push(fs);
						else Object.assign(it, {
							key: fs,
							sep: []
						});
						return;
					}
					case "flow-map-end":
					case "flow-seq-end":
						fc.end.push(this.sourceToken);
						return;
				}
				const bv = this.startBlockValue(fc);
				if (bv) this.stack.push(bv);
				else {
					yield* this.pop();
					yield* this.step();
				}
			} else {
				const parent = this.peek(2);
				if (parent.type === "block-map" && (this.type === "map-value-ind" && parent.indent === fc.indent || this.type === "newline" && !parent.items[parent.items.length - 1].sep)) {
					yield* this.pop();
					yield* this.step();
				} else if (this.type === "map-value-ind" && parent.type !== "flow-collection") {
					const start = getFirstKeyStartProps(getPrevProps(parent));
					fixFlowSeqItems(fc);
					const sep = fc.end.splice(1, fc.end.length);
					sep.push(this.sourceToken);
					const map = {
						type: "block-map",
						offset: fc.offset,
						indent: fc.indent,
						items: [{
							start,
							key: fc,
							sep
						}]
					};
					this.onKeyLine = true;
					this.stack[this.stack.length - 1] = map;
				} else yield* this.lineEnd(fc);
			}
		}
		flowScalar(type) {
			if (this.onNewLine) {
				let nl = this.source.indexOf("\n") + 1;
				while (nl !== 0) {
					this.onNewLine(this.offset + nl);
					nl = this.source.indexOf("\n", nl) + 1;
				}
			}
			return {
				type,
				offset: this.offset,
				indent: this.indent,
				source: this.source
			};
		}
		startBlockValue(parent) {
			switch (this.type) {
				case "alias":
				case "scalar":
				case "single-quoted-scalar":
				case "double-quoted-scalar": return this.flowScalar(this.type);
				case "block-scalar-header": return {
					type: "block-scalar",
					offset: this.offset,
					indent: this.indent,
					props: [this.sourceToken],
					source: ""
				};
				case "flow-map-start":
				case "flow-seq-start": return {
					type: "flow-collection",
					offset: this.offset,
					indent: this.indent,
					start: this.sourceToken,
					items: [],
					end: []
				};
				case "seq-item-ind": return {
					type: "block-seq",
					offset: this.offset,
					indent: this.indent,
					items: [{ start: [this.sourceToken] }]
				};
				case "explicit-key-ind": {
					this.onKeyLine = true;
					const start = getFirstKeyStartProps(getPrevProps(parent));
					start.push(this.sourceToken);
					return {
						type: "block-map",
						offset: this.offset,
						indent: this.indent,
						items: [{
							start,
							explicitKey: true
						}]
					};
				}
				case "map-value-ind": {
					this.onKeyLine = true;
					const start = getFirstKeyStartProps(getPrevProps(parent));
					return {
						type: "block-map",
						offset: this.offset,
						indent: this.indent,
						items: [{
							start,
							key: null,
							sep: [this.sourceToken]
						}]
					};
				}
			}
			return null;
		}
		atIndentedComment(start, indent) {
			if (this.type !== "comment") return false;
			if (this.indent <= indent) return false;
			return start.every((st) => st.type === "newline" || st.type === "space");
		}
		*documentEnd(docEnd) {
			if (this.type !== "doc-mode") {
				if (docEnd.end) docEnd.end.push(this.sourceToken);
				else docEnd.end = [this.sourceToken];
				if (this.type === "newline") yield* this.pop();
			}
		}
		*lineEnd(token) {
			switch (this.type) {
				case "comma":
				case "doc-start":
				case "doc-end":
				case "flow-seq-end":
				case "flow-map-end":
				case "map-value-ind":
					yield* this.pop();
					yield* this.step();
					break;
				case "newline": this.onKeyLine = false;
				default:
					if (token.end) token.end.push(this.sourceToken);
					else token.end = [this.sourceToken];
					if (this.type === "newline") yield* this.pop();
			}
		}
	};
	exports.Parser = Parser;
}));
var require_public_api = __commonJSMin(((exports) => {
	var composer = require_composer();
	var Document = require_Document();
	var errors = require_errors();
	var log = require_log();
	var identity = require_identity();
	var lineCounter = require_line_counter();
	var parser = require_parser();
	function parseOptions(options) {
		const prettyErrors = options.prettyErrors !== false;
		return {
			lineCounter: options.lineCounter || prettyErrors && new lineCounter.LineCounter() || null,
			prettyErrors
		};
	}
	function parseAllDocuments(source, options = {}) {
		const { lineCounter, prettyErrors } = parseOptions(options);
		const parser$1 = new parser.Parser(lineCounter?.addNewLine);
		const composer$1 = new composer.Composer(options);
		const docs = Array.from(composer$1.compose(parser$1.parse(source)));
		if (prettyErrors && lineCounter) for (const doc of docs) {
			doc.errors.forEach(errors.prettifyError(source, lineCounter));
			doc.warnings.forEach(errors.prettifyError(source, lineCounter));
		}
		if (docs.length > 0) return docs;
		return Object.assign([], { empty: true }, composer$1.streamInfo());
	}
	function parseDocument(source, options = {}) {
		const { lineCounter, prettyErrors } = parseOptions(options);
		const parser$1 = new parser.Parser(lineCounter?.addNewLine);
		const composer$1 = new composer.Composer(options);
		let doc = null;
		for (const _doc of composer$1.compose(parser$1.parse(source), true, source.length)) if (!doc) doc = _doc;
		else if (doc.options.logLevel !== "silent") {
			doc.errors.push(new errors.YAMLParseError(_doc.range.slice(0, 2), "MULTIPLE_DOCS", "Source contains multiple documents; please use YAML.parseAllDocuments()"));
			break;
		}
		if (prettyErrors && lineCounter) {
			doc.errors.forEach(errors.prettifyError(source, lineCounter));
			doc.warnings.forEach(errors.prettifyError(source, lineCounter));
		}
		return doc;
	}
	function parse(src, reviver, options) {
		let _reviver = void 0;
		if (typeof reviver === "function") _reviver = reviver;
		else if (options === void 0 && reviver && typeof reviver === "object") options = reviver;
		const doc = parseDocument(src, options);
		if (!doc) return null;
		doc.warnings.forEach((warning) => log.warn(doc.options.logLevel, warning));
		if (doc.errors.length > 0) {
			if (doc.options.logLevel !== "silent") throw doc.errors[0];
			else doc.errors = [];
		}
		return doc.toJS(Object.assign({ reviver: _reviver }, options));
	}
	function stringify(value, replacer, options) {
		let _replacer = null;
		if (typeof replacer === "function" || Array.isArray(replacer)) _replacer = replacer;
		else if (options === void 0 && replacer) options = replacer;
		if (typeof options === "string") options = options.length;
		if (typeof options === "number") {
			const indent = Math.round(options);
			options = indent < 1 ? void 0 : indent > 8 ? { indent: 8 } : { indent };
		}
		if (value === void 0) {
			const { keepUndefined } = options ?? replacer ?? {};
			if (!keepUndefined) return void 0;
		}
		if (identity.isDocument(value) && !_replacer) return value.toString(options);
		return new Document.Document(value, _replacer, options).toString(options);
	}
	exports.parse = parse;
	exports.parseAllDocuments = parseAllDocuments;
	exports.parseDocument = parseDocument;
	exports.stringify = stringify;
}));
var require_dist = __commonJSMin(((exports) => {
	var composer = require_composer();
	var Document = require_Document();
	var Schema = require_Schema();
	var errors = require_errors();
	var Alias = require_Alias();
	var identity = require_identity();
	var Pair = require_Pair();
	var Scalar = require_Scalar();
	var YAMLMap = require_YAMLMap();
	var YAMLSeq = require_YAMLSeq();
	require_cst();
	var lexer = require_lexer();
	var lineCounter = require_line_counter();
	var parser = require_parser();
	var publicApi = require_public_api();
	var visit = require_visit();
	exports.Composer = composer.Composer;
	exports.Document = Document.Document;
	exports.Schema = Schema.Schema;
	exports.YAMLError = errors.YAMLError;
	exports.YAMLParseError = errors.YAMLParseError;
	exports.YAMLWarning = errors.YAMLWarning;
	exports.Alias = Alias.Alias;
	exports.isAlias = identity.isAlias;
	exports.isCollection = identity.isCollection;
	exports.isDocument = identity.isDocument;
	exports.isMap = identity.isMap;
	exports.isNode = identity.isNode;
	exports.isPair = identity.isPair;
	exports.isScalar = identity.isScalar;
	exports.isSeq = identity.isSeq;
	exports.Pair = Pair.Pair;
	exports.Scalar = Scalar.Scalar;
	exports.YAMLMap = YAMLMap.YAMLMap;
	exports.YAMLSeq = YAMLSeq.YAMLSeq;
	exports.Lexer = lexer.Lexer;
	exports.LineCounter = lineCounter.LineCounter;
	exports.Parser = parser.Parser;
	exports.parse = publicApi.parse;
	exports.parseAllDocuments = publicApi.parseAllDocuments;
	exports.parseDocument = publicApi.parseDocument;
	exports.stringify = publicApi.stringify;
	exports.visit = visit.visit;
	exports.visitAsync = visit.visitAsync;
}));
var import_dist = require_dist();
function yamlSource(document, lines, value) {
	const root = document.contents;
	return {
		value,
		place(path, at) {
			const found = walk(document, root, path);
			const key = found.pair && (0, import_dist.isNode)(found.pair.key) ? found.pair.key : null;
			const missing = found.depth < path.length;
			const isEmpty = (0, import_dist.isScalar)(found.node) && found.node.value === null && found.node.source === "";
			const offset = (at === "key" || missing || isEmpty ? key ?? found.node : found.node ?? key)?.range?.[0];
			if (offset === void 0 || missing && found.depth === 0) return {
				line: 1,
				column: 1
			};
			const { line, col } = lines.linePos(offset);
			return {
				line,
				column: col
			};
		},
		written(path) {
			const found = walk(document, root, path);
			return found.depth === path.length && (0, import_dist.isScalar)(found.node) ? found.node.source ?? null : null;
		}
	};
}
function walk(document, root, path) {
	const found = {
		node: root,
		pair: null,
		depth: 0
	};
	for (const part of path) {
		const parent = resolved(document, found.node);
		if ((0, import_dist.isSeq)(parent)) {
			const item = parent.items[Number(part)];
			if (!(0, import_dist.isNode)(item)) return found;
			found.node = item;
			found.pair = null;
		} else {
			const pair = (0, import_dist.isMap)(parent) ? pairOf(document, parent.items, String(part)) : void 0;
			if (!pair) return found;
			found.pair = pair;
			found.node = (0, import_dist.isNode)(pair.value) ? pair.value : null;
		}
		found.depth += 1;
	}
	return found;
}
function resolved(document, node) {
	return (0, import_dist.isAlias)(node) ? node.resolve(document) ?? null : node;
}
function pairOf(document, items, key) {
	const pairs = items.filter(import_dist.isPair);
	const own = pairs.findLast((pair) => (0, import_dist.isScalar)(pair.key) && String(pair.key.value) === key);
	if (own) return own;
	for (const pair of pairs) {
		if (!(0, import_dist.isScalar)(pair.key) || pair.key.value !== "<<" && pair.key.source !== "<<") continue;
		const merged = resolved(document, (0, import_dist.isNode)(pair.value) ? pair.value : null);
		const maps = (0, import_dist.isSeq)(merged) ? merged.items.map((item) => resolved(document, (0, import_dist.isNode)(item) ? item : null)) : [merged];
		for (const map of maps) {
			const inherited = (0, import_dist.isMap)(map) ? pairOf(document, map.items, key) : void 0;
			if (inherited) return inherited;
		}
	}
}
const MAX_BYTES = 1048576;
const MAX_ALIASES = 100;
const MAX_FINDINGS = 20;
const RESERVED_KEYS = [
	"__proto__",
	"constructor",
	"prototype"
];
function openYaml(bytes) {
	const text = asText(bytes);
	if (typeof text !== "string") return {
		findings: [text],
		source: null
	};
	const tooDeep = deepNesting(text);
	if (tooDeep) return {
		findings: [tooDeep],
		source: null
	};
	try {
		return parse$1(text);
	} catch (problem) {
		const rule = problem instanceof RangeError ? YAML_RULES.tooDeep : YAML_RULES.syntax;
		return {
			findings: [{
				rule,
				line: 1,
				column: 1,
				message: `${rule.title.toLowerCase()}`
			}],
			source: null
		};
	}
}
function asText(bytes) {
	const start = {
		line: 1,
		column: 1
	};
	const size = typeof bytes === "string" ? bytes.length : bytes.byteLength;
	if (size > MAX_BYTES) return {
		rule: YAML_RULES.tooLarge,
		...start,
		message: `the file has ${size} bytes; at most ${MAX_BYTES} are read`
	};
	let text;
	try {
		text = typeof bytes === "string" ? bytes : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return {
			rule: YAML_RULES.notText,
			...start,
			message: "the file is not UTF-8"
		};
	}
	const control = firstControlCharacter(text);
	if (control !== null) {
		const before = text.slice(0, control).split("\n");
		const place = {
			line: before.length,
			column: (before.at(-1) ?? "").length + 1
		};
		const code = text.charCodeAt(control).toString(16).padStart(2, "0");
		return {
			rule: YAML_RULES.notText,
			...place,
			message: `the file has a control character (0x${code}): it is binary`
		};
	}
	const withoutMark = text.replace(/^\uFEFF/, "");
	if (withoutMark.trim() === "") return {
		rule: YAML_RULES.empty,
		...start,
		message: "the file is empty"
	};
	return withoutMark;
}
function firstControlCharacter(text) {
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		if (code < 32 && code !== 9 && code !== 10 && code !== 13) return index;
	}
	return null;
}
function deepNesting(text) {
	const lines = text.split("\n");
	for (const [index, line] of lines.entries()) {
		const brackets = line.match(/[[{]/g)?.length ?? 0;
		const dashes = /^\s*((?:[-?:]\s+){65,})/.test(line);
		const indent = /^ */.exec(line)?.[0].length ?? 0;
		if (dashes || indent > 4096 || brackets > 4096) return {
			rule: YAML_RULES.tooDeep,
			line: index + 1,
			column: 1,
			message: "the nesting is too deep to be a manifest"
		};
	}
	return null;
}
function parse$1(text) {
	const lines = new import_dist.LineCounter();
	const document = (0, import_dist.parseDocument)(text, {
		lineCounter: lines,
		schema: "core",
		merge: true,
		uniqueKeys: false,
		resolveKnownTags: false,
		prettyErrors: false,
		logLevel: "error"
	});
	const findings = [...document.errors, ...document.warnings].map((problem) => yamlProblem(problem, lines));
	if (document.errors.length > 0) return {
		findings: firstOfEachPlace(findings),
		source: null
	};
	findings.push(...nodeFindings(document, lines));
	if (findings.some((finding) => FATAL.includes(finding.rule.id))) return {
		findings,
		source: null
	};
	const value = plainValue(document);
	if (value === void 0) return {
		findings: [{
			rule: YAML_RULES.aliases,
			...firstAlias(document, lines),
			message: "aliases expand to too much"
		}],
		source: null
	};
	if (value === null) return {
		findings: [{
			rule: YAML_RULES.empty,
			line: 1,
			column: 1,
			message: "the file has no content"
		}],
		source: null
	};
	if (typeof value !== "object" || Array.isArray(value)) {
		const message = `the document is ${Array.isArray(value) ? "a list" : showValue(value)} where a mapping is expected`;
		return {
			findings: [{
				rule: YAML_RULES.notAMapping,
				line: 1,
				column: 1,
				message
			}],
			source: null
		};
	}
	return {
		findings,
		source: yamlSource(document, lines, value)
	};
}
const FATAL = [
	YAML_RULES.tooDeep.id,
	YAML_RULES.syntax.id,
	YAML_RULES.aliases.id
];
const PROBLEMS = {
	TAB_AS_INDENT: {
		rule: YAML_RULES.tab,
		message: "this line is indented with a tab"
	},
	MULTIPLE_DOCS: {
		rule: YAML_RULES.severalDocuments,
		message: "a second document begins here"
	},
	RESOURCE_EXHAUSTION: {
		rule: YAML_RULES.tooDeep,
		message: "the nesting is too deep"
	},
	TAG_RESOLVE_FAILED: {
		rule: YAML_RULES.tag,
		message: "this value has a tag that is not read here"
	}
};
function yamlProblem(problem, lines) {
	const { line, col } = lines.linePos(problem.pos[0]);
	const known = PROBLEMS[problem.code];
	return {
		rule: known?.rule ?? YAML_RULES.syntax,
		line: Math.max(1, line),
		column: Math.max(1, col),
		message: known?.message ?? `the YAML cannot be read here: ${syntaxMessage(problem)}`
	};
}
function syntaxMessage(problem) {
	const first = problem.message.split("\n", 1)[0] ?? "";
	return showValue(first, 160).slice(1, -1).replaceAll("\\\"", "\"");
}
function firstOfEachPlace(findings) {
	const key = (finding) => `${finding.rule.id}:${finding.line}`;
	return [...new Map(findings.toReversed().map((finding) => [key(finding), finding])).values()].toReversed().slice(0, MAX_FINDINGS);
}
function nodeFindings(document, lines) {
	const findings = [];
	let aliases = 0;
	const report = (rule, node, message) => {
		const { line, col } = lines.linePos(node.range?.[0] ?? 0);
		if (findings.length < MAX_FINDINGS) findings.push({
			rule,
			line,
			column: col,
			message
		});
	};
	(0, import_dist.visit)(document, {
		Node(_key, node, path) {
			if ((0, import_dist.isScalar)(node) && typeof node.value === "string" && !node.value.isWellFormed()) report(YAML_RULES.notText, node, "this text holds half a character");
			if (path.length <= 128) return void 0;
			report(YAML_RULES.tooDeep, node, "the nesting is too deep");
			return import_dist.visit.BREAK;
		},
		Map(_key, map) {
			const seen = new Set();
			for (const { key } of map.items) {
				if (!(0, import_dist.isScalar)(key)) continue;
				const name = String(key.value);
				if (seen.has(name) && name !== "<<") report(YAML_RULES.duplicateKey, key, `the key ${showValue(name)} stands twice in its mapping`);
				if (RESERVED_KEYS.includes(name)) report(YAML_RULES.forbiddenKey, key, `the key \`${name}\` is reserved`);
				seen.add(name);
			}
		},
		Alias(_key, alias) {
			aliases += 1;
			if (aliases > MAX_ALIASES) {
				report(YAML_RULES.aliases, alias, `more than ${MAX_ALIASES} aliases`);
				return import_dist.visit.BREAK;
			}
			if (!alias.resolve(document)) report(YAML_RULES.syntax, alias, "this alias names no anchor before it");
		}
	});
	return findings;
}
function plainValue(document) {
	try {
		return withoutReserved(document.toJS({ maxAliasCount: MAX_ALIASES }));
	} catch (problem) {
		if (problem instanceof ReferenceError) return void 0;
		throw problem;
	}
}
function withoutReserved(value) {
	if (Array.isArray(value)) return value.map(withoutReserved);
	if (typeof value === "object" && value !== null) {
		const entries = Object.entries(value).filter(([key]) => !RESERVED_KEYS.includes(key));
		return Object.fromEntries(entries.map(([key, item]) => [key, withoutReserved(item)]));
	}
	if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
	return value === void 0 || value === null ? null : String(value);
}
function firstAlias(document, lines) {
	let offset = 0;
	(0, import_dist.visit)(document, { Alias(_key, node) {
		if (!(0, import_dist.isAlias)(node)) return void 0;
		offset = node.range?.[0] ?? 0;
		return import_dist.visit.BREAK;
	} });
	const { line, col } = lines.linePos(offset);
	return {
		line,
		column: col
	};
}
const OVERRIDE = "subject override";
const MOST_BREACHES = 20;
function readManifest(text, options) {
	const opened = openYaml(text);
	const door = opened.findings.map((finding) => ({
		...fromRule(finding.rule),
		...finding,
		path: ""
	}));
	const changed = options.subject === void 0 ? null : openYaml(options.subject);
	const overrideDoor = (changed?.findings ?? []).map((finding) => {
		return {
			...fromRule(finding.rule),
			...finding,
			path: OVERRIDE
		};
	});
	const atDoor = [...door, ...overrideDoor].map(plainFinding);
	if (opened.source === null || changed !== null && changed.source === null) return outcome(atDoor, null);
	const document = new ManifestDocument(opened.source, changed?.source ?? null);
	return outcome([...atDoor, ...document.findings(options.level)], document.value);
}
function outcome(findings, value) {
	const ordered = findings.toSorted(byPlace);
	if (value === null || ordered.some((finding) => finding.severity === "error")) return {
		findings: ordered,
		manifest: null
	};
	return {
		findings: ordered,
		manifest: manifestSchema.parse(value)
	};
}
function byPlace(a, b) {
	const ofOverride = (finding) => Number(finding.path.startsWith(OVERRIDE));
	return ofOverride(a) - ofOverride(b) || a.line - b.line || a.column - b.column;
}
function fromRule(rule) {
	return {
		rule: rule.id,
		severity: rule.severity,
		hint: rule.mend
	};
}
var ManifestDocument = class {
	value;
	#base;
	#override;
	constructor(base, override) {
		this.#base = base;
		this.#override = override;
		this.value = override === null ? base.value : mergeOverride(base.value, override.value);
	}
	findings(level) {
		if (isFlatBenchmark(this.value)) {
			const flat = this.#broken(BROKEN_BENCHMARK_RULES, level);
			if (flat.length > 0) return flat.map(({ rule, breach }) => this.#finding(rule, breach));
		}
		const broken = this.#broken(LINT_RULES, level);
		const errors = broken.filter(({ rule }) => rule.severity === "error");
		const spoken = new Set(errors.map(({ breach }) => showPath(breach.path)));
		const written = (path) => this.#source(path).written(path);
		const schema = schemaBreaches(this.value, written).filter((breach) => !spoken.has(showPath(breach.path)));
		const strangers = this.#override === null ? [] : [...overrideBreaches(this.#override.value, this.value), ...dialectChange(this.#base.value, this.value)];
		return [...[...schema, ...strangers].map((breach) => this.#finding(breach.rule, breach)), ...broken.map(({ rule, breach }) => this.#finding(rule, breach))];
	}
	#broken(rules, level) {
		const input = this.#ruleInput();
		return rules.filter((rule) => rule.level === "valid" || level === "deployable").flatMap((rule) => firstOf(rule.check(input)).map((breach) => ({
			rule,
			breach
		})));
	}
	#ruleInput() {
		const draft = salvage(manifestSchema, this.value) ?? {};
		return {
			draft,
			raw: this.value,
			dialect: dialectFor({ engine: draft.engine ?? {} })
		};
	}
	#source(path) {
		if (this.#override === null || path.length === 0) return this.#base;
		return valueAt(this.#override.value, path) === void 0 ? this.#base : this.#override;
	}
	#finding(rule, breach) {
		const source = this.#source(breach.path);
		const place = source.place(breach.path, breach.at ?? "value");
		const path = showPath(breach.path);
		return plainFinding({
			...fromRule(rule),
			path: source === this.#override ? `${OVERRIDE}: ${path}` : path,
			line: place.line,
			column: place.column,
			message: breach.message,
			...breach.hint === void 0 ? {} : { hint: breach.hint }
		});
	}
};
function firstOf(breaches) {
	if (breaches.length <= MOST_BREACHES) return [...breaches];
	const more = `the same in ${breaches.length - MOST_BREACHES} more places`;
	return [...breaches.slice(0, MOST_BREACHES), {
		path: breaches[MOST_BREACHES]?.path ?? [],
		message: more
	}];
}
function plainFinding(finding) {
	const { rule, severity, path, line, column, message, hint } = finding;
	return {
		rule: typeof rule === "string" ? rule : rule.id,
		severity,
		path,
		line,
		column,
		message,
		hint
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
		hint: `${first?.hint ?? "Mend the manifest."} Every finding: capacity-gate lint ${file}${asked}`,
		exitCode: EXIT.invalid
	});
}
const EASIER = [
	[/^workload\..+\.request_(ttft|tpot|e2e)_cutoff_ms$/, "higher"],
	[/^workload\..+\.(input|output)_tokens$/, "lower"],
	[/^workload\..+\.session\.turns$/, "lower"],
	[/^acceptance\.(class_slo_attainment_min|attempted_attainment_min)$/, "lower"],
	[/^acceptance\.(min_successful_samples_per_class|min_capacity_rps)$/, "lower"],
	[/^acceptance\.(error_rate_max|class_error_rate_max|capacity_tolerance)$/, "higher"],
	[/^client\.(send_lag_p99_max_ms|calibration_error_max_share)$/, "higher"],
	[/^client\.offered_rate_min_share$/, "lower"],
	[/^client\.((request|first_token|stall)_timeout_seconds)$/, "higher"],
	[/^client\.(minimum_duration_seconds|initial_scheduled_requests|burst\.height)$/, "lower"],
	[/^client\.class_schedule_counts\..+$/, "lower"],
	[/^cache\.cold\.hit_rate_max$/, "higher"],
	[/^cache\.warm\.hit_rate_min$/, "lower"]
];
const EASIER_WITHOUT = [
	/^workload\.[^.]+$/,
	/^workload\["[^"]*"\]$/,
	/^cache\.(cold|warm)$/,
	/^acceptance\.required_evidence\./
];
const EASIER_VALUES = {
	"acceptance.planned_cancellations": "excluded",
	"acceptance.latency_origin": "send"
};
const VALUE_MAX = 200;
function experimentChanges(baseline, candidate) {
	if (baseline.experiment.sha256 === candidate.experiment.sha256) return [];
	const changes = [...differingFields(byName(baseline.experiment.value), byName(candidate.experiment.value)).map(changeOf), ...lowerRates(baseline, candidate)];
	return [...changes.filter(({ loosens }) => loosens), ...changes.filter(({ loosens }) => !loosens)];
}
function changeText({ path, from, to, loosens }) {
	return `${path}: ${from} → ${to}${loosens ? " (loosens)" : ""}`;
}
function changeOf(field) {
	return {
		path: field.path,
		from: shown(field.base),
		to: shown(field.now),
		loosens: loosens(field)
	};
}
function loosens({ path, base, now }) {
	if (EASIER_WITHOUT.some((pattern) => pattern.test(path))) return now === void 0;
	const easiest = EASIER_VALUES[path];
	if (easiest !== void 0) return now === easiest;
	const easier = EASIER.find(([pattern]) => pattern.test(path))?.[1];
	if (easier === void 0) return false;
	if (now === void 0 || base === void 0) return now === void 0;
	if (typeof base !== "number" || typeof now !== "number") return false;
	return easier === "higher" ? now > base : now < base;
}
function byName(experiment) {
	if (!isMapping(experiment)) return experiment;
	const { workload, acceptance } = experiment;
	return {
		...experiment,
		...Array.isArray(workload) ? { workload: Object.fromEntries(workload.map(named$1)) } : {},
		...isMapping(acceptance) ? { acceptance: withEvidenceByName(acceptance) } : {}
	};
}
function named$1(entry, index) {
	const name = isMapping(entry) ? entry["name"] : void 0;
	return [typeof name === "string" ? name : String(index), entry];
}
function withEvidenceByName(acceptance) {
	const groups = acceptance["required_evidence"];
	if (!Array.isArray(groups)) return acceptance;
	return {
		...acceptance,
		required_evidence: Object.fromEntries(groups.map((group) => [String(group), "required"]))
	};
}
function isMapping(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function lowerRates(baseline, candidate) {
	return candidate.capacity.flatMap(({ cache }) => {
		const [base, now] = [highestRate(baseline, cache), highestRate(candidate, cache)];
		if (base === null || now === null || now >= base) return [];
		return [{
			path: `highest ${cache} rate swept`,
			from: `${asRps(base)} RPS`,
			to: `${asRps(now)} RPS`,
			loosens: true
		}];
	});
}
function highestRate(record, cache) {
	const rates = record.capacity.filter((result) => result.cache === cache).flatMap((result) => result.points).flatMap(({ key }) => "openMilliRps" in key.load ? [key.load.openMilliRps] : []);
	return rates.length === 0 ? null : rates.reduce((a, b) => Math.max(a, b));
}
function shown(value) {
	const text = value === void 0 ? "nothing" : JSON.stringify(value);
	return text.length > VALUE_MAX ? `${text.slice(0, 199)}…` : text;
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
const NAMED$2 = 30;
async function promote(store, request) {
	const { record, anchor, newExperiment } = request;
	const unfit = promotionObstacles(record);
	if (unfit.length > 0) throw refusal$1("not_promotable", request.file, unfit, "promote the record of a finished sweep whose bracket is no wider than the tolerance");
	const changes = await changesSinceBaseline(store, request);
	const { spreads, warnings, obstacles } = spreadFindings(record, await store.history(record));
	if (obstacles.length > 0) throw refusal$1("tolerance_below_spread", request.file, obstacles, "raise acceptance.capacity_tolerance, or steady the machine (clocks, cooling, neighbours) and sweep again");
	const promotion = {
		...request.acceptance,
		anchor,
		newExperiment,
		experimentChanges: changes
	};
	const { path } = await store.accept(record, promotion);
	const { gateId, kind } = record;
	return {
		path,
		gateId,
		kind,
		sha256: recordSha256(record),
		anchor,
		experimentChanges: changes,
		bootSpreads: spreads,
		warnings
	};
}
async function changesSinceBaseline(store, request) {
	const { record, newExperiment, file } = request;
	const baseline = await currentBaseline(store, request);
	if (baseline === null || baseline.experiment.sha256 === record.experiment.sha256) return [];
	const changes = experimentChanges(baseline, record);
	if (newExperiment) return changes;
	const named = changes.slice(0, NAMED$2).map(changeText);
	const rest = changes.length > NAMED$2 ? [`and ${changes.length - NAMED$2} more`] : [];
	const loosening = changes.filter(({ loosens }) => loosens).length;
	throw new GateError({
		code: "experiment_changed",
		message: `${file} was measured under another experiment than the baseline (${changes.length} fields, ${loosening} of them looser): ${[...named, ...rest].join("; ")}`,
		hint: "capacities of two experiments do not compare: if the change is meant and reviewed, promote with --new-experiment (in a workflow: new-experiment: true)",
		exitCode: EXIT.invalid
	});
}
async function currentBaseline(store, request) {
	const { gateId, kind } = request.record;
	try {
		return (await store.load({
			gateId,
			kind
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
const text$3 = string().max(2e3);
const contextFileSchema = strictObject({
	onMissingBaseline: _enum(["fail", "record"]),
	context: strictObject({
		headSha: text$3.exactOptional(),
		baseSha: text$3.exactOptional(),
		runUrl: text$3.exactOptional(),
		repository: text$3.exactOptional(),
		packPath: text$3.exactOptional(),
		baselineRef: text$3.exactOptional(),
		toolVersion: text$3,
		commentKey: text$3.exactOptional()
	})
});
function parseContextFile(content) {
	try {
		return contextFileSchema.parse(JSON.parse(content));
	} catch (cause) {
		throw new GateError({
			code: "context_damaged",
			message: "report-context.json does not say how the verdict was asked for",
			hint: "take the pack from its artifact again",
			exitCode: EXIT.invalid,
			cause
		});
	}
}
async function readPackReport(pack, context) {
	const record = parseCapacityRecord(await readPackText(pack, "capacity.json"));
	const verdict = parseVerdict(await readPackText(pack, "verdict.json"));
	const [baseline, anchor] = [await accepted(pack, "baseline.json"), await accepted(pack, "anchor.json")];
	return {
		record,
		verdict,
		baseline,
		anchor,
		context: context ?? parseContextFile(await readPackText(pack, "report-context.json")).context
	};
}
async function accepted(pack, path) {
	return await pack.read(path) === null ? null : parseCapacityRecord(await readPackText(pack, path), path);
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
function guardAnswer(guard, points, dropSeen) {
	const repeats = pointsByRate(points).get(guard) ?? [];
	const { passes, fails, decided } = tallyBoots(repeats);
	const rate = rpsText(guard);
	const said = `${passes} of ${passes + fails} boots pass at the guard rate ${rate}`;
	if (decided === "fail") return {
		state: "lost",
		reason: {
			code: "guard_lost",
			text: said
		}
	};
	if (decided === "pass" && (passes >= 2 || !dropSeen)) return {
		state: "held",
		reason: {
			code: "guard_held",
			text: said
		}
	};
	const last = repeats.at(-1);
	if (last && voidsInARow(repeats) >= 2) return {
		state: "inconclusive",
		reason: {
			code: "guard_inconclusive",
			text: `2 repeats in a row at the guard rate ${rate} were ${last.outcome}`
		}
	};
	const again = last && voidsInARow(repeats) > 0 ? `, once more after an ${last.outcome} repeat` : "";
	if (passes + fails === 0) return {
		state: "open",
		boot: "same",
		why: `at the guard rate${again}`
	};
	return {
		state: "open",
		boot: "fresh",
		why: `at the guard rate on another boot (${passes} passed, ${fails} failed)${again}`
	};
}
function confirmStep(state) {
	const { guard, points } = state;
	if (guard === null) return done({
		code: "nothing_to_confirm",
		text: "there is no baseline, anchor or minimum to confirm"
	});
	const answer = guardAnswer(guard, points, false);
	if (answer.state === "open") return measure$1(state, { openMilliRps: guard }, answer.boot, answer.why);
	if (answer.state !== "lost") return done(answer.reason);
	const step = lossStep(state, guard);
	return step.do === "measure" ? step : done(answer.reason, ...step.reasons);
}
function sweepStep(state) {
	const { manifest, points } = state;
	const { sweep } = manifest;
	if (!sweep) return done({
		code: "no_rates_declared",
		text: "the manifest declares no sweep"
	});
	for (const n of sweep.saturation_concurrency) {
		const load = { closedConcurrency: n };
		if (!points.some(({ key }) => isSameLoad(key.load, load))) return measure$1(state, load, "same", `${n} in flight: exploration, never capacity`);
	}
	const bracket = bracketOf(points);
	return tieStep(state, sweep.repeats) ?? declaredStep(state, declaredRates(sweep)) ?? refineStep(state, bracket, sweep.refine_step) ?? repeatStep(state, bracket, sweep.repeats) ?? guardStep(state, bracket) ?? done();
}
function declaredRates(sweep) {
	return [...new Set(sweep.rates_rps.map(milliRps$2))].toSorted((a, b) => a - b);
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
	const { guard, points } = state;
	if (guard === null || pass !== null && pass >= guard) return null;
	const answer = guardAnswer(guard, points, fail !== null && fail <= guard);
	if (answer.state !== "open") return done(answer.reason);
	return measure$1(state, { openMilliRps: guard }, answer.boot, `below the baseline: ${answer.why}`);
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
	const { plan, manifest, cache, baseline, anchor, points } = input;
	const guard = guardMilliRps({
		baselineMilliRps: baseline?.passMilliRps ?? null,
		anchorMilliRps: anchor?.passMilliRps ?? null,
		acceptance: manifest.acceptance
	});
	const state = {
		manifest,
		cache,
		points: points.filter(({ key }) => key.cache === cache),
		guard
	};
	return plan === "sweep" ? sweepStep(state) : confirmStep(state);
}
const PREPARATION_SECONDS = 5;
const GPU_BOOT_SECONDS = 300;
const BOOT_SECONDS = 2;
const POINTS_MAX = 200;
function estimatePlan(input) {
	const paths = input.caches.map((cache) => ({
		cache,
		same: pathOf(input, cache, 1),
		less: pathOf(input, cache, .9)
	}));
	const seconds = sum$1(paths.map(({ same }) => same.seconds));
	const ifLessSeconds = sum$1(paths.map(({ less }) => less.seconds));
	const points = sum$1(paths.map(({ same }) => same.points));
	const { gpus } = input.manifest.engine.placement;
	const gpuMinutes = seconds / 60 * gpus;
	return {
		seconds,
		gpuMinutes,
		points,
		ifLessSeconds,
		lines: [
			...paths.map(({ cache, same }) => `${cache}: ${counted(same.points, "point")} on ${counted(same.boots, "boot")}, ${minutes(same.seconds)}`),
			`${input.plan}: ${counted(points, "point")}, ${minutes(seconds)}${gpus > 0 ? `, ${Math.ceil(gpuMinutes)} GPU-minutes` : ""}`,
			`should it carry a tenth less: ${minutes(ifLessSeconds)}`
		]
	};
}
function requireWithinBudget(estimate, budgetMinutes) {
	if (budgetMinutes === null || estimate.seconds <= budgetMinutes * 60) return;
	throw new GateError({
		code: "plan_over_budget",
		message: `the plan takes ${minutes(estimate.seconds)}, more than the budget of ${budgetMinutes} min`,
		hint: "raise budget-minutes, or measure one cache state, fewer rates or fewer repeats",
		exitCode: EXIT.invalid
	});
}
function pathOf(input, cache, share) {
	const { manifest, plan } = input;
	const baseline = input.baseline?.capacity.find((result) => result.cache === cache) ?? null;
	const anchor = input.anchor?.capacity.find((result) => result.cache === cache) ?? null;
	const capacity = expectedCapacity(input, baseline, anchor) * share;
	const points = [];
	let boots = 0;
	let seconds = 0;
	while (points.length < POINTS_MAX) {
		const step = nextStep({
			plan,
			manifest,
			cache,
			baseline,
			anchor,
			points
		});
		if (step.do === "done") break;
		const last = points.at(-1);
		if (step.boot === "fresh" || last && endedOverloaded(last)) boots += 1;
		const rate = "openMilliRps" in step.key.load ? step.key.load.openMilliRps : null;
		const carried = rate === null || rate <= capacity;
		points.push({
			key: step.key,
			outcome: carried ? "pass" : "fail",
			deployId: `boot-${boots}`,
			stoppedEarly: false,
			evidence: [],
			slo: {
				queue_trend: carried ? "flat" : "growing",
				successful: 1
			}
		});
		seconds += pointSeconds(manifest, rate);
	}
	return {
		seconds: seconds + boots * bootSeconds(manifest),
		points: points.length,
		boots
	};
}
function expectedCapacity({ manifest }, baseline, anchor) {
	const known = Math.max(baseline?.passMilliRps ?? 0, anchor?.passMilliRps ?? 0);
	if (known > 0) return known;
	const rates = manifest.sweep ? declaredRates(manifest.sweep) : [];
	const guess = rates.at(-2) ?? rates.at(-1);
	if (guess !== void 0) return guess;
	const { acceptance } = manifest;
	return guardMilliRps({
		baselineMilliRps: null,
		anchorMilliRps: null,
		acceptance
	}) ?? 0;
}
function pointSeconds(manifest, milliRps) {
	const { client, sweep, workload } = manifest;
	const rate = milliRps ?? (sweep ? declaredRates(sweep).at(-1) ?? 1 : 1);
	const schedule = client.initial_scheduled_requests * 1e3 / rate;
	const arrivals = Math.min(client.maximum_duration_seconds, Math.max(schedule, client.minimum_duration_seconds));
	const slowestMs = workload.map((entry) => entry.request_ttft_cutoff_ms + entry.request_tpot_cutoff_ms * (entry.output_tokens - 1));
	return PREPARATION_SECONDS + client.warmup_seconds + arrivals + Math.max(...slowestMs) / 1e3;
}
function bootSeconds({ engine }) {
	if (engine.deploy?.kind === "endpoint") return 0;
	return engine.placement.gpus > 0 ? GPU_BOOT_SECONDS : BOOT_SECONDS;
}
function sum$1(values) {
	return values.reduce((total, value) => total + value, 0);
}
function counted(count, noun) {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
function minutes(seconds) {
	return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`;
}
function neededMilliRps(manifest, baseline, anchor) {
	const passOf = (record, cache) => record?.capacity.find((result) => result.cache === cache)?.passMilliRps ?? null;
	const rates = [...["cold", "warm"].flatMap((cache) => guardMilliRps({
		baselineMilliRps: passOf(baseline, cache),
		anchorMilliRps: passOf(anchor, cache),
		acceptance: manifest.acceptance
	}) ?? []), ...manifest.sweep ? declaredRates(manifest.sweep) : []];
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
async function readCalibration(pack, path) {
	return await pack.read(path) === null ? null : parseCalibration(await readPackText(pack, path), path);
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
const text$2 = string().max(1e4);
const number = number$2().nullable();
const said = text$2.nullable();
const flag = boolean().nullable();
const uuid = string().min(1).max(200);
const list = (item) => array(item).max(1e4);
const reasons = list(text$2).nullable();
const values = record(text$2, number$2());
const processSchema = strictObject({
	gpu: uuid,
	pid: int().min(0),
	name: text$2,
	usedMib: number,
	user: said,
	container: said,
	ours: flag
});
const gpuStateSchema = strictObject({
	uuid,
	index: int().min(0),
	name: said,
	bus: said,
	driver: said,
	vbios: said,
	memoryTotalMib: number,
	memoryUsedMib: number,
	migMode: _enum([
		"Enabled",
		"Disabled",
		"unsupported"
	]).nullable(),
	persistence: said,
	powerLimitW: number,
	powerDrawW: number,
	temperatureC: number,
	smMhz: number,
	smMaxMhz: number,
	utilPercent: number,
	reasons,
	heldUs: values.nullable(),
	eccMode: said,
	ecc: strictObject({
		correctedVolatile: number,
		correctedAggregate: number,
		uncorrectedVolatile: number,
		uncorrectedAggregate: number
	}),
	remappedCorrectable: number,
	remappedUncorrectable: number,
	remapPending: flag,
	remapFailure: flag,
	retiredPages: number,
	retirementPending: flag,
	recoveryAction: said,
	nvlinksUp: number
});
const gpuSampleSchema = strictObject({
	uuid,
	utilPercent: number,
	memoryUtilPercent: number,
	memoryUsedMib: number,
	smMhz: number,
	memoryMhz: number,
	powerW: number,
	temperatureC: number,
	memoryTemperatureC: number,
	reasons
});
const kernelSchema = strictObject({
	xids: list(strictObject({
		atSeconds: number,
		of: _enum(["gpu", "switch"]),
		code: int().min(0),
		bus: text$2,
		text: text$2
	})),
	oomKills: list(text$2)
});
const hostShape = {
	busyShare: number,
	stealShare: number,
	load1: number,
	memoryAvailableMib: number
};
const hostStateSchema = strictObject({
	...hostShape,
	logicalCpus: number,
	diskFreeMib: number,
	oomKills: number,
	busy: list(strictObject({
		pid: int().min(0),
		name: text$2,
		user: said,
		cores: number$2()
	})).nullable()
});
const containerSchema = strictObject({
	id: text$2,
	restarts: int().min(0),
	oomKilled: boolean(),
	startedAt: text$2
});
const dcgm = record(uuid, values);
const machineStateSchema = strictObject({
	gpus: list(gpuStateSchema).nullable(),
	gpusWhy: said,
	processes: list(processSchema).nullable(),
	kernel: kernelSchema.nullable(),
	dcgm: dcgm.nullable(),
	host: hostStateSchema,
	engineOomKills: number,
	containers: list(containerSchema).nullable()
});
const machineSeenSchema = discriminatedUnion("kind", [
	strictObject({
		kind: literal("state"),
		phase: _enum(["before", "after"]),
		state: machineStateSchema
	}),
	strictObject({
		kind: literal("gpus"),
		gpus: list(gpuSampleSchema)
	}),
	strictObject({
		kind: literal("processes"),
		processes: list(processSchema)
	}),
	strictObject({
		kind: literal("host"),
		host: strictObject(hostShape)
	}),
	strictObject({
		kind: literal("dcgm"),
		gpus: dcgm
	}),
	strictObject({
		kind: literal("gap"),
		probe: _enum([
			"gpus",
			"processes",
			"dcgm"
		]),
		error: text$2
	})
]);
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
		throw damaged$2(name, "it is no JSON", cause);
	}
	const parsed = machineFileSchema.safeParse(json);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw damaged$2(name, `${issue?.path.join(".") || "the whole file"}: ${issue?.message ?? "not as written"}`);
}
function damaged$2(name, what, cause) {
	return new GateError({
		code: "machine_damaged",
		message: `${name}: ${what}`,
		hint: "take the file from the run that wrote it",
		exitCode: EXIT.invalid,
		...cause === void 0 ? {} : { cause }
	});
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
function gpuFindings(state, gpus, needs) {
	return [
		presence$1(gpus),
		processes(state, gpus, needs.isIdle),
		...needs.isIdle ? [memory$1(state, gpus, needs.gpu_memory_floor_mib)] : [],
		mig(gpus, needs.mig),
		health(gpus),
		clocks$1(gpus),
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
function presence$1(gpus) {
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
function memory$1(state, gpus, limit) {
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
function clocks$1(gpus) {
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
		hint: `Add client.${section}, or choose another pattern.`,
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
		hint: "Write it with two decimals, such as 1.0 or 0.99: only those give the same bytes on every machine.",
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
	if (rows.length < needed) throw refuse("trace_too_short", `${file} has ${showNumber(rows.length)} requests; the schedule needs ${showNumber(needed)}`, "Lower client.initial_scheduled_requests or client.extension_requests, or take a longer trace.");
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
		throw refuse("trace_class", row.class !== null && !named ? `${file}, row ${row.line}: the workload has no class ${showValue(row.class)}` : `${file}, row ${row.line}: ${row.class === null ? "no class takes" : `the class ${showValue(row.class)} does not take`} ${lengths}`, "Give the workload such a class (input_tokens and output_tokens are the most that it takes), or take such rows out of the trace.");
	});
}
function requireTraceCounts(manifest, initial) {
	const found = new Map(manifest.workload.map(({ name }) => [name, 0]));
	for (const { name } of initial) found.set(name, (found.get(name) ?? 0) + 1);
	const { class_schedule_counts: declared, trace } = manifest.client;
	if ([...found].every(([name, count]) => (Object.hasOwn(declared, name) ? declared[name] : 0) === count)) return;
	const actual = [...found].map(([name, count]) => `${name}: ${count}`).join(", ");
	throw refuse("trace_counts", `the first ${showNumber(initial.length)} requests of ${trace?.file ?? "the trace"} are of other classes than client.class_schedule_counts says`, `If the trace and the workload are meant so, write class_schedule_counts: {${actual}} and each class's mix to match; \`profile\` writes such sections.`);
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
function invalid(code, message, hint) {
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
	if (stranger !== void 0 || names.size !== shapes.length || sum !== manifest.client.initial_scheduled_requests) throw invalid("schedule_counts", stranger === void 0 ? `client.class_schedule_counts gives ${sum} requests, client.initial_scheduled_requests ${manifest.client.initial_scheduled_requests}` : `client.class_schedule_counts names the class ${stranger}, which the workload does not have`, "Give each class of the workload its count, so that the counts sum to client.initial_scheduled_requests.");
	return shapes;
}
function checkLengths(manifest, shapes, prefixTokens) {
	const isText = manifest.client.prompt === "text";
	const own = uniqueTokens(isText ? WORD_RANGE : manifest.model.prompt_token_ids ?? DEFAULT_TOKEN_RANGE);
	const short = shapes.find((shape) => shape.inputTokens < prefixTokens + own);
	if (short) throw invalid("prompt_too_short", `class ${short.name} has ${short.inputTokens} input tokens: fewer than a prefix of ${prefixTokens} and ${own} of its own`, "Lengthen the class (of a trace: take such rows out), or shorten cache.warm.tokens, which count inside input_tokens.");
}
function warmPrefixes(manifest) {
	const warm = manifest.cache?.warm;
	if (!warm) throw invalid("cache_state_not_declared", "a warm schedule was asked for, but the manifest has no cache.warm", "Declare cache.warm (prefix_set, count, tokens, hit_rate_min), or ask for the cold schedule.");
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
		hint: "Give a whole number from 1 on.",
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
	if (initial + extension > 2e6) throw invalid("too_many_requests", `${initial + extension} requests are asked for`, `At most ${MOST_REQUESTS} fit.`);
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
		cancellation: planned(manifest)
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
function planned({ client }) {
	if (client.cancellation === "none") return null;
	return {
		share: client.cancellation.share,
		afterTokens: client.cancellation.after_tokens
	};
}
const is_object = function(obj) {
	return typeof obj === "object" && obj !== null && !Array.isArray(obj);
};
var CsvError = class CsvError extends Error {
	constructor(code, message, options, ...contexts) {
		if (Array.isArray(message)) message = message.join(" ").trim();
		super(message);
		if (Error.captureStackTrace !== void 0) Error.captureStackTrace(this, CsvError);
		this.code = code;
		for (const context of contexts) for (const key in context) {
			const value = context[key];
			this[key] = Buffer.isBuffer(value) ? value.toString(options.encoding) : value == null ? value : JSON.parse(JSON.stringify(value));
		}
	}
};
const normalize_columns_array = function(columns) {
	const normalizedColumns = [];
	for (let i = 0, l = columns.length; i < l; i++) {
		const column = columns[i];
		if (column === void 0 || column === null || column === false) normalizedColumns[i] = { disabled: true };
		else if (typeof column === "string" || typeof column === "number") normalizedColumns[i] = { name: `${column}` };
		else if (is_object(column)) {
			if (typeof column.name !== "string") throw new CsvError("CSV_OPTION_COLUMNS_MISSING_NAME", [
				"Option columns missing name:",
				`property "name" is required at position ${i}`,
				"when column is an object literal"
			]);
			normalizedColumns[i] = column;
		} else throw new CsvError("CSV_INVALID_COLUMN_DEFINITION", [
			"Invalid column definition:",
			"expect a string or a literal object,",
			`got ${JSON.stringify(column)} at position ${i}`
		]);
	}
	return normalizedColumns;
};
var ResizeableBuffer = class {
	constructor(size = 100) {
		this.size = size;
		this.length = 0;
		this.buf = Buffer.allocUnsafe(size);
	}
	prepend(val) {
		if (Buffer.isBuffer(val)) {
			const length = this.length + val.length;
			if (length >= this.size) {
				this.resize();
				if (length >= this.size) throw Error("INVALID_BUFFER_STATE");
			}
			const buf = this.buf;
			this.buf = Buffer.allocUnsafe(this.size);
			val.copy(this.buf, 0);
			buf.copy(this.buf, val.length);
			this.length += val.length;
		} else {
			const length = this.length++;
			if (length === this.size) this.resize();
			const buf = this.clone();
			this.buf[0] = val;
			buf.copy(this.buf, 1, 0, length);
		}
	}
	append(val) {
		const length = this.length++;
		if (length === this.size) this.resize();
		this.buf[length] = val;
	}
	clone() {
		return Buffer.from(this.buf.slice(0, this.length));
	}
	resize() {
		const length = this.length;
		this.size = this.size * 2;
		const buf = Buffer.allocUnsafe(this.size);
		this.buf.copy(buf, 0, 0, length);
		this.buf = buf;
	}
	toString(encoding) {
		if (encoding) return this.buf.toString(encoding, 0, this.length);
		else return Uint8Array.prototype.slice.call(this.buf.slice(0, this.length));
	}
	toJSON() {
		return this.toString("utf8");
	}
	reset() {
		this.length = 0;
	}
};
const init_state = function(options) {
	const timchars = [
		32,
		9,
		10,
		13,
		12,
		11,
		160,
		5760,
		8192,
		8193,
		8194,
		8195,
		8196,
		8197,
		8198,
		8199,
		8200,
		8201,
		8202,
		8232,
		8233,
		8239,
		8287,
		12288,
		65279
	].reduce((acc, codepoint) => {
		const encoded = Buffer.from(String.fromCharCode(codepoint), options.encoding);
		if (codepoint !== 63 && encoded.length === 1 && encoded[0] === 63) return acc;
		acc.push(encoded);
		return acc;
	}, []);
	const timcharFirstBytes = new Uint8Array(256);
	for (const t of timchars) timcharFirstBytes[t[0]] = 1;
	return {
		bomSkipped: false,
		bufBytesStart: 0,
		castField: options.cast_function,
		commenting: false,
		delimiterBufPrevious: void 0,
		delimiterDiscovered: false,
		error: void 0,
		enabled: options.from_line === 1,
		escaping: false,
		escapeIsQuote: Buffer.isBuffer(options.escape) && Buffer.isBuffer(options.quote) && Buffer.compare(options.escape, options.quote) === 0,
		expectedRecordLength: Array.isArray(options.columns) ? options.columns.length : void 0,
		field: new ResizeableBuffer(20),
		firstLineToHeaders: options.cast_first_line_to_header,
		needMoreDataSize: Math.max(options.comment !== null ? options.comment.length : 0, ...options.delimiter ? options.delimiter.map((delimiter) => delimiter.length) : [], options.delimiter_auto ? 1 : 0, options.quote !== null ? options.quote.length : 0, ...timchars.map((t) => t.length)),
		previousBuf: void 0,
		quoting: false,
		stop: false,
		rawBuffer: new ResizeableBuffer(100),
		record: [],
		recordHasError: false,
		record_length: 0,
		recordDelimiterMaxLength: options.record_delimiter.length === 0 ? 0 : Math.max(...options.record_delimiter.map((v) => v.length)),
		trimChars: [Buffer.from(" ", options.encoding)[0], Buffer.from("	", options.encoding)[0]],
		wasQuoting: false,
		wasRowDelimiter: false,
		timchars,
		timcharFirstBytes
	};
};
const underscore = function(str) {
	return str.replace(/([A-Z])/g, function(_, match) {
		return "_" + match.toLowerCase();
	});
};
const normalize_options = function(opts) {
	const options = {};
	for (const opt in opts) options[underscore(opt)] = opts[opt];
	if (options.encoding === void 0 || options.encoding === true) options.encoding = "utf8";
	else if (options.encoding === null || options.encoding === false) options.encoding = null;
	else if (typeof options.encoding !== "string" && options.encoding !== null) throw new CsvError("CSV_INVALID_OPTION_ENCODING", [
		"Invalid option encoding:",
		"encoding must be a string or null to return a buffer,",
		`got ${JSON.stringify(options.encoding)}`
	], options);
	if (options.bom === void 0 || options.bom === null || options.bom === false) options.bom = false;
	else if (options.bom !== true) throw new CsvError("CSV_INVALID_OPTION_BOM", [
		"Invalid option bom:",
		"bom must be true,",
		`got ${JSON.stringify(options.bom)}`
	], options);
	options.cast_function = null;
	if (options.cast === void 0 || options.cast === null || options.cast === false || options.cast === "") options.cast = void 0;
	else if (typeof options.cast === "function") {
		options.cast_function = options.cast;
		options.cast = true;
	} else if (options.cast !== true) throw new CsvError("CSV_INVALID_OPTION_CAST", [
		"Invalid option cast:",
		"cast must be true or a function,",
		`got ${JSON.stringify(options.cast)}`
	], options);
	if (options.cast_date === void 0 || options.cast_date === null || options.cast_date === false || options.cast_date === "") options.cast_date = false;
	else if (options.cast_date === true) options.cast_date = function(value) {
		const date = Date.parse(value);
		return !isNaN(date) ? new Date(date) : value;
	};
	else if (typeof options.cast_date !== "function") throw new CsvError("CSV_INVALID_OPTION_CAST_DATE", [
		"Invalid option cast_date:",
		"cast_date must be true or a function,",
		`got ${JSON.stringify(options.cast_date)}`
	], options);
	options.cast_first_line_to_header = void 0;
	if (options.columns === true) options.cast_first_line_to_header = void 0;
	else if (typeof options.columns === "function") {
		options.cast_first_line_to_header = options.columns;
		options.columns = true;
	} else if (Array.isArray(options.columns)) options.columns = normalize_columns_array(options.columns);
	else if (options.columns === void 0 || options.columns === null || options.columns === false) options.columns = false;
	else throw new CsvError("CSV_INVALID_OPTION_COLUMNS", [
		"Invalid option columns:",
		"expect an array, a function or true,",
		`got ${JSON.stringify(options.columns)}`
	], options);
	if (options.group_columns_by_name === void 0 || options.group_columns_by_name === null || options.group_columns_by_name === false) options.group_columns_by_name = false;
	else if (options.group_columns_by_name !== true) throw new CsvError("CSV_INVALID_OPTION_GROUP_COLUMNS_BY_NAME", [
		"Invalid option group_columns_by_name:",
		"expect an boolean,",
		`got ${JSON.stringify(options.group_columns_by_name)}`
	], options);
	else if (options.columns === false) throw new CsvError("CSV_INVALID_OPTION_GROUP_COLUMNS_BY_NAME", ["Invalid option group_columns_by_name:", "the `columns` mode must be activated."], options);
	if (options.comment === void 0 || options.comment === null || options.comment === false || options.comment === "") options.comment = null;
	else {
		if (typeof options.comment === "string") options.comment = Buffer.from(options.comment, options.encoding);
		if (!Buffer.isBuffer(options.comment)) throw new CsvError("CSV_INVALID_OPTION_COMMENT", [
			"Invalid option comment:",
			"comment must be a buffer or a string,",
			`got ${JSON.stringify(options.comment)}`
		], options);
	}
	if (options.comment_no_infix === void 0 || options.comment_no_infix === null || options.comment_no_infix === false) options.comment_no_infix = false;
	else if (options.comment_no_infix !== true) throw new CsvError("CSV_INVALID_OPTION_COMMENT", [
		"Invalid option comment_no_infix:",
		"value must be a boolean,",
		`got ${JSON.stringify(options.comment_no_infix)}`
	], options);
	if (options.delimiter_auto === void 0 || options.delimiter_auto === null || options.delimiter_auto === false) options.delimiter_auto = false;
	else if (options.delimiter_auto === true) options.delimiter_auto = {};
	else if (!is_object(options.delimiter_auto)) throw new CsvError("CSV_INVALID_OPTION_DELIMITER_AUTO", [
		"Invalid option delimiter_auto:",
		"delimiter_auto must be a boolean or a configuration object,",
		`got ${JSON.stringify(options.delimiter_auto)}`
	], options);
	if (options.delimiter_auto) {
		if (options.delimiter_auto.preferred === void 0) options.delimiter_auto.preferred = {
			[",".charCodeAt(0)]: 1.8,
			["	".charCodeAt(0)]: 1.8,
			[";".charCodeAt(0)]: 1.6,
			[" ".charCodeAt(0)]: 1.6,
			[":".charCodeAt(0)]: 1.5,
			[".".charCodeAt(0)]: 1.4,
			["/".charCodeAt(0)]: 1.4
		};
		else if (!is_object(options.delimiter_auto.preferred)) throw new CsvError("CSV_INVALID_OPTION_DELIMITER_AUTO", [
			"Invalid option delimiter_auto:",
			"preferred must be an object,",
			`got ${JSON.stringify(options.delimiter_auto.preferred)}`
		], options);
		if (options.delimiter_auto.score === void 0) options.delimiter_auto.score = (info, options) => {
			return (info.total - info.std) * (options.preferred[info.char_code] || 1);
		};
		else if (typeof options.delimiter_auto.score !== "function") throw new CsvError("CSV_INVALID_OPTION_DELIMITER_AUTO", [
			"Invalid option delimiter_auto:",
			"score must be a function,",
			`got ${JSON.stringify(options.delimiter_auto.score)}`
		], options);
		if (options.delimiter_auto.size === void 0) options.delimiter_auto.size = 2048;
		else if (typeof options.delimiter_auto.size !== "number") throw new CsvError("CSV_INVALID_OPTION_DELIMITER_AUTO", [
			"Invalid option delimiter_auto:",
			"size must be a number,",
			`got ${JSON.stringify(options.delimiter_auto.size)}`
		], options);
	}
	const delimiter_json = JSON.stringify(options.delimiter);
	if (options.delimiter_auto !== false) options.delimiter = [];
	if (!Array.isArray(options.delimiter)) {
		if (options.delimiter === void 0 || options.delimiter === null || options.delimiter === false) options.delimiter = Buffer.from(",", options.encoding);
		options.delimiter = [options.delimiter];
	}
	options.delimiter = options.delimiter.map(function(delimiter) {
		if (typeof delimiter === "string") delimiter = Buffer.from(delimiter, options.encoding);
		if (!Buffer.isBuffer(delimiter) || delimiter.length === 0) throw new CsvError("CSV_INVALID_OPTION_DELIMITER", [
			"Invalid option delimiter:",
			"delimiter must be a non empty string or buffer or array of string|buffer,",
			`got ${delimiter_json}`
		], options);
		return delimiter;
	});
	if (options.escape === void 0 || options.escape === true) options.escape = Buffer.from("\"", options.encoding);
	else if (typeof options.escape === "string") options.escape = Buffer.from(options.escape, options.encoding);
	else if (options.escape === null || options.escape === false) options.escape = null;
	if (options.escape !== null) {
		if (!Buffer.isBuffer(options.escape)) throw new Error(`Invalid Option: escape must be a buffer, a string or a boolean, got ${JSON.stringify(options.escape)}`);
	}
	if (options.from === void 0 || options.from === null) options.from = 1;
	else {
		if (typeof options.from === "string" && /\d+/.test(options.from)) options.from = parseInt(options.from);
		if (Number.isInteger(options.from)) {
			if (options.from < 0) throw new Error(`Invalid Option: from must be a positive integer, got ${JSON.stringify(opts.from)}`);
		} else throw new Error(`Invalid Option: from must be an integer, got ${JSON.stringify(options.from)}`);
	}
	if (options.from_line === void 0 || options.from_line === null) options.from_line = 1;
	else {
		if (typeof options.from_line === "string" && /\d+/.test(options.from_line)) options.from_line = parseInt(options.from_line);
		if (Number.isInteger(options.from_line)) {
			if (options.from_line <= 0) throw new Error(`Invalid Option: from_line must be a positive integer greater than 0, got ${JSON.stringify(opts.from_line)}`);
		} else throw new Error(`Invalid Option: from_line must be an integer, got ${JSON.stringify(opts.from_line)}`);
	}
	if (options.ignore_last_delimiters === void 0 || options.ignore_last_delimiters === null) options.ignore_last_delimiters = false;
	else if (typeof options.ignore_last_delimiters === "number") {
		options.ignore_last_delimiters = Math.floor(options.ignore_last_delimiters);
		if (options.ignore_last_delimiters === 0) options.ignore_last_delimiters = false;
	} else if (typeof options.ignore_last_delimiters !== "boolean") throw new CsvError("CSV_INVALID_OPTION_IGNORE_LAST_DELIMITERS", [
		"Invalid option `ignore_last_delimiters`:",
		"the value must be a boolean value or an integer,",
		`got ${JSON.stringify(options.ignore_last_delimiters)}`
	], options);
	if (options.ignore_last_delimiters === true && options.columns === false) throw new CsvError("CSV_IGNORE_LAST_DELIMITERS_REQUIRES_COLUMNS", ["The option `ignore_last_delimiters`", "requires the activation of the `columns` option"], options);
	if (options.info === void 0 || options.info === null || options.info === false) options.info = false;
	else if (options.info !== true) throw new Error(`Invalid Option: info must be true, got ${JSON.stringify(options.info)}`);
	if (options.max_record_size === void 0 || options.max_record_size === null || options.max_record_size === false) options.max_record_size = 0;
	else if (Number.isInteger(options.max_record_size) && options.max_record_size >= 0) {} else if (typeof options.max_record_size === "string" && /\d+/.test(options.max_record_size)) options.max_record_size = parseInt(options.max_record_size);
	else throw new Error(`Invalid Option: max_record_size must be a positive integer, got ${JSON.stringify(options.max_record_size)}`);
	if (options.objname === void 0 || options.objname === null || options.objname === false) options.objname = void 0;
	else if (Buffer.isBuffer(options.objname)) {
		if (options.objname.length === 0) throw new Error(`Invalid Option: objname must be a non empty buffer`);
		if (options.encoding === null) {} else options.objname = options.objname.toString(options.encoding);
	} else if (typeof options.objname === "string") {
		if (options.objname.length === 0) throw new Error(`Invalid Option: objname must be a non empty string`);
	} else if (typeof options.objname === "number") {} else throw new Error(`Invalid Option: objname must be a string or a buffer, got ${options.objname}`);
	if (options.objname !== void 0) {
		if (typeof options.objname === "number") {
			if (options.columns !== false) throw Error("Invalid Option: objname index cannot be combined with columns or be defined as a field");
		} else if (options.columns === false) throw Error("Invalid Option: objname field must be combined with columns or be defined as an index");
	}
	if (options.on_record === void 0 || options.on_record === null) options.on_record = void 0;
	else if (typeof options.on_record !== "function") throw new CsvError("CSV_INVALID_OPTION_ON_RECORD", [
		"Invalid option `on_record`:",
		"expect a function,",
		`got ${JSON.stringify(options.on_record)}`
	], options);
	if (options.on_skip !== void 0 && options.on_skip !== null && typeof options.on_skip !== "function") throw new Error(`Invalid Option: on_skip must be a function, got ${JSON.stringify(options.on_skip)}`);
	if (options.quote === null || options.quote === false || options.quote === "") options.quote = null;
	else {
		if (options.quote === void 0 || options.quote === true) options.quote = Buffer.from("\"", options.encoding);
		else if (typeof options.quote === "string") options.quote = Buffer.from(options.quote, options.encoding);
		if (!Buffer.isBuffer(options.quote)) throw new Error(`Invalid Option: quote must be a buffer or a string, got ${JSON.stringify(options.quote)}`);
	}
	if (options.raw === void 0 || options.raw === null || options.raw === false) options.raw = false;
	else if (options.raw !== true) throw new Error(`Invalid Option: raw must be true, got ${JSON.stringify(options.raw)}`);
	if (options.record_delimiter === void 0) options.record_delimiter = [];
	else if (typeof options.record_delimiter === "string" || Buffer.isBuffer(options.record_delimiter)) {
		if (options.record_delimiter.length === 0) throw new CsvError("CSV_INVALID_OPTION_RECORD_DELIMITER", [
			"Invalid option `record_delimiter`:",
			"value must be a non empty string or buffer,",
			`got ${JSON.stringify(options.record_delimiter)}`
		], options);
		options.record_delimiter = [options.record_delimiter];
	} else if (!Array.isArray(options.record_delimiter)) throw new CsvError("CSV_INVALID_OPTION_RECORD_DELIMITER", [
		"Invalid option `record_delimiter`:",
		"value must be a string, a buffer or array of string|buffer,",
		`got ${JSON.stringify(options.record_delimiter)}`
	], options);
	options.record_delimiter = options.record_delimiter.map(function(rd, i) {
		if (typeof rd !== "string" && !Buffer.isBuffer(rd)) throw new CsvError("CSV_INVALID_OPTION_RECORD_DELIMITER", [
			"Invalid option `record_delimiter`:",
			"value must be a string, a buffer or array of string|buffer",
			`at index ${i},`,
			`got ${JSON.stringify(rd)}`
		], options);
		else if (rd.length === 0) throw new CsvError("CSV_INVALID_OPTION_RECORD_DELIMITER", [
			"Invalid option `record_delimiter`:",
			"value must be a non empty string or buffer",
			`at index ${i},`,
			`got ${JSON.stringify(rd)}`
		], options);
		if (typeof rd === "string") rd = Buffer.from(rd, options.encoding);
		return rd;
	});
	if (typeof options.relax_column_count === "boolean") {} else if (options.relax_column_count === void 0 || options.relax_column_count === null) options.relax_column_count = false;
	else throw new Error(`Invalid Option: relax_column_count must be a boolean, got ${JSON.stringify(options.relax_column_count)}`);
	if (typeof options.relax_column_count_less === "boolean") {} else if (options.relax_column_count_less === void 0 || options.relax_column_count_less === null) options.relax_column_count_less = false;
	else throw new Error(`Invalid Option: relax_column_count_less must be a boolean, got ${JSON.stringify(options.relax_column_count_less)}`);
	if (typeof options.relax_column_count_more === "boolean") {} else if (options.relax_column_count_more === void 0 || options.relax_column_count_more === null) options.relax_column_count_more = false;
	else throw new Error(`Invalid Option: relax_column_count_more must be a boolean, got ${JSON.stringify(options.relax_column_count_more)}`);
	if (typeof options.relax_quotes === "boolean") {} else if (options.relax_quotes === void 0 || options.relax_quotes === null) options.relax_quotes = false;
	else throw new Error(`Invalid Option: relax_quotes must be a boolean, got ${JSON.stringify(options.relax_quotes)}`);
	if (typeof options.skip_empty_lines === "boolean") {} else if (options.skip_empty_lines === void 0 || options.skip_empty_lines === null) options.skip_empty_lines = false;
	else throw new Error(`Invalid Option: skip_empty_lines must be a boolean, got ${JSON.stringify(options.skip_empty_lines)}`);
	if (typeof options.skip_records_with_empty_values === "boolean") {} else if (options.skip_records_with_empty_values === void 0 || options.skip_records_with_empty_values === null) options.skip_records_with_empty_values = false;
	else throw new Error(`Invalid Option: skip_records_with_empty_values must be a boolean, got ${JSON.stringify(options.skip_records_with_empty_values)}`);
	if (typeof options.skip_records_with_error === "boolean") {} else if (options.skip_records_with_error === void 0 || options.skip_records_with_error === null) options.skip_records_with_error = false;
	else throw new Error(`Invalid Option: skip_records_with_error must be a boolean, got ${JSON.stringify(options.skip_records_with_error)}`);
	if (options.rtrim === void 0 || options.rtrim === null || options.rtrim === false) options.rtrim = false;
	else if (options.rtrim !== true) throw new Error(`Invalid Option: rtrim must be a boolean, got ${JSON.stringify(options.rtrim)}`);
	if (options.ltrim === void 0 || options.ltrim === null || options.ltrim === false) options.ltrim = false;
	else if (options.ltrim !== true) throw new Error(`Invalid Option: ltrim must be a boolean, got ${JSON.stringify(options.ltrim)}`);
	if (options.trim === void 0 || options.trim === null || options.trim === false) options.trim = false;
	else if (options.trim !== true) throw new Error(`Invalid Option: trim must be a boolean, got ${JSON.stringify(options.trim)}`);
	if (options.trim === true && opts.ltrim !== false) options.ltrim = true;
	else if (options.ltrim !== true) options.ltrim = false;
	if (options.trim === true && opts.rtrim !== false) options.rtrim = true;
	else if (options.rtrim !== true) options.rtrim = false;
	if (options.to === void 0 || options.to === null) options.to = -1;
	else if (options.to !== -1) {
		if (typeof options.to === "string" && /\d+/.test(options.to)) options.to = parseInt(options.to);
		if (Number.isInteger(options.to)) {
			if (options.to <= 0) throw new Error(`Invalid Option: to must be a positive integer greater than 0, got ${JSON.stringify(opts.to)}`);
		} else throw new Error(`Invalid Option: to must be an integer, got ${JSON.stringify(opts.to)}`);
	}
	if (options.to_line === void 0 || options.to_line === null) options.to_line = -1;
	else if (options.to_line !== -1) {
		if (typeof options.to_line === "string" && /\d+/.test(options.to_line)) options.to_line = parseInt(options.to_line);
		if (Number.isInteger(options.to_line)) {
			if (options.to_line <= 0) throw new Error(`Invalid Option: to_line must be a positive integer greater than 0, got ${JSON.stringify(opts.to_line)}`);
		} else throw new Error(`Invalid Option: to_line must be an integer, got ${JSON.stringify(opts.to_line)}`);
	}
	return options;
};
const delimiter_discover = function(records, options) {
	if (!options) ({delimiter_auto: options} = normalize_options({ delimiter_auto: true }));
	if (typeof records === "string") records = Buffer.from(records);
	if (Buffer.isBuffer(records)) records = ((data) => {
		const records = [];
		const parser = transform({ delimiter: [] });
		const push = (record) => records.push(record);
		const close = () => {};
		const error = parser.parse(data, true, push, close);
		if (error !== void 0) throw error;
		return records;
	})(records);
	const info = Array(127).fill().map(() => ({ lines: [] }));
	records.map(([record], line) => {
		for (let i = 0, l = record.length; i < l; i++) {
			const code = record.charCodeAt(i);
			if (info[code].lines[line] === void 0) info[code].lines[line] = 0;
			info[code].lines[line]++;
		}
	});
	info.map((info, i) => {
		info.char_code = i;
		info.std = std(info.lines);
		info.total = info.lines.reduce((acc, val) => acc + val, 0);
		info.preferred = !!options.preferred[i];
		info.score = options.score(info, options);
	});
	const result = info.reduce((acc, info) => acc.score > info.score ? acc : info, {});
	return String.fromCharCode(result.char_code);
};
const std = function(array) {
	const n = array.length;
	if (n === 0) return 0;
	const mean = array.reduce((a, b) => a + b) / n;
	return Math.sqrt(array.map((x) => Math.pow(x - mean, 2)).reduce((a, b) => a + b) / n);
};
const isRecordEmpty = function(record) {
	return record.every((field) => field == null || field.toString && field.toString().trim() === "");
};
const cr = 13;
const nl = 10;
const boms = {
	utf8: Buffer.from([
		239,
		187,
		191
	]),
	utf16le: Buffer.from([255, 254])
};
const transform = function(original_options = {}) {
	const info = {
		bytes: 0,
		bytes_records: 0,
		comment_lines: 0,
		empty_lines: 0,
		invalid_field_length: 0,
		lines: 1,
		records: 0
	};
	const options = normalize_options(original_options);
	return {
		info,
		original_options,
		options,
		state: init_state(options),
		__needMoreData: function(i, bufLen, end) {
			if (end) return false;
			const { encoding, escape, quote } = this.options;
			const { quoting, needMoreDataSize, recordDelimiterMaxLength } = this.state;
			return bufLen - i - 1 < Math.max(needMoreDataSize, recordDelimiterMaxLength === 0 ? Buffer.from("\r\n", encoding).length : recordDelimiterMaxLength, quoting ? (escape === null ? 0 : escape.length) + quote.length : 0, quoting ? quote.length + recordDelimiterMaxLength : 0);
		},
		parse: function(nextBuf, end, push, close) {
			const { bom, comment_no_infix, delimiter_auto, encoding, from_line, ltrim, max_record_size, raw, relax_quotes, rtrim, skip_empty_lines, to, to_line } = this.options;
			let { comment, escape, quote, record_delimiter } = this.options;
			const { bomSkipped, delimiterDiscovered, delimiterBufPrevious, rawBuffer, escapeIsQuote } = this.state;
			if (!delimiterDiscovered && delimiter_auto) {
				let delimiterBuf;
				if (delimiterBufPrevious === void 0) delimiterBuf = nextBuf;
				else if (delimiterBufPrevious !== void 0 && nextBuf === void 0) delimiterBuf = delimiterBufPrevious;
				else delimiterBuf = Buffer.concat([delimiterBufPrevious, nextBuf]);
				nextBuf = void 0;
				if (end || delimiterBuf.length > delimiter_auto.size) {
					this.options.delimiter = [Buffer.from(delimiter_discover(delimiterBuf, this.options.delimiter_auto))];
					this.state.previousBuf = delimiterBuf;
					this.state.delimiterBufPrevious = void 0;
					this.state.delimiterDiscovered = true;
				} else {
					this.state.delimiterBufPrevious = delimiterBuf;
					return;
				}
			}
			const { previousBuf } = this.state;
			let buf;
			if (previousBuf === void 0) {
				if (nextBuf === void 0) {
					close();
					return;
				} else buf = nextBuf;
			} else if (previousBuf !== void 0 && nextBuf === void 0) buf = previousBuf;
			else buf = Buffer.concat([previousBuf, nextBuf]);
			if (bomSkipped === false) {
				if (bom === false) this.state.bomSkipped = true;
				else if (buf.length < 3) {
					if (end === false) {
						this.state.previousBuf = buf;
						return;
					}
				} else {
					for (const encoding in boms) if (boms[encoding].compare(buf, 0, boms[encoding].length) === 0) {
						const bomLength = boms[encoding].length;
						this.state.bufBytesStart += bomLength;
						buf = buf.slice(bomLength);
						const options = normalize_options({
							...this.original_options,
							encoding
						});
						for (const key in options) this.options[key] = options[key];
						({comment, escape, quote} = this.options);
						break;
					}
					this.state.bomSkipped = true;
				}
			}
			const bufLen = buf.length;
			let pos = 0;
			for (; pos < bufLen; pos++) {
				if (this.__needMoreData(pos, bufLen, end)) break;
				if (this.state.wasRowDelimiter === true) {
					this.info.lines++;
					this.state.wasRowDelimiter = false;
				}
				if (to_line !== -1 && this.info.lines > to_line) {
					this.state.stop = true;
					close();
					return;
				}
				if (this.state.quoting === false && record_delimiter.length === 0) {
					if (this.__autoDiscoverRecordDelimiter(buf, pos)) record_delimiter = this.options.record_delimiter;
				}
				const chr = buf[pos];
				if (raw === true) rawBuffer.append(chr);
				if ((chr === cr || chr === nl) && this.state.wasRowDelimiter === false) this.state.wasRowDelimiter = true;
				if (this.state.escaping === true) this.state.escaping = false;
				else {
					if (escape !== null && this.state.quoting === true && this.__isEscape(buf, pos, chr) && pos + escape.length < bufLen) {
						if (escapeIsQuote) {
							if (this.__isQuote(buf, pos + escape.length)) {
								this.state.escaping = true;
								pos += escape.length - 1;
								continue;
							}
						} else {
							this.state.escaping = true;
							pos += escape.length - 1;
							continue;
						}
					}
					if (this.state.commenting === false && this.__isQuote(buf, pos)) {
						if (this.state.quoting === true) {
							const nextChr = buf[pos + quote.length];
							const isNextChrTrimable = rtrim && this.__isCharTrimable(buf, pos + quote.length);
							const isNextChrComment = comment !== null && this.__compareBytes(comment, buf, pos + quote.length, nextChr);
							const isNextChrDelimiter = this.__isDelimiter(buf, pos + quote.length, nextChr);
							const isNextChrRecordDelimiter = record_delimiter.length === 0 ? this.__autoDiscoverRecordDelimiter(buf, pos + quote.length) : this.__isRecordDelimiter(nextChr, buf, pos + quote.length);
							if (escape !== null && this.__isEscape(buf, pos, chr) && this.__isQuote(buf, pos + escape.length)) pos += escape.length - 1;
							else if (!nextChr || isNextChrDelimiter || isNextChrRecordDelimiter || isNextChrComment || isNextChrTrimable) {
								this.state.quoting = false;
								this.state.wasQuoting = true;
								pos += quote.length - 1;
								continue;
							} else if (relax_quotes === false) {
								const err = this.__error(new CsvError("CSV_INVALID_CLOSING_QUOTE", [
									"Invalid Closing Quote:",
									`got "${String.fromCharCode(nextChr)}"`,
									`at line ${this.info.lines}`,
									"instead of delimiter, record delimiter, trimable character",
									"(if activated) or comment"
								], this.options, this.__infoField()));
								if (err !== void 0) return err;
							} else {
								this.state.quoting = false;
								this.state.wasQuoting = true;
								this.state.field.prepend(quote);
								pos += quote.length - 1;
							}
						} else if (this.state.field.length !== 0) {
							if (relax_quotes === false) {
								const info = this.__infoField();
								const bom = Object.keys(boms).map((b) => boms[b].equals(this.state.field.toString()) ? b : false).filter(Boolean)[0];
								const err = this.__error(new CsvError("INVALID_OPENING_QUOTE", [
									"Invalid Opening Quote:",
									`a quote is found on field ${JSON.stringify(info.column)} at line ${info.lines}, value is ${JSON.stringify(this.state.field.toString(encoding))}`,
									bom ? `(${bom} bom)` : void 0
								], this.options, info, { field: this.state.field }));
								if (err !== void 0) return err;
							}
						} else {
							this.state.quoting = true;
							pos += quote.length - 1;
							continue;
						}
					}
					if (this.state.quoting === false) {
						const recordDelimiterLength = this.__isRecordDelimiter(chr, buf, pos);
						if (recordDelimiterLength !== 0) {
							if (this.state.commenting && this.state.wasQuoting === false && this.state.record.length === 0 && this.state.field.length === 0) this.info.comment_lines++;
							else {
								if (this.state.enabled === false && this.info.lines + (this.state.wasRowDelimiter === true ? 1 : 0) >= from_line) {
									this.state.enabled = true;
									this.__resetField();
									this.__resetRecord();
									pos += recordDelimiterLength - 1;
									continue;
								}
								if (skip_empty_lines === true && this.state.wasQuoting === false && this.state.record.length === 0 && this.state.field.length === 0) {
									this.info.empty_lines++;
									pos += recordDelimiterLength - 1;
									continue;
								}
								this.info.bytes = this.state.bufBytesStart + pos;
								const errField = this.__onField();
								if (errField !== void 0) return errField;
								this.info.bytes = this.state.bufBytesStart + pos + recordDelimiterLength;
								const errRecord = this.__onRecord(push);
								if (errRecord !== void 0) return errRecord;
								if (to !== -1 && this.info.records >= to) {
									this.state.stop = true;
									close();
									return;
								}
							}
							this.state.commenting = false;
							pos += recordDelimiterLength - 1;
							continue;
						}
						if (this.state.commenting) continue;
						if (comment !== null && (comment_no_infix === false || this.state.record.length === 0 && this.state.field.length === 0)) {
							if (this.__compareBytes(comment, buf, pos, chr) !== 0) {
								this.state.commenting = true;
								continue;
							}
						}
						const delimiterLength = this.__isDelimiter(buf, pos, chr);
						if (delimiterLength !== 0) {
							this.info.bytes = this.state.bufBytesStart + pos;
							const errField = this.__onField();
							if (errField !== void 0) return errField;
							pos += delimiterLength - 1;
							continue;
						}
					}
				}
				if (this.state.commenting === false) {
					if (max_record_size !== 0 && this.state.record_length + this.state.field.length > max_record_size) return this.__error(new CsvError("CSV_MAX_RECORD_SIZE", [
						"Max Record Size:",
						"record exceed the maximum number of tolerated bytes",
						`of ${max_record_size}`,
						`at line ${this.info.lines}`
					], this.options, this.__infoField()));
				}
				const lappend = ltrim === false || this.state.quoting === true || this.state.field.length !== 0 || !this.__isCharTrimable(buf, pos);
				const rappend = rtrim === false || this.state.wasQuoting === false;
				if (lappend === true && rappend === true) this.state.field.append(chr);
				else if (rtrim === true && !this.__isCharTrimable(buf, pos)) return this.__error(new CsvError("CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE", [
					"Invalid Closing Quote:",
					"found non trimable byte after quote",
					`at line ${this.info.lines}`
				], this.options, this.__infoField()));
				else {
					if (lappend === false) pos += this.__isCharTrimable(buf, pos) - 1;
					continue;
				}
			}
			if (end === true) {
				if (this.state.quoting === true) {
					const err = this.__error(new CsvError("CSV_QUOTE_NOT_CLOSED", ["Quote Not Closed:", `the parsing is finished with an opening quote at line ${this.info.lines}`], this.options, this.__infoField()));
					if (err !== void 0) return err;
				} else if (this.state.wasQuoting === true || this.state.record.length !== 0 || this.state.field.length !== 0) {
					this.info.bytes = this.state.bufBytesStart + pos;
					const errField = this.__onField();
					if (errField !== void 0) return errField;
					const errRecord = this.__onRecord(push);
					if (errRecord !== void 0) return errRecord;
				} else if (this.state.wasRowDelimiter === true) this.info.empty_lines++;
				else if (this.state.commenting === true) this.info.comment_lines++;
			} else {
				this.state.bufBytesStart += pos;
				this.state.previousBuf = buf.slice(pos);
			}
			if (this.state.wasRowDelimiter === true) {
				this.info.lines++;
				this.state.wasRowDelimiter = false;
			}
		},
		__onRecord: function(push) {
			const { columns, group_columns_by_name, encoding, info, from, relax_column_count, relax_column_count_less, relax_column_count_more, raw, skip_records_with_empty_values } = this.options;
			const { enabled, record } = this.state;
			if (enabled === false) return this.__resetRecord();
			const recordLength = record.length;
			if (columns === true) {
				if (skip_records_with_empty_values === true && isRecordEmpty(record)) {
					this.__resetRecord();
					return;
				}
				return this.__firstLineToColumns(record);
			}
			if (columns === false && this.info.records === 0) this.state.expectedRecordLength = recordLength;
			if (recordLength !== this.state.expectedRecordLength) {
				const err = columns === false ? new CsvError("CSV_RECORD_INCONSISTENT_FIELDS_LENGTH", [
					"Invalid Record Length:",
					`expect ${this.state.expectedRecordLength},`,
					`got ${recordLength} on line ${this.info.lines}`
				], this.options, this.__infoField(), { record }) : new CsvError("CSV_RECORD_INCONSISTENT_COLUMNS", [
					"Invalid Record Length:",
					`columns length is ${columns.length},`,
					`got ${recordLength} on line ${this.info.lines}`
				], this.options, this.__infoField(), { record });
				if (relax_column_count === true || relax_column_count_less === true && recordLength < this.state.expectedRecordLength || relax_column_count_more === true && recordLength > this.state.expectedRecordLength) {
					this.info.invalid_field_length++;
					this.state.error = err;
				} else {
					const finalErr = this.__error(err);
					if (finalErr) return finalErr;
				}
			}
			if (skip_records_with_empty_values === true && isRecordEmpty(record)) {
				this.__resetRecord();
				return;
			}
			if (this.state.recordHasError === true) {
				this.__resetRecord();
				this.state.recordHasError = false;
				return;
			}
			this.info.records++;
			if (from === 1 || this.info.records >= from) {
				const { objname } = this.options;
				if (columns !== false) {
					const obj = {};
					for (let i = 0, l = record.length; i < l; i++) {
						if (columns[i] === void 0 || columns[i].disabled) continue;
						if (group_columns_by_name === true && Object.hasOwn(obj, columns[i].name)) {
							if (Array.isArray(obj[columns[i].name])) obj[columns[i].name] = obj[columns[i].name].concat(record[i]);
							else obj[columns[i].name] = [obj[columns[i].name], record[i]];
						} else Object.defineProperty(obj, columns[i].name, {
							value: record[i],
							enumerable: true,
							writable: true,
							configurable: true
						});
					}
					if (raw === true || info === true) {
						const extRecord = Object.assign({ record: obj }, raw === true ? { raw: this.state.rawBuffer.toString(encoding) } : {}, info === true ? { info: this.__infoRecord() } : {});
						const err = this.__push(objname === void 0 ? extRecord : [obj[objname], extRecord], push);
						if (err) return err;
					} else {
						const err = this.__push(objname === void 0 ? obj : [obj[objname], obj], push);
						if (err) return err;
					}
				} else if (raw === true || info === true) {
					const extRecord = Object.assign({ record }, raw === true ? { raw: this.state.rawBuffer.toString(encoding) } : {}, info === true ? { info: this.__infoRecord() } : {});
					const err = this.__push(objname === void 0 ? extRecord : [record[objname], extRecord], push);
					if (err) return err;
				} else {
					const err = this.__push(objname === void 0 ? record : [record[objname], record], push);
					if (err) return err;
				}
			}
			this.__resetRecord();
		},
		__firstLineToColumns: function(record) {
			const { firstLineToHeaders } = this.state;
			try {
				const headers = firstLineToHeaders === void 0 ? record : firstLineToHeaders.call(null, record);
				if (!Array.isArray(headers)) return this.__error(new CsvError("CSV_INVALID_COLUMN_MAPPING", [
					"Invalid Column Mapping:",
					"expect an array from column function,",
					`got ${JSON.stringify(headers)}`
				], this.options, this.__infoField(), { headers }));
				const normalizedHeaders = normalize_columns_array(headers);
				this.state.expectedRecordLength = normalizedHeaders.length;
				this.options.columns = normalizedHeaders;
				this.__resetRecord();
				return;
			} catch (err) {
				return err;
			}
		},
		__resetRecord: function() {
			if (this.options.raw === true) this.state.rawBuffer.reset();
			this.state.error = void 0;
			this.state.record = [];
			this.state.record_length = 0;
		},
		__onField: function() {
			const { cast, encoding, rtrim, max_record_size } = this.options;
			const { enabled, wasQuoting } = this.state;
			if (enabled === false) return this.__resetField();
			let field = this.state.field.toString(encoding);
			if (rtrim === true && wasQuoting === false) field = field.trimRight();
			if (cast === true) {
				const [err, f] = this.__cast(field);
				if (err !== void 0) return err;
				field = f;
			}
			this.state.record.push(field);
			if (max_record_size !== 0 && typeof field === "string") this.state.record_length += field.length;
			this.__resetField();
		},
		__resetField: function() {
			this.state.field.reset();
			this.state.wasQuoting = false;
		},
		__push: function(record, push) {
			const { on_record } = this.options;
			if (on_record !== void 0) {
				const info = this.__infoRecord();
				try {
					record = on_record.call(null, record, info);
				} catch (err) {
					return err;
				}
				if (record === void 0 || record === null) return;
			}
			this.info.bytes_records += this.info.bytes;
			push(record);
		},
		__cast: function(field) {
			const { columns, relax_column_count } = this.options;
			if (Array.isArray(columns) === true && relax_column_count && this.options.columns.length <= this.state.record.length) return [void 0, void 0];
			if (this.state.castField !== null) try {
				const info = this.__infoField();
				return [void 0, this.state.castField.call(null, field, info)];
			} catch (err) {
				return [err];
			}
			if (this.__isFloat(field)) return [void 0, parseFloat(field)];
			else if (this.options.cast_date !== false) {
				const info = this.__infoField();
				return [void 0, this.options.cast_date.call(null, field, info)];
			}
			return [void 0, field];
		},
		__compareBytes: function(sourceBuf, targetBuf, targetPos, firstByte) {
			if (sourceBuf[0] !== firstByte) return 0;
			const sourceLength = sourceBuf.length;
			for (let i = 1; i < sourceLength; i++) if (sourceBuf[i] !== targetBuf[targetPos + i]) return 0;
			return sourceLength;
		},
		__isCharTrimable: function(buf, pos) {
			const { timchars, timcharFirstBytes } = this.state;
			const first = buf[pos];
			if (first === void 0 || timcharFirstBytes[first] === 0) return 0;
			loop1: for (let i = 0; i < timchars.length; i++) {
				const timchar = timchars[i];
				for (let j = 0; j < timchar.length; j++) if (timchar[j] !== buf[pos + j]) continue loop1;
				return timchar.length;
			}
			return 0;
		},
		__isDelimiter: function(buf, pos, chr) {
			const { delimiter, ignore_last_delimiters } = this.options;
			if (ignore_last_delimiters === true && this.state.record.length === this.options.columns.length - 1) return 0;
			else if (ignore_last_delimiters !== false && typeof ignore_last_delimiters === "number" && this.state.record.length === ignore_last_delimiters - 1) return 0;
			loop1: for (let i = 0; i < delimiter.length; i++) {
				const del = delimiter[i];
				if (del[0] === chr) {
					for (let j = 1; j < del.length; j++) if (del[j] !== buf[pos + j]) continue loop1;
					return del.length;
				}
			}
			return 0;
		},
		__isEscape: function(buf, pos, chr) {
			const { escape } = this.options;
			if (escape === null) return false;
			const l = escape.length;
			if (escape[0] === chr) {
				for (let i = 0; i < l; i++) if (escape[i] !== buf[pos + i]) return false;
				return true;
			}
			return false;
		},
		__isFloat: function(value) {
			return value - parseFloat(value) + 1 >= 0;
		},
		__isQuote: function(buf, pos) {
			const { quote } = this.options;
			if (quote === null) return false;
			const l = quote.length;
			for (let i = 0; i < l; i++) if (quote[i] !== buf[pos + i]) return false;
			return true;
		},
		__isRecordDelimiter: function(chr, buf, pos) {
			const { record_delimiter } = this.options;
			const recordDelimiterLength = record_delimiter.length;
			loop1: for (let i = 0; i < recordDelimiterLength; i++) {
				const rd = record_delimiter[i];
				const rdLength = rd.length;
				if (rd[0] !== chr) continue;
				for (let j = 1; j < rdLength; j++) if (rd[j] !== buf[pos + j]) continue loop1;
				return rd.length;
			}
			return 0;
		},
		__autoDiscoverRecordDelimiter: function(buf, pos) {
			const { encoding } = this.options;
			const rds = [
				Buffer.from("\r\n", encoding),
				Buffer.from("\n", encoding),
				Buffer.from("\r", encoding)
			];
			loop: for (let i = 0; i < rds.length; i++) {
				const l = rds[i].length;
				for (let j = 0; j < l; j++) if (rds[i][j] !== buf[pos + j]) continue loop;
				this.options.record_delimiter.push(rds[i]);
				this.state.recordDelimiterMaxLength = rds[i].length;
				return rds[i].length;
			}
			return 0;
		},
		__error: function(msg) {
			const { encoding, raw, skip_records_with_error } = this.options;
			const err = typeof msg === "string" ? new Error(msg) : msg;
			if (skip_records_with_error) {
				this.state.recordHasError = true;
				if (this.options.on_skip !== void 0) try {
					this.options.on_skip(err, raw ? this.state.rawBuffer.toString(encoding) : void 0);
				} catch (err) {
					return err;
				}
				return;
			} else return err;
		},
		__infoDataSet: function() {
			return {
				...this.info,
				columns: this.options.columns
			};
		},
		__infoRecord: function() {
			const { columns, raw, encoding } = this.options;
			return {
				...this.__infoDataSet(),
				bytes_records: this.info.bytes,
				error: this.state.error,
				header: columns === true,
				index: this.state.record.length,
				raw: raw ? this.state.rawBuffer.toString(encoding) : void 0
			};
		},
		__infoField: function() {
			const { columns } = this.options;
			const isColumns = Array.isArray(columns);
			const bytes_records = this.info.bytes_records;
			return {
				...this.__infoRecord(),
				bytes_records,
				column: isColumns === true ? columns.length > this.state.record.length ? columns[this.state.record.length].name : null : this.state.record.length,
				quoting: this.state.wasQuoting
			};
		}
	};
};
var Parser = class extends Transform {
	constructor(opts = {}) {
		super({
			readableObjectMode: true,
			...opts,
			encoding: null
		});
		this.api = transform({
			on_skip: (err, chunk) => {
				this.emit("skip", err, chunk);
			},
			...opts
		});
		this.state = this.api.state;
		this.options = this.api.options;
		this.info = this.api.info;
	}
	_transform(buf, _, callback) {
		if (this.state.stop === true) return;
		const err = this.api.parse(buf, false, (record) => {
			this.push(record);
		}, () => {
			this.push(null);
			this.end();
			this.on("end", this.destroy);
		});
		if (err !== void 0) this.state.stop = true;
		callback(err);
	}
	_flush(callback) {
		if (this.state.stop === true) return;
		callback(this.api.parse(void 0, true, (record) => {
			this.push(record);
		}, () => {
			this.push(null);
			this.on("end", this.destroy);
		}));
	}
};
const parse = function(data, opts = {}) {
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
		const [cells = []] = parse(line, {
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
		baselineSha256: digest(facts.accepted.baseline),
		anchorSha256: digest(facts.accepted.anchor),
		states: {},
		points: []
	};
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
			sha256: subject.sha256,
			...subjectOf(manifest)
		},
		identity: identityOf(facts.results),
		hardware: facts.hardware,
		boots: [...facts.boots],
		capacity: [...facts.results],
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
const cache = _enum(["cold", "warm"]);
const bootSchema = strictObject({
	deployId: string(),
	seconds: number$2(),
	firstRequestMs: number$2(),
	compileCache: _enum([
		"hit",
		"miss",
		"unknown"
	]),
	kvTokens: number$2().nullable()
});
const sessionSchema = strictObject({
	schema: literal(1),
	plan: _enum(["sweep", "confirm"]),
	caches: array(cache),
	startedAt: string(),
	experimentSha256: string(),
	subjectSha256: string(),
	schedules: partialRecord(cache, string()),
	mustEqual: record(string(), string()),
	baselineSha256: string().nullable(),
	anchorSha256: string().nullable(),
	states: partialRecord(cache, strictObject({
		boots: array(bootSchema),
		heldSeconds: number$2()
	})),
	points: array(string().regex(/^[a-z0-9-]+$/))
});
function parseSession(text) {
	try {
		return sessionSchema.parse(JSON.parse(text));
	} catch (cause) {
		throw new GateError({
			code: "session_damaged",
			message: "run.json does not hold a run that can be resumed",
			hint: "start anew with another --pack folder; the measured points of this one stay readable",
			exitCode: EXIT.invalid,
			cause
		});
	}
}
function requireSameRun(earlier, now) {
	const changed = [
		[
			"the plan",
			earlier.plan,
			now.plan
		],
		[
			"the cache states",
			earlier.caches,
			now.caches
		],
		[
			"the experiment",
			earlier.experimentSha256,
			now.experimentSha256
		],
		[
			"the subject",
			earlier.subjectSha256,
			now.subjectSha256
		],
		[
			"the schedules",
			earlier.schedules,
			now.schedules
		],
		[
			"the baseline",
			earlier.baselineSha256,
			now.baselineSha256
		],
		[
			"the anchor",
			earlier.anchorSha256,
			now.anchorSha256
		],
		[
			"the machine",
			earlier.mustEqual,
			now.mustEqual
		]
	].filter(([, was, is]) => stable(was) !== stable(is)).map(([name]) => name);
	if (changed.length === 0) return;
	throw new GateError({
		code: "resume_mismatch",
		message: `the interrupted run cannot be resumed: ${changed.join(", ")} changed since`,
		hint: "restore what changed, or start anew with another --pack folder",
		exitCode: EXIT.invalid
	});
}
function stable(value) {
	if (value === null || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
	return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1));
}
function packInUse(location, hint) {
	const message = `${location} holds the points of an earlier run`;
	return new GateError({
		code: "pack_in_use",
		message,
		hint,
		exitCode: EXIT.usage
	});
}
async function requirePackOfReplays(pack, manifestText) {
	const hint = "name another --pack folder";
	if (await pack.read("run.json") !== null) throw packInUse(pack.location, hint);
	if ((await pack.list("points")).length === 0) return;
	const bytes = await pack.read("workload-manifest.yaml");
	if (bytes === null || new TextDecoder().decode(bytes) !== manifestText) throw packInUse(pack.location, hint);
}
const SESSION_FILE = "run.json";
async function readSession(pack) {
	const bytes = await pack.read(SESSION_FILE);
	return bytes === null ? null : parseSession(new TextDecoder().decode(bytes));
}
async function writeSession(pack, session) {
	await pack.write(SESSION_FILE, packJson(session));
}
async function resumeOrBegin(pack, now, resume) {
	const earlier = await readSession(pack);
	if (!resume) {
		if ((earlier?.points.length ?? 0) > 0 || (await pack.list("points")).length > 0) throw packInUse(pack.location, "go on with it by --resume, or name another --pack folder");
		await writeSession(pack, now);
		return {
			session: now,
			points: []
		};
	}
	if (earlier === null) throw new GateError({
		code: "nothing_to_resume",
		message: `${pack.location} holds no interrupted run`,
		hint: "leave --resume away to begin one",
		exitCode: EXIT.usage
	});
	requireSameRun(earlier, now);
	const points = [];
	for (const name of earlier.points) {
		const { point } = pathsOf(name);
		const report = parsePointReport(await readPackText(pack, point), point);
		if (pointName(report.key) !== name) throw anotherPoint(point, pointName(report.key));
		points.push(report);
	}
	return {
		session: earlier,
		points
	};
}
function anotherPoint(path, found) {
	return new GateError({
		code: "pack_damaged",
		message: `${path} is the report of ${found}`,
		hint: "the pack was changed after it was measured: start anew with another --pack folder",
		exitCode: EXIT.invalid
	});
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
function scheduleBlocks(schedule) {
	const { initialRequests, blockRequests } = schedule.header;
	const blocks = [schedule.rows.slice(0, initialRequests)];
	if (blockRequests > 0) for (let start = initialRequests; start < schedule.rows.length; start += blockRequests) blocks.push(schedule.rows.slice(start, start + blockRequests));
	return blocks;
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
function msText(us) {
	const whole = Math.abs(us);
	const text = `${Math.floor(whole / 1e3)}.${String(whole % 1e3).padStart(3, "0")}`;
	return us < 0 ? `-${text}` : text;
}
function tpotNs(decodeUs, outputTokens) {
	if (outputTokens <= 1) return 0;
	const nanoseconds = decodeUs * 1e3;
	const gaps = outputTokens - 1;
	const whole = Math.floor(nanoseconds / gaps);
	return 2 * (nanoseconds - whole * gaps) >= gaps ? whole + 1 : whole;
}
function nsAsMsText(ns) {
	return `${Math.floor(ns / 1e6)}.${String(ns % 1e6).padStart(6, "0")}`;
}
function meetsCutoffs(record, cutoffs, originUs) {
	const { firstTokenUs, lastTokenUs, outputTokens } = record;
	if (originUs === null || firstTokenUs === null || lastTokenUs === null || outputTokens === null) return false;
	return (firstTokenUs - originUs) / 1e3 <= cutoffs.request_ttft_cutoff_ms && tpotNs(lastTokenUs - firstTokenUs, outputTokens) / 1e6 <= cutoffs.request_tpot_cutoff_ms && (lastTokenUs - originUs) / 1e3 <= (cutoffs.request_e2e_cutoff_ms ?? Number.POSITIVE_INFINITY);
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
			if (counts) count$1(counts, record, acceptance);
		},
		extensionNeeded: () => classes.some(({ ok }) => ok < acceptance.min_successful_samples_per_class),
		hopeless: () => hopelessReason(classes, acceptance),
		attainment: () => Object.fromEntries(classes.map(({ class: { name }, ok, passing }) => [name, ok === 0 ? null : passing / ok]))
	};
}
function count$1(counts, record, acceptance) {
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
const whole$1 = int().min(0);
const us = whole$1;
const gapUs = number$2().min(0);
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
	inputTokens: whole$1.nullable(),
	outputTokens: whole$1.nullable(),
	cachedTokens: whole$1.nullable(),
	chunks: whole$1,
	gapUs: strictObject({
		p50: gapUs,
		p95: gapUs,
		max: gapUs
	}).nullable(),
	httpStatus: whole$1.nullable(),
	finishReason: string().nullable(),
	replica: whole$1.nullable(),
	session: string().nullable(),
	turn: whole$1.nullable()
});
function encodeJournalLine(record) {
	return JSON.stringify(record);
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
const whole = int().min(0);
const bins = array(tuple([whole, whole]));
const gapsSchema = strictObject({
	schema: literal(1),
	unit: literal("us"),
	classes: record(string(), strictObject({
		count: whole,
		sumUs: whole,
		maxUs: whole,
		bins,
		tokensPerChunk: strictObject({
			unknown: whole,
			tokens: whole,
			max: whole,
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
var Cohort = class {
	records = [];
	gaps = new Map();
	#init;
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
			elapsedSeconds,
			remainingSeconds: plannedSeconds === null ? null : Math.max(0, plannedSeconds - elapsedSeconds),
			sent: line.sent,
			resolved: line.resolved,
			inFlight: line.inFlight,
			backlog: line.backlog,
			attainment: counts.attainment()
		});
	}
	extend() {
		return this.#init.counts.extensionNeeded();
	}
	stop() {
		return this.#init.counts.hopeless();
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
function textAt(values, row) {
	return values.texts[values.index[row] ?? -1] ?? null;
}
function statusAt(table, row) {
	return STATUSES[table.status[row] ?? -1] ?? "error";
}
function* tableRecords(table) {
	for (let row = 0; row < table.rows; row++) {
		const p50 = orNull(table.gapP50Us[row]);
		yield {
			id: table.ids[row] ?? "",
			class: textAt(table.classes, row) ?? "",
			status: statusAt(table, row),
			errorCode: textAt(table.errorCode, row),
			dueUs: table.dueUs[row] ?? 0,
			handedUs: orNull(table.handedUs[row]),
			sentUs: orNull(table.sentUs[row]),
			firstTokenUs: orNull(table.firstTokenUs[row]),
			firstContentUs: orNull(table.firstContentUs[row]),
			lastTokenUs: orNull(table.lastTokenUs[row]),
			endUs: table.endUs[row] ?? 0,
			inputTokens: orNull(table.inputTokens[row]),
			outputTokens: orNull(table.outputTokens[row]),
			cachedTokens: orNull(table.cachedTokens[row]),
			chunks: orNull(table.chunks[row]) ?? 0,
			gapUs: p50 === null ? null : {
				p50,
				p95: table.gapP95Us[row] ?? p50,
				max: table.gapMaxUs[row] ?? p50
			},
			httpStatus: orNull(table.httpStatus[row]),
			finishReason: textAt(table.finishReason, row),
			replica: orNull(table.replica[row]),
			session: textAt(table.session, row),
			turn: orNull(table.turn[row])
		};
	}
}
function orNull(value) {
	return value === void 0 || value < 0 || Number.isNaN(value) ? null : value;
}
const Z = 1.959963984540054;
const RESAMPLES = 1e3;
const SEED = 1;
const MIN_BLOCKS = 10;
function wilson95(passing, trials) {
	if (trials === 0) return null;
	const share = passing / trials;
	const denominator = 1 + Z * Z / trials;
	const centre = (share + Z * Z / (2 * trials)) / denominator;
	const half = Z * Math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials)) / denominator;
	return [passing === 0 ? 0 : Math.max(0, centre - half), passing === trials ? 1 : Math.min(1, centre + half)];
}
function blockLength(trials, inFlight) {
	let cubeRoot = 1;
	while (cubeRoot ** 3 < trials) cubeRoot++;
	return Math.max(1, Math.min(Math.floor(trials / MIN_BLOCKS), Math.max(cubeRoot, Math.ceil(inFlight))));
}
function blockBootstrap95(passes, length) {
	const n = passes.length;
	if (n === 0) return null;
	const sums = new Float64Array(n + length + 1);
	for (let i = 0; i < n + length; i++) sums[i + 1] = (sums[i] ?? 0) + (passes[i % n] ?? 0);
	const random = xoroshiro128plus(SEED);
	const shares = new Float64Array(RESAMPLES);
	for (let resample = 0; resample < RESAMPLES; resample++) {
		let passing = 0;
		for (let left = n; left > 0; left -= length) {
			const start = Math.floor((random.next() >>> 0) / 4294967296 * n);
			passing += (sums[start + Math.min(left, length)] ?? 0) - (sums[start] ?? 0);
		}
		shares[resample] = passing / n;
	}
	shares.sort();
	return [nearestRank(shares, .025) ?? 0, nearestRank(shares, .975) ?? 1];
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
function refusal(file, { code, row, column, what, hint, cause }) {
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
function quoted(cell) {
	return JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
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
	throw refusal(table.file, {
		code: "csv_class",
		row: table.lines[row] ?? 0,
		column: "class",
		what: `${name} is no class of the workload`,
		hint: "judge a file by the manifest that it was measured under"
	});
}
function wrongLength$1(table, row, expected, lengths) {
	const length = lengths === "exact" ? "whose length is" : "which takes at most";
	throw refusal(table.file, {
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
function readMetric(values, source) {
	if (!isWhole(values, source)) return null;
	const numbers = chosenSeries(values, source).map(([, value]) => value);
	return source.across === "max" ? Math.max(...numbers) : numbers.reduce((sum, value) => sum + value, 0);
}
function chosenSeries(values, choice) {
	for (const name of choice.names) {
		const found = seriesOf(values, name);
		if (found.length === 0) continue;
		const added = (choice.plus ?? []).flatMap((part) => seriesOf(values, part));
		return [...found, ...added].filter(([key]) => hasLabels(key, choice.labels));
	}
	return [];
}
function isWhole(values, choice) {
	const parts = choice.plus ?? [];
	return chosenSeries(values, choice).length > 0 && parts.every((part) => seriesOf(values, part).length > 0);
}
function seriesOf(values, name) {
	const found = [];
	for (const key in values) {
		const value = values[key];
		if (value !== void 0 && isSeriesOf(key, name)) found.push([key, value]);
	}
	return found;
}
function counterRise(before, after, choice) {
	if (!before || !after) return { state: "absent" };
	const named = choice.names.find((name) => chosenSeries(after.values, { names: [name] }).length > 0);
	const earlierName = choice.names.find((name) => chosenSeries(before.values, { names: [name] }).length > 0);
	if (named === void 0) return { state: earlierName === void 0 ? "absent" : "backwards" };
	if (choice.plus?.some((part) => seriesOf(after.values, part).length === 0)) return { state: "absent" };
	const earlier = new Map(chosenSeries(before.values, {
		...choice,
		names: [named]
	}));
	let by = 0;
	for (const [key, value] of chosenSeries(after.values, {
		...choice,
		names: [named]
	})) {
		const was = earlier.get(key) ?? 0;
		if (value < was) return { state: "backwards" };
		by += value - was;
		earlier.delete(key);
	}
	return [...earlier.values()].some((value) => value > 0) ? { state: "backwards" } : {
		state: "risen",
		by
	};
}
function totalRise(windows, choice) {
	let by = 0;
	let absent = windows.length === 0;
	for (const { before, after } of windows) {
		const rise = counterRise(before, after, choice);
		if (rise.state === "backwards") return rise;
		if (rise.state === "absent") absent = true;
		else by += rise.by;
	}
	return absent ? { state: "absent" } : {
		state: "risen",
		by
	};
}
function cohortWindows(scrapes, untilUs) {
	return scrapes.map((replica) => {
		const last = replica.at(-1);
		return {
			before: replica.findLast(({ atUs }) => atUs <= 0),
			after: last && last.atUs >= untilUs - 15e5 ? last : void 0
		};
	});
}
function isSeriesOf(key, name) {
	return key.startsWith(name) && (key.length === name.length || key[name.length] === "{" || key[name.length] === " ");
}
function hasLabels(key, labels) {
	if (!labels) return true;
	const wanted = Object.entries(labels);
	if (wanted.length === 0) return true;
	const own = parseSeriesKey(key)?.labels;
	return own !== void 0 && wanted.every(([label, value]) => own[label] === value);
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
		...judged$1(view, gave)
	}];
}
function judged$1(view, gave) {
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
		before: without(before, hits),
		after: without(after, hits)
	})), hits);
	return own.state === "risen" ? own.by : own.state === "absent" ? 0 : null;
}
function without(scrape, { except }) {
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
const TOLD_MIN = .9;
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
		text: `${percent$2(counted.share)} by ${counted.source}, ${percent$2(told.share)} by ${told.source}`
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
	const repeated = hits.inherent > 0 ? `, ${percent$2(hits.inherent)} can be what sessions repeat of themselves` : "";
	const text = `${percent$2(hits.share)} of the prompt tokens came from the cache, by ${hits.source}${repeated}`;
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
	const found = `${percent$2(hits.share)} of the prompt tokens came from the cache, by ${hits.source}`;
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
	const most = `${found}; the prefixes in whole blocks of ${blocks.blockTokens} tokens give no more than ${percent$2(blocks.share)}`;
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
	return `; with those that do not tell between ${percent$2(hits.least)} and ${percent$2(hits.most)}`;
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
	if (input === 0 || told < TOLD_MIN * successes.length) return null;
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
function percent$2(share) {
	return `${(100 * share).toFixed(2)} %`;
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
		judged("in flight", inFlight, limit),
		judged("backlog", cells(input.backlog, seconds), limit),
		...input.waiting ? [judged("waiting", summed(input.waiting, seconds), limit)] : []
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
function judged(name, values, limit) {
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
	const total = sum(bound);
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
	if (sum(inTurn) === 0) return {
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
	const total = sum(counts);
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
function sum(counts) {
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
const NAMED$1 = 3;
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
	const more = wrong.length > NAMED$1 ? ` and ${wrong.length - NAMED$1} more` : "";
	return {
		...shared,
		state: wrong.length === 0 ? "pass" : "fail",
		value: wrong.length,
		limit: 0,
		text: wrong.length === 0 ? `the client kept its times in all ${slices.length} slices of 10 s` : wrong.slice(0, NAMED$1).join("; ") + more
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
const NAMED = 3;
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
	const named = wrong.slice(0, NAMED).join("; ");
	const more = wrong.length > NAMED ? ` and ${wrong.length - NAMED} more` : "";
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
		hostEvidence("gpu", true, presence(view)),
		hostEvidence("gpu_processes", true, foreignProcesses(view)),
		hostEvidence("slowdown", true, slowdown(view)),
		hostEvidence("power_cap", false, powerCap(view)),
		hostEvidence("clocks", false, clocks(view))
	];
}
function presence({ claimed, why, after, sampledShare, lastGap }) {
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
	const seen = `${claimed.length} GPUs, sampled over ${percent$1(sampledShare)} of the arrivals`;
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
				const by = heldTooLong ? `${(held / 1e6).toFixed(1)} s` : `${percent$1(seen?.share ?? 0)} of the samples`;
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
	const text = `the power limit held the clocks of the most capped GPU for ${percent$1(most)} of the load`;
	return {
		state: "pass",
		value: rounded(most),
		unit: "share",
		text
	};
}
function clocks({ claimed, why, samples }) {
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
	const held = [...limits].toSorted(([, a], [, b]) => b - a).map(([reason, share]) => `${reason} ${percent$1(share)}`);
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
function percent$1(share) {
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
		hostEvidence("memory", false, memory(machine))
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
function memory({ host, before, after }) {
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
function readTimeline(lines, replicas) {
	const timeline = {
		client: [],
		scrapes: Array.from({ length: replicas }, () => []),
		failedScrapes: 0,
		events: [],
		machine: [],
		evidence: []
	};
	for (const line of lines) if (line.t === "client") timeline.client.push(line);
	else if (line.t === "engine") timeline.scrapes[line.replica]?.push({
		atUs: line.atUs,
		values: line.values
	});
	else if (line.t === "gap") timeline.failedScrapes += 1;
	else if (line.t === "event") timeline.events.push(line);
	else if (line.t === "machine") timeline.machine.push(line);
	else if (line.t === "evidence") timeline.evidence.push(line.evidence);
	timeline.client.sort(byTime);
	for (const scrapes of timeline.scrapes) scrapes.sort(byTime);
	timeline.events.sort(byTime);
	timeline.machine.sort(byTime);
	return timeline;
}
function byTime(a, b) {
	return a.atUs - b.atUs;
}
const ADVICE = new Set([
	"tokens.input",
	"tokens.output",
	"cache_hit.blocks",
	"stability.quiesce",
	"host.remapped_rows"
]);
const PROVEN_OTHERWISE = new Set(["cache_hit.reset"]);
function markRequired(evidence, acceptance) {
	const groups = acceptance.required_evidence;
	return evidence.map((item) => {
		const required = item.required && groups.includes(evidenceGroup(item.probe)) && !PROVEN_OTHERWISE.has(item.probe);
		return {
			...item,
			required
		};
	});
}
function unaskedGroups(evidence, acceptance) {
	return missingGroups(evidence, acceptance.required_evidence).map((group) => ({
		probe: group,
		state: "unknown",
		required: true,
		blames: "host",
		text: "no probe told anything"
	}));
}
function pointOutcome(input) {
	const failed = input.evidence.filter((item) => item.state === "fail" && decides(item));
	const first = [
		["invalid", failed.filter(({ blames }) => blames !== "engine").map(evidenceReason)],
		["fail", [...gateReasons(input), ...failed.filter(isEnginesOwn).map(evidenceReason)]],
		["undersampled", sampleReasons(input)],
		["unknown", unknownReasons(input)]
	].find(([, reasons]) => reasons.length > 0);
	if (!first) return {
		outcome: "pass",
		reasons: []
	};
	return {
		outcome: first[0],
		reasons: first[1]
	};
}
function decides({ probe, required }) {
	return required || EVIDENCE_GROUPS.includes(evidenceGroup(probe)) && !ADVICE.has(probe);
}
function isEnginesOwn({ blames, probe }) {
	return blames === "engine" && probe !== "queue.trend";
}
function evidenceReason({ probe, state, text, value, limit }) {
	const [group, detail] = probe.split(".", 2);
	return {
		code: state === "unknown" ? "evidence_unknown" : group === "stability" && detail ? detail : "evidence_failed",
		text: `${probe}: ${text ?? state}`,
		...value === void 0 ? {} : { value },
		...limit === void 0 ? {} : { limit }
	};
}
function gateReasons({ slo, acceptance, hopeless }) {
	const reasons = [];
	const shortfalls = [];
	const classes = Object.entries(slo.classes);
	for (const [name, report] of classes) {
		const { attainment, sample_adequate: adequate } = report;
		const limit = acceptance.class_slo_attainment_min;
		if (attainment === null || attainment >= limit) continue;
		const reason = {
			code: "class_attainment",
			text: `${name}: ${percent(attainment)} of ${report.successful_count} successes met their cutoffs`,
			class: name,
			value: attainment,
			limit
		};
		if (adequate) reasons.push(reason);
		else shortfalls.push(reason);
	}
	if (slo.error_rate !== null && slo.error_rate > acceptance.error_rate_max) {
		const text = `${slo.failed} of ${slo.attempted} requests failed (${percent(slo.error_rate)})`;
		reasons.push({
			code: "error_rate",
			text,
			value: slo.error_rate,
			limit: acceptance.error_rate_max
		});
	}
	for (const [name, report] of classes) {
		const rate = report.error_rate ?? 0;
		const limit = acceptance.class_error_rate_max;
		if (limit !== void 0 && rate > limit) {
			const text = `${name}: ${report.failed_count} of ${report.attempted_count} requests failed (${percent(rate)})`;
			reasons.push({
				code: "class_error_rate",
				text,
				class: name,
				value: rate,
				limit
			});
		}
		const share = report.attempted_attainment;
		const least = acceptance.attempted_attainment_min;
		if (least !== void 0 && share !== null && share < least) {
			const text = `${name}: ${percent(share)} of ${report.attempted_count} attempts met their cutoffs`;
			reasons.push({
				code: "attempted_attainment",
				text,
				class: name,
				value: share,
				limit: least
			});
		}
	}
	if (slo.queue_trend === "growing") reasons.push({
		code: "queue_growing",
		text: "the queue grew over the arrival window"
	});
	if (hopeless === null) return reasons;
	return [
		...reasons,
		...shortfalls,
		{
			code: "cannot_pass",
			text: hopeless
		}
	];
}
function sampleReasons({ slo, acceptance }) {
	const limit = acceptance.min_successful_samples_per_class;
	return Object.entries(slo.classes).filter(([, report]) => !report.sample_adequate).map(([name, { successful_count: value }]) => ({
		code: "undersampled",
		text: `${name}: ${value} successes, fewer than ${limit}`,
		class: name,
		value,
		limit
	}));
}
function unknownReasons({ slo, evidence, stoppedEarly }) {
	const reasons = evidence.filter(({ required, state }) => required && state === "unknown").map(evidenceReason);
	if (slo.queue_trend === "unknown" && !reasons.some(({ text }) => text.startsWith("queue.trend"))) reasons.push({
		code: "queue_unknown",
		text: "the queue’s trend is not known"
	});
	if (stoppedEarly !== null) reasons.push({
		code: "stopped_early",
		text: `stopped early: ${stoppedEarly}`
	});
	if (reasons.length === 0 && !slo.capacity_gate_pass) reasons.push({
		code: "gate_not_passed",
		text: "the report does not pass, and no gate says why"
	});
	return reasons;
}
function percent(share) {
	return `${(100 * share).toFixed(2)} %`;
}
function judgePoint(files) {
	const { manifest, dialect, schedule, table } = files;
	const facts = factsOf$1(files);
	const records = [...tableRecords(table)];
	const found = pointEvidence({
		manifest,
		dialect,
		schedule,
		facts,
		records,
		timeline: readTimeline(files.lines, facts.replicas)
	});
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
		reasons
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
const LOOKS_LIKE_FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const IS_GUARDED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
function guardFormula(text) {
	return LOOKS_LIKE_FORMULA.test(text) ? `'${text}` : text;
}
function unguardFormula(cell) {
	return IS_GUARDED.test(cell) ? cell.slice(1) : cell;
}
const REFERENCE_COLUMNS = [
	"request_id",
	"class",
	"ttft_ms",
	"tpot_ms",
	"e2e_ms",
	"output_tokens",
	"status"
];
const NOTHING_MEASURED = [
	"0",
	"0",
	"0",
	"0"
];
const columns = [
	["request_id", (record) => text$1(record.id)],
	["class", (record) => quoteCell(record.class)],
	["ttft_ms", (_, measured) => measured[0]],
	["tpot_ms", (_, measured) => measured[1]],
	["e2e_ms", (_, measured) => measured[2]],
	["output_tokens", (_, measured) => measured[3]],
	["status", (record) => record.status],
	["due_us", (record) => String(record.dueUs)],
	["sent_us", (record) => integer(record.sentUs)],
	["first_token_us", (record) => integer(record.firstTokenUs)],
	["last_token_us", (record) => integer(record.lastTokenUs)],
	["end_us", (record) => String(record.endUs)],
	["send_lag_ms", (record) => span(record.dueUs, record.sentUs)],
	["ttft_from_due_ms", (record) => span(record.dueUs, record.firstTokenUs)],
	["e2e_from_due_ms", (record) => span(record.dueUs, record.lastTokenUs)],
	["input_tokens", (record) => integer(record.inputTokens)],
	["cached_tokens", (record) => integer(record.cachedTokens)],
	["chunks", (record) => String(record.chunks)],
	["gap_p50_ms", (record) => gap(record.gapUs?.p50)],
	["gap_p95_ms", (record) => gap(record.gapUs?.p95)],
	["gap_max_ms", (record) => gap(record.gapUs?.max)],
	["http_status", (record) => integer(record.httpStatus)],
	["finish_reason", (record) => text$1(record.finishReason)],
	["error_code", (record) => text$1(record.errorCode)],
	["replica", (record) => integer(record.replica)],
	["session", (record) => text$1(record.session)],
	["turn", (record) => integer(record.turn)],
	["first_content_us", (record) => integer(record.firstContentUs)],
	["handed_us", (record) => integer(record.handedUs)],
	["observed_output_tokens", (record) => integer(record.outputTokens)]
];
const REQUESTS_CSV_COLUMNS = columns.map(([name]) => name);
function encodeRequestsCsv(records) {
	let csv = `${REQUESTS_CSV_COLUMNS.join(",")}\n`;
	for (const record of records) {
		const measured = record.status === "ok" ? measure(record) : NOTHING_MEASURED;
		csv += `${columns.map(([, cell]) => cell(record, measured)).join(",")}\n`;
	}
	return csv;
}
function measure(record) {
	const { sentUs, firstTokenUs, lastTokenUs, outputTokens } = record;
	if (sentUs === null || firstTokenUs === null || lastTokenUs === null || outputTokens === null) throw new GateError({
		code: "record_incomplete",
		message: `request ${JSON.stringify(record.id)} is ok but lacks a time or its output tokens`,
		hint: "resolve it as an error before it is written"
	});
	const tpot = nsAsMsText(tpotNs(lastTokenUs - firstTokenUs, outputTokens));
	return [
		msText(firstTokenUs - sentUs),
		tpot,
		msText(lastTokenUs - sentUs),
		String(outputTokens)
	];
}
function text$1(value) {
	return value === null ? "" : quoteCell(guardFormula(value));
}
function quoteCell(value) {
	return /[",\r\n]/.test(value) ? `"${value.replaceAll("\"", "\"\"")}"` : value;
}
function integer(value) {
	return value === null ? "" : String(value);
}
function span(fromUs, toUs) {
	return toUs === null ? "" : msText(toUs - fromUs);
}
function gap(us) {
	return us === void 0 ? "" : msText(Math.round(us));
}
const FIRST_CAPACITY = 1024;
var FloatColumn = class {
	last = NaN;
	#data = new Float64Array(FIRST_CAPACITY);
	#length = 0;
	push(value) {
		if (this.#length === this.#data.length) this.#data = new Float64Array(this.#data.buffer.transfer(this.#data.byteLength * 2));
		this.#data[this.#length++] = value;
		this.last = value;
	}
	values() {
		return this.#data.subarray(0, this.#length);
	}
};
var IntColumn = class {
	#data = new Int32Array(FIRST_CAPACITY);
	#length = 0;
	push(value) {
		if (this.#length === this.#data.length) this.#data = new Int32Array(this.#data.buffer.transfer(this.#data.byteLength * 2));
		this.#data[this.#length++] = value;
	}
	values() {
		return this.#data.subarray(0, this.#length);
	}
};
var TextColumn = class {
	#index = new IntColumn();
	#seen = new Map();
	#texts = [];
	get distinct() {
		return this.#texts.length;
	}
	push(text) {
		if (text === null) {
			this.#index.push(-1);
			return;
		}
		let at = this.#seen.get(text);
		if (at === void 0) {
			at = this.#texts.length;
			this.#texts.push(text);
			this.#seen.set(text, at);
		}
		this.#index.push(at);
	}
	values() {
		return {
			index: this.#index.values(),
			texts: this.#texts
		};
	}
};
const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));
const DECIMAL = /^ *[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)? *$/;
const INTEGER = /^ *[+-]?\d+ *$/;
const DOT = 46;
const ZERO = 48;
function parseDecimal(text) {
	const length = text.length;
	if (length === 0 || length > 16) return parseAnyDecimal(text);
	let digits = 0;
	let fraction = -1;
	let mantissa = 0;
	for (let i = 0; i < length; i++) {
		const char = text.charCodeAt(i);
		if (char === DOT && fraction < 0) {
			fraction = 0;
			continue;
		}
		const digit = char - ZERO;
		if (digit < 0 || digit > 9) return parseAnyDecimal(text);
		mantissa = mantissa * 10 + digit;
		digits++;
		if (fraction >= 0) fraction++;
	}
	if (digits === 0 || digits > 15) return parseAnyDecimal(text);
	return fraction > 0 ? mantissa / (POWERS_OF_TEN[fraction] ?? NaN) : mantissa;
}
function parseAnyDecimal(text) {
	return DECIMAL.test(text) ? Number(text) : NaN;
}
function parseInteger(text) {
	const length = text.length;
	let value = 0;
	for (let i = 0; i < length; i++) {
		const digit = text.charCodeAt(i) - ZERO;
		if (digit < 0 || digit > 9) return parseAnyInteger(text);
		value = value * 10 + digit;
	}
	return length > 0 && length <= 15 ? value : parseAnyInteger(text);
}
function parseAnyInteger(text) {
	const value = INTEGER.test(text) ? Number(text) : NaN;
	return Number.isSafeInteger(value) ? value : NaN;
}
const MAX_INT32 = 0x7fffffff;
var Header = class {
	file;
	width;
	#position;
	constructor(names, file) {
		this.file = file;
		this.width = names.length;
		this.#position = new Map(names.map((name, index) => [name, index]));
		const twice = names.find((name, index) => names.indexOf(name) !== index);
		if (twice !== void 0) this.#refuseHeader(`the column ${quoted(twice)} stands twice`);
		const missing = REFERENCE_COLUMNS.filter((name) => !this.#position.has(name));
		if (missing.length > 0) this.#refuseHeader(`the header lacks ${missing.join(", ")}`);
	}
	at(name) {
		return this.#position.get(name) ?? -1;
	}
	latency(name, at, cells, line) {
		const value = parseDecimal(cells[at] ?? "");
		if (Number.isFinite(value) && value >= 0) return value;
		return this.refuse("csv_number", line, name, cells, "is no finite decimal number of at least 0", "write 123.456");
	}
	count(name, at, cells, line, max = MAX_INT32) {
		const value = parseInteger(cells[at] ?? "");
		if (value >= 0 && value <= max) return value;
		return this.refuse("csv_number", line, name, cells, "is no whole number from 0 up", "write digits only");
	}
	microseconds(name, at, cells, line) {
		const ms = parseDecimal(cells[at] ?? "");
		const us = Math.round(ms * 1e3);
		if (us >= 0 && us / 1e3 === ms) return us;
		return this.refuse("csv_number", line, name, cells, "is no time in milliseconds with three decimals", "write 1.234");
	}
	refuse(code, line, column, cells, what, hint) {
		const cell = quoted(cells[this.at(column)] ?? "");
		throw refusal(this.file, {
			code,
			row: line,
			column,
			what: `${cell} ${what}`,
			hint
		});
	}
	#refuseHeader(what) {
		const hint = `the first line names the columns, ${REFERENCE_COLUMNS.join(",")} among them`;
		throw refusal(this.file, {
			code: "csv_header",
			row: 1,
			what,
			hint
		});
	}
};
const requiredTimes = [
	"due_us",
	"sent_us",
	"first_token_us",
	"last_token_us",
	"end_us"
];
const times = [
	...requiredTimes,
	"first_content_us",
	"handed_us"
];
const counts = [
	"input_tokens",
	"cached_tokens",
	"chunks",
	"http_status",
	"replica",
	"turn"
];
const gaps = [
	"gap_p50_ms",
	"gap_p95_ms",
	"gap_max_ms"
];
const texts = [
	"finish_reason",
	"error_code",
	"session"
];
const neverEmpty = new Set([
	"due_us",
	"end_us",
	"chunks"
]);
const ORIGIN = /^[A-Za-z0-9._+-]+(\/[A-Za-z0-9._+-]+)?$/;
const columnsOf = (names, make) => Object.fromEntries(names.map((name) => [name, make()]));
const notAnalyzed = new Set([
	"first_content_us",
	"handed_us",
	"chunks",
	"replica",
	"turn",
	...gaps,
	"finish_reason",
	"session"
]);
var OwnColumns = class {
	hasTimes;
	#origin = null;
	#originAt;
	#header;
	#kept;
	#times = columnsOf(times, () => new FloatColumn());
	#counts = columnsOf(counts, () => new IntColumn());
	#gaps = columnsOf(gaps, () => new FloatColumn());
	#texts = columnsOf(texts, () => new TextColumn());
	#readers;
	#observedAt;
	#derived;
	constructor(header, kept) {
		this.#header = header;
		this.#kept = kept;
		this.hasTimes = requiredTimes.every((name) => header.at(name) >= 0);
		this.#readers = this.hasTimes ? this.#makeReaders() : [];
		this.#observedAt = header.at("observed_output_tokens");
		this.#originAt = header.at("origin");
		this.#derived = derivedColumns.map((name) => [name, header.at(name)]);
	}
	read(cells, line, isOk, outputTokens) {
		if (this.#isImported) this.#readOrigin(cells, line);
		for (const read of this.#readers) read(cells, line);
		if (this.hasTimes) this.#compare(cells, line, isOk, outputTokens);
	}
	observedTokens(cells, line) {
		const at = this.#observedAt;
		if (!this.hasTimes || at < 0 || cells[at] === "") return -1;
		return this.#header.count("observed_output_tokens", at, cells, line);
	}
	values() {
		const dueUs = this.#times.due_us.values();
		return {
			origin: this.#origin,
			hasTimes: this.hasTimes,
			hasDue: this.hasTimes && !(this.#isImported && dueUs.some(Number.isNaN)),
			dueUs,
			handedUs: this.#times.handed_us.values(),
			sentUs: this.#times.sent_us.values(),
			firstTokenUs: this.#times.first_token_us.values(),
			firstContentUs: this.#times.first_content_us.values(),
			lastTokenUs: this.#times.last_token_us.values(),
			endUs: this.#times.end_us.values(),
			inputTokens: this.#counts.input_tokens.values(),
			cachedTokens: this.#counts.cached_tokens.values(),
			chunks: this.#counts.chunks.values(),
			gapP50Us: this.#gaps.gap_p50_ms.values(),
			gapP95Us: this.#gaps.gap_p95_ms.values(),
			gapMaxUs: this.#gaps.gap_max_ms.values(),
			httpStatus: this.#counts.http_status.values(),
			finishReason: this.#texts.finish_reason.values(),
			errorCode: this.#texts.error_code.values(),
			replica: this.#counts.replica.values(),
			session: this.#texts.session.values(),
			turn: this.#counts.turn.values()
		};
	}
	get #isImported() {
		return this.#originAt >= 0;
	}
	#readOrigin(cells, line) {
		const cell = cells[this.#originAt] ?? "";
		if (cell === this.#origin) return;
		const hint = "hand in the file as `import` wrote it";
		if (this.#origin !== null) this.#header.refuse("csv_origin", line, "origin", cells, `is not ${this.#origin}`, hint);
		if (cell.length > 80 || !ORIGIN.test(cell)) this.#header.refuse("csv_origin", line, "origin", cells, "names no tool", hint);
		this.#origin = cell;
	}
	#makeReaders() {
		const header = this.#header;
		const readers = [];
		const forPresent = (names, add) => {
			for (const name of names) if (header.at(name) >= 0) add(name, header.at(name));
		};
		const isKept = (name) => this.#kept === "all" || !notAnalyzed.has(name);
		const isNothing = (name, cell) => cell === "" && (this.#isImported || !neverEmpty.has(name));
		forPresent(times, (name, at) => {
			const column = this.#times[name];
			const keeps = isKept(name);
			const max = Number.MAX_SAFE_INTEGER;
			readers.push((cells, line) => {
				const value = isNothing(name, cells[at]) ? NaN : header.count(name, at, cells, line, max);
				if (keeps) column.push(value);
			});
		});
		forPresent(counts, (name, at) => {
			const column = this.#counts[name];
			const keeps = isKept(name);
			readers.push((cells, line) => {
				const value = isNothing(name, cells[at]) ? -1 : header.count(name, at, cells, line);
				if (keeps) column.push(value);
			});
		});
		forPresent(gaps, (name, at) => {
			const column = this.#gaps[name];
			const keeps = isKept(name);
			readers.push((cells, line) => {
				const value = cells[at] === "" ? NaN : header.microseconds(name, at, cells, line);
				if (keeps) column.push(value);
			});
		});
		forPresent(texts, (name, at) => {
			const column = this.#texts[name];
			if (!isKept(name)) return;
			readers.push((cells) => column.push(cells[at] ? unguardFormula(cells[at]) : null));
		});
		return readers;
	}
	#compare(cells, line, isOk, outputTokens) {
		const due = this.#times.due_us.last;
		const sent = this.#times.sent_us.last;
		const first = this.#times.first_token_us.last;
		const last = this.#times.last_token_us.last;
		const expected = {
			ttft_ms: isOk ? (first - sent) / 1e3 : 0,
			tpot_ms: isOk ? tpotNs(last - first, outputTokens) / 1e6 : 0,
			e2e_ms: isOk ? (last - sent) / 1e3 : 0,
			output_tokens: isOk ? outputTokens : 0,
			send_lag_ms: (sent - due) / 1e3,
			ttft_from_due_ms: (first - due) / 1e3,
			e2e_from_due_ms: (last - due) / 1e3
		};
		for (const [name, at] of this.#derived) {
			const value = expected[name];
			if (at < 0 || this.#isImported && Number.isNaN(value) && isReference(name)) continue;
			if (!agrees(name, cells[at] ?? "", value)) this.#disagree(name, cells, line);
		}
		const observed = this.#observedAt;
		if (isOk && observed >= 0 && this.observedTokens(cells, line) !== outputTokens) this.#disagree("observed_output_tokens", cells, line);
	}
	#disagree(name, cells, line) {
		return this.#header.refuse("csv_times_disagree", line, name, cells, "disagrees with the row’s microseconds", "write milliseconds as they follow from the microseconds, or leave our columns out");
	}
};
const referenceDerived = [
	"ttft_ms",
	"tpot_ms",
	"e2e_ms",
	"output_tokens"
];
const derivedColumns = [
	"ttft_ms",
	"tpot_ms",
	"e2e_ms",
	"output_tokens",
	"send_lag_ms",
	"ttft_from_due_ms",
	"e2e_from_due_ms"
];
function isReference(name) {
	return referenceDerived.includes(name);
}
function agrees(name, cell, expected) {
	if (cell === "") return Number.isNaN(expected) && !isReference(name);
	return parseDecimal(cell) === expected;
}
var UniqueIds = class {
	all = [];
	#last = "";
	#seen = null;
	add(id) {
		if (this.#seen === null && this.all.length > 0 && !isAfter(id, this.#last)) this.#seen = new Set(this.all);
		if (this.#seen?.has(id)) return false;
		this.#seen?.add(id);
		this.all.push(id);
		this.#last = id;
		return true;
	}
};
function isAfter(id, last) {
	return id.length === last.length ? id > last : id.length > last.length;
}
const MAX_CLASSES = 1e3;
const CONVENTION_TOLERANCE_MS = .5;
const OK = "ok";
var RowReader = class {
	#header;
	#own;
	#at;
	#statusIndex = new Map(STATUSES.map((status, index) => [status, index]));
	#ids = new UniqueIds();
	#lines = new IntColumn();
	#classes = new TextColumn();
	#status = new IntColumn();
	#ttftMs = new FloatColumn();
	#tpotMs = new FloatColumn();
	#e2eMs = new FloatColumn();
	#outputTokens = new IntColumn();
	constructor(names, file, kept) {
		const header = new Header(names, file);
		this.#header = header;
		this.#own = new OwnColumns(header, kept);
		this.#at = {
			id: header.at("request_id"),
			class: header.at("class"),
			status: header.at("status"),
			ttft: header.at("ttft_ms"),
			tpot: header.at("tpot_ms"),
			e2e: header.at("e2e_ms"),
			tokens: header.at("output_tokens")
		};
	}
	add(cells, line) {
		const header = this.#header;
		if (cells.length !== header.width) throw this.#wrongLength(cells, line);
		this.#addId(cells, line);
		const status = this.#statusIndex.get(cells[this.#at.status] ?? "");
		if (status === void 0) return header.refuse("csv_status", line, "status", cells, "is no terminal status", `write ${STATUSES.join(", ")}`);
		this.#lines.push(line);
		this.#status.push(status);
		this.#classes.push(cells[this.#at.class] ?? "");
		if (this.#classes.distinct > MAX_CLASSES) header.refuse("csv_class", line, "class", cells, "is one class too many", `a workload has up to ${MAX_CLASSES}`);
		const isOk = STATUSES[status] === OK;
		const outputTokens = isOk ? this.#addMeasured(cells, line) : this.#addUnmeasured(cells, line);
		this.#own.read(cells, line, isOk, outputTokens);
	}
	table() {
		return {
			file: this.#header.file,
			rows: this.#ids.all.length,
			lines: this.#lines.values(),
			ids: this.#ids.all,
			classes: this.#classes.values(),
			status: this.#status.values(),
			ttftMs: this.#ttftMs.values(),
			tpotMs: this.#tpotMs.values(),
			e2eMs: this.#e2eMs.values(),
			outputTokens: this.#outputTokens.values(),
			...this.#own.values()
		};
	}
	#wrongLength(cells, line) {
		return refusal(this.#header.file, {
			code: "csv_row_length",
			row: line,
			what: `${cells.length} cells where the header has ${this.#header.width}`,
			hint: "write a cell for each column, quoted where it holds a comma"
		});
	}
	#addId(cells, line) {
		const header = this.#header;
		const cell = cells[this.#at.id] ?? "";
		if (cell === "") header.refuse("csv_id", line, "request_id", cells, "names no request", "give every request an id");
		const id = this.#own.hasTimes ? unguardFormula(cell) : cell;
		if (!this.#ids.add(id)) header.refuse("csv_id", line, "request_id", cells, "stood before", "write each scheduled request once");
	}
	#addMeasured(cells, line) {
		const header = this.#header;
		const ttft = header.latency("ttft_ms", this.#at.ttft, cells, line);
		const tpot = header.latency("tpot_ms", this.#at.tpot, cells, line);
		const e2e = header.latency("e2e_ms", this.#at.e2e, cells, line);
		const tokens = header.count("output_tokens", this.#at.tokens, cells, line);
		if (Math.abs(e2e - (ttft + tpot * (tokens - 1))) > CONVENTION_TOLERANCE_MS) header.refuse("csv_inconsistent", line, "e2e_ms", cells, "is not TTFT + TPOT · (output tokens − 1) within 0.5 ms", "TPOT is (E2E − TTFT)/(output tokens − 1), all of one clock");
		this.#ttftMs.push(ttft);
		this.#tpotMs.push(tpot);
		this.#e2eMs.push(e2e);
		this.#outputTokens.push(tokens);
		return tokens;
	}
	#addUnmeasured(cells, line) {
		this.#ttftMs.push(0);
		this.#tpotMs.push(0);
		this.#e2eMs.push(0);
		const tokens = this.#own.observedTokens(cells, line);
		this.#outputTokens.push(tokens);
		return tokens;
	}
};
const CHUNK_BYTES = 65536;
const MAX_ROW_BYTES = 131072;
const DEFAULT_MAX_ROWS = 5e6;
async function readRequestsCsv(source, options = {}) {
	const file = options.file ?? "requests.csv";
	const reading = {
		file,
		kept: options.columns ?? "all",
		maxRows: options.maxRows ?? DEFAULT_MAX_ROWS,
		rows: null,
		count: 0
	};
	const parser = makeParser(reading);
	const decoder = new TextDecoder("utf-8", { fatal: true });
	try {
		for await (const chunk of chunksOf(source)) {
			refuseBinary(decoder, chunk, file, parser.info.lines);
			await write$1(parser, chunk);
		}
		refuseBinary(decoder, null, file, parser.info.lines);
		await end(parser);
	} catch (error) {
		throw explain(error, file, parser.info.lines);
	} finally {
		parser.destroy();
	}
	if (reading.rows === null) throw emptyFile(file);
	return reading.rows.table();
}
function makeParser(reading) {
	const parser = new Parser({
		bom: true,
		record_delimiter: [
			"\r\n",
			"\n",
			"\r"
		],
		skip_empty_lines: true,
		relax_column_count: true,
		max_record_size: MAX_ROW_BYTES,
		on_record: (cells, { lines }) => {
			if (reading.rows !== null) {
				if (++reading.count > reading.maxRows) throw tooManyRows(reading);
				reading.rows.add(cells, lines);
			} else {
				if (lines !== 1) throw emptyFile(reading.file);
				reading.rows = new RowReader(cells, reading.file, reading.kept);
			}
			return null;
		}
	});
	parser.on("error", () => {});
	parser.resume();
	return parser;
}
function write$1(parser, chunk) {
	return new Promise((resolve, reject) => {
		parser.write(chunk, (error) => error ? reject(error) : resolve());
	});
}
function end(parser) {
	return new Promise((resolve, reject) => {
		parser.once("error", reject);
		parser.once("end", resolve);
		parser.end();
	});
}
async function* chunksOf(source) {
	if (typeof source !== "string" && !(source instanceof Uint8Array)) {
		yield* source;
		return;
	}
	const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
	for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}
function refuseBinary(decoder, chunk, file, line) {
	let isText = chunk === null || !chunk.includes(0);
	try {
		decoder.decode(chunk ?? new Uint8Array(), { stream: chunk !== null });
	} catch {
		isText = false;
	}
	if (isText) return;
	throw refusal(file, {
		code: "csv_not_text",
		what: `no text in UTF-8, at or after row ${line}`,
		hint: "hand in requests.csv itself, uncompressed"
	});
}
function emptyFile(file) {
	return refusal(file, {
		code: "csv_header",
		row: 1,
		what: "there is no header",
		hint: "the first line names the columns"
	});
}
function tooManyRows(reading) {
	return refusal(reading.file, {
		code: "csv_too_many_rows",
		what: `more than ${reading.maxRows} rows`,
		hint: "a point has as many rows as its schedule"
	});
}
function explain(error, file, line) {
	if (!(error instanceof CsvError)) return error;
	const [what, hint] = syntax[error.code] ?? [error.message, "write it as RFC 4180 says"];
	return refusal(file, {
		code: "csv_syntax",
		row: line,
		what,
		hint,
		cause: error
	});
}
const syntax = {
	CSV_QUOTE_NOT_CLOSED: ["a quoted cell does not end", "close the quote"],
	CSV_INVALID_CLOSING_QUOTE: ["text follows a closing quote", "write a quote inside a quoted cell twice"],
	INVALID_OPENING_QUOTE: ["a quote stands inside a bare cell", "quote the whole cell and write the quote twice"],
	CSV_MAX_RECORD_SIZE: [`a row is longer than ${MAX_ROW_BYTES} bytes`, "look for a quote that does not end before it"]
};
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
const microseconds = int();
const count = int().min(0);
const replica = int().min(0);
const text = string();
const blames = _enum([
	"engine",
	"client",
	"host"
]);
const keySchema = strictObject({
	cache: _enum(["cold", "warm"]),
	load: union([strictObject({ openMilliRps: int().min(1) }), strictObject({ closedConcurrency: int().min(1) })]),
	repeat: int().min(1)
});
const factsSchema = strictObject({
	schema: literal(1),
	key: keySchema,
	epoch: count,
	scheduleSha256: text,
	deployId: text,
	dialect: text,
	replicas: count,
	cohortRequests: count,
	arrivalUs: count,
	cohortUs: count,
	maximumReached: boolean(),
	stoppedEarly: text.nullable(),
	warmupRequests: count
});
const evidenceSchema = strictObject({
	probe: text,
	state: _enum([
		"pass",
		"fail",
		"unknown"
	]),
	required: boolean(),
	blames,
	value: exactOptional(number$2()),
	limit: exactOptional(number$2()),
	unit: exactOptional(text),
	text: exactOptional(text),
	file: exactOptional(text),
	sha256: exactOptional(text)
});
const lineSchema = discriminatedUnion("t", [
	strictObject({
		t: literal("point"),
		facts: factsSchema
	}),
	strictObject({
		t: literal("client"),
		atUs: microseconds,
		inFlight: count,
		backlog: count,
		sent: count,
		resolved: count,
		loopStallUs: count,
		loopBlindUs: exactOptional(count),
		gcMaxUs: count,
		gcUs: count,
		cpuUs: count
	}),
	strictObject({
		t: literal("engine"),
		atUs: microseconds,
		replica,
		values: record(string(), number$2())
	}),
	strictObject({
		t: literal("gap"),
		atUs: microseconds,
		replica,
		error: text
	}),
	strictObject({
		t: literal("machine"),
		atUs: microseconds,
		seen: machineSeenSchema
	}),
	strictObject({
		t: literal("event"),
		atUs: microseconds,
		replica: replica.nullable(),
		kind: text,
		blames,
		text
	}),
	strictObject({
		t: literal("evidence"),
		evidence: evidenceSchema
	})
]);
function encodeTelemetry(lines) {
	const written = [];
	for (const line of lines) written.push(`${JSON.stringify(line)}\n`);
	return written.join("");
}
function parseTelemetry(content) {
	const lines = content.split("\n");
	if (lines.at(-1) !== "") throw damaged(lines.length, "it does not end with a line feed: the file was cut");
	lines.pop();
	if (lines.length === 0) throw damaged(1, "the file is empty");
	return lines.map((line, index) => {
		let json;
		try {
			json = JSON.parse(line);
		} catch (cause) {
			throw damaged(index + 1, "it is no JSON", cause);
		}
		const parsed = lineSchema.safeParse(json);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			throw damaged(index + 1, `${issue?.path.join(".") || "the line"}: ${issue?.message ?? "not as written"}`);
		}
		if (index === 0 && parsed.data.t !== "point") throw damaged(1, "it does not hold the point’s facts");
		return parsed.data;
	});
}
function damaged(line, what, cause) {
	return new GateError({
		code: "telemetry_damaged",
		message: `telemetry.jsonl.gz, line ${line}: ${what}`,
		hint: "take the file from the run that wrote it",
		exitCode: EXIT.invalid,
		...cause === void 0 ? {} : { cause }
	});
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
		var _usingCtx$4 = _usingCtx();
		const { manifest, deployment } = order;
		const lines = [];
		const onLine = (line) => void lines.push(line);
		await keepInterrupted(effects.pack, pointPaths(order.key));
		const journal = _usingCtx$4.a(await effects.pack.appendLines(pointPaths(order.key).journal));
		const rawGaps = _usingCtx$4.a(manifest.client.raw_gaps ? await effects.pack.appendLines(pointPaths(order.key).rawGaps) : null);
		const machine = await PointMachine.look(effects, manifest, deployment, signal);
		const replay = replayOrder(effects, order, shape);
		const counts = createProgress(manifest, replay.blocks);
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
		_usingCtx$4.e = _;
	} finally {
		await _usingCtx$4.d();
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
		maximumDurationUs: Math.round(client.maximum_duration_seconds * 1e6)
	};
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
		const { effects, manifest, dialect, cache, log } = this.#init;
		this.#attempts += 1;
		const deployId = `${cache}-boot-${this.#attempts}`;
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
		var _usingCtx$3 = _usingCtx();
		const { manifest, dialect, cache, plan, baseline, anchor, earlier, log } = order;
		const taken = new Set([...earlier.boots, ...earlier.points].map(({ deployId }) => deployId));
		const boots = _usingCtx$3.a(new Boots({
			effects,
			manifest,
			dialect,
			cache,
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
				points
			});
			if (step.do === "done") break;
			const limit = order.mayMeasure(boots.heldSeconds()) ?? startLimit(points);
			if (limit !== null) {
				limits.push(limit);
				break;
			}
			effects.progress.note(`${pointName(step.key)}: ${step.why}`);
			const point = await measureStep(effects, order, boots, step, points.at(-1) ?? null, signal);
			points.push(point);
			await order.onPoint(point, boots);
			const first = point.reasons[0];
			effects.progress.note(`${pointName(point.key)}: ${point.outcome}${first ? ` – ${first.text}` : ""}`);
		}
		await boots.end();
		return {
			result: capacityResult({
				plan,
				manifest,
				cache,
				baseline,
				anchor,
				points,
				gpuMinutes: boots.heldSeconds() / 60 * manifest.engine.placement.gpus,
				limits
			}),
			boots: boots.records
		};
	} catch (_) {
		_usingCtx$3.e = _;
	} finally {
		await _usingCtx$3.d();
	}
}
async function measureStep(effects, order, boots, step, previous, signal) {
	const { manifest, dialect, schedule, texts } = order;
	const point = {
		manifest,
		dialect,
		schedule,
		...texts ? { texts } : {},
		key: step.key
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
async function measureStates(effects, order, signal) {
	try {
		var _usingCtx$2 = _usingCtx();
		const { manifest, plan, accepted, resumed } = order;
		const { session } = resumed;
		const measured = {
			results: [],
			boots: []
		};
		const log = _usingCtx$2.a(await openEngineLog(effects.pack));
		for (const cache of order.caches) {
			const schedule = order.schedules.get(cache);
			if (!schedule) throw new Error(`no schedule was frozen for ${cache}`);
			const state = session.states[cache] ??= {
				boots: [],
				heldSeconds: 0
			};
			const otherSeconds = () => Object.entries(session.states).reduce((sum, [name, { heldSeconds }]) => sum + (name === cache ? 0 : heldSeconds), 0);
			const { result, boots } = await measureState(effects, {
				manifest,
				dialect: dialectFor(manifest),
				cache,
				schedule,
				texts: order.texts,
				plan,
				baseline: stateOf(accepted.baseline, cache),
				anchor: stateOf(accepted.anchor, cache),
				earlier: {
					points: resumed.points.filter((point) => point.key.cache === cache),
					...state
				},
				log,
				onPoint: async (point, engine) => {
					session.points.push(pointName(point.key));
					state.boots = [...engine.records];
					state.heldSeconds = engine.heldSeconds();
					await writeSession(effects.pack, session);
				},
				mayMeasure: (heldSeconds) => overBudget(order.budgetMinutes, heldSeconds + otherSeconds())
			}, signal);
			measured.results.push(result);
			measured.boots.push(...boots);
		}
		return measured;
	} catch (_) {
		_usingCtx$2.e = _;
	} finally {
		await _usingCtx$2.d();
	}
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
const NOTHING_ACCEPTED = {
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
	const { manifest, caches } = request;
	const kind = isSimulated(manifest) ? "simulated" : "measured";
	const hardware = await effects.host.probe(manifest.engine.placement.gpus);
	const key = {
		gateId: gateId(manifest),
		kind,
		mustEqual: hardware.mustEqual
	};
	const accepted = await effects.store?.load(key) ?? NOTHING_ACCEPTED;
	const plan = effectivePlan(effects, request, accepted);
	const estimate = estimatePlan({
		manifest,
		plan,
		caches,
		...accepted
	});
	for (const line of estimate.lines) effects.progress.note(line);
	requireWithinBudget(estimate, request.budgetMinutes);
	const built = await buildSchedules(manifest, caches, effects.sources);
	const schedules = schedulesOf(built);
	const session = newSession({
		manifest,
		plan,
		caches,
		schedules,
		hardware,
		accepted,
		startedAt: effects.clock.wallTime()
	});
	const resumed = await resumeOrBegin(effects.pack, session, request.resume);
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
	const barred = plan === "confirm" && isBarred(capacityRecord(facts), accepted);
	if (barred) effects.progress.warn("the accepted baseline is of another experiment or machine: nothing is measured");
	const { texts } = built;
	const { budgetMinutes } = request;
	const states = {
		plan,
		accepted,
		schedules,
		texts,
		resumed,
		budgetMinutes,
		manifest,
		caches
	};
	const hasPoints = resumed.points.length > 0;
	const fit = barred ? UNASKED : await fitness(effects, {
		manifest,
		accepted,
		hasPoints
	}, signal);
	const measured = barred || !fit.isFit ? NOTHING : await measureStates(effects, states, signal);
	return finishPack(effects.pack, capacityRecord({
		...facts,
		...measured,
		evidence: fit.evidence
	}), {
		...accepted,
		onMissingBaseline: request.onMissingBaseline,
		context: request.context
	});
}
function effectivePlan(effects, request, accepted) {
	if (request.plan === "sweep" || accepted.baseline !== null || request.onMissingBaseline === "fail") return request.plan;
	if (!request.manifest.sweep) return request.plan;
	effects.progress.note("there is no accepted baseline yet: this first run sweeps, and is recorded without being gated");
	return "sweep";
}
function isBarred(candidate, { baseline }) {
	return baseline !== null && incomparabilities(candidate, baseline).length > 0;
}
function exitCodeOf(verdict, onInconclusive = "fail") {
	switch (verdict.outcome) {
		case "held":
		case "improved":
		case "recorded": return EXIT.ok;
		case "regressed": return EXIT.regressed;
		case "invalid": return EXIT.invalid;
		case "inconclusive": return onInconclusive === "warn" && !isUngated(verdict) ? EXIT.ok : EXIT.inconclusive;
	}
}
const UNGATED = new Set([
	"baseline_missing",
	"baseline_state_missing",
	"experiment_differs",
	"imported_cohort"
]);
function isUngated(verdict) {
	return allReasons(verdict).some(({ code }) => UNGATED.has(code));
}
const REASONS_MAX = 4;
const DELTAS_MAX = 30;
function renderText(input) {
	const { verdict, record } = input;
	return [
		`${verdict.outcome === "recorded" ? "NOT GATED (recorded)" : verdict.outcome.toUpperCase()}: ${sentence(input, plainInk)}`,
		...record.kind === "simulated" ? [SIMULATED] : [],
		...verdict.reasons.slice(0, REASONS_MAX).map((item) => `  ${reasonText(item)}`),
		...verdict.states.slice(0, 2).flatMap((state) => [...stateLines(state), ...deltaLines(input, state)]),
		...nextSteps(input).map((step) => `  → ${step.replaceAll("`", "")}`),
		...acceptLines(input)
	].join("\n");
}
function acceptLines(input) {
	const found = acceptance(input);
	return found === null ? [] : [`  → ${found.text}`, ...found.commands.map((command) => `      ${command}`)];
}
function reasonText({ code, text }) {
	return `${plainText(code, 60)}: ${plainText(text, 200)}`;
}
function stateLines(state) {
	const change = state.changeShare === null ? "" : `, change ${signedPercent(state.changeShare)} %`;
	const rates = `baseline ${milliRps$1(state.baselineMilliRps)}, guard ${milliRps$1(state.guardMilliRps)}`;
	return [`  ${state.cache} ${state.outcome}: ${rates}, carries ${carriedRps(state)} RPS${change}`, ...state.reasons.slice(0, REASONS_MAX).map((item) => `    ${reasonText(item)}`)];
}
function deltaLines({ record, baseline }, { deltas }) {
	if (record.kind !== "imported" && baseline?.kind !== "imported") return [];
	return deltas.slice(0, DELTAS_MAX).map((delta) => {
		const of = delta.class === null ? "all classes" : plainText(delta.class, 60);
		const title = METRIC_TITLES.get(delta.metric) ?? plainText(delta.metric, 40);
		const [was, is] = [metricText(delta.metric, delta.base), metricText(delta.metric, delta.now)];
		return `    ${of}, ${title}: ${was} → ${is} (${changeText$2(delta)})`;
	});
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
const LINE_MAX = 2e3;
function failureOf(error, command = null) {
	if (isSuppressing(error)) return failureOf(error.suppressed, command);
	if (error instanceof CommanderError) return misuse(error, command);
	if (error instanceof GateError) return {
		code: error.code,
		exitCode: error.exitCode,
		what: plainText(error.message, LINE_MAX),
		hint: plainText(error.hint, LINE_MAX),
		stack: stackOf(error)
	};
	const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	return {
		code: "internal",
		exitCode: EXIT.failed,
		what: plainText(`the tool itself failed: ${message}`, LINE_MAX),
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
	const what = error.code === "commander.help" ? "no command was given" : first.replace(/^error: /, "");
	const meant = suggestion === void 0 ? null : /^\(Did you mean (.*)\?\)$/.exec(suggestion)?.[1];
	return {
		code: "usage",
		exitCode: EXIT.usage,
		what: plainText(what, LINE_MAX),
		hint: meant ? `did you mean ${plainText(meant, LINE_MAX)}?` : `see capacity-gate ${command === null ? "" : `${command} `}--help`,
		stack: stackOf(error)
	};
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
export { freezeSchedule as $, parsePointReport as $t, refusal as A, METRIC_NAMES as At, parseSession as B, importedReason as Bt, NOTHING_MEASURED as C, writeChecksums as Ct, pointOutcome as D, headResult as Dt, guardFormula as E, earlierHeads as Et, tpotNs as F, rps as Ft, schedulePath as G, renderFailureTest as Gt, buildSchedules as H, openMilliRps as Ht, scheduleBlocks as I, signedPercent as It, TraceReader as J, packJson as Jt, schedulesOf as K, columns$1 as Kt, capacityResult as L, safeUrl as Lt, textAt as M, milliRps$1 as Mt, msText as N, percent$3 as Nt, analyzeManifest as O, parseHeads as Ot, nsAsMsText as P, plural as Pt, scheduleHeader as Q, parseCapacityRecord as Qt, openEngineLog as R, allReasons as Rt, parseInteger as S, parseChecksums as St, quoteCell as T, fittedBody as Tt, freezeSchedules as U, readTerms as Ut, capacityRecord as V, isDecisive as Vt, scheduleDigests as W, milliRps$2 as Wt, MOST_TOKENS as X, readPackText as Xt, TRACE_FORMATS as Y, pathsOf as Yt, buildSchedule as Z, openStore as Zt, judgeWritten as _, CONTEXT_FILE as _t, failureText as a, neededMilliRps as at, readRequestsCsv as b, gate as bt, CommanderError as c, promote as ct, exitCodeOf as d, lint as dt, recordSha256 as en, storedFitness as et, run as f, readManifest as ft, judgeFiles as g, require_fastest_levenshtein as gt, measurePoint as h, MOST_REQUESTS as ht, failureOf as i, calibrate as it, SHORTEST_SECONDS as j, worstAttainment as jt, quoted as k, tellsHead as kt, InvalidArgumentError as l, changeText as lt, factsOf as m, require_dist as mt, workflowRepository as n, isUpAlready as nt, Command as o, readPackReport as ot, LIMIT_CODES as p, openYaml as pt, readSources as q, table as qt, interruptible as r, machineFindings as rt, Option as s, parseContextFile as st, clonedRepository as t, machineLook as tt, renderText as u, requireManifest as ut, writeMeasured as v, finishPack as vt, REQUESTS_CSV_COLUMNS as w, renderReportMarkdown as wt, parseDecimal as x, CHECKSUMS as xt, sloReportJson as y, settle as yt, requirePackOfReplays as z, decidingState as zt };
