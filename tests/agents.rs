//! Real agents and the scripted model they talk to: nothing leaves the machine and nothing is paid.

mod acp;
mod install;
mod model;
mod protocol;
mod real;
mod slow;
mod stage;
