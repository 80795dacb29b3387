import { C as renderSummary, E as runLink, S as commentText, T as noticeSummary, a as readStepState, c as reportContext, f as readActionInputs, g as summarise, i as getState, n as runnerScreen, p as postComment, r as getInput, t as runnerDesk, w as noticeComment } from "./chunk-0-runner-desk.js";
import { t as cleanUp } from "./chunk-0-clean-up.js";
import { Kn as currentHead, X as PROOF_FOLDER, Y as isMarked, Zi as openPack, _r as plainText, mr as markdownCode, nt as parseSession, q as commentMarker, t as readPackReport, vr as commitLink } from "./chunk-0-read-pack.js";
const NOTHING = {
	judgedPoints: 0,
	plannedPoints: null,
	point: null
};
const SESSIONS = ["", `${PROOF_FOLDER}/`];
const UTF8 = new TextDecoder();
async function runProgress(pack) {
	try {
		const [own, proof] = await Promise.all(SESSIONS.map((folder) => sessionIn(pack, folder)));
		if (!own) return NOTHING;
		return {
			judgedPoints: own.judged + (proof?.judged ?? 0),
			plannedPoints: own.planned,
			point: own.unfinished ?? proof?.unfinished ?? null
		};
	} catch {
		return NOTHING;
	}
}
async function sessionIn(pack, folder) {
	const bytes = await pack.read(`${folder}run.json`);
	if (bytes === null) return null;
	const { points, plannedPoints } = parseSession(UTF8.decode(bytes));
	const name = (await pack.list(`${folder}points`)).map((path) => path.slice(`${folder}points/`.length).split("/")[0] ?? "").find((one) => !points.includes(one));
	return {
		judged: points.length,
		planned: plannedPoints ?? null,
		unfinished: name === void 0 ? null : folder + name
	};
}
async function isFinished(pack) {
	const [verdict, sums] = [await pack.read("verdict.json"), await pack.read("SHA256SUMS")];
	return verdict !== null && sums !== null;
}
const NOTE = /^> ⚠️ A later (?:run|\[run\]\([^)\n]*\)) of this commit was cancelled[^\n]*\n\n/;
function renderCancelled(run) {
	return noticeSummary(notice(run), run.context);
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
	return noticeComment(marker, notice(run), run.context, earlier);
}
function underNote(body, marker, { context }) {
	const rest = body.slice(marker.length).replace(/^\r?\n/, "").replace(NOTE, "");
	return `${marker}\n> ⚠️ A later ${runLink(context)} of this commit was cancelled: what stands here is an earlier run’s verdict.\n\n${rest}`;
}
function notice(run) {
	const head = commitLink(run.context, run.context.headSha);
	const place = head === "" ? "" : `, head ${head}`;
	return {
		heading: "⚠️ Capacity not measured: the run was cancelled",
		text: `**Cancelled** ${where(run)}${place}: nothing is judged. ${kept(run)}`,
		steps: [whatItSays(run), "Run the job again: it measures anew."]
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
function whatItSays({ how, context }) {
	const why = how === "interrupted" ? "says whether somebody cancelled it, a newer run did, or it reached its time limit." : "says more: it left no word of its own, as when a job is ended by force or the system runs out of memory.";
	return `The page of this ${runLink(context)} ${why}`;
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
