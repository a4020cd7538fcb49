//! Who comes in when.

use crate::berth::clearance;
use crate::berth::Berth;
use crate::tide::TideTable;
use crate::vessel::Vessel;

/// The first minute of the day at which `vessel` has enough water at `berth`, in steps of ten minutes.
pub fn first_chance(vessel: &Vessel, berth: &Berth, tides: &TideTable) -> Option<i32> {
    (0..24 * 60).step_by(10).find(|&minute| {
        tides
            .height_at(minute)
            .is_some_and(|height| clearance(vessel, berth, height) >= 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_ship_waits_for_the_flood() {
        let tides = TideTable::new(&[(0, 0), (360, 360)]);
        let quay = Berth::new("North Quay", 400, 12_000);
        let deep = Vessel::new("Wavecrest", 420, 6_000);
        assert_eq!(first_chance(&deep, &quay, &tides), Some(80));
    }
}
