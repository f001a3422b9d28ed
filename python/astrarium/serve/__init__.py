"""The server of the web app: runs, replays and play over HTTP and WebSocket (extra `serve`)."""
