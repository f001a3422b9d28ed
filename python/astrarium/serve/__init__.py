"""The observatory: runs, replays and play over HTTP and WebSocket. Needs the extra `serve`."""
