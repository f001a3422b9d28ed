import { useMemo } from "react";
import { mergeRun } from "../../api/catalogue";
import { api } from "../../api/client";
import { SAMPLE_RUN, sampleRun } from "../../api/sample";
import type { Run } from "../../api/types";
import { useNews } from "../../shell/live";
import { useResource } from "../../shell/resource";
import { formatRoute, goTo, replaceRoute, useRoute } from "../../shell/route";
import { Failed, Loading, Stale } from "../../shell/states";
import { Tabs } from "../../shell/Tabs";
import { ConfigTab } from "./ConfigTab";
import { CoverageTab } from "./CoverageTab";
import { CurvesTab } from "./CurvesTab";
import { ReportsTab } from "./ReportsTab";
import { firstChoice, useRunData } from "./run_data";
import { RunList } from "./RunList";
import { WandbTab } from "./WandbTab";
import { WindowsTab } from "./WindowsTab";
import "../../styles/analyse.css";
import "../../styles/watch.css";

const TABS = [
  { name: "curves", title: "Curves" },
  { name: "windows", title: "Windows" },
  { name: "config", title: "Config" },
  { name: "coverage", title: "Coverage" },
  { name: "wandb", title: "W&B" },
  { name: "reports", title: "Reports" },
] as const;

type TabName = (typeof TABS)[number]["name"];

export default function AnalysePage() {
  const { params } = useRoute();
  const runs = useRuns();
  const known = useMemo(() => runs.value ?? [], [runs.value]);
  const asked = params["runs"];
  const chosen = useMemo(
    () => (asked === undefined ? firstChoice(known) : asked.split(",").filter(Boolean)),
    [asked, known],
  );
  const tab = TABS.find((one) => one.name === params["tab"])?.name ?? "curves";
  const data = useRunData(chosen);
  const show = (ids: readonly string[], name: TabName) =>
    formatRoute("analyse", { runs: ids.join(","), tab: name === "curves" ? null : name });
  const primary = chosen[0] ?? null;

  return (
    <>
      <div className="page-title">
        <h1>Analyse</h1>
        <p className="muted">Runs side by side, as they train.</p>
      </div>
      {runs.stale && <Stale error={runs.error} retry={runs.reload} />}
      <div className="analyse">
        <aside className="panel run-rail" aria-label="Runs">
          {runs.loading && !runs.value ? (
            <Loading what="runs" />
          ) : (
            <>
              {runs.error !== null && !runs.stale && (
                <Failed error={runs.error} retry={runs.reload} />
              )}
              <RunList
                runs={known}
                chosen={chosen}
                onChoose={(ids) => replaceRoute(show(ids, tab))}
              />
            </>
          )}
        </aside>
        <section className="analyse-main">
          <Tabs
            label="Analyses"
            tabs={TABS}
            chosen={tab}
            onChoose={(name) => goTo(show(chosen, name))}
          >
            {tab === "curves" && <CurvesTab data={data} runs={known} />}
            {tab === "windows" && <WindowsTab data={data} />}
            {tab === "config" && <ConfigTab data={data} />}
            {tab === "coverage" && <CoverageTab run={primary} />}
            {tab === "wandb" && <WandbTab />}
            {tab === "reports" && <ReportsTab />}
          </Tabs>
        </section>
      </div>
    </>
  );
}

/** The server's runs, or the bundled one where there are none to be had. */
function useRuns() {
  const runs = useResource<Run[]>("runs", async (signal) => {
    const page = await api.runs({ limit: 500 }, signal);
    return page.runs.length > 0 ? page.runs : [await sampleRun()];
  });
  const sample = useResource(runs.error !== null && !runs.value ? SAMPLE_RUN : null, () =>
    sampleRun(),
  );
  useNews((news) => {
    if (news.kind === "run") runs.set((held) => mergeRun(held, news.run));
    if (news.kind === "gone") runs.set((held) => held.filter((run) => run.run_id !== news.run_id));
    if (news.kind === "reset") runs.reload();
  });
  return { ...runs, value: runs.value ?? (sample.value ? [sample.value] : null) };
}
