import { styleText } from "node:util";
import { createInterface } from "node:readline";
import { $a as PLAIN_CONNECTION, $i as gzipSame, $n as NOTHING_STANDS_OUT, A as SseReader, Aa as recordSha256, An as parseDecimal, At as uniqueTokens, B as readReset, Ba as int, Bn as quoted, Br as importedReason, C as composeCalibration, Cr as milliRps$1, D as wrapped, Da as parseCapacityRecord, Dr as rps, Dt as pointNeed, E as painter, Er as plural, Et as neededEventsPerSecond, F as dockerProgram, Fi as nearest$1, Fn as quoteCell, G as isPortFree, Gi as showNumber, Ha as looseObject, I as lastLine, In as msText, K as exitCodeOf, Kt as gate, L as isHtml, Ln as nsAsMsText, M as headFailure, Mn as NOTHING_MEASURED, N as systemClock, Na as sha256Hex, Ni as require_dist, Nn as REQUESTS_CSV_COLUMNS, Nr as promotionObstacles, O as openTrace, Ot as DEFAULT_TOKEN_RANGE, P as systemMachine, Q as requirePackOfReplays, Qa as engineOrigin, Qr as table, R as readHealth, Rn as tpotNs, Rt as ceilingOf, S as enginePorts, Si as isHandedOn, Sn as typedCommand, St as PLAIN_NEED, T as harmless, Ta as systemErrorCode, Tn as readRequestsCsv, Tr as plainNumber, U as portTaken, V as readVersion, Vn as refusal$3, W as portListeners, Wn as renderReportMarkdown, Xa as httpCaller, Xi as milliRps, Xr as columns, Yr as renderFailureTest, Za as printableLine, Zi as openPack, _ as composeEffects, _i as dialectFor, _n as textAt, _r as plainText, ai as readPackText, bi as OPENAI, c as planDrifts, ci as pointName, dr as changesOf, ea as INPUT_LIMITS, en as writeChecksums, eo as readEngineConnection, er as figureText, fr as changesText, gi as DIALECT_IDS, gr as plainInk, ha as _usingCtx, hi as DIALECTS, ir as explain, j as isObject$1, jn as parseInteger, jr as pointOutcome, k as AnswerStream, kn as refusalStatus, n as capacityText, na as streamInput, ni as pathsOf, nn as reportPage, no as EXIT, nr as restText, pi as MOST_REQUESTS, pn as parsePrometheus, ra as writeOutput, ro as GateError, rr as comparedSides, rt as largestRemainder, s as parseOpenDrifts, si as pointEpoch, t as readPackReport, ta as readInputText, ti as packJson, tr as lossText, ui as readManifest, v as folderSources, vi as dialectNamed, w as composeCalibrator, wa as fileError, wi as gateId, wr as percent$1, wt as calibrationNeed, x as TOOL_VERSION, xn as renderText, xt as isFit, y as manifestSources, yn as changeText, z as readModels, zn as guardFormula } from "./chunk-0-read-pack.js";
import { B as verdictBeside, C as driftPlanText, Ct as acceptedFacts, D as dayBefore, Dt as requireAcceptedLosses, E as compactBefore, Et as recordAcceptedFacts, F as readRecordFile, G as CommanderError, H as failureText, I as readRunRecord, K as InvalidArgumentError, L as readScheduleFile, M as renderTrendPage, Mt as openStore, N as readAcceptedFile, O as pointsOfRun, P as readManifestFile, Q as verifyPack, R as requireFolder, S as driftPlanJson, St as sloReportJson, T as addToHistory, Tt as lintAcceptedLosses, U as Command, V as failureOf$2, W as Option, Y as promote, Z as lint, _ as clonedRepository, _t as judgeWritten, a as NO_POLICY, at as isUpAlready, b as drawPage, c as requirementsOf, ct as neededMilliRps, dt as schedulesOf, et as openEngineLog, f as signOffText, ft as readSources, g as estimateRun, gt as buildSchedule, h as estimateText, ht as MOST_TOKENS, i as removeEarlierSignOff, it as machineLook, j as openHistory, jt as unusedFolder, k as readTrends, kt as isPack, l as usage, lt as buildSchedules, mt as TRACE_FORMATS, n as makeSignOff, nt as measurePoint, o as POLICY_PATH, ot as machineFindings, pt as TraceReader, q as run, r as readAndCheck, rt as capacityRecord, s as readPolicyFile, st as calibrate, t as interruptible, tt as factsOf$1, ut as freezeSchedules, vt as writeMeasured, x as faultsText, xt as scheduleBlocks, y as readHistoryRun, yt as analyzeManifest, z as today } from "./chunk-0-interruptible.js";
import { n as standingLocks, t as cleanUp } from "./chunk-0-clean-up.js";
import { basename, delimiter, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { constants } from "node:fs";
import { access, lstat, readFile, readdir, realpath, stat } from "node:fs/promises";
import { availableParallelism, cpus, hostname, userInfo } from "node:os";
import { t as NEEDED } from "./chunk-0-needed-node.js";
const LINE_MAX$1 = 500;
function terminalQuestions(input, output) {
	const terminal = createInterface({
		input,
		output,
		terminal: true,
		historySize: 0
	});
	const early = [];
	let taking = null;
	let isOver = false;
	terminal.on("line", (line) => {
		if (taking === null) early.push(line);
		else taking.resolve(line);
		taking = null;
	});
	terminal.on("close", () => {
		isOver = true;
		if (taking !== null) output.write("\n");
		taking?.reject(ended());
		taking = null;
	});
	terminal.on("SIGINT", () => terminal.close());
	const nextLine = (prompt) => {
		terminal.setPrompt(prompt);
		terminal.prompt();
		const line = early.shift();
		if (line !== void 0) return Promise.resolve(line);
		if (isOver) return Promise.reject(ended());
		return new Promise((resolve, reject) => taking = {
			resolve,
			reject
		});
	};
	return {
		async ask({ text, usual, refusal }) {
			const prompt = `${plainText(text, LINE_MAX$1)}${usual === null ? "" : ` [${plainText(usual, LINE_MAX$1)}]`}: `;
			for (;;) {
				const line = (await nextLine(prompt)).trim();
				const answer = line === "" ? usual : line;
				const why = answer === null ? "there is no usual answer to this one" : await refusal(answer);
				if (answer !== null && why === null) return answer;
				output.write(`  ${plainText(why ?? "", LINE_MAX$1)}\n`);
			}
		},
		[Symbol.dispose]() {
			terminal.close();
		}
	};
}
function ended() {
	return new GateError({
		code: "interrupted",
		message: "the questions were left: nothing was written",
		hint: "run it again, or give the answers by flags",
		exitCode: EXIT.sigint
	});
}
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
			isDocument: true,
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
	const need = needOf(manifest, rate === void 0 ? null : milliRps(rate));
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
		milliRps: asked ?? milliRps(PLAIN_RPS)
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
const addClean = (program, desk) => {
	program.command("clean").description("Remove what killed runs left on this machine: engines, containers, locks, temporary files.").addHelpText("after", example("capacity-gate clean")).action(async () => {
		const removed = [];
		for await (const line of cleanUp(desk.inputs)) removed.push(line);
		const text = removed.length === 0 ? "nothing was left" : removed.map((line) => plainText(line, 1e3)).join("\n");
		desk.finish({
			exitCode: EXIT.ok,
			text,
			json: { removed }
		});
	});
};
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
const USUAL_PORT = 8e3;
const CLOCK_SOURCE = "devices/system/clocksource/clocksource0/current_clocksource";
function systemClientHost(proc = "/proc", sys = "/sys", usualPort = USUAL_PORT) {
	return { async look() {
		const clock = (await text$1(`${sys}/${CLOCK_SOURCE}`))?.trim() ?? "";
		const processors = cpus().length;
		return {
			node: process.versions.node,
			cpus: availableParallelism(),
			logicalCpus: Math.max(processors, availableParallelism()),
			descriptors: await descriptorsOf(proc),
			clockSource: /^[\w-]{1,40}$/.test(clock) ? clock : null,
			localPorts: await localPorts$1(proc),
			usualPort: {
				port: usualPort,
				taken: await holderOf(usualPort)
			}
		};
	} };
}
function text$1(path) {
	return readFile(path, "utf8").catch(() => null);
}
async function descriptorsOf(proc) {
	const soft = /^Max open files\s+(\d+|unlimited)/m.exec(await text$1(`${proc}/self/limits`) ?? "")?.[1];
	const open = await readdir(`${proc}/self/fd`).catch(() => null);
	if (soft === void 0 || open === null) return null;
	return {
		limit: soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft),
		open: open.length
	};
}
async function localPorts$1(proc) {
	const range = /^(\d+)\s+(\d+)$/.exec((await text$1(`${proc}/sys/net/ipv4/ip_local_port_range`) ?? "").trim());
	if (range === null) return null;
	return Math.max(0, Number(range[2]) - Number(range[1]) + 1);
}
async function holderOf(port) {
	if (await isPortFree(port)) return null;
	const pid = (await portListeners(port).catch(() => null))?.flat()[0];
	return pid === void 0 ? "by a process that this user may not see" : `by process ${pid}`;
}
async function doctor(sections, signal) {
	const reports = [];
	for (const section of sections) reports.push(await section.examine(signal));
	return {
		usable: reports.every(({ findings }) => findings.every(({ required, state }) => !required || state === "pass")),
		sections: reports
	};
}
const OWN_DESCRIPTORS = 64;
const USUAL_DESCRIPTORS = 1024;
const FAST_CLOCKS = new Set([
	"tsc",
	"kvm-clock",
	"arch_sys_counter",
	"xen",
	"hyperv_clocksource_tsc_page",
	"timebase",
	"tod"
]);
const US_AN_EVENT = 25;
const TRUSTED_SHARE = .5;
function clientFindings(facts, load, neededNode) {
	return [
		{
			probe: "node",
			state: "pass",
			text: `Node ${facts.node}; ${neededNode} or newer is needed`,
			mend: null
		},
		cores(facts, load),
		descriptors(facts, load),
		localPorts(facts, load),
		clock(facts),
		...load === null ? [usualPort(facts)] : []
	];
}
function cores({ cpus, logicalCpus }, load) {
	const shared = {
		probe: "cores",
		value: cpus,
		unit: "CPUs"
	};
	const own = cpus === logicalCpus ? `${cpus} CPUs` : `${cpus} of ${logicalCpus} CPUs`;
	if (cpus < 2) {
		const text = `${own}: client and engine take turns`;
		return {
			...shared,
			state: "warn",
			text,
			mend: "give the job two CPUs or more beside those of the engine"
		};
	}
	if (load === null) return {
		...shared,
		state: "pass",
		text: own,
		mend: null
	};
	const { rps, eventsPerSecond, ceiling } = load;
	const most = ceiling ?? 1e6 / US_AN_EVENT;
	const percent = Math.ceil(100 * eventsPerSecond / most);
	const text = `${own}; ${rps} requests/s are ${Math.round(eventsPerSecond)} events/s, ${percent} % of what its main loop carries (${ceiling === null ? `by ${US_AN_EVENT} µs an event; calibrate measures it` : "by its calibration"})`;
	if (eventsPerSecond <= most * TRUSTED_SHARE) return {
		...shared,
		state: "pass",
		text,
		mend: null
	};
	const mend = "lower the rates or the classes’ output_tokens, or measure on a machine with faster cores";
	return {
		...shared,
		state: ceiling === null ? "warn" : "fail",
		text,
		mend
	};
}
function descriptors({ descriptors: seen }, load) {
	const probe = "descriptors";
	if (seen === null) return {
		probe,
		state: "unknown",
		text: "the limit of open files cannot be read",
		mend: null
	};
	const needed = load === null ? USUAL_DESCRIPTORS : load.inFlight + seen.open + OWN_DESCRIPTORS;
	const shared = {
		probe,
		value: seen.limit,
		limit: needed,
		unit: "descriptors"
	};
	const why = load === null ? "" : `: up to ${load.inFlight} requests in flight at ${load.rps}/s, a connection each`;
	if (seen.limit >= needed) return {
		...shared,
		state: "pass",
		text: `${shown$2(seen.limit)} may be open${why}`,
		mend: null
	};
	const text = `${seen.limit} may be open, and ${needed} are needed${why}`;
	const mend = "raise it: `ulimit -n 65536`, or LimitNOFILE=65536 of the runner’s service";
	return {
		...shared,
		state: load === null ? "warn" : "fail",
		text,
		mend
	};
}
function shown$2(limit) {
	return Number.isFinite(limit) ? String(limit) : "any number";
}
function localPorts({ localPorts: seen }, load) {
	const probe = "local_ports";
	if (seen === null) return {
		probe,
		state: "unknown",
		text: "the range of local ports cannot be read",
		mend: null
	};
	const shared = {
		probe,
		value: seen,
		unit: "ports"
	};
	if (load === null || seen >= load.inFlight) return {
		...shared,
		state: "pass",
		text: `${seen} for its connections`,
		mend: null
	};
	const text = `${seen} for its connections, and up to ${load.inFlight} requests are in flight at ${load.rps}/s`;
	const mend = "widen it: `sysctl net.ipv4.ip_local_port_range=\"1024 65535\"`";
	return {
		...shared,
		limit: load.inFlight,
		state: "fail",
		text,
		mend
	};
}
function clock({ clockSource }) {
	const probe = "clock";
	if (clockSource === null) return {
		probe,
		state: "unknown",
		text: "what the kernel reads the time from is not told",
		mend: null
	};
	if (FAST_CLOCKS.has(clockSource)) return {
		probe,
		state: "pass",
		text: `the kernel reads ${clockSource}`,
		mend: null
	};
	return {
		probe,
		state: "warn",
		text: `the kernel reads ${clockSource}, which takes it microseconds a time, or is coarse`,
		mend: "see why it left tsc (`dmesg | grep -i clocksource`); in a virtual machine choose the host’s own clock"
	};
}
function usualPort({ usualPort: { port, taken } }) {
	const probe = "port";
	if (taken === null) return {
		probe,
		state: "pass",
		text: `port ${port}, where an engine is started by default, is free`,
		mend: null
	};
	return {
		probe,
		state: "warn",
		text: `port ${port}, where an engine is started by default, is taken ${taken}`,
		mend: "stop what listens there, or set engine.deploy.first_port in the manifest"
	};
}
function clientSection(order) {
	return { examine: () => examine$3(order) };
}
async function examine$3({ host, calibrator, manifest, neededNode }) {
	const facts = await host.look();
	const load = manifest === null ? null : await loadOf$1(manifest, calibrator);
	const findings = clientFindings(facts, load, neededNode);
	return {
		title: "the client",
		summary: manifest !== null && load === null ? ["the manifest states no rate: what a rate needs is not known"] : [],
		findings: findings.map(asDoctorFinding$1),
		facts: {
			client: facts,
			load
		}
	};
}
async function loadOf$1(manifest, calibrator) {
	const milliRps = neededMilliRps(manifest, null, null);
	if (milliRps === null) return null;
	const need = calibrationNeed(manifest, milliRps);
	const kept = await calibrator.kept(need);
	return {
		rps: milliRps / 1e3,
		eventsPerSecond: neededEventsPerSecond(need),
		inFlight: Math.max(mostInFlight(manifest, milliRps), ...manifest.sweep?.saturation_concurrency ?? []),
		ceiling: kept === null ? null : ceilingOf(kept).eventsPerSecond
	};
}
function mostInFlight({ workload }, milliRps) {
	const meanMs = workload.reduce((sum, shape) => {
		const { request_ttft_cutoff_ms: ttftMs, request_tpot_cutoff_ms: tpotMs, output_tokens: tokens } = shape;
		return sum + shape.mix * Math.min(ttftMs + tpotMs * tokens, shape.request_e2e_cutoff_ms ?? 1e400);
	}, 0);
	return Math.ceil(milliRps / 1e3 * (meanMs / 1e3));
}
const COSTS$1 = {
	cores: "the client may be late: its calibration, which a run begins with, refuses what it cannot measure",
	descriptors: "connections fail, and the points they fail in are invalid",
	local_ports: "connections fail, and the points they fail in are invalid",
	clock: "each of the client’s times is less exact: its calibration tells by how much",
	port: "a run that starts an engine there ends before it does"
};
function asDoctorFinding$1({ probe, state, text, mend }) {
	return {
		probe: `client.${probe}`,
		state: state === "warn" ? "fail" : state,
		required: state === "fail",
		text,
		cost: state === "pass" ? null : COSTS$1[probe] ?? null,
		mend: state === "pass" ? null : mend
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
		findings.push(found(dialect, "generation.exact_length", lengthOf(dialect, outputTokens, exactTokens)), found(dialect, "generation.usage", usageOf(outputTokens)), found(dialect, "generation.continuous_usage", continuousOf(dialect, streams)), found(dialect, "generation.token_ids", idsOf(dialect, streams)));
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
function idsOf({ request }, { answer }) {
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
async function examine$1({ machine, locks, manifest, engineIsUp }, signal) {
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
	const seen = await locks();
	return {
		title: "this machine",
		summary: order.withGpus ? [] : ["the manifest declares no GPU: only the host is looked at"],
		findings: [...findings.map((finding) => asDoctorFinding(finding, asksForHost)), ...lockFindings(seen)],
		facts: {
			state,
			locks: seen
		}
	};
}
function lockFindings(locks) {
	const finding = {
		probe: LOCKS_PROBE,
		required: false
	};
	if (locks.length === 0) return [{
		...finding,
		state: "pass",
		text: "no run holds anything of it",
		cost: null,
		mend: null
	}];
	return locks.map(({ name, path, state, holder }) => ({
		...finding,
		...LOCKS[state](name, holder, path)
	}));
}
const LOCKS_PROBE = "machine.locks";
const REFUSED = "a run that needs it is refused, or waits as long as lock-wait-minutes says";
const LOCKS = {
	held: (name, holder) => ({
		state: "fail",
		text: `${name} is held by ${holder}`,
		cost: REFUSED,
		mend: "Wait for that run to end, or stop it."
	}),
	left: (name, holder) => ({
		state: "fail",
		text: `${name} was left by ${holder}, which has ended`,
		cost: "nothing: the next run takes it over",
		mend: "Remove it by `clean`."
	}),
	elsewhere: (name, holder, path) => ({
		state: "unknown",
		text: `${name} is held by ${holder}, on another host or in another container: whether it lives cannot be seen from here`,
		cost: REFUSED,
		mend: `If it is certainly gone, delete ${path}.`
	})
};
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
function unprovenBy(dialect) {
	const { sources } = dialect.metrics ?? { sources: null };
	const found = [];
	if (dialect.version.length === 0) found.push({
		group: "identity",
		what: "version"
	});
	if (!sources?.generationTokens && !sources?.promptTokens) found.push({
		group: "stability",
		what: "token counter"
	});
	if (dialect.answer.cachedTokens === null && !(sources?.promptTokensCached ?? sources?.prefixHits)) found.push({
		group: "cache_hit",
		what: "cached tokens"
	});
	return found;
}
function manifestSection(order) {
	return { examine: (signal) => examine(order, signal) };
}
function brokenManifestSection(file, lint) {
	const findings = ruleFindings(lint);
	return { examine: async () => ({
		title: `manifest ${file}`,
		summary: [],
		findings,
		facts: {
			dialect: null,
			lint
		}
	}) };
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
const SHOWN = {
	version: ["endpoint.version", "its version"],
	"token counter": ["metrics.restarts", "a counter of tokens"],
	"cached tokens": ["cache.cached_tokens", "cached tokens"]
};
function proofFindings(dialect, { acceptance, engine }) {
	const requires = (group) => acceptance.required_evidence.some((name) => name === group);
	const without = `${dialect.title} is not known to show`;
	const lacks = unprovenBy(dialect).map(({ group, what }) => {
		const [probe, shown] = SHOWN[what];
		return [
			probe,
			requires(group),
			`${without} ${shown}`
		];
	});
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
	const read = path === void 0 ? null : await readLeniently(path);
	const manifest = read?.manifest ?? null;
	const urls = options.endpoint === void 0 ? statedUrls(manifest) : [options.endpoint];
	const isBroken = read !== null && manifest === null;
	if (urls.length === 0 && !isBroken && (options.dialect !== void 0 || options.keepCache)) throw needsEndpoint();
	const connection = read === null || manifest === null ? PLAIN_CONNECTION : await readEngineConnection(manifest, {
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
				const [dialect, keepsCache] = [chosen(options, manifest), options.keepCache === true];
				return endpointSection({
					probe,
					url,
					dialect,
					model,
					keepsCache
				});
			});
			const machine = _usingCtx$5.a(systemMachine({
				clock: systemClock(),
				diskPath: inputs.cwd
			}));
			const isMachineAsked = options.machine === true || options.endpoint === void 0;
			const engineIsUp = options.endpoint !== void 0 || manifest !== null && isUpAlready(manifest);
			const needs = read !== null && (isBroken || options.endpoint === void 0) ? [needsOf(read, inputs)] : [];
			const here = isMachineAsked ? [clientOf(manifest), machineSection({
				machine,
				locks: standingLocks,
				manifest,
				engineIsUp
			})] : [];
			const diagnosis = await doctor([
				...needs,
				...sections,
				...here
			], signal);
			const unusable = isBroken ? EXIT.invalid : EXIT.inconclusive;
			finish({
				exitCode: diagnosis.usable ? EXIT.ok : unusable,
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
async function readLeniently(path) {
	const text = await readInputText({
		what: "the manifest",
		path,
		maximumBytes: INPUT_LIMITS.manifest
	});
	const { manifest, findings } = readManifest(text, { level: "valid" });
	return {
		path,
		text,
		manifest,
		findings
	};
}
function clientOf(manifest) {
	const { major, minor } = NEEDED;
	return clientSection({
		host: systemClientHost(),
		calibrator: composeCalibrator(systemClock()),
		manifest,
		neededNode: `${major}.${minor}`
	});
}
function statedUrls(manifest) {
	const deploy = manifest?.engine.deploy;
	return deploy?.kind === "endpoint" ? deploy.urls : [];
}
function needsOf({ path, manifest, text, findings }, { env }) {
	if (manifest === null) return brokenManifestSection(path, findings);
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
const LINE_MAX = 500;
function diagnosisText({ usable, sections }) {
	return [usable ? "USABLE: everything that is required answers" : "NOT USABLE: something that is required is missing", ...sections.flatMap(sectionLines)].join("\n");
}
function sectionLines({ title, summary, findings }) {
	const lines = summary.map((line) => `  ${plainText(line, LINE_MAX)}`);
	return [
		plainText(title, LINE_MAX),
		...lines,
		...findings.flatMap(findingLines)
	];
}
function findingLines({ probe, state, required, text, cost, mend }) {
	const lines = [`  ${state}${state === "pass" || !required ? "" : " (required)"}: ${probe}: ${plainText(text, LINE_MAX)}`];
	if (cost !== null) lines.push(`    so ${plainText(cost, LINE_MAX)}`);
	if (mend !== null) lines.push(`    mend: ${plainText(mend, LINE_MAX)}`);
	return lines;
}
function baselineOption() {
	return new Option("--baseline <ref>", "where the accepted records are: branch:NAME, dir:PATH or file:PATH");
}
function cacheOption() {
	return new Option("--cache <states>", "which cache states").default(["cold", "warm"], "cold,warm").argParser(cacheStates);
}
function subjectOption() {
	return new Option("--subject <file>", "YAML that overrides subject fields of the manifest");
}
function priceOption() {
	return new Option("--price-per-gpu-hour <x>", "what a GPU costs an hour, in any currency").argParser(positiveNumber);
}
const addEstimate = (program, desk) => {
	program.command("estimate").description("Points, time, GPU-minutes and cost of what a manifest asks, before a machine is claimed for it.").argument("<manifest>", "the workload-manifest.yaml").addOption(new Option("--plan <plan>", "only this plan").choices(["confirm", "sweep"])).addOption(baselineOption()).addOption(cacheOption()).addOption(subjectOption()).addOption(priceOption()).addHelpText("after", example("capacity-gate estimate workload-manifest.yaml --price-per-gpu-hour 2.5")).action((path, options) => estimateCommand(desk, path, options));
};
async function estimateCommand({ inputs, note, finish }, path, options) {
	const { manifest } = await readManifestFile(path, "deployable", options.subject);
	const store = options.baseline === void 0 ? null : await openStore(options.baseline, clonedRepository(inputs));
	const estimate = await estimateRun(store, {
		manifest,
		caches: options.cache,
		plans: options.plan === void 0 ? ["confirm", "sweep"] : [options.plan],
		pricePerGpuHour: options.pricePerGpuHour ?? null
	});
	if (store !== null && !estimate.hasBaseline) note(`note: ${plainText(store.location, 500)} holds no accepted baseline of the gate ${plainText(gateId(manifest))}`);
	finish({
		exitCode: EXIT.ok,
		text: estimateText(estimate),
		json: estimate
	});
}
function compare(request) {
	const read = (source) => source && parseCapacityRecord(source.text, source.file);
	const candidate = parseCapacityRecord(request.candidate.text, request.candidate.file);
	const baseline = read(request.baseline);
	const anchor = read(request.anchor);
	const { onMissingBaseline, onHostChange, acceptedLosses: text } = request;
	const acceptedLosses = text === null ? [] : requireAcceptedLosses(text, recordAcceptedFacts(candidate, text.asOf)).losses;
	return {
		verdict: gate({
			candidate,
			baseline,
			anchor,
			onMissingBaseline,
			onHostChange,
			acceptedLosses
		}),
		candidate,
		baseline,
		anchor
	};
}
async function explainPack({ pack, baseline }) {
	const candidate = {
		file: "capacity.json",
		text: await readPackText(pack, "capacity.json")
	};
	const compared = compare({
		candidate,
		baseline: baseline ?? await ownBaseline(pack),
		anchor: null,
		onMissingBaseline: "fail",
		acceptedLosses: null,
		onHostChange: "accept"
	});
	const record = parseCapacityRecord(candidate.text);
	const { reasons, states } = compared.verdict;
	return { states: states.map((state) => {
		const sides = comparedSides(state, record, compared.baseline);
		const why = [
			...reasons,
			...state.reasons,
			...state.notes
		].map(({ text }) => text);
		if (sides === null) return {
			cache: state.cache,
			explanation: null,
			changes: null,
			why
		};
		return {
			cache: state.cache,
			explanation: explain(sides),
			changes: changesOf(sides),
			why: []
		};
	}) };
}
async function ownBaseline(pack) {
	if (await pack.read("baseline.json") === null) throw new GateError({
		code: "explain_no_baseline",
		message: "the pack was compared with no baseline",
		hint: "name one: --baseline PACK, or a capacity.json",
		exitCode: EXIT.invalid
	});
	return {
		file: "baseline.json",
		text: await readPackText(pack, "baseline.json")
	};
}
function explanationText({ cache, explanation, changes, why }) {
	if (explanation === null) return [`${cache}: no two points at one rate to compare`, ...why.map((text) => `  ${plainText(text, 300)}`)].join("\n");
	const { parts, causes } = explanation;
	const lacking = parts.length === 0 || changes === null ? "" : changesText(changes).lacking;
	return [
		`${cache}: ${lossText(explanation, plainInk)}`,
		...parts.length > 0 && causes.length === 0 ? [`  ${NOTHING_STANDS_OUT}`] : [],
		...causes.flatMap((cause, index) => [`  ${index + 1}. ${plainText(cause.title)}: ${percent$1(cause.share)} % of the loss (${cause.basis})`, ...cause.figures.map((figure) => `       ${plainText(figureText(figure))}`)]),
		...[restText(explanation), lacking].flatMap((text) => text === "" ? [] : [`  ${text}`])
	].join("\n");
}
const addExplain = (program, desk) => {
	program.command("explain").description("Say why a run carries less than its baseline: the causes by how much of the loss they account for.").argument("<pack>", "the folder that the run wrote").option("--baseline <pack or file>", "another pack, or a capacity.json (default: the one that the run was compared with)").addHelpText("after", example("capacity-gate explain inference-capacity-pack --baseline accepted/capacity.json")).action(async (folder, { baseline }) => {
		const named = baseline === void 0 ? null : await readRunRecord("the baseline", baseline);
		const explained = await explainPack({
			pack: await openPack(folder),
			baseline: named
		});
		const text = explained.states.map(explanationText);
		desk.finish({
			exitCode: EXIT.ok,
			text: text.join("\n"),
			json: explained
		});
	});
};
const addGate = (program, desk) => {
	program.command("gate").description("Compare two capacity records offline: the verdict on standard output, its exit code as the verdict says.").requiredOption("--candidate <file>", "the capacity.json of the run that is judged").requiredOption("--baseline <file>", "the capacity.json that was accepted").option("--anchor <file>", "the capacity.json of the last release").addOption(acceptedOption()).addOption(onHostChangeOption()).addOption(onInconclusiveOption()).addHelpText("after", example("capacity-gate gate --candidate pack/capacity.json --baseline accepted/capacity.json")).action(async (options) => {
		const candidate = await readRecordFile("the candidate", options.candidate);
		const baseline = await readRecordFile("the baseline", options.baseline);
		const anchor = options.anchor === void 0 ? null : await readRecordFile("the anchor", options.anchor);
		const read = await readAcceptedFile(options.accepted);
		const acceptedLosses = read === null ? null : {
			...read,
			asOf: today()
		};
		const { onHostChange, onInconclusive } = options;
		const compared = compare({
			candidate,
			baseline,
			anchor,
			onMissingBaseline: "fail",
			onHostChange,
			acceptedLosses
		});
		const folder = dirname(options.candidate);
		const packPath = await isPack(folder) ? { packPath: folder } : {};
		const context = {
			toolVersion: TOOL_VERSION,
			...packPath
		};
		const paint = painter(desk.inputs.paper?.hasColor ?? false);
		desk.finish(verdictResult(compared, onInconclusive, context, {
			paint,
			baselineFile: options.baseline
		}));
	});
};
function acceptedOption() {
	return new Option("--accepted <file>", "the losses that were accepted, as .capacity-gate/accepted.yaml holds them");
}
function onInconclusiveOption() {
	return new Option("--on-inconclusive <what>", "how an inconclusive verdict ends: exit code 3, or 0 with warn").choices(["fail", "warn"]).default("fail");
}
function onHostChangeOption() {
	return new Option("--on-host-change <what>", "on another machine than the baseline’s: measure its revision here first, compare all the same, or be inconclusive").choices([
		"remeasure",
		"accept",
		"fail"
	]).default("remeasure");
}
function verdictResult(compared, onInconclusive, context, options) {
	const { verdict, candidate: record, baseline, anchor } = compared;
	return {
		exitCode: exitCodeOf(verdict, onInconclusive),
		text: renderText({
			verdict,
			record,
			baseline,
			anchor,
			context
		}, options),
		json: verdict
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
		throw usage(`${output.name} would replace ${name === "--out" ? "what --out writes" : name}`, "name another file");
	}
}
const addHistory = (program, desk) => {
	const history = program.command("history").description("Keep the capacity of every night: add runs, draw their trend, find changes, plan an issue a drift.").helpCommand(false).addHelpText("after", example("capacity-gate history add inference-capacity-pack --to branch:capacity-history"));
	defineAdd(history, desk);
	defineCompact(history, desk);
	definePage(history, desk);
	defineDrift(history, desk);
};
const REF = "where the history is kept: branch:NAME[:FOLDER] of the clone’s origin, or dir:PATH";
function historyAt(desk, ref) {
	return openHistory(ref, clonedRepository(desk.inputs), { drawPage });
}
async function standingHistory(desk, ref) {
	const store = await historyAt(desk, ref);
	if (await store.read() !== "") return store;
	throw new GateError({
		code: "history_missing",
		message: `there is no history at ${store.location}`,
		hint: "check the place; `history add` begins one",
		exitCode: EXIT.usage
	});
}
function defineAdd(history, desk) {
	history.command("add").description("Add a run to a history, a point a cache state; a run that is in it already is left out.").argument("<run>", "the folder that a run wrote, or its capacity.json").requiredOption("--to <ref>", `${REF}; made where it is missing`).option("--series <name>", "whose trend it belongs to: one for each cell of a matrix (default: as the pack has it, or the gate’s id)").option("--run-url <url>", "the workflow run’s page (default: as the pack has it)").addHelpText("after", example("capacity-gate history add inference-capacity-pack --to branch:capacity-history")).action(async (path, { to, series, runUrl }) => {
		const run = await readHistoryRun(path);
		const facts = {
			series: series ?? run.series,
			runUrl: runUrl ?? run.runUrl
		};
		const points = pointsOfRun({
			...run,
			...facts
		}, systemClock().wallTime());
		const added = await addToHistory(await historyAt(desk, to), points);
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
	history.command("compact").description("Put the runs of each day that is older together: its median, with how many it stands for.").argument("<ref>", REF).requiredOption("--older-than <days>", "days that keep every run", wholeNumberOrZero).addHelpText("after", example("capacity-gate history compact branch:capacity-history --older-than 90")).action(async (ref, { olderThan }) => {
		const keepFrom = dayBefore(systemClock().wallTime(), olderThan);
		const compacted = await compactBefore(await standingHistory(desk, ref), keepFrom);
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
	history.command("page").description("Draw the trends with their changes as one HTML file that loads nothing and runs no script.").argument("<ref>", REF).requiredOption("--out <file>", "the HTML file").addHelpText("after", example("capacity-gate history page branch:capacity-history --out trend.html")).action(async (ref, { out }) => {
		const store = await standingHistory(desk, ref);
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
	history.command("drift").description("Say which falls stand, and which issue is to be opened, updated or closed; nothing is sent anywhere.").argument("<ref>", REF).addOption(new Option("--format <format>", "text for people, or JSON with the issues’ Markdown").choices(["text", "json"]).default("text")).option("--open <file>", "the drift issues that are open: a JSON list of {key, facts}, as in their markers").addOption(new Option("--on-drift <what>", "how a fall that stands ends: exit code 2, or 0 with warn").choices(["fail", "warn"]).default("fail")).addHelpText("after", example("capacity-gate history drift branch:capacity-history --format json > drift.json")).action(async (ref, { format, open, onDrift }) => {
		const { trends, faults } = await readTrends(await standingHistory(desk, ref));
		noteFaults(desk, faults);
		const plan = planDrifts(trends, open === void 0 ? [] : await readOpenDrifts(open));
		const json = driftPlanJson(plan);
		const isDrifting = trends.some(({ drift }) => drift.state === "drifting");
		desk.finish({
			exitCode: isDrifting && onDrift === "fail" ? EXIT.regressed : EXIT.ok,
			text: format === "json" ? JSON.stringify(json, null, 2) : driftPlanText(plan),
			...format === "json" ? { isDocument: true } : {},
			json
		});
	});
}
async function readOpenDrifts(path) {
	const text = await readInputText({
		what: "the list of open issues",
		path,
		maximumBytes: INPUT_LIMITS.manifest
	});
	return parseOpenDrifts(text, path);
}
function noteFaults(desk, faults) {
	if (faults.length > 0) desk.note(`note: ${faultsText(faults)} passed over`);
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
const REQUIRED$1 = [
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
	const missing = REQUIRED$1.filter((name) => !source.has(name));
	if (missing.length > 0) {
		const what = `holds no ${missing.join(", ")}: requests are not in it one by one`;
		throw source.refuse("import_not_detailed", what, IMPORT_FILES[tool].howTo);
	}
	const arrays = new Map();
	for (const name of [...REQUIRED$1, ...OPTIONAL]) {
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
	program.command("import").description("Turn another load generator’s file of requests into requests.csv; what it lacks stays empty.").argument("<file>", "the file that the tool wrote").addOption(new Option("--from <tool>", "which tool wrote it").choices(IMPORT_TOOLS).makeOptionMandatory()).requiredOption("--manifest <file>", "the workload-manifest.yaml whose workload was run").requiredOption("--out <csv>", "where requests.csv goes").option("--class <name>", "every request is of this class").addOption(new Option("--class-by <what>", "or: each is of the class whose lengths it has").choices(["lengths"])).option("--length-tolerance <share>", "how far an input length may lie from its class’s", share$2, 0).option("--run <n>", "which run or benchmark, where the file holds several", wholeNumber).option("--capacity <file>", "write a capacity record of the point as well, for gate").addOption(new Option("--cache <state>", "its cache state").choices(["cold", "warm"])).option("--rate <r>", "its offered rate, requests a second", positiveNumber).option("--concurrency <n>", "or its requests in flight", wholeNumber).option("--duration-seconds <s>", "its length with the drain, where the file does not tell it").addHelpText("after", example("capacity-gate import --from vllm bench.json --manifest workload-manifest.yaml --out requests.csv \\", "  --class-by lengths --capacity imported.json --cache cold --rate 24")).action(async (file, options) => {
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
		load: rate === void 0 ? { closedConcurrency: concurrency ?? 1 } : { openMilliRps: milliRps(rate) },
		durationSeconds: durationSeconds === void 0 ? null : parseDurationSeconds(durationSeconds)
	};
}
function share$2(text) {
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
function projectFolder(root) {
	return {
		async look(path) {
			const place = join(root, path);
			await requireInside(root, path);
			const stats = await lstat(place).catch((error) => {
				if (systemErrorCode(error) === "ENOENT") return null;
				throw fileError(error, "look at", path, EXIT.invalid);
			});
			if (stats === null) return { kind: "nothing" };
			if (stats.isSymbolicLink()) return {
				kind: "other",
				what: "a symbolic link"
			};
			if (!stats.isFile()) return {
				kind: "other",
				what: stats.isDirectory() ? "a folder" : "no regular file"
			};
			if (stats.size === 0) return {
				kind: "file",
				text: ""
			};
			return {
				kind: "file",
				text: await readInputText({
					what: "the file",
					path: place,
					maximumBytes: INPUT_LIMITS.manifest
				})
			};
		},
		async write(path, text) {
			await requireInside(root, path);
			await writeOutput(join(root, path), text);
		}
	};
}
async function repositoryRoot(folder) {
	if (await lstat(join(folder, ".git")).catch(() => null) !== null) return folder;
	return dirname(folder) === folder ? null : repositoryRoot(dirname(folder));
}
async function requireInside(root, path) {
	const [own, above] = [await realpath(root), await nearest(dirname(join(root, path)))];
	const way = relative(own, above);
	if (way !== ".." && !way.startsWith(`..${sep}`)) return;
	throw new GateError({
		code: "path_refused",
		message: `${path} leads out of this folder, to ${above}`,
		hint: "make it a folder of its own, or run this where it leads to",
		exitCode: EXIT.invalid
	});
}
async function nearest(folder) {
	try {
		return await realpath(folder);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT" && await lstat(folder).catch(() => null) === null) return nearest(dirname(folder));
		throw fileError(error, "look at", folder, EXIT.invalid);
	}
}
const OWNERS_FILES = [
	".github/CODEOWNERS",
	"CODEOWNERS",
	"docs/CODEOWNERS"
];
function ownerLines(manifestPath, ownersFile, owner) {
	const patterns = [
		`/${manifestPath}`,
		"/.capacity-gate/",
		"/.github/",
		...ownersFile.startsWith(".github/") ? [] : [`/${ownersFile}`]
	];
	const width = Math.max(...patterns.map((pattern) => pattern.length));
	return patterns.map((pattern) => `${pattern.padEnd(width)} ${owner}`);
}
const HEAD = "# Capacity gate: what is measured, and what may be accepted. A later line outranks an earlier one: keep these last.";
function withOwnerLines(before, lines) {
	const known = new Set((before ?? "").split(/\r?\n/).map(words));
	const missing = lines.filter((line) => !known.has(words(line)));
	if (missing.length === 0) return null;
	return `${before === null || before === "" ? "" : `${before.replace(/\n*$/, "\n")}\n`}${[HEAD, ...missing].join("\n")}\n`;
}
function words(line) {
	return line.trim().split(/\s+/).join(" ");
}
function isOwner(text) {
	return text.split(" ").every((one) => /^@[\w-]+(?:\/[\w.-]+)?$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(one));
}
function refusedAnswer(message, hint) {
	return new GateError({
		code: "usage",
		message,
		hint,
		exitCode: EXIT.usage
	});
}
async function init(folder, { files, owners, force }) {
	requireApart([...files.map(({ path }) => path), ...owners === null ? [] : OWNERS_FILES]);
	const steps = [];
	const inTheWay = [];
	for (const file of files) {
		const standing = await folder.look(file.path);
		if (standing.kind === "file" && standing.text === file.text) steps.push({
			...file,
			done: "unchanged"
		});
		else if (standing.kind === "nothing") steps.push({
			...file,
			done: "written"
		});
		else if (standing.kind === "file" && force) steps.push({
			...file,
			done: "replaced"
		});
		else inTheWay.push(standing.kind === "other" ? `${file.path} (${standing.what})` : file.path);
	}
	if (inTheWay.length > 0) throw exists(inTheWay, force);
	const guarded = owners === null ? null : await ownersStep(folder, owners);
	if (guarded?.step) steps.push(guarded.step);
	await writeAll(folder, steps);
	return {
		files: steps.map(({ path, done }) => ({
			path,
			done
		})),
		ownerLines: guarded?.lines ?? [],
		ownersWritten: guarded !== null && guarded.step !== null
	};
}
function requireApart(paths) {
	for (const [index, path] of paths.entries()) {
		const other = paths.slice(0, index).find((earlier) => isWithin(path, earlier) || isWithin(earlier, path));
		if (other === void 0) continue;
		throw refusedAnswer(`two files cannot be in one place: ${other} and ${path}`, "name another place by --out or --workflow");
	}
}
function isWithin(path, other) {
	return `${path}/`.toLowerCase().startsWith(`${other}/`.toLowerCase());
}
async function ownersStep(folder, { manifestPath, owner }) {
	const [usual] = OWNERS_FILES;
	let [path, before] = [usual, null];
	for (const candidate of OWNERS_FILES) {
		const standing = await folder.look(candidate);
		if (standing.kind === "nothing") continue;
		if (standing.kind === "other" && owner !== null) throw exists([`${candidate} (${standing.what})`], true);
		[path, before] = [candidate, standing.kind === "file" ? standing.text : null];
		break;
	}
	const lines = ownerLines(manifestPath, path, owner ?? "@your-org/capacity-owners");
	if (owner === null) return {
		lines,
		step: null
	};
	const text = withOwnerLines(before, lines);
	if (text === null) return {
		lines,
		step: {
			path,
			text: before ?? "",
			done: "unchanged"
		}
	};
	return {
		lines,
		step: {
			path,
			text,
			done: before === null ? "written" : "appended"
		}
	};
}
async function writeAll(folder, steps) {
	const written = [];
	for (const { path, text, done } of steps) {
		if (done === "unchanged") continue;
		try {
			await folder.write(path, text);
		} catch (error) {
			if (!(error instanceof GateError) || written.length === 0) throw error;
			const { code, message, hint, exitCode } = error;
			throw new GateError({
				code,
				message: `${message}; written before it: ${written.join(", ")}`,
				hint,
				exitCode,
				cause: error
			});
		}
		written.push(path);
	}
}
function exists(paths, force) {
	return new GateError({
		code: "files_exist",
		message: `nothing was written: there already ${paths.length === 1 ? "is" : "are"} ${paths.join(", ")}`,
		hint: force ? "remove it: only a regular file is replaced" : "name another file by --out, or replace it by --force",
		exitCode: EXIT.invalid
	});
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
	return finish$1(finish$1(value ^ 0x9e3779b9) ^ Math.imul(high ^ 0x85ebca6b, 0x9e3779b9));
}
function textKey(text) {
	let [low, high] = [0x811c9dc5, 16777619];
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		low = Math.imul(low ^ code, 16777619);
		high = Math.imul(high ^ code, 16843077);
	}
	return (finish$1(high) >>> 11) * 4294967296 + (finish$1(low) >>> 0);
}
function finish$1(value) {
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
		inputTokens: range$1(inputTokens / requests, box.inputFrom, box.inputTo, lengths.input),
		outputTokens: range$1(outputTokens / requests, box.outputFrom, box.outputTo, lengths.output)
	};
}
function range$1(mean, from, to, all) {
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
const KEY = "key";
function yamlScalar(text) {
	if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return escaped(text);
	return (0, import_dist.stringify)({ [KEY]: text }, { lineWidth: 0 }).slice(4).trim();
}
function escaped(text) {
	return JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`);
}
const REQUESTS_OF_SMALLEST_CLASS = 2100;
const PLACEHOLDER$1 = {
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
	const { ttftFloorMs, ttftMsPerInputToken, tpotMs } = PLACEHOLDER$1;
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
	const counts = Object.entries(client.class_schedule_counts).map(([name, count]) => `    ${yamlScalar(name)}: ${count}`);
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
			`  - name: ${yamlScalar(shape.name)}`,
			`    mix: ${shape.mix}`,
			`    input_tokens: ${shape.input_tokens}`,
			`    output_tokens: ${shape.output_tokens}`,
			`    request_ttft_cutoff_ms: ${shape.request_ttft_cutoff_ms} # set your own`,
			`    request_tpot_cutoff_ms: ${shape.request_tpot_cutoff_ms} # set your own`
		])
	].join("\n");
}
function patternLines(client) {
	switch (client.arrival_pattern) {
		case "gamma": return [`  gamma: { shape: ${client.gamma.shape} }`];
		case "trace": return [
			"  trace:",
			`    file: ${yamlScalar(client.trace.file)} # relative to the manifest`,
			`    sha256: ${client.trace.sha256}`,
			`    format: ${client.trace.format}`
		];
		case "constant":
		case "poisson": return [];
	}
}
const SHARES = [
	{
		name: "chat",
		mix: .7,
		count: 15400
	},
	{
		name: "long_context",
		mix: .2,
		count: 4400
	},
	{
		name: "generation",
		mix: .1,
		count: 2200
	}
];
function threeClasses(longest) {
	const part = (share, usual) => Math.min(usual, Math.floor(longest * share));
	const [chat, long, generation] = SHARES;
	const workload = [
		shape(chat, part(.5, 1024), part(.25, 128), [500, 40]),
		shape(long, part(.75, 8192), part(.125, 256), [2500, 50]),
		shape(generation, part(.25, 512), part(.5, 1024), [800, 45])
	];
	return {
		client: {
			arrival_pattern: "poisson",
			initial_scheduled_requests: SHARES.reduce((sum, { count }) => sum + count, 0),
			class_schedule_counts: Object.fromEntries(SHARES.map(({ name, count }) => [name, count])),
			request_timeout_seconds: timeoutSeconds(workload)
		},
		workload
	};
}
function shape({ name, mix }, inputTokens, outputTokens, [ttftMs, tpotMs]) {
	return {
		name,
		mix,
		input_tokens: inputTokens,
		output_tokens: outputTokens,
		request_ttft_cutoff_ms: ttftMs,
		request_tpot_cutoff_ms: tpotMs
	};
}
const ENGINE_CHOICES = DIALECTS.filter(({ id }) => id !== "fixture").map(({ id }) => id);
const DEFAULTS = {
	gpu: "h100",
	weights: "/data/hf",
	promptTokenIds: "1000,30000",
	count: "1"
};
const TEXT_MAX = 500;
function answersOf(given) {
	requireAll(given);
	for (const [name, value] of Object.entries(given)) for (const text of [value].flat()) requireLine(name, text);
	const dialect = dialectOf(given.engine ?? "");
	const deploy = deployOf(given);
	const placement = placementOf$1(given, deploy);
	const id = given.model ?? "";
	const revision = given.modelRevision ?? "";
	const usualPrecision = !(deploy.kind !== "endpoint") || isHandedOn(dialect, "model.precision") ? "bf16" : "auto";
	return {
		gateId: given.gateId ?? usualGateId(id, placement.gpus, given.gpu ?? DEFAULTS.gpu),
		dialect,
		version: given.engineVersion ?? "",
		deploy,
		model: {
			id,
			revision,
			tokenizerRevision: given.tokenizerRevision ?? revision,
			precision: given.precision ?? usualPrecision,
			maxModelLen: given.maxModelLen === void 0 ? null : whole$1("maxModelLen", given.maxModelLen, 512),
			tokenIds: range(given.promptTokenIds ?? DEFAULTS.promptTokenIds)
		},
		placement,
		gpu: placement.gpus === 0 ? null : gpuLabel(given.gpu ?? DEFAULTS.gpu),
		ratesRps: given.rates === void 0 ? null : rates(given.rates)
	};
}
function flagOf(name) {
	if (name === "words") return "the words after --";
	return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
const WAYS = "--image NAME@sha256:…, --endpoint URL, or the program after --";
const REQUIRED = [
	"engine",
	"engineVersion",
	"model",
	"modelRevision"
];
function requireAll(given) {
	const isUnsaid = given.image === void 0 && given.endpoint === void 0 && (given.words ?? []).length === 0;
	const missing = [...REQUIRED.filter((name) => given[name] === void 0).map(flagOf), ...isUnsaid ? [`how the engine is started (${WAYS})`] : []];
	if (missing.length === 0) return;
	throw refusedAnswer(`not answered: ${missing.join(", ")}`, "give them, or run it at a terminal, where it asks; see capacity-gate init --help");
}
function requireLine(name, text) {
	if (text === void 0) return;
	if (text.trim() === "") throw refusedAnswer(`${flagOf(name)} is empty`, "leave it out, or give it a value");
	if (text.length > TEXT_MAX) throw refusedAnswer(`${flagOf(name)} has more than ${TEXT_MAX} characters`, "shorten it");
	if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed()) return;
	throw refusedAnswer(`${flagOf(name)} is not one line of text: ${quoted(text)}`, "give it without line breaks and control characters");
}
function dialectOf(name) {
	const dialect = dialectNamed(name);
	if (dialect !== void 0 && ENGINE_CHOICES.includes(dialect.id)) return dialect;
	throw refusedAnswer(`--engine: ${quoted(name)} is none of ${ENGINE_CHOICES.join(", ")}`, "for another engine that speaks OpenAI’s API take openai; docs/engines.md says what else it can be told");
}
function deployOf(given) {
	const { image, endpoint, words = [], weights } = given;
	if (image !== void 0 && endpoint !== void 0) throw refusedAnswer("--image and --endpoint are two answers to one question", "give one of them");
	if (image === void 0 && weights !== void 0) throw refusedAnswer("--weights is about containers, and no --image is given", "leave it out");
	if (image !== void 0) return {
		kind: "docker",
		image,
		args: words,
		weights: weights ?? DEFAULTS.weights
	};
	if (endpoint === void 0) return {
		kind: "process",
		argv: words
	};
	if (words.length === 0) return {
		kind: "endpoint",
		urls: endpoint
	};
	throw refusedAnswer("--endpoint names an engine that is up, and there is a program after --", "give one of them");
}
function placementOf$1(given, deploy) {
	const { tp: t = DEFAULTS.count, pp: p = DEFAULTS.count } = given;
	const [tp, pp] = [whole$1("tp", t, 1), whole$1("pp", p, 1)];
	const urls = deploy.kind === "endpoint" ? deploy.urls.length : null;
	const replicas = whole$1("replicas", given.replicas ?? String(urls ?? 1), 1);
	if (urls !== null && urls !== replicas) throw refusedAnswer(`--replicas is ${replicas}, and --endpoint names ${urls}: each replica has an origin of its own`, "give --endpoint once for each replica");
	return {
		tp,
		pp,
		replicas,
		gpus: given.gpu?.toLowerCase() === "none" ? 0 : tp * pp * replicas
	};
}
function gpuLabel(text) {
	if (/^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/.test(text)) return text.toLowerCase();
	throw refusedAnswer(`--gpu: ${quoted(text)} is no label`, "give letters, digits and -, e.g. h100, or none");
}
const COUNT_MAX = 1e8;
function whole$1(name, text, least) {
	const value = parseInteger(text);
	if (Number.isSafeInteger(value) && value >= least && value <= COUNT_MAX) return value;
	throw refusedAnswer(`${flagOf(name)}: ${quoted(text)} is no whole number from ${least} on`, "give it in digits");
}
function range(text) {
	const [from = NaN, to = NaN, ...more] = text.split(",").map((part) => parseInteger(part.trim()));
	if (Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from < to && more.length === 0) return [from, to];
	throw refusedAnswer(`--prompt-token-ids: ${quoted(text)} is no range FROM,TO`, "give two whole numbers, e.g. 1000,30000");
}
function rates(text) {
	if (text === "auto") return "auto";
	const values = text.split(",").map((part) => parseDecimal(part.trim()));
	if (values.every((value) => Number.isFinite(value) && value > 0)) return values.toSorted((a, b) => a - b);
	throw refusedAnswer(`--rates: ${quoted(text)} is no list of rates`, "give requests a second, e.g. 8,10,12,14, or auto");
}
function usualGateId(model, gpus, gpu) {
	const slug = (model.split(/[\\/]/).findLast((part) => part !== "") ?? "").toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "").slice(0, 60);
	return `${slug === "" ? "model" : slug}-${gpus === 0 ? "cpu" : `${gpus}x${gpu.toLowerCase()}`}`;
}
const SEED = 20260911;
function usualContext({ fragment }) {
	const longest = Math.max(...fragment.workload.map((shape) => shape.input_tokens + shape.output_tokens));
	return Math.ceil(longest / 1024) * 1024;
}
function manifestText(answers, traffic, load) {
	return [
		"# What is frozen so that two revisions of an engine can be compared: written by `capacity-gate init`.",
		"# Look at each line that says EDIT before the first baseline: a later change of anything but the engine’s version, image and",
		"# arguments makes another experiment, whose capacity is not compared with the old one’s.",
		"gate:",
		`  id: ${yamlScalar(answers.gateId)} # baselines and comments are kept under it`,
		...modelLines(answers, traffic),
		...engineLines(answers),
		...clientLines(answers, traffic, load),
		...workloadLines(traffic),
		...cacheLines(traffic, load),
		...sweepLines(load),
		...acceptanceLines(answers, load),
		""
	].join("\n");
}
function modelLines({ model, dialect, deploy }, traffic) {
	const isContextSet = !(deploy.kind !== "endpoint") || isHandedOn(dialect, "model.max_model_len");
	const context = model.maxModelLen ?? (isContextSet ? usualContext(traffic) : null);
	return [
		"model:",
		`  id: ${yamlScalar(model.id)}`,
		`  revision: ${yamlScalar(model.revision)}`,
		`  tokenizer_revision: ${yamlScalar(model.tokenizerRevision)}`,
		`  precision: ${yamlScalar(model.precision)}`,
		...context === null ? [] : ["  # EDIT: the longest context, input and output together; at most what the model has.", `  max_model_len: ${context}`],
		...dialect.request.promptTokenIds ? ["  # EDIT: prompts are drawn from these ids: inside the vocabulary, and clear of special tokens.", `  prompt_token_ids: [${model.tokenIds.join(", ")}]`] : []
	];
}
function engineLines({ dialect, version, placement, deploy }) {
	const { tp, pp, replicas, gpus } = placement;
	return [
		"engine:",
		`  name: ${yamlScalar(dialect.id)}`,
		"  # An upgrade is a change of this, and of the image, the arguments and the environment below.",
		`  version: ${yamlScalar(version)}`,
		"  # tp × pp GPUs for each replica; dp is the number of replicas.",
		`  placement: { tp: ${tp}, pp: ${pp}, dp: ${replicas}, replicas: ${replicas}, gpus: ${gpus} }`,
		"  deploy:",
		`    kind: ${deploy.kind}`,
		...deployLines(deploy, gpus)
	];
}
const OWN_ARGUMENTS = "    # Model, precision, lengths, parallelism and ports are handed over from this file: they are refused here.";
function deployLines(deploy, gpus) {
	switch (deploy.kind) {
		case "docker": return [
			`    image: ${yamlScalar(deploy.image)}`,
			OWN_ARGUMENTS,
			...listLines("args", deploy.args),
			"    # EDIT: the folder of the staged weights, mounted read-only. Nothing is fetched in a run.",
			`    weights: ${yamlScalar(deploy.weights)}`,
			"    # compile_cache: /data/compile-cache # kernels that are kept from one boot to the next",
			"    # cpus: { engine: \"0-79\", client: \"80-95\" } # keep the load generator’s CPUs clear of the engine"
		];
		case "process": return [
			OWN_ARGUMENTS,
			...listLines("argv", deploy.argv),
			...gpus === 0 ? [] : ["    gpus: auto # the first ones"]
		];
		case "endpoint": return ["    # Nothing proves which revision runs there: what is measured so can never become a baseline.", ...listLines("urls", deploy.urls)];
	}
}
function listLines(name, items) {
	if (items.length === 0) return [`    ${name}: []`];
	return [`    ${name}:`, ...items.map((item) => `      - ${yamlScalar(item)}`)];
}
function clientLines({ dialect }, traffic, load) {
	const { client } = traffic.fragment;
	const counts = Object.entries(load.counts).map(([name, count]) => `    ${yamlScalar(name)}: ${count}`);
	return [
		"client:",
		"  streaming: true",
		`  arrival_pattern: ${client.arrival_pattern}`,
		...patternLines(client),
		...dialect.request.promptTokenIds ? [] : ["  prompt: text # this engine takes no token ids"],
		"  # The frozen schedule: each point replays these requests, whatever its rate.",
		`  initial_scheduled_requests: ${load.initialRequests}`,
		"  class_schedule_counts:",
		...counts,
		...traffic.extensionRequests === 0 ? [] : [`  extension_requests: ${traffic.extensionRequests} # more, where a class is short of its floor of successes`],
		`  request_schedule_seed: ${SEED}`,
		"  warmup_seconds: 60",
		`  minimum_duration_seconds: ${load.minimumSeconds}`,
		`  maximum_duration_seconds: ${load.maximumSeconds} # the schedule at the lowest rate must fit`,
		`  request_timeout_seconds: ${Math.max(120, client.request_timeout_seconds)}`,
		"  automatic_retries: false"
	];
}
function workloadLines({ fragment, origin }) {
	return [
		...origin.map((line) => `# ${line}`),
		"# EDIT the cutoffs: what a user of that class calls too late, not what the engine reaches today.",
		"workload:",
		...fragment.workload.flatMap((shape) => [
			`  - name: ${yamlScalar(shape.name)}`,
			`    mix: ${shape.mix}`,
			`    input_tokens: ${shape.input_tokens}`,
			`    output_tokens: ${shape.output_tokens}`,
			`    request_ttft_cutoff_ms: ${shape.request_ttft_cutoff_ms}`,
			`    request_tpot_cutoff_ms: ${shape.request_tpot_cutoff_ms}`
		])
	];
}
function cacheLines({ reuseShare }, { warm }) {
	const share = reuseShare === null ? null : showNumber(Math.round(reuseShare * 1e3) / 10);
	const from = share === null ? "EDIT: your system prompts" : `${share} % of the trace’s prompts came before`;
	return [
		"# Cold: no prompt meets another in the cache. Warm: prompts share prefixes, counted inside input_tokens.",
		"cache:",
		"  cold: {}",
		...warm === null ? ["  # No warm state: the prompts are too short, or share too little, for its hits to be told from none."] : [`  # ${from}; fewer hits than hit_rate_min fail the point.`, `  warm: { prefix_set: v1, count: 64, tokens: ${warm.tokens}, hit_rate_min: ${warm.hitRateMin} }`]
	];
}
function sweepLines({ ratesRps, ratesNote }) {
	return [
		"sweep:",
		`  # ${ratesNote}`,
		`  rates_rps: ${ratesRps === "auto" ? "auto" : `[${ratesRps.join(", ")}]`}`
	];
}
const USUAL_EVIDENCE = [
	"identity",
	"client",
	"queue",
	"cache_hit",
	"stability"
];
function acceptanceLines({ dialect }, load) {
	const unproven = unprovenBy(dialect);
	const missing = new Set(unproven.map(({ group }) => group));
	const required = USUAL_EVIDENCE.filter((group) => !missing.has(group));
	return [
		"# A rate is carried where every class meets all of this.",
		"acceptance:",
		"  class_slo_attainment_min: 0.95",
		`  min_successful_samples_per_class: ${load.floor}`,
		"  error_rate_max: 0.01",
		"  class_error_rate_max: 0.01",
		"  queue_trend_required: flat",
		"  target_utilization: 0.75 # what planning counts on; no gate",
		...missing.size === 0 ? [] : [`  # Without ${[...missing].join(", ")}: ${dialect.title} is not known to show its ${unproven.map(({ what }) => what).join(", ")}.`, `  required_evidence: [${required.join(", ")}]`]
	];
}
const SHORTEST_POINT = 300;
const SHORTEST_REPLAY = 75;
const MOST_SCHEDULED = MOST_REQUESTS - 1e4;
const USUAL_LONGEST = 3600;
const LONGEST_POINT = 14400;
const FLOOR = 2e3;
const BLOCK_TOKENS = 16;
const USUAL_PREFIX_TOKENS = 256;
const HIT_MARGIN = .85;
const LEAST_HIT_RATE = .02;
function sizedLoad(traffic, asked, replicas) {
	const { client } = traffic.fragment;
	const isReplayed = client.arrival_pattern === "trace";
	const base = client.initial_scheduled_requests;
	const { rates, note } = asked === null ? ladder(traffic, base) : {
		rates: asked,
		note: AS_ASKED[asked === "auto" ? "auto" : "list"]
	};
	const [lowest, highest] = rates === "auto" ? room(traffic, base, replicas) : [Math.min(...rates), Math.max(...rates)];
	const wanted = Math.ceil(highest * SHORTEST_POINT / base - 1e-9);
	const times = isReplayed ? 1 : Math.max(1, Math.min(wanted, Math.floor(MOST_SCHEDULED / base)));
	const counts = Object.entries(client.class_schedule_counts).map(([name, count]) => [name, count * times]);
	const initialRequests = base * times;
	const smallest = Math.min(...counts.map(([, count]) => count));
	return {
		initialRequests,
		counts: Object.fromEntries(counts),
		minimumSeconds: Math.min(SHORTEST_POINT, Math.floor(initialRequests / highest * 1e3) / 1e3),
		maximumSeconds: Math.max(USUAL_LONGEST, Math.ceil(initialRequests / lowest / SHORTEST_POINT) * SHORTEST_POINT),
		floor: Math.min(FLOOR, Math.max(1, Math.floor(smallest * .99))),
		ratesRps: rates,
		ratesNote: note,
		warm: warmPrefixes(traffic)
	};
}
const AUTO = "A closed-loop saturation test finds the rates before the sweep; a list of them is tested as it stands.";
const AS_ASKED = {
	auto: AUTO,
	list: "As they were asked for."
};
const A_REPLICA_RPS = [4, 54];
const CLIENT_TOKENS_A_SECOND = 2e4;
function room({ fragment }, requests, replicas) {
	const [low, high] = [A_REPLICA_RPS[0] * replicas, A_REPLICA_RPS[1] * replicas];
	const answer = fragment.workload.reduce((sum, { mix, output_tokens: tokens }) => sum + mix * tokens, 0);
	const readable = CLIENT_TOKENS_A_SECOND / answer;
	const least = requests / SHORTEST_POINT;
	const fitting = Math.floor(readable / least) * least;
	const most = fragment.client.arrival_pattern === "trace" ? requests / SHORTEST_REPLAY : Math.min(high, fitting);
	return [Math.max(low * Math.min(1, readable / high), requests / LONGEST_POINT), Math.max(most, least)];
}
const ROUND_PEAK = [
	.5,
	.75,
	1,
	1.25
];
const STEPS_UP = [
	1,
	1.5,
	2,
	3
];
function ladder({ peak: fullest, fragment }, requests) {
	if (fullest === null) return {
		rates: "auto",
		note: AUTO
	};
	const { rps: peakRps, seconds } = fullest;
	const peak = `${seconds === null ? "On average" : `In its fullest ${showNumber(seconds)} s`} the trace has ${showNumber(Number(peakRps.toPrecision(3)))} requests/s`;
	const least = requests / LONGEST_POINT;
	if (peakRps * ROUND_PEAK[0] < least) {
		const note = `${peak}: too few to measure at. EDIT: the lowest is what ${showNumber(requests)} requests take four hours for.`;
		return {
			rates: STEPS_UP.map((step) => exact(least * step, Math.ceil)),
			note
		};
	}
	const most = fragment.client.arrival_pattern === "trace" ? requests / SHORTEST_REPLAY : MOST_REQUESTS / SHORTEST_POINT / 2;
	if (peakRps > most) {
		const note = `${peak}: too many for one schedule. EDIT: these are as high as can be measured.`;
		return {
			rates: ROUND_PEAK.map((share) => exact(most * share, Math.floor)),
			note
		};
	}
	return {
		rates: ROUND_PEAK.map((share) => exact(peakRps * share, Math.ceil)),
		note: `${peak}; EDIT for less than all of it.`
	};
}
function exact(rate, round) {
	const step = Math.max(.001, 10 ** (Math.floor(Math.log10(rate)) - 2));
	return Number((round(rate / step - (round === Math.ceil ? 1e-9 : -1e-9)) * step).toFixed(3));
}
function warmPrefixes({ fragment, leastInputTokens, ownTokens, reuseShare }) {
	const mean = fragment.workload.reduce((sum, { mix, input_tokens: tokens }) => sum + mix * tokens, 0);
	const wanted = reuseShare === null ? USUAL_PREFIX_TOKENS : reuseShare * mean;
	const most = Math.min(leastInputTokens / 2, leastInputTokens - ownTokens - 1);
	const tokens = Math.floor(Math.min(wanted, most) / BLOCK_TOKENS) * BLOCK_TOKENS;
	const hitRateMin = Math.floor(tokens / mean * HIT_MARGIN * 1e3) / 1e3;
	return hitRateMin < LEAST_HIT_RATE ? null : {
		tokens,
		hitRateMin
	};
}
const FEWEST_REPLAYED = 1e3;
const FEWEST_TOLD = 100;
function usualTraffic(longest, ownTokens) {
	const fragment = threeClasses(longest);
	return {
		fragment,
		extensionRequests: 2e3,
		leastInputTokens: Math.min(...fragment.workload.map(({ input_tokens: tokens }) => tokens)),
		ownTokens,
		reuseShare: null,
		peak: null,
		origin: ["EDIT: three usual kinds of requests. Take lengths and shares from your traffic, or begin anew by --from-trace."]
	};
}
function tracedTraffic(trace, ownTokens) {
	const { profile, file, sha256, isReplayed } = trace;
	const fragment = isReplayed ? replayed(trace) : drawn(trace);
	const inputs = fragment.workload.map(({ input_tokens: tokens }) => tokens);
	const leastInputTokens = isReplayed ? profile.firstRequests.leastInputTokens : Math.min(...inputs);
	if (leastInputTokens < ownTokens) throw unfit(file, `prompts of ${showNumber(leastInputTokens)} tokens cannot be told from each other: ${ownTokens} are needed`, "take such rows out of the trace");
	const name = plainText(file);
	return {
		fragment,
		extensionRequests: 0,
		leastInputTokens,
		ownTokens,
		reuseShare: profile.reuse?.unlimitedHitShare ?? null,
		peak: peakOf(profile),
		origin: [
			`From ${name}: ${requestsText(profile.requests)}, ${profile.format}, sha256:${sha256}.`,
			...profile.requests < FEWEST_TOLD ? ["EDIT: so few requests tell little of lengths, shares, gaps and rates. Take a longer trace."] : [],
			isReplayed ? "Its requests themselves are sent: of a class, lengths are the most that it takes." : "Each class has its mean lengths, so that the load in tokens is the trace’s. Rename classes by what they do."
		]
	};
}
function drawn({ profile, file }) {
	const fragment = drawnFragment(profile);
	if (fragment !== null) return fragment;
	throw unfit(file, "its smallest class is too rare: no schedule holds as many requests as it needs for a floor of 2,000", "give the rare requests another class in the trace, or leave them out");
}
function replayed({ profile, file, sha256 }) {
	const fragment = replayedFragment(profile, {
		file,
		sha256
	});
	const hint = "leave --replay-trace out: classes are then drawn from a seed";
	if (fragment === null) throw unfit(file, "its requests all came at the same time: there is no rate to scale", hint);
	const { requests } = profile.firstRequests;
	if (requests >= FEWEST_REPLAYED) return fragment;
	throw unfit(file, `it has ${requestsText(requests)}; ${showNumber(FEWEST_REPLAYED)} are needed`, hint);
}
function requestsText(count) {
	return `${showNumber(count)} ${count === 1 ? "request" : "requests"}`;
}
function peakOf({ arrivals: { windows, meanRps } }) {
	const window = windows.findLast(({ seconds }) => seconds <= 60);
	if (window === void 0) return meanRps === null ? null : {
		rps: meanRps,
		seconds: null
	};
	const { meanRequests, peakOverMean, seconds } = window;
	return {
		rps: meanRequests / seconds * peakOverMean,
		seconds
	};
}
function unfit(file, message, hint) {
	return new GateError({
		code: "trace_unfit",
		message: `no manifest can be made of the trace ${file}: ${message}`,
		hint,
		exitCode: EXIT.invalid
	});
}
function starter(given, trace) {
	const answers = answersOf(given);
	const { tokenIds, maxModelLen } = answers.model;
	const ownTokens = tokenIds[1] - tokenIds[0] < NARROWEST ? NARROWEST : uniqueTokens(tokenIds);
	const traffic = trace === null ? usualTraffic(maxModelLen ?? 16384, ownTokens) : tracedTraffic(trace, ownTokens);
	const text = manifestText(answers, traffic, sizedLoad(traffic, answers.ratesRps, answers.placement.replicas));
	const { findings } = readManifest(text, { level: "deployable" });
	const refused = findings.find(({ severity }) => severity === "error");
	if (refused === void 0) return {
		text,
		warnings: findings,
		answers
	};
	throw refusedAnswer(`${answerAt(refused.path)}: ${refused.message}`, refused.hint);
}
const NARROWEST = 16;
const PLACES = [
	[/^model\.id/, "model"],
	[/^model\.revision/, "modelRevision"],
	[/^model\.tokenizer_revision/, "tokenizerRevision"],
	[/^model\.precision/, "precision"],
	[/^model\.prompt_token_ids/, "promptTokenIds"],
	[/^workload\[\d+\]\.input_tokens/, "maxModelLen"],
	[/^workload|^client/, "from-trace"],
	[/^engine\.version/, "engineVersion"],
	[/^engine\.placement/, "replicas"],
	[/^engine\.deploy\.image/, "image"],
	[/^engine\.deploy\.urls/, "endpoint"],
	[/^engine\.deploy\.weights/, "weights"],
	[/^engine\.deploy\.arg/, "words"],
	[/^engine\.deploy/, "replicas"],
	[/^sweep/, "rates"],
	[/^gate/, "gateId"]
];
function answerAt(path) {
	const name = PLACES.find(([pattern]) => pattern.test(path))?.[1];
	return name === void 0 ? path : flagOf(name);
}
const SAMPLE = {
	engine: "vllm",
	engineVersion: "1.0.0",
	image: `sample@sha256:${"0".repeat(64)}`,
	model: "sample",
	modelRevision: "0".repeat(40)
};
function refusalOf(answer) {
	const { image: _, ...others } = SAMPLE;
	const isDeploy = answer.endpoint !== void 0 || answer.words !== void 0 && answer.image === void 0;
	try {
		starter({
			...isDeploy ? others : SAMPLE,
			...answer
		}, null);
		return null;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
const UPGRADE_WORKFLOW = [
	"name: Capacity",
	"",
	"# A pull request that bumps the image, its digest or the arguments in the manifest is measured at the baseline's guard rate: the comment",
	"# says what it carries, and the required check `Capacity` fails where that is less than before.",
	"#",
	"# For pull requests from branches of this repository. A fork's runs the fork's own copy of this file: in a public repository keep the",
	"# runner group to workflows of the default branch, and use 2-fork-measure.yml instead of this one.",
	"#",
	"# A job that is skipped counts as passed for a required check. So `Capacity` is a job of its own that always runs and fails unless it saw",
	"# every result that it needs. Never require `Measure` itself.",
	"on:",
	"  pull_request:",
	"",
	"permissions: {}",
	"",
	"# A new push ends the measurement of the commit before it.",
	"concurrency:",
	"  group: capacity-pull-${{ github.event.pull_request.number }}",
	"  cancel-in-progress: true",
	"",
	"jobs:",
	"  look:",
	"    name: Manifest and estimate",
	"    runs-on: ubuntu-latest",
	"    timeout-minutes: 10",
	"    permissions:",
	"      contents: read",
	"      pull-requests: write # the estimate's comment",
	"    outputs:",
	"      changed: ${{ steps.change.outputs.changed }}",
	"    steps:",
	"      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
	"        with:",
	"          persist-credentials: false",
	"          fetch-depth: 0",
	"      # `paths` does not work with a required check: what is not started is never reported.",
	"      - id: change",
	"        env:",
	"          BASE: ${{ github.event.pull_request.base.sha }}",
	"        run: |",
	"          base=$(git merge-base \"$BASE\" HEAD)",
	"          code=0",
	"          git diff --quiet \"$base\" HEAD -- workload-manifest.yaml .capacity-gate || code=$?",
	"          case \"$code\" in",
	"            0) echo changed=false >> \"$GITHUB_OUTPUT\" ;;",
	"            1) echo changed=true >> \"$GITHUB_OUTPUT\" ;;",
	"            *) exit \"$code\" ;;",
	"          esac",
	"      - if: steps.change.outputs.changed == 'true'",
	"        uses: your-org/capacity-gate@0123456789abcdef0123456789abcdef01234567 # the release that you reviewed",
	"        with:",
	"          command: lint",
	"          baseline: branch:capacity-baselines",
	"",
	"  measure:",
	"    name: Measure",
	"    needs: look",
	"    if: needs.look.outputs.changed == 'true' && github.event.pull_request.head.repo.full_name == github.repository",
	"    runs-on: [self-hosted, linux, h100]",
	"    timeout-minutes: 350",
	"    # Pull requests wait for the machine in their order, and none that waits is dropped for a newer one.",
	"    concurrency:",
	"      group: capacity-h100",
	"      cancel-in-progress: false",
	"      queue: max",
	"    permissions:",
	"      contents: read",
	"      pull-requests: write # the comment",
	"    steps:",
	"      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
	"        with:",
	"          persist-credentials: false",
	"      - uses: your-org/capacity-gate@0123456789abcdef0123456789abcdef01234567 # the release that you reviewed",
	"        with:",
	"          baseline: branch:capacity-baselines",
	"      - if: always()",
	"        uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0",
	"        with:",
	"          name: capacity-${{ github.run_id }}-${{ github.run_attempt }}",
	"          path: inference-capacity-pack",
	"",
	"  capacity:",
	"    name: Capacity",
	"    needs: [look, measure]",
	"    if: always()",
	"    runs-on: ubuntu-latest",
	"    timeout-minutes: 5",
	"    steps:",
	"      - env:",
	"          LOOK: ${{ needs.look.result }}",
	"          CHANGED: ${{ needs.look.outputs.changed }}",
	"          MEASURE: ${{ needs.measure.result }}",
	"        run: |",
	"          echo \"manifest $LOOK (changed: $CHANGED), measurement $MEASURE\"",
	"          test \"$LOOK\" = success",
	"          case \"$CHANGED\" in",
	"            true) test \"$MEASURE\" = success ;;",
	"            false) test \"$MEASURE\" = skipped ;;",
	"            *) exit 1 ;;",
	"          esac",
	""
].join("\n");
const PLACEHOLDER = "your-org/capacity-gate@0123456789abcdef0123456789abcdef01234567";
const MANIFEST = "workload-manifest.yaml";
function workflowText({ manifestPath, gpu, action }) {
	const named = UPGRADE_WORKFLOW.replaceAll(MANIFEST, manifestPath).replace("[self-hosted, linux, h100]", gpu === null ? "[self-hosted, linux]" : `[self-hosted, linux, ${gpu}]`).replaceAll("capacity-h100", `capacity-${gpu ?? "cpu"}`);
	const stated = manifestPath === MANIFEST ? named : withManifest(named, manifestPath);
	return action === null ? stated : stated.replaceAll(PLACEHOLDER, action);
}
function withManifest(text, manifestPath) {
	const lines = text.split("\n");
	return lines.flatMap((line, index) => {
		return line.trim() === "with:" && (lines[index - 1] ?? "").includes(`uses: ${PLACEHOLDER}`) ? [line, `${" ".repeat(line.indexOf("with:") + 2)}manifest: ${manifestPath}`] : [line];
	}).join("\n");
}
const RESERVED = new Set([
	".",
	"..",
	".git"
]);
function isPlainPath(path) {
	return path.length <= 200 && path.split("/").every((part) => /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(part) && !RESERVED.has(part.toLowerCase()));
}
function isPinnedAction(text) {
	return /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(text);
}
const FILES = {
	"workload-manifest.yaml": ["../../fixtures/packs/demo/workload-manifest.yaml", "demo.yaml"],
	"candidate.yaml": ["../../fixtures/packs/demo/slower-prefill.yaml", "demo-candidate.yaml"]
};
async function demoFiles() {
	const isClone = extname(import.meta.filename) === ".ts";
	return Promise.all(["workload-manifest.yaml", "candidate.yaml"].map(async (name) => {
		const [source, built] = FILES[name];
		return {
			name,
			text: await readFile(join(import.meta.dirname, isClone ? source : built), "utf8")
		};
	}));
}
async function requireRoot(cwd, { out, workflow, owner }) {
	if (workflow === false && owner === void 0) return;
	const root = await repositoryRoot(cwd);
	if (root === null || root === cwd) return;
	const below = relative(root, cwd).split(sep).join("/");
	throw refusedAnswer(`this folder is not the root of its repository, ${quoted(root)}: GitHub reads workflows and CODEOWNERS there alone`, `run it there with --out ${below}/${out}, or here with --no-workflow and without --owner`);
}
const NONE = "none";
const AS_NEEDED = "as the classes need";
async function askMissing(given, questions) {
	const answers = { ...given };
	const ask = async (name, text, usual) => {
		if (answers[name] !== void 0) return;
		const refusal = (answer) => refusalOf({
			...engineOf(answers),
			[name]: answer
		});
		answers[name] = await questions.ask({
			text,
			usual,
			refusal
		});
	};
	answers.engine ??= await questions.ask({
		text: `Engine: ${ENGINE_CHOICES.join(", ")}, or fixture to try the gate without one`,
		usual: "vllm",
		refusal: (engine) => engine === "fixture" ? null : refusalOf({ engine })
	});
	if (answers.engine === "fixture") return answers;
	await askDeploy(answers, questions);
	await ask("engineVersion", "Its exact version, as it tells it itself", null);
	await ask("model", "Model: its id on the hub, or a local folder", null);
	await ask("modelRevision", "Its commit (40 hex digits), or sha256:… of the local files", null);
	await ask("gpu", `Kind of GPU, or ${NONE}`, DEFAULTS.gpu);
	await ask("tp", "GPUs of a replica (tensor parallel)", DEFAULTS.count);
	if (answers.endpoint === void 0) await ask("replicas", "Replicas", DEFAULTS.count);
	await askTraffic(answers, questions);
	return answers;
}
function engineOf({ engine }) {
	return engine === void 0 ? {} : { engine };
}
async function askDeploy(answers, questions) {
	if (answers.image !== void 0 || answers.endpoint !== void 0 || (answers.words ?? []).length > 0) return;
	const answer = await questions.ask({
		text: "Its image (NAME@sha256:…), the URL of one that is up, or the program that serves with its arguments",
		usual: null,
		refusal: (text) => refusalOf({
			...engineOf(answers),
			...deployAnswer(text)
		})
	});
	Object.assign(answers, deployAnswer(answer));
}
function deployAnswer(text) {
	const words = text.split(/\s+/).filter((word) => word !== "");
	if (words.every((word) => /^https?:\/\//i.test(word))) return { endpoint: words };
	const [first = ""] = words;
	return /^[^/\s]\S*[:@]/.test(first) && !first.startsWith(".") ? {
		image: first,
		words: words.slice(1)
	} : { words };
}
async function askTraffic(answers, questions) {
	if (answers.fromTrace === void 0) {
		const trace = await questions.ask({
			text: `A trace of your requests (a file), or ${NONE}: three usual classes`,
			usual: NONE,
			refusal: (file) => file === NONE ? null : unreadable(file)
		});
		if (trace !== NONE) answers.fromTrace = trace;
	}
	if (answers.maxModelLen === void 0) {
		const longest = await questions.ask({
			text: "Longest context of the model, in tokens",
			usual: AS_NEEDED,
			refusal: (text) => text === AS_NEEDED ? null : refusalOf({
				...engineOf(answers),
				maxModelLen: text
			})
		});
		if (longest !== AS_NEEDED) answers.maxModelLen = longest;
	}
	if (answers.owner !== void 0) return;
	const owner = await questions.ask({
		text: `Who reviews changes of the gate (@org/team), or ${NONE}`,
		usual: NONE,
		refusal: (text) => text === NONE || isOwner(text) ? null : "that is no user, team or address, as CODEOWNERS takes them"
	});
	if (owner !== NONE) answers.owner = owner;
}
async function unreadable(file) {
	try {
		for await (const _ of openTrace(file).chunks) return null;
		return null;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
function asCommand({ words = [], ...answers }) {
	const flags = Object.entries(answers).flatMap(([name, value]) => [value].flat().flatMap((text) => text === void 0 ? [] : [flagOf(name), shellWord(text)]));
	const rest = words.length === 0 ? [] : ["--", ...words.map(shellWord)];
	return [
		"capacity-gate init --yes",
		...flags,
		...rest
	].join(" ");
}
function shellWord(text) {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
const MESSAGE_MAX = 1e3;
const addLint = (program, desk) => {
	program.command("lint").description("Check a manifest: every finding with its place, what is wrong and how to mend it.").argument("<manifest>", "the workload-manifest.yaml").option("--deployable", "also ask what a run asks: pinned image, model and tokenizer, declared cache states …").option("--accepted <file>", "check the accepted losses as well, as .capacity-gate/accepted.yaml holds them").addHelpText("after", example("capacity-gate lint workload-manifest.yaml --deployable")).action(async (path, options) => {
		const text = await readInputText({
			what: "the manifest",
			path,
			maximumBytes: INPUT_LIMITS.manifest
		});
		const result = lint(path, text, options.deployable ? "deployable" : "valid");
		const read = await readAcceptedFile(options.accepted);
		const accepted = read === null ? [] : [lintAcceptedLosses(read, text, today())];
		desk.finish({
			exitCode: [result, ...accepted].some(({ errors }) => errors > 0) ? EXIT.invalid : EXIT.ok,
			text: [lintText(result), ...accepted.map((losses) => lintText({
				...losses,
				level: "valid"
			}))].join("\n"),
			json: accepted.length === 0 ? result : {
				...result,
				accepted: accepted[0]
			}
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
const WORKFLOW = ".github/workflows/capacity-gate.yml";
const addInit = (program, desk) => {
	const command = program.command("init").description("Write the first manifest, a workflow and CODEOWNERS lines; at a terminal it asks for what no flag says.").argument("[words...]", "after --: the program that serves, with its arguments; with --image, the engine’s arguments");
	for (const options of [
		engineOptions,
		trafficOptions,
		fileOptions
	]) options(command);
	command.addHelpText("after", example("capacity-gate init", "capacity-gate init --engine fixture", "capacity-gate init --engine vllm --engine-version 0.32.0 --image vllm/vllm-openai@sha256:DIGEST \\", "  --model acme/dense-8b --model-revision COMMIT --from-trace trace.jsonl --owner @acme/inference -- --max-num-seqs 256")).action((words, options) => initCommand(desk, words, options));
};
function engineOptions(command) {
	command.option("--engine <name>", `${ENGINE_CHOICES.join(", ")}; or fixture, which needs no other answer`).option("--engine-version <v>", "its exact version, as it tells it itself").option("--image <name@digest>", "its image, by digest").option("--endpoint <urls...>", "or: where it is up, an origin for each replica").option("--weights <folder>", "with --image: the folder of the staged weights (/data/hf)").option("--model <id>", "a hub id or a local folder").option("--model-revision <commit>", "its commit, or sha256:… of the local files").option("--tokenizer-revision <commit>", "the same of its tokenizer; by default the model’s").option("--precision <type>", "bf16, fp8 …").option("--max-model-len <tokens>", "its longest context; by default as long as the classes need").option("--prompt-token-ids <from,to>", "the token ids that prompts are drawn from (1000,30000)").option("--gpu <kind>", "its GPUs, as the runner’s label says it (h100); none").option("--tp <n>", "GPUs of a replica, tensor parallel (1)").option("--pp <n>", "the same, pipeline parallel (1)").option("--replicas <n>", "how many replicas (1)");
}
function trafficOptions(command) {
	command.option("--from-trace <file>", "fit classes, arrivals, rates and reuse to a trace; else three usual classes").addOption(new Option("--trace-format <format>", "its format, where the first line does not tell").choices(TRACE_FORMATS)).option("--replay-trace", "send the trace’s own requests, not classes drawn from a seed").option("--classes <n>", "the most classes to take from it", wholeNumber, 3).option("--rates <list>", "requests a second to measure at, e.g. 8,10,12,14; auto");
}
function fileOptions(command) {
	command.option("--gate-id <id>", "what baselines and comments are kept under").option("--out <file>", "the manifest", "workload-manifest.yaml").option("--workflow <file>", "the workflow", WORKFLOW).option("--no-workflow", "write no workflow").option("--action <owner/name@commit>", "the action that the workflow uses").option("--owner <owner>", "whose review guards the manifest: @org/team; without it the lines are only shown").option("--force", "replace files that are there; CODEOWNERS is only ever added to").option("--yes", "ask nothing");
}
async function initCommand(desk, words, options) {
	requireForms(options);
	const given = givenOf(words, options);
	if (given.engine !== "fixture") await requireRoot(desk.inputs.cwd, options);
	const answers = await answered(desk, given, options.yes === true);
	const folder = projectFolder(desk.inputs.cwd);
	const force = options.force === true;
	if (answers.engine === "fixture") return finish(desk, await init(folder, {
		files: (await demoFiles()).map(({ name, text }) => ({
			path: name === "workload-manifest.yaml" ? options.out : name,
			text
		})),
		owners: null,
		force
	}), [], fixtureCommands(options.out));
	await requireRoot(desk.inputs.cwd, {
		...options,
		...answers.owner === void 0 ? {} : { owner: answers.owner }
	});
	const { text, warnings, answers: settled } = starter(answers, answers.fromTrace === void 0 ? null : await traceOf(answers.fromTrace, options));
	const { out, workflow, action = null } = options;
	const result = await init(folder, {
		files: [{
			path: out,
			text
		}, ...workflow === false ? [] : [{
			path: workflow,
			text: workflowText({
				manifestPath: out,
				gpu: settled.gpu,
				action
			})
		}]],
		owners: {
			manifestPath: out,
			owner: answers.owner ?? null
		},
		force
	});
	const placeholder = workflow !== false && action === null ? [`EDIT your-org/capacity-gate@… in ${workflow}: ${PLACE}`] : [];
	finish(desk, result, [...warnings.map((warning) => findingText(out, warning)), ...placeholder], nextCommands(out));
}
const PLACE = "the place of this action and the commit that you reviewed";
async function answered({ inputs, note }, given, yes) {
	try {
		var _usingCtx$4 = _usingCtx();
		if (yes || inputs.questions === void 0) return given;
		const answers = await askMissing(given, _usingCtx$4.u(inputs.questions()));
		note(`the same without questions:\n  ${asCommand(answers)}`);
		return answers;
	} catch (_) {
		_usingCtx$4.e = _;
	} finally {
		_usingCtx$4.d();
	}
}
function givenOf(words, options) {
	const { traceFormat: _1, replayTrace: _2, classes: _3, out: _4, workflow: _5, action: _6, force: _7, yes: _8, ...said } = options;
	return {
		...said,
		...words.length === 0 ? {} : { words }
	};
}
function requireForms({ out, workflow, action, owner, fromTrace, replayTrace, traceFormat }) {
	for (const [flag, path] of [["--out", out], ["--workflow", workflow]]) {
		if (path === false || isPlainPath(path)) continue;
		throw refusedAnswer(`${flag}: ${quoted(path)} is no path in this folder`, "give one of letters, digits, _, - and ., below this folder");
	}
	if (action !== void 0 && !isPinnedAction(action)) throw refusedAnswer(`--action: ${quoted(action)} is not OWNER/NAME@COMMIT`, "name its commit by 40 hex digits");
	if (owner !== void 0 && !isOwner(owner)) throw refusedAnswer(`--owner: ${quoted(owner)} is no user, team or address`, "give it as CODEOWNERS takes it: @org/team");
	if (fromTrace !== void 0 || replayTrace === void 0 && traceFormat === void 0) return;
	throw refusedAnswer("--replay-trace and --trace-format are about a trace, and none is given", "name it by --from-trace");
}
async function traceOf(file, { traceFormat, replayTrace, classes, out }) {
	const isReplayed = replayTrace === true;
	if (isReplayed && (isAbsolute(file) || file.split(/[\\/]/).includes(".."))) throw refusedAnswer(`--replay-trace: ${quoted(file)} lies outside of this folder`, "copy it in: a run reads it beside the manifest");
	const input = openTrace(file);
	return {
		profile: await profileTrace({
			file,
			format: traceFormat ?? null
		}, input.chunks, classes),
		file: isReplayed ? relative(dirname(out), file) : file,
		sha256: input.sha256(),
		isReplayed
	};
}
function nextCommands(out) {
	return [
		`capacity-gate lint ${out} --deployable`,
		`capacity-gate estimate ${out}`,
		`capacity-gate doctor ${out}`
	];
}
function fixtureCommands(out) {
	return [
		`capacity-gate run ${out} --plan sweep --pack accepted --on-missing-baseline record`,
		"capacity-gate promote --candidate accepted/capacity.json --to dir:capacity-baselines --reason \"the first baseline\"",
		`capacity-gate run ${out} --baseline dir:capacity-baselines --pack pack`
	];
}
function finish(desk, result, notes, next) {
	const { files, ownerLines, ownersWritten } = result;
	const owners = ownersWritten || ownerLines.length === 0 ? [] : ["for CODEOWNERS, with your own team:", ...ownerLines];
	desk.finish({
		exitCode: EXIT.ok,
		text: [
			...files.map(({ path, done }) => `${done}: ${path}`),
			...notes,
			...owners.map((line, index) => index === 0 ? line : `  ${line}`),
			"next:",
			...next.map((command) => `  ${command}`)
		].join("\n"),
		json: {
			files,
			ownerLines,
			ownersWritten,
			notes,
			next
		}
	});
}
function measuredRun(record, verdict) {
	if (verdict === null || verdict.candidateSha256 === recordSha256(record)) return {
		record,
		verdict
	};
	throw new GateError({
		code: "plan_basis",
		message: "no capacity to plan on: the verdict beside the record is of another record",
		hint: "plan on a pack as its run wrote it",
		exitCode: EXIT.invalid
	});
}
async function acceptedRun(store, gateId) {
	for (const kind of ["measured", "simulated"]) {
		const { baseline } = await store.load({
			gateId,
			kind
		});
		if (baseline !== null) return {
			record: baseline,
			verdict: "accepted"
		};
	}
	throw new GateError({
		code: "plan_no_baseline",
		message: `${store.location} holds no accepted baseline of the gate ${JSON.stringify(gateId)}`,
		hint: "name the gate as gate.id in its manifest does, or plan on a pack",
		exitCode: EXIT.invalid
	});
}
const MILLION = 1e6;
const MOST_MILLI_RPS = 1e12;
const MOST_REPLICAS = MILLION;
const MOST_GPUS_A_REPLICA = 1e4;
const HIGHEST_PRICE = 1e9;
function planReplicas(need) {
	requireNeed(need);
	const { capacityMilliRps: capacity, replicas, gpusPerReplica, peakMilliRps: peak, replicasNow = replicas } = need;
	const required = replicasFor(need, peak, need.utilizationMillionths);
	if (required === null) throw beyondCounting();
	const used = (count) => peak * replicas / (capacity * count);
	const carryMilliRps = carriedMilliRps(need, replicasNow);
	const price = need.pricePerGpuHour ?? null;
	const cost = (count) => price === null ? null : count * gpusPerReplica * price;
	return {
		label: "estimate",
		perReplicaRps: capacity / 1e3 / replicas,
		requiredReplicas: required,
		requiredGpus: required * gpusPerReplica,
		usedShare: used(required),
		usedOneDownShare: required === 1 ? null : used(required - 1),
		replicasNow,
		currentCarryRps: carryMilliRps / 1e3,
		headroomRps: (carryMilliRps - peak) / 1e3,
		usedNowShare: used(replicasNow),
		costPerHour: cost(required),
		costPerHourNow: cost(replicasNow)
	};
}
function replicaTable(measured, utilizationMillionths, peaksMilliRps) {
	return {
		utilizationMillionths,
		rows: peaksMilliRps.map((peakMilliRps) => {
			return {
				peakMilliRps,
				replicas: utilizationMillionths.map((utilization) => {
					requireNeed({
						...measured,
						peakMilliRps,
						utilizationMillionths: utilization
					});
					return replicasFor(measured, peakMilliRps, utilization);
				})
			};
		})
	};
}
function replicasFor(measured, peakMilliRps, utilization) {
	const load = BigInt(peakMilliRps) * BigInt(measured.replicas) * BigInt(MILLION);
	const each = BigInt(measured.capacityMilliRps) * BigInt(utilization);
	const required = (load + each - 1n) / each;
	return required > BigInt(MOST_REPLICAS) ? null : Number(required);
}
function carriedMilliRps({ capacityMilliRps, replicas, utilizationMillionths }, count) {
	const all = BigInt(capacityMilliRps) * BigInt(count) * BigInt(utilizationMillionths);
	return Number(all / (BigInt(replicas) * BigInt(MILLION)));
}
function requireNeed(need) {
	requireWhole("the capacity, in thousandths of a request a second,", need.capacityMilliRps, 1, MOST_MILLI_RPS);
	requireWhole("the peak, in thousandths of a request a second,", need.peakMilliRps, 1, MOST_MILLI_RPS);
	requireWhole("the number of replicas", need.replicas, 1, MOST_REPLICAS);
	requireWhole("the number of GPUs a replica", need.gpusPerReplica, 0, MOST_GPUS_A_REPLICA);
	requireWhole("the utilization, in millionths,", need.utilizationMillionths, 1, MILLION);
	if (need.replicasNow !== void 0) requireWhole("today's replicas", need.replicasNow, 1, MOST_REPLICAS);
	const price = need.pricePerGpuHour ?? 1;
	if (!(price > 0 && price <= HIGHEST_PRICE)) throw refusal$1(`the price of a GPU-hour cannot be ${price}`, "give a price above zero and at most a billion");
}
function requireWhole(what, value, from, to) {
	if (Number.isSafeInteger(value) && value >= from && value <= to) return;
	const range = `from ${from.toLocaleString("en-US")} to ${to.toLocaleString("en-US")}`;
	throw refusal$1(`${what} cannot be ${value}`, `give a whole number ${range}`);
}
function beyondCounting() {
	return refusal$1(`the peak would need more than ${MOST_REPLICAS.toLocaleString("en-US")} replicas`, "check the units: rates are requests a second");
}
function refusal$1(message, hint) {
	return new GateError({
		code: "plan_input",
		message,
		hint,
		exitCode: EXIT.usage
	});
}
const UNFIT = new Set([
	"experiment_unreadable",
	"record_contradictory",
	"imported_cohort",
	"evidence_failed"
]);
const TOLD_ELSEWHERE = new Set(["no_passing_rate"]);
const whole = (from) => int().min(from).max(1e6);
const placementSchema = looseObject({ engine: looseObject({ placement: looseObject({
	tp: whole(1),
	pp: whole(1),
	dp: whole(1),
	replicas: whole(1),
	gpus: whole(0)
}) }) });
function planBasis({ record, verdict }, caches) {
	const asked = {
		...record,
		capacity: record.capacity.filter(({ cache }) => caches.includes(cache))
	};
	const obstacles = promotionObstacles(asked);
	const unfit = obstacles.find(({ code }) => UNFIT.has(code));
	if (unfit !== void 0) throw refusal(unfit.text);
	const placement = placementOf(record);
	const { replicas } = placement;
	const gpusPerReplica = placement.gpus / replicas;
	const states = [];
	const missing = [];
	for (const cache of caches) {
		const capacityMilliRps = asked.capacity.find((result) => result.cache === cache)?.passMilliRps;
		const why = withoutFigure(capacityMilliRps, stateOf(verdict, cache));
		if (why !== null) missing.push({
			cache,
			why
		});
		else states.push({
			cache,
			measured: {
				capacityMilliRps: capacityMilliRps ?? 0,
				replicas,
				gpusPerReplica
			}
		});
	}
	if (states.length === 0) throw refusal(missing.map(({ cache, why }) => `${cache}: ${why}`).join("; "));
	const planned = new Set(states.map(({ cache }) => cache));
	const told = obstacles.filter(({ code }) => !TOLD_ELSEWHERE.has(code));
	return {
		placement,
		states,
		missing,
		warnings: [
			...ofVerdict(verdict, planned),
			...ofKind(record),
			...told
		]
	};
}
function withoutFigure(milliRps, state) {
	if (milliRps === void 0) return "it was not measured";
	if (milliRps === null) return "no rate passed";
	return state?.outcome === "invalid" ? "its measurement is invalid" : null;
}
function stateOf(verdict, cache) {
	if (verdict === null || verdict === "accepted") return null;
	return verdict.states.find((state) => state.cache === cache) ?? null;
}
function placementOf({ experiment }) {
	const parsed = placementSchema.safeParse(experiment.value);
	if (!parsed.success) throw refusal("the record does not hold its placement");
	const { tp, pp, dp, replicas, gpus } = parsed.data.engine.placement;
	if (gpus % replicas !== 0) throw refusal(`${gpus} GPUs are no whole number for each of ${replicas} replicas`);
	return {
		tp,
		pp,
		dp,
		replicas,
		gpus
	};
}
function ofVerdict(verdict, planned) {
	if (verdict === "accepted") return [];
	if (verdict === null) return [{
		code: "no_verdict",
		text: "no verdict stands beside the record: nothing says that its revision was held"
	}];
	const found = verdict.states.filter(({ cache }) => planned.has(cache)).flatMap(({ cache, outcome, acceptedLoss: loss }) => {
		if (loss !== void 0) return [{
			code: "accepted_loss",
			text: `${cache}: held under an accepted loss, which ends on ${loss.expires}`
		}];
		if (outcome !== "regressed" && outcome !== "inconclusive") return [];
		const text = `${cache}: the verdict is ${outcome}: this is what the revision carried, and it was not accepted`;
		return [{
			code: `verdict_${outcome}`,
			text
		}];
	});
	const whole = verdict.reasons.map(({ code, text }) => ({
		code,
		text: `the whole run: ${text}`
	}));
	return verdict.outcome === "inconclusive" || verdict.outcome === "invalid" ? [...found, ...whole] : found;
}
function ofKind({ kind }) {
	return kind === "simulated" ? [{
		code: "simulated",
		text: "the embedded engine was measured, which is a model: no real engine stands behind it"
	}] : [];
}
function refusal(why) {
	return new GateError({
		code: "plan_basis",
		message: `no capacity to plan on: ${why}`,
		hint: "plan on a finished sweep of a measured engine, or on the accepted baseline",
		exitCode: EXIT.invalid
	});
}
const HOURS_A_MONTH = 730;
const WARNING_MAX$1 = 400;
function needingMost(states) {
	const [first, ...rest] = states;
	if (first === void 0) throw new Error("a plan has at least one state");
	return rest.reduce((most, one) => one.plan.requiredReplicas > most.plan.requiredReplicas ? one : most, first);
}
function planText(report) {
	const most = needingMost(report.states);
	return [
		headline(report, most),
		report.source === null ? "" : sourceText(report.source),
		summaryTable(report),
		sentences(report, most).join("\n"),
		...report.states.map((state) => sizeTable(state)),
		`What this does not prove:\n\n${unproven(report, most).map((text) => `- ${text}`).join("\n")}`
	].filter((block) => block !== "").join("\n\n");
}
function headline({ peakMilliRps, utilizationMillionths }, { cache, plan }) {
	const gpus = plan.requiredGpus === 0 ? "no GPU" : plural(plan.requiredGpus, "GPU");
	const what = `${showNumber(plan.requiredReplicas)} ${plan.requiredReplicas === 1 ? "replica" : "replicas"} and ${gpus}`;
	const state = cache === null ? "" : ` (${cache} cache)`;
	return `ESTIMATE: ${what} for ${showNumber(peakMilliRps / 1e3)} RPS at ${share$1(utilizationMillionths)} of the capacity${state}`;
}
function sourceText({ name, basis: { placement, missing, warnings } }) {
	return [
		`Measured: ${name}`,
		`On: ${placementText(placement)}`,
		...missing.map(({ cache, why }) => `No figure for ${cache}: ${why}.`),
		...warnings.map(({ code, text }) => `warning: ${plainText(text, WARNING_MAX$1)} [${plainText(code, 60)}]`)
	].join("\n");
}
function placementText({ tp, pp, dp, replicas, gpus }) {
	const each = gpus === 0 ? "no GPU" : `${plural(gpus / replicas, "GPU")} each`;
	return `${plural(replicas, "replica")} of tp ${tp} × pp ${pp} (dp ${dp}), ${each}. A replica’s figure holds for this placement alone.`;
}
function summaryTable({ states, pricePerGpuHour }) {
	const heads = columns("cache", "measured RPS:", "a replica:", "replicas:", "GPUs:", "used %:", "used % one down:");
	const costs = pricePerGpuHour === null ? [] : columns("cost an hour:", "a month:");
	const rows = states.map(({ cache, measured, plan }) => [
		cache ?? "–",
		milliRps$1(measured.capacityMilliRps),
		rps(plan.perReplicaRps),
		String(plan.requiredReplicas),
		String(plan.requiredGpus),
		usedText(plan.usedShare),
		usedText(plan.usedOneDownShare),
		...plan.costPerHour === null ? [] : [money(plan.costPerHour), money(plan.costPerHour * HOURS_A_MONTH)]
	]);
	return table([...heads, ...costs], rows);
}
function sentences({ peakMilliRps, utilizationMillionths, states, pricePerGpuHour }, most) {
	const now = states.map((state) => nowText(state, peakMilliRps, share$1(utilizationMillionths)));
	const { plan } = most;
	const costs = plan.costPerHour === null || plan.costPerHourNow === null ? [] : [`The cost is at ${pricePerGpuHour} a GPU-hour and ${HOURS_A_MONTH} hours a month; today’s ${plural(plan.replicasNow, "replica")} cost ${money(plan.costPerHourNow)} an hour.`];
	const choice = states.length === 1 ? [] : ["Plan for the cold state unless the cache is sure to be as warm as it was measured."];
	return [
		...now,
		...choice,
		...costs
	];
}
function nowText({ cache, plan }, peakMilliRps, policy) {
	const state = cache === null ? "" : ` (${cache} cache)`;
	const carry = plan.replicasNow === 1 ? "carries" : "carry";
	const gap = plan.headroomRps < 0 ? `${rps(-plan.headroomRps)} short of the peak` : `a headroom of ${rps(plan.headroomRps)} over the peak`;
	return `Today’s ${plural(plan.replicasNow, "replica")}${state} ${carry} ${rps(plan.currentCarryRps)} RPS at ${policy}: ${gap} of ${milliRps$1(peakMilliRps)}, at which they would be used at ${usedText(plan.usedNowShare)} %.`;
}
function sizeTable({ cache, measured, table: sizes }) {
	const of = cache === null ? "" : `, ${cache}`;
	const heads = columns("peak RPS:", ...sizes.utilizationMillionths.map((value) => `at ${share$1(value)}:`));
	const cell = (count) => count === null ? "over a million" : `${count} (${count * measured.gpusPerReplica})`;
	const rows = sizes.rows.map(({ peakMilliRps, replicas }) => [milliRps$1(peakMilliRps), ...replicas.map(cell)]);
	return `Replicas (GPUs) by peak and utilization${of}:\n\n${table(heads, rows)}`;
}
function unproven({ source }, { measured, plan }) {
	const [had, asked] = [measured.replicas, plan.requiredReplicas].map((count) => plural(count, "replica"));
	return [
		had === asked ? `Linear scaling: measured with ${had}, as many as are needed; any other number here is reckoned.` : `Linear scaling: measured with ${had}, and reckoned for ${asked}. Run the gate on ${asked} before anything is bought or given back.`,
		"Load balancer and network: what spreads the requests carried the measured replicas, and may not carry more.",
		"Shared limits: replicas that share a host, a switch, a disk or a power budget slow each other.",
		"Cache locality: over more replicas a prefix is met less often by the one that holds it. A warm capacity can fall for that alone.",
		"Failures and roll-outs: a replica that is down or starting carries nothing; see the column of one down.",
		"The peak: a forecast of yours, of the measured mix, lengths and arrivals. Bursts within it were met only as far as the schedule has them.",
		source === null ? "The capacity: it was given by hand. It must be a rate that passed at an open loop with every class in its cutoffs; a closed loop’s throughput is none, and another placement, engine or workload has another." : "Another placement, GPU, revision or workload: each has a capacity of its own, to be measured."
	];
}
function share$1(millionths) {
	return `${plainNumber(millionths / 1e4)} %`;
}
function usedText(value) {
	return value === null ? "–" : plainNumber(Math.round(value * 1e3) / 10);
}
function money(value) {
	return value.toFixed(2);
}
const BY_HAND = [
	"capacityRps",
	"replicas",
	"gpusPerReplica"
];
const addPlan = (program, desk) => {
	program.command("plan").description("Replicas and GPUs for a peak, from a measured capacity: an estimate.").option("--from <place>", "a run’s pack, its capacity.json, or the baseline in branch:NAME, dir:PATH or file:PATH").option("--gate <id>", "whose baseline, of a branch or a folder: gate.id of its manifest").addOption(cacheOption()).option("--capacity-rps <c>", "instead of --from: the measured SLO-compliant capacity, requests a second", exactRate).option("--replicas <n>", "with how many replicas that was measured", wholeNumber).option("--gpus-per-replica <g>", "GPUs of one replica then", wholeNumberOrZero).requiredOption("--peak-rps <p>", "the peak that is to be carried, requests a second", exactRate).requiredOption("--utilization <u>", "the share of the capacity that may be used at the peak", share).option("--replicas-now <n>", "how many replicas run today (default: as many as were measured)", wholeNumber).addOption(priceOption()).option("--peaks <list>", "the table’s peaks (default: 0.5 to 2 times --peak-rps)", listOf(exactRate)).option("--utilizations <list>", "the table’s shares (default: 0.6 to 0.9)", listOf(share)).addHelpText("after", example("capacity-gate plan --from inference-capacity-pack --peak-rps 36 --utilization 0.75 --price-per-gpu-hour 2.5", "capacity-gate plan --capacity-rps 24 --replicas 4 --gpus-per-replica 2 --peak-rps 36 --utilization 0.75")).action((options) => planCommand(desk, options));
};
async function planCommand(desk, options) {
	const { figures, source } = options.from === void 0 ? byHand(options) : await measuredAt(desk, options);
	const asked = {
		peakMilliRps: milliRps(options.peakRps),
		utilizationMillionths: millionths(options.utilization),
		pricePerGpuHour: options.pricePerGpuHour ?? null
	};
	const states = figures.map(({ cache, measured }) => {
		const now = options.replicasNow === void 0 ? {} : { replicasNow: options.replicasNow };
		return {
			cache,
			measured,
			plan: planReplicas({
				...measured,
				...asked,
				...now
			}),
			table: replicaTable(measured, sharesOf(options), peaksOf(options))
		};
	});
	const report = {
		...asked,
		source,
		states
	};
	const json = {
		...needingMost(states).plan,
		source,
		states
	};
	desk.finish({
		exitCode: EXIT.ok,
		text: planText(report),
		json
	});
}
function byHand({ capacityRps, replicas, gpusPerReplica }) {
	if (capacityRps === void 0 || replicas === void 0 || gpusPerReplica === void 0) throw usage("no capacity is given", "name what was measured with --from, or give --capacity-rps, --replicas and --gpus-per-replica");
	return {
		figures: [{
			cache: null,
			measured: {
				capacityMilliRps: milliRps(capacityRps),
				replicas,
				gpusPerReplica
			}
		}],
		source: null
	};
}
async function measuredAt(desk, options) {
	const { from = "", gate, cache } = options;
	if (BY_HAND.some((name) => options[name] !== void 0)) throw usage("--from brings the capacity with its replicas and GPUs, and they were given as well", "leave out --capacity-rps, --replicas and --gpus-per-replica; what runs today is --replicas-now");
	const run = /^(branch|dir|file):/.test(from) ? await acceptedAt(desk, from, gate) : await runAt(from);
	const { states, ...basis } = planBasis(run, cache);
	return {
		figures: states,
		source: {
			name: nameOf(run),
			basis
		}
	};
}
async function acceptedAt(desk, from, gate) {
	if (gate === void 0 && !from.startsWith("file:")) throw usage("--gate is missing: a place of baselines holds those of several gates", "name it as gate.id in its manifest does");
	return acceptedRun(await openStore(from, clonedRepository(desk.inputs)), gate ?? "");
}
async function runAt(path) {
	const { file, text } = await readRunRecord("the run", path);
	return measuredRun(parseCapacityRecord(text, file), await verdictBeside(file));
}
function nameOf({ record: { gateId, subject, createdAt }, verdict }) {
	const said = verdict === "accepted" ? "the accepted baseline" : verdict === null ? "no verdict" : verdict.outcome;
	return [...[
		gateId,
		`${subject.name} ${subject.version}`,
		createdAt.slice(0, 10)
	].map((part) => plainText(part, 100)), said].join(", ");
}
const TABLE_SHARES = [
	.6,
	.7,
	.8,
	.9
];
const TABLE_PEAKS = [
	.5,
	.75,
	1,
	1.25,
	1.5,
	2
];
function sharesOf({ utilizations, utilization }) {
	return ascending((utilizations ?? [...TABLE_SHARES, utilization]).map(millionths));
}
function peaksOf({ peaks, peakRps }) {
	return ascending(peaks?.map(milliRps) ?? TABLE_PEAKS.map((factor) => Math.ceil(milliRps(peakRps) * factor)));
}
function ascending(values) {
	return [...new Set(values)].toSorted((a, b) => a - b);
}
function millionths(value) {
	return Math.round(value * 1e6);
}
function share(text) {
	const value = parseDecimal(text);
	const isExact = Math.abs(value * 1e6 - millionths(value)) < 1e-6;
	if (value > 0 && value <= 1 && isExact) return value;
	const meant = value > 1 && value <= 100 ? ` ${value} % is ${value / 100}.` : "";
	throw new InvalidArgumentError(`${quoted(text)} is no share above 0 and at most 1, with at most six decimals.${meant}`);
}
const MOST_ENTRIES = 12;
function listOf(one) {
	return (text) => {
		const parts = text.split(",");
		if (parts.length > MOST_ENTRIES) throw new InvalidArgumentError(`more than ${MOST_ENTRIES} entries.`);
		return parts.map((part) => one(part.trim()));
	};
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
			isDocument: true,
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
	program.command("promote").description("Accept a capacity record as the baseline; refused with the reasons where it cannot be one.").requiredOption("--candidate <file>", "the capacity.json of a finished sweep").requiredOption("--to <ref>", "where baselines are kept: branch:NAME[:FOLDER] of the clone’s origin, or dir:PATH").option("--anchor", "accept it as the last release’s as well").option("--new-experiment", "the manifest’s experiment was changed, and that is meant").option("--reason <text>", "why, kept beside the record").option("--yes", "accept it without a reason").addHelpText("after", example("capacity-gate promote --candidate accepted/capacity.json --to branch:capacity-baselines --reason \"the first baseline\"", "capacity-gate promote --candidate accepted/capacity.json --to dir:capacity-baselines --yes")).action(async ({ candidate, to, reason, ...flags }) => {
		const [anchor, newExperiment] = [flags.anchor ?? false, flags.newExperiment ?? false];
		const acceptance = ownAcceptance(reason, flags.yes ?? false);
		const store = await openStore(to, clonedRepository(desk.inputs));
		const { file, text } = await readRecordFile("the candidate", candidate);
		const record = parseCapacityRecord(text, file);
		const verdict = await verdictBeside(candidate);
		const promoted = await promote(store, {
			file,
			record,
			anchor,
			newExperiment,
			acceptance,
			verdict
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
	const facts = factsOf$1({
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
	if (rate !== void 0) return { openMilliRps: milliRps(rate) };
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
	program.command("report").description("Render what a finished run’s pack says, offline.").argument("<pack>", "the folder that the run wrote").addOption(new Option("--format <format>", "Markdown or one HTML file for people, or JSON").choices([
		"markdown",
		"html",
		"json"
	]).default("markdown")).addHelpText("after", example("capacity-gate report inference-capacity-pack --format html > report.html")).action(async (folder, { format }) => {
		const pack = await openPack(folder);
		const input = await readPackReport(pack);
		const json = {
			verdict: input.verdict,
			capacity: input.record
		};
		const text = await {
			markdown: () => renderReportMarkdown(input),
			html: () => reportPage(pack, input),
			json: () => `${JSON.stringify(json, null, 2)}\n`
		}[format]();
		desk.finish({
			exitCode: EXIT.ok,
			text,
			isDocument: true,
			json
		});
	});
};
const addRun = (program, desk) => {
	addRunOptions(program.command("run").description("The whole flow: deploy, replay, judge, compare; writes the pack and ends as the verdict says.").argument("<manifest>", "the workload-manifest.yaml").requiredOption("--pack <dir>", "the folder for everything the run leaves")).addHelpText("after", example("capacity-gate run workload-manifest.yaml --plan sweep --pack accepted --on-missing-baseline record", "capacity-gate run workload-manifest.yaml --pack pack --baseline dir:capacity-baselines")).action((path, options) => runCommand(desk, path, options));
};
function addRunOptions(command) {
	return command.addOption(new Option("--plan <plan>", "confirm asks at the guard rate, sweep finds the capacity").choices(["confirm", "sweep"]).default("confirm")).addOption(baselineOption()).addOption(cacheOption()).addOption(subjectOption()).option("--resume", "go on with the interrupted run in --pack at its next point").addOption(new Option("--on-missing-baseline <what>", "without an accepted record: inconclusive, or record an ungated run").choices(["fail", "record"]).default("fail")).addOption(acceptedOption()).addOption(onHostChangeOption()).addOption(onInconclusiveOption()).option("--budget-minutes <m>", "refuse a longer plan, and begin no point after it", positiveNumber).option("--lock-wait-minutes <m>", "wait so long for another run on the same ports or GPUs", positiveNumber);
}
async function runCommand({ inputs, note, finish }, path, options) {
	const { manifest, text, subjectText } = await readManifestFile(path, "deployable", options.subject);
	const read = await readAcceptedFile(options.accepted);
	const acceptedLosses = read === null ? null : requireAcceptedLosses(read, acceptedFacts(manifest, today()));
	for (const { message, line } of acceptedLosses?.warnings ?? []) note(`warning: ${plainText(`${options.accepted}:${line}: ${message}`, 1e3)}`);
	const baselineRef = options.baseline === void 0 ? {} : { baselineRef: options.baseline };
	const subjectFile = subjectText === null ? {} : { hasSubjectFile: true };
	const context = {
		toolVersion: TOOL_VERSION,
		packPath: options.pack,
		...subjectFile,
		...baselineRef
	};
	const store = options.baseline === void 0 ? null : await openStore(options.baseline, clonedRepository(inputs));
	await interruptible(async (signal) => {
		try {
			var _usingCtx$1 = _usingCtx();
			const composed = _usingCtx$1.a(await composeEffects(inputs, {
				packFolder: options.pack,
				manifest,
				manifestPath: path,
				signal,
				lockWaitMinutes: options.lockWaitMinutes ?? 0
			}));
			const request = {
				manifest,
				manifestText: text,
				subjectText,
				plan: options.plan,
				caches: options.cache,
				resume: options.resume ?? false,
				onMissingBaseline: options.onMissingBaseline,
				acceptedLosses,
				onHostChange: options.onHostChange,
				budgetMinutes: options.budgetMinutes ?? null,
				context
			};
			const { record: candidate, ...rest } = await run({
				...composed.effects,
				store
			}, request, signal);
			const typed = {
				manifest: path,
				argv: inputs.argv,
				freshPack: await unusedFolder(options.pack)
			};
			const paint = painter(inputs.paper?.hasColor ?? false);
			finish(verdictResult({
				candidate,
				...rest
			}, options.onInconclusive, context, {
				paint,
				typed
			}));
		} catch (_) {
			_usingCtx$1.e = _;
		} finally {
			await _usingCtx$1.d();
		}
	}, `go on at the next point: ${resumeCommand(inputs.argv)}`);
}
function resumeCommand(argv) {
	return typedCommand(argv.includes("--resume") ? argv : [...argv, "--resume"]);
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
const addSignOff = (program, desk) => {
	program.command("sign-off").description("Sign a release off by the verdicts of its packs, as an in-toto test result; or check a sign-off.").argument("[packs...]", "folders that runs wrote, or folders of such").option("--out <folder>", "the folder for sign-off.json and sign-off.md", "sign-off").option("--subject <digest>", "the one that is signed off: sha256:… of its image, or its hash").option("--policy <file>", `what a release must show, and what is waived (default: ${POLICY_PATH}, where there is one)`).option("--requires <list>", "of cold, warm, drill, parity: instead of the policy’s", requirements).option("--max-age-days <days>", "the oldest evidence that counts: instead of the policy’s", wholeNumber).option("--evidence <name=file>", "a drill or parity: an in-toto test result; may be given again", collected).option("--baseline <ref>", "where baselines are kept: verdicts against others are refused").option("--allow-simulated", "take runs of the embedded engine; what is signed off is marked as simulated").option("--check <file>", "instead of packs: whether that sign-off still holds for --subject").addHelpText("after", example("capacity-gate sign-off pack-cold pack-warm --subject sha256:… --baseline branch:capacity-baselines", "capacity-gate sign-off --check sign-off/sign-off.json --subject sha256:…")).action(async (packs, options) => {
		if (options.check !== void 0) await check(desk, packs, options.check, options);
		else await make(desk, packs, options);
	});
};
async function make(desk, packs, options) {
	if (packs.length === 0) throw usage("no pack is named", "name the folders that the release’s runs wrote");
	const { out, subject = "", evidence = [], baseline } = options;
	const nowMs = Date.now();
	await removeEarlierSignOff(out);
	const made = await makeSignOff({
		packs,
		policy: await policyFor(desk, options, nowMs),
		subject,
		evidence,
		store: baseline === void 0 ? null : await openStore(baseline, clonedRepository(desk.inputs)),
		allowSimulated: options.allowSimulated ?? false,
		approval: null,
		packsFrom: null,
		runUrl: null,
		nowMs,
		out
	});
	const text = `${signOffText(made.predicate)}\n${plainText(made.predicatePath, 500)}`;
	desk.finish({
		exitCode: made.exitCode,
		text,
		json: jsonOf(made)
	});
}
function jsonOf({ predicate, predicatePath, reportPath }) {
	return {
		predicatePath,
		reportPath,
		predicate
	};
}
async function policyFor(desk, { policy: named, requires, maxAgeDays }, nowMs) {
	const isThere = await stat(POLICY_PATH).catch(() => null) !== null;
	const path = named ?? (isThere ? ".capacity-gate/sign-off.yaml" : null);
	const read = path === null ? NO_POLICY : await readPolicyFile(path, nowMs, (findings) => {
		for (const finding of findings) desk.note(findingText(path, finding));
	});
	const policy = { ...read.policy };
	if (requires !== void 0) policy.requires = requires;
	if (maxAgeDays !== void 0) policy.max_age_days = maxAgeDays;
	return {
		...read,
		policy
	};
}
async function check(desk, packs, file, options) {
	if (packs.length > 0) throw usage("--check reads a sign-off, and no packs", "leave the packs out, or --check");
	const nowMs = Date.now();
	const { policy, sha256 } = await policyFor(desk, options, nowMs);
	const { predicate, problems, exitCode } = await readAndCheck({
		file,
		subject: options.subject ?? "",
		requires: sha256 === null ? options.requires ?? [] : policy.requires,
		allowSimulated: options.allowSimulated ?? false,
		nowMs
	});
	const lines = problems.map(({ code, text }) => `${plainText(text, 500)} [${code}]`);
	const { expiresOn } = predicate.capacityGateSignOff;
	const text = lines.length > 0 ? `NOT SIGNED OFF\n${lines.join("\n")}` : `${signOffText(predicate)}\nholds, until ${expiresOn}`;
	desk.finish({
		exitCode,
		text,
		json: {
			problems,
			predicate
		}
	});
}
function collected(value, before = []) {
	return [...before, value];
}
function requirements(text) {
	try {
		return requirementsOf(text);
	} catch (error) {
		throw error instanceof GateError ? new InvalidArgumentError(`${error.message}: ${error.hint}.`) : error;
	}
}
const addVerify = (program, desk) => {
	program.command("verify").description("Recompute every number of a pack from its raw files, and check its checksums.").argument("<pack>", "the folder that a run wrote").option("--sources <dir>", "the manifest’s folder: the trace or dataset beside it, to build the schedules again").addHelpText("after", example("capacity-gate verify inference-capacity-pack")).action(async (folder, { sources }) => {
		if (sources !== void 0) await requireFolder("the folder of --sources", sources);
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
function verifyText({ discrepancies, unverified, partial, files, points }, folder) {
	const lines = [...discrepancies, ...unverified].map(({ code, path, text }) => `${plainText(path, 500)}: ${plainText(text, 500)} [${code}]`);
	const checked = `${files} files, ${points} points judged again`;
	const said = discrepancies.length === 0 && partial !== null ? "PARTIAL: the run was ended before its verdict; what it had judged follows from the raw files" : discrepancies.length > 0 ? `${discrepancies.length} ${discrepancies.length === 1 ? "thing does" : "things do"} not follow from the raw files` : unverified.length > 0 ? "every number follows from the raw files, and from the schedules as they stand" : "every number follows from the raw files";
	const unfinished = (partial?.unfinished ?? []).map((name) => `points/${plainText(name, 200)}: was not finished, and is not judged [unfinished]`);
	return [
		...lines,
		...unfinished,
		`${plainText(folder, 500)}: ${checked}: ${said}`
	].join("\n");
}
function misuseOf(error, program, argv) {
	const called = calledCommands(program, argv);
	const command = called.length === 0 ? null : called.map((one) => one.name()).join(" ");
	if (!(error instanceof CommanderError && error.code === "commander.missingMandatoryOptionValue")) return {
		error,
		command
	};
	const options = [program, ...called].flatMap((one) => one.options);
	const flag = firstUnknown(options, argv);
	return {
		error: flag === null ? error : unknownOption(flag, options),
		command
	};
}
function calledCommands(program, argv) {
	const [first, second] = argv.filter((word) => !word.startsWith("-"));
	const command = program.commands.find((one) => one.name() === first);
	return [command, command?.commands.find((one) => one.name() === second)].flatMap((one) => one ?? []);
}
function unknownOption(flag, options) {
	const names = options.flatMap(({ long }) => long?.slice(2) ?? []);
	const meant = nearest$1(flag.slice(2), names);
	const suggestion = meant === null ? "" : `\n(Did you mean --${meant}?)`;
	return new CommanderError(EXIT.usage, "commander.unknownOption", `error: unknown option '${flag}'${suggestion}`);
}
function firstUnknown(options, argv) {
	for (let at = 0; at < argv.length; at += 1) {
		const [flag = ""] = (argv[at] ?? "").split("=");
		if (flag === "--") return null;
		if (!flag.startsWith("--") || flag === "--help") continue;
		const option = options.find(({ long }) => long === flag);
		if (option === void 0) return flag;
		if (option.required && flag === argv[at]) at += 1;
	}
	return null;
}
function refuseEmpty(command) {
	const argument = command.processedArgs.flat().indexOf("");
	if (argument >= 0) throw emptyInput(`the argument ${command.registeredArguments[Math.min(argument, command.registeredArguments.length - 1)]?.name() ?? argument + 1}`);
	const option = command.options.find((one) => {
		const value = command.getOptionValue(one.attributeName());
		return command.getOptionValueSource(one.attributeName()) === "cli" && (value === "" || Array.isArray(value) && value.includes(""));
	});
	if (option !== void 0) throw emptyInput(option.long ?? option.name());
}
function emptyInput(what) {
	return usage(`${what} is empty`, "give it a value; in a script, look whether its variable is set");
}
const COMMANDS = [
	addInit,
	addRun,
	addLint,
	addEstimate,
	addSchedule,
	addProfile,
	addReplay,
	addAnalyze,
	addGate,
	addReport,
	addExplain,
	addVerify,
	addCalibrate,
	addDoctor,
	addImport,
	addClean,
	addPromote,
	addSignOff,
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
		note: (text) => inputs.screen.write(`${noted(text, inputs.screen)}\n`),
		finish: (finished) => void (result = finished)
	}, help);
	try {
		await parse(program, inputs.argv, help);
		await writeOut(result === null ? help.join("") : shown(result, program.opts()["json"] === true, inputs.paper ?? PIPE));
		return result?.exitCode ?? EXIT.ok;
	} catch (thrown) {
		const { error, command } = misuseOf(thrown, program, inputs.argv);
		const failure = failureOf$2(error, command);
		inputs.screen.write(failureText(failure, isDebug));
		return failure.exitCode;
	}
}
const PIPE = {
	columns: null,
	hasColor: false
};
function shown(result, asJson, { columns }) {
	if (asJson) return `${JSON.stringify(result.json, null, 2)}\n`;
	const text = result.isDocument ? result.text : harmless(result.text);
	const set = result.isDocument || columns === null ? text : wrapped(text, columns);
	return set.endsWith("\n") ? set : `${set}\n`;
}
function noted(text, { isTerminal, columns }) {
	return isTerminal ? wrapped(harmless(text), columns()) : harmless(text);
}
async function parse(program, argv, help) {
	try {
		await program.parseAsync(argv, { from: "user" });
	} catch (error) {
		if (!(error instanceof CommanderError) || error.exitCode !== 0 || help.length === 0) throw error;
	}
}
function buildProgram(desk, help) {
	const program = new Command("capacity-gate").description("Tells whether a pinned inference-engine revision still carries the accepted SLO-compliant capacity.").version(TOOL_VERSION, "--version", "print the version").option("--json", "print one JSON value on standard output, and nothing else there").option("--debug", "print the stack of an error").helpOption("--help", "say what there is").helpCommand(false).configureHelp({
		showGlobalOptions: true,
		helpWidth: Math.min(120, Math.max(60, desk.inputs.screen.columns()))
	}).configureOutput({
		writeOut: (text) => void help.push(text),
		writeErr: () => {},
		outputError: () => {}
	}).exitOverride().addHelpText("after", EPILOGUE).hook("preAction", (_, command) => refuseEmpty(command));
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
const { stderr, stdin, stdout } = process;
const canAnswer = stdin.isTTY === true && stderr.isTTY === true;
const hasColor = (stream) => styleText("bold", "x", { stream }) !== "x";
const inputs = {
	argv: process.argv.slice(2),
	env: { ...process.env },
	cwd: process.cwd(),
	screen: {
		isTerminal: stderr.isTTY === true && process.env["TERM"] !== "dumb",
		hasColor: hasColor(stderr),
		columns: () => stderr.columns || 80,
		write: (text) => void stderr.write(text)
	},
	paper: {
		columns: stdout.isTTY === true ? stdout.columns || 80 : null,
		hasColor: hasColor(stdout)
	},
	...canAnswer ? { questions: () => terminalQuestions(stdin, stderr) } : {}
};
stderr.on("error", () => {});
process.on("uncaughtException", (error) => {
	stderr.write(failureText(failureOf$2(error), inputs.argv.includes("--debug")));
	process.exit(EXIT.failed);
});
process.exitCode = await runCli(inputs, standardOutput(process.stdout));
export {};
