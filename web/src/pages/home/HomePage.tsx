import { mergeRun } from "../../api/catalogue";
import { api } from "../../api/client";
import { SAMPLE_RUN, sampleRun } from "../../api/sample";
import type { Run, RunPage } from "../../api/types";
import { useNews } from "../../shell/live";
import { useResource, type Resource } from "../../shell/resource";
import { formatRoute } from "../../shell/route";
import { Failed, Loading, Stale } from "../../shell/states";
import { Hero } from "./Hero";
import { HowToStart } from "./HowToStart";
import { ReplayCards } from "./ReplayCards";
import { bestReplays, newestReplays } from "./replays";
import { RunningNow } from "./RunningNow";
import "../../styles/home.css";

const RUNS_LOOKED_AT = 100;

export default function HomePage() {
  const runs = useResource("runs", (signal) => api.runs({ limit: RUNS_LOOKED_AT }, signal));
  useNews((news) => {
    if (news.kind === "run") runs.set((page) => withRun(page, news.run));
    if (news.kind === "replay" || news.kind === "reset") runs.reload();
    if (news.kind === "gone") {
      runs.set((page) => ({
        ...page,
        runs: page.runs.filter((run) => run.run_id !== news.run_id),
      }));
    }
  });
  const known = runs.value?.runs ?? [];
  const empty = runs.value !== null && known.length === 0;
  const newest = newestReplays(known)[0] ?? null;
  return (
    <>
      <Hero newest={newest} />
      {runs.stale && <Stale error={runs.error} retry={runs.reload} />}
      <div className="home">
        <div className="home-main">
          {runs.loading && !runs.value && <Loading what="runs" />}
          {runs.error !== null && !runs.value && (
            <section className="panel">
              <Failed error={runs.error} retry={runs.reload} />
            </section>
          )}
          {(empty || (runs.error !== null && !runs.value)) && <Sample />}
          {known.length > 0 && <Lists runs={runs} known={known} />}
        </div>
        <HowToStart empty={empty} />
      </div>
    </>
  );
}

function withRun(page: RunPage, run: Run): RunPage {
  return { ...page, runs: mergeRun(page.runs, run) };
}

function Lists({ runs, known }: { runs: Resource<RunPage>; known: Run[] }) {
  return (
    <>
      <RunningNow runs={known} total={runs.value?.total ?? known.length} />
      <ReplayCards title="Best replays" replays={bestReplays(known)} runs={known} />
      <ReplayCards title="Newest replays" replays={newestReplays(known)} runs={known} />
    </>
  );
}

function Sample() {
  const sample = useResource(SAMPLE_RUN, () => sampleRun());
  if (!sample.value) return null;
  return (
    <section className="panel sample">
      <div>
        <h2>While there is nothing of yours</h2>
        <p className="muted">
          A replay comes with this page: a policy that learnt to mine an asteroid belt in about a
          minute.
        </p>
      </div>
      <div className="row">
        <a className="button primary" href={formatRoute("watch", { run: SAMPLE_RUN })}>
          Watch the sample
        </a>
        <a className="button" href={formatRoute("analyse", { runs: SAMPLE_RUN })}>
          See its curves
        </a>
      </div>
    </section>
  );
}
