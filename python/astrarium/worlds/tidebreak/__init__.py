"""Tidebreak: naval battles over three depth layers."""
