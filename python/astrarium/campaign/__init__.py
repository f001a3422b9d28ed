"""Campaigns: a war of two factions in steps of a day, with battles run by Tidebreak."""
