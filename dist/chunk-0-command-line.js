import { $ as isFit, $t as INPUT_LIMITS, Bn as readEngineConnection, C as portTaken, Cn as int, Ct as dialectNamed, Dn as number, Gn as sha256Hex, Hn as EXIT, I as refusalStatus, In as httpCaller, Jt as pointName, Kn as markdownCode, Ln as printableLine, Mn as string, Nn as tuple, O as parsePrometheus, On as object, Pn as union, Qt as gzipSame, Rn as engineOrigin, Rt as showNumber, St as dialectFor, Tn as literal, Tt as OPENAI, Un as GateError, Wn as _usingCtx, Xn as plainText, Xt as openPack, Zt as gunzipBounded, _ as isHtml, _n as _enum, a as TOOL_VERSION, an as writeAtomically, b as readReset, bt as DIALECTS, c as openTrace, ct as SESSION_PATTERN, d as isObject$1, dn as tooLargeError, dt as randomStream, en as readInputText, et as PLAIN_NEED, f as headFailure, fn as canonicalJson, ft as shuffle, g as lastLine, h as dockerProgram, ht as ceilingOf, in as makeFolder, it as DEFAULT_TOKEN_RANGE, jn as strictObject, l as AnswerStream, ln as fileError, m as systemMachine, n as folderSources, nn as writeOutput, nt as neededEventsPerSecond, o as enginePorts, on as readBounded, ot as uniqueTokens, p as systemClock, pn as canonicalSha256, qn as markdownInk, qt as pointEpoch, r as manifestSources, rn as takeLock, rt as pointNeed, s as composeCalibration, st as ID_PATTERN, t as composeEffects, tn as streamInput, tt as calibrationNeed, u as SseReader, un as systemErrorCode, v as readHealth, vn as _undefined, w as isPortFree, x as readVersion, xt as DIALECT_IDS, y as readModels, yn as array, z as largestRemainder, zn as PLAIN_CONNECTION } from "./chunk-0-compose.js";
import { $ as freezeSchedule, $t as parsePointReport, A as refusal$3, At as METRIC_NAMES, B as parseSession, Bt as importedReason, C as NOTHING_MEASURED, Ct as writeChecksums, D as pointOutcome, E as guardFormula, F as tpotNs, Ft as rps, G as schedulePath, Gt as renderFailureTest, H as buildSchedules, Ht as openMilliRps, I as scheduleBlocks, It as signedPercent, J as TraceReader, Jt as packJson, K as schedulesOf, Kt as columns, L as capacityResult, Lt as safeUrl, M as textAt, Mt as milliRps$2, N as msText, Nt as percent$1, O as analyzeManifest, P as nsAsMsText, Pt as plural, Q as scheduleHeader, Qt as parseCapacityRecord, R as openEngineLog, S as parseInteger, St as parseChecksums, T as quoteCell, U as freezeSchedules, Ut as readTerms, V as capacityRecord, Vt as isDecisive, W as scheduleDigests, Wt as milliRps$1, X as MOST_TOKENS, Xt as readPackText, Y as TRACE_FORMATS, Yt as pathsOf, Z as buildSchedule, Zt as openStore, _ as judgeWritten, _t as CONTEXT_FILE, a as failureText, at as neededMilliRps, b as readRequestsCsv, bt as gate, c as CommanderError, ct as promote, d as exitCodeOf, dt as lint, en as recordSha256, et as storedFitness, f as run, ft as readManifest, g as judgeFiles, h as measurePoint, i as failureOf$2, it as calibrate, jt as worstAttainment, k as quoted, l as InvalidArgumentError, lt as changeText, m as factsOf$2, mt as require_dist, nt as isUpAlready, o as Command, ot as readPackReport, p as LIMIT_CODES, q as readSources, qt as table, r as interruptible, rt as machineFindings, s as Option, st as parseContextFile, t as clonedRepository, tt as machineLook, u as renderText, ut as requireManifest, v as writeMeasured, w as REQUESTS_CSV_COLUMNS, wt as renderReportMarkdown, x as parseDecimal, xt as CHECKSUMS, y as sloReportJson, yt as settle, z as requirePackOfReplays } from "./chunk-0-repository-access.js";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { constants } from "node:fs";
import { access, constants as constants$1, open, readdir, stat } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
function reconcile(table, schedule) {
	const scheduled = new Map(schedule.rows.map((row) => [row.id, row]));
	const seen = new Set(table.ids);
	for (const [index, id] of table.ids.entries()) {
		const row = scheduled.get(id);
		if (row === void 0) throw refusal$2(table, index, `the schedule has no request ${id}`);
		const name = textAt(table.classes, index);
		if (name !== row.class) throw refusal$2(table, index, `${id} is of class ${row.class} in the schedule, here of ${name}`);
		const input = table.inputTokens[index] ?? -1;
		if (input >= 0 && input !== row.inputTokens) throw refusal$2(table, index, `${id} has ${row.inputTokens} input tokens in the schedule, here ${input}`);
	}
	let requests = 0;
	let blocks = -1;
	for (const block of scheduleBlocks(schedule)) {
		if (requests >= seen.size) break;
		const missing = block.find((row) => !seen.has(row.id));
		if (missing) throw refusal$2(table, null, `${missing.id} of the schedule is missing`);
		requests += block.length;
		blocks += 1;
	}
	if (blocks < 0) throw refusal$2(table, null, `none of the schedule's ${schedule.rows.length} requests is there`);
	return {
		scheduleSha256: schedule.sha256,
		requests,
		extensionBlocks: blocks
	};
}
function refusal$2(table, index, what) {
	const place = index === null ? "" : `, row ${table.lines[index]}`;
	return new GateError({
		code: "cohort_not_scheduled",
		message: `${table.file}${place}: ${what}`,
		hint: "give the requests.csv and the schedule of the same point; a cohort is judged whole or not at all",
		exitCode: EXIT.invalid
	});
}
async function analyzeFile(request) {
	const { manifest, csv, file, durationSeconds, queueTrend, schedule } = request;
	const table = await readRequestsCsv(csv, {
		file,
		columns: "analyzed"
	});
	const reconciled = schedule === null ? null : reconcile(table, schedule);
	return {
		report: analyzeManifest(table, manifest, {
			durationSeconds,
			queueTrend
		}),
		reconciled
	};
}
function parseDurationSeconds(text) {
	const seconds = parseDecimal(text);
	if (Number.isFinite(seconds) && seconds >= 1e-6) return seconds;
	throw new GateError({
		code: "usage",
		message: `the duration ${quoted(text)} is no number of seconds above 0`,
		hint: "give the whole cohort’s duration with its drain, such as 303.145",
		exitCode: EXIT.usage
	});
}
function parseQueueTrend(text) {
	if (text === "flat" || text === "growing") return text;
	throw new GateError({
		code: "usage",
		message: `the queue trend ${quoted(text)} is neither flat nor growing`,
		hint: "say flat only where the client’s backlog and the engine’s queue both show no growth",
		exitCode: EXIT.usage
	});
}
function example(...lines) {
	return `\nExample:\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}
function positiveNumber(text) {
	const value = parseDecimal(text);
	if (Number.isFinite(value) && value > 0) return value;
	throw new InvalidArgumentError(`${quoted(text)} is no number above 0.`);
}
function exactRate(text) {
	const rate = positiveNumber(text);
	const milliRps = rate * 1e3;
	if (milliRps > .5 && Math.abs(milliRps - Math.round(milliRps)) < 1e-6) return rate;
	throw new InvalidArgumentError(`${quoted(text)} is no rate: give requests a second with at most three decimals.`);
}
function wholeNumber(text) {
	const value = parseInteger(text);
	if (Number.isSafeInteger(value) && value >= 1) return value;
	throw new InvalidArgumentError(`${quoted(text)} is no whole number from 1 on.`);
}
function wholeNumberOrZero(text) {
	return text === "0" ? 0 : wholeNumber(text);
}
function cacheStates(text) {
	const asked = new Set(text.split(",").map((part) => part.trim()));
	const known = ["cold", "warm"].filter((cache) => asked.delete(cache));
	if (asked.size === 0 && known.length > 0) return known;
	throw new InvalidArgumentError(`${quoted(text)} is not cold, warm or cold,warm.`);
}
const id = string().regex(ID_PATTERN, "is not an id such as r-00001");
const natural = int().min(0);
const positive = int().min(1);
const seed = int().min(0).max(0xffffffff);
const sha256$1 = string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256");
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
		sha256: sha256$1,
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
		sha256: sha256$1,
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
		hint: "A schedule is frozen: write it again with the schedule command, or take the one of the pack it belongs to.",
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
const SCHEDULE_MAX_BYTES = 268435456;
async function readScheduleFile(path) {
	const chunks = [];
	for await (const chunk of streamInput({
		what: "the schedule",
		path,
		maximumBytes: SCHEDULE_MAX_BYTES
	})) chunks.push(chunk);
	const bytes = Buffer.concat(chunks);
	return parseSchedule(bytes[0] === 31 && bytes[1] === 139 ? await expanded(bytes, path) : bytes);
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
const addAnalyze = (program, desk) => {
	program.command("analyze").description("Judge a file of requests by a manifest: slo-report.json on standard output, whatever it says.").requiredOption("--manifest <file>", "the workload-manifest.yaml").requiredOption("--requests <csv>", "the requests.csv").requiredOption("--duration-seconds <s>", "the whole cohort’s duration, its drain included").requiredOption("--queue-trend <flat|growing>", "how the queue stood during the arrivals").option("--schedule <file>", "the frozen schedule that the requests must be the cohort of").addHelpText("after", example("capacity-gate analyze --manifest workload-manifest.yaml --requests requests.csv \\", "  --duration-seconds 925.4 --queue-trend flat > slo-report.json")).action(async (options) => {
		const durationSeconds = parseDurationSeconds(options.durationSeconds);
		const queueTrend = parseQueueTrend(options.queueTrend);
		const { manifest } = await readManifestFile(options.manifest, "valid");
		const schedule = options.schedule === void 0 ? null : await readScheduleFile(options.schedule);
		const file = options.requests;
		const { report, reconciled } = await analyzeFile({
			manifest,
			csv: streamInput({
				what: "the requests",
				path: file,
				maximumBytes: INPUT_LIMITS.csv
			}),
			file,
			durationSeconds,
			queueTrend,
			schedule
		});
		if (reconciled) desk.note(reconciledText(reconciled));
		const text = sloReportJson(report);
		desk.finish({
			exitCode: EXIT.ok,
			text,
			json: report
		});
	});
};
function reconciledText({ requests, extensionBlocks, scheduleSha256 }) {
	const blocks = extensionBlocks === 0 ? "no extension block" : `${extensionBlocks} extension blocks`;
	return `reconciled with the schedule ${scheduleSha256.slice(0, 12)}…: ${showNumber(requests)} requests, ids and classes equal, ${blocks}`;
}
const PLAIN_RPS = 100;
const addCalibrate = (program, desk) => {
	program.command("calibrate").description("Measure the client's own error, send lag and ceiling on this machine, at the rate that a manifest needs.").argument("[manifest]", "the workload-manifest.yaml; without it, answers of 64 tokens").option("--rate <r>", "requests a second; by default the highest that the manifest asks for", positiveNumber).addHelpText("after", example("capacity-gate calibrate workload-manifest.yaml", "capacity-gate calibrate --rate 200")).action((path, options) => calibrateCommand(desk, path, options.rate));
};
async function calibrateCommand({ inputs, finish }, path, rate) {
	const manifest = path === void 0 ? null : (await readManifestFile(path, "valid")).manifest;
	const need = needOf(manifest, rate === void 0 ? null : milliRps$1(rate));
	await interruptible(async (signal) => {
		try {
			var _usingCtx$6 = _usingCtx();
			const effects = _usingCtx$6.u(composeCalibration(inputs));
			const calibrated = await calibrate(effects, {
				manifest,
				need,
				earlier: null,
				useKept: false
			}, signal);
			const { file, evidence } = calibrated;
			const fit = isFit(evidence);
			finish({
				exitCode: fit ? EXIT.ok : EXIT.invalid,
				text: calibrationText(calibrated, need, fit),
				json: {
					fit,
					evidence,
					...file.made ? { ceiling: ceilingOf(file) } : {},
					calibration: file
				}
			});
		} catch (_) {
			_usingCtx$6.e = _;
		} finally {
			_usingCtx$6.d();
		}
	});
}
function needOf(manifest, asked) {
	if (manifest === null) return {
		...PLAIN_NEED,
		milliRps: asked ?? milliRps$1(PLAIN_RPS)
	};
	const highest = asked ?? neededMilliRps(manifest, null, null);
	if (highest !== null) return calibrationNeed(manifest, highest);
	throw new GateError({
		code: "rate_missing",
		message: "the manifest declares no rate: neither sweep.rates_rps nor acceptance.min_capacity_rps",
		hint: "name one: --rate R",
		exitCode: EXIT.usage
	});
}
function calibrationText({ file, evidence }, need, fit) {
	const rps = need.milliRps / 1e3;
	const events = Math.round(neededEventsPerSecond(need));
	return [
		`${fit ? "FIT" : "NOT FIT"}: the client on this machine ${fit ? "can" : "cannot"} measure ${rps} requests/s, ${events} events/s`,
		...file.made ? measuredLines(file) : [],
		...evidence.map(({ probe, state, text }) => `  ${state}: ${probe}: ${plainText(text ?? "", 500)}`)
	].join("\n");
}
function measuredLines(calibration) {
	const { client, seconds, attempt, paced, heavy, errors } = calibration;
	const { eventsPerSecond, from } = ceilingOf(calibration);
	const how = from === "cpu" ? `${heavy.cpuUsPerEvent} µs of CPU an event at ${Math.round(heavy.eventsPerSecond)} events/s` : "reached, and fell behind";
	return [
		`  ${plainText(client.cpuModel, 200)}, ${client.cores} cores, kernel ${plainText(client.kernel, 100)}, Node ${plainText(client.node, 40)}, client ${client.clientSha256.slice(0, 12)}`,
		`  paced at ${paced.requestsPerSecond} requests/s, ${paced.eventsPerSecond} events/s: ${paced.cpuUsPerEvent} µs of CPU an event, polling included`,
		`  error of TTFT ${spreadText(errors.ttft)}; of E2E ${spreadText(errors.e2e)}; of their difference ${spreadText(errors.decode)}`,
		`  send lag ${spreadText(errors.sendLag)}; n ${errors.ttft.n}`,
		`  ceiling ${Math.round(eventsPerSecond)} events/s: ${how}`,
		`  measured in ${seconds} s${attempt > 1 ? `, attempt ${attempt}` : ""}`
	];
}
function spreadText({ p50Us, p99Us }) {
	return `p50 ${p50Us / 1e3} ms, p99 ${p99Us / 1e3} ms`;
}
function endpointProbe(url, connection) {
	const origin = engineOrigin(url);
	const caller = httpCaller(connection);
	return {
		call: (call, signal) => caller.call({
			...call,
			origin
		}, signal),
		[Symbol.asyncDispose]: () => caller[Symbol.asyncDispose]()
	};
}
const DEADLINE_MS$1 = 1e4;
function startNeeds({ manifest, ports, docker, path }) {
	const { deploy } = manifest.engine;
	if (deploy === void 0 || deploy.kind === "endpoint") return [];
	const listen = {
		probe: "ports",
		look: () => freePorts(ports)
	};
	if (deploy.kind === "process") return [{
		probe: "program",
		look: () => programThere(deploy.argv[0] ?? "", path)
	}, listen];
	const { weights } = deploy;
	return [
		{
			probe: "docker",
			look: (signal) => daemonAnswers(docker, signal)
		},
		{
			probe: "image",
			look: (signal) => imageThere(docker, deploy.image, signal)
		},
		...weights === void 0 ? [] : [{
			probe: "weights",
			look: () => folderThere(weights)
		}],
		listen
	];
}
async function freePorts(ports) {
	for (const port of ports) if (!await isPortFree(port)) return { fail: (await portTaken(port, "port_in_use", "is taken")).message };
	const [first, last] = [ports[0], ports.at(-1)];
	return { pass: first === last ? `port ${first} is free` : `ports ${first} to ${last} are free` };
}
async function programThere(program, path) {
	if (program === "{node}") return { pass: "our own Node" };
	const candidates = program.includes("/") ? [program] : path.split(delimiter).flatMap((folder) => folder === "" ? [] : [join(folder, program)]);
	for (const candidate of candidates) if (await access(candidate, constants.X_OK).then(is, isNot)) return { pass: candidate };
	return { fail: `there is no program ${printableLine(program, 200)}` };
}
async function folderThere(folder) {
	const names = await readdir(folder).catch((error) => error instanceof Error ? error.message : "unreadable");
	if (typeof names === "string") return { fail: printableLine(names, 200) };
	const shown = printableLine(folder, 200);
	return names.length === 0 ? { fail: `${shown} is empty` } : { pass: `${shown} is there; a run checks its digests` };
}
async function daemonAnswers(docker, signal) {
	const answer = await docker.call([
		"version",
		"--format",
		"{{.Server.Version}}"
	], {
		deadlineMs: DEADLINE_MS$1,
		signal
	});
	return answer.ok ? { pass: `Docker ${printableLine(answer.stdout, 50)}` } : { fail: lastLine(answer) };
}
async function imageThere(docker, image, signal) {
	const asked = [
		"image",
		"inspect",
		"--format",
		"{{.Id}}",
		"--",
		image
	];
	if ((await docker.call(asked, {
		deadlineMs: DEADLINE_MS$1,
		signal
	})).ok) return { pass: `${image} is here` };
	return { unknown: `${image} is not here: a run pulls it before it claims the machine` };
}
const is = () => true;
const isNot = () => false;
async function doctor(sections, signal) {
	const reports = [];
	for (const section of sections) reports.push(await section.examine(signal));
	return {
		usable: reports.every(({ findings }) => findings.every(({ required, state }) => !required || state === "pass")),
		sections: reports
	};
}
const WEIGHT = {
	owner: 4,
	stranger: -2,
	health: 1,
	version: 2,
	metrics: 3
};
function fitDialects(surface) {
	const cards = [...new Set(DIALECTS.map(({ paths }) => paths.models))].flatMap((path) => modelsAt(surface, path));
	const known = new Set(DIALECTS.flatMap(({ ownedBy }) => ownedBy));
	return DIALECTS.map((dialect) => fit(dialect, surface, cards, known)).toSorted((a, b) => b.score - a.score);
}
function surfacePaths() {
	const plain = DIALECTS.flatMap(({ health, version, paths }) => [
		health.path,
		paths.models,
		...version.map(({ path }) => path)
	]);
	const metrics = DIALECTS.flatMap(({ paths }) => paths.metrics ?? []);
	return {
		plain: [...new Set(plain)],
		metrics: [...new Set(metrics)]
	};
}
function modelsAt({ answers }, path) {
	const answer = answers.get(path);
	const models = answer ? readModels(answer) : null;
	return models && "value" in models ? models.value : [];
}
function fit(dialect, surface, cards, known) {
	const marks = [
		ownerMark(dialect, cards, known),
		healthMark(dialect, surface),
		versionMark(dialect, surface),
		metricsMark(dialect, surface)
	].filter((mark) => mark !== null);
	return {
		dialect,
		score: Math.round(marks.reduce((sum, { score }) => sum + score, 0) * 100) / 100,
		pro: marks.filter(({ score }) => score > 0).map(({ text }) => text),
		contra: marks.filter(({ score }) => score <= 0).map(({ text }) => text)
	};
}
function ownerMark({ ownedBy }, cards, known) {
	const owners = new Set(cards.flatMap((card) => card.ownedBy ?? []));
	const own = ownedBy.find((owner) => owners.has(owner));
	if (own !== void 0) return {
		score: WEIGHT.owner,
		text: `its model cards say owned_by ${own}`
	};
	const other = [...owners].find((owner) => known.has(owner));
	return other === void 0 ? null : {
		score: WEIGHT.stranger,
		text: `its model cards say owned_by ${other}`
	};
}
function healthMark(dialect, { answers }) {
	const { path } = dialect.health;
	const answer = answers.get(path);
	return answer !== void 0 && "value" in readHealth(dialect, answer) ? {
		score: WEIGHT.health,
		text: `${path} answers as it should`
	} : {
		score: -WEIGHT.health,
		text: `${path} does not`
	};
}
function versionMark({ version }, { answers }) {
	if (version.length === 0) return null;
	for (const place of version) {
		const answer = answers.get(place.path);
		if (answer && "value" in readVersion(place, answer)) return {
			score: WEIGHT.version,
			text: `${place.path} tells its version`
		};
	}
	const paths = version.map(({ path }) => path).join(" and ");
	return {
		score: -WEIGHT.version,
		text: `${paths} do${version.length > 1 ? "" : "es"} not tell a version`
	};
}
function metricsMark({ metrics, paths }, { metricNames }) {
	if (metrics === null || paths.metrics === null) return null;
	const names = metricNames.get(paths.metrics);
	if (names === void 0) return {
		score: -1,
		text: `${paths.metrics} shows no metrics`
	};
	const roles = Object.values(metrics.sources).filter((source) => source !== null);
	const shown = roles.filter((source) => source.names.some((name) => names.has(name))).length;
	const text = `${paths.metrics} shows ${shown} of its ${roles.length} quantities`;
	return {
		score: shown === 0 ? -1 : WEIGHT.metrics * shown / roles.length,
		text
	};
}
const LACKS = {
	"endpoint.reachable": {
		required: true,
		cost: "nothing can be measured",
		mend: "Start the engine, and give the origin that it listens on; if it is up and hangs, its log says why."
	},
	"endpoint.health": {
		required: true,
		cost: "a run waits for it until its deadline and then fails",
		mend: "Wait until the engine is ready, or see its log."
	},
	"endpoint.models": {
		required: true,
		cost: "identity.model is unknown, and which model to ask for is not known",
		mend: "State the route in engine.dialect.paths.models."
	},
	"endpoint.version": {
		required: true,
		cost: "identity.version is unknown: a run that requires identity ends inconclusive",
		mend: "State where it tells it in engine.dialect.version, or leave identity out of acceptance.required_evidence and pin the image by digest.",
		mendable: "version"
	},
	"endpoint.dialect": {
		required: false,
		cost: "what the dialect names and the engine does not have stays unknown",
		mend: "Name the dialect that fits, or state in engine.dialect what differs."
	},
	"generation.completions": {
		required: true,
		cost: "nothing can be measured by this route",
		mend: "See what it answers; if it knows the plain fields only, name the dialect openai."
	},
	"generation.chat": {
		required: false,
		cost: "client.endpoint must be completions",
		mend: null
	},
	"generation.exact_length": {
		required: true,
		cost: "answers end early, and each of another length than scheduled counts as an error",
		mend: "State the field that ignores the end of text in engine.dialect.request.ignore_eos.",
		mendable: "exact_length"
	},
	"generation.usage": {
		required: true,
		cost: "how many tokens came is not known: every request counts as an error (usage_missing)",
		mend: "State the field inside stream_options in engine.dialect.request.include_usage, or the one that returns token ids."
	},
	"generation.continuous_usage": {
		required: false,
		cost: "tokens of a chunk, and chunks whose text is still to come, are not known; TTFT may be that of the second token",
		mend: null
	},
	"generation.token_ids": {
		required: false,
		cost: "sessions cannot keep a live history (history: synthetic can)",
		mend: null,
		mendable: "token_ids"
	},
	"requests.token_id_prompts": {
		required: false,
		cost: "client.prompt must be text: prompt lengths are then the engine’s to count",
		mend: null
	},
	"requests.id_header": {
		required: false,
		cost: "the engine’s log cannot be joined with requests.csv",
		mend: "State the header in engine.dialect.request_id_header, or null."
	},
	"requests.unknown_fields": {
		required: false,
		cost: "a request with a field that it does not know fails, or a wrong name goes unnoticed",
		mend: "State only fields that it knows in engine.dialect.request."
	},
	"cache.cached_tokens": {
		required: false,
		cost: "cache_hit is read from counters, which are wrong where requests are scheduled again",
		mend: "Leave the prefix cache on, and use prompts longer than a KV block.",
		mendable: "cached_tokens"
	},
	"cache.salt": {
		required: false,
		cost: "cache.cold.isolate: cache_salt keeps nothing apart (unique_tokens does)",
		mend: null
	},
	"cache.reset": {
		required: false,
		cost: "a deployed engine is restarted before cold points; one that is already up gives no proof of a cold cache but the hit rate",
		mend: null,
		mendable: "reset"
	},
	"metrics.page": {
		required: true,
		cost: "stability.restarts, the waiting queue and the tokens’ cross-check are unknown: a run that requires stability ends inconclusive",
		mend: "State the page in engine.dialect.paths.metrics.",
		mendable: "metrics"
	},
	"metrics.restarts": {
		required: true,
		cost: "stability.restarts is unknown: a run that requires stability ends inconclusive",
		mend: "State a counter of tokens in engine.dialect.metrics.generation_tokens."
	},
	"metrics.queue": {
		required: false,
		cost: "the queue’s trend is judged by what the client has in flight, and quiescence is not shown",
		mend: "State the gauges in engine.dialect.metrics.running and waiting."
	},
	"metrics.cache": {
		required: false,
		cost: "cache_hit.counters is unknown: cached tokens have no cross-check",
		mend: null
	},
	"metrics.kv": {
		required: false,
		cost: "stability.kv_usage and preemptions are unknown: a full KV cache does not show",
		mend: null
	}
};
function found(dialect, probe, probed, required) {
	const lack = LACKS[probe];
	const shared = {
		probe,
		required: required ?? lack.required
	};
	if ("pass" in probed) return {
		...shared,
		state: "pass",
		text: probed.pass,
		cost: null,
		mend: null
	};
	const own = lack.mendable === void 0 ? void 0 : dialect.mends[lack.mendable];
	const mend = own === void 0 ? lack.mend : `Start it with ${own}.`;
	if ("fail" in probed) return {
		...shared,
		state: "fail",
		text: probed.fail,
		cost: lack.cost,
		mend
	};
	return {
		...shared,
		state: "unknown",
		text: probed.unknown,
		cost: lack.cost,
		mend
	};
}
const said = (why, words) => words.trim() === "" ? why : `${why}: ${words.slice(0, 200)}`;
function healthFinding(dialect, seen) {
	const { path } = dialect.health;
	const answer = seen.answers.get(path);
	if (answer === void 0) return found(dialect, "endpoint.health", { fail: `${path}: ${seen.silences.get(path) ?? "not asked"}` });
	const told = readHealth(dialect, answer);
	return found(dialect, "endpoint.health", "value" in told ? { pass: `${path} says so` } : { fail: `${path} ${said(told.why, told.said)}` });
}
function modelsFinding(dialect, seen, wanted) {
	const { models: path } = dialect.paths;
	const answer = seen.answers.get(path);
	const told = answer ? readModels(answer) : {
		why: seen.silences.get(path) ?? "not asked",
		said: ""
	};
	if ("why" in told) return {
		finding: found(dialect, "endpoint.models", { fail: `${path} ${said(told.why, told.said)}` }),
		cards: []
	};
	const cards = told.value;
	const served = `serves ${cards.slice(0, 3).map((card) => {
		const more = [card.root !== null && card.root !== card.id ? `root ${card.root}` : "", card.maxModelLen === null ? "" : `at most ${card.maxModelLen} tokens`].filter((part) => part !== "");
		return more.length === 0 ? card.id : `${card.id} (${more.join(", ")})`;
	}).join(", ")}`;
	const probed = wanted === null || cards.some(({ id }) => id === wanted) ? { pass: served } : { fail: `${served}, and not ${wanted}` };
	const none = { fail: `${path} lists no model` };
	return {
		finding: found(dialect, "endpoint.models", cards.length > 0 ? probed : none),
		cards
	};
}
function versionFinding(dialect, seen) {
	const reasons = [];
	for (const place of dialect.version) {
		const answer = seen.answers.get(place.path);
		const told = answer ? readVersion(place, answer) : {
			why: seen.silences.get(place.path) ?? "was not asked",
			said: ""
		};
		if ("value" in told) return {
			finding: found(dialect, "endpoint.version", { pass: `${place.path} says ${told.value}` }),
			version: told.value
		};
		reasons.push(`${place.path} ${told.why}`);
	}
	return {
		finding: found(dialect, "endpoint.version", { unknown: reasons.length > 0 ? reasons.join("; ") : `${dialect.title} has no route that tells its version` }),
		version: null
	};
}
function dialectFinding(asked, fits) {
	const best = fits[0];
	const base = asked.id.split("+", 1)[0];
	if (best === void 0 || best.dialect.id === base) return found(asked, "endpoint.dialect", { pass: `${asked.id} fits best` });
	const because = best.pro.join(", ");
	return found(asked, "endpoint.dialect", { unknown: `${best.dialect.id} fits better: ${because}` });
}
function metricsFindings(dialect, names, hasTokens) {
	const path = dialect.paths.metrics;
	if (path === null || dialect.metrics === null) return [found(dialect, "metrics.page", { unknown: `${dialect.title} has no metrics page` })];
	if (names === null || names.size === 0) return [found(dialect, "metrics.page", { fail: `${path} shows no Prometheus text` })];
	const { sources } = dialect.metrics;
	const missing = (roles) => roles.flatMap((role) => {
		const source = sources[role];
		if (source === null) return [`${role} (${dialect.title} is not known to show it)`];
		const isShown = source.names.some((name) => names.has(name));
		const lacks = (source.plus ?? []).filter((name) => !names.has(name));
		if (isShown && lacks.length === 0) return [];
		return [isShown ? lacks.join(", ") : source.names.join(" or ")];
	});
	const all = (probe, roles, required) => {
		const lacks = missing(roles);
		return found(dialect, probe, lacks.length === 0 ? { pass: roles.join(", ") } : { unknown: `not shown: ${lacks.join("; ")}` }, required);
	};
	const counters = ["generationTokens", "promptTokens"].filter((role) => missing([role]).length === 0);
	const restarts = counters.length > 0 ? { pass: `${counters.join(", ")} count up` } : { unknown: "no counter of tokens is shown" };
	const pair = [["promptTokensCached", "promptTokens"], ["prefixHits", "prefixQueries"]].find((roles) => missing(roles).length === 0);
	const cache = pair ? { pass: pair.join(" of ") } : { unknown: "neither cached prompt tokens nor hits and queries" };
	const needsWaiting = sources.waiting !== null && missing(["waiting"]).length > 0;
	return [
		found(dialect, "metrics.page", { pass: `${path} shows ${names.size} names` }),
		found(dialect, "metrics.restarts", restarts),
		all("metrics.queue", ["running", "waiting"], needsWaiting),
		found(dialect, "metrics.cache", cache, !hasTokens),
		all("metrics.kv", ["kvUsage", "preemptions"])
	];
}
const GET_DEADLINE_MS = 5e3;
const PLAIN_BYTES = 1048576;
const METRICS_BYTES = 4194304;
async function lookAt(probe, own, signal) {
	const known = surfacePaths();
	const plain = new Set([...known.plain, ...own ? [
		own.health.path,
		own.paths.models,
		...placesOf(own)
	] : []]);
	const metrics = new Set([...known.metrics, ...own?.paths.metrics ? [own.paths.metrics] : []]);
	const answers = new Map();
	const silences = new Map();
	const metricNames = new Map();
	await Promise.all([...new Set([...plain, ...metrics])].map(async (path) => {
		const maximumBytes = metrics.has(path) ? METRICS_BYTES : PLAIN_BYTES;
		const result = await probe.call({
			method: "GET",
			path,
			deadlineMs: GET_DEADLINE_MS,
			maximumBytes
		}, signal);
		if ("why" in result) return void silences.set(path, result.why);
		answers.set(path, result.answer);
		const names = metrics.has(path) ? namesOn(result.answer) : null;
		if (names !== null) metricNames.set(path, names);
	}));
	return {
		answers,
		silences,
		metricNames
	};
}
function placesOf({ version }) {
	return version.map(({ path }) => path);
}
async function metricNamesNow(probe, dialect, signal) {
	const path = dialect.paths.metrics;
	if (path === null) return null;
	const call = {
		method: "GET",
		path,
		deadlineMs: GET_DEADLINE_MS,
		maximumBytes: METRICS_BYTES
	};
	const result = await probe.call(call, signal);
	return "why" in result ? null : namesOn(result.answer);
}
function namesOn(answer) {
	if (answer.status !== 200 || isHtml(answer)) return null;
	try {
		return new Set(parsePrometheus(answer.text).map(({ name }) => name));
	} catch {
		return null;
	}
}
function trialFindings(dialect, trials) {
	return [
		...routeFindings(dialect, trials),
		...requestFindings(dialect, trials),
		...cacheFindings(dialect, trials)
	];
}
function tellsCachedTokens({ first, again }) {
	return [first, again].some((spoken) => (spoken?.answer?.cachedTokens ?? null) !== null);
}
function routeFindings(dialect, trials) {
	const { exact, plain, chat, exactTokens } = trials;
	const streams = exact.failure === null ? exact : plain?.failure === null ? plain : null;
	const onlyPlain = streams !== null && streams !== exact;
	const findings = [found(dialect, "generation.completions", exact.failure === null ? { pass: `${dialect.paths.completions} streams` } : { fail: onlyPlain ? `streams only without the dialect's own fields; with them: ${exact.failure}` : exact.failure }), ...chat === null ? [] : [found(dialect, "generation.chat", chat.failure === null ? { pass: `${dialect.paths.chat} streams` } : { unknown: chat.failure })]];
	if (streams?.answer) {
		const { outputTokens } = streams.answer;
		findings.push(found(dialect, "generation.exact_length", lengthOf(dialect, outputTokens, exactTokens)), found(dialect, "generation.usage", usageOf(outputTokens)), found(dialect, "generation.continuous_usage", continuousOf(dialect, streams)), found(dialect, "generation.token_ids", idsOf$1(dialect, streams)));
	}
	return findings;
}
function lengthOf({ request }, came, asked) {
	if (came === null) return { unknown: "how many tokens came is not told" };
	if (request.ignoreEos === null) return { unknown: `no field that forces it is known; ${came} of ${asked} tokens came` };
	return came === asked ? { pass: `${asked} of ${asked} tokens came` } : { fail: `${came} of ${asked} tokens came` };
}
function usageOf(came) {
	return came === null ? { fail: "neither usage nor token ids came" } : { pass: `${came} output tokens told` };
}
function continuousOf({ request }, { usageChunks }) {
	if (usageChunks > 1) return { pass: `on ${usageChunks} chunks` };
	return { unknown: request.continuousUsage === null ? "no field for it is known" : "asked for, and it did not come" };
}
function idsOf$1({ request }, { answer }) {
	if (request.returnTokenIds === null) return { unknown: "no field for it is known" };
	return (answer?.outputIds ?? null) !== null ? { pass: "on each chunk" } : { unknown: "asked for, and they did not come" };
}
function requestFindings(dialect, { first, promptTokens, named, strange }) {
	const findings = [];
	if (!dialect.request.promptTokenIds) findings.push(found(dialect, "requests.token_id_prompts", { unknown: `${dialect.title} is not known to take them` }));
	else if (first !== null) findings.push(found(dialect, "requests.token_id_prompts", promptOf(first, promptTokens)));
	if (dialect.requestIdHeader === null) findings.push(found(dialect, "requests.id_header", { pass: "none is sent: this engine refuses one" }));
	else if (named !== null) {
		const { requestIdHeader: header } = dialect;
		const probed = named.failure === null ? { pass: `${header} is taken` } : { fail: `${header}: ${named.failure}` };
		findings.push(found(dialect, "requests.id_header", probed));
	}
	if (strange !== null) findings.push(found(dialect, "requests.unknown_fields", strangeOf(dialect, strange)));
	return findings;
}
function promptOf({ failure, answer }, asked) {
	if (failure !== null) return { fail: failure };
	const counted = answer?.inputTokens ?? null;
	if (counted === null) return { unknown: "taken; how many were counted is not told" };
	return counted === asked ? { pass: `${asked} ids count as ${counted} tokens` } : { fail: `${asked} ids count as ${counted}` };
}
function strangeOf({ request }, { failure, status }) {
	const does = failure === null ? "ignored" : status !== null && status >= 400 && status < 500 ? "refused" : null;
	if (does === null) return { unknown: failure ?? "not told" };
	const known = request.unknownFields;
	return known === null || known === does ? { pass: does } : { fail: `${does}, where the table says ${known}` };
}
function cacheFindings(dialect, trials) {
	const { first, again, salted, reset, afterReset, promptTokens } = trials;
	if (first === null || again === null) return [];
	const cached = again.answer?.cachedTokens ?? null;
	const findings = [found(dialect, "cache.cached_tokens", cachedOf(again, promptTokens))];
	const isColdNow = (spoken) => {
		const now = spoken?.answer?.cachedTokens ?? null;
		if (now === null || cached === null || cached === 0) return { unknown: "no hit to hold it against is told" };
		return now === 0 ? { pass: `${cached} cached tokens became 0` } : { fail: `${now} tokens still came from the cache` };
	};
	if (dialect.request.cacheSalt !== null) {
		const probed = salted?.failure ? { fail: salted.failure } : isColdNow(salted);
		findings.push(found(dialect, "cache.salt", probed));
	}
	if (dialect.reset === null) findings.push(found(dialect, "cache.reset", { unknown: `${dialect.title} is not known to have one` }));
	else if (reset !== null) findings.push(found(dialect, "cache.reset", resetOf(reset, afterReset, isColdNow)));
	return findings;
}
function cachedOf({ failure, answer }, promptTokens) {
	if (failure !== null) return { fail: failure };
	const cached = answer?.cachedTokens ?? null;
	if (cached === null) return { unknown: "not told" };
	return cached > 0 ? { pass: `${cached} of ${promptTokens} when the prompt was repeated` } : { unknown: "told, and 0 when the prompt was repeated" };
}
function resetOf({ state, text, said }, after, isColdNow) {
	const words = said.trim() === "" ? text : `${text}: ${said.slice(0, 200)}`;
	if (state === "absent") return { unknown: text };
	if (state === "refused") return { fail: words };
	const cold = isColdNow(after);
	if (state === "unknown") return "pass" in cold ? cold : { unknown: words };
	return "fail" in cold ? { fail: `it says done, and ${cold.fail}` } : { pass: "pass" in cold ? cold.pass : text };
}
const DEADLINE_MS = 6e4;
const MAXIMUM_BYTES = 1048576;
async function generate(probe, dialect, model, asked, signal) {
	const call = {
		method: "POST",
		path: dialect.paths[asked.route],
		headers: {
			...asked.headers,
			"content-type": "application/json"
		},
		body: JSON.stringify(bodyOf(dialect, model, asked)),
		deadlineMs: DEADLINE_MS,
		maximumBytes: MAXIMUM_BYTES
	};
	const result = await probe.call(call, signal);
	if ("why" in result) return {
		failure: result.why,
		status: null,
		answer: null,
		usageChunks: 0
	};
	return spokenOf(result.answer, asked, dialect);
}
function bodyOf({ request }, model, asked) {
	const { route, prompt, outputTokens } = asked;
	const fields = {
		model,
		...route === "chat" ? { messages: [{
			role: "user",
			content: prompt
		}] } : { prompt },
		stream: true,
		temperature: 0,
		[request.maxTokens[route]]: outputTokens,
		...asked.extra
	};
	if (asked.isPlain) return fields;
	const set = (name, value) => {
		if (name !== null) fields[name] = value;
	};
	set(request.minTokens, outputTokens);
	set(request.ignoreEos, true);
	set(request.returnTokenIds, true);
	const usage = [request.includeUsage, request.continuousUsage].filter((name) => name !== null);
	if (usage.length > 0) fields["stream_options"] = Object.fromEntries(usage.map((name) => [name, true]));
	return fields;
}
function spokenOf({ status, contentType, text }, { route }, dialect) {
	if (headFailure(status, contentType, null) !== null) {
		const what = status === 200 ? `a body of type ${contentType || "unknown"}` : `status ${status}`;
		return {
			failure: text.trim() === "" ? what : `${what}: ${text.slice(0, 300)}`,
			status,
			answer: null,
			usageChunks: 0
		};
	}
	const bytes = new TextEncoder().encode(text);
	const continuousUsage = dialect.request.continuousUsage !== null;
	const stream = new AnswerStream({
		shape: route,
		outputTokens: null,
		continuousUsage,
		keepTokenIds: true
	});
	stream.push(bytes, 0);
	const answer = stream.finish("clean", 0);
	return {
		failure: failureOf$1(answer),
		status,
		answer,
		usageChunks: usageChunksIn(bytes)
	};
}
function failureOf$1({ errorCode, errorText }) {
	if (errorCode === null || errorCode === "usage_missing") return null;
	return errorText === null ? errorCode : `${errorCode}: ${errorText}`;
}
function usageChunksIn(bytes) {
	let chunks = 0;
	new SseReader().push(bytes, (data) => {
		const chunk = parsed(data);
		if (!isObject$1(chunk) || !isObject$1(chunk["usage"])) return;
		if (Array.isArray(chunk["choices"]) && chunk["choices"].length > 0) chunks += 1;
	});
	return chunks;
}
function parsed(data) {
	try {
		return JSON.parse(data);
	} catch {
		return null;
	}
}
const PROMPT_TOKENS = 512;
const PROMPT_OUTPUT = 8;
const FIRST_ID = 300;
const ID_RANGE = 1700;
const EXACT_TOKENS = 32;
const TEXT = "Please explain the token cache and the request queue of the server";
const STRANGE_FIELD = "a_field_that_no_engine_knows";
const RESET_DEADLINE_MS = 1e4;
const RESET_BYTES = 1048576;
async function tryGenerations(order, signal) {
	const { dialect } = order;
	let isSilent = false;
	const ask = async (asked) => {
		if (isSilent) return NOT_TRIED;
		const spoken = await generate(order.probe, dialect, order.model, asked, signal);
		isSilent = spoken.status === null;
		return spoken;
	};
	const text = {
		route: "completions",
		prompt: TEXT,
		outputTokens: EXACT_TOKENS
	};
	const exact = await ask(text);
	const trials = {
		...NOTHING$1,
		exact
	};
	if (exact.status === null) return trials;
	trials.chat = await ask({
		...text,
		route: "chat"
	});
	if (exact.failure !== null) trials.plain = await ask({
		...text,
		isPlain: true
	});
	if (exact.failure !== null && trials.plain?.failure !== null) return trials;
	const small = {
		...text,
		outputTokens: PROMPT_OUTPUT,
		isPlain: exact.failure !== null
	};
	if (dialect.requestIdHeader !== null) trials.named = await ask({
		...small,
		headers: { [dialect.requestIdHeader]: "doctor-1" }
	});
	trials.strange = await ask({
		...small,
		extra: { [STRANGE_FIELD]: 1 }
	});
	if (dialect.request.promptTokenIds) await tryCache(order, trials, ask, signal);
	return trials;
}
const NOT_TRIED = {
	failure: "not tried: an earlier request was not answered",
	status: null,
	answer: null,
	usageChunks: 0
};
const NOTHING$1 = {
	exactTokens: EXACT_TOKENS,
	plain: null,
	chat: null,
	first: null,
	promptTokens: PROMPT_TOKENS,
	again: null,
	salted: null,
	reset: null,
	afterReset: null,
	named: null,
	strange: null
};
async function tryCache(order, trials, ask, signal) {
	const { dialect } = order;
	const asked = {
		route: "completions",
		prompt: Array.from({ length: PROMPT_TOKENS }, (_, index) => FIRST_ID + index * 7 % ID_RANGE),
		outputTokens: PROMPT_OUTPUT,
		isPlain: trials.plain !== null
	};
	trials.first = await ask(asked);
	if (trials.first.failure !== null) return;
	trials.again = await ask(asked);
	const salt = dialect.request.cacheSalt;
	if (salt !== null) trials.salted = await ask({
		...asked,
		extra: { [salt]: "doctor" }
	});
	if (dialect.reset === null || order.keepsCache) return;
	trials.reset = await resetOnce(order, signal);
	if (trials.reset.state === "done" || trials.reset.state === "unknown") trials.afterReset = await ask(asked);
}
async function resetOnce({ probe, dialect }, signal) {
	let last = {
		state: "absent",
		text: "the engine has no route for it",
		said: ""
	};
	const { reset } = dialect;
	if (reset === null) return last;
	for (const path of reset.paths) {
		const call = {
			method: reset.method,
			path,
			deadlineMs: RESET_DEADLINE_MS,
			maximumBytes: RESET_BYTES
		};
		const result = await probe.call(call, signal);
		if ("why" in result) return {
			state: "refused",
			text: result.why,
			said: ""
		};
		last = readReset(reset, path, result.answer);
		if (last.state !== "absent") break;
	}
	return last;
}
function endpointSection(order) {
	return { examine: (signal) => examine$2(order, signal) };
}
async function examine$2(order, signal) {
	const { probe, url } = order;
	const seen = await lookAt(probe, order.dialect, signal);
	const fits = fitDialects(seen);
	const dialect = order.dialect ?? fits[0]?.dialect ?? OPENAI;
	const title = `endpoint ${url}`;
	if (seen.answers.size === 0) return nobody(title, dialect, [...seen.silences.values()][0] ?? "no answer");
	const { finding: models, cards } = modelsFinding(dialect, seen, order.model);
	const { finding: version, version: told } = versionFinding(dialect, seen);
	const findings = [
		healthFinding(dialect, seen),
		models,
		version,
		dialectFinding(dialect, fits)
	];
	const model = cards.find(({ id }) => id === order.model)?.id ?? cards[0]?.id ?? order.model;
	let trials = null;
	if (model !== null) {
		trials = await tryGenerations({
			probe,
			dialect,
			model,
			keepsCache: order.keepsCache
		}, signal);
		findings.push(...trialFindings(dialect, trials));
	}
	const names = await metricNamesNow(probe, dialect, signal);
	findings.push(...metricsFindings(dialect, names, trials !== null && tellsCachedTokens(trials)));
	return {
		title,
		summary: [spokenAs(order, dialect, fits), ...runnersUp(dialect, fits)],
		findings,
		facts: {
			url,
			dialect: dialect.id,
			version: told,
			models: cards,
			fits: fits.map(plainFit)
		}
	};
}
function nobody(title, dialect, why) {
	return {
		title,
		summary: [],
		findings: [found(dialect, "endpoint.reachable", { fail: why })],
		facts: { dialect: dialect.id }
	};
}
function spokenAs(order, dialect, fits) {
	if (order.dialect !== null) return `spoken to as ${dialect.id} (${dialect.title}), as asked`;
	const because = fits[0]?.pro.join("; ") ?? "";
	return `speaks ${dialect.id} (${dialect.title})${because === "" ? "" : `: ${because}`}`;
}
const RUNNERS_UP = 2;
function runnersUp(dialect, fits) {
	return fits.filter((one) => one.dialect.id !== dialect.id && one.score > 0).slice(0, RUNNERS_UP).map(({ dialect: { id }, score, contra }) => {
		const because = contra.length === 0 ? "" : `: ${contra.join("; ")}`;
		return `less likely ${id} (${score} against ${fits[0]?.score})${because}`;
	});
}
function plainFit({ dialect, score, pro, contra }) {
	return {
		dialect: dialect.id,
		score,
		pro,
		contra
	};
}
function machineSection(order) {
	return { examine: (signal) => examine$1(order, signal) };
}
async function examine$1({ machine, manifest, engineIsUp }, signal) {
	const order = manifest ? machineLook(manifest) : {
		withGpus: true,
		dcgmUrl: "auto",
		owned: null
	};
	const state = await machine.look(order, signal);
	const asksForHost = manifest?.acceptance.required_evidence.includes("host") ?? false;
	const findings = machineFindings(state, {
		manifest,
		engineIsUp
	});
	return {
		title: "this machine",
		summary: order.withGpus ? [] : ["the manifest declares no GPU: only the host is looked at"],
		findings: findings.map((finding) => asDoctorFinding(finding, asksForHost)),
		facts: { state }
	};
}
const COSTS = {
	gpus: "nothing of the GPUs is proven: a run that requires host ends inconclusive",
	processes: "a run is refused while others use its GPUs, and a point that they use is invalid",
	memory: "a run is refused, and the engine would find less memory than in the baseline",
	mig: "a run is refused: a partition is another machine",
	health: "a run is refused while the driver asks for a reset; new errors make a point invalid",
	clocks: "points held down by heat or hardware are invalid; slower clocks than the baseline’s make a comparison inconclusive",
	nvlink: "tensor-parallel replicas are slower, and the record cannot be compared with one of other links",
	xid: "host.xid is unknown: a run that requires host ends inconclusive",
	dcgm: "use of tensor cores and memory bandwidth is not told",
	disk: "a run is refused: it would end when the disk is full",
	load: "the client may be late: its calibration and its points tell"
};
function asDoctorFinding({ probe, state, text, mend }, asksForHost) {
	const isMissing = state !== "pass";
	return {
		probe: `machine.${probe}`,
		state: state === "warn" ? "fail" : state,
		required: state === "fail" || state === "unknown" && asksForHost && (probe === "gpus" || probe === "xid"),
		text,
		cost: isMissing ? COSTS[probe] ?? null : null,
		mend: isMissing ? mend : null
	};
}
function manifestSection(order) {
	return { examine: (signal) => examine(order, signal) };
}
async function examine({ file, manifest, lint, needs }, signal) {
	const dialect = dialectFor(manifest);
	const { engine } = manifest;
	const looked = [];
	for (const need of needs) looked.push(needFinding(need.probe, await need.look(signal)));
	const deploy = engine.deploy?.kind ?? "an endpoint that the command names";
	const { replicas, gpus } = engine.placement;
	return {
		title: `manifest ${file}`,
		summary: [`${engine.name} ${engine.version} as ${dialect.id} (${dialect.title}), by ${deploy}: replicas ${replicas}, GPUs ${gpus}`],
		findings: [
			...ruleFindings(lint),
			...proofFindings(dialect, manifest),
			...looked
		],
		facts: {
			dialect: dialect.id,
			lint
		}
	};
}
function ofManifest(detail) {
	return `manifest.${detail}`;
}
function ruleFindings(lint) {
	if (lint.length === 0) return [{
		probe: ofManifest("rules"),
		state: "pass",
		required: true,
		text: "it breaks no rule that a run asks",
		cost: null,
		mend: null
	}];
	return lint.map(({ rule, severity, path, line, message, hint }) => ({
		probe: ofManifest(rule),
		state: "fail",
		required: severity === "error",
		text: `line ${line}${path === "" ? "" : `, ${path}`}: ${message}`,
		cost: severity === "error" ? "a run refuses it" : "a run says so and goes on",
		mend: hint
	}));
}
function proofFindings(dialect, { acceptance, engine }) {
	const requires = (group) => acceptance.required_evidence.some((name) => name === group);
	const { sources } = dialect.metrics ?? { sources: null };
	const lacks = [];
	const without = `${dialect.title} is not known to show`;
	if (dialect.version.length === 0) lacks.push([
		"endpoint.version",
		requires("identity"),
		`${without} its version`
	]);
	if (!sources?.generationTokens && !sources?.promptTokens) lacks.push([
		"metrics.restarts",
		requires("stability"),
		`${without} a counter of tokens`
	]);
	if (dialect.answer.cachedTokens === null && !(sources?.promptTokensCached ?? sources?.prefixHits)) lacks.push([
		"cache.cached_tokens",
		requires("cache_hit"),
		`${without} cached tokens`
	]);
	if (dialect.request.includeUsage === null && dialect.request.returnTokenIds === null) lacks.push([
		"generation.usage",
		true,
		`${without} how many tokens came`
	]);
	const findings = lacks.map(([probe, required, unknown]) => found(dialect, probe, { unknown }, required));
	if (requires("host") && engine.placement.gpus === 0) findings.push(NO_GPU);
	return findings;
}
const NO_GPU = {
	probe: ofManifest("host"),
	state: "unknown",
	required: true,
	text: "it requires host, and declares no GPU",
	cost: "host.gpu is unknown: every run ends inconclusive",
	mend: "State engine.placement.gpus, or leave host out of acceptance.required_evidence."
};
const NEEDS = {
	docker: {
		cost: "nothing can be deployed",
		mend: "Install and start Docker, and let this user use it; DOCKER_HOST and the context say where it is."
	},
	image: {
		cost: "the run begins with a pull",
		mend: "Pull it, or see that its registry is reached from here."
	},
	weights: {
		cost: "the run ends before the machine is claimed",
		mend: "Put the weights there, or correct engine.deploy.weights."
	},
	program: {
		cost: "nothing can be started",
		mend: "Install it, or correct engine.deploy.argv."
	},
	ports: {
		cost: "the run ends before it starts an engine",
		mend: "Stop what listens there, or set another engine.deploy.first_port."
	}
};
function needFinding(probe, answer) {
	const { cost, mend } = NEEDS[probe];
	const shared = {
		probe: `needs.${probe}`,
		required: probe !== "image"
	};
	if ("pass" in answer) return {
		...shared,
		state: "pass",
		text: answer.pass,
		cost: null,
		mend: null
	};
	if ("fail" in answer) return {
		...shared,
		state: "fail",
		text: answer.fail,
		cost,
		mend
	};
	return {
		...shared,
		state: "unknown",
		text: answer.unknown,
		cost,
		mend
	};
}
const addDoctor = (program, desk) => {
	program.command("doctor").description("Say what an engine that is up can prove, what a manifest needs to be run here, and what of this machine is in the way; each with its mend.").argument("[manifest]", "a workload-manifest.yaml: what it needs; its dialect, model and connection are used").addOption(new Option("--endpoint <url>", "the origin of an engine that is up; without it this machine is looked at").argParser(endpoint)).addOption(new Option("--dialect <name>", "speak to it as this one; by default as what fits").argParser(dialectName)).option("--keep-cache", "do not reset its prefix cache").option("--machine", "look at this machine beside an endpoint as well: its GPUs, who uses them, clocks, errors, disk").addHelpText("after", example("capacity-gate doctor --endpoint http://127.0.0.1:8000")).action((path, options) => doctorCommand(desk, path, options));
};
async function doctorCommand(desk, path, options) {
	const { inputs, finish } = desk;
	const read = path === void 0 ? null : {
		path,
		...await readManifestFile(path, "valid")
	};
	const manifest = read?.manifest ?? null;
	const urls = options.endpoint === void 0 ? statedUrls(manifest) : [options.endpoint];
	if (urls.length === 0 && (options.dialect !== void 0 || options.keepCache)) throw needsEndpoint();
	const connection = read === null ? PLAIN_CONNECTION : await readEngineConnection(read.manifest, {
		env: inputs.env,
		folder: resolve(inputs.cwd, dirname(read.path))
	});
	await interruptible(async (signal) => {
		try {
			var _usingCtx$5 = _usingCtx();
			const probes = _usingCtx$5.a(new AsyncDisposableStack());
			const sections = urls.map((url) => {
				const probe = probes.use(endpointProbe(url, connection));
				const model = manifest?.model.id ?? null;
				return endpointSection({
					probe,
					url,
					dialect: chosen(options, manifest),
					model,
					keepsCache: options.keepCache === true
				});
			});
			const machine = _usingCtx$5.a(systemMachine({
				clock: systemClock(),
				diskPath: inputs.cwd
			}));
			const isMachineAsked = options.machine === true || options.endpoint === void 0;
			const engineIsUp = options.endpoint !== void 0 || manifest !== null && isUpAlready(manifest);
			const needs = read !== null && options.endpoint === void 0 ? [needsOf(read, inputs)] : [];
			const here = isMachineAsked ? [machineSection({
				machine,
				manifest,
				engineIsUp
			})] : [];
			const diagnosis = await doctor([
				...needs,
				...sections,
				...here
			], signal);
			const exitCode = diagnosis.usable ? EXIT.ok : EXIT.inconclusive;
			finish({
				exitCode,
				text: diagnosisText(diagnosis),
				json: diagnosis
			});
		} catch (_) {
			_usingCtx$5.e = _;
		} finally {
			await _usingCtx$5.d();
		}
	});
}
function statedUrls(manifest) {
	const deploy = manifest?.engine.deploy;
	return deploy?.kind === "endpoint" ? deploy.urls : [];
}
function needsOf({ path, manifest, text }, { env }) {
	const { findings: lint } = readManifest(text, { level: "deployable" });
	return manifestSection({
		file: path,
		manifest,
		lint,
		needs: startNeeds({
			manifest,
			ports: enginePorts(manifest),
			docker: dockerProgram(env),
			path: env["PATH"] ?? ""
		})
	});
}
function needsEndpoint() {
	return new GateError({
		code: "usage",
		message: "--dialect and --keep-cache are about an engine that is up, and none is named",
		hint: "name it by --endpoint, or by a manifest whose deployment is an endpoint",
		exitCode: EXIT.usage
	});
}
function chosen({ dialect }, manifest) {
	return dialectNamed(dialect) ?? (manifest === null ? null : dialectFor(manifest));
}
function endpoint(text) {
	try {
		return engineOrigin(text);
	} catch {
		throw new InvalidArgumentError(`${quoted(text)} is no endpoint: give http://HOST:PORT, https://HOST or unix:/PATH.`);
	}
}
function dialectName(text) {
	if (dialectNamed(text) !== void 0) return text;
	throw new InvalidArgumentError(`${quoted(text)} is no dialect: there are ${DIALECT_IDS.join(", ")}.`);
}
const LINE_MAX$1 = 500;
function diagnosisText({ usable, sections }) {
	return [usable ? "USABLE: everything that is required answers" : "NOT USABLE: something that is required is missing", ...sections.flatMap(sectionLines)].join("\n");
}
function sectionLines({ title, summary, findings }) {
	const lines = summary.map((line) => `  ${plainText(line, LINE_MAX$1)}`);
	return [
		plainText(title, LINE_MAX$1),
		...lines,
		...findings.flatMap(findingLines)
	];
}
function findingLines({ probe, state, required, text, cost, mend }) {
	const lines = [`  ${state}${state === "pass" || !required ? "" : " (required)"}: ${probe}: ${plainText(text, LINE_MAX$1)}`];
	if (cost !== null) lines.push(`    so ${plainText(cost, LINE_MAX$1)}`);
	if (mend !== null) lines.push(`    mend: ${plainText(mend, LINE_MAX$1)}`);
	return lines;
}
function compare$1(request) {
	const read = (source) => source && parseCapacityRecord(source.text, source.file);
	const candidate = parseCapacityRecord(request.candidate.text, request.candidate.file);
	const baseline = read(request.baseline);
	const anchor = read(request.anchor);
	return {
		verdict: gate({
			candidate,
			baseline,
			anchor,
			onMissingBaseline: request.onMissingBaseline
		}),
		candidate,
		baseline,
		anchor
	};
}
const addGate = (program, desk) => {
	program.command("gate").description("Compare two capacity records offline: the verdict on standard output, its exit code as the verdict says.").requiredOption("--candidate <file>", "the capacity.json of the run that is judged").requiredOption("--baseline <file>", "the capacity.json that was accepted").option("--anchor <file>", "the capacity.json of the last release").addOption(onInconclusiveOption()).addHelpText("after", example("capacity-gate gate --candidate pack/capacity.json --baseline accepted/capacity.json")).action(async (options) => {
		const candidate = await readRecordFile("the candidate", options.candidate);
		const baseline = await readRecordFile("the baseline", options.baseline);
		const anchor = options.anchor === void 0 ? null : await readRecordFile("the anchor", options.anchor);
		desk.finish(verdictResult(compare$1({
			candidate,
			baseline,
			anchor,
			onMissingBaseline: "fail"
		}), options.onInconclusive));
	});
};
function onInconclusiveOption() {
	return new Option("--on-inconclusive <what>", "how an inconclusive verdict ends: exit code 3, or 0 with warn").choices(["fail", "warn"]).default("fail");
}
function verdictResult(compared, onInconclusive, packPath) {
	const { verdict, candidate: record, baseline, anchor } = compared;
	const context = {
		toolVersion: TOOL_VERSION,
		...packPath === void 0 ? {} : { packPath }
	};
	return {
		exitCode: exitCodeOf(verdict, onInconclusive),
		text: renderText({
			verdict,
			record,
			baseline,
			anchor,
			context
		}),
		json: verdict
	};
}
const NAME = "history.jsonl";
const LARGEST_HISTORY = 67108864;
const LOCK_WAIT_MS = 3e4;
function historyDirectory(folder) {
	const path = join(folder, NAME);
	return {
		location: path,
		read: () => readText(path),
		async update(change) {
			try {
				try {
					var _usingCtx$4 = _usingCtx();
					await makeFolder(folder);
					_usingCtx$4.a(await takeLock(join(folder, ".history.lock"), {
						what: `the history in ${folder}`,
						waitMs: LOCK_WAIT_MS
					}));
					const text = await readText(path);
					const changed = change(text);
					if (Buffer.byteLength(changed) > LARGEST_HISTORY) throw historyFull(path);
					if (changed === text) return;
					if (text !== "" && changed.startsWith(text)) await append(path, changed.slice(text.length));
					else await writeAtomically(path, changed);
				} catch (_) {
					_usingCtx$4.e = _;
				} finally {
					await _usingCtx$4.d();
				}
			} catch (error) {
				throw fileError(error, "write the history", path);
			}
		}
	};
}
async function append(path, text) {
	const flags = constants$1.O_WRONLY | constants$1.O_APPEND | (constants$1.O_NOFOLLOW ?? 0);
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
		if (systemErrorCode(error) === "ENOENT") return "";
		throw fileError(error, "read the history", path, EXIT.invalid);
	}
}
function historyFull(path) {
	return new GateError({
		code: "history_full",
		message: `${path} would grow beyond ${LARGEST_HISTORY.toLocaleString("en-US")} bytes`,
		hint: "compact it: `capacity-gate history compact FOLDER --older-than 90`",
		exitCode: EXIT.invalid
	});
}
function pointValue(point) {
	if (point.plan !== "sweep" || point.outcome === "inconclusive" || point.outcome === "invalid") return null;
	if (point.failMilliRps === null) return null;
	if (point.capacityMilliRps === null) return {
		milliRps: point.failMilliRps,
		isBound: true
	};
	return {
		milliRps: point.capacityMilliRps,
		isBound: false
	};
}
function seriesKey(point) {
	const { series, kind, experiment, hardware, cache } = point;
	return JSON.stringify([
		series,
		kind,
		experiment,
		hardware,
		cache
	]);
}
function pointWeight(point) {
	return point.merged?.points ?? 1;
}
function runsOf(point) {
	return point.merged?.runs ?? [point.run];
}
function dayOf(point) {
	return point.at.slice(0, 10);
}
function byDay(points) {
	return Map.groupBy(points.toSorted(byTime), dayOf);
}
function dayValues(points) {
	return [...byDay(points)].flatMap(([day, ofDay]) => {
		const point = medianPoint(ofDay);
		const value = point && pointValue(point);
		return point === null || value === null ? [] : [{
			day,
			point,
			...value
		}];
	});
}
function medianPoint(points) {
	const counted = points.flatMap((point) => {
		const value = pointValue(point);
		return value === null ? [] : [{
			point,
			rank: value.milliRps * 2 - (value.isBound ? 1 : 0)
		}];
	}).toSorted((one, other) => one.rank - other.rank || byTime(one.point, other.point));
	const weight = counted.reduce((sum, { point }) => sum + pointWeight(point), 0);
	let below = 0;
	for (const { point } of counted) {
		below += pointWeight(point);
		if (below * 2 >= weight) return point;
	}
	return null;
}
function byTime(one, other) {
	return Date.parse(one.at) - Date.parse(other.at) || (one.run < other.run ? -1 : one.run > other.run ? 1 : 0);
}
const text$1 = (max) => string().max(max).refine((value) => value.isWellFormed(), "holds half a character");
const sha256 = string().regex(/^[0-9a-f]{64}$/);
const milliRps = int().min(1);
const share$1 = number().min(0).max(1);
const time = string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/).refine((value) => !Number.isNaN(Date.parse(value)), "is no time");
const historyPointSchema = strictObject({
	schema: literal(1),
	at: time,
	run: sha256,
	series: text$1(200).min(1),
	kind: _enum(["measured", "simulated"]),
	cache: _enum(["cold", "warm"]),
	experiment: sha256,
	hardware: sha256,
	machine: text$1(400),
	subject: strictObject({
		sha256,
		name: text$1(200),
		version: text$1(200),
		image: text$1(400).nullable()
	}),
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
	attainmentAtGuard: share$1.nullable(),
	attainmentSpread: tuple([share$1, share$1]).nullable(),
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
	toleranceShare: share$1,
	runUrl: text$1(600).nullable(),
	toolVersion: text$1(100),
	merged: strictObject({
		points: int().min(0),
		notCounted: int().min(0),
		runs: array(sha256).min(1).max(500)
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
	const added = points.filter((point) => !idsOf(point).some((id) => seen.has(id)));
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
	if (verdict.candidateSha256 !== run) throw refusal$1("history_verdict_differs", "verdict.json is on another record than capacity.json", "take both from one unchanged pack");
	const { kind } = record;
	if (kind === "imported") throw refusal$1("history_kind", "an imported record has no place in the history: another tool sent its requests", "add the record of a run");
	return record.capacity.map((result) => checked(pointOf$1({
		...record,
		kind
	}, result, verdict, {
		...facts,
		run
	})));
}
function pointOf$1(record, result, verdict, facts) {
	const { subject, hardware } = record;
	const state = verdict.states.find(({ cache }) => cache === result.cache);
	return {
		schema: 1,
		at: record.createdAt,
		run: facts.run,
		series: line$1(facts.series ?? record.gateId, 200),
		kind: record.kind,
		cache: result.cache,
		experiment: record.experiment.sha256,
		hardware: canonicalSha256(hardware.mustEqual),
		machine: machineText(hardware.mustEqual),
		subject: {
			sha256: subject.sha256,
			name: line$1(subject.name, 200),
			version: line$1(subject.version, 200),
			image: subject.image === null ? null : line$1(subject.image, 400)
		},
		...judged(state, verdict),
		...measured$2(result, state),
		toleranceShare: readTerms(record)?.toleranceShare ?? DEFAULT_TOLERANCE,
		runUrl: facts.runUrl === null ? null : line$1(facts.runUrl, 600),
		toolVersion: line$1(record.tool.version, 100),
		merged: null
	};
}
function judged(state, verdict) {
	const reason = verdict.reasons[0]?.code ?? state?.reasons[0]?.code ?? null;
	return {
		outcome: state?.outcome ?? "inconclusive",
		reason: reason === null ? null : line$1(reason, 100),
		baselineMilliRps: state?.baselineMilliRps ?? null,
		guardMilliRps: state?.guardMilliRps ?? null,
		limiting: state === void 0 || state.limiting === null ? null : {
			class: line$1(state.limiting.class, 200),
			metric: state.limiting.metric
		}
	};
}
function measured$2(result, state) {
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
	return line$1(Object.keys(facts).toSorted().map((key) => `${key} ${facts[key] ?? ""}`).join(", "), 400);
}
function line$1(text, max) {
	return text.slice(0, max).toWellFormed();
}
function checked(point) {
	const parsed = historyPointSchema.safeParse(point);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw refusal$1("history_point_invalid", `the record makes no point of the history: ${`${issue?.path.join(".") ?? "the point"}: ${issue?.message ?? "not of the expected shape"}`}`, "take an unchanged pack");
}
function refusal$1(code, message, hint) {
	return new GateError({
		code,
		message,
		hint,
		exitCode: EXIT.invalid
	});
}
const PERMUTATIONS = 199;
function eDivisive(values) {
	const random = randomStream("change-points");
	const segments = [segmentOf(0, values)];
	const splits = [];
	for (;;) {
		const widest = segments.reduce((one, other) => other.best.statistic > one.best.statistic ? other : one);
		const p = widest.best.statistic > 0 ? permutationP(segments, widest.best.statistic, random) : 1;
		if (p > .01) return splits.toSorted((one, other) => one.index - other.index);
		const { start, best } = widest;
		splits.push({
			index: start + best.at,
			p
		});
		segments.splice(segments.indexOf(widest), 1, segmentOf(start, widest.values.slice(0, best.at)), segmentOf(start + best.at, widest.values.slice(best.at)));
	}
}
function segmentOf(start, values) {
	return {
		start,
		values,
		best: widestSplit(values)
	};
}
function permutationP(segments, found, random) {
	let asWide = 0;
	for (let done = 0; done < PERMUTATIONS; done += 1) {
		if (segments.map(({ values }) => widestSplit(shuffle([...values], random)).statistic).some((statistic) => statistic >= found)) asWide += 1;
		if ((1 + asWide) / 200 > .01) break;
	}
	return (1 + asWide) / 200;
}
function widestSplit(values) {
	const size = values.length;
	const best = {
		at: 0,
		statistic: 0
	};
	if (size < 10) return best;
	const sums = distanceSums(values);
	for (let at = 5; at <= size - 5; at += 1) {
		const before = sums.upTo(at, at);
		for (let end = at + 5; end <= size; end += 1) {
			const reach = sums.upTo(at, end);
			const [m, n] = [at, end - at];
			const across = 2 * (reach - before) / (m * n);
			const within = before / (m * (m - 1)) + (sums.upTo(end, end) - 2 * reach + before) / (n * (n - 1));
			const statistic = m * n / (m + n) * (across - within);
			if (statistic > best.statistic) Object.assign(best, {
				at,
				statistic
			});
		}
	}
	return best;
}
function distanceSums(values) {
	const width = values.length + 1;
	const sums = new Float64Array(width * width);
	for (let row = 1; row < width; row += 1) {
		const a = values[row - 1];
		let ofRow = 0;
		for (let column = 1; column < width; column += 1) {
			ofRow += Math.abs(a - values[column - 1]);
			sums[row * width + column] = sums[(row - 1) * width + column] + ofRow;
		}
	}
	return { upTo: (i, j) => sums[i * width + j] };
}
function median(values) {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? NaN;
	return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}
const LEVEL_AFTER_CHANGE = 2;
function twoInARow(values, toleranceShare) {
	const found = [];
	let start = 0;
	let index = 5;
	while (index + 1 < values.length) {
		const level = median(values.slice(start, index));
		const sides = [values[index], values[index + 1]].map((value) => sideOf(value, level, toleranceShare));
		if (sides[0] !== 0 && sides[0] === sides[1]) {
			found.push(index);
			start = index;
			index += LEVEL_AFTER_CHANGE;
		} else index += 1;
	}
	return found;
}
function sideOf(value, level, toleranceShare) {
	if (value < level * (1 - toleranceShare)) return -1;
	return value > level * (1 + toleranceShare) ? 1 : 0;
}
const VALUES_MIN = 7;
const VALUES_MAX = 400;
function leastShare(toleranceShare) {
	return toleranceShare / 2;
}
function findChanges(values, toleranceShare) {
	if (values.length < VALUES_MIN) return [];
	const offset = Math.max(0, values.length - VALUES_MAX);
	const recent = values.slice(offset);
	const least = leastShare(toleranceShare);
	return wideEnough(recent, withRuns(recent, wideEnough(recent, eDivisive(recent), least), toleranceShare), least).map((change) => ({
		...change,
		index: change.index + offset
	}));
}
function withRuns(values, splits, toleranceShare) {
	const starts = [0, ...splits.map(({ index }) => index)];
	const runs = starts.flatMap((start, which) => {
		const end = starts[which + 1] ?? values.length;
		const isLast = which === starts.length - 1;
		return twoInARow(values.slice(start, end), toleranceShare).map((index) => ({
			index: index + start,
			p: null
		})).filter(({ index }) => isLast || end - index >= 5);
	});
	return [...splits, ...runs].toSorted((one, other) => one.index - other.index);
}
function wideEnough(values, marks, least) {
	const changes = measured$1(values, marks);
	const narrowest = changes.reduce((one, other) => one === null || Math.abs(other.share) < Math.abs(one.share) ? other : one, null);
	if (narrowest === null || Math.abs(narrowest.share) >= least) return changes;
	return wideEnough(values, marks.filter(({ index }) => index !== narrowest.index), least);
}
function measured$1(values, marks) {
	return marks.map(({ index, p }, which) => {
		const before = median(values.slice(marks[which - 1]?.index ?? 0, index));
		const after = median(values.slice(index, marks[which + 1]?.index ?? values.length));
		return {
			index,
			before,
			after,
			share: after / before - 1,
			by: p === null ? "two-in-a-row" : "e-divisive",
			p
		};
	});
}
const RECOVERY_VALUES = 5;
function driftOf(days, changes, toleranceShare) {
	if (days.length < VALUES_MIN) return {
		state: "short",
		values: days.length,
		needed: VALUES_MIN
	};
	let last = null;
	let isOver = false;
	for (const change of changes) if (last === null || isOver) {
		if (change.share < 0) [last, isOver] = [change, false];
	} else isOver = change.after >= last.before * (1 - leastShare(toleranceShare));
	if (last === null) return { state: "steady" };
	const fall = fallOf(days, last, changes.at(-1)?.after ?? last.after);
	if (isOver || isBack(days, last)) return {
		state: "recovered",
		fall
	};
	return {
		state: isAccepted(days, last) ? "accepted" : "drifting",
		fall
	};
}
function fallOf(days, { index, before, by, p }, now) {
	const [former, first] = [days[index - 1]?.point, days[index]];
	const nowMilliRps = Math.round(now);
	return {
		since: first?.day ?? "",
		from: {
			version: former?.subject.version ?? "",
			sha256: former?.subject.sha256 ?? ""
		},
		to: {
			version: first?.point.subject.version ?? "",
			sha256: first?.point.subject.sha256 ?? ""
		},
		beforeMilliRps: Math.round(before),
		nowMilliRps,
		share: now / before - 1,
		by,
		p
	};
}
function isBack(days, { index, before }) {
	const recent = days.slice(Math.max(index, days.length - RECOVERY_VALUES));
	return recent.length === RECOVERY_VALUES && median(recent.map(({ milliRps }) => milliRps)) >= before;
}
function isAccepted(days, { index, before }) {
	const [former, now] = [days[index - 1]?.point.baselineMilliRps ?? null, days.at(-1)?.point];
	const accepted = now?.baselineMilliRps ?? null;
	if (former === null || accepted === null || accepted === former || accepted >= before) return false;
	return now?.outcome === "held" || now?.outcome === "improved";
}
function trendsOf(points) {
	return [...Map.groupBy(points, seriesKey)].map(([key, own]) => trendOf(key, own.toSorted(byTime))).toSorted((one, other) => compare(latest(other).at.slice(0, 10), latest(one).at.slice(0, 10)) || compare(latest(one).series, latest(other).series) || compare(latest(one).cache, latest(other).cache) || compare(one.key, other.key));
}
function latest(trend) {
	return trend.points.at(-1);
}
function trendOf(key, points) {
	const days = dayValues(points);
	const toleranceShare = points[0]?.toleranceShare ?? 0;
	const changes = findChanges(days.map(({ milliRps }) => milliRps), toleranceShare);
	return {
		key: sha256Hex(key).slice(0, 16),
		points,
		days,
		changes,
		drift: driftOf(days, changes, toleranceShare)
	};
}
function compare(one, other) {
	return one < other ? -1 : one > other ? 1 : 0;
}
async function addToHistory(store, request) {
	const { record } = request;
	const points = historyPoints(record, request.verdict ?? gate({
		candidate: record,
		baseline: null,
		anchor: null,
		onMissingBaseline: "record"
	}), request);
	let added = [];
	let faults = [];
	await store.update((text) => {
		const after = withPoints(text, points);
		added = after.added;
		faults = readHistory(text).faults;
		return after.text;
	});
	return {
		location: store.location,
		added,
		known: points.length - added.length,
		faults
	};
}
async function compactOlderThan(store, days, now) {
	const keptFrom = dayBefore(now, days);
	let compacted = null;
	await store.update((text) => {
		compacted = compactHistory(text, keptFrom);
		return compacted.text;
	});
	const { before, after, dropped } = compacted ?? {
		before: 0,
		after: 0,
		dropped: []
	};
	return {
		location: store.location,
		keptFrom,
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
const DAY_MS = 864e5;
function dayBefore(now, days) {
	const midnightMs = Date.parse(`${now.slice(0, 10)}T00:00:00Z`);
	return new Date(Math.max(0, midnightMs - days * DAY_MS)).toISOString().slice(0, 10);
}
function planDrifts(trends, open) {
	const known = new Map(open.map(({ key, facts }) => [key, facts]));
	return trends.map((trend) => {
		const { key, drift } = trend;
		const facts = "fall" in drift ? factsOf$1(drift.fall, trend) : null;
		return {
			action: actionOf(drift.state, known.get(key) ?? null, facts),
			key,
			facts,
			trend
		};
	});
}
function actionOf(state, open, facts) {
	switch (state) {
		case "drifting":
			if (open === null) return "open";
			return open === facts ? "keep" : "update";
		case "recovered":
		case "accepted":
		case "steady": return open === null ? "none" : "close";
		case "short": return open === null ? "none" : "keep";
	}
}
function factsOf$1(fall, trend) {
	const lost = Math.round(fall.share * 100);
	const limiting = latest(trend).limiting;
	return canonicalSha256({
		since: fall.since,
		lost,
		to: fall.to.sha256,
		limiting: limiting === null ? null : [limiting.class, limiting.metric]
	}).slice(0, 16);
}
const openSchema = array(object({
	key: string().regex(/^[0-9a-f]{16}$/),
	facts: string().regex(/^[0-9a-f]{16}$/)
})).max(1e4);
function parseOpenDrifts(text, name) {
	try {
		return openSchema.parse(JSON.parse(text));
	} catch (cause) {
		throw new GateError({
			code: "open_drifts_invalid",
			message: `${name} is no list of open drift issues`,
			hint: "give a JSON list of {\"key\", \"facts\"}, both as the marker in each issue’s body has them",
			exitCode: EXIT.invalid,
			cause
		});
	}
}
function driftMarker(key, facts) {
	return `<!-- capacity-gate-drift:${key}:${facts} -->`;
}
function driftText({ action, key, facts, trend }) {
	switch (action) {
		case "open":
		case "update": return "fall" in trend.drift && facts !== null ? {
			title: driftTitle(trend, trend.drift.fall),
			body: issueBody(key, facts, trend, trend.drift.fall)
		} : null;
		case "close": return {
			title: "",
			body: `${closingText(trend)}\n`
		};
		case "keep":
		case "none": return null;
	}
}
function driftTitle(trend, fall) {
	const { series, cache } = latest(trend);
	return `Capacity drift: ${plainText(series, 80)}, ${cache}: ${signedPercent(fall.share)} % since ${fall.since}`;
}
function issueBody(key, facts, trend, fall) {
	const point = latest(trend);
	return [
		driftMarker(key, facts),
		fallSentence$1(trend, fall),
		"",
		...point.kind === "simulated" ? ["Simulated: these are no capacities of any hardware.", ""] : [],
		"**What to do**",
		"",
		...steps(fall).map((step) => `- ${step}`),
		"",
		levels$1(fall),
		"",
		`Found by ${foundBy(fall)}.${limitedBy(point)}`,
		"",
		"**The latest runs**",
		"",
		runs(trend.points),
		"",
		`Machine: ${markdownInk.text(point.machine, 300)}. Experiment \`${point.experiment.slice(0, 12)}\`, hardware \`${point.hardware.slice(0, 12)}\`.`,
		"",
		"This issue is updated as the history grows, and closed when the level is back or a lower baseline was accepted and holds.",
		""
	].join("\n");
}
function fallSentence$1(trend, fall) {
	const { series, cache } = latest(trend);
	const rates = `${milliRps$2(fall.beforeMilliRps)} → ${milliRps$2(fall.nowMilliRps)} RPS (${signedPercent(fall.share)} %)`;
	return `**Capacity of ${markdownCode(series, 80)}, ${cache}: ${rates}** since ${fall.since}, and not back.`;
}
function steps(fall) {
	const revisions = `${markdownCode(fall.from.version, 80)} and ${markdownCode(fall.to.version, 80)}`;
	return [
		fall.from.sha256 === fall.to.sha256 ? "The engine is the same before and after: look at the machine first (driver, clocks, power, cooling, neighbours), with the two nights’ packs side by side." : `The engine changed with the fall: compare ${revisions}, and bisect between them.`,
		"Repeat the sweep of the revision from before the fall on the same machine: if it is low as well, the machine has changed.",
		"If the loss is meant, promote a sweep of the new level in a reviewed change."
	];
}
function levels$1(fall) {
	const row = (when, version, rate) => [
		when,
		markdownCode(version, 80),
		milliRps$2(rate)
	];
	return table(columns("level", "version", "RPS:"), [row(`before ${fall.since}`, fall.from.version, fall.beforeMilliRps), row("now", fall.to.version, fall.nowMilliRps)]);
}
function foundBy({ by, p }) {
	return by === "two-in-a-row" ? "two days in a row beyond the tolerance" : `E-divisive (permutation test, p = ${p === null ? "–" : p.toFixed(3)})`;
}
function limitedBy({ limiting }) {
	if (limiting === null) return "";
	const metric = METRIC_NAMES.get(limiting.metric) ?? markdownInk.text(limiting.metric);
	return ` The latest run is limited by ${markdownInk.name(limiting.class)} (${metric}).`;
}
function runs(points) {
	const rows = points.slice(-14).toReversed().map((point) => [
		runLink(point),
		markdownCode(point.subject.version, 60),
		capacityText(point).replace("<", "&lt;"),
		percent$1(point.attainmentAtGuard),
		point.outcome
	]);
	return table(columns("run", "version", "RPS:", "attained at guard %:", "outcome"), rows);
}
function runLink(point) {
	const when = point.at.slice(0, 16).replace("T", " ");
	const url = safeUrl(point.runUrl ?? void 0);
	return url === null ? when : `[${when}](${url})`;
}
function capacityText(point) {
	const value = pointValue(point);
	if (value !== null) return `${value.isBound ? "< " : ""}${milliRps$2(value.milliRps)}`;
	if (point.capacityMilliRps === null) return "–";
	return `${point.outcome !== "invalid" && point.outcome !== "inconclusive" ? "≥ " : ""}${milliRps$2(point.capacityMilliRps)} (not counted)`;
}
function closingText(trend) {
	const { drift } = trend;
	const { series, cache } = latest(trend);
	const name = `${markdownCode(series, 80)}, ${cache}`;
	switch (drift.state) {
		case "recovered": return `Recovered: ${name} carries ${milliRps$2(drift.fall.nowMilliRps)} RPS again; before the fall of ${drift.fall.since} it was ${milliRps$2(drift.fall.beforeMilliRps)}.`;
		case "accepted": return `Accepted: ${name} holds against a baseline that was accepted since the fall of ${drift.fall.since}, at ${milliRps$2(latest(trend).baselineMilliRps)} RPS.`;
		case "steady":
		case "short":
		case "drifting": return `No longer seen: with what was measured since, the capacity of ${name} shows no fall.`;
	}
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
				marker: facts === null ? null : driftMarker(key, facts),
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
	return `${plainText(series, 80)}, ${cache} (${key}): ${whatIs(trend)}${ACTIONS[action]}`;
}
const ACTIONS = {
	open: " → open an issue",
	update: " → update its issue",
	keep: "; its issue stays as it is",
	close: " → close its issue",
	none: ""
};
function whatIs(trend) {
	const { drift } = trend;
	switch (drift.state) {
		case "short": return `${plural(drift.values, "day")} with a value, from ${drift.needed} on there is something to say`;
		case "steady": return `steady, last ${capacityText(latest(trend))} RPS`;
		case "drifting":
		case "recovered":
		case "accepted": {
			const { fall } = drift;
			const rates = `${milliRps$2(fall.beforeMilliRps)} → ${milliRps$2(fall.nowMilliRps)} RPS`;
			return `${drift.state}, ${rates} (${signedPercent(fall.share)} %) since ${fall.since}`;
		}
	}
}
const ENTITIES = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	"\"": "&quot;",
	"'": "&#39;"
};
function htmlText(value, max) {
	return plainText(value, max).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
function scriptJson(value) {
	return JSON.stringify(value).replaceAll(/[<>&\u{2028}\u{2029}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
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
		...line(points, scale),
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
function line(points, scale) {
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
	const title = `<title>${htmlText(pointText$1(point), 300)}</title>`;
	if (value === null) return `<text class="uncounted" x="${x}%" y="256" dy="4" text-anchor="middle">×${title}</text>`;
	return `<circle class="${value.isBound ? "bound" : "point"}" cx="${x}%" cy="${scale.y(value.milliRps)}" r="3.5">${title}</circle>`;
}
function pointText$1(point) {
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
		`<p class="soft">${htmlText(point.machine, 300)} · experiment ${point.experiment.slice(0, 12)} · hardware ${point.hardware.slice(0, 12)} · series ${trend.key} · tolerance ${percent$1(point.toleranceShare)} %</p>`,
		"</section>"
	].join("\n");
}
const STATES = {
	drifting: "▼ Drifting",
	recovered: "Recovered",
	accepted: "Accepted",
	steady: "Steady",
	short: "Too few values"
};
function stateText(trend) {
	return `<span class="state state-${trend.drift.state}">${STATES[trend.drift.state]}</span>`;
}
function driftSentence(drift) {
	switch (drift.state) {
		case "short": return `${plural(drift.values, "day")} with a value; from ${drift.needed} on there is something to say.`;
		case "steady": return "No fall was found.";
		case "drifting":
		case "recovered":
		case "accepted": return fallSentence(drift.fall);
	}
}
function fallSentence(fall) {
	const [was, is] = [htmlText(fall.from.version, 80), htmlText(fall.to.version, 80)];
	const versions = fall.from.sha256 === fall.to.sha256 ? `the same engine, ${is}` : `${was} → ${is}`;
	return `Fell on ${fall.since} from ${milliRps$2(fall.beforeMilliRps)} RPS, now ${milliRps$2(fall.nowMilliRps)} RPS (${signedPercent(fall.share)} %); ${versions}; found by ${foundBy(fall)}.`;
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
		percent$1(point.attainmentAtGuard),
		percent$1(point.bootSpread)
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
const TREND_STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --page: #ffffff; --card: #f6f8fa; --line: #d1d9e0;
  --run: #0969da; --fall: #cf222e; --rise: #1a7f37; --warn: #9a6700; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f6fc; --soft: #9198a1; --page: #0d1117; --card: #151b23; --line: #3d444d;
    --run: #4493f8; --fall: #f85149; --rise: #3fb950; --warn: #d29922; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 16px; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 8px 0; }
h2 { font-size: 1.15rem; margin: 0; }
p { margin: 6px 0; }
a { color: var(--run); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px; margin: 16px 0; }
figure { margin: 14px 0 4px; padding: 0 10px 0 52px; }
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
.soft { color: var(--soft); font-size: 0.85rem; }
.wide { overflow-x: auto; }
.wide table { width: max-content; }
.wide:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--run); outline-offset: 2px; }
summary { cursor: pointer; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { border-bottom: 1px solid var(--line); padding: 4px 10px 4px 0; text-align: left; vertical-align: top; overflow-wrap: normal; }
td { max-width: 26rem; }
th:last-child, td:last-child { padding-right: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.when { white-space: nowrap; }
@media print { body { max-width: none; } section { break-inside: avoid; } }
`;
const SERIES_MAX = 40;
function renderTrendPage({ trends, faults, toolVersion }) {
	const shown = trends.slice(0, SERIES_MAX);
	const newest = trends.reduce((last, trend) => latest(trend).at > last ? latest(trend).at : last, "");
	return [
		"<!doctype html>",
		"<html lang=\"en\">",
		"<head>",
		"<meta charset=\"utf-8\">",
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${base64Sha256(TREND_STYLE)}'; base-uri 'none'; form-action 'none'">`,
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
		"<meta name=\"referrer\" content=\"no-referrer\">",
		"<title>Capacity over time</title>",
		`<style>${TREND_STYLE}</style>`,
		"</head>",
		"<body>",
		"<main>",
		"<h1>Capacity over time</h1>",
		`<p class="soft">${newest === "" ? "No points yet." : `Up to ${newest.slice(0, 16).replace("T", " ")} UTC`} · Capacity Gate ${htmlText(toolVersion, 60)}</p>`,
		...faultNote(faults),
		...shown.length < trends.length ? [`<p>${plural(trends.length - shown.length, "older series")} not shown; the data block has them.</p>`] : [],
		...shown.length > 1 ? [overview(shown)] : [],
		...shown.map(trendSection),
		"</main>",
		`<script type="application/json" id="history">${scriptJson(dataOf(trends, toolVersion))}<\/script>`,
		"</body>",
		"</html>",
		""
	].join("\n");
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
			return `<tr><td>${`<a href="#s-${trend.key}">${htmlText(point.series, 60)}, ${point.cache}</a>`}</td><td>${stateText(trend)}</td><td class="number">${htmlText(capacityText(point))}</td><td class="when">${point.at.slice(0, 10)}</td></tr>`;
		}).join("\n")}</tbody></table></nav>`
	].join("\n");
}
function base64Sha256(text) {
	const hex = sha256Hex(text);
	const bytes = Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
	return btoa(String.fromCharCode(...bytes));
}
async function readHistoryRun(path) {
	if ((await stat(path).catch(() => null))?.isDirectory() ?? false) {
		const { record, verdict, context } = await readPackReport(await openPack(path));
		return {
			record,
			verdict,
			runUrl: context.runUrl ?? null
		};
	}
	const { file, text } = await readRecordFile("the run", path);
	return {
		record: parseCapacityRecord(text, file),
		verdict: null,
		runUrl: null
	};
}
async function isSameFile(path, other) {
	const [is, was] = await Promise.all([path, other].map((each) => stat(each, { bigint: true }).catch(() => null)));
	if (is && was) return is.isFile() && is.dev === was.dev && is.ino === was.ino;
	return !is && !was && resolve(path) === resolve(other);
}
async function refuseReplacing(output, others) {
	for (const { name, path } of others) {
		if (!await isSameFile(output.path, path)) continue;
		throw new GateError({
			code: "usage",
			message: `${output.name} would replace ${name === "--out" ? "what --out writes" : name}`,
			hint: "name another file",
			exitCode: EXIT.usage
		});
	}
}
const addHistory = (program, desk) => {
	const history = program.command("history").description("Keep the capacity of every night: add runs, draw their trend, find changes, plan an issue a drift.").helpCommand(false).addHelpText("after", example("capacity-gate history add inference-capacity-pack --to capacity-history"));
	defineAdd(history, desk);
	defineCompact(history, desk);
	definePage(history, desk);
	defineDrift(history, desk);
};
function defineAdd(history, desk) {
	history.command("add").description("Add a run to a history, a point a cache state; a run that is in it already is left out.").argument("<run>", "the folder that a run wrote, or its capacity.json").requiredOption("--to <folder>", "the history’s folder").option("--series <name>", "whose trend it belongs to: one for each cell of a matrix (default: the gate’s id)").option("--run-url <url>", "the workflow run’s page (default: as the pack has it)").addHelpText("after", example("capacity-gate history add inference-capacity-pack --to capacity-history")).action(async (path, { to, series, runUrl }) => {
		const run = await readHistoryRun(path);
		const facts = {
			series: series ?? null,
			runUrl: runUrl ?? run.runUrl
		};
		const added = await addToHistory(historyDirectory(to), {
			...run,
			...facts
		});
		noteFaults(desk, added.faults);
		desk.finish({
			exitCode: EXIT.ok,
			text: addedText(added),
			json: added
		});
	});
}
function addedText({ location, added, known }) {
	const lines = added.map((point) => {
		return `added to ${location}: ${`${plainText(point.series, 80)}, ${point.cache}: ${capacityText(point)} RPS, ${point.outcome}`}`;
	});
	if (known > 0) lines.push(`${plural(known, "point")} of this run in ${location} already`);
	return lines.length === 0 ? `the record holds no cache state: nothing was added to ${location}` : lines.join("\n");
}
function defineCompact(history, desk) {
	history.command("compact").description("Put the runs of each day that is older together: its median, with how many it stands for.").argument("<folder>", "the history’s folder").requiredOption("--older-than <days>", "days that keep every run", wholeNumberOrZero).addHelpText("after", example("capacity-gate history compact capacity-history --older-than 90")).action(async (folder, { olderThan }) => {
		const compacted = await compactOlderThan(historyDirectory(folder), olderThan, systemClock().wallTime());
		desk.finish({
			exitCode: EXIT.ok,
			text: compactedText(compacted),
			json: compacted
		});
	});
}
function compactedText({ location, keptFrom, before, after, dropped }) {
	const gone = dropped.length === 0 ? "" : `; ${faultsText(dropped)} dropped`;
	return `${location}: ${plural(before, "point")} → ${after}, every run kept from ${keptFrom} on${gone}`;
}
function definePage(history, desk) {
	history.command("page").description("Draw the trends with their changes as one HTML file that loads nothing and runs no script.").argument("<folder>", "the history’s folder").requiredOption("--out <file>", "the HTML file").addHelpText("after", example("capacity-gate history page capacity-history --out trend.html")).action(async (folder, { out }) => {
		const store = historyDirectory(folder);
		await refuseReplacing({
			name: "--out",
			path: out
		}, [{
			name: "the history",
			path: store.location
		}]);
		const { trends, faults } = await readTrends(store);
		noteFaults(desk, faults);
		await writeOutput(out, renderTrendPage({
			trends,
			faults,
			toolVersion: TOOL_VERSION
		}));
		const points = trends.reduce((sum, trend) => sum + trend.points.length, 0);
		const json = {
			out,
			series: trends.length,
			points,
			faults
		};
		desk.finish({
			exitCode: EXIT.ok,
			text: `${out}: ${plural(points, "point")} in ${trends.length} series`,
			json
		});
	});
}
function defineDrift(history, desk) {
	history.command("drift").description("Say which falls stand, and which issue is to be opened, updated or closed; nothing is sent anywhere.").argument("<folder>", "the history’s folder").addOption(new Option("--format <format>", "text for people, or JSON with the issues’ Markdown").choices(["text", "json"]).default("text")).option("--open <file>", "the drift issues that are open: a JSON list of {key, facts}, as in their markers").addOption(new Option("--on-drift <what>", "how a fall that stands ends: exit code 2, or 0 with warn").choices(["fail", "warn"]).default("fail")).addHelpText("after", example("capacity-gate history drift capacity-history --format json > drift.json")).action(async (folder, { format, open, onDrift }) => {
		const { trends, faults } = await readTrends(historyDirectory(folder));
		noteFaults(desk, faults);
		const plan = planDrifts(trends, open === void 0 ? [] : await readOpenDrifts(open));
		const json = driftPlanJson(plan);
		const isDrifting = trends.some(({ drift }) => drift.state === "drifting");
		desk.finish({
			exitCode: isDrifting && onDrift === "fail" ? EXIT.regressed : EXIT.ok,
			text: format === "json" ? JSON.stringify(json, null, 2) : driftPlanText(plan),
			json
		});
	});
}
async function readOpenDrifts(path) {
	return parseOpenDrifts(await readInputText({
		what: "the list of open issues",
		path,
		maximumBytes: INPUT_LIMITS.manifest
	}), path);
}
function noteFaults(desk, faults) {
	if (faults.length > 0) desk.note(`note: ${faultsText(faults)} passed over`);
}
const FAULTS_MAX = 5;
function faultsText(faults) {
	const named = faults.slice(0, FAULTS_MAX).map(({ line, code }) => `line ${line} (${code})`);
	const more = faults.length > FAULTS_MAX ? ` and ${faults.length - FAULTS_MAX} more` : "";
	return `${named.join(", ")}${more}`;
}
function importedPoint(input) {
	const { manifest, table, key, cohortSha256, cohortSeconds } = input;
	const slo = analyzeManifest(table, manifest, {
		durationSeconds: cohortSeconds,
		queueTrend: "unknown"
	});
	const why = importedReason(table.origin ?? "another tool");
	const evidence = [{
		probe: "client.open_loop",
		state: "unknown",
		required: true,
		blames: "client",
		text: why.text
	}];
	const { acceptance } = manifest;
	const judged = pointOutcome({
		slo,
		evidence: [],
		acceptance,
		stoppedEarly: null,
		hopeless: null
	});
	return {
		schema: 1,
		key,
		epoch: pointEpoch(key),
		scheduleSha256: cohortSha256,
		deployId: "imported",
		arrivalSeconds: input.arrivalSeconds ?? cohortSeconds,
		cohortSeconds,
		slo,
		ratesRps: slo.rates_rps,
		evidence,
		outcome: judged.outcome === "undersampled" ? "undersampled" : "unknown",
		stoppedEarly: false,
		limiting: slo.limiting,
		reasons: [why, ...judged.reasons]
	};
}
function importedResult(point) {
	return {
		cache: point.key.cache,
		plan: "confirm",
		passMilliRps: null,
		failMilliRps: null,
		perReplicaRps: null,
		perGpuRps: null,
		points: [point],
		flukeMilliRps: [],
		attainmentSpread: null,
		bootSpread: null,
		gpuMinutes: 0,
		reasons: point.reasons.slice(0, 1)
	};
}
function classChooser(choice, workload, file) {
	if ("name" in choice) {
		const named = workload.find((each) => each.name === choice.name);
		if (named !== void 0) return () => named;
		const names = workload.map((each) => each.name).join(", ");
		const what = `${quoted(choice.name)} is no class of the workload, which has ${names}`;
		throw refusal$3(file, {
			code: "import_class",
			what,
			hint: "name one of them, or use --class-by lengths"
		});
	}
	return (request) => byLengths(request, choice.lengthTolerance, workload, file);
}
function byLengths(request, tolerance, workload, file) {
	const { inputTokens: input, outputTokens: output } = request;
	const millionths = Math.round(tolerance * 1e6);
	const fits = (each) => input === null || Math.abs(input - each.input_tokens) * 1e6 <= millionths * each.input_tokens;
	const byInput = workload.filter(fits);
	const byBoth = byInput.filter((each) => each.output_tokens === output);
	const found = byBoth.length > 0 ? byBoth : byInput;
	const [only] = found;
	if (only !== void 0 && found.length === 1) return only;
	const lengths = `${input ?? "unknown"} input and ${output ?? "unknown"} output tokens`;
	const what = found.length === 0 ? `${request.place} has ${lengths}, which no class of the workload has` : `${request.place} has ${lengths}, which may be ${found.map((each) => each.name).join(" or ")}`;
	const hint = found.length === 0 ? "widen --length-tolerance, or name one class for all: --class NAME" : "name one class for all: --class NAME";
	throw refusal$3(file, {
		code: "import_class",
		what,
		hint
	});
}
var SourceObject = class SourceObject {
	file;
	place;
	#value;
	constructor(file, place, value) {
		this.file = file;
		this.place = place;
		if (!isObject(value)) throw this.refuse("import_shape", "is no JSON object");
		this.#value = value;
	}
	has(name) {
		return this.#get(name) !== null;
	}
	part(name) {
		const value = this.#get(name);
		return value === null ? null : new SourceObject(this.file, `${this.place}, ${name}`, value);
	}
	text(name) {
		const value = this.#get(name);
		if (value === null || typeof value === "string") return value;
		throw this.#wrong(name, value, "is no text");
	}
	flag(name) {
		const value = this.#get(name);
		if (value === null || typeof value === "boolean") return value;
		throw this.#wrong(name, value, "is neither true nor false");
	}
	number(name) {
		const value = this.#get(name);
		if (value === null || typeof value === "number" && Number.isFinite(value)) return value;
		throw this.#wrong(name, value, "is no number");
	}
	count(name) {
		return asCount(this.number(name), (value) => this.#wrong(name, value, "is no whole number from 0 up"));
	}
	list(name) {
		const value = this.#get(name);
		if (value === null || Array.isArray(value)) return value;
		throw this.#wrong(name, value, "is no list");
	}
	refuse(code, what, hint = "hand in the file as the tool wrote it") {
		return refusal$3(this.file, {
			code,
			what: `${this.place} ${what}`,
			hint
		});
	}
	#get(name) {
		return Object.hasOwn(this.#value, name) ? this.#value[name] ?? null : null;
	}
	#wrong(name, value, what) {
		return this.refuse("import_shape", `has a ${name} that ${what}: ${shown$1(value)}`);
	}
};
function asCount(value, refuse) {
	if (value === null || Number.isInteger(value) && value >= 0 && value <= 0x7fffffff) return value;
	throw refuse(value);
}
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function shown$1(value) {
	if (typeof value !== "object" || value === null) return quoted(String(value));
	return Array.isArray(value) ? "a list" : "an object";
}
const UNIT_US = new Map([
	["ns", .001],
	["nanoseconds", .001],
	["us", 1],
	["µs", 1],
	["microseconds", 1],
	["ms", 1e3],
	["milliseconds", 1e3],
	["s", 1e6],
	["sec", 1e6],
	["seconds", 1e6]
]);
function unitUs(name, source, of) {
	const us = UNIT_US.get(name ?? "");
	if (us !== void 0) return us;
	throw source.refuse("import_unit", `gives ${of} in ${shown$1(name)}, which is no unit of time`);
}
const LONGEST_US = 6048e8;
function spanUs(value, ofUnitUs, source, of) {
	if (value === null) return null;
	if (value * ofUnitUs > 6048e8) throw source.refuse("import_clocks", `has a ${of} of more than a week: its moments are of two clocks`, "import the requests of one process’s one run");
	if (value >= 0) return Math.round(value * ofUnitUs);
	throw source.refuse("import_negative", `has a negative ${of}: ${value}`, "a clock stepped, or the file was edited: measure again");
}
function betweenUs(from, to, source, of) {
	return from === null || to === null ? null : spanUs(to - from, 1, source, of);
}
function gapsUs(values, ofUnitUs, source) {
	return values.map((value) => {
		if (typeof value !== "number" || !Number.isFinite(value)) throw source.refuse("import_shape", `has a gap between chunks that is no number: ${shown$1(value)}`);
		return spanUs(value, ofUnitUs, source, "gap between chunks") ?? 0;
	});
}
function summarizeGaps(values) {
	const ascending = Float64Array.from(values).sort();
	const at = (share) => ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;
	return values.length === 0 ? null : {
		p50: at(.5),
		p95: at(.95),
		max: at(1)
	};
}
const IMPORT_TOOLS = [
	"aiperf",
	"vllm",
	"sglang",
	"guidellm",
	"inference-perf"
];
const IMPORT_FILES = {
	aiperf: {
		file: "AIPerf’s profile_export.jsonl",
		howTo: "run AIPerf with --export-level records"
	},
	vllm: {
		file: "vLLM’s detailed bench result",
		howTo: "run vllm bench serve with --save-result --save-detailed"
	},
	sglang: {
		file: "SGLang’s detailed bench result",
		howTo: "run bench_serving with --output-details"
	},
	guidellm: {
		file: "GuideLLM’s benchmarks.json",
		howTo: "let GuideLLM write its JSON output"
	},
	"inference-perf": {
		file: "inference-perf’s per_request_lifecycle_metrics.json",
		howTo: "set report.request_lifecycle.per_request: true"
	}
};
function originOf(tool, version) {
	const names = {
		aiperf: "aiperf",
		vllm: "vllm-bench",
		sglang: "sglang-bench",
		guidellm: "guidellm",
		"inference-perf": "inference-perf"
	};
	const told = version?.replaceAll(/[^A-Za-z0-9._+-]/g, "").slice(0, 40) ?? "";
	return told === "" ? names[tool] : `${names[tool]}/${told}`;
}
const LONGEST_TEXT = 1024;
function importedCohort(read, choice, workload, file) {
	if (read.requests.length === 0) throw refusal$3(file, {
		code: "import_empty",
		what: "it holds no requests",
		hint: "let the tool finish its run"
	});
	const chooseClass = classChooser(choice, workload, file);
	const width = Math.max(5, String(read.requests.length).length);
	const demoted = new Map();
	const requests = read.requests.map((request, i) => {
		const of = chooseClass(request);
		const id = cellText(request, "id", file) || `i-${String(i + 1).padStart(width, "0")}`;
		const session = cellText(request, "session", file);
		const changes = settled(request, of.output_tokens, file);
		if (changes.errorCode) demoted.set(changes.errorCode, (demoted.get(changes.errorCode) ?? 0) + 1);
		return Object.assign(request, changes, {
			id,
			session,
			class: of.name
		});
	});
	refuseRepeatedIds(requests, file);
	const span = spanOf(requests, read.durationSeconds, file);
	refuseNoSuccess(requests, demoted, file);
	const told = [...demoted].map(([code, count]) => `${code} ${count}`).join(", ");
	return {
		origin: originOf(read.tool, read.version),
		requests: inOrderOfSending(requests),
		originAtUs: span.from,
		durationSeconds: span.durationSeconds ?? read.durationSeconds,
		arrivalSeconds: span.arrivalSeconds,
		notes: [...read.notes, ...told === "" ? [] : [`successes to the tool that count as errors here: ${told}`]]
	};
}
function cellText(request, name, file) {
	const text = request[name];
	if (text === null || text.length <= LONGEST_TEXT) return text?.toWellFormed().replaceAll("\0", "�") ?? null;
	const what = `${request.place} has a text of ${text.length} characters as its ${name}; at most ${LONGEST_TEXT} are taken`;
	throw refusal$3(file, {
		code: "import_text",
		what,
		hint: "hand in the file as the tool wrote it"
	});
}
function settled(request, expectedTokens, file) {
	const { status, ttftUs, e2eUs, outputTokens } = request;
	if (status !== "ok") return {};
	const error = (errorCode) => ({
		status: "error",
		errorCode
	});
	if (ttftUs === null || outputTokens === 0) return error("no_token");
	if (outputTokens === null) return error("usage_missing");
	const lastUs = outputTokens === 1 ? ttftUs : e2eUs;
	if (lastUs === null) return error("end_without_finish");
	if (lastUs < ttftUs) {
		const what = `${request.place} ended after ${lastUs} µs, before its first token after ${ttftUs} µs`;
		throw refusal$3(file, {
			code: "import_times",
			what,
			hint: "a clock stepped, or the file was edited: measure again"
		});
	}
	return outputTokens === expectedTokens ? { e2eUs: lastUs } : {
		...error("wrong_length"),
		e2eUs: lastUs
	};
}
function refuseRepeatedIds(requests, file) {
	const seen = new Map();
	for (const { id, place } of requests) {
		const before = seen.get(id);
		if (before !== void 0) {
			const what = `${place} has the id of ${before}: ${JSON.stringify(id.slice(0, 40))}`;
			throw refusal$3(file, {
				code: "import_id",
				what,
				hint: "import one run; a cohort holds each request once"
			});
		}
		seen.set(id, place);
	}
}
function spanOf(requests, runSeconds, file) {
	let first = null;
	let last = null;
	let [endAtUs, firstSent, lastSent] = [
		Number.NEGATIVE_INFINITY,
		Number.POSITIVE_INFINITY,
		Number.NEGATIVE_INFINITY
	];
	let [ends, sent] = [0, 0];
	for (const request of requests) {
		refuseEndBeforeSent(request, file);
		for (const at of [
			request.dueAtUs,
			request.sentAtUs,
			request.endAtUs
		]) {
			if (at === null) continue;
			if (first === null || at < first.at) first = {
				at,
				place: request.place
			};
			if (last === null || at > last.at) last = {
				at,
				place: request.place
			};
		}
		if (request.sentAtUs !== null) {
			sent++;
			firstSent = Math.min(firstSent, request.sentAtUs);
			lastSent = Math.max(lastSent, request.sentAtUs);
		}
		if (request.endAtUs === null) continue;
		ends++;
		endAtUs = Math.max(endAtUs, request.endAtUs);
	}
	if (first === null || last === null) return {
		from: null,
		durationSeconds: null,
		arrivalSeconds: null
	};
	const longestUs = runSeconds === null ? LONGEST_US : Math.min(LONGEST_US, (2 * runSeconds + 1) * 1e6);
	if (last.at - first.at > longestUs) throw mixedClocks(first.place, last.place, longestUs, file);
	const whole = ends === requests.length;
	return {
		from: first.at,
		durationSeconds: whole ? Math.round(endAtUs - first.at) / 1e6 : null,
		arrivalSeconds: sent === requests.length ? Math.round(lastSent - firstSent) / 1e6 : null
	};
}
function refuseEndBeforeSent({ place, sentAtUs, endAtUs }, file) {
	if (sentAtUs === null || endAtUs === null || endAtUs >= sentAtUs) return;
	const what = `${place} ended ${Math.round(sentAtUs - endAtUs)} µs before it was sent`;
	throw refusal$3(file, {
		code: "import_negative",
		what,
		hint: "a clock stepped, or the file was edited: measure again"
	});
}
function mixedClocks(first, last, longestUs, file) {
	return refusal$3(file, {
		code: "import_clocks",
		what: `${first} and ${last} lie more than ${longestUs === 6048e8 ? "a week" : "twice the run’s own duration"} apart: their moments are of two clocks`,
		hint: "import the requests of one process’s one run"
	});
}
function inOrderOfSending(requests) {
	if (requests.some(({ sentAtUs }) => sentAtUs === null)) return [...requests];
	return requests.toSorted((a, b) => (a.sentAtUs ?? 0) - (b.sentAtUs ?? 0));
}
const NO_SUCCESS_HINTS = {
	wrong_length: "give the manifest whose workload was run; answers of other lengths cannot be judged by it",
	usage_missing: "have the engine report usage: only its own count of tokens is one",
	no_token: "measure with streaming: a first token can only be timed in a stream"
};
function refuseNoSuccess(requests, demoted, file) {
	const [code, count] = [...demoted].toSorted((a, b) => b[1] - a[1])[0] ?? ["", 0];
	if (count === 0 || requests.some(({ status }) => status === "ok")) return;
	const what = `none of its ${[...demoted.values()].reduce((sum, each) => sum + each, 0)} successes can be judged: ${count} are ${code}`;
	const hint = NO_SUCCESS_HINTS[code] ?? "look at the first of them in the file";
	throw refusal$3(file, {
		code: "import_no_success",
		what,
		hint
	});
}
function encodeImportedCsv(cohort) {
	const columns = [...REQUESTS_CSV_COLUMNS, "origin"];
	let csv = `${columns.join(",")}\n`;
	for (const request of cohort.requests) {
		const cells = cellsOf(request, cohort);
		csv += `${columns.map((name) => cells[name] ?? "").join(",")}\n`;
	}
	return csv;
}
function cellsOf(request, { origin, originAtUs }) {
	const fromStart = (atUs) => atUs === null ? null : Math.round(atUs - (originAtUs ?? 0));
	const [dueUs, sentUs] = [fromStart(request.dueAtUs), fromStart(request.sentAtUs)];
	const later = (us) => us === null || sentUs === null ? null : sentUs + us;
	const [firstTokenUs, lastTokenUs] = [later(request.ttftUs), later(request.e2eUs)];
	const endUs = fromStart(request.endAtUs);
	const [ttft, tpot, e2e, outputTokens] = measured(request);
	return {
		request_id: text(request.id),
		class: quoteCell(request.class),
		ttft_ms: ttft,
		tpot_ms: tpot,
		e2e_ms: e2e,
		output_tokens: outputTokens,
		status: request.status,
		due_us: dueUs,
		sent_us: sentUs,
		first_token_us: firstTokenUs,
		last_token_us: lastTokenUs,
		end_us: endUs === null ? null : Math.max(endUs, lastTokenUs ?? endUs),
		send_lag_ms: between(dueUs, sentUs),
		ttft_from_due_ms: between(dueUs, firstTokenUs),
		e2e_from_due_ms: between(dueUs, lastTokenUs),
		input_tokens: request.inputTokens,
		cached_tokens: request.cachedTokens,
		chunks: request.chunks,
		gap_p50_ms: ms(request.gapUs?.p50),
		gap_p95_ms: ms(request.gapUs?.p95),
		gap_max_ms: ms(request.gapUs?.max),
		http_status: request.httpStatus,
		error_code: request.errorCode,
		session: text(request.session),
		turn: request.turn,
		first_content_us: later(request.firstContentUs),
		observed_output_tokens: request.outputTokens,
		origin
	};
}
function measured({ status, ttftUs, e2eUs, outputTokens }) {
	if (status !== "ok" || ttftUs === null || e2eUs === null || outputTokens === null) return NOTHING_MEASURED;
	return [
		msText(ttftUs),
		nsAsMsText(tpotNs(e2eUs - ttftUs, outputTokens)),
		msText(e2eUs),
		String(outputTokens)
	];
}
function between(fromUs, toUs) {
	return fromUs === null || toUs === null ? null : msText(toUs - fromUs);
}
function ms(us) {
	return us === void 0 ? null : msText(us);
}
function text(value) {
	return value === null ? null : quoteCell(guardFormula(value));
}
const PHRASES = [
	["Too Many Requests", 429],
	["Service Unavailable", 503],
	["Internal Server Error", 500],
	["Bad Gateway", 502],
	["Gateway Timeout", 504],
	["Bad Request", 400],
	["Unauthorized", 401],
	["Forbidden", 403],
	["Not Found", 404],
	["Request Entity Too Large", 413],
	["Unprocessable Entity", 422]
];
const WORDS = [
	[/getaddrinfo|Name or service not known|Temporary failure in name resolution|ConnectorDNSError/, "name_not_resolved"],
	[/SSL|certificate/i, "tls_failed"],
	[/Connect(ion)?Timeout|Cannot connect|ConnectorError|ConnectError|[Cc]onnection ?[Rr]efused/, "connect_failed"],
	[/ServerDisconnected|Connection ?reset|RemoteProtocolError|Server disconnected/i, "connection_reset"],
	[/ClientPayloadError|TransferEncodingError|ContentLengthError|IncompleteRead/, "cut_body"],
	[/time(d)? ?out/i, "whole_deadline"],
	[/JSONDecodeError|Expecting value/, "malformed_event"],
	[/Never received a valid chunk/, "no_token"]
];
function failureOf(message, httpStatus) {
	const http = httpStatus ?? phraseStatus(message);
	if (http !== null) return {
		status: refusalStatus(http),
		errorCode: "http_status",
		httpStatus: http
	};
	const last = message.trimEnd().split("\n").at(-1) ?? "";
	const errorCode = WORDS.find(([words]) => words.test(last))?.[1] ?? null;
	return {
		status: errorCode === "whole_deadline" ? "timeout" : "error",
		errorCode,
		httpStatus: null
	};
}
function httpFailure(code) {
	return code !== null && Number.isInteger(code) && code >= 400 && code <= 599 && code !== 499 ? code : null;
}
function oneLine(type, message) {
	return `${type}: ${message.replaceAll(/\s+/g, " ")}`;
}
const STATUS_IN_WORDS = /\b(?:HTTP\w*|status(?: code)?|Server error|Client error)\W{1,3}([45]\d\d)\b/i;
function phraseStatus(message) {
	const told = STATUS_IN_WORDS.exec(message.slice(0, 1e3))?.[1];
	if (told !== void 0) return Number(told);
	return PHRASES.find(([phrase]) => message === phrase || message.startsWith(`${phrase}:`))?.[1] ?? null;
}
function untold(place) {
	return {
		place,
		id: null,
		status: "ok",
		errorCode: null,
		dueAtUs: null,
		sentAtUs: null,
		endAtUs: null,
		ttftUs: null,
		e2eUs: null,
		firstContentUs: null,
		inputTokens: null,
		outputTokens: null,
		cachedTokens: null,
		chunks: null,
		gapUs: null,
		httpStatus: null,
		session: null,
		turn: null
	};
}
const readAiperf = async (documents, { file, run }) => {
	if (run !== null) throw oneRun$1(file);
	const requests = [];
	let warmup = 0;
	for await (const { line, value } of documents) {
		const source = new SourceObject(file, `line ${line}`, value);
		if (isWarmup(source)) warmup++;
		else requests.push(requestOf$3(source));
	}
	return {
		tool: "aiperf",
		version: null,
		requests,
		durationSeconds: null,
		notes: warmup === 0 ? [] : [`warm-up records left out: ${warmup}`]
	};
};
function isWarmup(source) {
	const phase = source.part("metadata")?.text("benchmark_phase") ?? "profiling";
	if (phase === "warmup" || phase === "profiling") return phase === "warmup";
	throw source.refuse("import_shape", `is of the phase ${shown$1(phase)}, which is neither warmup nor profiling`);
}
function requestOf$3(source) {
	const metadata = source.part("metadata");
	if (metadata === null) throw source.refuse("import_shape", "has no metadata");
	const moment = (name) => {
		const ns = metadata.number(name);
		return ns === null ? null : ns / 1e3;
	};
	const sentAtUs = moment("request_start_ns");
	const endAtUs = moment("request_end_ns");
	const wholeUs = betweenUs(sentAtUs, endAtUs, source, "span from request_start_ns to request_end_ns");
	const metrics = source.part("metrics");
	const gaps = metrics?.part("inter_chunk_latency") ?? null;
	const list = gaps?.list("value") ?? null;
	const chunkGaps = list === null ? null : gapsUs(list, unitUs(gaps?.text("unit") ?? null, source, "gaps"), source);
	const failure = failed$2(source, metadata);
	return {
		...untold(source.place),
		...failure,
		id: metadata.text("x_request_id"),
		sentAtUs,
		endAtUs,
		ttftUs: metricUs(metrics, "time_to_first_token"),
		e2eUs: metricUs(metrics, "request_latency") ?? (failure === null ? wholeUs : null),
		inputTokens: tokens(metrics, "input_sequence_length") ?? tokens(metrics, "error_isl"),
		outputTokens: outputTokens(metrics),
		chunks: chunkGaps === null ? null : chunkGaps.length + 1,
		gapUs: chunkGaps === null ? null : summarizeGaps(chunkGaps),
		session: metadata.text("x_correlation_id"),
		turn: metadata.count("turn_index")
	};
}
function failed$2(source, metadata) {
	const error = source.part("error");
	const cancelled = metadata.flag("was_cancelled") === true;
	if (error === null && !cancelled) return null;
	const code = error?.number("code") ?? null;
	const type = error?.text("type") ?? "";
	if (cancelled || code === 499 || type === "RequestCancellationError") return {
		status: "cancelled",
		errorCode: "planned_cancellation",
		httpStatus: null
	};
	return failureOf(oneLine(type, error?.text("message") ?? ""), httpFailure(code));
}
function metricUs(metrics, name) {
	const metric = metrics?.part(name) ?? null;
	const value = metric?.number("value") ?? null;
	if (metric === null || value === null) return null;
	return spanUs(value, unitUs(metric.text("unit"), metric, name), metric, name);
}
function tokens(metrics, name) {
	const metric = metrics?.part(name) ?? null;
	if (metric === null) return null;
	return asCount(metric.number("value"), () => metric.refuse("import_shape", "is no whole number of tokens"));
}
function outputTokens(metrics) {
	const whole = tokens(metrics, "output_sequence_length");
	if (whole !== null) return whole;
	const visible = tokens(metrics, "output_token_count");
	return visible === null ? null : visible + (tokens(metrics, "reasoning_token_count") ?? 0);
}
function oneRun$1(file) {
	return refusal$3(file, {
		code: "import_run",
		what: "a profile export holds one run only",
		hint: "leave --run out; each AIPerf run writes a file of its own"
	});
}
function chosenRun(runs, { file, run }, word) {
	const chosen = runs[(run ?? 1) - 1];
	if (chosen !== void 0 && (run !== null || runs.length === 1)) return chosen;
	throw notChosen(runs.length, {
		file,
		run
	}, word);
}
async function chosenDocument(documents, { file, run }, word) {
	let chosen = null;
	let count = 0;
	for await (const { line, value } of documents) {
		const source = new SourceObject(file, `the ${word} of line ${line}`, value);
		if (++count === (run ?? 1)) chosen = source;
	}
	if (chosen !== null && (run !== null || count === 1)) return chosen;
	throw notChosen(count, {
		file,
		run
	}, word);
}
function notChosen(count, { file, run }, word) {
	const many = count === 1 ? `1 ${word}` : `${count} ${word}s`;
	return refusal$3(file, {
		code: "import_run",
		what: run === null ? `it holds ${many}, and only one can be a cohort` : `there is no ${word} ${run}: it holds ${many}`,
		hint: count === 0 ? "let the tool finish its run" : `name one with --run 1${count > 1 ? ` to --run ${count}` : ""}`
	});
}
const SECOND_US$3 = 1e6;
const GROUPS = [
	"successful",
	"errored",
	"incomplete"
];
const readGuidellm = async (documents, reading) => {
	const { file } = reading;
	const report = await chosenDocument(documents, {
		file,
		run: null
	}, "report");
	const benchmark = chosenRun((report.list("benchmarks") ?? []).map((value, i) => new SourceObject(file, `benchmark ${i + 1}`, value)), reading, "benchmark");
	const { requests, outside, incomplete } = requestsOf(benchmark);
	refuseSample(benchmark, requests.length);
	const notes = [...outside === 0 ? [] : [`requests outside the measured window (warm-up, cool-down) left out: ${outside}`], ...incomplete === 0 ? [] : [`requests that the benchmark’s end cut off, which count as errors: ${incomplete}`]];
	return {
		tool: "guidellm",
		version: report.part("metadata")?.text("guidellm_version") ?? null,
		requests,
		durationSeconds: null,
		notes
	};
};
function requestsOf(benchmark) {
	const groups = benchmark.part("requests");
	if (groups === null) throw notDetailed(benchmark);
	const [fromUs, untilUs] = [momentUs(benchmark, "start_time"), momentUs(benchmark, "end_time")];
	const requests = [];
	let [outside, incomplete] = [0, 0];
	for (const group of GROUPS) for (const [i, value] of (groups.list(group) ?? []).entries()) {
		const place = `${benchmark.place}, ${group} request ${i + 1}`;
		const request = requestOf$2(new SourceObject(benchmark.file, place, value), group);
		const isBefore = fromUs !== null && request.endAtUs !== null && request.endAtUs < fromUs;
		const isAfter = untilUs !== null && (request.sentAtUs ?? request.endAtUs ?? 0) > untilUs;
		if (isBefore || isAfter) {
			outside++;
			continue;
		}
		if (group === "incomplete") incomplete++;
		requests.push(request);
	}
	return {
		requests,
		outside,
		incomplete
	};
}
function requestOf$2(source, group) {
	const info = source.part("info");
	const timings = info?.part("timings") ?? null;
	if (info === null || timings === null) throw source.refuse("import_shape", "has no info.timings", "use GuideLLM 0.4 or later");
	const at = (name) => momentUs(timings, name);
	const sentAtUs = at("request_start") ?? at("resolve_start");
	const since = (name) => betweenUs(sentAtUs, at(name), source, `span to ${name}`);
	const [input, output] = [source.part("input_metrics"), source.part("output_metrics")];
	return {
		...untold(source.place),
		...failed$1(group, info),
		id: source.text("request_id") ?? info.text("request_id"),
		dueAtUs: at("targeted_start"),
		sentAtUs,
		endAtUs: at("request_end") ?? at("resolve_end"),
		ttftUs: since("first_token_iteration"),
		firstContentUs: since("first_output_token_iteration"),
		e2eUs: since("last_token_iteration"),
		inputTokens: input?.count("total_tokens") ?? input?.count("text_tokens") ?? null,
		outputTokens: output?.count("total_tokens") ?? output?.count("text_tokens") ?? null,
		cachedTokens: input?.count("cached_tokens") ?? null,
		chunks: timings.count("token_iterations") || null,
		session: info.text("conversation_id"),
		turn: info.count("turn_index")
	};
}
function failed$1(group, info) {
	if (group === "successful") return null;
	return failureOf(group === "errored" ? info.text("error") ?? "" : "", null);
}
function momentUs(source, name) {
	const seconds = source.number(name);
	return seconds === null || seconds < 0 ? null : seconds * SECOND_US$3;
}
function refuseSample(benchmark, held) {
	const total = benchmark.part("metrics")?.part("request_totals")?.count("total") ?? null;
	if (total === null || total <= held) return;
	const what = `measured ${total} requests, and the file holds ${held}: a sample is no cohort`;
	throw benchmark.refuse("import_sampled", what, "let GuideLLM keep every request");
}
function notDetailed(benchmark) {
	return benchmark.refuse("import_not_detailed", "holds no requests", IMPORT_FILES.guidellm.howTo);
}
const SECOND_US$2 = 1e6;
const readInferencePerf = async (documents, { file, run }) => {
	if (run !== null) throw oneRun(file);
	const lists = [];
	for await (const document of documents) lists.push(document);
	const [list] = lists;
	if (lists.length !== 1 || !Array.isArray(list?.value)) throw notAList(file);
	return {
		tool: "inference-perf",
		version: null,
		requests: list.value.map((value, i) => requestOf$1(new SourceObject(file, `request ${i + 1}`, value))),
		durationSeconds: null,
		notes: []
	};
};
function requestOf$1(source) {
	const info = source.part("info");
	if (info === null) throw source.refuse("import_not_detailed", "has no info", "keep report.request_lifecycle.per_request_fields.info: true");
	const [start, end] = [source.number("start_time"), source.number("end_time")];
	if (start === null) throw source.refuse("import_shape", "has no start_time");
	const answer = info.part("response_metrics") ?? info;
	const times = chunkTimes(answer, source);
	const since = (seconds, of) => seconds === void 0 || seconds === null ? null : spanUs(seconds - start, SECOND_US$2, source, of);
	since(end, "span to end_time");
	const usage = answer.part("server_usage");
	const gaps = times.slice(1).map((time, i) => time - (times[i] ?? time));
	return {
		...untold(source.place),
		...failed(source),
		sentAtUs: start * SECOND_US$2,
		endAtUs: end === null ? null : end * SECOND_US$2,
		ttftUs: since(times[0], "TTFT"),
		firstContentUs: since(times[0], "TTFT"),
		e2eUs: since(times.at(-1), "span to the last chunk"),
		inputTokens: inputTokens(info, usage),
		outputTokens: usage?.count("completion_tokens") ?? usage?.count("output_tokens") ?? null,
		cachedTokens: usage?.part("prompt_tokens_details")?.count("cached_tokens") ?? null,
		chunks: times.length || null,
		gapUs: summarizeGaps(gapsUs(gaps, SECOND_US$2, source))
	};
}
function chunkTimes(answer, source) {
	const chunks = answer.list("chunk_times") ?? [];
	return (chunks.length > 0 ? chunks : answer.list("output_token_times") ?? []).map((time) => {
		if (typeof time === "number" && Number.isFinite(time)) return time;
		throw source.refuse("import_shape", `has a chunk time that is no number: ${shown$1(time)}`);
	});
}
function inputTokens(info, usage) {
	return usage?.count("prompt_tokens") ?? usage?.count("input_tokens") ?? null ?? info.part("request_metrics")?.part("text")?.count("input_tokens") ?? info.count("input_tokens");
}
function failed(source) {
	const error = source.part("error");
	if (error === null) return null;
	const type = error.text("error_type") ?? "";
	const http = /^HTTP Error (\d{3})$/.exec(type)?.[1];
	return failureOf(oneLine(type, error.text("error_msg") ?? ""), httpFailure(http === void 0 ? null : Number(http)));
}
function notAList(file) {
	const { howTo } = IMPORT_FILES["inference-perf"];
	return refusal$3(file, {
		code: "import_shape",
		what: "it is no list of requests",
		hint: howTo
	});
}
function oneRun(file) {
	return refusal$3(file, {
		code: "import_run",
		what: "a per-request report does not part its stages",
		hint: "leave --run out, and measure one stage a run"
	});
}
const DOCUMENT_MAX_BYTES = 268435456;
async function* jsonDocuments(source, file, maximumBytes = DOCUMENT_MAX_BYTES) {
	const whole = [];
	let firstLine = 0;
	let isLines = null;
	let size = 0;
	for await (const { text, line } of textLines(source, file, maximumBytes)) {
		if (text.trim() === "") continue;
		if (isLines === null) {
			const first = tryJson(text);
			firstLine = line;
			isLines = first !== null;
			if (first !== null) yield {
				line,
				value: first.value
			};
			else whole.push(text);
		} else if (isLines) yield {
			line,
			value: parse$1(text, file, line)
		};
		else whole.push(text);
		size = isLines ? 0 : size + text.length;
		if (size > maximumBytes) throw tooLarge(file, maximumBytes);
	}
	if (isLines === null) throw empty(file);
	if (!isLines) yield {
		line: firstLine,
		value: parse$1(whole.join("\n"), file, null)
	};
}
function parse$1(text, file, line) {
	const read = tryJson(text);
	if (read !== null) return read.value;
	const isCut = isCutOff(text);
	const where = line === null ? "the file" : `line ${line}`;
	throw refusal$3(file, {
		code: "import_not_json",
		what: isCut ? `${where} is cut off` : `${where} is no JSON: ${quoted(text.trimStart().slice(0, 40))}`,
		hint: isCut ? "let the tool finish writing, and copy the whole file" : "hand in the JSON file that the tool wrote"
	});
}
function isCutOff(text) {
	const [first, last] = [text.trimStart()[0], text.trimEnd().at(-1)];
	return first === "{" && last !== "}" || first === "[" && last !== "]";
}
function tryJson(text) {
	for (const form of [() => text, () => withoutNonFinite(text)]) try {
		return { value: JSON.parse(form()) };
	} catch {}
	return null;
}
function withoutNonFinite(text) {
	if (!/NaN|Infinity/.test(text)) return text;
	let out = "";
	let from = 0;
	while (from < text.length) {
		const open = text.indexOf("\"", from);
		const until = open < 0 ? text.length : open;
		out += text.slice(from, until).replaceAll(/(?<![\w.])(?:NaN|-?Infinity)(?![\w.])/g, "null");
		if (open < 0) break;
		const close = stringEnd(text, open);
		out += text.slice(open, close);
		from = close;
	}
	return out;
}
function stringEnd(text, open) {
	let at = open + 1;
	while (true) {
		const quote = text.indexOf("\"", at);
		if (quote < 0) return text.length;
		let slashes = 0;
		while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++;
		at = quote + 1;
		if (slashes % 2 === 0) return at;
	}
}
async function* textLines(source, file, maximumBytes) {
	let parts = [];
	let size = 0;
	let line = 1;
	const take = () => {
		const taken = {
			text: decoded(parts, size, file, line),
			line
		};
		parts = [];
		size = 0;
		line++;
		return taken;
	};
	const keep = (part) => {
		size += part.length;
		if (size > maximumBytes) throw tooLarge(file, maximumBytes);
		parts.push(part);
	};
	for await (const chunk of source) {
		let from = 0;
		for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
			keep(chunk.subarray(from, at));
			yield take();
			from = at + 1;
		}
		if (from < chunk.length) keep(chunk.slice(from));
	}
	if (size > 0) yield take();
}
function decoded(parts, size, file, line) {
	const bytes = new Uint8Array(size);
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		throw refusal$3(file, {
			code: "import_not_text",
			what: `line ${line} is no text in UTF-8`,
			hint: "hand in the JSON file itself, uncompressed",
			cause
		});
	}
}
function tooLarge(file, maximumBytes) {
	return refusal$3(file, {
		code: "import_too_large",
		what: `one JSON value is larger than ${Math.floor(maximumBytes / 1024 / 1024)} MiB`,
		hint: "JSON Lines are read line by line, whatever their number; else have the tool leave out texts and chunks"
	});
}
function empty(file) {
	return refusal$3(file, {
		code: "import_empty",
		what: "there is nothing in it",
		hint: "let the tool finish its run"
	});
}
const SGLANG_ONLY = [
	"server_info",
	"accept_length",
	"total_output_tokens_retokenized",
	"mean_e2e_latency_ms"
];
const VLLM_ONLY = [
	"endpoint_type",
	"num_prompts",
	"burstiness",
	"model_id"
];
function toolOf(value) {
	if (Array.isArray(value)) {
		const first = value[0];
		return isObject(first) && has(first, "start_time", "end_time") ? "inference-perf" : null;
	}
	if (!isObject(value)) return null;
	if (isObject(value["metadata"]) && has(value["metadata"], "request_start_ns")) return "aiperf";
	if (Array.isArray(value["benchmarks"])) return "guidellm";
	if (!has(value, "duration", "completed")) return null;
	if (SGLANG_ONLY.some((name) => has(value, name))) return "sglang";
	return VLLM_ONLY.some((name) => has(value, name)) ? "vllm" : null;
}
function requireTool(asked, first, file) {
	const found = toolOf(first);
	if (found === asked) return;
	if (found !== null) {
		const what = `it looks like ${IMPORT_FILES[found].file}, not like ${IMPORT_FILES[asked].file}`;
		throw refusal$3(file, {
			code: "import_wrong_tool",
			what,
			hint: `import it with --from ${found}`
		});
	}
	const summary = isObject(first) ? summaryOf(first) : null;
	if (summary === null) return;
	const what = `it looks like ${summary[0]}, which holds no single requests`;
	throw refusal$3(file, {
		code: "import_not_detailed",
		what,
		hint: `hand in ${IMPORT_FILES[summary[1]].file}`
	});
}
function summaryOf(value) {
	if (has(value, "load_summary")) return ["inference-perf’s summary", "inference-perf"];
	if (has(value, "input_config") || has(value, "request_throughput", "request_latency")) return ["AIPerf’s summary", "aiperf"];
	return null;
}
function has(value, ...names) {
	return names.every((name) => Object.hasOwn(value, name));
}
const SECOND_US$1 = 1e6;
const REQUIRED = [
	"input_lens",
	"output_lens",
	"ttfts",
	"itls",
	"errors"
];
const OPTIONAL = [
	"latencies",
	"start_times",
	"queue_times",
	"generated_texts",
	"cached_tokens"
];
function benchArrays(source, tool) {
	const missing = REQUIRED.filter((name) => !source.has(name));
	if (missing.length > 0) {
		const what = `holds no ${missing.join(", ")}: requests are not in it one by one`;
		throw source.refuse("import_not_detailed", what, IMPORT_FILES[tool].howTo);
	}
	const arrays = new Map();
	for (const name of [...REQUIRED, ...OPTIONAL]) {
		const list = source.list(name);
		if (list !== null) arrays.set(name, list);
	}
	if (new Set([...arrays.values()].map((list) => list.length)).size > 1) {
		const told = [...arrays].map(([name, list]) => `${name} ${list.length}`).join(", ");
		throw source.refuse("import_misaligned", `has arrays of different lengths: ${told}`);
	}
	return arrays;
}
function* benchEntries(arrays, file) {
	const count = arrays.get("errors")?.length ?? 0;
	for (let i = 0; i < count; i++) {
		const row = Object.fromEntries([...arrays].map(([name, list]) => [name, list[i]]));
		yield benchEntry(new SourceObject(file, `request ${i + 1}`, row));
	}
}
function runSeconds(run) {
	const seconds = run.number("duration");
	if (seconds === null || seconds > 0 && seconds * SECOND_US$1 <= 6048e8) return seconds;
	throw run.refuse("import_times", `has a duration of ${seconds} s`);
}
function benchEntry(source) {
	const error = source.text("errors") ?? "";
	const ttftSeconds = source.number("ttfts");
	const ttftUs = spanUs(ttftSeconds, SECOND_US$1, source, "TTFT");
	const outputTokens = source.count("output_lens");
	const listed = source.list("itls") ?? [];
	const gaps = gapsUs(listed, SECOND_US$1, source);
	const e2eSeconds = listed.reduce((sum, gap) => sum + Number(gap), ttftSeconds ?? 0);
	const seen = ttftUs === 0 ? null : ttftUs;
	const failure = error === "" ? null : failureOf(error, null);
	const isSilent = failure === null && seen === null;
	return {
		source,
		gaps,
		request: {
			...untold(source.place),
			...failure ?? (isSilent ? {
				status: "error",
				errorCode: "no_token"
			} : {}),
			ttftUs: seen,
			e2eUs: seen === null ? null : spanUs(e2eSeconds, SECOND_US$1, source, "sum of TTFT and gaps"),
			inputTokens: source.count("input_lens") || null,
			outputTokens: failure === null && !isSilent ? outputTokens || null : null
		}
	};
}
function isUnstreamed(entries) {
	const long = entries.filter(({ request }) => request.status === "ok" && (request.outputTokens ?? 0) > 1);
	return long.length > 0 && long.every(({ gaps }) => gaps.length === 0);
}
function refuseUnstreamed(source, entries) {
	if (!isUnstreamed(entries)) return;
	throw source.refuse("import_not_streamed", "holds answers of several tokens that all came in one piece", "measure with streaming: a first token can only be timed in a stream");
}
const readSglang = async (documents, reading) => {
	const run = await chosenDocument(documents, reading, "run");
	const entries = [...benchEntries(benchArrays(run, "sglang"), reading.file)];
	refuseUnstreamed(run, entries);
	return {
		tool: "sglang",
		version: null,
		requests: entries.map(({ source, request }) => ({
			...request,
			cachedTokens: request.status === "ok" ? source.count("cached_tokens") : null
		})),
		durationSeconds: runSeconds(run),
		notes: []
	};
};
const SECOND_US = 1e6;
const readVllm = async (documents, reading) => {
	const run = await chosenDocument(documents, reading, "run");
	const entries = [...benchEntries(benchArrays(run, "vllm"), reading.file)];
	refuseUnstreamed(run, entries);
	return {
		tool: "vllm",
		version: null,
		requests: entries.map(requestOf),
		durationSeconds: runSeconds(run),
		notes: clientNotes(run)
	};
};
function requestOf({ source, request, gaps }) {
	const isOk = request.status === "ok";
	const start = source.number("start_times");
	const sentAtUs = start === null || !isOk && start === 0 ? null : start * SECOND_US;
	const latencyUs = spanUs(source.number("latencies"), SECOND_US, source, "latency");
	const e2eUs = isOk ? latencyUs ?? request.e2eUs : request.e2eUs;
	const hasEnded = sentAtUs !== null && latencyUs !== null && latencyUs > 0;
	return {
		...request,
		sentAtUs,
		endAtUs: hasEnded ? sentAtUs + latencyUs : null,
		e2eUs,
		chunks: request.ttftUs === null ? null : gaps.length + 1,
		gapUs: summarizeGaps(gaps)
	};
}
function clientNotes(run) {
	const cap = run.number("max_concurrency");
	const isChat = (run.text("backend") ?? run.text("endpoint_type") ?? "").includes("chat");
	return [...cap === null ? [] : [`at most ${cap} requests were in flight: a request that waited for a place was sent late`], ...isChat ? ["this client takes a chat stream’s role chunk for the first token: TTFT may be far too short"] : []];
}
const IMPORTERS = {
	aiperf: readAiperf,
	vllm: readVllm,
	sglang: readSglang,
	guidellm: readGuidellm,
	"inference-perf": readInferencePerf
};
const MAX_LINES = 1e6;
function readImport(tool, source, reading) {
	return IMPORTERS[tool](ofTool(tool, jsonDocuments(source, reading.file), reading.file), reading);
}
async function* ofTool(tool, documents, file) {
	let count = 0;
	for await (const document of documents) {
		if (count === 0) requireTool(tool, document.value, file);
		if (++count > MAX_LINES) throw refusal$3(file, {
			code: "import_too_large",
			what: `it holds more than ${MAX_LINES} lines`,
			hint: "measure shorter points, or import a part of the file"
		});
		yield document;
	}
}
async function importFile(request) {
	const { tool, source, file, run, choice, manifest } = request;
	const cohort = importedCohort(await readImport(tool, source, {
		file,
		run
	}), choice, manifest.workload, file);
	return {
		cohort,
		csv: encodeImportedCsv(cohort)
	};
}
async function importedRecord(request) {
	const { imported, manifest, cache, load, toolVersion, createdAt } = request;
	const { cohort, csv } = imported;
	const cohortSeconds = request.durationSeconds ?? cohort.durationSeconds;
	if (cohortSeconds === null) throw durationRefused("the file does not tell how long its cohort took", "give the seconds from the first request to the last end: --duration-seconds S");
	if (cohortSeconds < (cohort.durationSeconds ?? 0)) throw durationRefused(`the cohort took ${cohort.durationSeconds} s by its file, and ${cohortSeconds} s were given`, "leave --duration-seconds out");
	const table = await readRequestsCsv(csv, { columns: "analyzed" });
	const cohortSha256 = sha256Hex(csv);
	const key = {
		cache,
		load,
		repeat: 1
	};
	const { arrivalSeconds } = cohort;
	const point = importedPoint({
		manifest,
		table,
		key,
		cohortSha256,
		cohortSeconds,
		arrivalSeconds
	});
	return capacityRecord({
		manifest,
		kind: "imported",
		toolVersion,
		createdAt,
		commit: null,
		hardware: {
			mustEqual: {},
			recorded: {}
		},
		schedules: { [cache]: cohortSha256 },
		results: [importedResult(point)],
		boots: [],
		evidence: []
	});
}
function durationRefused(message, hint) {
	return new GateError({
		code: "import_duration",
		message,
		hint,
		exitCode: EXIT.invalid
	});
}
const addImport = (program, desk) => {
	program.command("import").description("Turn another load generator’s file of requests into requests.csv; what it lacks stays empty.").argument("<file>", "the file that the tool wrote").addOption(new Option("--from <tool>", "which tool wrote it").choices(IMPORT_TOOLS).makeOptionMandatory()).requiredOption("--manifest <file>", "the workload-manifest.yaml whose workload was run").requiredOption("--out <csv>", "where requests.csv goes").option("--class <name>", "every request is of this class").addOption(new Option("--class-by <what>", "or: each is of the class whose lengths it has").choices(["lengths"])).option("--length-tolerance <share>", "how far an input length may lie from its class’s", share, 0).option("--run <n>", "which run or benchmark, where the file holds several", wholeNumber).option("--capacity <file>", "write a capacity record of the point as well, for gate").addOption(new Option("--cache <state>", "its cache state").choices(["cold", "warm"])).option("--rate <r>", "its offered rate, requests a second", positiveNumber).option("--concurrency <n>", "or its requests in flight", wholeNumber).option("--duration-seconds <s>", "its length with the drain, where the file does not tell it").addHelpText("after", example("capacity-gate import --from vllm bench.json --manifest workload-manifest.yaml --out requests.csv \\", "  --class-by lengths --capacity imported.json --cache cold --rate 24")).action(async (file, options) => {
		const point = pointOf(options);
		const choice = choiceOf(options);
		await refuseOverwriting(file, options);
		const { manifest } = await readManifestFile(options.manifest, "valid");
		const source = streamInput({
			what: "the file",
			path: file,
			maximumBytes: INPUT_LIMITS.imported
		});
		const run = options.run ?? null;
		const imported = await importFile({
			tool: options.from,
			source,
			file,
			run,
			choice,
			manifest
		});
		const facts = {
			toolVersion: TOOL_VERSION,
			createdAt: systemClock().wallTime()
		};
		const record = point === null ? null : await importedRecord({
			imported,
			manifest,
			...point,
			...facts
		});
		await writeOutput(options.out, imported.csv);
		if (point !== null) await writeOutput(point.out, `${JSON.stringify(record, null, 2)}\n`);
		desk.finish({
			exitCode: EXIT.ok,
			text: textOf(imported, options),
			json: factsOf(imported, options)
		});
	});
};
async function refuseOverwriting(file, { manifest, out, capacity }) {
	const inputs = [{
		name: "the file that is imported",
		path: file
	}, {
		name: "the manifest",
		path: manifest
	}];
	const csv = {
		name: "--out",
		path: out
	};
	await refuseReplacing(csv, inputs);
	if (capacity !== void 0) await refuseReplacing({
		name: "--capacity",
		path: capacity
	}, [...inputs, csv]);
}
function choiceOf({ class: name, classBy, lengthTolerance }) {
	if (name !== void 0 && classBy !== void 0) throw usage("--class and --class-by are two answers to one question", "give one of them");
	return name === void 0 ? { lengthTolerance } : { name };
}
function pointOf({ capacity, cache, rate, concurrency, durationSeconds }) {
	const isGiven = [
		cache,
		rate,
		concurrency,
		durationSeconds
	].some((value) => value !== void 0);
	if (capacity === void 0) {
		if (!isGiven) return null;
		throw usage("a cache state, load or duration was given and no --capacity", "they describe the capacity record");
	}
	const hint = "no other tool’s file tells its cache state, and few their load";
	if (cache === void 0) throw usage("--capacity needs --cache cold or --cache warm", hint);
	if (rate === void 0 === (concurrency === void 0)) throw usage("--capacity needs one of --rate and --concurrency", hint);
	return {
		out: capacity,
		cache,
		load: rate === void 0 ? { closedConcurrency: concurrency ?? 1 } : { openMilliRps: milliRps$1(rate) },
		durationSeconds: durationSeconds === void 0 ? null : parseDurationSeconds(durationSeconds)
	};
}
function usage(message, hint) {
	return new GateError({
		code: "usage",
		message,
		hint,
		exitCode: EXIT.usage
	});
}
function share(text) {
	const value = parseDecimal(text);
	if (value >= 0 && value < 1) return value;
	throw new InvalidArgumentError(`${quoted(text)} is no share from 0 up to 1.`);
}
function factsOf({ cohort }, { out, capacity }) {
	const { origin, requests, durationSeconds, arrivalSeconds, notes } = cohort;
	const ok = requests.filter(({ status }) => status === "ok").length;
	const counts = {
		requests: requests.length,
		ok,
		failed: requests.length - ok
	};
	const reasons = [importedReason(origin)];
	return {
		file: out,
		capacity: capacity ?? null,
		origin,
		...counts,
		durationSeconds,
		arrivalSeconds,
		notes,
		reasons
	};
}
function textOf(imported, options) {
	const { requests, ok, failed, durationSeconds, origin, notes, reasons } = factsOf(imported, options);
	const seconds = durationSeconds === null ? "a duration that the file does not tell" : `${durationSeconds} s`;
	return [
		`${options.out}: ${showNumber(requests)} requests of ${origin}, ${showNumber(ok)} ok and ${showNumber(failed)} not, over ${seconds}`,
		...notes.map((note) => `  ${note}`),
		...reasons.map(({ code, text }) => `  ${code}: ${text}`),
		...options.capacity === void 0 ? [] : [`${options.capacity}: its point; a verdict on it is inconclusive at best`]
	].join("\n");
}
const MESSAGE_MAX = 1e3;
const addLint = (program, desk) => {
	program.command("lint").description("Check a manifest: every finding with its place, what is wrong and how to mend it.").argument("<manifest>", "the workload-manifest.yaml").option("--deployable", "also ask what a run asks: pinned image, model and tokenizer, declared cache states …").addHelpText("after", example("capacity-gate lint workload-manifest.yaml --deployable")).action(async (path, options) => {
		const text = await readInputText({
			what: "the manifest",
			path,
			maximumBytes: INPUT_LIMITS.manifest
		});
		const result = lint(path, text, options.deployable ? "deployable" : "valid");
		desk.finish({
			exitCode: result.errors > 0 ? EXIT.invalid : EXIT.ok,
			text: lintText(result),
			json: result
		});
	});
};
function lintText(result) {
	const { errors, warnings, level } = result;
	const found = [errors > 0 ? count(errors, "error") : "", warnings > 0 ? count(warnings, "warning") : ""].filter(Boolean).join(", ") || "no findings";
	const head = `${plainText(result.file, MESSAGE_MAX)}: ${errors > 0 ? `not ${level}` : level}, ${found}`;
	return [...result.findings.map((finding) => findingText(result.file, finding)), head].join("\n");
}
function findingText(file, finding) {
	const place = `${plainText(file, MESSAGE_MAX)}:${finding.line}:${finding.column}`;
	const path = finding.path === "" ? "" : `${finding.path}: `;
	const what = plainText(`${path}${finding.message}`, MESSAGE_MAX);
	return `${place}: ${finding.severity}: ${what} [${finding.rule}]\n    mend: ${plainText(finding.hint, MESSAGE_MAX)}`;
}
function count(number, noun) {
	return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
function planReplicas(need) {
	const { capacityRps, replicas, gpusPerReplica, peakRps, utilization } = need;
	requirePositive("the capacity", capacityRps);
	requirePositive("the number of replicas", replicas, true);
	requirePositive("the peak", peakRps);
	requirePositive("the utilization", utilization);
	if (!Number.isInteger(gpusPerReplica) || gpusPerReplica < 0) throw refusal("the GPUs a replica", gpusPerReplica);
	if (utilization > 1) throw refusal("the utilization", utilization);
	const perReplicaRps = capacityRps / replicas;
	const requiredReplicas = Math.max(1, Math.ceil(peakRps / (perReplicaRps * utilization) * (1 - 1e-9)));
	return {
		perReplicaRps,
		requiredReplicas,
		requiredGpus: requiredReplicas * gpusPerReplica,
		currentCarryRps: capacityRps * utilization,
		label: "estimate"
	};
}
function requirePositive(what, value, whole = false) {
	if (!Number.isFinite(value) || value <= 0 || whole && !Number.isInteger(value)) throw refusal(what, value);
}
function refusal(what, value) {
	return new GateError({
		code: "plan_input",
		message: `${what} cannot be ${value}`,
		hint: "rates above zero, whole replicas and GPUs, and a utilization above 0 and at most 1",
		exitCode: EXIT.usage
	});
}
const addPlan = (program, desk) => {
	program.command("plan").description("Replicas and GPUs for a peak, from a measured capacity: an estimate.").requiredOption("--capacity-rps <c>", "the measured SLO-compliant capacity, requests a second", positiveNumber).requiredOption("--replicas <n>", "with how many replicas it was measured", wholeNumber).requiredOption("--gpus-per-replica <g>", "GPUs of one replica", wholeNumberOrZero).requiredOption("--peak-rps <p>", "the peak that is to be carried, requests a second", positiveNumber).requiredOption("--utilization <u>", "the share of the capacity that may be used at the peak", positiveNumber).addHelpText("after", example("capacity-gate plan --capacity-rps 24 --replicas 4 --gpus-per-replica 2 --peak-rps 36 --utilization 0.75")).action((need) => {
		const plan = planReplicas(need);
		desk.finish({
			exitCode: EXIT.ok,
			text: planText(need, plan),
			json: plan
		});
	});
};
function planText(need, plan) {
	const share = `${showNumber(need.utilization * 100)} %`;
	return [
		`ESTIMATE: ${showNumber(plan.requiredReplicas)} replicas and ${showNumber(plan.requiredGpus)} GPUs for ${showNumber(need.peakRps)} RPS at ${share} of the capacity`,
		`  a replica carries ${showNumber(plan.perReplicaRps)} RPS; the measured ${showNumber(need.replicas)} carry ${showNumber(plan.currentCarryRps)} RPS at ${share}`,
		"  linear in replicas: measure the larger topology before relying on it"
	].join("\n");
}
const WINDOWS_US = [
	1e5,
	1e6,
	1e7,
	6e7,
	6e8,
	36e8
];
const FEWEST_WINDOWS = 10;
var ArrivalStatistics = class {
	#counters = WINDOWS_US.map((us) => ({
		us,
		current: 0,
		count: 0,
		sum: 0,
		squares: 0,
		peak: 0
	}));
	#requests = 0;
	#lastUs = 0;
	#simultaneous = 0;
	#gapMean = 0;
	#gapSquares = 0;
	add(atUs) {
		if (this.#requests > 0) this.#addGap(atUs - this.#lastUs);
		this.#requests++;
		this.#lastUs = atUs;
		for (const counter of this.#counters) {
			const window = Math.floor(atUs / counter.us);
			if (window > counter.current) close(counter, window);
			counter.count++;
		}
	}
	#addGap(gapUs) {
		const delta = gapUs - this.#gapMean;
		this.#gapMean += delta / this.#requests;
		this.#gapSquares += delta * (gapUs - this.#gapMean);
		if (gapUs === 0) this.#simultaneous++;
	}
	profile() {
		const gaps = this.#requests - 1;
		const spanSeconds = this.#lastUs / 1e6;
		const meanRps = spanSeconds > 0 ? gaps / spanSeconds : null;
		const gapCv = meanRps === null ? null : Math.sqrt(this.#gapSquares / gaps) / this.#gapMean;
		return {
			requests: this.#requests,
			spanSeconds,
			meanRps,
			gapCv,
			burstiness: gapCv === null ? null : (gapCv - 1) / (gapCv + 1),
			gammaShape: gapCv === null || gapCv === 0 ? null : 1 / (gapCv * gapCv),
			simultaneousShare: this.#requests === 0 ? 0 : this.#simultaneous / this.#requests,
			windows: this.#counters.flatMap(windowStatistics)
		};
	}
};
function close(counter, next) {
	counter.sum += counter.count;
	counter.squares += counter.count * counter.count;
	counter.peak = Math.max(counter.peak, counter.count);
	counter.count = 0;
	counter.current = next;
}
function windowStatistics({ us, current, sum, squares, peak }) {
	if (current < FEWEST_WINDOWS || sum === 0) return [];
	const mean = sum / current;
	return [{
		seconds: us / 1e6,
		windows: current,
		meanRequests: mean,
		indexOfDispersion: (squares / current - mean * mean) / mean,
		peakOverMean: peak / mean
	}];
}
const MOST_NAMES = 32;
var NamedClasses = class {
	#totals = new Map();
	#isUsable = true;
	add(name, inputTokens, outputTokens) {
		if (!this.#isUsable) return;
		if (name === null || this.#totals.size === MOST_NAMES && !this.#totals.has(name)) {
			this.#isUsable = false;
			this.#totals.clear();
			return;
		}
		let totals = this.#totals.get(name);
		if (totals === void 0) {
			const empty = {
				sum: 0,
				from: 1e400,
				to: 0
			};
			totals = {
				requests: 0,
				input: { ...empty },
				output: { ...empty }
			};
			this.#totals.set(name, totals);
		}
		totals.requests++;
		widen(totals.input, inputTokens);
		widen(totals.output, outputTokens);
	}
	profiles() {
		const all = [...this.#totals.values()].reduce((sum, { requests }) => sum + requests, 0);
		return [...this.#totals].map(([name, { requests, input, output }]) => ({
			name,
			requests,
			share: requests / all,
			inputTokens: {
				mean: Math.round(input.sum / requests),
				from: input.from,
				to: input.to
			},
			outputTokens: {
				mean: Math.round(output.sum / requests),
				from: output.from,
				to: output.to
			}
		})).sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
	}
};
function widen(range, tokens) {
	range.sum += tokens;
	if (tokens < range.from) range.from = tokens;
	if (tokens > range.to) range.to = tokens;
}
const MOST = 22e3;
var HeadOfTrace = class {
	#inputTokens = new Float64Array(MOST);
	#outputTokens = new Float64Array(MOST);
	#classes = [];
	#lastUs = 0;
	#leastInputTokens = 1e400;
	add(name, atUs, inputTokens, outputTokens) {
		const at = this.#classes.length;
		if (at === MOST) return;
		this.#lastUs = atUs;
		if (inputTokens < this.#leastInputTokens) this.#leastInputTokens = inputTokens;
		this.#inputTokens[at] = inputTokens;
		this.#outputTokens[at] = outputTokens;
		this.#classes.push(name);
	}
	among(classes, from) {
		const byClass = classes.map(() => 0);
		for (const [at, name] of this.#classes.entries()) {
			const [input, output] = [this.#inputTokens[at] ?? 0, this.#outputTokens[at] ?? 0];
			const index = classes.findIndex((shape) => from === "trace" ? shape.name === name : input <= shape.inputTokens.to && output <= shape.outputTokens.to);
			byClass[index] = (byClass[index] ?? 0) + 1;
		}
		const [spanSeconds, leastInputTokens] = [this.#lastUs / 1e6, this.#leastInputTokens];
		return {
			requests: this.#classes.length,
			byClass,
			spanSeconds,
			leastInputTokens
		};
	}
};
const LARGEST = 0x7fffffff;
function logBin(value, bits) {
	const held = Math.min(value, LARGEST);
	const shift = Math.max(0, 31 - Math.clz32(held) - bits);
	return (shift << bits) + (held >> shift);
}
function binFloor(bin, bits) {
	const shift = Math.max(0, (bin >> bits) - 1);
	return (bin - (shift << bits)) * (1 << shift);
}
var LogHistogram = class {
	#bits;
	#bins;
	#weight = 0;
	#sum = 0;
	#least = 1e400;
	#largest = 0;
	constructor(bits) {
		this.#bits = bits;
		this.#bins = new Float64Array(logBin(LARGEST, bits) + 1);
	}
	add(value, weight = 1) {
		const bin = logBin(value, this.#bits);
		this.#bins[bin] = (this.#bins[bin] ?? 0) + weight;
		this.#weight += weight;
		this.#sum += value * weight;
		if (value < this.#least) this.#least = value;
		if (value > this.#largest) this.#largest = value;
	}
	get weight() {
		return this.#weight;
	}
	get mean() {
		return this.#weight === 0 ? null : this.#sum / this.#weight;
	}
	get least() {
		return this.#least;
	}
	get largest() {
		return this.#largest;
	}
	weightBelow(limit) {
		const end = logBin(limit, this.#bits);
		let weight = 0;
		for (let bin = 0; bin < end; bin++) weight += this.#bins[bin] ?? 0;
		return weight;
	}
	quantile(probability) {
		if (this.#weight === 0) return null;
		const rank = Math.max(Number.MIN_VALUE, probability * this.#weight);
		let below = 0;
		for (let bin = 0; bin < this.#bins.length; bin++) {
			below += this.#bins[bin] ?? 0;
			if (below >= rank) return this.#middle(bin);
		}
		return this.#largest;
	}
	spread() {
		const at = (probability) => this.quantile(probability) ?? 0;
		return this.#weight === 0 ? null : {
			p50: at(.5),
			p90: at(.9),
			p99: at(.99)
		};
	}
	#middle(bin) {
		const [from, next] = [binFloor(bin, this.#bits), binFloor(bin + 1, this.#bits)];
		return Math.min(this.#largest, Math.max(this.#least, Math.floor((from + next - 1) / 2)));
	}
};
const GRID_BITS = 3;
const GRID_SIDE = logBin(MOST_TOKENS, GRID_BITS) + 1;
function gridFloor(bin) {
	return binFloor(bin, GRID_BITS);
}
var JointLengths = class {
	input = new LogHistogram(7);
	output = new LogHistogram(7);
	#requests = new Float64Array(GRID_SIDE * GRID_SIDE);
	#inputTokens = new Float64Array(GRID_SIDE * GRID_SIDE);
	#outputTokens = new Float64Array(GRID_SIDE * GRID_SIDE);
	add(inputTokens, outputTokens) {
		this.input.add(inputTokens);
		this.output.add(outputTokens);
		const cell = logBin(inputTokens, GRID_BITS) * GRID_SIDE + logBin(outputTokens, GRID_BITS);
		this.#requests[cell] = (this.#requests[cell] ?? 0) + 1;
		this.#inputTokens[cell] = (this.#inputTokens[cell] ?? 0) + inputTokens;
		this.#outputTokens[cell] = (this.#outputTokens[cell] ?? 0) + outputTokens;
	}
	requestsAt(inputBin, outputBin) {
		return this.#requests[inputBin * GRID_SIDE + outputBin] ?? 0;
	}
	totals({ inputFrom, inputTo, outputFrom, outputTo }) {
		const totals = {
			requests: 0,
			inputTokens: 0,
			outputTokens: 0
		};
		for (let row = inputFrom; row < inputTo; row++) for (let cell = row * GRID_SIDE + outputFrom; cell < row * GRID_SIDE + outputTo; cell++) {
			totals.requests += this.#requests[cell] ?? 0;
			totals.inputTokens += this.#inputTokens[cell] ?? 0;
			totals.outputTokens += this.#outputTokens[cell] ?? 0;
		}
		return totals;
	}
	spearman() {
		const rows = middleRanks(sums((row) => this.#margin(row, 0, 1)));
		const columns = middleRanks(sums((column) => this.#margin(0, column, GRID_SIDE)));
		const [rowSpread, columnSpread] = [rows.spread, columns.spread];
		if (rowSpread === 0 || columnSpread === 0) return null;
		let together = 0;
		for (let row = 0; row < GRID_SIDE; row++) {
			const rowRank = rows.centred[row] ?? 0;
			for (let column = 0; column < GRID_SIDE; column++) together += this.requestsAt(row, column) * rowRank * (columns.centred[column] ?? 0);
		}
		return together / Math.sqrt(rowSpread * columnSpread);
	}
	#margin(row, column, step) {
		let sum = 0;
		for (let i = 0; i < GRID_SIDE; i++) sum += this.#requests[row * GRID_SIDE + column + i * step] ?? 0;
		return sum;
	}
};
function sums(at) {
	return Array.from({ length: GRID_SIDE }, (_, bin) => at(bin));
}
function middleRanks(counts) {
	const total = counts.reduce((sum, count) => sum + count, 0);
	let below = 0;
	let spread = 0;
	return {
		centred: counts.map((count) => {
			const rank = below + (count - total) / 2;
			below += count;
			spread += count * rank * rank;
			return rank;
		}),
		spread
	};
}
function lengthTable(lengths) {
	const all = lengths.totals(box(0, GRID_SIDE, 0, GRID_SIDE)).requests;
	const starts = quadruplingBins();
	const ends = [...starts.slice(1), GRID_SIDE];
	const cells = starts.map((inputFrom, row) => starts.map((outputFrom, column) => {
		const { requests } = lengths.totals(box(inputFrom, ends[row] ?? 0, outputFrom, ends[column] ?? 0));
		return requests / all;
	}));
	const rows = occupied(cells.map((row) => row.reduce((sum, share) => sum + share, 0)));
	const columns = occupied(starts.map((_, column) => cells.reduce((sum, row) => sum + (row[column] ?? 0), 0)));
	const shown = columns.slice(-7);
	const before = columns.slice(0, -7);
	const at = (row, column) => cells[row]?.[column] ?? 0;
	return {
		inputFrom: rows.map((row) => gridFloor(starts[row] ?? 0)),
		outputFrom: shown.map((column, index) => gridFloor(starts[(index === 0 ? before[0] : column) ?? column] ?? 0)),
		shares: rows.map((row) => shown.map((column, index) => index === 0 ? [...before, column].reduce((sum, also) => sum + at(row, also), 0) : at(row, column)))
	};
}
function box(inputFrom, inputTo, outputFrom, outputTo) {
	return {
		inputFrom,
		inputTo,
		outputFrom,
		outputTo
	};
}
function quadruplingBins() {
	const bins = [];
	for (let bin = 0, floor = 1; bin < GRID_SIDE; bin++) {
		if (gridFloor(bin) !== floor) continue;
		bins.push(bin);
		floor *= 4;
	}
	return bins;
}
function occupied(shares) {
	const first = shares.findIndex((share) => share > 0);
	const last = shares.findLastIndex((share) => share > 0);
	return shares.flatMap((_, index) => index >= first && index <= last ? [index] : []);
}
function mixNumber(value) {
	const high = Math.floor(value / 4294967296);
	return finish(finish(value ^ 0x9e3779b9) ^ Math.imul(high ^ 0x85ebca6b, 0x9e3779b9));
}
function textKey(text) {
	let [low, high] = [0x811c9dc5, 16777619];
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		low = Math.imul(low ^ code, 16777619);
		high = Math.imul(high ^ code, 16843077);
	}
	return (finish(high) >>> 11) * 4294967296 + (finish(low) >>> 0);
}
function finish(value) {
	let mixed = value ^ value >>> 16;
	mixed = Math.imul(mixed, 0x85ebca6b);
	mixed ^= mixed >>> 13;
	mixed = Math.imul(mixed, 0xc2b2ae35);
	return (mixed ^ mixed >>> 16) >>> 0;
}
var SpatialSample = class {
	#halvings = 0;
	#weight = 1;
	get weight() {
		return this.#weight;
	}
	has(key) {
		if (this.#halvings === 0) return true;
		return this.#halvings <= 32 && (this.#halvings === 32 ? mixNumber(key) : mixNumber(key) >>> 32 - this.#halvings) === 0;
	}
	halve() {
		this.#halvings++;
		this.#weight *= 2;
	}
};
const MOST_BLOCKS = 262144;
const PLACES_A_BLOCK = 4;
var ReuseDistance = class {
	#most;
	#sample = new SpatialSample();
	#placeOf = new Map();
	#distances = new LogHistogram(3);
	#order = null;
	#requests = 0;
	#blocks = 0;
	#tokens = 0;
	#firstUses = 0;
	#distinct = 0;
	#watchedUses = 0;
	constructor(most = MOST_BLOCKS) {
		this.#most = most;
	}
	get watched() {
		return this.#placeOf.size;
	}
	add(blocks, inputTokens) {
		this.#requests++;
		this.#blocks += blocks.length;
		this.#tokens += inputTokens;
		const watched = blocks.filter((block) => this.#sample.has(block));
		for (const block of watched) this.#lookUp(block);
		for (const block of watched.toReversed()) this.#touch(block);
	}
	#lookUp(block) {
		const { weight } = this.#sample;
		this.#watchedUses += weight;
		const place = this.#placeOf.get(block);
		if (place === void 0) this.#firstUses += weight;
		else this.#distances.add((this.#order?.after(place) ?? 0) * weight, weight);
	}
	#touch(block) {
		if (!this.#sample.has(block)) return;
		this.#order ??= new RecencyOrder(this.#most * PLACES_A_BLOCK);
		const place = this.#placeOf.get(block);
		if (place !== void 0) this.#order.leave(place);
		else this.#distinct += this.#sample.weight;
		if (this.#order.isFull) this.#renumber(this.#order);
		this.#placeOf.set(block, this.#order.take(block));
		while (this.#placeOf.size > this.#most) this.#thin(this.#order);
	}
	#renumber(order) {
		const blocks = order.restart();
		for (const block of blocks) this.#placeOf.set(block, order.take(block));
	}
	#thin(order) {
		this.#sample.halve();
		for (const [block, place] of this.#placeOf) {
			if (this.#sample.has(block)) continue;
			order.leave(place);
			this.#placeOf.delete(block);
		}
	}
	profile() {
		if (this.#blocks === 0) return null;
		const missed = this.#blocks - this.#watchedUses;
		const share = (hits) => Math.min(1, Math.max(0, hits + missed) / this.#blocks);
		const distinct = this.#distinct;
		return {
			requests: this.#requests,
			blocks: this.#blocks,
			distinctBlocks: distinct,
			meanTokensPerBlock: this.#tokens / this.#blocks,
			unlimitedHitShare: share(this.#watchedUses - this.#firstUses),
			cacheSizes: cacheSizes(distinct, this.#sample.weight).map((blocks) => ({
				blocks,
				hitShare: share(this.#distances.weightBelow(blocks))
			})),
			distance: this.#distances.spread(),
			sampledOneIn: this.#sample.weight
		};
	}
};
function cacheSizes(distinct, sampledOneIn) {
	const sizes = [];
	for (let size = 64; size < distinct; size *= 4) if (size >= 64 * sampledOneIn) sizes.push(size);
	return sizes.slice(-8);
}
var RecencyOrder = class {
	#blocks;
	#tree;
	#next = 0;
	#taken = 0;
	constructor(places) {
		this.#blocks = new Float64Array(places).fill(-1);
		this.#tree = new Int32Array(places + 1);
	}
	get isFull() {
		return this.#next === this.#blocks.length;
	}
	take(block) {
		const place = this.#next++;
		this.#blocks[place] = block;
		this.#change(place, 1);
		return place;
	}
	leave(place) {
		this.#blocks[place] = -1;
		this.#change(place, -1);
	}
	after(place) {
		let upTo = 0;
		for (let node = place + 1; node > 0; node -= node & -node) upTo += this.#tree[node] ?? 0;
		return this.#taken - upTo;
	}
	restart() {
		const blocks = this.#blocks.filter((block) => block >= 0);
		this.#blocks.fill(-1);
		this.#tree.fill(0);
		this.#next = 0;
		this.#taken = 0;
		return blocks;
	}
	#change(place, by) {
		this.#taken += by;
		for (let node = place + 1; node < this.#tree.length; node += node & -node) this.#tree[node] = (this.#tree[node] ?? 0) + by;
	}
};
const MOST_SESSIONS = 65536;
var SessionStatistics = class {
	#most;
	#sample = new SpatialSample();
	#sessions = new Map();
	#gapsMs = new LogHistogram(7);
	#requests = 0;
	constructor(most = MOST_SESSIONS) {
		this.#most = most;
	}
	get watched() {
		return this.#sessions.size;
	}
	add(session, atUs) {
		this.#requests++;
		const key = textKey(session);
		if (!this.#sample.has(key)) return;
		const known = this.#sessions.get(key);
		if (known === void 0) {
			this.#sessions.set(key, {
				turns: 1,
				lastUs: atUs
			});
			while (this.#sessions.size > this.#most) this.#thin();
			return;
		}
		this.#gapsMs.add(Math.round((atUs - known.lastUs) / 1e3), this.#sample.weight);
		known.turns++;
		known.lastUs = atUs;
	}
	#thin() {
		this.#sample.halve();
		for (const key of this.#sessions.keys()) if (!this.#sample.has(key)) this.#sessions.delete(key);
	}
	profile() {
		const turns = new LogHistogram(7);
		for (const session of this.#sessions.values()) turns.add(session.turns);
		const [mean, spread, gaps] = [
			turns.mean,
			turns.spread(),
			this.#gapsMs.spread()
		];
		if (mean === null || spread === null) return null;
		return {
			requests: this.#requests,
			sessions: this.#sessions.size * this.#sample.weight,
			turns: {
				mean,
				...spread,
				max: turns.largest
			},
			gapSeconds: gaps && {
				p50: gaps.p50 / 1e3,
				p90: gaps.p90 / 1e3,
				p99: gaps.p99 / 1e3
			},
			sampledOneIn: this.#sample.weight
		};
	}
};
const LEAST_SHARE = .05;
const LEAST_GAIN = .05;
function suggestClasses(lengths, most) {
	const whole = {
		inputFrom: 0,
		inputTo: GRID_SIDE,
		outputFrom: 0,
		outputTo: GRID_SIDE
	};
	const { requests } = lengths.totals(whole);
	const leaves = [{
		box: whole,
		requests
	}];
	const leastGain = LEAST_GAIN * spread(lengths, whole);
	while (leaves.length < most) {
		const cuts = leaves.map((leaf) => bestCut(lengths, leaf, LEAST_SHARE * requests));
		const best = cuts.reduce((found, cut, at) => (cut?.gain ?? 0) > (cuts[found]?.gain ?? 0) ? at : found, 0);
		const cut = cuts[best];
		if (cut === null || cut === void 0 || cut.gain < leastGain || cut.gain === 0) break;
		leaves.splice(best, 1, cut.low, cut.high);
	}
	return withNames(leaves.map((leaf) => profileOf(lengths, leaf, requests)));
}
function profileOf(lengths, { box }, all) {
	const { requests, inputTokens, outputTokens } = lengths.totals(box);
	return {
		requests,
		share: requests / all,
		inputTokens: range(inputTokens / requests, box.inputFrom, box.inputTo, lengths.input),
		outputTokens: range(outputTokens / requests, box.outputFrom, box.outputTo, lengths.output)
	};
}
function range(mean, from, to, all) {
	return {
		mean: Math.round(mean),
		from: Math.max(gridFloor(from), all.least),
		to: to === GRID_SIDE ? all.largest : Math.min(gridFloor(to) - 1, all.largest)
	};
}
function withNames(classes) {
	const names = classes.map(({ inputTokens, outputTokens }) => `in${inputTokens.mean}_out${outputTokens.mean}`);
	return classes.map((found, index) => {
		const name = names[index] ?? "";
		return {
			name: names.indexOf(name) === index ? name : `${name}_${index + 1}`,
			...found
		};
	});
}
function bestCut(lengths, leaf, least) {
	return [cutAcross(lengths, leaf, "input", least), cutAcross(lengths, leaf, "output", least)].reduce((best, cut) => (cut?.gain ?? 0) > (best?.gain ?? 0) ? cut : best, null);
}
function cutAcross(lengths, leaf, axis, least) {
	const [from, to] = ends(leaf.box, axis);
	const slices = [];
	for (let bin = from; bin < to; bin++) slices.push(moments(lengths, within(leaf.box, axis, bin, bin + 1)));
	const whole = slices.reduce(add, NOTHING);
	let [best, low] = [null, NOTHING];
	for (const [index, slice] of slices.entries()) {
		low = add(low, slice);
		const high = subtract(whole, low);
		if (low.requests < least || high.requests < least) continue;
		const gain = squares(whole) - squares(low) - squares(high);
		if (gain <= (best?.gain ?? 0)) continue;
		const at = from + index + 1;
		best = {
			gain,
			low: {
				box: within(leaf.box, axis, from, at),
				requests: low.requests
			},
			high: {
				box: within(leaf.box, axis, at, to),
				requests: high.requests
			}
		};
	}
	return best;
}
function ends(box, axis) {
	return axis === "input" ? [box.inputFrom, box.inputTo] : [box.outputFrom, box.outputTo];
}
function within(box, axis, from, to) {
	return axis === "input" ? {
		...box,
		inputFrom: from,
		inputTo: to
	} : {
		...box,
		outputFrom: from,
		outputTo: to
	};
}
const NOTHING = {
	requests: 0,
	input: 0,
	inputSquares: 0,
	output: 0,
	outputSquares: 0
};
function moments(lengths, box) {
	const sum = { ...NOTHING };
	for (let input = box.inputFrom; input < box.inputTo; input++) for (let output = box.outputFrom; output < box.outputTo; output++) {
		const requests = lengths.requestsAt(input, output);
		sum.requests += requests;
		sum.input += requests * input;
		sum.inputSquares += requests * input * input;
		sum.output += requests * output;
		sum.outputSquares += requests * output * output;
	}
	return sum;
}
function add(a, b) {
	return {
		requests: a.requests + b.requests,
		input: a.input + b.input,
		inputSquares: a.inputSquares + b.inputSquares,
		output: a.output + b.output,
		outputSquares: a.outputSquares + b.outputSquares
	};
}
function subtract(a, b) {
	return {
		requests: a.requests - b.requests,
		input: a.input - b.input,
		inputSquares: a.inputSquares - b.inputSquares,
		output: a.output - b.output,
		outputSquares: a.outputSquares - b.outputSquares
	};
}
function squares({ requests, input, inputSquares, output, outputSquares }) {
	if (requests === 0) return 0;
	return inputSquares - input * input / requests + outputSquares - output * output / requests;
}
function spread(lengths, box) {
	return squares(moments(lengths, box));
}
var TraceProfiler = class {
	#lengths = new JointLengths();
	#arrivals = new ArrivalStatistics();
	#reuse = new ReuseDistance();
	#sessions = new SessionStatistics();
	#named = new NamedClasses();
	#head = new HeadOfTrace();
	add(row) {
		this.#lengths.add(row.inputTokens, row.outputTokens);
		this.#arrivals.add(row.atUs);
		this.#named.add(row.class, row.inputTokens, row.outputTokens);
		this.#head.add(row.class, row.atUs, row.inputTokens, row.outputTokens);
		if (row.blocks !== null) this.#reuse.add(row.blocks, row.inputTokens);
		if (row.session !== null) this.#sessions.add(row.session, row.atUs);
	}
	get watched() {
		return this.#reuse.watched + this.#sessions.watched;
	}
	profile(read, mostClasses) {
		const named = this.#named.profiles();
		const classesFrom = named.length > 0 ? "trace" : "lengths";
		const classes = named.length > 0 ? named : suggestClasses(this.#lengths, mostClasses);
		const arrivals = this.#arrivals.profile();
		return {
			version: 1,
			format: read.format,
			requests: arrivals.requests,
			failedRequests: read.failed,
			inputTokens: lengthProfile(this.#lengths.input),
			outputTokens: lengthProfile(this.#lengths.output),
			lengthCorrelation: this.#lengths.spearman(),
			lengthTable: lengthTable(this.#lengths),
			arrivals,
			reuse: this.#reuse.profile(),
			sessions: this.#sessions.profile(),
			classesFrom,
			classes,
			firstRequests: this.#head.among(classes, classesFrom)
		};
	}
};
function lengthProfile(lengths) {
	const at = (probability) => lengths.quantile(probability) ?? 0;
	return {
		mean: lengths.mean ?? 0,
		min: lengths.least,
		p5: at(.05),
		p25: at(.25),
		p50: at(.5),
		p75: at(.75),
		p95: at(.95),
		p99: at(.99),
		max: lengths.largest
	};
}
async function profileTrace(source, chunks, mostClasses) {
	const reader = new TraceReader(source);
	const profiler = new TraceProfiler();
	for await (const chunk of chunks) for (const row of reader.push(chunk)) profiler.add(row);
	for (const row of reader.end()) profiler.add(row);
	return profiler.profile({
		format: reader.format ?? "jsonl",
		failed: reader.failed
	}, mostClasses);
}
var import_dist = require_dist();
const REQUESTS_OF_SMALLEST_CLASS = 2100;
const PLACEHOLDER = {
	ttftFloorMs: 500,
	ttftMsPerInputToken: .5,
	tpotMs: 50
};
function drawnFragment({ classes, arrivals }) {
	const thousandths = largestRemainder(classes.map((shape) => shape.requests), 1e3);
	const used = classes.flatMap((shape, index) => {
		const share = thousandths[index] ?? 0;
		return share === 0 ? [] : [{
			shape,
			share
		}];
	});
	const smallest = Math.min(...used.map(({ share }) => share));
	const thousands = Math.ceil(REQUESTS_OF_SMALLEST_CLASS / smallest);
	if (thousands * 1e3 > 2e6) return null;
	const workload = used.map(({ shape, share }) => suggestedClass(shape, share / 1e3, shape.inputTokens.mean, shape.outputTokens.mean));
	return {
		client: {
			...suggestArrivals(arrivals),
			initial_scheduled_requests: thousands * 1e3,
			class_schedule_counts: Object.fromEntries(used.map(({ shape, share }) => [shape.name, share * thousands])),
			request_timeout_seconds: timeoutSeconds(workload)
		},
		workload
	};
}
function replayedFragment(profile, trace) {
	const { classes, format, firstRequests } = profile;
	if (firstRequests.requests > 1 && firstRequests.spanSeconds === 0) return null;
	const used = classes.flatMap((shape, index) => {
		const count = firstRequests.byClass[index] ?? 0;
		return count === 0 ? [] : [{
			shape,
			count
		}];
	});
	const millionths = largestRemainder(used.map(({ count }) => count), 1e6);
	const workload = used.map(({ shape }, index) => suggestedClass(shape, (millionths[index] ?? 0) / 1e6, shape.inputTokens.to, shape.outputTokens.to));
	return {
		client: {
			arrival_pattern: "trace",
			trace: {
				...trace,
				format
			},
			initial_scheduled_requests: firstRequests.requests,
			class_schedule_counts: Object.fromEntries(used.map(({ shape, count }) => [shape.name, count])),
			request_timeout_seconds: timeoutSeconds(workload)
		},
		workload
	};
}
function suggestArrivals({ gapCv, gammaShape }) {
	if (gapCv === null || gapCv >= .9 && gapCv <= 1.1) return { arrival_pattern: "poisson" };
	if (gapCv < .1 || gammaShape === null) return { arrival_pattern: "constant" };
	return {
		arrival_pattern: "gamma",
		gamma: { shape: Math.min(1e3, Math.max(.01, Number(gammaShape.toPrecision(3)))) }
	};
}
function suggestedClass({ name }, mix, input, output) {
	const { ttftFloorMs, ttftMsPerInputToken, tpotMs } = PLACEHOLDER;
	return {
		name,
		mix,
		input_tokens: input,
		output_tokens: output,
		request_ttft_cutoff_ms: Math.max(ttftFloorMs, Math.ceil(input * ttftMsPerInputToken / 100) * 100),
		request_tpot_cutoff_ms: tpotMs
	};
}
function timeoutSeconds(workload) {
	const slowest = workload.map((shape) => shape.request_ttft_cutoff_ms + shape.request_tpot_cutoff_ms * shape.output_tokens);
	return Math.max(60, Math.ceil(Math.max(...slowest) / 1e3));
}
function fragmentYaml({ client, workload }) {
	const counts = Object.entries(client.class_schedule_counts).map(([name, count]) => `    ${scalar(name)}: ${count}`);
	return [
		"client:",
		`  arrival_pattern: ${client.arrival_pattern}`,
		...patternLines(client),
		`  initial_scheduled_requests: ${client.initial_scheduled_requests}`,
		"  class_schedule_counts:",
		...counts,
		`  request_timeout_seconds: ${client.request_timeout_seconds}`,
		"workload: # no trace holds cutoffs: these are placeholders, set your own",
		...workload.flatMap((shape) => [
			`  - name: ${scalar(shape.name)}`,
			`    mix: ${shape.mix}`,
			`    input_tokens: ${shape.input_tokens}`,
			`    output_tokens: ${shape.output_tokens}`,
			`    request_ttft_cutoff_ms: ${shape.request_ttft_cutoff_ms} # set your own`,
			`    request_tpot_cutoff_ms: ${shape.request_tpot_cutoff_ms} # set your own`
		])
	].join("\n");
}
function scalar(text) {
	return /\p{Cc}/u.test(text) ? JSON.stringify(text) : (0, import_dist.stringify)(text, { lineWidth: 0 }).trim();
}
function patternLines(client) {
	switch (client.arrival_pattern) {
		case "gamma": return [`  gamma: { shape: ${client.gamma.shape} }`];
		case "trace": return [
			"  trace:",
			`    file: ${scalar(client.trace.file)} # relative to the manifest`,
			`    sha256: ${client.trace.sha256}`,
			`    format: ${client.trace.format}`
		];
		case "constant":
		case "poisson": return [];
	}
}
const NAME_MAX = 20;
function profileText(profile) {
	return [
		lengthSection(profile),
		tableSection(profile.lengthTable),
		arrivalSection(profile.arrivals),
		profile.reuse === null ? [] : reuseSection(profile.reuse),
		profile.sessions === null ? [] : sessionSection(profile.sessions),
		classSection(profile)
	].flatMap((lines) => lines.length === 0 ? [] : ["", ...lines]).join("\n");
}
const LENGTH_COLUMNS = [
	"mean",
	"min",
	"p5",
	"p25",
	"p50",
	"p75",
	"p95",
	"p99",
	"max"
];
function lengthSection({ inputTokens, outputTokens, lengthCorrelation }) {
	const row = (name, lengths) => [name, ...LENGTH_COLUMNS.map((column) => String(Math.round(lengths[column])))];
	return [
		"Lengths in tokens",
		...aligned([
			["", ...LENGTH_COLUMNS],
			row("input", inputTokens),
			row("output", outputTokens)
		]),
		lengthCorrelation === null ? `  one of them ${isFixed(inputTokens) || isFixed(outputTokens) ? "never varies" : "varies by less than a bin of 12 %"}: there is no correlation` : `  rank correlation of input and output (Spearman): ${signed(lengthCorrelation)}`
	];
}
function isFixed({ min, max }) {
	return min === max;
}
function tableSection({ inputFrom, outputFrom, shares }) {
	return ["Share of requests (%) by input length, down, and output length, across", ...aligned([["input", ...outputFrom.map((from) => `${showNumber(from)}+`)], ...shares.map((row, index) => [`${showNumber(inputFrom[index] ?? 0)}+`, ...row.map(tablePercent)])])];
}
function arrivalSection(arrivals) {
	const { meanRps, spanSeconds, gapCv, burstiness, gammaShape, simultaneousShare, windows } = arrivals;
	if (meanRps === null || gapCv === null || burstiness === null) return ["Arrivals", "  all at the same time"];
	const facts = [
		["mean rate", `${significant(meanRps)} requests/s over ${duration(spanSeconds)}`],
		["gaps", `CV ${significant(gapCv)} (Poisson 1), burstiness ${signed(burstiness)} (Poisson 0)`],
		["gamma of those gaps", gammaShape === null ? "none: they never vary" : `shape ${significant(gammaShape)}`],
		["at the same time as the one before", `${percent(simultaneousShare)} %`]
	];
	const rows = worthShowing(windows).map((window) => [
		duration(window.seconds),
		showNumber(window.windows),
		significant(window.meanRequests),
		significant(window.indexOfDispersion),
		`${significant(window.peakOverMean)}×`
	]);
	const table = aligned([[
		"window",
		"windows",
		"mean",
		"dispersion",
		"peak/mean"
	], ...rows]);
	return [
		"Arrivals",
		...facts.map(([name = "", value]) => `  ${name}: ${value}`),
		...rows.length === 0 ? ["  too short to count in windows"] : ["  counts in windows; dispersion is variance/mean, Poisson 1 at every width", ...table],
		...arrivalNotes(arrivals)
	];
}
function worthShowing(windows) {
	return windows.filter(({ meanRequests }) => meanRequests >= .1);
}
function arrivalNotes({ simultaneousShare, windows, gapCv }) {
	const widest = windows.at(-1);
	const ofGaps = Math.max(1, (gapCv ?? 1) * (gapCv ?? 1));
	return [...simultaneousShare > .5 ? ["  note: times come in steps, most requests share one: bursts below a step are", "  the clock’s and not the users’"] : [], ...widest !== void 0 && widest.indexOfDispersion > 2 * ofGaps ? [`  note: over ${duration(widest.seconds)} the rate itself wanders, more than gaps alone explain:`, "  only the trace itself keeps that"] : []];
}
function reuseSection(reuse) {
	const { blocks, distinctBlocks, meanTokensPerBlock, unlimitedHitShare, cacheSizes, distance, sampledOneIn } = reuse;
	const about = sampledOneIn === 1 ? "" : "about ";
	const rows = cacheSizes.map(({ blocks: size, hitShare }) => [
		showNumber(size),
		showNumber(Math.round(size * meanTokensPerBlock)),
		percent(hitShare)
	]);
	return [
		"Reuse of prompt blocks (least recently used evicted first)",
		`  ${showNumber(blocks)} blocks, ${about}${showNumber(distinctBlocks)} of them distinct`,
		`  ${significant(meanTokensPerBlock)} tokens a block on average`,
		`  a cache without end would hit ${about}${percent(unlimitedHitShare)} %`,
		...distance === null ? [] : [`  reuse distance in blocks: p50 ${showNumber(distance.p50)}, p90 ${showNumber(distance.p90)}, p99 ${showNumber(distance.p99)}`],
		...rows.length === 0 ? [] : aligned([[
			"cache (blocks)",
			"(tokens)",
			"hits %"
		], ...rows]),
		...sampledOneIn === 1 ? [] : [`  estimated from one block in ${showNumber(sampledOneIn)}, chosen by a hash`]
	];
}
function sessionSection({ requests, sessions, turns, gapSeconds, sampledOneIn }) {
	const about = sampledOneIn === 1 ? "" : "about ";
	return [
		"Sessions",
		`  ${showNumber(requests)} requests in ${about}${showNumber(sessions)} sessions`,
		`  turns: mean ${significant(turns.mean)}, p50 ${turns.p50}, p90 ${turns.p90}, p99 ${turns.p99}, max ${showNumber(turns.max)}`,
		...gapSeconds === null ? [] : [`  one arrival to the next: p50 ${duration(gapSeconds.p50)}, p90 ${duration(gapSeconds.p90)}, p99 ${duration(gapSeconds.p99)}`]
	];
}
function classSection({ classes, classesFrom }) {
	const range = ({ from, to }) => `${showNumber(from)}–${showNumber(to)}`;
	const rows = classes.map(({ name, share, inputTokens, outputTokens }) => [
		cut(name),
		percent(share),
		showNumber(inputTokens.mean),
		range(inputTokens),
		showNumber(outputTokens.mean),
		range(outputTokens)
	]);
	return [classesFrom === "trace" ? "Classes, as the trace names them" : "Suggested classes, cut where the lengths vary most", ...aligned([[
		"class",
		"%",
		"input",
		"from–to",
		"output",
		"from–to"
	], ...rows])];
}
function aligned(rows) {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
	return rows.map((row) => {
		return `  ${row.map((cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)).join("  ").trimEnd()}`;
	});
}
function percent(share) {
	return share > 0 && share < 5e-4 ? "<0.1" : (share * 100).toFixed(1);
}
function tablePercent(share) {
	return share === 0 ? "·" : percent(share);
}
function cut(name) {
	return name.length > NAME_MAX ? `${name.slice(0, 19)}…` : name;
}
function significant(value) {
	return value >= 1e3 ? showNumber(Math.round(value)) : String(Number(value.toPrecision(3)));
}
function signed(value) {
	const text = Math.abs(value).toFixed(2);
	return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
}
function duration(seconds) {
	if (seconds < 120) return `${significant(seconds)} s`;
	if (seconds < 7200) return `${significant(seconds / 60)} min`;
	return seconds < 172800 ? `${significant(seconds / 3600)} h` : `${significant(seconds / 86400)} d`;
}
const USUAL_FLOOR = 2e3;
const addProfile = (program, desk) => {
	program.command("profile").description("Say what a trace of requests is like: lengths, arrivals, reuse, sessions, and the classes it suggests.").argument("<trace>", "the trace, compressed by gzip or not").addOption(new Option("--format <format>", "its format, where the first line does not tell").choices(TRACE_FORMATS)).option("--classes <n>", "the most classes to suggest", wholeNumber, 3).addHelpText("after", example("capacity-gate profile conversation_trace.jsonl --classes 4")).action(async (file, { format, classes }) => {
		const input = openTrace(file);
		const profile = await profileTrace({
			file,
			format: format ?? null
		}, input.chunks, classes);
		const sha256 = input.sha256();
		const manifests = {
			drawn: drawnFragment(profile),
			replayed: replayedFragment(profile, {
				file: fileForManifest(file),
				sha256
			})
		};
		desk.finish({
			exitCode: EXIT.ok,
			text: commandText(file, sha256, profile, manifests),
			json: {
				file,
				sha256,
				...profile,
				manifests
			}
		});
	});
};
function fileForManifest(path) {
	return isAbsolute(path) || path.split(/[\\/]/).includes("..") ? basename(path) : path;
}
function commandText(file, sha256, profile, { drawn, replayed }) {
	const { format, requests, failedRequests } = profile;
	const left = failedRequests === 0 ? "" : `, ${showNumber(failedRequests)} failed ones left out`;
	return [
		`${plainText(file)}: ${format}, ${showNumber(requests)} requests${left}`,
		`sha256:${sha256}`,
		profileText(profile),
		"",
		"# For a manifest, drawn from a seed: the classes at their mean lengths, gaps",
		"# that vary as the trace’s",
		drawn === null ? "# (a class is too small for a floor of successes)" : fragmentYaml(drawn),
		"",
		`# For a manifest, the trace’s first ${showNumber(profile.firstRequests.requests)} requests themselves: times scaled,`,
		"# lengths kept",
		...replayed === null ? ["# (they all came at the same time: there is no rate to scale)"] : [
			...fewRequests(replayed),
			...shortPrompts(profile),
			fragmentYaml(replayed)
		]
	].join("\n");
}
function fewRequests({ client }) {
	const fewest = Math.min(...Object.values(client.class_schedule_counts));
	if (fewest >= USUAL_FLOOR) return [];
	return [`# (its smallest class has ${showNumber(fewest)} requests: a floor of successes above that cannot be`, "# reached; take more of the trace, or lower min_successful_samples_per_class)"];
}
function shortPrompts({ firstRequests: { leastInputTokens } }) {
	const needed = uniqueTokens(DEFAULT_TOKEN_RANGE);
	if (leastInputTokens >= needed) return [];
	return [`# (its shortest prompt has ${showNumber(leastInputTokens)} tokens, and none can have fewer than ${needed}: take such`, "# rows out of the trace)"];
}
const addPromote = (program, desk) => {
	program.command("promote").description("Accept a capacity record as the baseline; refused with the reasons where it cannot be one.").requiredOption("--candidate <file>", "the capacity.json of a finished sweep").requiredOption("--to <ref>", "where baselines are kept: branch:NAME[:FOLDER] of the clone’s origin, or dir:PATH").option("--anchor", "accept it as the last release’s as well").option("--new-experiment", "the manifest’s experiment was changed, and that is meant").option("--reason <text>", "why, kept beside the record").option("--yes", "accept it without a reason").addHelpText("after", example("capacity-gate promote --candidate pack/capacity.json --to branch:capacity-baselines --reason \"the first baseline\"", "capacity-gate promote --candidate pack/capacity.json --to dir:capacity-baselines --yes")).action(async ({ candidate, to, reason, ...flags }) => {
		const [anchor, newExperiment] = [flags.anchor ?? false, flags.newExperiment ?? false];
		const acceptance = ownAcceptance(reason, flags.yes ?? false);
		const store = await openStore(to, clonedRepository(desk.inputs));
		const { file, text } = await readRecordFile("the candidate", candidate);
		const record = parseCapacityRecord(text, file);
		const promoted = await promote(store, {
			file,
			record,
			anchor,
			newExperiment,
			acceptance
		});
		desk.finish({
			exitCode: EXIT.ok,
			text: promotedText(promoted),
			json: promoted
		});
	});
};
function ownAcceptance(reason, yes) {
	const said = reason?.trim() ?? "";
	if (said === "" && !yes) throw new GateError({
		code: "promotion_unconfirmed",
		message: "a new baseline is what every later revision is held to, and no reason was given for this one",
		hint: "say why with --reason TEXT, or --yes without one",
		exitCode: EXIT.usage
	});
	return {
		acceptedAt: new Date().toISOString(),
		acceptedBy: userName(),
		authority: "terminal",
		place: hostname(),
		approvedBy: [],
		run: null,
		reason: said === "" ? "accepted at a terminal with --yes" : said.slice(0, REASON_MAX),
		toolVersion: TOOL_VERSION
	};
}
const REASON_MAX = 2e3;
function userName() {
	try {
		return userInfo().username;
	} catch {
		return `uid ${process.getuid?.() ?? "unknown"}`;
	}
}
const WARNING_MAX = 400;
function promotedText({ path, gateId, kind, sha256, anchor, warnings, experimentChanges }) {
	const as = anchor ? "baseline and anchor" : "baseline";
	const what = kind === "simulated" ? " (simulated: compared with simulated records only)" : "";
	return [
		`accepted as ${as} of ${plainText(gateId)}${what}: ${path}`,
		`sha256:${sha256}`,
		...experimentChanges.map((change) => `new experiment: ${plainText(changeText(change), WARNING_MAX)}`),
		...warnings.map(({ text }) => `warning: ${plainText(text, WARNING_MAX)}`)
	].join("\n");
}
async function calibratePoint(effects, { manifest, key }, signal) {
	const need = pointNeed(manifest, key.load);
	const { file, evidence } = await calibrate(effects, {
		manifest,
		need,
		earlier: null,
		useKept: true
	}, signal);
	const fit = isFit(evidence);
	if (!file.made && !fit) throw new GateError({
		code: "calibration_failed",
		message: `the client could not be calibrated: ${file.cause}`,
		hint: "let this machine start a process that listens on 127.0.0.1, or leave client out of acceptance.required_evidence",
		exitCode: EXIT.invalid
	});
	await effects.pack.write(pathsOf(pointName(key)).calibration, packJson(file));
	return fit;
}
const DEPLOY_ID = "endpoint-1";
async function replayPoint(effects, request, signal) {
	const { manifest, key } = request;
	const { pack } = effects;
	const dialect = dialectFor(manifest);
	const built = await buildSchedules(manifest, [key.cache], effects.sources);
	const schedule = schedulesOf(built).get(key.cache);
	if (!schedule) throw new Error(`no schedule was built for ${key.cache}`);
	await requirePackOfReplays(pack, request.manifestText);
	await freezeSchedules(pack, built);
	await pack.write("workload-manifest.yaml", request.manifestText);
	const order = {
		manifest,
		dialect,
		schedule,
		key,
		...built.texts ? { texts: built.texts } : {}
	};
	const point = await calibratePoint(effects, order, signal) ? await measureAlone(effects, order, signal) : await unfitClient(pack, order);
	await publishPoint(pack, key);
	return point;
}
async function measureAlone(effects, order, signal) {
	try {
		var _usingCtx$3 = _usingCtx();
		const { manifest, dialect } = order;
		const log = _usingCtx$3.a(await openEngineLog(effects.pack));
		const deployment = _usingCtx$3.a(await effects.deployer.deploy({
			manifest,
			dialect,
			deployId: DEPLOY_ID,
			log
		}, signal));
		return await measurePoint(effects, {
			...order,
			deployment
		}, signal);
	} catch (_) {
		_usingCtx$3.e = _;
	} finally {
		await _usingCtx$3.d();
	}
}
async function unfitClient(pack, order) {
	const facts = factsOf$2({
		...order,
		deployment: {
			deployId: DEPLOY_ID,
			replicas: []
		}
	}, null);
	await writeMeasured(pack, order, {
		records: [],
		gaps: new Map(),
		lines: [{
			t: "point",
			facts
		}]
	});
	return judgeWritten(pack, order);
}
async function publishPoint(pack, key) {
	const paths = pathsOf(pointName(key));
	for (const name of ["requests", "slo"]) {
		const bytes = await pack.read(paths[name]);
		if (bytes !== null) await pack.write(name === "slo" ? "slo-report.json" : "requests.csv", bytes);
	}
	await pack.write("failure-test.md", renderFailureTest());
	await writeChecksums(pack);
}
const EXIT_CODES = {
	pass: EXIT.ok,
	fail: EXIT.regressed,
	undersampled: EXIT.inconclusive,
	unknown: EXIT.inconclusive,
	invalid: EXIT.invalid
};
const addReplay = (program, desk) => {
	program.command("replay").description("Measure one point against an endpoint that is already up.").argument("<manifest>", "the workload-manifest.yaml").addOption(new Option("--endpoint <url>", "the engine’s origin; once for each replica").argParser(addEndpoint).makeOptionMandatory()).addOption(new Option("--rate <r>", "open loop: requests a second").argParser(exactRate)).addOption(new Option("--concurrency <n>", "closed loop: requests in flight").argParser(wholeNumber).conflicts("rate")).addOption(new Option("--cache <state>", "the cache state").choices(["cold", "warm"]).makeOptionMandatory()).requiredOption("--pack <dir>", "the folder for what the point leaves").addHelpText("after", example("capacity-gate replay workload-manifest.yaml --endpoint http://127.0.0.1:8000 --rate 20 --cache cold --pack pack")).action((path, options) => replayCommand(desk, path, options));
};
async function replayCommand({ inputs, note, finish }, path, options) {
	const { endpoint: endpoints, pack: packFolder, cache, rate } = options;
	const key = {
		cache,
		load: loadOf(options),
		repeat: 1
	};
	const { manifest, text: manifestText } = await readManifestFile(path, "valid");
	if (rate !== void 0 && manifest.client.closed_loop_think_seconds > 0) note("client.closed_loop_think_seconds does nothing to a rate: requests are sent when they are due");
	await interruptible(async (signal) => {
		try {
			var _usingCtx$2 = _usingCtx();
			const point = await replayPoint(_usingCtx$2.a(await composeEffects(inputs, {
				packFolder,
				manifest,
				manifestPath: path,
				endpoints
			})).effects, {
				manifest,
				manifestText,
				key
			}, signal);
			const text = `${pointText(point)}\npack: ${plainText(packFolder, 1e3)}`;
			finish({
				exitCode: EXIT_CODES[point.outcome],
				text,
				json: point
			});
		} catch (_) {
			_usingCtx$2.e = _;
		} finally {
			await _usingCtx$2.d();
		}
	});
}
function loadOf({ rate, concurrency }) {
	if (rate !== void 0) return { openMilliRps: milliRps$1(rate) };
	if (concurrency !== void 0) return { closedConcurrency: concurrency };
	throw new InvalidArgumentError("neither --rate nor --concurrency was given");
}
function addEndpoint(text, earlier) {
	try {
		engineOrigin(text);
	} catch {
		throw new InvalidArgumentError(`${quoted(text)} is no endpoint: give http://HOST:PORT, https://HOST or unix:/PATH.`);
	}
	return [...earlier ?? [], text];
}
function pointText(point) {
	const { offered, good } = point.ratesRps;
	const classes = Object.entries(point.slo.classes).map(([name, report]) => {
		const of = `${report.passing_count} of ${report.successful_count} successes in their cutoffs`;
		return `  ${plainText(name)}: attainment ${percent$1(report.attainment)} %, ${of}, ${report.failed_count} failed`;
	});
	const reasons = point.reasons.map((reason) => `  ${plainText(reason.code)}: ${plainText(reason.text, 500)}`);
	return [
		`${point.outcome.toUpperCase()}: ${pointName(point.key)}, offered ${rps(offered)} RPS, good ${rps(good)} RPS`,
		...classes,
		...reasons
	].join("\n");
}
const addReport = (program, desk) => {
	program.command("report").description("Render what a finished run’s pack says, offline.").argument("<pack>", "the folder that the run wrote").addOption(new Option("--format <format>", "Markdown for people, or JSON").choices(["markdown", "json"]).default("markdown")).addHelpText("after", example("capacity-gate report inference-capacity-pack --format markdown > report.md")).action(async (folder, { format }) => {
		const input = await readPackReport(await openPack(folder));
		const json = {
			verdict: input.verdict,
			capacity: input.record
		};
		const text = format === "json" ? `${JSON.stringify(json, null, 2)}\n` : renderReportMarkdown(input);
		desk.finish({
			exitCode: EXIT.ok,
			text,
			json
		});
	});
};
const addRun = (program, desk) => {
	addRunOptions(program.command("run").description("The whole flow: deploy, replay, judge, compare; writes the pack and ends as the verdict says.").argument("<manifest>", "the workload-manifest.yaml").requiredOption("--pack <dir>", "the folder for everything the run leaves")).addHelpText("after", example("capacity-gate run workload-manifest.yaml --plan sweep --pack accepted --on-missing-baseline record", "capacity-gate run workload-manifest.yaml --pack pack --baseline dir:capacity-baselines")).action((path, options) => runCommand(desk, path, options));
};
function addRunOptions(command) {
	return command.addOption(new Option("--plan <plan>", "confirm asks at the guard rate, sweep finds the capacity").choices(["confirm", "sweep"]).default("confirm")).option("--baseline <ref>", "where the accepted records are: branch:NAME, dir:PATH or file:PATH").addOption(new Option("--cache <states>", "which cache states").default(["cold", "warm"], "cold,warm").argParser(cacheStates)).option("--subject <file>", "YAML that overrides subject fields of the manifest").option("--resume", "go on with the interrupted run in --pack at its next point").addOption(new Option("--on-missing-baseline <what>", "without an accepted record: inconclusive, or record an ungated run").choices(["fail", "record"]).default("fail")).addOption(onInconclusiveOption()).option("--budget-minutes <m>", "refuse a longer plan, and begin no point after it", positiveNumber);
}
async function runCommand({ inputs, finish }, path, options) {
	const { manifest, text, subjectText } = await readManifestFile(path, "deployable", options.subject);
	const store = options.baseline === void 0 ? null : await openStore(options.baseline, clonedRepository(inputs));
	await interruptible(async (signal) => {
		try {
			var _usingCtx$1 = _usingCtx();
			const composed = _usingCtx$1.a(await composeEffects(inputs, {
				packFolder: options.pack,
				manifest,
				manifestPath: path,
				signal
			}));
			const request = {
				manifest,
				manifestText: text,
				subjectText,
				plan: options.plan,
				caches: options.cache,
				resume: options.resume ?? false,
				onMissingBaseline: options.onMissingBaseline,
				budgetMinutes: options.budgetMinutes ?? null,
				context: {
					toolVersion: TOOL_VERSION,
					packPath: options.pack
				}
			};
			const { record: candidate, ...rest } = await run({
				...composed.effects,
				store
			}, request, signal);
			const result = verdictResult({
				candidate,
				...rest
			}, options.onInconclusive, options.pack);
			finish({
				...result,
				text: `${result.text}\npack: ${plainText(options.pack, 1e3)}`
			});
		} catch (_) {
			_usingCtx$1.e = _;
		} finally {
			await _usingCtx$1.d();
		}
	}, "run it again with --resume to go on at the next point");
}
const addSchedule = (program, desk) => {
	program.command("schedule").description("Freeze the schedule of one cache state into a file, and print its digest.").argument("<manifest>", "the workload-manifest.yaml").addOption(new Option("--cache <state>", "the cache state").choices(["cold", "warm"]).makeOptionMandatory()).option("--requests <n>", "that many requests instead of the manifest’s", wholeNumber).requiredOption("--out <file>", "where it goes: JSON Lines; compressed where the name ends in .gz").addHelpText("after", example("capacity-gate schedule workload-manifest.yaml --cache cold --out cold.jsonl.gz")).action(async (path, { cache, requests, out }) => {
		const { manifest } = await readManifestFile(path, "valid");
		const { trace, dataset } = manifest.client;
		await refuseReplacing({
			name: "--out",
			path: out
		}, [
			{
				name: "the manifest",
				path
			},
			...trace ? [{
				name: "the trace",
				path: join(dirname(path), trace.file)
			}] : [],
			...dataset ? [{
				name: "the dataset",
				path: join(dirname(path), dataset.file)
			}] : []
		]);
		const read = await readSources(manifestSources(desk.inputs, path), manifest, requests);
		const asked = requests === void 0 ? {} : { requests };
		const { schedule, bytes } = buildSchedule(manifest, cache, {
			...read,
			...asked
		});
		await writeOutput(out, out.endsWith(".gz") ? await gzipSame(bytes) : bytes);
		desk.finish({
			exitCode: EXIT.ok,
			text: scheduleText(schedule, out),
			json: facts(schedule, out)
		});
	});
};
function scheduleText({ header, rows, sha256 }, out) {
	const { cache, initialRequests, extensionRequests } = header;
	const parts = `${showNumber(initialRequests)} requests and ${showNumber(extensionRequests)} in extension blocks`;
	return `sha256:${sha256}\n${out}: the ${cache} schedule, ${showNumber(rows.length)} rows (${parts}); the digest is of the uncompressed bytes`;
}
function facts({ header, rows, sha256 }, out) {
	const { cache, generator, pattern, dataset, seed, initialRequests, extensionRequests, blockRequests } = header;
	return {
		file: out,
		sha256,
		cache,
		generator,
		...pattern ? { pattern } : {},
		...dataset ? { dataset } : {},
		seed,
		rows: rows.length,
		initialRequests,
		extensionRequests,
		blockRequests
	};
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
	const checked = {
		reports: [],
		...await checkSchedules(pack, manifest, paths, sources)
	};
	const names = new Set(paths.filter((path) => path.startsWith("points/")).map((path) => path.split("/")[1] ?? ""));
	for (const name of names) await checkPoint(pack, {
		manifest,
		name,
		paths
	}, checked);
	return checked;
}
async function checkPoint(pack, check, checked) {
	const at = pathsOf(check.name);
	if (!check.paths.includes(at.point) && !check.paths.includes(at.requests)) return;
	const wrong = (code, path, text) => void checked.discrepancies.push({
		code,
		path,
		text
	});
	try {
		const storedText = await readPackText(pack, at.point);
		const stored = parsePointReport(storedText, at.point);
		if (pointName(stored.key) !== check.name) wrong("point", at.point, `is the report of ${pointName(stored.key)}`);
		const schedule = checked.schedules.get(stored.key.cache);
		if (!schedule) return wrong("schedule", schedulePath(stored.key.cache), "is not there");
		const { manifest } = check;
		const again = await judgeFiles(pack, {
			manifest,
			dialect: dialectFor(manifest),
			schedule,
			key: stored.key
		});
		checked.reports.push(again);
		if (packJson(again) !== storedText) wrong("point", at.point, "does not follow from the point’s raw files");
		if (sloReportJson(again.slo) !== await readPackText(pack, at.slo)) wrong("slo_report", at.slo, "does not follow from requests.csv");
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		wrong("unreadable", at.folder, error.message);
	}
}
async function readPackManifest(pack) {
	const path = "workload-manifest.yaml";
	const bytes = await pack.read(path);
	if (bytes === null) return {
		manifest: null,
		discrepancies: [{
			code: "manifest",
			path,
			text: "is not there"
		}]
	};
	const subject = await pack.read("subject.yaml");
	const override = subject === null ? {} : { subject: new TextDecoder().decode(subject) };
	const { manifest, findings } = readManifest(bytes, {
		level: "valid",
		...override
	});
	return {
		manifest,
		discrepancies: findings.filter((finding) => manifest === null && finding.severity === "error").map((finding) => ({
			code: "manifest",
			path,
			text: `line ${finding.line}: ${finding.message}`
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
	const again = capacityRecord({
		manifest,
		toolVersion: stored.tool.version,
		createdAt: session.startedAt,
		commit: stored.commit,
		hardware: {
			mustEqual: session.mustEqual,
			recorded: stored.hardware.recorded
		},
		schedules: scheduleDigests(checked.schedules),
		results: stored.capacity.map((result) => resultAgain(result, {
			manifest,
			ordered,
			baseline,
			anchor
		})),
		evidence: await storedFitness(pack, {
			manifest,
			accepted: {
				baseline,
				anchor
			},
			hasPoints: session.points.length > 0
		}),
		boots: stored.capacity.flatMap(({ cache }) => session.states[cache]?.boots ?? [])
	});
	const { onMissingBaseline, context } = parseContextFile(await readPackText(pack, CONTEXT_FILE));
	const settled = settle(again, {
		baseline,
		anchor,
		onMissingBaseline,
		context
	});
	const expected = [
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
			"failure-test.md",
			"report",
			renderFailureTest()
		],
		...await selectedFiles(pack, settled.record.selected)
	];
	const found = sessionDiscrepancies(session, reports);
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
function resultAgain(stored, { manifest, ordered, baseline, anchor }) {
	const { cache, plan, gpuMinutes } = stored;
	const stateOf = (record) => record?.capacity.find((result) => result.cache === cache) ?? null;
	return capacityResult({
		plan,
		manifest,
		cache,
		baseline: stateOf(baseline),
		anchor: stateOf(anchor),
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
async function readAccepted(pack, path) {
	return await pack.read(path) === null ? null : parseCapacityRecord(await readPackText(pack, path), path);
}
async function verifyPack(pack, sources = null) {
	const { discrepancies, paths } = await checkFiles(pack);
	const read = await readPackManifest(pack);
	discrepancies.push(...read.discrepancies);
	if (read.manifest === null) return {
		discrepancies,
		unverified: [],
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
		files: paths.length,
		points: points.reports.length
	};
}
const addVerify = (program, desk) => {
	program.command("verify").description("Recompute every number of a pack from its raw files, and check its checksums.").argument("<pack>", "the folder that a run wrote").option("--sources <dir>", "the manifest’s folder: the trace or dataset beside it, to build the schedules again").addHelpText("after", example("capacity-gate verify inference-capacity-pack")).action(async (folder, { sources }) => {
		const beside = sources === void 0 ? null : folderSources(desk.inputs, sources);
		const verification = await verifyPack(await openPack(folder), beside);
		const isWhole = verification.discrepancies.length === 0;
		const text = verifyText(verification, folder);
		desk.finish({
			exitCode: isWhole ? EXIT.ok : EXIT.invalid,
			text,
			json: verification
		});
	});
};
function verifyText({ discrepancies, unverified, files, points }, folder) {
	const lines = [...discrepancies, ...unverified].map(({ code, path, text }) => `${plainText(path, 500)}: ${plainText(text, 500)} [${code}]`);
	const checked = `${files} files, ${points} points judged again`;
	const said = discrepancies.length > 0 ? `${discrepancies.length} things do not follow from the raw files` : unverified.length > 0 ? "every number follows from the raw files, and from the schedules as they stand" : "every number follows from the raw files";
	return [...lines, `${plainText(folder, 500)}: ${checked}: ${said}`].join("\n");
}
const COMMANDS = [
	addRun,
	addLint,
	addSchedule,
	addProfile,
	addReplay,
	addAnalyze,
	addGate,
	addReport,
	addVerify,
	addCalibrate,
	addDoctor,
	addImport,
	addPromote,
	addHistory,
	addPlan
];
const EPILOGUE = `
Exit codes: 0 held or improved, 1 the tool failed, 2 regressed, 3 inconclusive, 4 invalid, 64 usage.
COMMAND --help shows an example.
`;
async function runCli(inputs, writeOut) {
	const isDebug = inputs.argv.includes("--debug");
	const help = [];
	let result = null;
	const program = buildProgram({
		inputs,
		note: (text) => inputs.screen.write(`${text}\n`),
		finish: (finished) => void (result = finished)
	}, help);
	try {
		await parse(program, inputs.argv, help);
		await writeOut(result === null ? help.join("") : shown(result, program.opts()["json"] === true));
		return result?.exitCode ?? EXIT.ok;
	} catch (error) {
		const failure = failureOf$2(error, namedCommand(program, inputs.argv));
		inputs.screen.write(failureText(failure, isDebug));
		return failure.exitCode;
	}
}
function shown(result, asJson) {
	if (asJson) return `${JSON.stringify(result.json, null, 2)}\n`;
	return result.text.endsWith("\n") ? result.text : `${result.text}\n`;
}
async function parse(program, argv, help) {
	try {
		await program.parseAsync(argv, { from: "user" });
	} catch (error) {
		if (!(error instanceof CommanderError) || error.exitCode !== 0 || help.length === 0) throw error;
	}
}
function namedCommand(program, argv) {
	return program.commands.map((command) => command.name()).find((name) => argv.includes(name)) ?? null;
}
function buildProgram(desk, help) {
	const program = new Command("capacity-gate").description("Tells whether a pinned inference-engine revision still carries the accepted SLO-compliant capacity.").version(TOOL_VERSION, "--version", "print the version").option("--json", "print one JSON value on standard output, and nothing else there").option("--debug", "print the stack of an error").helpOption("--help", "say what there is").helpCommand(false).configureHelp({
		showGlobalOptions: true,
		helpWidth: Math.min(120, Math.max(60, desk.inputs.screen.columns()))
	}).configureOutput({
		writeOut: (text) => void help.push(text),
		writeErr: () => {},
		outputError: () => {}
	}).exitOverride().addHelpText("after", EPILOGUE);
	for (const add of COMMANDS) add(program, desk);
	return program;
}
function standardOutput(stream) {
	stream.on("error", () => {});
	return (text) => new Promise((resolve, reject) => {
		if (text === "") return resolve();
		stream.write(text, (error) => {
			if (!error || error.code === "EPIPE") return resolve();
			reject(new GateError({
				code: "output_failed",
				message: `cannot write standard output: ${error.message}`,
				hint: "check the disk or the program that it is sent to",
				exitCode: EXIT.failed,
				cause: error
			}));
		});
	});
}
const { stderr } = process;
const inputs = {
	argv: process.argv.slice(2),
	env: { ...process.env },
	cwd: process.cwd(),
	screen: {
		isTerminal: stderr.isTTY === true && process.env["TERM"] !== "dumb",
		hasColor: stderr.isTTY === true && stderr.hasColors(),
		columns: () => stderr.columns || 80,
		write: (text) => void stderr.write(text)
	}
};
stderr.on("error", () => {});
process.on("uncaughtException", (error) => {
	stderr.write(failureText(failureOf$2(error), inputs.argv.includes("--debug")));
	process.exit(EXIT.failed);
});
process.exitCode = await runCli(inputs, standardOutput(process.stdout));
export {};
