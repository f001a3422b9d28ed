//! A policy of plain layers: choosing actions from observations, and the gradient of the PPO loss by
//! every weight, each in one call.
//!
//! A row of network outputs is the logits of all heads side by side, then the value. Nothing here
//! draws a random number: the caller brings uniform ones. No result depends on the number of threads.

mod adam;
mod choose;
mod exponential;
mod gradient;
mod layers;
mod network;
mod softmax;

pub use adam::{Course, Stride, adam};
pub use choose::{Choices, Chosen, choose};
pub use gradient::{Objective, Samples, Sums};
pub use layers::{Bend, Layers};
pub use network::{Minibatch, Network, Scale, Sight};
pub use softmax::Heads;
