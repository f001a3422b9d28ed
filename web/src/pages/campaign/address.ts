/** What a link to Campaign says. Without a day it means the last one. */

import { formatRoute } from "../../shell/route";

export interface CampaignAddress {
  war: string | null;
  /** From 1. */
  day: number | null;
}

export function readAddress(params: Record<string, string>): CampaignAddress {
  const day = params["day"];
  return {
    war: params["war"] ?? null,
    day: day !== undefined && /^\d{1,9}$/.test(day) ? Number(day) : null,
  };
}

export function writeAddress(address: CampaignAddress): string {
  return formatRoute("campaign", { ...address });
}
