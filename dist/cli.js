#!/usr/bin/env node
import { D as openPack, E as pointName, G as array, O as gunzipBounded, S as dialectFor, W as _enum, Y as int, Z as literal, ct as EXIT, dt as _usingCtx, gt as plainText, k as gzipSame, lt as GateError, m as ID_PATTERN, nt as strictObject, r as TOOL_VERSION, rt as string, t as composeEffects, ut as sha256Hex } from "./chunk-0-compose.js";
import { $ as milliRps, A as scheduleDigests, C as capacityResult, D as capacityRecord, E as parseSession, F as parseContextFile, G as showNumber, I as promote, J as writeChecksums, K as CHECKSUMS, L as requireManifest, M as schedulesOf, N as buildSchedule, O as buildSchedules, P as readPackReport, R as lint, S as scheduleBlocks, T as requirePackOfReplays, U as settle, V as CONTEXT_FILE, W as gate, Y as renderReportMarkdown, _ as parseInteger, a as Option, at as readPackText, c as renderText, ct as streamInput, d as LIMIT_CODES, dt as parseCapacityRecord, et as percent, f as measurePoint, ft as parsePointReport, g as parseDecimal, h as readRequestsCsv, i as Command, it as pathsOf, j as schedulePath, k as freezeSchedules, l as exitCodeOf, lt as writeOutput, m as sloReportJson, n as failureOf, nt as renderFailureTest, o as CommanderError, ot as INPUT_LIMITS, p as judgeFiles, q as parseChecksums, r as failureText, rt as packJson, s as InvalidArgumentError, st as readInputText, t as interruptible, tt as rps, u as run, ut as openStore, v as analyzeManifest, w as openEngineLog, x as textAt, y as quoted, z as readManifest } from "./chunk-0-interruptible.js";
function reconcile(table, schedule) {
	const scheduled = new Map(schedule.rows.map((row) => [row.id, row]));
	const seen = new Set(table.ids);
	for (const [index, id] of table.ids.entries()) {
		const row = scheduled.get(id);
		if (row === void 0) throw refusal$1(table, index, `the schedule has no request ${id}`);
		const name = textAt(table.classes, index);
		if (name !== row.class) throw refusal$1(table, index, `${id} is of class ${row.class} in the schedule, here of ${name}`);
		const input = table.inputTokens[index] ?? -1;
		if (input >= 0 && input !== row.inputTokens) throw refusal$1(table, index, `${id} has ${row.inputTokens} input tokens in the schedule, here ${input}`);
	}
	let requests = 0;
	let blocks = -1;
	for (const block of scheduleBlocks(schedule)) {
		if (requests >= seen.size) break;
		const missing = block.find((row) => !seen.has(row.id));
		if (missing) throw refusal$1(table, null, `${missing.id} of the schedule is missing`);
		requests += block.length;
		blocks += 1;
	}
	if (blocks < 0) throw refusal$1(table, null, `none of the schedule's ${schedule.rows.length} requests is there`);
	return {
		scheduleSha256: schedule.sha256,
		requests,
		extensionBlocks: blocks
	};
}
function refusal$1(table, index, what) {
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
const headerSchema = strictObject({
	version: literal(1),
	cache: _enum(["cold", "warm"]),
	generator: _enum(["poisson-1", "constant-1"]),
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
	}))
});
const rowSchema = strictObject({
	id,
	class: string().min(1),
	offsetUs: natural,
	inputTokens: positive,
	outputTokens: positive,
	prefix: string().exactOptional(),
	session: string().min(1).exactOptional(),
	turn: natural.exactOptional(),
	thinkUs: natural.exactOptional()
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
function readText(input) {
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
	const text = readText(input);
	if (text === "") throw malformed(1, "the file is empty");
	if (!text.endsWith("\n")) throw malformed(text.split("\n").length, "the file ends in the middle of a line");
	const lines = text.slice(0, -1).split("\n");
	const header = parseLine(lines[0] ?? "", 1, headerSchema);
	checkHeader(header);
	const lengths = new Map(header.prefixes.map((prefix) => [prefix.id, prefix.tokens]));
	const seen = new Set();
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
function compare(request) {
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
		desk.finish(verdictResult(compare({
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
const addPromote = (program, desk) => {
	program.command("promote").description("Accept a capacity record as the baseline; refused with the reasons where it cannot be one.").requiredOption("--candidate <file>", "the capacity.json of a finished sweep").requiredOption("--to <ref>", "where baselines are kept: dir:PATH").option("--anchor", "accept it as the last release’s as well").addHelpText("after", example("capacity-gate promote --candidate pack/capacity.json --to dir:capacity-baselines")).action(async ({ candidate, to, anchor }) => {
		const store = openStore(to);
		const { file, text } = await readRecordFile("the candidate", candidate);
		const promoted = await promote(store, {
			file,
			record: parseCapacityRecord(text, file),
			anchor: anchor ?? false
		});
		desk.finish({
			exitCode: EXIT.ok,
			text: promotedText(promoted),
			json: promoted
		});
	});
};
const WARNING_MAX = 400;
function promotedText({ path, gateId, kind, sha256, anchor, warnings }) {
	const as = anchor ? "baseline and anchor" : "baseline";
	const what = kind === "simulated" ? " (simulated: compared with simulated records only)" : "";
	return [
		`accepted as ${as} of ${plainText(gateId)}${what}: ${path}`,
		`sha256:${sha256}`,
		...warnings.map(({ text }) => `warning: ${plainText(text, WARNING_MAX)}`)
	].join("\n");
}
async function replayPoint(effects, request, signal) {
	try {
		var _usingCtx$3 = _usingCtx();
		const { manifest, key } = request;
		const { pack } = effects;
		const dialect = dialectFor(manifest);
		const built = buildSchedules(manifest, [key.cache]);
		const schedule = schedulesOf(built).get(key.cache);
		if (!schedule) throw new Error(`no schedule was built for ${key.cache}`);
		await requirePackOfReplays(pack, request.manifestText);
		await freezeSchedules(pack, built);
		await pack.write("workload-manifest.yaml", request.manifestText);
		const log = _usingCtx$3.a(await openEngineLog(pack));
		const deployment = _usingCtx$3.a(await effects.deployer.deploy({
			manifest,
			dialect,
			deployId: "endpoint-1",
			log
		}, signal));
		const point = await measurePoint(effects, {
			manifest,
			dialect,
			schedule,
			key,
			deployment
		}, signal);
		const paths = pathsOf(pointName(key));
		for (const name of ["requests", "slo"]) {
			const bytes = await pack.read(paths[name]);
			if (bytes !== null) await pack.write(name === "slo" ? "slo-report.json" : "requests.csv", bytes);
		}
		await pack.write("failure-test.md", renderFailureTest());
		await writeChecksums(pack);
		return point;
	} catch (_) {
		_usingCtx$3.e = _;
	} finally {
		await _usingCtx$3.d();
	}
}
const EXIT_CODES = {
	pass: EXIT.ok,
	fail: EXIT.regressed,
	undersampled: EXIT.inconclusive,
	unknown: EXIT.inconclusive,
	invalid: EXIT.invalid
};
const addReplay = (program, desk) => {
	program.command("replay").description("Measure one point against an endpoint that is already up.").argument("<manifest>", "the workload-manifest.yaml").addOption(new Option("--endpoint <url>", "the engine’s origin; once for each replica").argParser(addEndpoint).makeOptionMandatory()).addOption(new Option("--rate <r>", "open loop: requests a second").argParser(positiveNumber)).addOption(new Option("--concurrency <n>", "closed loop: requests in flight").argParser(wholeNumber).conflicts("rate")).addOption(new Option("--cache <state>", "the cache state").choices(["cold", "warm"]).makeOptionMandatory()).requiredOption("--pack <dir>", "the folder for what the point leaves").addHelpText("after", example("capacity-gate replay workload-manifest.yaml --endpoint http://127.0.0.1:8000 --rate 20 --cache cold --pack pack")).action((path, options) => replayCommand(desk, path, options));
};
async function replayCommand({ inputs, finish }, path, options) {
	const { endpoint: endpoints, pack: packFolder, cache } = options;
	const key = {
		cache,
		load: loadOf(options),
		repeat: 1
	};
	const { manifest, text: manifestText } = await readManifestFile(path, "valid");
	await interruptible(async (signal) => {
		try {
			var _usingCtx$2 = _usingCtx();
			const point = await replayPoint(_usingCtx$2.a(await composeEffects(inputs, {
				packFolder,
				manifest,
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
	if (rate !== void 0) return { openMilliRps: milliRps(rate) };
	if (concurrency !== void 0) return { closedConcurrency: concurrency };
	throw new InvalidArgumentError("neither --rate nor --concurrency was given");
}
function addEndpoint(text, earlier) {
	const url = URL.parse(text);
	if (url === null || !["http:", "https:"].includes(url.protocol) || url.host === "") throw new InvalidArgumentError(`${quoted(text)} is no http or https address.`);
	return [...earlier ?? [], text];
}
function pointText(point) {
	const { offered, good } = point.ratesRps;
	const classes = Object.entries(point.slo.classes).map(([name, report]) => {
		const of = `${report.passing_count} of ${report.successful_count} successes in their cutoffs`;
		return `  ${plainText(name)}: attainment ${percent(report.attainment)} %, ${of}, ${report.failed_count} failed`;
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
	return command.addOption(new Option("--plan <plan>", "confirm asks at the guard rate, sweep finds the capacity").choices(["confirm", "sweep"]).default("confirm")).option("--baseline <ref>", "where the accepted records are: dir:PATH or file:PATH").addOption(new Option("--cache <states>", "which cache states").default(["cold", "warm"], "cold,warm").argParser(cacheStates)).option("--subject <file>", "YAML that overrides subject fields of the manifest").option("--resume", "go on with the interrupted run in --pack at its next point").addOption(new Option("--on-missing-baseline <what>", "without an accepted record: inconclusive, or record an ungated run").choices(["fail", "record"]).default("fail")).addOption(onInconclusiveOption()).option("--budget-minutes <m>", "refuse a longer plan, and begin no point after it", positiveNumber);
}
async function runCommand({ inputs, finish }, path, options) {
	const { manifest, text, subjectText } = await readManifestFile(path, "deployable", options.subject);
	const store = options.baseline === void 0 ? null : openStore(options.baseline);
	await interruptible(async (signal) => {
		try {
			var _usingCtx$1 = _usingCtx();
			const composed = _usingCtx$1.a(await composeEffects(inputs, {
				packFolder: options.pack,
				manifest
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
	});
}
const addSchedule = (program, desk) => {
	program.command("schedule").description("Freeze the schedule of one cache state into a file, and print its digest.").argument("<manifest>", "the workload-manifest.yaml").addOption(new Option("--cache <state>", "the cache state").choices(["cold", "warm"]).makeOptionMandatory()).option("--requests <n>", "that many requests instead of the manifest’s", wholeNumber).requiredOption("--out <file>", "where it goes: JSON Lines; compressed where the name ends in .gz").addHelpText("after", example("capacity-gate schedule workload-manifest.yaml --cache cold --out cold.jsonl.gz")).action(async (path, { cache, requests, out }) => {
		const { manifest } = await readManifestFile(path, "valid");
		const { schedule, bytes } = buildSchedule(manifest, cache, requests === void 0 ? {} : { requests });
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
	const { cache, generator, seed, initialRequests, extensionRequests, blockRequests } = header;
	return {
		file: out,
		sha256,
		cache,
		generator,
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
async function checkPoints(pack, manifest, paths) {
	const checked = {
		reports: [],
		schedules: new Map(),
		discrepancies: []
	};
	const { schedules } = checked;
	for (const cache of ["cold", "warm"]) {
		if (!paths.includes(schedulePath(cache))) continue;
		const { schedule, bytes } = buildSchedule(manifest, cache);
		schedules.set(cache, schedule);
		const stored = await pack.readGzip(schedulePath(cache)).catch(() => null);
		if (stored === null || sha256Hex(stored) !== sha256Hex(bytes)) checked.discrepancies.push({
			code: "schedule",
			path: schedulePath(cache),
			text: "is not the schedule of the manifest"
		});
	}
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
async function verifyPack(pack) {
	const { discrepancies, paths } = await checkFiles(pack);
	const read = await readPackManifest(pack);
	discrepancies.push(...read.discrepancies);
	if (read.manifest === null) return {
		discrepancies,
		files: paths.length,
		points: 0
	};
	const points = await checkPoints(pack, read.manifest, paths);
	discrepancies.push(...points.discrepancies);
	if (paths.includes("capacity.json")) discrepancies.push(...await checkRun(pack, read.manifest, points));
	return {
		discrepancies,
		files: paths.length,
		points: points.reports.length
	};
}
const addVerify = (program, desk) => {
	program.command("verify").description("Recompute every number of a pack from its raw files, and check its checksums.").argument("<pack>", "the folder that a run wrote").addHelpText("after", example("capacity-gate verify inference-capacity-pack")).action(async (folder) => {
		const verification = await verifyPack(await openPack(folder));
		const isWhole = verification.discrepancies.length === 0;
		const text = verifyText(verification, folder);
		desk.finish({
			exitCode: isWhole ? EXIT.ok : EXIT.invalid,
			text,
			json: verification
		});
	});
};
function verifyText({ discrepancies, files, points }, folder) {
	const lines = discrepancies.map(({ code, path, text }) => `${plainText(path, 500)}: ${plainText(text, 500)} [${code}]`);
	const checked = `${files} files, ${points} points judged again`;
	const said = lines.length === 0 ? "every number follows from the raw files" : `${lines.length} things do not follow from the raw files`;
	return [...lines, `${plainText(folder, 500)}: ${checked}: ${said}`].join("\n");
}
const COMMANDS = [
	addRun,
	addLint,
	addSchedule,
	addReplay,
	addAnalyze,
	addGate,
	addReport,
	addVerify,
	addPromote,
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
		const failure = failureOf(error, namedCommand(program, inputs.argv));
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
	stderr.write(failureText(failureOf(error), inputs.argv.includes("--debug")));
	process.exit(EXIT.failed);
});
process.exitCode = await runCli(inputs, standardOutput(process.stdout));
export {};
