import { Component, lazy, Suspense, useEffect, type ReactNode } from "react";
import { Layout } from "./Layout";
import { LiveProvider } from "./live";
import { useRoute, type Page } from "./route";
import { Failed, Loading } from "./states";
import { ToastProvider } from "./toasts";
import { WorldsProvider } from "./worlds";

const PAGES = {
  home: lazy(() => import("../pages/home/HomePage")),
  watch: lazy(() => import("../pages/watch/WatchPage")),
  play: lazy(() => import("../pages/play/PlayPage")),
  analyse: lazy(() => import("../pages/analyse/AnalysePage")),
  grow: lazy(() => import("../pages/grow/GrowPage")),
  campaign: lazy(() => import("../pages/campaign/CampaignPage")),
} as const;

const TITLES: Record<Page, string> = {
  home: "Astrarium observatory",
  watch: "Watch · Astrarium",
  play: "Play · Astrarium",
  analyse: "Analyse · Astrarium",
  grow: "Grow · Astrarium",
  campaign: "Campaign · Astrarium",
};

export function App() {
  const { page } = useRoute();
  useEffect(() => {
    document.title = TITLES[page];
  }, [page]);
  const Shown = PAGES[page];
  return (
    <ToastProvider>
      <LiveProvider>
        <WorldsProvider>
          <Layout page={page}>
            <Fence key={page}>
              <Suspense fallback={<Loading what="the page" />}>
                <Shown />
              </Suspense>
            </Fence>
          </Layout>
        </WorldsProvider>
      </LiveProvider>
    </ToastProvider>
  );
}

/** One page's fault leaves the ways to the others open. */
class Fence extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Failed error={this.state.error} retry={() => this.setState({ error: null })} />;
  }
}
