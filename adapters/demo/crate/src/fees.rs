//! What a stay costs, in whole marks.

use crate::vessel::Vessel;
use crate::Berth;

const PER_METRE: i32 = 12;

/// The fee of one tide. Whoever keeps the berth's full depth busy pays half as much again.
pub fn berth_fee(vessel: &Vessel, berth: &Berth, tide: i32) -> i32 {
    let base = vessel.length / 100 * PER_METRE;
    if crate::berth::clearance(vessel, berth, tide) < 50 {
        base + base / 2
    } else {
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_ship_pays_more() {
        let quay = Berth::new("North Quay", 500, 12_000);
        assert_eq!(
            berth_fee(&Vessel::new("Skiff", 50, 1_000), &quay, 0),
            10 * 12
        );
        assert_eq!(
            berth_fee(&Vessel::new("Barge", 440, 1_000), &quay, 0),
            15 * 12
        );
    }
}
