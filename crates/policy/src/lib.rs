//! What a policy does to each row of a batch, in one pass over memory: choosing actions from
//! logits, and the gradient of the PPO loss in closed form.
//!
//! A row of network outputs is the logits of all heads side by side, then the value. Nothing here
//! allocates per row, draws a random number or starts a thread: the caller brings uniform numbers
//! and splits the rows.

mod choose;
mod exponential;
mod gradient;
mod softmax;

pub use choose::{Choices, Chosen, choose};
pub use gradient::{Objective, Samples, Sums, gradient};
pub use softmax::Heads;
