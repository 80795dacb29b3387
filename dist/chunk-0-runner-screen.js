function runnerScreen(write) {
	return {
		isTerminal: false,
		hasColor: false,
		columns: () => 120,
		write: (text) => write(text.replaceAll("##[", "## [").replaceAll(/^(\s*)::/gm, "$1: :"))
	};
}
export { runnerScreen as t };
