//! Townlet: residents with needs, jobs, queues and rivals live in a small town.

pub mod config;
