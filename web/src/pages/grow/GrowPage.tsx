import { useMemo } from "react";
import { mergeRun } from "../../api/catalogue";
import { api } from "../../api/client";
import { ApiError } from "../../api/errors";
import type { GrowthOverview } from "../../api/growth";
import type { Run } from "../../api/types";
import { shortRun } from "../../shell/figures";
import { useNews } from "../../shell/live";
import { useResource } from "../../shell/resource";
import { formatRoute, goTo, growLink, replaceRoute, useRoute } from "../../shell/route";
import { Command, Empty, Failed, Loading, Stale } from "../../shell/states";
import { readAddress, writeAddress, type GrowAddress } from "./address";
import { chosenOf } from "./choosing";
import { EpisodeView } from "./EpisodeView";
import { GrowHead } from "./GrowHead";
import { useGrowth } from "./growing";
import "../../styles/watch.css";
import "../../styles/grow.css";

export default function GrowPage() {
  const { params } = useRoute();
  const address = useMemo(() => readAddress(params), [params]);
  const runs = useGrowingRuns();
  const runId = address.run ?? runs.value?.[0]?.run_id ?? null;
  const told = useGrowth(runId);
  if (runId === null) {
    if (runs.loading) return <Loading what="runs" />;
    if (runs.error !== null) return <Failed error={runs.error} retry={runs.reload} />;
    return <NothingGrows />;
  }
  if (told.loading && !told.value) return <Loading what="what grew in this run" />;
  if (!told.value) return <NoGrowth run={runId} error={told.error} retry={told.reload} />;
  return (
    <>
      {told.stale && <Stale error={told.error} retry={told.reload} />}
      <Growth runs={runs.value ?? []} runId={runId} overview={told.value} address={address} />
    </>
  );
}

interface Props {
  runs: readonly Run[];
  runId: string;
  overview: GrowthOverview;
  address: GrowAddress;
}

function Growth({ runs, runId, overview, address }: Props) {
  const run = runs.find((one) => one.run_id === runId) ?? null;
  const { episodes } = overview;
  const found = chosenOf(episodes, address);
  const env = found?.env ?? null;
  const episode = found?.episode ?? null;
  const chosen = useMemo(
    () => (env === null || episode === null ? null : { env, episode }),
    [env, episode],
  );
  const choose = (picked: { env: number; episode: number }) =>
    replaceRoute(writeAddress({ run: runId, ...picked, epoch: null }));
  return (
    <>
      <GrowHead
        runs={runs}
        run={run}
        runId={runId}
        overview={overview}
        chosen={chosen}
        follows={address.episode === null && address.epoch === null}
        onRun={(id) => goTo(growLink(id))}
        onChoose={choose}
        onFollow={() => replaceRoute(growLink(runId))}
      />
      {overview.damaged > 0 && (
        <p className="stale">
          {overview.damaged} {overview.damaged === 1 ? "line" : "lines"} of this run cannot be read
          and are left out.
        </p>
      )}
      {chosen ? (
        <EpisodeView
          runId={runId}
          running={run?.status === "running"}
          overview={overview}
          chosen={chosen}
          address={address}
          onChoose={choose}
        />
      ) : (
        <Empty title="No epoch has been told yet.">
          {run?.status === "running" && <p>The first one appears here by itself.</p>}
        </Empty>
      )}
    </>
  );
}

function NoGrowth({ run, error, retry }: { run: string; error: unknown; retry: () => void }) {
  if (!(error instanceof ApiError && error.fault === "missing")) {
    return <Failed error={error} retry={retry} />;
  }
  return (
    <Empty title={`Nothing grows in ${shortRun(run)}.`}>
      <p>It is not a run of networks that grow, or it is gone.</p>
      <p>
        <a href={formatRoute("grow")}>See one that does</a> or{" "}
        <a href={formatRoute("analyse", { runs: run })}>its curves</a>.
      </p>
    </Empty>
  );
}

function NothingGrows() {
  return (
    <Empty title="No run of a network that grows yet.">
      <p>This one takes about a minute:</p>
      <Command text="astrarium esper grow digits_impaired" />
    </Empty>
  );
}

/** Runs in which something grows, last updated first. */
function useGrowingRuns() {
  const runs = useResource<Run[]>("growing runs", async (signal) => {
    const page = await api.runs({ limit: 500 }, signal);
    return page.runs.filter((run) => run.has_world_events);
  });
  useNews((news) => {
    if (news.kind === "run" && news.run.has_world_events) {
      runs.set((held) => mergeRun(held, news.run));
    }
    if (news.kind === "gone") runs.set((held) => held.filter((run) => run.run_id !== news.run_id));
    if (news.kind === "reset") runs.reload();
  });
  return runs;
}
