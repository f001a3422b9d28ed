import { useMemo } from "react";
import { wars, type WarRow } from "../../api/wars";
import { counted } from "../../shell/figures";
import { useResource } from "../../shell/resource";
import { useRoute } from "../../shell/route";
import { Command, Empty, Failed, Loading, Stale } from "../../shell/states";
import { readAddress, writeAddress } from "./address";
import { useWar } from "./follow";
import { endingWords } from "./war";
import { WarView } from "./WarView";
import "../../styles/watch.css";
import "../../styles/campaign.css";

export default function CampaignPage() {
  const { params } = useRoute();
  const address = useMemo(() => readAddress(params), [params]);
  return address.war === null ? <WarList /> : <OneWar war={address.war} address={address} />;
}

function WarList() {
  const list = useResource("wars", (signal) => wars.list(signal));
  if (list.loading && !list.value) return <Loading what="wars" />;
  if (!list.value) return <Failed error={list.error} retry={list.reload} />;
  if (list.value.length === 0) {
    return (
      <Empty title="No war yet.">
        <p>This one takes about a minute, and appears here:</p>
        <Command text="astrarium campaign run --seed 1" />
      </Empty>
    );
  }
  return (
    <>
      <h1>Wars</h1>
      <ul className="war-cards">
        {list.value.map((row) => (
          <li key={row.war_id}>
            <WarCard row={row} />
          </li>
        ))}
      </ul>
    </>
  );
}

function WarCard({ row }: { row: WarRow }) {
  const winner = row.factions.find((faction) => faction.id === row.winner);
  return (
    <a className="panel war-card" href={writeAddress({ war: row.war_id, day: null })}>
      <b>{row.war_id}</b>
      <span className="muted small">
        seed {row.seed}, day {row.days} of {row.days_planned}, {counted(row.battles, "battle")}
      </span>
      <span className="war-sides">
        {row.factions.map((faction) => (
          <span key={faction.id}>
            <span className="swatch" style={{ background: faction.colour }} aria-hidden="true" />
            {faction.name}
          </span>
        ))}
      </span>
      <span>
        {winner
          ? `${winner.name} wins: ${endingWords(row)}`
          : `Nobody has won: ${endingWords(row)}`}
      </span>
    </a>
  );
}

interface Props {
  war: string;
  address: ReturnType<typeof readAddress>;
}

function OneWar({ war, address }: Props) {
  const { told, days, shown } = useWar(war);
  const error = told.error ?? days.error;
  const retry = () => {
    told.reload();
    days.reload();
  };
  if (!told.value || !shown) {
    return error === null ? <Loading what="the war" /> : <Failed error={error} retry={retry} />;
  }
  if (shown.length === 0) {
    return <Empty title="The first day of this war has not been told yet." />;
  }
  return (
    <>
      {told.stale && <Stale error={told.error} retry={retry} />}
      <WarView told={told.value} days={shown} address={address} />
    </>
  );
}
