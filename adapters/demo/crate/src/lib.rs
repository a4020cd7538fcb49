//! A small harbour: when is there enough water for whom, and at which quay?
//!
//! All lengths are centimetres and all times are minutes after midnight, so that nothing is ever rounded by surprise.
//!
//! ```
//! use harbour::{clearance, Berth, Vessel};
//!
//! let wavecrest = Vessel::new("Wavecrest", 420, 8_600);
//! let quay = Berth::new("North Quay", 510, 12_000);
//! assert_eq!(clearance(&wavecrest, &quay, 60), 85);
//! ```

pub mod berth;
pub mod channel;
pub mod crane;
pub mod draught;
pub mod fees;
pub mod pilot;
pub mod report;
pub mod schedule;
pub mod tide;
pub mod vessel;
pub mod window;

pub use berth::{clearance, Berth};
pub use tide::TideTable;
pub use vessel::Vessel;
