//! When a pilot has to be aboard.

use crate::berth::{clearance, quay_left, Berth};
use crate::vessel::Vessel;

/// Ships with little room in either direction do not come in alone.
pub fn needs_pilot(vessel: &Vessel, berth: &Berth, tide: i32) -> bool {
    clearance(vessel, berth, tide) < 100 || quay_left(vessel, berth) < 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skiff_comes_in_alone() {
        let quay = Berth::new("North Quay", 500, 12_000);
        assert!(!needs_pilot(&Vessel::new("Skiff", 50, 500), &quay, 0));
    }
}
