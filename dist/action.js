import { $ as requireWithinBudget, A as findPacks, At as setAsideEarlierPack, Ct as acceptedFacts, D as dayBefore, Dt as requireAcceptedLosses, Et as recordAcceptedFacts, H as failureText, J as effectivePlan, M as renderTrendPage, Mt as openStore, O as pointsOfRun, Ot as readAcceptedLosses, Q as verifyPack, T as addToHistory, V as failureOf, X as requireManifest, Y as promote, Z as lint, a as NO_POLICY, b as drawPage, d as renderSignOff, f as signOffText, g as estimateRun, h as estimateText, i as removeEarlierSignOff, j as openHistory, k as readTrends, m as estimateMarkdown, n as makeSignOff, p as estimateComment, q as run, r as readAndCheck, s as readPolicyFile, t as interruptible, u as isSigned, v as workflowRepository, w as trendText, wt as acceptedFloorsOf, x as faultsText, y as readHistoryRun, z as today } from "./chunk-0-interruptible.js";
import { Ci as differingFields, Cr as milliRps, Da as parseCapacityRecord, Er as plural, Kt as gate, N as systemClock, Or as signedPercent, Qr as table, Ti as identify, Ut as finishPack, Xr as columns, Y as isMarked, Zi as openPack, Zr as cut, _ as composeEffects, _r as plainText, ai as readPackText, c as planDrifts, ea as INPUT_LIMITS, ha as _usingCtx, hr as markdownText, i as duplicateText, in as readPackManifest, ka as parseVerdict, l as latest, mr as markdownCode, n as capacityText, no as EXIT, q as commentMarker, r as driftText, ra as writeOutput, ro as GateError, ta as readInputText, vr as commitLink, wi as gateId, x as TOOL_VERSION, y as manifestSources, yn as changeText, yr as safeUrl } from "./chunk-0-read-pack.js";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { E as runLink, _ as estimateOutputs, b as packOutputs, c as reportContext, d as CALLS, f as readActionInputs, g as summarise, h as setOutputs, l as requireApproved, m as publish, o as saveEnd, p as postComment, s as saveRun, t as runnerDesk, u as githubClient, v as failureOutputs, w as noticeComment, x as signOffOutputs, y as historyOutputs } from "./chunk-0-runner-desk.js";
async function packRecord(pack) {
	return parseCapacityRecord(await readPackText(pack, "capacity.json"));
}
async function packVerdict(pack) {
	return await pack.read("verdict.json") === null ? null : parseVerdict(await readPackText(pack, "verdict.json"));
}
async function gatePack(pack, store, request) {
	const record = await packRecord(pack);
	const accepted = await store.load({
		gateId: record.gateId,
		kind: record.kind,
		mustEqual: record.hardware.mustEqual
	});
	return finishPack(pack, record, {
		...accepted,
		...request
	});
}
const NAMED = 3;
async function judgeForeignPack(pack, store, request) {
	const { manifest, sources, onMissingBaseline, onHostChange, acceptedLosses, isFork, context } = request;
	const record = await packRecord(pack);
	requireGate(record, manifest);
	await requireExperiment(pack, manifest);
	const { discrepancies, unverified } = await verifyPack(pack, sources);
	if (discrepancies.length > 0) throw inconsistent(discrepancies);
	const { kind, hardware } = record;
	const { baseline, anchor } = await store.load({
		gateId: record.gateId,
		kind,
		mustEqual: hardware.mustEqual
	});
	const verdict = gate({
		candidate: record,
		baseline,
		anchor,
		onMissingBaseline,
		onHostChange,
		acceptedLosses
	});
	const recheck = {
		isFork,
		packOutcome: await ownOutcome(pack),
		unbuiltSchedules: unverified.length
	};
	return {
		record,
		verdict,
		baseline,
		anchor,
		context: {
			...context,
			recheck
		}
	};
}
function requireGate(record, manifest) {
	const own = gateId(manifest);
	if (record.gateId === own) return;
	throw new GateError({
		code: "gate_differs",
		message: `the pack is of the gate ${record.gateId.slice(0, 80)}, and the manifest that is checked out here of ${own}`,
		hint: "name the manifest of that gate in the input manifest; where the change renames the gate, merge that first",
		exitCode: EXIT.invalid
	});
}
async function requireExperiment(pack, manifest) {
	const measured = await readPackManifest(pack);
	if (measured.manifest === null) throw inconsistent(measured.discrepancies);
	const [own, other] = [identify(manifest).experiment, identify(measured.manifest).experiment];
	if (own.sha256 === other.sha256) return;
	const fields = differingFields(own.value, other.value).map(({ path }) => path);
	throw new GateError({
		code: "experiment_differs",
		message: `the pack was measured under another experiment than the manifest that is checked out here: ${listed(fields)}`,
		hint: "where that is meant, merge it first and accept a new baseline; capacities of two experiments do not compare",
		exitCode: EXIT.invalid
	});
}
function listed(items) {
	const rest = items.length > NAMED ? `, and ${items.length - NAMED} more` : "";
	return `${items.slice(0, NAMED).join(", ")}${rest}`;
}
function inconsistent(discrepancies) {
	const named = discrepancies.map(({ path, text }) => `${path} ${text}`);
	return new GateError({
		code: "pack_inconsistent",
		message: `the pack does not follow from its own raw files: ${listed(named)}`,
		hint: "publish the pack whole, as the run wrote it; what was changed since is not shown",
		exitCode: EXIT.invalid
	});
}
async function ownOutcome(pack) {
	try {
		return parseVerdict(await readPackText(pack, "verdict.json")).outcome;
	} catch (error) {
		if (error instanceof GateError) return null;
		throw error;
	}
}
const BOUNDS = {
	files: 2e4,
	bytes: 2 * 1024 ** 3,
	depth: 8,
	readBytes: 256 * 1024 ** 2
};
async function openForeignPack(folder, bounds = BOUNDS) {
	const stats = await lstat(folder).catch(() => null);
	if (stats !== null && !stats.isDirectory()) throw refuse("", `it is ${kindOf(stats)}, and no folder`);
	const pack = await openPack(folder, bounds.readBytes);
	await lookAtAll(folder, bounds);
	return pack;
}
async function lookAtAll(root, bounds) {
	let files = 0;
	let bytes = 0;
	const visit = async (folder, depth) => {
		if (depth > bounds.depth) throw refuse(folder, `it lies more than ${bounds.depth} folders deep`);
		for (const name of await readdir(join(root, folder))) {
			const path = folder === "" ? name : `${folder}/${name}`;
			const stats = await lstat(join(root, path)).catch(() => null);
			if (stats === null) throw refuse(path, "it cannot be looked at");
			files += 1;
			if (files > bounds.files) throw refuse("", `it holds more than ${bounds.files} files and folders`);
			if (stats.isDirectory()) await visit(path, depth + 1);
			else if (!stats.isFile()) throw refuse(path, `it is ${kindOf(stats)}`);
			else if (stats.size > bounds.readBytes) throw refuse(path, `it is larger than ${bounds.readBytes} bytes`);
			else bytes += stats.size;
			if (bytes > bounds.bytes) throw refuse("", `it holds more than ${bounds.bytes} bytes`);
		}
	};
	await visit("", 0);
}
function kindOf(stats) {
	if (stats.isSymbolicLink()) return "a symbolic link";
	if (stats.isFIFO()) return "a pipe";
	if (stats.isSocket()) return "a socket";
	return stats.isFile() ? "a file" : "a device";
}
function refuse(path, why) {
	const what = path === "" ? "the pack" : `the pack’s ${JSON.stringify(path.slice(0, 200))}`;
	return new GateError({
		code: "pack_refused",
		message: `${what} is refused unread: ${why}`,
		hint: "publish the folder that a run wrote, as it wrote it",
		exitCode: EXIT.invalid
	});
}
function noVerdictComment(found) {
	const { gateId, context } = found;
	const marker = commentMarker(gateId, context.commentKey);
	return {
		marker,
		body: (earlier) => noticeComment(marker, noticeOf(found), context, earlier),
		isIn: (body) => isMarked(body, marker) && body.includes(whyLine(found))
	};
}
function noticeOf(found) {
	const { hint, context } = found;
	const at = commitLink(context, context.headSha);
	return {
		heading: "❌ No verdict on this commit",
		text: `${whyLine(found)}${at === "" ? "" : ` Head: ${at}.`}`,
		steps: [markdownText(hint, 500), `The ${runLink(context)} that measured says what it found; nothing of it is believed here.`]
	};
}
function whyLine({ code, what }) {
	return `**No verdict:** ${markdownText(what, 500)} (${markdownCode(code, 60)}).`;
}
function findingAnnotations({ file, findings }) {
	return findings.map(({ severity, rule, path, message, hint, line, column }) => {
		const place = path.startsWith("subject override") ? {} : {
			file,
			line,
			column
		};
		return {
			level: severity,
			title: rule,
			message: `${path === "" ? "" : `${path}: `}${message}. ${hint}`,
			...place
		};
	});
}
async function checkedOutLosses(desk, inputs, facts) {
	const { accepted: file } = inputs;
	const text = await textOf(file);
	if (text === null) return null;
	const { findings } = readAcceptedLosses(text, facts);
	desk.publisher(inputs).annotate(findingAnnotations({
		file,
		findings
	}));
	return requireAcceptedLosses({
		file,
		text
	}, facts);
}
async function textOf(path) {
	if (path === "") return null;
	try {
		return await readInputText({
			what: "the accepted losses",
			path,
			maximumBytes: INPUT_LIMITS.manifest
		});
	} catch (error) {
		if (error instanceof GateError && error.code === "file_not_found") return null;
		throw error;
	}
}
async function commentOnPack(desk, inputs, context, openBaselines) {
	const manifest = await checkedOutManifest(inputs);
	try {
		const pack = await openForeignPack(inputs.pack);
		const request = {
			manifest,
			acceptedLosses: (await checkedOutLosses(desk, inputs, acceptedFacts(manifest, today())))?.losses ?? [],
			sources: manifestSources(desk, inputs.manifest),
			onMissingBaseline: inputs.onMissingBaseline,
			onHostChange: inputs.onHostChange,
			isFork: desk.facts.isFork,
			context
		};
		await publish(desk, inputs, await judgeForeignPack(pack, await openBaselines(), request));
		return EXIT.ok;
	} catch (error) {
		const { code, what, hint } = failureOf(error);
		await postComment(desk, inputs, noVerdictComment({
			gateId: gateId(manifest),
			code,
			what,
			hint,
			context
		}));
		throw error;
	}
}
async function checkedOutManifest({ manifest: path }) {
	const text = await readInputText({
		what: "the manifest",
		path,
		maximumBytes: INPUT_LIMITS.manifest
	});
	return requireManifest({
		file: path,
		text,
		level: "valid"
	});
}
const ROUNDS = 5;
async function settleDrifts(tracker, found, again) {
	const done = new Map();
	let trends = found;
	let issues = [];
	let refused = null;
	const look = async () => {
		issues = await tracker.list();
		return planDrifts(trends, issues);
	};
	const stillDue = (planned) => async () => {
		trends = await again();
		return (await look()).some((now) => isSame(now, planned));
	};
	try {
		for (let round = 0; round < ROUNDS; round += 1) if (!await writeDue(tracker, await look(), done, stillDue)) break;
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		refused = error.message;
	}
	return {
		drifts: planDrifts(trends, issues).map((planned) => settled(planned, issues, done)),
		refused
	};
}
const STATES = {
	update: "kept",
	reopen: "reopened",
	close: "over"
};
function isSame(one, other) {
	const told = ({ key, action, facts, issue, duplicates }) => JSON.stringify([
		key,
		action,
		facts,
		issue,
		duplicates
	]);
	return told(one) === told(other);
}
async function writeDue(...order) {
	try {
		return await write(...order);
	} catch (error) {
		if (error instanceof GateError && error.code === "issue_outdated") return true;
		throw error;
	}
}
async function write(tracker, plan, done, stillDue) {
	let isWritten = false;
	for (const planned of plan) {
		const { action, key, issue, duplicates } = planned;
		const text = driftText(planned);
		const isDue = stillDue(planned);
		if (action === "open" && done.has(key)) throw unseen();
		if (text !== null) {
			if (text.title !== null && action === "open") await tracker.open({
				...text,
				title: text.title
			}, isDue);
			else if (issue !== null && action in STATES) await tracker.update(issue.number, text, STATES[action], isDue);
			if (!done.has(key)) done.set(key, action);
		}
		for (const { number } of duplicates) await tracker.update(number, duplicateText(key, issue?.number ?? 0), "duplicate", isDue);
		isWritten ||= text !== null || duplicates.length > 0;
	}
	return isWritten;
}
function unseen() {
	return new GateError({
		code: "issues_refused",
		message: "the issue that was opened is not found again: its label was dropped, and the next night would open another one; let the token’s owner set labels",
		hint: "give the token the right to set labels"
	});
}
function settled({ action, key, trend, issue }, issues, done) {
	const found = issues.find(({ number }) => number === issue?.number);
	const isIdle = action === "keep" || action === "leave" || action === "none";
	return {
		trend,
		action: done.get(key) ?? (isIdle ? action : null),
		issue: found ? {
			number: found.number,
			url: found.url
		} : null
	};
}
const SERIES_MAX = 40;
function renderHistorySummary(summary) {
	const { added, known, location, passedOver, drifts, refused } = summary;
	const rest = known === 0 ? "" : `; ${plural(known, "point")} of these runs were there already`;
	const { shown, rest: more } = cut(drifts, SERIES_MAX, "series");
	return [
		`## ${headingOf(drifts)}`,
		`${plural(added, "point")} added to ${markdownCode(location)}${rest}.`,
		...passedOver.length === 0 ? [] : [passedOver.map((text) => `- passed over: ${markdownText(text, 500)}`).join("\n")],
		...shown.length === 0 ? [] : [table(columns("series", "state", "last RPS:", "Δ %:", "since", "issue"), shown.map(row))],
		...more === "" ? [] : [more],
		...refused === null ? [] : [`_Not every issue could be written: ${markdownText(refused, 500)}._`],
		""
	].join("\n\n");
}
function headingOf(drifts) {
	const isIn = (...states) => drifts.filter(({ trend }) => states.includes(trend.drift.state)).length;
	const [falls, short] = [isIn("drifting"), isIn("short")];
	const few = short === 0 ? "" : `, too few values in ${short} series`;
	if (falls > 0) return `📉 Capacity history: ${plural(falls, "drift")}${few}`;
	return short === drifts.length ? "⏳ Capacity history: too few values to see a drift" : `✅ Capacity history: no drift${few}`;
}
function driftLine(trend) {
	const { series, cache } = latest(trend);
	return `${plainText(series, 80)}, ${cache}: ${trendText(trend)}`;
}
function renderHistoryLog({ added, known, location, passedOver, drifts, refused }) {
	const lines = drifts.map(({ trend, action, issue }) => {
		const told = action === null || action === "none" ? "" : `; issue ${issue === null ? "" : `#${issue.number} `}${DONE[action]}`;
		return `${driftLine(trend)}${told}`;
	});
	return [
		`${plural(added, "point")} added to ${plainText(location, 300)}${known === 0 ? "" : `, ${known} there already`}`,
		...passedOver.map((text) => `passed over: ${plainText(text, 500)}`),
		...lines,
		...refused === null ? [] : [`not every issue could be written: ${plainText(refused, 500)}`]
	].join("\n");
}
function row({ trend, action, issue }) {
	const { drift } = trend;
	const point = latest(trend);
	const fall = drift.state === "drifting" ? drift.fall : null;
	return [
		`${markdownCode(point.series, 60)}, ${point.cache}`,
		drift.state,
		capacityText(point).replace("<", "&lt;"),
		fall === null ? "–" : signedPercent(fall.share),
		fall?.since ?? "–",
		issueCell(action, issue)
	];
}
function issueCell(action, issue) {
	if (action === "none" || action === null && issue === null) return "–";
	const url = safeUrl(issue?.url);
	return `${issue === null || url === null ? "" : `[#${issue.number}](${url}) `}${action === null ? "" : DONE[action]}`.trim();
}
const DONE = {
	open: "opened",
	reopen: "opened again",
	update: "updated",
	close: "closed",
	keep: "open",
	leave: "closed by hand",
	none: ""
};
function fallsOf(drifts) {
	return drifts.flatMap(({ trend, issue }) => {
		if (trend.drift.state !== "drifting") return [];
		const { series, cache } = latest(trend);
		const { since, share, beforeMilliRps, nowMilliRps } = trend.drift.fall;
		const url = safeUrl(issue?.url);
		return [{
			series: plainText(series, 200),
			cache,
			since,
			before_rps: Number(milliRps(beforeMilliRps)),
			now_rps: Number(milliRps(nowMilliRps)),
			delta_percent: Number((share * 100).toFixed(1)),
			issue_url: url
		}];
	});
}
async function keepHistory(desk, inputs) {
	requireNoProposal(desk.facts);
	const now = systemClock().wallTime();
	const { points, unfit } = await readPoints(inputs, now);
	const store = await openHistory(inputs.history, workflowRepository(desk, inputs), { drawPage });
	const keepFrom = dayBefore(now, inputs.historyKeepDays);
	const { added, known, location, faults: found } = await addToHistory(store, points, keepFrom);
	const { trends, faults } = await readTrends(store);
	await writeOutput(inputs.trendPage, renderTrendPage({
		trends,
		faults,
		toolVersion: TOOL_VERSION
	}));
	const again = async () => (await readTrends(store)).trends;
	const { drifts, refused } = await tellDrifts(desk, inputs, trends, again);
	const passedOver = [...unfit, ...found.length === 0 ? [] : [`${faultsText(found)} of the history`]];
	const falls = fallsOf(drifts);
	setOutputs(desk, historyOutputs(falls, inputs.trendPage, inputs.pack));
	await show$1(desk, inputs, {
		added: added.length,
		known,
		location,
		passedOver,
		drifts,
		refused
	});
	return falls.length > 0 && inputs.onDrift === "fail" ? EXIT.regressed : EXIT.ok;
}
function requireNoProposal({ name, isPullHead, pullRequest, queuedPullRequest, isFork }) {
	if (!isFork && !isPullHead && pullRequest === null && queuedPullRequest === null) return;
	throw new GateError({
		code: "history_of_proposal",
		message: `nothing is added to a history here: this job runs for a proposed change (${name})`,
		hint: "keep the history in a job on the default branch: schedule, push or workflow_dispatch",
		exitCode: EXIT.usage
	});
}
async function readPoints(inputs, now) {
	const points = [];
	const failures = [];
	const packs = await findPacks(inputs.pack);
	for (const path of packs) try {
		const run = await readHistoryRun(path);
		points.push(...pointsOfRun({
			...run,
			series: inputs.series === "" ? run.series : inputs.series
		}, now));
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
		failures.push({
			path,
			error
		});
	}
	const [first] = failures;
	if (first !== void 0 && failures.length === packs.length) throw first.error;
	return {
		points,
		unfit: failures.map(({ path, error }) => `${path}: ${error.message}`)
	};
}
async function tellDrifts(desk, inputs, trends, again) {
	try {
		var _usingCtx$4 = _usingCtx();
		if (inputs.driftIssues === "never") return {
			drifts: trends.map((trend) => ({
				trend,
				action: "none",
				issue: null
			})),
			refused: null
		};
		return await settleDrifts(_usingCtx$4.a(desk.issueTracker(inputs)), trends, again);
	} catch (_) {
		_usingCtx$4.e = _;
	} finally {
		await _usingCtx$4.d();
	}
}
async function show$1(desk, inputs, summary) {
	const publisher = desk.publisher(inputs);
	desk.screen.write(`${renderHistoryLog(summary)}\n`);
	const warning = (title, message) => ({
		level: "warning",
		title,
		message
	});
	publisher.annotate([
		...summary.passedOver.map((text) => warning("Passed over", text)),
		...summary.drifts.flatMap(({ trend }) => trend.drift.state === "drifting" ? [warning("Capacity drift", driftLine(trend))] : []),
		...summary.refused === null ? [] : [warning("Drift issues", summary.refused)]
	]);
	await summarise(desk, publisher, renderHistorySummary(summary));
}
async function lintManifest(desk, inputs, context) {
	const { manifest: file, subject } = inputs;
	const text = await readInputText({
		what: "the manifest",
		path: file,
		maximumBytes: INPUT_LIMITS.manifest
	});
	const result = lint(file, text, "deployable", subject ?? void 0);
	desk.publisher(inputs).annotate(findingAnnotations(result));
	const told = {
		manifestPath: file,
		findings: result.findings,
		context
	};
	if (result.errors > 0) await show(desk, inputs, {
		...told,
		found: null,
		plan: inputs.plan
	});
	const manifest = requireManifest({
		file,
		text,
		level: "deployable",
		...subject === null ? {} : { subject }
	});
	const { plan, asked, estimate } = await estimated(desk, inputs, manifest);
	const gpuMinutes = estimateOutputs(asked?.gpuMinutes ?? null);
	setOutputs(desk, gpuMinutes);
	desk.screen.write(`${estimateText(estimate)}\n`);
	const url = await show(desk, inputs, {
		...told,
		found: {
			gateId: gateId(manifest),
			estimate
		},
		plan
	});
	if (url !== null) setOutputs(desk, {
		...gpuMinutes,
		"comment-url": url
	});
	if (asked !== void 0) requireWithinBudget(asked, inputs.budgetMinutes);
	return EXIT.ok;
}
async function estimated(desk, inputs, manifest) {
	const { caches, pricePerGpuHour, onMissingBaseline } = inputs;
	const plans = inputs.plan === "confirm" ? ["confirm", "sweep"] : ["sweep", "confirm"];
	const losses = await checkedOutLosses(desk, inputs, acceptedFacts(manifest, today()));
	const acceptedFloors = acceptedFloorsOf(manifest, losses);
	const store = await openStore(inputs.baseline, workflowRepository(desk, inputs));
	const estimate = await estimateRun(store, {
		manifest,
		caches,
		plans,
		pricePerGpuHour,
		acceptedFloors
	});
	const { hasBaseline } = estimate;
	const plan = effectivePlan({
		plan: inputs.plan,
		onMissingBaseline,
		manifest,
		hasBaseline
	});
	return {
		plan,
		asked: estimate.plans.find((one) => one.plan === plan),
		estimate
	};
}
async function show(desk, inputs, report) {
	await summarise(desk, desk.publisher(inputs), estimateMarkdown(report));
	return postComment(desk, inputs, estimateComment(report));
}
async function environmentApprovers(access, { owner, repo, runId }, environment) {
	try {
		var _usingCtx$3 = _usingCtx();
		const client = _usingCtx$3.a(githubClient(access));
		try {
			const { data } = await client.octokit.request(CALLS.runApprovals.route, {
				owner,
				repo,
				run_id: runId
			});
			const approving = data.filter(({ state, environments }) => state === "approved" && environments.some(({ name }) => name === environment));
			return [...new Set(approving.flatMap(({ user }) => user ? [user.login] : []))];
		} catch (error) {
			const status = error instanceof Error && "status" in error ? ` (HTTP ${String(error.status)})` : "";
			throw new GateError({
				code: "approvals_unreadable",
				message: `GitHub does not tell who approved run ${runId} of ${owner}/${repo}${status}`,
				hint: `give the job the permission ${CALLS.runApprovals.permission}, then run the step again`,
				cause: error
			});
		}
	} catch (_) {
		_usingCtx$3.e = _;
	} finally {
		await _usingCtx$3.d();
	}
}
async function workflowRun(access, { owner, repo, runId }) {
	try {
		var _usingCtx$2 = _usingCtx();
		const client = _usingCtx$2.a(githubClient(access));
		try {
			const { data } = await client.octokit.request(CALLS.workflowRun.route, {
				owner,
				repo,
				run_id: runId
			});
			const from = data.head_repository?.full_name ?? "";
			return {
				url: data.html_url,
				event: data.event,
				branch: data.head_branch ?? "",
				commit: data.head_sha,
				isOwn: from.toLowerCase() === `${owner}/${repo}`.toLowerCase()
			};
		} catch (error) {
			const status = error instanceof Error && "status" in error ? ` (HTTP ${String(error.status)})` : "";
			throw new GateError({
				code: "run_unreadable",
				message: `GitHub does not tell what run ${runId} of ${owner}/${repo} was${status}`,
				hint: `check its number, and give the job the permission ${CALLS.workflowRun.permission}`,
				cause: error
			});
		}
	} catch (_) {
		_usingCtx$2.e = _;
	} finally {
		await _usingCtx$2.d();
	}
}
async function approvalOf({ env, facts }, { signOff, token }) {
	const { environment } = signOff;
	if (environment === "") return null;
	const place = {
		owner: facts.owner,
		repo: facts.repo,
		runId: Number(env["GITHUB_RUN_ID"] ?? 0)
	};
	const by = await environmentApprovers(accessTo(facts, token), place, environment);
	if (by.length > 0) return {
		environment,
		by
	};
	throw new GateError({
		code: "sign_off_not_approved",
		message: `no reviewer approved the environment ${environment.slice(0, 200)} in this run`,
		hint: "give the job that environment, and the environment required reviewers",
		exitCode: EXIT.invalid
	});
}
const OWN_EVENTS = new Set([
	"push",
	"schedule",
	"workflow_dispatch",
	"repository_dispatch",
	"release",
	"merge_group"
]);
async function sourceRun({ facts }, { signOff, token }) {
	if (signOff.run === null) return null;
	const place = {
		owner: facts.owner,
		repo: facts.repo,
		runId: signOff.run
	};
	const { isOwn, ...run } = await workflowRun(accessTo(facts, token), place);
	if (isOwn && OWN_EVENTS.has(run.event)) return run;
	throw new GateError({
		code: "sign_off_run_foreign",
		message: `run ${signOff.run} ran ${isOwn ? "" : "a fork’s code, "}for ${run.event}: its packs prove nothing of what is released`,
		hint: "measure the release in a run of this repository’s own branch or tag (push, schedule, workflow_dispatch, release, merge_group)",
		exitCode: EXIT.invalid
	});
}
function accessTo({ apiUrl }, token) {
	return {
		token,
		apiUrl,
		toolVersion: TOOL_VERSION
	};
}
const OUT = "sign-off";
async function signOffStep(desk, inputs) {
	return inputs.signOff.check === "" ? sign(desk, inputs) : check(desk, inputs);
}
async function sign(desk, inputs) {
	const nowMs = Date.now();
	await removeEarlierSignOff(OUT);
	const made = await makeSignOff({
		packs: linesOf(inputs.pack),
		policy: await policyFor(desk, inputs, nowMs),
		subject: inputs.signOff.subject,
		evidence: linesOf(inputs.signOff.evidence),
		store: await openStore(inputs.baseline, workflowRepository(desk, inputs)),
		allowSimulated: inputs.signOff.allowSimulated,
		approval: await approvalOf(desk, inputs),
		packsFrom: await sourceRun(desk, inputs),
		runUrl: desk.facts.runUrl,
		nowMs,
		out: OUT
	});
	setOutputs(desk, signOffOutputs(made.predicate, made.predicatePath));
	desk.screen.write(`${signOffText(made.predicate)}\n`);
	await summarise(desk, desk.publisher(inputs), made.markdown);
	desk.publisher(inputs).annotate(problemAnnotations(made.predicate));
	return made.exitCode;
}
async function policyFor(desk, inputs, nowMs) {
	const file = inputs.signOff.policy;
	if (file === "") return NO_POLICY;
	return readPolicyFile(file, nowMs, (findings) => desk.publisher(inputs).annotate(findingAnnotations({
		file,
		findings
	})));
}
function problemAnnotations({ capacityGateSignOff: { requirements, refusals } }) {
	return [...requirements.filter(({ status }) => !isSigned(status)).map(({ requirement, status, text }) => error(`${requirement} is ${status}: ${text}`)), ...refusals.map(({ source, text }) => error(`${source} ${text}`))].slice(0, ANNOTATIONS_MAX);
}
const ANNOTATIONS_MAX = 10;
function error(message) {
	return {
		level: "error",
		title: "Not signed off",
		message: message.slice(0, 1e3)
	};
}
async function check(desk, inputs) {
	const nowMs = Date.now();
	const { policy, sha256 } = await policyFor(desk, inputs, nowMs);
	const { predicate, problems, exitCode } = await readAndCheck({
		file: inputs.signOff.check,
		subject: inputs.signOff.subject,
		requires: sha256 === null ? [] : policy.requires,
		allowSimulated: inputs.signOff.allowSimulated,
		nowMs
	});
	const holds = problems.length === 0;
	setOutputs(desk, signOffOutputs(holds ? predicate : {
		...predicate,
		result: "FAILED"
	}, ""));
	const said = problems.map(({ text }) => text);
	desk.screen.write(`${holds ? signOffText(predicate) : ["NOT SIGNED OFF", ...said.map((text) => `  ${plainText(text, 500)}`)].join("\n")}\n`);
	desk.publisher(inputs).annotate(said.slice(0, ANNOTATIONS_MAX).map(error));
	const lines = said.map((text) => `- ${markdownText(text, 500)}`);
	const markdown = holds ? renderSignOff(predicate) : `## ❌ The sign-off does not hold\n\n${lines.join("\n")}\n`;
	await summarise(desk, desk.publisher(inputs), markdown);
	return exitCode;
}
function linesOf(text) {
	return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}
async function workflowAcceptance(desk, inputs) {
	const { env, facts } = desk;
	const right = await rightOf(desk, inputs);
	return {
		acceptedAt: new Date().toISOString(),
		acceptedBy: env["GITHUB_TRIGGERING_ACTOR"] || env["GITHUB_ACTOR"] || "unknown",
		...right,
		run: facts.runUrl,
		reason: inputs.promoteReason === "" ? defaultReason(desk, right.place) : inputs.promoteReason,
		toolVersion: TOOL_VERSION
	};
}
async function rightOf(desk, inputs) {
	const { env, facts } = desk;
	const environment = inputs.promoteEnvironment;
	if (environment !== "") {
		const approvedBy = await environmentApprovers({
			token: inputs.token,
			apiUrl: facts.apiUrl,
			toolVersion: TOOL_VERSION
		}, {
			owner: facts.owner,
			repo: facts.repo,
			runId: Number(env["GITHUB_RUN_ID"] ?? 0)
		}, environment);
		if (approvedBy.length > 0) return {
			authority: "environment",
			place: environment,
			approvedBy
		};
		throw notAllowed(`no reviewer approved the environment ${environment.slice(0, 200)} in this run`, "give the job that environment, and the environment required reviewers");
	}
	const branch = facts.ownDefaultBranch;
	if (branch !== null) return {
		authority: "default_branch",
		place: branch,
		approvedBy: []
	};
	throw notAllowed(`this job runs for ${facts.name} on ${env["GITHUB_REF"] || "no ref"}, which is not the default branch’s own`, "promote in a job on the default branch (push, schedule, workflow_dispatch), or name a reviewed environment in promote-environment");
}
function defaultReason({ facts }, place) {
	return `${facts.name} in ${place}${facts.headSha === null ? "" : ` at ${facts.headSha}`}`;
}
function notAllowed(message, hint) {
	return new GateError({
		code: "promotion_not_allowed",
		message: `no baseline is accepted here: ${message}`,
		hint,
		exitCode: EXIT.invalid
	});
}
async function runAction(desk) {
	let inputs = null;
	try {
		inputs = readActionInputs(desk.input);
		if (inputs.token !== "") desk.setSecret(inputs.token);
		const exitCode = await perform(desk, inputs);
		saveEnd(desk, "ended");
		return exitCode;
	} catch (error) {
		return fail(desk, inputs, error);
	}
}
async function perform(desk, inputs) {
	const context = reportContext(desk.facts, inputs);
	switch (inputs.command) {
		case "run": return publish(desk, inputs, await measure(desk, inputs, context));
		case "gate": {
			const { onMissingBaseline, onHostChange } = inputs;
			const pack = await openPack(inputs.pack);
			requireGate(await packRecord(pack), await checkedOutManifest(inputs));
			const request = {
				onMissingBaseline,
				onHostChange,
				acceptedLosses: await checkedOutLosses(desk, inputs, recordAcceptedFacts(await packRecord(pack), today())),
				context
			};
			const settled = await gatePack(pack, await openBaselines(desk, inputs), request);
			return publish(desk, inputs, {
				...settled,
				context
			});
		}
		case "comment": return commentOnPack(desk, inputs, context, () => openBaselines(desk, inputs));
		case "promote": return accept(desk, inputs);
		case "history": return keepHistory(desk, inputs);
		case "sign-off": return signOffStep(desk, inputs);
		case "lint": return lintManifest(desk, inputs, context);
	}
}
async function measure(desk, inputs, context) {
	await makeRoom(desk, inputs);
	requireApproved(desk.facts, inputs.approvedSha);
	const { manifest, manifestText } = await readManifest(desk, inputs);
	const acceptedLosses = await checkedOutLosses(desk, inputs, acceptedFacts(manifest, today()));
	await saveRun(desk, gateId(manifest));
	const store = await openBaselines(desk, inputs);
	return interruptible(async (signal) => {
		try {
			var _usingCtx$1 = _usingCtx();
			const composed = _usingCtx$1.a(await composeEffects(desk, {
				packFolder: inputs.pack,
				manifest,
				manifestPath: inputs.manifest,
				signal,
				lockWaitMinutes: inputs.lockWaitMinutes
			}));
			const { plan, caches, onMissingBaseline, onHostChange, budgetMinutes, subject: subjectText } = inputs;
			const request = {
				manifest,
				manifestText,
				subjectText,
				plan,
				caches,
				resume: false,
				onMissingBaseline,
				onHostChange,
				acceptedLosses,
				budgetMinutes,
				context
			};
			return {
				...await run({
					...composed.effects,
					store
				}, request, signal),
				context
			};
		} catch (_) {
			_usingCtx$1.e = _;
		} finally {
			await _usingCtx$1.d();
		}
	});
}
async function makeRoom(desk, inputs) {
	const aside = await setAsideEarlierPack(inputs.pack);
	if (aside === null) return;
	const message = `${inputs.pack} held the pack of an earlier attempt: it is now ${aside}`;
	desk.publisher(inputs).annotate([{
		level: "warning",
		title: "Earlier pack set aside",
		message
	}]);
}
async function readManifest(desk, inputs) {
	const { manifest: file } = inputs;
	const subject = inputs.subject === null ? {} : { subject: inputs.subject };
	const text = await readInputText({
		what: "the manifest",
		path: file,
		maximumBytes: INPUT_LIMITS.manifest
	});
	desk.publisher(inputs).annotate(findingAnnotations(lint(file, text, "deployable", inputs.subject ?? void 0)));
	const manifest = requireManifest({
		file,
		text,
		level: "deployable",
		...subject
	});
	const deploy = manifest.engine.deploy;
	const token = manifest.client.connection.bearer_token_env;
	const secrets = deploy !== void 0 && "secrets" in deploy ? deploy.secrets : [];
	for (const name of token === void 0 ? secrets : [...secrets, token]) {
		const value = desk.env[name];
		if (value) desk.setSecret(value);
	}
	return {
		manifest,
		manifestText: text
	};
}
async function accept(desk, inputs) {
	const pack = await openPack(inputs.pack);
	const [record, verdict] = [await packRecord(pack), await packVerdict(pack)];
	const store = await openBaselines(desk, inputs);
	const promoted = await promote(store, {
		file: `${inputs.pack}/capacity.json`,
		record,
		anchor: inputs.promoteAnchor,
		newExperiment: inputs.newExperiment,
		acceptance: await workflowAcceptance(desk, inputs),
		verdict
	});
	setOutputs(desk, packOutputs(inputs.pack));
	desk.screen.write(`accepted as baseline: ${promoted.path}\n`);
	const warned = promoted.warnings.map(({ text }) => ({
		level: "warning",
		title: "Baseline",
		message: text
	}));
	desk.publisher(inputs).annotate(warned);
	const what = `Accepted as the baseline of ${markdownCode(promoted.gateId)}: ${markdownCode(promoted.path)}`;
	await summarise(desk, desk.publisher(inputs), `${what}\n${changesText(promoted)}`);
	return EXIT.ok;
}
function changesText({ experimentChanges: changes }) {
	const shown = changes.slice(0, CHANGES_SHOWN).map((change) => `- ${markdownText(changeText(change), 500)}`);
	const rest = changes.length > CHANGES_SHOWN ? [`- and ${changes.length - CHANGES_SHOWN} more`] : [];
	return changes.length === 0 ? "" : `\nA new experiment:\n\n${[...shown, ...rest].join("\n")}\n`;
}
const CHANGES_SHOWN = 50;
function openBaselines(desk, inputs) {
	return openStore(inputs.baseline, workflowRepository(desk, inputs));
}
async function fail(desk, inputs, error) {
	const failure = failureOf(error);
	const isInterrupted = failure.code === "interrupted";
	saveEnd(desk, isInterrupted ? "interrupted" : "ended");
	setOutputs(desk, failureOutputs(failure, inputs?.pack ?? ""));
	desk.screen.write(failureText(failure, desk.isDebug));
	const publisher = desk.publisher(inputs);
	publisher.annotate([{
		level: "error",
		title: "Capacity Gate",
		message: `${failure.what}\n${failure.hint}`
	}]);
	const text = `## ❌ Capacity Gate: no verdict\n\n${markdownText(failure.what, 2e3)}\n\nTo mend it: ${markdownText(failure.hint, 2e3)}\n`;
	if (!isInterrupted) await summarise(desk, publisher, text);
	return failure.exitCode;
}
process.exitCode = await runAction(runnerDesk());
export {};
