/** For whoever finds the file without knowing where it came from. */
export const readme = (
  session: string,
): string => `A session of an AI agent, exported by Retake: what was recorded of the workspace, step by step.

Session: ${JSON.stringify(session)}

To take it into a workspace:      retake import THIS-FILE

To look at it without Retake:
  tar -xf THIS-FILE
  git clone --mirror operations.bundle operations.git
  git --git-dir operations.git for-each-ref refs/retake/ops
  git --git-dir operations.git log -1 ID
  git --git-dir operations.git diff ID:files OTHER-ID:files
  git --git-dir operations.git archive ID:files | tar -x -C SOME-FOLDER

manifest.json                     what is in it, and which files were left out
operations.bundle                 one ref for each thing that was recorded; files/ in its tree is the workspace
conversation/messages.jsonl       what was said, one message on each line
conversation/session.jsonl        the same as the agent keeps it

The conversation holds whatever the agent read, wrote and printed; prompts and commands are told as they were.
`;
