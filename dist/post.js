import { C as renderSummary, S as commentText, a as readStepState, c as reportContext, f as readActionInputs, g as summarise, i as getState, n as runnerScreen, p as postComment, r as getInput, t as runnerDesk, w as noticeText } from "./chunk-0-runner-desk.js";
import { t as cleanUp } from "./chunk-0-clean-up.js";
import { H as commentMarker, K as parseSession, Ln as earlierHeads, Pn as currentHead, W as isMarked, ar as safeUrl, er as markdownCode, ir as commitLink, ji as openPack, rr as plainText, t as readPackReport, zn as parseHeads } from "./chunk-0-read-pack.js";
const NOTHING = {
	judgedPoints: 0,
	plannedPoints: null,
	point: null
};
const UTF8 = new TextDecoder();
async function runProgress(pack) {
	try {
		const bytes = await pack.read("run.json");
		if (bytes === null) return NOTHING;
		const { points, plannedPoints } = parseSession(UTF8.decode(bytes));
		const unfinished = (await pointFolders(pack)).find((name) => !points.includes(name));
		return {
			judgedPoints: points.length,
			plannedPoints: plannedPoints ?? null,
			point: unfinished ?? null
		};
	} catch {
		return NOTHING;
	}
}
async function pointFolders(pack) {
	const paths = await pack.list("points");
	return [...new Set(paths.map((path) => path.split("/")[1] ?? ""))];
}
async function isFinished(pack) {
	const [verdict, sums] = [await pack.read("verdict.json"), await pack.read("SHA256SUMS")];
	return verdict !== null && sums !== null;
}
const NOTE = /^> ⚠️ A later run of this commit was cancelled[^\n]*\n\n/;
function renderCancelled(run) {
	return noticeText("", notice(run), [], run.context);
}
function cancelledComment(run) {
	const marker = commentMarker(run.gateId, run.context.commentKey);
	return {
		marker,
		body: (earlier) => bodyOf(run, marker, earlier),
		isIn: (body) => isMarked(body, marker)
	};
}
function bodyOf(run, marker, earlier) {
	const told = earlier.map((body) => ({
		body,
		current: currentHead(body)
	}));
	const later = told.find(({ current }) => current !== null && current.at >= run.startedAt);
	if (later !== void 0) return later.body;
	const same = told.find(({ current }) => current !== null && current.head === run.context.headSha);
	if (same !== void 0) return underNote(same.body, marker, run);
	return noticeText(marker, notice(run), earlierHeads(null, parseHeads(earlier)), run.context);
}
function underNote(body, marker, { context }) {
	const rest = body.slice(marker.length).replace(/^\r?\n/, "").replace(NOTE, "");
	const url = safeUrl(context.runUrl);
	return `${marker}\n> ⚠️ A later run of this commit was cancelled${url === null ? "" : ` ([run](${url}))`}: what stands here is an earlier run’s verdict.\n\n${rest}`;
}
function notice(run) {
	const head = commitLink(run.context, run.context.headSha);
	const place = head === "" ? "" : `, head ${head}`;
	return {
		heading: "⚠️ Capacity not measured: the run was cancelled",
		blocks: [
			`**Cancelled** ${where(run)}${place}: nothing is judged. ${kept(run)}`,
			"**What to do**",
			steps(run)
		]
	};
}
function where({ judgedPoints, plannedPoints, point }) {
	if (plannedPoints === null) return "before the first point";
	const number = judgedPoints + 1;
	return `at point ${number}${number > plannedPoints ? `; ${plannedPoints} were planned` : ` of ${plannedPoints}`}${point === null ? "" : ` (${markdownCode(point, 60)})`}`;
}
function kept({ judgedPoints }) {
	if (judgedPoints === 0) return "No point was finished.";
	return judgedPoints === 1 ? "The finished point is in the pack." : `The ${judgedPoints} finished points are in the pack.`;
}
function steps({ how, context }) {
	const url = safeUrl(context.runUrl);
	return `- ${`The page of this ${url === null ? "run" : `[run](${url})`}`} ${how === "interrupted" ? "says whether somebody cancelled it, a newer run did, or it reached its time limit." : "says more: it left no word of its own, as when a job is ended by force or the system runs out of memory."}\n- Run the job again: it measures anew.`;
}
async function runPost(desk) {
	await said(desk, "the clean-up", async () => {
		for await (const line of desk.cleanUp(desk.state.run)) desk.screen.write(`${line}\n`);
	});
	const { run, end } = desk.state;
	if (run === null || end === "ended") return;
	await said(desk, "the comment", () => tell(desk.action(), run, end ?? "gone"));
}
async function said(desk, what, work) {
	try {
		await work();
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		desk.screen.write(`${what} did not finish: ${plainText(message, 500)}\n`);
	}
}
async function tell(desk, run, how) {
	const inputs = readActionInputs(desk.input);
	if (inputs.token !== "") desk.setSecret(inputs.token);
	const context = reportContext(desk.facts, inputs);
	const pack = await openPack(inputs.pack).catch(() => null);
	if (pack !== null && await isFinished(pack)) {
		const report = await readPackReport(pack, context);
		return show(desk, inputs, renderSummary(report), commentText(report));
	}
	const progress = pack === null ? {
		judgedPoints: 0,
		plannedPoints: null,
		point: null
	} : await runProgress(pack);
	const { gateId, startedAt } = run;
	const cancelled = {
		gateId,
		startedAt,
		how,
		...progress,
		context
	};
	await show(desk, inputs, renderCancelled(cancelled), cancelledComment(cancelled));
}
async function show(desk, inputs, summary, text) {
	await summarise(desk, desk.publisher(inputs), summary);
	await postComment(desk, inputs, text);
}
const screen = runnerScreen((text) => void process.stderr.write(text));
const around = {
	env: { ...process.env },
	cwd: process.cwd(),
	screen
};
await runPost({
	state: readStepState(getState),
	screen,
	cleanUp: (run) => cleanUp(around, run, run && getInput("pack")),
	action: runnerDesk
});
export {};
