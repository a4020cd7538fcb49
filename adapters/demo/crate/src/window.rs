//! The tidal window: how long a berth stays open for a ship.

use crate::berth;
use crate::tide::TideTable;
use crate::vessel::Vessel;

/// Minutes of the day with enough water, counted in steps of ten.
pub fn open_minutes(vessel: &Vessel, place: &berth::Berth, tides: &TideTable) -> i32 {
    let steps = (0..24 * 60).step_by(10).filter(|&minute| {
        tides
            .height_at(minute)
            .map(|height| berth::clearance(vessel, place, height))
            .is_some_and(|left| left >= 0)
    });
    i32::try_from(steps.count() * 10).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skiff_is_never_shut_out() {
        let tides = TideTable::new(&[(0, 0), (720, 300), (1_430, 0)]);
        let steps = berth::Berth::new("Old Steps", 200, 4_000);
        assert_eq!(
            open_minutes(&Vessel::new("Skiff", 50, 500), &steps, &tides),
            1_440
        );
    }
}
